/* core/havok/animation/maths/uncompressed: interleaved and lossless clips made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "havok/animation/maths/uncompressed.h"

#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void close_to(double want, float got)
{
    if (!(fabs(want - (double)got) <= 1e-6 * (fabs(want) > 1 ? fabs(want) : 1)))
        fail_msg("%.9g instead of %.9g", (double)got, want);
}

static void row_is(const float *row, const double want[HK_ROW])
{
    for (int i = 0; i < HK_ROW; i++)
        close_to(want[i], row[i]);
}

static void put_floats(uint8_t *p, bool big, size_t n, const float *v)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &v[i], 4);
        bytes_st32(p + 4 * i, bits, big);
    }
}

static void put_codes(uint8_t *p, bool big, size_t n, const uint16_t *v)
{
    for (size_t i = 0; i < n; i++)
        bytes_st16(p + 2 * i, v[i], big);
}

static model_when frame(double at)
{
    return (model_when){.at = at};
}

static model_when seconds(double at)
{
    return (model_when){.is_time = true, .at = at};
}

/* ---- interleaved --------------------------------------------------------------------------------- */

/* Three frames of two tracks and one float; the fourth lanes of vectors are rubbish. */
static const float transforms[3 * 2][12] = {
    {1, 2, 3, NAN, 0, 0, 0, 1, 1, 1, 1, 9e9f},  {0, 0, 0, 7, 0, 0, 0, 0, 2, 2, 2, 0},
    {3, 2, 1, NAN, 0, 0, -2, 0, 1, 2, 3, 9e9f}, {1, 0, 0, 7, 1, 0, 0, 1, 2, 2, 2, 0},
    {3, 2, 1, NAN, 0, 1, 0, 0, 1, 2, 3, 9e9f},  {5, 0, 0, 7, -1, 0, 0, -1, 2, 2, 2, 0},
};
static const float floats[3] = {0, 1, 5};

static hk_interleaved_facts interleaved(uint8_t *bytes, uint8_t *float_bytes, bool big)
{
    put_floats(bytes, big, 3 * 2 * 12, transforms[0]);
    put_floats(float_bytes, big, 3, floats);
    return (hk_interleaved_facts){.big = big,
                                  .transform_tracks = 2,
                                  .float_tracks = 1,
                                  .duration = 4,
                                  .transforms = {bytes, 6},
                                  .floats = {float_bytes, 3}};
}

static void interleaved_clips(void **state)
{
    const double half = sqrt(0.5);
    (void)state;
    for (int big = 0; big < 2; big++) {
        uint8_t bytes[sizeof transforms], float_bytes[sizeof floats];
        hk_interleaved_facts f = interleaved(bytes, float_bytes, big);
        hk_uncompressed u;
        float rows[4 * 2 * HK_ROW], values[4], one[HK_ROW];
        model_when when;
        assert_int_equal(hk_interleaved_open(&u, &f, NULL), LATHE_OK);
        assert_int_equal(u.frames, 3);
        hk_uncompressed_decode(&u, 0, 4, rows);
        row_is(rows, (double[]){1, 2, 3, 0, 0, 0, 1, 1, 1, 1});
        row_is(rows + 10, (double[]){0, 0, 0, 0, 0, 0, 1, 2, 2, 2}); /* 0 0 0 0 points nowhere */
        row_is(rows + 20, (double[]){3, 2, 1, 0, 0, -1, 0, 1, 2, 3});
        row_is(rows + 30, (double[]){1, 0, 0, half, 0, 0, half, 2, 2, 2});
        row_is(rows + 50, (double[]){5, 0, 0, -half, 0, 0, -half, 2, 2, 2});
        assert_memory_equal(rows + 60, rows + 40, 20 * sizeof *rows); /* behind the last */
        hk_uncompressed_floats_decode(&u, 1, 4, values);
        for (int i = 0; i < 4; i++)
            close_to((double[]){1, 5, 5, 5}[i], values[i]);

        when = frame(0.5);
        hk_uncompressed_sample(&u, &when, 0, 1, one);
        row_is(one, (double[]){2, 2, 2, 0, 0, -half, half, 1, 1.5, 2});
        when = seconds(3); /* the short way: the two are the same */
        hk_uncompressed_sample(&u, &when, 1, 1, one);
        row_is(one, (double[]){3, 0, 0, half, 0, 0, half, 2, 2, 2});
        hk_uncompressed_floats_sample(&u, &when, 0, 1, one);
        close_to(3, one[0]);
        const double odd[] = {-5, 99, (double)NAN};
        for (int i = 0; i < 6; i++) {
            when = (model_when){i & 1, odd[i / 2]};
            hk_uncompressed_sample(&u, &when, 0, 1, one);
            assert_memory_equal(one, rows + (i / 2 == 1 ? 40 : 0), sizeof one);
        }
    }
}

