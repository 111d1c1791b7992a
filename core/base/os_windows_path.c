/* Verified paths: what is opened is what was checked. The final path of an open handle is compared with the expected
 * one, and an open folder cannot be moved. */
#if !defined(_WIN32)
typedef int os_windows_path_unused; /* C requires a declaration in every file */
#else

#include "base/error.h"
#include "base/os.h"
#include "base/os_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* ---- path of a handle ------------------------------------------------------------------------ */

/* The path of an open handle, which the caller frees. NULL on failure, with the system's error set. */
static wchar_t *final_path(const mem *m, HANDLE h)
{
    DWORD room = GetFinalPathNameByHandleW(h, NULL, 0, 0);
    wchar_t *text = room > 0 ? os_windows_alloc(m, room) : NULL;
    if (!text)
        return NULL;
    DWORD n = GetFinalPathNameByHandleW(h, text, room + 1, 0);
    wchar_t *exact = n > 0 && n <= room ? os_windows_join(m, text, n, L"") : NULL;
    mem_free(m, text, ((size_t)room + 1) * sizeof *text);
    return exact;
}

/* Removes the \\?\ prefix of a path; *share: it is a network path. */
static const wchar_t *plain(const wchar_t *path, bool *share)
{
    *share = wcsncmp(path, L"\\\\?\\UNC\\", 8) == 0;
    if (*share)
        return path + 8;
    if (wcsncmp(path, L"\\\\?\\", 4) == 0)
        return path + 4;
    *share = path[0] == L'\\' && path[1] == L'\\';
    return *share ? path + 2 : path;
}

static bool same_path(const wchar_t *a, const wchar_t *b)
{
    bool share_a, share_b;
    a = plain(a, &share_a);
    b = plain(b, &share_b);
    return share_a == share_b && CompareStringOrdinal(a, -1, b, -1, TRUE) == CSTR_EQUAL;
}

/* Whether an open handle is at the given path, and not behind a link. */
static bool is_at(const mem *m, HANDLE h, const wchar_t *path)
{
    wchar_t *real = final_path(m, h);
    bool same = real && same_path(real, path);
    os_windows_free(m, real);
    return same;
}

