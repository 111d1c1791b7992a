/* Simple solids that enclose a set of points. */
#ifndef LATHE_MODEL_FIT_H
#define LATHE_MODEL_FIT_H

#include "base/vec.h"

#include <stddef.h>

/* Rows of x, y, z; finite, at least one. */
typedef struct fit_points {
    const float *xyz;
    size_t count;
} fit_points;

/* The smallest axis-aligned box. */
void fit_box(fit_points p, vec3 *low, vec3 *high);
/* An enclosing sphere with a radius at most 1 % larger than the smallest one's. */
void fit_sphere(fit_points p, vec3 *center, double *radius);
/* An enclosing capsule along the longest side of the box, through its middle: of minimum radius, then of minimum
 * length. a and b are the ends of its axis, and may be equal. */
void fit_capsule(fit_points p, vec3 *a, vec3 *b, double *radius);

#endif
