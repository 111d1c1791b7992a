/* Clips of hkaSplineCompressedAnimation made by chance, next to what they mean in plain doubles: an
 * evaluation of its own, by the definition of B-splines, that core/havok is measured against.
 * Reference: formats/hkx-animation.md#6. */
#ifndef SPLINE_CLIP_H
#define SPLINE_CLIP_H

#include "havok/animation/maths/spline.h"

#include "base/bytes.h"

#include <math.h>
#include <stdlib.h>

enum { SC_BLOCKS = 4, SC_TRACKS = 6, SC_FLOATS = 4, SC_POINTS = 300, SC_BYTES = 1 << 17 };

/* A curve, or with count 0 a value that stays. */
typedef struct sc_part {
    int degree, count;
    int knots[SC_POINTS + 8];
    double points[SC_POINTS][4];
    double value[4];
    bool moves[4];
} sc_part;

typedef struct sc_clip {
    /* what is wanted */
    bool big, wide; /* 16 bits a number of a vector */
    int degree, packing, frames, m, tracks, floats;
    bool each_frame; /* a knot on each */
    uint32_t seed;
    /* what became of it */
    int blocks;
    size_t size;
    uint8_t data[SC_BYTES], block_offsets[4 * SC_BLOCKS], float_offsets[4 * SC_BLOCKS];
    sc_part track[SC_BLOCKS][SC_TRACKS][3], floating[SC_BLOCKS][SC_FLOATS];
    hk_spline_facts facts;
} sc_clip;

static inline uint32_t sc_random(sc_clip *c)
{
    c->seed = c->seed * 1664525u + 1013904223u;
    return c->seed >> 8;
}

static inline double sc_real(sc_clip *c, double low, double high)
{
    return low + (high - low) * (double)sc_random(c) / 16777216.0;
}

/* ---- bytes --------------------------------------------------------------------------------------- */

static inline void sc_put(sc_clip *c, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        c->data[c->size + (c->big ? n - 1 - i : i)] = (uint8_t)(v >> 8 * i);
    c->size += n;
}

static inline double sc_put_float(sc_clip *c, double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    sc_put(c, bits, 4);
    return (double)f;
}

static inline void sc_pad(sc_clip *c, size_t align)
{
    while (c->size % align)
        sc_put(c, 0, 1);
}

/* ---- rotations ----------------------------------------------------------------------------------- */

static inline void sc_three(sc_clip *c, const double q[4], int half, unsigned bits, double unit,
                            double out[4])
{
    unsigned drop = 0, n = 0, v[3];
    double rest = 1;
    for (unsigned i = 1; i < 4; i++)
        if (fabs(q[i]) > fabs(q[drop]))
            drop = i;
    for (unsigned i = 0; i < 4; i++) {
        if (i == drop)
            continue;
        v[n] = (unsigned)((int)lround(q[i] / unit) + half);
        out[i] = ((double)v[n++] - half) * unit;
        rest -= out[i] * out[i];
    }
    out[drop] = sqrt(rest > 0 ? rest : 0) * (q[drop] < 0 ? -1 : 1);
    uint64_t sign = q[drop] < 0;
    if (bits == 12) {
        sc_put(c, v[0] | v[1] << 12 | (uint64_t)v[2] << 24 | (uint64_t)drop << 36 | sign << 38, 5);
        return;
    }
    sc_put(c, v[0] | (drop & 1) << 15, 2);
    sc_put(c, v[1] | (drop >> 1) << 15, 2);
    sc_put(c, v[2] | sign << 15, 2);
}

static inline void sc_polar(sc_clip *c, double out[4])
{
    uint32_t v = sc_random(c) | (sc_random(c) & 15) << 24; /* no signs: neighbours are alike */
    double r = (v >> 18 & 1023) / 1023.0, w = 1 - r * r, p = v & 0x3ffff;
    double ring = floor(sqrt(p)), m = sqrt(1 - w * w);
    double theta = ring > 0 ? acos(-1.0) / 4 * (p - ring * ring) / ring : 0;
    double phi = ring * acos(-1.0) / 2 / 511;
    out[0] = sin(phi) * cos(theta) * m;
    out[1] = sin(phi) * sin(theta) * m;
    out[2] = cos(phi) * m;
    out[3] = w;
    sc_put(c, v, 4);
}

