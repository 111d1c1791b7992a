/* How a body moves, and what its motion has of its shape: formats/fo4-collision.md#2.3, #4.5. Each body that moves
 * has a motion of its own, each that forces move motion properties of its own; what nobody has any more goes. So it
 * is in all games' files. */
#include "havok/objects/objects.h"
#include "havok/physics/shapes.h"
#include "havok/physics/stored_mass.h"
#include "havok/physics/take_out.h"
#include "record/build.h"
#include "scene/hooks.h"

#include <string.h>

typedef enum motion_kind { STATIC, KEYFRAMED, DYNAMIC, KINDS } motion_kind;
static const char *const words[] = {"static", "keyframed", "dynamic"};

enum { MOVED_BY_FORCES = 0x80, RAGDOLL = 0x10000, STATIC_LAYER = 1 };

static motion_kind kind_of(const hk_body_of *body)
{
    rec_at motion;
    double inverse;
    if (!hk_body_side_of(body, HK_SIDE_MOTION, &motion))
        return STATIC;
    return hk_has_mass(&motion, &inverse) ? DYNAMIC : KEYFRAMED;
}

lathe_result hk_get_motion(const rec_at *at, const rec_field *row, lathe_value *out,
                           lathe_error *err)
{
    hk_body_of body;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    if (r != LATHE_OK)
        return r;
    const char *word = words[kind_of(&body)];
    return rec_text(at, word, strlen(word), out, err);
}

/* ---- rows of its own ------------------------------------------------------------------------------------- */

/* Lists before it grew or shrank: it lies elsewhere. */
static lathe_result find_again(hk_body_of *body, lathe_error *err)
{
    rec_at system = hk_object(body->system.doc, body->system.part);
    return hk_body_in(&system, body->number, body, err);
}

/* A new last element, as a file has it that nobody changed. Its number. */
static lathe_result append(const rec_at *system, const char *list, int64_t *number,
                           lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(system->layout, list);
    lathe_result r = rec_find_present(system, slot, &loc, err);
    *number = r == LATHE_OK ? (int64_t)loc.count : 0;
    return r == LATHE_OK ? rec_insert(system, slot, loc.count, 1, NULL, 0, err) : r;
}

static lathe_result element(const rec_at *system, const char *list, int64_t i, rec_at *out,
                            lathe_error *err)
{
    return rec_sub(system, rec_slot_find(system->layout, list), (uint64_t)i, out, err);
}

/* A motion that no other body has: what it says of others' stays as it is. */
static lathe_result own_motion(hk_body_of *body, rec_at *motion, lathe_error *err)
{
    rec_at old;
    int64_t was = rec_int(&body->cinfo, "motion_id"), number;
    bool has = hk_body_side_of(body, HK_SIDE_MOTION, motion);
    if (has && !hk_motion_is_shared(&body->system, was))
        return LATHE_OK;
    lathe_result r = append(&body->system, "motion_cinfos", &number, err);
    if (r == LATHE_OK)
        r = find_again(body, err);
    if (r == LATHE_OK)
        r = hk_set_int(&body->cinfo, "motion_id", number, err);
    if (r == LATHE_OK)
        r = element(&body->system, "motion_cinfos", number, motion, err);
    if (r == LATHE_OK && has)
        r = element(&body->system, "motion_cinfos", was, &old, err);
    return r == LATHE_OK && has ? rec_copy(motion, &old, err) : r;
}

static lathe_result add_properties(hk_body_of *body, lathe_error *err)
{
    rec_at motion;
    int64_t number;
    lathe_result r = append(&body->system, "motion_properties", &number, err);
    if (r == LATHE_OK)
        r = find_again(body, err);
    if (r != LATHE_OK || !hk_body_side_of(body, HK_SIDE_MOTION, &motion))
        return r;
    return hk_set_int(&motion, "motion_properties_id", number, err);
}

/* ---- what a motion has of the shape ------------------------------------------------------------------------ */

static lathe_result mass_of_shape(const hk_body_of *body, hk_mass *mass, lathe_error *err)
{
    rec_at shape;
    if (!hk_body_side_of(body, HK_SIDE_SHAPE, &shape))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the body has no shape, so no mass");
    return hk_stored_mass(&shape, mass, err);
}

