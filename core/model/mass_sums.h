/* Integrals over a solid that is given by the triangles of its surface, for mass.c and mass_hull.c. */
#ifndef LATHE_MODEL_MASS_SUMS_H
#define LATHE_MODEL_MASS_SUMS_H

#include "model/mass.h"

/* Integrals over the tetrahedra between a common point and the triangles. */
typedef struct mass_sums {
    double origin[3];
    double volume, first[3], second[3][3]; /* of 1, x and x * y */
} mass_sums;

void mass_add_triangle(mass_sums *s, double p[3][3]);
/* False: the volume is 0, and *out is zeroed. */
bool mass_finish(mass_props *out, const mass_sums *s);
lathe_result mass_no_volume(lathe_error *err);

#endif
