/* hkpRigidBody and its shapes, of Skyrim's packfiles and of containers that describe their own classes: by the names of
 * classes and members alone (objects.h). What a packfile of Fallout 4 has of bodies and shapes is in bodies.h. */
#ifndef LATHE_HAVOK_PHYSICS_RIGID_H
#define LATHE_HAVOK_PHYSICS_RIGID_H

#include "gen/physics_types.h"
#include "havok/objects/objects.h"
#include "havok/physics/leaves.h"

/* hk_rigid_body is a body as one record: it lies over its object, by a row that the object's type gets (REC_OVERLAY). */
/* A type whose rows a class gets besides its own members; NULL: none. */
const rec_type *hk_computed_rows(const char *class_name);

/* All bodies of a container: their objects, in file order. Cached. */
typedef struct hk_rigids {
    rec_cached cached;
    uint32_t *parts;
    size_t count, room;
    uint32_t *numbers; /* of each part: the body's number, from 1; 0: it is none */
    size_t numbers_n;
    uint64_t followed; /* number of the first change that is not looked at yet: record/recent.h */
} hk_rigids;
/* NULL: out of memory. */
const hk_rigids *hk_rigids_of(lathe_doc *doc, uint32_t c, lathe_error *err);

/* The number of the body that a part is, from 1; 0: it is none. */
uint32_t hk_rigid_number(const hk_rigids *bodies, uint32_t part);
/* Whether bodies of a packfile are of this kind: those of Fallout 4 are not. */
bool hk_is_rigid(lathe_doc *doc, uint32_t c);

/* The body that a record shows: its object. .layout is NULL where nobody can tell its type. */
rec_at hk_rigid_object(const rec_at *at);
/* Where its shape is; the part of its shape, or REC_NO_PART. False: the object has no such members. */
bool hk_rigid_place(const rec_at *object, mat4 *out);
uint32_t hk_rigid_shape(const rec_at *object);
/* Of a motion state: the centre of mass at the start of a step (0), at its end (1), in the body's space (4); false: it has
 * none such. */
bool hk_rigid_swept(const rec_at *state, uint64_t i, vec3 *out);
/* A record in it: "motion.motion_state"; false: it has none such. */
bool hk_within(const rec_at *at, const char *path, rec_at *out);

/* Hooks of a format. */
lathe_result hk_rigid(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result hk_rigid_collision(lathe_doc *doc, uint64_t i, struct model_mesh *mesh,
                                lathe_error *err);

#endif
