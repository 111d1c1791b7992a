/* core/havok/animation/maths/spline_encode: hard cases, judged by what is read of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "encode_judge.h"
#include "short_memory.h"

/* ---- samples -------------------------------------------------------------------------------------------- */

static uint32_t seed;

static double chance(void) /* 0 to 1 */
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

typedef struct clip {
    hk_samples s;
    float *rows, *values;
} clip;

static float *row_of(const clip *c, uint64_t frame, uint64_t track)
{
    return c->rows + (frame * c->s.transform_tracks + track) * HK_ROW;
}

/* All at rest, floats 1. */
static clip clip_of(uint64_t frames, uint64_t tracks, uint64_t floats)
{
    clip c;
    c.rows = calloc(frames * tracks * HK_ROW + 1, sizeof *c.rows);
    c.values = calloc(frames * floats + 1, sizeof *c.values);
    assert_true(c.rows && c.values);
    c.s = (hk_samples){frames, tracks, floats, c.rows, c.values};
    for (uint64_t i = 0; i < frames * tracks; i++) {
        float *row = c.rows + i * HK_ROW;
        row[6] = row[7] = row[8] = row[9] = 1;
    }
    for (uint64_t i = 0; i < frames * floats; i++)
        c.values[i] = 1;
    return c;
}

static void clip_free(clip *c)
{
    free(c->rows);
    free(c->values);
}

static void set_turn(float *q, double angle, double x, double y, double z)
{
    double l = sqrt(x * x + y * y + z * z), s = sin(angle / 2) / (l > 0 ? l : 1);
    q[0] = (float)(x * s);
    q[1] = (float)(y * s);
    q[2] = (float)(z * s);
    q[3] = (float)cos(angle / 2);
}

/* Translation, rotation and scale of each kind. */
typedef void make_row(float *row, double frame, double track);

static void smooth(float *row, double u, double k)
{
    for (int a = 0; a < 3; a++) {
        row[a] = (float)(20 * sin(u * 0.1 + k + a) + 3 * sin(u * 0.37 * (a + 1)));
        row[7 + a] = (float)(1 + 0.2 * sin(u * 0.05 + a));
    }
    set_turn(row + 3, 2 * sin(u * 0.13 + k), 1, sin(u * 0.07), k);
}

static void noise(float *row, double u, double k)
{
    (void)u;
    (void)k;
    for (int a = 0; a < 3; a++) {
        row[a] = (float)(100 * chance());
        row[7 + a] = (float)(1 + chance());
    }
    set_turn(row + 3, 7 * chance(), chance() - 0.5, chance() - 0.5, chance() - 0.5);
}

static void full_turns(float *row, double u, double k)
{
    set_turn(row + 3, u * (0.4 + 0.4 * k), 0.3, 1, -0.2);
    row[0] = (float)(u * k);
}

/* Keys that lie half a turn apart, and signs by chance. */
static void antipodal(float *row, double u, double k)
{
    set_turn(row + 3, (int)(u / (1 + k)) % 2 ? 3.14159265358979 : 0, 0, 1, 0);
    float sign = chance() < 0.5 ? -1 : 1;
    for (int a = 3; a < 7; a++)
        row[a] *= sign;
}

static void steps(float *row, double u, double k)
{
    double v = floor(u / (3 + k));
    for (int a = 0; a < 3; a++) {
        row[a] = (float)(5 * fmod(v * (a + 1), 3));
        row[7 + a] = (float)(1 + 0.5 * fmod(v, 2));
    }
    set_turn(row + 3, fmod(v, 4), 1, 0, 0);
}

static void tiny(float *row, double u, double k)
{
    for (int a = 0; a < 3; a++) {
        row[a] = (float)(1e-7 * sin(u + k));
        row[7 + a] = (float)(1e-6 * (2 + sin(u * 0.3 + a)));
    }
    set_turn(row + 3, 1e-4 * sin(u * 0.3), 1, 1, k);
}

