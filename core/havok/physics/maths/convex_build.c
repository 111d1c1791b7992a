#include "havok/physics/maths/convex_build.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A little less than FLT_MAX: "none", wherever Havok has such a number. */
#define HK_MOST 3.40282001837565597e+38F

/* Planes that no face has; the game's own have anything there. */
static const hk_convex_plane no_plane = {0, 0, 0, -HK_MOST};

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static size_t in_fours(size_t n)
{
    return (n + 3) / 4 * 4;
}

void hk_convex_free(hk_convex *c)
{
    if (!c->mem.fn)
        return;
    mem_free(&c->mem, c->vertices, c->vertex_count * sizeof *c->vertices);
    mem_free(&c->mem, c->planes, c->plane_count * sizeof *c->planes);
    mem_free(&c->mem, c->faces, c->face_count * sizeof *c->faces);
    mem_free(&c->mem, c->indices, c->index_count * sizeof *c->indices);
    *c = (hk_convex){.mem = c->mem};
}

/* Room, with the padding planes set. */
static lathe_result alloc(hk_convex *c, const mem *m, size_t vertices, size_t faces, size_t indices,
                          lathe_error *err)
{
    *c = (hk_convex){.mem = *m,
                     .vertex_count = in_fours(vertices),
                     .plane_count = in_fours(faces),
                     .face_count = faces,
                     .index_count = indices};
    c->vertices = mem_zalloc(m, c->vertex_count * sizeof *c->vertices);
    if (faces > 0) {
        c->planes = mem_zalloc(m, c->plane_count * sizeof *c->planes);
        c->faces = mem_zalloc(m, faces * sizeof *c->faces);
        c->indices = mem_zalloc(m, indices * sizeof *c->indices);
    }
    if (!c->vertices || (faces > 0 && (!c->planes || !c->faces || !c->indices))) {
        hk_convex_free(c);
        return no_memory(err);
    }
    for (size_t i = faces; i < c->plane_count; i++)
        c->planes[i] = no_plane;
    return LATHE_OK;
}

static hk_convex_vertex vertex_at(vec3 p, size_t number)
{
    return (hk_convex_vertex){(float)p.x, (float)p.y, (float)p.z, HK_CONVEX_TAG | (uint32_t)number};
}

/* The last of `n` vertices fills up four, with its number. */
static void pad_vertices(hk_convex *c, size_t n)
{
    for (size_t i = n; i < c->vertex_count; i++)
        c->vertices[i] = c->vertices[n - 1];
}

uint8_t hk_half_angle(double cosine)
{
    const double pi = 3.14159265358979323846;
    const double code = acos(fmax(-1, fmin(1, cosine))) / pi * 255;
    return (uint8_t)fmax(0,
                         ceil(code - 0.5 - 1e-6)); /* boxes: 127.5 is 127, whatever the rounding */
}

/* ---- hulls ----------------------------------------------------------------------------------------- */

typedef struct sized_face {
    double area;
    size_t number;
} sized_face;

