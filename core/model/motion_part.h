/* What the verbs of motion_verbs.h share. */
#ifndef LATHE_MODEL_MOTION_PART_H
#define LATHE_MODEL_MOTION_PART_H

#include "base/error.h"
#include "base/vec.h"
#include "model/motion_verbs.h"
#include "model/names.h"

/* ---- motions (motion_time.c) --------------------------------------------------------------------- */

/* An empty motion of so many frames, all at rest, with the facts of another. Nothing to free where it fails. */
lathe_result motion_like(const model_motion *m, uint64_t frames, bool with_events,
                         model_motion *out, lathe_error *err);
/* What is at a time becomes frame k: bit for bit a frame that is there. */
void motion_frame(const model_motion *from, double time, model_motion *to, uint64_t k);
/* *m becomes what was made, unless r says that it failed; what is left over goes. Gives r. */
lathe_result motion_become(model_motion *m, model_motion *made, lathe_result r);
/* Rows, numbers and root motion of all frames. */
uint64_t motion_numbers(const model_motion *m);
void motion_changed(lathe_report *report, uint64_t n);
void motion_skipped(lathe_report *report, const char *path, const char *reason);
static inline lathe_result motion_no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}
void motion_read_move(const model_motion *m, uint64_t i, double *out);
/* What stays as it was keeps its bits: a zero its sign. */
void motion_write_move(model_motion *m, uint64_t i, const double *move);
/* From a frame on root motion that was counted from `origin` is counted from `start`. */
void motion_rebase(model_motion *m, uint64_t from, const double *origin, const double *start);

/* ---- tracks (motion_rig.c) ------------------------------------------------------------------------- */

/* "tracks[3] (NPC Head)", counted from 1; "float_tracks[1]". */
enum { MOTION_PLACE = 160 };
const char *motion_track_place(const model_motion *m, uint64_t i, char *out);
const char *motion_float_place(const model_motion *m, uint64_t i, char *out);

/* ---- transforms (motion_rig.c) ------------------------------------------------------------------------ */

typedef struct rigid {
    vec3 t;
    quat q;
} rigid;

rigid rigid_mul(rigid a, rigid b); /* b first, then a */
rigid rigid_inverse(rigid a);
rigid rigid_of_row(const float *row);
void rigid_to_row(rigid a, float *row); /* its scale stays */
rigid rigid_of_pose(const double *pose);

/* A skeleton beside a motion. */
typedef struct rig {
    const mem *mem;
    const model_bone *bones;
    size_t n;
    uint32_t *order; /* bones, parents in front of their children */
    int64_t *track;  /* of each bone; -1: none, so that it stays at rest */
    rigid *rest;     /* of each bone, in model space */
    rigid *now;      /* the same at the frame that was read last */
    rigid *next;     /* room for what becomes of it */
} rig;

/* The skeleton's parents are checked. Nothing to free where it fails. m NULL: no bone has a track. */
lathe_result rig_open(rig *out, const model_skeleton *skeleton, const model_motion *m,
                      lathe_error *err);
/* Fills .now; additive poses are put behind the rest pose. */
void rig_read(rig *g, const model_motion *m, uint64_t frame);
/* Bone b relative to its parent where all are as in `all`, and how it is at rest there. */
rigid rig_local(const rig *g, const rigid *all, size_t b);
rigid rig_under(const rig *g, const rigid *all, size_t b, rigid local);
/* The row of bone b becomes what .next has, whatever the motion's rows count from. */
void rig_write(const rig *g, model_motion *m, uint64_t frame, size_t b);
void rig_close(rig *g);

#endif
