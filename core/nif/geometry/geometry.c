/* Geometry of shapes as tables of numbers: shape.positions and others. */
#include "gen/nif_types.h"
#include "nif/geometry/mesh.h"
#include "nif/geometry/packed/shared.h"

enum { MOST_VERTICES = 65535, MOST_TRIANGLES = 65535 };

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool find(const rec_at *at, nif_attribute what, nif_shape *shape, nif_lanes *lanes)
{
    return nif_geometry_find(at, shape) && nif_lanes_find(shape, what, lanes);
}

static lathe_result read_lanes(const rec_at *at, nif_attribute what, void *to, lathe_error *err)
{
    nif_shape shape;
    nif_lanes lanes;
    lathe_result r = nif_geometry_load(at, &shape, err);
    if (r != LATHE_OK)
        return r;
    if (!nif_lanes_find(&shape, what, &lanes))
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME, "absent here");
    nif_lanes_read(&lanes, to);
    return LATHE_OK;
}

static bool has_lanes(const rec_at *at, nif_attribute what, uint64_t *n)
{
    nif_shape shape;
    nif_lanes lanes;
    *n = 0;
    if (!nif_geometry_expect(at, &shape) || !nif_lanes_find(&shape, what, &lanes))
        return false;
    *n = shape.vertices;
    return true;
}

/* ---- changing the number of vertices ------------------------------------------------------------------- */

/* The largest vertex index in triangles, plus 1. */
static uint64_t vertices_named(const nif_shape *s)
{
    const nif_column *of[] = {&s->triangles, &s->points};
    uint64_t most = 0;
    for (size_t c = 0; c < 2; c++) {
        uint64_t n = of[c]->p ? of[c]->count * (c == 0 ? 3 : 1) : 0;
        for (uint64_t i = 0; i < n; i++) {
            uint64_t v = bytes_ld16(of[c]->p + 2 * i, false);
            most = v + 1 > most ? v + 1 : most;
        }
    }
    return most;
}

/* True if a skin stores vertices or triangles per vertex. Those of Fallout 4 do not: weights are in the
 * vertices. */
static bool is_skinned(const rec_at *at)
{
    return nif_block_is(at->doc, nif_target(at, "skin", 0), &nif_NiSkinInstance) ||
           nif_block_is(at->doc, nif_target(at, "skin_instance", 0), &nif_NiSkinInstance);
}

static lathe_result may_resize(const rec_at *at, uint32_t slot, const nif_shape *s, uint64_t n,
                               lathe_error *err)
{
    uint64_t named = vertices_named(s);
    if (n > MOST_VERTICES)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%llu vertices are more than %d, the most of a shape",
                        (unsigned long long)n, MOST_VERTICES);
    if (s->partition.doc || s->dynamic.p || is_skinned(at))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "%llu rows expected, got %llu: a skin counts on the shape's vertices",
                        (unsigned long long)s->vertices, (unsigned long long)n);
    if (n < named)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%llu rows, but a triangle names vertex %llu (from 0)",
                        (unsigned long long)n, (unsigned long long)named - 1);
    return LATHE_OK;
}

/* Sets the number of vertices: new ones get default values, the last ones are removed. */
static lathe_result resize(const rec_at *at, uint32_t slot, nif_shape *s, uint64_t n,
                           lathe_error *err)
{
    lathe_result r = may_resize(at, slot, s, n, err);
    rec_at owner = s->packed.p ? *at : nif_at(at->doc, s->data);
    uint32_t vertices = rec_slot_find(owner.layout, "vertices");
    if (r == LATHE_OK && n > s->vertices)
        r = rec_insert(&owner, vertices, s->vertices, n - s->vertices, NULL, 0, err);
    else if (r == LATHE_OK)
        r = rec_remove(&owner, vertices, n, s->vertices - n, err);
    if (r == LATHE_OK && n && !nif_geometry_find(at, s))
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_STATE, "the shape does not parse any more");
    return r;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static lathe_result write_lanes(const rec_at *at, const rec_field *row, nif_attribute what,
                                uint64_t n, const float *from, lathe_error *err)
{
    nif_shape shape;
    nif_lanes lanes;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    if (nif_is_shared_object(at, NULL))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED, "%s", nif_shared_fixed);
    if (!find(at, what, &shape, &lanes))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_NAME, "absent here");
    if (n != shape.vertices && what != NIF_POSITION)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%llu rows expected, got %llu: the number of vertices follows positions",
                        (unsigned long long)shape.vertices, (unsigned long long)n);
    lathe_result r = LATHE_OK;
    uint64_t before = at->doc->changes;
    if (n != shape.vertices)
        r = resize(at, slot, &shape, n, err);
    if (r != LATHE_OK || n == 0)
        return r;
    if (!nif_lanes_find(&shape, what, &lanes))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_STATE, "the vertices were removed");
    r = nif_lanes_write(at, slot, &lanes, from, err);
    bool first = r == LATHE_OK && what == NIF_POSITION && at->doc->changes != before &&
                 !nif_is_packed_object(at) &&
                 nif_shape_find(at->doc, at->part, &shape) && /* it moved in memory */
                 !nif_has_bounds(at->doc, at->part, &shape);
    return first ? nif_rebound(at->doc, at->part, &shape, err) : r;
}

