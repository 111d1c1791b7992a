/* Finds and reads the geometry of precombined objects in a geometry file. formats/precombined.md#54 */
#include "nif/geometry/packed/shared.h"

#include "gen/nif_types.h"
#include "record/companions.h"

#include <stdio.h>

typedef unsigned long long number;

/* The values of an object about its geometry. */
typedef struct facts {
    uint64_t desc, vertices, indices;
} facts;

static uint64_t unsigned_at(const rec_at *at, const char *row)
{
    return (uint64_t)rec_int(at, row);
}

/* Limits: indices have 16 bits. Memory is allocated by the object's values before the file is read, and the
 * file may change in between. So no file can justify more. */
enum { MOST_VERTICES = 65536, MOST_INDICES = 3 * MOST_VERTICES * 16 };

static facts facts_of(const rec_at *object)
{
    return (facts){
        .desc = unsigned_at(object, "vertex_desc"),
        .vertices = unsigned_at(object, "num_vertices"),
        .indices = 3 * (unsigned_at(object, "tri_count0") + unsigned_at(object, "tri_count1") +
                        unsigned_at(object, "tri_count2")),
    };
}

bool nif_is_shared_object(const rec_at *object, rec_at *entry)
{
    rec_at self, block, at;
    if (!nif_is_packed_object(object) || object->layout->arg & NIF_PACKED_INLINE ||
        !rec_parent(object, &self, &block))
        return false;
    uint32_t slot = rec_slot_find(block.layout, "objects");
    return slot != REC_NO_SLOT &&
           rec_sub(&block, slot, self.index, entry ? entry : &at, NULL) == LATHE_OK;
}

static bool too_many(const facts *f)
{
    return f->vertices > MOST_VERTICES || f->indices > MOST_INDICES;
}

/* The same, but without vertices and indices if they exceed the limits. Reading reports why. */
static facts expected_of(const rec_at *object)
{
    facts f = facts_of(object);
    if (too_many(&f))
        f.vertices = f.indices = 0;
    return f;
}

/* ---- finding the row ------------------------------------------------------------------------------------- */

/* Sets an error of a geometry file at the object that needs it. */
static lathe_result met(const rec_at *object, const lathe_error *why, lathe_error *err)
{
    char text[sizeof why->message + sizeof why->where];
    if (!why->path[0] && !why->where[0])
        return rec_fail(object, REC_NO_SLOT, object->off, err, why->code, "%s", why->message);
    lathe_error_text(why, text, sizeof text);
    return rec_fail(object, REC_NO_SLOT, object->off, err, why->code, "its geometry file: %s",
                    text);
}

static lathe_result misfit(const rec_at *object, const lathe_doc *geometry, uint32_t hash,
                           const facts *f, const csg_row *row, lathe_error *err)
{
    char found[96] = "where no row begins", names[80] = "";
    const char *path = geometry->path ? geometry->path : "a document without a path";
    uint32_t own = geometry->path ? csg_hash(geometry->path) : 0;
    if (row->index != REC_NO_ITEM && (row->vertices != f->vertices || row->indices != f->indices))
        snprintf(found, sizeof found, "where there are %lu and %lu", (unsigned long)row->vertices,
                 (unsigned long)row->indices);
    else if (row->index != REC_NO_ITEM)
        snprintf(found, sizeof found,
                 "whose row has %llu bytes, which are not those of descriptor 0x%llX",
                 (number)row->size, (number)f->desc);
    if (own != hash)
        snprintf(names, sizeof names, ": name hash 0x%08lX wanted, the file has 0x%08lX",
                 (unsigned long)hash, (unsigned long)own);
    return rec_fail(object, REC_NO_SLOT, object->off, err, LATHE_ERR_INVALID,
                    "its %llu vertices and %llu indices are not at byte %llu of the stream of "
                    "'%s', %s%s",
                    (number)f->vertices, (number)f->indices, (number)row->offset, path, found,
                    names);
}

/* True if all indices at `p` are vertices, and the last vertex is used. */
static bool indices_fit(const uint8_t *p, const facts *f)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < f->indices; i++) {
        uint64_t v = bytes_ld16(p + 2 * i, false);
        most = v > most ? v : most;
    }
    return f->indices ? most + 1 == f->vertices : !f->vertices;
}

