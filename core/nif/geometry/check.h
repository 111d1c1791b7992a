/* doc:check() of geometry. */
#ifndef LATHE_NIF_GEOMETRY_CHECK_H
#define LATHE_NIF_GEOMETRY_CHECK_H

#include "nif/container/check.h"
#include "nif/geometry/mesh.h"

/* check_skin.c: skin instances, their data, and the bones of packed vertices. */
void nif_check_skins(const nif_checks *k);
/* check_lanes.c: reports the first packed vertex with a bone that does not exist, at its field `vertices`. */
void nif_check_lanes(rec_report *report, const rec_at *at, const nif_column *packed,
                     const nif_vertex *layout, uint64_t bones);
/* check_partition.c: checks a NiSkinPartition of a shape with so many vertices and a skin with so many bones;
 * UINT32_MAX: unknown. */
void nif_check_partition(rec_report *report, const rec_at *at, uint64_t vertices, uint64_t bones);
/* check_shape.c: checks shapes against their game and the flags of their shaders. */
void nif_check_shapes(const nif_checks *k);
/* Finds the record of a BSLightingShaderProperty or BSEffectShaderProperty that has flags1 and flags2.
 * `shader` must outlive it. False: there is none. */
bool nif_shader_bits(const rec_at *shader, rec_at *body);
/* packed/check.c: packed geometry and its shapes. */
void nif_check_packed(const nif_checks *k);
/* packed/check_placed.c: nif_check_placed checks the instances of a block of packed geometry,
 * nif_check_around its shape against them. */
void nif_check_placed(const nif_checks *k, const rec_at *block);
void nif_check_around(const nif_checks *k, const rec_at *shape, const rec_at *block);
/* triangles.c: reports the first triangle of a block with an index that is not a vertex. */
void nif_check_triangles(lathe_doc *doc, uint32_t part, rec_report *report);

#endif
