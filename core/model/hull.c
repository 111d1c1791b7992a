#include "model/hull_parts.h"

#include "base/error.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* With up to this many pairs of a face and a point, distances are measured; otherwise qhull's bound is used. */
#define MEASURED ((size_t)1 << 29)

static lathe_result measure(hull_cloud *c, const hull_options *options, lathe_error *err)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    double far = 0;
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 3; k++) {
            const double x = (double)c->points[3 * i + (size_t)k];
            if (!isfinite(x))
                return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                 "point %zu is not finite: no hull", i);
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
            far = fmax(far, fabs(x));
        }
    for (int k = 0; k < 3; k++) {
        c->middle[k] = (low[k] + high[k]) / 2;
        c->size = fmax(c->size, high[k] - low[k]);
    }
    if (!(c->size > 0))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "all points are at one place: no hull");
    c->flatness = options && options->flatness > 0 ? options->flatness : HULL_FLATNESS;
    c->flatness = fmax(c->flatness, 2 * FLT_EPSILON * far / c->size);
    return LATHE_OK;
}

static lathe_result cloud_init(hull_cloud *c, const hull_options *options, lathe_error *err)
{
    const lathe_result result = measure(c, options, err);
    if (result != LATHE_OK)
        return result;
    c->scaled = mem_alloc(&c->mem, c->count * sizeof *c->scaled);
    if (!c->scaled)
        return hull_no_memory(err);
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 3; k++)
            c->scaled[i][k] = ((double)c->points[3 * i + (size_t)k] - c->middle[k]) / c->size;
    return LATHE_OK;
}

/* ---- the result ----------------------------------------------------------------------------------- */

void hull_free(hull *h)
{
    if (!h->mem.fn)
        return;
    mem_free(&h->mem, h->vertices, h->vertex_count * sizeof *h->vertices);
    mem_free(&h->mem, h->points, h->vertex_count * sizeof *h->points);
    mem_free(&h->mem, h->planes, h->face_count * sizeof *h->planes);
    mem_free(&h->mem, h->faces, h->face_count * sizeof *h->faces);
    mem_free(&h->mem, h->indices, h->index_count * sizeof *h->indices);
    *h = (hull){.mem = h->mem};
}

/* A face while faces are sorted; its loop stays in place. */
typedef struct ordered {
    const uint32_t *indices; /* all of them */
    hull_face face;
    size_t number;
} ordered;

static int by_loop(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    const uint32_t *p = x->indices + x->face.first, *q = y->indices + y->face.first;
    for (uint32_t i = 0; i < x->face.count && i < y->face.count; i++)
        if (p[i] != q[i])
            return p[i] > q[i] ? 1 : -1;
    return (x->face.count > y->face.count) - (x->face.count < y->face.count);
}

static void rotate_to_lowest(uint32_t *loop, size_t n)
{
    size_t lowest = 0;
    for (size_t i = 1; i < n; i++)
        if (loop[i] < loop[lowest])
            lowest = i;
    /* three reversals rotate a loop in place */
    hull_turn(loop, lowest);
    hull_turn(loop + lowest, n - lowest);
    hull_turn(loop, n);
}

/* Converts a plane to the units of the point set. */
static void unscale_plane(hull *h, size_t f, const hull_plane *plane, const hull_cloud *c)
{
    hull_plane *out = &h->planes[f];
    for (int k = 0; k < 3; k++)
        out->n[k] = plane->n[k] + 0.0; /* avoids -0 */
    out->d = plane->d * c->size - hull_dot(plane->n, c->middle) + 0.0;
}

static lathe_result number_corners(hull *h, hull_loops *loops, const hull_cloud *c,
                                   lathe_error *err)
{
    uint32_t *uses = mem_alloc(&c->mem, c->count * sizeof *uses);
    if (!uses)
        return hull_no_memory(err);
    h->vertex_count = hull_count_corners(loops, uses, c->count);
    h->vertices = mem_alloc(&h->mem, h->vertex_count * sizeof *h->vertices);
    h->points = mem_alloc(&h->mem, h->vertex_count * sizeof *h->points);
    const bool ok = h->vertices && h->points;
    uint32_t n = 0;
    for (size_t i = 0; ok && i < c->count; i++)
        if (uses[i] > 0) {
            memcpy(h->vertices[n], c->points + 3 * i, sizeof *h->vertices);
            h->points[n] = (uint32_t)i;
            uses[i] = n++;
        }
    for (size_t i = 0; ok && i < loops->index_count; i++)
        loops->indices[i] = uses[loops->indices[i]];
    mem_free(&c->mem, uses, c->count * sizeof *uses);
    return ok ? LATHE_OK : hull_no_memory(err);
}

/* The largest distance of a point above a plane. */
static double highest(const hull *h, const hull_cloud *c)
{
    double most = 0;
    for (size_t i = 0; i < c->count; i++) {
        const float *p = c->points + 3 * i;
        const double point[3] = {(double)p[0], (double)p[1], (double)p[2]};
        for (size_t f = 0; f < h->face_count; f++)
            most = fmax(most, hull_dot(h->planes[f].n, point) + h->planes[f].d);
    }
    return most;
}

