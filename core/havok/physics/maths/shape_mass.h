/* What the game's own tools say a shape weighs: volume, centre and moments of hknpShapeMassProperties and
 * of motions, for a density of 1. Knows no document. README.md tells how well it fits. */
#ifndef LATHE_HAVOK_PHYSICS_SHAPE_MASS_H
#define LATHE_HAVOK_PHYSICS_SHAPE_MASS_H

#include "model/mass.h"

/* Moments are this many times those of the solid. */
#define HK_INERTIA 1.5
/* kg: of what becomes dynamic where nobody says its mass. */
#define HK_DYNAMIC_MASS 9.0

typedef struct hk_mass {
    double volume; /* and mass */
    vec3 center;
    double inertia[3]; /* moments about the axes */
    quat axes;         /* majorAxisSpace: the turn from x, y, z to them */
} hk_mass;

/* A hull with a convex radius: what its planes hold, each moved outward by the radius. Fails as
 * mass_of_hull does. */
lathe_result hk_mass_of_hull(hk_mass *out, const hull *h, double convex_radius, lathe_error *err);
/* The same of a box, without qhull. So weigh compounds as well: as the box of their bounds, with no
 * radius, whatever is in it. */
hk_mass hk_mass_of_box(vec3 low, vec3 high, double convex_radius);
hk_mass hk_mass_of_sphere(vec3 center, double radius);
hk_mass hk_mass_of_capsule(vec3 a, vec3 b, double radius);
/* Whether a body of that mass has a density and moments that floats hold: LATHE_ERR_INVALID. */
lathe_result hk_mass_check(const hk_mass *m, double mass, lathe_error *err);

#endif
