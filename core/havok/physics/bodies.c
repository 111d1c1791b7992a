/* Finding bodies and what belongs to them, and the rows that a body has. */
#include "havok/physics/bodies.h"

#include "havok/objects/objects.h"
#include "scene/hooks.h"

#include <float.h>
#include <math.h>

/* ---- members ----------------------------------------------------------------------------------------- */

lathe_result hk_get_real(const rec_at *at, const char *row, double *out, lathe_error *err)
{
    lathe_value v;
    uint32_t slot = rec_slot_find(at->layout, row);
    *out = 0;
    if (slot == REC_NO_SLOT)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no field '%s'", row);
    lathe_result r = rec_get(at, slot, false, &v, err);
    if (r == LATHE_OK && !rec_number(&v, out))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_STATE, "it is absent");
    return r;
}

static lathe_result set_value(const rec_at *at, const char *row, const lathe_value *v,
                              lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    if (slot == REC_NO_SLOT)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no field '%s'", row);
    return rec_set(at, slot, v, err);
}

lathe_result hk_set_real(const rec_at *at, const char *row, double value, lathe_error *err)
{
    const lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = value};
    return set_value(at, row, &v, err);
}

lathe_result hk_set_int(const rec_at *at, const char *row, int64_t value, lathe_error *err)
{
    const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = value};
    return set_value(at, row, &v, err);
}

static lathe_result vector_of(const rec_at *at, const char *row, rec_at *out, lathe_error *err)
{
    return rec_sub(at, rec_slot_find(at->layout, row), 0, out, err);
}

lathe_result hk_get_lanes(const rec_at *at, const char *row, uint32_t n, double *out,
                          lathe_error *err)
{
    rec_at vector;
    lathe_value v;
    lathe_result r = vector_of(at, row, &vector, err);
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++) {
        r = rec_get(&vector, i, false, &v, err);
        out[i] = 0;
        if (r == LATHE_OK)
            rec_number(&v, &out[i]);
    }
    return r;
}

lathe_result hk_set_lanes(const rec_at *at, const char *row, uint32_t n, const double *lanes,
                          lathe_error *err)
{
    rec_at vector;
    lathe_result r = vector_of(at, row, &vector, err);
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++) {
        const lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = lanes[i]};
        r = rec_set(&vector, i, &v, err);
    }
    return r;
}

/* ---- finding ----------------------------------------------------------------------------------------- */

bool hk_is_system(lathe_doc *doc, uint32_t part)
{
    const rec_layout *root = doc->parts[part].root;
    return root && (root->type == &hknp_physics_system_data || root->type == &hknp_ragdoll_data);
}

static bool cinfos_of(const rec_at *system, uint32_t *slot, rec_loc *loc)
{
    *slot = rec_slot_find(system->layout, "body_cinfos");
    return *slot != REC_NO_SLOT && rec_find(system, *slot, loc, NULL) == LATHE_OK && loc->present;
}

uint64_t hk_body_count(const rec_at *system)
{
    uint32_t slot;
    rec_loc loc;
    return cinfos_of(system, &slot, &loc) ? loc.count : 0;
}

lathe_result hk_body_in(const rec_at *system, uint64_t i, hk_body_of *out, lathe_error *err)
{
    uint32_t slot = rec_slot_find(system->layout, "body_cinfos");
    out->system = *system;
    out->number = i;
    return rec_sub(system, slot, i, &out->cinfo, err);
}

static const uint32_t *objects_of(lathe_doc *doc, uint32_t c, uint64_t *n)
{
    return hk_object_list(doc, c, n);
}

lathe_result hk_body_number(lathe_doc *doc, uint32_t c, uint64_t i, hk_body_of *out,
                            lathe_error *err)
{
    uint64_t n, before = 0;
    const uint32_t *objects = objects_of(doc, c, &n);
    for (uint64_t k = 0; k < n; k++) {
        if (!hk_is_system(doc, objects[k]))
            continue;
        rec_at system = hk_object(doc, objects[k]);
        uint64_t count = hk_body_count(&system);
        if (i - before < count)
            return hk_body_in(&system, i - before, out, err);
        before += count;
    }
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu bodies",
                     (unsigned long long)before);
}

