/* The classes that are described (classes.c). */
#ifndef LATHE_HAVOK_NAMED_CLASSES_H
#define LATHE_HAVOK_NAMED_CLASSES_H

#include "record/schema.h"

/* The type of class number i, from 0; NULL past the last. */
const rec_type *hk_type(size_t i);

#endif
