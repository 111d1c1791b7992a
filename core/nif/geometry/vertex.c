/* Packed vertices: which attributes one has, and where, follows from the shape's vertex descriptor. */
#include "nif/nif.h"

#include <math.h>

enum {
    HAS_POSITION = 0x001,
    HAS_UV = NIF_HAS_UV,
    HAS_UV2 = 0x004,
    HAS_NORMAL = NIF_HAS_NORMAL,
    HAS_TANGENT = NIF_HAS_TANGENT,
    HAS_COLOR = NIF_HAS_COLOR,
    HAS_SKIN = 0x040,
    HAS_LAND = 0x080,
    HAS_EYE = 0x100,
    HAS_FULL = 0x400
};

/* Attributes in their order, as bits of what a vertex has, with their sizes. */
typedef enum attribute {
    POSITION,
    UV,
    UV2,
    NORMAL,
    TANGENT,
    COLOR,
    SKIN,
    LAND,
    EYE,
    ATTRIBUTES
} attribute;

static unsigned flags_of(uint64_t arg)
{
    return (unsigned)(arg >> 44 & 0xFFF);
}

/* Whether positions are halves although the descriptor counts them as floats. */
static bool is_shortened(uint64_t arg)
{
    return arg & NIF_HALF_POSITIONS && flags_of(arg) & HAS_FULL;
}

static bool is_full(uint64_t arg)
{
    return arg & NIF_FULL_POSITIONS || (flags_of(arg) & HAS_FULL && !is_shortened(arg));
}

static uint64_t stride_of(uint64_t arg)
{
    uint64_t stride = (arg & 0xF) * 4;
    return is_shortened(arg) ? stride < 8 ? 0 : stride - 8 : stride;
}

/* Bytes of an attribute; land data take what is left. */
static uint64_t size_of(uint64_t arg, attribute a)
{
    unsigned has = flags_of(arg);
    switch (a) {
    case POSITION: return has & HAS_POSITION ? is_full(arg) ? 16 : 8 : 0;
    case UV: return has & HAS_UV ? 4 : 0;
    case UV2: return has & HAS_UV2 ? 4 : 0;
    case NORMAL: return has & HAS_NORMAL ? 4 : 0;
    case TANGENT: return (has & (HAS_NORMAL | HAS_TANGENT)) == (HAS_NORMAL | HAS_TANGENT) ? 4 : 0;
    case COLOR: return has & HAS_COLOR ? 4 : 0;
    case SKIN: return has & HAS_SKIN ? 12 : 0;
    case EYE: return has & HAS_EYE ? 4 : 0;
    default: break;
    }
    uint64_t others = 0;
    for (int k = 0; k < ATTRIBUTES; k++)
        others += k == LAND ? 0 : size_of(arg, (attribute)k);
    return has & HAS_LAND && others < stride_of(arg) ? stride_of(arg) - others : 0;
}

static uint64_t offset_of(uint64_t arg, attribute a)
{
    uint64_t off = 0;
    for (int k = 0; k < (int)a; k++)
        off += size_of(arg, (attribute)k);
    return off;
}

/* Whether what the flags name fills a vertex. Else it is shown as bytes. */
static bool adds_up(uint64_t arg)
{
    return offset_of(arg, ATTRIBUTES) == stride_of(arg);
}

static int place_of(uint64_t arg, attribute a)
{
    return size_of(arg, a) ? (int)offset_of(arg, a) : -1;
}

bool nif_vertex_layout(uint64_t arg, nif_vertex *out)
{
    *out = (nif_vertex){
        .stride = (uint32_t)stride_of(arg),
        .position = place_of(arg, POSITION),
        .uv = place_of(arg, UV),
        .normal = place_of(arg, NORMAL),
        .tangent = place_of(arg, TANGENT),
        .color = place_of(arg, COLOR),
        .skin = place_of(arg, SKIN),
        .full = is_full(arg),
    };
    return adds_up(arg) && out->stride;
}

/* Each attribute's offset / 4 is in four bits, from bit 8 on, and the size / 4 in the first four; other bits stay. */
uint64_t nif_vertex_turned(uint64_t arg, unsigned attributes, bool there)
{
    uint64_t kept = arg & (NIF_FULL_POSITIONS | NIF_HALF_POSITIONS),
             bits = (uint64_t)attributes << 44, size = 0;
    arg &= ~NIF_HALF_POSITIONS; /* the descriptor counts floats */
    uint64_t old = arg;
    arg = there ? arg | bits : arg & ~bits;
    for (int a = POSITION; a < ATTRIBUTES; a++) {
        int nibble = 4 + 4 * a;
        bool had = size_of(old, (attribute)a);
        uint64_t n = size_of(a == LAND ? old : arg, (attribute)a);
        if (a != POSITION && (had || n))
            arg = (arg & ~((uint64_t)0xF << nibble)) | (n ? size / 4 << nibble : 0);
        size += n;
    }
    return (arg & ~(uint64_t)0xF & ~NIF_FULL_POSITIONS) | kept | size / 4;
}

