/* Samples written as splines, and as they are. Reference: formats/hkx-animation.md#3, #6. */
#include "havok/animation/clip_write.h"
#include "havok/animation/maths/spline_encode.h"
#include "model/motion_verbs.h"
#include "scene/draft.h"
#include "scene/rigs.h"

#include <stdio.h>
#include <string.h>

/* ---- what changed ---------------------------------------------------------------------------------------- */

typedef struct old_clip {
    hk_poses poses;
    const hk_spline *spline; /* NULL: it has other frames or tracks, or cannot be read */
    uint8_t *touched;        /* of each track, then of each float track */
    size_t touched_n;
    bool any;
} old_clip;

static bool same_shape(const hk_spline *s, const model_motion *m)
{
    return s->facts.frames == (int64_t)m->frame_count &&
           s->facts.transform_tracks == (int64_t)m->track_count &&
           s->facts.float_tracks == (int64_t)m->float_count;
}

static void compare_rows(old_clip *old, const model_motion *m, const float *rows)
{
    uint64_t n = m->frame_count * m->track_count;
    for (uint64_t i = 0; i < n; i++, rows += MODEL_POSE)
        old->touched[i % m->track_count] |=
            memcmp(rows, m->rows + i * MODEL_POSE, MODEL_POSE * sizeof *rows) != 0;
}

static void compare_floats(old_clip *old, const model_motion *m, const float *values)
{
    uint64_t n = m->frame_count * m->float_count;
    for (uint64_t i = 0; i < n; i++)
        old->touched[m->track_count + i % m->float_count] |=
            memcmp(&values[i], &m->floats[i], sizeof *values) != 0;
}

/* Which tracks are not as the stored splines give them. All frames at once: where a run of frames begins decides how
 * they are rounded. */
static lathe_result compare(old_clip *old, const mem *memory, const model_motion *m,
                            lathe_error *err)
{
    uint64_t n = m->track_count * MODEL_POSE, wide = n > m->float_count ? n : m->float_count;
    size_t size = (size_t)(wide * m->frame_count) * sizeof(float);
    float *all = size ? mem_alloc(memory, size) : NULL;
    if (size && !all)
        return rec_no_memory(err);
    if (m->track_count) {
        hk_spline_decode(old->spline, 0, m->frame_count, all);
        compare_rows(old, m, all);
    }
    if (m->float_count) {
        hk_spline_floats_decode(old->spline, 0, m->frame_count, all);
        compare_floats(old, m, all);
    }
    mem_free(memory, all, size);
    for (size_t i = 0; i < old->touched_n; i++)
        old->any = old->any || old->touched[i];
    return LATHE_OK;
}

static lathe_result look_at_old(const rec_at *at, const model_motion *m, bool anew, old_clip *old,
                                lathe_error *err)
{
    const mem *memory = &at->doc->mem;
    *old = (old_clip){.any = true};
    if (anew)
        return LATHE_OK;
    lathe_result r = hk_poses_open(at, &old->poses, err);
    if (r != LATHE_OK) {
        old->poses.is_spline = false;
        return r == LATHE_ERR_MEMORY ? r : LATHE_OK; /* it is written anew as a whole */
    }
    if (!same_shape(&old->poses.as.spline, m))
        return LATHE_OK;
    old->spline = &old->poses.as.spline;
    old->touched_n = (size_t)(m->track_count + m->float_count);
    old->touched = mem_zalloc(memory, old->touched_n + 1);
    old->any = false;
    return old->touched ? compare(old, memory, m, err) : rec_no_memory(err);
}

static void forget_old(const rec_at *at, old_clip *old)
{
    if (old->touched)
        mem_free(&at->doc->mem, old->touched, old->touched_n + 1);
    hk_poses_close(&old->poses);
}

/* ---- tolerances ------------------------------------------------------------------------------------------ */

/* Of the skeleton that is linked, or the file's first one; 0: there is none. */
static lathe_result height_of(lathe_doc *doc, double *out, lathe_error *err)
{
    const model_skeleton *skeleton;
    uint64_t which = scene_linked(doc) ? SCENE_LINKED : 0;
    *out = 0;
    lathe_result r = scene_rig(doc, which, &skeleton, err);
    if (r == LATHE_OK)
        r = model_skeleton_check(skeleton, err);
    if (r == LATHE_OK)
        r = model_skeleton_height(skeleton, out, err);
    return r == LATHE_ERR_MEMORY ? r : LATHE_OK;
}

