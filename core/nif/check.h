/* doc:check() of a NIF, by what is looked at. */
#ifndef LATHE_NIF_CHECK_H
#define LATHE_NIF_CHECK_H

#include "nif/geometry/mesh.h"

typedef struct nif_checks {
    lathe_doc *doc;
    rec_report *report;
    uint32_t c;      /* the container */
    uint64_t blocks; /* how many are known */
    bool complete;   /* every block of the file is described and parses */
} nif_checks;

/* check_skin.c: skin instances, their data and the bones of packed vertices. */
void nif_check_skins(const nif_checks *k);
/* The first of packed vertices that is moved by a bone that is not there, at its row `vertices`. */
void nif_check_lanes(rec_report *report, const rec_at *at, const nif_column *packed,
                     const nif_vertex *layout, uint64_t bones);
/* check_partition.c: a NiSkinPartition of a shape with so many vertices and a skin with so many bones;
 * UINT32_MAX: not known. */
void nif_check_partition(rec_report *report, const rec_at *at, uint64_t vertices, uint64_t bones);
/* check_shape.c: shapes against their game and the flags of their shaders. */
void nif_check_shapes(const nif_checks *k);
/* The record of a BSLightingShaderProperty or BSEffectShaderProperty that has flags1 and flags2; `shader` must
 * outlive it. False: it has none. */
bool nif_shader_bits(const rec_at *shader, rec_at *body);
/* packed/check.c: packed geometry and the shapes that own it. */
void nif_check_packed(const nif_checks *k);
/* packed/check_placed.c: the instances of a block of packed geometry; the shape that owns it against them. */
void nif_check_placed(const nif_checks *k, const rec_at *block);
void nif_check_around(const nif_checks *k, const rec_at *shape, const rec_at *block);
/* check_bsx.c: the bits of BSXFlags against what is in the file. */
void nif_check_bsx(const nif_checks *k);

#endif
