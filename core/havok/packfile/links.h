/* A table of fixups, read once into memory in the order of the sources: what takes all of a file's pointers
 * needs no search for each. */
#ifndef LATHE_HAVOK_LINKS_H
#define LATHE_HAVOK_LINKS_H

#include "havok/packfile/packfile.h"

typedef struct hk_link {
    uint32_t source, target, number; /* number: of the record in its table */
} hk_link;

typedef struct hk_links {
    hk_link *all;
    uint32_t n, next; /* next: the one behind what was found last */
} hk_links;

/* False: out of memory. To be freed in either case. */
bool hk_links_read(lathe_doc *doc, uint32_t c, hk_part table, hk_links *out);
void hk_links_free(lathe_doc *doc, hk_links *l);
/* What the pointer at a position leads to; of several records the first. */
bool hk_link_find(hk_links *l, uint64_t source, uint32_t *target);
/* Those with sources in [from, to) become all that is in `out`, in the order of the table. */
bool hk_links_within(const hk_links *l, uint64_t from, uint64_t to, buf *out);

#endif
