/* Simple solids around clouds of points. Knows no document. */
#ifndef LATHE_MODEL_FIT_H
#define LATHE_MODEL_FIT_H

#include "base/vec.h"

#include <stddef.h>

/* Rows of x, y, z, all of them finite, one at least. */
typedef struct fit_points {
    const float *xyz;
    size_t count;
} fit_points;

/* The smallest box along the axes. */
void fit_box(fit_points p, vec3 *low, vec3 *high);
/* A sphere that holds all: the smallest but for one part in a hundred. */
void fit_sphere(fit_points p, vec3 *center, double *radius);
/* A capsule that holds all, along the longest side of the box, through its middle: the thinnest, and then the
 * shortest. a and b, the ends of its axis, may be the same point. */
void fit_capsule(fit_points p, vec3 *a, vec3 *b, double *radius);

#endif
