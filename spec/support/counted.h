/* An allocator for tests that tells how much memory is in use, and how much was at most. */
#ifndef LATHE_COUNTED_H
#define LATHE_COUNTED_H

#include <stddef.h>
#include <stdlib.h>

typedef struct counted {
    size_t now, most;
} counted;

static void *count(void *user, void *p, size_t old_size, size_t new_size)
{
    counted *c = user;
    c->now = c->now - (p ? old_size : 0) + new_size;
    c->most = c->now > c->most ? c->now : c->most;
    if (new_size)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

#endif
