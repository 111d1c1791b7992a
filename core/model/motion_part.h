/* Functions that the implementations of motion_verbs.h share. */
#ifndef LATHE_MODEL_MOTION_PART_H
#define LATHE_MODEL_MOTION_PART_H

#include "base/error.h"
#include "base/vec.h"
#include "model/motion_verbs.h"
#include "model/names.h"

/* ---- motions (motion_time.c) --------------------------------------------------------------------- */

/* Allocates an empty motion of `frames` frames, all at rest, with the facts of another one. On failure there is
 * nothing to free. */
lathe_result motion_like(const model_motion *m, uint64_t frames, bool with_events,
                         model_motion *out, lathe_error *err);
/* Sets frame k to the sample at a time; an existing frame is copied bit for bit. */
void motion_frame(const model_motion *from, double time, model_motion *to, uint64_t k);
/* If r is LATHE_OK, replaces *m by *made. Frees the other one. Returns r. */
lathe_result motion_become(model_motion *m, model_motion *made, lathe_result r);
/* The number of rows, floats and root motion entries of all frames. */
uint64_t motion_numbers(const model_motion *m);
void motion_changed(lathe_report *report, uint64_t n);
void motion_skipped(lathe_report *report, const char *path, const char *reason);
static inline lathe_result motion_no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}
void motion_read_move(const model_motion *m, uint64_t i, double *out);
/* Numbers that are equal keep their bits, such as the sign of a zero. */
void motion_write_move(model_motion *m, uint64_t i, const double *move);
/* Changes the reference of root motion from frame `from` on: from `origin` to `start`. */
void motion_rebase(model_motion *m, uint64_t from, const double *origin, const double *start);

/* ---- tracks (motion_rig.c) ------------------------------------------------------------------------- */

/* The name of a track in reports: "tracks[3] (NPC Head)", counted from 1; "float_tracks[1]". */
enum { MOTION_PLACE = 160 };
const char *motion_track_place(const model_motion *m, uint64_t i, char *out);
const char *motion_float_place(const model_motion *m, uint64_t i, char *out);

/* ---- transforms (motion_rig.c) ------------------------------------------------------------------------ */

typedef struct rigid {
    vec3 t;
    quat q;
} rigid;

rigid rigid_mul(rigid a, rigid b); /* applies b first, then a */
rigid rigid_inverse(rigid a);
rigid rigid_of_row(const float *row);
void rigid_to_row(rigid a, float *row); /* leaves the scale unchanged */
rigid rigid_of_pose(const double *pose);

/* A skeleton with the transforms that a motion gives its bones. */
typedef struct rig {
    const mem *mem;
    const model_bone *bones;
    size_t n;
    uint32_t *order; /* indices of the bones, parents before children */
    int64_t *track;  /* the track of each bone; -1: none, the bone stays at rest */
    rigid *rest;     /* rest pose of each bone in model space */
    rigid *now;      /* pose of each bone in model space at the frame that was read last */
    rigid *next;     /* new poses, which the caller computes */
} rig;

/* The parents of the skeleton must be checked. m NULL: no bone has a track. On failure there is nothing to free. */
lathe_result rig_open(rig *out, const model_skeleton *skeleton, const model_motion *m,
                      lathe_error *err);
/* Sets .now from a frame. An additive pose is applied to the rest pose. */
void rig_read(rig *g, const model_motion *m, uint64_t frame);
/* Bone b relative to its parent in the model-space poses `all`, and the inverse. */
rigid rig_local(const rig *g, const rigid *all, size_t b);
rigid rig_under(const rig *g, const rigid *all, size_t b, rigid local);
/* Writes .next of bone b to the motion, in the form that the motion has (absolute, additive). */
void rig_write(const rig *g, model_motion *m, uint64_t frame, size_t b);
void rig_close(rig *g);

#endif
