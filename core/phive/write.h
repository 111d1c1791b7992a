/* Writes a built shape as DATA and ITEM of a tagfile, with every field at the offset that the file's types
 * give it. */
#ifndef LATHE_PHIVE_WRITE_H
#define LATHE_PHIVE_WRITE_H

#include "phive/build.h"
#include "tagfile/order.h"

/* Appends to out's data and items. `root` (may be NULL): the bytes of an existing shape whose other fields
 * are kept. */
lathe_result phive_write(const phive_built *built, const phive_layout *layout, const uint8_t *root,
                         tag_ordered *out, lathe_error *err);

#endif
