/* Functions that the files of the hull share: the point set, and faces as loops of point indices. */
#ifndef LATHE_MODEL_HULL_PARTS_H
#define LATHE_MODEL_HULL_PARTS_H

#include "base/error.h"
#include "model/hull.h"

#include <math.h>

/* The point set, normalized for qhull: centred at the origin, with 1 as the longest side of its box. */
typedef struct hull_cloud {
    mem mem;
    const float *points;
    double (*scaled)[3];
    size_t count;
    double middle[3], size;
    double flatness; /* for the normalized points */
} hull_cloud;

/* Faces of a hull, in any order. */
typedef struct hull_loops {
    mem mem;
    uint32_t *indices; /* into the point set */
    hull_plane *planes;
    hull_face *faces;
    size_t index_count, index_cap, plane_cap, face_count, face_cap;
    double outside; /* the largest distance of a point of the set above a plane */
} hull_loops;

void hull_loops_free(hull_loops *loops);

/* hull_qhull.c: the facets that qhull finds around `count` points, which must not be coplanar. Facets that bend by
 * less than `flatness` (0: by rounding only) are merged. Loops may have either direction, and may not form a closed
 * surface; the caller checks that. LATHE_ERR_INVALID: qhull failed; the message has its reason. */
lathe_result hull_find_loops(hull_loops *loops, double (*points)[3], size_t count, double flatness,
                             lathe_error *err);

/* hull_faces.c: the same, but with counter-clockwise loops, a closed surface, and no vertex above a plane. */
lathe_result hull_find_faces(hull_loops *loops, double (*points)[3], size_t count, double flatness,
                             lathe_error *err);
/* Counts how often each point is a vertex of a loop. Returns how many points are. */
size_t hull_count_corners(const hull_loops *loops, uint32_t *uses, size_t points);

/* hull_simplify.c: finds four points that span a large volume; if there are none, the error says how the set is
 * degenerate. */
lathe_result hull_spread(const hull_cloud *c, uint32_t corners[4], lathe_error *err);
/* Reduces the hull of a point set to at most `max` vertices. */
lathe_result hull_simplify(hull_loops *loops, const hull_cloud *c, size_t max, lathe_error *err);

static inline lathe_result hull_no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static inline void hull_sub(double out[3], const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static inline double hull_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void hull_cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
/* Normalizes v. False: it has no direction. */
static inline bool hull_unit(double v[3])
{
    const double length = sqrt(hull_dot(v, v));
    if (!(length > 0))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

static inline void hull_turn(uint32_t *loop, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const uint32_t kept = loop[i];
        loop[i] = loop[n - 1 - i];
        loop[n - 1 - i] = kept;
    }
}

#endif
