/* The animation of a .anm file: one clip, which is the whole document. Reference: formats/wolfire.md#2. */
#include "wolfire/anm_pose.h"

#include <string.h>

/* ---- properties ---------------------------------------------------------------------------------- */

static lathe_result open_clip(lathe_doc *doc, uint64_t i, model_clip *clip, lathe_view *source,
                              lathe_error *err)
{
    anm_facts facts = anm_facts_of(doc);
    anm_items items = {.count = 0};
    rec_at frame;
    if (i > 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there is one animation");
    *source = lathe_doc_root(doc);
    *clip = (model_clip){.duration = (double)(facts.end - facts.start) / 1000,
                         .frame_count = facts.frames,
                         .looping = facts.looping,
                         .absolute = true,
                         .has_motion = facts.centered};
    lathe_result r = anm_frame_at(doc, 0, &frame, err);
    if (r == LATHE_OK)
        r = anm_items_of(&frame, "bone_matrices", &items, err);
    if (r != LATHE_OK)
        return r;
    clip->track_count = items.count;
    clip->has_motion = facts.centered || rec_int(&frame, "use_mobility") != 0;
    return LATHE_OK;
}

static lathe_result track(lathe_view source, uint64_t i, model_track *out, lathe_error *err)
{
    (void)source;
    (void)err;
    *out = (model_track){.bone_index = (int32_t)i};
    return LATHE_OK;
}

/* ---- poses --------------------------------------------------------------------------------------- */

/* Samples poses. Between keys, quaternions keep the length that the game's blending gives them, which is not
 * 1. */
static lathe_result sample(lathe_view source, const model_when *when,
                           const model_skeleton *skeleton, uint64_t first, uint64_t n, float *out,
                           lathe_error *err)
{
    lathe_doc *doc = source.doc;
    anm_facts facts = anm_facts_of(doc);
    anm_moment moment = {.p = 0};
    anm_four four;
    lathe_result r = LATHE_OK;
    if (when->is_time)
        r = anm_moment_at(doc, &facts, when->at * 1000, &moment, err);
    else
        moment = anm_moment_of(&facts, when->at);
    if (r == LATHE_OK && skeleton) {
        anm_items bones;
        rec_at frame;
        r = anm_frame_at(doc, 0, &frame, err);
        if (r == LATHE_OK)
            r = anm_items_of(&frame, "bone_matrices", &bones, err);
        if (r == LATHE_OK)
            r = anm_fits(skeleton, bones.count, err);
    }
    if (r == LATHE_OK)
        r = anm_four_of(doc, &moment, "bone_matrices", skeleton ? skeleton->bone_count : first + n,
                        &four, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        uint64_t b = first + i;
        anm_pose pose = anm_four_pose(&four, b, skeleton ? skeleton->bones[b].parent : -1);
        anm_pose_row(&pose, out + i * MODEL_POSE);
    }
    return r;
}

/* y is up in the engine. */
static lathe_result axes(lathe_view source, double up[3], double forward[3], lathe_error *err)
{
    static const double y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    (void)source;
    (void)err;
    memcpy(up, y, sizeof y);
    memcpy(forward, z, sizeof z);
    return LATHE_OK;
}

/* ---- times ---------------------------------------------------------------------------------------- */

static lathe_result times(lathe_view source, uint64_t n, double *out, lathe_error *err)
{
    anm_facts facts = anm_facts_of(source.doc);
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        r = anm_time(source.doc, &facts, k, &out[k], err);
        out[k] /= 1000;
    }
    return r;
}

const scene_clips anm_clips = {
    .open = open_clip,
    .track = track,
    .sample = sample,
    .annotations = anm_annotations,
    .annotation = anm_annotation,
    .annotation_set = anm_annotation_set,
    .annotation_add = anm_annotation_add,
    .annotation_remove = anm_annotation_remove,
    .motion = anm_motion,
    .times = times,
    .axes = axes,
    .write = anm_clip_write,
};
