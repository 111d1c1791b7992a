#include "base/bytes.h"

#include <float.h>

uint64_t bytes_ld(const uint8_t *p, unsigned width, bool big)
{
    switch (width) {
    case 1: return bytes_ld8(p);
    case 2: return bytes_ld16(p, big);
    case 4: return bytes_ld32(p, big);
    case 8: return bytes_ld64(p, big);
    default: return 0;
    }
}

void bytes_st(uint8_t *p, uint64_t v, unsigned width, bool big)
{
    switch (width) {
    case 1: bytes_st8(p, (uint8_t)v); break;
    case 2: bytes_st16(p, (uint16_t)v, big); break;
    case 4: bytes_st32(p, (uint32_t)v, big); break;
    case 8: bytes_st64(p, v, big); break;
    default: break;
    }
}

/* ---- floats --------------------------------------------------------------------------------- */

double bytes_f32_widen(uint32_t bits)
{
    uint64_t fraction = bits & 0x7fffff;
    if ((bits >> 23 & 0xff) == 0xff && fraction != 0) /* a cast would make a signalling NaN quiet */
        return bytes_f64_from((uint64_t)(bits >> 31) << 63 | UINT64_C(0x7ff) << 52 |
                              fraction << 29);
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

uint32_t bytes_f32_narrow(double v)
{
    uint64_t wide = bytes_f64_bits(v), fraction = wide & ((UINT64_C(1) << 52) - 1);
    uint32_t sign = (uint32_t)(wide >> 63) << 31, bits;
    if ((wide >> 52 & 0x7ff) == 0x7ff && fraction != 0) {
        uint32_t payload = (uint32_t)(fraction >> 29);
        /* If the payload has only bits that are lost, the result would be infinity: make it a quiet NaN. */
        return sign | 0x7f800000u | (payload ? payload : 0x400000u);
    }
    /* Casts of values out of range are undefined in C. The limit is half a step above the largest float, where
     * rounding to even goes up. */
    const double limit = 0x1.ffffffp127;
    if (v >= limit || v <= -limit)
        return sign | 0x7f800000u;
    float f = v > (double)FLT_MAX ? FLT_MAX : v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* ---- bulk ----------------------------------------------------------------------------------- */

static void swap16(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes_st16(to + 2 * i, bytes_ld16(from + 2 * i, true), false);
}

/* Plain loads and stores, which compilers turn into vector shuffles. */
static void swap32(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t v;
        memcpy(&v, from + 4 * i, 4);
        v = v >> 24 | (v >> 8 & 0xff00u) | (v << 8 & 0xff0000u) | v << 24;
        memcpy(to + 4 * i, &v, 4);
    }
}

static void swap64(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t v;
        memcpy(&v, from + 8 * i, 8);
        v = (v >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (v & UINT64_C(0x00ff00ff00ff00ff)) << 8;
        v = (v >> 16 & UINT64_C(0x0000ffff0000ffff)) | (v & UINT64_C(0x0000ffff0000ffff)) << 16;
        v = v >> 32 | v << 32;
        memcpy(to + 8 * i, &v, 8);
    }
}

static void reverse_each(uint8_t *at, size_t n, unsigned width)
{
    for (; n > 0; n--, at += width) {
        for (unsigned i = 0, j = width - 1; i < j; i++, j--) {
            uint8_t t = at[i];
            at[i] = at[j];
            at[j] = t;
        }
    }
}

void bytes_copy_swap(uint8_t *to, const uint8_t *from, size_t n, unsigned width, bool swap)
{
    if (n == 0 || width == 0)
        return;
    if (swap && width == 2) {
        swap16(to, from, n);
    } else if (swap && width == 4) {
        swap32(to, from, n);
    } else if (swap && width == 8) {
        swap64(to, from, n);
    } else {
        memmove(to, from, n * width);
        if (swap)
            reverse_each(to, n, width);
    }
}
