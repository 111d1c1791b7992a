#include "scene/motion_verbs.h"

#include "scene/draft.h"

#include <math.h>

static const lathe_param samples_param = {
    .name = "samples",
    .doc = "Frame by frame, a row for each track: translation 3, rotation x y z w, scale 3, as "
           "anim:decode() gives them. "
           "Default: the animation's own.",
    .kind = LATHE_PARAM_ANY,
    .positional = true};
static const lathe_param samples_needed = {
    .name = "samples",
    .doc = "Frame by frame, a row for each track: translation 3, rotation x y z w, scale 3, as "
           "anim:decode() gives them.",
    .kind = LATHE_PARAM_ANY,
    .positional = true,
    .needed = true};
const lathe_param *const scene_encode_params[] = {
    &samples_param, &scene_param_tolerance, &scene_param_quantization, &scene_param_block, NULL};
const lathe_param *const scene_write_params[] = {
    &samples_needed, &scene_param_tolerance, &scene_param_quantization, &scene_param_block, NULL};

lathe_result scene_clip_of(lathe_view self, scene_clip *out, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK; i++) {
        r = scene_clip_open(self.doc, i, out, err);
        if (r == LATHE_OK &&
            (lathe_view_same(out->source, self) || lathe_view_same(lathe_doc_root(self.doc), self)))
            return r;
    }
    return r;
}

/* ---- given samples ------------------------------------------------------------------------------------ */

static lathe_result bad_samples(lathe_error *err, uint64_t n, uint64_t tracks)
{
    error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
              "%llu number%s no whole number of frames of %llu track%s, of %d each",
              (unsigned long long)n, n == 1 ? " is" : "s are", (unsigned long long)tracks,
              tracks == 1 ? "" : "s", MODEL_POSE);
    error_where(err, "samples");
    return LATHE_ERR_INVALID;
}

/* Keeps annotations; those behind the new end are dropped and reported. */
static lathe_result keep_events(model_motion *m, const model_motion *was, lathe_report *report,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < was->event_count; i++) {
        const model_event *e = &was->events[i];
        if (e->time <= m->duration)
            r = model_motion_event(m, e->time, e->track, e->text, e->length, err);
        else if (report && report->skipped)
            report->skipped(report->user, e->text,
                            "this annotation is after the new end and is removed");
    }
    return r;
}

/* A motion with the given number of frames, at the old frame rate. Data that the samples do not replace are kept;
 * frames behind the old end repeat the last one. */
static lathe_result resized(const model_motion *was, uint64_t frames, model_motion *m,
                            lathe_report *report, lathe_error *err)
{
    uint64_t last = was->frame_count - 1;
    double step = last > 0 ? was->times[last] / (double)last : 1.0 / 30;
    lathe_result r =
        model_motion_alloc(m, frames, was->track_count, was->float_count, was->moves != NULL, err);
    if (r == LATHE_OK)
        r = model_motion_facts(m, was, false, err);
    if (r != LATHE_OK)
        return r;
    for (uint64_t f = 0; f < frames; f++) {
        m->times[f] = (double)f * step;
        model_motion_floats(was, m->times[f], 0, was->float_count,
                            m->floats + f * was->float_count);
        if (m->moves)
            model_motion_move(was, m->times[f], m->moves + f * MODEL_MOVE);
    }
    m->duration = m->times[frames - 1] + (was->duration - was->times[last]);
    return keep_events(m, was, report, err);
}

static lathe_result take_samples(model_motion *m, const rec_table_list *samples,
                                 lathe_report *report, lathe_error *err)
{
    uint64_t row = m->track_count * MODEL_POSE, n = samples->count;
    model_motion other;
    lathe_result r = LATHE_OK;
    if (!row || !n || n % row)
        return bad_samples(err, n, m->track_count);
    if (n / row != m->frame_count) {
        model_motion_init(&other, &m->mem);
        r = m->frame_count ? resized(m, n / row, &other, report, err)
                           : bad_samples(err, n, m->track_count);
        if (r == LATHE_OK)
            model_motion_swap(m, &other);
        model_motion_free(&other);
    }
    if (r == LATHE_OK)
        memcpy(m->rows, rec_table_floats(samples), (size_t)n * sizeof *m->rows);
    return r;
}

/* The name of a member of a row that is not finite; NULL: all are finite. */
static const char *odd_part(const float *row)
{
    for (unsigned i = 0; i < MODEL_POSE; i++)
        if (!isfinite(row[i]))
            return i < 3 ? "translation" : i < 7 ? "rotation" : "scale";
    return NULL;
}

