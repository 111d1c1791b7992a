#include "havok/xml/number.h"

enum { DECIMALS = 6 };
#define MILLION 1000000u
#define BILLION 1000000000u

/* ---- printing -------------------------------------------------------------------------------------------- */

size_t hk_xml_print_uint(char *to, uint64_t n)
{
    char digits[20];
    size_t used = 0;
    do
        digits[used++] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    for (size_t i = 0; i < used; i++)
        to[i] = digits[used - 1 - i];
    return used;
}

size_t hk_xml_print_int(char *to, int64_t n)
{
    *to = '-';
    return n < 0 ? 1 + hk_xml_print_uint(to + 1, 0 - (uint64_t)n)
                 : hk_xml_print_uint(to, (uint64_t)n);
}

static size_t put_text(char *to, const char *text)
{
    size_t n = strlen(text);
    memcpy(to, text, n);
    return n;
}

/* Millionths. */
static size_t put_fixed(char *to, uint64_t millionths)
{
    size_t n = hk_xml_print_uint(to, millionths / MILLION);
    uint32_t rest = (uint32_t)(millionths % MILLION);
    to[n] = '.';
    for (size_t i = DECIMALS; i > 0; i--, rest /= 10)
        to[n + i] = (char)('0' + rest % 10);
    return n + 1 + DECIMALS;
}

/* Of m / 2^shift, halves to even. m is below 2^24, so the product is below 2^44. */
static uint64_t millionths_of(uint32_t m, unsigned shift)
{
    uint64_t exact = (uint64_t)m * MILLION, q, rest, half;
    if (shift >= 64)
        return 0;
    q = exact >> shift;
    rest = exact - (q << shift);
    half = (uint64_t)1 << (shift - 1);
    return q + (rest > half || (rest == half && (q & 1)));
}

/* Decimal digits of m * 2^shift, which is below 2^128. */
static size_t digits_of(uint32_t m, unsigned shift, char *digits)
{
    uint32_t limbs[5] = {0}, groups[5];
    size_t n = 0, used = 0;
    uint64_t wide = (uint64_t)m << (shift % 32);
    limbs[shift / 32] = (uint32_t)wide;
    limbs[shift / 32 + 1] = (uint32_t)(wide >> 32);
    for (; n < 5; n++) {
        uint64_t rest = 0;
        for (int i = 4; i >= 0; i--) {
            rest = rest << 32 | limbs[i];
            limbs[i] = (uint32_t)(rest / BILLION);
            rest %= BILLION;
        }
        groups[n] = (uint32_t)rest;
    }
    while (n > 1 && !groups[n - 1])
        n--;
    used = hk_xml_print_uint(digits, groups[n - 1]);
    while (--n > 0) {
        uint32_t group = groups[n - 1];
        for (size_t i = 9; i > 0; i--, group /= 10)
            digits[used + i - 1] = (char)('0' + group % 10);
        used += 9;
    }
    return used;
}

/* From 10^17 up the writer knew 17 digits, and put zeros behind them. A float there is a multiple of 2^33, so that the rest
 * is never exactly one half. */
static size_t put_large(char *to, uint32_t m, unsigned shift)
{
    enum { KNOWN = 17 };
    size_t n = digits_of(m, shift, to), i = KNOWN;
    bool up = n > KNOWN && to[KNOWN] >= '5';
    if (n > KNOWN)
        memset(to + KNOWN, '0', n - KNOWN);
    while (up && i > 0) {
        up = to[--i] == '9';
        to[i] = (char)(up ? '0' : to[i] + 1);
    }
    if (up) { /* all of them were nines */
        memmove(to + 1, to, n++);
        to[0] = '1';
    }
    return n + put_text(to + n, ".000000");
}

static size_t put_special(char *to, uint32_t bits)
{
    if (!(bits & 0x7FFFFF))
        return put_text(to, "1.#INF00");
    return put_text(to, bits == 0xFFC00000u ? "1.#IND00" : "1.#QNAN0");
}

size_t hk_xml_print_real(char *to, uint32_t bits)
{
    enum { ALL = 0xFF, BIAS = 150, SMALL = 33 }; /* 2^24 * 2^33 is above 10^17 */
    const uint64_t known = 100000000000000000u;
    unsigned exponent = bits >> 23 & ALL, n = bits >> 31;
    uint32_t m = (bits & 0x7FFFFF) | (exponent ? 1u << 23 : 0);
    *to = '-';
    exponent += !exponent;
    if (exponent == ALL)
        return n + put_special(to + n, bits);
    if (exponent < BIAS)
        return n + put_fixed(to + n, millionths_of(m, BIAS - exponent));
    if (exponent > BIAS + SMALL || (uint64_t)m << (exponent - BIAS) >= known)
        return n + put_large(to + n, m, exponent - BIAS);
    size_t size = hk_xml_print_uint(to + n, (uint64_t)m << (exponent - BIAS));
    return n + size + put_text(to + n + size, ".000000");
}

bool hk_xml_keeps_real(uint32_t bits)
{
    char text[HK_XML_NUMBER];
    uint32_t back;
    size_t n = hk_xml_print_real(text, bits);
    return hk_xml_read_real(text, n, &back) == HK_XML_READ && back == bits;
}

