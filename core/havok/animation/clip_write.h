/* Animations written back: what clip_write.c consists of. */
#ifndef LATHE_HAVOK_CLIP_WRITE_H
#define LATHE_HAVOK_CLIP_WRITE_H

#include "havok/animation/clip.h"
#include "havok/animation/maths/spline_encode.h"
#include "model/motion.h"
#include "scene/motion.h"

/* All are called inside an edit, and write what differs from what is stored. First members and objects (clip_put.c). */

/* An array (or bytes) becomes n elements of `size` bytes each, which are in the file's byte order. LATHE_ERR_UNSUPPORTED
 * where the class has no such array. */
lathe_result hk_put_array(const rec_at *at, const char *name, uint64_t size, uint64_t n,
                          const void *bytes, lathe_error *err);
/* The same of n floats, and of n 32-bit or 16-bit numbers, in this machine's byte order. */
lathe_result hk_put_floats(const rec_at *at, const char *name, unsigned lanes, uint64_t n,
                           const float *values, lathe_error *err);
lathe_result hk_put_u32s(const rec_at *at, const char *name, uint64_t n, const uint32_t *values,
                         lathe_error *err);
lathe_result hk_put_i16s(const rec_at *at, const char *name, uint64_t n, const int16_t *values,
                         lathe_error *err);
/* A number; nothing where the class lacks the member. */
lathe_result hk_put_number(const rec_at *at, const char *name, double to, lathe_error *err);
lathe_result hk_put_integer(const rec_at *at, const char *name, int64_t to, lathe_error *err);
/* A new object of that class, behind the others: its part. */
lathe_result hk_add_object(lathe_doc *doc, uint32_t c, const char *class_name, uint32_t *part,
                           lathe_error *err);
/* An object goes; pointers to it become null. */
lathe_result hk_remove_object(lathe_doc *doc, uint32_t c, uint32_t part, lathe_error *err);

/* Options of the encoder; translations may be off by `translation` where nothing is given. */
#define HK_TOLERANCE 0.01 /* of Bethesda's units */
hk_encode_options hk_encode_options_of(const scene_precision *how, double translation);
/* hk_spline_encode that tells *told (which may be NULL) the bytes, and what is not as it was asked for of `path`. */
lathe_result hk_encode_with_report(const hk_samples *samples, const hk_encode_options *options,
                                   const mem *m, const char *path, lathe_report *told,
                                   hk_encoded *out, lathe_error *err);

/* Samples, each for its class (clip_poses.c, clip_plain.c). */
lathe_result hk_write_splines(const rec_at *at, const model_motion *m, const scene_precision *how,
                              lathe_report *report, lathe_error *err);
lathe_result hk_write_interleaved(const rec_at *at, const model_motion *m, lathe_error *err);
lathe_result hk_write_lossless(const rec_at *at, const model_motion *m, lathe_error *err);
/* What lies around them (clip_around.c). */
lathe_result hk_write_events(const rec_at *at, const model_motion *m, lathe_error *err);
lathe_result hk_write_moves(const rec_at *at, const model_motion *m, lathe_error *err);
lathe_result hk_write_binding(lathe_doc *doc, uint32_t binding, const model_motion *m,
                              lathe_error *err);

/* The hook: scene_clips.write. */
lathe_result hk_clip_write(lathe_view source, const model_motion *m, const scene_precision *how,
                           lathe_report *report, lathe_error *err);

#endif
