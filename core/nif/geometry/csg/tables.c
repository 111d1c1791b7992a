/* The vertices and triangles of a row as tables of numbers: row.positions and others. */
#include "nif/geometry/csg/csg.h"
#include "nif/geometry/vertices/vertices.h"

enum { MOST_VERTICES = 65535 };
enum {
    NOT_CARRIED = 0x004 | 0x080 | 0x100
}; /* attributes that cannot be moved, because their size is unknown: uv2, land, eye */

/* A row with its data; there may be more data before they are stored. */
typedef struct loaded {
    csg_row row;
    nif_vertex layout;
    uint8_t *data;
    size_t size;
} loaded;

static void unload(const rec_at *at, loaded *l)
{
    mem_free(&at->doc->mem, l->data, l->size);
    l->data = NULL;
}

static lathe_result describe(const rec_at *at, loaded *l, lathe_error *err)
{
    if (!l->row.vertices && !l->row.stride) {
        l->layout = (nif_vertex){
            .position = -1, .uv = -1, .normal = -1, .tangent = -1, .color = -1, .skin = -1};
        return LATHE_OK;
    }
    if (nif_vertex_layout(l->row.layout, &l->layout) && l->layout.stride == l->row.stride)
        return LATHE_OK;
    return rec_fail(at, CSG_VERTEX_DESC, at->off, err, LATHE_ERR_INVALID,
                    "descriptor 0x%016llx: what it names does not fill a vertex of %lu bytes",
                    (unsigned long long)l->row.desc, (unsigned long)l->row.stride);
}

static lathe_result find(const rec_at *at, loaded *l, lathe_error *err)
{
    uint64_t i = (at->off - csg_rows_at(at->doc)) / CSG_ROW;
    *l = (loaded){.size = 0};
    lathe_result r = csg_row_at(at->doc, i, &l->row, err);
    return r == LATHE_OK ? describe(at, l, err) : r;
}

static lathe_result load(const rec_at *at, loaded *l, lathe_error *err)
{
    lathe_result r = find(at, l, err);
    if (r != LATHE_OK)
        return r;
    l->size = (size_t)l->row.size + 1;
    l->data = mem_alloc(&at->doc->mem, l->size);
    if (!l->data)
        return rec_no_memory(err);
    r = csg_read(at->doc, l->row.offset, l->data, l->row.size, err);
    if (r != LATHE_OK)
        unload(at, l);
    return r;
}

static bool find_lanes(const loaded *l, nif_attribute what, nif_lanes *out)
{
    static const uint8_t nothing;
    nif_shape shape = {.vertices = l->row.vertices, .layout = l->layout};
    shape.packed = (nif_column){.p = l->data ? l->data : &nothing, .count = l->row.vertices};
    return nif_lanes_find(&shape, what, out);
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static bool is_row(const rec_at *at)
{
    return !at->doc->parts[at->part].scratch && csg_is(at->doc);
}

/* An invalid row has one element, so that reading it reports the problem. */
static bool has_lanes(const rec_at *at, nif_attribute what, uint64_t *n)
{
    loaded l;
    nif_lanes lanes;
    *n = 0;
    if (!is_row(at))
        return false;
    if (find(at, &l, NULL) != LATHE_OK) {
        *n = 1;
        return what == NIF_POSITION;
    }
    *n = l.row.vertices;
    return find_lanes(&l, what, &lanes);
}

static lathe_result read_lanes(const rec_at *at, const rec_field *row, nif_attribute what, void *to,
                               lathe_error *err)
{
    loaded l;
    nif_lanes lanes;
    lathe_result r = load(at, &l, err);
    if (r != LATHE_OK)
        return csg_met(at, rec_slot_find(at->layout, rec_row_name(row)), r, err);
    if (find_lanes(&l, what, &lanes))
        nif_lanes_read(&lanes, to);
    else
        r = rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME, "absent here");
    unload(at, &l);
    return r;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static lathe_result store(const rec_at *at, const loaded *l, uint64_t size, lathe_error *err)
{
    return csg_put(at, l->row.desc, l->row.vertices, l->row.indices, l->data, size, err);
}

static void copy_attribute(uint8_t *to, int to_at, const uint8_t *from, int from_at, size_t n)
{
    if (to_at >= 0 && from_at >= 0)
        memcpy(to + to_at, from + from_at, n);
}

/* Converts the first n vertices to another layout; new attributes are zeros. The indices stay behind them. */
static lathe_result lay_out(const rec_at *at, loaded *l, uint64_t desc, uint64_t n,
                            lathe_error *err)
{
    loaded old = *l;
    uint64_t indices = (uint64_t)l->row.indices * 2;
    if (desc != l->row.desc) {
        l->row.desc = l->row.layout = desc;
        l->row.stride = (uint32_t)(desc & 15) * 4;
        lathe_result r = describe(at, l, err);
        if (r != LATHE_OK)
            return r;
    }
    l->row.vertices = (uint32_t)n;
    l->size = (size_t)(n * l->row.stride + indices) + 1;
    l->data = mem_zalloc(&at->doc->mem, l->size);
    if (!l->data) {
        *l = old;
        return rec_no_memory(err);
    }
    const nif_vertex *a = &old.layout, *b = &l->layout;
    uint64_t common = n < old.row.vertices ? n : old.row.vertices;
    for (uint64_t i = 0; i < common; i++) {
        uint8_t *to = l->data + i * l->row.stride;
        const uint8_t *from = old.data + i * old.row.stride;
        if (desc == old.row.desc) {
            memcpy(to, from, l->row.stride);
            continue;
        }
        copy_attribute(to, b->position, from, a->position, a->full ? 16 : 8);
        copy_attribute(to, b->uv, from, a->uv, 4);
        copy_attribute(to, b->normal, from, a->normal, 4);
        copy_attribute(to, b->tangent, from, a->tangent, 4);
        copy_attribute(to, b->color, from, a->color, 4);
        copy_attribute(to, b->skin, from, a->skin, 12);
    }
    memcpy(l->data + n * l->row.stride, old.data + (uint64_t)old.row.vertices * old.row.stride,
           (size_t)indices);
    unload(at, &old);
    return LATHE_OK;
}

static lathe_result may_resize(const rec_at *at, uint32_t slot, const loaded *l, uint64_t n,
                               lathe_error *err)
{
    const uint8_t *p = l->data + (uint64_t)l->row.vertices * l->row.stride;
    uint64_t named = 0;
    for (uint32_t i = 0; i < l->row.indices; i++)
        named = bytes_ld16(p + 2 * (size_t)i, false) >= named
                    ? (uint64_t)bytes_ld16(p + 2 * (size_t)i, false) + 1
                    : named;
    if (n > MOST_VERTICES)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%llu vertices are more than %d, the most of a row", (unsigned long long)n,
                        MOST_VERTICES);
    if (n < named)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%llu rows, but a triangle names vertex %llu (from 0)",
                        (unsigned long long)n, (unsigned long long)named - 1);
    return LATHE_OK;
}

