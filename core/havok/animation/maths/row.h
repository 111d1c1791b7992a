/* Rows: what all of Havok's animations are decoded to. */
#ifndef LATHE_HAVOK_ROW_H
#define LATHE_HAVOK_ROW_H

#include "base/bytes.h"

/* Floats of a row: translation x y z, rotation x y z w, scale x y z. Rotations have length 1. */
enum { HK_ROW = 10 };

/* n rotations x y z w to length 1. One without a direction (of length 0 or infinite, or not a number)
 * becomes 0 0 0 1. */
void hk_unit(float (*q)[4], unsigned n);

#endif