static void huge(float *row, double u, double k)
{
    for (int a = 0; a < 3; a++) {
        row[a] = (float)(1e6 * sin(u * 0.05 + k + a));
        row[7 + a] = (float)(1e8 * (2 + sin(u * 0.03 + a)));
    }
    set_turn(row + 3, u * 0.05, 1, k, 0);
    for (int a = 3; a < 7; a++)
        row[a] *= 1e10f;
}

static void still(float *row, double u, double k)
{
    (void)u;
    row[0] = (float)(k + 0.25);
    row[8] = 2;
    set_turn(row + 3, k + 0.1, 0, 0, 1);
}

static const struct kind {
    const char *name;
    make_row *make;
    double translation, scale; /* tolerances that suit it */
} kinds[] = {
    {"smooth", smooth, 0.01, 0.001},
    {"noise", noise, 0.01, 0.001},
    {"full turns", full_turns, 0.02, 0.001},
    {"antipodal keys", antipodal, 0.01, 0.001},
    {"steps", steps, 0.01, 0.001},
    {"tiny", tiny, 1e-9, 1e-8},
    {"huge", huge, 100, 1e4},
    {"still", still, 0.01, 0.001},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static clip made(const struct kind *k, uint64_t frames, uint64_t tracks, uint64_t floats)
{
    clip c = clip_of(frames, tracks, floats);
    seed = (uint32_t)(frames * 7 + tracks);
    for (uint64_t u = 0; u < frames; u++)
        for (uint64_t i = 0; i < tracks; i++)
            k->make(row_of(&c, u, i), (double)u, (double)i);
    return c;
}

static hk_encode_options options_of(const struct kind *k)
{
    return (hk_encode_options){.translation.all = k->translation,
                               .rotation.all = 0.002,
                               .scale.all = k->scale,
                               .value.all = 0.001};
}

/* ---- judging ---------------------------------------------------------------------------------------------- */

static void near(double a, double b, const char *what)
{
    if (!(fabs(a - b) <= 0.01 * fabs(b) + 1e-7))
        fail_msg("%s: the report says %g, it is %g", what, a, b);
}

static hk_encoded encoded(const clip *c, const hk_encode_options *o, hk_encode_report *report)
{
    hk_encoded e;
    lathe_error err;
    mem m = mem_default();
    if (hk_spline_encode(&c->s, o, &m, &e, report, NULL, NULL, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return e;
}

static void freed(hk_encoded *e)
{
    mem m = mem_default();
    hk_encoded_free(e, &m);
}

static size_t try(const clip *c, const hk_encode_options *o, const char *name)
{
    hk_encode_report report;
    hk_encoded e = encoded(c, o, &report);
    judged j = judge(&c->s, o, &e);
    if (j.failed)
        fail_msg("%s: %s", name, j.failed);
    near(report.translation, j.translation, name);
    near(report.rotation, j.rotation, name);
    near(report.scale, j.scale, name);
    near(report.value, j.value, name);
    if (!(j.worst <= 1) || report.coarse_count)
        fail_msg("%s, %d frames: %.4g of the tolerance; %g, %g rad, %g, %d coarse", name,
                 (int)c->s.frames, j.worst, j.translation, j.rotation, j.scale,
                 (int)report.coarse_count);
    if (!(j.between <= 1 + 1e-4))
        fail_msg("%s, %d frames: %s of track %d is %.4g of what is allowed behind frame %d", name,
                 (int)c->s.frames, j.what, (int)j.track, j.between, (int)j.frame);
    for (uint32_t b = 0; b < e.blocks; b++)
        assert_int_equal(e.block_offsets[b] % 16, 0);
    assert_int_equal(e.data.size % 16, 0);
    size_t n = e.data.size;
    freed(&e);
    return n;
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static void all_kinds_and_lengths(void **state)
{
    static const uint64_t lengths[] = {1, 2, 3, 4, 5, 17, 255, 256, 257, 511, 600};
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            clip c = made(&kinds[k], lengths[l], 3, 2);
            hk_encode_options o = options_of(&kinds[k]);
            try(&c, &o, kinds[k].name);
            clip_free(&c);
        }
}

static void all_quantizations(void **state)
{
    static const double tolerances[] = {[HK_QUANTIZE_40] = 0.0011,
                                        [HK_QUANTIZE_48] = 0.00013,
                                        [HK_QUANTIZE_32] = 0.008,
                                        [HK_QUANTIZE_NONE] = 1e-5};
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (int q = 0; q <= HK_QUANTIZE_NONE; q++)
            for (int rough = 0; rough < 2; rough++) {
                clip c = made(&kinds[k], 70, 4, 0);
                hk_encode_options o = options_of(&kinds[k]);
                o.quantization = (hk_quantization)q;
                o.named = true;
                o.rotation.all = tolerances[q] * (rough ? 4 : 1);
                try(&c, &o, kinds[k].name);
                clip_free(&c);
            }
}

/* Tolerances that some rotations meet and some do not: what is packed is what was measured. */
static void near_the_limits(void **state)
{
    static const double tolerances[] = {0.0006, 0.001, 0.0018, 0.0025, 0.004};
    (void)state;
    for (int q = 0; q <= HK_QUANTIZE_NONE; q++)
        for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
            clip c = made(&kinds[1], 4, 60, 0);
            hk_encode_options o = options_of(&kinds[1]);
            o.quantization = (hk_quantization)q;
            o.rotation.all = tolerances[i];
            try(&c, &o, "near the limits");
            clip_free(&c);
        }
}

static void all_block_sizes(void **state)
{
    static const uint32_t sizes[] = {2, 3, 16, 17, 100, 255, 256};
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            clip c = made(&kinds[k], 101, 2, 1);
            hk_encode_options o = options_of(&kinds[k]);
            o.max_frames_per_block = sizes[i];
            try(&c, &o, kinds[k].name);
            clip_free(&c);
        }
}

static void blocks_share_a_frame(void **state)
{
    static const struct {
        uint64_t frames;
        uint32_t m, blocks;
    } cases[] = {{1, 0, 1},   {2, 0, 1},   {256, 0, 1}, {257, 0, 2},   {511, 0, 2},
                 {512, 0, 3}, {826, 0, 4}, {5, 2, 4},   {101, 11, 10}, {102, 11, 11}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clip c = made(&kinds[0], cases[i].frames, 1, 0);
        hk_encode_options o = options_of(&kinds[0]);
        hk_encode_report report;
        o.max_frames_per_block = cases[i].m;
        hk_encoded e = encoded(&c, &o, &report);
        assert_int_equal(e.blocks, cases[i].blocks);
        assert_int_equal(e.max_frames_per_block, cases[i].m ? cases[i].m : 256);
        assert_int_equal(e.mask_size, 4);
        freed(&e);
        clip_free(&c);
    }
}

static void long_ones(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        clip c = made(&kinds[k], 10000, 2, 1);
        hk_encode_options o = options_of(&kinds[k]);
        try(&c, &o, kinds[k].name);
        clip_free(&c);
        c = made(&kinds[k], 40, 500, 0);
        try(&c, &o, kinds[k].name);
        clip_free(&c);
    }
}

