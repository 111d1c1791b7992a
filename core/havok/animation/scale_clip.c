/* doc:scale of animations whose data are no rows: splines. */
#include "havok/animation/scale_clip.h"
#include "havok/animation/clip.h"
#include "havok/animation/maths/spline_scale.h"

#include <stdio.h>

/* Numbers are changed where they are in the copy of the part that holds them. */
static lathe_result scale_data(scene_scaling *s, const rec_at *animation, const hk_spline *spline,
                               lathe_error *err)
{
    rec_loc loc;
    lathe_error why = {.code = LATHE_OK};
    uint64_t changed = 0;
    uint32_t slot = hk_array_row(animation, "data", 1);
    lathe_result r = rec_find(animation, slot, &loc, err);
    if (r != LATHE_OK || !loc.count)
        return r;
    uint8_t *copy = scene_scale_copy(s, loc.data_part);
    if (!copy)
        return rec_no_memory(err);
    r = hk_spline_scale(spline, scene_scale_by(s, 1), copy + loc.data, &changed, &why);
    if (r != LATHE_OK)
        return hk_blame(animation, &why, err);
    if (s->report)
        s->report->changed += changed;
    return LATHE_OK;
}

lathe_result hk_scale_spline(scene_scaling *s, const rec_at *animation, bool *done,
                             lathe_error *err)
{
    hk_poses poses;
    char reason[384];
    lathe_error why = {.code = LATHE_OK};
    lathe_result r = hk_poses_open(animation, &poses, &why);
    *done = r == LATHE_OK;
    if (r == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    if (r != LATHE_OK) {
        snprintf(reason, sizeof reason, "it stays as it is, as it cannot be read: %.300s",
                 why.message);
        scene_scale_skip(s, animation, REC_NO_SLOT, reason);
        return LATHE_OK;
    }
    r = scale_data(s, animation, &poses.as.spline, err);
    hk_poses_close(&poses);
    return r;
}