/* Largest first; where they are equal, in order. */
static int by_area(const void *a, const void *b)
{
    const sized_face *x = a, *y = b;
    if (x->area != y->area)
        return x->area < y->area ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static vec3 corner(const hull *h, uint32_t number)
{
    const float *p = h->vertices[number];
    return (vec3){(double)p[0], (double)p[1], (double)p[2]};
}

static double area_of(const hull *h, hull_face face)
{
    const uint32_t *loop = h->indices + face.first;
    vec3 area = {0, 0, 0};
    for (uint32_t i = 2; i < face.count; i++)
        area = vec3_add(area, vec3_cross(vec3_sub(corner(h, loop[i - 1]), corner(h, loop[0])),
                                         vec3_sub(corner(h, loop[i]), corner(h, loop[0]))));
    return vec3_length(area);
}

/* The plane in f32, with no corner above it but for rounding. */
static hk_convex_plane plane_of(const hull *h, const hull_plane *plane)
{
    hk_convex_plane out = {(float)plane->n[0], (float)plane->n[1], (float)plane->n[2], 0};
    const vec3 n = {(double)out.x, (double)out.y, (double)out.z};
    double top = vec3_dot(n, corner(h, 0));
    for (uint32_t i = 1; i < h->vertex_count; i++)
        top = fmax(top, vec3_dot(n, corner(h, i)));
    out.w = (float)-top + 0.0F; /* never -0 */
    return out;
}

static void put_face(hk_convex *c, size_t at, uint16_t first, const hull *h, size_t number,
                     const double *cosines)
{
    const hull_face face = h->faces[number];
    double most = -1;
    for (uint32_t i = 0; i < face.count; i++) {
        c->indices[first + i] = (uint8_t)h->indices[face.first + i];
        most = fmax(most, cosines[face.first + i]);
    }
    c->faces[at] = (hk_convex_face){first, (uint8_t)face.count, hk_half_angle(most)};
    c->planes[at] = plane_of(h, &h->planes[number]);
}

static void put_faces(hk_convex *c, const hull *h, sized_face *order, const double *cosines)
{
    for (size_t f = 0; f < h->face_count; f++)
        order[f] = (sized_face){area_of(h, h->faces[f]), f};
    qsort(order, h->face_count, sizeof *order, by_area);
    size_t first = 0;
    for (size_t f = 0; f < h->face_count; f++) {
        put_face(c, f, (uint16_t)first, h, order[f].number, cosines);
        first += h->faces[order[f].number].count;
    }
}

lathe_result hk_convex_of_hull(hk_convex *out, const hull *h, lathe_error *err)
{
    *out = (hk_convex){.vertex_count = 0};
    if (h->vertex_count > HK_CONVEX_VERTICES)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "%zu vertices: a convex shape has at most %d", h->vertex_count,
                         (int)HK_CONVEX_VERTICES);
    double *cosines = mem_alloc(&h->mem, h->index_count * sizeof *cosines);
    sized_face *order = mem_alloc(&h->mem, h->face_count * sizeof *order);
    lathe_result result = cosines && order ? hull_edge_cosines(h, cosines, err) : no_memory(err);
    if (result == LATHE_OK)
        result = alloc(out, &h->mem, h->vertex_count, h->face_count, h->index_count, err);
    if (result == LATHE_OK) {
        for (uint32_t i = 0; i < h->vertex_count; i++)
            out->vertices[i] = vertex_at(corner(h, i), i);
        pad_vertices(out, h->vertex_count);
        put_faces(out, h, order, cosines);
    }
    mem_free(&h->mem, cosines, h->index_count * sizeof *cosines);
    mem_free(&h->mem, order, h->face_count * sizeof *order);
    return result;
}

/* ---- boxes ----------------------------------------------------------------------------------------- */

/* The corners of a box, as the game's have them: which are on the low side of x (1), y (2), z (4). */
static const uint8_t box_low[8] = {0, 2, 4, 1, 6, 5, 3, 7};

/* The faces, from the largest pair to the smallest, as the game's boxes have them. */
typedef struct box_order {
    const char *axes; /* of the normals, from the pair with the largest area to the smallest */
    uint8_t loops[6][4];
} box_order;

/* clang-format off */
static const box_order box_orders[] = {
    {"xyz", {{4, 2, 0, 1}, {3, 5, 7, 6}, {7, 4, 1, 6}, {0, 2, 5, 3}, {2, 4, 7, 5}, {6, 1, 0, 3}}},
    {"xzy", {{4, 2, 0, 1}, {3, 5, 7, 6}, {7, 5, 2, 4}, {0, 3, 6, 1}, {0, 2, 5, 3}, {7, 4, 1, 6}}},
    {"yxz", {{0, 2, 5, 3}, {1, 6, 7, 4}, {4, 2, 0, 1}, {7, 6, 3, 5}, {2, 4, 7, 5}, {6, 1, 0, 3}}},
    {"yzx", {{0, 2, 5, 3}, {7, 4, 1, 6}, {2, 4, 7, 5}, {6, 1, 0, 3}, {3, 5, 7, 6}, {4, 2, 0, 1}}},
    {"zxy", {{0, 3, 6, 1}, {7, 5, 2, 4}, {0, 1, 4, 2}, {3, 5, 7, 6}, {5, 3, 0, 2}, {7, 4, 1, 6}}},
    {"zyx", {{0, 3, 6, 1}, {7, 5, 2, 4}, {7, 4, 1, 6}, {0, 2, 5, 3}, {3, 5, 7, 6}, {4, 2, 0, 1}}},
    {"cube", {{7, 5, 2, 4}, {1, 6, 7, 4}, {7, 6, 3, 5}, {0, 1, 4, 2}, {6, 1, 0, 3}, {0, 2, 5, 3}}},
};
/* clang-format on */

/* A face is the larger, the shorter the box is along its normal. */
static const box_order *order_of(const double side[3])
{
    if (side[0] == side[1] && side[1] == side[2])
        return &box_orders[6];
    if (side[0] <= side[1] && side[0] <= side[2])
        return &box_orders[side[1] <= side[2] ? 0 : 1];
    if (side[1] <= side[2])
        return &box_orders[side[0] <= side[2] ? 2 : 3];
    return &box_orders[side[0] <= side[1] ? 4 : 5];
}