/* If no row begins at the offset: uses the bytes that the object's values describe, if their indices fit. */
static lathe_result rowless(lathe_doc *geometry, const facts *f, csg_row *row, lathe_error *err)
{
    const uint64_t full = (f->desc & 15) * 4;
    const uint8_t *p;
    lathe_error first;
    bool tried = false;
    for (uint64_t cut = 0; cut <= 8 && f->vertices <= UINT32_MAX && f->indices <= UINT32_MAX;
         cut += 8) {
        if (full <= cut)
            continue;
        uint64_t vertices = f->vertices * (full - cut);
        row->vertices = (uint32_t)f->vertices;
        row->indices = (uint32_t)f->indices;
        row->desc = f->desc;
        row->size = vertices + 2 * f->indices;
        lathe_error why;
        lathe_result r =
            csg_fits(row) ? csg_run(geometry, row->offset, row->size, &p, &why) : LATHE_ERR_NAME;
        if (r == LATHE_OK && indices_fit(p + vertices, f))
            return LATHE_OK;
        if (r != LATHE_OK && r != LATHE_ERR_NAME && !tried) {
            tried = true;
            first = why;
        }
    }
    return tried && first.code != LATHE_ERR_BOUNDS
               ? error_pass(err, &first)
               : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no row begins there");
}

/* Finds the row at an offset. Its descriptor may say another precision than the object's, so the data decide. */
static lathe_result find_row(lathe_doc *geometry, uint64_t offset, const facts *f, csg_row *row,
                             lathe_error *err)
{
    lathe_error why;
    lathe_result r = csg_row_find(geometry, offset, row, &why);
    if (r == LATHE_ERR_NAME) {
        *row = (csg_row){.index = REC_NO_ITEM, .offset = offset};
        return rowless(geometry, f, row, err);
    }
    if (r != LATHE_OK && (r != LATHE_ERR_INVALID || !row->size))
        return error_pass(err, &why);
    row->desc = f->desc;
    return row->vertices == f->vertices && row->indices == f->indices && csg_fits(row)
               ? LATHE_OK
               : LATHE_ERR_NAME;
}

/* After an undo, objects may refer to rows of a document that was used before. *geometry and *row are
 * unchanged if no document has the row. */
static bool find_older(const lathe_doc *doc, uint32_t hash, uint64_t offset, const facts *f,
                       lathe_doc **geometry, csg_row *row)
{
    lathe_doc *older = *geometry;
    csg_row found;
    while ((older = rec_companion_older(doc, hash, older)) != NULL) {
        if (!csg_is(older) || find_row(older, offset, f, &found, NULL) != LATHE_OK)
            continue;
        *geometry = older;
        *row = found;
        return true;
    }
    return false;
}

/* Finds the row of an object. LATHE_ERR_INVALID: the data there are not its geometry. */
static lathe_result shared_row(const rec_at *object, lathe_doc **geometry, csg_row *row,
                               lathe_error *err)
{
    rec_at entry;
    lathe_error why;
    if (!nif_is_shared_object(object, &entry))
        return rec_fail(object, REC_NO_SLOT, object->off, err, LATHE_ERR_NAME,
                        "the object's geometry is in no other file");
    const uint32_t hash = (uint32_t)unsigned_at(&entry, "geometry_file_hash");
    const facts f = facts_of(object);
    if (too_many(&f))
        return rec_fail(object, REC_NO_SLOT, object->off, err, LATHE_ERR_RANGE,
                        "its %llu vertices and %llu indices are more than %d and %d, the most of "
                        "an object in a geometry file",
                        (number)f.vertices, (number)f.indices, MOST_VERTICES, MOST_INDICES);
    lathe_result r = nif_shared_doc(object->doc, hash, geometry, &why);
    if (r != LATHE_OK)
        return met(object, &why, err);
    const uint64_t offset = unsigned_at(&entry, "data_offset");
    r = find_row(*geometry, offset, &f, row, &why);
    if (r == LATHE_ERR_NAME && find_older(object->doc, hash, offset, &f, geometry, row))
        return LATHE_OK;
    if (r == LATHE_ERR_NAME)
        return misfit(object, *geometry, hash, &f, row, err);
    return r == LATHE_OK ? LATHE_OK : met(object, &why, err);
}

/* ---- bytes ----------------------------------------------------------------------------------------------- */

static lathe_result read_shared(const rec_at *object, nif_object_bytes *out, lathe_error *err)
{
    static const uint8_t nothing;
    const facts f = facts_of(object);
    lathe_doc *geometry;
    csg_row row;
    const uint8_t *p;
    lathe_error why;
    if (!f.vertices && !f.indices) { /* no row is needed for that */
        *out = (nif_object_bytes){.vertices = &nothing,
                                  .indices = &nothing,
                                  .desc = f.desc,
                                  .layout = NIF_DESCRIPTOR(f.desc)};
        return LATHE_OK;
    }
    lathe_result r = shared_row(object, &geometry, &row, err);
    if (r != LATHE_OK)
        return r;
    r = csg_run(geometry, row.offset, row.size, &p, &why);
    if (r != LATHE_OK)
        return met(object, &why, err);
    *out = (nif_object_bytes){.vertices = p,
                              .indices = p + (uint64_t)row.vertices * row.stride,
                              .vertex_count = row.vertices,
                              .index_count = row.indices,
                              .desc = row.desc,
                              .layout = row.layout,
                              .stride = row.stride,
                              .half = row.half,
                              .geometry = geometry};
    return LATHE_OK;
}

