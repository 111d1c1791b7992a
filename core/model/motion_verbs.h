/* Operations on whole animations in memory, the same for all formats.
 *
 * On failure the motion is unchanged. Annotations, float tracks, root motion and the list of tracks are updated, too.
 * `report` may be NULL. Its .skipped gets what could not be updated. Its .changed grows by the number of changed rows
 * and floats, unless stated otherwise. Times are in seconds from the start of the clip.
 *
 * Parents pass rotation and translation on to children, but not scale, as in Havok and Overgrowth. */
#ifndef LATHE_MODEL_MOTION_VERBS_H
#define LATHE_MODEL_MOTION_VERBS_H

#include "base/error.h"
#include "model/motion.h"

enum { MODEL_FRAMES_MOST = 100000 }; /* maximum for resampling */

/* Adds to the list "notes" of a report: why nothing changed, or an effect that the caller may not expect. */
void motion_note(lathe_report *report, const char *fmt, ...) ERROR_PRINTF(2, 3);

/* ---- time (motion_time.c) ---------------------------------------------------------------------- */

/* Whether frames are evenly spaced up to the end. True for one frame. */
bool model_motion_is_even(const model_motion *m);
/* Keeps the range between two times, with a key frame at both. Frames between them are copied bit for bit if an end
 * is at a frame (within a thousandth of a step), or if frames need not be even. Otherwise they are resampled at the
 * same rate. Annotations at both ends are kept. Root motion starts at the same values as before. */
lathe_result model_motion_trim(model_motion *m, double t0, double t1, lathe_report *report,
                               lathe_error *err);
/* Reverses the clip. Root motion is rebased to start where it started before. The first frame of a loop that
 * continues after its last frame stays first. */
lathe_result model_motion_reverse(model_motion *m, lathe_report *report, lathe_error *err);
/* Resamples to evenly spaced frames, as close to `fps` as a whole number of steps allows. Annotations keep their
 * times. */
lathe_result model_motion_resample(model_motion *m, double fps, lathe_report *report,
                                   lathe_error *err);
/* Replaces annotation texts that are equal to `from` by `to`. .changed counts them. */
lathe_result model_motion_rename(model_motion *m, const char *from, size_t from_n, const char *to,
                                 size_t to_n, lathe_report *report, lathe_error *err);

/* ---- two clips (motion_join.c) -------------------------------------------------------------------- */

/* Appends `other`. If the last frame is at the end and the other's first frame is at its start, the two become one
 * frame, that of `other`. The other is resampled at the frame rate of this clip if both are even. Its root motion
 * continues from the end of this one's, in its direction. Annotations at the seam with the same text and track are
 * merged. Tracks are matched by bone name, else by bone index, floats by slot. LATHE_ERR_INVALID names a track that
 * only one of the two has. */
lathe_result model_motion_concat(model_motion *m, const model_motion *other, lathe_report *report,
                                 lathe_error *err);
/* Mixes in a share (0 to 1) of the other clip, which is stretched to the duration of this one. Tracks that the other
 * does not have are unchanged, and reported. */
lathe_result model_motion_blend(model_motion *m, const model_motion *other, double weight,
                                lathe_report *report, lathe_error *err);
/* Makes the last frame equal to the first one, and distributes the difference over the n steps before it. */
lathe_result model_motion_loop(model_motion *m, uint64_t n, lathe_report *report, lathe_error *err);

/* ---- root motion (motion_root.c) ------------------------------------------------------------------ */

typedef struct model_root {
    /* of the root that moves; -1: of the first bone without a parent, else the first track */
    int64_t track;
    bool vertical;                  /* extract the height, too */
    bool turn;                      /* extract the rotation about the up axis, too */
    const model_skeleton *skeleton; /* gives the parents of the track; NULL: the track has none */
} model_root;

/* Moves the translation in the ground plane (and more: see model_root), relative to the first frame, from a track to
 * root motion. Existing root motion is extended. */
lathe_result model_motion_extract(model_motion *m, const model_root *how, lathe_report *report,
                                  lathe_error *err);
