/* Control points packed: the other way round of spline_point.c. Internal to core/havok/animation/maths/.
 * Reference: formats/hkx-animation.md#6.4.
 *
 * All tell what readers make of what was written, in double, so that nobody who decides by it depends on the
 * order in which a reader adds floats, or on a library's sine. */
#ifndef LATHE_HAVOK_SPLINE_PACK_H
#define LATHE_HAVOK_SPLINE_PACK_H

#include "havok/animation/maths/spline_part.h"

/* A rotation of length 1 as hk_packing_size bytes, and as it is read. POLAR32, THREECOMP40, THREECOMP48 and
 * UNCOMPRESSED. */
void hk_pack_rotation(hk_packing packing, const double q[4], uint8_t *out, double back[4]);

/* The nearest of `most` steps (255 or 65535) between low and high. */
uint16_t hk_pack_scalar(float low, float high, unsigned most, double v, double *back);

/* 0 to half a right angle and more (1.6); 0 to 1. Exact to 1e-12 and the same everywhere. */
double hk_sine(double x);
double hk_arcsine(double x);

#endif
