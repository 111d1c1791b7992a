/* hkaInterleavedUncompressedAnimation and hkaLosslessCompressedAnimation: every frame is stored. Moments
 * between two are blended: rotations the short way round, by their numbers. Reference:
 * formats/hkx-animation.md#3; no file with either is known, so nothing here was seen to be so.
 *
 * Rows are as havok/row.h has them. Translations, scales and floats are as stored: not looked at, so they
 * may be infinite or not a number. The arrays are borrowed; nothing is allocated, nothing needs a free,
 * and an open hk_uncompressed may be used by several threads at a time. */
#ifndef LATHE_HAVOK_UNCOMPRESSED_H
#define LATHE_HAVOK_UNCOMPRESSED_H

#include "havok/animation/maths/row.h"
#include "model/clip.h"

/* The members as they are stored; anything goes, the open functions look at them. */
typedef struct hk_interleaved_facts {
    bool big;
    int64_t transform_tracks, float_tracks;
    double duration;
    bytes_array transforms; /* hkQsTransform of 48 bytes: frame * transform_tracks + track */
    bytes_array floats;     /* f32: frame * float_tracks + track */
} hk_interleaved_facts;

/* The codes say of each axis (rotations: of all) where it is; reference section 3. */
typedef struct hk_lossless_facts {
    bool big;
    int64_t transform_tracks, float_tracks, frames;
    double duration;
    bytes_array dynamic_translations, static_translations; /* f32 */
    bytes_array translation_codes;                         /* four u16 for each track */
    bytes_array dynamic_rotations, static_rotations;       /* four f32 each */
    bytes_array rotation_codes;                            /* u16 for each track */
    bytes_array dynamic_scales, static_scales, scale_codes;
    bytes_array floats; /* f32: frame * float_tracks + track */
} hk_lossless_facts;

typedef struct hk_uncompressed {
    bool big, is_lossless;
    uint64_t transform_tracks, float_tracks, frames;
    double duration;
    bytes_array transforms, floats;
    hk_lossless_facts lossless;
} hk_uncompressed;

/* LATHE_ERR_INVALID or LATHE_ERR_BOUNDS, without an offset: arrays that do not hold the same number of
 * frames, or none, or codes that point outside of them. */
lathe_result hk_interleaved_open(hk_uncompressed *u, const hk_interleaved_facts *facts,
                                 lathe_error *err);
lathe_result hk_lossless_open(hk_uncompressed *u, const hk_lossless_facts *facts, lathe_error *err);

/* As hk_spline_sample and its like in havok/spline.h. */
void hk_uncompressed_sample(const hk_uncompressed *u, const model_when *when, uint64_t first,
                            uint64_t n, float *rows);
void hk_uncompressed_decode(const hk_uncompressed *u, uint64_t from, uint64_t n, float *rows);
void hk_uncompressed_floats_sample(const hk_uncompressed *u, const model_when *when, uint64_t first,
                                   uint64_t n, float *values);
void hk_uncompressed_floats_decode(const hk_uncompressed *u, uint64_t from, uint64_t n,
                                   float *values);

#endif
