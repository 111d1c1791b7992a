#include "havok/physics/build/build.h"

#include "base/error.h"

#include <float.h>
#include <math.h>

static void put_vector(hk_values *v, hk_node *to, const char *name, vec3 p, double w)
{
    const double lanes[] = {p.x, p.y, p.z, w};
    hk_put_reals(v, to, name, lanes, 4);
}

static void put_turn(hk_values *v, hk_node *to, const char *name, quat q)
{
    const double lanes[] = {q.x, q.y, q.z, q.w};
    hk_put_reals(v, to, name, lanes, 4);
}

/* ---- what the root has ------------------------------------------------------------------------------------ */

static void put_material(hk_values *v, hk_node *system, const hk_body_plan *plan)
{
    hk_node *material = hk_put_table(v, hk_put_list(v, system, "materials"), NULL);
    hk_put_real(v, material, "dynamic_friction", plan->friction);
    hk_put_real(v, material, "static_friction", plan->friction);
    hk_put_real(v, material, "restitution", plan->restitution);
}

static void put_mass(hk_values *v, hk_node *motion, const hk_body_plan *plan)
{
    const hk_mass *mass = &plan->shape->mass;
    double density = plan->mass / mass->volume, inverse[4] = {0, 0, 0, 1};
    for (int i = 0; i < 3; i++)
        inverse[i] = 1 / (mass->inertia[i] * density);
    hk_put_int(v, motion, "motion_properties_id", 0);
    hk_put_real(v, motion, "inverse_mass", 1 / plan->mass);
    hk_put_real(v, motion, "mass_factor", density);
    hk_put_reals(v, motion, "inverse_inertia_local", inverse, 4);
}

/* What only animations move has the body's own place. */
static void put_motion(hk_values *v, hk_node *system, const hk_body_plan *plan)
{
    const hk_mass *mass = &plan->shape->mass;
    hk_node *motion = hk_put_table(v, hk_put_list(v, system, "motion_cinfos"), NULL);
    vec3 center = plan->position;
    quat axes = plan->orientation;
    if (plan->motion == HK_DYNAMIC) {
        put_mass(v, motion, plan);
        center = vec3_add(center, quat_rotate(axes, mass->center));
        axes = quat_normalize(quat_mul(axes, mass->axes));
    }
    put_vector(v, motion, "center_of_mass_world", center, 0);
    put_turn(v, motion, "orientation", axes);
}

static void put_body(hk_values *v, hk_node *system, const hk_body_plan *plan, int64_t shape)
{
    enum { DYNAMIC = 0x80 };
    hk_node *body = hk_put_table(v, hk_put_list(v, system, "body_cinfos"), NULL);
    hk_put_int(v, body, "shape", shape);
    hk_put_int(v, body, "motion_id", plan->motion == HK_STATIC ? 0x7FFFFFFF : 0);
    hk_put_int(v, body, "collision_filter_info", plan->filter);
    hk_put_int(v, body, "flags", plan->motion == HK_DYNAMIC ? DYNAMIC : 0);
    put_vector(v, body, "position", plan->position, 0);
    put_turn(v, body, "orientation", plan->orientation);
}

static void put_system(hk_builder *b, hk_node *system, const hk_body_plan *plan, int64_t shape)
{
    hk_values *v = &b->values;
    put_material(v, system, plan);
    if (plan->motion == HK_DYNAMIC)
        hk_put_table(v, hk_put_list(v, system, "motion_properties"), NULL); /* as all have them */
    if (plan->motion != HK_STATIC)
        put_motion(v, system, plan);
    put_body(v, system, plan, shape);
    hk_put_int(v, hk_put_list(v, system, "referenced_objects"), NULL, shape);
}

/* ---- the file --------------------------------------------------------------------------------------------- */

static bool put_bytes(void *user, const void *bytes, size_t n)
{
    return buf_put(user, bytes, n);
}

static lathe_result write(hk_builder *b, const mem *m, buf *out, lathe_error *err)
{
    lathe_source fields = hk_values_source(&b->values);
    lathe_options o = {.size = sizeof o, .alloc = m->fn, .alloc_user = m->user};
    lathe_doc *doc = NULL;
    if (b->values.failed)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    lathe_result r = lathe_doc_new("hkx", &fields, &o, &doc, err);
    if (r == LATHE_OK)
        r = lathe_doc_encode(doc, put_bytes, out, err);
    if (r == LATHE_ERR_IO) /* refused by a buffer */
        r = error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    lathe_doc_close(doc);
    return r;
}

lathe_result hk_body_build(const hk_body_plan *plan, const mem *m, buf *out, lathe_error *err)
{
    hk_builder b = {.filter = plan->filter};
    int64_t number;
    lathe_result r =
        plan->motion == HK_DYNAMIC ? hk_mass_check(&plan->shape->mass, plan->mass, err) : LATHE_OK;
    if (r != LATHE_OK)
        return r;
    hk_values_open(&b.values, m);
    hk_put_word(&b.values, b.values.top, "predicates", ""); /* systems have no such block */
    b.objects = hk_put_list(&b.values, b.values.top, "objects");
    hk_node *system = hk_build_object(&b, "hknpPhysicsSystemData", &number);
    put_system(&b, system, plan, hk_build_shape(&b, plan->shape));
    r = write(&b, m, out, err);
    hk_values_close(&b.values);
    return r;
}
