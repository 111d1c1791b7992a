/* What collides in a NIF: bodies of the packfiles in its bhkPhysicsSystem and bhkRagdollSystem blocks, and the nodes
 * that they belong to. Reference: formats/fo4-collision.md#1. */
#ifndef LATHE_NIF_COLLISION_H
#define LATHE_NIF_COLLISION_H

#include "nif/geometry/mesh.h"

/* Hooks of the format. */
lathe_result nif_body_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result nif_collision_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_collision(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err);
lathe_result nif_body_owner(lathe_doc *doc, uint32_t c, uint64_t i, lathe_view *out,
                            lathe_error *err);
lathe_result nif_body_moves(lathe_doc *doc, uint32_t c, lathe_error *err); /* collide_attach.c */

/* The packfile of a block, a bhkSystem. REC_NO_PART: it has none that opens, and *why (may be NULL) says so. */
uint32_t nif_packfile_of(lathe_doc *doc, uint32_t block, lathe_error *why);
/* Opens all of them. That is a change, behind which nothing that is kept is there any more: it comes first.
 * False: out of memory. */
bool nif_open_packfiles(lathe_doc *doc);

/* What ties systems to nodes, good until the next write. NULL: out of memory. */
nif_collisions *nif_collisions_of(lathe_doc *doc, lathe_error *err);
/* check_collision.c: ties that lead nowhere, and bodies without one. */
void nif_check_collision(lathe_doc *doc, rec_report *report);

#endif
