/* Plots of tracks, and differences between two tracks. */
#include "preview/plots.h"

#include <math.h>

#define DEGREES 57.295779513082321

static const char *const axes[] = {"x", "y", "z", "w"};
static const char *const angle[] = {"angle"};
static const char *const value[] = {"value"};

static bool scales_change(const preview_track *t)
{
    for (size_t i = 0; t && t->rows && i < t->frames; i++)
        for (unsigned k = 7; k < MODEL_POSE; k++)
            if (!(fabsf(t->rows[i * MODEL_POSE + k] - 1) < 1e-5f))
                return true;
    return false;
}

/* Which numbers of a track a plot shows. */
typedef enum source { ROWS, FLOATS, MOVES } source;

static const float *values_of(const preview_track *t, source from)
{
    return !t ? NULL : from == ROWS ? t->rows : from == FLOATS ? t->floats : t->moves;
}

unsigned plot_list(const preview_track *const tracks[2], plot out[PLOT_LIMIT])
{
    static const struct {
        plot plot;
        source from;
    } all[PLOT_LIMIT] = {
        {{"translation", " (units)", " unit", axes, 3, MODEL_POSE, 0, 1, PLOT_LENGTH, {0}, {0}},
         ROWS},
        {{"rotation", " (quaternion)", " degree", axes, 4, MODEL_POSE, 3, 1, PLOT_ANGLE, {0}, {0}},
         ROWS},
        {{"scale", "", "", axes, 3, MODEL_POSE, 7, 1, PLOT_GREATEST, {0}, {0}}, ROWS},
        {{"number", "", "", value, 1, 1, 0, 1, PLOT_GREATEST, {0}, {0}}, FLOATS},
        {{"root motion", " (units)", " unit", axes, 3, MODEL_MOVE, 0, 1, PLOT_LENGTH, {0}, {0}},
         MOVES},
        {{"root motion: turn about the up axis",
          " (degrees)",
          " degree",
          angle,
          1,
          MODEL_MOVE,
          3,
          DEGREES,
          PLOT_GREATEST,
          {0},
          {0}},
         MOVES},
    };
    enum { SCALE = 2 };
    unsigned n = 0;
    for (unsigned i = 0; i < PLOT_LIMIT; i++) {
        if (i == SCALE && !scales_change(tracks[0]) && !scales_change(tracks[1]))
            continue;
        out[n] = all[i].plot;
        for (int side = 0; side < 2; side++) {
            out[n].tracks[side] = tracks[side];
            out[n].values[side] = values_of(tracks[side], all[i].from);
        }
        n += out[n].values[0] || out[n].values[1];
    }
    return n;
}

double plot_value(const plot *p, int side, size_t frame, unsigned curve)
{
    return (double)p->values[side][frame * p->stride + p->first + curve] * p->factor;
}

/* ---- differences --------------------------------------------------------------------------------- */

static double last_time(const preview_track *t)
{
    return t->frames ? t->times[t->frames - 1] : 0;
}

/* Rounding of numbers as large as those of the plot, and a thousandth of a degree of rotations. */
static double least_of(const plot *p)
{
    double most = 0;
    if (p->measure == PLOT_ANGLE)
        return 1e-3;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < p->tracks[side]->frames; i++)
            for (unsigned k = 0; k < p->curves; k++) {
                double size = fabs(plot_value(p, side, i, k));
                most = isfinite(size) && size > most ? size : most;
            }
    return most * 1e-6;
}

void plot_walk_begin(plot_walk *walk, const plot *p)
{
    *walk = (plot_walk){.plot = p};
    if (!p->values[0] || !p->values[1])
        return;
    double a = last_time(p->tracks[0]), b = last_time(p->tracks[1]);
    walk->end = a < b ? a : b;
    walk->least = least_of(p);
}

/* The values of one side at a time. */
static void values_at(plot_walk *walk, int side, double time, double out[PLOT_CURVES])
{
    const plot *p = walk->plot;
    const preview_track *t = p->tracks[side];
    size_t *i = &walk->current[side];
    while (*i + 1 < t->frames && t->times[*i + 1] <= time)
        (*i)++;
    size_t to = *i + 1 < t->frames ? *i + 1 : *i;
    double step = t->times[to] - t->times[*i], sign = 1, dot = 0;
    double share = step > 0 && time > t->times[*i] ? (time - t->times[*i]) / step : 0;
    for (unsigned k = 0; k < p->curves; k++)
        dot += plot_value(p, side, *i, k) * plot_value(p, side, to, k);
    if (p->measure == PLOT_ANGLE && dot < 0)
        sign = -1; /* q and -q are the same rotation */
    for (unsigned k = 0; k < p->curves; k++) {
        out[k] = plot_value(p, side, *i, k);
        if (share > 0)
            out[k] += (sign * plot_value(p, side, to, k) - out[k]) * share;
    }
}

/* The arc sine of 0 to 1: by halves of the angle until the series is short. */
static double arc_sine(double x)
{
    enum { HALVES = 4 };
    for (int i = 0; i < HALVES; i++)
        x = x / sqrt(2 * (1 + sqrt(x < 1 ? 1 - x * x : 0)));
    double square = x * x;
    return (1 << HALVES) * x *
           (1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336))));
}

static double length_of(const double *v, unsigned n)
{
    double sum = 0;
    for (unsigned k = 0; k < n; k++)
        sum += v[k] * v[k];
    return sqrt(sum);
}

