#if !defined(_WIN32)
typedef int os_windows_unused; /* C wants something in every file */
#else

#if !defined(_WIN32_WINNT)
#define _WIN32_WINNT 0x0601
#endif
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX

#include "base/error.h"
#include "base/os.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

/* Lengths of reads and writes are 32 bits here. */
#define CHUNK ((size_t)1 << 30)

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

static lathe_result fail(lathe_error *err, const char *path, const char *what, DWORD code)
{
    wchar_t wide[160];
    char why[sizeof err->message / 2];
    DWORD n = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code,
                             0, wide, sizeof wide / sizeof wide[0], NULL);
    while (n > 0 && (wide[n - 1] <= L' ' || wide[n - 1] == L'.'))
        n--; /* texts end in ".\r\n" */
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

static lathe_result refuse(lathe_error *err, const char *path, lathe_result code, const char *what)
{
    error_set(err, code, LATHE_NO_OFFSET, "%s", what);
    error_path(err, path);
    return code;
}

static lathe_result no_memory(lathe_error *err, const char *path)
{
    return refuse(err, path, LATHE_ERR_MEMORY, "not enough memory");
}

/* ---- names ---------------------------------------------------------------------------------- */

static wchar_t *wide_alloc(const mem *m, size_t n)
{
    return n < SIZE_MAX / sizeof(wchar_t) ? mem_alloc(m, (n + 1) * sizeof(wchar_t)) : NULL;
}

static void wide_free(const mem *m, wchar_t *s)
{
    if (s)
        mem_free(m, s, (wcslen(s) + 1) * sizeof *s);
}

static wchar_t *wide_join(const mem *m, const wchar_t *a, size_t na, const wchar_t *b)
{
    size_t nb = wcslen(b);
    wchar_t *both = wide_alloc(m, na + nb);
    if (both) {
        wmemcpy(both, a, na);
        wmemcpy(both + na, b, nb + 1);
    }
    return both;
}

/* Any path made absolute, so that no change of folder moves it; one too long for the old limit of
 * 260 with the prefix that lifts it (the system's own names may lie 40 beyond). */
static wchar_t *wide_absolute(const mem *m, const wchar_t *path)
{
    wchar_t *result = NULL;
    DWORD room = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = room > 0 ? wide_alloc(m, room) : NULL;
    if (!full)
        return NULL;
    DWORD n = GetFullPathNameW(path, room, full, NULL);
    if (n > 0 && n < room) {
        bool share = full[0] == L'\\' && full[1] == L'\\';
        bool special = share && (full[2] == L'?' || full[2] == L'.');
        if (n < 200 || special)
            result = wide_join(m, full, n, L"");
        else if (share)
            result = wide_join(m, L"\\\\?\\UNC\\", 8, full + 2);
        else
            result = wide_join(m, L"\\\\?\\", 4, full);
    }
    mem_free(m, full, ((size_t)room + 1) * sizeof *full);
    return result;
}

static lathe_result wide_path(const mem *m, const char *path, wchar_t **wide, lathe_error *err)
{
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    if (n <= 0)
        return refuse(err, path, LATHE_ERR_IO, "the path is not UTF-8");
    wchar_t *given = wide_alloc(m, (size_t)n);
    if (!given)
        return no_memory(err, path);
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, n);
    SetLastError(ERROR_NOT_ENOUGH_MEMORY);
    *wide = given[0] ? wide_absolute(m, given) : NULL;
    DWORD code = given[0] ? GetLastError() : ERROR_PATH_NOT_FOUND;
    mem_free(m, given, ((size_t)n + 1) * sizeof *given);
    if (*wide)
        return LATHE_OK;
    return code == ERROR_NOT_ENOUGH_MEMORY ? no_memory(err, path)
                                           : fail(err, path, "cannot open", code);
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

