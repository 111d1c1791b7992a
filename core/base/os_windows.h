/* Functions that os_windows*.c share. Windows only. */
#ifndef LATHE_BASE_OS_WINDOWS_H
#define LATHE_BASE_OS_WINDOWS_H

#if !defined(_WIN32_WINNT)
#define _WIN32_WINNT 0x0601
#endif
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX

#include "base/mem.h"

#include <windows.h>

#define OS_SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* Sets an error for a file: `what` failed with the system's error `code`. */
lathe_result os_windows_fail(lathe_error *err, const char *path, const char *what, DWORD code);
lathe_result os_windows_refuse(lathe_error *err, const char *path, lathe_result code,
                               const char *what);
lathe_result os_windows_no_memory(lathe_error *err, const char *path);

/* UTF-16 text. os_windows_alloc allocates n units and one for the NUL. */
wchar_t *os_windows_alloc(const mem *m, size_t n);
/* of the length that the NUL gives; NULL is allowed */
void os_windows_free(const mem *m, wchar_t *s);
wchar_t *os_windows_join(const mem *m, const wchar_t *a, size_t na, const wchar_t *b);
/* Converts a UTF-8 path to an absolute Windows path. */
lathe_result os_windows_path(const mem *m, const char *path, wchar_t **wide, lathe_error *err);

/* The following functions take a path from os_real_path, and fail if a link was put there since. */

/* Opens a file; `path` is shown in messages. */
lathe_result os_windows_open_real(const char *real, const char *path, const mem *m, DWORD access,
                                  DWORD disposition, HANDLE *h, lathe_error *err);
/* Opens the folder of a file. While it is open, neither it nor its parents can be renamed or removed, so names in it
 * stay valid. */
lathe_result os_windows_hold_folder(const char *real, const char *path, const mem *m,
                                    HANDLE *folder, lathe_error *err);
/* Whether this path itself is a symbolic link or a junction. */
bool os_windows_is_link(const wchar_t *path);

#endif
