/* What was built, as the DATA and ITEM of a tagfile: every field where the types of that file have it. */
#ifndef LATHE_PHIVE_WRITE_H
#define LATHE_PHIVE_WRITE_H

#include "phive/build.h"
#include "tagfile/order.h"

/* Appends to out's data and items. `root` (may be NULL): the bytes of a shape whose other fields are kept. */
lathe_result phive_write(const phive_built *built, const phive_layout *layout, const uint8_t *root,
                         tag_ordered *out, lathe_error *err);

#endif