uint16_t hk_xml_half_of(uint32_t bits)
{
    bool special = (bits & 0x7F800000u) == 0x7F800000u;
    return (uint16_t)((special ? bits : bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

bool hk_xml_keeps_half(uint16_t half)
{
    char text[HK_XML_NUMBER];
    uint32_t back;
    size_t n = hk_xml_print_real(text, (uint32_t)half << 16);
    return hk_xml_read_real(text, n, &back) == HK_XML_READ && hk_xml_half_of(back) == half;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    int lower = c | 0x20;
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

hk_xml_reading hk_xml_read_int(const char *p, size_t n, bool *negative, uint64_t *magnitude)
{
    const char *end = p + n;
    uint64_t value = 0;
    bool large = false;
    *negative = n && *p == '-';
    if (n && (*p == '-' || *p == '+'))
        p++;
    uint64_t base = end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x' ? 16 : 10;
    p += base == 16 ? 2 : 0;
    if (p == end)
        return HK_XML_NO_NUMBER;
    for (; p < end; p++) {
        int digit = hex_digit(*p);
        if (digit >= (int)base)
            return HK_XML_NO_NUMBER;
        large = large || value > (UINT64_MAX - (uint64_t)digit) / base;
        value = value * base + (uint64_t)digit;
    }
    *magnitude = value;
    return large ? HK_XML_TOO_LARGE : HK_XML_READ;
}

/* Whether the text is a word in whatever case, then nothing but zeros. */
static bool is_word(const char *p, size_t n, const char *word)
{
    size_t size = strlen(word);
    if (n < size)
        return false;
    for (size_t i = 0; i < n; i++)
        if (i < size ? (p[i] | 0x20) != (word[i] | 0x20) : p[i] != '0')
            return false;
    return true;
}

/* "1.#IND00" and others, "nan", "inf", behind the sign. */
static hk_xml_reading read_special(const char *p, size_t n, uint32_t sign, uint32_t *bits)
{
    bool old = n > 3 && memcmp(p, "1.#", 3) == 0;
    if (old) {
        p += 3;
        n -= 3;
    }
    if (is_word(p, n, "inf") || (!old && is_word(p, n, "infinity")))
        *bits = sign | 0x7F800000u;
    else if (old ? is_word(p, n, "ind") || is_word(p, n, "qnan") || is_word(p, n, "snan")
                 : is_word(p, n, "nan"))
        *bits = sign | 0x7FC00000u;
    else
        return HK_XML_NO_NUMBER;
    return HK_XML_READ;
}

/* The digits of a number: m * 10^power, of whose m the first 19 digits count. */
typedef struct decimal {
    uint64_t m;
    int digits, power; /* digits: of m, without zeros in front */
    bool any;
} decimal;

static const char *take_digits(const char *p, const char *end, bool fraction, decimal *d)
{
    enum { MOST_DIGITS = 19, MOST_POWER = 1 << 20 };
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        bool room = d->digits < MOST_DIGITS;
        d->any = true;
        if (room) {
            d->m = d->m * 10 + (uint64_t)(*p - '0');
            d->digits += d->m != 0;
        }
        if (room == fraction && d->power > -MOST_POWER && d->power < MOST_POWER)
            d->power += fraction ? -1 : 1;
    }
    return p;
}

static const char *take_exponent(const char *p, const char *end, decimal *d)
{
    enum { MOST = 1 << 20 };
    const char *start = p;
    int power = 0;
    bool minus = ++p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || *p < '0' || *p > '9')
        return start;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        power = power < MOST ? power * 10 + (*p - '0') : power;
    d->power += minus ? -power : power;
    return p;
}

/* The nearest double where m and the power are small, as in all that games' tools write; else one beside it. */
static double value_of(const decimal *d)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { STEP = 22, MOST = 64 };
    double v = (double)d->m;
    int power = d->power < -MOST - STEP ? -MOST - STEP : d->power > MOST ? MOST : d->power;
    for (; power > STEP; power -= STEP)
        v *= powers[STEP];
    for (; power < -STEP; power += STEP)
        v /= powers[STEP];
    return power < 0 ? v / powers[-power] : v * powers[power];
}

hk_xml_reading hk_xml_read_real(const char *p, size_t n, uint32_t *bits)
{
    const char *end = p + n, *q;
    decimal d = {0, 0, 0, false};
    uint32_t sign = n && *p == '-' ? 0x80000000u : 0;
    if (n && (*p == '-' || *p == '+'))
        p++;
    q = take_digits(p, end, false, &d);
    if (q < end && *q == '.')
        q = take_digits(q + 1, end, true, &d);
    if (d.any && q < end && (*q | 0x20) == 'e')
        q = take_exponent(q, end, &d);
    if (!d.any || q != end)
        return read_special(p, (size_t)(end - p), sign, bits);
    *bits = sign | (d.m ? bytes_f32_narrow(value_of(&d)) : 0);
    return (*bits & 0x7F800000u) == 0x7F800000u ? HK_XML_TOO_LARGE : HK_XML_READ;
}