static void interleaved_refusals(void **state)
{
    uint8_t bytes[sizeof transforms], float_bytes[sizeof floats];
    hk_uncompressed u;
    lathe_error err;
    const hk_interleaved_facts good = interleaved(bytes, float_bytes, false);
    hk_interleaved_facts f;
    (void)state;
    f = good, f.transforms.count = 5;
    assert_int_equal(hk_interleaved_open(&u, &f, &err), LATHE_ERR_INVALID);
    assert_string_equal(err.message, "5 transforms are not a whole number of frames of 2 tracks");
    f = good, f.floats.count = 2;
    assert_int_equal(hk_interleaved_open(&u, &f, &err), LATHE_ERR_INVALID);
    assert_string_equal(err.message, "2 frames of floats, but the animation has 3");
    f = good, f.transform_tracks = -1;
    assert_int_equal(hk_interleaved_open(&u, &f, &err), LATHE_ERR_INVALID);
    f = good, f.float_tracks = INT64_MAX;
    assert_int_equal(hk_interleaved_open(&u, &f, &err), LATHE_ERR_INVALID);
    f = good, f.transforms.count = 0;
    assert_int_equal(hk_interleaved_open(&u, &f, &err), LATHE_ERR_INVALID);
    f = good, f.transform_tracks = f.float_tracks = 0;
    assert_int_equal(hk_interleaved_open(&u, &f, &err), LATHE_ERR_INVALID);
}

/* ---- lossless ------------------------------------------------------------------------------------ */

enum { REST = 0, FIXED = 1, MOVING = 2 };
#define CODE(kind, i) ((uint16_t)((kind) | (i) << 2))

typedef struct lossless {
    uint8_t moving[2 * 3 * 4], fixed[4], codes[2 * 8], moving_q[3 * 16], fixed_q[16], codes_q[4],
        codes_s[2 * 8], floats[12];
    hk_lossless_facts facts;
} lossless;

/* Three frames; the first track moves, the second rests but for one axis and its rotation. */
static void make(lossless *l, bool big)
{
    put_floats(l->moving, big, 6, (float[]){1, 10, 2, 20, 4, 40});
    put_floats(l->fixed, big, 1, (float[]){8});
    put_codes(l->codes, big, 8,
              (uint16_t[]){CODE(MOVING, 1), CODE(FIXED, 0), CODE(MOVING, 0), 0xffff, CODE(REST, 9),
                           CODE(REST, 0), CODE(FIXED, 0), 0xffff});
    put_codes(l->codes_s, big, 8,
              (uint16_t[]){CODE(REST, 0), CODE(FIXED, 0), CODE(REST, 0), 0xffff, CODE(REST, 0),
                           CODE(REST, 0), CODE(REST, 0), 0xffff});
    put_floats(l->moving_q, big, 12, (float[]){0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, -1});
    put_floats(l->fixed_q, big, 4, (float[]){0, 3, 0, 0});
    put_codes(l->codes_q, big, 2, (uint16_t[]){CODE(MOVING, 0), CODE(FIXED, 0)});
    put_floats(l->floats, big, 3, (float[]){1, 2, 3});
    l->facts = (hk_lossless_facts){.big = big,
                                   .transform_tracks = 2,
                                   .float_tracks = 1,
                                   .frames = 3,
                                   .duration = 1,
                                   .dynamic_translations = {l->moving, 6},
                                   .static_translations = {l->fixed, 1},
                                   .translation_codes = {l->codes, 2},
                                   .dynamic_rotations = {l->moving_q, 3},
                                   .static_rotations = {l->fixed_q, 1},
                                   .rotation_codes = {l->codes_q, 2},
                                   .static_scales = {l->fixed, 1},
                                   .scale_codes = {l->codes_s, 2},
                                   .floats = {l->floats, 3}};
}

