/* A mesh shape as what formats have in common: bounds, a body, triangles with materials. */
#ifndef LATHE_PHIVE_MESH_H
#define LATHE_PHIVE_MESH_H

#include "model/mesh.h"
#include "phive/read.h"

/* The box around all vertices. LATHE_ERR_NAME: there are none. */
lathe_result phive_bounds(lathe_doc *doc, uint32_t c, float lo[3], float hi[3], lathe_error *err);
extern const rec_numbers phive_bounds_numbers; /* two rows: the least corner, the greatest */

/* Hooks of the format. */
const rec_field *phive_derived(const char *class_name, uint32_t *n);
lathe_result phive_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result phive_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);

#endif
