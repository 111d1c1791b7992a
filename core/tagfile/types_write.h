/* A TYPE section from its types. Inside of tagfile/. */
#ifndef LATHE_TAGFILE_TYPES_WRITE_H
#define LATHE_TAGFILE_TYPES_WRITE_H

#include "tagfile/types.h"

enum {
    TAG_MODERN = 20210000,   /* SDKs from then on spell sections otherwise, and list fewer bodies */
    TAG_ITEM_TYPES = 1 << 24 /* items name types by fewer bits */
};

/* Appends the section, header first, as the SDK of that version writes it. Of each type its own facts count (opt, body:
 * whether it has one, hashed: its place in THSH), not what it inherits. False: no memory, or over 2^30 bytes. */
bool tag_types_write(const mem *m, const tag_types *types, int64_t version, buf *out);

/* What texts are arrays of: char; 0: no type is one. */
uint32_t tag_text_type(const tag_types *types);

/* The types that are given as doc:totable() has them: `node` of the source is the list (types_given.c). They live in the
 * document's arena, with their texts, and know nothing of what they inherit. */
lathe_result tag_types_given(lathe_doc *doc, const lathe_source *source, const void *node,
                             tag_types **out, lathe_error *err);

#endif
