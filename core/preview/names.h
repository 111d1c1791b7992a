/* Bones of a skeleton by name, as games find them: whatever the case of its letters. */
#ifndef LATHE_PREVIEW_NAMES_H
#define LATHE_PREVIEW_NAMES_H

#include "base/mem.h"
#include "model/skeleton.h"

typedef struct preview_names {
    const mem *memory;
    const model_skeleton *skeleton; /* which must stay as it is */
    uint32_t *order;                /* its bones that have names, by name */
    size_t count;
} preview_names;

/* False: out of memory. */
bool preview_names_of(const mem *m, const model_skeleton *skeleton, preview_names *out);
void preview_names_free(preview_names *names);
/* The bone with a name: the first with exactly that, else the first whose name differs in case alone. False: none. */
bool preview_names_find(const preview_names *names, const char *name, size_t *bone);

#endif
