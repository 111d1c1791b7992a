/* Animations: the hooks, for all containers of Havok's objects. Reference: formats/hkx-animation.md#3..6. */
#include "havok/animation/clip_write.h"

#include <string.h>

/* ---- facts --------------------------------------------------------------------------------------------- */

/* The skeleton of that name among the first ones, else the first; REC_NO_PART: there is none. */
static uint32_t skeleton_named(lathe_doc *doc, const hk_clips *clips, const char *name)
{
    enum { LOOKED_AT = 64 }; /* games' files have 2 */
    for (size_t i = 0; name && i < clips->skeleton_count && i < LOOKED_AT; i++) {
        rec_at at = hk_object(doc, clips->skeletons[i]);
        const char *its = hk_text(&at, "name");
        if (its && strcmp(its, name) == 0)
            return clips->skeletons[i];
    }
    return clips->skeleton_count ? clips->skeletons[0] : REC_NO_PART;
}

/* By name, where its row has names; else the number means what it has meant since 2012. */
static const char *hint_of(const rec_at *binding)
{
    static const char *const hints[] = {"normal", "additive_deprecated", "additive"};
    lathe_value v;
    uint32_t slot = rec_slot_find(binding->layout, "blend_hint");
    if (slot == REC_NO_SLOT || rec_get(binding, slot, false, &v, NULL) != LATHE_OK)
        return NULL;
    if (v.kind == LATHE_KIND_STRING && binding->layout->slots[slot].row->shown == REC_ENUM)
        return v.as.s.p; /* a constant */
    bool named = v.kind == LATHE_KIND_INT && !binding->layout->slots[slot].row->names;
    return named && v.as.i >= 0 && v.as.i < (int64_t)REC_COUNT_OF(hints) ? hints[v.as.i] : NULL;
}

/* The samples of root motion; empty where there are none. Fails only where memory is short. */
static lathe_result motion_of(const rec_at *animation, bytes_array *samples)
{
    uint32_t part;
    bool opens = false;
    *samples = (bytes_array){NULL, 0};
    lathe_result r = hk_read_target(animation, "extracted_motion", 0, &part, NULL);
    if (r == LATHE_OK && part != REC_NO_PART)
        r = hk_object_look(animation->doc, part, &opens, NULL);
    if (r == LATHE_OK && opens) {
        rec_at frame = hk_object(animation->doc, part);
        if (hk_is(&frame, "hkaDefaultAnimatedReferenceFrame"))
            r = hk_elements(&frame, "reference_frame_samples", 16, samples, NULL);
    }
    return r == LATHE_ERR_MEMORY ? r : LATHE_OK;
}

/* What cannot be read is not there; fails only where memory is short, and is then asked again. */
static lathe_result look_at(lathe_doc *doc, const hk_clips *clips, hk_clip *clip, lathe_error *err)
{
    rec_at at;
    uint64_t n;
    bytes_array samples;
    lathe_result r = LATHE_OK;
    clip->facts = (model_clip){.duration = 0};
    if (clip->binding != REC_NO_PART) {
        rec_at binding = hk_object(doc, clip->binding);
        r = hk_read_text(&binding, "original_skeleton_name", &clip->facts.skeleton_name, &n, NULL);
        clip->facts.blend_hint = hint_of(&binding);
    }
    clip->skeleton = skeleton_named(doc, clips, clip->facts.skeleton_name);
    if (r != LATHE_ERR_MEMORY && hk_animation_at(doc, clip->part, &at)) {
        clip->facts.duration = hk_number(&at, "duration");
        r = motion_of(&at, &samples);
        clip->facts.has_motion = samples.count > 0;
        if (r == LATHE_OK)
            r = hk_poses_facts(&at, &clip->facts);
    }
    clip->known = r != LATHE_ERR_MEMORY;
    return clip->known ? LATHE_OK : rec_no_memory(err);
}

uint32_t hk_skeleton_of(lathe_doc *doc, hk_clips *clips, hk_clip *clip)
{
    if (!clip->known)
        look_at(doc, clips, clip, NULL);
    return clip->skeleton;
}

static lathe_result open_clip(lathe_doc *doc, uint64_t i, model_clip *facts, lathe_view *source,
                              lathe_error *err)
{
    hk_clips *clips = hk_clips_of(doc, 0, err);
    if (!clips)
        return LATHE_ERR_MEMORY;
    if (i >= clips->count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %zu animations",
                         clips->count);
    hk_clip *clip = &clips->list[i];
    rec_at at = hk_object(doc, clip->part);
    lathe_result r = clip->known ? LATHE_OK : look_at(doc, clips, clip, err);
    *facts = clip->facts;
    *source = rec_view(&at);
    return r;
}