/* Masks of block 0 as numbers. */
static uint32_t mask_of(const hk_encoded *e, uint64_t track)
{
    return bytes_ld32(e->data.data + 4 * track, true);
}

static void axes_are_classified(void **state)
{
    (void)state;
    clip c = clip_of(60, 3, 2);
    for (uint64_t u = 0; u < 60; u++) {
        row_of(&c, u, 0)[1] = 3;                                   /* y stays, the others rest */
        row_of(&c, u, 1)[0] = (float)(u * u) / 50;                 /* x moves */
        row_of(&c, u, 1)[2] = 0.004f;                              /* z: as good as at rest */
        row_of(&c, u, 2)[8] = 2;                                   /* scale y stays */
        set_turn(row_of(&c, u, 1) + 3, 0.4, 1, 0, 0);              /* stays */
        set_turn(row_of(&c, u, 2) + 3, 0.01 * (double)u, 1, 0, 0); /* moves */
        c.values[u * 2 + 1] = (float)u;
    }
    hk_encode_options o = options_of(&kinds[0]);
    hk_encode_report report;
    hk_encoded e = encoded(&c, &o, &report);
    assert_int_equal(mask_of(&e, 0), 0x45020000);
    assert_int_equal(mask_of(&e, 1), 0x45100f00);
    assert_int_equal(mask_of(&e, 2), 0x4500f002);
    assert_int_equal(e.data.data[12], 0x03);
    assert_int_equal(e.data.data[13], 0x12);
    assert_int_equal(e.mask_size, 16);
    assert_int_equal(report.spline_floats, 1);
    /* track 0: 3.0; track 1: a cubic without inner knots. */
    const uint8_t *p = e.data.data + 16;
    assert_int_equal(bytes_ld32(p, false), 0x40400000);
    assert_int_equal(bytes_ld16(p + 4, false), 3);
    assert_memory_equal(p + 6, ((uint8_t[]){3, 0, 0, 0, 0, 59, 59, 59, 59}), 9);
    freed(&e);
    clip_free(&c);
}

