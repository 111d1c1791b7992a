/* Reads tracks of animations. */
#include "base/error.h"
#include "preview/track.h"

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static lathe_result read_samples(preview_track *t, lathe_doc *doc, uint64_t clip, uint64_t track,
                                 lathe_error *err)
{
    bool floats = t->floats != NULL;
    size_t width = floats ? 1 : MODEL_POSE;
    float *out = floats ? t->floats : t->rows;
    lathe_sampling how = {.size = sizeof how,
                          .kind = floats ? LATHE_FLOAT_TRACKS : LATHE_BONE_TRACKS};
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < t->frames; i++) {
        how.at = (double)i;
        r = lathe_clip_sample(doc, clip, &how, track, 1, out + i * width, width, err);
    }
    return r;
}

static lathe_result read_events(preview_track *t, lathe_doc *doc, uint64_t clip, lathe_error *err)
{
    uint64_t n = 0;
    lathe_result r = lathe_annotation_count(doc, clip, &n, err);
    if (r != LATHE_OK || n == 0)
        return r;
    t->events =
        n < SIZE_MAX / sizeof *t->events ? mem_zalloc(t->mem, (size_t)n * sizeof *t->events) : NULL;
    if (!t->events)
        return no_memory(err);
    t->event_count = (size_t)n;
    for (size_t i = 0; r == LATHE_OK && i < t->event_count; i++) {
        uint64_t id;
        lathe_annotation one = {.size = sizeof one};
        r = lathe_annotation_id(doc, clip, i, &id, err);
        if (r == LATHE_OK)
            r = lathe_annotation_read(doc, clip, id, &one, err);
        if (r == LATHE_OK)
            t->events[i] = (model_event){one.time, one.text, one.length, one.track};
    }
    return r;
}

lathe_result preview_track_read(const mem *m, lathe_doc *doc, uint64_t clip, uint64_t track,
                                bool floats, preview_track *out, lathe_error *err)
{
    lathe_clip_info info = {.size = sizeof info};
    *out = (preview_track){.mem = m};
    lathe_result r = lathe_clip_ready(doc, clip, err);
    if (r == LATHE_OK)
        r = lathe_clip_describe(doc, clip, &info, err);
    if (r != LATHE_OK || info.frames == 0)
        return r;
    if (info.frames > SIZE_MAX / MODEL_POSE / sizeof(double))
        return no_memory(err);
    size_t n = out->frames = (size_t)info.frames;
    out->duration = info.duration;
    out->times = mem_zalloc(m, n * sizeof *out->times);
    if (floats)
        out->floats = mem_zalloc(m, n * sizeof *out->floats);
    else
        out->rows = mem_zalloc(m, n * MODEL_POSE * sizeof *out->rows);
    if (info.has_motion)
        out->moves = mem_zalloc(m, n * MODEL_MOVE * sizeof *out->moves);
    if (!out->times || (!out->rows && !out->floats) || (info.has_motion && !out->moves))
        return no_memory(err);
    r = lathe_clip_times(doc, clip, out->times, n, err);
    if (r == LATHE_OK)
        r = read_samples(out, doc, clip, track, err);
    if (r == LATHE_OK && out->moves)
        r = lathe_clip_motion(doc, clip, out->moves, n * MODEL_MOVE, err);
    return r == LATHE_OK ? read_events(out, doc, clip, err) : r;
}

void preview_track_free(preview_track *t)
{
    if (!t->mem)
        return;
    mem_free(t->mem, t->times, t->frames * sizeof *t->times);
    mem_free(t->mem, t->rows, t->frames * MODEL_POSE * sizeof *t->rows);
    mem_free(t->mem, t->floats, t->frames * sizeof *t->floats);
    mem_free(t->mem, t->moves, t->frames * MODEL_MOVE * sizeof *t->moves);
    mem_free(t->mem, t->events, t->event_count * sizeof *t->events);
    *t = (preview_track){.mem = NULL};
}
