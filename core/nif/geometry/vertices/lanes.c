/* Attributes of a shape's vertices in all stored forms: locates, reads and writes them in simple loops. */
#include "base/half.h"
#include "gen/nif_types.h"
#include "nif/geometry/vertices/vertices.h"

#include <math.h>

/* ---- locating ------------------------------------------------------------------------------------------ */

static bool all_alike(nif_lanes *out, nif_column in, uint32_t stride, int at, uint32_t columns,
                      nif_coding coding)
{
    static const uint32_t width[] = {
        [NIF_F32] = 4, [NIF_F16] = 2, [NIF_SIGNED] = 1, [NIF_PART] = 1};
    if (!in.p || at < 0)
        return false;
    *out = (nif_lanes){.in = in, .stride = stride, .columns = columns};
    for (uint32_t k = 0; k < columns; k++) {
        out->at[k] = (uint32_t)at + k * width[coding];
        out->coding[k] = coding;
    }
    return true;
}

/* Locates bitangents, whose values fill gaps between other attributes. If positions have a column of their
 * own, the first value is there too. */
static bool bitangents(const nif_shape *s, nif_lanes *out)
{
    const nif_vertex *v = &s->layout;
    if ((v->position < 0 && !s->dynamic.p) || v->normal < 0 || v->tangent < 0)
        return false;
    *out = (nif_lanes){.in = s->packed, .stride = v->stride, .columns = 3};
    out->at[0] = (uint32_t)v->position + (v->full ? 12 : 6);
    out->at[1] = (uint32_t)v->normal + 3;
    out->at[2] = (uint32_t)v->tangent + 3;
    out->coding[0] = v->full ? NIF_F32 : NIF_F16;
    if (s->dynamic.p) {
        out->first = s->dynamic;
        out->first_stride = 16;
        out->at[0] = 12;
        out->coding[0] = NIF_F32;
    }
    out->coding[1] = out->coding[2] = NIF_SIGNED;
    return true;
}

static bool find_packed(const nif_shape *s, nif_attribute what, nif_lanes *out)
{
    const nif_vertex *v = &s->layout;
    switch (what) {
    case NIF_POSITION:
        if (s->dynamic.p)
            return all_alike(out, s->dynamic, 16, 0, 3, NIF_F32);
        return all_alike(out, s->packed, v->stride, v->position, 3, v->full ? NIF_F32 : NIF_F16);
    case NIF_NORMAL: return all_alike(out, s->packed, v->stride, v->normal, 3, NIF_SIGNED);
    case NIF_TANGENT: return all_alike(out, s->packed, v->stride, v->tangent, 3, NIF_SIGNED);
    case NIF_BITANGENT: return bitangents(s, out);
    case NIF_UV: return all_alike(out, s->packed, v->stride, v->uv, 2, NIF_F16);
    default: return all_alike(out, s->packed, v->stride, v->color, 4, NIF_PART);
    }
}

static bool find_lanes(const nif_shape *s, nif_attribute what, nif_lanes *out)
{
    switch (what) {
    case NIF_POSITION: return all_alike(out, s->positions, 12, 0, 3, NIF_F32);
    case NIF_NORMAL: return all_alike(out, s->normals, 12, 0, 3, NIF_F32);
    case NIF_TANGENT: return all_alike(out, s->tangents, 12, 0, 3, NIF_F32);
    case NIF_BITANGENT: return all_alike(out, s->bitangents, 12, 0, 3, NIF_F32);
    case NIF_UV: return all_alike(out, s->uvs, 8, 0, 2, NIF_F32);
    default: return all_alike(out, s->colors, 16, 0, 4, NIF_F32);
    }
}

