/* Precombined geometry as meshes: each instance of each object, with its own transform. */
#include "nif/geometry/mesh.h"
#include "gen/nif_types.h"
#include "nif/materials/materials.h"

#include <math.h>
#include <string.h>

enum { INSTANCE = 72, ROTATION = 4, TRANSLATION = 40, SCALE = 52 };

/* ---- listing --------------------------------------------------------------------------------------------- */

/* Finds the first packed block of a shape that can be parsed, or that cannot. */
static uint32_t find_packed(const rec_at *shape, bool parses)
{
    nif_column extra;
    if (!nif_column_find(shape, "extra_data_list", 4, &extra))
        return REC_NO_PART;
    for (uint64_t i = 0; i < extra.count; i++) {
        uint32_t number = bytes_ld32(extra.p + 4 * i, false);
        uint32_t part = nif_block(shape->doc, shape->layout->container, number);
        if (part != REC_NO_PART && nif_is_packed(nif_part_type(shape->doc, part)) &&
            nif_block_is(shape->doc, part, &nif_NiObject) == parses)
            return part;
    }
    return REC_NO_PART;
}

uint32_t nif_packed_of(const rec_at *shape)
{
    return find_packed(shape, true);
}

/* An object of packed geometry. */
typedef struct packed_object {
    uint32_t shape, block; /* parts: the shape that has the material, and the packed geometry */
    uint64_t index; /* number of the object in `data`; REC_NO_ITEM: the block cannot be parsed */
    uint64_t first; /* number of its first instance in the whole file */
    nif_column instances; /* 72 bytes each */
} packed_object;

/* Cached data of a document. */
typedef struct packed_list {
    rec_cached cached;
    buf objects; /* of packed_object, in file order */
    uint64_t instances;
} packed_list;

static void release(lathe_doc *doc, rec_cached *what)
{
    packed_list *l = (packed_list *)what;
    buf_free(&l->objects);
    mem_free(&doc->mem, l, sizeof *l);
}

static const rec_cache lists = {.release = release};

static lathe_result list_objects(packed_list *l, const rec_at *block, uint32_t shape,
                                 lathe_error *err)
{
    rec_loc objects;
    uint32_t slot = rec_slot_find(block->layout, "data");
    lathe_result r = rec_find(block, slot, &objects, err);
    for (uint64_t i = 0; r == LATHE_OK && i < objects.count; i++) {
        packed_object o = {.shape = shape, .block = block->part, .index = i, .first = l->instances};
        rec_at at;
        r = rec_sub(block, slot, i, &at, err);
        if (r != LATHE_OK || rec_int(&at, "num_vertices") == 0 ||
            !nif_column_find(&at, "combined", INSTANCE, &o.instances))
            continue;
        l->instances += o.instances.count;
        r = buf_put(&l->objects, &o, sizeof o) ? LATHE_OK : rec_no_memory(err);
    }
    return r;
}

/* Lists a block that cannot be parsed as one instance, which is skipped. */
static lathe_result list_damaged(packed_list *l, uint32_t block, uint32_t shape, lathe_error *err)
{
    packed_object o = {
        .shape = shape, .block = block, .index = REC_NO_ITEM, .first = l->instances++};
    return buf_put(&l->objects, &o, sizeof o) ? LATHE_OK : rec_no_memory(err);
}

/* Lists the blocks of shapes. A block belongs to the first shape that refers to it: `taken` has a mark for
 * each. */
static lathe_result list_owned(packed_list *l, lathe_doc *doc, uint64_t n, uint8_t *taken,
                               lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        uint32_t shape = nif_block(doc, 0, i);
        if (!nif_block_is(doc, shape, &nif_NiGeometry) &&
            !nif_block_is(doc, shape, &nif_BSTriShape))
            continue;
        rec_at at = nif_at(doc, shape);
        uint32_t part = find_packed(&at, true), damaged = find_packed(&at, false);
        bool parses = part != REC_NO_PART;
        part = parses ? part : damaged;
        rec_at block = part == REC_NO_PART ? (rec_at){0} : nif_at(doc, part);
        uint64_t number = block.layout ? nif_number(doc, part) : n;
        if (number >= n || taken[number])
            continue;
        taken[number] = 1;
        r = parses ? list_objects(l, &block, shape, err) : list_damaged(l, part, shape, err);
    }
    return r;
}

static lathe_result list_packed(lathe_doc *doc, const packed_list **out, lathe_error *err)
{
    packed_list *l = rec_cache_find(doc, 0, &lists);
    *out = l;
    if (l)
        return LATHE_OK;
    uint64_t n = nif_total(doc, 0);
    l = mem_zalloc(&doc->mem, sizeof *l);
    if (!l)
        return rec_no_memory(err);
    buf_init(&l->objects, &doc->mem);
    uint8_t *taken = mem_zalloc(&doc->mem, (size_t)n + 1);
    lathe_result r = taken ? list_owned(l, doc, n, taken, err) : rec_no_memory(err);
    mem_free(&doc->mem, taken, (size_t)n + 1);
    if (r != LATHE_OK) {
        release(doc, &l->cached);
        return r;
    }
    rec_cache_put(doc, 0, &lists, &l->cached);
    *out = l;
    return LATHE_OK;
}

