/* Attributes of vertices that come and go: normals, tangents, texture coordinates and colours of a whole shape. */
#include "gen/nif_types.h"
#include "nif/mesh.h"

/* What is done to a shape, and where it is told when it cannot be. */
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

/* Tangents go with normals, which they need. */
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

static lathe_result turn_packed(const turning *t, const nif_shape *s, lathe_error *err)
{
    static const unsigned bits[NIF_ATTRIBUTES] = {
        [NIF_NORMAL] = NIF_HAS_NORMAL,
        [NIF_TANGENT] = NIF_HAS_TANGENT,
        [NIF_UV] = NIF_HAS_UV,
        [NIF_COLOR] = NIF_HAS_COLOR,
    };
    unsigned of = bits[t->what];
    uint64_t raw, full = NIF_AT_B(t->at) == NIF_SKYRIM_SE ? NIF_FULL_POSITIONS : 0;
    if (s->partition.doc)
        return refuse(
            t, "the vertices are those of a skin (NiSkinPartition), and keep what they have", err);
    if (t->what == NIF_NORMAL && !t->there)
        of |= NIF_HAS_TANGENT;
    lathe_result r = rec_raw(t->at, rec_slot_find(t->at->layout, "vertex_desc"), 0, &raw, err);
    if (r != LATHE_OK)
        return r;
    uint64_t now = nif_vertex_turned(raw | full, of, t->there);
    return put(t->at, "vertex_desc", (now & ~full) | (raw & full), err);
}

/* ---- both ---------------------------------------------------------------------------------------------- */

lathe_result nif_turn_attribute(const rec_at *at, const rec_field *row, nif_attribute what,
                                bool there, lathe_error *err)
{
    nif_shape s;
    turning t = {at, rec_slot_find(at->layout, row->name), what, there};
    if (at->off || !nif_shape_find(at->doc, at->part, &s))
        return rec_fail(at, t.slot, at->off, err, LATHE_ERR_NAME,
                        "absent here: the shape has no vertices here");
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
