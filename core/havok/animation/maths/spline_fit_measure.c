/* How far a curve is from its samples at frames, and half-way between from the middle of its frames. */
#include "havok/animation/maths/spline_fit.h"

#include <math.h>

static double square_between(const double *a, const double *b, unsigned lanes)
{
    double sum = 0;
    for (unsigned i = 0; i < lanes; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

static void value_at(const hk_fit_target *t, const hk_fit_shape *c, unsigned s, double u,
                     double *out)
{
    double b[HK_DEGREE_MAX + 1], length = 0;
    hk_fit_basis(c, s, u, b);
    for (unsigned a = 0; a < t->lanes; a++) {
        double sum = 0;
        for (unsigned j = 0; j <= c->degree; j++)
            sum += b[j] * c->points[s - c->degree + j][a];
        out[a] = sum;
        length += sum * sum;
    }
    if (t->lanes < 4)
        return;
    length = length > 0 ? 1 / sqrt(length) : 0;
    for (unsigned a = 0; a < 4; a++)
        out[a] *= length;
}

/* Whether a turn is no more than another one and 3 tolerances; both as squares of chords. */
static double turns(const hk_fitter *f, double off, double half)
{
    if (off <= half || off <= f->loose)
        return 0;
    double allowed = hk_arcsine(sqrt(half) / 2) + 0.75 * f->target.tolerance;
    double ratio = hk_arcsine(sqrt(off) / 2) / allowed;
    return ratio * ratio;
}

static double overshoot(const hk_fitter *f, const double *a, const double *b, const double *v)
{
    double middle[4], length = 0, off, half, loose = sqrt(f->loose);
    const hk_fit_target *t = &f->target;
    for (unsigned i = 0; i < t->lanes; i++) {
        middle[i] = (a[i] + b[i]) / 2;
        length += middle[i] * middle[i];
    }
    if (t->lanes == 4) {
        if (!(length >= 0.5)) /* more than half a turn in one frame: the other way is the shorter */
            return 4;
        for (unsigned i = 0; i < 4; i++)
            middle[i] /= sqrt(length);
    }
    off = square_between(middle, v, t->lanes);
    half = square_between(middle, a, t->lanes);
    if (t->lanes == 4)
        return turns(f, off, half);
    if (off <= half || off <= f->loose)
        return 0;
    return off / ((sqrt(half) + loose) * (sqrt(half) + loose));
}

static double measure(hk_fitter *f, const hk_fit_shape *c, unsigned from, unsigned to, double most)
{
    const hk_fit_target *t = &f->target;
    unsigned s = c->degree;
    double value[2][4] = {{0}}, middle[4] = {0}, worst = 0;
    bool lines = c->degree == 1;
    for (unsigned u = from; u <= to && worst <= most; u++) {
        double *v = value[u & 1];
        while (s + 1 < c->count && c->knots[s + 1] <= u)
            s++;
        value_at(t, c, s, u, v);
        double off = square_between(t->samples[u], v, t->lanes) + (t->lanes < 4 ? t->rest[u] : 0);
        f->each[u] = off / f->limit;
        worst = f->each[u] > worst ? f->each[u] : worst;
        f->between[u] = 0;
        if (u > from) {
            if (!lines)
                f->between[u - 1] = overshoot(f, value[~u & 1], v, middle);
            else if (t->lanes == 4 && square_between(value[~u & 1], v, 4) > 2)
                f->between[u - 1] = 4;
            worst = f->between[u - 1] > worst ? f->between[u - 1] : worst;
        }
        if (u < to && !lines)
            value_at(t, c, s, u + 0.5, middle);
    }
    return worst;
}

double hk_fit_measure(hk_fitter *f, const hk_fit_shape *c, unsigned from, unsigned to)
{
    return measure(f, c, from, to, HUGE_VAL);
}

bool hk_fit_is_near(hk_fitter *f, const hk_fit_shape *c, unsigned from, unsigned to,
                    unsigned middle, double most)
{
    enum { NEAR = 2 };
    unsigned low = middle > from + NEAR ? middle - NEAR : from,
             high = middle + NEAR < to ? middle + NEAR : to;
    return measure(f, c, low, high, most) <= most && measure(f, c, high, to, most) <= most &&
           measure(f, c, from, low, most) <= most;
}
