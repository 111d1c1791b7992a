/* Functions that the implementations of the public API share. This floor uses the engine and the scene, which do not
 * know it. */
#ifndef LATHE_API_API_H
#define LATHE_API_API_H

#include "scene/rigs.h"

/* Copies a struct that begins with its size to one of the caller's, which may be of an older or newer header: only
 * the bytes that both have. The caller's size is kept. */
static inline void api_give(void *to, const void *from, size_t size)
{
    size_t theirs;
    memcpy(&theirs, to, sizeof theirs);
    size_t n = theirs < size ? theirs : size;
    if (n > sizeof theirs)
        memcpy((char *)to + sizeof theirs, (const char *)from + sizeof theirs, n - sizeof theirs);
}

/* Copies a struct that the caller gave, or NULL. Members that it lacks keep their values in *to. */
static inline void api_take(void *to, const void *from, size_t size)
{
    size_t theirs = 0;
    if (from)
        memcpy(&theirs, from, sizeof theirs);
    size_t n = theirs < size ? theirs : size;
    if (n > sizeof theirs)
        memcpy((char *)to + sizeof theirs, (const char *)from + sizeof theirs, n - sizeof theirs);
}

#endif
