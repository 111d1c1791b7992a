/* Draws the bones of a skeleton as lines. */
#include "preview/bones.h"
#include "preview/pose.h"

#include <string.h>

static bool point(const void *user, size_t i, vec3 *out)
{
    return preview_rig_point(user, i, out);
}

/* The bone that `fit` names, with its children; all for "skeleton". */
typedef struct chosen {
    const preview_rig *rig;
    size_t bone;
} chosen;

static bool chosen_point(const void *user, size_t i, vec3 *out)
{
    const chosen *c = user;
    bool near = i == c->bone || (c->rig->parents[i] >= 0 && (size_t)c->rig->parents[i] == c->bone);
    return preview_rig_point(c->rig, i, out) && near;
}

static const char *bone_name(void *user, size_t i)
{
    const preview_rig *rig = user;
    if (i >= rig->count)
        return NULL;
    return rig->skeleton->bones[i].name ? rig->skeleton->bones[i].name : "";
}

static lathe_result find(const preview *p, const preview_rig *rig, size_t *bone, lathe_error *err)
{
    preview_rig names = *rig;
    for (size_t i = 0; i < rig->count; i++)
        if (strcmp(bone_name(&names, i), p->options.fit) == 0) {
            *bone = i;
            return LATHE_OK;
        }
    const char *near = error_nearest(p->options.fit, bone_name, &names);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no bone '%s'%s%s%s", p->options.fit,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

lathe_result preview_rig_draw(preview *p, const preview_rig *rig, const picture_camera *camera,
                              frame_rect inside, bool names, lathe_error *err)
{
    size_t hidden = 0;
    vec3 *points = mem_alloc(&p->mem, rig->count * sizeof *points + 1);
    if (!points)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t i = 0; i < rig->count; i++)
        preview_rig_point(rig, i, &points[i]);
    const preview_bones bones = {rig->skeleton, rig->parents, points, rig->count, rig->marks};
    lathe_result r =
        preview_bones_draw(&p->mem, p->canvas, &bones, camera, inside, names, &hidden, err);
    preview_skip_count(p, hidden, " name of a bone has no room", " names of bones have no room");
    mem_free(&p->mem, points, rig->count * sizeof *points + 1);
    return r;
}

lathe_result preview_rig_fit(preview *p, const preview_rig *rig, lathe_preview_view view,
                             double width, double height, preview_bounds *bounds,
                             picture_camera *camera, lathe_error *err)
{
    chosen c = {.rig = rig};
    preview_cloud cloud = {point, rig, rig->count};
    lathe_result r = LATHE_OK;
    *bounds = (preview_bounds){.points = 0};
    if (!rig->count)
        return r;
    if (p->options.fit && strcmp(p->options.fit, "skeleton") != 0) {
        r = find(p, rig, &c.bone, err);
        cloud = (preview_cloud){chosen_point, &c, rig->count};
    }
    if (r == LATHE_OK)
        r = preview_bounds_of(&p->mem, &cloud, bounds, err);
    if (r != LATHE_OK || !bounds->points)
        return r;
    bounds->outside -= cloud.point == chosen_point ? bounds->outside : rig->lost;
    mat4 turn = preview_turn(rig->skeleton->z_up, rig->skeleton->front);
    preview_camera_of(&cloud, bounds, &turn, view, width, height, camera);
    return LATHE_OK;
}
