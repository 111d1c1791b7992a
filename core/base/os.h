/* Interface to the operating system, implemented by os_posix*.c and os_windows*.c. Paths are UTF-8. Errors contain
 * the message of the system. */
#ifndef LATHE_BASE_OS_H
#define LATHE_BASE_OS_H

#include "base/mem.h"

#include <stdio.h>

/* Reads a whole file into memory of m, which the caller frees (*data, *size; NULL if size is 0). LATHE_ERR_LIMIT:
 * more than `limit` bytes (0: unlimited). LATHE_ERR_IO: a folder. Works on pipes. */
lathe_result os_read_file(const char *path, uint64_t limit, const mem *m, uint8_t **data,
                          size_t *size, lathe_error *err);

/* Reads up to n bytes at the start of a regular file; *got is their number. *got is 0 if the path is something else,
 * such as a pipe; then nothing is read. real: the result of os_real_path for the path, or NULL. */
lathe_result os_read_start(const char *real, const char *path, void *to, size_t n, size_t *got,
                           lathe_error *err);

/* An open regular file for reads at any offset. Reads fail with LATHE_ERR_IO if the file, its size or its
 * modification time has changed since it was opened, or if its path now names another file. */
typedef struct os_file os_file;
#define OS_FILE_CHANGED "the file on disk has changed since it was opened: open it again"
lathe_result os_file_open(const char *real, const char *path, const mem *m, os_file **file,
                          lathe_error *err);
uint64_t os_file_size(const os_file *file);
/* Reads exactly n bytes at offset `at`. */
lathe_result os_file_read(os_file *file, uint64_t at, void *to, size_t n, lathe_error *err);
/* Whether the file is unchanged, so that reads can succeed. */
bool os_file_unchanged(const os_file *file);
/* Whether a path names this very file. */
bool os_file_is(const os_file *file, const char *path);
/* Closes the file temporarily, because some systems do not replace an open file, and reopens it if it is still the
 * same file. Reads fail while it is paused, and afterwards if it could not be reopened. */
void os_file_pause(os_file *file);
void os_file_resume(os_file *file);
void os_file_close(os_file *file); /* NULL is allowed */

/* Writes a file atomically: it appears at `path` as a whole or not at all. Bytes go to a temporary, locked file
 * beside it. Committing flushes that file to disk, copies owner, permissions, extended attributes and access list of
 * the old file as far as the system allows, keeps the old file as "path.bak" if `backup` says so, renames the new file
 * to `path`, and flushes the folder. A symbolic link is followed: its target is replaced. Several writers of one
 * path, in one or several processes, do not disturb each other. */
typedef struct os_writer os_writer;
lathe_result os_writer_open(const char *path, const mem *m, os_writer **w, lathe_error *err);
/* a lathe_sink; once it fails, it keeps failing */
bool os_writer_put(void *w, const void *bytes, size_t n);
typedef enum os_backup {
    OS_BACKUP_NONE,
    OS_BACKUP_REPLACE, /* replaces an older backup */
    OS_BACKUP_FIRST /* a backup that exists stays, also one that another process makes meanwhile */
} os_backup;
/* Ends and frees w, even on failure. After a failure, the temporary file is removed and the old file is still there.
 * Only if the flush of the folder after the rename fails, the new file is already in place, and the message says so.
 * The backup is beside the target of a link. */
lathe_result os_writer_commit(os_writer *w, os_backup backup, lathe_error *err);
void os_writer_abort(os_writer *w); /* NULL is allowed */

/* Calls `each` with the name of everything in a folder, in any order, until it returns false. */
lathe_result os_list(const char *folder, const mem *m, bool (*each)(void *user, const char *name),
                     void *user, lathe_error *err);

/* Removes temporary files (.lathe-*.tmp) from a folder that killed writers left: those that no process has locked and
 * that have not changed for an hour. Failures are ignored. Returns the number of removed files. folder: a result of
 * os_real_path. */
size_t os_sweep(const char *folder, const mem *m);

/* ---- verified paths -----------------------------------------------------------------------------
 *
 * For hosts that restrict access to files by location. os_real_path resolves a path to its real location. The
 * functions that take such a path open exactly that location, even if somebody has put a link there since. */

/* Appends the absolute path, with all links resolved, and a NUL to an empty buffer, which the caller frees in any
 * case. `..` is resolved after links, as the system does (Windows: before). Trailing components need not exist; any
 * other failure to examine a component is an error. */
lathe_result os_real_path(const char *path, buf *real, lathe_error *err);

/* Like the functions without _real; `path` is shown in messages. */
lathe_result os_read_real(const char *real, const char *path, uint64_t limit, const mem *m,
                          uint8_t **data, size_t *size, lathe_error *err);
lathe_result os_writer_open_real(const char *real, const char *path, const mem *m, os_writer **w,
                                 lathe_error *err);
/* Makes a folder and its missing parents. */
lathe_result os_make_folder_real(const char *real, const char *path, lathe_error *err);
/* Whether a file can be written, and its folder made if missing, as far as can be known in advance. `replace`: with
 * an os_writer, else with a stream. Changes nothing. */
lathe_result os_can_write_real(const char *real, const char *path, bool replace, lathe_error *err);

/* Appends n bytes to a file with one write, and flushes them to disk if `durable` is set; the file is created if it is
 * missing. Processes that append to one file wait for each other. After a failed write, the file ends where it did
 * before. */
lathe_result os_append_real(const char *real, const char *path, const void *bytes, size_t n,
                            bool durable, lathe_error *err);
/* Moves the backup "real.bak", as os_writer_commit keeps it, over the file, or to its name if the file is missing, and
 * flushes the folder. Refuses links, what is no regular file, and write-protected files. only_look: changes nothing,
 * and tells what is known in advance. */
lathe_result os_put_back_real(const char *real, const char *path, bool only_look, lathe_error *err);

/* Identifies a file independently of its names. */
typedef struct os_identity {
    uint64_t part[2];
} os_identity;
lathe_result os_identify_real(const char *real, os_identity *id, bool *exists, lathe_error *err);

/* Like fopen, but "w" does not truncate: call os_truncate once the identity of the file is verified. On failure NULL,
 * and errno is set. */
FILE *os_open_stream_real(const char *real, const char *mode, os_identity *id);
bool os_truncate(FILE *f); /* on failure false, and errno is set */

/* A FILE for a library that can only write to one. After closing or flushing it, `bytes` has what was written, as far
 * as there is room (Windows: output is discarded). NULL: out of memory. */
FILE *os_memory_file(char *bytes, size_t size);

/* Seconds since some moment, from a monotonic clock. Safe in a signal handler. */
double os_seconds(void);

/* Calls fire(0) once after `seconds`, like a signal handler: it may interrupt any code, or run in a thread of its own
 * (Windows). A process can have one alarm at a time. NULL: the system refused. */
typedef struct os_alarm os_alarm;
os_alarm *os_alarm_start(const mem *m, double seconds, void (*fire)(int));
void os_alarm_stop(os_alarm *a); /* frees the alarm; it does not fire after that. NULL is allowed */

#endif
