/* core/base/bytes and half: loads, stores, floats of all widths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sequence that is the same on every machine. */
static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static void loads_and_stores(void **state)
{
    (void)state;
    const uint8_t in[] = {1, 2, 3, 4, 5, 6, 7, 0xff};
    const unsigned widths[] = {1, 2, 4, 8};
    assert_int_equal(bytes_ld16(in, true), 0x0102);
    assert_int_equal(bytes_ld32(in + 4, true), 0x050607ff);
    assert_int_equal(bytes_ld32(in + 4, false), 0xff070605);
    assert_true(bytes_ld64(in, true) == UINT64_C(0x01020304050607ff));
    assert_true(bytes_ld64(in, false) == UINT64_C(0xff07060504030201));
    assert_true(bytes_ld(in, 3, false) == 0);
    for (size_t i = 0; i < 4; i++) {
        for (int big = 0; big < 2; big++) {
            uint8_t out[9];
            memset(out, 0xaa, sizeof out);
            bytes_st(out, bytes_ld(in, widths[i], big), widths[i], big);
            assert_memory_equal(out, in, widths[i]);
            assert_int_equal(out[widths[i]], 0xaa);
        }
    }
}

static void swapped_copies(void **state)
{
    (void)state;
    uint8_t in[16 * 9], out[16 * 9 + 1], back[16 * 9];
    uint64_t seed = 2;
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)next_random(&seed);
    for (unsigned width = 1; width <= 16; width++) {
        for (size_t n = 0; n <= 9; n++) {
            memset(out, 0xaa, sizeof out);
            bytes_copy_swap(out + 1, in, n, width, true); /* unaligned */
            for (size_t i = 0; i < n * width; i++)
                assert_int_equal(out[1 + i], in[i / width * width + width - 1 - i % width]);
            if (n * width < sizeof in)
                assert_int_equal(out[1 + n * width], 0xaa);
            memcpy(back, out + 1, n * width);
            bytes_copy_swap(back, back, n, width, true); /* in place */
            assert_memory_equal(back, in, n * width);
            bytes_copy_swap(out, in, n, width, false);
            assert_memory_equal(out, in, n * width);
        }
    }
    bytes_copy_swap(NULL, NULL, 0, 4, true);
}

static void check_f32(uint32_t bits)
{
    double d = bytes_f32_widen(bits);
    assert_int_equal(bytes_f32_narrow(d), bits);
    if ((bits & 0x7fffffff) > 0x7f800000) {
        assert_true(isnan(d));
        return;
    }
    float f;
    memcpy(&f, &bits, sizeof f);
    assert_true(d == (double)f);
}

static void f32_survives_a_double(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (uint32_t exp = 0; exp < 512; exp++) { /* sign and exponent: all; fractions: the edges */
        for (uint32_t bit = 0; bit < 23; bit++) {
            check_f32(exp << 23 | 1u << bit);
            check_f32(exp << 23 | ((1u << bit) - 1));
            check_f32(exp << 23 | (0x7fffff & ~(1u << bit)));
        }
        check_f32(exp << 23 | 0x7fffff);
    }
    for (int i = 0; i < 3000000; i++)
        check_f32((uint32_t)next_random(&seed));
    for (uint32_t i = 1; i < 1000; i++) {
        check_f32(0x7f800000 + i); /* signalling */
        check_f32(0xff800000 + i);
    }
}

static void f32_rounds_to_even(void **state)
{
    (void)state;
    assert_int_equal(bytes_f32_narrow(1 + 0x1p-24), 0x3f800000);
    assert_int_equal(bytes_f32_narrow(1 + 0x3p-24), 0x3f800002);
    assert_int_equal(bytes_f32_narrow(1 + 0x1.000001p-24), 0x3f800001);
    assert_int_equal(bytes_f32_narrow(0x1p-150), 0); /* half of the smallest */
    assert_int_equal(bytes_f32_narrow(-0x1.8p-150), 0x80000001);
    assert_int_equal(bytes_f32_narrow(-0.0), 0x80000000);
    assert_int_equal(bytes_f32_narrow(0x1.fffffep127), 0x7f7fffff);
    assert_int_equal(bytes_f32_narrow(0x1.fffffefffffffp127), 0x7f7fffff);
    assert_int_equal(bytes_f32_narrow(0x1.ffffffp127), 0x7f800000);
    assert_int_equal(bytes_f32_narrow(-1e300), 0xff800000);
    assert_int_equal(bytes_f32_narrow((double)INFINITY), 0x7f800000);
    /* a payload in the low bits only */
    assert_int_equal(bytes_f32_narrow(bytes_f64_from(UINT64_C(0x7ff0000000000001))), 0x7fc00000);
    assert_int_equal(bytes_f32_narrow(bytes_f64_from(UINT64_C(0xfff000001fffffff))), 0xffc00000);
    assert_int_equal(bytes_f32_narrow(bytes_f64_from(UINT64_C(0x7ff0000020000000))), 0x7f800001);
}

