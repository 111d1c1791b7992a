/* What collision is made of, by name: a row beside the stored number. Reference: formats/fo4-collision.md#3.7. */
#include "havok/physics/materials.h"
#include "model/material_name.h"
#include "scene/list.h"

#include <math.h>

/* ---- rows ------------------------------------------------------------------------------------------------ */

uint32_t hk_material_slot(const rec_at *at)
{
    uint32_t slot = rec_slot_find(at->layout, "material_id");
    return slot == REC_NO_SLOT ? rec_slot_find(at->layout, "user_data") : slot;
}

lathe_result hk_material_get(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    uint64_t raw;
    (void)row;
    lathe_result r = rec_raw(at, hk_material_slot(at), 0, &raw, err);
    if (r != LATHE_OK)
        return r;
    const char *name = raw <= UINT32_MAX ? model_material_name((uint32_t)raw) : NULL;
    if (name)
        return rec_text(at, name, strlen(name), out, err);
    *out = (lathe_value){.kind = LATHE_KIND_UINT, .as.u = raw};
    return LATHE_OK;
}

lathe_result hk_material_set(const rec_at *at, const rec_field *row, const lathe_value *value,
                             lathe_error *err)
{
    lathe_value v = *value;
    double number;
    if (v.kind == LATHE_KIND_STRING && v.as.s.n)
        v = (lathe_value){.kind = LATHE_KIND_UINT,
                          .as.u = model_material_read(value->as.s.p, value->as.s.n)};
    else if (!rec_number(&v, &number))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "a name or an integer expected");
    return rec_set(at, hk_material_slot(at), &v, err);
}

lathe_result hk_material_kind(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    static const char text[] = "collision";
    (void)row;
    return rec_text(at, text, sizeof text - 1, out, err);
}

lathe_result hk_material_source(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    rec_at object = hk_object(at->doc, at->part);
    (void)row;
    if (!object.layout)
        return rec_no_memory(err);
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&object);
    return LATHE_OK;
}

lathe_result hk_material_textures(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err)
{
    (void)at;
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    return LATHE_OK;
}

bool hk_material_number(const lathe_value *value, uint32_t *id)
{
    double number;
    if (value->kind == LATHE_KIND_STRING && value->as.s.n) {
        *id = model_material_read(value->as.s.p, value->as.s.n);
        return true;
    }
    if (!rec_number(value, &number) || number != floor(number) || number < 0 || number > UINT32_MAX)
        return false;
    *id = (uint32_t)number;
    return true;
}

/* ---- all of a packfile --------------------------------------------------------------------------------------- */

static bool is_shape(const rec_layout *layout)
{
    uint32_t slot = rec_slot_find(layout, "material"); /* of a rigid body it is stored */
    return rec_slot_find(layout, "user_data") != REC_NO_SLOT && slot != REC_NO_SLOT &&
           layout->slots[slot].row->kind == REC_COMPUTED;
}

static lathe_result each_entry(const rec_at *surfaces, hk_material_each *each, void *user,
                               lathe_error *err)
{
    rec_at one;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && hk_surface(surfaces, i, &one); i++)
        r = each(user, &one, err);
    return r;
}

/* Shapes of Skyrim's packfiles are of none, but for those that were given one. */
static bool has_material(const rec_at *object)
{
    uint64_t raw;
    if (!is_shape(object->layout))
        return false;
    return !hk_is(object, "hkpShape") ||
           (rec_raw(object, hk_material_slot(object), 0, &raw, NULL) == LATHE_OK && raw);
}

lathe_result hk_each_material(lathe_doc *doc, uint32_t c, hk_material_each *each, void *user,
                              lathe_error *err)
{
    uint64_t n;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at object = hk_object(doc, objects[i]);
        if (!object.layout)
            return rec_no_memory(err);
        if (object.layout->type == &hknp_bs_material_properties)
            r = each_entry(&object, each, user, err);
        else if (has_material(&object))
            r = each(user, &object, err);
    }
    return r;
}

static lathe_result put(void *user, const rec_at *at, lathe_error *err)
{
    return scene_list_add(user, at, err);
}

lathe_result hk_list_materials(lathe_doc *doc, uint32_t c, buf *list, lathe_error *err)
{
    return hk_each_material(doc, c, put, list, err);
}

static lathe_result list_all(lathe_doc *doc, buf *list, lathe_error *err)
{
    return hk_list_materials(doc, 0, list, err);
}

static const scene_list materials = SCENE_LIST(list_all, "materials");

lathe_result hk_material_count(lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    return scene_list_count(&materials, doc, n, err);
}

lathe_result hk_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    return scene_list_item(&materials, doc, i, out, err);
}

/* ---- one by another ------------------------------------------------------------------------------------------ */

static lathe_result replace(void *user, const rec_at *at, lathe_error *err)
{
    hk_rule *rule = user;
    uint64_t raw;
    uint32_t slot = hk_material_slot(at), becomes;
    lathe_result r = rec_raw(at, slot, 0, &raw, err);
    if (r != LATHE_OK || raw > UINT32_MAX)
        return r;
    r = hk_rule_number(rule, (uint32_t)raw, true, &at->doc->mem, &becomes, err);
    if (r != LATHE_OK || becomes == raw)
        return r;
    const lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = becomes};
    r = rec_set(at, slot, &v, err);
    if (r == LATHE_OK && rule->report)
        rule->report->changed++;
    return r;
}

lathe_result hk_replace_material(lathe_doc *doc, uint32_t c, hk_rule *rule, lathe_error *err)
{
    return hk_each_material(doc, c, replace, rule, err);
}
