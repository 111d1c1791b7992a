#if !defined(_WIN32)
typedef int os_windows_unused; /* C requires a declaration in every file */
#else

#include "base/os_windows.h"
#include "base/error.h"
#include "base/os.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* Maximum size of a read or write, whose lengths have 32 bits. */
#define CHUNK ((size_t)1 << 30)

lathe_result os_windows_fail(lathe_error *err, const char *path, const char *what, DWORD code)
{
    wchar_t wide[160];
    char why[sizeof err->message / 2];
    DWORD n = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code,
                             0, wide, sizeof wide / sizeof wide[0], NULL);
    while (n > 0 && (wide[n - 1] <= L' ' || wide[n - 1] == L'.'))
        n--; /* messages end in ".\r\n" */
    int k =
        n > 0 ? WideCharToMultiByte(CP_UTF8, 0, wide, (int)n, why, (int)sizeof why - 1, NULL, NULL)
              : 0;
    if (k > 0)
        why[k] = '\0';
    else
        snprintf(why, sizeof why, "system error %lu", (unsigned long)code);
    error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s: %s", what, why);
    error_path(err, path);
    return LATHE_ERR_IO;
}

lathe_result os_windows_refuse(lathe_error *err, const char *path, lathe_result code,
                               const char *what)
{
    error_set(err, code, LATHE_NO_OFFSET, "%s", what);
    error_path(err, path);
    return code;
}

lathe_result os_windows_no_memory(lathe_error *err, const char *path)
{
    return os_windows_refuse(err, path, LATHE_ERR_MEMORY, "not enough memory");
}

/* ---- names ---------------------------------------------------------------------------------- */

wchar_t *os_windows_alloc(const mem *m, size_t n)
{
    return n < SIZE_MAX / sizeof(wchar_t) ? mem_alloc(m, (n + 1) * sizeof(wchar_t)) : NULL;
}

void os_windows_free(const mem *m, wchar_t *s)
{
    if (s)
        mem_free(m, s, (wcslen(s) + 1) * sizeof *s);
}

wchar_t *os_windows_join(const mem *m, const wchar_t *a, size_t na, const wchar_t *b)
{
    size_t nb = wcslen(b);
    wchar_t *both = os_windows_alloc(m, na + nb);
    if (both) {
        wmemcpy(both, a, na);
        wmemcpy(both + na, b, nb + 1);
    }
    return both;
}

/* Makes a path absolute, so that a change of the working folder does not matter. A path beyond the limit of 260 gets
 * the prefix that lifts it, with a reserve of 40 for names that the system adds. */
static wchar_t *wide_absolute(const mem *m, const wchar_t *path)
{
    wchar_t *result = NULL;
    DWORD room = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = room > 0 ? os_windows_alloc(m, room) : NULL;
    if (!full)
        return NULL;
    DWORD n = GetFullPathNameW(path, room, full, NULL);
    if (n > 0 && n < room) {
        bool share = full[0] == L'\\' && full[1] == L'\\';
        bool special = share && (full[2] == L'?' || full[2] == L'.');
        if (n < 200 || special)
            result = os_windows_join(m, full, n, L"");
        else if (share)
            result = os_windows_join(m, L"\\\\?\\UNC\\", 8, full + 2);
        else
            result = os_windows_join(m, L"\\\\?\\", 4, full);
    }
    mem_free(m, full, ((size_t)room + 1) * sizeof *full);
    return result;
}

lathe_result os_windows_path(const mem *m, const char *path, wchar_t **wide, lathe_error *err)
{
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    if (n <= 0)
        return os_windows_refuse(err, path, LATHE_ERR_IO, "the path is not UTF-8");
    wchar_t *given = os_windows_alloc(m, (size_t)n);
    if (!given)
        return os_windows_no_memory(err, path);
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, n);
    SetLastError(ERROR_NOT_ENOUGH_MEMORY);
    *wide = given[0] ? wide_absolute(m, given) : NULL;
    DWORD code = given[0] ? GetLastError() : ERROR_PATH_NOT_FOUND;
    mem_free(m, given, ((size_t)n + 1) * sizeof *given);
    if (*wide)
        return LATHE_OK;
    return code == ERROR_NOT_ENOUGH_MEMORY ? os_windows_no_memory(err, path)
                                           : os_windows_fail(err, path, "cannot open", code);
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct input {
    const char *path;
    const mem *m;
    uint64_t limit;
    uint8_t *data;
    size_t size, cap;
    lathe_error *err;
} input;

