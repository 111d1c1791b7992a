/* hkaSkeleton as a skeleton like any other. Reference: formats/hkx-animation.md#2. */
#include "havok/animation/clip.h"

/* Translation, rotation and scale of 4 floats each; the last of the first and the third are unused. */
static void read_pose(const uint8_t *p, bool big, double *pose)
{
    static const unsigned lanes[MODEL_POSE] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10};
    for (unsigned i = 0; i < MODEL_POSE; i++)
        pose[i] = bytes_f32_widen(bytes_ld32(p + 4 * lanes[i], big));
}

/* Lists of another length than the bones': what they lack is a root, at rest. */
static lathe_result read_bones(const rec_at *at, uint32_t slot, model_skeleton *skeleton,
                               lathe_error *err)
{
    bytes_array parents, poses;
    rec_at bone;
    bool big = hk_is_big(at);
    lathe_result r = hk_elements(at, "parent_indices", 2, &parents, err);
    if (r == LATHE_OK)
        r = hk_transforms(at, "reference_pose", &poses, err);
    for (size_t i = 0; r == LATHE_OK && i < skeleton->bone_count; i++) {
        model_bone *b = &skeleton->bones[i];
        r = rec_sub(at, slot, i, &bone, err);
        if (r != LATHE_OK)
            return r;
        b->name = hk_text(&bone, "name");
        if (i < parents.count)
            b->parent = (int16_t)bytes_ld16(parents.bytes + 2 * i, big);
        if (i < poses.count)
            read_pose(poses.bytes + HK_TRANSFORM_SIZE * i, big, b->pose);
    }
    return r;
}

static lathe_result read_slots(const rec_at *at, model_skeleton *skeleton, lathe_error *err)
{
    uint64_t n = hk_length(at, "float_slots");
    lathe_result r =
        n <= SIZE_MAX ? model_skeleton_slots(skeleton, (size_t)n, err) : rec_no_memory(err);
    for (size_t i = 0; r == LATHE_OK && i < skeleton->slot_count; i++) {
        const char *name;
        r = hk_read_text_item(at, "float_slots", i, &name, err);
        if (r == LATHE_OK && name) /* else it stays empty */
            skeleton->slots[i] = name;
    }
    return r;
}

lathe_result hk_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *skeleton, lathe_error *err)
{
    uint32_t slot;
    uint64_t n;
    hk_clips *clips = hk_clips_of(doc, 0, err);
    if (!clips)
        return LATHE_ERR_MEMORY;
    if (i >= clips->skeleton_count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %zu skeletons",
                         clips->skeleton_count);
    uint32_t part = clips->skeletons[i];
    rec_at at = hk_object(doc, part);
    if (!hk_object_opens(doc, part))
        return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_BOUNDS, "%s",
                        doc->parts[part].problem ? doc->parts[part].problem->message
                                                 : "not to be read");
    skeleton->name = hk_text(&at, "name");
    skeleton->source = rec_view(&at);
    lathe_result r = hk_find_records(&at, "bones", &slot, &n, err);
    if (r == LATHE_OK)
        r = n <= SIZE_MAX ? model_skeleton_alloc(skeleton, (size_t)n, err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = read_bones(&at, slot, skeleton, err);
    return r == LATHE_OK ? read_slots(&at, skeleton, err) : r;
}
