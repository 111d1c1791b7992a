/* Numbers as texts. Not by printf, which rounds differently with some C libraries and uses the decimal sign of the locale. */
#include "preview/frame.h"

#include <math.h>
#include <string.h>

enum { DECIMALS_MOST = 9, EXPONENT_MOST = 330 };

static double power(int exponent)
{
    double p = 1;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        p *= 10;
    return exponent < 0 ? 1 / p : p;
}

static size_t put_digits(char *out, uint64_t number, unsigned least)
{
    char digits[20];
    unsigned n = 0;
    for (; number || n < least; number /= 10)
        digits[n++] = (char)('0' + number % 10);
    for (unsigned i = 0; i < n; i++)
        out[i] = digits[n - 1 - i];
    return n;
}

/* 0 <= number < 1e9 */
static size_t put_fixed(char *out, double number, unsigned decimals)
{
    uint64_t one = 1;
    for (unsigned i = 0; i < decimals; i++)
        one *= 10;
    uint64_t all = (uint64_t)(number * (double)one + 0.5);
    size_t n = put_digits(out, all / one, 1);
    if (decimals) {
        out[n++] = '.';
        n += put_digits(out + n, all % one, decimals);
    }
    return n;
}

static int exponent_of(double *number)
{
    int exponent = 0;
    for (; *number >= 10 && exponent < EXPONENT_MOST; exponent++)
        *number /= 10;
    for (; *number < 1 && *number > 0 && exponent > -EXPONENT_MOST; exponent--)
        *number *= 10;
    return exponent;
}

static size_t put_power(char *out, double number, unsigned decimals)
{
    int exponent = exponent_of(&number);
    size_t n = put_fixed(out, number, decimals);
    out[n++] = 'e';
    out[n++] = exponent < 0 ? '-' : '+';
    return n + put_digits(out + n, (uint64_t)(exponent < 0 ? -exponent : exponent), 1);
}

static size_t put_special(char *out, double number)
{
    const char *text = isnan(number) ? "NaN" : number < 0 ? "-inf" : "inf";
    memcpy(out, text, strlen(text) + 1);
    return strlen(text);
}

size_t frame_number(char out[FRAME_NUMBER], double number, unsigned decimals)
{
    if (!isfinite(number))
        return put_special(out, number);
    double size = number < 0 ? -number : number;
    decimals = decimals > DECIMALS_MOST ? DECIMALS_MOST : decimals;
    size_t n = 0;
    if (number < 0 && size * power((int)decimals) >= 0.5)
        out[n++] = '-';
    n += size < 1e9 ? put_fixed(out + n, size, decimals) : put_power(out + n, size, 2);
    out[n] = 0;
    return n;
}

size_t frame_short_number(char out[FRAME_NUMBER], double number, unsigned digits)
{
    if (!isfinite(number))
        return put_special(out, number);
    double size = number < 0 ? -number : number, mantissa = size;
    int exponent = exponent_of(&mantissa);
    int decimals = (int)digits - 1 - exponent;
    size_t n = 0;
    if (number < 0)
        out[n++] = '-';
    if (size != 0 && (exponent < -4 || exponent > 8))
        n += put_power(out + n, size, digits - 1);
    else
        n += put_fixed(out + n, size,
                       decimals < 0 || size == 0  ? 0
                       : decimals > DECIMALS_MOST ? DECIMALS_MOST
                                                  : (unsigned)decimals);
    out[n] = 0;
    if (strchr(out, '.') && !strchr(out, 'e')) {
        while (out[n - 1] == '0')
            out[--n] = 0;
        if (out[n - 1] == '.')
            out[--n] = 0;
    }
    return n;
}

double frame_step(double range, unsigned most, unsigned *decimals)
{
    *decimals = 0;
    if (!isfinite(range) || !(range > 0) || most == 0)
        return 1;
    double least = range / most, mantissa = least;
    int exponent = exponent_of(&mantissa);
    double step = mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10;
    if (step > 5) {
        step = 1;
        exponent++;
    }
    if (exponent < 0)
        *decimals = (unsigned)-exponent;
    return exponent < 0 ? step / power(-exponent) : step * power(exponent);
}

size_t frame_cut(const char *text, size_t n)
{
    size_t begin = n;
    while (begin > 0 && n - begin < 3 && ((unsigned char)text[begin - 1] & 0xc0) == 0x80)
        begin--;
    if (begin == 0)
        return n;
    unsigned char first = (unsigned char)text[begin - 1];
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return n - begin + 1 < length ? begin - 1 : n;
}

void frame_append(char *out, size_t room, const char *text)
{
    size_t n = strlen(out), more = strlen(text);
    if (n + 1 >= room)
        return;
    if (more > room - 1 - n)
        more = frame_cut(text, room - 1 - n);
    memcpy(out + n, text, more);
    out[n + more] = 0;
}

void frame_append_count(char *out, size_t room, uint64_t n, const char *one, const char *many)
{
    char number[FRAME_NUMBER];
    number[put_digits(number, n, 1)] = 0;
    frame_append(out, room, number);
    frame_append(out, room, n == 1 ? one : many);
}

void frame_append_quantity(char *out, size_t room, double number, unsigned digits, const char *unit)
{
    char text[FRAME_NUMBER];
    frame_short_number(text, number, digits);
    frame_append(out, room, text);
    frame_append(out, room, unit);
    if (*unit && strcmp(text, "1") != 0)
        frame_append(out, room, "s");
}
