#include "havok/physics/leaves.h"

#include "havok/objects/objects.h"
#include "havok/physics/convex.h"

enum {
    MOST_DEPTH = 16, /* of compounds in compounds: games have one */
    TIMES = 16, /* shapes that several have count each time: so often may all bytes be shown … */
    SPARE = 1 << 24 /* … and so many more */
};

static double lane(const uint8_t *p, bool big)
{
    return (double)bytes_f32_widen(bytes_ld32(p, big));
}

mat4 hk_instance_place(const rec_at *instance)
{
    mat4 m = mat4_identity();
    const uint8_t *p = instance->doc->parts[instance->part].data + instance->off;
    bool big = instance->doc->containers[instance->layout->container].big;
    const rec_slot *transform =
        &instance->layout->slots[rec_slot_find(instance->layout, "transform")];
    const rec_slot *scale = &instance->layout->slots[rec_slot_find(instance->layout, "scale")];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned r = 0; r < 3; r++) {
            double by = c < 3 ? lane(p + scale->off + 4 * c, big) : 1;
            m.m[c][r] = by * lane(p + transform->off + 16 * c + 4 * r, big);
        }
    return m;
}

/* Bytes that a shape's geometry takes, at least 1. */
static uint64_t weight(const rec_at *shape)
{
    uint64_t size = shape->doc->parts[shape->part].size + 1;
    uint32_t data = shape->layout->type == &hknp_compressed_mesh_shape ? hk_target(shape, "data", 0)
                                                                       : REC_NO_PART;
    return data == REC_NO_PART ? size : size + shape->doc->parts[data].size;
}

static lathe_result too_many(const rec_at *shape, lathe_error *err)
{
    return rec_fail(shape, REC_NO_SLOT, 0, err, LATHE_ERR_LIMIT,
                    "its shapes are shared so often that they would take %d times the file", TIMES);
}

lathe_result hk_list_time(hk_lister *l, const rec_at *shape, uint64_t takes, lathe_error *err)
{
    if (takes > l->left)
        return too_many(shape, err);
    l->left -= takes;
    return LATHE_OK;
}

lathe_result hk_list_leaf(hk_lister *l, const rec_at *shape, uint32_t sub, uint64_t takes,
                          uint32_t place, lathe_error *err)
{
    hk_leaves *leaves = l->leaves;
    void *list = leaves->list;
    lathe_result r = hk_list_time(l, shape, takes, err);
    if (r != LATHE_OK)
        return r;
    if (!mem_reserve(&l->doc->mem, &list, &leaves->room, leaves->count + 1, sizeof *leaves->list))
        return rec_no_memory(err);
    leaves->list = list;
    leaves->list[leaves->count++] = (hk_leaf){shape->part, l->body, place, sub};
    return LATHE_OK;
}

static lathe_result put_place(hk_lister *l, const mat4 *place, uint32_t *number, lathe_error *err)
{
    hk_leaves *leaves = l->leaves;
    void *places = leaves->places;
    if (!mem_reserve(&l->doc->mem, &places, &leaves->place_room, leaves->place_count + 1,
                     sizeof *leaves->places))
        return rec_no_memory(err);
    leaves->places = places;
    leaves->places[leaves->place_count] = *place;
    *number = (uint32_t)leaves->place_count++;
    return LATHE_OK;
}

lathe_result hk_list_place(hk_lister *l, uint32_t in, const mat4 *local, uint32_t *number,
                           lathe_error *err)
{
    mat4 whole = mat4_mul(&l->leaves->places[in], local);
    return put_place(l, &whole, number, err);
}

lathe_result hk_list_enter(hk_lister *l, const rec_at *shape, int depth, lathe_error *err)
{
    if (l->open[shape->part] || depth > MOST_DEPTH)
        return rec_fail(shape, REC_NO_SLOT, 0, err, LATHE_ERR_INVALID,
                        depth > MOST_DEPTH ? "compounds in compounds, more than %d deep"
                                           : "a compound that contains itself",
                        MOST_DEPTH);
    l->open[shape->part] = 1;
    return LATHE_OK;
}

void hk_list_leave(hk_lister *l, const rec_at *shape)
{
    l->open[shape->part] = 0;
}

static lathe_result list_shape(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                               lathe_error *err);