static void eight_bits_where_they_do(void **state)
{
    (void)state;
    clip c = clip_of(200, 2, 0);
    seed = 5;
    for (uint64_t u = 0; u < 200; u++)
        for (int a = 0; a < 3; a++) {
            row_of(&c, u, 0)[a] = (float)chance(); /* 1 / 255 is below the tolerance */
            row_of(&c, u, 1)[a] = (float)(100 * chance());
        }
    hk_encode_options o = options_of(&kinds[0]);
    hk_encode_report report;
    hk_encoded e = encoded(&c, &o, &report);
    assert_int_equal(mask_of(&e, 0), 0x44700000);
    assert_int_equal(mask_of(&e, 1), 0x45700000);
    freed(&e);
    try(&c, &o, "8 bits");
    clip_free(&c);
}

/* Where quantisation 40 cannot meet a tolerance, the next one is taken, for that track alone. */
static void finer_where_needed(void **state)
{
    double each[3] = {0.002, 0.0002, 0.00001};
    (void)state;
    clip c = made(&kinds[0], 50, 3, 0);
    hk_encode_options o = options_of(&kinds[0]);
    hk_encode_report report;
    o.rotation = (hk_tolerance){.each = each};
    hk_encoded e = encoded(&c, &o, &report);
    assert_int_equal(mask_of(&e, 0) >> 26 & 15, 1);
    assert_int_equal(mask_of(&e, 1) >> 26 & 15, 2);
    assert_int_equal(mask_of(&e, 2) >> 26 & 15, 5);
    assert_int_equal(report.quantization, HK_QUANTIZE_NONE);
    freed(&e);
    try(&c, &o, "finer");
    clip_free(&c);
}

typedef struct told {
    int n;
    char channel[20];
    uint64_t track;
    double error, tolerance;
} told;

static void tell(void *user, const char *channel, uint64_t track, double error, double tolerance)
{
    told *t = user;
    t->n++;
    strncpy(t->channel, channel, sizeof t->channel - 1);
    t->track = track;
    t->error = error;
    t->tolerance = tolerance;
}

/* 5,000 units in 65,535 steps. */
static void coarse_tracks_are_told(void **state)
{
    (void)state;
    clip c = clip_of(300, 3, 0);
    seed = 1;
    for (uint64_t u = 0; u < 300; u++)
        row_of(&c, u, 2)[1] = (float)(5000 * chance());
    hk_encode_options o = options_of(&kinds[0]);
    hk_encode_report report;
    hk_encoded e;
    lathe_error err;
    told t = {0};
    mem m = mem_default();
    assert_int_equal(hk_spline_encode(&c.s, &o, &m, &e, &report, tell, &t, &err), LATHE_OK);
    assert_int_equal(t.n, 1);
    assert_int_equal(report.coarse_count, 1);
    assert_string_equal(t.channel, "translation");
    assert_int_equal(t.track, 2);
    assert_true(t.tolerance == 0.01);
    assert_true(t.error > 0.01 && t.error < 5000.0 / 65535 / 2 * 1.02);
    assert_true(report.translation == t.error && report.translation_track == 2);
    freed(&e);
    clip_free(&c);
}

/* ---- edits -------------------------------------------------------------------------------------------------- */

