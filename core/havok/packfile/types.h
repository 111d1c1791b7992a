/* Havok's own small structs, and the classes that lead to all others (packfile/schema).
 *
 * A class is a list of its members in their order: offsets for either pointer size and version follow
 * from it. hkReferencedObject is the base of every class that objects can be of, but for hkRootLevelContainer. */
#ifndef LATHE_HAVOK_TYPES_H
#define LATHE_HAVOK_TYPES_H

#include "gen/packfile_types.h"
#include "havok/packfile/rel_array.h"

#endif
