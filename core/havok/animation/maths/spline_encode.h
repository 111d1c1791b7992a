/* Samples as the blob of hkaSplineCompressedAnimation: what spline.h reads. Reference: formats/hkx-animation.md#6.
 *
 * ENCODING.md says how. Knows nothing of files; writes little-endian. The bytes are the same on every machine: doubles in
 * one order, no fused operations, no function of libm but sqrt and floor. */
#ifndef LATHE_HAVOK_SPLINE_ENCODE_H
#define LATHE_HAVOK_SPLINE_ENCODE_H

#include "havok/animation/maths/spline.h"

typedef enum hk_quantization {
    HK_QUANTIZE_40, /* THREECOMP40, as games do; the default */
    HK_QUANTIZE_48,
    HK_QUANTIZE_32,
    HK_QUANTIZE_NONE
} hk_quantization;

/* How far what is read may be from the samples, at every frame: one number, or one for each track. */
typedef struct hk_tolerance {
    double all;
    const double *each; /* of track_count numbers (float tracks: of float_tracks); NULL: `all` */
} hk_tolerance;

typedef struct hk_encode_options {
    uint32_t max_frames_per_block; /* 2 to 256; 0: 256 */
    hk_quantization quantization;
    bool named; /* else a finer one is taken where this one cannot meet the tolerance */
    hk_tolerance translation,
        rotation; /* units; radians: twice the angle's half, the turn between the two */
    hk_tolerance scale, value; /* ratios; what float tracks hold */
    /* The clip that these samples are an edit of, or NULL. Where it has the same frames, tracks and blocks, a track
     * with touched[k] == 0 keeps its bytes (quantisation and all), whatever the tolerance: touched has transform_tracks
     * + float_tracks entries. A block whose tracks are all untouched is the same bytes. */
    const hk_spline *old;
    const uint8_t *touched;
} hk_encode_options;

/* What was written, measured on the written bytes at all frames. Errors do not count tracks that kept their bytes. */
typedef struct hk_encode_report {
    double translation, rotation, scale, value;                           /* the greatest errors */
    uint64_t translation_track, rotation_track, scale_track, value_track; /* where */
    hk_quantization quantization; /* of the tracks that were written anew */
    uint64_t spline_floats; /* float tracks written as splines, a layout that no known file has */
    /* Tracks whose tolerance 16 bits of a channel's range cannot meet: told through `coarse`. */
    uint64_t coarse_count;
} hk_encode_report;

typedef struct hk_encoded {
    buf data;
    uint32_t *block_offsets, *float_block_offsets; /* blocks of them */
    uint32_t blocks, max_frames_per_block, mask_size;
    size_t offsets_room;
} hk_encoded;

typedef struct hk_samples {
    uint64_t frames, transform_tracks, float_tracks;
    const float *
        rows; /* rows[(frame * transform_tracks + track) * HK_ROW]; rotations need not be of length 1 */
    const float *values; /* values[frame * float_tracks + track] */
} hk_samples;

/* Tells a track that 16 bits cannot meet: the channel ("translation", "scale", "value"), the error and the tolerance. */
typedef void hk_coarse_fn(void *user, const char *channel, uint64_t track, double error,
                          double tolerance);

/* Makes *out, whose memory is m's and which needs hk_encoded_free unless this fails. LATHE_ERR_RANGE: a tolerance that is
 * not above 0; one that the named quantisation cannot meet ("rotation of track 12: quantization 40 comes to 0.00071 rad, the
 * tolerance is 0.0001"); numbers of frames, tracks or a block's frames that the format has no room for. LATHE_ERR_INVALID: a
 * sample that is not finite, or a rotation of length 0 ("rotation of track 12 at frame 7 …"). */
lathe_result hk_spline_encode(const hk_samples *samples, const hk_encode_options *options,
                              const mem *m, hk_encoded *out, hk_encode_report *report,
                              hk_coarse_fn *coarse, void *user, lathe_error *err);
void hk_encoded_free(hk_encoded *e, const mem *m);

#endif
