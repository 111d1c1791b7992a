/* What a body is made of and what it collides with, which its shapes say, too: formats/fo4-collision.md#4.2,
 * #4.3. */
#include "havok/physics/shapes.h"
#include "model/material_name.h"

#include <math.h>

/* ---- layer and filter ------------------------------------------------------------------------------------ */

static lathe_result put_filter(void *user, const rec_at *shape, lathe_error *err)
{
    const int64_t *filter = user;
    rec_at surfaces, one;
    lathe_result r = LATHE_OK;
    if (!hk_surfaces_of(shape, &surfaces))
        return LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && hk_surface(&surfaces, i, &one); i++)
        r = hk_set_int(&one, "collision_filter_info", *filter, err);
    return r;
}

static lathe_result set_filter(const hk_body_of *body, int64_t filter, lathe_error *err)
{
    lathe_result r = hk_set_int(&body->cinfo, "collision_filter_info", filter, err);
    return r == LATHE_OK ? hk_each_shape(body, put_filter, &filter, err) : r;
}

lathe_result hk_get_filter(const rec_at *at, const rec_field *row, lathe_value *out,
                           lathe_error *err)
{
    hk_body_of body;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    out->kind = LATHE_KIND_INT;
    if (r == LATHE_OK)
        out->as.i = rec_int(&body.cinfo, "collision_filter_info");
    return r;
}

lathe_result hk_set_filter(const rec_at *at, const rec_field *row, const lathe_value *value,
                           lathe_error *err)
{
    hk_body_of body;
    double bits;
    lathe_result r = hk_body_at(at, &body, err);
    if (r == LATHE_OK)
        r = hk_body_value(at, row, value, 0, UINT32_MAX, &bits, err);
    if (r == LATHE_OK && bits != floor(bits))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "an integer expected");
    return r == LATHE_OK ? set_filter(&body, (int64_t)bits, err) : r;
}

static uint32_t layer_slot(const hk_body_of *body)
{
    return rec_slot_find(body->cinfo.layout, "layer");
}

lathe_result hk_get_layer(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
{
    hk_body_of body;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    return r == LATHE_OK ? rec_get(&body.cinfo, layer_slot(&body), false, out, err) : r;
}

lathe_result hk_set_layer(const rec_at *at, const rec_field *row, const lathe_value *value,
                          lathe_error *err)
{
    hk_body_of body;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    if (r == LATHE_OK)
        r = rec_set(&body.cinfo, layer_slot(&body), value, err);
    return r == LATHE_OK ? set_filter(&body, rec_int(&body.cinfo, "collision_filter_info"), err)
                         : r;
}

/* ---- materials ------------------------------------------------------------------------------------------- */

typedef struct found {
    bool any, several;
    uint32_t id;
} found;

static void take(found *f, int64_t id)
{
    if (f->any && f->id != (uint32_t)id)
        f->several = true;
    f->any = true;
    f->id = (uint32_t)id;
}

/* A compound is of what its children are, a mesh of what its triangles are. */
static lathe_result take_shape(void *user, const rec_at *shape, lathe_error *err)
{
    rec_at surfaces, one;
    bool mesh = shape->layout->type == &hknp_compressed_mesh_shape;
    (void)err;
    if (rec_slot_find(shape->layout, "user_data") == REC_NO_SLOT)
        ((found *)user)->several = true; /* nobody knows of what it is */
    if (shape->layout->type == &hknp_dynamic_compound_shape || ((found *)user)->several)
        return LATHE_OK;
    if (!mesh || !hk_surfaces_of(shape, &surfaces) || !hk_surface(&surfaces, 0, &one)) {
        take(user, rec_int(shape, "user_data"));
        return LATHE_OK;
    }
    for (uint64_t i = 0; hk_surface(&surfaces, i, &one); i++)
        take(user, rec_int(&one, "material_id"));
    return LATHE_OK;
}

lathe_result hk_get_surface(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    hk_body_of body;
    found f = {0};
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    if (r == LATHE_OK)
        r = hk_each_shape(&body, take_shape, &f, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK || !f.any || f.several)
        return r;
    const char *name = model_material_name(f.id);
    if (name)
        return rec_text(at, name, strlen(name), out, err);
    out->kind = LATHE_KIND_INT;
    out->as.i = f.id;
    return LATHE_OK;
}

static lathe_result put_surface(void *user, const rec_at *shape, lathe_error *err)
{
    const int64_t *id = user;
    rec_at surfaces, one;
    if (rec_slot_find(shape->layout, "user_data") == REC_NO_SLOT)
        return rec_fail(shape, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "a shape of an unknown class: lathe does not know where its material is");
    uint64_t upper = (uint64_t)rec_int(shape, "user_data") & ~(uint64_t)UINT32_MAX;
    const lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = upper | (uint64_t)*id};
    lathe_result r = rec_set(shape, rec_slot_find(shape->layout, "user_data"), &v, err);
    if (r != LATHE_OK || !hk_surfaces_of(shape, &surfaces))
        return r;
    for (uint64_t i = 0; r == LATHE_OK && hk_surface(&surfaces, i, &one); i++)
        r = hk_set_int(&one, "material_id", *id, err);
    return r;
}

lathe_result hk_set_surface(const rec_at *at, const rec_field *row, const lathe_value *value,
                            lathe_error *err)
{
    hk_body_of body;
    rec_at shape;
    double number;
    int64_t id;
    lathe_result r = hk_body_needs(at, row, HK_SIDE_SHAPE, &body, &shape, err);
    if (r == LATHE_OK && value->kind == LATHE_KIND_STRING) {
        id = model_material_read(value->as.s.p, value->as.s.n);
        return hk_each_shape(&body, put_surface, &id, err);
    }
    if (r == LATHE_OK && (!rec_number(value, &number) || number != floor(number)))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "a name or an integer expected");
    if (r == LATHE_OK)
        r = hk_body_value(at, row, value, 0, UINT32_MAX, &number, err);
    if (r != LATHE_OK)
        return r;
    id = (int64_t)number;
    return hk_each_shape(&body, put_surface, &id, err);
}
