#include "havok/animation/maths/spline_pack.h"

#include <math.h>

/* ---- angles -------------------------------------------------------------------------------------- */

static const double half_turn = 3.14159265358979323846;

double hk_sine(double x)
{
    double term = x, sum = x;
    for (int i = 2; i < 26; i += 2) {
        term *= -x * x / (i * (i + 1));
        sum += term;
    }
    return sum;
}

static double cosine(double x)
{
    return hk_sine(half_turn / 2 - x);
}

/* Halving the angle three times makes the series short: sin(a / 2) = sin a / sqrt(2 + 2 cos a). */
double hk_arcsine(double x)
{
    x = x < 1 ? x : 1;
    for (int i = 0; i < 3; i++)
        x /= sqrt(2 + 2 * sqrt(1 - x * x));
    double power = x, sum = x, factor = 1;
    for (int i = 1; i < 20; i += 2) {
        factor *= i / (i + 1.0);
        power *= x * x;
        sum += factor * power / (i + 2);
    }
    return 8 * sum;
}

/* ---- three of four components ---------------------------------------------------------------------- */

static const uint8_t kept[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

static unsigned largest_of(const double q[4])
{
    unsigned best = 0;
    for (unsigned i = 1; i < 4; i++)
        if (fabs(q[i]) > fabs(q[best]))
            best = i;
    return best;
}

/* Numbers of the three that are kept, around `zero`; *back is what they mean. */
static void three_of(const double q[4], unsigned dropped, float unit, int zero, uint32_t v[3],
                     double back[4])
{
    double rest = 1;
    for (unsigned i = 0; i < 3; i++) {
        int n = (int)floor(q[kept[dropped][i]] / (double)unit + 0.5) + zero;
        n = n > 0 ? n : 0;
        n = n < 2 * zero + 1 ? n : 2 * zero + 1;
        v[i] = (uint32_t)n;
        double c = (n - zero) * (double)unit;
        back[kept[dropped][i]] = c;
        rest -= c * c;
    }
    rest = sqrt(rest > 0 ? rest : 0);
    back[dropped] = q[dropped] < 0 ? -rest : rest;
}

static void pack40(const double q[4], uint8_t *out, double back[4])
{
    uint32_t v[3];
    unsigned dropped = largest_of(q);
    three_of(q, dropped, 0.000345436f, 2047, v, back);
    bytes_st32(out, v[0] | v[1] << 12 | v[2] << 24, false);
    bytes_st8(out + 4, (uint8_t)(v[2] >> 8 | dropped << 4 | (q[dropped] < 0 ? 0x40u : 0)));
}

static void pack48(const double q[4], uint8_t *out, double back[4])
{
    uint32_t v[3];
    unsigned dropped = largest_of(q);
    three_of(q, dropped, 0.000043161f, 16383, v, back);
    bytes_st16(out, (uint16_t)(v[0] | (dropped & 1) << 15), false);
    bytes_st16(out + 2, (uint16_t)(v[1] | (dropped >> 1) << 15), false);
    bytes_st16(out + 4, (uint16_t)(v[2] | (q[dropped] < 0 ? 0x8000u : 0)), false);
}

/* ---- two angles and w ------------------------------------------------------------------------------ */

enum { PHI_MAX = 511, R_MAX = 1023 };

/* x, y, z of length 1 by the angle from z, in steps of a right angle / 511, and the one around it, in steps
 * of half a right angle / phi. */
static void polar_of(unsigned phi, unsigned theta, double out[3])
{
    double a = phi * (half_turn / 2) / PHI_MAX, b = phi ? half_turn / 4 * theta / phi : 0;
    double sine = hk_sine(a);
    out[0] = sine * cosine(b);
    out[1] = sine * hk_sine(b);
    out[2] = cosine(a);
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The steps around z that come nearest to a direction. */
static unsigned theta_of(unsigned phi, const double v[3])
{
    double across = sqrt(v[0] * v[0] + v[1] * v[1]);
    if (!phi || !(across > 0))
        return 0;
    unsigned theta = (unsigned)floor(hk_arcsine(v[1] / across) * phi / (half_turn / 4) + 0.5);
    unsigned most = 2 * phi < 0x3ffff - phi * phi ? 2 * phi : 0x3ffff - phi * phi;
    return theta < most ? theta : most;
}

static void direction32(const double v[3], uint32_t *index, double back[3])
{
    double best = -2, got[3], across = sqrt(v[0] * v[0] + v[1] * v[1]);
    unsigned near = (unsigned)floor(hk_arcsine(across) / (half_turn / 2) * PHI_MAX);
    for (unsigned phi = near > 0 ? near - 1 : 0; phi <= near + 2 && phi <= PHI_MAX; phi++) {
        unsigned theta = theta_of(phi, v);
        polar_of(phi, theta, got);
        if (dot3(got, v) <= best)
            continue;
        best = dot3(got, v);
        *index = phi * phi + theta;
        memcpy(back, got, sizeof got);
    }
}

/* The number for w that leaves the least: its steps are coarse near 1, where the others are small. */
static void pack32(const double q[4], uint8_t *out, double back[4])
{
    double v[3], u[3] = {0}, length = 0, w = fabs(q[3]), best = -2;
    uint32_t index = 0, bits = 0;
    for (unsigned i = 0; i < 3; i++)
        length += q[i] * q[i];
    length = sqrt(length);
    for (unsigned i = 0; i < 3; i++)
        v[i] = length > 0 ? fabs(q[i]) / length : i == 2;
    direction32(v, &index, u);
    unsigned near = (unsigned)floor(R_MAX * sqrt(w < 1 ? 1 - w : 0));
    for (unsigned r = near; r <= near + 1 && r <= R_MAX; r++) {
        double c = 1 - (double)r / R_MAX * ((double)r / R_MAX), m = sqrt(1 - c * c);
        if (c * w + m * length <= best)
            continue;
        best = c * w + m * length;
        bits = index | r << 18;
        back[3] = c;
        for (unsigned i = 0; i < 3; i++)
            back[i] = u[i] * m;
    }
    for (unsigned i = 0; i < 4; i++)
        if (q[i] < 0) {
            bits |= (uint32_t)1 << (28 + i);
            back[i] = -back[i];
        }
    bytes_st32(out, bits, false);
}

/* ---- all -------------------------------------------------------------------------------------------- */

static void pack_floats(const double q[4], uint8_t *out, double back[4])
{
    for (unsigned i = 0; i < 4; i++) {
        float f = (float)q[i];
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        bytes_st32(out + (size_t)4 * i, bits, false);
        back[i] = (double)f;
    }
}

void hk_pack_rotation(hk_packing packing, const double q[4], uint8_t *out, double back[4])
{
    switch (packing) {
    case HK_POLAR32: pack32(q, out, back); break;
    case HK_THREECOMP40: pack40(q, out, back); break;
    case HK_THREECOMP48: pack48(q, out, back); break;
    default: pack_floats(q, out, back);
    }
}

uint16_t hk_pack_scalar(float low, float high, unsigned most, double v, double *back)
{
    double step = ((double)high - (double)low) / most;
    double n = step > 0 ? floor((v - (double)low) / step + 0.5) : 0;
    n = n > 0 ? n : 0;
    n = n < most ? n : most;
    *back = (double)low + step * n;
    return (uint16_t)n;
}
