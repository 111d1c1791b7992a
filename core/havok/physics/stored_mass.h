/* What the shape of a file weighs, for a density of 1, by the rules of the games' own tools. */
#ifndef LATHE_HAVOK_PHYSICS_STORED_MASS_H
#define LATHE_HAVOK_PHYSICS_STORED_MASS_H

#include "havok/physics/maths/shape_mass.h"
#include "record/record.h"

/* Of hulls what their hknpShapeMassProperties say, where they have them; of compounds the box of their bounds.
 * LATHE_ERR_UNSUPPORTED: a mesh, which has none, also as a part of a compound, or a class that is not described. */
lathe_result hk_stored_mass(const rec_at *shape, hk_mass *out, lathe_error *err);

#endif
