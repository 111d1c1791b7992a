/* The TYPE section of a mesh shape's tagfile, as bytes: for files that are built without one to take it from.
 * Reference: formats/bphsh.md#8, formats/havok-tagfile.md#5.9. */
#ifndef LATHE_PHIVE_TYPES_H
#define LATHE_PHIVE_TYPES_H

#include "base/mem.h"

/* Appends the section, header first, of variant 21, 22 or 23. That of 21 is the game's, to the byte. Those of 22 and 23
 * follow from the rule by which the SDK numbers types, and are not the game's bytes: nobody knows the hashes and versions
 * of the classes that changed (types_table.c). False: no memory, or another variant. */
bool phive_types_bytes(const mem *m, int variant, buf *out);

#endif
