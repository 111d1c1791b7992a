#include "havok/animation/maths/row.h"

#include <math.h>
#include <string.h>

/* 1 / sqrt(x), to the last bit or two: a first guess by halving the exponent, then Newton. Unlike sqrtf,
 * which may set errno, it works on four at a time. */
static inline float inverse_root(float x)
{
    uint32_t bits;
    float y, half = 0.5f * x;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5f375a86u - (bits >> 1);
    memcpy(&y, &bits, sizeof y);
    for (int i = 0; i < 3; i++)
        y *= 1.5f - half * y * y;
    return y;
}

/* In double, where the square of a length leaves the range of float. */
static void unit_of_odd(float q[4])
{
    double sum = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        sum += (double)q[lane] * (double)q[lane];
    bool has_direction = sum > 0 && sum <= 0x1p1000;
    for (unsigned lane = 0; lane < 4; lane++)
        q[lane] = has_direction ? (float)((double)q[lane] / sqrt(sum)) : lane == 3;
}

/* The exponents for which inverse_root is good: 2^-64 to 2^64, which bits 30 and 31 then tell. */
static inline uint32_t odd_bits(float sum)
{
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (bits - 0x1f800000u) & 0xc0000000u;
}

static inline float square(const float q[4])
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

static void unit4(float (*q)[4])
{
    float sum[4], scale[4];
    uint32_t odd = 0;
    for (unsigned i = 0; i < 4; i++)
        sum[i] = square(q[i]);
    for (unsigned i = 0; i < 4; i++)
        odd |= odd_bits(sum[i]);
    for (unsigned i = 0; i < 4; i++)
        scale[i] = inverse_root(sum[i]);
    if (odd) {
        for (unsigned i = 0; i < 4; i++)
            unit_of_odd(q[i]);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        for (unsigned lane = 0; lane < 4; lane++)
            q[i][lane] *= scale[i];
}

static void unit1(float q[4])
{
    float sum = square(q);
    if (odd_bits(sum)) {
        unit_of_odd(q);
        return;
    }
    float scale = 1 / sqrtf(sum);
    for (unsigned lane = 0; lane < 4; lane++)
        q[lane] *= scale;
}

void hk_unit(float (*q)[4], unsigned n)
{
    unsigned i = 0;
    for (; i + 4 <= n; i += 4)
        unit4(q + i);
    for (; i < n; i++)
        unit1(q[i]);
}
