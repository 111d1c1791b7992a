#include "havok/animation/maths/spline_encode_part.h"

#include <math.h>

/* ---- bytes ------------------------------------------------------------------------------------------ */

bool hk_write_pad(hk_part_writer *w, unsigned align)
{
    size_t past = (w->out->size - w->block) % align;
    return !past || buf_fill(w->out, 0, align - past);
}

static bool put_float(hk_part_writer *w, float v)
{
    uint8_t bytes[4];
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    bytes_st32(bytes, bits, false);
    return buf_put(w->out, bytes, sizeof bytes);
}

static bool put_knots(hk_part_writer *w, const hk_fit_shape *c, unsigned align)
{
    uint8_t head[3];
    bytes_st16(head, (uint16_t)(c->count - 1), false);
    bytes_st8(head + 2, (uint8_t)c->degree);
    return buf_put(w->out, head, sizeof head) &&
           buf_put(w->out, c->knots, c->count + c->degree + 1) && hk_write_pad(w, align);
}

static bool put_points(hk_part_writer *w, const hk_fit_shape *c, size_t size)
{
    for (unsigned i = 0; i < c->count; i++)
        if (!buf_put(w->out, c->packed[i], size))
            return false;
    return hk_write_pad(w, 4);
}

/* ---- vectors ------------------------------------------------------------------------------------------ */

typedef enum how { RESTS, STAYS, MOVES } how;

typedef struct axis {
    how how;
    float still;
    double least, most;
} axis;

/* The greatest distance of an axis from v. */
static double off_axis(const axis *x, double v)
{
    double below = v - x->least, above = x->most - v;
    return below > above ? below : above;
}

static void find_range(const hk_part_writer *w, unsigned lane, axis *x)
{
    x->least = x->most = w->samples[0][lane];
    for (unsigned u = 1; u < w->frames; u++) {
        double v = w->samples[u][lane];
        x->least = v < x->least ? v : x->least;
        x->most = v > x->most ? v : x->most;
    }
}

/* An axis within `share` of one number does not move. It rests, goes on from the block before, or stays in its
 * middle. */
static void classify(const hk_part_writer *w, double rest, double share, double end, axis *x)
{
    float middle = (float)(x->least / 2 + x->most / 2);
    x->how = STAYS;
    x->still = middle;
    if (off_axis(x, rest) <= share) {
        x->how = RESTS;
        x->still = (float)rest;
    } else if (x->least < x->most && w->follows && off_axis(x, (double)(float)end) <= share) {
        x->still = (float)end;
    } else if (x->least < x->most && off_axis(x, (double)middle) > share) {
        x->how = MOVES;
    }
}

static void aim_vector(hk_part_writer *w, unsigned lanes, const axis *axes, const double end[3],
                       double start[4])
{
    hk_fit_target *t = &w->fitter.target;
    t->lanes = 0;
    memset(t->rest, 0, sizeof t->rest);
    for (unsigned a = 0; a < lanes; a++) {
        for (unsigned u = 0; u < w->frames; u++) {
            double v = w->samples[u][a], off = v - (double)axes[a].still;
            if (axes[a].how == MOVES)
                t->samples[u][t->lanes] = v;
            else
                t->rest[u] += off * off;
        }
        if (axes[a].how == MOVES)
            start[t->lanes++] = end[a];
    }
    t->frames = w->frames;
    t->start = w->follows ? start : NULL;
}

/* Control points lie beyond the samples where curves bend. Where steps are small there is room for them. */
static bool aim_range(hk_part_writer *w, unsigned lanes, const axis *axes, unsigned steps,
                      double wider)
{
    hk_fit_target *t = &w->fitter.target;
    double coarsest = 0;
    for (unsigned a = 0, lane = 0; a < lanes; a++) {
        if (axes[a].how != MOVES)
            continue;
        double more = (axes[a].most - axes[a].least) * wider;
        t->low[lane] = (float)(axes[a].least - more);
        t->high[lane] = (float)(axes[a].most + more);
        double step = ((double)t->high[lane] - (double)t->low[lane]) / steps;
        coarsest = step > coarsest ? step : coarsest;
        if (fabs((double)t->low[lane]) > 0x1p120 || fabs((double)t->high[lane]) > 0x1p120)
            return false;
        lane++;
    }
    return coarsest <= t->tolerance;
}

