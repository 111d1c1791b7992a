/* Knots: as few as meet the tolerance. They are added where a curve is off, many at a time, then taken away again
 * where it stays near enough without them; and a curve with all of them is thinned out. What has fewest bytes is
 * kept. */
#include "havok/animation/maths/spline_fit.h"

#include <math.h>

unsigned hk_fit_bytes(const hk_fit_target *t, unsigned degree, unsigned count)
{
    unsigned align = 4, size = hk_packings[t->packing].size, n = 3 + count + degree + 1;
    if (t->lanes < 4)
        size *= t->lanes;
    else
        align = t->packing == HK_THREECOMP40 ? 1 : t->packing == HK_THREECOMP48 ? 2 : 4;
    n = (n + align - 1) / align * align;
    return (n + count * size + 3) / 4 * 4;
}

/* What floats add to what is decided in doubles. */
void hk_fit_limits(hk_fitter *f)
{
    const hk_fit_target *t = &f->target;
    double most = 0, slack, chord = t->tolerance;
    for (unsigned a = 0; a < t->lanes && t->lanes < 4; a++) {
        most = fabs((double)t->low[a]) > most ? fabs((double)t->low[a]) : most;
        most = fabs((double)t->high[a]) > most ? fabs((double)t->high[a]) : most;
    }
    slack = t->lanes < 4 ? most * 0x1p-21 : 0x1p-22;
    if (t->lanes == 4) {
        chord = chord < 6 ? chord : 6;
        chord = 2 * hk_sine(chord / 4);
    }
    chord = chord * (1 - 0x1p-9) - slack;
    f->limit = chord > 0 ? chord * chord : 0;
    f->loose = chord > 0 ? 8.9 * chord * chord : 0;
}

/* ---- ends and all frames -------------------------------------------------------------------------- */

static double off_by(const hk_fitter *f, unsigned frame, const double v[4])
{
    const hk_fit_target *t = &f->target;
    double sum = t->lanes < 4 ? t->rest[frame] : 0;
    for (unsigned a = 0; a < t->lanes; a++)
        sum += (t->samples[frame][a] - v[a]) * (t->samples[frame][a] - v[a]);
    return sum;
}

/* The curve starts where the block before ended, where that is near enough, and ends at the last sample. */
static void place_ends(const hk_fitter *f, hk_fit_shape *c)
{
    const hk_fit_target *t = &f->target;
    if (t->start) {
        hk_fit_place(t, c, 0, t->start);
        if (t->lanes == 4 && off_by(f, 0, c->points[0]) > 2) {
            double other[4];
            for (unsigned a = 0; a < 4; a++)
                other[a] = -t->start[a];
            hk_fit_place(t, c, 0, other);
        }
    }
    if (!t->start || off_by(f, 0, c->points[0]) > f->limit)
        hk_fit_place(t, c, 0, t->samples[0]);
    hk_fit_place(t, c, c->count - 1, t->samples[t->frames - 1]);
}

static void set_knots(hk_fit_shape *c, unsigned degree, unsigned last)
{
    c->degree = degree;
    c->count = degree + 1;
    memset(c->knots, 0, degree + 1);
    memset(c->knots + degree + 1, (int)last, degree + 1);
}

static bool is_turned(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0;
}

/* The sample of a frame as point i, a rotation with the sign that is nearer to the point before. Returns how far it is
 * off, squared. */
static double place_sample(const hk_fitter *f, hk_fit_shape *c, unsigned i)
{
    const hk_fit_target *t = &f->target;
    double v[4], off;
    memcpy(v, t->samples[i], sizeof v);
    hk_fit_place(t, c, i, v);
    off = off_by(f, i, c->points[i]);
    if (t->lanes < 4 || i == 0 || !is_turned(c->points[i - 1], c->points[i]))
        return off;
    for (unsigned a = 0; a < 4; a++)
        v[a] = -v[a];
    hk_fit_place(t, c, i, v);
    return off;
}

/* Lines from frame to frame. Returns how far they are off, squared. */
static double all_frames(hk_fitter *f, hk_fit_shape *c)
{
    const hk_fit_target *t = &f->target;
    double worst = 0;
    c->degree = 1;
    c->count = t->frames;
    c->knots[0] = 0;
    for (unsigned i = 0; i < t->frames; i++) {
        double off = place_sample(f, c, i);
        c->knots[i + 1] = (uint8_t)i;
        worst = off > worst ? off : worst;
    }
    c->knots[t->frames + 1] = (uint8_t)(t->frames - 1);
    return worst;
}

double hk_fit_floor(hk_fitter *f)
{
    return all_frames(f, &f->trial);
}

/* ---- adding ------------------------------------------------------------------------------------------ */

/* Where to divide the span of frames a to b: where what is off is as much before as behind. b: nowhere. */
static unsigned cut_of(const hk_fitter *f, unsigned a, unsigned b)
{
    double worst = 0, sum = 0, part = 0;
    for (unsigned u = a; u <= b; u++) {
        double off = f->each[u];
        if (u < b && f->between[u] > off)
            off = f->between[u];
        worst = off > worst ? off : worst;
        sum += off;
    }
    if (b - a < 2 || !(worst > 1))
        return b;
    for (unsigned u = a; u + 1 < b; u++) {
        part += f->each[u] > f->between[u] ? f->each[u] : f->between[u];
        if (u > a && part * 2 >= sum)
            return u;
    }
    return b - 1;
}