uint64_t hk_body_total(lathe_doc *doc, uint32_t c)
{
    uint64_t n, total = 0;
    const uint32_t *objects = objects_of(doc, c, &n);
    for (uint64_t k = 0; k < n; k++) {
        rec_at system = hk_object(doc, objects[k]);
        total += hk_is_system(doc, objects[k]) ? hk_body_count(&system) : 0;
    }
    return total;
}

lathe_result hk_only_system(lathe_doc *doc, uint32_t c, rec_at *out, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint64_t n;
    uint32_t found = REC_NO_PART, others = 0;
    const uint32_t *objects = objects_of(doc, c, &n);
    for (uint64_t k = 0; k < n; k++) {
        if (!hk_is_system(doc, objects[k]))
            continue;
        others += found != REC_NO_PART;
        found = found == REC_NO_PART ? objects[k] : found;
    }
    if (found == REC_NO_PART || others)
        return rec_fail(&root, REC_NO_SLOT, root.off, err, LATHE_ERR_UNSUPPORTED,
                        others ? "it has several systems of bodies"
                               : "it has no hknpPhysicsSystemData that can be read");
    *out = hk_object(doc, found);
    if (!out->layout)
        return rec_no_memory(err);
    if (out->layout->type == &hknp_ragdoll_data)
        return rec_fail(out, REC_NO_SLOT, out->off, err, LATHE_ERR_UNSUPPORTED,
                        "a body of a ragdoll, which the others and its skeleton count on");
    return LATHE_OK;
}

/* Its number in the container, from 0. */
static uint64_t body_index(const hk_body_of *body)
{
    lathe_doc *doc = body->system.doc;
    uint64_t n, before = 0;
    const uint32_t *objects = objects_of(doc, body->system.layout->container, &n);
    for (uint64_t k = 0; k < n && objects[k] != body->system.part; k++) {
        rec_at system = hk_object(doc, objects[k]);
        before += hk_is_system(doc, objects[k]) ? hk_body_count(&system) : 0;
    }
    return before + body->number;
}

lathe_result hk_body_at(const rec_at *at, hk_body_of *out, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t n, i;
    if (hk_is_system(doc, at->part)) {
        rec_at system = hk_object(doc, at->part);
        if (hk_is_element(&system, "body_cinfos", at, &i))
            return hk_body_in(&system, i, out, err);
    }
    const uint32_t *objects = objects_of(doc, at->layout->container, &n);
    for (uint64_t k = 0; k < n; k++) { /* the array may lie in another object */
        rec_at system = hk_object(doc, objects[k]);
        if (hk_is_system(doc, objects[k]) && hk_is_element(&system, "body_cinfos", at, &i))
            return hk_body_in(&system, i, out, err);
    }
    return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "no body of a system");
}

static bool element(const rec_at *system, const char *array, int64_t i, rec_at *out)
{
    uint32_t slot = rec_slot_find(system->layout, array);
    rec_loc loc;
    return slot != REC_NO_SLOT && rec_find(system, slot, &loc, NULL) == LATHE_OK && loc.present &&
           i >= 0 && (uint64_t)i < loc.count &&
           rec_sub(system, slot, (uint64_t)i, out, NULL) == LATHE_OK;
}

bool hk_body_side_of(const hk_body_of *body, hk_body_side side, rec_at *out)
{
    rec_at motion;
    uint32_t part;
    switch (side) {
    case HK_SIDE_CINFO: *out = body->cinfo; return true;
    case HK_SIDE_MATERIAL:
        return element(&body->system, "materials", rec_int(&body->cinfo, "material_id"), out);
    case HK_SIDE_MOTION:
        return element(&body->system, "motion_cinfos", rec_int(&body->cinfo, "motion_id"), out);
    case HK_SIDE_PROPERTIES:
        return hk_body_side_of(body, HK_SIDE_MOTION, &motion) &&
               element(&body->system, "motion_properties", rec_int(&motion, "motion_properties_id"),
                       out);
    default:
        part = hk_target(&body->cinfo, "shape", 0);
        if (part == REC_NO_PART)
            return false;
        *out = hk_object(body->system.doc, part);
        return out->layout != NULL;
    }
}