/* One that is no further from q than neighbours in a curve are. */
static inline void sc_put_rotation(sc_clip *c, const double base[4], double out[4])
{
    double q[4], length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = base[i] + sc_real(c, -0.3, 0.3);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length);
    switch (c->packing) {
    case 0: sc_polar(c, out); break;
    case 1: sc_three(c, q, 2047, 12, 0.000345436, out); break;
    case 2: sc_three(c, q, 16383, 15, 0.000043161, out); break;
    default:
        for (int i = 0; i < 4; i++)
            out[i] = sc_put_float(c, q[i]);
    }
}

/* ---- parts --------------------------------------------------------------------------------------- */

/* First and last knots degree + 1 times, between them any, none more than `degree` times. */
static inline void sc_put_knots(sc_clip *c, sc_part *p, int last)
{
    int n = 0, d = p->degree = c->degree;
    for (; n <= d; n++)
        p->knots[n] = 0;
    for (int f = 1; f < last; f++) {
        int times = c->each_frame ? 1 : (int)(sc_random(c) % 4) % (d + 1);
        while (times-- > 0)
            p->knots[n++] = f;
    }
    p->count = n;
    for (int i = 0; i <= d; i++)
        p->knots[n++] = last;
    sc_put(c, (uint64_t)p->count - 1, 2);
    sc_put(c, (uint64_t)d, 1);
    for (int i = 0; i < n; i++)
        sc_put(c, (uint64_t)p->knots[i], 1);
}

static inline void sc_put_vector(sc_clip *c, sc_part *p, unsigned mask, double rest, int last)
{
    double low[3] = {0}, high[3] = {0};
    p->count = 0;
    if (mask & 0x70) {
        sc_put_knots(c, p, last);
        sc_pad(c, 4);
    }
    for (int i = 0; i < 3; i++) {
        p->moves[i] = mask >> i & 0x10;
        p->value[i] = rest;
        if (p->moves[i]) {
            low[i] = sc_put_float(c, sc_real(c, -10, 10));
            high[i] = sc_put_float(c, low[i] + sc_real(c, 0, 10));
        } else if (mask >> i & 1) {
            p->value[i] = sc_put_float(c, sc_real(c, -9, 9));
        }
    }
    for (int k = 0; k < p->count; k++)
        for (int i = 0; i < 3; i++) {
            uint32_t v = sc_random(c) & (c->wide ? 0xffff : 0xff);
            p->points[k][i] = low[i] + (high[i] - low[i]) * v / (c->wide ? 65535 : 255);
            if (p->moves[i])
                sc_put(c, v, c->wide ? 2 : 1);
        }
    sc_pad(c, 4);
}

static inline void sc_put_turn(sc_clip *c, sc_part *p, unsigned mask, int last)
{
    static const uint8_t align[6] = {4, 1, 2, 1, 1, 4};
    double base[4];
    p->count = 0;
    for (int i = 0; i < 4; i++) {
        base[i] = sc_real(c, -1, 1) + (i == 2 ? 1.5 : 0);
        p->value[i] = i == 3;
        p->moves[i] = mask & 0xf0;
    }
    if (mask & 0xf0) {
        sc_put_knots(c, p, last);
        sc_pad(c, align[c->packing]);
        for (int k = 0; k < p->count; k++)
            sc_put_rotation(c, base, p->points[k]);
    } else if (mask & 15) {
        sc_put_rotation(c, base, p->value);
    }
    sc_pad(c, 4);
}

/* ---- blocks -------------------------------------------------------------------------------------- */

static inline unsigned sc_vector_mask(sc_clip *c)
{
    unsigned mask = 0;
    for (int i = 0; i < 3; i++)
        mask |= (unsigned[]){0, 1, 0x10}[sc_random(c) % 3] << i;
    return mask;
}