/* Of what only animations move, where the body itself is; else where its mass is. */
static lathe_result put_place(const hk_body_of *body, const rec_at *motion, const hk_mass *mass,
                              lathe_error *err)
{
    double p[3] = {0}, q[4] = {0};
    lathe_result r = hk_get_lanes(&body->cinfo, "position", 3, p, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(&body->cinfo, "orientation", 4, q, err);
    if (r != LATHE_OK)
        return r;
    quat turn = quat_normalize((quat){q[0], q[1], q[2], q[3]});
    if (mass) {
        vec3 c = vec3_add((vec3){p[0], p[1], p[2]}, quat_rotate(turn, mass->center));
        quat axes = quat_normalize(quat_mul(turn, mass->axes));
        memcpy(p, (double[]){c.x, c.y, c.z}, sizeof p);
        memcpy(q, (double[]){axes.x, axes.y, axes.z, axes.w}, sizeof q);
    }
    r = hk_set_lanes(motion, "center_of_mass_world", 3, p, err);
    return r == LATHE_OK ? hk_set_lanes(motion, "orientation", 4, q, err) : r;
}

static lathe_result put_mass(const rec_at *motion, const hk_mass *mass, double kg, lathe_error *err)
{
    double density = kg / mass->volume, inverse[4] = {0, 0, 0, 1};
    lathe_result r = hk_mass_check(mass, kg, err);
    if (r != LATHE_OK)
        return r;
    for (int i = 0; i < 3; i++)
        inverse[i] = 1 / (mass->inertia[i] * density);
    r = hk_set_real(motion, "inverse_mass", 1 / kg, err);
    if (r == LATHE_OK)
        r = hk_set_real(motion, "mass_factor", density, err);
    return r == LATHE_OK ? hk_set_lanes(motion, "inverse_inertia_local", 4, inverse, err) : r;
}

static lathe_result put_no_mass(const rec_at *motion, lathe_error *err)
{
    static const double none[4] = {0};
    lathe_result r = hk_set_real(motion, "inverse_mass", 0, err);
    if (r == LATHE_OK)
        r = hk_set_real(motion, "mass_factor", 1, err);
    return r == LATHE_OK ? hk_set_lanes(motion, "inverse_inertia_local", 4, none, err) : r;
}

/* ---- becoming something else --------------------------------------------------------------------------------- */

static lathe_result put_flags(const hk_body_of *body, bool forces, lathe_error *err)
{
    int64_t flags = rec_int(&body->cinfo, "flags") & ~(int64_t)(MOVED_BY_FORCES | RAGDOLL);
    if (forces)
        flags |= MOVED_BY_FORCES;
    if (forces && body->system.layout->type == &hknp_ragdoll_data)
        flags |= RAGDOLL;
    return hk_set_int(&body->cinfo, "flags", flags, err);
}

static lathe_result make_static(hk_body_of *body, lathe_error *err)
{
    const lathe_value layer = {.kind = LATHE_KIND_INT, .as.i = STATIC_LAYER};
    rec_at at;
    int64_t was = rec_int(&body->cinfo, "motion_id");
    lathe_result r = hk_set_int(&body->cinfo, "motion_id", HK_NO_MOTION, err);
    if (r == LATHE_OK)
        r = put_flags(body, false, err);
    if (r == LATHE_OK)
        r = rec_sub(&body->cinfo, rec_slot_find(body->cinfo.layout, "body"), 0, &at, err);
    if (r == LATHE_OK)
        r = rec_set(&at, rec_slot_find(at.layout, "layer"), &layer, err);
    return r == LATHE_OK ? hk_drop_motion(&body->system, was, err) : r;
}

static lathe_result make_keyframed(hk_body_of *body, lathe_error *err)
{
    rec_at motion;
    lathe_result r = own_motion(body, &motion, err);
    if (r == LATHE_OK)
        r = put_place(body, &motion, NULL, err);
    if (r == LATHE_OK)
        r = put_no_mass(&motion, err);
    if (r == LATHE_OK)
        r = put_flags(body, false, err);
    if (r != LATHE_OK)
        return r;
    int64_t was = rec_int(&motion, "motion_properties_id");
    r = hk_set_int(&motion, "motion_properties_id", HK_NO_PROPERTIES, err);
    return r == LATHE_OK ? hk_drop_properties(&body->system, was, err) : r;
}

static lathe_result tell_container(const hk_body_of *body, lathe_error *err)
{
    lathe_doc *doc = body->system.doc;
    uint32_t c = body->system.layout->container, outer = doc->containers[c].outer;
    if (outer == UINT32_MAX || !scene_of(doc->containers[outer].format)->body_moves)
        return LATHE_OK;
    return scene_of(doc->containers[outer].format)->body_moves(doc, c, err);
}

static lathe_result make_dynamic(hk_body_of *body, lathe_error *err)
{
    rec_at motion, properties;
    hk_mass mass;
    lathe_result r = mass_of_shape(body, &mass, err);
    if (r == LATHE_OK)
        r = own_motion(body, &motion, err);
    if (r == LATHE_OK)
        r = put_place(body, &motion, &mass, err);
    if (r == LATHE_OK)
        r = put_mass(&motion, &mass, HK_DYNAMIC_MASS, err);
    if (r == LATHE_OK)
        r = put_flags(body, true, err);
    if (r == LATHE_OK && !hk_body_side_of(body, HK_SIDE_PROPERTIES, &properties))
        r = add_properties(body, err);
    return r == LATHE_OK ? tell_container(body, err) : r;
}

lathe_result hk_set_motion(const rec_at *at, const rec_field *row, const lathe_value *value,
                           lathe_error *err)
{
    static lathe_result (*const make[])(hk_body_of *, lathe_error *) = {make_static, make_keyframed,
                                                                        make_dynamic};
    hk_body_of body;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    int to = 0;
    lathe_result r = hk_body_at(at, &body, err);
    if (r != LATHE_OK)
        return r;
    if (value->kind != LATHE_KIND_STRING)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a string expected");
    while (to < KINDS && !rec_text_is(value, words[to]))
        to++;
    if (to == KINDS)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "static, keyframed or dynamic expected");
    return kind_of(&body) == (motion_kind)to ? LATHE_OK : make[to](&body, err);
}

