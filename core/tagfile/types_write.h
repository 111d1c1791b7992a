/* Writes a TYPE section from types. Inside of tagfile/. */
#ifndef LATHE_TAGFILE_TYPES_WRITE_H
#define LATHE_TAGFILE_TYPES_WRITE_H

#include "tagfile/types.h"

enum {
    TAG_MODERN = 20210000,   /* SDKs from this version on name sections differently and list fewer
                              * bodies */
    TAG_ITEM_TYPES = 1 << 24 /* limit of a type number in an item */
};

/* Appends the section, header first, as the SDK of that version writes it. Uses only a type's own values
 * (opt; body: whether it has one; hashed: its position in THSH), not inherited ones. False: out of memory, or
 * more than 2^30 bytes. */
bool tag_types_write(const mem *m, const tag_types *types, int64_t version, buf *out);

/* The element type of texts: char; 0: there is none. */
uint32_t tag_text_type(const tag_types *types);

/* Reads types from a list in the form of doc:totable(): `node` of the source (types_given.c). They live in
 * the document's arena with their texts, without inherited values. */
lathe_result tag_types_given(lathe_doc *doc, const lathe_source *source, const void *node,
                             tag_types **out, lathe_error *err);

#endif
