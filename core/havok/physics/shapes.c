#include "havok/physics/shapes.h"

#include "havok/objects/objects.h"

enum { MOST_DEPTH = 16 }; /* of compounds in compounds: games have one */

typedef struct walk {
    lathe_result (*each)(void *user, const rec_at *shape, lathe_error *err);
    void *user;
    uint8_t *seen; /* of each part: 1 while it is walked, 2 once it was */
} walk;

static lathe_result walk_shape(const walk *w, const rec_at *shape, int depth, lathe_error *err)
{
    rec_loc loc;
    rec_at instance;
    lathe_result r = LATHE_OK;
    if (w->seen[shape->part] == 1 || depth > MOST_DEPTH)
        return rec_fail(shape, REC_NO_SLOT, 0, err, LATHE_ERR_INVALID,
                        depth > MOST_DEPTH ? "compounds in compounds, more than %d deep"
                                           : "a compound that contains itself",
                        MOST_DEPTH);
    if (w->seen[shape->part])
        return LATHE_OK;
    w->seen[shape->part] = 1;
    if (shape->layout->type == &hknp_dynamic_compound_shape) {
        uint32_t slot = rec_slot_find(shape->layout, "instances");
        r = rec_find(shape, slot, &loc, err);
        for (uint64_t i = 0; r == LATHE_OK && loc.present && i < loc.count; i++) {
            r = rec_sub(shape, slot, i, &instance, err);
            uint32_t part = r == LATHE_OK ? hk_target(&instance, "shape", 0) : REC_NO_PART;
            if (part == REC_NO_PART)
                continue;
            rec_at child = hk_object(shape->doc, part);
            r = walk_shape(w, &child, depth + 1, err);
        }
    }
    w->seen[shape->part] = 2;
    return r == LATHE_OK ? w->each(w->user, shape, err) : r;
}

lathe_result hk_each_shape_of(const rec_at *shape,
                              lathe_result (*each)(void *user, const rec_at *at, lathe_error *err),
                              void *user, lathe_error *err)
{
    lathe_doc *doc = shape->doc;
    size_t n = doc->parts_n;
    walk w = {.each = each, .user = user, .seen = mem_zalloc(&doc->mem, n)};
    if (!w.seen)
        return rec_no_memory(err);
    lathe_result r = walk_shape(&w, shape, 0, err);
    mem_free(&doc->mem, w.seen, n);
    return r;
}

lathe_result hk_each_shape(const hk_body_of *body,
                           lathe_result (*each)(void *user, const rec_at *shape, lathe_error *err),
                           void *user, lathe_error *err)
{
    rec_at shape;
    if (!hk_body_side_of(body, HK_SIDE_SHAPE, &shape))
        return LATHE_OK;
    return hk_each_shape_of(&shape, each, user, err);
}

bool hk_property_of(const rec_at *shape, const rec_type *type, rec_at *out)
{
    rec_at properties, entry;
    rec_loc loc;
    uint32_t part = hk_target(shape, "properties", 0);
    if (part == REC_NO_PART)
        return false;
    properties = hk_object(shape->doc, part);
    uint32_t slot = rec_slot_find(properties.layout, "entries");
    if (properties.layout->type != &hk_ref_counted_properties ||
        rec_find(&properties, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    for (uint64_t i = 0; i < loc.count; i++) {
        if (rec_sub(&properties, slot, i, &entry, NULL) != LATHE_OK)
            return false;
        part = hk_target(&entry, "object", 0);
        if (part == REC_NO_PART)
            continue;
        *out = hk_object(shape->doc, part);
        if (out->layout->type == type)
            return true;
    }
    return false;
}

bool hk_surfaces_of(const rec_at *shape, rec_at *out)
{
    return hk_property_of(shape, &hknp_bs_material_properties, out);
}

bool hk_surface(const rec_at *surfaces, uint64_t i, rec_at *out)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(surfaces->layout, "materials");
    return rec_find(surfaces, slot, &loc, NULL) == LATHE_OK && loc.present && i < loc.count &&
           rec_sub(surfaces, slot, i, out, NULL) == LATHE_OK;
}