/* The object of instance i. */
static const packed_object *object_of(const packed_list *l, uint64_t i)
{
    const packed_object *all = (const packed_object *)(const void *)l->objects.data;
    size_t lo = 0, hi = l->objects.size / sizeof *all;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (all[mid].first <= i)
            lo = mid;
        else
            hi = mid;
    }
    return &all[lo];
}

/* ---- one instance ---------------------------------------------------------------------------------------- */

/* p' = scale * (rotation * p) + translation, stored in rows. False: a value is not finite. */
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

/* Fills what all instances of an object have in common. */
static lathe_result put_object(const rec_at *shape, const rec_at *object, model_mesh *mesh,
                               lathe_error *err)
{
    nif_shape geometry;
    lathe_result r = nif_geometry_load(object, &geometry, err);
    if (r != LATHE_OK)
        return r;
    nif_take_bands(object, mesh->lod, &geometry);
    return nif_put_geometry(shape, &geometry, 0, mesh, err);
}

/* Sets the number of the object and the transform of its instance k. */
static lathe_result put_place(const packed_object *o, const rec_at *block, const rec_at *object,
                              uint64_t k, model_mesh *mesh, lathe_error *err)
{
    char path[256];
    rec_at entry;
    uint32_t table = rec_slot_find(block->layout, "objects");
    lathe_result r = LATHE_OK;
    if (block->layout->arg & NIF_PACKED_TABLE)
        r = rec_sub(block, table, o->index, &entry, err);
    if (r == LATHE_OK && block->layout->arg & NIF_PACKED_TABLE) {
        mesh->has_source = true;
        mesh->source_hash = (uint32_t)rec_int(&entry, "geometry_file_hash");
        mesh->source_offset = (uint32_t)rec_int(&entry, "data_offset");
    }
    if (!transform_of(o->instances.p + INSTANCE * k, &mesh->transform)) {
        mesh->transform = mat4_identity();
        mesh->left_out = "its transform has a number that is not finite";
    }
    rec_path(object, rec_slot_find(object->layout, "combined"), k, path, sizeof path);
    mesh->path = model_mesh_text(mesh, path, strlen(path));
    return r != LATHE_OK || mesh->path ? r : rec_no_memory(err);
}

/* Sets the reason why a block is not drawn. */
static lathe_result put_damaged(const rec_at *block, model_mesh *mesh, lathe_error *err)
{
    lathe_error why;
    char path[256];
    if (!rec_opaque(block->doc, block->part, &why) || why.code == LATHE_ERR_MEMORY)
        return rec_no_memory(err); /* it was opaque before */
    rec_path(block, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    mesh->path = model_mesh_text(mesh, path, strlen(path));
    mesh->left_out = model_mesh_text(mesh, why.message, strlen(why.message));
    return mesh->path && mesh->left_out ? LATHE_OK : rec_no_memory(err);
}

lathe_result nif_packed_instances(lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    const packed_list *l;
    lathe_result r = list_packed(doc, &l, err);
    if (r == LATHE_OK)
        *n = l->instances;
    return r;
}

lathe_result nif_packed_mesh(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    rec_at at;
    const packed_list *l;
    const nif_shape none = {0};
    lathe_result r = list_packed(doc, &l, err);
    if (r != LATHE_OK)
        return r;
    if (i >= l->instances)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more shapes");
    const packed_object *o = object_of(l, i);
    rec_at shape = nif_at(doc, o->shape), block = nif_at(doc, o->block);
    mesh->object = (uint64_t)(o - (const packed_object *)(const void *)l->objects.data) + 1;
    if (o->index == REC_NO_ITEM)
        return put_damaged(&block, mesh, err);
    r = rec_sub(&block, rec_slot_find(block.layout, "data"), o->index, &at, err);
    if (r == LATHE_OK)
        r = put_place(o, &block, &at, i - o->first, mesh, err);
    if (r == LATHE_OK && (mesh->left_out || mesh->object <= mesh->known))
        r = nif_put_geometry(&shape, &none, 0, mesh, err); /* only the allocation */
    else if (r == LATHE_OK)
        r = put_object(&shape, &at, mesh, err);
    if (r == LATHE_OK)
        r = nif_copy_text(&shape, "name", 0, mesh, &mesh->name, err);
    return r == LATHE_OK ? nif_put_surface(&shape, mesh, err) : r;
}
