/* core/havok/animation/maths/spline on data that is cut, changed or made up: an error that names the place, or numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spline_clip.h"

#include <stdio.h>

static sc_clip *new_clip(sc_clip wanted)
{
    sc_clip *c = malloc(sizeof *c);
    assert_non_null(c);
    *c = wanted;
    sc_make(c);
    return c;
}

static void all_finite(const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            fail_msg("number %zu of %zu is %g", i, n, (double)v[i]);
}

static void rows_ok(const float *rows, size_t n)
{
    all_finite(rows, n * HK_ROW);
    for (const float *q = rows + 3; n--; q += HK_ROW) {
        double length = sqrt((double)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
        if (!(fabs(length - 1) < 1e-5))
            fail_msg("a rotation of length %g", length);
    }
}

/* Opens, and if that works takes samples all over. */
static lathe_result try(const hk_spline_facts *f, lathe_error *err)
{
    hk_spline s;
    mem m = mem_default();
    lathe_result r = hk_spline_open(&s, f, &m, err);
    if (r != LATHE_OK) {
        assert_int_equal(r, err->code);
        assert_true(err->message[0]);
        return r;
    }
    size_t tracks = (size_t)f->transform_tracks, floats = (size_t)f->float_tracks;
    size_t frames = f->frames < 40 ? (size_t)f->frames : 40;
    float *rows = malloc((frames * tracks + 1) * HK_ROW * sizeof *rows);
    float *values = malloc((frames * floats + 1) * sizeof *values);
    assert_true(rows && values);
    hk_spline_decode(&s, 0, frames, rows);
    rows_ok(rows, frames * tracks);
    hk_spline_floats_decode(&s, 0, frames, values);
    all_finite(values, frames * floats);
    for (int i = 0; i < 6; i++) {
        model_when when = {i & 1, (double[]){3.25, 0.4, 8, 1e9, 11.999, -1}[i]};
        hk_spline_sample(&s, &when, 0, tracks, rows);
        rows_ok(rows, tracks);
        hk_spline_floats_sample(&s, &when, 0, floats, values);
        all_finite(values, floats);
    }
    free(rows);
    free(values);
    hk_spline_free(&s);
    return LATHE_OK;
}

/* The clip's data in memory of its own, so that a sanitizer sees what is read behind it. */
static lathe_result try_bytes(const sc_clip *c, const uint8_t *data, size_t n, lathe_error *err)
{
    hk_spline_facts f = c->facts;
    uint8_t *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, data, n);
    f.data = copy;
    f.size = n;
    lathe_result r = try(&f, err);
    free(copy);
    return r;
}

static sc_clip wanted(int i)
{
    static const int packings[] = {1, 5, 2, 0};
    return (sc_clip){.packing = packings[i & 3],
                     .degree = (i + (i >> 2)) & 3,
                     .wide = i >> 1 & 1,
                     .big = i >> 3 & 1,
                     .frames = 17,
                     .m = 9,
                     .tracks = 3,
                     .floats = 3,
                     .seed = (uint32_t)i};
}

/* ---- tests ----------------------------------------------------------------------------------------- */

static void cut_anywhere(void **state)
{
    (void)state;
    for (int i = 0; i < 16; i++) {
        lathe_error err;
        sc_clip *c = new_clip(wanted(i));
        size_t failed = 0;
        for (size_t n = 0; n <= c->size; n++)
            failed += try_bytes(c, c->data, n, &err) != LATHE_OK;
        /* Only zeros behind the last number may be missing. */
        assert_in_range(failed, c->size - 16, c->size);
        assert_int_equal(try_bytes(c, c->data, c->size, &err), LATHE_OK);
        free(c);
    }
}

