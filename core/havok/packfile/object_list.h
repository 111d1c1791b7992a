/* Objects of packfiles that come and go (object_list.c). Internal to core/havok/. */
#ifndef LATHE_HAVOK_OBJECT_LIST_H
#define LATHE_HAVOK_OBJECT_LIST_H

#include "havok/packfile/packfile.h"

enum { HK_CLASS_NAME_MOST = 128 }; /* with its NUL */

/* Hooks: lathe_format.type_named, and .resizes of the row of objects. */
const rec_type *hk_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n);
lathe_result hk_may_resize(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                           uint64_t inserted, lathe_error *err);
/* An edit is about to end: new objects come into the table of objects, and their classes among the class names. */
lathe_result hk_list_objects(lathe_doc *doc, uint32_t c, lathe_error *err);

#endif
