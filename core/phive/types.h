/* Generates the TYPE section of a mesh shape's tagfile, for files that are built without a file to take it
 * from. Reference: formats/bphsh.md#8, formats/havok-tagfile.md#5.9. */
#ifndef LATHE_PHIVE_TYPES_H
#define LATHE_PHIVE_TYPES_H

#include "base/mem.h"

/* Appends the section, header first, of variant 21, 22 or 23. For 21 it equals the game's, byte for byte. For
 * 22 and 23 it follows the numbering rule of the SDK, but differs from the game's: hashes and versions of the
 * changed classes are unknown (types_table.c). False: out of memory, or another variant. */
bool phive_types_bytes(const mem *m, int variant, buf *out);

#endif
