/* What the verbs of animations share: options, and one animation after the other. */
#ifndef LATHE_SCENE_CLIP_VERBS_PART_H
#define LATHE_SCENE_CLIP_VERBS_PART_H

#include "model/motion_verbs.h"
#include "scene/clip_verbs.h"
#include "scene/motion.h"

/* An animation on its way through a verb. */
typedef struct clip_job {
    const char *verb;
    lathe_doc *doc;
    const lathe_source *args;
    lathe_report *report; /* never NULL; names the animation where a document's are all changed */
    scene_clip clip;
    model_motion m; /* as it is; what the verb makes of it is put back */
    arena texts;    /* for what options say, until the verb is over */
} clip_job;

typedef lathe_result clip_work(clip_job *job, lathe_error *err);
/* Takes each animation of `self`, changes it, and puts it back (clip_each.c). */
lathe_result clip_each(const char *verb, lathe_view self, const lathe_source *args,
                       lathe_report *report, clip_work *work, lathe_error *err);

/* ---- options (clip_args.c) ------------------------------------------------------------------------ */

/* True where it is given and true. */
bool clip_flag(const lathe_source *args, const char *name);
/* The option `name`; else the skeleton that the document is linked to, or its own first one: parents checked. */
typedef struct clip_rig {
    const model_skeleton *is; /* NULL: there is none. Good until the next write */
    model_skeleton given;
} clip_rig;
/* LATHE_ERR_INVALID where there is none, and one is needed. The caller frees it, where this succeeds. */
lathe_result clip_skeleton(clip_job *job, const char *name, bool needed, clip_rig *out,
                           lathe_error *err);
void clip_skeleton_free(clip_rig *rig);
/* The animation that an option gives, as it is: *out, initialised, gets it. One of another skeleton is told, or (as_many)
 * refused where it has more tracks or fewer. */
lathe_result clip_other(clip_job *job, const char *name, bool as_many, model_motion *out, bool *is,
                        lathe_error *err);
/* The track of a bone that is given by name or by its number; skeleton NULL: tracks' own names. */
lathe_result clip_bone(clip_job *job, const char *name, const model_skeleton *skeleton,
                       int64_t *track, lathe_error *err);
/* A list of n numbers; *out stays as it is where it is not given. */
lathe_result clip_numbers(const lathe_source *args, const char *name, size_t n, double *out,
                          lathe_error *err);
/* Pairs of names: {{left =, right =}, ...} with the two names that are given, or {one = "other"}. */
lathe_result clip_pairs(clip_job *job, const char *name, const char *left, const char *right,
                        model_pair **out, size_t *n, lathe_error *err);

/* ---- verbs (clip_verbs_pose.c) ---------------------------------------------------------------------- */

typedef lathe_result clip_run(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);
clip_run clip_mirror, clip_root_motion, clip_extract_root_motion, clip_bake_root_motion,
    clip_additive, clip_normal, clip_retarget, clip_offset;

#endif
