/* What the public functions share. This floor lies above the engine and the scene: it knows both, and neither knows it. */
#ifndef LATHE_API_API_H
#define LATHE_API_API_H

#include "scene/rigs.h"

/* Copies a struct that begins with its size into one of the caller's, which may be of an older or newer header: the bytes that
 * both have. The caller's size stays. */
static inline void api_give(void *to, const void *from, size_t size)
{
    size_t theirs;
    memcpy(&theirs, to, sizeof theirs);
    size_t n = theirs < size ? theirs : size;
    if (n > sizeof theirs)
        memcpy((char *)to + sizeof theirs, (const char *)from + sizeof theirs, n - sizeof theirs);
}

/* The same of a struct that the caller gives, or NULL. What it lacks stays as it is in *to. */
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
