/* Precombined geometry as meshes: each instance of each object, where its own transform puts it. */
#include "gen/nif_types.h"
#include "nif/mesh.h"

#include <math.h>

enum { INSTANCE = 72, ROTATION = 4, TRANSLATION = 40, SCALE = 52 };

/* ---- which there are ------------------------------------------------------------------------------------- */

uint32_t nif_packed_of(const rec_at *shape)
{
    nif_column extra;
    if (!nif_column_find(shape, "extra_data_list", 4, &extra))
        return REC_NO_PART;
    for (uint64_t i = 0; i < extra.count; i++) {
        uint32_t part = nif_target(shape, "extra_data_list", i);
        if (part != REC_NO_PART && nif_is_packed(rec_part_root(shape->doc, part)->type))
            return part;
    }
    return REC_NO_PART;
}

static lathe_result list_objects(nif_scene *s, const rec_at *block, uint32_t shape,
                                 lathe_error *err)
{
    rec_loc objects;
    uint32_t slot = rec_slot_find(block->layout, "data");
    lathe_result r = rec_find(block, slot, &objects, err);
    for (uint64_t i = 0; r == LATHE_OK && i < objects.count; i++) {
        nif_packed_object o = {
            .shape = shape, .block = block->part, .index = i, .first = s->packed_instances};
        nif_shape geometry;
        rec_at at;
        r = rec_sub(block, slot, i, &at, err);
        if (r != LATHE_OK || !nif_geometry_expect(&at, &geometry) ||
            !nif_column_find(&at, "combined", INSTANCE, &o.instances))
            continue;
        s->packed_instances += o.instances.count;
        r = buf_put(&s->packed, &o, sizeof o) ? LATHE_OK : rec_no_memory(err);
    }
    return r;
}

static lathe_result list_packed(nif_scene *s, lathe_doc *doc, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && !s->packed_listed && i < s->count; i++) {
        uint32_t shape = nif_block(doc, s->container, i);
        if (!nif_block_is(doc, shape, &nif_NiGeometry) &&
            !nif_block_is(doc, shape, &nif_BSTriShape))
            continue;
        rec_at at = nif_at(doc, shape);
        uint32_t part = nif_packed_of(&at);
        rec_at block = part == REC_NO_PART ? (rec_at){0} : nif_at(doc, part);
        if (block.layout)
            r = list_objects(s, &block, shape, err);
    }
    s->packed_listed = r == LATHE_OK;
    return r;
}

/* The object that instance number i is of. */
static const nif_packed_object *object_of(const nif_scene *s, uint64_t i)
{
    const nif_packed_object *all = (const nif_packed_object *)(const void *)s->packed.data;
    size_t lo = 0, hi = s->packed.size / sizeof *all;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (all[mid].first <= i)
            lo = mid;
        else
            hi = mid;
    }
    return &all[lo];
}

/* ---- one of them ----------------------------------------------------------------------------------------- */

/* p' = scale * (rotation * p) + translation; rows are stored. False: some number is none. */
static bool transform_of(const uint8_t *instance, mat4 *out)
{
    double scale = (double)nif_float_at(instance + SCALE);
    bool finite = isfinite(scale);
    *out = mat4_identity();
    for (size_t r = 0; r < 3; r++) {
        for (size_t c = 0; c < 3; c++) {
            out->m[c][r] = scale * (double)nif_float_at(instance + ROTATION + 4 * (3 * r + c));
            finite = finite && isfinite(out->m[c][r]);
        }
        out->m[3][r] = (double)nif_float_at(instance + TRANSLATION + 4 * r);
        finite = finite && isfinite(out->m[3][r]);
    }
    return finite;
}

lathe_result nif_packed_mesh(nif_scene *scene, lathe_doc *doc, uint64_t i, model_mesh *mesh,
                             lathe_error *err)
{
    nif_shape geometry;
    rec_at at;
    lathe_result r = list_packed(scene, doc, err);
    if (r != LATHE_OK)
        return r;
    if (i >= scene->packed_instances)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more shapes");
    const nif_packed_object *o = object_of(scene, i);
    rec_at shape = nif_at(doc, o->shape), block = nif_at(doc, o->block);
    r = rec_sub(&block, rec_slot_find(block.layout, "data"), o->index, &at, err);
    if (r == LATHE_OK)
        r = nif_geometry_load(&at, &geometry, err);
    if (r == LATHE_OK)
        r = nif_put_geometry(&shape, &geometry, 0, mesh, err);
    if (r == LATHE_OK &&
        !transform_of(o->instances.p + INSTANCE * (i - o->first), &mesh->transform))
        mesh->index_count = 0; /* nobody knows where it is drawn: check tells */
    if (r == LATHE_OK)
        r = nif_copy_text(&shape, "name", 0, mesh, &mesh->name, err);
    return r == LATHE_OK ? nif_put_surface(&shape, mesh, err) : r;
}