lathe_result nif_may_describe(const rec_at *at, const rec_field *row, int64_t value,
                              lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    uint32_t vertices = rec_slot_find(at->layout, "vertices");
    uint64_t full = NIF_AT_B(at) == NIF_SKYRIM_SE ? NIF_FULL_POSITIONS : 0, now = (uint64_t)value;
    rec_loc loc;
    uint64_t raw;
    if (at->doc->parts[at->part].scratch || vertices == REC_NO_SLOT ||
        rec_raw(at, slot, 0, &raw, NULL) != LATHE_OK || raw == now ||
        rec_find(at, vertices, &loc, NULL) != LATHE_OK || !loc.present || !loc.count)
        return LATHE_OK;
    if (rec_slot_find(at->layout, "vertex_size") != REC_NO_SLOT &&
        stride_of(now) != stride_of(raw) && stride_of(now) != (uint64_t)rec_int(at, "vertex_size"))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "vertices of a skin cannot become %llu bytes instead of %llu",
                        (unsigned long long)stride_of(now), (unsigned long long)stride_of(raw));
    if (adds_up(NIF_DESCRIPTOR(now) | full) && stride_of(now))
        return LATHE_OK;
    return rec_fail(at, slot, at->off, err, LATHE_ERR_INVALID,
                    "0x%016llx: what it names does not fill a vertex of %llu bytes",
                    (unsigned long long)now, (unsigned long long)stride_of(now));
}

static uint64_t extent(const rec_setting *in)
{
    return stride_of(in->arg);
}

static bool is_bytes(const rec_setting *in)
{
    return !adds_up(in->arg);
}

static uint64_t all_bytes(const rec_at *at)
{
    return stride_of(at->layout->arg);
}

static uint64_t land_bytes(const rec_at *at)
{
    return size_of(at->layout->arg, LAND);
}

static bool full_position(const rec_setting *in)
{
    return adds_up(in->arg) && size_of(in->arg, POSITION) == 16;
}

static bool half_position(const rec_setting *in)
{
    return adds_up(in->arg) && size_of(in->arg, POSITION) == 8;
}

#define ATTRIBUTE(name, which, behind)                                                             \
    static bool has_##name(const rec_setting *in)                                                  \
    {                                                                                              \
        return adds_up(in->arg) && size_of(in->arg, which);                                        \
    }                                                                                              \
    static uint64_t at_##name(const rec_setting *in)                                               \
    {                                                                                              \
        return offset_of(in->arg, which) + (behind);                                               \
    }
ATTRIBUTE(uv, UV, 0)
ATTRIBUTE(uv2, UV2, 0)
ATTRIBUTE(normal, NORMAL, 0)
ATTRIBUTE(bitangent_y, NORMAL, 3)
ATTRIBUTE(tangent, TANGENT, 0)
ATTRIBUTE(bitangent_z, TANGENT, 3)
ATTRIBUTE(color, COLOR, 0)
ATTRIBUTE(weights, SKIN, 0)
ATTRIBUTE(bones, SKIN, 8)
ATTRIBUTE(land, LAND, 0)
ATTRIBUTE(eye, EYE, 0)

/* ---- packed numbers ------------------------------------------------------------------------------------- */

/* A byte that stands for low .. high. */
static lathe_result from_byte(uint64_t raw, double low, lathe_value *out)
{
    out->kind = LATHE_KIND_REAL;
    out->as.f = (double)raw * (1 - low) / 255 + low;
    return LATHE_OK;
}

static lathe_result to_byte(const rec_at *at, const rec_field *row, const lathe_value *v,
                            double low, uint64_t *raw, lathe_error *err)
{
    double f;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    if (!rec_number(v, &f))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a number expected");
    if (!(f >= low && f <= 1))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%.17g is not in %g .. 1", f, low);
    *raw = (uint64_t)floor((f - low) * 255 / (1 - low) + 0.5);
    return LATHE_OK;
}

static lathe_result decode_signed(const rec_at *at, const rec_field *row, uint64_t raw,
                                  lathe_value *out, lathe_error *err)
{
    (void)at, (void)row, (void)err;
    return from_byte(raw, -1, out);
}

static lathe_result encode_signed(const rec_at *at, const rec_field *row, const lathe_value *v,
                                  uint64_t *raw, lathe_error *err)
{
    return to_byte(at, row, v, -1, raw, err);
}

static lathe_result decode_part(const rec_at *at, const rec_field *row, uint64_t raw,
                                lathe_value *out, lathe_error *err)
{
    (void)at, (void)row, (void)err;
    return from_byte(raw, 0, out);
}

static lathe_result encode_part(const rec_at *at, const rec_field *row, const lathe_value *v,
                                uint64_t *raw, lathe_error *err)
{
    return to_byte(at, row, v, 0, raw, err);
}

static const rec_codec byte_signed = {
    .kind = LATHE_KIND_REAL, .decode = decode_signed, .encode = encode_signed};
static const rec_codec byte_part = {
    .kind = LATHE_KIND_REAL, .decode = decode_part, .encode = encode_part};

