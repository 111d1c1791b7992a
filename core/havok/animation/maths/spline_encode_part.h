/* Parts of tracks as bytes of a block. Internal to core/havok/animation/maths/. Reference: formats/hkx-animation.md#6.3. */
#ifndef LATHE_HAVOK_SPLINE_ENCODE_PART_H
#define LATHE_HAVOK_SPLINE_ENCODE_PART_H

#include "havok/animation/maths/spline_encode.h"
#include "havok/animation/maths/spline_fit.h"

/* Writes the parts of one block behind each other. */
typedef struct hk_part_writer {
    buf *out;
    size_t block; /* where it starts in out */
    unsigned frames;
    bool follows;                     /* a block with which it shares its first frame */
    double samples[HK_FRAMES_MAX][4]; /* of the part that is to be written */
    hk_fit_shape kept;
    hk_fitter fitter;
} hk_part_writer;

/* Zeros until the block has a multiple of `align`. False: no memory. */
bool hk_write_pad(hk_part_writer *w, unsigned align);

/* A vector of `lanes` axes, 1 to 3, which are `rest` where nothing is stored. `end`: where the block before ended
 * its part, replaced by where this one does. *mask: bits 0-2 still, 4-6 moving. False: no memory. */
bool hk_write_vector(hk_part_writer *w, unsigned lanes, double rest, double tolerance,
                     double end[3], uint8_t *mask, bool *is_small);

typedef enum hk_wrote { HK_WROTE, HK_TOO_COARSE, HK_NO_MEMORY } hk_wrote;
/* The samples are of length 1. *mask: 0, 0x0f or 0xf0. HK_TOO_COARSE: nothing was written. */
hk_wrote hk_write_rotation(hk_part_writer *w, hk_packing packing, double tolerance, double end[4],
                           uint8_t *mask);
/* How far the samples' nearest packed rotations are from them, in radians. */
double hk_rotation_floor(hk_part_writer *w, hk_packing packing);
/* The turn that a chord between two rotations of length 1 stands for. */
double hk_turn_of_chord(double square);

#endif
