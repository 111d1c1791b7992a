/* Reads animations for pictures. */
#include "base/error.h"
#include "model/names.h"
#include "preview/bones.h"
#include "preview/track.h"

#include <string.h>

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

/* ---- poses ----------------------------------------------------------------------------------------- */

/* The bone that a track drives; -1: none. */
static int64_t bone_of(const model_names *names, size_t bones, const char *name, int64_t number)
{
    int64_t bone = model_names_find(names, name);
    if (bone != MODEL_NO_NAME)
        return bone;
    return !name && number >= 0 && (uint64_t)number < bones ? number : -1;
}

static lathe_result put_tracks(lathe_doc *doc, uint64_t clip, uint64_t tracks,
                               const model_names *names, const float *samples, size_t bones,
                               float *rows, size_t *unused, lathe_error *err)
{
    for (uint64_t i = 0; i < tracks; i++) {
        const char *name;
        int64_t number;
        lathe_result r = lathe_clip_track(doc, clip, LATHE_BONE_TRACKS, i, &name, &number, err);
        if (r != LATHE_OK)
            return r;
        int64_t bone = bone_of(names, bones, name, number);
        if (bone < 0)
            ++*unused;
        else
            memcpy(rows + (size_t)bone * MODEL_POSE, samples + i * MODEL_POSE,
                   MODEL_POSE * sizeof *rows);
    }
    return LATHE_OK;
}

lathe_result preview_pose_rows(const model_skeleton *skeleton, lathe_doc *from, uint32_t number,
                               lathe_doc *doc, uint64_t clip, bool by_time, double at, float *rows,
                               size_t *unused, lathe_error *err)
{
    const mem *m = &skeleton->mem;
    size_t n = skeleton->bone_count, left = 0;
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < MODEL_POSE; k++)
            rows[i * MODEL_POSE + k] = (float)skeleton->bones[i].pose[k];
    lathe_clip_info info = {.size = sizeof info};
    lathe_result r = lathe_clip_ready(doc, clip, err);
    if (r == LATHE_OK)
        r = lathe_clip_describe(doc, clip, &info, err);
    if (r != LATHE_OK || info.tracks == 0)
        return r;
    size_t size = (size_t)info.tracks * MODEL_POSE * sizeof(float);
    float *samples = mem_alloc(m, size);
    model_names names = {.mem = NULL};
    bool ok = model_names_begin(&names, m, n) && samples;
    for (size_t i = 0; ok && i < n; i++)
        model_names_add(&names, skeleton->bones[i].name, i);
    if (ok)
        model_names_sort(&names);
    const lathe_sampling how = {.size = sizeof how,
                                .by_time = by_time,
                                .at = at,
                                .skeleton = from,
                                .skeleton_index = number};
    r = ok ? lathe_clip_sample(doc, clip, &how, 0, LATHE_ALL, samples, info.tracks * MODEL_POSE,
                               err)
           : no_memory(err);
    if (r == LATHE_OK)
        r = put_tracks(doc, clip, info.tracks, &names, samples, n, rows, &left, err);
    if (unused)
        *unused = left;
    mem_free(m, samples, size);
    model_names_free(&names);
    return r;
}

/* ---- tracks ---------------------------------------------------------------------------------------- */

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

lathe_result preview_track_read(const mem *m, lathe_doc *doc, uint64_t clip, frame_text name,
                                preview_track *out, lathe_error *err)
{
    lathe_clip_info info = {.size = sizeof info};
    uint64_t track = 0;
    *out = (preview_track){.mem = m};
    lathe_result r = lathe_clip_ready(doc, clip, err);
    if (r == LATHE_OK)
        r = lathe_clip_describe(doc, clip, &info, err);
    if (r == LATHE_OK)
        r = lathe_clip_find(doc, clip, LATHE_BONE_TRACKS, name.text, name.length, &track, err);
    bool floats = r == LATHE_ERR_NAME && lathe_clip_find(doc, clip, LATHE_FLOAT_TRACKS, name.text,
                                                         name.length, &track, NULL) == LATHE_OK;
    if (floats)
        r = LATHE_OK;
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