static void untouched_tracks_keep_their_bytes(void **state)
{
    enum { FRAMES = 300, TRACKS = 5 };
    (void)state;
    clip c = made(&kinds[0], FRAMES, TRACKS, 2);
    hk_encode_options o = options_of(&kinds[0]);
    hk_encode_report report;
    o.quantization = HK_QUANTIZE_48; /* what is kept stays in it */
    hk_encoded first = encoded(&c, &o, &report), second, third;
    hk_spline_facts facts;
    hk_spline old, now;
    lathe_error err;
    mem m = mem_default();
    judge_facts(&c.s, &first, &facts);
    assert_int_equal(hk_spline_open(&old, &facts, &m, &err), LATHE_OK);
    float *was = malloc(sizeof *was * FRAMES * TRACKS * HK_ROW),
          *is = malloc(sizeof *is * FRAMES * TRACKS * HK_ROW);
    hk_spline_decode(&old, 0, FRAMES, was);
    memcpy(c.rows, was, sizeof *was * FRAMES * TRACKS * HK_ROW);
    row_of(&c, 7, 3)[0] += 5;
    uint8_t touched[TRACKS + 2] = {0};
    touched[3] = 1;
    o = options_of(&kinds[0]);
    o.translation.all = o.scale.all = 1e-12; /* nothing that is kept is measured by it */
    o.scale.each = o.translation.each = (double[TRACKS]){1e-12, 1e-12, 1e-12, 0.01, 1e-12};
    o.old = &old;
    o.touched = touched;
    second = encoded(&c, &o, &report);
    assert_int_equal(report.coarse_count, 0);
    assert_true(report.translation <= 0.01);
    judge_facts(&c.s, &second, &facts);
    assert_int_equal(hk_spline_open(&now, &facts, &m, &err), LATHE_OK);
    hk_spline_decode(&now, 0, FRAMES, is);
    for (int u = 0; u < FRAMES; u++)
        for (int i = 0; i < TRACKS; i++)
            if (i != 3)
                assert_memory_equal(is + (u * TRACKS + i) * HK_ROW, was + (u * TRACKS + i) * HK_ROW,
                                    HK_ROW * sizeof *is);
    assert_int_equal(mask_of(&second, 0), mask_of(&first, 0));
    assert_int_equal(mask_of(&second, 3) >> 26 & 15, 1);
    /* none touched: the same bytes */
    touched[3] = 0;
    third = encoded(&c, &o, &report);
    assert_int_equal(third.data.size, first.data.size);
    assert_memory_equal(third.data.data, first.data.data, first.data.size);
    assert_memory_equal(third.block_offsets, first.block_offsets, 8);
    assert_memory_equal(third.float_block_offsets, first.float_block_offsets, 8);
    assert_int_equal(third.mask_size, first.mask_size);
    freed(&third);
    /* other blocks: all anew */
    o.max_frames_per_block = 100;
    o.translation = o.scale = (hk_tolerance){.all = 0.01};
    third = encoded(&c, &o, &report);
    assert_int_equal(third.blocks, 4);
    freed(&third);
    hk_spline_free(&old);
    hk_spline_free(&now);
    freed(&first);
    freed(&second);
    free(was);
    free(is);
    clip_free(&c);
}

/* A clip may have no tracks at all, or float tracks alone. */
static void few_tracks(void **state)
{
    (void)state;
    for (uint64_t floats = 0; floats < 2; floats++) {
        clip c = clip_of(300, 0, floats);
        hk_encode_options o = options_of(&kinds[0]);
        hk_encode_report report;
        hk_spline_facts facts;
        hk_spline old;
        lathe_error err;
        mem m = mem_default();
        try(&c, &o, "few");
        hk_encoded first = encoded(&c, &o, &report);
        assert_int_equal(first.data.size, 32 * floats);
        judge_facts(&c.s, &first, &facts);
        assert_int_equal(hk_spline_open(&old, &facts, &m, &err), LATHE_OK);
        o.old = &old;
        o.touched = (const uint8_t[]){0};
        hk_encoded second = encoded(&c, &o, &report);
        assert_int_equal(second.data.size, first.data.size);
        hk_spline_free(&old);
        freed(&first);
        freed(&second);
        clip_free(&c);
    }
}

