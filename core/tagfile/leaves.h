/* Lists the references in each type: members that hold an item number or an offset, including those of
 * inlined members. Derived from the reflected types only, once for each type. */
#ifndef LATHE_TAGFILE_LEAVES_H
#define LATHE_TAGFILE_LEAVES_H

#include "tagfile/types.h"

/* A reference in a type; it may be inside an inlined member. */
typedef struct tag_leaf {
    uint32_t offset, type; /* the declared type */
    uint32_t text, relative;
} tag_leaf;

typedef struct tag_leaves_part tag_leaves_part; /* the references of one type */

typedef struct tag_leaves {
    const mem *m;
    const tag_types *types;
    tag_leaves_part *of; /* by type */
    buf all;
    uint64_t left; /* number that may still be visited */
} tag_leaves;

/* `data`: size of DATA, which limits the number of references. False: out of memory; free *l in any case. */
bool tag_leaves_init(tag_leaves *l, const mem *m, const tag_types *types, uint64_t data);
void tag_leaves_free(tag_leaves *l);

/* Lists the references of a type, which must not be listed yet. */
lathe_result tag_leaves_list(tag_leaves *l, uint32_t id, lathe_error *err);
/* The number of references of a type, and reference i, in the order of the members. */
uint32_t tag_leaves_count(const tag_leaves *l, uint32_t id);
tag_leaf tag_leaf_get(const tag_leaves *l, uint32_t id, uint32_t i);

#endif