/* Refuses numbers that no format can store. The message has track and frame; tracks count from 0, as in the encoder's
 * errors. */
static lathe_result check_rows(const model_motion *m, lathe_error *err)
{
    for (uint64_t f = 0; f < m->frame_count; f++)
        for (uint64_t k = 0; k < m->track_count; k++) {
            const float *row = model_motion_row(m, f, k);
            const char *odd = odd_part(row);
            bool turns = row[3] != 0 || row[4] != 0 || row[5] != 0 || row[6] != 0;
            if (odd || !turns)
                return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                 "%s of track %llu at frame %llu %s", odd ? odd : "rotation",
                                 (unsigned long long)k, (unsigned long long)f,
                                 odd ? "is not a finite number" : "has length 0");
        }
    return LATHE_OK;
}

static lathe_result read_args(const lathe_source *args, model_motion *m, scene_precision *how,
                              buf *lists, lathe_report *report, lathe_error *err)
{
    rec_table t;
    rec_table_list samples;
    rec_table_top(&t, args);
    lathe_result r = scene_precision_args(&t, m->track_count, m->float_count, lists, how, err);
    buf_init(&samples.floats, lists->mem);
    if (r == LATHE_OK)
        r = rec_table_numbers(&t, "samples", MODEL_POSE, &samples, err);
    if (r == LATHE_OK && samples.is)
        r = take_samples(m, &samples, report, err);
    buf_free(&samples.floats);
    return r == LATHE_OK ? check_rows(m, err) : r;
}

/* ---- measuring the result ------------------------------------------------------------------------------- */

typedef struct errors {
    double translation, rotation, scale;
} errors;

static double distance(const float *a, const float *b)
{
    double sum = 0;
    for (unsigned i = 0; i < 3; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum);
}

/* The angle between two rotations, in radians. */
static double turn(const float *a, const float *b)
{
    double dot = 0, aa = 0, bb = 0, sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        dot += (double)a[i] * (double)b[i];
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
    }
    double sa = 1 / sqrt(aa), sb = (dot < 0 ? -1 : 1) / sqrt(bb);
    for (unsigned i = 0; i < 4; i++)
        sum += ((double)a[i] * sa - (double)b[i] * sb) * ((double)a[i] * sa - (double)b[i] * sb);
    double half = sqrt(sum) / 2;
    return 4 * asin(half < 1 ? half : 1);
}

/* Compares the written clip with the requested samples. */
static lathe_result measure(const scene_clip *clip, const model_motion *m, errors *out,
                            lathe_error *err)
{
    scene_clip stored = *clip;
    const mem *memory = &m->mem;
    uint64_t n = m->frame_count * m->track_count;
    size_t size = (size_t)n * MODEL_POSE * sizeof(float);
    float *rows = mem_alloc(memory, size + 1);
    stored.draft = NULL;
    *out = (errors){.translation = 0};
    lathe_result r = rows ? scene_clip_decode(&stored, NULL, rows, err) : rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        const float *a = rows + i * MODEL_POSE, *b = m->rows + i * MODEL_POSE;
        double t = distance(a, b), q = turn(a + 3, b + 3), s = distance(a + 7, b + 7);
        out->translation = t > out->translation ? t : out->translation;
        out->rotation = q > out->rotation ? q : out->rotation;
        out->scale = s > out->scale ? s : out->scale;
    }
    if (rows)
        mem_free(memory, rows, size + 1);
    return r;
}

static void tell(lathe_report *report, const char *name, double v)
{
    const lathe_value value = {.kind = LATHE_KIND_REAL, .as.f = v};
    if (report && report->result)
        report->result(report->user, name, &value);
}

/* Encodes the draft now, to measure its errors. */
static lathe_result write_now(lathe_view self, errors *most, lathe_report *report, lathe_error *err)
{
    scene_clip clip;
    *most = (errors){.translation = 0};
    lathe_result r = scene_drafts_write(self.doc, report, err);
    if (r == LATHE_OK)
        r = scene_clip_of(self, &clip, err);
    return r == LATHE_OK && clip.draft ? measure(&clip, clip.draft, most, err) : r;
}

static lathe_result report_errors(lathe_view self, lathe_report *report, lathe_error *err)
{
    errors most;
    lathe_result r = write_now(self, &most, report, err);
    if (r != LATHE_OK)
        return r;
    tell(report, "max_translation", most.translation);
    tell(report, "max_rotation", most.rotation);
    tell(report, "max_scale", most.scale);
    return r;
}

/* ---- the verbs ------------------------------------------------------------------------------------------ */