static lathe_result too_large(const input *in)
{
    error_set(in->err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
              "the file has more than the %" PRIu64 " bytes that are allowed", in->limit);
    error_path(in->err, in->path);
    return LATHE_ERR_LIMIT;
}

static bool grow(input *in, size_t more)
{
    void *data = in->data;
    if (more > SIZE_MAX - in->size || !mem_reserve(in->m, &data, &in->cap, in->size + more, 1))
        return false;
    in->data = data;
    return true;
}

/* As in os_posix.c: a full buffer grows only if more bytes follow. */
static lathe_result read_to_end(input *in, HANDLE h)
{
    for (;;) {
        uint8_t more[4096];
        bool full = in->size == in->cap;
        size_t room = full ? sizeof more : in->cap - in->size;
        DWORD got = 0;
        if (!ReadFile(h, full ? more : in->data + in->size, (DWORD)(room < CHUNK ? room : CHUNK),
                      &got, NULL)) {
            DWORD code = GetLastError();
            if (code != ERROR_BROKEN_PIPE && code != ERROR_HANDLE_EOF)
                return os_windows_fail(in->err, in->path, "cannot read", code);
            got = 0; /* the writer of a pipe has closed it */
        }
        if (got == 0)
            return LATHE_OK;
        if (in->limit > 0 && got > in->limit - in->size)
            return too_large(in);
        if (full && !grow(in, got))
            return os_windows_no_memory(in->err, in->path);
        if (full)
            memcpy(in->data + in->size, more, got);
        in->size += got;
    }
}

static lathe_result trim(input *in)
{
    if (in->size == in->cap)
        return LATHE_OK;
    void *data = mem_resize(in->m, in->data, in->cap, in->size);
    if (!data && in->size > 0)
        return os_windows_no_memory(in->err, in->path);
    in->data = data;
    in->cap = in->size;
    return LATHE_OK;
}