/* ---- values ------------------------------------------------------------------------------------------ */

static lathe_result fail(const rec_at *at, const rec_field *row, lathe_error *err,
                         lathe_result code, const char *why)
{
    return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err, code, "%s",
                    why);
}

lathe_result hk_body_value(const rec_at *at, const rec_field *row, const lathe_value *value,
                           double low, double high, double *out, lathe_error *err)
{
    if (!rec_number(value, out))
        return fail(at, row, err, LATHE_ERR_TYPE, "a number expected");
    if (*out >= low && *out <= high)
        return LATHE_OK;
    return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err, LATHE_ERR_RANGE,
                    "%.9g is outside of %.9g .. %.9g", *out, low, high);
}

lathe_result hk_body_needs(const rec_at *at, const rec_field *row, hk_body_side side,
                           hk_body_of *body, rec_at *out, lathe_error *err)
{
    static const char *const missing[HK_SIDE_COUNT] = {
        [HK_SIDE_MATERIAL] = "its material is not there",
        [HK_SIDE_MOTION] = "a static body has none: set motion to dynamic first",
        [HK_SIDE_PROPERTIES] = "only dynamic bodies have it: set motion to dynamic first",
        [HK_SIDE_SHAPE] = "the body has no shape"};
    lathe_result r = hk_body_at(at, body, err);
    if (r == LATHE_OK && !hk_body_side_of(body, side, out))
        return fail(at, row, err, LATHE_ERR_UNSUPPORTED, missing[side]);
    return r;
}

/* ---- rows that are stored elsewhere ---------------------------------------------------------------------- */

/* A row of a body, the record that it lies in, and its name there; setting it may set a second one. */
static const struct {
    const char *name, *field, *also;
    hk_body_side side;
    double low;
} simple[] = {
    {"friction", "dynamic_friction", "static_friction", HK_SIDE_MATERIAL, 0},
    {"restitution", "restitution", NULL, HK_SIDE_MATERIAL, 0},
    {"linear_damping", "linear_damping", NULL, HK_SIDE_PROPERTIES, 0},
    {"angular_damping", "angular_damping", NULL, HK_SIDE_PROPERTIES, 0},
    {"max_linear_speed", "max_linear_speed", NULL, HK_SIDE_PROPERTIES, 0},
    {"max_angular_speed", "max_angular_speed", NULL, HK_SIDE_PROPERTIES, 0},
    {"gravity_factor", "gravity_factor", NULL, HK_SIDE_PROPERTIES, -FLT_MAX},
};

static size_t simple_of(const char *name)
{
    size_t k = 0;
    while (k < REC_COUNT_OF(simple) && strcmp(simple[k].name, name) != 0)
        k++;
    return k;
}

hk_body_side hk_body_row_side(const char *row)
{
    static const struct {
        const char *name;
        hk_body_side side;
    } others[] = {
        {"mass", HK_SIDE_MOTION},
        {"density", HK_SIDE_MOTION},
        {"motion", HK_SIDE_MOTION},
        {"material", HK_SIDE_SHAPE},
    };
    size_t k = simple_of(row);
    if (k < REC_COUNT_OF(simple))
        return simple[k].side;
    for (size_t i = 0; i < REC_COUNT_OF(others); i++)
        if (strcmp(others[i].name, row) == 0)
            return others[i].side;
    return HK_SIDE_CINFO;
}

lathe_result hk_body_get_simple(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    hk_body_of body;
    rec_at side;
    size_t k = simple_of(rec_row_name(row));
    lathe_result r = hk_body_at(at, &body, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK || !hk_body_side_of(&body, simple[k].side, &side))
        return r;
    out->kind = LATHE_KIND_REAL;
    return hk_get_real(&side, simple[k].field, &out->as.f, err);
}

