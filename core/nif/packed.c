/* Precombined geometry (formats/precombined.md, 6): which of three layouts a block has is found by trying which one
 * ends where the block does. */
#include "gen/nif_types.h"
#include "nif/nif.h"

/* Bytes of the block up to the objects, and of the parts of an object. */
enum { PREFIX = 32, NUM_DATA = 28, ENTRY = 8, OBJECT = 36, INSTANCE = 72, DESCRIPTOR = 8 };

bool nif_is_packed(const rec_type *block)
{
    return block == &nif_BSPackedCombinedGeomDataExtra ||
           block == &nif_BSPackedCombinedSharedGeomDataExtra;
}

typedef struct block_bytes {
    const uint8_t *data;
    uint64_t size;
} block_bytes;

/* What trying a layout found besides. */
typedef struct fit {
    bool geometry; /* some object has vertices or triangles here */
    bool full;     /* some object's descriptor says that positions are floats */
} fit;

static bool take(uint64_t *pos, uint64_t size, uint64_t n, uint64_t each)
{
    if (each && n > (size - *pos) / each)
        return false;
    *pos += n * each;
    return true;
}

/* The descriptor of vertices in a block of that layout, for nif_vertex_layout. */
static uint64_t stored_as(uint64_t desc, uint64_t layout)
{
    return NIF_DESCRIPTOR(desc) | (layout & NIF_PACKED_HALF ? NIF_HALF_POSITIONS : 0);
}

static bool take_object(const block_bytes *b, uint64_t layout, uint64_t *pos, fit *found)
{
    uint64_t at = *pos;
    if (!take(pos, b->size, 1, OBJECT))
        return false;
    uint64_t vertices = bytes_ld32(b->data + at, false);
    uint64_t triangles = (uint64_t)bytes_ld32(b->data + at + 8, false) +
                         bytes_ld32(b->data + at + 16, false) +
                         bytes_ld32(b->data + at + 24, false);
    if (triangles > UINT32_MAX ||
        !take(pos, b->size, bytes_ld32(b->data + at + 32, false), INSTANCE))
        return false;
    at = *pos;
    if (!take(pos, b->size, 1, DESCRIPTOR))
        return false;
    uint64_t desc = bytes_ld64(b->data + at, false);
    found->full = found->full || desc & NIF_FULL_PRECISION;
    if (!(layout & NIF_PACKED_INLINE))
        return true;
    nif_vertex v;
    nif_vertex_layout(stored_as(desc, layout), &v);
    found->geometry = found->geometry || vertices || triangles;
    return (v.stride || !vertices) && take(pos, b->size, vertices, v.stride) &&
           take(pos, b->size, triangles, 6);
}

/* Whether the block is of that layout to its last byte. */
static bool fits(const block_bytes *b, uint64_t layout, fit *found)
{
    *found = (fit){false, false};
    if (b->size < PREFIX)
        return false;
    uint64_t pos = PREFIX, n = bytes_ld32(b->data + NUM_DATA, false);
    if (layout & NIF_PACKED_TABLE && !take(&pos, b->size, n, ENTRY))
        return false;
    for (uint64_t i = 0; i < n; i++)
        if (!take_object(b, layout, &pos, found))
            return false;
    return pos == b->size;
}

/* The same, where floats and, if some descriptor says floats, halves are tried. */
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

lathe_result nif_part_arg(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                          lathe_error *err)
{
    enum { SIZED = 0x14020005 }; /* the first version with sizes of blocks */
    enum { A = NIF_PACKED_INLINE, B = NIF_PACKED_TABLE, C = NIF_PACKED_INLINE | NIF_PACKED_TABLE };
    static const uint64_t inline_first[] = {A, C, B}, shared_first[] = {B, C, A};
    if (!nif_is_packed(type))
        return LATHE_OK;
    *arg = rec_argument_default(type);
    const rec_part *p = rec_part_of(doc, part);
    const block_bytes bytes = {p->data, p->size};
    const uint64_t *order =
        type == &nif_BSPackedCombinedGeomDataExtra ? inline_first : shared_first;
    if ((uint64_t)doc->containers[p->container].version >> 32 < SIZED)
        return LATHE_OK; /* nobody knows where it ends: as its type says */
    for (size_t i = 0; i < 3; i++) {
        uint64_t layout = order[i];
        if (fits_somehow(&bytes, &layout)) {
            *arg = layout;
            return LATHE_OK;
        }
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

/* What `fits` would stop at. */
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
