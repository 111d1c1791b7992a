/* The tag table, decoded to a tag for each triangle and encoded again. A tag contains the row of the tables.
 * Reference: formats/bphsh.md#4. */
#ifndef LATHE_PHIVE_TAGS_H
#define LATHE_PHIVE_TAGS_H

#include "phive/read.h"

enum { PHIVE_ROWS_MOST = PHIVE_TAG_MASK }; /* the tag of all ones means no row */

typedef struct phive_tags {
    const mem *memory;
    /* of each triangle, in the order of the collision meshes; all 16 bits as stored */
    uint16_t *of;
    size_t n;
} phive_tags;

/* Decodes the tag table. The caller frees *out with phive_tags_free. */
lathe_result phive_tags_read(lathe_doc *doc, uint32_t c, phive_tags *out, lathe_error *err);
void phive_tags_free(phive_tags *tags); /* accepts a zeroed one */
/* Inside an edit: encodes these tags with as few rows as possible, in one change. The shift of the table
 * stays. */
lathe_result phive_tags_store(lathe_doc *doc, uint32_t c, const phive_tags *tags, lathe_error *err);

/* The row in a tag. */
static inline uint32_t phive_tag_row(uint32_t tag)
{
    return tag & PHIVE_TAG_MASK;
}

/* A tag with another row: bits that the game ignores are kept. */
static inline uint16_t phive_tag_with(uint32_t tag, uint32_t row)
{
    return (uint16_t)((tag == PHIVE_NO_TAG ? 0 : tag & ~(uint32_t)PHIVE_TAG_MASK) | row);
}

#endif
