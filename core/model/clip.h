/* An animation of any format: its facts, which are cheap to read. Samples are decoded on demand. */
#ifndef LATHE_MODEL_CLIP_H
#define LATHE_MODEL_CLIP_H

#include "model/skeleton.h"

typedef struct model_clip {
    const char *name, *skeleton_name; /* borrowed until the next write, or constant; NULL: none */
    const char *blend_hint;           /* "normal", "additive" … or NULL */
    double duration;                  /* seconds */
    uint64_t frame_count, track_count, float_track_count;
    bool looping;
    bool absolute;   /* stored tracks are in model space, not relative to parents */
    bool has_motion; /* it has root motion */
} model_clip;

typedef struct model_track {
    const char *bone;   /* or NULL */
    int32_t bone_index; /* as stored, from 0; -1: no bone */
} model_track;

/* An animated number that belongs to no bone. */
typedef struct model_float_track {
    const char *name;   /* of the slot that it drives; NULL: none */
    int32_t slot_index; /* as stored, from 0; -1: no slot */
} model_float_track;

typedef struct model_annotation {
    double time;      /* seconds from the start of the clip */
    const char *text; /* borrowed until the next write */
    size_t length;
    int64_t track;     /* from 0 */
    lathe_view source; /* the record that stores it; .doc NULL: none */
} model_annotation;

/* A time in a clip: a frame from 0, which may be fractional, or seconds from the start. */
typedef struct model_when {
    bool is_time;
    double at;
} model_when;

/* The frame at a time, if frames are evenly spaced over the duration. */
double model_when_frame(const model_when *when, const model_clip *clip);

#endif
