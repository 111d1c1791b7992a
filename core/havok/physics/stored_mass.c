#include "havok/physics/stored_mass.h"

#include "havok/objects/objects.h"
#include "havok/physics/convex.h"
#include "havok/physics/shapes.h"

/* Nothing of a vector that is not there: it is read as zeros, and what comes of them is refused. */
static vec3 point(const rec_at *at, const char *row)
{
    double p[3] = {0};
    hk_get_lanes(at, row, 3, p, NULL);
    return (vec3){p[0], p[1], p[2]};
}

static bool is_a(const rec_at *shape, const rec_type *type)
{
    return shape->layout && shape->layout->type == type;
}

/* ---- hulls ----------------------------------------------------------------------------------------------- */

static lathe_result read_mass(const rec_at *properties, hk_mass *out, lathe_error *err)
{
    double inertia[3] = {0}, axes[4] = {0};
    lathe_result r = hk_get_real(properties, "volume", &out->volume, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(properties, "inertia", 3, inertia, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(properties, "major_axis_space", 4, axes, err);
    for (int i = 0; i < 3; i++)
        out->inertia[i] = inertia[i];
    out->axes = quat_normalize((quat){axes[0], axes[1], axes[2], axes[3]});
    out->center = point(properties, "center_of_mass");
    return r;
}

static lathe_result weigh_points(const rec_at *shape, const bytes_array *vertices, hk_mass *out,
                                 lathe_error *err)
{
    lathe_doc *doc = shape->doc;
    hull h = {0};
    size_t n = (size_t)vertices->count, size = n * 3 * sizeof(float);
    bool big = doc->containers[shape->layout->container].big;
    float *points = mem_alloc(&doc->mem, size);
    if (!points)
        return rec_no_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            points[3 * i + k] =
                (float)bytes_f32_widen(bytes_ld32(vertices->bytes + 16 * i + 4 * k, big));
    lathe_result r = hull_build(&h, points, n, NULL, &doc->mem, err);
    mem_free(&doc->mem, points, size);
    if (r == LATHE_OK)
        r = hk_mass_of_hull(out, &h, hk_number(shape, "convex_radius"), err);
    hull_free(&h);
    return r;
}

static lathe_result weigh_hull(const rec_at *shape, hk_mass *out, lathe_error *err)
{
    rec_at properties;
    bytes_array vertices;
    if (hk_property_of(shape, &hknp_shape_mass_properties, &properties))
        return read_mass(&properties, out, err);
    lathe_result r = hk_array_of(shape, "vertices", &vertices, err);
    if (r == LATHE_OK && !vertices.count)
        return rec_fail(shape, REC_NO_SLOT, 0, err, LATHE_ERR_INVALID, "a hull without corners");
    return r == LATHE_OK ? weigh_points(shape, &vertices, out, err) : r;
}

/* ---- the others -------------------------------------------------------------------------------------------- */

static lathe_result weigh_sphere(const rec_at *shape, hk_mass *out, lathe_error *err)
{
    double center[3] = {0};
    rec_at first;
    lathe_result r = rec_sub(shape, rec_slot_find(shape->layout, "vertices"), 0, &first, err);
    static const char *const lanes[] = {"x", "y", "z"};
    for (int k = 0; r == LATHE_OK && k < 3; k++)
        r = hk_get_real(&first, lanes[k], &center[k], err);
    if (r == LATHE_OK)
        *out = hk_mass_of_sphere((vec3){center[0], center[1], center[2]},
                                 hk_number(shape, "convex_radius"));
    return r;
}

static lathe_result weigh_box(const rec_at *at, const char *row, hk_mass *out, lathe_error *err)
{
    rec_at box;
    lathe_result r = rec_sub(at, rec_slot_find(at->layout, row), 0, &box, err);
    if (r != LATHE_OK)
        return r;
    *out = hk_mass_of_box(point(&box, "min"), point(&box, "max"), 0);
    return LATHE_OK;
}

static lathe_result refuse_mesh(void *user, const rec_at *shape, lathe_error *err)
{
    (void)user;
    if (!is_a(shape, &hknp_compressed_mesh_shape))
        return LATHE_OK;
    return rec_fail(shape, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                    "a mesh has no mass, so it cannot be dynamic: a hull, sphere, capsule, or a "
                    "compound of these can");
}

lathe_result hk_stored_mass(const rec_at *shape, hk_mass *out, lathe_error *err)
{
    *out = (hk_mass){.axes = quat_identity()};
    lathe_result r = hk_each_shape_of(shape, refuse_mesh, NULL, err);
    if (r != LATHE_OK)
        return r;
    if (is_a(shape, &hknp_convex_polytope_shape))
        return weigh_hull(shape, out, err);
    if (is_a(shape, &hknp_sphere_shape))
        return weigh_sphere(shape, out, err);
    if (is_a(shape, &hknp_dynamic_compound_shape))
        return weigh_box(shape, "aabb", out, err);
    if (!is_a(shape, &hknp_capsule_shape))
        return rec_fail(shape, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "a shape of an unknown class: lathe cannot compute its mass");
    *out =
        hk_mass_of_capsule(point(shape, "a"), point(shape, "b"), hk_number(shape, "convex_radius"));
    return LATHE_OK;
}
