/* Public functions for skeletons and their bones. */
#include "api/api.h"

/* LATHE_BONE_* equal MODEL_BONE_*. */
_Static_assert((unsigned)LATHE_BONE_NAME == MODEL_BONE_NAME &&
                   (unsigned)LATHE_BONE_PARENT == MODEL_BONE_PARENT &&
                   (unsigned)LATHE_BONE_MIRROR == MODEL_BONE_MIRROR &&
                   (unsigned)LATHE_BONE_TRANSLATION == MODEL_BONE_T &&
                   (unsigned)LATHE_BONE_ROTATION == MODEL_BONE_Q &&
                   (unsigned)LATHE_BONE_SCALE == MODEL_BONE_S,
               "fields of bones");
_Static_assert((int)LATHE_POSE == (int)MODEL_POSE, "numbers of a pose");
_Static_assert(LATHE_LINKED == SCENE_LINKED, "the linked skeleton");

lathe_result lathe_skeleton_describe(lathe_doc *doc, uint64_t skeleton, lathe_skeleton_info *info,
                                     lathe_error *err)
{
    const model_skeleton *rig;
    lathe_result r = scene_rig(doc, skeleton, &rig, err);
    if (r != LATHE_OK)
        return r;
    const lathe_skeleton_info all = {.name = rig->name,
                                     .source = rig->source,
                                     .bones = rig->bone_count,
                                     .slots = rig->slot_count,
                                     .has_slots = rig->slots != NULL,
                                     .z_up = rig->z_up,
                                     .metres = rig->metres,
                                     .front = {rig->front.x, rig->front.y, rig->front.z}};
    api_give(info, &all, sizeof all);
    return LATHE_OK;
}

lathe_result lathe_skeleton_bone(lathe_doc *doc, uint64_t skeleton, uint64_t bone, lathe_bone *out,
                                 lathe_error *err)
{
    const model_skeleton *rig;
    lathe_result r = scene_rig(doc, skeleton, &rig, err);
    if (r != LATHE_OK)
        return r;
    if (bone >= rig->bone_count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %zu bones",
                         rig->bone_count);
    const model_bone *b = &rig->bones[bone];
    lathe_bone all = {.name = b->name, .parent = b->parent, .mirror = b->mirror};
    memcpy(all.pose, b->pose, sizeof all.pose);
    api_give(out, &all, sizeof all);
    return LATHE_OK;
}

/* Converts the number of a bone to the model's type. One that is too large is no bone of any skeleton. */
static int32_t number_of(int64_t bone)
{
    return bone < -1 || bone > INT32_MAX ? INT32_MAX : (int32_t)bone;
}

lathe_result lathe_skeleton_set(lathe_doc *doc, uint64_t skeleton, uint64_t bone, unsigned fields,
                                const lathe_bone *values, lathe_error *err)
{
    lathe_bone v = {.parent = -1, .mirror = -1};
    api_take(&v, values, sizeof v);
    if (fields & LATHE_BONE_NAME && !v.name)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "bone %llu: no name given",
                         (unsigned long long)bone);
    model_bone given = {
        .name = v.name, .parent = number_of(v.parent), .mirror = number_of(v.mirror)};
    memcpy(given.pose, v.pose, sizeof given.pose);
    return scene_bone_set(doc, skeleton, bone, fields, &given, err);
}

lathe_result lathe_skeleton_find(lathe_doc *doc, uint64_t skeleton, const char *name, size_t n,
                                 uint64_t *bone, lathe_error *err)
{
    return scene_rig_bone(doc, skeleton, name, n, bone, err);
}

lathe_result lathe_skeleton_slot(lathe_doc *doc, uint64_t skeleton, uint64_t i, const char **name,
                                 lathe_error *err)
{
    const model_skeleton *rig;
    lathe_result r = scene_rig(doc, skeleton, &rig, err);
    if (r == LATHE_OK && i >= rig->slot_count)
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %zu slots", rig->slot_count);
    if (r == LATHE_OK)
        *name = rig->slots[i];
    return r;
}
