/* doc:set_collision: replaces the collision of a node. Reference: formats/fo4-collision.md. */
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

/* Inside an edit: replaces the collision of a node with this packfile (collide_attach.c). */
lathe_result nif_attach_system(lathe_doc *doc, uint32_t node, const buf *packfile, bool moves,
                               lathe_report *report, lathe_error *err);

/* Inside an edit: removes a block and all blocks that only it refers to, except nodes (collide_old.c). */
lathe_result nif_remove_chain(lathe_doc *doc, uint32_t part, lathe_report *report,
                              lathe_error *err);
/* Inside an edit: removes body `number` from a system that other nodes use too, and updates the numbers of
 * the later bodies. */
lathe_result nif_leave_system(lathe_doc *doc, uint32_t system, uint64_t number, lathe_error *err);

extern const rec_param *const nif_set_collision_params[];
extern const char nif_set_collision_doc[];
lathe_result nif_set_collision(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);

#endif
