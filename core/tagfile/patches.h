/* The patches of a tagfile, and which field refers to an item. */
#ifndef LATHE_TAGFILE_PATCHES_H
#define LATHE_TAGFILE_PATCHES_H

#include "tagfile/tagfile.h"

enum { TAG_GROUP_HEAD = 8 };

typedef struct tag_group {
    uint32_t type, count;
    uint64_t at; /* in the part: its type, its count, its offsets */
} tag_group;

/* Reads the next group from *at on (0: the first) and advances *at. False: there are no more. */
bool tag_group_next(lathe_doc *doc, uint32_t c, uint64_t *at, tag_group *out);
/* The offset in DATA that is stored at a place of the part. */
uint32_t tag_patch_at(lathe_doc *doc, uint32_t c, uint64_t entry);

typedef struct tag_near { /* the part in which the last field was found */
    uint32_t part;
    uint64_t from, to; /* its range of positions; initially zeros */
} tag_near;

/* The field that an entry of PTCH refers to, and the item number in it. False: DATA has no such field. `near`
 * makes a sequence of calls fast. */
bool tag_patched_field(lathe_doc *doc, uint32_t c, uint64_t entry, tag_near *near, uint64_t *off,
                       uint32_t *number);

/* For each item: the number of fields that refer to it, and the entry in the part of the first one. NULL: out
 * of memory. */
const tag_item_use *tag_item_uses(lathe_doc *doc, uint32_t c, uint32_t *n);
/* The position of the first field that refers to an item. False: there is none, or out of memory. */
bool tag_item_field(lathe_doc *doc, uint32_t c, uint32_t item, uint64_t *position);

/* Inside an edit: adds a patch for a field of that type, in which the item number is already stored. */
lathe_result tag_patch_add(lathe_doc *doc, uint32_t c, uint32_t type, uint64_t position,
                           uint32_t item, lathe_error *err);
/* Inside an edit: removes the patches of fields in [from, to) of DATA, which still hold their item numbers. */
lathe_result tag_patches_remove(lathe_doc *doc, uint32_t c, uint64_t from, uint64_t to,
                                lathe_error *err);

#endif
