/* Packed vertices: the shape's vertex descriptor determines their attributes and offsets. */
#include "nif/geometry/vertices/vertices.h"

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

/* Attributes in their order, as bits, with their sizes. */
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

/* True if positions are halves although the descriptor counts them as floats. */
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

/* Size of an attribute in bytes; land data take the rest. */
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

/* True if the attributes of the flags fill a vertex. Otherwise it is shown as bytes. */
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

/* Each attribute's offset / 4 is in four bits, from bit 8 on, and the size / 4 in the lowest four; other bits
 * are kept. */
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

uint64_t nif_vertex_extent(const rec_setting *in)
{
    return stride_of(in->arg);
}

bool nif_vertex_is_bytes(const rec_setting *in)
{
    return !adds_up(in->arg);
}

uint64_t nif_vertex_all_bytes(const rec_at *at)
{
    return stride_of(at->layout->arg);
}

uint64_t nif_vertex_land_bytes(const rec_at *at)
{
    return size_of(at->layout->arg, LAND);
}

bool nif_vertex_is_full(const rec_setting *in)
{
    return adds_up(in->arg) && size_of(in->arg, POSITION) == 16;
}

bool nif_vertex_is_half(const rec_setting *in)
{
    return adds_up(in->arg) && size_of(in->arg, POSITION) == 8;
}

#define ATTRIBUTE(name, which, behind)                                                             \
    bool nif_vertex_has_##name(const rec_setting *in)                                              \
    {                                                                                              \
        return adds_up(in->arg) && size_of(in->arg, which);                                        \
    }                                                                                              \
    uint64_t nif_vertex_at_##name(const rec_setting *in)                                           \
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

/* Decodes a byte that stands for low .. high. */
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

const rec_codec nif_byte_signed = {
    .kind = LATHE_KIND_REAL, .decode = decode_signed, .encode = encode_signed};
const rec_codec nif_byte_part = {
    .kind = LATHE_KIND_REAL, .decode = decode_part, .encode = encode_part};
