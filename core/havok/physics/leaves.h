/* What each body is made of in the end: shapes that are no compounds, each in its place. */
#ifndef LATHE_HAVOK_PHYSICS_LEAVES_H
#define LATHE_HAVOK_PHYSICS_LEAVES_H

#include "base/vec.h"
#include "havok/physics/bodies.h"

struct model_mesh;

typedef struct hk_leaf {
    uint32_t part;  /* the shape's */
    uint32_t body;  /* its number in the container, from 0 */
    uint32_t place; /* which of hk_leaves.places */
    uint32_t sub;   /* of a shape that is several: which of them, from 0 */
} hk_leaf;

/* All leaves of a container, body by body. Several may have one place. */
typedef struct hk_leaves {
    rec_cached cached;
    hk_leaf *list;
    mat4 *places; /* in the body's space; number 0 is the identity */
    size_t count, room, place_count, place_room;
    double unit; /* hk_collision_unit; 0: not asked for */
} hk_leaves;

/* Cached until the document changes. LATHE_ERR_INVALID, LATHE_ERR_LIMIT, LATHE_ERR_MEMORY: a compound that it is in itself, more shapes than a file has
 * reason to have, no memory. */
lathe_result hk_leaves_of(lathe_doc *doc, uint32_t c, const hk_leaves **out, lathe_error *err);

/* Listing them: of a container whose bodies are others, `all` lists all of them. */
typedef struct hk_lister {
    lathe_doc *doc;
    hk_leaves *leaves;
    uint8_t *open; /* of each part: whether it is being walked */
    /* bytes of shapes that may still be shown: those that several have count each time */
    uint64_t left;
    uint32_t body;
} hk_lister;
lathe_result hk_leaves_by(lathe_doc *doc, uint32_t c,
                          lathe_result (*all)(hk_lister *l, uint32_t c, lathe_error *err),
                          const hk_leaves **out, lathe_error *err);
/* A leaf whose geometry takes `weight` bytes; a place inside of another one, and its number; something that is none of
 * both, but takes time. */
lathe_result hk_list_leaf(hk_lister *l, const rec_at *shape, uint32_t sub, uint64_t weight,
                          uint32_t place, lathe_error *err);
lathe_result hk_list_place(hk_lister *l, uint32_t in, const mat4 *local, uint32_t *number,
                           lathe_error *err);
lathe_result hk_list_time(hk_lister *l, const rec_at *shape, uint64_t weight, lathe_error *err);
/* Begins to walk a shape that has others, which hk_list_leave ends; refuses one that is in itself. */
lathe_result hk_list_enter(hk_lister *l, const rec_at *shape, int depth, lathe_error *err);
void hk_list_leave(hk_lister *l, const rec_at *shape);

/* Where an instance of a compound is. */
mat4 hk_instance_place(const rec_at *instance);

/* ---- geometry.c --------------------------------------------------------------------------------------- */

/* Units of the games in a metre of Havok's. formats/fo4-collision.md#1 */
#define HK_GAME_UNITS 69.99125
#define HK_GAME_METRES 0.0142875 /* of a unit of the games */

/* Units of the games in a unit of the container's collision: HK_GAME_UNITS, or 1 where its ragdoll is in them (units.c). */
lathe_result hk_collision_unit(lathe_doc *doc, uint32_t c, double *out, lathe_error *err);
/* Mesh number i of a container, from 0, in the games' units; LATHE_ERR_NAME past the last. */
lathe_result hk_collision_of(lathe_doc *doc, uint32_t c, uint64_t i, struct model_mesh *mesh,
                             lathe_error *err);
/* Hook of the format. */
lathe_result hk_collision(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err);

#endif