static lathe_result read_open_file(input *in, HANDLE h)
{
    BY_HANDLE_FILE_INFORMATION info;
    LARGE_INTEGER size = {.QuadPart = 0};
    if (GetFileType(h) == FILE_TYPE_DISK) {
        if (!GetFileInformationByHandle(h, &info) || !GetFileSizeEx(h, &size))
            return os_windows_fail(in->err, in->path, "cannot read", GetLastError());
        if (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
            return os_windows_refuse(in->err, in->path, LATHE_ERR_IO,
                                     "cannot read: it is a directory");
    }
    if (size.QuadPart > 0) {
        if (in->limit > 0 && (uint64_t)size.QuadPart > in->limit)
            return too_large(in);
        if ((uint64_t)size.QuadPart > SIZE_MAX)
            return os_windows_no_memory(in->err, in->path);
        in->data = mem_alloc(in->m, (size_t)size.QuadPart);
        if (!in->data)
            return os_windows_no_memory(in->err, in->path);
        in->cap = (size_t)size.QuadPart;
    }
    lathe_result r = read_to_end(in, h);
    return r == LATHE_OK ? trim(in) : r;
}

/* Reads the file and closes h. */
static lathe_result read_whole(input *in, HANDLE h, uint8_t **data, size_t *size)
{
    lathe_result r = read_open_file(in, h);
    CloseHandle(h);
    if (r != LATHE_OK) {
        mem_free(in->m, in->data, in->cap);
        return r;
    }
    *data = in->data;
    *size = in->size;
    return LATHE_OK;
}

lathe_result os_read_file(const char *path, uint64_t limit, const mem *m, uint8_t **data,
                          size_t *size, lathe_error *err)
{
    input in = {.path = path, .m = m, .limit = limit, .err = err};
    wchar_t *wide = NULL;
    lathe_result r = os_windows_path(m, path, &wide, err);
    if (r != LATHE_OK)
        return r;
    /* backup semantics allow opening a directory, for which there is a specific message */
    HANDLE h = CreateFileW(wide, GENERIC_READ, OS_SHARE_ALL, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_SEQUENTIAL_SCAN, NULL);
    DWORD code = GetLastError();
    os_windows_free(m, wide);
    if (h == INVALID_HANDLE_VALUE)
        return os_windows_fail(err, path, "cannot open", code);
    return read_whole(&in, h, data, size);
}

lathe_result os_read_real(const char *real, const char *path, uint64_t limit, const mem *m,
                          uint8_t **data, size_t *size, lathe_error *err)
{
    input in = {.path = path, .m = m, .limit = limit, .err = err};
    HANDLE h = INVALID_HANDLE_VALUE;
    lathe_result r = os_windows_open_real(real, path, m, GENERIC_READ, OPEN_EXISTING, &h, err);
    return r == LATHE_OK ? read_whole(&in, h, data, size) : r;
}

/* ---- opening a writer ----------------------------------------------------------------------- */

struct os_writer {
    mem m;
    char *path;      /* from the caller, for messages */
    wchar_t *target; /* absolute, links resolved */
    wchar_t *temp;
    HANDLE folder; /* for verified paths: the folder, open so that no link can replace it */
    HANDLE h;
    DWORD failed; /* error code of the failed write, or 0 */
};

/* Makes a name that is probably unused in the target's folder. */
static wchar_t *name_beside(const os_writer *w, unsigned attempt)
{
    LARGE_INTEGER ticks = {.QuadPart = 0};
    FILETIME now;
    QueryPerformanceCounter(&ticks);
    GetSystemTimeAsFileTime(&now);
    uint64_t x = (uint64_t)ticks.QuadPart << 24 ^ (uint64_t)now.dwHighDateTime << 32 ^
                 now.dwLowDateTime ^ (uint64_t)GetCurrentProcessId() << 40 ^
                 (uint64_t)(uintptr_t)w ^ attempt;
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    wchar_t name[] = L".lathe-0000000000000000.tmp";
    for (size_t i = 0; i < 16; i++)
        name[7 + i] = L"0123456789abcdef"[x >> (60 - 4 * i) & 15];
    const wchar_t *slash = wcsrchr(w->target, L'\\');
    return os_windows_join(&w->m, w->target, slash ? (size_t)(slash - w->target) + 1 : 0, name);
}

/* Resolves a symbolic link or a junction. Called only for links, because some file systems cannot resolve paths. */
static lathe_result follow_links(os_writer *w, lathe_error *err)
{
    HANDLE h = CreateFileW(w->target, 0, OS_SHARE_ALL, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (h == INVALID_HANDLE_VALUE)
        return os_windows_fail(err, w->path, "cannot write", GetLastError());
    lathe_result r = LATHE_OK;
    DWORD room = GetFinalPathNameByHandleW(h, NULL, 0, 0);
    wchar_t *real = room > 0 ? os_windows_alloc(&w->m, room) : NULL;
    if (!real) {
        r = room > 0 ? os_windows_no_memory(err, w->path)
                     : os_windows_fail(err, w->path, "cannot write", GetLastError());
    } else {
        DWORD n = GetFinalPathNameByHandleW(h, real, room + 1, 0);
        wchar_t *target = n > 0 && n <= room ? os_windows_join(&w->m, real, n, L"") : NULL;
        if (target) {
            os_windows_free(&w->m, w->target);
            w->target = target;
        } else {
            r = os_windows_no_memory(err, w->path);
        }
        mem_free(&w->m, real, ((size_t)room + 1) * sizeof *real);
    }
    CloseHandle(h);
    return r;
}

static lathe_result check_target(const os_writer *w, DWORD *attributes, lathe_error *err)
{
    *attributes = GetFileAttributesW(w->target);
    if (*attributes == INVALID_FILE_ATTRIBUTES) {
        DWORD code = GetLastError();
        if (code != ERROR_FILE_NOT_FOUND)
            return os_windows_fail(err, w->path, "cannot write", code);
    } else if (*attributes & FILE_ATTRIBUTE_DIRECTORY) {
        return os_windows_refuse(err, w->path, LATHE_ERR_IO, "cannot write: it is a directory");
    } else if (*attributes & FILE_ATTRIBUTE_DEVICE) {
        return os_windows_refuse(err, w->path, LATHE_ERR_IO,
                                 "cannot write: it is not a regular file");
    } else if (*attributes & FILE_ATTRIBUTE_READONLY) {
        return os_windows_fail(err, w->path, "cannot write", ERROR_ACCESS_DENIED);
    }
    if (*attributes != INVALID_FILE_ATTRIBUTES && w->folder != INVALID_HANDLE_VALUE &&
        os_windows_is_link(w->target))
        return os_windows_refuse(err, w->path, LATHE_ERR_IO,
                                 "cannot write: a symbolic link appeared in its path");
    /* NUL, CON: GetFullPathNameW gives such paths for devices */
    if (wcsncmp(w->target, L"\\\\.\\", 4) == 0)
        return os_windows_refuse(err, w->path, LATHE_ERR_IO,
                                 "cannot write: it is not a regular file");
    return LATHE_OK;
}

static lathe_result create_temp(os_writer *w, lathe_error *err)
{
    for (unsigned i = 0;; i++) {
        w->temp = name_beside(w, i);
        if (!w->temp)
            return os_windows_no_memory(err, w->path);
        w->h =
            CreateFileW(w->temp, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (w->h != INVALID_HANDLE_VALUE)
            return LATHE_OK;
        DWORD code = GetLastError();
        os_windows_free(&w->m, w->temp);
        w->temp = NULL;
        if (code != ERROR_FILE_EXISTS || i == 100)
            return os_windows_fail(err, w->path, "cannot create a temporary file beside it", code);
    }
}

static lathe_result enter_folder(os_writer *w, const char *real, lathe_error *err)
{
    lathe_result r = os_windows_path(&w->m, real, &w->target, err);
    return r == LATHE_OK ? os_windows_hold_folder(real, w->path, &w->m, &w->folder, err) : r;
}

static lathe_result resolve(os_writer *w, lathe_error *err)
{
    lathe_result r = os_windows_path(&w->m, w->path, &w->target, err);
    if (r != LATHE_OK)
        return r;
    DWORD links = GetFileAttributesW(w->target);
    return links != INVALID_FILE_ATTRIBUTES && (links & FILE_ATTRIBUTE_REPARSE_POINT)
               ? follow_links(w, err)
               : LATHE_OK;
}

static lathe_result open_writer(const char *real, const char *path, const mem *m, os_writer **out,
                                lathe_error *err)
{
    os_writer *w = mem_zalloc(m, sizeof *w);
    if (!w)
        return os_windows_no_memory(err, path);
    w->m = *m;
    w->h = w->folder = INVALID_HANDLE_VALUE;
    DWORD attributes = INVALID_FILE_ATTRIBUTES;
    size_t n = strlen(path) + 1;
    w->path = mem_alloc(m, n);
    if (w->path)
        memcpy(w->path, path, n);
    lathe_result r = w->path ? LATHE_OK : os_windows_no_memory(err, path);
    if (r == LATHE_OK)
        r = real ? enter_folder(w, real, err) : resolve(w, err);
    if (r == LATHE_OK)
        r = check_target(w, &attributes, err);
    if (r == LATHE_OK)
        r = create_temp(w, err);
    if (r != LATHE_OK) {
        os_writer_abort(w);
        return r;
    }
    *out = w;
    return LATHE_OK;
}

lathe_result os_writer_open(const char *path, const mem *m, os_writer **w, lathe_error *err)
{
    return open_writer(NULL, path, m, w, err);
}

lathe_result os_writer_open_real(const char *real, const char *path, const mem *m, os_writer **w,
                                 lathe_error *err)
{
    return open_writer(real, path, m, w, err);
}

bool os_writer_put(void *writer, const void *bytes, size_t n)
{
    os_writer *w = writer;
    const uint8_t *from = bytes;
    while (w->failed == 0 && n > 0) {
        DWORD put = 0;
        if (!WriteFile(w->h, from, (DWORD)(n < CHUNK ? n : CHUNK), &put, NULL))
            w->failed = GetLastError();
        else if (put == 0)
            /* no progress without a reason: avoids an endless loop */
            w->failed = ERROR_WRITE_FAULT;
        from += put;
        n -= put;
    }
    return w->failed == 0;
}

void os_writer_abort(os_writer *w)
{
    if (!w)
        return;
    mem m = w->m;
    if (w->h != INVALID_HANDLE_VALUE)
        CloseHandle(w->h);
    if (w->temp)
        DeleteFileW(w->temp);
    if (w->folder != INVALID_HANDLE_VALUE)
        CloseHandle(w->folder);
    os_windows_free(&m, w->temp);
    os_windows_free(&m, w->target);
    if (w->path)
        mem_free(&m, w->path, strlen(w->path) + 1);
    mem_free(&m, w, sizeof *w);
}

/* ---- commit --------------------------------------------------------------------------------- */

/* Copies access list and attributes of the old file, as far as the system allows. ReplaceFileW would do that, but
 * some of its failures leave no file under the old name; MoveFileExW never does. */
static void keep_permissions(const os_writer *w, DWORD attributes)
{
    DWORD size = 0;
    GetFileSecurityW(w->target, DACL_SECURITY_INFORMATION, NULL, 0, &size);
    void *list = size > 0 ? mem_alloc(&w->m, size) : NULL;
    DWORD got = size;
    if (list && GetFileSecurityW(w->target, DACL_SECURITY_INFORMATION, list, size, &got))
        SetFileSecurityW(w->temp, DACL_SECURITY_INFORMATION, list);
    mem_free(&w->m, list, size);
    DWORD keep = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM | FILE_ATTRIBUTE_NOT_CONTENT_INDEXED;
    if (attributes & keep)
        SetFileAttributesW(w->temp, attributes & keep);
}

/* Retries the rename, because virus scanners and indexers keep new files open for moments. */
static bool move_over(const wchar_t *from, const wchar_t *to)
{
    for (DWORD wait = 10;; wait *= 2) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return true;
        DWORD code = GetLastError();
        if ((code != ERROR_SHARING_VIOLATION && code != ERROR_ACCESS_DENIED) || wait > 160) {
            SetLastError(code);
            return false;
        }
        Sleep(wait);
    }
}

#define BACKUP_TRIES 20

/* Gives the second name of the old file to the backup, unless there is a backup: another process may have made it. */
static bool place_first(const wchar_t *name, const wchar_t *bak)
{
    if (MoveFileExW(name, bak, MOVEFILE_WRITE_THROUGH))
        return true;
    DWORD code = GetLastError();
    return code == ERROR_ALREADY_EXISTS || code == ERROR_FILE_EXISTS;
}

/* One attempt to make a backup: a second link to the old file, or a copy if links are not supported. On failure
 * false, with the system's error set. */
static bool try_backup(const os_writer *w, const wchar_t *name, const wchar_t *bak,
                       os_backup backup)
{
    bool good = (CreateHardLinkW(name, w->target, NULL) || CopyFileW(w->target, name, TRUE)) &&
                (backup == OS_BACKUP_FIRST ? place_first(name, bak) : move_over(name, bak));
    DWORD code = GetLastError();
    DeleteFileW(name);
    SetLastError(code);
    return good;
}

/* Makes the backup. The old file keeps its name all the time. Actions of other processes are no failure: they have
 * replaced the old file, or removed the second name. */
static lathe_result keep_backup(const os_writer *w, os_backup backup, lathe_error *err)
{
    wchar_t *bak = os_windows_join(&w->m, w->target, wcslen(w->target), L".bak");
    lathe_result r = bak ? LATHE_OK : os_windows_no_memory(err, w->path);
    for (unsigned i = 0; r == LATHE_OK; i++) {
        wchar_t *name = name_beside(w, i);
        if (!name) {
            r = os_windows_no_memory(err, w->path);
            break;
        }
        bool good = try_backup(w, name, bak, backup);
        DWORD code = GetLastError();
        os_windows_free(&w->m, name);
        if (good)
            break;
        if ((code != ERROR_FILE_NOT_FOUND && code != ERROR_FILE_EXISTS &&
             code != ERROR_ALREADY_EXISTS && code != ERROR_SHARING_VIOLATION) ||
            i == BACKUP_TRIES)
            r = os_windows_fail(err, w->path, "cannot keep a backup", code);
    }
    os_windows_free(&w->m, bak);
    return r;
}

static lathe_result finish_temp(os_writer *w, lathe_error *err)
{
    if (w->failed != 0)
        return os_windows_fail(err, w->path, "cannot write", w->failed);
    if (!FlushFileBuffers(w->h))
        return os_windows_fail(err, w->path, "cannot flush to disk", GetLastError());
    BOOL closed = CloseHandle(w->h);
    w->h = INVALID_HANDLE_VALUE;
    return closed ? LATHE_OK : os_windows_fail(err, w->path, "cannot write", GetLastError());
}

/* The folder needs no flush: MOVEFILE_WRITE_THROUGH returns when the move is on disk. */
lathe_result os_writer_commit(os_writer *w, os_backup backup, lathe_error *err)
{
    DWORD attributes = INVALID_FILE_ATTRIBUTES;
    lathe_result r = check_target(w, &attributes, err); /* again, because time has passed */
    bool exists = attributes != INVALID_FILE_ATTRIBUTES;
    if (r == LATHE_OK)
        r = finish_temp(w, err);
    if (r == LATHE_OK && exists)
        keep_permissions(w, attributes);
    if (r == LATHE_OK && exists && backup != OS_BACKUP_NONE)
        r = keep_backup(w, backup, err);
    if (r == LATHE_OK) {
        if (move_over(w->temp, w->target)) {
            os_windows_free(&w->m, w->temp);
            w->temp = NULL;
        } else {
            r = os_windows_fail(err, w->path, "cannot rename", GetLastError());
        }
    }
    os_writer_abort(w); /* frees it, and removes the temporary file if it still exists */
    return r;
}

/* ---- a file in memory ------------------------------------------------------------------------ */

FILE *os_memory_file(char *bytes, size_t size)
{
    if (size > 0)
        bytes[0] = '\0';
    return fopen("NUL", "w");
}

/* ---- time ------------------------------------------------------------------------------------ */

double os_seconds(void)
{
    return (double)GetTickCount64() * 1e-3;
}

struct os_alarm {
    mem m;
    HANDLE timer;
    void (*fire)(int);
};

static VOID CALLBACK fire_alarm(PVOID user, BOOLEAN fired)
{
    os_alarm *a = user;
    (void)fired;
    a->fire(0);
}

#define LONGEST_ALARM 4e6 /* seconds; in milliseconds it fits a DWORD */

os_alarm *os_alarm_start(const mem *m, double seconds, void (*fire)(int))
{
    os_alarm *a = mem_alloc(m, sizeof *a);
    if (!a)
        return NULL;
    *a = (os_alarm){.m = *m, .fire = fire};
    DWORD wait = (DWORD)((seconds < LONGEST_ALARM ? seconds : LONGEST_ALARM) * 1e3);
    if (!CreateTimerQueueTimer(&a->timer, NULL, fire_alarm, a, wait ? wait : 1, 0,
                               WT_EXECUTEONLYONCE)) {
        mem_free(m, a, sizeof *a);
        return NULL;
    }
    return a;
}

void os_alarm_stop(os_alarm *a)
{
    if (!a)
        return;
    mem m = a->m;
    DeleteTimerQueueTimer(NULL, a->timer, INVALID_HANDLE_VALUE); /* waits if it is firing */
    mem_free(&m, a, sizeof *a);
}

#endif
