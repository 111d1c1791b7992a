/* The geometry document that a verb gives rows to. */
#ifndef LATHE_NIF_PACKED_INTO_H
#define LATHE_NIF_PACKED_INTO_H

#include "record/record.h"

/* The argument `into`: a geometry document with a path. NULL: it is not given, nor needed. */
lathe_result nif_into_arg(const lathe_source *args, const char *verb, bool needed, lathe_doc **into,
                          lathe_error *err);

/* Around giving rows to a geometry document inside an edit of `doc`: they are kept or taken back with the whole edit. used:
 * `doc` has what is in the document's rows now, and reads what has its name from it from then on. nif_into_end gives r,
 * or why that failed. */
lathe_result nif_into_begin(lathe_doc *doc, lathe_doc *into, lathe_error *err);
lathe_result nif_into_end(lathe_doc *doc, lathe_doc *into, bool used, lathe_result r,
                          lathe_error *err);

#endif