/* As in os_posix.c: full memory is grown only once something is known to follow. */
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
                return fail(in->err, in->path, "cannot read", code);
            got = 0; /* a pipe whose writer has gone */
        }
        if (got == 0)
            return LATHE_OK;
        if (in->limit > 0 && got > in->limit - in->size)
            return too_large(in);
        if (full && !grow(in, got))
            return no_memory(in->err, in->path);
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
        return no_memory(in->err, in->path);
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
            return fail(in->err, in->path, "cannot read", GetLastError());
        if (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
            return refuse(in->err, in->path, LATHE_ERR_IO, "cannot read: it is a directory");
    }
    if (size.QuadPart > 0) {
        if (in->limit > 0 && (uint64_t)size.QuadPart > in->limit)
            return too_large(in);
        if ((uint64_t)size.QuadPart > SIZE_MAX)
            return no_memory(in->err, in->path);
        in->data = mem_alloc(in->m, (size_t)size.QuadPart);
        if (!in->data)
            return no_memory(in->err, in->path);
        in->cap = (size_t)size.QuadPart;
    }
    lathe_result r = read_to_end(in, h);
    return r == LATHE_OK ? trim(in) : r;
}

lathe_result os_read_file(const char *path, uint64_t limit, const mem *m, uint8_t **data,
                          size_t *size, lathe_error *err)
{
    input in = {.path = path, .m = m, .limit = limit, .err = err};
    wchar_t *wide = NULL;
    lathe_result r = wide_path(m, path, &wide, err);
    if (r != LATHE_OK)
        return r;
    /* Backup semantics let a directory be opened, which then gets a message of its own. */
    HANDLE h = CreateFileW(wide, GENERIC_READ, SHARE_ALL, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_SEQUENTIAL_SCAN, NULL);
    DWORD code = GetLastError();
    wide_free(m, wide);
    if (h == INVALID_HANDLE_VALUE)
        return fail(err, path, "cannot open", code);
    r = read_open_file(&in, h);
    CloseHandle(h);
    if (r != LATHE_OK) {
        mem_free(m, in.data, in.cap);
        return r;
    }
    *data = in.data;
    *size = in.size;
    return LATHE_OK;
}

/* ---- reading in places ---------------------------------------------------------------------- */

struct os_file {
    mem m;
    char *path; /* as the caller named it, for messages */
    wchar_t *wide;
    HANDLE h;
    BY_HANDLE_FILE_INFORMATION was;
};

static bool same_file(const BY_HANDLE_FILE_INFORMATION *a, const BY_HANDLE_FILE_INFORMATION *b)
{
    return a->dwVolumeSerialNumber == b->dwVolumeSerialNumber &&
           a->nFileIndexHigh == b->nFileIndexHigh && a->nFileIndexLow == b->nFileIndexLow;
}

static bool same_state(const BY_HANDLE_FILE_INFORMATION *a, const BY_HANDLE_FILE_INFORMATION *b)
{
    return same_file(a, b) && a->nFileSizeHigh == b->nFileSizeHigh &&
           a->nFileSizeLow == b->nFileSizeLow &&
           CompareFileTime(&a->ftLastWriteTime, &b->ftLastWriteTime) == 0;
}

static HANDLE open_wide(const wchar_t *wide, DWORD access)
{
    return CreateFileW(wide, access, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS,
                       NULL);
}

/* What is at a path now. */
static bool state_of(const wchar_t *wide, BY_HANDLE_FILE_INFORMATION *info)
{
    HANDLE h = open_wide(wide, FILE_READ_ATTRIBUTES);
    if (h == INVALID_HANDLE_VALUE)
        return false;
    bool good = GetFileInformationByHandle(h, info);
    CloseHandle(h);
    return good;
}

