/* Volume, centre of mass and inertia of solids of density 1. Knows no document.
 *
 * A body of mass m has these, times m / volume. */
#ifndef LATHE_MODEL_MASS_H
#define LATHE_MODEL_MASS_H

#include "base/vec.h"
#include "model/hull.h"

typedef struct mass_props {
    double volume;
    vec3 center;
    double inertia[3][3]; /* about the centre, along x, y, z; symmetric */
} mass_props;

mass_props mass_of_sphere(vec3 center, double radius);
mass_props mass_of_capsule(vec3 a, vec3 b, double radius); /* a and b: the ends of its axis */
mass_props mass_of_box(vec3 low, vec3 high);

/* Of what is below the hull's planes once each is moved `grow` outward: corners stay sharp, a box grows
 * to a box. Asks qhull unless grow is 0; fails as hull_build does. */
lathe_result mass_of_hull(mass_props *out, const hull *h, double grow, lathe_error *err);

mass_props mass_scaled(const mass_props *p, double scale); /* about the origin */

/* The moments about the principal axes, and the turn from x, y, z to these: inertia = R diag R^T with
 * R of *axes. Of all orders of the axes it is the one that Jacobi's small turns come to: a tensor that
 * is nearly diagonal keeps its order, and one that is but for rounding (one part in ten million) is not
 * turned at all. */
void mass_principal(const mass_props *p, double moments[3], quat *axes);

#endif
