/* object:set_geometry and block:add_object: set the geometry of precombined meshes in the block, or in a
 * geometry file that the caller passes. formats/precombined.md#5 */
#include "nif/geometry/packed/set_geometry.h"

#include "gen/nif_types.h"
#include "nif/geometry/csg/csg.h"
#include "nif/geometry/packed/convert.h"
#include "nif/geometry/packed/into.h"

#include <stdio.h>

enum { COUNTS = 8, ROWS = 32, ROW = 8 };

typedef struct setting {
    lathe_doc *doc;
    uint32_t part;
    uint64_t index; /* of the object */
    const char *verb;
    const lathe_source *args;
    bool full;             /* the object's positions are floats in the block, and stay so */
    nif_packed_place to;   /* the existing object */
    nif_packed_place from; /* its new geometry, in `data` */
    const uint8_t *data;
} setting;

static lathe_result fail(const setting *s, lathe_result code, const char *why, lathe_error *err)
{
    rec_at block = nif_at(s->doc, s->part), object;
    lathe_result r = rec_sub(&block, rec_slot_find(block.layout, "data"), s->index, &object, err);
    return r != LATHE_OK ? r : rec_fail(&object, REC_NO_SLOT, object.off, err, code, "%s", why);
}

static lathe_result too_many(const setting *s, lathe_error *err)
{
    char why[128];
    snprintf(why, sizeof why,
             "with that the instances of the block's objects have more than %d vertices, the most "
             "of a bucket",
             NIF_BUCKET_VERTICES);
    return fail(s, LATHE_ERR_RANGE, why, err);
}

static uint64_t layout_of(const setting *s)
{
    return rec_part_root(s->doc, s->part)->arg;
}

/* Finds the object in its block. Fails if all instances together would have more vertices than a bucket may
 * have. */
static lathe_result find_object(setting *s, lathe_error *err)
{
    buf places;
    bool lost = false;
    const rec_part *p = rec_part_of(s->doc, s->part);
    buf_init(&places, &s->doc->mem);
    lathe_result r = nif_packed_scan(p->data, p->size, layout_of(s), &places, &lost) &&
                             s->index < places.size / sizeof s->to
                         ? LATHE_OK
                         : LATHE_ERR_STATE;
    if (r == LATHE_OK) {
        nif_packed_place *all = (nif_packed_place *)(void *)places.data;
        s->to = all[s->index];
        all[s->index].vertices = s->from.vertices;
        if (nif_packed_count(all, places.size / sizeof *all).vertices > NIF_BUCKET_VERTICES)
            r = too_many(s, err);
    } else {
        r = lost ? rec_no_memory(err)
                 : error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "the block does not parse");
    }
    buf_free(&places);
    return r;
}

/* ---- bytes ----------------------------------------------------------------------------------------------- */

/* Writes the counts of vertices and triangles, all in the first band; offsets of the other bands are 0, as in
 * plain shapes. */
static lathe_result put_head(const setting *s, lathe_error *err)
{
    uint8_t head[32] = {0};
    memcpy(head, rec_part_of(s->doc, s->part)->data + s->to.at, sizeof head);
    memset(head + COUNTS, 0, sizeof head - COUNTS);
    bytes_st32(head, (uint32_t)s->from.vertices, false);
    bytes_st32(head + COUNTS, (uint32_t)nif_packed_triangles(&s->from), false);
    return rec_splice(s->doc, s->part, s->to.at, sizeof head, head, sizeof head, err);
}

/* Replaces the descriptor and everything behind it, up to the next object. */
static lathe_result put_tail(const setting *s, bool with_geometry, lathe_error *err)
{
    const nif_packed_place *to = &s->to, *from = &s->from;
    uint64_t size = 8, had = 8;
    if (with_geometry) {
        had += to->vertices * to->layout.stride + 6 * nif_packed_triangles(to);
        size += from->vertices * from->layout.stride + 6 * nif_packed_triangles(from);
    }
    return rec_splice(s->doc, s->part, to->desc_at, had, s->data + from->desc_at, size, err);
}

static lathe_result put_object(const setting *s, bool with_geometry, lathe_error *err)
{
    rec_at block = nif_at(s->doc, s->part);
    rec_change_begin(&block); /* in between it cannot be parsed */
    lathe_result r = put_head(s, err);
    if (r == LATHE_OK)
        r = put_tail(s, with_geometry, err);
    s->doc->changing--;
    rec_forget(s->doc, s->part, 0);
    return r;
}

/* ---- storing --------------------------------------------------------------------------------------------- */