#define TABLE(name, what, n, may_turn)                                                             \
    static bool rows_##name(const rec_at *at, const rec_field *row, uint64_t *count)               \
    {                                                                                              \
        (void)row;                                                                                 \
        return has_lanes(at, what, count);                                                         \
    }                                                                                              \
    static lathe_result read_##name(const rec_at *at, const rec_field *row, void *to,              \
                                    lathe_error *err)                                              \
    {                                                                                              \
        (void)row;                                                                                 \
        return read_lanes(at, what, to, err);                                                      \
    }                                                                                              \
    static lathe_result write_##name(const rec_at *at, const rec_field *row, uint64_t count,       \
                                     const void *from, lathe_error *err)                           \
    {                                                                                              \
        return write_lanes(at, row, what, count, from, err);                                       \
    }                                                                                              \
    const rec_numbers nif_##name = {.elem = LATHE_ELEM_F32,                                        \
                                    .columns = (n),                                                \
                                    .rows = rows_##name,                                           \
                                    .read = read_##name,                                           \
                                    .write = write_##name,                                         \
                                    .turn = (may_turn)}
#define TURNED_TABLE(name, what, n)                                                                \
    static lathe_result turn_##name(const rec_at *at, const rec_field *row, bool there,            \
                                    lathe_error *err)                                              \
    {                                                                                              \
        return nif_turn_attribute(at, row, what, there, err);                                      \
    }                                                                                              \
    TABLE(name, what, n, turn_##name)
TABLE(positions, NIF_POSITION, 3, nif_turn_positions);
TURNED_TABLE(normals, NIF_NORMAL, 3);
TURNED_TABLE(tangents, NIF_TANGENT, 3);
TURNED_TABLE(bitangents, NIF_BITANGENT, 3);
TURNED_TABLE(uvs, NIF_UV, 2);
TURNED_TABLE(colors, NIF_COLOR, 4);

/* ---- triangles ----------------------------------------------------------------------------------------- */

/* Finds the triangles of a shape, or of the data block that one refers to. */
static bool find_triangles(const rec_at *at, nif_shape *s)
{
    return !at->off &&
           (nif_shape_find(at->doc, at->part, s) || nif_data_find(at->doc, at->part, s));
}

/* True if triangles are in an array, which may be absent, and not in strips or partitions of a skin. */
static bool are_plain(const rec_at *at, const nif_shape *s)
{
    rec_at data = s->packed.p ? *at : nif_at(at->doc, s->data);
    return rec_is_a(data.layout->type, &nif_NiTriShapeData);
}

static bool rows_triangles(const rec_at *at, const rec_field *row, uint64_t *n)
{
    nif_shape s;
    (void)row;
    *n = 0;
    if (!find_triangles(at, &s))
        return false;
    *n = are_plain(at, &s) ? s.triangles.count : nif_indices(&s, NULL) / 3;
    return true;
}

static lathe_result read_triangles(const rec_at *at, const rec_field *row, void *to,
                                   lathe_error *err)
{
    nif_shape s;
    uint16_t *out = to;
    (void)row;
    if (!find_triangles(at, &s))
        return LATHE_OK;
    if (are_plain(at, &s)) {
        for (uint64_t i = 0; i < 3 * s.triangles.count; i++)
            out[i] = bytes_ld16(s.triangles.p + 2 * i, false);
        return LATHE_OK;
    }
    size_t n = (size_t)nif_indices(&s, NULL);
    uint32_t *indices = mem_alloc(&at->doc->mem, n * sizeof *indices + 1);
    if (!indices)
        return rec_no_memory(err);
    nif_indices(&s, indices);
    for (size_t i = 0; i < n; i++)
        out[i] = (uint16_t)indices[i]; /* shapes have no more vertices */
    mem_free(&at->doc->mem, indices, n * sizeof *indices + 1);
    return LATHE_OK;
}

static lathe_result may_set_triangles(const rec_at *at, uint32_t slot, const nif_shape *s,
                                      uint64_t n, const uint16_t *from, lathe_error *err)
{
    if (n > MOST_TRIANGLES)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%llu triangles are more than %d, the most of a shape",
                        (unsigned long long)n, MOST_TRIANGLES);
    bool bands = rec_slot_find(at->layout, "lod0_triangles") != REC_NO_SLOT;
    if (n != s->triangles.count && (bands || is_skinned(at)))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "%llu rows expected, got %llu: %s count on the triangles",
                        (unsigned long long)s->triangles.count, (unsigned long long)n,
                        bands ? "levels of detail" : "partitions of the skin");
    for (uint64_t i = 0; i < 3 * n; i++)
        if (from[i] >= s->vertices)
            return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                            "row %llu: there is no vertex %d (from 0) of %llu",
                            (unsigned long long)i / 3 + 1, from[i],
                            (unsigned long long)s->vertices);
    return LATHE_OK;
}