/* Divides every span that is off. False: none can be. */
static bool add_knots(const hk_fitter *f, hk_fit_shape *c)
{
    uint8_t knots[HK_KNOTS_MAX];
    unsigned p = c->degree, n = p + 1, most = f->target.frames;
    memcpy(knots, c->knots, sizeof knots);
    for (unsigned i = p; i < c->count; i++) {
        unsigned cut = cut_of(f, knots[i], knots[i + 1]);
        if (cut < knots[i + 1] && n + (c->count - i) < most)
            c->knots[n++] = (uint8_t)cut;
        if (i + 1 < c->count)
            c->knots[n++] = knots[i + 1];
    }
    bool added = n > c->count;
    c->count = n;
    memset(c->knots + n, (int)f->target.frames - 1, p + 1);
    return added;
}

static bool one_hemisphere(const hk_fit_target *t, const hk_fit_shape *c)
{
    for (unsigned i = 1; t->lanes == 4 && i < c->count; i++) {
        double dot = 0;
        for (unsigned a = 0; a < 4; a++)
            dot += c->points[i - 1][a] * c->points[i][a];
        if (dot < 0)
            return false;
    }
    return true;
}

static bool add_until_near(hk_fitter *f, unsigned degree, unsigned budget)
{
    hk_fit_shape *c = &f->current;
    unsigned last = f->target.frames - 1;
    if (degree > last)
        return false;
    set_knots(c, degree, last);
    while (hk_fit_bytes(&f->target, degree, c->count) < budget) {
        place_ends(f, c);
        hk_fit_solve(f, c, 1, c->count - 2);
        if (hk_fit_measure(f, c, 0, last) <= 1)
            return one_hemisphere(&f->target, c);
        if (!add_knots(f, c))
            return false;
    }
    return false;
}

/* ---- taking away ------------------------------------------------------------------------------------- */

enum { REACH = 3 }; /* points beside those that a knot moves, which are found anew with them */

/* Without knot j, if the curve stays near. */
static bool take_away(hk_fitter *f, unsigned j, double most)
{
    const hk_fit_shape *c = &f->current;
    hk_fit_shape *n = &f->trial;
    unsigned p = c->degree, first, last;
    memcpy(n, c, sizeof *n);
    memmove(n->knots + j, n->knots + j + 1, c->count + p - j);
    memmove(n->points + j - 1, n->points + j, (c->count - j) * sizeof *n->points);
    memmove(n->packed + j - 1, n->packed + j, (c->count - j) * sizeof *n->packed);
    n->count--;
    first = j > p + REACH + 1 ? j - p - REACH : 1;
    last = j - 1 + REACH < n->count - 2 ? j - 1 + REACH : n->count - 2;
    if (first <= last)
        hk_fit_solve(f, n, first, last);
    else
        first = last = 1;
    if (!hk_fit_is_near(f, n, n->knots[first], n->knots[last + p + 1], c->knots[j], most) ||
        !one_hemisphere(&f->target, n))
        return false;
    memcpy(&f->current, n, sizeof *n);
    return true;
}

static void take_away_all(hk_fitter *f, double most)
{
    for (unsigned j = f->current.degree + 1; j < f->current.count;)
        if (!take_away(f, j, most))
            j++;
}

static void take_away_until(hk_fitter *f)
{
    unsigned before = HK_POINTS_MAX + 1;
    while (f->current.count < before) {
        before = f->current.count;
        take_away_all(f, 1);
    }
}

/* Begins with a curve through all frames. What was sampled from a curve has its knots then, and those that are no
 * knots of it go first, as nothing hangs on them. */
static bool thin_out(hk_fitter *f, unsigned degree)
{
    static const double shares[] = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    hk_fit_shape *c = &f->current;
    unsigned last = f->target.frames - 1;
    set_knots(c, degree, last);
    for (unsigned u = (degree + 1) / 2; u + (degree + 1) / 2 <= last; u++)
        c->knots[c->count++] = (uint8_t)u;
    memset(c->knots + c->count, (int)last, degree + 1);
    place_ends(f, c);
    hk_fit_solve(f, c, 1, c->count - 2);
    if (hk_fit_measure(f, c, 0, last) > 1 || !one_hemisphere(&f->target, c))
        return false;
    for (unsigned i = 0; i < sizeof shares / sizeof *shares; i++)
        take_away_all(f, shares[i] * shares[i]);
    take_away_until(f);
    return true;
}

enum { SHORT = 128 }; /* frames: what more is tried with these costs little */

static void keep_if_fewer(hk_fitter *f, unsigned *budget)
{
    unsigned bytes = hk_fit_bytes(&f->target, f->current.degree, f->current.count);
    if (bytes >= *budget)
        return;
    *budget = bytes;
    memcpy(&f->best, &f->current, sizeof f->best);
}

bool hk_fit(hk_fitter *f)
{
    static const unsigned degrees[] = {1, 3, 2}; /* games have no 2: it has to be worth it */
    unsigned budget;
    hk_fit_limits(f);
    if (all_frames(f, &f->best) > f->limit)
        return false;
    budget = hk_fit_bytes(&f->target, 1, f->best.count);
    for (unsigned i = 0; i < 3; i++) {
        unsigned degree = degrees[i];
        if (!add_until_near(f, degree, budget + budget / 4))
            continue;
        take_away_until(f);
        keep_if_fewer(f, &budget);
    }
    bool many = f->best.count > f->target.frames / 2, is_long = f->target.frames > SHORT;
    if (f->best.count > 4 && (!many || !is_long) && thin_out(f, 3))
        keep_if_fewer(f, &budget);
    if (f->best.count > 4 && !is_long && thin_out(f, 1))
        keep_if_fewer(f, &budget);
    return true;
}
