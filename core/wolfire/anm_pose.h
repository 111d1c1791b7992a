/* Poses as the game blends them, and key frames as the verbs of animations read and write them.
 * Reference: formats/wolfire.md#2.3 to 2.5. Times here are ms from the clip's start. */
#ifndef LATHE_WOLFIRE_ANM_POSE_H
#define LATHE_WOLFIRE_ANM_POSE_H

#include "model/clip.h"
#include "scene/hooks.h"
#include "wolfire/anm.h"

/* ---- maths (anm_pose.c) ------------------------------------------------------------------------- */

/* What the game keeps of a matrix, and beside it the scale, which it loses. */
typedef struct anm_pose {
    vec3 t;
    quat q;
    vec3 s;
} anm_pose;

anm_pose anm_pose_of(const mat4 *m);
/* The same as a matrix, whatever the length of q; the bottom row is that of `base`. */
mat4 anm_pose_matrix(const anm_pose *pose, const mat4 *base);
/* Scale is not handed down: each pose keeps its own. */
anm_pose anm_pose_relative(const anm_pose *parent, const anm_pose *pose);
anm_pose anm_pose_absolute(const anm_pose *parent, const anm_pose *pose);
/* Catmull-Rom weights of four frames in a row, p of the way from the second to the third. */
void anm_weights(double p, double w[4]);
/* One pose of four, as the game blends them: the quaternion does not come out at unit length. */
anm_pose anm_blend(const anm_pose pose[4], const double w[4]);
vec3 anm_turn(vec3 v, double angle); /* about the up axis, in radians */
mat4 anm_turn_matrix(const mat4 *m, double angle);
/* But a zero stays the zero that it is: its bytes need not change. */
double anm_negated(double v);
/* Seen in the mirror plane x = 0. */
mat4 anm_reflect(const mat4 *m);

/* ---- key frames (anm_frame.c) -------------------------------------------------------------------- */

/* Elements of one size in a key frame, read through a cursor. Good until the next write. None where
 * the file's version has no such row. */
typedef struct anm_items {
    const uint8_t *data;
    uint64_t count, step;
} anm_items;

lathe_result anm_items_of(const rec_at *frame, const char *name, anm_items *out, lathe_error *err);
mat4 anm_items_matrix(const anm_items *items, uint64_t i); /* at the start of element i */
double anm_items_number(const anm_items *items, uint64_t i);
/* All matrices of a row (bone_matrices, weapon_matrices), to be freed with anm_matrices_free. */
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
/* The same for rows of numbers: n elements of one or more numbers each. */
lathe_result anm_numbers_write(const rec_at *frame, const char *name, const double *numbers,
                               uint64_t n, lathe_error *err);

/* Where the character is, apart from the pose. */
typedef struct anm_place {
    double rotation;
    vec3 offset;
} anm_place;

/* False in *has where the frame has no mobility matrix. */
lathe_result anm_mobility(const rec_at *frame, mat4 *m, bool *has, lathe_error *err);
lathe_result anm_set_mobility(const rec_at *frame, const mat4 *m, lathe_error *err);
/* Of a centered file: what a frame stores. */
lathe_result anm_stored_place(const rec_at *frame, anm_place *out, lathe_error *err);
lathe_result anm_set_place(const rec_at *frame, const anm_place *place, lathe_error *err);
/* Of a file that is not: what the game makes of a frame's mobility matrix or, without one, of its
 * bones. The heading is the one next to that of the frame before (NULL: none). */
lathe_result anm_found_place(const rec_at *frame, const double *before, anm_place *out,
                             bool *mobile, lathe_error *err);
/* Offsets as stored become places in the world, and back: a step is stored in the heading of the
 * frame that it leads to (2.4). There is at least one. */
void anm_to_world(anm_place *places, uint64_t n);
void anm_from_world(anm_place *places, uint64_t n);
/* The next place in the world, from the last one and what the two frames store. */
vec3 anm_step(vec3 world, vec3 before, const anm_place *now);

lathe_result anm_time(lathe_doc *doc, const anm_facts *facts, uint64_t i, double *ms,
                      lathe_error *err);
