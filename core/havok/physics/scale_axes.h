/* Scaling collision by another factor along each axis: which shapes can be, and by what in their own space.
 * Reference: formats/fo4-collision.md#4.1. README.md says what is refused. */
#ifndef LATHE_HAVOK_PHYSICS_SCALE_AXES_H
#define LATHE_HAVOK_PHYSICS_SCALE_AXES_H

#include "havok/physics/types.h"
#include "scene/scale.h"

/* Of each part of the document the factors of what is in it, along its own axes. */
typedef struct hk_axes {
    lathe_doc *doc;
    double world[3];
    double (*of)[3];
    uint8_t *known;
    size_t parts;
} hk_axes;

/* Finds out; refuses, by name, what would not stay what it is. To be ended in either case. */
lathe_result hk_axes_begin(hk_axes *axes, lathe_doc *doc, uint32_t c, const double world[3],
                           lathe_error *err);
void hk_axes_end(hk_axes *axes);
/* How a row is scaled: scene_scaling.row, with the powers of any factor but 1. */
bool hk_axes_row(const hk_axes *axes, const scene_scaling *s, const rec_at *at, uint32_t slot,
                 int outer, scene_scale_row *out);
/* Once a polytope was scaled: what follows from its corners, its half angles and its mass. */
lathe_result hk_axes_hull(const hk_axes *axes, scene_scaling *s, const rec_at *shape,
                          lathe_error *err); /* scale_hull.c */

#endif
