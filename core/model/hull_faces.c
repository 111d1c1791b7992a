#include "model/hull_parts.h"

#include "base/error.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* With up to this many pairs of a face and a vertex, all are compared. */
#define COMPARED ((size_t)1 << 24)

/* The area vector of a loop times 2, with Newell's method. */
static void loop_normal(double out[3], double (*points)[3], const uint32_t *loop, size_t n)
{
    out[0] = out[1] = out[2] = 0;
    for (size_t i = 2; i < n; i++) {
        double a[3], b[3], area[3];
        hull_sub(a, points[loop[i - 1]], points[loop[0]]);
        hull_sub(b, points[loop[i]], points[loop[0]]);
        hull_cross(area, a, b);
        for (int k = 0; k < 3; k++)
            out[k] += area[k];
    }
}

/* Indices of some points of a set. */
typedef struct chosen {
    double (*points)[3];
    const uint32_t *numbers;
    size_t count;
} chosen;

/* Sets d so that no vertex is above the plane. Returns how far the lowest vertex of the loop is below it. */
static double fit(hull_plane *plane, const chosen *corners, const uint32_t *loop, size_t n)
{
    double top = -DBL_MAX, low = DBL_MAX;
    for (size_t i = 0; i < corners->count; i++)
        top = fmax(top, hull_dot(plane->n, corners->points[corners->numbers[i]]));
    for (size_t i = 0; i < n; i++)
        low = fmin(low, hull_dot(plane->n, corners->points[loop[i]]));
    plane->d = -top;
    return top - low;
}

/* Directs all loops outward. A loop's own normal fits best, except for slivers, which keep qhull's normal. If there
 * are too many pairs of vertices and faces to compare, qhull's bound is used. */
static bool orient(hull_loops *loops, const chosen *corners)
{
    const bool few = loops->face_count <= COMPARED / corners->count;
    for (size_t f = 0; f < loops->face_count; f++) {
        const hull_face face = loops->faces[f];
        uint32_t *loop = loops->indices + face.first;
        hull_plane *plane = &loops->planes[f], own = *plane;
        if (face.count < 3 || !hull_unit(plane->n))
            return false;
        loop_normal(own.n, corners->points, loop, face.count);
        const bool has_own = hull_unit(own.n);
        if (has_own && hull_dot(own.n, plane->n) < 0) {
            hull_turn(loop, face.count);
            for (int k = 0; k < 3; k++)
                own.n[k] = -own.n[k];
        }
        if (!few) {
            plane->d -= loops->outside;
            continue;
        }
        const double theirs = fit(plane, corners, loop, face.count);
        if (has_own && fit(&own, corners, loop, face.count) <= theirs)
            *plane = own;
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t edge_key(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

/* All edges of the loops, sorted; NULL: out of memory. */
static uint64_t *sorted_edges(const mem *m, const uint32_t *indices, size_t n,
                              const hull_face *faces, size_t face_count)
{
    uint64_t *edges = mem_alloc(m, n * sizeof *edges);
    for (size_t f = 0; edges && f < face_count; f++)
        for (size_t i = 0; i < faces[f].count; i++) {
            const uint32_t *loop = indices + faces[f].first;
            edges[faces[f].first + i] = edge_key(loop[i], loop[(i + 1) % faces[f].count]);
        }
    if (edges)
        qsort(edges, n, sizeof *edges, by_key);
    return edges;
}

/* Whether the loops form one closed surface: each edge occurs once in each direction, and Euler's formula holds. */
static lathe_result closed(const hull_loops *loops, size_t corners, bool *is, lathe_error *err)
{
    const size_t n = loops->index_count;
    *is = false;
    if (loops->face_count < 4 || corners + loops->face_count != n / 2 + 2 || n % 2)
        return LATHE_OK;
    uint64_t *edges = sorted_edges(&loops->mem, loops->indices, n, loops->faces, loops->face_count);
    if (!edges)
        return hull_no_memory(err);
    *is = true;
    for (size_t i = 0; i < n && *is; i++) {
        const uint64_t back = edges[i] << 32 | edges[i] >> 32;
        *is = (i == 0 || edges[i] != edges[i - 1]) &&
              bsearch(&back, edges, n, sizeof *edges, by_key) != NULL;
    }
    mem_free(&loops->mem, edges, n * sizeof *edges);
    return LATHE_OK;
}

size_t hull_count_corners(const hull_loops *loops, uint32_t *uses, size_t points)
{
    size_t corners = 0;
    memset(uses, 0, points * sizeof *uses);
    for (size_t i = 0; i < loops->index_count; i++)
        corners += uses[loops->indices[i]]++ == 0;
    return corners;
}

/* Lists the indices of the vertices in place of their use counts. Returns their number. */
static size_t list_corners(const hull_loops *loops, uint32_t *uses, size_t points)
{
    size_t n = 0;
    hull_count_corners(loops, uses, points);
    for (size_t i = 0; i < points; i++)
        if (uses[i] > 0)
            uses[n++] = (uint32_t)i;
    return n;
}

/* Removes vertices of only two faces, which are on a common edge. */
static void drop_passed(hull_loops *loops, const uint32_t *uses)
{
    size_t to = 0;
    for (size_t f = 0; f < loops->face_count; f++) {
        hull_face *face = &loops->faces[f];
        const size_t first = to;
        for (size_t i = 0; i < face->count; i++) {
            const uint32_t point = loops->indices[face->first + i];
            if (uses[point] > 2)
                loops->indices[to++] = point;
        }
        *face = (hull_face){(uint32_t)first, (uint32_t)(to - first)};
    }
    loops->index_count = to;
}

/* Faces of the given points, merged as `flatness` says. If these do not form a closed surface, for example for points
 * on a smooth surface, merges only within rounding. */
lathe_result hull_find_faces(hull_loops *loops, double (*points)[3], size_t count, double flatness,
                             lathe_error *err)
{
    uint32_t *uses = mem_alloc(&loops->mem, count * sizeof *uses);
    if (!uses)
        return hull_no_memory(err);
    lathe_result result = LATHE_ERR_INVALID;
    const double tries[] = {flatness, flatness / 16, 0};
    for (size_t i = 0; i < sizeof tries / sizeof *tries && result == LATHE_ERR_INVALID; i++) {
        result = hull_find_loops(loops, points, count, tries[i], err);
        if (result != LATHE_OK)
            continue;
        hull_count_corners(loops, uses, count);
        drop_passed(loops, uses);
        const chosen corners = {points, uses, list_corners(loops, uses, count)};
        bool good = false;
        result = closed(loops, corners.count, &good, err);
        if (result == LATHE_OK && !(good && orient(loops, &corners)))
            result = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                               "qhull found no closed hull of the points");
    }
    mem_free(&loops->mem, uses, count * sizeof *uses);
    return result;
}
