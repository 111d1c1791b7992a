/* Triangulates simple solids. */
#ifndef LATHE_MODEL_ROUND_H
#define LATHE_MODEL_ROUND_H

#include "model/mesh.h"

/* Destination of the vertices: transformed by `place`, then multiplied by `units`. */
typedef struct model_put {
    model_mesh *mesh;
    const mat4 *place;
    double units;
    bool mirrored; /* `place` mirrors; set by model_put_at */
} model_put;

model_put model_put_at(model_mesh *mesh, const mat4 *place, double units);
/* Set vertex or triangle number i, which must be allocated. Triangles are counter-clockwise seen from outside, also
 * if the transform mirrors. */
void model_put_vertex(const model_put *p, size_t i, vec3 v);
void model_put_triangle(const model_put *p, size_t i, uint32_t a, uint32_t b, uint32_t c);

/* Allocate and fill the whole mesh, with the attributes `with`: a sphere around `a` if b equals a, else a capsule
 * between them; a cylinder with flat ends; a box. */
lathe_result model_put_round(const model_put *p, vec3 a, vec3 b, double radius, unsigned with,
                             lathe_error *err);
lathe_result model_put_cylinder(const model_put *p, vec3 a, vec3 b, double radius, unsigned with,
                                lathe_error *err);
lathe_result model_put_box(const model_put *p, vec3 low, vec3 high, unsigned with,
                           lathe_error *err);

#endif
