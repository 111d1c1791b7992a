/* Scene hooks of a mesh shape: bounds, a body, and triangles with materials. */
#ifndef LATHE_PHIVE_MESH_H
#define LATHE_PHIVE_MESH_H

#include "model/mesh.h"
#include "phive/read.h"

/* Adds the triangles of section i. *vertex and *triangle are the totals so far and are updated. indices
 * (three per triangle) and materials may be NULL. A triangle without a material gets the number of rows.
 * hint: see phive_tag_of. */
lathe_result phive_triangles(const phive_reading *r, uint32_t i, uint32_t *indices,
                             uint32_t *materials, size_t *vertex, size_t *triangle, uint32_t *hint,
                             lathe_error *err);

/* Hooks of the format. */
const rec_type *phive_derived(const char *class_name);
lathe_result phive_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result phive_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);

#endif
