/* The arrays of convex shapes, from hulls and numbers (formats/fo4-collision.md#3.2). Knows no document.
 * README.md tells which of their orders are the game's own. */
#ifndef LATHE_HAVOK_PHYSICS_CONVEX_BUILD_H
#define LATHE_HAVOK_PHYSICS_CONVEX_BUILD_H

#include "base/vec.h"
#include "model/hull.h"

enum {
    HK_CONVEX_VERTICES = 252, /* at most: their numbers are bytes, and they come in fours */
    HK_CONVEX_TAG = 0x3F000000,
    /* Flags of shapes. */
    HK_POLYTOPE_FLAGS = 0x0143,
    HK_SPHERE_FLAGS = 0x0111,
    HK_CAPSULE_FLAGS = 0x01C3
};

typedef struct hk_convex_vertex {
    float x, y, z;
    uint32_t w; /* HK_CONVEX_TAG | number */
} hk_convex_vertex;

typedef struct hk_convex_plane {
    float x, y, z, w; /* normal * point + w = 0 */
} hk_convex_plane;

typedef struct hk_convex_face {
    uint16_t first_index;
    uint8_t num_indices, min_half_angle;
} hk_convex_face;

/* As in the file, padding and all. */
typedef struct hk_convex {
    mem mem;
    hk_convex_vertex *vertices;
    hk_convex_plane *planes;
    hk_convex_face *faces;
    uint8_t *indices;
    size_t vertex_count, plane_count, face_count, index_count;
} hk_convex;

/* hknpConvexPolytopeShape. Vertices in the hull's order, faces from the largest to the smallest.
 * LATHE_ERR_LIMIT: more than HK_CONVEX_VERTICES vertices (hull_options.max_vertices helps). On success
 * the caller frees *out with hk_convex_free, here and below; on failure there is nothing to free. */
lathe_result hk_convex_of_hull(hk_convex *out, const hull *h, lathe_error *err);
/* hknpConvexPolytopeShape, all its arrays in the order that boxes of the game have.
 * LATHE_ERR_INVALID: it has no volume. */
lathe_result hk_convex_of_box(hk_convex *out, vec3 low, vec3 high, const mem *m, lathe_error *err);
/* hknpSphereShape: four vertices and nothing else. */
lathe_result hk_convex_of_sphere(hk_convex *out, vec3 center, const mem *m, lathe_error *err);
/* hknpCapsuleShape: a thin box around the axis. a and b may be one point. */
lathe_result hk_convex_of_capsule(hk_convex *out, vec3 a, vec3 b, double radius, const mem *m,
                                  lathe_error *err);
void hk_convex_free(hk_convex *convex); /* fine on a zeroed one */

/* Half of the angle between two planes' normals, whose cosine is given, as a byte: 255 is 90 degrees. */
uint8_t hk_half_angle(double cosine);

#endif
