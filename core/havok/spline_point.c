/* Control points as they are packed. Reference: formats/hkx-animation.md#6.4. */
#include "havok/spline_part.h"

#include <math.h>

/* ---- rotations ----------------------------------------------------------------------------------- */

/* Where the three stored components go, by the number of the one that is left out. */
static const uint8_t kept[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

static void three(float a, float b, float c, unsigned left_out, bool negative, float out[4])
{
    float rest = 1 - (a * a + b * b + c * c);
    float d = rest > 0 ? sqrtf(rest) : 0;
    out[kept[left_out][0]] = a;
    out[kept[left_out][1]] = b;
    out[kept[left_out][2]] = c;
    out[left_out] = negative ? -d : d;
}

/* Big-endian files are not known; theirs are taken for the same number of 40 bits, its high byte first.
 * Unverified. */
static void threecomp40(const uint8_t *p, bool big, float out[4])
{
    uint32_t low = bytes_ld32(big ? p + 1 : p, big), high = bytes_ld8(big ? p : p + 4);
    const float unit = 0.000345436f;
    three((float)((int)(low & 0xfff) - 2047) * unit,
          (float)((int)(low >> 12 & 0xfff) - 2047) * unit,
          (float)((int)(low >> 24 | (high & 15) << 8) - 2047) * unit, high >> 4 & 3, high >> 6 & 1,
          out);
}

static void threecomp48(const uint8_t *p, bool big, float out[4])
{
    unsigned a = bytes_ld16(p, big), b = bytes_ld16(p + 2, big), c = bytes_ld16(p + 4, big);
    const float unit = 0.000043161f;
    three((float)((int)(a & 0x7fff) - 16383) * unit, (float)((int)(b & 0x7fff) - 16383) * unit,
          (float)((int)(c & 0x7fff) - 16383) * unit, a >> 15 | (b >> 15) << 1, c >> 15, out);
}

/* Polar coordinates of x, y, z, of which w leaves the length. */
static void polar32(const uint8_t *p, bool big, float out[4])
{
    uint32_t v = bytes_ld32(p, big), index = v & 0x3ffff;
    const double quarter = 0.78539816339744830962;
    double r = (v >> 18 & 0x3ff) / 1023.0, w = 1 - r * r, m = sqrt(1 - w * w);
    double phi = floor(sqrt(index)), theta = 0;
    if (phi > 0) {
        theta = quarter * (index - phi * phi) / phi;
        phi *= 2 * quarter / 511;
    }
    double q[4] = {sin(phi) * cos(theta) * m, sin(phi) * sin(theta) * m, cos(phi) * m, w};
    for (unsigned i = 0; i < 4; i++)
        out[i] = (float)(v >> (28 + i) & 1 ? -q[i] : q[i]);
}

void hk_rotation(hk_packing packing, const uint8_t *p, bool big, float out[4])
{
    switch (packing) {
    case HK_POLAR32: polar32(p, big, out); break;
    case HK_THREECOMP40: threecomp40(p, big, out); break;
    case HK_THREECOMP48: threecomp48(p, big, out); break;
    default: /* HK_UNCOMPRESSED: the others were refused */
        for (unsigned i = 0; i < 4; i++) {
            uint32_t bits = bytes_ld32(p + 4 * i, big);
            memcpy(&out[i], &bits, sizeof bits);
        }
    }
}

/* ---- curves -------------------------------------------------------------------------------------- */

static void vectors(const hk_curve *c, const uint8_t *p, uint32_t n, float (*out)[4])
{
    bool wide = c->packing == HK_SCALAR16;
    for (uint32_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 4; k++)
            out[i][k] = 0;
        for (unsigned a = 0; a < c->axes; a++, p += wide ? 2 : 1)
            out[i][c->axis[a]] =
                c->low[a] + c->step[a] * (float)(wide ? bytes_ld16(p, c->big) : bytes_ld8(p));
    }
}

void hk_points(const hk_curve *c, uint32_t first, uint32_t n, float (*out)[4])
{
    size_t size = hk_packing_size(c->packing);
    if (c->packing >= HK_SCALAR8) {
        vectors(c, c->points + first * size * c->axes, n, out);
        return;
    }
    const uint8_t *p = c->points + first * size;
    for (uint32_t i = 0; i < n; i++, p += size)
        hk_rotation((hk_packing)c->packing, p, c->big, out[i]);
}
