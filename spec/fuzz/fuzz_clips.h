/* Clips of a document: sampled at odd moments, decoded whole, with all that is in them. */
#ifndef LATHE_FUZZ_CLIPS_H
#define LATHE_FUZZ_CLIPS_H

#include "fuzz.h"

#include "scene/clip.h"

static void sample(const scene_clip *clip, lathe_error *err)
{
    static float rows[64 * MODEL_POSE];
    const double times[] = {0, clip->facts.duration / 2, -1, 1e9};
    uint64_t tracks = clip->facts.track_count < 64 ? clip->facts.track_count : 64;
    uint64_t floats = clip->facts.float_track_count < 64 ? clip->facts.float_track_count : 64;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        model_when when = {.is_time = true, .at = times[i] == times[i] ? times[i] : 0};
        scene_clip_sample(clip, &when, NULL, 0, tracks, rows, err);
        scene_clip_floats(clip, &when, 0, floats, rows, err);
    }
}

static void decode(const scene_clip *clip, lathe_error *err)
{
    enum { MOST = 1 << 18 };
    uint64_t frames = clip->facts.frame_count, tracks = clip->facts.track_count,
             floats = clip->facts.float_track_count;
    if (scene_clip_ready(clip, err) != LATHE_OK || (tracks && frames > MOST / tracks) ||
        (floats && frames > MOST / floats) || frames > MOST)
        return;
    uint64_t row = MODEL_POSE * tracks > floats ? MODEL_POSE * tracks : floats;
    float *rows = malloc((size_t)(frames * (row > 4 ? row : 4) + 1) * sizeof *rows);
    scene_clip_decode(clip, NULL, rows, err);
    scene_clip_decode_floats(clip, rows, err);
    if (clip->facts.has_motion)
        scene_clip_motion(clip, rows, err);
    free(rows);
}

static bool see(void *user, const model_annotation *one)
{
    size_t *n = user;
    *n += one->text ? strlen(one->text) : 0;
    return true;
}

static void fuzz_clips(lathe_doc *doc)
{
    scene_clip clip;
    lathe_error err;
    for (uint64_t i = 0; i < 8 && scene_clip_open(doc, i, &clip, &err) == LATHE_OK; i++) {
        size_t n = 0;
        model_track track;
        for (uint64_t k = 0; k < 16 && scene_clip_track(&clip, k, &track, &err) == LATHE_OK; k++)
            ;
        scene_clip_annotations(&clip, see, &n, &err);
        sample(&clip, &err);
        decode(&clip, &err);
    }
}

#endif
