/* Functions that os_posix*.c share. POSIX only. */
#ifndef LATHE_BASE_OS_POSIX_H
#define LATHE_BASE_OS_POSIX_H

#include "base/mem.h"

#include <sys/stat.h>

/* Sets an error for a file: `what` failed with errno `code`. */
lathe_result os_posix_fail(lathe_error *err, const char *path, const char *what, int code);
/* The same for an open that follows no links: ELOOP is reported as an unexpected link. */
lathe_result os_posix_fail_at(lathe_error *err, const char *path, const char *what, int code);
lathe_result os_posix_refuse(lathe_error *err, const char *path, lathe_result code,
                             const char *what);
lathe_result os_posix_no_memory(lathe_error *err, const char *path);

/* Reads up to n bytes; fewer only if the system returned fewer. On failure false, and errno is set. */
bool os_posix_read(int fd, void *to, size_t n, size_t *got);
bool os_posix_write(int fd, const uint8_t *from, size_t n); /* writes all n bytes */

/* os_real_path, with errno as its result; 0: success. */
int os_posix_real_path(const char *path, buf *real);
/* Open a file at an absolute path without links, from os_real_path, and follow no link that was put there since:
 * errno is ELOOP then. Return a descriptor, or -1 with errno set. */
int os_posix_open(const char *real, int flags); /* like open; new files have mode 0666 */
/* opens the file's folder; *name points to its name in `real` */
int os_posix_folder(const char *real, const char **name);
int os_posix_open_at(int folder, const char *name, int flags, mode_t mode);

/* Parts of temporary file names; 16 digits are between them. */
#define OS_TEMP_PREFIX ".lathe-"
#define OS_TEMP_SUFFIX ".tmp"

/* Marks an open temporary file as used until it is closed, so that os_sweep keeps it. False: others use it, or the
 * file system does not support locks. */
bool os_posix_lock(int fd);

/* Copies owner, mode, extended attributes and access list of an old file to the file open at `to`. *old is its
 * status, `from` its descriptor (-1: attributes and list cannot be read). Everything that the system refuses is
 * skipped, except the mode. On failure false, and errno is set. */
bool os_posix_keep(int to, int from, const struct stat *old, const mem *m);

#endif
