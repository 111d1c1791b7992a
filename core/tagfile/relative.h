/* Heads that hold offsets from themselves: where those of an object are. */
#ifndef LATHE_TAGFILE_RELATIVE_H
#define LATHE_TAGFILE_RELATIVE_H

#include "tagfile/tagfile.h"

/* All that have elements (or lead to an object) of a part, in the order of a walk; good until the document changes. NULL:
 * no memory. */
const tag_rel *tag_rels(lathe_doc *doc, uint32_t part, size_t *n);

uint32_t tag_relative_offset_width(const rec_body *body);

#endif
