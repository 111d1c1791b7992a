/* Collision of a NIF: the bodies of the packfiles in its bhkPhysicsSystem and bhkRagdollSystem blocks, and
 * the nodes that they belong to. Reference: formats/fo4-collision.md#1. */
#ifndef LATHE_NIF_COLLISION_H
#define LATHE_NIF_COLLISION_H

#include "nif/geometry/mesh.h"

/* A block with a packfile. */
typedef struct nif_system {
    uint32_t block, container;
    uint64_t first_body, bodies;
    uint64_t first_mesh, meshes; /* valid if .meshes_counted */
} nif_system;

/* A bhkNPCollisionObject: the numbers of its data and target blocks, of its body, and of the block itself. */
typedef struct nif_tie {
    uint32_t data, body, target, block;
} nif_tie;

/* Cached data of a document. */
typedef struct nif_collisions {
    rec_cached cached;
    uint64_t followed; /* as in nif_scene */
    buf systems;       /* of nif_system, in file order, without those that cannot be opened */
    buf ties;          /* of nif_tie, sorted by data and body */
    bool meshes_counted;
} nif_collisions;

/* Hooks of the format. */
lathe_result nif_body_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result nif_collision_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_collision(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err);
lathe_result nif_body_owner(lathe_doc *doc, uint32_t c, uint64_t i, lathe_view *out,
                            lathe_error *err);
lathe_result nif_body_moves(lathe_doc *doc, uint32_t c, lathe_error *err); /* collide_attach.c */

/* The cached systems and ties, valid until the next write. NULL: out of memory. */
nif_collisions *nif_collisions_of(lathe_doc *doc, lathe_error *err);
/* check_collision.c: finds ties without a target or body, and bodies without a tie. */
void nif_check_collision(lathe_doc *doc, rec_report *report);

#endif
