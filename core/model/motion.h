/* A whole animation in memory, which verbs of all formats edit. scene/motion.h reads it from a document and writes it
 * back. */
#ifndef LATHE_MODEL_MOTION_H
#define LATHE_MODEL_MOTION_H

#include "model/clip.h"

enum { MODEL_MOVE = 4 }; /* numbers of root motion: x, y, z, angle about the up axis (radians) */

/* An annotation. The NUL-terminated text belongs to the motion. */
typedef struct model_event {
    double time; /* seconds from the start */
    const char *text;
    size_t length;
    int64_t track; /* from 0 */
} model_event;

typedef enum model_hint { MODEL_NORMAL, MODEL_ADDITIVE } model_hint;

typedef struct model_motion {
    mem mem;
    uint64_t frame_count, track_count, float_count;
    /* Seconds. At least times[frame_count - 1]; more if a loop continues after its last frame. */
    double duration;
    double *times; /* of each frame, seconds from the start: 0, then ascending */
    float *rows;   /* MODEL_POSE numbers each: rows[frame * track_count + track] */
    float *floats; /* floats[frame * float_count + track] */
    float *
        /* root motion, MODEL_MOVE numbers for each frame; NULL: none. The tracks do not include it */
        moves;
    double up[3], forward[3]; /* axes of root motion, unit vectors; without it the format's own */
    model_track *tracks;      /* names belong to the motion */
    model_float_track *float_tracks;
    model_event *events; /* in time order */
    size_t event_count, event_room;
    model_hint hint;
    const char *skeleton_name; /* of the skeleton that the result is for; NULL: unchanged */
    bool looping;
    bool absolute; /* rows are in model space, not relative to parents */
    arena texts;   /* contains the address of `memory`: the struct must not be moved */
} model_motion;

/* Makes an empty motion, which needs no free. */
void model_motion_init(model_motion *m, const mem *memory);
/* Allocates frames and tracks in an empty motion: all at rest, times 0; with_moves: root motion, too. Free the motion
 * also after LATHE_ERR_MEMORY. */
lathe_result model_motion_alloc(model_motion *m, uint64_t frames, uint64_t tracks, uint64_t floats,
                                bool with_moves, lathe_error *err);
void model_motion_free(model_motion *m);
/* Copies a motion into an empty one. */
lathe_result model_motion_copy(model_motion *to, const model_motion *from, lathe_error *err);
/* Copies everything except data of frames: tracks, facts, axes and (with_events) annotations. `to` must come from
 * model_motion_alloc for the same numbers of tracks. */
lathe_result model_motion_facts(model_motion *to, const model_motion *from, bool with_events,
                                lathe_error *err);
/* Exchanges the contents of two motions with the same allocator. */
void model_motion_swap(model_motion *a, model_motion *b);

/* Copies a text into memory that is freed with the motion, with a NUL; NULL: out of memory. */
const char *model_motion_text(model_motion *m, const char *p, size_t n);
/* Adds an annotation in time order, behind those at the same time. model_motion_sort puts all in time order, and
 * keeps the order of those at the same time. */
lathe_result model_motion_event(model_motion *m, double time, int64_t track, const char *text,
                                size_t n, lathe_error *err);
void model_motion_sort(model_motion *m);
/* Spaces all frames evenly over the duration. */
void model_motion_even(model_motion *m);
/* The times of n evenly spaced frames. */
void model_motion_times(uint64_t n, double duration, double *out);

static inline float *model_motion_row(const model_motion *m, uint64_t frame, uint64_t track)
{
    return m->rows + (frame * m->track_count + track) * MODEL_POSE;
}

/* Finds the frame at or before a time, and the fraction of the way to the next one (0 <= *share < 1). Clamps the
 * time. */
void model_motion_find(const model_motion *m, double time, uint64_t *frame, double *share);
/* Interpolates at a time: translations and scales linearly, rotations along the shorter arc. Rows or floats of the
 * tracks first .. first + n; MODEL_MOVE numbers of root motion, whose angle is not wrapped. */
void model_motion_rows(const model_motion *m, double time, uint64_t first, uint64_t n, float *out);
void model_motion_floats(const model_motion *m, double time, uint64_t first, uint64_t n,
                         float *out);
void model_motion_move(const model_motion *m, double time, float out[MODEL_MOVE]);

/* Converts a transform to one relative to `above`, both in the same space, and back. `out` may be one of the
 * arguments. Scales are divided axis by axis, without shear, as in Havok. */
void model_pose_below(const float above[MODEL_POSE], const float pose[MODEL_POSE],
                      float out[MODEL_POSE]);
void model_pose_above(const float above[MODEL_POSE], const float pose[MODEL_POSE],
                      float out[MODEL_POSE]);

#endif