/* Converts the block to inline. It is another part then, with the same number. */
static lathe_result make_inline(setting *s, lathe_error *err)
{
    uint32_t container = rec_part_of(s->doc, s->part)->container;
    uint64_t number = nif_number(s->doc, s->part);
    lathe_result r = nif_packed_convert(s->doc, s->part, NIF_PACKED_INLINE, NULL, err);
    if (r != LATHE_OK)
        return r;
    s->part = nif_block(s->doc, container, number);
    return find_object(s, err);
}

/* Appends a row, or uses an equal existing one. */
static lathe_result store_row(const setting *s, lathe_doc *into, csg_row *row, lathe_error *err)
{
    const nif_packed_place *o = &s->from;
    const uint8_t *bytes = s->data + o->vertices_at;
    uint32_t indices = (uint32_t)(3 * nif_packed_triangles(o)), n = (uint32_t)o->vertices;
    uint64_t size = o->vertices * o->layout.stride + 2 * (uint64_t)indices;
    lathe_result r = csg_find_equal(into, o->desc, n, indices, bytes, size, row, err);
    return r == LATHE_ERR_NAME ? csg_append(into, o->desc, n, indices, bytes, size, row, err) : r;
}

/* Computes spheres now, while the vertices are available: they are not in the block. */
static lathe_result put_spheres(const setting *s, lathe_error *err)
{
    nif_sphere own;
    float sphere[4];
    bool lost = false;
    const mem *m = &s->doc->mem;
    lathe_result r = LATHE_OK;
    float *p = nif_packed_positions(m, s->data, &s->from, &lost);
    bool found = p && nif_sphere_of(p, s->from.vertices, sphere);
    nif_packed_positions_free(m, &s->from, p);
    for (int k = 0; found && k < 3; k++)
        own.center[k] = (double)sphere[k];
    own.radius = found ? (double)sphere[3] : 0;
    for (uint64_t i = 0; found && r == LATHE_OK && i < s->to.instances; i++) {
        uint64_t at = s->to.instances_at + NIF_INSTANCE * i;
        nif_placement t;
        uint8_t bytes[16];
        if (nif_placement_read(rec_part_of(s->doc, s->part)->data + at, &t) &&
            nif_sphere_put(&t, &own, bytes))
            r = rec_splice(s->doc, s->part, at + NIF_INSTANCE - sizeof bytes, sizeof bytes, bytes,
                           sizeof bytes, err);
    }
    return lost ? rec_no_memory(err) : r;
}

static lathe_result put_row(const setting *s, lathe_doc *into, const csg_row *row, lathe_error *err)
{
    uint8_t bytes[ROW];
    if (row->offset > UINT32_MAX)
        return fail(s, LATHE_ERR_RANGE, "the geometry file is full: a row would begin after 4 GiB",
                    err);
    bytes_st32(bytes, csg_hash(into->path), false);
    bytes_st32(bytes + 4, (uint32_t)row->offset, false);
    lathe_result r = put_object(s, false, err);
    if (r == LATHE_OK)
        r = put_spheres(s, err);
    return r == LATHE_OK ? rec_splice(s->doc, s->part, ROWS + ROW * s->index, ROW, bytes, ROW, err)
                         : r;
}

/* Edits both documents; if one edit fails, neither changes. */
static lathe_result append(const setting *s, lathe_error *err)
{
    lathe_doc *into = NULL;
    csg_row row;
    lathe_result r = nif_into_arg(s->args, s->verb, true, &into, err);
    if (r == LATHE_OK)
        r = nif_into_begin(s->doc, into, err);
    if (r != LATHE_OK)
        return r;
    r = store_row(s, into, &row, err);
    if (r == LATHE_OK)
        r = put_row(s, into, &row, err);
    return nif_into_end(s->doc, into, r == LATHE_OK, r, err);
}

static lathe_result put_where(setting *s, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    bool here = layout_of(s) & NIF_PACKED_INLINE;
    bool share = rec_arg(s->args, "share", &v), appends = share && rec_text_is(&v, "append");
    lathe_result r = find_object(s, err);
    if (r != LATHE_OK)
        return r;
    if (here && appends)
        return fail(s, LATHE_ERR_UNSUPPORTED,
                    "its geometry is in the block: there is nothing to append elsewhere", err);
    if (!here && !share)
        return fail(
            s, LATHE_ERR_UNSUPPORTED,
            "its geometry is in a geometry file, which others share: say share = \"append\" "
            "with into = a geometry document, or share = \"inline\"",
            err);
    if (appends)
        return append(s, err);
    if (!here)
        r = make_inline(s, err);
    return r == LATHE_OK ? put_object(s, true, err) : r;
}

