/* doc.types: the TYPE section as read-only rows. Inside of tagfile/.
 *
 * The rows are in a hidden part, which is filled on first use: a record of fixed size for each type; then,
 * type by type, its arguments, members, properties and interfaces; then the texts. */
#ifndef LATHE_TAGFILE_LIST_H
#define LATHE_TAGFILE_LIST_H

#include "tagfile/tagfile.h"

/* Creates the hidden part, still empty. Only while opening. */
lathe_result tag_list_begin(lathe_doc *doc, uint32_t c, lathe_error *err);
/* The owner of a place in the hidden part; false for other parts. */
bool tag_list_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                    uint64_t *site);

#endif
