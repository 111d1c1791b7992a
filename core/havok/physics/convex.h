/* Hulls, spheres and capsules. Reference: formats/fo4-collision.md#3.2. */
#ifndef LATHE_HAVOK_PHYSICS_CONVEX_H
#define LATHE_HAVOK_PHYSICS_CONVEX_H

#include "record/schema.h"

#endif