/* ---- another shape ----------------------------------------------------------------------------------------- */

/* Mass stays what it is. */
static lathe_result refit(hk_body_of *body, lathe_error *err)
{
    rec_at motion;
    hk_mass mass;
    double inverse = 0;
    if (kind_of(body) != DYNAMIC)
        return LATHE_OK;
    lathe_result r = mass_of_shape(body, &mass, err);
    if (r == LATHE_OK)
        r = own_motion(body, &motion, err);
    if (r == LATHE_OK)
        r = put_place(body, &motion, &mass, err);
    if (r == LATHE_OK && hk_has_mass(&motion, &inverse))
        r = put_mass(&motion, &mass, hk_mass_from(inverse), err);
    return r;
}

/* The list of shapes has the new one in the old one's place, unless others need that. */
static lathe_result refer(const rec_at *system, uint32_t was, const lathe_value *shape,
                          lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(system->layout, "referenced_objects");
    lathe_result r = rec_find_present(system, slot, &loc, err);
    uint64_t i = r == LATHE_OK && !hk_reference_spare(system, was, UINT64_MAX) ? loc.count : 0;
    while (r == LATHE_OK && i < loc.count && hk_target(system, "referenced_objects", i) != was)
        i++;
    if (r == LATHE_OK && i == loc.count)
        r = rec_insert(system, slot, i, 1, NULL, 0, err);
    return r == LATHE_OK ? rec_set_item(system, slot, i, shape, err) : r;
}

lathe_result hk_set_shape(const rec_at *at, const rec_field *row, const lathe_value *value,
                          lathe_error *err)
{
    hk_body_of body;
    uint32_t was, slot = rec_slot_find(at->layout, rec_row_name(row));
    lathe_result r = hk_body_at(at, &body, err);
    if (r == LATHE_OK && value->kind != LATHE_KIND_RECORD)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a shape expected");
    if (r != LATHE_OK)
        return r;
    was = hk_target(&body.cinfo, "shape", 0);
    r = rec_set(&body.cinfo, rec_slot_find(body.cinfo.layout, "shape"), value, err);
    if (r != LATHE_OK || hk_target(&body.cinfo, "shape", 0) == was)
        return r;
    r = refer(&body.system, was, value, err);
    if (r == LATHE_OK)
        r = find_again(&body, err);
    return r == LATHE_OK ? refit(&body, err) : r;
}
