/* What every format's animation becomes: facts that are cheap to have, and samples on demand. */
#ifndef LATHE_MODEL_CLIP_H
#define LATHE_MODEL_CLIP_H

#include "model/skeleton.h"

typedef struct model_clip {
    const char *name, *skeleton_name; /* borrowed until the next write, or constant; NULL: none */
    const char *blend_hint;           /* "normal", "additive" … or NULL */
    double duration;                  /* s */
    uint64_t frame_count, track_count, float_track_count;
    bool looping;
    bool absolute;   /* tracks are in model space as stored, not relative to their parents */
    bool has_motion; /* root_motion has rows */
} model_clip;

typedef struct model_track {
    const char *bone;   /* or NULL */
    int32_t bone_index; /* as stored, from 0; -1: bound to no bone */
} model_track;

/* A number that is animated, as bones' transforms are. */
typedef struct model_float_track {
    const char *name;   /* of the slot that it drives, or NULL */
    int32_t slot_index; /* as stored, from 0; -1: bound to none */
} model_float_track;

typedef struct model_annotation {
    double time;      /* s, from the clip's start */
    const char *text; /* borrowed until the next write */
    size_t length;
    int64_t track;     /* from 0 */
    lathe_view source; /* the record that it is stored as; .doc NULL: none */
} model_annotation;

/* When: a key frame from 0 (may lie between two), or seconds from the clip's start. */
typedef struct model_when {
    bool is_time;
    double at;
} model_when;

/* The frame that is meant where frames follow each other evenly over the duration. */
double model_when_frame(const model_when *when, const model_clip *clip);

#endif