/* ---- refusals ----------------------------------------------------------------------------------------------- */

static void refused(const clip *c, const hk_encode_options *o, lathe_result code,
                    const char *message)
{
    hk_encoded e;
    hk_encode_report report;
    lathe_error err;
    mem m = mem_default();
    assert_int_equal(hk_spline_encode(&c->s, o, &m, &e, &report, NULL, NULL, &err), code);
    assert_int_equal(err.code, code);
    assert_string_equal(err.message, message);
    assert_null(e.data.data);
}

static void numbers_are_refused(void **state)
{
    (void)state;
    clip c = made(&kinds[0], 9, 13, 3);
    const hk_encode_options o = options_of(&kinds[0]);
    row_of(&c, 7, 12)[1] = NAN;
    refused(&c, &o, LATHE_ERR_INVALID, "translation of track 12 at frame 7 is not a finite number");
    row_of(&c, 7, 12)[1] = -INFINITY;
    refused(&c, &o, LATHE_ERR_INVALID, "translation of track 12 at frame 7 is not a finite number");
    row_of(&c, 7, 12)[1] = 1.5e38f;
    refused(&c, &o, LATHE_ERR_INVALID,
            "translation of track 12 at frame 7 is 1.5e+38, which no track can have");
    row_of(&c, 7, 12)[1] = 0;
    row_of(&c, 3, 2)[9] = INFINITY;
    refused(&c, &o, LATHE_ERR_INVALID, "scale of track 2 at frame 3 is not a finite number");
    row_of(&c, 3, 2)[9] = 1;
    memset(row_of(&c, 8, 0) + 3, 0, 16);
    refused(&c, &o, LATHE_ERR_INVALID, "rotation of track 0 at frame 8 has length 0");
    row_of(&c, 8, 0)[5] = NAN;
    refused(&c, &o, LATHE_ERR_INVALID, "rotation of track 0 at frame 8 is not a finite number");
    set_turn(row_of(&c, 8, 0) + 3, 1, 1, 0, 0);
    c.values[3 * 4 + 1] = NAN;
    refused(&c, &o, LATHE_ERR_INVALID, "value of float track 1 at frame 4 is not a finite number");
    clip_free(&c);
}

static void options_are_refused(void **state)
{
    (void)state;
    double each[2] = {0.1, -1};
    clip c = made(&kinds[0], 9, 2, 2);
    hk_encode_options o = options_of(&kinds[0]);
    o.translation.all = 0;
    refused(&c, &o, LATHE_ERR_RANGE,
            "the tolerance for the translation is 0: it has to be above 0");
    o = options_of(&kinds[0]);
    o.rotation.all = NAN;
    refused(&c, &o, LATHE_ERR_RANGE,
            "the tolerance for the rotation is not a number: it has to be above 0");
    o = options_of(&kinds[0]);
    o.scale.each = each;
    refused(&c, &o, LATHE_ERR_RANGE,
            "the tolerance for the scale of track 1 is -1: it has to be above 0");
    o = options_of(&kinds[0]);
    o.value.each = each;
    refused(&c, &o, LATHE_ERR_RANGE,
            "the tolerance for the value of float track 1 is -1: it has to be above 0");
    o = options_of(&kinds[0]);
    o.max_frames_per_block = 1;
    refused(&c, &o, LATHE_ERR_RANGE, "1 frames in a block: there are 2 to 256");
    o.max_frames_per_block = 257;
    refused(&c, &o, LATHE_ERR_RANGE, "257 frames in a block: there are 2 to 256");
    o.max_frames_per_block = 0;
    c.s.frames = 0;
    refused(&c, &o, LATHE_ERR_RANGE, "0 frames: there are 1 to 2147483647");
    c.s.frames = 1;
    c.s.transform_tracks = 65536;
    refused(&c, &o, LATHE_ERR_RANGE, "65536 tracks are too many: 65535 at most");
    c.s.transform_tracks = 2;
    c.s.float_tracks = 65536;
    refused(&c, &o, LATHE_ERR_RANGE, "65536 float tracks are too many: 65535 at most");
    clip_free(&c);
}

