#if defined(_WIN32)
typedef int os_posix_unused; /* C wants something in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* POSIX of 2008, with realpath */
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

#include "base/os_posix.h"
#include "base/error.h"
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if !defined(PATH_MAX)
#define PATH_MAX 4096
#endif

/* Some systems refuse reads and writes beyond INT_MAX, others shorten them. */
#define CHUNK ((size_t)1 << 30)

static lathe_result fail(lathe_error *err, const char *path, const char *what, int code)
{
    char why[128];
    if (strerror_r(code, why, sizeof why) != 0)
        snprintf(why, sizeof why, "system error %d", code);
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

/* Up to n bytes, fewer only where the system gave fewer; false leaves errno. */
static bool read_some(int fd, void *to, size_t n, size_t *got)
{
    ssize_t r;
    do
        r = read(fd, to, n < CHUNK ? n : CHUNK);
    while (r < 0 && errno == EINTR);
    *got = r > 0 ? (size_t)r : 0;
    return r >= 0;
}

static bool write_all(int fd, const uint8_t *from, size_t n)
{
    while (n > 0) {
        ssize_t r = write(fd, from, n < CHUNK ? n : CHUNK);
        if (r < 0 && errno == EINTR)
            continue;
        if (r == 0)
            errno = EIO; /* no progress and no reason: do not try forever */
        if (r <= 0)
            return false;
        from += r;
        n -= (size_t)r;
    }
    return true;
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

/* The size that the system states is only where to begin: pipes and /proc state none, and a file
 * may grow or shrink meanwhile. Full memory is grown only once something is known to follow. */
static lathe_result read_to_end(input *in, int fd)
{
    for (;;) {
        uint8_t more[4096];
        bool full = in->size == in->cap;
        size_t got;
        if (!read_some(fd, full ? more : in->data + in->size,
                       full ? sizeof more : in->cap - in->size, &got))
            return fail(in->err, in->path, "cannot read", errno);
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

/* The caller frees by size alone. */
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

static lathe_result read_open_file(input *in, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return fail(in->err, in->path, "cannot read", errno);
    if (S_ISDIR(st.st_mode))
        return refuse(in->err, in->path, LATHE_ERR_IO, "cannot read: it is a directory");
    if (S_ISREG(st.st_mode) && st.st_size > 0) {
        if (in->limit > 0 && (uint64_t)st.st_size > in->limit)
            return too_large(in);
        if ((uint64_t)st.st_size > SIZE_MAX)
            return no_memory(in->err, in->path);
        in->data = mem_alloc(in->m, (size_t)st.st_size);
        if (!in->data)
            return no_memory(in->err, in->path);
        in->cap = (size_t)st.st_size;
    }
    lathe_result r = read_to_end(in, fd);
    return r == LATHE_OK ? trim(in) : r;
}

lathe_result os_read_file(const char *path, uint64_t limit, const mem *m, uint8_t **data,
                          size_t *size, lathe_error *err)
{
    input in = {.path = path, .m = m, .limit = limit, .err = err};
    int fd;
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR); /* a fifo waits for its writer */
    if (fd < 0)
        return fail(err, path, "cannot open", errno);
    lathe_result r = read_open_file(&in, fd);
    close(fd);
    if (r != LATHE_OK) {
        mem_free(m, in.data, in.cap);
        return r;
    }
    *data = in.data;
    *size = in.size;
    return LATHE_OK;
}

/* ---- names beside the file ------------------------------------------------------------------ */

struct os_writer {
    mem m;
    char *path;   /* as the caller named it, for messages */
    char *target; /* absolute and free of links: neither chdir nor a new link moves it */
    char *temp;
    int fd;
    int failed; /* errno of the write that failed, or 0 */
};

static char *text_dup(const mem *m, const char *s, size_t n)
{
    char *copy = mem_alloc(m, n + 1);
    if (copy) {
        memcpy(copy, s, n);
        copy[n] = '\0';
    }
    return copy;
}

static void text_free(const mem *m, char *s)
{
    if (s)
        mem_free(m, s, strlen(s) + 1);
}

static char *text_join(const mem *m, const char *a, size_t na, const char *b)
{
    size_t nb = strlen(b);
    char *both = mem_alloc(m, na + nb + 1);
    if (both) {
        memcpy(both, a, na);
        memcpy(both + na, b, nb + 1);
    }
    return both;
}

/* Bytes of the folder's part, slash included; 0 where there is none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

#define NAME_TRIES 100

/* A name that nobody else is likely to have, in the target's folder. Short whatever the file is
 * called, as names end at 255 bytes; the pid, the clock and the writer's address tell apart
 * processes, moments and threads. Whether it is free is the caller's to find out. */
static char *name_beside(const os_writer *w, unsigned attempt)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t x = (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec << 20 ^
                 (uint64_t)getpid() << 44 ^ (uint64_t)(uintptr_t)w ^ attempt;
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    char name[40];
    snprintf(name, sizeof name, OS_TEMP_PREFIX "%016" PRIx64 OS_TEMP_SUFFIX, x);
    return text_join(&w->m, w->target, folder_length(w->target), name);
}

/* A new file under such a name, locked, or -1 with errno; ENOMEM is ours too. */
static int create_beside(const os_writer *w, mode_t mode, char **name)
{
    for (unsigned i = 0;; i++) {
        *name = name_beside(w, i);
        if (!*name) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) {
            os_posix_lock(fd); /* where locks are refused, its age protects it for an hour */
            return fd;
        }
        int code = errno;
        text_free(&w->m, *name);
        *name = NULL;
        errno = code;
        if ((code != EEXIST && code != EINTR) || i + 1 == NAME_TRIES)
            return -1;
    }
}

/* ---- opening a writer ----------------------------------------------------------------------- */

/* `at` names nothing yet: its folder made absolute, and the name. */
static lathe_result resolve_new(os_writer *w, char *at, lathe_error *err)
{
    char folder[PATH_MAX];
    size_t n = folder_length(at);
    const char *name = at + n;
    if (!*name)
        return refuse(err, w->path, LATHE_ERR_IO, "cannot write: it names no file");
    w->target = text_dup(&w->m, name, strlen(name)); /* until the folder is known */
    if (!w->target)
        return no_memory(err, w->path);
    at[n] = '\0';
    if (!realpath(n > 0 ? at : ".", folder))
        return fail(err, w->path, "cannot write", errno);
    n = strlen(folder);
    if (folder[n - 1] != '/') {
        if (n + 1 >= sizeof folder)
            return fail(err, w->path, "cannot write", ENAMETOOLONG);
        folder[n++] = '/';
    }
    char *target = text_join(&w->m, folder, n, w->target);
    text_free(&w->m, w->target);
    w->target = target;
    return target ? LATHE_OK : no_memory(err, w->path);
}

/* realpath alone would do, were it not for links to files that do not exist yet: those are followed
 * one by one, as open does. */
static lathe_result resolve(os_writer *w, lathe_error *err)
{
    char at[PATH_MAX], real[PATH_MAX], link_text[PATH_MAX];
    size_t n = strlen(w->path);
    if (n >= sizeof at)
        return fail(err, w->path, "cannot write", ENAMETOOLONG);
    memcpy(at, w->path, n + 1);
    for (int links = 0; links < 40; links++) {
        if (realpath(at, real)) {
            w->target = text_dup(&w->m, real, strlen(real));
            return w->target ? LATHE_OK : no_memory(err, w->path);
        }
        if (errno != ENOENT)
            return fail(err, w->path, "cannot write", errno);
        ssize_t k = readlink(at, link_text, sizeof link_text - 1);
        if (k <= 0)
            return resolve_new(w, at, err);
        link_text[k] = '\0';
        size_t keep = link_text[0] == '/' ? 0 : folder_length(at);
        if ((size_t)k >= sizeof at - keep)
            return fail(err, w->path, "cannot write", ENAMETOOLONG);
        memcpy(at + keep, link_text, (size_t)k + 1);
    }
    return fail(err, w->path, "cannot write", ELOOP);
}

/* What rename would do without asking: replace a device, or a file that its owner protects. */
static lathe_result check_target(const os_writer *w, bool *exists, lathe_error *err)
{
    struct stat st;
    *exists = stat(w->target, &st) == 0;
    if (!*exists)
        return errno == ENOENT ? LATHE_OK : fail(err, w->path, "cannot write", errno);
    if (S_ISDIR(st.st_mode))
        return refuse(err, w->path, LATHE_ERR_IO, "cannot write: it is a directory");
    if (!S_ISREG(st.st_mode))
        return refuse(err, w->path, LATHE_ERR_IO, "cannot write: it is not a regular file");
    if (faccessat(AT_FDCWD, w->target, W_OK, AT_EACCESS) != 0)
        return fail(err, w->path, "cannot write", errno);
    return LATHE_OK;
}

lathe_result os_writer_open(const char *path, const mem *m, os_writer **out, lathe_error *err)
{
    os_writer *w = mem_zalloc(m, sizeof *w);
    if (!w)
        return no_memory(err, path);
    w->m = *m;
    w->fd = -1;
    bool exists = false;
    lathe_result r = LATHE_OK;
    w->path = text_dup(m, path, strlen(path));
    if (!w->path)
        r = no_memory(err, path);
    if (r == LATHE_OK)
        r = resolve(w, err);
    if (r == LATHE_OK)
        r = check_target(w, &exists, err);
    if (r == LATHE_OK) {
        /* A new file gets what umask leaves; one that replaces another stays private until it has
         * the other's permissions. */
        w->fd = create_beside(w, exists ? 0600 : 0666, &w->temp);
        if (w->fd < 0)
            r = fail(err, path, "cannot create a temporary file beside it", errno);
    }
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
    if (w->failed == 0 && !write_all(w->fd, bytes, n))
        w->failed = errno;
    return w->failed == 0;
}

void os_writer_abort(os_writer *w)
{
    if (!w)
        return;
    mem m = w->m;
    if (w->fd >= 0)
        close(w->fd);
    if (w->temp)
        unlink(w->temp);
    text_free(&m, w->temp);
    text_free(&m, w->target);
    text_free(&m, w->path);
    mem_free(&m, w, sizeof *w);
}

/* ---- commit --------------------------------------------------------------------------------- */

static bool flush(int fd)
{
    int r;
    do
        r = fsync(fd);
    while (r != 0 && errno == EINTR);
    return r == 0;
}

/* The old file for what a save keeps of it, or -1: one that may not be read still has its list. */
static int open_old(const char *path)
{
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    int fd = open(path, O_RDONLY | flags);
    return fd >= 0 || errno != EACCES ? fd : open(path, O_WRONLY | flags);
}

/* False leaves errno; the file at `to` is whole or not of use. */
static bool copy_to(int to, const os_writer *w)
{
    uint8_t part[16384];
    size_t got = 1;
    struct stat old;
    int fd = open(w->target, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool good = fstat(fd, &old) == 0;
    while (good && got > 0) {
        good = read_some(fd, part, sizeof part, &got);
        good = good && write_all(to, part, got);
    }
    good = good && os_posix_keep(to, fd, &old, &w->m) && flush(to);
    int code = errno;
    close(fd);
    errno = code;
    return good;
}

static bool refuses_links(int code)
{
    return code == EPERM || code == EACCES || code == ENOTSUP || code == EOPNOTSUPP ||
           code == ENOSYS || code == EMLINK || code == EXDEV;
}

/* The old file under a second, temporary name: a link, or a copy where links are refused. On
 * failure *name may be left, to be removed. */
static bool second_name(const os_writer *w, unsigned attempt, char **name)
{
    *name = name_beside(w, attempt);
    if (!*name) {
        errno = ENOMEM;
        return false;
    }
    if (link(w->target, *name) == 0)
        return true;
    int code = errno;
    text_free(&w->m, *name);
    *name = NULL;
    errno = code;
    if (!refuses_links(code))
        return false;
    int fd = create_beside(w, 0600, name);
    if (fd < 0)
        return false;
    bool good = copy_to(fd, w);
    code = errno;
    if (close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    errno = code;
    return good;
}

/* One attempt at it; false leaves errno. The second name is gone afterwards: where the backup
 * already is a link to this very file, as after a commit that failed between here and its end,
 * rename says yes, does nothing and leaves both names. */
static bool try_backup(const os_writer *w, const char *bak, unsigned attempt)
{
    char *name = NULL;
    bool good = second_name(w, attempt, &name) && rename(name, bak) == 0;
    int code = errno;
    if (name)
        unlink(name);
    text_free(&w->m, name);
    errno = code;
    return good;
}

/* The old file never leaves its own name, so there is no moment without it. What another process
 * does meanwhile is no failure: it has taken the name (EEXIST), or has replaced the old file or
 * removed the second name (ENOENT, ESTALE). */
static lathe_result keep_backup(const os_writer *w, lathe_error *err)
{
    char *bak = text_join(&w->m, w->target, strlen(w->target), ".bak");
    if (!bak)
        return no_memory(err, w->path);
    unsigned attempt = 0;
    bool good, again;
    do {
        good = try_backup(w, bak, attempt);
        again = !good && (errno == EEXIST || errno == ENOENT || errno == ESTALE);
    } while (again && ++attempt < NAME_TRIES);
    lathe_result r = good ? LATHE_OK : fail(err, w->path, "cannot keep a backup", errno);
    text_free(&w->m, bak);
    return r;
}

/* The folder, for flushing it. Opened before the rename, where a failure still changes nothing. A
 * folder that may be written but not read cannot be opened: then *folder is -1. */
static lathe_result open_folder(const os_writer *w, int *folder, lathe_error *err)
{
    size_t n = folder_length(w->target);
    char *name = text_dup(&w->m, w->target, n);
    if (!name)
        return no_memory(err, w->path);
    *folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int code = errno;
    text_free(&w->m, name);
    if (*folder < 0 && code != EACCES)
        return fail(err, w->path, "cannot open its folder", code);
    return LATHE_OK;
}

/* Permissions and attributes of the old file. */
static lathe_result keep_old(const os_writer *w, const struct stat *old, lathe_error *err)
{
    int from = open_old(w->target);
    lathe_result r = LATHE_OK;
    if (!os_posix_keep(w->fd, from, old, &w->m))
        r = errno == ENOMEM ? no_memory(err, w->path)
                            : fail(err, w->path, "cannot keep the file's permissions", errno);
    if (from >= 0)
        close(from);
    return r;
}

/* The temporary file, made ready to take its place: all of it on disk, permissions too. It stays
 * open as a duplicate, whose lock lasts until it has its place. */
static lathe_result finish_temp(os_writer *w, const struct stat *old, lathe_error *err)
{
    if (w->failed != 0)
        return fail(err, w->path, "cannot write", w->failed);
    lathe_result kept = old ? keep_old(w, old, err) : LATHE_OK;
    if (kept != LATHE_OK)
        return kept;
    if (!flush(w->fd))
        return fail(err, w->path, "cannot flush to disk", errno);
    int locked = fcntl(w->fd, F_DUPFD_CLOEXEC, 0);
    int r = close(w->fd); /* a network file system may find out only now that there is no room */
    w->fd = locked;
    if (r != 0 && errno != EINTR)
        return fail(err, w->path, "cannot write", errno);
    return LATHE_OK;
}

/* Puts the new file in place. The rename is the last step that can fail and change nothing. After
 * it there is only the flush that makes the new name survive a power cut: going back would ask more
 * of a disk that just failed, so the error says that the new file is in place, and a caller that
 * saves again repeats the flush. EINVAL and ENOTSUP: file systems that flush no folders. */
static lathe_result replace(os_writer *w, int folder, lathe_error *err)
{
    if (rename(w->temp, w->target) != 0)
        return fail(err, w->path, "cannot rename", errno);
    text_free(&w->m, w->temp);
    w->temp = NULL;
    if (folder >= 0 && !flush(folder) && errno != EINVAL && errno != ENOTSUP)
        return fail(err, w->path, "the new file is in place, but may not survive a power cut",
                    errno);
    return LATHE_OK;
}

lathe_result os_writer_commit(os_writer *w, bool backup, lathe_error *err)
{
    struct stat st;
    int folder = -1;
    bool exists = false;
    lathe_result r = check_target(w, &exists, err); /* again: time has passed */
    if (r == LATHE_OK && exists && stat(w->target, &st) != 0)
        r = fail(err, w->path, "cannot write", errno);
    if (r == LATHE_OK)
        r = finish_temp(w, exists ? &st : NULL, err);
    if (r == LATHE_OK)
        r = open_folder(w, &folder, err);
    if (r == LATHE_OK && exists && backup)
        r = keep_backup(w, err);
    if (r == LATHE_OK)
        r = replace(w, folder, err);
    if (folder >= 0)
        close(folder);
    os_writer_abort(w); /* frees; the temporary file, if it is still one, goes */
    return r;
}

FILE *os_memory_file(char *bytes, size_t size)
{
    return fmemopen(bytes, size, "w");
}

#endif
