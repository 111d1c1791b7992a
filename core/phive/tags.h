/* Of which row of the tables each triangle is: the tag table, taken apart and put together again. Reference:
 * formats/bphsh.md#4. */
#ifndef LATHE_PHIVE_TAGS_H
#define LATHE_PHIVE_TAGS_H

#include "phive/read.h"

enum { PHIVE_ROWS_MOST = PHIVE_TAG_MASK }; /* a tag of all ones is that of no row */

typedef struct phive_tags {
    const mem *memory;
    /* of each triangle, in the order of meshes of collision; as stored, all 16 bits */
    uint16_t *of;
    size_t n;
} phive_tags;

/* The caller frees what was read. */
lathe_result phive_tags_read(lathe_doc *doc, uint32_t c, phive_tags *out, lathe_error *err);
void phive_tags_free(phive_tags *tags); /* fine on a zeroed one */
/* Inside an edit: the tag table becomes that of these tags, with as few rows as there can be, in one change. Its shift
 * stays. */
lathe_result phive_tags_store(lathe_doc *doc, uint32_t c, const phive_tags *tags, lathe_error *err);

/* The row of a tag. */
static inline uint32_t phive_tag_row(uint32_t tag)
{
    return tag & PHIVE_TAG_MASK;
}

/* The tag of a row: bits that the game does not look at stay. */
static inline uint16_t phive_tag_with(uint32_t tag, uint32_t row)
{
    return (uint16_t)((tag == PHIVE_NO_TAG ? 0 : tag & ~(uint32_t)PHIVE_TAG_MASK) | row);
}

#endif
