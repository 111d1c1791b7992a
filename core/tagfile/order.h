/* Orders DATA, ITEM and PTCH as Havok's SDK writes them. Inside of tagfile/.
 *
 *   objects    the root; then the objects that its storage refers to, in the order of the references; unreferenced
 *              objects come last
 *   storage    the arrays and texts of an object are behind it, before the next object: first those that the object
 *              refers to, then those that each of these refers to, and so on
 *   fields     in the order of the members, including those of inlined members; texts after all others. In an array
 *              of structs, a field of all elements comes before the next field
 *   numbers    an item gets its number at the first reference to it
 *   alignment  objects by their type, arrays 16 (or more), texts 2; zeros in between, and up to 16 at the end
 *
 * These rules are not in formats/havok-tagfile.md; they hold for all known files. */
#ifndef LATHE_TAGFILE_ORDER_H
#define LATHE_TAGFILE_ORDER_H

#include "tagfile/tagfile.h"

/* Input: what is to be ordered. */
typedef struct tag_image {
    const uint8_t *data; /* without DATA's header */
    uint64_t size;
    const uint8_t *items; /* without ITEM's header */
    uint32_t items_n;
    bool numbered; /* relative headers hold item numbers, as others do */
} tag_image;

/* Output, each without its header. */
typedef struct tag_ordered {
    buf data, items, patches;
    uint32_t objects;
} tag_ordered;

void tag_ordered_init(tag_ordered *out, const mem *m);
void tag_ordered_free(tag_ordered *out);

/* Orders DATA, ITEM and PTCH. Errors name the item. `start`: offset of the data in the document;
 * LATHE_NO_OFFSET: not in a document. */
lathe_result tag_order(const mem *m, const tag_types *types, const tag_image *in, uint64_t start,
                       tag_ordered *out, lathe_error *err);

/* ---- a whole file (assemble.c) ------------------------------------------------------------------------- */

/* Appends the tagfile of `size` bytes with its data, items and patches in order; everything else is
 * unchanged. */
lathe_result tag_assemble(const mem *m, const tag_types *types, const uint8_t *bytes, uint64_t size,
                          bool numbered, buf *out, lathe_error *err);

/* Appends the tagfile with these data and items (and no patches) in place of its own. */
lathe_result tag_refill(const uint8_t *bytes, uint64_t size, const tag_ordered *with, buf *out,
                        lathe_error *err);
/* Appends a file with these types (a whole section) and no objects: DATA is empty, item 0 is the only one
 * (make.c). */
bool tag_put_empty(const char *version, const buf *types, buf *out);

/* Hooks of the format (serialize.c, make.c). */
lathe_result tag_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                           lathe_error *err);
lathe_result tag_make(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err);

#endif
