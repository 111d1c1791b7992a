#include "base/bytes.h"

#include "base/error.h"

#include <float.h>
#include <inttypes.h>

uint64_t bytes_ld(const uint8_t *p, unsigned width, bool big)
{
    switch (width) {
    case 1: return bytes_ld8(p);
    case 2: return bytes_ld16(p, big);
    case 4: return bytes_ld32(p, big);
    case 8: return bytes_ld64(p, big);
    default: return 0;
    }
}

void bytes_st(uint8_t *p, uint64_t v, unsigned width, bool big)
{
    switch (width) {
    case 1: bytes_st8(p, (uint8_t)v); break;
    case 2: bytes_st16(p, (uint16_t)v, big); break;
    case 4: bytes_st32(p, (uint32_t)v, big); break;
    case 8: bytes_st64(p, v, big); break;
    default: break;
    }
}

/* ---- floats --------------------------------------------------------------------------------- */

double bytes_f32_widen(uint32_t bits)
{
    uint64_t fraction = bits & 0x7fffff;
    if ((bits >> 23 & 0xff) == 0xff && fraction != 0) /* a cast would quiet a signalling NaN */
        return bytes_f64_from((uint64_t)(bits >> 31) << 63 | UINT64_C(0x7ff) << 52 |
                              fraction << 29);
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

uint32_t bytes_f32_narrow(double v)
{
    uint64_t wide = bytes_f64_bits(v), fraction = wide & ((UINT64_C(1) << 52) - 1);
    uint32_t sign = (uint32_t)(wide >> 63) << 31, bits;
    if ((wide >> 52 & 0x7ff) == 0x7ff && fraction != 0) {
        uint32_t payload = (uint32_t)(fraction >> 29);
        /* A payload in the lost bits alone would leave an infinity: make it a quiet NaN. */
        return sign | 0x7f800000u | (payload ? payload : 0x400000u);
    }
    /* C leaves a cast out of range undefined. The limit is half a step above the largest float,
     * where rounding to even goes up. */
    const double limit = 0x1.ffffffp127;
    if (v >= limit || v <= -limit)
        return sign | 0x7f800000u;
    float f = v > (double)FLT_MAX ? FLT_MAX : v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* ---- bulk ----------------------------------------------------------------------------------- */

static void swap16(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes_st16(to + 2 * i, bytes_ld16(from + 2 * i, true), false);
}

/* Loads and stores of host order, which compilers turn into vector shuffles. */
static void swap32(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t v;
        memcpy(&v, from + 4 * i, 4);
        v = v >> 24 | (v >> 8 & 0xff00u) | (v << 8 & 0xff0000u) | v << 24;
        memcpy(to + 4 * i, &v, 4);
    }
}

static void swap64(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t v;
        memcpy(&v, from + 8 * i, 8);
        v = (v >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (v & UINT64_C(0x00ff00ff00ff00ff)) << 8;
        v = (v >> 16 & UINT64_C(0x0000ffff0000ffff)) | (v & UINT64_C(0x0000ffff0000ffff)) << 16;
        v = v >> 32 | v << 32;
        memcpy(to + 8 * i, &v, 8);
    }
}

static void reverse_each(uint8_t *at, size_t n, unsigned width)
{
    for (; n > 0; n--, at += width) {
        for (unsigned i = 0, j = width - 1; i < j; i++, j--) {
            uint8_t t = at[i];
            at[i] = at[j];
            at[j] = t;
        }
    }
}

void bytes_copy_swap(uint8_t *to, const uint8_t *from, size_t n, unsigned width, bool swap)
{
    if (n == 0 || width == 0)
        return;
    if (swap && width == 2) {
        swap16(to, from, n);
    } else if (swap && width == 4) {
        swap32(to, from, n);
    } else if (swap && width == 8) {
        swap64(to, from, n);
    } else {
        memmove(to, from, n * width);
        if (swap)
            reverse_each(to, n, width);
    }
}

/* ---- the cursor ----------------------------------------------------------------------------- */

bytes_cur bytes_at(const void *data, uint64_t size, uint64_t base, bool big, lathe_error *err)
{
    static const uint8_t nothing[1] = {0}; /* NULL + 0 is undefined, and means failure in take */
    bytes_cur c = {.data = data, .size = size, .base = base, .big = big, .err = err};
    if (!data) {
        c.data = nothing;
        c.size = 0;
    }
    return c;
}

bool bytes_failed(const bytes_cur *c)
{
    return c->failed;
}

/* Nothing is left after a failure, so that a loop until the end always comes to one. */
uint64_t bytes_left(const bytes_cur *c)
{
    return c->failed ? 0 : c->size - c->pos;
}

void bytes_seek(bytes_cur *c, uint64_t pos)
{
    if (c->failed)
        return;
    if (pos > c->size) {
        c->failed = true;
        error_set(c->err, LATHE_ERR_BOUNDS, c->base + c->pos,
                  "position 0x%" PRIx64 " is past the end at 0x%" PRIx64, c->base + pos,
                  c->base + c->size);
        return;
    }
    c->pos = pos;
}

const uint8_t *bytes_take(bytes_cur *c, uint64_t n)
{
    if (c->failed)
        return NULL;
    if (n > c->size - c->pos) {
        c->failed = true;
        error_set(c->err, LATHE_ERR_BOUNDS, c->base + c->pos,
                  "%" PRIu64 " byte%s needed, %" PRIu64 " left", n, n == 1 ? "" : "s",
                  c->size - c->pos);
        return NULL;
    }
    const uint8_t *p = c->data + (size_t)c->pos;
    c->pos += n;
    return p;
}

uint8_t bytes_u8(bytes_cur *c)
{
    const uint8_t *p = bytes_take(c, 1);
    return p ? bytes_ld8(p) : 0;
}

uint16_t bytes_u16(bytes_cur *c)
{
    const uint8_t *p = bytes_take(c, 2);
    return p ? bytes_ld16(p, c->big) : 0;
}

uint32_t bytes_u32(bytes_cur *c)
{
    const uint8_t *p = bytes_take(c, 4);
    return p ? bytes_ld32(p, c->big) : 0;
}

uint64_t bytes_u64(bytes_cur *c)
{
    const uint8_t *p = bytes_take(c, 8);
    return p ? bytes_ld64(p, c->big) : 0;
}

/* The signed types of fixed width are two's complement by definition, so copying the bits converts
 * them; a cast is the implementation's to define. */
int8_t bytes_i8(bytes_cur *c)
{
    uint8_t u = bytes_u8(c);
    int8_t i;
    memcpy(&i, &u, sizeof i);
    return i;
}

int16_t bytes_i16(bytes_cur *c)
{
    uint16_t u = bytes_u16(c);
    int16_t i;
    memcpy(&i, &u, sizeof i);
    return i;
}

int32_t bytes_i32(bytes_cur *c)
{
    uint32_t u = bytes_u32(c);
    int32_t i;
    memcpy(&i, &u, sizeof i);
    return i;
}

int64_t bytes_i64(bytes_cur *c)
{
    uint64_t u = bytes_u64(c);
    int64_t i;
    memcpy(&i, &u, sizeof i);
    return i;
}

double bytes_f32(bytes_cur *c)
{
    return bytes_f32_widen(bytes_u32(c));
}

double bytes_f64(bytes_cur *c)
{
    return bytes_f64_from(bytes_u64(c));
}

bool bytes_count_ok(bytes_cur *c, uint64_t n, uint64_t elem)
{
    if (c->failed)
        return false;
    /* Elements of no size at all would make any count fit, and a loop over them endless. */
    uint64_t each = elem > 0 ? elem : 1, left = c->size - c->pos;
    if (n <= left / each)
        return true;
    c->failed = true;
    error_set(c->err, LATHE_ERR_BOUNDS, c->base + c->pos,
              "%" PRIu64 " elements of at least %" PRIu64 " byte%s counted, %" PRIu64 " bytes left",
              n, each, each == 1 ? "" : "s", left);
    return false;
}
