#include "havok/physics/maths/solid.h"

#include "base/error.h"

#include <math.h>

static lathe_result begin(hk_solid *s, hk_solid_kind kind, double radius, lathe_error *err)
{
    *s = (hk_solid){.kind = kind, .radius = radius, .turn = quat_identity()};
    if (isfinite(radius) && radius >= 0 && isfinite((float)radius))
        return LATHE_OK;
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a radius of %.9g", radius);
}

static bool is_finite(vec3 v)
{
    return isfinite((float)v.x) && isfinite((float)v.y) && isfinite((float)v.z);
}

static void grow(hk_solid *s)
{
    vec3 r = {s->radius, s->radius, s->radius};
    s->low = vec3_sub(s->low, r);
    s->high = vec3_add(s->high, r);
}

static void reach(vec3 *low, vec3 *high, vec3 p)
{
    *low = (vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
    *high = (vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
}

/* ---- hulls ------------------------------------------------------------------------------------------------ */

static vec3 vertex(const hk_solid *s, size_t i)
{
    const hk_convex_vertex *v = &s->convex.vertices[i];
    return (vec3){(double)v->x, (double)v->y, (double)v->z};
}

static void bounds_of_hull(hk_solid *s)
{
    s->low = s->high = vertex(s, 0);
    for (size_t i = 1; i < s->convex.vertex_count; i++)
        reach(&s->low, &s->high, vertex(s, i));
    grow(s);
}

lathe_result hk_solid_hull(hk_solid *s, const float *points, size_t count, double radius,
                           size_t most, const mem *m, lathe_error *err)
{
    hull_options options = {.max_vertices = most};
    hull h = {0};
    lathe_result r = begin(s, HK_SOLID_HULL, radius, err);
    if (r == LATHE_OK)
        r = hull_build(&h, points, count, &options, m, err);
    if (r != LATHE_OK)
        return r;
    r = hk_convex_of_hull(&s->convex, &h, err);
    if (r == LATHE_OK)
        r = hk_mass_of_hull(&s->mass, &h, radius, err);
    if (r == LATHE_OK)
        bounds_of_hull(s);
    hull_free(&h);
    return r;
}

lathe_result hk_solid_box(hk_solid *s, vec3 low, vec3 high, double radius, const mem *m,
                          lathe_error *err)
{
    lathe_result r = begin(s, HK_SOLID_HULL, radius, err);
    if (r != LATHE_OK)
        return r;
    if (!is_finite(low) || !is_finite(high))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a corner is not finite");
    r = hk_convex_of_box(&s->convex, low, high, m, err);
    if (r != LATHE_OK)
        return r;
    bounds_of_hull(s);
    s->mass = hk_mass_of_box(low, high, radius);
    return LATHE_OK;
}

/* ---- round ones ------------------------------------------------------------------------------------------- */

static lathe_result check_round(const hk_solid *s, lathe_error *err)
{
    if (!is_finite(s->a) || !is_finite(s->b))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "the centre is not finite");
    return s->radius > 0 ? LATHE_OK
                         : error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a radius of 0");
}

lathe_result hk_solid_sphere(hk_solid *s, vec3 center, double radius, const mem *m,
                             lathe_error *err)
{
    lathe_result r = begin(s, HK_SOLID_SPHERE, radius, err);
    s->a = s->b = s->low = s->high = center;
    if (r == LATHE_OK)
        r = check_round(s, err);
    if (r != LATHE_OK)
        return r;
    grow(s);
    s->mass = hk_mass_of_sphere(center, radius);
    return hk_convex_of_sphere(&s->convex, center, m, err);
}

lathe_result hk_solid_capsule(hk_solid *s, vec3 a, vec3 b, double radius, const mem *m,
                              lathe_error *err)
{
    lathe_result r = begin(s, HK_SOLID_CAPSULE, radius, err);
    s->a = s->low = s->high = a;
    s->b = b;
    if (r == LATHE_OK)
        r = check_round(s, err);
    if (r != LATHE_OK)
        return r;
    reach(&s->low, &s->high, b);
    grow(s);
    s->mass = hk_mass_of_capsule(a, b, radius);
    return hk_convex_of_capsule(&s->convex, a, b, radius, m, err);
}

/* ---- meshes and compounds --------------------------------------------------------------------------------- */

lathe_result hk_solid_mesh(hk_solid *s, const hk_mesh_source *source, const uint32_t *materials,
                           size_t material_count, const mem *m, hk_mesh_dropped *dropped,
                           lathe_error *err)
{
    lathe_result r = begin(s, HK_SOLID_MESH, 0, err);
    s->materials = materials;
    s->material_count = material_count;
    if (r == LATHE_OK)
        r = hk_mesh_build(source, m, &s->mesh, dropped, err);
    if (r != LATHE_OK)
        return r;
    const float *low = s->mesh.min, *high = s->mesh.max;
    s->low = (vec3){(double)low[0], (double)low[1], (double)low[2]};
    s->high = (vec3){(double)high[0], (double)high[1], (double)high[2]};
    s->mass = hk_mass_of_box(s->low, s->high, 0);
    return LATHE_OK;
}

static vec3 corner_of(vec3 low, vec3 high, size_t i)
{
    return (vec3){i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z};
}

/* What its box is made of without the shell: a point of the solid in its own space; false past the last. */
static bool extreme(const hk_solid *s, size_t i, vec3 *p)
{
    switch (s->kind) {
    case HK_SOLID_HULL:
    case HK_SOLID_SPHERE:
    case HK_SOLID_CAPSULE: /* of the box around its axis, too: so games' files have it */
        if (i >= s->convex.vertex_count)
            return false;
        *p = vertex(s, i);
        return true;
    default: *p = corner_of(s->low, s->high, i); return i < 8;
    }
}

void hk_solid_reach(const hk_solid *child, vec3 *low, vec3 *high)
{
    vec3 p, r = {child->radius, child->radius, child->radius};
    for (size_t i = 0; extreme(child, i, &p); i++) {
        p = vec3_add(quat_rotate(child->turn, p), child->move);
        if (!i)
            *low = *high = p;
        reach(low, high, p);
    }
    *low = vec3_sub(*low, r);
    *high = vec3_add(*high, r);
}

lathe_result hk_solid_compound(hk_solid *s, hk_solid *children, size_t count, lathe_error *err)
{
    lathe_result r = begin(s, HK_SOLID_COMPOUND, 0, err);
    s->children = children;
    s->count = count;
    if (r == LATHE_OK && (count < 1 || count > HK_COMPOUND_MOST))
        r = error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                      "a compound of %zu shapes: it has 1 to %d", count, HK_COMPOUND_MOST);
    for (size_t i = 0; r == LATHE_OK && i < count; i++) {
        vec3 low, high;
        hk_solid_reach(&children[i], &low, &high);
        if (!i)
            s->low = s->high = low;
        reach(&s->low, &s->high, low);
        reach(&s->low, &s->high, high);
    }
    if (r == LATHE_OK)
        s->mass = hk_mass_of_box(s->low, s->high, 0);
    return r;
}

void hk_solid_free(hk_solid *s)
{
    for (size_t i = 0; i < s->count; i++)
        hk_solid_free(&s->children[i]);
    hk_convex_free(&s->convex);
    hk_mesh_free(&s->mesh);
    s->count = 0;
}
