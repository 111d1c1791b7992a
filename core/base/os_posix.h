/* What os_posix*.c share. POSIX only. */
#ifndef LATHE_BASE_OS_POSIX_H
#define LATHE_BASE_OS_POSIX_H

#include "base/mem.h"

#include <sys/stat.h>

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
