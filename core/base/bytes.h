/* Reads and writes numbers of either byte order at any alignment. No other code reads bytes of files as numbers.
 *
 * These functions do not check bounds: the caller guarantees that the bytes exist. */
#ifndef LATHE_BASE_BYTES_H
#define LATHE_BASE_BYTES_H

#include "lathe.h"

#include <string.h>

static inline uint8_t bytes_ld8(const uint8_t *p)
{
    return p[0];
}
static inline uint16_t bytes_ld16(const uint8_t *p, bool big)
{
    return big ? (uint16_t)((unsigned)p[0] << 8 | p[1]) : (uint16_t)((unsigned)p[1] << 8 | p[0]);
}
static inline uint32_t bytes_ld32(const uint8_t *p, bool big)
{
    return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
               : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}
static inline uint64_t bytes_ld64(const uint8_t *p, bool big)
{
    uint64_t hi = bytes_ld32(big ? p : p + 4, big), lo = bytes_ld32(big ? p + 4 : p, big);
    return hi << 32 | lo;
}
/* width 1, 2, 4 or 8 */
uint64_t bytes_ld(const uint8_t *p, unsigned width, bool big);

static inline void bytes_st8(uint8_t *p, uint8_t v)
{
    p[0] = v;
}
static inline void bytes_st16(uint8_t *p, uint16_t v, bool big)
{
    p[big ? 0 : 1] = (uint8_t)(v >> 8);
    p[big ? 1 : 0] = (uint8_t)v;
}
static inline void bytes_st32(uint8_t *p, uint32_t v, bool big)
{
    bytes_st16(big ? p : p + 2, (uint16_t)(v >> 16), big);
    bytes_st16(big ? p + 2 : p, (uint16_t)v, big);
}
static inline void bytes_st64(uint8_t *p, uint64_t v, bool big)
{
    bytes_st32(big ? p : p + 4, (uint32_t)(v >> 32), big);
    bytes_st32(big ? p + 4 : p, (uint32_t)v, big);
}
void bytes_st(uint8_t *p, uint64_t v, unsigned width, bool big);

/* Bits of a float as a double and back. Not a plain cast: the bits of a NaN survive the round trip,
 * signalling ones too. */
double bytes_f32_widen(uint32_t bits);
uint32_t bytes_f32_narrow(double v); /* rounds to nearest even */
static inline double bytes_f64_from(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
static inline uint64_t bytes_f64_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* Copies n elements of `width` bytes, and reverses the bytes of each one if `swap` is set. */
void bytes_copy_swap(uint8_t *to, const uint8_t *from, size_t n, unsigned width, bool swap);

/* A stored array: its bytes, and the number of its elements. */
typedef struct bytes_array {
    const uint8_t *bytes;
    uint64_t count;
} bytes_array;

#endif
