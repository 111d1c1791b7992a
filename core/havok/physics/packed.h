/* Numbers that Havok packs: three in 8 bytes, a rotation in 8, a vertex in 4 or 8. Reference:
 * formats/fo4-collision.md#3.4 and #3.6. */
#ifndef LATHE_HAVOK_PHYSICS_PACKED_H
#define LATHE_HAVOK_PHYSICS_PACKED_H

#include <stdbool.h>
#include <stdint.h>

/* hkPackedVector3: number i is packed[i] * 65536 times the float whose upper half is packed[3]. */
void hk_unpack_vector3(const uint16_t packed[4], double out[3]);
/* The smallest exponent at which all three fit, as Havok's tools choose it. Zeros keep packed[3] as it is. False, and
 * nothing changed: one of them is no number, or too large. */
bool hk_pack_vector3(const double v[3], uint16_t packed[4]);

/* A unit quaternion x y z w. False: it is none. */
bool hk_pack_quaternion(const double v[4],
                        uint16_t packed[4]); /* false: not in -1.09226 .. 1.09223 */

#endif