/* Adds root motion to the track, and removes it. */
lathe_result model_motion_bake(model_motion *m, const model_root *how, lathe_report *report,
                               lathe_error *err);
/* The combination of two root motions, first a, then b; and the inverse of one. MODEL_MOVE numbers. */
void model_move_add(const double up[3], const double *a, const double *b, double *out);
void model_move_back(const double up[3], const double *a, double *out);

/* ---- poses (motion_pose.c) -------------------------------------------------------------------------- */

/* The pose to which an additive clip is relative: a row for each track, a number for each float track. */
typedef struct model_reference {
    const float *rows, *floats; /* floats NULL: zeros */
} model_reference;

/* Converts to an additive clip and back, as defined by Havok: reference^-1 * pose in the bone's own space.
 * Translations are differences, rotated into the axes of the reference; rotations are reference^-1 * rotation; scales
 * are quotients. Floats are differences. */
lathe_result model_motion_additive(model_motion *m, const model_reference *reference,
                                   lathe_report *report, lathe_error *err);
lathe_result model_motion_normal(model_motion *m, const model_reference *reference,
                                 lathe_report *report, lathe_error *err);
/* Rest-pose rows for the tracks, by bone name, else by index; the caller frees track_count rows. LATHE_ERR_INVALID
 * names a track whose bone the skeleton does not have. */
lathe_result model_motion_rest(const model_motion *m, const model_skeleton *skeleton, float **rows,
                               lathe_error *err);

/* A frame of another clip as the reference of this one, matched by names or indices of bones and slots: a row for
 * each track and a number for each float track of `m`. LATHE_ERR_INVALID names the first one that `other` does not
 * have. */
lathe_result model_motion_pose_of(const model_motion *m, const model_motion *other, uint64_t frame,
                                  float *rows, float *floats, lathe_error *err);

typedef struct model_offset {
    uint64_t track;
    double t[3], q[4]; /* translation t, then rotation q, about the joint */
    bool own;          /* in the bone's own axes; else in its parent's */
    /* gives the children of the bone; only needed for rows in model space */
    const model_skeleton *skeleton;
} model_offset;

/* Changes every frame: q' = q * rotation and t' = translation + t; with .own q' = rotation * q and t' = translation +
 * rotation * t. */
lathe_result model_motion_offset(model_motion *m, const model_offset *how, lathe_report *report,
                                 lathe_error *err);

/* ---- left and right (motion_mirror.c) ---------------------------------------------------------------- */

typedef struct model_pair {
    const char *left, *right; /* complete bone names */
} model_pair;

typedef struct model_mirror {
    const model_skeleton *skeleton;
    /* take precedence over the skeleton's own pairs and the rules (mirror_rules.h) */
    const model_pair *pairs;
    size_t pair_count;
    /* the axis of model space across the body: 0 x, 1 y, 2 z; -1: perpendicular to up and forward */
    int axis;
} model_mirror;

/* Mirrors the clip: exchanges left and right. Reflects the movement of each bone from rest to pose in model space, so
 * the bones of both sides may have any axes. Bones without a counterpart keep their transform relative to a parent
 * that has one. */
lathe_result model_motion_mirror(model_motion *m, const model_mirror *how, lathe_report *report,
                                 lathe_error *err);

/* ---- other skeletons (motion_retarget.c) ---------------------------------------------------------------- */

typedef struct model_retarget {
    const model_skeleton *from, *to;
    /* .left is a bone of `from`, .right one of `to`; other bones are matched by name */
    const model_pair *map;
    size_t map_count;
} model_retarget;

/* Converts to another skeleton. Each bone gets the rotation of its counterpart relative to the rest pose, in model
 * space. Its translation is that of its rest pose, plus the counterpart's offset from rest, scaled by the ratio of
 * the bones' lengths. Root motion, and bones that rest at their parent, are scaled by the typical ratio. Tracks
 * without a bone in the other skeleton are dropped and reported. A clip in model space gets a track for each bone;
 * those without a counterpart rest. */
lathe_result model_motion_retarget(model_motion *m, const model_retarget *how, lathe_report *report,
                                   lathe_error *err);

#endif