lathe_result anm_set_time(const rec_at *frame, int64_t time, lathe_error *err);
/* A row of a record, by name: 0 where the version has no such row. */
lathe_result anm_real(const rec_at *record, const char *name, double *out, lathe_error *err);
lathe_result anm_set_real(const rec_at *record, const char *name, double v, lathe_error *err);

/* Every frame on its own, in order, until one fails. */
typedef lathe_result anm_visit(void *user, const rec_at *frame, uint64_t i, lathe_error *err);
lathe_result anm_each(lathe_doc *doc, anm_visit *visit, void *user, lathe_error *err);
/* Element i of an array of records in a frame. */
lathe_result anm_item(const rec_at *frame, const char *array, uint64_t i, rec_at *out,
                      lathe_error *err);
/* Event i of a frame, and its name, which is borrowed until the next write (anm_events.c). */
lathe_result anm_event_at(const rec_at *frame, uint64_t i, rec_at *event, lathe_value *name,
                          lathe_error *err);
/* A new last frame that is a copy of one, but for events: they happen only once. */
lathe_result anm_append_copy(const rec_at *frame, uint32_t *part, lathe_error *err);
/* An error at a frame. */
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

/* The frames that a moment is blended from, and how: frame[1] is the one at or before it. */
typedef struct anm_moment {
    uint64_t frame[4];
    double p, w[4];
    bool is_key; /* exactly frame[1] */
} anm_moment;

lathe_result anm_moment_at(lathe_doc *doc, const anm_facts *facts, double ms, anm_moment *out,
                           lathe_error *err);
/* The same where the last frame in file order that is not behind `ms` is known (NULL: all are). */
lathe_result anm_moment_after(lathe_doc *doc, const anm_facts *facts, const uint64_t *last,
                              double ms, anm_moment *out, lathe_error *err);
/* Key frame number `frame`, or a moment between two. */
anm_moment anm_moment_of(const anm_facts *facts, double frame);

/* Matrices of the four frames of a moment, borrowed until the next write. */
typedef struct anm_four {
    anm_items items[4];
    const anm_moment *moment;
} anm_four;

/* LATHE_ERR_INVALID where one of the frames has fewer than n. */
lathe_result anm_four_of(lathe_doc *doc, const anm_moment *moment, const char *name, uint64_t n,
                         anm_four *out, lathe_error *err);
/* Matrix i blended, relative to matrix `parent` of each frame (-1: as it is). */
anm_pose anm_four_pose(const anm_four *four, uint64_t i, int64_t parent);

/* A pose as ten numbers of an animation's row. */
void anm_pose_row(const anm_pose *pose, float row[MODEL_POSE]);
/* Root motion of all n frames, as scene_clips has it. Steps and headings build on what came before. (anm_clip.c) */
lathe_result anm_motion(lathe_view source, uint64_t n, float *out, lathe_error *err);
/* The hook that writes an animation back. (anm_write.c) */
lathe_result anm_clip_write(lathe_view source, const struct model_motion *m,
                            const struct scene_precision *how, lathe_report *report,
                            lathe_error *err);
/* Its annotations, as events of key frames, whose times are set. (anm_write_events.c) */
lathe_result anm_write_events(lathe_doc *doc, const struct model_motion *m, lathe_report *report,
                              lathe_error *err);
/* Seconds from the clip's start as a time of the file. */
lathe_result anm_file_time(const anm_facts *facts, double seconds, const char *what, int64_t *out,
                           lathe_error *err);

/* LATHE_ERR_INVALID where the skeleton is not one of n bones. */
lathe_result anm_fits(const model_skeleton *skeleton, uint64_t n, lathe_error *err);
/* Bones with parents in front of their children, to be freed as n numbers. */
lathe_result anm_bone_order(const model_skeleton *skeleton, uint32_t **order, lathe_error *err);

/* Makes of `frame`, a copy of the moment's frame[1], what the game shows at that moment. skeleton NULL:
 * poses are blended in model space. Time, events and chains are the caller's. (anm_moment.c) */
lathe_result anm_make_moment(lathe_doc *doc, const anm_moment *moment,
                             const model_skeleton *skeleton, const rec_at *frame, lathe_error *err);

#endif
