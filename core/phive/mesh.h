/* A mesh shape as what formats have in common: bounds, a body, triangles with materials. */
#ifndef LATHE_PHIVE_MESH_H
#define LATHE_PHIVE_MESH_H

#include "model/mesh.h"
#include "phive/read.h"

/* The triangles of section number i, behind so many vertices and triangles, which are counted on. indices (three a
 * triangle) and materials may be NULL; a triangle of no row of materials has the number of rows. hint: phive_tag_of. */
lathe_result phive_triangles(const phive_reading *r, uint32_t i, uint32_t *indices,
                             uint32_t *materials, size_t *vertex, size_t *triangle, uint32_t *hint,
                             lathe_error *err);

/* Hooks of the format. */
const rec_type *phive_derived(const char *class_name);
lathe_result phive_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result phive_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);

#endif
