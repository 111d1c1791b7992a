/* Access to skeletons, materials, bodies and animations of any format, for bindings and verbs. These functions check
 * their arguments, then call the hooks in hooks.h. */
#ifndef LATHE_SCENE_CLIP_H
#define LATHE_SCENE_CLIP_H

#include "model/clip.h"
#include "record/record.h"
#include "scene/hooks.h"

/* Values of lathe_view.flags (REC_VIEW_UPPER): the view is item `index` of a document's list, as an option of a
 * verb. */
enum { SCENE_VIEW_SKELETON = 2, SCENE_VIEW_CLIP = 4 };

/* ---- skeletons --------------------------------------------------------------------------------- */

/* Fills *out with skeleton number i, unchecked (see model_skeleton_check). *out must be initialized
 * (model_skeleton_init), and is empty on failure. LATHE_ERR_NAME past the last one. */
lathe_result scene_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err);
/* Stands in place of a skeleton's number for the skeleton that the document is linked to (lathe_options.skeleton).
 * scene_linked returns it; NULL: none. */
#define SCENE_LINKED UINT32_MAX
const model_skeleton *scene_linked(const lathe_doc *doc);

/* Reads the option `name` of a verb as a skeleton, checks its parents, and copies it into doc's memory. The caller
 * frees *out, unless it fails or the option is not given. The option may be
 *   - a skeleton of any document, or a document, which stands for its first skeleton. Bone names may then be
 *     borrowed from that document until its next write;
 *   - {bones = {{parent = -1, name =, mirror =, pose = {t =, q =, s =}}, ...}, name =}, all but bones
 *     optional, or the list of bones itself, or a list of parents: {-1, 0, 1}. */
lathe_result scene_skeleton_arg(lathe_doc *doc, const lathe_source *args, const char *name,
                                model_skeleton *out, bool *given, lathe_error *err);
/* The same for skeleton number i of `from`; from NULL: for the option "skeleton". */
lathe_result scene_skeleton_given(lathe_doc *doc, lathe_doc *from, uint32_t i,
                                  const lathe_source *args, model_skeleton *out, bool *given,
                                  lathe_error *err);
/* A skeleton of a document as the value of such an option. */
lathe_value scene_skeleton_value(lathe_doc *doc, uint32_t i);

/* ---- materials ---------------------------------------------------------------------------------- */

/* The record of material number i. LATHE_ERR_NAME past the last one. */
lathe_result scene_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
/* The record that says how material number i is drawn; .doc is NULL if there is none. */
lathe_result scene_look(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);

/* ---- bodies -------------------------------------------------------------------------------------- */

/* The record of body number i. LATHE_ERR_NAME past the last one. */
lathe_result scene_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
/* Item i of a list of a behavior graph, its name, and the item with a name (graph.c). As in lathe.h. */
lathe_result scene_item(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                        lathe_error *err);
lathe_result scene_item_name(lathe_doc *doc, lathe_list list, uint64_t i, lathe_value *out,
                             lathe_error *err);
lathe_result scene_item_find(lathe_doc *doc, lathe_list list, const char *name, size_t n,
                             uint64_t *i, lathe_error *err);

/* ---- animations -------------------------------------------------------------------------------- */

struct model_motion;

typedef struct scene_clip {
    const scene_clips *hooks;
    model_clip facts;
    lathe_view source;
    /* its pending poses in the open edit; NULL: none, the document's bytes are current */
    const struct model_motion *draft;
    bool own_events; /* … and the draft has annotations of its own */
} scene_clip;

/* Opens clip number i of a document. LATHE_ERR_NAME past the last one. */
lathe_result scene_clip_open(lathe_doc *doc, uint64_t i, scene_clip *out, lathe_error *err);

/* Fails if poses, floats and motion of the clip cannot be decoded. The functions below check that, too; callers that
 * allocate memory for the result check it first. */
lathe_result scene_clip_ready(const scene_clip *clip, lathe_error *err);
/* An animation of a document as the value of a verb's option. */
lathe_value scene_clip_value(lathe_doc *doc, uint32_t i);

/* The record that binds the clip to a skeleton; .doc is NULL if there is none. */
lathe_result scene_clip_binding(const scene_clip *clip, lathe_view *out, lathe_error *err);
/* Facts of track number i. LATHE_ERR_NAME past the last one. */
lathe_result scene_clip_track(const scene_clip *clip, uint64_t i, model_track *out,
                              lathe_error *err);
/* Calls `each` with all annotations in time order; those at the same time are in file order. */
lathe_result scene_clip_annotations(const scene_clip *clip,
                                    bool (*each)(void *user, const model_annotation *one),
                                    void *user, lathe_error *err);
/* Samples the tracks first .. first + n: n rows of 10 floats. LATHE_ERR_NAME if the frame is outside of the clip. A
 * time outside is clamped. Neither may be NaN. skeleton: NULL, or checked. */
lathe_result scene_clip_sample(const scene_clip *clip, const model_when *when,
                               const model_skeleton *skeleton, uint64_t first, uint64_t n,
                               float *out, lathe_error *err);
/* All frames: frame_count * track_count rows. */
lathe_result scene_clip_decode(const scene_clip *clip, const model_skeleton *skeleton, float *out,
                               lathe_error *err);
/* The same for float tracks, with one number each. */
lathe_result scene_clip_float_track(const scene_clip *clip, uint64_t i, model_float_track *out,
                                    lathe_error *err);
lathe_result scene_clip_floats(const scene_clip *clip, const model_when *when, uint64_t first,
                               uint64_t n, float *out, lathe_error *err);
lathe_result scene_clip_decode_floats(const scene_clip *clip, float *out, lathe_error *err);
/* The times of all frames in seconds from the start: frame_count numbers. */
lathe_result scene_clip_times(const scene_clip *clip, double *out, lathe_error *err);
/* The axes of root motion, as unit vectors. */
lathe_result scene_clip_axes(const scene_clip *clip, double up[3], double forward[3],
                             lathe_error *err);
/* Root motion of all frames, 4 numbers each. The clip must have has_motion. */
lathe_result scene_clip_motion(const scene_clip *clip, float *out, lathe_error *err);

/* Reads the options `time` (seconds) or `frame`. *given is false if there is neither. */
lathe_result scene_when_arg(const lathe_source *args, model_when *out, bool *given,
                            lathe_error *err);

#endif
