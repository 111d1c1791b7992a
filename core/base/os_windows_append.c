/* Appending to a file of records, and putting a backup back. */
#if !defined(_WIN32)
typedef int os_windows_append_unused; /* C requires a declaration in every file */
#else

#include "base/os.h"
#include "base/os_windows.h"

#include <wchar.h>

/* ---- appending ------------------------------------------------------------------------------ */

/* One write at the end. What a full disk leaves of it is removed again, so that the file never ends within a record.
 * The lock keeps other processes that append waiting. */
static lathe_result append(HANDLE h, const char *path, const void *bytes, size_t n, bool durable,
                           lathe_error *err)
{
    OVERLAPPED all = {0};
    LARGE_INTEGER size, end = {0};
    DWORD done = 0, code = ERROR_SUCCESS;
    bool locked = LockFileEx(h, LOCKFILE_EXCLUSIVE_LOCK, 0, MAXDWORD, MAXDWORD, &all);
    if (n > MAXDWORD)
        code = ERROR_INVALID_PARAMETER;
    else if (!GetFileSizeEx(h, &size) || !SetFilePointerEx(h, end, NULL, FILE_END))
        code = GetLastError();
    else if (!WriteFile(h, bytes, (DWORD)n, &done, NULL) || done != n) {
        code = GetLastError();
        if (code == ERROR_SUCCESS)
            code = ERROR_DISK_FULL;
        if (SetFilePointerEx(h, size, NULL, FILE_BEGIN))
            SetEndOfFile(h);
    }
    lathe_result r = LATHE_OK;
    if (code != ERROR_SUCCESS)
        r = os_windows_fail(err, path, "cannot write", code);
    else if (durable && !FlushFileBuffers(h))
        r = os_windows_fail(err, path, "cannot flush to disk", GetLastError());
    if (locked)
        UnlockFileEx(h, 0, MAXDWORD, MAXDWORD, &all);
    return r;
}

lathe_result os_append_real(const char *real, const char *path, const void *bytes, size_t n,
                            bool durable, lathe_error *err)
{
    mem m = mem_default();
    HANDLE h = INVALID_HANDLE_VALUE;
    lathe_result r =
        os_windows_open_real(real, path, &m, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, &h, err);
    if (r != LATHE_OK)
        return r;
    r = append(h, path, bytes, n, durable, err);
    CloseHandle(h);
    return r;
}

/* ---- putting a backup back ------------------------------------------------------------------- */

static lathe_result check(const wchar_t *target, const wchar_t *bak, const char *path,
                          lathe_error *err)
{
    DWORD now = GetFileAttributesW(target), was = GetFileAttributesW(bak);
    if (was == INVALID_FILE_ATTRIBUTES)
        return os_windows_refuse(err, path, LATHE_ERR_IO, "there is no backup of it");
    if ((was & FILE_ATTRIBUTE_DIRECTORY) || os_windows_is_link(bak))
        return os_windows_refuse(err, path, LATHE_ERR_IO, "its backup is not a regular file");
    if (now == INVALID_FILE_ATTRIBUTES)
        return LATHE_OK;
    if (os_windows_is_link(target))
        return os_windows_refuse(err, path, LATHE_ERR_IO, "cannot replace it: it is a link");
    if (now & FILE_ATTRIBUTE_DIRECTORY)
        return os_windows_refuse(err, path, LATHE_ERR_IO,
                                 "cannot replace it: it is not a regular file");
    if (now & FILE_ATTRIBUTE_READONLY)
        return os_windows_fail(err, path, "cannot replace it", ERROR_ACCESS_DENIED);
    return LATHE_OK;
}

static lathe_result put_back(const wchar_t *target, const wchar_t *bak, const char *path,
                             bool only_look, lathe_error *err)
{
    lathe_result r = check(target, bak, path, err);
    if (r != LATHE_OK || only_look)
        return r;
    if (MoveFileExW(bak, target, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        return LATHE_OK;
    return os_windows_fail(err, path, "cannot replace it", GetLastError());
}

lathe_result os_put_back_real(const char *real, const char *path, bool only_look, lathe_error *err)
{
    mem m = mem_default();
    wchar_t *target = NULL, *bak = NULL;
    HANDLE folder = INVALID_HANDLE_VALUE;
    lathe_result r = os_windows_hold_folder(real, path, &m, &folder, err);
    if (r != LATHE_OK)
        return r;
    r = os_windows_path(&m, real, &target, err);
    if (r == LATHE_OK) {
        bak = os_windows_join(&m, target, wcslen(target), L".bak");
        r = bak ? put_back(target, bak, path, only_look, err) : os_windows_no_memory(err, path);
    }
    os_windows_free(&m, bak);
    os_windows_free(&m, target);
    CloseHandle(folder);
    return r;
}

#endif
