/* 16-bit floats: IEEE 754 binary16, and the upper 16 bits of a binary32 ("truncated half"). */
#ifndef LATHE_BASE_HALF_H
#define LATHE_BASE_HALF_H

#include <stdint.h>

/* Exact. NaN payloads survive a round trip. */
double half_to_double(uint16_t h);
/* Rounds to nearest even. Overflow gives infinity, as in IEEE 754. */
uint16_t half_from_double(double v);

/* The same as the bits of a float, which is exact, too; faster in loops. */
static inline uint32_t half_to_f32_bits(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exp = h >> 10 & 0x1fu, fraction = h & 0x3ffu;
    if (exp == 0x1f)
        return sign | 0x7f800000u | fraction << 13;
    if (exp)
        return sign | (exp + 112) << 23 | fraction << 13;
    if (!fraction)
        return sign;
    for (exp = 113; !(fraction & 0x400u); exp--) /* until the leading one is implied */
        fraction <<= 1;
    return sign | exp << 23 | (fraction & 0x3ffu) << 13;
}

double half_upper_to_double(uint16_t h);
/* Rounds to nearest, ties away from zero: (bits + 0x8000) >> 16 of a float's bits, as Havok's tools do. */
uint16_t half_upper_from_double(double v);

#endif
