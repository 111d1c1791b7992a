/* Whole clips. Frames follow each other in the output, tracks in the blob: so a tile of frames is made
 * at a time, track by track, while what it is written to stays near. */
#include "havok/animation/maths/spline_track.h"

/* The frames of one part in a tile: as many values as frames, or one for all. */
typedef struct part_frames {
    float values[HK_TILE][4];
    unsigned step; /* 1 or 0 */
} part_frames;

static void part_over(const hk_channel *p, unsigned first, unsigned n, part_frames *out)
{
    out->step = p->moves;
    if (p->moves)
        hk_curve_frames(&p->curve, first, n, out->values);
    else
        memcpy(out->values[0], p->value, sizeof p->value);
}

static void write_rows(const part_frames *t, const part_frames *q, const part_frames *s, unsigned n,
                       size_t stride, float *row)
{
    const float(*tv)[4] = t->values, (*qv)[4] = q->values, (*sv)[4] = s->values;
    for (unsigned i = 0; i < n; i++, row += stride) {
        memcpy(row, *tv,
               4 * sizeof *row); /* the rotation overwrites the last: cheaper than three */
        memcpy(row + 3, *qv, 4 * sizeof *row);
        memcpy(row + 7, *sv, 3 * sizeof *row);
        tv += t->step;
        qv += q->step;
        sv += s->step;
    }
}

static void decode_tile(const hk_spline *s, hk_reader *r, unsigned first, unsigned n, float *rows)
{
    hk_track track;
    part_frames translation, rotation, scale;
    uint64_t tracks = (uint64_t)s->facts.transform_tracks;
    for (uint64_t i = 0; i < tracks; i++) {
        hk_track_at(s, r, i, &track);
        part_over(&track.translation, first, n, &translation);
        part_over(&track.rotation, first, n, &rotation);
        part_over(&track.scale, first, n, &scale);
        if (rotation.step)
            hk_unit(rotation.values, n);
        write_rows(&translation, &rotation, &scale, n, (size_t)tracks * HK_ROW, rows + i * HK_ROW);
    }
}

static void decode_floats(const hk_spline *s, hk_reader *r, unsigned first, unsigned n,
                          float *values)
{
    hk_channel part;
    part_frames frames;
    uint64_t tracks = (uint64_t)s->facts.float_tracks;
    for (uint64_t i = 0; i < tracks; i++) {
        hk_float_at(s, r, i, &part);
        part_over(&part, first, n, &frames);
        for (unsigned k = 0; k < n; k++)
            values[k * tracks + i] = frames.values[k * frames.step][0];
    }
}

/* Tiles end with their block. What lies behind the last frame is that frame. */
static void decode(const hk_spline *s, uint64_t from, uint64_t n, size_t width, float *out,
                   void (*tile)(const hk_spline *, hk_reader *, unsigned, unsigned, float *))
{
    const hk_spline_facts *f = &s->facts;
    uint64_t last = (uint64_t)f->frames - 1;
    while (n > 0 && width > 0) {
        double u;
        model_when when = {.at = (double)(from < last ? from : last)};
        uint64_t b = hk_block_of(f, &when, &u), left = 1;
        hk_reader r = hk_reader_of(f, b);
        unsigned first = (unsigned)u;
        if (from < last)
            left = b + 1 < (uint64_t)f->blocks ? (uint64_t)f->max_frames_per_block - 1 - first
                                               : last + 1 - from;
        left = left < n ? left : n;
        left = left < HK_TILE ? left : HK_TILE;
        tile(s, &r, first, (unsigned)left, out);
        out += left * width;
        from += left;
        n -= left;
    }
}

void hk_spline_decode(const hk_spline *s, uint64_t from, uint64_t n, float *rows)
{
    decode(s, from, n, (size_t)s->facts.transform_tracks * HK_ROW, rows, decode_tile);
}

void hk_spline_floats_decode(const hk_spline *s, uint64_t from, uint64_t n, float *values)
{
    decode(s, from, n, (size_t)s->facts.float_tracks, values, decode_floats);
}