/* Degrees between two rotations, from the distance of their unit quaternions. */
static double angle_between(const double a[4], const double b[4])
{
    double sizes[2] = {length_of(a, 4), length_of(b, 4)}, dot = 0, d[4];
    if (!(sizes[0] > 0) || !(sizes[1] > 0))
        return NAN;
    for (unsigned k = 0; k < 4; k++)
        dot += a[k] * b[k];
    for (unsigned k = 0; k < 4; k++)
        d[k] = a[k] / sizes[0] - (dot < 0 ? -1 : 1) * b[k] / sizes[1];
    return 4 * DEGREES * arc_sine(length_of(d, 4) / 2);
}

static double distance(const plot *p, const double a[PLOT_CURVES], const double b[PLOT_CURVES])
{
    double d[PLOT_CURVES], most = 0;
    if (p->measure == PLOT_ANGLE)
        return angle_between(a, b);
    for (unsigned k = 0; k < p->curves; k++) {
        d[k] = fabs(a[k] - b[k]);
        most = d[k] > most ? d[k] : most;
    }
    if (p->measure == PLOT_GREATEST || !(most > 0))
        return most;
    for (unsigned k = 0; k < p->curves; k++)
        d[k] /= most;
    return most * length_of(d, p->curves);
}

static bool all_finite(const double *v, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (!isfinite(v[k]))
            return false;
    return true;
}

static bool all_same(const double *a, const double *b, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (a[k] != b[k] && !(isnan(a[k]) && isnan(b[k])))
            return false;
    return true;
}

bool plot_walk_next(plot_walk *walk, double *time, double *apart)
{
    const plot *p = walk->plot;
    size_t *next = walk->next;
    double a[PLOT_CURVES] = {0}, b[PLOT_CURVES] = {0};
    if (!p->values[0] || !p->values[1])
        return false;
    for (;;) {
        const preview_track *left = p->tracks[0], *right = p->tracks[1];
        bool more[2] = {next[0] < left->frames, next[1] < right->frames};
        if (!more[0] && !more[1])
            return false;
        bool first = more[0] && !(more[1] && right->times[next[1]] < left->times[next[0]]);
        *time = first ? left->times[next[0]++] : right->times[next[1]++];
        if (*time <= walk->end)
            break;
    }
    values_at(walk, 0, *time, a);
    values_at(walk, 1, *time, b);
    if (all_same(a, b, p->curves))
        *apart = 0;
    else
        *apart = all_finite(a, p->curves) && all_finite(b, p->curves) ? distance(p, a, b) : NAN;
    if (*apart <= walk->least)
        *apart = 0;
    return true;
}

plot_change plot_compare(const plot *p)
{
    plot_change change = {0, 0, 0};
    plot_walk walk;
    double time, apart, last = NAN; /* a time of both comes twice */
    plot_walk_begin(&walk, p);
    while (plot_walk_next(&walk, &time, &apart))
        if (isnan(apart)) {
            change.unknown += time != last;
            last = time;
        } else if (apart > change.most) {
            change.most = apart;
            change.time = time;
        }
    return change;
}

/* Whether it shows more than that nothing happens. */
static bool is_telling(const plot *p)
{
    if (p->values[0] && p->values[1]) {
        const plot_change change = plot_compare(p);
        return change.most > 0 || change.unknown;
    }
    if (p->tracks[1])
        return true; /* only one of the two has it */
    for (unsigned k = 0; k < p->curves; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < p->tracks[0]->frames; i++) {
            double v = plot_value(p, 0, i, k);
            low = isfinite(v) && v < low ? v : low;
            high = isfinite(v) && v > high ? v : high;
        }
        if (high - low > 1e-3)
            return true;
    }
    return false;
}

void plot_choose(plot *plots, unsigned *count, unsigned n)
{
    bool telling[PLOT_LIMIT] = {false};
    for (unsigned i = 0; *count > n && i < *count; i++)
        telling[i] = is_telling(&plots[i]);
    while (*count > n) {
        unsigned out = *count - 1;
        while (out > 0 && telling[out])
            out--;
        if (telling[out])
            out = *count - 1;
        for (unsigned i = out; i + 1 < *count; i++) {
            plots[i] = plots[i + 1];
            telling[i] = telling[i + 1];
        }
        --*count;
    }
}

void plot_tell(const plot *p, const plot_change *change, char out[PLOT_TEXT])
{
    char number[FRAME_NUMBER];
    out[0] = 0;
    if (!p->values[0] || !p->values[1]) {
        frame_append(out, PLOT_TEXT, p->values[0] ? "only in the first" : "only in the second");
        return;
    }
    if (change->most > 0) {
        frame_append(out, PLOT_TEXT, PLOT_DIFFERS);
        frame_append_quantity(out, PLOT_TEXT, change->most, 3, p->unit);
        frame_append(out, PLOT_TEXT, ", at ");
        frame_short_number(number, change->time, 4);
        frame_append(out, PLOT_TEXT, number);
        frame_append(out, PLOT_TEXT, " s");
    } else if (!change->unknown) {
        frame_append(out, PLOT_TEXT, "no difference");
    }
    if (!change->unknown)
        return;
    frame_append(out, PLOT_TEXT, change->most > 0 ? "; " : "");
    frame_append(out, PLOT_TEXT, "cannot be compared at ");
    frame_append_count(out, PLOT_TEXT, change->unknown, " time", " times");
}