static lathe_result put_samples(lathe_view self, const lathe_source *args, bool anew,
                                lathe_report *report, lathe_error *err)
{
    scene_clip clip;
    scene_precision how;
    model_motion m;
    buf lists;
    lathe_result r = scene_clip_of(self, &clip, err);
    if (r != LATHE_OK)
        return r;
    model_motion_init(&m, &self.doc->mem);
    buf_init(&lists, &self.doc->mem);
    r = scene_motion_take(&clip, NULL, &m, err);
    if (r == LATHE_OK)
        r = read_args(args, &m, &how, &lists, report, err);
    how.anew = anew;
    uint64_t frames = m.frame_count;
    if (r == LATHE_OK)
        r = scene_motion_put(&clip, &m, &how, err);
    else
        model_motion_free(&m);
    buf_free(&lists);
    if (r == LATHE_OK && report)
        report->changed += frames;
    return r;
}

lathe_result scene_verb_encode(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    lathe_result r = put_samples(self, args, true, report, err);
    return r == LATHE_OK ? report_errors(self, report, err) : r;
}

lathe_result scene_verb_write(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err)
{
    return put_samples(self, args, false, report, err);
}

/* ---- for the C API ---------------------------------------------------------------------------------------- */

static scene_precision precision_of(const lathe_encode_options *given)
{
    lathe_encode_options o = {.size = sizeof o};
    scene_precision how = scene_precision_default;
    if (given)
        memcpy(&o, given, given->size < sizeof o ? given->size : sizeof o);
    how.anew = true;
    if (o.quantization != LATHE_QUANTIZE_DEFAULT)
        how.quantization = o.quantization == LATHE_QUANTIZE_NONE ? 0 : (int)o.quantization;
    how.translation = o.translation;
    how.rotation = o.rotation;
    how.scale = o.scale;
    how.value = o.value;
    how.translations = o.translations;
    how.rotations = o.rotations;
    how.scales = o.scales;
    how.max_frames_per_block = o.max_frames_per_block;
    return how;
}

static lathe_result check_precision(const scene_precision *how, lathe_error *err)
{
    const double all[] = {how->translation, how->rotation, how->scale, how->value};
    for (size_t i = 0; i < REC_COUNT_OF(all); i++)
        if (!(all[i] >= 0) || !isfinite(all[i]))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "a tolerance is a finite number above 0");
    int q = how->quantization;
    if (q != -1 && q != 0 && q != 32 && q != 40 && q != 48)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "no quantization of %d bits", q);
    if (how->max_frames_per_block &&
        (how->max_frames_per_block < 2 || how->max_frames_per_block > 256))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "a block has 2 to 256 frames");
    return LATHE_OK;
}

static lathe_result encode_floats(lathe_view clip_view, const float *samples, uint64_t floats,
                                  const scene_precision *how, errors *most, lathe_error *err)
{
    scene_clip clip;
    model_motion m;
    lathe_result r = scene_clip_of(clip_view, &clip, err);
    if (r != LATHE_OK)
        return r;
    rec_table_list list = {.count = floats, .is = true};
    buf_init(&list.floats, &clip_view.doc->mem);
    model_motion_init(&m, &clip_view.doc->mem);
    r = scene_motion_take(&clip, NULL, &m, err);
    if (r == LATHE_OK && (floats > SIZE_MAX / sizeof *samples ||
                          !buf_put(&list.floats, samples, (size_t)floats * sizeof *samples)))
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = take_samples(&m, &list, NULL, err);
    buf_free(&list.floats);
    if (r == LATHE_OK)
        r = check_rows(&m, err);
    if (r == LATHE_OK)
        r = scene_motion_put(&clip, &m, how, err);
    else
        model_motion_free(&m);
    return r == LATHE_OK ? write_now(clip_view, most, NULL, err) : r;
}

lathe_result lathe_clip_encode(lathe_view clip, const float *samples, uint64_t floats,
                               const lathe_encode_options *options, lathe_encode_report *report,
                               lathe_error *err)
{
    errors most = {.translation = 0};
    scene_precision how = precision_of(options);
    lathe_result r = check_precision(&how, err);
    if (r == LATHE_OK)
        r = rec_sync(&clip, err);
    if (r != LATHE_OK || (r = rec_begin(clip.doc, err)) != LATHE_OK)
        return r;
    r = rec_end(clip.doc, encode_floats(clip, samples, floats, &how, &most, err), err);
    if (r != LATHE_OK || !report)
        return r;
    lathe_encode_report result = {report->size, most.translation, most.rotation, most.scale};
    memcpy(report, &result, report->size < sizeof result ? report->size : sizeof result);
    return r;
}
