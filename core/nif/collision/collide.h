/* doc:set_collision: what collides for a node, made anew. Reference: formats/fo4-collision.md. */
#ifndef LATHE_NIF_COLLIDE_H
#define LATHE_NIF_COLLIDE_H

#include "havok/physics/build/build.h"
#include "havok/physics/names/material_names.h"
#include "nif/collision/cloud.h"

/* What shapes are made of, as the verb is given it (collide_shape.c). */
typedef struct nif_shaping {
    lathe_doc *doc;
    const lathe_source *source;
    mat4 to_node; /* as nif_cloud has them */
    bool own;
    lathe_report *report;
    hk_names names;   /* of materials */
    const char *path; /* of the node, for what is told of */
    arena arena;      /* of children and materials */
} nif_shaping;

/* The shape that a node of the source describes (NULL: the verb's arguments). It is to be freed whatever comes;
 * children and materials are the arena's. */
lathe_result nif_make_solid(nif_shaping *s, const void *node, hk_solid *out, lathe_error *err);

/* Inside an edit: the packfile becomes the node's collision, in place of what was (collide_attach.c). */
lathe_result nif_attach_system(lathe_doc *doc, uint32_t node, const buf *packfile, bool moves,
                               lathe_report *report, lathe_error *err);

/* Inside an edit: a block goes, and what it leads to, but for nodes and what others lead to (collide_old.c). */
lathe_result nif_remove_chain(lathe_doc *doc, uint32_t part, lathe_report *report,
                              lathe_error *err);
/* Inside an edit: the body of that number goes from a system that others use; their numbers follow. */
lathe_result nif_leave_system(lathe_doc *doc, uint32_t system, uint64_t number, lathe_error *err);

extern const rec_param *const nif_set_collision_params[];
extern const char nif_set_collision_doc[];
lathe_result nif_set_collision(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);

#endif
