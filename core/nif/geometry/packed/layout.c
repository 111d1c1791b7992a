/* Determines which of the three layouts of precombined geometry a block has, by testing which one ends at the
 * end of the block (formats/precombined.md, 6). */
#include "nif/geometry/packed/packed.h"

#include "gen/nif_types.h"

/* Sizes: of the block up to the objects, and of the parts of an object. */
enum { PREFIX = 32, NUM_DATA = 28, ENTRY = 8, OBJECT = 36, DESCRIPTOR = 8 };

typedef struct block_bytes {
    const uint8_t *data;
    uint64_t size;
} block_bytes;

/* Additional results of testing a layout. */
typedef struct fit {
    bool geometry; /* some object has vertices or triangles here */
    bool full;     /* some descriptor says that positions are floats */
} fit;

static bool take(uint64_t *pos, uint64_t size, uint64_t n, uint64_t each)
{
    if (each && n > (size - *pos) / each)
        return false;
    *pos += n * each;
    return true;
}

/* The descriptor of stored vertices in a block of that layout, for nif_vertex_layout. */
static uint64_t stored_as(uint64_t desc, uint64_t layout)
{
    return NIF_DESCRIPTOR(desc) | (layout & NIF_PACKED_HALF ? NIF_HALF_POSITIONS : 0);
}

static void read_head(const block_bytes *b, nif_packed_place *o)
{
    const uint8_t *p = b->data + o->at;
    o->vertices = bytes_ld32(p, false);
    for (int k = 0; k < 3; k++) {
        o->triangles[k] = bytes_ld32(p + 8 + 8 * k, false);
        o->offsets[k] = bytes_ld32(p + 12 + 8 * k, false);
    }
    o->instances = bytes_ld32(p + 32, false);
    o->instances_at = o->at + OBJECT;
}

static bool take_object(const block_bytes *b, uint64_t layout, uint64_t *pos, nif_packed_place *o)
{
    o->at = *pos;
    if (!take(pos, b->size, 1, OBJECT))
        return false;
    read_head(b, o);
    uint64_t triangles = nif_packed_triangles(o);
    if (triangles > UINT32_MAX || !take(pos, b->size, o->instances, NIF_INSTANCE))
        return false;
    o->desc_at = *pos;
    if (!take(pos, b->size, 1, DESCRIPTOR))
        return false;
    o->desc = bytes_ld64(b->data + o->desc_at, false);
    o->vertices_at = *pos;
    o->is_here = layout & NIF_PACKED_INLINE;
    o->adds_up = nif_vertex_layout(stored_as(o->desc, layout), &o->layout);
    return !o->is_here ||
           ((o->layout.stride || !o->vertices) &&
            take(pos, b->size, o->vertices, o->layout.stride) && take(pos, b->size, triangles, 6));
}

/* True if the block has that layout up to its last byte. */
static bool fits(const block_bytes *b, uint64_t layout, fit *found)
{
    *found = (fit){false, false};
    if (b->size < PREFIX)
        return false;
    uint64_t pos = PREFIX, n = bytes_ld32(b->data + NUM_DATA, false);
    if (layout & NIF_PACKED_TABLE && !take(&pos, b->size, n, ENTRY))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        nif_packed_place o = {.desc = 0};
        bool good = take_object(b, layout, &pos, &o);
        found->full = found->full || o.desc & NIF_FULL_PRECISION;
        found->geometry = found->geometry || o.vertices || nif_packed_triangles(&o);
        if (!good)
            return false;
    }
    return pos == b->size;
}

bool nif_packed_scan(const uint8_t *data, uint64_t size, uint64_t layout, buf *places, bool *lost)
{
    block_bytes b = {data, size};
    fit found;
    if (!fits(&b, layout, &found))
        return false;
    uint64_t pos = PREFIX, n = bytes_ld32(data + NUM_DATA, false);
    pos += layout & NIF_PACKED_TABLE ? n * ENTRY : 0;
    for (uint64_t i = 0; i < n; i++) {
        nif_packed_place o;
        *lost = *lost || !take_object(&b, layout, &pos, &o) || !buf_put(places, &o, sizeof o);
    }
    return !*lost;
}

/* The same with floats and, if some descriptor says floats, with halves. */
static bool fits_somehow(const block_bytes *b, uint64_t *layout)
{
    fit found;
    if (fits(b, *layout, &found)) {
        if (*layout == (NIF_PACKED_TABLE | NIF_PACKED_INLINE) && !found.geometry)
            *layout = NIF_PACKED_TABLE; /* the same bytes, and no geometry here */
        return true;
    }
    if (!(*layout & NIF_PACKED_INLINE) || !found.full ||
        !fits(b, *layout | NIF_PACKED_HALF, &found))
        return false;
    *layout |= NIF_PACKED_HALF;
    return true;
}

