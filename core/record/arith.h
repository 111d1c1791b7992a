/* Integer arithmetic for expressions of the schema texts, whose operands come from files. A result that exceeds what
 * any file can hold is ARITH_TOO_MUCH, and so is everything computed from it. Nothing overflows or wraps around. */
#ifndef LATHE_RECORD_ARITH_H
#define LATHE_RECORD_ARITH_H

#include <stdbool.h>
#include <stdint.h>

#define ARITH_TOO_MUCH INT64_MAX

static inline bool arith_over_limit(int64_t a, int64_t b)
{
    return a == ARITH_TOO_MUCH || b == ARITH_TOO_MUCH || a == INT64_MIN || b == INT64_MIN;
}

static inline int64_t arith_plus(int64_t a, int64_t b)
{
    if (arith_over_limit(a, b) || (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b))
        return ARITH_TOO_MUCH;
    return a + b;
}

static inline int64_t arith_minus(int64_t a, int64_t b)
{
    return arith_over_limit(a, b) ? ARITH_TOO_MUCH : arith_plus(a, -b);
}

static inline int64_t arith_times(int64_t a, int64_t b)
{
    if (arith_over_limit(a, b))
        return ARITH_TOO_MUCH;
    int64_t most = b ? INT64_MAX / (b < 0 ? -b : b) : INT64_MAX;
    return a > most || a < -most ? ARITH_TOO_MUCH : a * b;
}

/* Rounds towards zero. Division by zero gives ARITH_TOO_MUCH. */
static inline int64_t arith_over(int64_t a, int64_t b)
{
    return arith_over_limit(a, b) || b == 0 ? ARITH_TOO_MUCH : a / b;
}

static inline int64_t arith_clip(uint64_t n)
{
    return n > INT64_MAX ? ARITH_TOO_MUCH : (int64_t)n;
}

/* The result as an element count; UINT64_MAX, which no file can have, if it is negative or too much. */
static inline uint64_t arith_count(int64_t n)
{
    return n < 0 || n == ARITH_TOO_MUCH ? UINT64_MAX : (uint64_t)n;
}

#endif
