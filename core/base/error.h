/* Functions that fill a lathe_error. It is set once, at the deepest point that knows the offset; callers add
 * `where`. */
#ifndef LATHE_BASE_ERROR_H
#define LATHE_BASE_ERROR_H

#include "lathe.h"

#if defined(__MINGW32__) && !defined(__clang__)
/* MinGW's C11 library supports C's formats (%zu), but for the compiler "printf" means Microsoft's. */
#define ERROR_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#elif defined(__GNUC__)
#define ERROR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ERROR_PRINTF(fmt, args)
#endif

/* Resets *err, and sets its code, offset and message (level: error). err may be NULL. Returns `code`, for use in a
 * return statement. A message that is too long ends in "...". */
lathe_result error_set(lathe_error *err, lathe_result code, uint64_t offset, const char *fmt, ...)
    ERROR_PRINTF(4, 5);
void error_clear(lathe_error *err);
/* Copies an error to *err, which may be NULL. Returns its code. */
lathe_result error_pass(lathe_error *err, const lathe_error *from);
/* Sets the path of the file, or the place, unless already set. */
void error_path(lathe_error *err, const char *path);
void error_where(lathe_error *err, const char *where);

/* The candidate nearest to `name` by edit distance; NULL if none is near enough for a suggestion. `next` gives
 * candidate i, or NULL past the last one. */
const char *error_nearest(const char *name, const char *(*next)(void *user, size_t i), void *user);

#endif
