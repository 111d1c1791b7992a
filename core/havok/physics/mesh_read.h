/* A compressed mesh of a document, as mesh_codec.h has it. */
#ifndef LATHE_HAVOK_PHYSICS_MESH_READ_H
#define LATHE_HAVOK_PHYSICS_MESH_READ_H

#include "havok/physics/maths/mesh_codec.h"
#include "havok/physics/types.h"

/* The mesh of a hknpCompressedMeshShape, in `room`, which it is freed with. It may say anything, as the file
 * may; LATHE_ERR_INVALID where there are no data. */
lathe_result hk_mesh_read(const rec_at *shape, arena *room, hk_mesh *out, lathe_error *err);

#endif
