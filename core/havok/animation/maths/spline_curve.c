/* B-splines at moments and over runs of frames. Reference: formats/hkx-animation.md#6.5.
 *
 * Everything is sums of the form a + (b - a) * t, so that an axis that does not move stays exactly where
 * it is. Loops over four lanes are what compilers make vectors of. */
#include "havok/animation/maths/spline_part.h"

static inline void blend(const float a[4], const float b[4], float t, float out[4])
{
    for (unsigned lane = 0; lane < 4; lane++)
        out[lane] = a[lane] + (b[lane] - a[lane]) * t;
}

/* ---- at a moment --------------------------------------------------------------------------------- */

/* The span that holds frame u, degree to count - 1: the last whose knot is not behind it. Halves what is
 * left without a branch, which nothing could foresee. */
static uint32_t span_of(const hk_curve *c, unsigned u)
{
    const uint8_t *k = c->knots + c->degree;
    uint32_t n = c->count - c->degree, low = 0;
    if (u >= c->knots[c->count])
        return c->count - 1;
    while (n > 1) {
        uint32_t half = n / 2;
        low = k[low + half] <= u ? low + half : low;
        n -= half;
    }
    return c->degree + low;
}

/* De Boor's scheme: blends neighbouring points of span s until one is left. Knots that coincide leave
 * the earlier point. */
static void at_moment(const hk_curve *c, uint32_t s, double u, float out[4])
{
    float d[HK_DEGREE_MAX + 1][4];
    const uint8_t *k = c->knots + s - c->degree;
    unsigned degree = c->degree;
    hk_points(c, s - degree, degree + 1, d);
    for (unsigned i = 1; i <= degree; i++)
        for (unsigned j = degree; j >= i; j--) {
            int length = k[j + degree + 1 - i] - k[j];
            blend(d[j - 1], d[j], length > 0 ? (float)(u - k[j]) / (float)length : 0, d[j]);
        }
    memcpy(out, d[degree], sizeof d[degree]);
}

void hk_curve_at(const hk_curve *c, double u, float out[4])
{
    double first = c->knots[c->degree], last = c->knots[c->count];
    u = u > first ? u : first;
    u = u < last ? u : last;
    at_moment(c, span_of(c, (unsigned)u), u, out);
}

/* ---- over frames --------------------------------------------------------------------------------- */

enum { POINTS = HK_TILE + HK_DEGREE_MAX + 1 };

/* n frames of one span, the first of them `at` frames into it, each `dt` of its length. Its points are
 * two or four. */
static void linear_span(float (*p)[4], float at, float dt, unsigned n, float (*out)[4])
{
    for (unsigned i = 0; i < n; i++, at += 1)
        blend(p[0], p[1], at * dt, out[i]);
}

/* Inserting knots until each end of the span has three makes its points Bézier's; those make the
 * polynomial, which is cheap at many places. */
static void cubic_span(const uint8_t *k, float (*p)[4], float at, float dt, unsigned n,
                       float (*out)[4])
{
    float outer[2][4], b[4][4], c[3][4];
    const float l1 = 1.0f / (float)(k[2] - k[-1]);
    blend(p[1], p[2], (float)(k[0] - k[-1]) * l1, b[1]);
    blend(p[1], p[2], (float)(k[1] - k[-1]) * l1, b[2]);
    blend(p[0], p[1], (float)(k[0] - k[-2]) / (float)(k[1] - k[-2]), outer[0]);
    blend(p[2], p[3], (float)(k[1] - k[0]) / (float)(k[3] - k[0]), outer[1]);
    blend(outer[0], b[1], (float)(k[0] - k[-1]) / (float)(k[1] - k[-1]), b[0]);
    blend(b[2], outer[1], (float)(k[1] - k[0]) / (float)(k[2] - k[0]), b[3]);
    for (unsigned lane = 0; lane < 4; lane++) {
        c[0][lane] = 3 * (b[1][lane] - b[0][lane]);
        c[1][lane] = 3 * ((b[2][lane] - b[1][lane]) - (b[1][lane] - b[0][lane]));
        c[2][lane] = (b[3][lane] - b[0][lane]) - 3 * (b[2][lane] - b[1][lane]);
    }
    for (unsigned i = 0; i < n; i++, at += 1) {
        float t = at * dt;
        for (unsigned lane = 0; lane < 4; lane++)
            out[i][lane] = b[0][lane] + t * (c[0][lane] + t * (c[1][lane] + t * c[2][lane]));
    }
}

/* Lines with a knot on every frame, as most are: the points are the frames. */
static bool each_frame_has_a_knot(const uint8_t *k, unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (k[i] != first + i)
            return false;
    return true;
}

static void at_each(const hk_curve *c, unsigned first, unsigned n, float (*out)[4])
{
    for (unsigned i = 0; i < n; i++)
        hk_curve_at(c, first + i, out[i]);
}

/* Frames that lie inside of the knots, of degree 1 or 3. */
static void inside(const hk_curve *c, unsigned first, unsigned n, float (*out)[4])
{
    float points[POINTS][4];
    uint32_t degree = c->degree, low = span_of(c, first), s = low, high;
    const uint8_t *k = c->knots;
    if (degree == 1 && low + n <= c->count && each_frame_has_a_knot(k + low, first, n)) {
        hk_points(c, low - 1, n, out);
        return;
    }
    for (high = low; high + 1 < c->count && k[high + 1] < first + n;)
        high++;
    if (high - low + degree + 1 > POINTS) { /* more knots than frames */
        at_each(c, first, n, out);
        return;
    }
    hk_points(c, low - degree, high - low + degree + 1, points);
    for (unsigned i = 0; i < n;) {
        unsigned f = first + i, m = k[s + 1] - f;
        float dt = 1.0f / (float)(k[s + 1] - k[s]), at = (float)(f - k[s]);
        m = m < n - i ? m : n - i;
        if (degree == 1)
            linear_span(points + (s - low), at, dt, m, out + i);
        else
            cubic_span(k + s, points + (s - low), at, dt, m, out + i);
        for (i += m; s < high && k[s + 1] <= first + i;)
            s++;
    }
}

void hk_curve_frames(const hk_curve *c, unsigned first, unsigned n, float (*out)[4])
{
    unsigned from = c->knots[c->degree], to = c->knots[c->count];
    unsigned before = from > first ? from - first : 0;
    before = before < n ? before : n;
    unsigned within = to > first + before ? to - first - before : 0;
    within = within < n - before ? within : n - before;
    if (!(c->degree & 1)) {
        at_each(c, first, n, out);
        return;
    }
    at_each(c, first, before, out);
    if (within)
        inside(c, first + before, within, out + before);
    at_each(c, first + before + within, n - before - within, out + before + within);
}