lathe_result hk_body_set_simple(const rec_at *at, const rec_field *row, const lathe_value *value,
                                lathe_error *err)
{
    hk_body_of body;
    rec_at side;
    double number;
    size_t k = simple_of(rec_row_name(row));
    lathe_result r = hk_body_needs(at, row, simple[k].side, &body, &side, err);
    if (r == LATHE_OK)
        r = hk_body_value(at, row, value, simple[k].low, FLT_MAX, &number, err);
    if (r == LATHE_OK)
        r = hk_set_real(&side, simple[k].field, number, err);
    return r == LATHE_OK && simple[k].also ? hk_set_real(&side, simple[k].also, number, err) : r;
}

/* ---- what a body is, and whose ----------------------------------------------------------------------- */

lathe_result hk_body_get_source(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    hk_body_of body;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    out->kind = LATHE_KIND_RECORD;
    if (r == LATHE_OK)
        out->as.v = rec_view(&body.cinfo);
    return r;
}

lathe_result hk_body_get_shape(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    hk_body_of body;
    rec_at shape;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK || !hk_body_side_of(&body, HK_SIDE_SHAPE, &shape))
        return r;
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&shape);
    return r;
}

/* What the format around the packfile says. */
static lathe_result owner_of(const rec_at *at, lathe_view *out, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    hk_body_of body;
    uint32_t c = at->layout->container, outer = doc->containers[c].outer;
    *out = (lathe_view){0};
    if (outer == UINT32_MAX || !scene_of(doc->containers[outer].format)->body_owner)
        return LATHE_OK;
    lathe_result r = hk_body_at(at, &body, err);
    return r == LATHE_OK ? scene_of(doc->containers[outer].format)
                               ->body_owner(doc, c, body_index(&body), out, err)
                         : r;
}

lathe_result hk_body_get_node(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    lathe_view owner;
    (void)row;
    lathe_result r = owner_of(at, &owner, err);
    out->kind = LATHE_KIND_NONE;
    if (r == LATHE_OK && owner.doc) {
        out->kind = LATHE_KIND_RECORD;
        out->as.v = owner;
    }
    return r;
}

/* The owner's, or what the body itself is called. */
lathe_result hk_body_get_name(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    lathe_view owner;
    hk_body_of body;
    (void)row;
    lathe_result r = owner_of(at, &owner, err);
    if (r == LATHE_OK && owner.doc)
        return lathe_view_get(owner, "name", out, err);
    if (r == LATHE_OK)
        r = hk_body_at(at, &body, err);
    if (r == LATHE_OK)
        r = rec_get(&body.cinfo, rec_slot_find(body.cinfo.layout, "name"), false, out, err);
    if (r == LATHE_OK && out->kind != LATHE_KIND_STRING)
        out->kind = LATHE_KIND_NONE;
    return r;
}

lathe_result hk_body_set_name(const rec_at *at, const rec_field *row, const lathe_value *value,
                              lathe_error *err)
{
    lathe_view owner;
    hk_body_of body;
    rec_at to;
    uint32_t none;
    (void)row;
    lathe_result r = owner_of(at, &owner, err);
    if (r == LATHE_OK && owner.doc)
        r = rec_enter(&owner, &to, &none, err);
    else if (r == LATHE_OK) {
        r = hk_body_at(at, &body, err);
        to = body.cinfo;
    }
    return r == LATHE_OK ? rec_set_name(&to, "name", value, err) : r;
}

/* ---- hooks of the format --------------------------------------------------------------------------------- */

lathe_result hk_body_view(lathe_doc *doc, uint32_t c, uint64_t i, lathe_view *out, lathe_error *err)
{
    hk_body_of body;
    rec_at at;
    lathe_result r = hk_body_number(doc, c, i, &body, err);
    if (r == LATHE_OK)
        r = rec_sub(&body.cinfo, rec_slot_find(body.cinfo.layout, "body"), 0, &at, err);
    if (r == LATHE_OK)
        *out = rec_view(&at);
    return r;
}

lathe_result hk_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    return hk_body_view(doc, 0, i, out, err);
}