static lathe_result write_triangles(const rec_at *at, const rec_field *row, uint64_t n,
                                    const void *from, lathe_error *err)
{
    nif_shape s;
    nif_column now;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    if (!find_triangles(at, &s))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_NAME, "absent here");
    if (!are_plain(at, &s))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        s.packed.p ? "they lie in the partitions of the skin: set those"
                                   : "they lie in strips: set strip_lengths and points");
    lathe_result r = may_set_triangles(at, slot, &s, n, from, err);
    rec_at data = nif_at(at->doc, s.data);
    uint32_t to = rec_slot_find(data.layout, "triangles");
    uint64_t had = s.triangles.count;
    lathe_value yes = {.kind = LATHE_KIND_BOOL, .as.b = true};
    uint32_t has = rec_slot_find(data.layout, "has_triangles");
    if (r == LATHE_OK && !s.triangles.p && has != REC_NO_SLOT)
        r = rec_set(&data, has, &yes, err);
    if (r == LATHE_OK && n > had)
        r = rec_insert(&data, to, had, n - had, NULL, 0, err);
    else if (r == LATHE_OK && n < had)
        r = rec_remove(&data, to, n, had - n, err);
    if (r != LATHE_OK || n == 0)
        return r;
    uint8_t *bytes = mem_alloc(&at->doc->mem, (size_t)n * 6);
    if (!bytes)
        return rec_no_memory(err);
    for (uint64_t i = 0; i < 3 * n; i++)
        bytes_st16(bytes + 2 * i, ((const uint16_t *)from)[i], false);
    if (!nif_column_find(&data, "triangles", 6, &now))
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_NAME, "absent here");
    else
        r = rec_splice(at->doc, now.part, now.off, n * 6, bytes, n * 6, err);
    mem_free(&at->doc->mem, bytes, (size_t)n * 6);
    return r;
}

const rec_numbers nif_triangles = {.elem = LATHE_ELEM_U16,
                                   .columns = 3,
                                   .rows = rows_triangles,
                                   .read = read_triangles,
                                   .write = write_triangles};

static bool rows_skin_triangles(const rec_at *at, const rec_field *row, uint64_t *n)
{
    nif_shape s;
    (void)row;
    *n = 0;
    if (at->off || !nif_shape_find(at->doc, at->part, &s) || !s.partition.doc)
        return false;
    *n = nif_indices(&s, NULL) / 3;
    return true;
}

const rec_numbers nif_skin_triangles = {.elem = LATHE_ELEM_U16,
                                        .columns = 3,
                                        .rows = rows_skin_triangles,
                                        .read = read_triangles,
                                        .write = write_triangles};