/* How far translations may be off. Files that describe their classes are of games whose unit is the metre, or any: a
 * share of the skeleton's height then; where there is no skeleton, the farthest bone from its parent, a leg or a trunk,
 * stands for half of that height. */
static lathe_result allowed(const rec_at *at, const model_motion *m, double *out, lathe_error *err)
{
    const double share = 1e-4;
    double far = 0;
    *out = HK_TOLERANCE;
    lathe_result r = at->doc->has_own ? height_of(at->doc, &far, err) : LATHE_OK;
    if (r != LATHE_OK || !at->doc->has_own)
        return r;
    *out = share * far;
    if (far > 0)
        return LATHE_OK;
    for (uint64_t k = 0; k < m->track_count && m->frame_count; k++) {
        const float *t = model_motion_row(m, 0, k);
        for (unsigned lane = 0; lane < 3; lane++) {
            double size = (double)(t[lane] < 0 ? -t[lane] : t[lane]);
            far = size > far ? size : far;
        }
    }
    *out = share * (far > 0 ? 2 * far : 1);
    return LATHE_OK;
}

static hk_tolerance tolerance(double given, const double *each, double otherwise)
{
    return (hk_tolerance){.all = given > 0 ? given : otherwise, .each = each};
}

hk_encode_options hk_encode_options_of(const scene_precision *how, double translation)
{
    return (hk_encode_options){.max_frames_per_block = how->max_frames_per_block,
                               .named = how->quantization >= 0,
                               .quantization = how->quantization == 48   ? HK_QUANTIZE_48
                                               : how->quantization == 32 ? HK_QUANTIZE_32
                                               : how->quantization == 0  ? HK_QUANTIZE_NONE
                                                                         : HK_QUANTIZE_40,
                               .translation =
                                   tolerance(how->translation, how->translations, translation),
                               .rotation = tolerance(how->rotation, how->rotations, 0.002),
                               .scale = tolerance(how->scale, how->scales, 0.001),
                               .value = tolerance(how->value, how->values, 0.001)};
}

static hk_encode_options options_of(const rec_at *at, const scene_precision *how,
                                    double translation, const old_clip *old)
{
    int64_t block = rec_int(at, "max_frames_per_block");
    hk_encode_options o = hk_encode_options_of(how, translation);
    o.touched = old->touched;
    if (old->spline && !old->spline->facts.big) /* the encoder takes bytes of its own order only */
        o.old = old->spline;
    if (!o.max_frames_per_block && block >= 2 && block <= HK_FRAMES_MAX)
        o.max_frames_per_block = (uint32_t)block;
    return o;
}

/* ---- the report ------------------------------------------------------------------------------------------ */

typedef struct teller {
    const char *path;
    lathe_report *report;
} teller;

static void tell_coarse(void *user, const char *channel, uint64_t track, double error,
                        double allowed)
{
    const teller *t = user;
    char path[240], reason[160];
    snprintf(path, sizeof path, "%s: %s of track %llu", t->path, channel,
             (unsigned long long)track);
    snprintf(reason, sizeof reason, "16 bits of its range come to %.3g, the tolerance is %.3g",
             error, allowed);
    if (t->report && t->report->skipped)
        t->report->skipped(t->report->user, path, reason);
}

static void tell_bytes(lathe_report *report, uint64_t n)
{
    const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = (int64_t)n};
    if (report && report->result)
        report->result(report->user, "bytes", &v);
}

lathe_result hk_encode_with_report(const hk_samples *samples, const hk_encode_options *options,
                                   const mem *m, const char *path, lathe_report *told,
                                   hk_encoded *out, lathe_error *err)
{
    hk_encode_report report;
    teller t = {path, told};
    lathe_result r = hk_spline_encode(samples, options, m, out, &report, tell_coarse, &t, err);
    if (r != LATHE_OK)
        return r;
    if (report.spline_floats)
        motion_note(told, "%s: %llu float track%s written as splines, which no known file has",
                    path, (unsigned long long)report.spline_floats,
                    report.spline_floats == 1 ? " is" : "s are");
    tell_bytes(told, out->data.size);
    return r;
}