static lathe_result write_loaded(const rec_at *at, uint32_t slot, nif_attribute what, loaded *l,
                                 uint64_t n, const float *from, lathe_error *err)
{
    nif_lanes lanes;
    lathe_result r = LATHE_OK;
    if (n != l->row.vertices && what != NIF_POSITION)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%llu rows expected, got %llu: the number of vertices follows positions",
                        (unsigned long long)l->row.vertices, (unsigned long long)n);
    if (n != l->row.vertices && (r = may_resize(at, slot, l, n, err)) == LATHE_OK)
        r = lay_out(at, l, l->row.desc, n, err);
    if (r == LATHE_OK && !find_lanes(l, what, &lanes))
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_NAME, "absent here");
    if (r == LATHE_OK)
        r = nif_lanes_store(at, slot, &lanes, from, l->data, err);
    uint64_t size = (uint64_t)l->row.vertices * l->row.stride + (uint64_t)l->row.indices * 2;
    return r == LATHE_OK ? store(at, l, size, err) : r;
}

static lathe_result write_lanes(const rec_at *at, const rec_field *row, nif_attribute what,
                                uint64_t n, const float *from, lathe_error *err)
{
    loaded l;
    lathe_result r = load(at, &l, err);
    if (r != LATHE_OK)
        return r;
    r = write_loaded(at, rec_slot_find(at->layout, rec_row_name(row)), what, &l, n, from, err);
    unload(at, &l);
    return r;
}

/* ---- adding and removing attributes ---------------------------------------------------------------------- */

static const char *why_not(const loaded *l, nif_attribute what, bool there)
{
    nif_lanes lanes;
    if (what == NIF_POSITION && !there)
        return "no vertex is without a position";
    if (what == NIF_BITANGENT)
        return there ? "they come with tangents: set those first"
                     : "they go with tangents: set those to nil";
    if (what == NIF_TANGENT && there && !find_lanes(l, NIF_NORMAL, &lanes))
        return "tangents need normals: set those first";
    if (l->row.half || (l->row.desc >> 44 & NOT_CARRIED))
        return "the vertices are stored otherwise than their descriptor says, or have what nobody "
               "can move: set data, "
               "with vertex_desc";
    return NULL;
}

static lathe_result turn(const rec_at *at, const rec_field *row, nif_attribute what, bool there,
                         lathe_error *err)
{
    static const unsigned bits[NIF_ATTRIBUTES] = {
        [NIF_POSITION] = NIF_HAS_POSITION, [NIF_NORMAL] = NIF_HAS_NORMAL,
        [NIF_TANGENT] = NIF_HAS_TANGENT,   [NIF_UV] = NIF_HAS_UV,
        [NIF_COLOR] = NIF_HAS_COLOR,
    };
    loaded l;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    lathe_result r = load(at, &l, err);
    if (r != LATHE_OK)
        return r;
    const char *why = why_not(&l, what, there);
    unsigned of = bits[what] | (what == NIF_NORMAL && !there ? NIF_HAS_TANGENT : 0U);
    uint64_t desc = nif_vertex_turned(l.row.desc, of, there);
    if (why)
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED, "%s", why);
    if (r == LATHE_OK)
        r = lay_out(at, &l, desc, l.row.vertices, err);
    if (r == LATHE_OK)
        r = store(at, &l, l.size - 1, err);
    unload(at, &l);
    return r;
}

