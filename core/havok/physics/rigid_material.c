/* What a body of a packfile is made of: the user_data of its shapes that hold no others. */
#include "havok/physics/materials.h"
#include "havok/physics/rigid_shapes.h"
#include "model/material_name.h"

/* The shapes of a body: leaves [first, first + n), which are listed body by body. Nothing where they cannot be listed,
 * which checks tell. */
static lathe_result shapes_of(const rec_at *at, const hk_leaf **first, size_t *n, lathe_error *err)
{
    const hk_leaves *leaves;
    lathe_error why;
    uint32_t c = at->layout->container;
    const hk_rigids *bodies = hk_rigids_of(at->doc, c, err);
    lathe_result r = bodies ? hk_rigid_leaves(at->doc, c, &leaves, &why) : LATHE_ERR_MEMORY;
    *first = NULL;
    *n = 0;
    if (r == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    uint32_t number = hk_rigid_number(bodies, at->part);
    if (r != LATHE_OK || !number || !leaves->count)
        return LATHE_OK;
    size_t lo = 0, hi = leaves->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (leaves->list[mid].body < number - 1)
            lo = mid + 1;
        else
            hi = mid;
    }
    *first = leaves->list + lo;
    while (lo + *n < leaves->count && (*first)[*n].body == number - 1)
        ++*n;
    return LATHE_OK;
}

lathe_result hk_rigid_get_material(const rec_at *at, const rec_field *row, lathe_value *out,
                                   lathe_error *err)
{
    const hk_leaf *leaf;
    size_t n;
    uint64_t found = 0, raw;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    if (!hk_is_rigid(at->doc, at->layout->container))
        return LATHE_OK;
    lathe_result r = shapes_of(at, &leaf, &n, err);
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at shape = hk_object(at->doc, leaf[i].part);
        if (!shape.layout)
            return rec_no_memory(err);
        if (!hk_is(&shape, "hkpShape"))
            return LATHE_OK; /* nobody knows of what it is */
        r = rec_raw(&shape, hk_material_slot(&shape), 0, &raw, err);
        if (r == LATHE_OK && i && raw != found)
            return LATHE_OK;
        found = raw;
    }
    if (r != LATHE_OK || !found)
        return r;
    const char *name = found <= UINT32_MAX ? model_material_name((uint32_t)found) : NULL;
    if (name)
        return rec_text(at, name, strlen(name), out, err);
    *out = (lathe_value){.kind = LATHE_KIND_UINT, .as.u = found};
    return LATHE_OK;
}

lathe_result hk_rigid_set_material(const rec_at *at, const rec_field *row, const lathe_value *value,
                                   lathe_error *err)
{
    const hk_leaf *leaf;
    size_t n;
    uint32_t id, slot = rec_slot_find(at->layout, rec_row_name(row));
    if (!hk_is_rigid(at->doc, at->layout->container))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "nobody knows what materials such files have");
    if (!hk_material_number(value, &id))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                        "a name, or an integer of 0 to 4294967295 expected");
    lathe_result r = shapes_of(at, &leaf, &n, err);
    if (r == LATHE_OK && !n)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED, "the body has no shape");
    uint32_t *parts = r == LATHE_OK ? mem_alloc(&at->doc->mem, n * sizeof *parts) : NULL;
    if (r == LATHE_OK && !parts)
        return rec_no_memory(err);
    for (size_t i = 0; parts && i < n; i++) /* the list goes with the first change */
        parts[i] = leaf[i].part;
    const lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = id};
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at shape = hk_object(at->doc, parts[i]);
        if (shape.layout && hk_is(&shape, "hkpShape"))
            r = rec_set(&shape, hk_material_slot(&shape), &v, err);
        else
            r = rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                         "a shape of an unknown class: lathe does not know where its material is");
    }
    mem_free(&at->doc->mem, parts, n * sizeof *parts);
    return r;
}
