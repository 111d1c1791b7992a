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

/* The first bytes of a regular file, up to n: *got of them. *got is 0 where the path leads to something else, such as a
 * pipe, from which nothing is read. real: what os_real_path gave for the path, or NULL. */
lathe_result os_read_start(const char *real, const char *path, void *to, size_t n, size_t *got,
                           lathe_error *err);

/* An open regular file that is read in places. It remembers what the file was when it was opened: a read fails with
 * LATHE_ERR_IO once the file, or what lies at its path, is another one or has another size or time of change. */
typedef struct os_file os_file;
#define OS_FILE_CHANGED "the file on disk has changed since it was opened: open it again"
lathe_result os_file_open(const char *real, const char *path, const mem *m, os_file **file,
                          lathe_error *err);
uint64_t os_file_size(const os_file *file);
/* Exactly n bytes from `at` on. */
lathe_result os_file_read(os_file *file, uint64_t at, void *to, size_t n, lathe_error *err);
/* Whether reads would still give what was there. */
bool os_file_unchanged(const os_file *file);
/* Whether a path leads to that very file. */
bool os_file_is(const os_file *file, const char *path);
/* Lets go of the file, which some systems would not replace while it is open; and takes it up again, if it is still the
 * one that it was. In between, and where it is not, reads fail as those of a changed file do. */
void os_file_pause(os_file *file);
void os_file_resume(os_file *file);
void os_file_close(os_file *file); /* NULL is fine */

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

/* Gives the name of everything in a folder to `each`, in any order, until it returns false. */
lathe_result os_list(const char *folder, const mem *m, bool (*each)(void *user, const char *name),
                     void *user, lathe_error *err);

/* Removes the temporary files (.lathe-*.tmp) of writers that were killed from a folder, named as
 * os_real_path does: those that no process has locked and that have not changed for an hour. What
 * cannot be removed stays. Returns how many went. */
size_t os_sweep(const char *folder, const mem *m);

/* ---- paths that were checked --------------------------------------------------------------------
 *
 * For programs that decide by its place whether a file may be touched. os_real_path tells the place
 * that a path means; the functions that take such a path open exactly that, and no link that was put
 * there since leads them elsewhere. */

/* The absolute path, every link followed, `..` taken after the links as the system does (Windows:
 * before). The last parts need not exist; any other failure to look at a part is one. Puts the text
 * and its zero byte into an empty buffer, which the caller frees in any case. */
lathe_result os_real_path(const char *path, buf *real, lathe_error *err);

/* As the functions without _real; `path` is the name in messages. */
lathe_result os_read_real(const char *real, const char *path, uint64_t limit, const mem *m,
                          uint8_t **data, size_t *size, lathe_error *err);
lathe_result os_writer_open_real(const char *real, const char *path, const mem *m, os_writer **w,
                                 lathe_error *err);
/* Makes a folder and those above it. */
lathe_result os_make_folder_real(const char *real, const char *path, lathe_error *err);
/* Whether a file could be written, its folder made where it is missing: what is known beforehand.
 * `replace`: as an os_writer does, else through a stream. Changes nothing. */
lathe_result os_can_write_real(const char *real, const char *path, bool replace, lathe_error *err);

/* Tells one file from another, whatever their names. */
typedef struct os_identity {
    uint64_t part[2];
} os_identity;
lathe_result os_identify_real(const char *real, os_identity *id, bool *exists, lathe_error *err);

/* As fopen, but "w" truncates nothing: os_truncate does, once the file is known to be the right one.
 * NULL leaves errno. */
FILE *os_open_stream_real(const char *real, const char *mode, os_identity *id);
bool os_truncate(FILE *f); /* false leaves errno */

/* For a library that insists on a FILE to write to: what is written is in `bytes` once it is closed
 * or flushed, as far as there is room, or (Windows) nowhere. NULL: out of memory. */
FILE *os_memory_file(char *bytes, size_t size);

/* Seconds since some moment, by a clock that nobody sets. May be called in a signal handler. */
double os_seconds(void);

/* Calls fire(0) once, `seconds` from now, as a signal handler is called: it may interrupt any code, or
 * run in a thread of its own (Windows). One alarm at a time in a process. NULL: the system refused. */
typedef struct os_alarm os_alarm;
os_alarm *os_alarm_start(const mem *m, double seconds, void (*fire)(int));
void os_alarm_stop(os_alarm *a); /* frees it; it no longer fires after that. NULL is fine */

#endif