/* Sixteen bits, where steps are large only from the least to the greatest sample. */
static void fit_vector(hk_part_writer *w, unsigned lanes, const axis *axes)
{
    hk_fitter *f = &w->fitter;
    f->target.packing = HK_SCALAR16;
    if (!aim_range(w, lanes, axes, 65535 / 8, 0.25) || !hk_fit(f)) {
        aim_range(w, lanes, axes, 65535, 0);
        hk_fit(f);
    }
}

/* Eight, where those are near enough and fewer bytes. Leaves in f what is best. */
static void fit_smaller(hk_part_writer *w, unsigned lanes, const axis *axes)
{
    hk_fitter *f = &w->fitter;
    hk_fit_target *t = &f->target;
    unsigned bytes = hk_fit_bytes(t, f->best.degree, f->best.count);
    float low[3], high[3];
    memcpy(low, t->low, sizeof low);
    memcpy(high, t->high, sizeof high);
    w->kept = f->best;
    t->packing = HK_SCALAR8;
    if (aim_range(w, lanes, axes, 255, 0.0625) && hk_fit(f) &&
        hk_fit_bytes(t, f->best.degree, f->best.count) < bytes)
        return;
    f->best = w->kept;
    t->packing = HK_SCALAR16;
    memcpy(t->low, low, sizeof low);
    memcpy(t->high, high, sizeof high);
}

static bool put_vector(hk_part_writer *w, unsigned lanes, const axis *axes)
{
    const hk_fit_target *t = &w->fitter.target;
    const hk_fit_shape *c = &w->fitter.best;
    if (t->lanes && !put_knots(w, c, 4))
        return false;
    for (unsigned a = 0, lane = 0; a < lanes; a++) {
        if (axes[a].how == STAYS && !put_float(w, axes[a].still))
            return false;
        if (axes[a].how != MOVES)
            continue;
        if (!put_float(w, t->low[lane]) || !put_float(w, t->high[lane]))
            return false;
        lane++;
    }
    return !t->lanes || put_points(w, c, (size_t)t->lanes * hk_packings[t->packing].size);
}

bool hk_write_vector(hk_part_writer *w, unsigned lanes, double rest, double tolerance,
                     double end[3], uint8_t *mask, bool *is_small)
{
    axis axes[3];
    double start[4] = {0};
    hk_fit_target *t = &w->fitter.target;
    const hk_fit_shape *c = &w->fitter.best;
    for (unsigned a = 0; a < lanes; a++) {
        find_range(w, a, &axes[a]);
        classify(w, rest, lanes == 1 ? tolerance : tolerance / 2, end[a], &axes[a]);
    }
    t->tolerance = tolerance;
    aim_vector(w, lanes, axes, end, start);
    if (t->lanes) {
        fit_vector(w, lanes, axes);
        fit_smaller(w, lanes, axes);
    }
    *is_small = t->lanes && t->packing == HK_SCALAR8;
    *mask = 0;
    for (unsigned a = 0, lane = 0; a < lanes; a++) {
        *mask |= (uint8_t)((axes[a].how == STAYS ? 1u : axes[a].how == MOVES ? 0x10u : 0) << a);
        end[a] = axes[a].how == MOVES ? c->points[c->count - 1][lane++] : (double)axes[a].still;
    }
    return put_vector(w, lanes, axes);
}

/* ---- rotations ---------------------------------------------------------------------------------------- */

double hk_turn_of_chord(double square)
{
    return 4 * hk_arcsine(sqrt(square) / 2);
}

