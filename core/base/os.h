/* Everything asked of the operating system: os_posix.c and os_windows.c are its two halves.
 * Paths are UTF-8. Every failure says what the system said. */
#ifndef LATHE_BASE_OS_H
#define LATHE_BASE_OS_H

#include "base/mem.h"

#include <stdio.h>

/* Reads a whole file into memory of m (the caller frees *data with *size, NULL where size is 0).
 * More than `limit` bytes (0: none) is LATHE_ERR_LIMIT; a folder is LATHE_ERR_IO. Works on pipes. */
lathe_result os_read_file(const char *path, uint64_t limit, const mem *m, uint8_t **data,
                          size_t *size, lathe_error *err);

/* A file that appears at `path` whole or not at all. Bytes go to a temporary file beside it, which
 * is locked; commit flushes it to disk, keeps the old file's owner, permissions, extended attributes
 * and access list as far as the system allows, keeps the old file as "path.bak" where backup is set,
 * renames it over path, and flushes the folder. A symbolic link is followed: the file behind it is
 * replaced. Writers of one path, in one process or several, do not disturb each other. */
typedef struct os_writer os_writer;
lathe_result os_writer_open(const char *path, const mem *m, os_writer **w, lathe_error *err);
bool os_writer_put(void *w, const void *bytes, size_t n); /* a lathe_sink; failure is sticky */
/* Ends and frees w, whatever comes of it. On failure the temporary file is gone and what was at
 * path is still there; only where the last step fails, the folder's flush after the rename, the new
 * file is already in place, and the message says so. The backup is beside the file behind path. */
lathe_result os_writer_commit(os_writer *w, bool backup, lathe_error *err);
void os_writer_abort(os_writer *w); /* NULL is fine */

/* Removes the temporary files (.lathe-*.tmp) of writers that were killed from a folder: those that
 * no process has locked and that have not changed for an hour. What cannot be removed stays. Returns
 * how many went. */
size_t os_sweep(const char *folder, const mem *m);

/* For a library that insists on a FILE to write to: what is written is in `bytes` once it is closed
 * or flushed, as far as there is room, or (Windows) nowhere. NULL: out of memory. */
FILE *os_memory_file(char *bytes, size_t size);

#endif
