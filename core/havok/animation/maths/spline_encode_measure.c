/* How far what was written is from the samples: it is read as any clip is. */
#include "havok/animation/maths/spline_encode_check.h"
#include "havok/animation/maths/spline_encode_part.h"

#include <math.h>

enum { CHANNELS = 3 };

typedef struct measure {
    const hk_samples *s;
    double *worst; /* squares: CHANNELS for each track, then one for each float track */
    float *rows;   /* HK_TILE frames, or as many as there are */
    size_t worst_size, rows_size;
} measure;

static double square(const float *a, const float *b, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sum;
}

/* The chord of what is read, and of a sample of any length, the short way round. */
static double chord(const float *sample, const float *read)
{
    double length = 0, plus = 0, minus = 0, size = 0;
    for (unsigned a = 0; a < 4; a++) {
        length += (double)sample[a] * (double)sample[a];
        size += (double)read[a] * (double)read[a];
    }
    length = 1 / sqrt(length);
    size = 1 / sqrt(size);
    for (unsigned a = 0; a < 4; a++) {
        double x = (double)sample[a] * length, y = (double)read[a] * size;
        plus += (x - y) * (x - y);
        minus += (x + y) * (x + y);
    }
    return plus < minus ? plus : minus;
}

static void keep_greater(double *worst, double v)
{
    *worst = v > *worst ? v : *worst;
}

static void compare_rows(measure *me, const hk_spline *spline, uint64_t from, uint64_t frames)
{
    uint64_t n = me->s->transform_tracks;
    const float *want = me->s->rows + from * n * HK_ROW, *got = me->rows;
    hk_spline_decode(spline, from, frames, me->rows);
    for (uint64_t u = 0; u < frames; u++)
        for (uint64_t i = 0; i < n; i++, want += HK_ROW, got += HK_ROW) {
            double *worst = me->worst + i * CHANNELS;
            keep_greater(worst, square(want, got, 3));
            keep_greater(worst + 1, chord(want + 3, got + 3));
            keep_greater(worst + 2, square(want + 7, got + 7, 3));
        }
}

static void compare_values(measure *me, const hk_spline *spline, uint64_t from, uint64_t frames)
{
    uint64_t n = me->s->float_tracks;
    const float *want = me->s->values + from * n;
    hk_spline_floats_decode(spline, from, frames, me->rows);
    for (uint64_t k = 0; k < frames * n; k++)
        keep_greater(me->worst + me->s->transform_tracks * CHANNELS + k % n,
                     square(want + k, me->rows + k, 1));
}

typedef struct channel {
    const char *name;
    const hk_tolerance *tolerance;
    uint64_t first, step, tracks, before; /* in worst; in touched */
    bool turns;
    double *greatest;
    uint64_t *track;
} channel;

/* Leaves in the report the greatest of a channel, and tells of tracks that are off by more than their tolerance. */
static void report_channel(const measure *me, const channel *c, const hk_encode_options *o,
                           bool keeps, hk_encode_report *report, hk_coarse_fn *coarse, void *user)
{
    for (uint64_t i = 0; i < c->tracks; i++) {
        double off = me->worst[c->first + i * c->step], allowed = hk_tolerance_of(c->tolerance, i);
        if (hk_is_kept(o, keeps, c->before + i))
            continue;
        off = c->turns ? hk_turn_of_chord(off) : sqrt(off);
        if (off > *c->greatest) {
            *c->greatest = off;
            *c->track = i;
        }
        if (c->turns || !(off > allowed))
            continue;
        report->coarse_count++;
        if (coarse)
            coarse(user, c->name, i, off, allowed);
    }
}

static void report_all(const measure *me, const hk_encode_options *o, bool keeps,
                       hk_encode_report *r, hk_coarse_fn *coarse, void *user)
{
    uint64_t n = me->s->transform_tracks, floats = me->s->float_tracks;
    const channel channels[] = {
        {"translation", &o->translation, 0, CHANNELS, n, 0, false, &r->translation,
         &r->translation_track},
        {"rotation", &o->rotation, 1, CHANNELS, n, 0, true, &r->rotation, &r->rotation_track},
        {"scale", &o->scale, 2, CHANNELS, n, 0, false, &r->scale, &r->scale_track},
        {"value", &o->value, n * CHANNELS, 1, floats, n, false, &r->value, &r->value_track}};
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        report_channel(me, &channels[i], o, keeps, r, coarse, user);
}

static lathe_result open_written(const hk_samples *s, const hk_encoded *e, const mem *m,
                                 hk_spline *out, lathe_error *err)
{
    const uint16_t one = 1;
    const uint8_t *offsets = (const uint8_t *)e->block_offsets,
                  *floats = (const uint8_t *)e->float_block_offsets;
    const hk_spline_facts facts = {.data = e->data.data,
                                   .size = e->data.size,
                                   .tables_big = *(const uint8_t *)&one == 0,
                                   .transform_tracks = (int64_t)s->transform_tracks,
                                   .float_tracks = (int64_t)s->float_tracks,
                                   .frames = (int64_t)s->frames,
                                   .blocks = e->blocks,
                                   .max_frames_per_block = e->max_frames_per_block,
                                   .mask_size = e->mask_size,
                                   .block_offsets = {offsets, e->blocks},
                                   .float_block_offsets = {floats, e->blocks}};
    return hk_spline_open(out, &facts, m, err);
}

static bool make_room(measure *me, const mem *m)
{
    uint64_t n = me->s->transform_tracks, floats = me->s->float_tracks;
    uint64_t frames = me->s->frames < HK_TILE ? me->s->frames : HK_TILE;
    uint64_t width = n * HK_ROW > floats ? n * HK_ROW : floats;
    me->worst_size = (size_t)(n * CHANNELS + floats) * sizeof *me->worst;
    me->rows_size = (size_t)(frames * width) * sizeof *me->rows;
    me->worst = mem_zalloc(m, me->worst_size);
    me->rows = mem_alloc(m, me->rows_size);
    return me->worst && me->rows;
}

lathe_result hk_encode_measure(const hk_samples *s, const hk_encode_options *o, bool keeps,
                               const hk_encoded *e, const mem *m, hk_encode_report *report,
                               hk_coarse_fn *coarse, void *user, lathe_error *err)
{
    measure me = {.s = s};
    hk_spline spline;
    lathe_result r = open_written(s, e, m, &spline, err);
    if (r != LATHE_OK)
        return r;
    if (make_room(&me, m)) {
        for (uint64_t from = 0; from < s->frames; from += HK_TILE) {
            uint64_t frames = s->frames - from < HK_TILE ? s->frames - from : HK_TILE;
            if (s->transform_tracks)
                compare_rows(&me, &spline, from, frames);
            if (s->float_tracks)
                compare_values(&me, &spline, from, frames);
        }
        report_all(&me, o, keeps, report, coarse, user);
    } else {
        r = error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    }
    mem_free(m, me.worst, me.worst_size);
    mem_free(m, me.rows, me.rows_size);
    hk_spline_free(&spline);
    return r;
}
