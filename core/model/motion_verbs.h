/* What can be done with a whole animation in memory: pure functions, the same for all formats.
 *
 * All of them leave the motion as it was where they fail. Annotations, numbers beside bones (float tracks), root motion and
 * the list of tracks follow. `report` may be NULL; its .skipped is told what could not follow, and .changed grows by
 * the rows and numbers that are others now, unless it says so otherwise. Times are s from the clip's start.
 *
 * Rotations and translations are handed down from parents to children, scales are not: as in Havok and Overgrowth. */
#ifndef LATHE_MODEL_MOTION_VERBS_H
#define LATHE_MODEL_MOTION_VERBS_H

#include "base/error.h"
#include "model/motion.h"

enum { MODEL_FRAMES_MOST = 100000 }; /* that resampling makes */

/* What a report says besides, in its list "notes": why nothing changed, or what the caller may not expect. */
void motion_note(lathe_report *report, const char *fmt, ...) ERROR_PRINTF(2, 3);

/* ---- time (motion_time.c) ---------------------------------------------------------------------- */

/* Frames follow each other evenly, up to the end. One frame does. */
bool model_motion_is_even(const model_motion *m);
/* Keeps what lies between two times, with a key frame at both. Frames between them stay bit for bit where an end lies on a
 * frame (within a thousandth of a step), or where frames need not be even; else they are taken anew, as many a second
 * as before. Annotations at both ends stay. Root motion begins where that of the clip began. */
lathe_result model_motion_trim(model_motion *m, double t0, double t1, lathe_report *report,
                               lathe_error *err);
/* Backwards. Root motion begins where it began, so that it is once more the way from there. The first frame of a
 * loop that lasts on behind its last one stays the first. */
lathe_result model_motion_reverse(model_motion *m, lathe_report *report, lathe_error *err);
/* Even frames, as near to `fps` a second as an even number between both ends allows. Annotations stay where they are. */
lathe_result model_motion_resample(model_motion *m, double fps, lathe_report *report,
                                   lathe_error *err);
/* Texts of annotations that are all of `from` become `to`. .changed counts them. */
lathe_result model_motion_rename(model_motion *m, const char *from, size_t from_n, const char *to,
                                 size_t to_n, lathe_report *report, lathe_error *err);

/* ---- two clips (motion_join.c) -------------------------------------------------------------------- */

/* Plays `other` behind it. Where the last frame is at the end and the other's first one at its start, both are one frame,
 * which is the other's. The other is taken at the frame rate of this one, where both are even. Its root motion goes on
 * from where this one ends, turned as it ends. Annotations of both ends at the seam, of one text and one track, become
 * one. Tracks are the same by bone name, else by bone number, floats by slot: LATHE_ERR_INVALID names the one that only
 * one of the two has. */
lathe_result model_motion_concat(model_motion *m, const model_motion *other, lathe_report *report,
                                 lathe_error *err);
/* So much (0 to 1) of the other, which is taken from its start to its end while this one lasts. Tracks that it does not
 * have stay, and are listed. */
lathe_result model_motion_blend(model_motion *m, const model_motion *other, double weight,
                                lathe_report *report, lathe_error *err);
/* The last frame becomes the first one, and what is between them is shared out over the n steps in front of it. */
lathe_result model_motion_loop(model_motion *m, uint64_t n, lathe_report *report, lathe_error *err);

/* ---- root motion (motion_root.c) ------------------------------------------------------------------ */

typedef struct model_root {
    /* of the root that moves; -1: the first bone without a parent, or the first track */
    int64_t track;
    bool vertical;                  /* height is root motion, too */
    bool turn;                      /* … and turning about the up axis */
    const model_skeleton *skeleton; /* parents of the track; NULL: it has none */
} model_root;

/* Takes place in the ground plane (and more: see model_root), counted from the first frame, out of a track into the root
 * motion, behind what is there already. */
