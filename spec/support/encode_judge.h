/* What hk_spline_encode wrote, judged: it opens, is near enough to the samples at every frame, as its report says, and
 * goes no farther than it may between two. */
#ifndef ENCODE_JUDGE_H
#define ENCODE_JUDGE_H

#include "havok/animation/maths/spline_encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct judged {
    double translation, rotation, scale, value; /* the greatest errors at frames */
    double worst;                               /* of them relative to their tolerances */
    double
        between; /* the greatest distance half-way from the middle, relative to what is allowed */
    uint64_t track, frame; /* where `between` is */
    const char *what;
    const char *failed; /* not even open */
    uint64_t splines;   /* parts that move */
} judged;

static inline void judge_facts(const hk_samples *s, const hk_encoded *e, hk_spline_facts *out)
{
    const uint16_t one = 1;
    *out = (hk_spline_facts){
        .data = e->data.data,
        .size = e->data.size,
        .tables_big = *(const uint8_t *)&one == 0,
        .transform_tracks = (int64_t)s->transform_tracks,
        .float_tracks = (int64_t)s->float_tracks,
        .frames = (int64_t)s->frames,
        .blocks = e->blocks,
        .max_frames_per_block = e->max_frames_per_block,
        .mask_size = e->mask_size,
        .block_duration = (double)(e->max_frames_per_block - 1) / 30,
        .block_inverse_duration = 30 / (double)(e->max_frames_per_block - 1),
        .frame_duration = 1 / 30.0,
        .block_offsets = {(const uint8_t *)e->block_offsets, e->blocks},
        .float_block_offsets = {(const uint8_t *)e->float_block_offsets, e->blocks}};
}

static inline double judge_distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* The turn between two rotations of any length. */
static inline double judge_turn(const double *a, const double *b)
{
    double la = 0, lb = 0, plus = 0, minus = 0;
    for (int i = 0; i < 4; i++) {
        la += a[i] * a[i];
        lb += b[i] * b[i];
    }
    for (int i = 0; i < 4; i++) {
        double x = a[i] / sqrt(la), y = b[i] / sqrt(lb);
        plus += (x - y) * (x - y);
        minus += (x + y) * (x + y);
    }
    return 4 * asin(sqrt(plus < minus ? plus : minus) / 2);
}

static inline void judge_wide(const float *from, double *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (double)from[i];
}

static inline double judge_tolerance(const hk_tolerance *t, uint64_t i)
{
    return t->each ? t->each[i] : t->all;
}

/* How far half-way is from the middle, as a share of half the step and 3 tolerances. */
static inline double judge_middle(const float *a, const float *half, const float *b, int n,
                                  double tolerance)
{
    double x[4], y[4], z[4], middle[4], dot = 0, off, step;
    judge_wide(a, x, n);
    judge_wide(half, y, n);
    judge_wide(b, z, n);
    for (int i = 0; i < n; i++)
        dot += x[i] * z[i];
    for (int i = 0; i < n; i++)
        middle[i] = (x[i] + (n == 4 && dot < 0 ? -z[i] : z[i])) / 2;
    if (n == 4 && fabs(dot) < 1e-3) /* half a turn: both ways are as short */
        return 0;
    off = n == 4 ? judge_turn(middle, y) : judge_distance(middle, y, n);
    step = n == 4 ? judge_turn(x, z) : judge_distance(x, z, n);
    return off / (step / 2 + 3 * tolerance);
}

static inline void judge_note(judged *j, double *most, double off, double tolerance)
{
    *most = off > *most ? off : *most;
    j->worst = off / tolerance > j->worst ? off / tolerance : j->worst;
}

static inline void judge_between(judged *j, double share, uint64_t track, uint64_t frame,
                                 const char *what)
{
    if (share <= j->between)
        return;
    j->between = share;
    j->track = track;
    j->frame = frame;
    j->what = what;
}

static inline void judge_rows(const hk_samples *s, const hk_encode_options *o,
                              const hk_spline *spline, judged *j)
{
    uint64_t n = s->transform_tracks;
    size_t width = (size_t)n * HK_ROW;
    float *rows = malloc((width * s->frames + 1) * sizeof *rows),
          *half = malloc((width + 1) * sizeof *half);
    hk_spline_decode(spline, 0, s->frames, rows);
    for (uint64_t u = 0; u < s->frames; u++) {
        const float *got = rows + u * width, *want = s->rows + u * width;
        const model_when when = {.at = (double)u + 0.5};
        bool more = u + 1 < s->frames;
        if (more)
            hk_spline_sample(spline, &when, 0, n, half);
        for (uint64_t i = 0; i < n; i++) {
            const float *g = got + i * HK_ROW, *w = want + i * HK_ROW, *h = half + i * HK_ROW,
                        *next = g + width;
            double a[HK_ROW], b[HK_ROW], t = judge_tolerance(&o->translation, i),
                                         r = judge_tolerance(&o->rotation, i),
                                         c = judge_tolerance(&o->scale, i);
            judge_wide(g, a, HK_ROW);
            judge_wide(w, b, HK_ROW);
            judge_note(j, &j->translation, judge_distance(a, b, 3), t);
            judge_note(j, &j->rotation, judge_turn(a + 3, b + 3), r);
            judge_note(j, &j->scale, judge_distance(a + 7, b + 7, 3), c);
            if (!more)
                continue;
            judge_between(j, judge_middle(g, h, next, 3, t), i, u, "translation");
            judge_between(j, judge_middle(g + 3, h + 3, next + 3, 4, r), i, u, "rotation");
            judge_between(j, judge_middle(g + 7, h + 7, next + 7, 3, c), i, u, "scale");
        }
    }
    free(rows);
    free(half);
}

static inline void judge_values(const hk_samples *s, const hk_encode_options *o,
                                const hk_spline *spline, judged *j)
{
    uint64_t n = s->float_tracks;
    float *values = malloc((n * s->frames + 1) * sizeof *values),
          *half = malloc((n + 1) * sizeof *half);
    hk_spline_floats_decode(spline, 0, s->frames, values);
    for (uint64_t u = 0; u < s->frames; u++) {
        const float *got = values + u * n, *want = s->values + u * n;
        const model_when when = {.at = (double)u + 0.5};
        if (u + 1 < s->frames)
            hk_spline_floats_sample(spline, &when, 0, n, half);
        for (uint64_t i = 0; i < n; i++) {
            double t = judge_tolerance(&o->value, i);
            judge_note(j, &j->value, fabs((double)got[i] - (double)want[i]), t);
            if (u + 1 < s->frames)
                judge_between(j, judge_middle(got + i, half + i, got + n + i, 1, t), i, u, "value");
        }
    }
    free(values);
    free(half);
}

static inline judged judge(const hk_samples *s, const hk_encode_options *o, const hk_encoded *e)
{
    static lathe_error err;
    judged j = {.what = "nothing"};
    hk_spline_facts facts;
    hk_spline spline;
    const mem m = mem_default();
    judge_facts(s, e, &facts);
    if (hk_spline_open(&spline, &facts, &m, &err) != LATHE_OK) {
        j.failed = err.message;
        return j;
    }
    if (s->transform_tracks)
        judge_rows(s, o, &spline, &j);
    if (s->float_tracks)
        judge_values(s, o, &spline, &j);
    hk_spline_free(&spline);
    return j;
}

#endif
