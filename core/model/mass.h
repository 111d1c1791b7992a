/* Volume, centre of mass and inertia of solids of density 1. For a body of mass m, multiply by m / volume. */
#ifndef LATHE_MODEL_MASS_H
#define LATHE_MODEL_MASS_H

#include "base/vec.h"
#include "model/hull.h"

typedef struct mass_props {
    double volume;
    vec3 center;
    double inertia[3][3]; /* about the centre of mass, in the axes x, y, z; symmetric */
} mass_props;

mass_props mass_of_sphere(vec3 center, double radius);
mass_props mass_of_capsule(vec3 a, vec3 b, double radius); /* a and b: the ends of its axis */
mass_props mass_of_box(vec3 low, vec3 high);

/* Of the solid below the hull's planes after each plane is moved outward by `grow`; so edges stay sharp, and a box
 * stays a box. Needs qhull unless grow is 0; fails like hull_build. */
lathe_result mass_of_hull(mass_props *out, const hull *h, double grow, lathe_error *err);

mass_props mass_scaled(const mass_props *p, double scale); /* scaled about the origin */

/* Principal moments of inertia, and the rotation R to the principal axes: inertia = R diag(moments) R^T. Uses
 * Jacobi's method, which keeps the order of the axes of a nearly diagonal tensor. A tensor that is diagonal within
 * rounding (one part in ten million) gives no rotation at all. */
void mass_principal(const mass_props *p, double moments[3], quat *axes);

#endif
