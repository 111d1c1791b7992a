/* A file for reads at any offset. */
#if !defined(_WIN32)
typedef int os_windows_file_unused; /* C requires a declaration in every file */
#else

#include "base/error.h"
#include "base/os.h"
#include "base/os_windows.h"

#include <string.h>

/* Maximum size of a read, whose length has 32 bits. */
#define CHUNK ((size_t)1 << 30)

struct os_file {
    mem m;
    char *path; /* from the caller, for messages */
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
    return CreateFileW(wide, access, OS_SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS,
                       NULL);
}

/* The identity and state of the file at a path. */
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

/* Opens the file at a path; `real` given: a verified path. */
static lathe_result open_place(const char *real, const char *path, const wchar_t *wide,
                               const mem *m, HANDLE *h, lathe_error *err)
{
    if (real)
        return os_windows_open_real(real, path, m, GENERIC_READ, OPEN_EXISTING, h, err);
    *h = open_wide(wide, GENERIC_READ);
    return *h == INVALID_HANDLE_VALUE ? os_windows_fail(err, path, "cannot open", GetLastError())
                                      : LATHE_OK;
}

lathe_result os_read_start(const char *real, const char *path, void *to, size_t n, size_t *got,
                           lathe_error *err)
{
    BY_HANDLE_FILE_INFORMATION info;
    wchar_t *wide = NULL;
    mem m = mem_default();
    DWORD some = 0;
    HANDLE h = INVALID_HANDLE_VALUE;
    *got = 0;
    lathe_result r = os_windows_path(&m, real ? real : path, &wide, err);
    if (r == LATHE_OK)
        r = open_place(real, path, wide, &m, &h, err);
    if (r == LATHE_OK && is_regular(h, &info) && !ReadFile(h, to, (DWORD)n, &some, NULL))
        r = os_windows_fail(err, path, "cannot read", GetLastError());
    if (h != INVALID_HANDLE_VALUE)
        CloseHandle(h);
    os_windows_free(&m, wide);
    *got = r == LATHE_OK ? some : 0;
    return r;
}

lathe_result os_file_open(const char *real, const char *path, const mem *m, os_file **file,
                          lathe_error *err)
{
    os_file *f = mem_zalloc(m, sizeof *f);
    if (!f)
        return os_windows_no_memory(err, path);
    f->m = *m;
    f->h = INVALID_HANDLE_VALUE;
    lathe_result r = os_windows_path(m, real ? real : path, &f->wide, err);
    if (r == LATHE_OK && !(f->path = mem_alloc(m, strlen(path) + 1)))
        r = os_windows_no_memory(err, path);
    if (r == LATHE_OK) {
        memcpy(f->path, path, strlen(path) + 1);
        r = open_place(real, path, f->wide, m, &f->h, err);
    }
    if (r == LATHE_OK && !is_regular(f->h, &f->was))
        r = os_windows_refuse(err, path, LATHE_ERR_IO, "cannot open: it is not a regular file");
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
            return os_windows_fail(err, f->path, "cannot read", GetLastError());
        if (got == 0)
            break;
        p += got;
        at += got;
        left -= got;
    }
    if (left > 0 || !os_file_unchanged(f))
        return os_windows_refuse(err, f->path, LATHE_ERR_IO, OS_FILE_CHANGED);
    return LATHE_OK;
}

bool os_file_is(const os_file *f, const char *path)
{
    BY_HANDLE_FILE_INFORMATION info;
    wchar_t *wide = NULL;
    if (os_windows_path(&f->m, path, &wide, NULL) != LATHE_OK)
        return false;
    bool same = state_of(wide, &info) && same_file(&info, &f->was);
    os_windows_free(&f->m, wide);
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
    os_windows_free(&m, f->wide);
    if (f->path)
        mem_free(&m, f->path, strlen(f->path) + 1);
    mem_free(&m, f, sizeof *f);
}

#endif
