#include "model/mass.h"

#include "base/error.h"
#include "model/hull_parts.h"
#include "model/mass_sums.h"

#include <float.h>
#include <string.h>

/* Integrates over the solid that loops enclose. */
static bool mass_of_loops(mass_props *out, double (*points)[3], const uint32_t *indices,
                          const hull_face *faces, size_t face_count)
{
    mass_sums s = {.volume = 0};
    memcpy(s.origin, points[indices[0]], sizeof s.origin);
    for (size_t f = 0; f < face_count; f++) {
        const uint32_t *loop = indices + faces[f].first;
        for (uint32_t i = 2; i < faces[f].count; i++) {
            double p[3][3];
            memcpy(p[0], points[loop[0]], sizeof p[0]);
            memcpy(p[1], points[loop[i - 1]], sizeof p[1]);
            memcpy(p[2], points[loop[i]], sizeof p[2]);
            mass_add_triangle(&s, p);
        }
    }
    return mass_finish(out, &s);
}

static lathe_result mass_as_is(mass_props *out, const hull *h, lathe_error *err)
{
    double(*points)[3] = mem_alloc(&h->mem, h->vertex_count * sizeof *points);
    if (!points)
        return hull_no_memory(err);
    for (size_t i = 0; i < h->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (double)h->vertices[i][k];
    const bool ok = mass_of_loops(out, points, h->indices, h->faces, h->face_count);
    mem_free(&h->mem, points, h->vertex_count * sizeof *points);
    return ok ? LATHE_OK : mass_no_volume(err);
}

/* Vertices and planes are duals: a plane at distance d along n becomes the point n / d, and the faces of the hull of
 * these points become the vertices in the same way. `corners` has room for 2 * h->face_count. */
static lathe_result grown_corners(double (*corners)[3], size_t *count, const hull *h, double grow,
                                  const double inside[3], lathe_error *err)
{
    hull_loops loops = {.mem = h->mem};
    double(*duals)[3] = mem_alloc(&h->mem, h->face_count * sizeof *duals);
    if (!duals)
        return hull_no_memory(err);
    double nearest = DBL_MAX;
    for (size_t f = 0; f < h->face_count; f++)
        nearest = fmin(nearest, grow - h->planes[f].d - hull_dot(h->planes[f].n, inside));
    for (size_t f = 0; f < h->face_count; f++) {
        const double distance = grow - h->planes[f].d - hull_dot(h->planes[f].n, inside);
        for (int k = 0; k < 3; k++)
            duals[f][k] = h->planes[f].n[k] / distance * nearest;
    }
    const lathe_result result =
        nearest > 0 ? hull_find_faces(&loops, duals, h->face_count, 0, err) : mass_no_volume(err);
    *count = loops.face_count;
    for (size_t f = 0; result == LATHE_OK && f < loops.face_count; f++)
        for (int k = 0; k < 3; k++)
            corners[f][k] = loops.planes[f].n[k] / -loops.planes[f].d * nearest;
    mem_free(&h->mem, duals, h->face_count * sizeof *duals);
    hull_loops_free(&loops);
    return result;
}

/* Integrates over the hull of vertices relative to the point `inside`. */
static lathe_result mass_of_corners(mass_props *out, double (*corners)[3], size_t count,
                                    const double inside[3], const mem *m, lathe_error *err)
{
    double size = 0;
    for (size_t i = 0; i < count; i++)
        size = fmax(size, sqrt(hull_dot(corners[i], corners[i])));
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] /= size;
    hull_loops loops = {.mem = *m};
    lathe_result result = hull_find_faces(&loops, corners, count, 1e-10, err);
    if (result == LATHE_OK) {
        if (!mass_of_loops(out, corners, loops.indices, loops.faces, loops.face_count))
            result = mass_no_volume(err);
        *out = mass_scaled(out, size);
        out->center = vec3_add(out->center, (vec3){inside[0], inside[1], inside[2]});
    }
    hull_loops_free(&loops);
    return result;
}

lathe_result mass_of_hull(mass_props *out, const hull *h, double grow, lathe_error *err)
{
    *out = (mass_props){.volume = 0};
    lathe_result result = mass_as_is(out, h, err);
    if (result != LATHE_OK || !(grow > 0))
        return result;
    const double inside[3] = {out->center.x, out->center.y, out->center.z};
    *out = (mass_props){.volume = 0};
    size_t count = 0;
    double(*corners)[3] = mem_alloc(&h->mem, 2 * h->face_count * sizeof *corners);
    if (!corners)
        return hull_no_memory(err);
    result = grown_corners(corners, &count, h, grow, inside, err);
    if (result == LATHE_OK)
        result = mass_of_corners(out, corners, count, inside, &h->mem, err);
    mem_free(&h->mem, corners, 2 * h->face_count * sizeof *corners);
    return result;
}