lathe_result model_motion_extract(model_motion *m, const model_root *how, lathe_report *report,
                                  lathe_error *err);
/* Puts root motion back into the track; there is none afterwards. */
lathe_result model_motion_bake(model_motion *m, const model_root *how, lathe_report *report,
                               lathe_error *err);
/* Where root motion is after a and then b, and the way back: MODEL_MOVE numbers. */
void model_move_add(const double up[3], const double *a, const double *b, double *out);
void model_move_back(const double up[3], const double *a, double *out);

/* ---- poses (motion_pose.c) -------------------------------------------------------------------------- */

/* What a clip is added to: a row for each track, a number for each float. */
typedef struct model_reference {
    const float *rows, *floats; /* floats NULL: zeros */
} model_reference;

/* As Havok has it: reference^-1 * pose in the bone's own space. Translations are differences, turned into the axes of the
 * reference; rotations reference^-1 * rotation; scales quotients. Floats are differences. */
lathe_result model_motion_additive(model_motion *m, const model_reference *reference,
                                   lathe_report *report, lathe_error *err);
lathe_result model_motion_normal(model_motion *m, const model_reference *reference,
                                 lathe_report *report, lathe_error *err);
/* Rows at rest of the bones that tracks move, by name, else by number, to be freed as track_count rows. LATHE_ERR_INVALID
 * names a track whose bone the skeleton has not. */
lathe_result model_motion_rest(const model_motion *m, const model_skeleton *skeleton, float **rows,
                               lathe_error *err);

/* A frame of another clip as a reference for this one, by the names or numbers of bones and slots: a row for each track
 * and a number for each float of `m`. LATHE_ERR_INVALID names the first that the other has not. */
lathe_result model_motion_pose_of(const model_motion *m, const model_motion *other, uint64_t frame,
                                  float *rows, float *floats, lathe_error *err);

typedef struct model_offset {
    uint64_t track;
    double t[3], q[4];              /* moves by t, then turns by q, about the joint */
    bool own;                       /* in the bone's own axes; else in its parent's */
    const model_skeleton *skeleton; /* what hangs on the bone: only for rows in model space */
} model_offset;

/* At every frame: q' = q * rotation and t' = translation + t; with .own q' = rotation * q and t' = translation + rotation * t. */
lathe_result model_motion_offset(model_motion *m, const model_offset *how, lathe_report *report,
                                 lathe_error *err);

/* ---- left and right (motion_mirror.c) ---------------------------------------------------------------- */

typedef struct model_pair {
    const char *left, *right; /* whole names of bones */
} model_pair;

typedef struct model_mirror {
    const model_skeleton *skeleton;
    const model_pair *pairs; /* in front of the skeleton's own and of the rules (mirror_rules.h) */
    size_t pair_count;
    int axis; /* of model space that goes across: 0 x, 1 y, 2 z; -1: at right angles to up and forward */
} model_mirror;

/* Left and right change places. What is reflected is the move of each bone from rest to pose in model space, so that bones
 * of both sides may have axes of any kind. Bones without another side that hang on one of a side keep how they
 * are relative to it. */
lathe_result model_motion_mirror(model_motion *m, const model_mirror *how, lathe_report *report,
                                 lathe_error *err);

/* ---- other skeletons (motion_retarget.c) ---------------------------------------------------------------- */

typedef struct model_retarget {
    const model_skeleton *from, *to;
    const model_pair *map; /* .left of `from` is .right of `to`; others by name */
    size_t map_count;
} model_retarget;

/* For the bones of another skeleton: each turns in model space from its rest as the one of its name did from its own; its
 * translation is the rest's, and the difference to the old rest as much longer as the bone is. Root motion and what rests
 * in its parent are as much longer as most bones are. Tracks without a bone there are dropped and listed.
 * A clip in model space has a track for each bone there: those that follow none rest. */
lathe_result model_motion_retarget(model_motion *m, const model_retarget *how, lathe_report *report,
                                   lathe_error *err);

#endif
