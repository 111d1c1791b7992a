/* Skeletons, materials, bodies and animations of any format: what stands between the hooks of schema.h and those who
 * ask, be it the bindings or a verb. */
#ifndef LATHE_RECORD_CLIP_H
#define LATHE_RECORD_CLIP_H

#include "model/clip.h"
#include "record/record.h"

/* ---- skeletons --------------------------------------------------------------------------------- */

/* Fills *out, which model_skeleton_init has seen, with skeleton number i, as it is: see
 * model_skeleton_check. LATHE_ERR_NAME past the last; empty where it fails. */
lathe_result rec_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err);
/* The number of the skeleton that the document is linked to (lathe_options.skeleton), where it is; NULL: to none. */
#define REC_LINKED UINT32_MAX
const model_skeleton *rec_linked(const lathe_doc *doc);
/* Whether there is a number i, readable or not; how many there are. */
lathe_result rec_skeleton_is(lathe_doc *doc, uint64_t i, bool *yes, lathe_error *err);
lathe_result rec_skeleton_count(lathe_doc *doc, uint64_t *n, lathe_error *err);

/* The option `name` of a verb as a skeleton, whose parents are checked and whose memory is doc's; the
 * caller frees it, or has nothing to free where it fails or nothing is given. It may be
 *   - a skeleton of any document, or a document: its first one. Names of bones are then borrowed from
 *     there until the next write, if the format does so;
 *   - {bones = {{parent = -1, name =, mirror =, pose = {t =, q =, s =}}, ...}, name =}, all but bones
 *     optional, or the list of bones itself, or a list of parents: {-1, 0, 1}. */
lathe_result rec_skeleton_arg(lathe_doc *doc, const lathe_source *args, const char *name,
                              model_skeleton *out, bool *given, lathe_error *err);
/* A skeleton of a document as such an option, for sources. */
lathe_value rec_skeleton_value(lathe_doc *doc, uint32_t i);

/* ---- materials ---------------------------------------------------------------------------------- */

/* The record that is material number i; LATHE_ERR_NAME past the last. */
lathe_result rec_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result rec_material_is(lathe_doc *doc, uint64_t i, bool *yes, lathe_error *err);
lathe_result rec_material_count(lathe_doc *doc, uint64_t *n, lathe_error *err);

/* ---- bodies -------------------------------------------------------------------------------------- */

/* The same of what collides. */
lathe_result rec_collider(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result rec_collider_is(lathe_doc *doc, uint64_t i, bool *yes, lathe_error *err);
lathe_result rec_collider_count(lathe_doc *doc, uint64_t *n, lathe_error *err);

/* ---- animations -------------------------------------------------------------------------------- */

struct model_motion;

typedef struct rec_clip {
    const rec_clips *hooks;
    model_clip facts;
    lathe_view source;
    const struct model_motion
        *draft;      /* what the open edit made of it; NULL: it is as it is stored */
    bool own_events; /* … with annotations of its own */
} rec_clip;

/* Clip number i of a document. LATHE_ERR_NAME past the last. */
lathe_result rec_clip_open(lathe_doc *doc, uint64_t i, rec_clip *out, lathe_error *err);
lathe_result rec_clip_is(lathe_doc *doc, uint64_t i, bool *yes, lathe_error *err);
lathe_result rec_clip_count(lathe_doc *doc, uint64_t *n, lathe_error *err);

/* Whether poses, floats and motion of the clip can be had: asked by what gives them, but whoever makes
 * room for them asks first. */
lathe_result rec_clip_ready(const rec_clip *clip, lathe_error *err);
/* An animation of a document as an option of a verb, for sources. */
lathe_value rec_clip_value(lathe_doc *doc, uint32_t i);
/* The option `name` as an animation: such a value, a document (its first one), or the record that it is. LATHE_ERR_TYPE, or
 * LATHE_ERR_INVALID where it is not there any more. */
lathe_result rec_clip_arg(const lathe_source *args, const char *name, rec_clip *out, bool *given,
                          lathe_error *err);

/* What binds it to a skeleton; .doc is NULL where nothing does. */
lathe_result rec_clip_binding(const rec_clip *clip, lathe_view *out, lathe_error *err);
/* LATHE_ERR_NAME past the last track. */
lathe_result rec_clip_track(const rec_clip *clip, uint64_t i, model_track *out, lathe_error *err);
/* All annotations in time order; those at one time as the file has them. */
lathe_result rec_clip_annotations(const rec_clip *clip,
                                  bool (*each)(void *user, const model_annotation *one), void *user,
                                  lathe_error *err);
/* Tracks first .. first + n as n rows of 10. A frame outside of the clip is LATHE_ERR_NAME; a time
 * counts as the nearest one inside; neither is NaN. skeleton: NULL, or checked. */
lathe_result rec_clip_sample(const rec_clip *clip, const model_when *when,
                             const model_skeleton *skeleton, uint64_t first, uint64_t n, float *out,
                             lathe_error *err);
/* All frames: frame_count times track_count rows. */
lathe_result rec_clip_decode(const rec_clip *clip, const model_skeleton *skeleton, float *out,
                             lathe_error *err);
/* Float tracks, in the same way: one number each. */
lathe_result rec_clip_float_track(const rec_clip *clip, uint64_t i, model_float_track *out,
                                  lathe_error *err);
lathe_result rec_clip_floats(const rec_clip *clip, const model_when *when, uint64_t first,
                             uint64_t n, float *out, lathe_error *err);
lathe_result rec_clip_decode_floats(const rec_clip *clip, float *out, lathe_error *err);
/* The times of all frames, s from the start: frame_count of them. */
lathe_result rec_clip_times(const rec_clip *clip, double *out, lathe_error *err);
/* The axes of root motion, of length 1. */
lathe_result rec_clip_axes(const rec_clip *clip, double up[3], double forward[3], lathe_error *err);
/* All frames, 4 numbers each, of a clip that has_motion. */
lathe_result rec_clip_motion(const rec_clip *clip, float *out, lathe_error *err);

/* The options `time` (s) or `frame` as a time; *given is false where there is neither. */
lathe_result rec_when_arg(const lathe_source *args, model_when *out, bool *given, lathe_error *err);

#endif