static bool is_regular(HANDLE h, BY_HANDLE_FILE_INFORMATION *info)
{
    return GetFileType(h) == FILE_TYPE_DISK && GetFileInformationByHandle(h, info) &&
           !(info->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
}

lathe_result os_read_start(const char *path, void *to, size_t n, size_t *got, lathe_error *err)
{
    BY_HANDLE_FILE_INFORMATION info;
    wchar_t *wide = NULL;
    mem m = mem_default();
    *got = 0;
    lathe_result r = wide_path(&m, path, &wide, err);
    if (r != LATHE_OK)
        return r;
    DWORD some = 0;
    HANDLE h = open_wide(wide, GENERIC_READ);
    if (h == INVALID_HANDLE_VALUE)
        r = fail(err, path, "cannot open", GetLastError());
    else if (is_regular(h, &info) && !ReadFile(h, to, (DWORD)n, &some, NULL))
        r = fail(err, path, "cannot read", GetLastError());
    if (h != INVALID_HANDLE_VALUE)
        CloseHandle(h);
    wide_free(&m, wide);
    *got = r == LATHE_OK ? some : 0;
    return r;
}

lathe_result os_file_open(const char *path, const mem *m, os_file **file, lathe_error *err)
{
    os_file *f = mem_zalloc(m, sizeof *f);
    if (!f)
        return no_memory(err, path);
    f->m = *m;
    f->h = INVALID_HANDLE_VALUE;
    lathe_result r = wide_path(m, path, &f->wide, err);
    if (r == LATHE_OK && !(f->path = mem_alloc(m, strlen(path) + 1)))
        r = no_memory(err, path);
    if (r == LATHE_OK) {
        memcpy(f->path, path, strlen(path) + 1);
        f->h = open_wide(f->wide, GENERIC_READ);
        if (f->h == INVALID_HANDLE_VALUE)
            r = fail(err, path, "cannot open", GetLastError());
        else if (!is_regular(f->h, &f->was))
            r = refuse(err, path, LATHE_ERR_IO, "cannot open: it is not a regular file");
    }
    if (r == LATHE_OK)
        *file = f;
    else
        os_file_close(f);
    return r;
}

uint64_t os_file_size(const os_file *f)
{
    return (uint64_t)f->was.nFileSizeHigh << 32 | f->was.nFileSizeLow;
}

bool os_file_unchanged(const os_file *f)
{
    BY_HANDLE_FILE_INFORMATION now;
    return GetFileInformationByHandle(f->h, &now) && same_state(&now, &f->was) &&
           state_of(f->wide, &now) && same_state(&now, &f->was);
}

lathe_result os_file_read(os_file *f, uint64_t at, void *to, size_t n, lathe_error *err)
{
    uint8_t *p = to;
    size_t left = n;
    while (left > 0 && f->h != INVALID_HANDLE_VALUE) {
        OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
        DWORD got = 0;
        if (!ReadFile(f->h, p, (DWORD)(left < CHUNK ? left : CHUNK), &got, &place) &&
            GetLastError() != ERROR_HANDLE_EOF)
            return fail(err, f->path, "cannot read", GetLastError());
        if (got == 0)
            break;
        p += got;
        at += got;
        left -= got;
    }
    if (left > 0 || !os_file_unchanged(f))
        return refuse(err, f->path, LATHE_ERR_IO, OS_FILE_CHANGED);
    return LATHE_OK;
}

bool os_file_is(const os_file *f, const char *path)
{
    BY_HANDLE_FILE_INFORMATION info;
    wchar_t *wide = NULL;
    if (wide_path(&f->m, path, &wide, NULL) != LATHE_OK)
        return false;
    bool same = state_of(wide, &info) && same_file(&info, &f->was);
    wide_free(&f->m, wide);
    return same;
}

void os_file_pause(os_file *f)
{
    if (f->h != INVALID_HANDLE_VALUE)
        CloseHandle(f->h);
    f->h = INVALID_HANDLE_VALUE;
}

void os_file_resume(os_file *f)
{
    if (f->h != INVALID_HANDLE_VALUE)
        return;
    f->h = open_wide(f->wide, GENERIC_READ);
    if (f->h != INVALID_HANDLE_VALUE && !os_file_unchanged(f))
        os_file_pause(f);
}

void os_file_close(os_file *f)
{
    if (!f)
        return;
    mem m = f->m;
    if (f->h != INVALID_HANDLE_VALUE)
        CloseHandle(f->h);
    wide_free(&m, f->wide);
    if (f->path)
        mem_free(&m, f->path, strlen(f->path) + 1);
    mem_free(&m, f, sizeof *f);
}

/* ---- opening a writer ----------------------------------------------------------------------- */

struct os_writer {
    mem m;
    char *path;      /* as the caller named it, for messages */
    wchar_t *target; /* absolute, links followed */
    wchar_t *temp;
    HANDLE h;
    DWORD failed; /* the code of the write that failed, or 0 */
};

/* A name that nobody else is likely to have, in the target's folder. */
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
    return wide_join(&w->m, w->target, slash ? (size_t)(slash - w->target) + 1 : 0, name);
}

