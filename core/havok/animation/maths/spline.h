/* hkaSplineCompressedAnimation: its blob of blocks, masks and B-splines as transforms.
 * Reference: formats/hkx-animation.md#6.
 *
 * Opening looks at every byte that steers, so that nothing after it can fail: splines are sampled from
 * the blob itself, without decoding the clip first. An open hk_spline is only read and may be used by
 * several threads at a time. The blob and the tables are borrowed and must stay as they are until it is
 * freed or sampled no more.
 *
 * All floats of the rows (havok/row.h) are finite: a blob with others outside of its rotations is
 * refused, and a rotation whose sum of control points has no direction is 0 0 0 1. */
#ifndef LATHE_HAVOK_SPLINE_H
#define LATHE_HAVOK_SPLINE_H

#include "base/mem.h"
#include "havok/animation/maths/row.h"
#include "model/clip.h"

enum { HK_FRAMES_MAX = 256 }; /* of a block: knots are bytes */

/* The members as they are stored; anything goes, hk_spline_open looks at them. */
typedef struct hk_spline_facts {
    const uint8_t *data;
    uint64_t size;
    bool big, tables_big; /* byte order of data; of block_offsets and float_block_offsets */
    int64_t transform_tracks, float_tracks, frames, blocks, max_frames_per_block;
    int64_t mask_size; /* maskAndQuantizationSize */
    double block_duration, block_inverse_duration, frame_duration;
    bytes_array block_offsets,
        float_block_offsets; /* the second only looked at where there are float tracks */
} hk_spline_facts;

typedef struct hk_spline {
    hk_spline_facts facts;
    mem mem;
    /* Where each track's data begins in the blob: of block 0 the transform tracks, then the float tracks; then
     * those of block 1 … */
    uint32_t *starts;
    size_t starts_size;
} hk_spline;

/* LATHE_ERR_BOUNDS, LATHE_ERR_INVALID, LATHE_ERR_UNSUPPORTED (a quantisation or degree that is not
 * known) or LATHE_ERR_MEMORY; the offset in *err is one in the blob, or `where` names the member. Takes 4 bytes of memory for each
 * track in each block, which is at most 4 times the blob. On failure *s needs no free, but may have one. */
lathe_result hk_spline_open(hk_spline *s, const hk_spline_facts *facts, const mem *m,
                            lathe_error *err);
void hk_spline_free(hk_spline *s);

/* A rotation in the data that has no direction, being of length 0 or no numbers: which of its track's
 * points, from 0, and where in the data. */
typedef struct hk_odd {
    uint64_t block, track, point, offset;
} hk_odd;
/* The next one behind *at, which begins as zeros. False: there are no more. */
bool hk_spline_odd(const hk_spline *s, hk_odd *at);

/* n rows of transform tracks first, first + 1 … at a moment, which counts as the nearest there is where
 * it lies outside of the clip or is not a number. first + n is at most transform_tracks. */
void hk_spline_sample(const hk_spline *s, const model_when *when, uint64_t first, uint64_t n,
                      float *rows);
/* n frames from `from` on, of all transform tracks: rows[frame * transform_tracks + track]. Frames behind
 * the last are as the last. */
void hk_spline_decode(const hk_spline *s, uint64_t from, uint64_t n, float *rows);

/* The same of float tracks, one float each. */
void hk_spline_floats_sample(const hk_spline *s, const model_when *when, uint64_t first, uint64_t n,
                             float *values);
void hk_spline_floats_decode(const hk_spline *s, uint64_t from, uint64_t n, float *values);

#endif
