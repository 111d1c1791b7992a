/* DATA, ITEM and PTCH in the order that Havok's SDK writes them. Inside of tagfile/.
 *
 *   objects   the root; then what its storage leads to, as it is met; those that nothing leads to come last
 *   storage   an object's own arrays and texts lie behind it, before the next object: what the object leads to,
 *             then what each of these leads to, and so on
 *   fields    in the order of the members, those of members in line too; texts behind all others. Of an array of
 *             structs a field of all elements comes before the next field
 *   numbers   items are numbered when a field first leads to them
 *   places    objects at their type's alignment, arrays at 16 (or more), texts at 2; zeros in between and up to 16
 *
 * Proved on every real file that is at hand: formats/havok-tagfile.md says nothing of it. */
#ifndef LATHE_TAGFILE_ORDER_H
#define LATHE_TAGFILE_ORDER_H

#include "tagfile/tagfile.h"

/* What is put in order. */
typedef struct tag_image {
    const uint8_t *data; /* behind DATA's header */
    uint64_t size;
    const uint8_t *items; /* behind ITEM's header */
    uint32_t items_n;
    bool numbered; /* relative heads hold items' numbers, as others do */
} tag_image;

/* What comes of it, each without its header. */
typedef struct tag_ordered {
    buf data, items, patches;
    uint32_t objects;
} tag_ordered;

void tag_ordered_init(tag_ordered *out, const mem *m);
void tag_ordered_free(tag_ordered *out);

/* Errors name the item. `start`: where the data are in the document; LATHE_NO_OFFSET: in none. */
lathe_result tag_order(const mem *m, const tag_types *types, const tag_image *in, uint64_t start,
                       tag_ordered *out, lathe_error *err);

/* ---- a whole file (assemble.c) ------------------------------------------------------------------------- */

/* Appends the tagfile of `size` bytes with its data, items and patches in order; all else stays. */
lathe_result tag_assemble(const mem *m, const tag_types *types, const uint8_t *bytes, uint64_t size,
                          bool numbered, buf *out, lathe_error *err);

/* Appends it with those data and items (and no patches) instead of its own. */
lathe_result tag_refill(const uint8_t *bytes, uint64_t size, const tag_ordered *with, buf *out,
                        lathe_error *err);
/* Appends a file of those types (a whole section) without objects, its DATA empty and item 0 its only one (make.c). */
bool tag_put_empty(const char *version, const buf *types, buf *out);

/* Hooks of the format (serialize.c, make.c). */
lathe_result tag_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                           lathe_error *err);
lathe_result tag_make(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err);

#endif