static lathe_result binding(lathe_view source, lathe_view *out, lathe_error *err)
{
    hk_clips *clips;
    hk_clip *clip;
    lathe_result r = hk_clip_of(source, &clips, &clip, err);
    if (r != LATHE_OK || clip->binding == REC_NO_PART)
        return r;
    rec_at at = hk_object(source.doc, clip->binding);
    *out = rec_view(&at);
    return LATHE_OK;
}

/* ---- tracks -------------------------------------------------------------------------------------------- */

/* A bone's name, or that of a float slot. */
static const char *bone_name(lathe_doc *doc, uint32_t skeleton, int32_t i)
{
    rec_at bone;
    if (skeleton == REC_NO_PART || i < 0 || !hk_object_opens(doc, skeleton))
        return NULL;
    rec_at at = hk_object(doc, skeleton);
    return hk_record_at(&at, "bones", (uint64_t)i, &bone) ? hk_text(&bone, "name") : NULL;
}

static const char *slot_name(lathe_doc *doc, uint32_t skeleton, int32_t i)
{
    if (skeleton == REC_NO_PART || i < 0 || !hk_object_opens(doc, skeleton))
        return NULL;
    const char *text;
    rec_at at = hk_object(doc, skeleton);
    return hk_read_text_item(&at, "float_slots", (uint64_t)i, &text, NULL) == LATHE_OK ? text
                                                                                       : NULL;
}

/* What the binding's list has for track i: without any list it is i. */
static int32_t bound_to(lathe_doc *doc, const hk_clip *clip, const char *list, uint64_t i)
{
    bytes_array numbers;
    if (clip->binding == REC_NO_PART)
        return -1;
    rec_at at = hk_object(doc, clip->binding);
    if (hk_elements(&at, list, 2, &numbers, NULL) == LATHE_OK && numbers.count == 0)
        return (int32_t)i;
    int32_t bone = hk_index(&at, list, i);
    return bone >= 0 ? bone : -1;
}

static lathe_result track(lathe_view source, uint64_t i, model_track *out, lathe_error *err)
{
    hk_clips *clips;
    hk_clip *clip;
    lathe_result r = hk_clip_of(source, &clips, &clip, err);
    if (r != LATHE_OK)
        return r;
    out->bone_index = bound_to(source.doc, clip, "transform_track_to_bone_indices", i);
    out->bone = bone_name(source.doc, clip->skeleton, out->bone_index);
    return LATHE_OK;
}

static lathe_result float_track(lathe_view source, uint64_t i, model_float_track *out,
                                lathe_error *err)
{
    hk_clips *clips;
    hk_clip *clip;
    lathe_result r = hk_clip_of(source, &clips, &clip, err);
    if (r != LATHE_OK)
        return r;
    out->slot_index = bound_to(source.doc, clip, "float_track_to_float_slot_indices", i);
    out->name = slot_name(source.doc, clip->skeleton, out->slot_index);
    return LATHE_OK;
}

/* ---- poses: tracks are relative to their parents as they are -------------------------------------------- */

static lathe_result poses_of(lathe_view source, hk_poses **poses, lathe_error *err)
{
    hk_clips *clips;
    hk_clip *clip;
    lathe_result r = hk_clip_of(source, &clips, &clip, err);
    return r == LATHE_OK ? hk_poses_of(clips, clip, source.doc, poses, err) : r;
}

static lathe_result ready(lathe_view source, lathe_error *err)
{
    hk_poses *poses;
    return poses_of(source, &poses, err);
}

static lathe_result sample(lathe_view source, const model_when *when,
                           const model_skeleton *skeleton, uint64_t first, uint64_t n, float *out,
                           lathe_error *err)
{
    hk_poses *poses;
    lathe_result r = poses_of(source, &poses, err);
    (void)skeleton;
    if (r == LATHE_OK && poses->is_spline)
        hk_spline_sample(&poses->as.spline, when, first, n, out);
    else if (r == LATHE_OK)
        hk_uncompressed_sample(&poses->as.plain, when, first, n, out);
    return r;
}

