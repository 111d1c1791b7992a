/* B-splines at moments and over runs of frames. Reference: formats/hkx-animation.md#6.5. */
#include "havok/spline_part.h"

#include <math.h>

/* The span that holds u: the last knot not behind it, degree to count - 1. */
static uint32_t span_of(const hk_curve *c, double u)
{
    uint32_t low = c->degree, high = c->count - 1; /* the answer lies in low .. high */
    if (u >= c->knots[c->count])
        return high;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (c->knots[middle] <= u)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The basis functions that are not 0 in span s: weights of points s, s - 1 … s - degree. */
static void weights(const hk_curve *c, uint32_t s, double u, float w[HK_DEGREE_MAX + 1])
{
    const uint8_t *k = c->knots + s;
    w[0] = 1;
    for (int i = 1; i <= c->degree; i++) {
        w[i] = 0;
        for (int j = i - 1; j >= 0; j--) {
            int length = k[i - j] - k[-j];
            float a = length > 0 ? (float)(u - k[-j]) / (float)length : 0;
            float t = w[j] * a;
            w[j + 1] += w[j] - t;
            w[j] = t;
        }
    }
}

void hk_curve_at(const hk_curve *c, double u, float out[4])
{
    float points[HK_DEGREE_MAX + 1][4], w[HK_DEGREE_MAX + 1];
    const uint8_t *k = c->knots;
    u = u > k[c->degree] ? u : k[c->degree];
    u = u < k[c->count] ? u : k[c->count];
    uint32_t s = span_of(c, u);
    weights(c, s, u, w);
    hk_points(c, s - c->degree, c->degree + 1u, points);
    for (unsigned lane = 0; lane < 4; lane++)
        out[lane] = w[c->degree] * points[0][lane];
    for (unsigned i = 1; i <= c->degree; i++)
        for (unsigned lane = 0; lane < 4; lane++)
            out[lane] += w[c->degree - i] * points[i][lane];
}

void hk_curve_frames(const hk_curve *c, unsigned first, unsigned n, float (*out)[4])
{
    for (unsigned i = 0; i < n; i++)
        hk_curve_at(c, first + i, out[i]);
}

void hk_unit(float (*q)[4], unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        double x = (double)q[i][0], y = (double)q[i][1], z = (double)q[i][2], w = (double)q[i][3];
        double length = sqrt(x * x + y * y + z * z + w * w);
        bool has_direction = length > 0 && length <= 0x1p1000;
        q[i][0] = has_direction ? (float)(x / length) : 0;
        q[i][1] = has_direction ? (float)(y / length) : 0;
        q[i][2] = has_direction ? (float)(z / length) : 0;
        q[i][3] = has_direction ? (float)(w / length) : 1;
    }
}
