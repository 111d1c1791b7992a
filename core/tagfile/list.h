/* doc.types: the TYPE section as ordinary rows, read-only. Inside of tagfile/.
 *
 * They lie in a hidden part, which is filled when somebody looks: a record of one size for each type; behind these, type
 * by type, its arguments, members, properties and interfaces; behind all of it the texts. */
#ifndef LATHE_TAGFILE_LIST_H
#define LATHE_TAGFILE_LIST_H

#include "tagfile/tagfile.h"

/* The hidden part, still empty. Opening only. */
lathe_result tag_list_begin(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Of a place in the hidden part; false of any other. */
bool tag_list_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                    uint64_t *site);

#endif
