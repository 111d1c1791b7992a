/* Updates bounding spheres from the positions of vertices at the end of an edit. */
#include "gen/nif_types.h"
#include "nif/geometry/extent.h"
#include "nif/geometry/packed/packed.h"

/* ---- storing ------------------------------------------------------------------------------------------- */

static lathe_result put_floats(const rec_at *at, const char *row, const float *from, uint32_t n,
                               lathe_error *err)
{
    uint8_t bytes[24];
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    if (slot == REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present ||
        loc.size != 4 * n)
        return LATHE_OK; /* only Fallout 76 has the box */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t bits;
        memcpy(&bits, &from[k], sizeof bits);
        bytes_st32(bytes + 4 * k, bits, false);
    }
    return rec_splice(at->doc, loc.part, loc.off, loc.size, bytes, loc.size, err);
}

/* The record that holds the bounding sphere of a shape's vertices. */
static rec_at bounds_of(lathe_doc *doc, uint32_t part, const nif_shape *s)
{
    return nif_at(doc, s->packed.p ? part : s->data);
}

lathe_result nif_rebound(lathe_doc *doc, uint32_t part, const nif_shape *s, lathe_error *err)
{
    nif_lanes lanes;
    nif_extent found;
    float minmax[6];
    if (!nif_lanes_find(s, NIF_POSITION, &lanes))
        return LATHE_OK;
    lathe_result r = nif_extent_of(doc, &lanes, &found);
    if (r == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    if (r != LATHE_OK)
        return LATHE_OK;
    memcpy(minmax, found.sphere, 3 * sizeof *minmax);
    memcpy(minmax + 3, found.half, sizeof found.half);
    rec_at at = bounds_of(doc, part, s);
    r = put_floats(&at, "bounds", found.sphere, 4, err);
    return r == LATHE_OK ? put_floats(&at, "bound_minmax", minmax, 6, err) : r;
}

/* ---- detecting changes --------------------------------------------------------------------------------- */

/* A range of bytes in a part as it is now; of each `stride` bytes only some matter. */
typedef struct watched {
    uint32_t part;
    uint64_t off, size;
    uint32_t stride, from, to;
    bool fixed; /* not inserted or removed: cuts in front of it or behind it do not affect it */
} watched;

/* True if an edit step changed any watched byte by replacing bytes with as many others. */
static bool differs(lathe_doc *doc, const watched *w, uint64_t start, const rec_edit *e)
{
    const uint8_t *now = doc->parts[w->part].data + w->off, *old = doc->journal.data.data + e->data;
    uint64_t from = e->at > start ? e->at : start, end = start + w->size;
    uint64_t to = e->at + e->inserted < end ? e->at + e->inserted : end;
    for (uint64_t i = from; i < to; i++) {
        uint64_t in = (i - start) % w->stride;
        if (in >= w->from && in < w->to && now[i - start] != old[i - e->at])
            return true;
    }
    return false;
}

typedef enum change { UNCHANGED, CHANGED, RESIZED } change;

/* What the open edit did to the range: from its last step back to the first. `start` is its offset at that
 * step. */
static change change_of(lathe_doc *doc, const watched *w)
{
    uint64_t start = w->off;
    for (const rec_edit *e = rec_edit_last(doc, w->part); e; e = rec_edit_earlier(doc, e)) {
        if (e->kind != EDIT_BYTES)
            continue;
        if (e->removed == e->inserted) {
            if (differs(doc, w, start, e))
                return CHANGED;
        } else if (e->at + e->inserted <= start && (w->fixed || e->at < start)) {
            start = start + e->removed - e->inserted;
        } else if (e->at < start + w->size + !w->fixed) {
            return RESIZED;
        }
    }
    return UNCHANGED;
}

static change row_change(const rec_at *at, const char *row)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    if (slot == REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return UNCHANGED;
    watched w = {loc.part, loc.off, loc.size, 1, 0, 1, true};
    return change_of(at->doc, &w);
}

/* True if vertices were moved, added or removed. A change of the descriptor alone does not count. */
static bool moved(const rec_at *owner, const nif_lanes *lanes)
{
    uint32_t last = lanes->columns - 1;
    watched w = {.part = lanes->in.part,
                 .off = lanes->in.off,
                 .size = lanes->in.count * lanes->stride,
                 .stride = lanes->stride,
                 .from = lanes->at[0],
                 .to = lanes->at[last] + (lanes->at[1] - lanes->at[0])};
    change c = change_of(owner->doc, &w);
    return c == CHANGED || (c == RESIZED && row_change(owner, "num_vertices") != UNCHANGED);
}

bool nif_has_bounds(lathe_doc *doc, uint32_t part, const nif_shape *s)
{
    rec_at at = bounds_of(doc, part, s);
    rec_loc loc;
    uint32_t slot = rec_slot_find(at.layout, "bounds");
    if (slot == REC_NO_SLOT || rec_find(&at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    const uint8_t *p = rec_part_of(doc, loc.part)->data + loc.off;
    for (uint64_t i = 0; i < loc.size; i++)
        if (p[i])
            return true;
    return false;
}

/* Updates a sphere, unless the edit set it itself, or it is all zeros, which means none. */
static lathe_result settle_shape(lathe_doc *doc, uint32_t part, const nif_shape *s,
                                 lathe_error *err)
{
    nif_lanes lanes;
    if (!nif_lanes_find(s, NIF_POSITION, &lanes))
        return LATHE_OK;
    rec_at at = bounds_of(doc, part, s), owner = nif_at(doc, lanes.in.part);
    if (!nif_has_bounds(doc, part, s) || row_change(&at, "bounds") != UNCHANGED ||
        !moved(&owner, &lanes))
        return LATHE_OK;
    return nif_rebound(doc, part, s, err);
}

/* ---- the end of an edit -------------------------------------------------------------------------------- */

/* Updates shapes whose vertices are in changed partitions, which have the edit's stamp. All in one pass. */
static lathe_result settle_skinned(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    nif_shape s;
    lathe_result r = LATHE_OK;
    uint64_t total = nif_total(doc, c);
    for (uint64_t i = 0; r == LATHE_OK && i < total; i++) {
        uint32_t user = nif_block(doc, c, i);
        if (nif_block_is(doc, user, &nif_BSTriShape) && nif_shape_find(doc, user, &s) &&
            s.packed.p && s.packed.part != user && doc->parts[s.packed.part].stamp == doc->stamp)
            r = settle_shape(doc, user, &s, err);
    }
    return r;
}

/* Work that is done after all parts were visited. */
typedef struct later {
    bool skins; /* some part holds vertices of other blocks */
    buf packed; /* of nif_packed_change */
} later;

static lathe_result settle_packed(lathe_doc *doc, uint32_t part, later *rest, lathe_error *err)
{
    nif_packed_change follows;
    if (rec_opaque(doc, part, NULL))
        return LATHE_OK;
    lathe_result r = nif_settle_layout(doc, part, err);
    if (r != LATHE_OK)
        return r;
    r = nif_settle_packed(doc, part, &follows, err);
    if (r == LATHE_OK && !buf_put(&rest->packed, &follows, sizeof follows))
        r = rec_no_memory(err);
    if (r != LATHE_OK)
        nif_packed_change_free(&follows);
    return r;
}

static lathe_result settle_part(lathe_doc *doc, uint32_t c, uint32_t part, later *rest,
                                lathe_error *err)
{
    const rec_part *p = &doc->parts[part];
    nif_shape s;
    if (!p->alive || p->scratch || p->container != c || !p->root)
        return LATHE_OK;
    const rec_type *type = p->root->type;
    if (nif_is_packed(type))
        return settle_packed(doc, part, rest, err);
    if (rec_is_a(type, &nif_NiSkinPartition)) {
        rest->skins = true;
        return LATHE_OK;
    }
    lathe_result r = nif_settle_triangles(doc, part, err);
    if (r == LATHE_OK && rec_is_a(type, &nif_BSTriShape))
        r = nif_settle_owner(doc, part, &rest->packed, err);
    if (r != LATHE_OK)
        return r;
    if (rec_is_a(type, &nif_BSTriShape) ? nif_shape_find(doc, part, &s)
                                        : nif_data_find(doc, part, &s))
        return settle_shape(doc, part, &s, err);
    return LATHE_OK;
}

/* Visits each changed part once. */
static lathe_result settle_parts(lathe_doc *doc, uint32_t c, later *rest, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    size_t n = doc->journal.n;
    doc->stamp++;
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        const rec_edit *e = &doc->journal.edits[i];
        if ((e->kind != EDIT_BYTES && e->kind != EDIT_PART_ADD) ||
            doc->parts[e->part].stamp == doc->stamp)
            continue;
        doc->parts[e->part].stamp = doc->stamp;
        r = settle_part(doc, c, e->part, rest, err);
    }
    return r;
}

lathe_result nif_settle(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    later rest = {.skins = false};
    buf_init(&rest.packed, &doc->mem);
    lathe_result r = settle_parts(doc, c, &rest, err);
    if (r == LATHE_OK && rest.skins)
        r = settle_skinned(doc, c, err);
    if (r == LATHE_OK && rest.packed.size)
        r = nif_settle_owners(doc, c, &rest.packed, err);
    nif_packed_changes_free(&rest.packed);
    return r;
}