static lathe_result list_instance(hk_lister *l, const rec_at *instance, uint32_t place, int depth,
                                  lathe_error *err)
{
    uint32_t part = hk_target(instance, "shape", 0), inner;
    lathe_result r = hk_list_time(l, instance, sizeof(mat4), err); /* without a shape, too */
    if (part == REC_NO_PART || r != LATHE_OK)
        return r;
    mat4 local = hk_instance_place(instance);
    rec_at child = hk_object(l->doc, part);
    r = hk_list_place(l, place, &local, &inner, err);
    return r == LATHE_OK ? list_shape(l, &child, inner, depth + 1, err) : r;
}

/* What is not described has no triangles that anybody knows. */
static lathe_result list_shape(hk_lister *l, const rec_at *shape, uint32_t place, int depth,
                               lathe_error *err)
{
    rec_loc loc;
    rec_at instance;
    const rec_type *type = shape->layout->type;
    if (type == &hknp_convex_polytope_shape || type == &hknp_sphere_shape ||
        type == &hknp_capsule_shape || type == &hknp_compressed_mesh_shape)
        return hk_list_leaf(l, shape, 0, weight(shape), place, err);
    if (type != &hknp_dynamic_compound_shape)
        return LATHE_OK;
    lathe_result r = hk_list_enter(l, shape, depth, err);
    if (r != LATHE_OK)
        return r;
    uint32_t slot = rec_slot_find(shape->layout, "instances");
    r = rec_find(shape, slot, &loc, err);
    for (uint64_t i = 0; r == LATHE_OK && loc.present && i < loc.count; i++) {
        r = rec_sub(shape, slot, i, &instance, err);
        if (r == LATHE_OK)
            r = list_instance(l, &instance, place, depth, err);
    }
    hk_list_leave(l, shape);
    return r;
}

static lathe_result list_system(hk_lister *l, const rec_at *system, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    uint64_t n = hk_body_count(system);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++, l->body++) {
        hk_body_of body;
        rec_at shape;
        r = hk_body_in(system, i, &body, err);
        if (r == LATHE_OK && hk_body_side_of(&body, HK_SIDE_SHAPE, &shape))
            r = list_shape(l, &shape, 0, 0, err);
    }
    return r;
}

static lathe_result list_all(hk_lister *l, uint32_t c, lathe_error *err)
{
    uint64_t n;
    lathe_result r = hk_collision_unit(l->doc, c, &l->leaves->unit, err);
    const uint32_t *objects = hk_object_list(l->doc, c, &n);
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        rec_at system = hk_object(l->doc, objects[k]);
        if (hk_is_system(l->doc, objects[k]))
            r = list_system(l, &system, err);
    }
    return r;
}

static void release(lathe_doc *doc, rec_cached *what)
{
    hk_leaves *leaves = (hk_leaves *)what;
    mem_free(&doc->mem, leaves->list, leaves->room * sizeof *leaves->list);
    mem_free(&doc->mem, leaves->places, leaves->place_room * sizeof *leaves->places);
    mem_free(&doc->mem, leaves, sizeof *leaves);
}

static const rec_cache lists = {.release = release};

lathe_result hk_leaves_by(lathe_doc *doc, uint32_t c,
                          lathe_result (*all)(hk_lister *l, uint32_t c, lathe_error *err),
                          const hk_leaves **out, lathe_error *err)
{
    uint32_t first;
    const mat4 identity = mat4_identity();
    *out = rec_cache_find(doc, c, &lists);
    if (*out)
        return LATHE_OK;
    size_t parts = doc->parts_n;
    hk_lister l = {.doc = doc, .leaves = mem_zalloc(&doc->mem, sizeof *l.leaves)};
    l.open = l.leaves ? mem_zalloc(&doc->mem, parts) : NULL;
    l.left = TIMES * doc->size + SPARE;
    lathe_result r = l.open ? put_place(&l, &identity, &first, err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = all(&l, c, err);
    mem_free(&doc->mem, l.open, parts);
    if (r == LATHE_OK)
        rec_cache_put(doc, c, &lists, &l.leaves->cached);
    else if (l.leaves)
        release(doc, &l.leaves->cached);
    *out = r == LATHE_OK ? l.leaves : NULL;
    return r;
}

lathe_result hk_leaves_of(lathe_doc *doc, uint32_t c, const hk_leaves **out, lathe_error *err)
{
    return hk_leaves_by(doc, c, list_all, out, err);
}
