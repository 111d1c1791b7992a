/* doc.materials: shaders and collision materials. */
#include "gen/nif_types.h"
#include "havok/physics/materials.h"
#include "model/material_name.h"
#include "nif/container/packfiles.h"
#include "nif/materials/materials.h"
#include "scene/list.h"

/* ---- names of collision materials --------------------------------------------------------------------- */

/* True if materials are hashes; older games use their own numbers. */
static bool hashed(const rec_at *at)
{
    return NIF_AT_B(at) >= NIF_SKYRIM;
}

static lathe_result decode(const rec_at *at, const rec_field *row, uint64_t raw, lathe_value *out,
                           lathe_error *err)
{
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_INT;
    out->as.i = (int64_t)raw;
    const char *name = hashed(at) ? model_material_name((uint32_t)raw) : NULL;
    if (name) {
        out->kind = LATHE_KIND_STRING;
        out->as.s.p = name;
        out->as.s.n = strlen(name);
    }
    return LATHE_OK;
}

static lathe_result encode(const rec_at *at, const rec_field *row, const lathe_value *v,
                           uint64_t *raw, lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    double number;
    *raw = 0;
    if (v->kind == LATHE_KIND_STRING && v->as.s.n && !hashed(at))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                        "a number expected: collision materials have names from Skyrim on");
    if (v->kind == LATHE_KIND_STRING && v->as.s.n) {
        *raw = model_material_read(v->as.s.p, v->as.s.n);
        return LATHE_OK;
    }
    if (v->kind == LATHE_KIND_NONE) /* the default */
        return LATHE_OK;
    if (!rec_number(v, &number) || number != (double)(int64_t)number)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a name or an integer expected");
    if (number < 0 || number > UINT32_MAX)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%.0f is outside of 0 .. %u",
                        number, (unsigned)UINT32_MAX);
    *raw = (uint64_t)number;
    return LATHE_OK;
}

const rec_codec nif_material_name = {.kind = LATHE_KIND_STRING, .decode = decode, .encode = encode};

/* ---- fields of the list's elements -------------------------------------------------------------------- */

lathe_result nif_shader_kind(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    static const char text[] = "shader";
    (void)row;
    return rec_text(at, text, sizeof text - 1, out, err);
}

lathe_result nif_collision_kind(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    static const char text[] = "collision";
    (void)row;
    return rec_text(at, text, sizeof text - 1, out, err);
}

lathe_result nif_collision_name(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    (void)row;
    return rec_get(at, rec_slot_find(at->layout, "material"), false, out, err);
}

lathe_result nif_material_source(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    rec_at block = nif_at(at->doc, at->part);
    (void)row;
    if (!block.layout)
        return rec_no_memory(err);
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&block);
    return LATHE_OK;
}

lathe_result nif_no_textures(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    (void)at;
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    return LATHE_OK;
}

/* ---- listing ------------------------------------------------------------------------------------------ */

static bool is_collision(const rec_type *type)
{
    return type == &nif_HavokMaterial || type == &nif_CMSMaterial;
}

/* True if records of a type contain collision materials: other blocks are skipped. */
bool nif_has_collision(const rec_type *type)
{
    for (uint32_t i = 0; i < rec_row_count(type); i++) {
        const rec_type *of = rec_row_type(rec_row(type, i));
        if (of && (is_collision(of) || of == &nif_SubPart))
            return true;
    }
    return false;
}

static lathe_result put(void *user, const rec_at *at, lathe_error *err)
{
    return scene_list_add(user, at, err);
}

/* Visits a record and those in it, to a limited depth. */
static lathe_result each_in(const rec_at *at, int depth, nif_collision_each *each, void *user,
                            lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(at, slot);
        rec_loc loc;
        rec_at sub;
        if (!s->row->type || rec_unstored(s->row) || s->never || depth > 1 ||
            !(is_collision(rec_row_type(s->row)) || rec_row_type(s->row) == &nif_SubPart))
            continue;
        r = rec_find(at, slot, &loc, err);
        uint64_t n = r != LATHE_OK || !loc.present ? 0 : s->array ? loc.count : 1;
        for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
            r = rec_sub(at, slot, i, &sub, err);
            if (r == LATHE_OK)
                r = is_collision(sub.layout->type) ? each(user, &sub, err)
                                                   : each_in(&sub, depth + 1, each, user, err);
        }
    }
    return r;
}

lathe_result nif_each_collision(const rec_at *at, nif_collision_each *each, void *user,
                                lathe_error *err)
{
    return each_in(at, 0, each, user, err);
}

static bool is_shader(const rec_type *type)
{
    return rec_is_a(type, &nif_BSShaderProperty) || rec_is_a(type, &nif_NiTexturingProperty);
}

static lathe_result put_block(buf *list, lathe_doc *doc, uint32_t part, lathe_error *err)
{
    lathe_error why = {.code = LATHE_OK};
    const rec_type *type = nif_part_type(doc, part);
    uint32_t packfile =
        rec_is_a(type, &nif_bhkSystem) ? nif_packfile_of(doc, part, &why) : REC_NO_PART;
    if (packfile == REC_NO_PART && why.code == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    if (packfile != REC_NO_PART)
        return hk_list_materials(doc, doc->parts[packfile].container, list, err);
    bool shader = is_shader(type);
    if (!shader && !nif_has_collision(type))
        return LATHE_OK;
    rec_at block = nif_at(doc, part);
    if (!block.layout)
        return rec_no_memory(err);
    if (rec_opaque(doc, part, &why))
        return why.code == LATHE_ERR_MEMORY ? rec_no_memory(err) : LATHE_OK;
    return shader ? put(list, &block, err) : nif_each_collision(&block, put, list, err);
}

static lathe_result list_all(lathe_doc *doc, buf *list, lathe_error *err)
{
    lathe_result r = nif_open_packfiles(doc) ? LATHE_OK : rec_no_memory(err);
    for (uint64_t k = 0, n = nif_total(doc, 0); r == LATHE_OK && k < n; k++)
        r = put_block(list, doc, nif_block(doc, 0, k), err);
    return r;
}

static const scene_list materials = SCENE_LIST(list_all, "materials");

lathe_result nif_material_count(lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    return scene_list_count(&materials, doc, n, err);
}

lathe_result nif_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    return scene_list_item(&materials, doc, i, out, err);
}

/* Older shaders have no body, and newer ones none if a material file contains everything. */
lathe_result nif_material_look(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    lathe_view material;
    bool present = true;
    lathe_result r = nif_material(doc, i, &material, err);
    if (r != LATHE_OK || !is_shader(((const rec_layout *)material.type)->type))
        return r;
    rec_at block = nif_at(doc, material.part), at = block;
    if (!block.layout)
        return rec_no_memory(err);
    uint32_t body = rec_slot_find(block.layout, "body");
    if (body != REC_NO_SLOT)
        r = rec_present(&block, body, &present, err);
    if (r == LATHE_OK && present && body != REC_NO_SLOT)
        r = rec_sub(&block, body, 0, &at, err);
    if (r == LATHE_OK && present)
        *out = rec_view(&at);
    return r;
}