bool nif_packed_layout(const rec_type *type, const uint8_t *data, uint64_t size, uint64_t *layout)
{
    enum { A = NIF_PACKED_INLINE, B = NIF_PACKED_TABLE, C = NIF_PACKED_INLINE | NIF_PACKED_TABLE };
    static const uint64_t inline_first[] = {A, C, B}, shared_first[] = {B, C, A};
    const block_bytes bytes = {data, size};
    const uint64_t *order =
        type == &nif_BSPackedCombinedGeomDataExtra ? inline_first : shared_first;
    for (size_t i = 0; i < 3; i++) {
        *layout = order[i];
        if (fits_somehow(&bytes, layout))
            return true;
    }
    return false;
}

lathe_result nif_part_arg(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                          lathe_error *err)
{
    enum { SIZED = 0x14020005 }; /* the first version with block sizes */
    uint64_t layout;
    if (!nif_is_packed(type))
        return LATHE_OK;
    *arg = rec_argument_default(type);
    const rec_part *p = rec_part_of(doc, part);
    if ((uint64_t)doc->containers[p->container].version >> 32 < SIZED)
        return LATHE_OK; /* the end is unknown: as the type says */
    if (nif_packed_layout(type, p->data, p->size, &layout)) {
        *arg = layout;
        return LATHE_OK;
    }
    return error_set(err, LATHE_ERR_INVALID, 0,
                     "unrecognised packed geometry: %llu bytes that fit none of the layouts "
                     "inline, shared and inline+table",
                     (unsigned long long)p->size);
}

/* ---- edits ------------------------------------------------------------------------------------------------- */

static lathe_result refuse(const rec_at *object, const char *row, uint64_t n, const char *what,
                           lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(object->layout, row);
    lathe_result r = rec_find(object, slot, &loc, err);
    return r != LATHE_OK ? r
                         : rec_fail(object, slot, loc.off, err, LATHE_ERR_RANGE, "%llu %s",
                                    (unsigned long long)n, what);
}

/* Fails for values with which `fits` would reject the block. */
static lathe_result settle_object(const rec_at *object, uint64_t layout, lathe_error *err)
{
    nif_vertex v;
    uint64_t vertices = (uint64_t)rec_int(object, "num_vertices"),
             triangles = (uint64_t)rec_int(object, "tri_count0") +
                         (uint64_t)rec_int(object, "tri_count1") +
                         (uint64_t)rec_int(object, "tri_count2");
    nif_vertex_layout(stored_as((uint64_t)rec_int(object, "vertex_desc"), layout), &v);
    if (triangles > UINT32_MAX)
        return refuse(object, "tri_count0", triangles, "triangles are more than 4294967295", err);
    if (layout & NIF_PACKED_INLINE && vertices && !v.stride)
        return refuse(object, "vertex_desc", vertices, "vertices of no bytes each", err);
    return LATHE_OK;
}

lathe_result nif_settle_layout(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    fit found;
    rec_loc objects;
    rec_at block = nif_at(doc, part), object;
    const rec_part *p = rec_part_of(doc, part);
    const block_bytes bytes = {p->data, p->size};
    uint32_t slot = block.layout ? rec_slot_find(block.layout, "data") : REC_NO_SLOT;
    if (slot == REC_NO_SLOT || fits(&bytes, block.layout->arg, &found))
        return LATHE_OK;
    lathe_result r = rec_find(&block, slot, &objects, err);
    for (uint64_t i = 0; r == LATHE_OK && i < objects.count; i++) {
        r = rec_sub(&block, slot, i, &object, err);
        if (r == LATHE_OK)
            r = settle_object(&object, block.layout->arg, err);
    }
    return r;
}

lathe_result nif_fit_bands(const rec_at *at, const rec_field *row, uint64_t n, bool exists,
                           lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, "tri_count0");
    uint64_t others = (uint64_t)rec_int(at, "tri_count1") + (uint64_t)rec_int(at, "tri_count2");
    lathe_value count = {.kind = LATHE_KIND_UINT, .as.u = n};
    uint8_t bytes[4];
    rec_loc loc;
    if (others || n > UINT32_MAX)
        return rec_fail(
            at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err, LATHE_ERR_RANGE,
            "%llu rows expected, got %llu: set tri_count0, tri_count1 and tri_count2 "
            "first, which say in what band a triangle is",
            (unsigned long long)rec_int(at, "tri_count0") + others, (unsigned long long)n);
    if (exists)
        return rec_set(at, slot, &count, err);
    lathe_result r = rec_find(at, slot, &loc, err);
    bytes_st32(bytes, (uint32_t)n, false);
    return r == LATHE_OK ? rec_splice(at->doc, loc.part, loc.off, 4, bytes, 4, err) : r;
}
