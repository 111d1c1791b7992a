/* Hooks of the format for edits. */
#ifndef LATHE_TAGFILE_EDIT_OBJECTS_H
#define LATHE_TAGFILE_EDIT_OBJECTS_H

#include "tagfile/tagfile.h"

lathe_result tag_refs(lathe_doc *doc, uint32_t c, uint32_t part,
                      lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                      void *user, lathe_error *err);
lathe_result tag_drop(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, uint64_t n,
                      lathe_error *err);
lathe_result tag_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);
const rec_type *tag_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n);

#endif