/* Neighbours in one hemisphere. */
static void aim_rotation(hk_part_writer *w)
{
    hk_fit_target *t = &w->fitter.target;
    t->lanes = 4;
    t->frames = w->frames;
    for (unsigned u = 0; u < w->frames; u++) {
        double dot = 0;
        for (unsigned a = 0; a < 4; a++)
            dot += u ? t->samples[u - 1][a] * w->samples[u][a] : 0;
        for (unsigned a = 0; a < 4; a++)
            t->samples[u][a] = dot < 0 ? -w->samples[u][a] : w->samples[u][a];
    }
}

/* The greatest chord, squared, from one rotation of either sign. */
static double off_one(const hk_fit_target *t, const double q[4])
{
    double worst = 0;
    for (unsigned u = 0; u < t->frames; u++) {
        double plus = 0, minus = 0;
        for (unsigned a = 0; a < 4; a++) {
            plus += (t->samples[u][a] - q[a]) * (t->samples[u][a] - q[a]);
            minus += (t->samples[u][a] + q[a]) * (t->samples[u][a] + q[a]);
        }
        plus = plus < minus ? plus : minus;
        worst = plus > worst ? plus : worst;
    }
    return worst;
}

static void middle_of(const hk_fit_target *t, double out[4])
{
    for (unsigned a = 0; a < 4; a++) {
        double least = t->samples[0][a], most = least;
        for (unsigned u = 1; u < t->frames; u++) {
            least = t->samples[u][a] < least ? t->samples[u][a] : least;
            most = t->samples[u][a] > most ? t->samples[u][a] : most;
        }
        out[a] = (least + most) / 2;
    }
}

/* Whether one rotation is near to all: goes on from the block before, or is their middle. Leaves it in the first
 * point of f->best. */
static bool one_for_all(hk_part_writer *w, const double end[4])
{
    double middle[4];
    hk_fitter *f = &w->fitter;
    hk_fit_shape *c = &f->best;
    if (w->follows) {
        hk_fit_place(&f->target, c, 0, end);
        if (off_one(&f->target, c->points[0]) <= f->limit)
            return true;
    }
    middle_of(&f->target, middle);
    hk_fit_place(&f->target, c, 0, middle);
    return off_one(&f->target, c->points[0]) <= f->limit;
}

hk_wrote hk_write_rotation(hk_part_writer *w, hk_packing packing, double tolerance, double end[4],
                           uint8_t *mask)
{
    static const double identity[4] = {0, 0, 0, 1};
    hk_fitter *f = &w->fitter;
    const hk_fit_shape *c = &f->best;
    size_t size = hk_packings[packing].size;
    f->target.packing = packing;
    f->target.tolerance = tolerance;
    f->target.start = w->follows ? end : NULL;
    aim_rotation(w);
    hk_fit_limits(f);
    *mask = 0;
    if (off_one(&f->target, identity) <= f->limit) {
        memcpy(end, identity, sizeof identity);
        return HK_WROTE;
    }
    if (one_for_all(w, end)) {
        *mask = 0x0f;
        memcpy(end, c->points[0], sizeof c->points[0]);
        return buf_put(w->out, c->packed[0], size) && hk_write_pad(w, 4) ? HK_WROTE : HK_NO_MEMORY;
    }
    if (w->frames < 2 || !hk_fit(f))
        return HK_TOO_COARSE;
    unsigned align = packing == HK_THREECOMP40 ? 1 : packing == HK_THREECOMP48 ? 2 : 4;
    *mask = 0xf0;
    memcpy(end, c->points[c->count - 1], sizeof c->points[0]);
    return put_knots(w, c, align) && put_points(w, c, size) ? HK_WROTE : HK_NO_MEMORY;
}

double hk_rotation_floor(hk_part_writer *w, hk_packing packing)
{
    w->fitter.target.packing = packing;
    aim_rotation(w);
    return hk_turn_of_chord(hk_fit_floor(&w->fitter));
}
