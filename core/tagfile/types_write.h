/* A TYPE section from its types. Inside of tagfile/. */
#ifndef LATHE_TAGFILE_TYPES_WRITE_H
#define LATHE_TAGFILE_TYPES_WRITE_H

#include "tagfile/types.h"

enum {
    TAG_MODERN = 20210000
}; /* SDKs from then on spell sections otherwise, and list fewer bodies */

/* Appends the section, header first, as the SDK of that version writes it. Of each type its own facts count (opt, body:
 * whether it has one, hashed: its place in THSH), not what it inherits. False: no memory, or over 2^30 bytes. */
bool tag_types_write(const mem *m, const tag_types *types, int64_t version, buf *out);

#endif
