/* Where the references of each type are: fields that lead to an item or hold an offset, those of members in line too. Told by
 * the reflected types alone; listed once for each type. */
#ifndef LATHE_TAGFILE_LEAVES_H
#define LATHE_TAGFILE_LEAVES_H

#include "tagfile/types.h"

/* A reference in a type, which may be a member of a member. */
typedef struct tag_leaf {
    uint32_t offset, type; /* the type that is declared */
    uint32_t text, relative;
} tag_leaf;

typedef struct tag_leaves_part tag_leaves_part; /* those of one type */

typedef struct tag_leaves {
    const mem *m;
    const tag_types *types;
    tag_leaves_part *of; /* by type */
    buf all;
    uint64_t left; /* how many may still be looked at */
} tag_leaves;

/* `data`: bytes of DATA, which are what real leaves have room in. False: no memory; to be freed all the same. */
bool tag_leaves_init(tag_leaves *l, const mem *m, const tag_types *types, uint64_t data);
void tag_leaves_free(tag_leaves *l);

/* Lists those of a type. Before this it has none. */
lathe_result tag_leaves_list(tag_leaves *l, uint32_t id, lathe_error *err);
/* How many it has, and number i of them, in the order of the members. */
uint32_t tag_leaves_count(const tag_leaves *l, uint32_t id);
tag_leaf tag_leaf_get(const tag_leaves *l, uint32_t id, uint32_t i);

#endif
