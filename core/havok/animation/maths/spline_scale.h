/* Splines made larger or smaller: the numbers that translations count from and reach to, in the blob as it is. Their
 * points count between these in 8 or 16 bits, and stay. */
#ifndef LATHE_HAVOK_SPLINE_SCALE_H
#define LATHE_HAVOK_SPLINE_SCALE_H

#include "havok/animation/maths/spline.h"

/* Writes the translations of all tracks, times the factor, to where they are in `to`, a copy of the blob; adds to
 * *changed how many there were, each once a block. What is 0 because nothing is stored stays. LATHE_ERR_RANGE: one
 * would be larger than a track can have; the offset in *err is one in the blob. */
lathe_result hk_spline_scale(const hk_spline *s, double factor, uint8_t *to, uint64_t *changed,
                             lathe_error *err);

#endif
