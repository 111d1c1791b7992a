/* Control points as they are packed. Reference: formats/hkx-animation.md#6.4. */
#include "havok/animation/maths/spline_part.h"

#include <math.h>

/* ---- rotations ----------------------------------------------------------------------------------- */

/* Where the three stored components go, by the number of the one that is left out. */
static const uint8_t kept[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

/* Without branches: signs and numbers are as random as the data. */
static inline void three(float a, float b, float c, uint32_t left_out, uint32_t negative,
                         float out[4])
{
    float rest = 1 - (a * a + b * b + c * c);
    float d = sqrtf(rest > 0 ? rest : 0);
    uint32_t bits;
    memcpy(&bits, &d, sizeof bits);
    bits |= negative << 31;
    memcpy(&d, &bits, sizeof bits);
    out[kept[left_out][0]] = a;
    out[kept[left_out][1]] = b;
    out[kept[left_out][2]] = c;
    out[left_out] = d;
}

/* The reference's unit is 1 / sqrt(2) / 2047 with these digits. Big-endian files are not known; theirs
 * are taken for the same number of 40 bits, its high byte first. Unverified. */
static inline void threecomp40(const uint8_t *p, bool big, float out[4])
{
    uint32_t low = bytes_ld32(big ? p + 1 : p, big), high = bytes_ld8(big ? p : p + 4);
    const float unit = 0.000345436f;
    three((float)((int)(low & 0xfff) - 2047) * unit,
          (float)((int)(low >> 12 & 0xfff) - 2047) * unit,
          (float)((int)(low >> 24 | (high & 15) << 8) - 2047) * unit, high >> 4 & 3, high >> 6 & 1,
          out);
}

static inline void threecomp48(const uint8_t *p, bool big, float out[4])
{
    uint32_t a = bytes_ld16(p, big), b = bytes_ld16(p + 2, big), c = bytes_ld16(p + 4, big);
    const float unit = 0.000043161f;
    three((float)((int)(a & 0x7fff) - 16383) * unit, (float)((int)(b & 0x7fff) - 16383) * unit,
          (float)((int)(c & 0x7fff) - 16383) * unit, a >> 15 | (b >> 15) << 1, c >> 15, out);
}

/* x, y, z by their two angles; their length follows from w. */
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

static void floats(const uint8_t *p, bool big, float out[4])
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t bits = bytes_ld32(p + 4 * i, big);
        memcpy(&out[i], &bits, sizeof bits);
    }
}

void hk_rotations(hk_packing packing, const uint8_t *p, bool big, uint32_t n, float (*out)[4])
{
    switch (packing) {
    case HK_POLAR32:
        for (uint32_t i = 0; i < n; i++)
            polar32(p + (size_t)4 * i, big, out[i]);
        break;
    case HK_THREECOMP40:
        for (uint32_t i = 0; i < n; i++)
            threecomp40(p + (size_t)5 * i, big, out[i]);
        break;
    case HK_THREECOMP48:
        for (uint32_t i = 0; i < n; i++)
            threecomp48(p + (size_t)6 * i, big, out[i]);
        break;
    default: /* HK_UNCOMPRESSED: the others were refused */
        for (uint32_t i = 0; i < n; i++)
            floats(p + (size_t)16 * i, big, out[i]);
    }
}

/* ---- vectors ------------------------------------------------------------------------------------- */

static void vectors8(const hk_curve *c, const uint8_t *p, uint32_t n, float (*out)[4])
{
    for (uint32_t i = 0; i < n; i++) {
        memcpy(out[i], c->low, sizeof c->low);
        for (unsigned a = 0; a < c->axes; a++, p++)
            out[i][c->axis[a]] += c->step[a] * (float)bytes_ld8(p);
    }
}

static void vectors16(const hk_curve *c, const uint8_t *p, uint32_t n, float (*out)[4])
{
    for (uint32_t i = 0; i < n; i++) {
        memcpy(out[i], c->low, sizeof c->low);
        for (unsigned a = 0; a < c->axes; a++, p += 2)
            out[i][c->axis[a]] += c->step[a] * (float)bytes_ld16(p, c->big);
    }
}

void hk_points(const hk_curve *c, uint32_t first, uint32_t n, float (*out)[4])
{
    size_t at = (size_t)first * hk_packings[c->packing].size;
    if (c->packing == HK_SCALAR8)
        vectors8(c, c->points + at * c->axes, n, out);
    else if (c->packing == HK_SCALAR16)
        vectors16(c, c->points + at * c->axes, n, out);
    else
        hk_rotations((hk_packing)c->packing, c->points + at, c->big, n, out);
}
