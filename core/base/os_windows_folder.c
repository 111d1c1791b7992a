/* Lists a folder, and removes temporary files that killed writers left. */
#if !defined(_WIN32)
typedef int os_windows_folder_unused; /* C requires a declaration in every file */
#else

#include "base/os_windows.h"

#include "base/os.h"

#include <wchar.h>

/* ---- names ---------------------------------------------------------------------------------- */

/* Passes a name to the callback. False: it wants no more. Names that are no valid UTF-16 are skipped: they have no
 * UTF-8 form, so no path can name them. */
static bool give(const wchar_t *wide, bool (*each)(void *user, const char *name), void *user)
{
    char name[4 * MAX_PATH];
    int n = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1, name, (int)sizeof name,
                                NULL, NULL);
    return n <= 0 || each(user, name);
}

lathe_result os_list(const char *folder, const mem *m, bool (*each)(void *user, const char *name),
                     void *user, lathe_error *err)
{
    WIN32_FIND_DATAW found;
    wchar_t *wide = NULL;
    lathe_result r = os_windows_path(m, folder, &wide, err);
    if (r != LATHE_OK)
        return r;
    wchar_t *pattern = os_windows_join(m, wide, wcslen(wide), L"\\*");
    HANDLE h = pattern ? FindFirstFileW(pattern, &found) : INVALID_HANDLE_VALUE;
    if (!pattern)
        r = os_windows_no_memory(err, folder);
    else if (h == INVALID_HANDLE_VALUE)
        r = os_windows_fail(err, folder, "cannot list", GetLastError());
    for (BOOL more = r == LATHE_OK; more && give(found.cFileName, each, user);)
        more = FindNextFileW(h, &found);
    if (h != INVALID_HANDLE_VALUE)
        FindClose(h);
    os_windows_free(m, pattern);
    os_windows_free(m, wide);
    return r;
}

/* ---- leftover temporary files ------------------------------------------------------------------ */

/* Whether a temporary file is old enough. Times are in units of 100 ns; a time in the future counts as recent. */
static bool is_left(const WIN32_FIND_DATAW *found)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    int64_t then =
        (int64_t)found->ftLastWriteTime.dwHighDateTime << 32 | found->ftLastWriteTime.dwLowDateTime;
    int64_t age = ((int64_t)now.dwHighDateTime << 32 | now.dwLowDateTime) - then;
    return age >= INT64_C(3600) * 10000000 &&
           !(found->dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT));
}

/* A file that a writer has open is not shared, so it cannot be deleted. */
size_t os_sweep(const char *folder, const mem *m)
{
    WIN32_FIND_DATAW found;
    wchar_t *wide = NULL;
    size_t n = 0;
    if (os_windows_path(m, folder, &wide, NULL) != LATHE_OK)
        return 0;
    wchar_t *pattern = os_windows_join(m, wide, wcslen(wide), L"\\.lathe-*.tmp");
    HANDLE h = pattern ? FindFirstFileW(pattern, &found) : INVALID_HANDLE_VALUE;
    for (BOOL more = h != INVALID_HANDLE_VALUE; more; more = FindNextFileW(h, &found)) {
        size_t at = wcslen(pattern) - wcslen(L".lathe-*.tmp");
        wchar_t *path = is_left(&found) ? os_windows_join(m, pattern, at, found.cFileName) : NULL;
        n += path && DeleteFileW(path);
        os_windows_free(m, path);
    }
    if (h != INVALID_HANDLE_VALUE)
        FindClose(h);
    os_windows_free(m, pattern);
    os_windows_free(m, wide);
    return n;
}

#endif