/* clang-format off */
static const rec_field direction_rows[] = {
    {.name = "x", .kind = REC_U8, .codec = &byte_signed, .init = 1, .doc = "-1 to 1, in a byte."},
    {.name = "y", .kind = REC_U8, .codec = &byte_signed, .init = 1, .doc = "-1 to 1, in a byte."},
    {.name = "z", .kind = REC_U8, .codec = &byte_signed, .init = 1, .doc = "-1 to 1, in a byte."},
};
static const rec_type direction = {.name = "byte_direction", .doc = "A direction in three bytes.", .flags = REC_VECTOR,
                                   REC_ROWS(direction_rows)};

static const rec_field color_rows[] = {
    {.name = "r", .kind = REC_U8, .codec = &byte_part, .init = 1, .doc = "Red, 0 to 1, in a byte."},
    {.name = "g", .kind = REC_U8, .codec = &byte_part, .init = 1, .doc = "Green, 0 to 1, in a byte."},
    {.name = "b", .kind = REC_U8, .codec = &byte_part, .init = 1, .doc = "Blue, 0 to 1, in a byte."},
    {.name = "a", .kind = REC_U8, .codec = &byte_part, .init = 1, .doc = "Alpha, 0 to 1, in a byte."},
};
static const rec_type byte_color = {.name = "byte_color", .doc = "A colour with alpha in four bytes.", .flags = REC_VECTOR,
                                    REC_ROWS(color_rows)};

static const rec_field uv_rows[] = {
    {.name = "u", .kind = REC_F16, .doc = "To the right."},
    {.name = "v", .kind = REC_F16, .doc = "Downwards."},
};
static const rec_type half_uv = {.name = "half_uv", .doc = "A texture coordinate in two halves.", .flags = REC_VECTOR,
                                 REC_ROWS(uv_rows)};

static const rec_field vertex_rows[] = {
    {.name = "position", .kind = REC_RECORD, .type = &rec_vec3, .only = full_position, .power = 1, .unit = "game units",
     .doc = "Where it is, in three floats: Skyrim SE, and Fallout 4 with full precision."},
    {.name = "bitangent_x", .kind = REC_F32, .off = 12, .only = full_position,
     .doc = "First number of the bitangent; without tangents of no use."},
    {.name = "position", .kind = REC_RECORD, .type = &nif_hvec3, .only = half_position, .power = 1, .unit = "game units",
     .doc = "Where it is, in three halves: Fallout 4."},
    {.name = "bitangent_x", .kind = REC_F16, .off = 6, .only = half_position,
     .doc = "First number of the bitangent; without tangents of no use."},
    {.name = "uv", .kind = REC_RECORD, .type = &half_uv, .place = at_uv, .only = has_uv, .doc = "Where it is on the texture."},
    {.name = "uv2", .kind = REC_RECORD, .type = &half_uv, .place = at_uv2, .only = has_uv2, .doc = "Where it is on a second one."},
    {.name = "normal", .kind = REC_RECORD, .type = &direction, .place = at_normal, .only = has_normal, .doc = "Away from the surface."},
    {.name = "bitangent_y", .kind = REC_U8, .codec = &byte_signed, .init = 1, .place = at_bitangent_y, .only = has_bitangent_y,
     .doc = "Second number of the bitangent."},
    {.name = "tangent", .kind = REC_RECORD, .type = &direction, .place = at_tangent, .only = has_tangent,
     .doc = "Along the surface, with the bitangent."},
    {.name = "bitangent_z", .kind = REC_U8, .codec = &byte_signed, .init = 1, .place = at_bitangent_z, .only = has_bitangent_z,
     .doc = "Third number of the bitangent."},
    {.name = "color", .kind = REC_RECORD, .type = &byte_color, .place = at_color, .only = has_color, .doc = "Of the vertex."},
    {.name = "weights", .kind = REC_F16, .n = 4, .place = at_weights, .only = has_weights, .doc = "How much the bones move it; 1 in all."},
    {.name = "bones", .kind = REC_U8, .n = 4, .place = at_bones, .only = has_bones, .doc = "Which they are, in the skin's list, from 0."},
    {.name = "land", .kind = REC_BYTES, .count = land_bytes, .flags = REC_READONLY, .why = "nobody knows what it means",
     .place = at_land, .only = has_land, .doc = "Of landscapes. Kept."},
    {.name = "eye", .kind = REC_F32, .place = at_eye, .only = has_eye, .doc = "Of eyes."},
    {.name = "bytes", .kind = REC_BYTES, .count = all_bytes, .flags = REC_READONLY, .why = "nobody knows what they mean",
     .only = is_bytes, .doc = "All of a vertex whose descriptor does not add up."},
};
const rec_type nif_BSVertexData = {
    .name = "BSVertexData", .doc = "A packed vertex: what it has, the vertex descriptor says.", .flags = REC_OFFSETS,
    .extent = extent, REC_ROWS(vertex_rows)};
/* clang-format on */