#define TABLE(name, what, n)                                                                       \
    static bool rows_##name(const rec_at *at, const rec_field *row, uint64_t *count)               \
    {                                                                                              \
        (void)row;                                                                                 \
        return has_lanes(at, what, count);                                                         \
    }                                                                                              \
    static lathe_result read_##name(const rec_at *at, const rec_field *row, void *to,              \
                                    lathe_error *err)                                              \
    {                                                                                              \
        return read_lanes(at, row, what, to, err);                                                 \
    }                                                                                              \
    static lathe_result write_##name(const rec_at *at, const rec_field *row, uint64_t count,       \
                                     const void *from, lathe_error *err)                           \
    {                                                                                              \
        return write_lanes(at, row, what, count, from, err);                                       \
    }                                                                                              \
    static lathe_result turn_##name(const rec_at *at, const rec_field *row, bool there,            \
                                    lathe_error *err)                                              \
    {                                                                                              \
        return turn(at, row, what, there, err);                                                    \
    }                                                                                              \
    const rec_numbers csg_##name = {.elem = LATHE_ELEM_F32,                                        \
                                    .columns = (n),                                                \
                                    .rows = rows_##name,                                           \
                                    .read = read_##name,                                           \
                                    .write = write_##name,                                         \
                                    .turn = turn_##name}
TABLE(positions, NIF_POSITION, 3);
TABLE(normals, NIF_NORMAL, 3);
TABLE(tangents, NIF_TANGENT, 3);
TABLE(bitangents, NIF_BITANGENT, 3);
TABLE(uvs, NIF_UV, 2);
TABLE(colors, NIF_COLOR, 4);

/* ---- triangles ------------------------------------------------------------------------------------------- */

static lathe_result find_triangles(const rec_at *at, csg_row *row, lathe_error *err)
{
    lathe_result r = csg_row_at(at->doc, (at->off - csg_rows_at(at->doc)) / CSG_ROW, row, err);
    if (r == LATHE_OK && row->indices % 3)
        r = rec_fail(at, CSG_NUM_INDICES, at->off, err, LATHE_ERR_INVALID,
                     "%lu indices are no whole number of triangles", (unsigned long)row->indices);
    return r;
}

static bool rows_triangles(const rec_at *at, const rec_field *field, uint64_t *n)
{
    csg_row row;
    (void)field;
    *n = 0;
    if (!is_row(at))
        return false;
    *n = find_triangles(at, &row, NULL) == LATHE_OK ? row.indices / 3 : 1;
    return true;
}

static lathe_result read_triangles(const rec_at *at, const rec_field *field, void *to,
                                   lathe_error *err)
{
    csg_row row;
    uint16_t *out = to;
    lathe_result r = find_triangles(at, &row, err);
    if (r == LATHE_OK)
        r = csg_row_read(at->doc, &row, NULL, to, err);
    r = csg_met(at, rec_slot_find(at->layout, rec_row_name(field)), r, err);
    for (uint32_t i = 0; r == LATHE_OK && i < row.indices; i++)
        out[i] = bytes_ld16((const uint8_t *)to + 2 * (size_t)i, false);
    return r;
}

static lathe_result put_triangles(const rec_at *at, uint32_t slot, loaded *l, uint64_t n,
                                  const uint16_t *from, lathe_error *err)
{
    uint64_t vertices = (uint64_t)l->row.vertices * l->row.stride;
    size_t size = (size_t)(vertices + n * 6) + 1;
    for (uint64_t i = 0; i < 3 * n; i++)
        if (from[i] >= l->row.vertices)
            return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                            "row %llu: there is no vertex %d (from 0) of %lu",
                            (unsigned long long)i / 3 + 1, from[i], (unsigned long)l->row.vertices);
    uint8_t *data = mem_resize(&at->doc->mem, l->data, l->size, size);
    if (!data)
        return rec_no_memory(err);
    l->data = data;
    l->size = size;
    l->row.indices = (uint32_t)(3 * n);
    for (uint64_t i = 0; i < 3 * n; i++)
        bytes_st16(data + vertices + 2 * i, from[i], false);
    return store(at, l, size - 1, err);
}

static lathe_result write_triangles(const rec_at *at, const rec_field *field, uint64_t n,
                                    const void *from, lathe_error *err)
{
    loaded l;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(field));
    if (n > UINT32_MAX / 6)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%llu triangles are too many",
                        (unsigned long long)n);
    lathe_result r = load(at, &l, err);
    if (r != LATHE_OK)
        return r;
    r = put_triangles(at, slot, &l, n, from, err);
    unload(at, &l);
    return r;
}

const rec_numbers csg_triangles = {.elem = LATHE_ELEM_U16,
                                   .columns = 3,
                                   .rows = rows_triangles,
                                   .read = read_triangles,
                                   .write = write_triangles};
