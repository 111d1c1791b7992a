/* Filling lathe_error: set once, at the deepest point that knows the offset; callers add `where`. */
#ifndef LATHE_BASE_ERROR_H
#define LATHE_BASE_ERROR_H

#include "lathe.h"

#if defined(__MINGW32__) && !defined(__clang__)
/* Its C11 library speaks C's formats (%zu), but "printf" means Microsoft's to the compiler. */
#define ERROR_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#elif defined(__GNUC__)
#define ERROR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ERROR_PRINTF(fmt, args)
#endif

/* Resets *err and sets code, offset and message (level: error). err may be NULL. Returns `code`, so
 * that `return error_set(err, …)` reads well. Text that does not fit ends in "...". */
lathe_result error_set(lathe_error *err, lathe_result code, uint64_t offset, const char *fmt, ...)
    ERROR_PRINTF(4, 5);
void error_clear(lathe_error *err);
/* Hands on an error as it is; err may be NULL. Returns its code. */
lathe_result error_pass(lathe_error *err, const lathe_error *from);
/* Sets the file's name or the place, where it is still empty. */
void error_path(lathe_error *err, const char *path);
void error_where(lathe_error *err, const char *where);

/* The candidate nearest to `name` by edit distance, or NULL where none is near enough to be meant.
 * `next` gives candidate i or NULL past the last. */
const char *error_nearest(const char *name, const char *(*next)(void *user, size_t i), void *user);

#endif