static inline void sc_put_block(sc_clip *c, int b)
{
    size_t start = c->size;
    int left = c->frames - 1 - b * (c->m - 1), last = left < c->m - 1 ? left : c->m - 1;
    unsigned code = c->wide;
    bytes_st32(c->block_offsets + 4 * b, (uint32_t)start, c->big);
    for (int t = 0; t < c->tracks; t++) {
        unsigned kind = sc_random(c) % 3, turn = 1 + sc_random(c) % 15;
        sc_put(c, code | (unsigned)c->packing << 2 | code << 6, 1);
        sc_put(c, sc_vector_mask(c), 1);
        sc_put(c, kind == 0 ? 0 : kind == 1 ? turn : turn << 4 | (turn & 5), 1);
        sc_put(c, sc_vector_mask(c), 1);
    }
    for (int i = 0; i < c->floats; i++)
        sc_put(c, (unsigned[]){0, 1, 0x10}[i % 3] | code << 1, 1);
    sc_pad(c, 4);
    c->facts.mask_size = (int64_t)(c->size - start);
    for (int t = 0; t < c->tracks; t++) {
        const uint8_t *mask = c->data + start + 4 * t;
        sc_put_vector(c, &c->track[b][t][0], mask[1], 0, last);
        sc_put_turn(c, &c->track[b][t][1], mask[2], last);
        sc_put_vector(c, &c->track[b][t][2], mask[3], 1, last);
    }
    bytes_st32(c->float_offsets + 4 * b, (uint32_t)(c->size - start), c->big);
    for (int i = 0; i < c->floats; i++)
        sc_put_vector(c, &c->floating[b][i], c->data[start + (size_t)(4 * c->tracks + i)] & 0x11, 0,
                      last);
    sc_pad(c, 16);
}

static inline void sc_make(sc_clip *c)
{
    const double frame = 1 / 30.0;
    c->size = 0;
    c->blocks = c->frames < 2 ? 1 : (c->frames - 2) / (c->m - 1) + 1;
    for (int b = 0; b < c->blocks; b++)
        sc_put_block(c, b);
    c->facts.data = c->data;
    c->facts.size = c->size;
    c->facts.big = c->facts.tables_big = c->big;
    c->facts.transform_tracks = c->tracks;
    c->facts.float_tracks = c->floats;
    c->facts.frames = c->frames;
    c->facts.blocks = c->blocks;
    c->facts.max_frames_per_block = c->m;
    c->facts.frame_duration = frame;
    c->facts.block_duration = (c->m - 1) * frame;
    c->facts.block_inverse_duration = 1 / c->facts.block_duration;
    c->facts.block_offsets = (bytes_array){c->block_offsets, (uint64_t)c->blocks};
    c->facts.float_block_offsets = (bytes_array){c->float_offsets, (uint64_t)c->blocks};
}

/* ---- what it means ------------------------------------------------------------------------------- */

/* By the definition. Span s is the one that holds u. */
static inline double sc_basis(const int *k, int i, int p, int s, double u)
{
    if (p == 0)
        return i == s;
    double up = k[i + p] > k[i] ? (u - k[i]) / (k[i + p] - k[i]) : 0;
    double down = k[i + p + 1] > k[i + 1] ? (k[i + p + 1] - u) / (k[i + p + 1] - k[i + 1]) : 0;
    return (up != 0 ? up * sc_basis(k, i, p - 1, s, u) : 0) +
           (down != 0 ? down * sc_basis(k, i + 1, p - 1, s, u) : 0);
}

static inline void sc_eval(const sc_part *p, double u, double out[4])
{
    int s = 0;
    while (s + 1 < p->count && p->knots[s + 1] <= u)
        s++;
    for (int i = 0; i < 4; i++)
        out[i] = p->count && p->moves[i] ? 0 : p->value[i];
    if (p->count && p->knots[p->count] == 0) /* one frame */
        memcpy(out, p->points[0], sizeof p->points[0]);
    for (int k = 0; k < p->count && p->knots[p->count]; k++)
        for (int i = 0; i < 4; i++)
            if (p->moves[i])
                out[i] += sc_basis(p->knots, k, p->degree, s, u) * p->points[k][i];
    for (int i = 0; i < 3; i++)
        if (p->count && !p->moves[i])
            out[i] = p->value[i];
}

static inline void sc_row(const sc_clip *c, int b, int track, double u, double row[HK_ROW])
{
    double t[4], q[4], s[4];
    sc_eval(&c->track[b][track][0], u, t);
    sc_eval(&c->track[b][track][1], u, q);
    sc_eval(&c->track[b][track][2], u, s);
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 3; i++) {
        row[i] = t[i];
        row[7 + i] = s[i];
    }
    for (int i = 0; i < 4; i++)
        row[3 + i] = q[i] / length;
}

#endif