/* ---- splines --------------------------------------------------------------------------------------------- */

static lathe_result put_splines(const rec_at *at, const hk_encoded *e, const model_motion *m,
                                lathe_error *err)
{
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        {"num_frames", (int64_t)m->frame_count},
        {"num_blocks", e->blocks},
        {"max_frames_per_block", e->max_frames_per_block},
        {"mask_and_quantization_size", e->mask_size},
        {"number_of_transform_tracks", (int64_t)m->track_count},
        {"number_of_float_tracks", (int64_t)m->float_count},
        {"endian", 0},
    };
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(numbers); i++)
        r = hk_put_integer(at, numbers[i].name, numbers[i].value, err);
    if (r == LATHE_OK)
        r = hk_put_u32s(at, "block_offsets", e->blocks, e->block_offsets, err);
    if (r == LATHE_OK)
        r = hk_put_u32s(at, "float_block_offsets", e->blocks, e->float_block_offsets, err);
    if (r == LATHE_OK) /* of single tracks, in blocks that are no more */
        r = hk_put_u32s(at, "transform_offsets", 0, NULL, err);
    if (r == LATHE_OK)
        r = hk_put_u32s(at, "float_offsets", 0, NULL, err);
    return r == LATHE_OK ? hk_put_array(at, "data", 1, e->data.size, e->data.data, err) : r;
}

/* A clip of one frame lasts no time; its frames are as far apart as in games. */
static lathe_result put_times(const rec_at *at, const model_motion *m, lathe_error *err)
{
    double step = m->frame_count > 1 ? m->duration / (double)(m->frame_count - 1) : 1.0 / 30;
    /* Fallout 4's tools multiply the float that is stored, those of 2010 the number before it is rounded. */
    bool stored =
        !at->doc->has_own && at->doc->containers[at->layout->container].version >= HK_2014;
    double block =
        (stored ? (double)(float)step : step) * (double)(rec_int(at, "max_frames_per_block") - 1);
    lathe_result r = hk_put_number(at, "frame_duration", step, err);
    if (r == LATHE_OK)
        r = hk_put_number(at, "block_duration", block, err);
    return r == LATHE_OK
               ? hk_put_number(at, "block_inverse_duration", block > 0 ? 1 / block : 0, err)
               : r;
}

static lathe_result encode(const rec_at *at, const model_motion *m, const scene_precision *how,
                           const old_clip *old, lathe_report *report, lathe_error *err)
{
    hk_encoded encoded;
    lathe_error why = {.code = LATHE_OK};
    const hk_samples samples = {m->frame_count, m->track_count, m->float_count, m->rows, m->floats};
    char path[200];
    double translation;
    lathe_result r = allowed(at, m, &translation, err);
    if (r != LATHE_OK)
        return r;
    hk_encode_options options = options_of(at, how, translation, old);
    rec_path(at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    r = hk_encode_with_report(&samples, &options, &at->doc->mem, path, report, &encoded, &why);
    if (r != LATHE_OK)
        return rec_fail(at, REC_NO_SLOT, at->off, err, r, "%s", why.message);
    r = put_splines(at, &encoded, m, err);
    hk_encoded_free(&encoded, &at->doc->mem);
    return r;
}

lathe_result hk_write_splines(const rec_at *at, const model_motion *m, const scene_precision *how,
                              lathe_report *report, lathe_error *err)
{
    old_clip old;
    int64_t frames = rec_int(at, "num_frames"), block = rec_int(at, "max_frames_per_block");
    lathe_result r = look_at_old(at, m, how->anew, &old, err);
    if (r == LATHE_OK && old.any)
        r = encode(at, m, how, &old, report, err);
    forget_old(at, &old);
    bool timed = frames != (int64_t)m->frame_count ||
                 block != rec_int(at, "max_frames_per_block") ||
                 (float)hk_number(at, "duration") != (float)m->duration;
    return r == LATHE_OK && timed ? put_times(at, m, err) : r;
}