/* The file behind a symbolic link or a junction. Only where there is one: some file systems cannot
 * answer the question. */
static lathe_result follow_links(os_writer *w, lathe_error *err)
{
    HANDLE h =
        CreateFileW(w->target, 0, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (h == INVALID_HANDLE_VALUE)
        return fail(err, w->path, "cannot write", GetLastError());
    lathe_result r = LATHE_OK;
    DWORD room = GetFinalPathNameByHandleW(h, NULL, 0, 0);
    wchar_t *real = room > 0 ? wide_alloc(&w->m, room) : NULL;
    if (!real) {
        r = room > 0 ? no_memory(err, w->path) : fail(err, w->path, "cannot write", GetLastError());
    } else {
        DWORD n = GetFinalPathNameByHandleW(h, real, room + 1, 0);
        wchar_t *target = n > 0 && n <= room ? wide_join(&w->m, real, n, L"") : NULL;
        if (target) {
            wide_free(&w->m, w->target);
            w->target = target;
        } else {
            r = no_memory(err, w->path);
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
            return fail(err, w->path, "cannot write", code);
    } else if (*attributes & FILE_ATTRIBUTE_DIRECTORY) {
        return refuse(err, w->path, LATHE_ERR_IO, "cannot write: it is a directory");
    } else if (*attributes & FILE_ATTRIBUTE_DEVICE) {
        return refuse(err, w->path, LATHE_ERR_IO, "cannot write: it is not a regular file");
    } else if (*attributes & FILE_ATTRIBUTE_READONLY) {
        return fail(err, w->path, "cannot write", ERROR_ACCESS_DENIED);
    }
    if (wcsncmp(w->target, L"\\\\.\\", 4) == 0) /* NUL, CON: GetFullPathNameW tells */
        return refuse(err, w->path, LATHE_ERR_IO, "cannot write: it is not a regular file");
    return LATHE_OK;
}

static lathe_result create_temp(os_writer *w, lathe_error *err)
{
    for (unsigned i = 0;; i++) {
        w->temp = name_beside(w, i);
        if (!w->temp)
            return no_memory(err, w->path);
        w->h =
            CreateFileW(w->temp, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (w->h != INVALID_HANDLE_VALUE)
            return LATHE_OK;
        DWORD code = GetLastError();
        wide_free(&w->m, w->temp);
        w->temp = NULL;
        if (code != ERROR_FILE_EXISTS || i == 100)
            return fail(err, w->path, "cannot create a temporary file beside it", code);
    }
}

lathe_result os_writer_open(const char *path, const mem *m, os_writer **out, lathe_error *err)
{
    os_writer *w = mem_zalloc(m, sizeof *w);
    if (!w)
        return no_memory(err, path);
    w->m = *m;
    w->h = INVALID_HANDLE_VALUE;
    DWORD attributes = INVALID_FILE_ATTRIBUTES;
    lathe_result r = wide_path(m, path, &w->target, err);
    if (r == LATHE_OK) {
        size_t n = strlen(path) + 1;
        w->path = mem_alloc(m, n);
        if (w->path)
            memcpy(w->path, path, n);
        else
            r = no_memory(err, path);
    }
    if (r == LATHE_OK) {
        DWORD links = GetFileAttributesW(w->target);
        if (links != INVALID_FILE_ATTRIBUTES && (links & FILE_ATTRIBUTE_REPARSE_POINT))
            r = follow_links(w, err);
    }
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

bool os_writer_put(void *writer, const void *bytes, size_t n)
{
    os_writer *w = writer;
    const uint8_t *from = bytes;
    while (w->failed == 0 && n > 0) {
        DWORD put = 0;
        if (!WriteFile(w->h, from, (DWORD)(n < CHUNK ? n : CHUNK), &put, NULL))
            w->failed = GetLastError();
        else if (put == 0)
            w->failed = ERROR_WRITE_FAULT; /* no progress and no reason: do not try forever */
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
    wide_free(&m, w->temp);
    wide_free(&m, w->target);
    if (w->path)
        mem_free(&m, w->path, strlen(w->path) + 1);
    mem_free(&m, w, sizeof *w);
}

/* ---- commit --------------------------------------------------------------------------------- */

/* ReplaceFileW would keep access lists by itself, but some of its failures leave nothing under the
 * old name; MoveFileExW never does. So the list is copied here, as far as the system lets us. */
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

/* Virus scanners and indexers hold new files open for moments in which no rename works. */
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

/* The old file never leaves its own name, so there is no moment without it: the backup is a second
 * link to it, or a copy where links are refused. */
static lathe_result keep_backup(const os_writer *w, lathe_error *err)
{
    wchar_t *name = name_beside(w, 0);
    wchar_t *bak = wide_join(&w->m, w->target, wcslen(w->target), L".bak");
    lathe_result r = LATHE_OK;
    if (!name || !bak) {
        r = no_memory(err, w->path);
    } else {
        if ((!CreateHardLinkW(name, w->target, NULL) && !CopyFileW(w->target, name, TRUE)) ||
            !move_over(name, bak))
            r = fail(err, w->path, "cannot keep a backup", GetLastError());
        DeleteFileW(name);
    }
    wide_free(&w->m, name);
    wide_free(&w->m, bak);
    return r;
}

static lathe_result finish_temp(os_writer *w, lathe_error *err)
{
    if (w->failed != 0)
        return fail(err, w->path, "cannot write", w->failed);
    if (!FlushFileBuffers(w->h))
        return fail(err, w->path, "cannot flush to disk", GetLastError());
    BOOL closed = CloseHandle(w->h);
    w->h = INVALID_HANDLE_VALUE;
    return closed ? LATHE_OK : fail(err, w->path, "cannot write", GetLastError());
}

/* The folder needs no flush of its own: MOVEFILE_WRITE_THROUGH returns once the move is on disk. */
lathe_result os_writer_commit(os_writer *w, bool backup, lathe_error *err)
{
    DWORD attributes = INVALID_FILE_ATTRIBUTES;
    lathe_result r = check_target(w, &attributes, err); /* again: time has passed */
    bool exists = attributes != INVALID_FILE_ATTRIBUTES;
    if (r == LATHE_OK)
        r = finish_temp(w, err);
    if (r == LATHE_OK && exists)
        keep_permissions(w, attributes);
    if (r == LATHE_OK && exists && backup)
        r = keep_backup(w, err);
    if (r == LATHE_OK) {
        if (move_over(w->temp, w->target)) {
            wide_free(&w->m, w->temp);
            w->temp = NULL;
        } else {
            r = fail(err, w->path, "cannot rename", GetLastError());
        }
    }
    os_writer_abort(w); /* frees; the temporary file, if it is still one, goes */
    return r;
}

FILE *os_memory_file(char *bytes, size_t size)
{
    if (size > 0)
        bytes[0] = '\0';
    return fopen("NUL", "w");
}

#endif