static void each_byte_changed(void **state)
{
    (void)state;
    for (int i = 0; i < 16; i++) {
        lathe_error err;
        sc_clip *c = new_clip(wanted(i));
        for (size_t at = 0; at < c->size; at++)
            for (int how = 0; how < 11; how++) {
                uint8_t was = c->data[at];
                c->data[at] = how == 0   ? 0xff
                              : how == 1 ? 0
                              : how == 2 ? was ^ 0xff
                                         : was ^ (uint8_t)(1u << (how - 3));
                try_bytes(c, c->data, c->size, &err);
                c->data[at] = was;
            }
        free(c);
    }
}

static void each_offset_changed(void **state)
{
    static const uint32_t bad[] = {0,          1,          4,          16,        100,
                                   0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    lathe_error err;
    (void)state;
    for (int i = 0; i < 16; i++) {
        sc_clip *c = new_clip(wanted(i));
        for (int at = 0; at < 2 * c->blocks; at++)
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                uint8_t *p =
                    at & 1 ? c->float_offsets + 4 * (at / 2) : c->block_offsets + 4 * (at / 2);
                uint32_t was = bytes_ld32(p, c->big);
                bytes_st32(p, bad[k], c->big);
                try_bytes(c, c->data, c->size, &err);
                bytes_st32(p, was, c->big);
            }
        free(c);
    }
}

static void any_bytes(void **state)
{
    sc_clip *c = new_clip(wanted(0));
    lathe_error err;
    size_t fine = 0;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        for (size_t k = 0; k < c->size; k++) /* small numbers are nearer to what is right */
            c->data[k] = (uint8_t)(sc_random(c) & (k % 4 < 2 ? 0xff : sc_random(c) % 4));
        fine += try_bytes(c, c->data, c->size, &err) == LATHE_OK;
    }
    assert_true(fine < 3000);
    free(c);
}

static void counts_that_are_not_there(void **state)
{
    static const int64_t bad[] = {-1,         0,         1,         4,         100,
                                  255,        256,       257,       65536,     0x3fffffff,
                                  0x40000000, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    lathe_error err;
    (void)state;
    sc_clip *c = new_clip(wanted(0));
    for (int which = 0; which < 6; which++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            hk_spline_facts f = c->facts;
            int64_t *member[] = {&f.transform_tracks, &f.float_tracks,         &f.frames,
                                 &f.blocks,           &f.max_frames_per_block, &f.mask_size};
            *member[which] = bad[k];
            lathe_result r = try(&f, &err);
            if (bad[k] < 0 || (which != 4 && bad[k] > 257))
                assert_int_not_equal(r, LATHE_OK);
        }
    /* Tables shorter than they say. */
    for (int i = 0; i < 2; i++) {
        hk_spline_facts f = c->facts;
        *(i ? &f.block_offsets.count : &f.float_block_offsets.count) = 1;
        assert_int_equal(try(&f, &err), LATHE_ERR_BOUNDS);
    }
    /* Nothing at all is a clip, too. */
    uint8_t offset[4] = {0};
    hk_spline_facts none = {
        .frames = 5, .blocks = 1, .max_frames_per_block = 256, .block_offsets = {offset, 1}};
    assert_int_equal(try(&none, &err), LATHE_OK);
    free(c);
}

static void *refuse(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0)
        free(ptr);
    return NULL;
}

static void no_memory(void **state)
{
    hk_spline s;
    lathe_error err;
    mem m = {.fn = refuse};
    (void)state;
    sc_clip *c = new_clip(wanted(0));
    assert_int_equal(hk_spline_open(&s, &c->facts, &m, &err), LATHE_ERR_MEMORY);
    hk_spline_free(&s);
    free(c);
}

/* ---- what errors say ------------------------------------------------------------------------------- */

/* A block of one track and one float track, each with the whole header of a spline. */
static const uint8_t block[] = {
    0x45, 0x10, 0x10, 0x10, 0x12, 0, 0, 0, /* masks, to 8 */
    1,    0,    1,    0,    0,    2, 2, 0, 0, 0,
    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, /* translation x, to 28 */
    1,    0,    1,    0,    0,    2, 2, 0, 0, 0,
    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, /* rotation: 10 bytes, to 48 */
    1,    0,    1,    0,    0,    2, 2, 0, 0, 0,
    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, /* scale x, to 68 */
    1,    0,    1,    0,    0,    2, 2, 0, 0, 0,
    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, /* float, to 88 */
};

