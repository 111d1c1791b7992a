/* Arguments of a verb that are one number. */
#ifndef LATHE_FUZZ_ONE_H
#define LATHE_FUZZ_ONE_H

#include "fuzz.h"

typedef struct one { /* a source of one number */
    const char *name;
    double number;
} one;

static bool get_one(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                    const void **child)
{
    const one *o = user;
    (void)node;
    (void)i;
    *child = NULL;
    if (!name || strcmp(name, o->name) != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_REAL, .as.f = o->number};
    return true;
}

static uint64_t count_one(void *user, const void *node)
{
    (void)user;
    (void)node;
    return 0;
}

static lathe_source source_of(one *what)
{
    return (lathe_source){
        .size = sizeof(lathe_source), .user = what, .get = get_one, .count = count_one};
}

#endif
