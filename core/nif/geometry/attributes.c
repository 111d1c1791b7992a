/* Adds and removes attributes of vertices: normals, tangents, texture coordinates and colours of a whole
 * shape. */
#include "gen/nif_types.h"
#include "nif/geometry/mesh.h"
#include "nif/geometry/packed/shared.h"

/* What is done to a shape, and where errors are reported. */
typedef struct turning {
    const rec_at *at;
    uint32_t slot;
    nif_attribute what;
    bool there;
} turning;

static bool has(const nif_shape *s, nif_attribute what)
{
    nif_lanes lanes;
    return nif_lanes_find(s, what, &lanes);
}

static lathe_result refuse(const turning *t, const char *why, lathe_error *err)
{
    return rec_fail(t->at, t->slot, t->at->off, err, LATHE_ERR_UNSUPPORTED, "%s", why);
}

static lathe_result put(const rec_at *at, const char *row, uint64_t number, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = number};
    return rec_set(at, rec_slot_find(at->layout, row), &v, err);
}

static bool has_row(const rec_at *at, const char *row)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    bool present;
    return slot != REC_NO_SLOT && rec_present(at, slot, &present, NULL) == LATHE_OK && present;
}

/* ---- vertices of columns ------------------------------------------------------------------------------- */

static lathe_result put_bool(const rec_at *at, const char *row, bool yes, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_BOOL, .as.b = yes};
    return rec_set(at, rec_slot_find(at->layout, row), &v, err);
}

static lathe_result turn_flags(const turning *t, const rec_at *data, int64_t bits, int64_t first,
                               lathe_error *err)
{
    if (!has_row(data, "data_flags"))
        return refuse(t, "blocks of this version have no flags for that", err);
    int64_t now = rec_int(data, "data_flags");
    return put(data, "data_flags", (uint64_t)(t->there ? now | first : now & ~bits), err);
}

/* Tangents depend on normals: they are removed with them. */
static lathe_result turn_column(const turning *t, const rec_at *data, lathe_error *err)
{
    const int64_t tangents = 0x1000, sets = 63;
    lathe_result r = LATHE_OK;
    switch (t->what) {
    case NIF_COLOR: return put_bool(data, "has_colors", t->there, err);
    case NIF_UV:
        if (has_row(data, "has_uv"))
            r = put_bool(data, "has_uv", t->there, err);
        return r == LATHE_OK ? turn_flags(t, data, sets, 1, err) : r;
    case NIF_NORMAL:
        if (NIF_AT_V(data) >= 0x0A010000 && !t->there)
            r = turn_flags(t, data, tangents, 0, err);
        return r == LATHE_OK ? put_bool(data, "has_normals", t->there, err) : r;
    default:
        if (NIF_AT_V(data) < 0x0A010000)
            return refuse(t, "this version has no tangents", err);
        return turn_flags(t, data, tangents, tangents, err);
    }
}

/* ---- packed vertices ----------------------------------------------------------------------------------- */

/* Flags for positions that are not in the descriptor. */
static uint64_t forced_of(const rec_at *at)
{
    if (nif_is_packed_object(at))
        return at->layout->arg & NIF_PACKED_HALF ? NIF_HALF_POSITIONS : 0;
    return NIF_AT_B(at) == NIF_SKYRIM_SE ? NIF_FULL_POSITIONS : 0;
}

/* Keeps the bits of a descriptor that have no meaning. */
static uint64_t as_stored(uint64_t now, uint64_t raw)
{
    return NIF_DESCRIPTOR(now) | (raw ^ NIF_DESCRIPTOR(raw));
}

/* Replaces the descriptor in a field that has the old one. */
static lathe_result redescribe(const rec_at *at, const char *row, uint64_t old, uint64_t now,
                               lathe_error *err)
{
    uint64_t raw;
    uint32_t slot = rec_slot_find(at->layout, row);
    lathe_result r = rec_raw(at, slot, 0, &raw, err);
    return r == LATHE_OK && raw == old ? put(at, row, now, err) : r;
}