/* The block twice, the second with one byte changed. Behind it: the second offset, that of its floats. */
static void expect(size_t at, uint8_t value, lathe_result code, uint64_t offset,
                   const char *message)
{
    uint8_t data[2 * sizeof block], offsets[8] = {0}, float_offsets[8] = {68, 0, 0, 0, 68};
    lathe_error err;
    hk_spline_facts f = {.data = data,
                         .size = sizeof data,
                         .transform_tracks = 1,
                         .float_tracks = 1,
                         .frames = 5,
                         .blocks = 2,
                         .max_frames_per_block = 3,
                         .mask_size = 8,
                         .block_offsets = {offsets, 2},
                         .float_block_offsets = {float_offsets, 2}};
    memcpy(data, block, sizeof block);
    memcpy(data + sizeof block, block, sizeof block);
    offsets[4] = sizeof block;
    *(at < sizeof block    ? data + sizeof block + at
      : at == sizeof block ? offsets + 4
                           : float_offsets + 4) = value;
    lathe_result r = try(&f, &err);
    if (r != code)
        fail_msg("byte %zu as %u: %s", at, value, r == LATHE_OK ? "fine" : err.message);
    if (r == LATHE_OK)
        return;
    assert_string_equal(err.message, message);
    assert_int_equal(err.offset, offset);
}

static void errors_name_the_place(void **state)
{
    const lathe_result unsupported = LATHE_ERR_UNSUPPORTED, invalid = LATHE_ERR_INVALID;
    (void)state;
    expect(0, 0x45, LATHE_OK, 0, "");
    expect(0, 0x4d, unsupported, 116,
           "block 1, track 0: rotation quantisation 3 (THREECOMP24) has no known layout");
    expect(0, 0x51, unsupported, 116,
           "block 1, track 0: rotation quantisation 4 (STRAIGHT16) has no known layout");
    expect(0, 0x59, unsupported, 116, "block 1, track 0: rotation quantisation 6 does not exist");
    expect(0, 0x7d, unsupported, 116, "block 1, track 0: rotation quantisation 15 does not exist");
    expect(0, 0x46, unsupported, 96,
           "block 1, track 0: translation quantisation 2 has no known layout");
    expect(0, 0xc5, unsupported, 136, "block 1, track 0: scale quantisation 3 has no known layout");
    expect(4, 0x14, unsupported, 156,
           "block 1, float track 0: value quantisation 2 has no known layout");
    expect(30, 4, unsupported, 118,
           "block 1, track 0: rotation is a spline of degree 4; the highest known is 3");
    expect(30, 2, invalid, 116,
           "block 1, track 0: rotation is a spline of degree 2 with 2 control points");
    expect(32, 3, invalid, 119, "block 1, track 0: rotation has knots that do not ascend");
    expect(8, 200, LATHE_ERR_BOUNDS, 99,
           "block 1, track 0: translation needs 203 bytes, 77 are left");
    expect(69, 1, LATHE_ERR_BOUNDS, 159,
           "block 1, float track 0: value needs 260 bytes, 17 are left");
    expect(19, 0x7f, invalid, 104,
           "block 1, track 0: translation is 1.70141e+38, which no track can have");
    expect(sizeof block, 7, invalid, 7, "block 1 starts inside the one before it");
    expect(sizeof block, 170, LATHE_ERR_BOUNDS, 170,
           "block 1 and its masks end behind the data, at 176");
    expect(sizeof block + 1, 89, LATHE_ERR_BOUNDS, 88,
           "block 1: its float tracks start behind it, at 89");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(each_byte_changed),
        cmocka_unit_test(each_offset_changed),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(counts_that_are_not_there),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(errors_name_the_place),
    };
    return cmocka_run_group_tests_name("havok_spline_hostile", tests, NULL, NULL);
}
