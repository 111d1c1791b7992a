/* The classes that are described (classes.c). */
#ifndef LATHE_HAVOK_NAMED_CLASSES_H
#define LATHE_HAVOK_NAMED_CLASSES_H

#include "gen/objects_types.h"
#include "record/schema.h"

/* Type i, from 0, of all classes and structs in the tables; NULL past the last one. */
const rec_type *hk_type(size_t i);
/* Finds the class of that name in packfiles of a version; NULL: none, or its members are unknown. Binary search. */
const rec_type *hk_type_in_version(const char *name, int64_t version);
/* Finds a class or struct by name, in the newest version that has it. */
const rec_type *hk_type_any(const char *name);
/* Whether the rows of a class say which of its numbers are lengths; and the type of class i, from 0, of those, NULL past the
 * last one. */
bool hk_lengths_known(const char *name, int64_t version);
const rec_type *hk_type_with_lengths(size_t i);

#endif
