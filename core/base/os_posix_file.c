/* A file for reads at any offset. */
#if defined(_WIN32)
typedef int os_posix_file_unused; /* C requires a declaration in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* POSIX 2008 */
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

#include "base/error.h"
#include "base/os.h"
#include "base/os_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Maximum size of a read: some systems refuse or shorten sizes beyond INT_MAX. */
#define CHUNK ((size_t)1 << 30)

struct os_file {
    mem m;
    /* its path, absolute and without links, so that a change of the working folder does not matter */
    buf real;
    int fd;
    struct stat was;
};

static const char *path_of(const os_file *f)
{
    return (const char *)f->real.data;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool same_state(const struct stat *a, const struct stat *b)
{
    return same_file(a, b) && a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Opens a file at a path from os_real_path, and gets its status. -1, with errno. Does not wait for the writer of a
 * fifo; the caller checks the type before reading. */
static int open_real(const char *real, struct stat *st)
{
    int fd = os_posix_open(real, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, st) != 0) {
        int code = errno;
        close(fd);
        errno = code;
        return -1;
    }
    return fd;
}

/* The same; if `real` is NULL, `path` is resolved first, into `found`. */
static lathe_result open_place(const char *real, const char *path, buf *found, int *fd,
                               struct stat *st, lathe_error *err)
{
    int code = real ? 0 : os_posix_real_path(path, found);
    if (code == 0) {
        *fd = open_real(real ? real : (const char *)found->data, st);
        code = *fd < 0 ? errno : 0;
    }
    if (code == 0)
        return LATHE_OK;
    return code == ENOMEM ? os_posix_no_memory(err, path)
           : real         ? os_posix_fail_at(err, path, "cannot open", code)
                          : os_posix_fail(err, path, "cannot open", code);
}

lathe_result os_read_start(const char *real, const char *path, void *to, size_t n, size_t *got,
                           lathe_error *err)
{
    struct stat st;
    mem m = mem_default();
    buf found;
    int fd = -1;
    *got = 0;
    buf_init(&found, &m);
    /* before opening, because opening a fifo would take bytes from its reader */
    bool other = !real && stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    lathe_result r = other ? LATHE_OK : open_place(real, path, &found, &fd, &st, err);
    if (fd >= 0 && S_ISREG(st.st_mode) && !os_posix_read(fd, to, n, got))
        r = os_posix_fail(err, path, "cannot read", errno);
    if (fd >= 0)
        close(fd);
    buf_free(&found);
    return r;
}

lathe_result os_file_open(const char *real, const char *path, const mem *m, os_file **file,
                          lathe_error *err)
{
    os_file *f = mem_zalloc(m, sizeof *f);
    if (!f)
        return os_posix_no_memory(err, path);
    f->m = *m;
    f->fd = -1;
    buf_init(&f->real, &f->m);
    lathe_result r = open_place(real, path, &f->real, &f->fd, &f->was, err);
    if (r == LATHE_OK && real && !buf_put(&f->real, real, strlen(real) + 1))
        r = os_posix_no_memory(err, path);
    if (r == LATHE_OK && !S_ISREG(f->was.st_mode))
        r = os_posix_refuse(err, path, LATHE_ERR_IO, "cannot open: it is not a regular file");
    if (r == LATHE_OK)
        *file = f;
    else
        os_file_close(f);
    return r;
}

uint64_t os_file_size(const os_file *f)
{
    return (uint64_t)f->was.st_size;
}

/* Checked after each read: what was read before a change is valid. */
bool os_file_unchanged(const os_file *f)
{
    struct stat now, there;
    int fd = f->fd < 0 ? -1 : open_real(path_of(f), &there);
    if (fd >= 0)
        close(fd);
    return fd >= 0 && fstat(f->fd, &now) == 0 && same_state(&now, &f->was) &&
           same_state(&there, &f->was);
}

lathe_result os_file_read(os_file *f, uint64_t at, void *to, size_t n, lathe_error *err)
{
    uint8_t *p = to;
    size_t left = n;
    while (left > 0 && f->fd >= 0 && at <= (uint64_t)f->was.st_size) {
        ssize_t r = pread(f->fd, p, left < CHUNK ? left : CHUNK, (off_t)at);
        if (r < 0 && errno != EINTR)
            return os_posix_fail(err, path_of(f), "cannot read", errno);
        if (r == 0)
            break;
        p += r > 0 ? r : 0;
        at += r > 0 ? (uint64_t)r : 0;
        left -= r > 0 ? (size_t)r : 0;
    }
    if (left > 0 || !os_file_unchanged(f))
        return os_posix_refuse(err, path_of(f), LATHE_ERR_IO, OS_FILE_CHANGED);
    return LATHE_OK;
}

bool os_file_is(const os_file *f, const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && same_file(&st, &f->was);
}

void os_file_pause(os_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

void os_file_resume(os_file *f)
{
    if (f->fd >= 0)
        return;
    struct stat st;
    f->fd = open_real(path_of(f), &st);
    if (f->fd >= 0 && !os_file_unchanged(f))
        os_file_pause(f);
}

void os_file_close(os_file *f)
{
    if (!f)
        return;
    mem m = f->m;
    if (f->fd >= 0)
        close(f->fd);
    buf_free(&f->real);
    mem_free(&m, f, sizeof *f);
}

#endif