static void lossless_clips(void **state)
{
    const double half = sqrt(0.5);
    (void)state;
    for (int big = 0; big < 2; big++) {
        lossless l;
        hk_uncompressed u;
        float rows[3 * 2 * HK_ROW], one[HK_ROW];
        model_when when = seconds(0.75);
        make(&l, big);
        assert_int_equal(hk_lossless_open(&u, &l.facts, NULL), LATHE_OK);
        hk_uncompressed_decode(&u, 0, 3, rows);
        row_is(rows, (double[]){10, 8, 1, 0, 0, 0, 1, 1, 8, 1});
        row_is(rows + 10, (double[]){0, 0, 8, 0, 1, 0, 0, 1, 1, 1});
        row_is(rows + 20, (double[]){20, 8, 2, 1, 0, 0, 0, 1, 8, 1});
        row_is(rows + 40, (double[]){40, 8, 4, 0, 0, 0, -1, 1, 8, 1});
        hk_uncompressed_sample(&u, &when, 0, 1, one);
        row_is(one, (double[]){30, 8, 3, half, 0, 0, -half, 1, 8, 1});
        hk_uncompressed_floats_sample(&u, &when, 0, 1, one);
        close_to(2.5, one[0]);
    }
}

static void lossless_refusals(void **state)
{
    lossless l;
    hk_uncompressed u;
    lathe_error err;
    (void)state;
    make(&l, false);
    l.facts.frames =
        2; /* six numbers are three frames of two or two of three, three rotations not */
    assert_int_equal(hk_lossless_open(&u, &l.facts, &err), LATHE_ERR_INVALID);
    assert_string_equal(err.message, "3 dynamic rotations are no whole frames");
    for (int i = 0; i < 3; i++) {
        make(&l, false);
        (&l.facts.transform_tracks)[i] = (int64_t[]){-1, -1, 0}[i];
        assert_int_equal(hk_lossless_open(&u, &l.facts, &err), LATHE_ERR_INVALID);
    }
    make(&l, false);
    l.facts.transform_tracks = 3;
    assert_int_equal(hk_lossless_open(&u, &l.facts, &err), LATHE_ERR_BOUNDS);
    assert_string_equal(err.message, "3 tracks, but the codes of 2 translations");
    /* Every code that there is, everywhere: refused or read within the arrays. */
    for (int i = 0; i < 2 * 4 + 2 + 2 * 4; i++)
        for (unsigned code = 0; code < 0x10000; code++) {
            float rows[3 * 2 * HK_ROW];
            make(&l, false);
            bytes_st16(i < 8    ? l.codes + 2 * i
                       : i < 10 ? l.codes_q + 2 * (i - 8)
                                : l.codes_s + 2 * (i - 10),
                       (uint16_t)code, false);
            if (hk_lossless_open(&u, &l.facts, &err) == LATHE_OK)
                hk_uncompressed_decode(&u, 0, 3, rows);
            else
                assert_int_equal(err.code, LATHE_ERR_BOUNDS);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interleaved_clips),
        cmocka_unit_test(interleaved_refusals),
        cmocka_unit_test(lossless_clips),
        cmocka_unit_test(lossless_refusals),
    };
    return cmocka_run_group_tests_name("havok_uncompressed", tests, NULL, NULL);
}
