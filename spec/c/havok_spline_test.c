/* core/havok/animation/maths/spline: values against an evaluation of its own, for every packing and degree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spline_clip.h"

/* cmocka's own looks at floats only. */
static void close_to(double want, float got, const char *what, double at)
{
    double limit = 5e-6 * (fabs(want) > 1 ? fabs(want) : 1);
    if (!(fabs(want - (double)got) <= limit))
        fail_msg("%s at %.17g: %.9g instead of %.9g", what, at, (double)got, want);
}

static hk_spline open_clip(const sc_clip *c)
{
    hk_spline s;
    lathe_error err;
    mem m = mem_default();
    if (hk_spline_open(&s, &c->facts, &m, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return s;
}

static sc_clip *new_clip(sc_clip wanted)
{
    sc_clip *c = malloc(sizeof *c);
    assert_non_null(c);
    *c = wanted;
    sc_make(c);
    return c;
}

/* Block and frames into it, as the reference puts it. */
static int block_of(const sc_clip *c, bool is_time, double at, double *u)
{
    double length = c->m - 1;
    int b = (int)floor(is_time ? at * c->facts.block_inverse_duration : at / length);
    b = b < c->blocks - 1 ? b : c->blocks - 1;
    b = b > 0 ? b : 0;
    *u = is_time ? (at - b * c->facts.block_duration) / c->facts.frame_duration : at - b * length;
    return b;
}

/* Knots are behind each other up to the block's last frame, which the block's end may lie behind. */
static double held(const sc_clip *c, int b, double u)
{
    double last = c->frames - 1 - b * (c->m - 1);
    last = last < c->m - 1 ? last : c->m - 1;
    return u < 0 ? 0 : u < last ? u : last;
}

static void compare_rows(const sc_clip *c, bool is_time, double at, const float *rows)
{
    static const char *const names[HK_ROW] = {
        "translation x", "translation y", "translation z", "rotation x", "rotation y",
        "rotation z",    "rotation w",    "scale x",       "scale y",    "scale z"};
    double u, row[HK_ROW];
    int b = block_of(c, is_time, at, &u);
    for (int t = 0; t < c->tracks; t++) {
        sc_row(c, b, t, held(c, b, u), row);
        for (int i = 0; i < HK_ROW; i++)
            close_to(row[i], rows[t * HK_ROW + i], names[i], at);
    }
}

static void compare_floats(const sc_clip *c, bool is_time, double at, const float *values)
{
    double u, value[4];
    int b = block_of(c, is_time, at, &u);
    for (int i = 0; i < c->floats; i++) {
        sc_eval(&c->floating[b][i], held(c, b, u), value);
        close_to(value[0], values[i], "float", at);
    }
}

static void compare_sample(const sc_clip *c, const hk_spline *s, bool is_time, double at)
{
    float rows[SC_TRACKS * HK_ROW], values[SC_FLOATS];
    model_when when = {is_time, at};
    hk_spline_sample(s, &when, 0, (uint64_t)c->tracks, rows);
    compare_rows(c, is_time, at, rows);
    hk_spline_floats_sample(s, &when, 0, (uint64_t)c->floats, values);
    compare_floats(c, is_time, at, values);
    /* A part of the tracks is the same as all. */
    float some[2 * HK_ROW];
    hk_spline_sample(s, &when, 1, 2, some);
    assert_memory_equal(some, rows + HK_ROW, sizeof some);
    hk_spline_floats_sample(s, &when, 1, 1, some);
    assert_memory_equal(some, values + 1, sizeof *some);
}

static void compare_dense(const sc_clip *c, const hk_spline *s, int from, int n)
{
    size_t rows = (size_t)(c->tracks * HK_ROW), floats = (size_t)c->floats;
    float *all = malloc((size_t)n * rows * sizeof *all);
    float *values = malloc((size_t)n * floats * sizeof *values);
    assert_true(all && values);
    hk_spline_decode(s, (uint64_t)from, (uint64_t)n, all);
    hk_spline_floats_decode(s, (uint64_t)from, (uint64_t)n, values);
    for (int i = 0; i < n; i++) {
        double f = from + i < c->frames ? from + i : c->frames - 1;
        compare_rows(c, false, f, all + (size_t)i * rows);
        compare_floats(c, false, f, values + (size_t)i * floats);
    }
    free(all);
    free(values);
}

static void compare_clip(sc_clip wanted)
{
    sc_clip *c = new_clip(wanted);
    hk_spline s = open_clip(c);
    for (int f = 0; f < c->frames; f++)
        compare_sample(c, &s, false, f);
    for (int i = 0; i < 50; i++) {
        compare_sample(c, &s, false, sc_real(c, 0, c->frames - 1));
        compare_sample(c, &s, true, sc_real(c, 0, (c->frames - 1) / 30.0));
    }
    compare_dense(c, &s, 0, c->frames);
    compare_dense(c, &s, c->frames / 2, c->frames); /* half of them behind the last */
    compare_dense(c, &s, c->frames / 3, 1);
    hk_spline_free(&s);
    hk_spline_free(&s);
    free(c);
}

/* ---- tests ----------------------------------------------------------------------------------------- */

static void every_packing_and_degree(void **state)
{
    static const int packings[] = {0, 1, 2, 5};
    (void)state;
    for (int i = 0; i < 4 * 4 * 2 * 2 * 2; i++) {
        sc_clip wanted = {.packing = packings[i & 3],
                          .degree = i >> 2 & 3,
                          .wide = i >> 4 & 1,
                          .big = i >> 5 & 1,
                          .each_frame = i >> 6 & 1,
                          .frames = 21,
                          .m = 9,
                          .tracks = 6,
                          .floats = 4,
                          .seed = (uint32_t)i};
        compare_clip(wanted);
    }
}

static void every_length(void **state)
{
    (void)state;
    /* 16 and 17 end on a seam and one behind it; 1 has no time at all. */
    for (int frames = 1; frames <= 26; frames++)
        for (int degree = 0; degree <= 3; degree++) {
            sc_clip wanted = {.packing = 1,
                              .degree = degree,
                              .wide = true,
                              .frames = frames,
                              .m = 9,
                              .tracks = 5,
                              .floats = 3,
                              .seed = (uint32_t)frames};
            compare_clip(wanted);
        }
}

static void whole_blocks(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        sc_clip wanted = {.packing = 1,
                          .degree = i & 1 ? 3 : 1,
                          .wide = true,
                          .each_frame = i >> 1 & 1,
                          .big = i >> 2,
                          .frames = 256 + 255 + 44,
                          .m = 256,
                          .tracks = 3,
                          .floats = 3,
                          .seed = 9};
        if (!wanted.each_frame) /* at most SC_POINTS */
            wanted.m = 100, wanted.frames = 250;
        compare_clip(wanted);
    }
}

/* The frame that two blocks share is the later one's, whichever way it is asked for. */
static void seams(void **state)
{
    (void)state;
    sc_clip *c = new_clip((sc_clip){.packing = 1,
                                    .degree = 1,
                                    .wide = true,
                                    .each_frame = true,
                                    .frames = 17,
                                    .m = 9,
                                    .tracks = 3,
                                    .floats = 3,
                                    .seed = 3});
    hk_spline s = open_clip(c);
    float rows[2][3 * HK_ROW];
    double want[HK_ROW];
    assert_int_equal(c->blocks, 2);
    hk_spline_decode(&s, 7, 2, rows[0]);
    for (int t = 0; t < 3; t++) {
        sc_row(c, 0, t, 7, want);
        for (int i = 0; i < HK_ROW; i++)
            close_to(want[i], rows[0][t * HK_ROW + i], "before the seam", 7);
        sc_row(c, 1, t, 0, want);
        for (int i = 0; i < HK_ROW; i++)
            close_to(want[i], rows[1][t * HK_ROW + i], "on the seam", 8);
    }
    compare_sample(c, &s, false, 8);
    compare_sample(c, &s, true, 8 / 30.0 + 1e-9);
    compare_sample(c, &s, true, 8 / 30.0 - 1e-9);
    compare_sample(c, &s, false, 16);
    hk_spline_free(&s);
    free(c);
}

static void moments_outside(void **state)
{
    static const double odd[] = {-1, -1e300, 1e300, HUGE_VAL, -HUGE_VAL};
    (void)state;
    sc_clip *c = new_clip((sc_clip){
        .packing = 2, .degree = 3, .frames = 21, .m = 9, .tracks = 4, .floats = 3, .seed = 4});
    hk_spline s = open_clip(c);
    float rows[4 * HK_ROW];
    for (int i = 0; i < 10; i++) {
        double at = odd[i / 2];
        model_when when = {i & 1, at};
        hk_spline_sample(&s, &when, 0, 4, rows);
        compare_rows(c, false, at < 0 ? 0 : 20, rows);
    }
    for (int i = 0; i < 2; i++) {
        model_when when = {i, (double)NAN};
        hk_spline_sample(&s, &when, 0, 4, rows);
        compare_rows(c, false, 0, rows);
    }
    hk_spline_decode(&s, UINT64_MAX - 1, 1, rows);
    compare_rows(c, false, 20, rows);
    hk_spline_free(&s);
    /* Durations that no clip has. */
    for (int i = 0; i < 3; i++) {
        double bad = (double[]){0, (double)NAN, HUGE_VAL}[i];
        model_when when = {true, 0.3};
        c->facts.frame_duration = c->facts.block_duration = c->facts.block_inverse_duration = bad;
        s = open_clip(c);
        hk_spline_sample(&s, &when, 0, 4, rows);
        for (int k = 0; k < 4 * HK_ROW; k++)
            assert_true(isfinite(rows[k]));
        hk_spline_free(&s);
    }
    free(c);
}

static void put_u32(uint8_t *p, size_t at, uint32_t v)
{
    bytes_st32(p + at, v, false);
}

/* A line between two uncompressed rotations, some of which point nowhere. */
static void rotations_without_direction(void **state)
{
    static const struct {
        uint32_t from[4], to[4];
        double want[4]; /* in the middle */
    } cases[] = {
        {{0}, {0}, {0, 0, 0, 1}},
        {{0x3f800000}, {0xbf800000}, {0, 0, 0, 1}},
        {{0x7fc00000}, {0x3f800000}, {0, 0, 0, 1}},
        {{0x7f800000}, {0x3f800000}, {0, 0, 0, 1}},
        {{0x7f7fffff, 0x7f7fffff}, {0xff7fffff}, {0, 0, 0, 1}},
        {{0x7e000000}, {0x7e000000}, {1, 0, 0, 0}},
        {{0, 0x00000100}, {0, 0x00000100}, {0, 1, 0, 0}},
    };
    uint8_t offset[4] = {0}, data[4 + 8 + 32] = {5 << 2, 0, 0xf0, 0, 1, 0, 1, 0, 0, 2, 2, 0};
    mem m = mem_default();
    hk_spline s;
    hk_spline_facts facts = {.data = data,
                             .size = sizeof data,
                             .transform_tracks = 1,
                             .frames = 3,
                             .blocks = 1,
                             .max_frames_per_block = 256,
                             .mask_size = 4,
                             .block_offsets = {offset, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float rows[3 * HK_ROW], one[HK_ROW];
        model_when when = {.at = 1};
        for (size_t k = 0; k < 4; k++) {
            put_u32(data, 12 + 4 * k, cases[i].from[k]);
            put_u32(data, 28 + 4 * k, cases[i].to[k]);
        }
        assert_int_equal(hk_spline_open(&s, &facts, &m, NULL), LATHE_OK);
        hk_spline_decode(&s, 0, 3, rows);
        hk_spline_sample(&s, &when, 0, 1, one);
        for (size_t k = 0; k < 4; k++) {
            close_to(cases[i].want[k], rows[HK_ROW + 3 + k], "a whole clip's", (double)i);
            close_to(cases[i].want[k], one[3 + k], "a sample's", (double)i);
        }
        hk_spline_free(&s);
    }
}

/* All signs of POLAR32, whose curves above have none. */
static void polar_signs(void **state)
{
    uint8_t offset[4] = {0}, data[8] = {0, 0, 0x0f, 0};
    mem m = mem_default();
    hk_spline s;
    hk_spline_facts facts = {.data = data,
                             .size = sizeof data,
                             .transform_tracks = 1,
                             .frames = 1,
                             .blocks = 1,
                             .max_frames_per_block = 256,
                             .mask_size = 4,
                             .block_offsets = {offset, 1}};
    model_when when = {0};
    (void)state;
    for (uint32_t signs = 0; signs < 16; signs++) {
        float row[HK_ROW];
        put_u32(data, 4, signs << 28 | 600u << 18 | 90000);
        assert_int_equal(hk_spline_open(&s, &facts, &m, NULL), LATHE_OK);
        hk_spline_sample(&s, &when, 0, 1, row);
        for (unsigned i = 0; i < 4; i++)
            assert_true(signbit(row[3 + i]) ? signs >> i & 1
                                            : row[3 + i] == 0 || !(signs >> i & 1));
        hk_spline_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packing_and_degree),
        cmocka_unit_test(every_length),
        cmocka_unit_test(whole_blocks),
        cmocka_unit_test(seams),
        cmocka_unit_test(moments_outside),
        cmocka_unit_test(rotations_without_direction),
        cmocka_unit_test(polar_signs),
    };
    return cmocka_run_group_tests_name("havok_spline", tests, NULL, NULL);
}
