/* The clock and the alarm of base/os.h. */
#include "base/os.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static volatile sig_atomic_t fired;

static void fire(int number)
{
    (void)number;
    fired++;
}

static void wait_until(double then)
{
    while (os_seconds() < then && !fired)
        ;
}

static void the_clock_goes_on(void **state)
{
    double before = os_seconds();
    (void)state;
    wait_until(before + 0.01);
    assert_true(os_seconds() >= before + 0.01);
}

static void an_alarm_fires_once(void **state)
{
    mem m = mem_default();
    (void)state;
    fired = 0;
    os_alarm *a = os_alarm_start(&m, 0.01, fire);
    assert_non_null(a);
    wait_until(os_seconds() + 20);
    assert_int_equal(fired, 1);
    os_alarm_stop(a);
    fired = 0;
    a = os_alarm_start(&m, 1e-9, fire); /* as soon as it can */
    assert_non_null(a);
    wait_until(os_seconds() + 20);
    assert_int_equal(fired, 1);
    os_alarm_stop(a);
}

static void a_stopped_alarm_does_not_fire(void **state)
{
    mem m = mem_default();
    (void)state;
    fired = 0;
    os_alarm *a = os_alarm_start(&m, 0.02, fire);
    assert_non_null(a);
    os_alarm_stop(a);
    a = os_alarm_start(&m, 1e300, fire); /* longer than any clock can count */
    assert_non_null(a);
    wait_until(os_seconds() + 0.05);
    assert_int_equal(fired, 0);
    os_alarm_stop(a);
    os_alarm_stop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_goes_on),
        cmocka_unit_test(an_alarm_fires_once),
        cmocka_unit_test(a_stopped_alarm_does_not_fire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
