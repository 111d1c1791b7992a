/* Poses as the game blends them, and access to key frames for the verbs of animations. Reference:
 * formats/wolfire.md#2.3 to 2.5. Times here are ms from the start of the clip. */
#ifndef LATHE_WOLFIRE_ANM_POSE_H
#define LATHE_WOLFIRE_ANM_POSE_H

#include "model/clip.h"
#include "scene/hooks.h"
#include "wolfire/anm.h"

/* ---- maths (anm_pose.c) ------------------------------------------------------------------------- */

/* What the game keeps of a matrix, and the scale, which it drops. */
typedef struct anm_pose {
    vec3 t;
    quat q;
    vec3 s;
} anm_pose;

anm_pose anm_pose_of(const mat4 *m);
/* Converts to a matrix, whatever the length of q; the bottom row is taken from `base`. */
mat4 anm_pose_matrix(const anm_pose *pose, const mat4 *base);
/* Converts between model space and the parent's space. Scale is not inherited: each pose keeps its own. */
anm_pose anm_pose_relative(const anm_pose *parent, const anm_pose *pose);
anm_pose anm_pose_absolute(const anm_pose *parent, const anm_pose *pose);
/* Catmull-Rom weights of four consecutive frames, at fraction p between the second and the third. */
void anm_weights(double p, double w[4]);
/* Blends four poses as the game does: the quaternion is not normalised. */
anm_pose anm_blend(const anm_pose pose[4], const double w[4]);
vec3 anm_turn(vec3 v, double angle); /* rotates about the up axis; radians */
mat4 anm_turn_matrix(const mat4 *m, double angle);
/* Returns -v, but leaves zeros unchanged, so that their bytes stay the same. */
double anm_negated(double v);
/* Mirrors in the plane x = 0. */
mat4 anm_reflect(const mat4 *m);

/* ---- key frames (anm_frame.c) -------------------------------------------------------------------- */

/* Elements of equal size in a key frame. Valid until the next write. Empty if the file's version has no such
 * field. */
typedef struct anm_items {
    const uint8_t *data;
    uint64_t count, step;
} anm_items;

lathe_result anm_items_of(const rec_at *frame, const char *name, anm_items *out, lathe_error *err);
mat4 anm_items_matrix(const anm_items *items, uint64_t i); /* of element i, at its start */
double anm_items_number(const anm_items *items, uint64_t i);
/* All matrices of a field (bone_matrices, weapon_matrices); free them with anm_matrices_free. */
typedef struct anm_matrices {
    const mem *mem;
    mat4 *m;
    uint64_t count;
} anm_matrices;

lathe_result anm_matrices_read(const rec_at *frame, const char *name, anm_matrices *out,
                               lathe_error *err);
lathe_result anm_matrices_write(const rec_at *frame, const char *name, const anm_matrices *in,
                                lathe_error *err);
void anm_matrices_free(anm_matrices *matrices);
/* The same for fields of numbers: n elements of one or more numbers each. */
lathe_result anm_numbers_write(const rec_at *frame, const char *name, const double *numbers,
                               uint64_t n, lathe_error *err);

/* Position and heading of the character, separate from the pose. */
typedef struct anm_place {
    double rotation;
    vec3 offset;
} anm_place;

/* Read and write the mobility matrix of a frame; *has is false if it has none. */
lathe_result anm_mobility(const rec_at *frame, mat4 *m, bool *has, lathe_error *err);
lathe_result anm_set_mobility(const rec_at *frame, const mat4 *m, lathe_error *err);
/* Position and heading stored in a frame of a centred file. */
lathe_result anm_stored_place(const rec_at *frame, anm_place *out, lathe_error *err);
lathe_result anm_set_place(const rec_at *frame, const anm_place *place, lathe_error *err);
/* For a file that is not centred: position and heading that the game derives from a frame's mobility matrix
 * or, without one, from its bones. Of all equivalent headings, returns the nearest to that of the previous
 * frame (before; NULL: none). */
lathe_result anm_found_place(const rec_at *frame, const double *before, anm_place *out,
                             bool *mobile, lathe_error *err);
/* Convert stored offsets to world positions and back: a step is stored in the heading of the frame at its end
 * (2.4). n is at least 1. */
void anm_to_world(anm_place *places, uint64_t n);
void anm_from_world(anm_place *places, uint64_t n);
/* The next world position, from the previous one and the stored values of both frames. */
vec3 anm_step(vec3 world, vec3 before, const anm_place *now);

lathe_result anm_time(lathe_doc *doc, const anm_facts *facts, uint64_t i, double *ms,
                      lathe_error *err);
lathe_result anm_set_time(const rec_at *frame, int64_t time, lathe_error *err);
/* Reads a field of a record by name: 0 if the version has no such field. */
lathe_result anm_real(const rec_at *record, const char *name, double *out, lathe_error *err);
lathe_result anm_set_real(const rec_at *record, const char *name, double v, lathe_error *err);

