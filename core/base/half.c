#include "base/half.h"

#include "base/bytes.h"

/* Both formats have sign, exponent and fraction with other widths than a double's 1, 11, 52. Conversion uses integer
 * arithmetic only: it does not depend on the host's rounding mode, and does not round twice as conversion through
 * float would. */

#define F64_FRACTION ((UINT64_C(1) << 52) - 1)

static double widen(unsigned bits, unsigned exp_bits, unsigned fraction_bits)
{
    unsigned top = (1u << exp_bits) - 1, bias = top >> 1;
    unsigned exp = bits >> fraction_bits & top;
    uint64_t fraction = bits & ((1u << fraction_bits) - 1);
    uint64_t sign = (uint64_t)(bits >> (exp_bits + fraction_bits) & 1) << 63;
    uint64_t wide;
    if (exp == top) {
        wide = 0x7ff;
    } else if (exp > 0) {
        wide = exp + 1023 - bias;
    } else if (fraction == 0) {
        wide = 0;
    } else { /* subnormal here, normal as a double: shift until the leading one is implied */
        wide = 1023 - bias + 1;
        while (!(fraction >> fraction_bits)) {
            fraction <<= 1;
            wide--;
        }
        fraction &= (1u << fraction_bits) - 1;
    }
    return bytes_f64_from(sign | wide << 52 | fraction << (52 - fraction_bits));
}

/* Rounds to nearest; ties go to even, or away from zero. */
static unsigned narrow(double v, unsigned exp_bits, unsigned fraction_bits, bool away)
{
    uint64_t bits = bytes_f64_bits(v), fraction = bits & F64_FRACTION;
    int top = (1 << exp_bits) - 1, drop = 52 - (int)fraction_bits;
    unsigned sign = (unsigned)(bits >> 63) << (exp_bits + fraction_bits);
    unsigned infinity = (unsigned)top << fraction_bits;
    int exp = (int)(bits >> 52 & 0x7ff);
    if (exp == 0x7ff && fraction != 0) {
        unsigned payload = (unsigned)(fraction >> drop);
        /* If the payload has only bits that are lost, the result would be infinity: make it a quiet NaN. */
        return sign | infinity | (payload ? payload : 1u << (fraction_bits - 1));
    }
    exp += (top >> 1) - 1023;
    if (exp >= top)
        return sign | infinity;
    int shift = drop;
    uint64_t whole = fraction;
    if (exp > 0) {
        whole |= (uint64_t)exp << 52; /* a carry out of the fraction increments the exponent */
    } else {
        whole |= UINT64_C(1) << 52;
        shift += 1 - exp;
        if (shift > 53) /* less than half of the smallest subnormal, or a subnormal double */
            return sign;
    }
    uint64_t rest = whole & ((UINT64_C(1) << shift) - 1), tie = UINT64_C(1) << (shift - 1);
    unsigned kept = (unsigned)(whole >> shift);
    if (rest > tie || (rest == tie && (away || (kept & 1))))
        kept++;
    return sign | kept;
}

double half_to_double(uint16_t h)
{
    return widen(h, 5, 10);
}

uint16_t half_from_double(double v)
{
    return (uint16_t)narrow(v, 5, 10, false);
}

double half_upper_to_double(uint16_t h)
{
    return widen(h, 8, 7);
}

uint16_t half_upper_from_double(double v)
{
    return (uint16_t)narrow(v, 8, 7, true);
}
