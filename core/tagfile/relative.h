/* Relative headers, which hold offsets from themselves: finds those of an object. */
#ifndef LATHE_TAGFILE_RELATIVE_H
#define LATHE_TAGFILE_RELATIVE_H

#include "tagfile/tagfile.h"

/* All relative headers of a part that have elements (or refer to an object), in the order of a walk; valid
 * until the document changes. NULL: out of memory. */
const tag_rel *tag_rels(lathe_doc *doc, uint32_t part, size_t *n);

uint32_t tag_relative_offset_width(const rec_body *body);

#endif
