/* The classes that are described (classes.c). */
#ifndef LATHE_HAVOK_NAMED_CLASSES_H
#define LATHE_HAVOK_NAMED_CLASSES_H

#include "gen/objects_types.h"
#include "record/schema.h"

/* Type number i, from 0, of all that tables have: of classes, and of structs in them. NULL past the last. */
const rec_type *hk_type(size_t i);
/* The class of that name in packfiles of a version; NULL: they have none, or nobody knows its members. By halves. */
const rec_type *hk_type_in_version(const char *name, int64_t version);
/* The class or struct of that name in the newest version that has it. */
const rec_type *hk_type_any(const char *name);

#endif