/* Four corners of a loop are all on the same side along just one axis. */
static hk_convex_plane box_plane(const uint8_t loop[4], vec3 low, vec3 high)
{
    uint8_t all = 7, any = 0;
    for (int i = 0; i < 4; i++) {
        all &= box_low[loop[i]];
        any |= box_low[loop[i]];
    }
    const uint8_t axis = all | (7 & ~any);
    const float sign = all ? -1 : 1;
    const vec3 at = all ? low : high;
    const double d = axis == 1 ? at.x : axis == 2 ? at.y : at.z;
    return (hk_convex_plane){axis == 1 ? sign : 0, axis == 2 ? sign : 0, axis == 4 ? sign : 0,
                             -sign * (float)d + 0.0F};
}

lathe_result hk_convex_of_box(hk_convex *out, vec3 low, vec3 high, const mem *m, lathe_error *err)
{
    const double side[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    *out = (hk_convex){.mem = *m};
    for (int k = 0; k < 3; k++)
        if (!(side[k] > 0 && isfinite(side[k])))
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "a box of %g by %g by %g m has no volume", side[0], side[1], side[2]);
    const lathe_result result = alloc(out, m, 8, 6, 24, err);
    if (result != LATHE_OK)
        return result;
    for (size_t i = 0; i < 8; i++)
        out->vertices[i] =
            vertex_at((vec3){box_low[i] & 1 ? low.x : high.x, box_low[i] & 2 ? low.y : high.y,
                             box_low[i] & 4 ? low.z : high.z},
                      i);
    const box_order *order = order_of(side);
    for (size_t f = 0; f < 6; f++) {
        memcpy(out->indices + 4 * f, order->loops[f], 4);
        out->planes[f] = box_plane(order->loops[f], low, high);
        out->faces[f] = (hk_convex_face){(uint16_t)(4 * f), 4, hk_half_angle(0)};
    }
    return LATHE_OK;
}

/* ---- spheres and capsules -------------------------------------------------------------------------- */

lathe_result hk_convex_of_sphere(hk_convex *out, vec3 center, const mem *m, lathe_error *err)
{
    const lathe_result result = alloc(out, m, 1, 0, 0, err);
    if (result != LATHE_OK)
        return result;
    out->vertices[0] = vertex_at(center, 0);
    pad_vertices(out, 1);
    return LATHE_OK;
}

/* At right angles to d: the axis that d has least of goes first to nothing. Of 60 capsules of the game 50
 * have this very vector. */
static vec3 beside(vec3 d)
{
    const double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    if (z <= x && z <= y)
        return vec3_normalize((vec3){-d.y, d.x, 0});
    if (y <= x)
        return vec3_normalize((vec3){-d.z, 0, d.x});
    return vec3_normalize((vec3){0, -d.z, d.y});
}

lathe_result hk_convex_of_capsule(hk_convex *out, vec3 a, vec3 b, double radius, const mem *m,
                                  lathe_error *err)
{
    static const uint8_t loops[24] = {7, 6, 2, 3, 3, 2, 0, 1, 7, 5, 4, 6,
                                      1, 0, 4, 5, 1, 5, 7, 3, 2, 6, 4, 0};
    enum { HALF_ANGLE = 4 }; /* so in all; from what, nobody knows */
    const lathe_result result = alloc(out, m, 8, 6, 24, err);
    if (result != LATHE_OK)
        return result;
    const vec3 axis = vec3_sub(a, b), middle = vec3_scale(vec3_add(a, b), 0.5);
    const double length = vec3_length(axis), thick = radius / 99;
    const vec3 d = length > 0 ? vec3_normalize(axis) : (vec3){1, 0, 0};
    const vec3 p = beside(d), q = vec3_cross(d, p);
    for (size_t i = 0; i < 8; i++) {
        vec3 at = vec3_add(middle, vec3_scale(d, (i & 1 ? 1 : -1) * (length / 2 + thick)));
        at = vec3_add(at, vec3_scale(p, i & 2 ? thick : -thick));
        out->vertices[i] = vertex_at(vec3_add(at, vec3_scale(q, i & 4 ? -thick : thick)), i);
    }
    const vec3 normals[6] = {p, q, vec3_scale(q, -1), vec3_scale(p, -1), d, vec3_scale(d, -1)};
    memcpy(out->indices, loops, sizeof loops);
    for (size_t f = 0; f < 6; f++) {
        const vec3 n = normals[f];
        const double half = f < 4 ? thick : length / 2 + thick;
        out->faces[f] = (hk_convex_face){(uint16_t)(4 * f), 4, HALF_ANGLE};
        out->planes[f] = (hk_convex_plane){(float)n.x + 0.0F, (float)n.y + 0.0F, (float)n.z + 0.0F,
                                           (float)(-vec3_dot(n, middle) - half)};
    }
    return LATHE_OK;
}