bool os_windows_is_link(const wchar_t *path)
{
    WIN32_FIND_DATAW found;
    HANDLE h = FindFirstFileW(path, &found);
    if (h == INVALID_HANDLE_VALUE)
        return false;
    FindClose(h);
    return (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK ||
            found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}

static lathe_result linked(lathe_error *err, const char *path)
{
    return os_windows_refuse(err, path, LATHE_ERR_IO,
                             "cannot open: a symbolic link appeared in its path");
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Opens a path without following links. *code: the system's error, or 0 if there is a link. */
static HANDLE open_wide(const mem *m, const wchar_t *wide, DWORD access, DWORD share,
                        DWORD disposition, DWORD *code)
{
    HANDLE h =
        CreateFileW(wide, access, share, NULL, disposition, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    *code = GetLastError();
    if (h == INVALID_HANDLE_VALUE || is_at(m, h, wide))
        return h;
    CloseHandle(h);
    *code = 0;
    return INVALID_HANDLE_VALUE;
}

lathe_result os_windows_open_real(const char *real, const char *path, const mem *m, DWORD access,
                                  DWORD disposition, HANDLE *h, lathe_error *err)
{
    wchar_t *wide = NULL;
    DWORD code;
    lathe_result r = os_windows_path(m, real, &wide, err);
    if (r != LATHE_OK)
        return r;
    *h = open_wide(m, wide, access, OS_SHARE_ALL, disposition, &code);
    os_windows_free(m, wide);
    if (*h != INVALID_HANDLE_VALUE)
        return LATHE_OK;
    return code == 0 ? linked(err, path) : os_windows_fail(err, path, "cannot open", code);
}

/* Length of the part of a path that always exists: the drive or the share, in units. */
static size_t root_length(const wchar_t *path)
{
    bool share;
    const wchar_t *at = plain(path, &share);
    for (int parts = share ? 2 : 1; *at && parts > 0; at++)
        parts -= *at == L'\\';
    return (size_t)(at - path);
}

/* Length of the parent of path[0 .. n), in units; 0 for a root. */
static size_t above(const wchar_t *path, size_t n)
{
    size_t root = root_length(path);
    if (n <= root)
        return 0;
    while (n > root && path[n - 1] != L'\\')
        n--;
    return n > root ? n - 1 : root;
}

static HANDLE hold(const mem *m, const wchar_t *folder, DWORD *code)
{
    return open_wide(m, folder, FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE,
                     OPEN_EXISTING, code);
}

lathe_result os_windows_hold_folder(const char *real, const char *path, const mem *m,
                                    HANDLE *folder, lathe_error *err)
{
    wchar_t *wide = NULL;
    DWORD code;
    lathe_result r = os_windows_path(m, real, &wide, err);
    if (r != LATHE_OK)
        return r;
    wchar_t *name = os_windows_join(m, wide, above(wide, wcslen(wide)), L"");
    os_windows_free(m, wide);
    if (!name)
        return os_windows_no_memory(err, path);
    *folder = hold(m, name, &code);
    os_windows_free(m, name);
    if (*folder != INVALID_HANDLE_VALUE)
        return LATHE_OK;
    return code == 0 ? linked(err, path) : os_windows_fail(err, path, "cannot write", code);
}

/* ---- the real path -------------------------------------------------------------------------- */

static bool is_missing(DWORD code)
{
    return code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND;
}

/* Resolves path[0 .. n). Returns 0 or the system's error, also for a link without a target. */
static DWORD resolve_front(const mem *m, const wchar_t *path, size_t n, wchar_t **real)
{
    wchar_t *front = os_windows_join(m, path, n, L"");
    if (!front)
        return ERROR_NOT_ENOUGH_MEMORY;
    HANDLE h =
        CreateFileW(front, 0, OS_SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    DWORD code = h == INVALID_HANDLE_VALUE ? GetLastError() : 0;
    if (is_missing(code) && os_windows_is_link(front))
        code = ERROR_CANT_RESOLVE_FILENAME;
    os_windows_free(m, front);
    if (h == INVALID_HANDLE_VALUE)
        return code;
    *real = final_path(m, h);
    code = *real ? 0 : GetLastError();
    CloseHandle(h);
    return *real || code ? code : ERROR_NOT_ENOUGH_MEMORY;
}

/* Resolves the longest existing part of a path into *real; *rest: start of the remainder. */
static DWORD resolve(const mem *m, const wchar_t *path, wchar_t **real, size_t *rest)
{
    DWORD code = ERROR_PATH_NOT_FOUND;
    for (size_t n = wcslen(path); n > 0 && is_missing(code); n = above(path, n)) {
        code = resolve_front(m, path, n, real);
        *rest = n;
    }
    return code;
}

static bool put_utf8(buf *to, const wchar_t *text)
{
    int n = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    if (n <= 0 || !buf_reserve(to, (size_t)n))
        return false;
    WideCharToMultiByte(CP_UTF8, 0, text, -1, (char *)to->data + to->size, n, NULL, NULL);
    to->size += (size_t)n - 1; /* without the NUL, so that more can be appended */
    return true;
}

static bool has_dots(const char *path)
{
    return strstr(path, "/../") || strstr(path, "/./") || strstr(path, "//");
}

lathe_result os_real_path(const char *path, buf *to, lathe_error *err)
{
    const mem *m = to->mem;
    wchar_t *wide = NULL, *real = NULL;
    size_t rest = 0;
    bool share = false;
    lathe_result r = os_windows_path(m, path, &wide, err);
    if (r != LATHE_OK)
        return r;
    DWORD code = resolve(m, wide, &real, &rest);
    if (code != 0) {
        r = os_windows_fail(err, path, "cannot resolve the path", code);
    } else {
        const wchar_t *front = plain(real, &share), *back = wide + rest;
        bool slash = front[0] && front[wcslen(front) - 1] == L'\\';
        back += slash && *back == L'\\';
        bool good = (!share || buf_put(to, "//", 2)) && put_utf8(to, front) &&
                    (slash || !*back || *back == L'\\' || buf_put(to, "/", 1)) &&
                    put_utf8(to, back) && buf_put(to, "", 1);
        for (size_t i = 0; good && i < to->size; i++)
            if (to->data[i] == '\\')
                to->data[i] = '/';
        if (!good)
            r = os_windows_no_memory(err, path);
        else if (has_dots((const char *)to->data + (share ? 2 : 0)))
            r = os_windows_fail(err, path, "cannot resolve the path", ERROR_BAD_PATHNAME);
    }
    os_windows_free(m, real);
    os_windows_free(m, wide);
    return r;
}

/* ---- folders -------------------------------------------------------------------------------- */

/* Makes the folder path[0 .. n); its parent is held open. */
static HANDLE make_folder(const mem *m, const wchar_t *path, size_t n, DWORD *code)
{
    wchar_t *part = os_windows_join(m, path, n, L"");
    *code = ERROR_NOT_ENOUGH_MEMORY;
    if (!part)
        return INVALID_HANDLE_VALUE;
    HANDLE h = hold(m, part, code);
    if (h == INVALID_HANDLE_VALUE && is_missing(*code)) {
        if (CreateDirectoryW(part, NULL) || GetLastError() == ERROR_ALREADY_EXISTS)
            h = hold(m, part, code);
        else
            *code = GetLastError();
    }
    os_windows_free(m, part);
    return h;
}

lathe_result os_make_folder_real(const char *real, const char *path, lathe_error *err)
{
    mem m = mem_default();
    wchar_t *wide = NULL;
    HANDLE above = INVALID_HANDLE_VALUE, h = INVALID_HANDLE_VALUE;
    DWORD code = 0;
    lathe_result r = os_windows_path(&m, real, &wide, err);
    if (r != LATHE_OK)
        return r;
    size_t whole = wcslen(wide);
    for (size_t n = root_length(wide); n <= whole && n > 0;) {
        h = make_folder(&m, wide, n, &code);
        if (above != INVALID_HANDLE_VALUE)
            CloseHandle(above);
        above = h;
        if (h == INVALID_HANDLE_VALUE || n == whole)
            break;
        n += wcscspn(wide + n + 1, L"\\") + 1;
    }
    if (h == INVALID_HANDLE_VALUE)
        r = code == 0 ? linked(err, path)
                      : os_windows_fail(err, path, "cannot make its folder", code);
    else
        CloseHandle(h);
    os_windows_free(&m, wide);
    return r;
}

/* ---- checks before writing -------------------------------------------------------------------- */

static bool identity_of(HANDLE h, os_identity *id)
{
    BY_HANDLE_FILE_INFORMATION info;
    if (!GetFileInformationByHandle(h, &info))
        return false;
    id->part[0] = info.dwVolumeSerialNumber;
    id->part[1] = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    return true;
}

lathe_result os_identify_real(const char *real, os_identity *id, bool *exists, lathe_error *err)
{
    mem m = mem_default();
    wchar_t *wide = NULL;
    DWORD code;
    lathe_result r = os_windows_path(&m, real, &wide, err);
    if (r != LATHE_OK)
        return r;
    HANDLE h = open_wide(&m, wide, 0, OS_SHARE_ALL, OPEN_EXISTING, &code);
    os_windows_free(&m, wide);
    *exists = h != INVALID_HANDLE_VALUE;
    if (!*exists && code == 0)
        return linked(err, real);
    if (!*exists)
        return is_missing(code)
                   ? LATHE_OK
                   : os_windows_fail(err, real, "cannot read the file's attributes", code);
    if (!identity_of(h, id))
        r = os_windows_fail(err, real, "cannot read the file's attributes", GetLastError());
    CloseHandle(h);
    return r;
}

/* Whether a path can be opened with the given access: 0, or the system's error. */
static DWORD try_open(const wchar_t *path, DWORD access)
{
    HANDLE h = CreateFileW(path, access, OS_SHARE_ALL, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (h == INVALID_HANDLE_VALUE)
        return GetLastError();
    CloseHandle(h);
    return 0;
}

/* Whether a file can be added to the folder of a path, or to its deepest existing ancestor. */
static DWORD can_add(const mem *m, const wchar_t *path)
{
    DWORD code = ERROR_PATH_NOT_FOUND, access = FILE_ADD_FILE;
    for (size_t n = above(path, wcslen(path)); n > 0 && is_missing(code); n = above(path, n)) {
        wchar_t *folder = os_windows_join(m, path, n, L"");
        if (!folder)
            return ERROR_NOT_ENOUGH_MEMORY;
        DWORD attributes = GetFileAttributesW(folder);
        if (attributes == INVALID_FILE_ATTRIBUTES)
            code = GetLastError();
        else
            code =
                attributes & FILE_ATTRIBUTE_DIRECTORY ? try_open(folder, access) : ERROR_DIRECTORY;
        os_windows_free(m, folder);
        access = FILE_ADD_SUBDIRECTORY;
    }
    return code;
}

lathe_result os_can_write_real(const char *real, const char *path, bool replace, lathe_error *err)
{
    mem m = mem_default();
    wchar_t *wide = NULL;
    lathe_result r = os_windows_path(&m, real, &wide, err);
    if (r != LATHE_OK)
        return r;
    DWORD attributes = GetFileAttributesW(wide), code = GetLastError();
    bool exists = attributes != INVALID_FILE_ATTRIBUTES;
    if (exists && (attributes & FILE_ATTRIBUTE_DIRECTORY))
        r = os_windows_refuse(err, path, LATHE_ERR_IO, "cannot write: it is a directory");
    else if (exists && (attributes & FILE_ATTRIBUTE_READONLY))
        code = ERROR_ACCESS_DENIED;
    else if (exists)
        code = try_open(wide, GENERIC_WRITE);
    else if (is_missing(code))
        code = 0;
    if (r == LATHE_OK && code == 0 && (replace || !exists))
        code = can_add(&m, wide);
    if (r == LATHE_OK && code != 0)
        r = os_windows_fail(err, path, "cannot write", code);
    os_windows_free(&m, wide);
    return r;
}

/* ---- streams -------------------------------------------------------------------------------- */

static int errno_of(DWORD code)
{
    switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION: return EACCES;
    case ERROR_NOT_ENOUGH_MEMORY: return ENOMEM;
    default: return EIO;
    }
}

/* Opens an existing file, or creates one; never through a link. */
static HANDLE open_or_create(const mem *m, const wchar_t *wide, DWORD access, bool create,
                             DWORD *code)
{
    HANDLE h = open_wide(m, wide, access, OS_SHARE_ALL, OPEN_EXISTING, code);
    if (h == INVALID_HANDLE_VALUE && create && is_missing(*code))
        h = open_wide(m, wide, access, OS_SHARE_ALL, CREATE_NEW, code);
    return h;
}

static FILE *stream_of(HANDLE h, const char *mode)
{
    int flags = strchr(mode, '+') ? _O_RDWR : mode[0] == 'r' ? _O_RDONLY : _O_WRONLY;
    flags |= (mode[0] == 'a' ? _O_APPEND : 0) | (strchr(mode, 'b') ? _O_BINARY : _O_TEXT);
    int fd = _open_osfhandle((intptr_t)h, flags);
    FILE *f = fd >= 0 ? _fdopen(fd, mode) : NULL;
    if (!f && fd >= 0)
        _close(fd); /* closes the handle, too */
    else if (!f)
        CloseHandle(h);
    return f;
}

FILE *os_open_stream_real(const char *real, const char *mode, os_identity *id)
{
    mem m = mem_default();
    wchar_t *wide = NULL;
    DWORD code;
    HANDLE folder = INVALID_HANDLE_VALUE;
    bool both = strchr(mode, '+') != NULL, writes = both || mode[0] != 'r';
    DWORD access = (both || !writes ? GENERIC_READ : 0) | (writes ? GENERIC_WRITE : 0);
    if (os_windows_path(&m, real, &wide, NULL) != LATHE_OK ||
        (mode[0] != 'r' && os_windows_hold_folder(real, real, &m, &folder, NULL) != LATHE_OK)) {
        os_windows_free(&m, wide);
        errno = ENOENT;
        return NULL;
    }
    HANDLE h = open_or_create(&m, wide, access, mode[0] != 'r', &code);
    os_windows_free(&m, wide);
    if (folder != INVALID_HANDLE_VALUE)
        CloseHandle(folder);
    if (h == INVALID_HANDLE_VALUE || !identity_of(h, id)) {
        if (h != INVALID_HANDLE_VALUE)
            CloseHandle(h);
        errno = errno_of(code);
        return NULL;
    }
    return stream_of(h, mode);
}

bool os_truncate(FILE *f)
{
    int fd = _fileno(f);
    return GetFileType((HANDLE)_get_osfhandle(fd)) != FILE_TYPE_DISK || _chsize_s(fd, 0) == 0;
}

#endif
