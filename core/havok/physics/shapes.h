/* Walking over the shapes that a body is made of. Reference: formats/fo4-collision.md#3. */
#ifndef LATHE_HAVOK_PHYSICS_SHAPES_H
#define LATHE_HAVOK_PHYSICS_SHAPES_H

#include "havok/physics/bodies.h"

/* Each shape of a body once, a compound's children in front of it. Refuses what leads back to itself. */
lathe_result hk_each_shape(const hk_body_of *body,
                           lathe_result (*each)(void *user, const rec_at *shape, lathe_error *err),
                           void *user, lathe_error *err);
/* The same of a shape by itself. */
lathe_result hk_each_shape_of(const rec_at *shape,
                              lathe_result (*each)(void *user, const rec_at *at, lathe_error *err),
                              void *user, lathe_error *err);
/* What a shape has of a class in its hkRefCountedProperties; false: nothing. */
bool hk_property_of(const rec_at *shape, const rec_type *type, rec_at *out);
/* The materials of a mesh's triangles, of class hknpBSMaterialProperties; false: it has none. */
bool hk_surfaces_of(const rec_at *shape, rec_at *out);
/* Material number i of those: false past the last. */
bool hk_surface(const rec_at *surfaces, uint64_t i, rec_at *out);

#endif
