/* doc:set_collision and doc:remove_collision: the collision of a node is replaced or removed.
 * Reference: formats/fo4-collision.md. */
#ifndef LATHE_NIF_COLLIDE_H
#define LATHE_NIF_COLLIDE_H

#include "havok/physics/build/build.h"
#include "havok/physics/names/material_names.h"
#include "nif/collision/cloud.h"

/* Input of the function that makes shapes from the verb's arguments (collide_shape.c). */
typedef struct nif_shaping {
    lathe_doc *doc;
    const lathe_source *source;
    mat4 to_node; /* as in nif_cloud */
    bool own;
    lathe_report *report;
    hk_names names;   /* material names */
    const char *path; /* of the node, for messages */
    arena arena;      /* owns children and materials */
} nif_shaping;

/* Makes the shape that a table of the source describes; node NULL: the verb's arguments. The caller frees
 * *out, also after a failure. Children and materials belong to the arena. */
lathe_result nif_make_solid(nif_shaping *s, const void *node, hk_solid *out, lathe_error *err);

/* What nif_attach makes the collision of a node (collide_attach.c). */
typedef struct nif_attaching {
    lathe_doc *doc;
    const buf *packfile; /* one body */
    uint32_t system; /* block of a system that gets the body; REC_NO_PART: a system of its own */
    bool moves;      /* the body is dynamic */
    lathe_report *report;
} nif_attaching;

/* Inside an edit: replaces the collision of a node. */
lathe_result nif_attach(const nif_attaching *a, uint32_t node, lathe_error *err);

/* ---- nodes and blocks in arguments (arguments.c) -------------------------------------------------------- */

/* The block of a type that the argument `node` gives: by view, number or name; none, or false: the first block. */
lathe_result nif_node_arg(lathe_doc *doc, const lathe_source *args, const char *verb,
                          const rec_type *type, uint32_t *out, lathe_error *err);
/* The block of a bhkPhysicsSystem that an argument gives, by view or number; REC_NO_PART: not given. */
lathe_result nif_system_arg(lathe_doc *doc, const lathe_source *args, uint32_t *out,
                            lathe_error *err);

/* ---- blocks that only removed blocks refer to (chain.c) ------------------------------------------------- */

/* Inside an edit: removes n blocks and all blocks that only they refer to, except nodes. A block that a remaining block
 * refers to stays. */
lathe_result nif_remove_chain(lathe_doc *doc, const uint32_t *parts, size_t n, lathe_report *report,
                              lathe_error *err);

/* ---- systems of Fallout 4 (system.c) -------------------------------------------------------------------- */

#define NIF_ALL_BODIES UINT64_MAX

/* Number of bhkNPCollisionObject blocks that use a system (NIF_ALL_BODIES), or one body of it. */
uint64_t nif_system_users(lathe_doc *doc, uint32_t system, uint64_t body);
/* Number of bodies in a system, or 0 if unknown. */
uint64_t nif_system_bodies(lathe_doc *doc, uint32_t system);
/* Opens a bhkPhysicsSystem whose bodies can be added and removed; *c: its container, *at: its hknpPhysicsSystemData.
 * LATHE_ERR_UNSUPPORTED: a ragdoll, or it cannot be read. */
lathe_result nif_system_open(lathe_doc *doc, uint32_t system, uint32_t *c, rec_at *at,
                             lathe_error *err);
/* Inside an edit: removes body `number` of a system, and updates the numbers in blocks that use later bodies. `advice`
 * as in hk_check_unheld. */
lathe_result nif_leave_system(lathe_doc *doc, uint32_t system, uint64_t number, const char *advice,
                              lathe_error *err);
/* Inside an edit: adds the body of a packfile to a system; *number: that of the body. */
lathe_result nif_join_system(lathe_doc *doc, uint32_t system, const buf *packfile, uint64_t *number,
                             lathe_error *err);

/* ---- BSXFlags (flags.c) ---------------------------------------------------------------------------------- */

/* Bits of BSXFlags. All files with collision have `havok`; of those with movable bodies all but one have
 * `dynamic`, and no others do. */
enum { NIF_BSX_HAVOK = 2, NIF_BSX_RAGDOLL = 4, NIF_BSX_DYNAMIC = 0x40 };

/* Inside an edit: appends a block of a type. */
lathe_result nif_append_block(lathe_doc *doc, const char *type, rec_at *out, lathe_report *report,
                              lathe_error *err);
/* Inside an edit: the root's BSXFlags tell that something collides, and whether it moves. */
lathe_result nif_add_flags(lathe_doc *doc, bool moves, lathe_report *report, lathe_error *err);
/* Inside an edit, after collision was removed: clears bits that nothing in the file accounts for any more. `removed`:
 * the bits that what was removed accounted for. The report gets the names of cleared bits, as `flags`. */
lathe_result nif_drop_flags(lathe_doc *doc, uint32_t removed, lathe_report *report,
                            lathe_error *err);

/* ---- removing (detach.c, detach_bhk.c) ------------------------------------------------------------------- */

/* Collision objects that are removed. */
typedef struct nif_detaching {
    lathe_doc *doc;
    bool constraints; /* those of removed bodies are removed, too; else they are refused */
    lathe_report *report;
    buf blocks;    /* uint32_t: parts of the collision objects, all of one body */
    uint32_t bits; /* out: for nif_drop_flags */
} nif_detaching;

extern const char nif_constraints_advice[]; /* for errors about constraints */

/* Another node that refers to a collision object; REC_NO_PART: none. */
uint32_t nif_other_node(lathe_doc *doc, uint32_t collision, uint32_t node);
/* Inside an edit: a collision object that belongs to `node` belongs to another node from now on. */
lathe_result nif_hand_over(lathe_doc *doc, uint32_t collision, uint32_t node, uint32_t other,
                           lathe_error *err);
/* Inside an edit: removes the collision of a node. */
lathe_result nif_detach_node(nif_detaching *d, uint32_t node, lathe_error *err);
/* Inside an edit: removes a body of a system, or a bhkRigidBody or phantom, and the collision objects that have it. */
lathe_result nif_detach_body(nif_detaching *d, uint32_t system, uint64_t number, lathe_error *err);
lathe_result nif_detach_world_object(nif_detaching *d, uint32_t body, lathe_error *err);
/* Inside an edit: the same for collision objects before Fallout 4, whose body is `body` (REC_NO_PART: unknown). Adds the
 * constraints that are removed to d->blocks. */
lathe_result nif_release_constraints(nif_detaching *d, uint32_t body, lathe_error *err);

/* ---- the verbs ------------------------------------------------------------------------------------------- */

extern const rec_param *const nif_set_collision_params[];
extern const char nif_set_collision_doc[];
lathe_result nif_set_collision(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);
extern const rec_param *const nif_remove_collision_params[];
extern const char nif_remove_collision_doc[];
lathe_result nif_remove_collision(lathe_view self, const lathe_source *args, lathe_report *report,
                                  lathe_error *err);

#endif
