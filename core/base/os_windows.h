/* What os_windows*.c share. Windows only. */
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

/* Errors of a file; `what` failed because of the system's error `code`. */
lathe_result os_windows_fail(lathe_error *err, const char *path, const char *what, DWORD code);
lathe_result os_windows_refuse(lathe_error *err, const char *path, lathe_result code,
                               const char *what);
lathe_result os_windows_no_memory(lathe_error *err, const char *path);

/* Wide text; os_windows_alloc has room for n units and the zero behind them. */
wchar_t *os_windows_alloc(const mem *m, size_t n);
void os_windows_free(const mem *m, wchar_t *s); /* up to its zero; NULL is fine */
wchar_t *os_windows_join(const mem *m, const wchar_t *a, size_t na, const wchar_t *b);
/* An absolute path of the system's for one of ours. */
lathe_result os_windows_path(const mem *m, const char *path, wchar_t **wide, lathe_error *err);

/* The following take a path that os_real_path has given, and fail where a link has been put there. */

/* Opens a file; `path` is the name in messages. */
lathe_result os_windows_open_real(const char *real, const char *path, const mem *m, DWORD access,
                                  DWORD disposition, HANDLE *h, lathe_error *err);
/* Opens the folder of a file. While it is open, neither it nor a folder above it can be renamed or
 * removed, so names in it stay where they are. */
lathe_result os_windows_hold_folder(const char *real, const char *path, const mem *m,
                                    HANDLE *folder, lathe_error *err);
/* Whether there is a symbolic link or a junction under this very name. */
bool os_windows_is_link(const wchar_t *path);

#endif