static lathe_result read_inline(const rec_at *object, nif_object_bytes *out, lathe_error *err)
{
    static const uint8_t nothing;
    const facts f = facts_of(object);
    nif_vertex v;
    nif_column vertices = {.p = &nothing}, triangles = {.p = &nothing};
    *out = (nif_object_bytes){.vertex_count = f.vertices,
                              .index_count = f.indices,
                              .desc = f.desc,
                              .half = object->layout->arg & NIF_PACKED_HALF &&
                                      f.desc & NIF_FULL_PRECISION};
    out->layout = NIF_DESCRIPTOR(f.desc) | (out->half ? NIF_HALF_POSITIONS : 0);
    nif_vertex_layout(out->layout, &v);
    if ((f.vertices && !nif_column_find(object, "vertices", v.stride, &vertices)) ||
        (f.indices && !nif_column_find(object, "triangles", 6, &triangles)))
        return rec_fail(object, REC_NO_SLOT, object->off, err, LATHE_ERR_INVALID,
                        "its vertices or triangles are incomplete");
    out->vertices = vertices.p;
    out->indices = triangles.p;
    out->stride = v.stride;
    return LATHE_OK;
}

lathe_result nif_object_load(const rec_at *object, nif_object_bytes *out, lathe_error *err)
{
    return object->layout->arg & NIF_PACKED_INLINE ? read_inline(object, out, err)
                                                   : read_shared(object, out, err);
}

/* ---- as a shape ------------------------------------------------------------------------------------------ */

bool nif_geometry_expect(const rec_at *at, nif_shape *shape)
{
    static const uint8_t nothing;
    if (nif_geometry_find(at, shape))
        return true;
    if (!nif_is_shared_object(at, NULL))
        return false;
    const facts f = expected_of(at);
    *shape = (nif_shape){.vertices = f.vertices, .packed = {.p = &nothing, .part = REC_NO_PART}};
    return nif_vertex_layout(NIF_DESCRIPTOR(f.desc), &shape->layout) && shape->layout.position >= 0;
}

static lathe_result unreadable(const rec_at *at, lathe_error *err)
{
    if (!nif_is_packed_object(at) || !unsigned_at(at, "num_vertices"))
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED, "it has no vertices");
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_INVALID,
                    "its vertices have no positions that can be read: vertex_desc is 0x%llX",
                    (number)unsigned_at(at, "vertex_desc"));
}

lathe_result nif_geometry_load(const rec_at *at, nif_shape *shape, lathe_error *err)
{
    nif_object_bytes bytes;
    if (!nif_is_shared_object(at, NULL))
        return nif_geometry_find(at, shape) ? LATHE_OK : unreadable(at, err);
    lathe_result r = nif_object_load(at, &bytes, err);
    if (r != LATHE_OK)
        return r;
    *shape = (nif_shape){
        .vertices = bytes.vertex_count,
        .packed = {.p = bytes.vertices, .count = bytes.vertex_count, .part = REC_NO_PART},
        .triangles = {.p = bytes.indices, .count = bytes.index_count / 3, .part = REC_NO_PART}};
    bool known = nif_vertex_layout(bytes.layout, &shape->layout) && shape->layout.position >= 0 &&
                 shape->layout.stride == bytes.stride;
    return known || !bytes.vertex_count ? LATHE_OK : unreadable(at, err);
}

const char nif_shared_fixed[] =
    "the object's geometry is in a geometry file, which others share: set_geometry changes it, "
    "with share = \"append\" and a geometry document, or with share = \"inline\"";

/* ---- triangles as numbers -------------------------------------------------------------------------------- */

static bool rows_triangles(const rec_at *at, const rec_field *row, uint64_t *n)
{
    (void)row;
    *n = 0;
    if (!nif_is_shared_object(at, NULL))
        return false;
    *n = expected_of(at).indices / 3;
    return true;
}

static lathe_result read_triangles(const rec_at *at, const rec_field *row, void *to,
                                   lathe_error *err)
{
    nif_object_bytes bytes;
    uint16_t *out = to;
    (void)row;
    lathe_result r = nif_object_load(at, &bytes, err);
    for (uint64_t i = 0; r == LATHE_OK && i < bytes.index_count; i++)
        out[i] = bytes_ld16(bytes.indices + 2 * i, false);
    return r;
}

static lathe_result write_triangles(const rec_at *at, const rec_field *row, uint64_t n,
                                    const void *from, lathe_error *err)
{
    (void)n, (void)from;
    return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                    LATHE_ERR_UNSUPPORTED, "%s", nif_shared_fixed);
}

const rec_numbers nif_shared_triangles = {.elem = LATHE_ELEM_U16,
                                          .columns = 3,
                                          .rows = rows_triangles,
                                          .read = read_triangles,
                                          .write = write_triangles,
                                          .fixed = nif_shared_fixed};
