/* A clip as long as games have them (826 frames of 94 tracks in 4 blocks; a third of the rotations move,
 * of the other parts hardly any), made here: decoded as a whole, sampled at moments, opened. Against memcpy
 * of the decoded bytes. */
#include "havok/animation/maths/spline.h"

#include "base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 826, TRACKS = 94, BLOCKS = 4, M = 256, SAMPLES = 1000, ROUNDS = 30 };

typedef struct clip {
    uint8_t data[1 << 19], offsets[4 * BLOCKS];
    size_t size;
    uint32_t seed;
} clip;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- making -------------------------------------------------------------------------------------- */

static void put(clip *c, uint32_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        c->data[c->size++] = (uint8_t)(v >> 8 * i);
}

static void put_float(clip *c, float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put(c, bits, 4);
}

static void pad(clip *c, unsigned n)
{
    while (c->size % n)
        put(c, 0, 1);
}

static uint32_t chance(clip *c)
{
    c->seed = c->seed * 1664525u + 1013904223u;
    return c->seed >> 8;
}

/* A knot every `gap` frames; returns the number of points. */
static unsigned put_knots(clip *c, unsigned degree, unsigned last, unsigned gap)
{
    size_t start = c->size;
    unsigned points = degree + 1;
    put(c, 0, 2);
    put(c, degree, 1);
    for (unsigned i = 0; i <= degree; i++)
        put(c, 0, 1);
    for (unsigned f = gap; f < last; f += gap, points++)
        put(c, f, 1);
    for (unsigned i = 0; i <= degree; i++)
        put(c, last, 1);
    bytes_st16(c->data + start, (uint16_t)(points - 1), false);
    return points;
}

/* Three small numbers and the sign of the fourth, which is near to 1. */
static void put_rotation(clip *c)
{
    uint64_t v = (uint64_t)3 << 36;
    for (unsigned i = 0; i < 3; i++)
        v |= (uint64_t)(1800 + chance(c) % 400) << 12 * i;
    put(c, (uint32_t)v, 4);
    put(c, (uint32_t)(v >> 32), 1);
}

static void put_block(clip *c, unsigned b)
{
    unsigned last = b + 1 < BLOCKS ? M - 1 : FRAMES - 1 - b * (M - 1);
    bytes_st32(c->offsets + (size_t)4 * b, (uint32_t)c->size, false);
    for (unsigned t = 0; t < TRACKS; t++)
        put(c, 0x45 | (t % 24 == 0 ? 0x7000u : 0x700u) | (t % 3 == 0 ? 0xf00000u : 0x0f0000u), 4);
    for (unsigned t = 0; t < TRACKS; t++) {
        unsigned points = 0;
        if (t % 24 == 0)
            points = put_knots(c, 1, last, 1);
        pad(c, 4);
        for (unsigned i = 0; i < 3; i++) {
            put_float(c, (float)(chance(c) % 100));
            if (points)
                put_float(c, (float)(100 + chance(c) % 100));
        }
        for (unsigned i = 0; i < 3 * points; i++)
            put(c, chance(c), 2);
        pad(c, 4);
        points = 1;
        if (t % 3 == 0)
            points = t % 15 == 0 ? put_knots(c, 3, last, 3) : put_knots(c, 1, last, 1);
        while (points--)
            put_rotation(c);
        pad(c, 4);
    }
    pad(c, 16);
}

/* ---- measuring ------------------------------------------------------------------------------------- */

static void line(const char *what, double ns, double copy, double transforms)
{
    printf("  %-52s %10.3f ms %8.2f x memcpy %8.2f ns a transform, %.1f M/s\n", what, ns / 1e6,
           ns / copy, ns / transforms, transforms / ns * 1e3);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(void)
{
    const size_t rows = (size_t)FRAMES * TRACKS, bytes = rows * HK_ROW * sizeof(float);
    clip *c = calloc(1, sizeof *c);
    float *out = calloc(1, bytes), *copy = calloc(1, bytes);
    if (!c || !out || !copy)
        return 1;
    for (unsigned b = 0; b < BLOCKS; b++)
        put_block(c, b);
    const hk_spline_facts facts = {.data = c->data,
                                   .size = c->size,
                                   .transform_tracks = TRACKS,
                                   .frames = FRAMES,
                                   .blocks = BLOCKS,
                                   .max_frames_per_block = M,
                                   .mask_size = (int64_t)4 * TRACKS,
                                   .block_offsets = {c->offsets, BLOCKS}};
    double copying = 1e18, opening = 1e18, decoding = 1e18, sampling = 1e18, t;
    hk_spline s;
    lathe_error err;
    mem m = mem_default();
    for (int i = 0; i < ROUNDS; i++) {
        t = now();
        if (hk_spline_open(&s, &facts, &m, &err) != LATHE_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        opening = least(opening, now() - t);
        t = now();
        hk_spline_decode(&s, 0, FRAMES, out);
        decoding = least(decoding, now() - t);
        t = now();
        memcpy(copy, out, bytes);
        copying = least(copying, now() - t);
        t = now();
        for (int k = 0; k < SAMPLES; k++) {
            model_when when = {.at = (double)(chance(c) % (1000 * (FRAMES - 1))) / 1000};
            hk_spline_sample(&s, &when, 0, TRACKS, copy);
        }
        sampling = least(sampling, now() - t);
        hk_spline_free(&s);
    }
    printf("%d frames of %d tracks: %.2f MB from %.2f MB\n", FRAMES, TRACKS, (double)bytes / 1e6,
           (double)c->size / 1e6);
    line("memcpy", copying, copying, (double)rows);
    line("decode all", decoding, copying, (double)rows);
    line("sample at 1,000 moments", sampling, copying, (double)SAMPLES * TRACKS);
    line("sample at one", sampling / SAMPLES, copying, TRACKS);
    line("open", opening, copying, (double)rows);
    free(c);
    free(out);
    free(copy);
    return 0;
}
