/* The classes of Fallout 4's collision (physics/schema). Reference: formats/fo4-collision.md.
 *
 * hknpPhysicsSystemData is the root: materials, motions and bodies by number, and each body's shape. Lengths
 * are Havok's metres (1 is 69.99125 units of the game; units.c tells the exception), masses kilograms. */
#ifndef LATHE_HAVOK_PHYSICS_TYPES_H
#define LATHE_HAVOK_PHYSICS_TYPES_H

#include "gen/physics_types.h"
#include "record/record.h"

#endif