/* Calls `visit` for each frame in order, until one call fails. */
typedef lathe_result anm_visit(void *user, const rec_at *frame, uint64_t i, lathe_error *err);
lathe_result anm_each(lathe_doc *doc, anm_visit *visit, void *user, lathe_error *err);
/* Element i of an array of records in a frame. */
lathe_result anm_item(const rec_at *frame, const char *array, uint64_t i, rec_at *out,
                      lathe_error *err);
/* Event i of a frame, and its name, which is borrowed until the next write (anm_events.c). */
lathe_result anm_event_at(const rec_at *frame, uint64_t i, rec_at *event, lathe_value *name,
                          lathe_error *err);
/* Appends a copy of a frame without its events, which happen only once. */
lathe_result anm_append_copy(const rec_at *frame, uint32_t *part, lathe_error *err);
/* Sets an error at a frame. */
lathe_result anm_refuse(const rec_at *frame, const char *row, lathe_error *err, lathe_result code,
                        const char *fmt, ...) ERROR_PRINTF(5, 6);

/* ---- annotations (anm_events.c): hooks of scene_clips ------------------------------------------------- */

lathe_result anm_annotations(lathe_view source,
                             bool (*each)(void *user, const model_annotation *one), void *user,
                             lathe_error *err);
lathe_result anm_annotation(lathe_view source, model_annotation *out, lathe_error *err);
lathe_result anm_annotation_set(lathe_view source, const model_annotation *was,
                                const model_annotation *now, lathe_view *stored, lathe_error *err);
lathe_result anm_annotation_add(lathe_view source, const model_annotation *now, lathe_view *stored,
                                lathe_error *err);
lathe_result anm_annotation_remove(lathe_view source, const model_annotation *was,
                                   lathe_error *err);

/* ---- sampling (anm_sample.c) ---------------------------------------------------------------------- */

/* The frames that are blended for a moment, and their weights: frame[1] is at or before it. */
typedef struct anm_moment {
    uint64_t frame[4];
    double p, w[4];
    bool is_key; /* the moment is exactly at frame[1] */
} anm_moment;

lathe_result anm_moment_at(lathe_doc *doc, const anm_facts *facts, double ms, anm_moment *out,
                           lathe_error *err);
/* The same, if the last frame in file order with a time up to `ms` is known (NULL: all frames are in order of
 * time). */
lathe_result anm_moment_after(lathe_doc *doc, const anm_facts *facts, const uint64_t *last,
                              double ms, anm_moment *out, lathe_error *err);
/* Key frame `frame`, or a moment between two frames. */
anm_moment anm_moment_of(const anm_facts *facts, double frame);

/* Matrices of the four frames of a moment, borrowed until the next write. */
typedef struct anm_four {
    anm_items items[4];
    const anm_moment *moment;
} anm_four;

/* LATHE_ERR_INVALID: one of the frames has fewer than n. */
lathe_result anm_four_of(lathe_doc *doc, const anm_moment *moment, const char *name, uint64_t n,
                         anm_four *out, lathe_error *err);
/* Blends matrix i, relative to matrix `parent` of each frame (-1: not relative). */
anm_pose anm_four_pose(const anm_four *four, uint64_t i, int64_t parent);

/* Writes a pose as the ten values of an animation row. */
void anm_pose_row(const anm_pose *pose, float row[MODEL_POSE]);
/* Root motion of all n frames, as scene_clips defines it. Steps and headings accumulate (anm_clip.c). */
lathe_result anm_motion(lathe_view source, uint64_t n, float *out, lathe_error *err);
/* Hook that writes an animation back (anm_write.c). */
lathe_result anm_clip_write(lathe_view source, const struct model_motion *m,
                            const struct scene_precision *how, lathe_report *report,
                            lathe_error *err);
/* Writes its annotations as events of key frames, whose times must be set (anm_write_events.c). */
lathe_result anm_write_events(lathe_doc *doc, const struct model_motion *m, lathe_report *report,
                              lathe_error *err);
/* Converts seconds from the start of the clip to a time of the file. */
lathe_result anm_file_time(const anm_facts *facts, double seconds, const char *what, int64_t *out,
                           lathe_error *err);

/* LATHE_ERR_INVALID: the skeleton does not have n bones. */
lathe_result anm_fits(const model_skeleton *skeleton, uint64_t n, lathe_error *err);
/* Bones with parents before their children; the caller frees n numbers. */
lathe_result anm_bone_order(const model_skeleton *skeleton, uint32_t **order, lathe_error *err);

/* Changes `frame`, a copy of the moment's frame[1], to what the game shows at that moment. skeleton NULL:
 * blends poses in model space. The caller sets time, events and chains (anm_moment.c). */
lathe_result anm_make_moment(lathe_doc *doc, const anm_moment *moment,
                             const model_skeleton *skeleton, const rec_at *frame, lathe_error *err);

#endif
