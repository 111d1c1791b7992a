#include "havok/animation/maths/spline_part.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- what the masks say -------------------------------------------------------------------------- */

/* "block 2, track 17: " + member + what fmt says */
static ERROR_PRINTF(5, 6) lathe_result reader_fail(hk_reader *r, lathe_result code, uint64_t offset,
                                                   const char *member, const char *fmt, ...)
{
    char text[160];
    va_list args;
    if (r->result != LATHE_OK)
        return r->result;
    r->result = code;
    if (!r->err)
        return code;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return error_set(r->err, code, offset, "block %" PRIu64 ", %s %" PRIu64 ": %s%s", r->block,
                     r->kind, r->track, member, text);
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* n bytes that the block has, or NULL. */
static const uint8_t *take(hk_reader *r, uint64_t n, const char *member)
{
    uint64_t left = r->end - r->at;
    if (n > left) {
        reader_fail(r, LATHE_ERR_BOUNDS, r->at, member,
                    " needs %" PRIu64 " bytes, %" PRIu64 " are left", n, left);
        return NULL;
    }
    r->at += n;
    return r->data + r->at - n;
}

/* Past zeros, which nothing depends on. The last ones of a blob may be missing. */
static void pad(hk_reader *r, unsigned align)
{
    uint64_t past = (r->at - r->start) % align;
    uint64_t n = past ? align - past : 0;
    r->at += n < r->end - r->at ? n : r->end - r->at;
}

/* A number that stays finite through all that evaluating a curve does to it. */
static bool take_float(hk_reader *r, const char *member, float *out)
{
    const uint8_t *p = take(r, 4, member);
    if (!p)
        return false;
    uint32_t bits = bytes_ld32(p, r->big);
    memcpy(out, &bits, sizeof *out);
    if (*out >= -0x1p120f && *out <= 0x1p120f)
        return true;
    reader_fail(r, LATHE_ERR_INVALID, r->at - 4, member, " is %g, which no track can have",
                (double)*out);
    return false;
}

/* Sixteen at a time, a number of turns that compilers make vectors of. */
static bool rising(const uint8_t *k, size_t n)
{
    unsigned falls = 0;
    size_t i = 0;
    for (; i + 16 < n; i += 16) {
        uint8_t fall = 0;
        for (size_t j = 0; j < 16; j++)
            fall |= k[i + j] > k[i + j + 1];
        falls |= fall;
    }
    for (; i + 1 < n; i++)
        falls |= k[i] > k[i + 1];
    return falls == 0;
}

/* u16 points - 1, u8 degree, u8 knots[points + degree + 1] */
static bool read_knots(hk_reader *r, const char *member, hk_curve *c)
{
    uint64_t at = r->at;
    const uint8_t *p = take(r, 3, member);
    if (!p)
        return false;
    c->count = bytes_ld16(p, r->big) + 1u;
    c->degree = bytes_ld8(p + 2);
    if (c->degree > HK_DEGREE_MAX) {
        reader_fail(r, LATHE_ERR_UNSUPPORTED, at + 2, member,
                    " is a spline of degree %u; the highest known is %u", c->degree, HK_DEGREE_MAX);
        return false;
    }
    if (c->count <= c->degree) {
        reader_fail(r, LATHE_ERR_INVALID, at, member,
                    " is a spline of degree %u with %u control points", c->degree, c->count);
        return false;
    }
    size_t n = c->count + c->degree + 1u;
    c->knots = take(r, n, member);
    if (c->knots && r->check && !rising(c->knots, n)) {
        reader_fail(r, LATHE_ERR_INVALID, at + 3, member, " has knots that do not ascend");
        return false;
    }
    return c->knots != NULL;
}

static bool read_points(hk_reader *r, const char *member, uint64_t size, hk_curve *c)
{
    c->big = r->big;
    c->points = take(r, c->count * size, member);
    pad(r, 4);
    return c->points != NULL;
}

/* ---- vectors ------------------------------------------------------------------------------------- */

/* Moving wins over fixed, as for rotations; no file has both. */
static bool vector_axis(hk_reader *r, const char *member, uint8_t mask, unsigned axis,
                        hk_channel *p)
{
    hk_curve *c = &p->curve;
    bool moves = mask >> axis & 0x10, is_fixed = mask >> axis & 1;
    float low = p->value[axis], high;
    if ((moves || is_fixed) && !take_float(r, member, &low))
        return false;
    p->value[axis] = c->low[axis] = low;
    if (!moves)
        return true;
    if (!take_float(r, member, &high))
        return false;
    c->step[c->axes] = (high - low) / (c->packing == HK_SCALAR8 ? 255 : 65535);
    c->axis[c->axes++] = (uint8_t)axis;
    return true;
}

/* quantisation: 0 8 bits, 1 16 bits; mask: bits 0-2 fixed, 4-6 moving, else `rest` */
static bool read_vector(hk_reader *r, const char *member, unsigned quantisation, uint8_t mask,
                        float rest, hk_channel *p)
{
    p->moves = false;
    p->value[0] = p->value[1] = p->value[2] = rest;
    if (mask & 0x70) {
        if (quantisation > 1) {
            reader_fail(r, LATHE_ERR_UNSUPPORTED, r->at, member,
                        " quantisation %u has no known layout", quantisation);
            return false;
        }
        p->curve.packing = quantisation ? HK_SCALAR16 : HK_SCALAR8;
        p->curve.axes = 0;
        p->curve.low[3] = 0;
        if (!read_knots(r, member, &p->curve))
            return false;
        pad(r, 4);
    }
    for (unsigned axis = 0; axis < 3; axis++)
        if (!vector_axis(r, member, mask, axis, p))
            return false;
    p->moves = (mask & 0x70) != 0;
    return !p->moves ||
           read_points(r, member, p->curve.axes * hk_packings[p->curve.packing].size, &p->curve);
}

bool hk_read_float(hk_reader *r, uint8_t mask, hk_channel *p)
{
    return read_vector(r, "value", mask >> 1 & 3, mask & 0x11, 0, p);
}

/* ---- rotations ----------------------------------------------------------------------------------- */

static bool read_rotation(hk_reader *r, unsigned packing, uint8_t mask, hk_channel *p)
{
    p->moves = false;
    p->value[0] = p->value[1] = p->value[2] = 0;
    p->value[3] = 1;
    p->curve.count = 0;
    if (!mask)
        return true;
    if (packing > HK_UNCOMPRESSED || !hk_packings[packing].size) {
        bool named = packing <= HK_UNCOMPRESSED;
        reader_fail(r, LATHE_ERR_UNSUPPORTED, r->at, "rotation", " quantisation %u%s%s%s", packing,
                    named ? " (" : "", named ? hk_packings[packing].name : "",
                    named ? ") has no known layout" : " does not exist");
        return false;
    }
    p->curve.packing = (uint8_t)packing;
    if (mask & 0xf0) { /* which of x, y, z, w differ from the identity does not matter */
        if (!read_knots(r, "rotation", &p->curve))
            return false;
        pad(r, hk_packings[packing].align);
        p->moves = read_points(r, "rotation", hk_packings[packing].size, &p->curve);
        return p->moves;
    }
    const uint8_t *packed = take(r, hk_packings[packing].size, "rotation");
    p->curve.points = packed;
    p->curve.count = 1;
    if (packed && !r->check) {
        hk_rotations((hk_packing)packing, packed, r->big, 1, &p->value);
        hk_unit(&p->value, 1);
    }
    pad(r, 4);
    return packed != NULL;
}

bool hk_read_track(hk_reader *r, const uint8_t *masks, hk_track *out)
{
    uint8_t how = bytes_ld8(masks);
    return read_vector(r, "translation", how & 3, bytes_ld8(masks + 1), 0, &out->translation) &&
           read_rotation(r, how >> 2 & 15, bytes_ld8(masks + 2), &out->rotation) &&
           read_vector(r, "scale", how >> 6, bytes_ld8(masks + 3), 1, &out->scale);
}
