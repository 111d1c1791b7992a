/* A whole animation in memory: what the verbs of all formats work on, between a format that gives it
 * (scene/motion.h) and one that writes it. */
#ifndef LATHE_MODEL_MOTION_H
#define LATHE_MODEL_MOTION_H

#include "model/clip.h"

enum { MODEL_MOVE = 4 }; /* numbers of root motion: x, y, z, angle about the up axis (radians) */

/* An annotation; the text ends in a NUL and belongs to the motion. */
typedef struct model_event {
    double time; /* s, from the start */
    const char *text;
    size_t length;
    int64_t track; /* from 0 */
} model_event;

typedef enum model_hint { MODEL_NORMAL, MODEL_ADDITIVE } model_hint;

typedef struct model_motion {
    mem mem;
    uint64_t frame_count, track_count, float_count;
    /* s. At least times[frame_count - 1]; more where a loop lasts on behind its last frame */
    double duration;
    double *times; /* of each frame, s from the start: 0, then rising */
    float *rows;   /* MODEL_POSE numbers each: rows[frame * track_count + track] */
    float *floats; /* floats[frame * float_count + track] */
    float *
        moves; /* root motion, MODEL_MOVE numbers a frame; NULL: none. The tracks do not contain it */
    double up[3], forward[3]; /* its axes, of length 1; the format's own where there is none */
    model_track *tracks;      /* names belong to the motion */
    model_float_track *float_tracks;
    model_event *events; /* in time order */
    size_t event_count, event_room;
    model_hint hint;
    const char *skeleton_name; /* of the skeleton that it is for from now on; NULL: as it was */
    bool looping;
    bool absolute; /* rows are in model space, not relative to the parents of bones */
    arena texts;   /* knows where mem is: a motion stays where it was made */
} model_motion;

/* An empty motion, which needs no free. */
void model_motion_init(model_motion *m, const mem *memory);
/* Room for so many frames and tracks in an empty motion: all at rest, times 0. with_moves: root motion, too.
 * LATHE_ERR_MEMORY: what there is goes with the free. */
lathe_result model_motion_alloc(model_motion *m, uint64_t frames, uint64_t tracks, uint64_t floats,
                                bool with_moves, lathe_error *err);
void model_motion_free(model_motion *m);
/* Makes an empty motion the same. */
lathe_result model_motion_copy(model_motion *to, const model_motion *from, lathe_error *err);
/* Everything but what counts by the frame: tracks, facts, axes and (with_events) annotations. `to` was made by
 * model_motion_alloc for as many tracks. */
lathe_result model_motion_facts(model_motion *to, const model_motion *from, bool with_events,
                                lathe_error *err);
/* Exchanges the contents of two motions of the same memory. */
void model_motion_swap(model_motion *a, model_motion *b);

/* A copy that lives as long as the motion and ends in a NUL; NULL: out of memory. */
const char *model_motion_text(model_motion *m, const char *p, size_t n);
/* Appends an annotation, and puts all in time order; those at one time stay in the order they came. */
lathe_result model_motion_event(model_motion *m, double time, int64_t track, const char *text,
                                size_t n, lathe_error *err);
void model_motion_sort(model_motion *m);
/* Frames are evenly spaced over the duration from now on. */
void model_motion_even(model_motion *m);
/* The times of n even frames over a duration. */
void model_motion_times(uint64_t n, double duration, double *out);

static inline float *model_motion_row(const model_motion *m, uint64_t frame, uint64_t track)
{
    return m->rows + (frame * m->track_count + track) * MODEL_POSE;
}

/* Where a time lies: between *frame and the next one, *share of the way (0 to below 1). Times outside are the ends. */
void model_motion_find(const model_motion *m, double time, uint64_t *frame, double *share);
/* At a time: translations and scales between their neighbours, rotations along the shorter arc. One row each for
 * tracks first .. first + n; floats; MODEL_MOVE numbers of root motion, whose angle is not wrapped. */
void model_motion_rows(const model_motion *m, double time, uint64_t first, uint64_t n, float *out);
void model_motion_floats(const model_motion *m, double time, uint64_t first, uint64_t n,
                         float *out);
void model_motion_move(const model_motion *m, double time, float out[MODEL_MOVE]);

/* A transform as it is seen from the one above, both in the same space; and back. `out` may be one of them. Sizes are
 * taken apart axis by axis, as Havok does: there is no shear. */
void model_pose_below(const float above[MODEL_POSE], const float pose[MODEL_POSE],
                      float out[MODEL_POSE]);
void model_pose_above(const float above[MODEL_POSE], const float pose[MODEL_POSE],
                      float out[MODEL_POSE]);

#endif
