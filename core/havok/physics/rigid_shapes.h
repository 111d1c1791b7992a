/* The shapes of rigid bodies, and where they are. Between rigid_shapes.c and rigid_mesh.c. */
#ifndef LATHE_HAVOK_PHYSICS_RIGID_SHAPES_H
#define LATHE_HAVOK_PHYSICS_RIGID_SHAPES_H

#include "havok/physics/rigid.h"

lathe_result hk_rigid_leaves(lathe_doc *doc, uint32_t c, const hk_leaves **out, lathe_error *err);
/* The members translation, rotation and scale of a record, as far as it has them. */
mat4 hk_rigid_turned(const rec_at *at);

#endif
