/* Comparing two documents: which numbers are equal but for rounding. */
#include "preview/changes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* In both directions. */
static bool near(double a, double b, double reach)
{
    bool is = preview_is_near(a, b, reach);
    assert_int_equal(preview_is_near(b, a, reach), is);
    return is;
}

static void numbers_near_each_other(void **state)
{
    (void)state;
    assert_true(near(1, 1.5, 0.5));
    assert_false(near(1, 1.5, 0.25));
    assert_true(near(1e6, 1e6 + 0.4, 0)); /* the rounding of a float */
    assert_false(near(1e6, 1e6 + 0.6, 0));
    assert_false(near(1e6, -1e6, 0));
    assert_true(near(NAN, NAN, 0));
    assert_false(near(NAN, 0, 1e9));
    assert_true(near(INFINITY, INFINITY, 0));
    assert_false(near(INFINITY, -INFINITY, 1e9));
    assert_false(near(INFINITY, 0, 1e9));
    assert_false(near(-INFINITY, 1e300, 1e9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_near_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
