/* Bones of an hkaSkeleton, changed. Reference: formats/hkx-animation.md#2. */
#include "havok/animation/clip.h"

static lathe_result lacks(const rec_at *at, const char *name, uint64_t have, uint64_t bone,
                          lathe_error *err)
{
    return rec_fail(at, rec_slot_find(at->layout, name), at->off, err, LATHE_ERR_UNSUPPORTED,
                    "%llu of them: bone %llu has none", (unsigned long long)have,
                    (unsigned long long)bone);
}

static lathe_result set_parent(const rec_at *at, uint64_t bone, int32_t parent, lathe_error *err)
{
    bytes_array parents;
    uint32_t slot = hk_array_row(at, "parent_indices", 2);
    const lathe_value value = {.kind = LATHE_KIND_INT, .as.i = parent};
    lathe_result r = hk_elements(at, "parent_indices", 2, &parents, err);
    if (r == LATHE_OK && (slot == REC_NO_SLOT || bone >= parents.count))
        return lacks(at, "parent_indices", parents.count, bone, err);
    return r == LATHE_OK ? rec_set_item(at, slot, bone, &value, err) : r;
}

/* What is unused of a transform stays as it is. */
static void put_pose(uint8_t *p, bool big, unsigned what, double *pose)
{
    static const unsigned lanes[MODEL_POSE] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10};
    for (unsigned i = 0; i < MODEL_POSE; i++) {
        unsigned bit = i < 3 ? MODEL_BONE_T : i < 7 ? MODEL_BONE_Q : MODEL_BONE_S;
        if (what & bit)
            bytes_st32(p + 4 * lanes[i], bytes_f32_narrow(pose[i]), big);
        pose[i] = bytes_f32_widen(bytes_ld32(p + 4 * lanes[i], big));
    }
}

static lathe_result set_pose(const rec_at *at, uint64_t bone, unsigned what, double *pose,
                             lathe_error *err)
{
    bytes_array poses;
    rec_loc loc;
    uint8_t bytes[HK_TRANSFORM_SIZE];
    uint32_t slot = hk_array_row(at, "reference_pose", HK_TRANSFORM_SIZE);
    lathe_result r = hk_transforms(at, "reference_pose", &poses, err);
    if (r == LATHE_OK && (slot == REC_NO_SLOT || bone >= poses.count))
        return lacks(at, "reference_pose", poses.count, bone, err);
    if (r == LATHE_OK)
        r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    memcpy(bytes, poses.bytes + HK_TRANSFORM_SIZE * bone, sizeof bytes);
    put_pose(bytes, hk_is_big(at), what, pose);
    return rec_put_items(at, slot, &loc, bone, 1, bytes, err);
}

static lathe_result set_name(const rec_at *at, uint64_t bone, const char *name, lathe_error *err)
{
    rec_at record;
    const lathe_value value = {.kind = LATHE_KIND_STRING, .as.s = {name, strlen(name)}};
    if (!hk_record_at(at, "bones", bone, &record))
        return lacks(at, "bones", 0, bone, err);
    return rec_set_name(&record, "name", &value, err);
}

lathe_result hk_skeleton_set(lathe_doc *doc, uint64_t i, uint64_t bone_number, unsigned what,
                             model_bone *bone, lathe_error *err)
{
    hk_clips *clips = hk_clips_of(doc, 0, err);
    if (!clips)
        return LATHE_ERR_MEMORY;
    rec_at at = hk_object(doc, clips->skeletons[i]); /* who calls has read it */
    lathe_result r = LATHE_OK;
    if (what & MODEL_BONE_MIRROR)
        r = rec_fail(&at, REC_NO_SLOT, at.off, err, LATHE_ERR_UNSUPPORTED,
                     "bones of this format have no mirror: names decide it");
    if (r == LATHE_OK && what & MODEL_BONE_PARENT)
        r = set_parent(&at, bone_number, bone->parent, err);
    if (r == LATHE_OK && what & (MODEL_BONE_T | MODEL_BONE_Q | MODEL_BONE_S))
        r = set_pose(&at, bone_number, what, bone->pose, err);
    return r == LATHE_OK && what & MODEL_BONE_NAME ? set_name(&at, bone_number, bone->name, err)
                                                   : r;
}