/* Sets both sizes in front of a skin's vertices at once: in between, the number of vertices would be wrong. */
static lathe_result put_sizes(const turning *t, const nif_shape *s, uint64_t stride,
                              lathe_error *err)
{
    rec_loc data, one;
    uint8_t bytes[8];
    const rec_at *at = &s->partition;
    lathe_result r = rec_find(at, rec_slot_find(at->layout, "data_size"), &data, err);
    if (r == LATHE_OK)
        r = rec_find(at, rec_slot_find(at->layout, "vertex_size"), &one, err);
    if (r != LATHE_OK)
        return r;
    if (!data.present || !one.present || one.off != data.off + 4 ||
        s->vertices > UINT32_MAX / stride)
        return refuse(t, "the vertices of the skin would be too many bytes", err);
    bytes_st32(bytes, (uint32_t)(s->vertices * stride), false);
    bytes_st32(bytes + 4, (uint32_t)stride, false);
    r = rec_splice(at->doc, data.part, data.off, sizeof bytes, bytes, sizeof bytes, err);
    rec_forget(at->doc, at->part, at->off);
    return r;
}

/* Updates the copies of the descriptor in each partition, and in each shape that uses the skin. */
static lathe_result follow(const nif_shape *s, uint64_t old, uint64_t now, lathe_error *err)
{
    rec_at at = s->partition, part;
    rec_loc parts;
    lathe_result r = rec_find(&at, s->partition_slot, &parts, err);
    for (uint64_t i = 0; r == LATHE_OK && parts.present && i < parts.count; i++) {
        r = rec_sub(&at, s->partition_slot, i, &part, err);
        if (r == LATHE_OK)
            r = redescribe(&part, "part_vertex_desc", old, now, err);
    }
    uint64_t total = nif_total(at.doc, at.layout->container);
    for (uint64_t i = 0; r == LATHE_OK && i < total; i++) {
        uint32_t shape = nif_block(at.doc, at.layout->container, i);
        nif_shape user;
        if (!nif_block_is(at.doc, shape, &nif_BSTriShape) ||
            !nif_shape_find(at.doc, shape, &user) || !user.partition.doc ||
            user.partition.part != at.part)
            continue;
        rec_at block = nif_at(at.doc, shape);
        r = redescribe(&block, "vertex_desc", old, now, err);
    }
    return r;
}

static lathe_result turn_packed(const turning *t, const nif_shape *s, lathe_error *err)
{
    static const unsigned bits[NIF_ATTRIBUTES] = {
        [NIF_NORMAL] = NIF_HAS_NORMAL,
        [NIF_TANGENT] = NIF_HAS_TANGENT,
        [NIF_UV] = NIF_HAS_UV,
        [NIF_COLOR] = NIF_HAS_COLOR,
    };
    unsigned of = bits[t->what];
    uint64_t raw, forced = forced_of(t->at);
    nif_vertex layout;
    const rec_at *owner = s->partition.doc ? &s->partition : t->at;
    if (t->what == NIF_NORMAL && !t->there)
        of |= NIF_HAS_TANGENT;
    lathe_result r = rec_raw(owner, rec_slot_find(owner->layout, "vertex_desc"), 0, &raw, err);
    if (r != LATHE_OK)
        return r;
    uint64_t now = nif_vertex_turned(NIF_DESCRIPTOR(raw) | forced, of, t->there);
    if (!nif_vertex_layout(now, &layout))
        return refuse(t, "no vertex is left", err);
    now = as_stored(now, raw);
    if (!s->partition.doc)
        return put(owner, "vertex_desc", now, err);
    r = put_sizes(t, s, layout.stride, err);
    if (r == LATHE_OK)
        r = put(owner, "vertex_desc", now, err);
    return r == LATHE_OK ? follow(s, raw, now, err) : r;
}

/* ---- both ---------------------------------------------------------------------------------------------- */

lathe_result nif_turn_attribute(const rec_at *at, const rec_field *row, nif_attribute what,
                                bool there, lathe_error *err)
{
    nif_shape s;
    turning t = {at, rec_slot_find(at->layout, rec_row_name(row)), what, there};
    if (nif_is_shared_object(at, NULL))
        return refuse(&t, nif_shared_fixed, err);
    if (!nif_geometry_find(at, &s))
        return rec_fail(at, t.slot, at->off, err, LATHE_ERR_NAME,
                        "absent here: the %s has no vertices, set positions first",
                        nif_is_packed_object(at) ? "object" : "shape");
    if (what == NIF_BITANGENT)
        return refuse(&t,
                      there ? "they come with tangents: set those first"
                            : "they go with tangents: set those to nil",
                      err);
    if (what == NIF_TANGENT && there && !has(&s, NIF_NORMAL))
        return refuse(&t, "tangents need normals: set those first", err);
    if (s.packed.p)
        return turn_packed(&t, &s, err);
    rec_at data = nif_at(at->doc, s.data);
    return turn_column(&t, &data, err);
}

