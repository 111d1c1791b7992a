#include "havok/physics/solid.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

/* Corner i is at b (even) or a, on +u or -u (bit 1) and on +v or -v (bit 2), where a to b, u and v are as x, y and z
 * are. Counter-clockwise from outside: -u, +v, -v, +u, a's end, b's end. So Havok has it in capsules. */
const uint8_t hk_box_faces[6][4] = {{7, 6, 2, 3}, {3, 2, 0, 1}, {7, 5, 4, 6},
                                    {1, 0, 4, 5}, {1, 5, 7, 3}, {2, 6, 4, 0}};

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

static void bounds_of_hull(hk_solid *s)
{
    const hull *h = &s->hull;
    for (size_t i = 0; i < h->vertex_count; i++) {
        vec3 p = {(double)h->vertices[i][0], (double)h->vertices[i][1], (double)h->vertices[i][2]};
        if (!i)
            s->low = s->high = p;
        reach(&s->low, &s->high, p);
    }
    grow(s);
}

lathe_result hk_solid_hull(hk_solid *s, const float *points, size_t count, double radius,
                           size_t most, const mem *m, lathe_error *err)
{
    hull_options options = {.max_vertices = most};
    lathe_result r = begin(s, HK_SOLID_HULL, radius, err);
    if (r == LATHE_OK)
        r = hull_build(&s->hull, points, count, &options, m, err);
    if (r == LATHE_OK)
        r = mass_of_hull(&s->mass, &s->hull, radius, err);
    if (r == LATHE_OK)
        bounds_of_hull(s);
    return r;
}

/* Room as hull_free gives it back. */
static bool make_room(hull *h, const mem *m, size_t vertices, size_t faces, size_t indices)
{
    *h = (hull){.mem = *m, .vertex_count = vertices, .face_count = faces, .index_count = indices};
    h->vertices = mem_zalloc(m, vertices * sizeof *h->vertices);
    h->points = mem_zalloc(m, vertices * sizeof *h->points);
    h->planes = mem_zalloc(m, faces * sizeof *h->planes);
    h->faces = mem_zalloc(m, faces * sizeof *h->faces);
    h->indices = mem_zalloc(m, indices * sizeof *h->indices);
    if (h->vertices && h->points && h->planes && h->faces && h->indices)
        return true;
    hull_free(h);
    return false;
}

static vec3 corner_of(vec3 low, vec3 high, size_t i)
{
    return (vec3){i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z};
}

static void put_box(hull *h, vec3 low, vec3 high)
{
    static const double normals[6][3] = {{0, -1, 0}, {0, 0, 1},  {0, 0, -1},
                                         {0, 1, 0},  {-1, 0, 0}, {1, 0, 0}};
    for (uint32_t i = 0; i < 8; i++) {
        vec3 p = corner_of(low, high, i);
        h->vertices[i][0] = (float)p.x;
        h->vertices[i][1] = (float)p.y;
        h->vertices[i][2] = (float)p.z;
        h->points[i] = i;
    }
    for (uint32_t f = 0; f < 6; f++) {
        const float *on = h->vertices[hk_box_faces[f][0]];
        h->faces[f] = (hull_face){4 * f, 4};
        memcpy(h->planes[f].n, normals[f], sizeof normals[f]);
        for (size_t k = 0; k < 3; k++)
            h->planes[f].d -= normals[f][k] * (double)on[k];
        for (uint32_t k = 0; k < 4; k++)
            h->indices[4 * f + k] = hk_box_faces[f][k];
    }
}

lathe_result hk_solid_box(hk_solid *s, vec3 low, vec3 high, double radius, const mem *m,
                          lathe_error *err)
{
    lathe_result r = begin(s, HK_SOLID_HULL, radius, err);
    if (r != LATHE_OK)
        return r;
    if (!is_finite(low) || !is_finite(high))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a corner that is no number");
    if (!((float)low.x < (float)high.x && (float)low.y < (float)high.y &&
          (float)low.z < (float)high.z))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "a box of %.6g x %.6g x %.6g m is flat", high.x - low.x, high.y - low.y,
                         high.z - low.z);
    if (!make_room(&s->hull, m, 8, 6, 24))
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    put_box(&s->hull, low, high);
    bounds_of_hull(s);
    s->mass = mass_of_box(s->low, s->high);
    return LATHE_OK;
}

/* ---- round ones ------------------------------------------------------------------------------------------- */

static lathe_result check_round(const hk_solid *s, lathe_error *err)
{
    if (!is_finite(s->a) || !is_finite(s->b))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a centre that is no number");
    return s->radius > 0 ? LATHE_OK
                         : error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a radius of 0");
}

lathe_result hk_solid_sphere(hk_solid *s, vec3 center, double radius, lathe_error *err)
{
    lathe_result r = begin(s, HK_SOLID_SPHERE, radius, err);
    s->a = s->b = s->low = s->high = center;
    if (r == LATHE_OK)
        r = check_round(s, err);
    if (r != LATHE_OK)
        return r;
    grow(s);
    s->mass = mass_of_sphere(center, radius);
    return LATHE_OK;
}

lathe_result hk_solid_capsule(hk_solid *s, vec3 a, vec3 b, double radius, lathe_error *err)
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
    s->mass = mass_of_capsule(a, b, radius);
    return LATHE_OK;
}

void hk_capsule_corners(const hk_solid *s, vec3 corners[8])
{
    double half = HK_CAPSULE_BOX * s->radius;
    vec3 t = vec3_normalize(vec3_sub(s->b, s->a));
    if (!(vec3_length(t) > 0.5))
        t = (vec3){1, 0, 0};
    /* the axis that t is least along */
    vec3 least = fabs(t.x) <= fabs(t.y) && fabs(t.x) <= fabs(t.z) ? (vec3){1, 0, 0}
                 : fabs(t.y) <= fabs(t.z)                         ? (vec3){0, 1, 0}
                                                                  : (vec3){0, 0, 1};
    vec3 u = vec3_normalize(vec3_cross(least, t)), v = vec3_cross(t, u);
    for (int i = 0; i < 8; i++) {
        vec3 p = i & 1 ? vec3_sub(s->a, vec3_scale(t, half)) : vec3_add(s->b, vec3_scale(t, half));
        p = vec3_add(p, vec3_scale(u, i & 2 ? -half : half));
        corners[i] = vec3_add(p, vec3_scale(v, i & 4 ? -half : half));
    }
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
    return LATHE_OK;
}

/* What its box is made of without the shell: a point of the solid in its own space; false past the last. */
static bool extreme(const hk_solid *s, size_t i, vec3 *p)
{
    switch (s->kind) {
    case HK_SOLID_HULL:
        if (i >= s->hull.vertex_count)
            return false;
        const float *v = s->hull.vertices[i];
        *p = (vec3){(double)v[0], (double)v[1], (double)v[2]};
        return true;
    case HK_SOLID_SPHERE:
    case HK_SOLID_CAPSULE: *p = i ? s->b : s->a; return i < 2;
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
        mass_props placed = mass_moved(&children[i].mass, children[i].turn, children[i].move);
        s->mass = i ? mass_sum(&s->mass, &placed) : placed;
        hk_solid_reach(&children[i], &low, &high);
        if (!i)
            s->low = s->high = low;
        reach(&s->low, &s->high, low);
        reach(&s->low, &s->high, high);
    }
    return r;
}

void hk_solid_free(hk_solid *s)
{
    for (size_t i = 0; i < s->count; i++)
        hk_solid_free(&s->children[i]);
    hull_free(&s->hull);
    hk_mesh_free(&s->mesh);
    s->count = 0;
}
