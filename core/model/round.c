#include "model/round.h"

#include <math.h>

enum { AROUND = 16, HALF = 4 }; /* vertices of a ring; rings from a pole to the equator */

static bool is_mirrored(const mat4 *place)
{
    const double(*c)[4] = place->m;
    vec3 x = {c[0][0], c[0][1], c[0][2]}, y = {c[1][0], c[1][1], c[1][2]},
         z = {c[2][0], c[2][1], c[2][2]};
    return vec3_dot(vec3_cross(x, y), z) < 0;
}

model_put model_put_at(model_mesh *mesh, const mat4 *place, double units)
{
    return (model_put){mesh, place, units, is_mirrored(place)};
}

void model_put_vertex(const model_put *p, size_t i, vec3 v)
{
    vec3 at = mat4_point(p->place, v);
    float *to = p->mesh->positions + 3 * i;
    to[0] = (float)(at.x * p->units);
    to[1] = (float)(at.y * p->units);
    to[2] = (float)(at.z * p->units);
}

void model_put_triangle(const model_put *p, size_t i, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *to = p->mesh->indices + 3 * i;
    to[0] = a;
    to[1] = p->mirrored ? c : b;
    to[2] = p->mirrored ? b : c;
}

/* ---- rings ------------------------------------------------------------------------------------------------- */

/* Two unit vectors perpendicular to a third one. */
static void sides_of(vec3 up, vec3 *u, vec3 *v)
{
    vec3 other = fabs(up.z) < 0.9 ? (vec3){0, 0, 1} : (vec3){1, 0, 0};
    *u = vec3_normalize(vec3_cross(other, up));
    *v = vec3_cross(up, *u);
}

/* A ring of vertices around the point `middle`. */
static void put_ring(const model_put *p, size_t first, vec3 middle, vec3 up, double radius)
{
    static const double turn = 6.283185307179586;
    vec3 u, v;
    sides_of(up, &u, &v);
    for (unsigned i = 0; i < AROUND; i++) {
        double angle = turn * i / AROUND;
        vec3 out = vec3_add(vec3_scale(u, radius * cos(angle)), vec3_scale(v, radius * sin(angle)));
        model_put_vertex(p, first + i, vec3_add(middle, out));
    }
}

/* The triangles between pole, rings and pole. */
static void join_rings(const model_put *p, uint32_t rings)
{
    size_t n = 0;
    uint32_t last = 1 + rings * AROUND;
    for (uint32_t i = 0; i < AROUND; i++) {
        uint32_t next = (i + 1) % AROUND, top = 1 + (rings - 1) * AROUND;
        model_put_triangle(p, n++, 0, 1 + next, 1 + i);
        model_put_triangle(p, n++, last, top + i, top + next);
        for (uint32_t k = 0; k + 1 < rings; k++) {
            uint32_t low = 1 + k * AROUND, high = low + AROUND;
            model_put_triangle(p, n++, low + i, low + next, high + next);
            model_put_triangle(p, n++, low + i, high + next, high + i);
        }
    }
}

static lathe_result make_room(const model_put *p, uint32_t rings, unsigned with, lathe_error *err)
{
    return model_mesh_alloc(p->mesh, 2 + rings * AROUND, 6 * (size_t)AROUND * rings, with, err);
}

static vec3 axis_of(vec3 a, vec3 b, bool *none)
{
    vec3 axis = vec3_sub(b, a);
    *none = !(vec3_length(axis) > 0);
    return *none ? (vec3){0, 0, 1} : vec3_normalize(axis);
}

/* A sphere is a capsule between equal points, with a single equator. */
lathe_result model_put_round(const model_put *p, vec3 a, vec3 b, double radius, unsigned with,
                             lathe_error *err)
{
    bool sphere;
    vec3 up = axis_of(a, b, &sphere);
    uint32_t rings = 2 * HALF - 1 + !sphere, ring = 0;
    lathe_result r = make_room(p, rings, with, err);
    if (r != LATHE_OK)
        return r;
    model_put_vertex(p, 0, vec3_sub(a, vec3_scale(up, radius)));
    for (int k = 1 - HALF; k < HALF; k++) {
        double latitude = 1.5707963267948966 * k / HALF;
        for (int twice = 0; twice < 1 + (k == 0 && !sphere); twice++, ring++) {
            vec3 end = k < 0 || (k == 0 && !twice) ? a : b;
            put_ring(p, 1 + ring * (size_t)AROUND,
                     vec3_add(end, vec3_scale(up, radius * sin(latitude))), up,
                     radius * cos(latitude));
        }
    }
    model_put_vertex(p, 1 + rings * (size_t)AROUND, vec3_add(b, vec3_scale(up, radius)));
    join_rings(p, rings);
    return LATHE_OK;
}

lathe_result model_put_cylinder(const model_put *p, vec3 a, vec3 b, double radius, unsigned with,
                                lathe_error *err)
{
    bool none;
    vec3 up = axis_of(a, b, &none);
    lathe_result r = make_room(p, 2, with, err);
    if (r != LATHE_OK)
        return r;
    model_put_vertex(p, 0, a);
    put_ring(p, 1, a, up, radius);
    put_ring(p, 1 + AROUND, b, up, radius);
    model_put_vertex(p, 1 + 2 * AROUND, b);
    join_rings(p, 2);
    return LATHE_OK;
}

/* ---- boxes ------------------------------------------------------------------------------------------------- */

/* The bits 0, 1, 2 of a corner's number select x, y, z. */
lathe_result model_put_box(const model_put *p, vec3 low, vec3 high, unsigned with, lathe_error *err)
{
    static const uint8_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    lathe_result r = model_mesh_alloc(p->mesh, 8, 36, with, err);
    if (r != LATHE_OK)
        return r;
    for (unsigned i = 0; i < 8; i++)
        model_put_vertex(
            p, i, (vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    for (unsigned i = 0; i < 6; i++) {
        const uint8_t *c = sides[i];
        model_put_triangle(p, 2 * i, c[0], c[1], c[2]);
        model_put_triangle(p, 2 * i + 1, c[0], c[2], c[3]);
    }
    return LATHE_OK;
}
