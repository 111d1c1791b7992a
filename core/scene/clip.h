/* Skeletons, materials, bodies and animations of any format: what stands between the hooks of schema.h and those who
 * ask, be it the bindings or a verb. */
#ifndef LATHE_SCENE_CLIP_H
#define LATHE_SCENE_CLIP_H

#include "model/clip.h"
#include "record/record.h"
#include "scene/hooks.h"

/* Of lathe_view.flags (REC_VIEW_UPPER): number `index` of a document's list, as an option of a verb. */
enum { SCENE_VIEW_SKELETON = 2, SCENE_VIEW_CLIP = 4 };

/* ---- skeletons --------------------------------------------------------------------------------- */

/* Fills *out, which model_skeleton_init has seen, with skeleton number i, as it is: see
 * model_skeleton_check. LATHE_ERR_NAME past the last; empty where it fails. */
lathe_result scene_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err);
/* The number of the skeleton that the document is linked to (lathe_options.skeleton), where it is; NULL: to none. */
#define SCENE_LINKED UINT32_MAX
const model_skeleton *scene_linked(const lathe_doc *doc);

/* The option `name` of a verb as a skeleton, whose parents are checked and whose memory is doc's; the
 * caller frees it, or has nothing to free where it fails or nothing is given. It may be
 *   - a skeleton of any document, or a document: its first one. Names of bones are then borrowed from
 *     there until the next write, if the format does so;
 *   - {bones = {{parent = -1, name =, mirror =, pose = {t =, q =, s =}}, ...}, name =}, all but bones
 *     optional, or the list of bones itself, or a list of parents: {-1, 0, 1}. */
lathe_result scene_skeleton_arg(lathe_doc *doc, const lathe_source *args, const char *name,
                                model_skeleton *out, bool *given, lathe_error *err);
/* The same of skeleton number i of `from`; where that is NULL, of the option "skeleton". */
lathe_result scene_skeleton_given(lathe_doc *doc, lathe_doc *from, uint32_t i,
                                  const lathe_source *args, model_skeleton *out, bool *given,
                                  lathe_error *err);
/* A skeleton of a document as such an option, for sources. */
lathe_value scene_skeleton_value(lathe_doc *doc, uint32_t i);

/* ---- materials ---------------------------------------------------------------------------------- */

/* The record that is material number i; LATHE_ERR_NAME past the last. */
lathe_result scene_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
/* The record that says how it is drawn; .doc NULL: none does. */
lathe_result scene_look(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);

/* ---- bodies -------------------------------------------------------------------------------------- */

/* The same of what collides. */
lathe_result scene_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);

/* ---- animations -------------------------------------------------------------------------------- */

struct model_motion;

typedef struct scene_clip {
    const scene_clips *hooks;
    model_clip facts;
    lathe_view source;
    /* what the open edit made of it; NULL: it is as it is stored */
    const struct model_motion *draft;
    bool own_events; /* … with annotations of its own */
} scene_clip;

/* Clip number i of a document. LATHE_ERR_NAME past the last. */
lathe_result scene_clip_open(lathe_doc *doc, uint64_t i, scene_clip *out, lathe_error *err);

/* Whether poses, floats and motion of the clip can be had: asked by what gives them, but whoever makes
 * room for them asks first. */
lathe_result scene_clip_ready(const scene_clip *clip, lathe_error *err);
/* An animation of a document as an option of a verb, for sources. */
lathe_value scene_clip_value(lathe_doc *doc, uint32_t i);

/* What binds it to a skeleton; .doc is NULL where nothing does. */
lathe_result scene_clip_binding(const scene_clip *clip, lathe_view *out, lathe_error *err);
/* LATHE_ERR_NAME past the last track. */
lathe_result scene_clip_track(const scene_clip *clip, uint64_t i, model_track *out,
                              lathe_error *err);
/* All annotations in time order; those at one time as the file has them. */
lathe_result scene_clip_annotations(const scene_clip *clip,
                                    bool (*each)(void *user, const model_annotation *one),
                                    void *user, lathe_error *err);
/* Tracks first .. first + n as n rows of 10. A frame outside of the clip is LATHE_ERR_NAME; a time
 * counts as the nearest one inside; neither is NaN. skeleton: NULL, or checked. */
lathe_result scene_clip_sample(const scene_clip *clip, const model_when *when,
                               const model_skeleton *skeleton, uint64_t first, uint64_t n,
                               float *out, lathe_error *err);
/* All frames: frame_count times track_count rows. */
lathe_result scene_clip_decode(const scene_clip *clip, const model_skeleton *skeleton, float *out,
                               lathe_error *err);
/* Float tracks, in the same way: one number each. */
lathe_result scene_clip_float_track(const scene_clip *clip, uint64_t i, model_float_track *out,
                                    lathe_error *err);
lathe_result scene_clip_floats(const scene_clip *clip, const model_when *when, uint64_t first,
                               uint64_t n, float *out, lathe_error *err);
lathe_result scene_clip_decode_floats(const scene_clip *clip, float *out, lathe_error *err);
/* The times of all frames, s from the start: frame_count of them. */
lathe_result scene_clip_times(const scene_clip *clip, double *out, lathe_error *err);
/* The axes of root motion, of length 1. */
lathe_result scene_clip_axes(const scene_clip *clip, double up[3], double forward[3],
                             lathe_error *err);
/* All frames, 4 numbers each, of a clip that has_motion. */
lathe_result scene_clip_motion(const scene_clip *clip, float *out, lathe_error *err);

/* The options `time` (s) or `frame` as a time; *given is false where there is neither. */
lathe_result scene_when_arg(const lathe_source *args, model_when *out, bool *given,
                            lathe_error *err);

#endif
