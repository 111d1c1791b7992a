/* Things that are found by their names: bones, tracks, slots. */
#ifndef LATHE_MODEL_NAMES_H
#define LATHE_MODEL_NAMES_H

#include "base/mem.h"

typedef struct model_name {
    const char *name;
    size_t index;
} model_name;

typedef struct model_names {
    const mem *mem;
    model_name *list; /* sorted once they are all there */
    size_t count, room;
} model_names;

enum { MODEL_NO_NAME = -1 };

/* Room for so many; names stay where they are. False: out of memory. */
bool model_names_begin(model_names *names, const mem *m, uint64_t room);
/* NULL is no name, and left out. */
void model_names_add(model_names *names, const char *name, size_t index);
void model_names_sort(model_names *names);
/* The least index of that name; MODEL_NO_NAME: there is none, or no name was given. */
int64_t model_names_find(const model_names *names, const char *name);
void model_names_free(model_names *names);

#endif