bool nif_lanes_find(const nif_shape *s, nif_attribute what, nif_lanes *out)
{
    if (!(s->packed.p ? find_packed(s, what, out) : find_lanes(s, what, out)))
        return false;
    out->in.count = s->vertices; /* of several sets of texture coordinates the first is used */
    return true;
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

/* Reads one value of each row. Bits are copied unchanged, including NaN; bytes are converted to floats. */
static void read_lane(const uint8_t *p, uint32_t stride, nif_coding coding, uint64_t n, float *to,
                      uint32_t columns)
{
    const double low = coding == NIF_SIGNED ? -1 : 0;
    for (uint64_t i = 0; i < n && coding == NIF_F32; i++, p += stride, to += columns) {
        uint32_t bits = bytes_ld32(p, false);
        memcpy(to, &bits, sizeof bits);
    }
    for (uint64_t i = 0; i < n && coding == NIF_F16; i++, p += stride, to += columns) {
        uint32_t bits = half_to_f32_bits(bytes_ld16(p, false));
        memcpy(to, &bits, sizeof bits);
    }
    for (uint64_t i = 0; i < n && coding != NIF_F32 && coding != NIF_F16;
         i++, p += stride, to += columns)
        *to = (float)(*p * (1 - low) / 255 + low);
}

void nif_lanes_read(const nif_lanes *l, float *to)
{
    for (uint32_t k = 0; k < l->columns; k++) {
        bool apart = k == 0 && l->first.p;
        read_lane((apart ? l->first.p : l->in.p) + l->at[k], apart ? l->first_stride : l->stride,
                  l->coding[k], l->in.count, to + k, l->columns);
    }
}

/* Encodes a byte with tolerance: unit vectors and colours can be slightly longer than 1 by rounding. */
static bool put_byte(uint8_t *p, double f, double low)
{
    const double slack = 1e-3;
    if (!(f >= low - slack && f <= 1 + slack))
        return false;
    double byte = floor((f - low) * 255 / (1 - low) + 0.5);
    *p = (uint8_t)(byte < 0 ? 0 : byte > 255 ? 255 : byte);
    return true;
}

static bool put_number(uint8_t *p, nif_coding coding, float from)
{
    uint32_t bits;
    memcpy(&bits, &from, sizeof bits);
    double f = bytes_f32_widen(bits);
    switch (coding) {
    case NIF_F32: bytes_st32(p, bits, false); return true;
    case NIF_F16:
        bytes_st16(p, half_from_double(f), false);
        return !(fabs(f) < HUGE_VAL) || fabs(half_to_double(half_from_double(f))) < HUGE_VAL;
    case NIF_SIGNED: return put_byte(p, f, -1);
    default: return put_byte(p, f, 0);
    }
}

static lathe_result does_not_fit(const rec_at *at, uint32_t slot, uint64_t i, nif_coding coding,
                                 float f, lathe_error *err)
{
    static const char *const what[] = {[NIF_F16] = "does not fit into a half float",
                                       [NIF_SIGNED] = "is not in -1 .. 1",
                                       [NIF_PART] = "is not in 0 .. 1"};
    return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "row %llu: %.9g %s",
                    (unsigned long long)i + 1, (double)f, what[coding]);
}

/* Writes values k .. end of each row, `stride` bytes apart from `p` on. */
static lathe_result put_columns(const rec_at *at, uint32_t slot, const nif_lanes *l, uint8_t *p,
                                uint32_t stride, uint32_t k, uint32_t end, const float *from,
                                lathe_error *err)
{
    for (uint64_t i = 0; i < l->in.count; i++, p += stride, from += l->columns)
        for (uint32_t j = k; j < end; j++)
            if (!put_number(p + l->at[j], l->coding[j], from[j]))
                return does_not_fit(at, slot, i, l->coding[j], from[j], err);
    return LATHE_OK;
}

lathe_result nif_lanes_store(const rec_at *at, uint32_t slot, const nif_lanes *l, const float *from,
                             uint8_t *to, lathe_error *err)
{
    return put_columns(at, slot, l, to, l->stride, 0, l->columns, from, err);
}

/* Writes values k .. end of each row, which are in one column. */
static lathe_result write_column(const rec_at *at, uint32_t slot, const nif_lanes *l,
                                 const nif_column *in, uint32_t stride, uint32_t k, uint32_t end,
                                 const float *from, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    size_t size = (size_t)l->in.count * stride;
    uint8_t *copy = mem_alloc(&doc->mem, size + 1);
    if (!copy)
        return rec_no_memory(err);
    /* Not from in->p: writing another column may have moved it. */
    memcpy(copy, rec_part_of(doc, in->part)->data + in->off, size);
    lathe_result r = put_columns(at, slot, l, copy, stride, k, end, from, err);
    if (r == LATHE_OK)
        r = rec_splice(doc, in->part, in->off, size, copy, size, err);
    mem_free(&doc->mem, copy, size + 1);
    return r;
}

lathe_result nif_lanes_write(const rec_at *at, uint32_t slot, const nif_lanes *l, const float *from,
                             lathe_error *err)
{
    uint32_t k = l->first.p ? 1 : 0;
    lathe_result r =
        k ? write_column(at, slot, l, &l->first, l->first_stride, 0, 1, from, err) : LATHE_OK;
    return r == LATHE_OK ? write_column(at, slot, l, &l->in, l->stride, k, l->columns, from, err)
                         : r;
}
