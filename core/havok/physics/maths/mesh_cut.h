/* Quads of a compressed mesh made two triangles each. Reference: formats/fo4-collision.md#3.3, #3.4. */
#ifndef LATHE_HAVOK_PHYSICS_MESH_CUT_H
#define LATHE_HAVOK_PHYSICS_MESH_CUT_H

#include "havok/physics/maths/mesh_codec.h"

/* The mesh with those quads cut whose `cut[key >> 1]` is not 0: 128 bytes a section. Triangles keep their places and
 * their order; `runs` are as they were, and no longer fit. What is new, and all nodes, are in `room`. The mesh is one
 * that hk_mesh_decode took. LATHE_ERR_LIMIT: a section has more than 128 primitives then; LATHE_ERR_INVALID: its
 * tree is none. */
lathe_result hk_mesh_cut(const hk_mesh *mesh, const uint8_t *cut, arena *room, hk_mesh *out,
                         lathe_error *err);

#endif
