/* Hulls, spheres and capsules. Reference: formats/fo4-collision.md#3.2. */
#ifndef LATHE_HAVOK_PHYSICS_CONVEX_H
#define LATHE_HAVOK_PHYSICS_CONVEX_H

#include "havok/packfile/types.h"

extern const rec_type hknp_convex_polytope_shape, hknp_sphere_shape, hknp_capsule_shape;
extern const rec_type hknp_convex_vertex, hknp_convex_plane, hknp_convex_face; /* elements */

#endif
