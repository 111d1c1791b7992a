/* Sums over the triangles of a surface, shared by mass.c and mass_hull.c. */
#ifndef LATHE_MODEL_MASS_SUMS_H
#define LATHE_MODEL_MASS_SUMS_H

#include "model/mass.h"

/* Sums over tetrahedra from one point to the triangles of the surface. */
typedef struct mass_sums {
    double origin[3];
    double volume, first[3], second[3][3]; /* of 1, x, x * y */
} mass_sums;

void mass_add_triangle(mass_sums *s, double p[3][3]);
/* False: they hold no volume; *out is then zeroed. */
bool mass_finish(mass_props *out, const mass_sums *s);
lathe_result mass_no_volume(lathe_error *err);

#endif
