/* Small floats: IEEE 754 binary16, and the upper 16 bits of a binary32 ("truncated half"). */
#ifndef LATHE_BASE_HALF_H
#define LATHE_BASE_HALF_H

#include <stdint.h>

/* Exact; NaN payloads survive there and back. */
double half_to_double(uint16_t h);
/* Rounds to nearest even; overflow gives infinity, as IEEE says. */
uint16_t half_from_double(double v);

double half_upper_to_double(uint16_t h);
/* Rounds to nearest even on the 16 bits that are dropped. */
uint16_t half_upper_from_double(double v);

#endif
