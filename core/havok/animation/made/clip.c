/* An animation as it is told: samples, times, events, encoded as splines. */
#include "havok/animation/clip_write.h"
#include "havok/animation/made/made.h"
#include "scene/precision.h"

#include <math.h>

void hk_take_open(hk_take *take, const mem *m)
{
    *take = (hk_take){.mem = m};
    hk_rig_open(&take->own, m);
    buf_init(&take->samples.floats, m);
    buf_init(&take->values.floats, m);
    buf_init(&take->moves.floats, m);
    buf_init(&take->bones, m);
    buf_init(&take->slots, m);
    buf_init(&take->events, m);
    buf_init(&take->tolerances, m);
}

void hk_take_close(hk_take *take)
{
    if (take->is_encoded)
        hk_encoded_free(&take->encoded, take->mem);
    hk_rig_close(&take->own);
    buf_free(&take->samples.floats);
    buf_free(&take->values.floats);
    buf_free(&take->moves.floats);
    buf_free(&take->bones);
    buf_free(&take->slots);
    buf_free(&take->events);
    buf_free(&take->tolerances);
}

#define BAD(g, err, name, code, ...)                                                               \
    rec_table_at(g, error_set(err, code, LATHE_NO_OFFSET, __VA_ARGS__), err, "%s", name)

/* ---- samples ------------------------------------------------------------------------------------------- */

static lathe_result read_samples(hk_take *take, const rec_table *g, lathe_error *err)
{
    lathe_result r = rec_table_numbers(g, "samples", MODEL_POSE, &take->samples, err);
    uint64_t rows = take->samples.count / MODEL_POSE;
    if (r != LATHE_OK)
        return r;
    if (!take->samples.is)
        return BAD(g, err, "samples", LATHE_ERR_TYPE,
                   "rows of 10 numbers expected, as anim:decode() gives them");
    if (take->samples.count % MODEL_POSE)
        return BAD(g, err, "samples", LATHE_ERR_INVALID,
                   "%llu numbers are no whole number of rows of %d",
                   (unsigned long long)take->samples.count, MODEL_POSE);
    if (rows % take->tracks)
        return BAD(g, err, "samples", LATHE_ERR_INVALID,
                   "%llu rows are no whole number of frames of %llu bones",
                   (unsigned long long)rows, (unsigned long long)take->tracks);
    take->frames = rows / take->tracks;
    return take->frames && take->frames <= INT32_MAX
               ? LATHE_OK
               : BAD(g, err, "samples", LATHE_ERR_INVALID, "%llu frames",
                     (unsigned long long)take->frames);
}

/* Numbers of frames x n; *n is found where it is 0. */
static lathe_result check_shape(const hk_take *take, const rec_table *g, const char *name,
                                const rec_table_list *numbers, uint64_t *n, lathe_error *err)
{
    if (numbers->count % take->frames || (*n && numbers->count / take->frames != *n))
        return BAD(g, err, name, LATHE_ERR_INVALID,
                   *n ? "%llu numbers are not those of %llu frames of %llu"
                      : "%llu numbers are no whole number of each of %llu frames",
                   (unsigned long long)numbers->count, (unsigned long long)take->frames,
                   (unsigned long long)*n);
    *n = numbers->count / take->frames;
    for (uint64_t i = 0; i < numbers->count; i++)
        if (!isfinite(rec_table_floats(numbers)[i]))
            return BAD(g, err, name, LATHE_ERR_INVALID, "number %llu of frame %llu is not finite",
                       (unsigned long long)(i % *n), (unsigned long long)(i / *n));
    return LATHE_OK;
}

static lathe_result read_floats(hk_take *take, const rec_table *g, lathe_error *err)
{
    static const char *const known[] = {"samples", "slots", NULL};
    rec_table in;
    bool is;
    lathe_result r = rec_table_in(g, "float_tracks", "animation.float_tracks", &in, &is, err);
    if (r != LATHE_OK || !is)
        return r;
    r = rec_table_names(&in, NULL, "float_tracks", known, err);
    if (r != LATHE_OK)
        error_where(err, in.where);
    if (r == LATHE_OK)
        r = rec_table_numbers(&in, "samples", 0, &take->values, err);
    if (r != LATHE_OK)
        return r;
    if (!take->values.is)
        return BAD(&in, err, "samples", LATHE_ERR_TYPE,
                   "numbers of each frame expected, as anim:decode_floats() gives them");
    r = check_shape(take, &in, "samples", &take->values, &take->floats, err);
    if (r == LATHE_OK)
        r = hk_take_slots(take, &in, err);
    if (r == LATHE_OK && take->slots.size / sizeof(int16_t) != take->floats)
        r = BAD(&in, err, "slots", LATHE_ERR_INVALID, "%zu of them for %llu numbers a frame",
                take->slots.size / sizeof(int16_t), (unsigned long long)take->floats);
    return r;
}