static void what_quantization_cannot_meet(void **state)
{
    (void)state;
    clip c = clip_of(600, 3, 0);
    for (uint64_t u = 0; u < 600; u++)
        set_turn(row_of(&c, u, 1) + 3, 0.01 * (double)u, 1, 2, 3);
    hk_encode_options o = options_of(&kinds[0]);
    o.named = true;
    o.rotation.all = 0.0001;
    refused(&c, &o, LATHE_ERR_RANGE,
            "rotation of track 1: quantization 40 comes to 0.0007 rad, the tolerance is 0.0001");
    clip_free(&c);
}

static void memory_runs_out(void **state)
{
    (void)state;
    clip c = made(&kinds[0], 300, 3, 2);
    const hk_encode_options o = options_of(&kinds[0]);
    bool done = false;
    for (long left = 0; !done; left++) {
        memory counted = {.left = left};
        const mem m = {take, &counted};
        hk_encoded e;
        hk_encode_report report;
        lathe_error err;
        lathe_result r = hk_spline_encode(&c.s, &o, &m, &e, &report, NULL, NULL, &err);
        done = r == LATHE_OK;
        if (done) {
            assert_in_range(left, 8, 100);
            hk_encoded_free(&e, &m);
        } else {
            assert_int_equal(r, LATHE_ERR_MEMORY);
            assert_string_equal(err.message, "out of memory");
        }
        assert_int_equal(counted.blocks, 0);
    }
    clip_free(&c);
}

/* ---- the same everywhere -------------------------------------------------------------------------------------- */

/* Samples without a library's sine: what is made of them is these bytes, by any compiler. */
static void the_same_bytes_everywhere(void **state)
{
    static const struct {
        hk_quantization quantization;
        size_t size;
        uint32_t hash;
    } cases[] = {{HK_QUANTIZE_40, 13184, 0xc1ed2650},
                 {HK_QUANTIZE_48, 13648, 0xb6f8d262},
                 {HK_QUANTIZE_32, 12720, 0x7c287e47},
                 {HK_QUANTIZE_NONE, 18352, 0xc859c9d4}};
    (void)state;
    clip c = clip_of(300, 4, 2);
    double v[HK_ROW] = {0}, speed[HK_ROW] = {0};
    seed = 11;
    for (uint64_t i = 0; i < 4; i++)
        for (uint64_t u = 0; u < 300; u++)
            for (int a = 0; a < HK_ROW; a++) {
                speed[a] = speed[a] * 0.9 + (chance() - 0.5) * 0.02 - v[a] * 0.01;
                v[a] += speed[a];
                row_of(&c, u, i)[a] += (float)v[a];
                c.values[u * 2] = (float)v[0];
            }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_encode_options o = options_of(&kinds[0]);
        hk_encode_report report;
        o.quantization = cases[i].quantization;
        o.rotation.all = 0.01;
        try(&c, &o, "the same");
        hk_encoded e = encoded(&c, &o, &report);
        uint32_t hash = 2166136261u;
        for (size_t k = 0; k < e.data.size; k++)
            hash = (hash ^ e.data.data[k]) * 16777619u;
        if (e.data.size != cases[i].size || hash != cases[i].hash)
            fail_msg("quantization %d: %d bytes, hash 0x%08x", (int)cases[i].quantization,
                     (int)e.data.size, (unsigned)hash);
        freed(&e);
    }
    clip_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_and_lengths),
        cmocka_unit_test(all_quantizations),
        cmocka_unit_test(near_the_limits),
        cmocka_unit_test(all_block_sizes),
        cmocka_unit_test(blocks_share_a_frame),
        cmocka_unit_test(long_ones),
        cmocka_unit_test(axes_are_classified),
        cmocka_unit_test(eight_bits_where_they_do),
        cmocka_unit_test(finer_where_needed),
        cmocka_unit_test(coarse_tracks_are_told),
        cmocka_unit_test(untouched_tracks_keep_their_bytes),
        cmocka_unit_test(few_tracks),
        cmocka_unit_test(numbers_are_refused),
        cmocka_unit_test(options_are_refused),
        cmocka_unit_test(what_quantization_cannot_meet),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
