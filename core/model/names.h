/* Index for finding bones, tracks and slots by name. */
#ifndef LATHE_MODEL_NAMES_H
#define LATHE_MODEL_NAMES_H

#include "base/mem.h"

typedef struct model_name {
    const char *name;
    size_t index;
} model_name;

typedef struct model_names {
    const mem *mem;
    model_name *list; /* sorted by model_names_sort */
    size_t count, room;
} model_names;

enum { MODEL_NO_NAME = -1 };

/* Allocates room for `room` names. The texts are borrowed. False: out of memory. */
bool model_names_begin(model_names *names, const mem *m, uint64_t room);
/* Ignores NULL. */
void model_names_add(model_names *names, const char *name, size_t index);
void model_names_sort(model_names *names);
/* The smallest index with a name; MODEL_NO_NAME: none, or name is NULL. */
int64_t model_names_find(const model_names *names, const char *name);
void model_names_free(model_names *names);

#endif