/* ---- small floats --------------------------------------------------------------------------- */

typedef struct small {
    double (*widen)(uint16_t);
    uint16_t (*narrow)(double);
    uint16_t infinity;
    bool away; /* where the middle goes; else to the even one */
} small;

static const small smalls[] = {
    {half_to_double, half_from_double, 0x7c00, false},
    {half_upper_to_double, half_upper_from_double, 0x7f80, true},
};

static void halves_survive(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        for (uint32_t h = 0; h < 0x10000; h++) {
            double d = smalls[k].widen((uint16_t)h);
            assert_int_equal(smalls[k].narrow(d), h);
            assert_int_equal(isnan(d) != 0, (h & 0x7fff) > smalls[k].infinity);
        }
    }
    for (uint32_t h = 0; h < 0x10000; h++) /* the upper half of a float is that float */
        assert_true(bytes_f64_bits(half_upper_to_double((uint16_t)h)) ==
                    bytes_f64_bits(bytes_f32_widen(h << 16)));
    uint64_t seed = 5;
    for (int i = 0; i < 1000000; i++) { /* of floats, as Havok's tools round */
        uint32_t bits = (uint32_t)next_random(&seed);
        if ((bits & 0x7fffffff) < 0x7f800000)
            assert_int_equal(half_upper_from_double(bytes_f32_widen(bits)), (bits + 0x8000) >> 16);
    }
    for (uint32_t h = 0; h < 0x10000; h++) /* straight to a float, NaNs too */
        assert_int_equal(half_to_f32_bits((uint16_t)h),
                         bytes_f32_narrow(half_to_double((uint16_t)h)));
    assert_true(half_to_double(0x3c00) == 1 && half_to_double(0xc000) == -2);
    assert_true(half_to_double(0x0001) == 0x1p-24 && half_to_double(0x03ff) == 0x3ffp-24);
    assert_true(half_to_double(0x7bff) == 65504 && half_to_double(0xfc00) == -(double)INFINITY);
}

/* Between all neighbours: the middle goes to the even one or away from zero, a hair off it to the nearer one.
 * The step into infinity is one of them. */
static void halves_round_once(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        for (uint32_t h = 0; h < smalls[k].infinity; h++) {
            double a = smalls[k].widen((uint16_t)h), middle;
            double b = smalls[k].widen((uint16_t)(h + 1));
            if (h + 1 == smalls[k].infinity)
                b = a + (a - smalls[k].widen((uint16_t)(h - 1)));
            middle = a + (b - a) / 2;
            uint32_t even = smalls[k].away ? h + 1 : h + (h & 1);
            assert_int_equal(smalls[k].narrow(middle), even);
            assert_int_equal(smalls[k].narrow(-middle), even | 0x8000);
            assert_int_equal(smalls[k].narrow(nextafter(middle, 0)), h);
            assert_int_equal(smalls[k].narrow(nextafter(middle, (double)INFINITY)), h + 1);
            assert_int_equal(smalls[k].narrow(nextafter(b, 0)), h + 1);
            assert_int_equal(smalls[k].narrow(nextafter(a, b)), h);
        }
        assert_int_equal(smalls[k].narrow(1e300), smalls[k].infinity);
        assert_int_equal(smalls[k].narrow(-(double)INFINITY), smalls[k].infinity | 0x8000);
        assert_int_equal(smalls[k].narrow(0x1p-1074), 0);
        assert_int_equal(smalls[k].narrow(-0x1p-1022), 0x8000);
        uint16_t nan = smalls[k].narrow(bytes_f64_from(UINT64_C(0x7ff0000000000001)));
        assert_true(nan > smalls[k].infinity && isnan(smalls[k].widen(nan)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores),      cmocka_unit_test(swapped_copies),
        cmocka_unit_test(f32_survives_a_double), cmocka_unit_test(f32_rounds_to_even),
        cmocka_unit_test(halves_survive),        cmocka_unit_test(halves_round_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
