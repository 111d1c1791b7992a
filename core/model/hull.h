/* Convex hulls of point sets: vertices, flat faces, planes. Computed by qhull, whose messages become errors and are
 * not printed.
 *
 * qhull allocates its working memory with malloc, not from `mem`: up to 800 bytes for each point. 100,000 points that
 * are all vertices of the hull take several seconds; as many inner points take a tenth of a second. */
#ifndef LATHE_MODEL_HULL_H
#define LATHE_MODEL_HULL_H

#include "base/mem.h"

enum { HULL_POINTS_MAX = 1 << 20 };

typedef struct hull_options {
    /* maximum number of vertices, at least 4, with the resulting error in `lost`; 0: all */
    size_t max_vertices;
    /* faces that are flat within this fraction of the set's size are merged; 0: HULL_FLATNESS.
     * Faces that are flat within two units in the last place of the coordinates are always merged. */
    double flatness;
} hull_options;

#define HULL_FLATNESS 1e-6

/* n . p + d is the distance of p above the plane; n has unit length and points outward. */
typedef struct hull_plane {
    double n[3], d;
} hull_plane;

typedef struct hull_face {
    uint32_t first, count; /* of hull.indices: a loop, counter-clockwise seen from outside */
} hull_face;

/* A hull. Vertices are points of the set, bit for bit and in its order. A loop begins at its lowest vertex, and faces
 * are in the order of their loops. So the hull of a hull's vertices is that hull. */
typedef struct hull {
    mem mem;
    float (*vertices)[3];
    hull_plane *planes; /* of the faces: no vertex is above one, except for rounding */
    hull_face *faces;
    uint32_t *indices;
    uint32_t *points; /* index of each vertex in the point set */
    size_t vertex_count, face_count, index_count;
    double lost; /* the largest distance of a point of the set above a plane of the hull */
} hull;

/* Whether hulls can be built, which needs qhull (not with make QHULL=no). */
bool hull_built_in(void);

/* The hull of `count` rows of x, y, z; options may be NULL. On success the caller frees *h with hull_free; on failure
 * there is nothing to free. LATHE_ERR_INVALID: fewer than four points, a coordinate that is not finite, or all points
 * are (within the flatness) at one place, on a line or in a plane. LATHE_ERR_LIMIT: more than HULL_POINTS_MAX points.
 * LATHE_ERR_UNSUPPORTED: built without qhull. */
lathe_result hull_build(hull *h, const float *points, size_t count, const hull_options *options,
                        const mem *m, lathe_error *err);
void hull_free(hull *h); /* a zeroed hull is allowed */

/* The cosine of the angle between the normals of the two faces at each edge: one for every index, for the edge from
 * it to the next index of its loop. */
lathe_result hull_edge_cosines(const hull *h, double *cosines, lathe_error *err);

#endif
