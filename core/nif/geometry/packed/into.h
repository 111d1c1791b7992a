/* The geometry document to which a verb adds rows. */
#ifndef LATHE_NIF_PACKED_INTO_H
#define LATHE_NIF_PACKED_INTO_H

#include "record/record.h"

/* Reads the argument `into`: a geometry document with a path. NULL: not given and not needed. */
lathe_result nif_into_arg(const lathe_source *args, const char *verb, bool needed, lathe_doc **into,
                          lathe_error *err);

/* Begin and end of adding rows to a geometry document inside an edit of `doc`: the rows are kept or rolled
 * back with the whole edit. used: `doc` now refers to these rows and uses this document as the file of its
 * name. nif_into_end returns r, or the error that occurred at the end. */
lathe_result nif_into_begin(lathe_doc *doc, lathe_doc *into, lathe_error *err);
lathe_result nif_into_end(lathe_doc *doc, lathe_doc *into, bool used, lathe_result r,
                          lathe_error *err);

#endif