/* ---- the first vertices -------------------------------------------------------------------------------- */

/* Adds one vertex with default values, from which more can be made. */
static lathe_result first_vertex(const rec_at *at, lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, "vertices");
    rec_loc loc;
    lathe_result r = rec_find(at, slot, &loc, err);
    return r == LATHE_OK && loc.present && !loc.count ? rec_insert(at, slot, 0, 1, NULL, 0, err)
                                                      : r;
}

/* Makes vertices and triangles exist. If there are none yet, data_size is not assigned but written, so that
 * it stays a derived field. */
static lathe_result begin_data(const rec_at *at, uint32_t stride, lathe_error *err)
{
    const uint8_t some[4] = {1};
    rec_loc loc;
    uint64_t size =
        (uint64_t)rec_int(at, "num_vertices") * stride + (uint64_t)rec_int(at, "num_triangles") * 6;
    if (size || rec_int(at, "data_size"))
        return put(at, "data_size", size, err);
    lathe_result r = rec_find(at, rec_slot_find(at->layout, "data_size"), &loc, err);
    if (r == LATHE_OK)
        r = rec_splice(at->doc, loc.part, loc.off, sizeof some, some, sizeof some, err);
    rec_forget(at->doc, at->part, at->off);
    return r;
}

/* Adds positions to vertex_desc; *layout is the resulting layout. */
static lathe_result begin_layout(const turning *t, nif_vertex *layout, lathe_error *err)
{
    const rec_at *at = t->at;
    uint64_t raw, forced = forced_of(at);
    lathe_result r = rec_raw(at, rec_slot_find(at->layout, "vertex_desc"), 0, &raw, err);
    if (r != LATHE_OK)
        return r;
    uint64_t now = nif_vertex_turned(NIF_DESCRIPTOR(raw) | forced, NIF_HAS_POSITION, true);
    if (!nif_vertex_layout(now, layout))
        return refuse(t, "vertex_desc says nothing of vertices: set it to 0", err);
    return put(at, "vertex_desc", as_stored(now, raw), err);
}

static lathe_result begin_packed(const turning *t, lathe_error *err)
{
    nif_vertex layout;
    const rec_at *at = t->at;
    if (nif_block_is(at->doc, nif_target(at, "skin", 0), &nif_NiSkinInstance))
        return refuse(t, "the vertices of a skinned shape lie in its NiSkinPartition", err);
    lathe_result r = begin_layout(t, &layout, err);
    if (r == LATHE_OK)
        r = begin_data(at, layout.stride, err);
    return r == LATHE_OK ? first_vertex(at, err) : r;
}

/* Begins the geometry of an object of packed geometry, which has no size in addition to its counts. */
static lathe_result begin_object(const turning *t, lathe_error *err)
{
    nif_vertex layout;
    const rec_at *at = t->at;
    if (!(at->layout->arg & NIF_PACKED_INLINE))
        return refuse(t, nif_shared_fixed, err);
    lathe_result r = begin_layout(t, &layout, err);
    return r == LATHE_OK ? first_vertex(at, err) : r;
}

lathe_result nif_turn_positions(const rec_at *at, const rec_field *row, bool there,
                                lathe_error *err)
{
    turning t = {at, rec_slot_find(at->layout, rec_row_name(row)), NIF_POSITION, there};
    if (!there)
        return refuse(&t, "no vertex is without a position: set it to {} to take all out", err);
    if (nif_is_packed_object(at))
        return begin_object(&t, err);
    if (nif_block_is(at->doc, at->part, &nif_BSTriShape))
        return begin_packed(&t, err);
    uint32_t part = nif_target(at, "data", 0);
    if (!nif_block_is(at->doc, part, &nif_NiTriBasedGeomData))
        return refuse(&t, "the shape has no data: append a NiTriShapeData and set data to it", err);
    rec_at data = nif_at(at->doc, part);
    lathe_result r = put_bool(&data, "has_vertices", true, err);
    return r == LATHE_OK ? first_vertex(&data, err) : r;
}
