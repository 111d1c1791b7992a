/* Triangles of simple solids, put into a mesh. */
#ifndef LATHE_MODEL_ROUND_H
#define LATHE_MODEL_ROUND_H

#include "model/mesh.h"

/* Where vertices go: placed, then in units of which `units` are one of theirs. */
typedef struct model_put {
    model_mesh *mesh;
    const mat4 *place;
    double units;
    bool mirrored; /* the place turns inside out: model_put_at */
} model_put;

model_put model_put_at(model_mesh *mesh, const mat4 *place, double units);
/* Number i of those that there is room for. Triangles are counter-clockwise from outside, whatever the place does. */
void model_put_vertex(const model_put *p, size_t i, vec3 v);
void model_put_triangle(const model_put *p, size_t i, uint32_t a, uint32_t b, uint32_t c);

/* The whole mesh: room for it with the attributes `with`, then a sphere around `a` if that is `b`, else the capsule
 * between them; a cylinder with flat ends; a box from corner to corner. */
lathe_result model_put_round(const model_put *p, vec3 a, vec3 b, double radius, unsigned with,
                             lathe_error *err);
lathe_result model_put_cylinder(const model_put *p, vec3 a, vec3 b, double radius, unsigned with,
                                lathe_error *err);
lathe_result model_put_box(const model_put *p, vec3 low, vec3 high, unsigned with,
                           lathe_error *err);

#endif
