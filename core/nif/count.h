/* Arithmetic of the expressions in schema/: how much follows from numbers that a file gives. What is
 * more than a file can hold becomes NIF_TOO_MUCH and stays it, so that nothing overflows, and nothing
 * wraps around to what looks right. */
#ifndef LATHE_NIF_COUNT_H
#define LATHE_NIF_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#define NIF_TOO_MUCH INT64_MAX

static inline bool nif_too_much(int64_t a, int64_t b)
{
    return a == NIF_TOO_MUCH || b == NIF_TOO_MUCH || a == INT64_MIN || b == INT64_MIN;
}

static inline int64_t nif_plus(int64_t a, int64_t b)
{
    if (nif_too_much(a, b) || (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b))
        return NIF_TOO_MUCH;
    return a + b;
}

static inline int64_t nif_minus(int64_t a, int64_t b)
{
    return nif_too_much(a, b) ? NIF_TOO_MUCH : nif_plus(a, -b);
}

static inline int64_t nif_times(int64_t a, int64_t b)
{
    if (nif_too_much(a, b))
        return NIF_TOO_MUCH;
    int64_t most = b ? INT64_MAX / (b < 0 ? -b : b) : INT64_MAX;
    return a > most || a < -most ? NIF_TOO_MUCH : a * b;
}

/* Towards zero; by zero it is too much. */
static inline int64_t nif_over(int64_t a, int64_t b)
{
    return nif_too_much(a, b) || b == 0 ? NIF_TOO_MUCH : a / b;
}

static inline int64_t nif_clip(uint64_t n)
{
    return n > INT64_MAX ? NIF_TOO_MUCH : (int64_t)n;
}

/* As a number of elements: UINT64_MAX, which no file has, where it is too much or negative. */
static inline uint64_t nif_count(int64_t n)
{
    return n < 0 || n == NIF_TOO_MUCH ? UINT64_MAX : (uint64_t)n;
}

#endif
