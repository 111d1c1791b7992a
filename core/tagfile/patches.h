/* Patches of a tagfile, and which field leads to an item. */
#ifndef LATHE_TAGFILE_PATCHES_H
#define LATHE_TAGFILE_PATCHES_H

#include "tagfile/tagfile.h"

enum { TAG_GROUP_HEAD = 8 };

typedef struct tag_group {
    uint32_t type, count;
    uint64_t at; /* in the part: its type, its count, its offsets */
} tag_group;

/* The next group from *at on (0: the first), which moves behind it. False: there are no more. */
bool tag_group_next(lathe_doc *doc, uint32_t c, uint64_t *at, tag_group *out);
/* The offset in DATA that stands at a place of the part. */
uint32_t tag_patch_at(lathe_doc *doc, uint32_t c, uint64_t entry);

typedef struct tag_near { /* the part that the last field was found in */
    uint32_t part;
    uint64_t from, to; /* its positions; none yet: zeros */
} tag_near;

/* The field that a place of PTCH's part names, and the item's number in it. False: DATA has no such field. `near` makes it
 * cheap to ask for one after the other. */
bool tag_patched_field(lathe_doc *doc, uint32_t c, uint64_t entry, tag_near *near, uint64_t *off,
                       uint32_t *number);

/* What leads to each item: how many fields, and where in the part the first one is patched. NULL: no memory. */
const tag_lead *tag_leads(lathe_doc *doc, uint32_t c, uint32_t *n);
/* The position of the first field that leads to an item. False: none does, or no memory. */
bool tag_lead_of(lathe_doc *doc, uint32_t c, uint32_t item, uint64_t *position);

/* Inside an edit: a field of that type leads to an item from now on, which is stored in it already. */
lathe_result tag_patch_add(lathe_doc *doc, uint32_t c, uint32_t type, uint64_t position,
                           uint32_t item, lathe_error *err);
/* Inside an edit: fields in [from, to) of DATA, which still hold their items' numbers, lead to nothing any more. */
lathe_result tag_patches_remove(lathe_doc *doc, uint32_t c, uint64_t from, uint64_t to,
                                lathe_error *err);

#endif