static lathe_result take_loops(hull *h, hull_loops *loops, const hull_cloud *c, lathe_error *err)
{
    const lathe_result result = number_corners(h, loops, c, err);
    if (result != LATHE_OK)
        return result;
    h->face_count = loops->face_count;
    h->index_count = loops->index_count;
    h->planes = mem_alloc(&h->mem, h->face_count * sizeof *h->planes);
    h->faces = mem_alloc(&h->mem, h->face_count * sizeof *h->faces);
    h->indices = mem_alloc(&h->mem, h->index_count * sizeof *h->indices);
    ordered *order = mem_alloc(&h->mem, h->face_count * sizeof *order);
    const bool ok = h->planes && h->faces && h->indices && order;
    for (size_t f = 0; ok && f < h->face_count; f++) {
        rotate_to_lowest(loops->indices + loops->faces[f].first, loops->faces[f].count);
        order[f] = (ordered){loops->indices, loops->faces[f], f};
    }
    if (ok)
        qsort(order, h->face_count, sizeof *order, by_loop);
    uint32_t first = 0;
    for (size_t f = 0; ok && f < h->face_count; f++) {
        const hull_face face = order[f].face;
        memcpy(h->indices + first, loops->indices + face.first, face.count * sizeof *h->indices);
        h->faces[f] = (hull_face){first, face.count};
        unscale_plane(h, f, &loops->planes[order[f].number], c);
        first += face.count;
    }
    h->lost = loops->outside * c->size;
    if (ok && c->count <= MEASURED / h->face_count)
        h->lost = highest(h, c);
    mem_free(&h->mem, order, h->face_count * sizeof *order);
    return ok ? LATHE_OK : hull_no_memory(err);
}

static lathe_result build(hull *h, hull_cloud *c, const hull_options *options, lathe_error *err)
{
    lathe_result result = cloud_init(c, options, err);
    uint32_t corners[4];
    if (result == LATHE_OK)
        result = hull_spread(c, corners, err);
    if (result != LATHE_OK)
        return result;
    hull_loops loops = {.mem = c->mem};
    result = hull_find_faces(&loops, c->scaled, c->count, c->flatness, err);
    if (result == LATHE_OK && options && options->max_vertices > 0)
        result = hull_simplify(&loops, c, options->max_vertices, err);
    if (result == LATHE_OK)
        result = take_loops(h, &loops, c, err);
    hull_loops_free(&loops);
    return result;
}

lathe_result hull_build(hull *h, const float *points, size_t count, const hull_options *options,
                        const mem *m, lathe_error *err)
{
    *h = (hull){.mem = *m};
    if (count < 4)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a hull needs 4 points, not %zu",
                         count);
    if (count > HULL_POINTS_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "%zu points: more than %d for a hull", count, (int)HULL_POINTS_MAX);
    if (options && options->max_vertices > 0 && options->max_vertices < 4)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "a hull needs 4 vertices, not %zu",
                         options->max_vertices);
    hull_cloud c = {.mem = *m, .points = points, .count = count};
    const lathe_result result = build(h, &c, options, err);
    mem_free(m, c.scaled, count * sizeof *c.scaled);
    if (result != LATHE_OK)
        hull_free(h);
    return result;
}

/* ---- edges ---------------------------------------------------------------------------------------- */

typedef struct side {
    uint64_t key;
    uint32_t face;
} side;

static uint64_t side_key(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

static int by_side(const void *a, const void *b)
{
    const uint64_t x = ((const side *)a)->key, y = ((const side *)b)->key;
    return (x > y) - (x < y);
}

lathe_result hull_edge_cosines(const hull *h, double *cosines, lathe_error *err)
{
    const size_t n = h->index_count;
    side *sides = mem_alloc(&h->mem, n * sizeof *sides);
    if (!sides)
        return hull_no_memory(err);
    for (size_t f = 0; f < h->face_count; f++)
        for (uint32_t i = 0; i < h->faces[f].count; i++) {
            const uint32_t *loop = h->indices + h->faces[f].first;
            const uint32_t next = loop[(i + 1) % h->faces[f].count];
            sides[h->faces[f].first + i] = (side){side_key(loop[i], next), (uint32_t)f};
        }
    qsort(sides, n, sizeof *sides, by_side);
    for (size_t f = 0; f < h->face_count; f++)
        for (uint32_t i = 0; i < h->faces[f].count; i++) {
            const uint32_t *loop = h->indices + h->faces[f].first;
            const side back = {side_key(loop[(i + 1) % h->faces[f].count], loop[i]), 0};
            const side *other = bsearch(&back, sides, n, sizeof *sides, by_side);
            cosines[h->faces[f].first + i] =
                other ? hull_dot(h->planes[f].n, h->planes[other->face].n) : 1;
        }
    mem_free(&h->mem, sides, n * sizeof *sides);
    return LATHE_OK;
}
