/* What os_posix*.c share. POSIX only. */
#ifndef LATHE_BASE_OS_POSIX_H
#define LATHE_BASE_OS_POSIX_H

#include "base/mem.h"

#include <sys/stat.h>

/* Errors of a file; `what` failed because of errno `code`. */
lathe_result os_posix_fail(lathe_error *err, const char *path, const char *what, int code);
/* The same where ELOOP says that there is a link on a way that follows none. */
lathe_result os_posix_fail_at(lathe_error *err, const char *path, const char *what, int code);
lathe_result os_posix_refuse(lathe_error *err, const char *path, lathe_result code,
                             const char *what);
lathe_result os_posix_no_memory(lathe_error *err, const char *path);

/* Up to n bytes, fewer only where the system gave fewer; false leaves errno. */
bool os_posix_read(int fd, void *to, size_t n, size_t *got);
bool os_posix_write(int fd, const uint8_t *from, size_t n); /* all of them */

/* os_real_path: 0, or errno. */
int os_posix_real_path(const char *path, buf *real);
/* The following take an absolute path without links, as os_real_path gives it, and follow none that
 * was put there since: errno is ELOOP then. All give a descriptor, or -1 with errno. */
int os_posix_open(const char *real, int flags);           /* as open; new files have mode 0666 */
int os_posix_folder(const char *real, const char **name); /* that of the file; *name: in `real` */
int os_posix_open_at(int folder, const char *name, int flags, mode_t mode);

/* Names of temporary files: 16 digits are between. */
#define OS_TEMP_PREFIX ".lathe-"
#define OS_TEMP_SUFFIX ".tmp"

/* Marks an open temporary file as in use, until it is closed: os_sweep leaves it alone. False: it is
 * in use by others, or the file system has no locks. */
bool os_posix_lock(int fd);

/* Gives the file open at `to` the owner, the mode, the extended attributes and the access list of an
 * old file: *old, and open at `from` (-1: attributes and list cannot be read). What the system
 * refuses to set is left out, except the mode. False leaves errno. */
bool os_posix_keep(int to, int from, const struct stat *old, const mem *m);

#endif
