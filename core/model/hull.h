/* Convex hulls of clouds of points: corners, flat faces, planes. qhull finds them; what it says is in
 * the error and nowhere else, and nothing of it is left behind.
 *
 * qhull takes its working memory from malloc, not from `mem`: up to 800 bytes a point. 100,000 points
 * that are all corners take it some seconds, as many that are not a tenth of one. */
#ifndef LATHE_MODEL_HULL_H
#define LATHE_MODEL_HULL_H

#include "base/mem.h"

enum { HULL_POINTS_MAX = 1 << 20 };

typedef struct hull_options {
    /* keep so many corners, 4 or more, and say in `lost` what that costs; 0: all */
    size_t max_vertices;
    double flatness; /* faces that are flat but for this part of the cloud's size are one face; 0:
                            HULL_FLATNESS. Two units in the last place of the coordinates always are. */
} hull_options;

#define HULL_FLATNESS 1e-6

/* n . p + d is the distance above the plane; n has unit length and looks outward. */
typedef struct hull_plane {
    double n[3], d;
} hull_plane;

typedef struct hull_face {
    uint32_t first, count; /* of hull.indices: a loop, counter-clockwise seen from outside */
} hull_face;

/* Corners are points of the cloud, bit for bit, in its order; a loop begins at its lowest corner, and
 * faces are in the order of their loops. So the hull of a hull's corners is that hull. */
typedef struct hull {
    mem mem;
    float (*vertices)[3];
    hull_plane *planes; /* of the faces: no corner is above one but for rounding */
    hull_face *faces;
    uint32_t *indices;
    uint32_t *points; /* the corners' numbers in the cloud */
    size_t vertex_count, face_count, index_count;
    double lost; /* how far the farthest point of the cloud is above a plane of the hull */
} hull;

/* True where hulls can be built: a build without qhull has none (make QHULL=no). */
bool hull_built_in(void);

/* The hull of `count` rows of x, y, z; options may be NULL. On success the caller frees *h with
 * hull_free; on failure there is nothing to free. LATHE_ERR_INVALID: fewer than four points, one that
 * is no number, or all of them (within the flatness) at one place, on a line or in a plane.
 * LATHE_ERR_LIMIT: more than HULL_POINTS_MAX points. LATHE_ERR_UNSUPPORTED: built without qhull. */
lathe_result hull_build(hull *h, const float *points, size_t count, const hull_options *options,
                        const mem *m, lathe_error *err);
void hull_free(hull *h); /* fine on a zeroed hull */

/* The cosine of the angle between the normals of the faces on both sides of each side of the loops:
 * one for every index, of the side from it to the next in its loop. */
lathe_result hull_edge_cosines(const hull *h, double *cosines, lathe_error *err);

#endif