static lathe_result read_motion(hk_take *take, const rec_table *g, lathe_error *err)
{
    const void *child;
    uint64_t n = MODEL_MOVE;
    lathe_value v = rec_table_value(g, NULL, "root_motion", 0, &child);
    take->still = v.kind == LATHE_KIND_NONE;
    if (take->still || (v.kind == LATHE_KIND_BOOL && !v.as.b))
        return LATHE_OK;
    lathe_result r = rec_table_numbers(g, "root_motion", MODEL_MOVE, &take->moves, err);
    return r == LATHE_OK ? check_shape(take, g, "root_motion", &take->moves, &n, err) : r;
}

/* ---- times --------------------------------------------------------------------------------------------- */

static lathe_result read_number(const rec_table *g, const char *name, double *out, bool *is,
                                lathe_error *err)
{
    lathe_value v;
    *is = rec_arg(&g->api, name, &v);
    if (!*is || (rec_number(&v, out) && *out >= 0 && isfinite(*out)))
        return LATHE_OK;
    return BAD(g, err, name, LATHE_ERR_RANGE, "a number above 0 expected");
}

/* As the games' tools do: all in float, each of these worked out from the one before. */
static lathe_result read_times(hk_take *take, const rec_table *g, lathe_error *err)
{
    double fps = 30, duration = 0, steps = (double)take->frames - 1;
    bool has_fps, has_duration;
    lathe_result r = read_number(g, "fps", &fps, &has_fps, err);
    if (r == LATHE_OK)
        r = read_number(g, "duration", &duration, &has_duration, err);
    if (r != LATHE_OK)
        return r;
    if (has_fps && has_duration)
        return BAD(g, err, "duration", LATHE_ERR_TYPE, "fps or duration, not both");
    if (fps == 0)
        return BAD(g, err, "fps", LATHE_ERR_RANGE, "a number above 0 expected");
    if (has_duration && (duration > 0) != (steps > 0))
        return BAD(g, err, "duration", LATHE_ERR_RANGE,
                   steps > 0 ? "%llu frames last more than %.9g s"
                             : "%llu frame lasts 0 s, not %.9g",
                   (unsigned long long)take->frames, duration);
    take->duration = (float)(has_duration ? duration : steps / fps);
    take->frame_duration = (float)(steps > 0 ? (double)take->duration / steps : 1 / fps);
    if (isfinite(take->duration) && take->frame_duration > 1e-30F && take->frame_duration < 1e30F)
        return LATHE_OK;
    return BAD(g, err, has_duration ? "duration" : "fps", LATHE_ERR_RANGE,
               "%.9g s from a frame to the next", (double)take->frame_duration);
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static lathe_result encode(hk_take *take, const rec_table *g, lathe_report *told, lathe_error *err)
{
    const hk_samples samples = {take->frames, take->tracks, take->floats,
                                rec_table_floats(&take->samples), rec_table_floats(&take->values)};
    scene_precision how;
    lathe_result r =
        scene_precision_args(g, take->tracks, take->floats, &take->tolerances, &how, err);
    if (r != LATHE_OK)
        return r;
    const hk_encode_options options = hk_encode_options_of(&how, HK_TOLERANCE);
    r = hk_encode_with_report(&samples, &options, take->mem, "animation", told, &take->encoded,
                              err);
    take->is_encoded = r == LATHE_OK;
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
        error_where(err, "animation");
    return r;
}

static lathe_result check_names(const rec_table *g, lathe_error *err)
{
    static const char *const known[] = {"bones",
                                        "skeleton",
                                        "skeleton_name",
                                        "fps",
                                        "duration",
                                        "samples",
                                        "annotations",
                                        "root_motion",
                                        "float_tracks",
                                        "additive",
                                        "tolerance",
                                        "quantization",
                                        "max_frames_per_block",
                                        NULL};
    lathe_result r = rec_table_names(g, NULL, "an animation", known, err);
    if (r != LATHE_OK)
        error_where(err, g->where);
    return r;
}

lathe_result hk_take_read(hk_take *take, lathe_doc *doc, const rec_table *top, const hk_rig *rig,
                          lathe_error *err)
{
    static lathe_result (*const steps[])(hk_take * take, const rec_table *g, lathe_error *err) = {
        hk_take_bones, read_samples, read_times, read_floats, read_motion, hk_take_events};
    rec_table g;
    lathe_result r = rec_table_in(top, "animation", "animation", &g, &take->is, err);
    if (r != LATHE_OK || !take->is)
        return r;
    r = check_names(&g, err);
    if (r == LATHE_OK)
        r = hk_rig_read(&take->own, doc, &g, err);
    take->rig = take->own.is ? &take->own : rig->is ? rig : NULL;
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(steps); i++)
        r = steps[i](take, &g, err);
    if (r == LATHE_OK)
        r = rec_table_bool(&g, "additive", &take->additive, err);
    if (r == LATHE_OK)
        r = rec_table_text(&g, "skeleton_name", &take->skeleton_name, err);
    return r == LATHE_OK ? encode(take, &g, doc->verb_report, err) : r;
}