static lathe_result set_geometry(setting *s, lathe_error *err)
{
    nif_made made;
    lathe_error why;
    lathe_result r = nif_made_open(s->args, s->full, &s->doc->mem, &made, &why);
    if (r != LATHE_OK)
        r = fail(s, r, why.message, err); /* its place is in the temporary document */
    if (r == LATHE_OK) {
        s->from = *(const nif_packed_place *)(const void *)made.places.data;
        s->data = made.data;
        r = put_where(s, err);
    }
    nif_made_close(&made);
    return r;
}

/* ---- the verbs ------------------------------------------------------------------------------------------- */

lathe_result nif_set_geometry(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err)
{
    rec_at at, self_at, block;
    uint32_t none;
    lathe_result r = rec_enter(&self, &at, &none, err);
    if (r != LATHE_OK)
        return r;
    if (!rec_parent(&at, &self_at, &block))
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "the object is in no block");
    setting s = {.doc = self.doc,
                 .part = at.part,
                 .index = self_at.index,
                 .verb = "set_geometry",
                 .args = args};
    s.full = (block.layout->arg & (NIF_PACKED_INLINE | NIF_PACKED_HALF)) == NIF_PACKED_INLINE &&
             (uint64_t)rec_int(&at, "vertex_desc") & NIF_FULL_PRECISION;
    r = set_geometry(&s, err);
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}

/* Sets the instances from a list as in `combined`. */
static lathe_result put_instances(const rec_at *object, const lathe_source *args, lathe_error *err)
{
    uint32_t slot = rec_slot_find(object->layout, "combined");
    rec_from from = {.source = args};
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    rec_items items;
    rec_at storage;
    if (!args->get(args->user, NULL, "combined", 0, &leaf, &child))
        return LATHE_OK;
    return rec_items_of(&object->layout->slots[slot], &from, &leaf, child, &items, &storage)
               ? rec_build_array(object, slot, &items, err)
               : rec_fail(object, slot, object->off, err, LATHE_ERR_TYPE, "a list expected");
}

lathe_result nif_add_object(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    rec_at block, object;
    rec_loc loc;
    uint32_t none;
    lathe_result r = rec_enter(&self, &block, &none, err);
    uint32_t slot = r == LATHE_OK ? rec_slot_find(block.layout, "data") : REC_NO_SLOT;
    if (r == LATHE_OK)
        r = rec_find_present(&block, slot, &loc, err);
    if (r == LATHE_OK)
        r = rec_insert(&block, slot, loc.count, 1, NULL, 0, err);
    if (r != LATHE_OK)
        return r;
    setting s = {.doc = self.doc,
                 .part = block.part,
                 .index = loc.count,
                 .verb = "add_object",
                 .args = args};
    r = rec_sub_item(&block, slot, loc.count, &object, err);
    if (r == LATHE_OK && args)
        r = put_instances(&object, args, err);
    if (r == LATHE_OK)
        r = set_geometry(&s, err);
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}

static const char *const shares[] = {"append", "inline", NULL};

/* clang-format off */
const char nif_set_geometry_doc[] = "Gives a precombined object other vertices and triangles, all in its first band; where it is drawn stays. Geometry that is in a "
                                    "geometry file is changed only where `share` says how.";
const char nif_add_object_doc[] = "Adds an object to precombined geometry, with its vertices, triangles and places.";
#define PARAM(name_, ...) static const rec_param name_##_param = {.name = #name_, __VA_ARGS__}
PARAM(positions, .unit = "game units", .doc = "Rows of three numbers, or a buffer: the vertices, in the object's own space.");
PARAM(triangles, .doc = "Rows of three numbers of vertices, from 0.");
PARAM(normals, .doc = "A row for each vertex.");
PARAM(tangents, .doc = "A row for each vertex, with normals.");
PARAM(uvs, .doc = "A row of two for each vertex.");
PARAM(colors, .doc = "A row of four for each vertex.");
PARAM(mesh, .doc = "In place of all these a mesh of doc:meshes: its positions, indices, normals, uvs and colors; its transform is not applied.");
PARAM(combined, .doc = "The places where it is drawn, as the field of that name takes them.");
PARAM(share, .kind = LATHE_PARAM_TEXT, .values = shares,
      .doc = "Of an object whose geometry is in a geometry file. append: a row of `into` gets it, or has it already. inline: the block gets the geometry of all its objects.");
PARAM(into, .doc = "The geometry document that gets a row; who calls saves it, under the name that it has.");
/* clang-format on */
const rec_param *const nif_set_geometry_params[] = {
    &positions_param, &triangles_param, &normals_param, &tangents_param, &uvs_param,
    &colors_param,    &mesh_param,      &share_param,   &into_param,     NULL};
const rec_param *const nif_add_object_params[] = {
    &positions_param, &triangles_param, &normals_param, &tangents_param, &uvs_param, &colors_param,
    &mesh_param,      &combined_param,  &share_param,   &into_param,     NULL};
