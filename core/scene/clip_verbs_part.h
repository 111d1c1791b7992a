/* Functions that the verbs of animations share: options, and the loop over animations. */
#ifndef LATHE_SCENE_CLIP_VERBS_PART_H
#define LATHE_SCENE_CLIP_VERBS_PART_H

#include "model/motion_verbs.h"
#include "scene/clip_verbs.h"
#include "scene/motion.h"

/* The animation that a verb works on. */
typedef struct clip_job {
    const char *verb;
    lathe_doc *doc;
    const lathe_source *args;
    /* never NULL; its entries name the animation if the verb changes several */
    lathe_report *report;
    scene_clip clip;
    /* the animation's present samples; the verb changes them, and they are then written back */
    model_motion m;
    arena texts; /* memory for texts from options, freed after the verb */
} clip_job;

typedef lathe_result clip_work(clip_job *job, lathe_error *err);
/* Calls `work` for each animation of `self`, and writes the result back (clip_each.c). */
lathe_result clip_each(const char *verb, lathe_view self, const lathe_source *args,
                       lathe_report *report, clip_work *work, lathe_error *err);

/* ---- options (clip_args.c) ------------------------------------------------------------------------ */

/* Whether an option is given and true. */
bool clip_flag(const lathe_source *args, const char *name);
/* The skeleton that a verb works with: the option `name`, else the one that the document is linked to, else its own
 * first one. Its parents are checked. */
typedef struct clip_rig {
    const model_skeleton *is; /* NULL: none. Valid until the next write */
    model_skeleton given;
} clip_rig;
/* LATHE_ERR_INVALID: there is none, although it is needed. On success the caller frees it. */
lathe_result clip_skeleton(clip_job *job, const char *name, bool needed, clip_rig *out,
                           lathe_error *err);
void clip_skeleton_free(clip_rig *rig);
/* Reads the animation in an option into *out, which must be initialized; *is: the option was given. If the animation
 * belongs to another skeleton, this is reported. as_many: a different number of tracks is an error. */
lathe_result clip_other(clip_job *job, const char *name, bool as_many, model_motion *out, bool *is,
                        lathe_error *err);
/* The track of a bone given by name or number; skeleton NULL: by the names of the tracks. */
lathe_result clip_bone(clip_job *job, const char *name, const model_skeleton *skeleton,
                       int64_t *track, lathe_error *err);
/* Reads a list of n numbers; *out is unchanged if the option is not given. */
lathe_result clip_numbers(const lathe_source *args, const char *name, size_t n, double *out,
                          lathe_error *err);
/* Reads pairs of names: {{left =, right =}, ...}, where `left` and `right` are the names of the two fields, or {one =
 * "other"}. */
lathe_result clip_pairs(clip_job *job, const char *name, const char *left, const char *right,
                        model_pair **out, size_t *n, lathe_error *err);

/* ---- verbs (clip_verbs_pose.c) ---------------------------------------------------------------------- */

typedef lathe_result clip_run(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);
clip_run clip_mirror, clip_root_motion, clip_extract_root_motion, clip_bake_root_motion,
    clip_additive, clip_normal, clip_retarget, clip_offset;

#endif