static lathe_result decode(lathe_view source, const model_skeleton *skeleton, uint64_t from,
                           uint64_t n, float *out, lathe_error *err)
{
    hk_poses *poses;
    lathe_result r = poses_of(source, &poses, err);
    (void)skeleton;
    if (r == LATHE_OK && poses->is_spline)
        hk_spline_decode(&poses->as.spline, from, n, out);
    else if (r == LATHE_OK)
        hk_uncompressed_decode(&poses->as.plain, from, n, out);
    return r;
}

static lathe_result floats(lathe_view source, const model_when *when, uint64_t first, uint64_t n,
                           float *out, lathe_error *err)
{
    hk_poses *poses;
    lathe_result r = poses_of(source, &poses, err);
    if (r == LATHE_OK && poses->is_spline)
        hk_spline_floats_sample(&poses->as.spline, when, first, n, out);
    else if (r == LATHE_OK)
        hk_uncompressed_floats_sample(&poses->as.plain, when, first, n, out);
    return r;
}

static lathe_result decode_floats(lathe_view source, uint64_t from, uint64_t n, float *out,
                                  lathe_error *err)
{
    hk_poses *poses;
    lathe_result r = poses_of(source, &poses, err);
    if (r == LATHE_OK && poses->is_spline)
        hk_spline_floats_decode(&poses->as.spline, from, n, out);
    else if (r == LATHE_OK)
        hk_uncompressed_floats_decode(&poses->as.plain, from, n, out);
    return r;
}

/* ---- motion ---------------------------------------------------------------------------------------------- */

static void motion_at(const bytes_array *samples, bool big, double at, float *out)
{
    uint64_t last = samples->count - 1, i = at > 0 ? (uint64_t)at : 0;
    if (i > last)
        i = last;
    double t = i < last ? at - (double)i : 0;
    const uint8_t *p = samples->bytes + 16 * i;
    for (unsigned lane = 0; lane < 4; lane++, p += 4) {
        double a = bytes_f32_widen(bytes_ld32(p, big));
        out[lane] = (float)(t > 0 ? a + (bytes_f32_widen(bytes_ld32(p + 16, big)) - a) * t : a);
    }
}

/* One sample a frame, as in games' files; else they are spread over the duration evenly. */
static lathe_result motion(lathe_view source, uint64_t n, float *out, lathe_error *err)
{
    rec_at at;
    bool big = source.doc->containers[source.doc->parts[source.part].container].big;
    bytes_array samples = {NULL, 0};
    if (hk_animation_at(source.doc, source.part, &at) && motion_of(&at, &samples) != LATHE_OK)
        return rec_no_memory(err);
    if (!samples.count)
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "the animation has no root motion");
    double step = n > 1 ? (double)(samples.count - 1) / (double)(n - 1) : 0;
    for (uint64_t i = 0; i < n; i++, out += 4)
        motion_at(&samples, big, samples.count == n ? (double)i : (double)i * step, out);
    return LATHE_OK;
}

static lathe_result axes(lathe_view source, double up[3], double forward[3], lathe_error *err)
{
    double lanes[2][4] = {{0, 0, 1, 0}, {0, 1, 0, 0}};
    rec_at at;
    (void)err;
    uint32_t part = hk_animation_at(source.doc, source.part, &at)
                        ? hk_target(&at, "extracted_motion", 0)
                        : REC_NO_PART;
    if (part != REC_NO_PART && hk_object_is(source.doc, part, "hkaDefaultAnimatedReferenceFrame")) {
        rec_at frame = hk_object(source.doc, part);
        hk_floats(&frame, "up", 4, lanes[0]);
        hk_floats(&frame, "forward", 4, lanes[1]);
    }
    memcpy(up, lanes[0], 3 * sizeof *up);
    memcpy(forward, lanes[1], 3 * sizeof *forward);
    return LATHE_OK;
}

const scene_clips hk_clip_hooks = {
    .open = open_clip,
    .track = track,
    .ready = ready,
    .binding = binding,
    .sample = sample,
    .decode = decode,
    .float_track = float_track,
    .floats = floats,
    .decode_floats = decode_floats,
    .annotations = hk_annotations,
    .annotation = hk_annotation,
    .annotation_set = hk_annotation_set,
    .annotation_add = hk_annotation_add,
    .annotation_remove = hk_annotation_remove,
    .by_track = true,
    .motion = motion,
    .axes = axes,
    .is = hk_type_is_animation,
    .write = hk_clip_write,
};
