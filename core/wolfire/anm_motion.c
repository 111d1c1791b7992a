/* Root motion, rows and times of an animation, as read and as compared by the writer. */
#include "wolfire/anm_pose.h"

#include <math.h>

void anm_pose_row(const anm_pose *pose, float row[MODEL_POSE])
{
    const double numbers[MODEL_POSE] = {pose->t.x, pose->t.y, pose->t.z, pose->q.x, pose->q.y,
                                        pose->q.z, pose->q.w, pose->s.x, pose->s.y, pose->s.z};
    for (int k = 0; k < MODEL_POSE; k++)
        row[k] = (float)numbers[k];
}

lathe_result anm_motion(lathe_view source, uint64_t n, float *out, lathe_error *err)
{
    lathe_doc *doc = source.doc;
    bool centered = anm_facts_of(doc).centered, mobile;
    anm_place now = {.rotation = 0};
    vec3 world = {0, 0, 0};
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++, out += 4) {
        anm_place before = now;
        rec_at frame;
        r = anm_frame_at(doc, k, &frame, err);
        if (r == LATHE_OK)
            r = centered ? anm_stored_place(&frame, &now, err)
                         : anm_found_place(&frame, k ? &before.rotation : NULL, &now, &mobile, err);
        world = centered && k ? anm_step(world, before.offset, &now) : now.offset;
        out[0] = (float)world.x;
        out[1] = (float)world.y;
        out[2] = (float)world.z;
        out[3] = (float)now.rotation;
    }
    return r;
}

lathe_result anm_file_time(const anm_facts *facts, double seconds, const char *what, int64_t *out,
                           lathe_error *err)
{
    double ms = round(seconds * 1000) + (double)facts->start;
    if (!(ms >= INT32_MIN && ms <= INT32_MAX))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%s %.9g s: times are 32-bit numbers of milliseconds", what, seconds);
    *out = (int64_t)ms;
    return LATHE_OK;
}
