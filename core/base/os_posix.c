#if defined(_WIN32)
typedef int os_posix_unused; /* C wants something in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* POSIX of 2008, with realpath */
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

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

/* ---- reading in places ---------------------------------------------------------------------- */

struct os_file {
    mem m;
    char *path; /* absolute and free of links: no change of folder moves it */
    int fd;
    struct stat was;
};

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool same_state(const struct stat *a, const struct stat *b)
{
    return same_file(a, b) && a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int open_to_read(const char *path)
{
    int fd;
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    return fd;
}

lathe_result os_read_start(const char *path, void *to, size_t n, size_t *got, lathe_error *err)
{
    struct stat st;
    *got = 0;
    if (stat(path, &st) != 0) /* first: opening a fifo would take bytes from who reads it */
        return fail(err, path, "cannot open", errno);
    if (!S_ISREG(st.st_mode))
        return LATHE_OK;
    int fd = open_to_read(path);
    if (fd < 0)
        return fail(err, path, "cannot open", errno);
    bool good = read_some(fd, to, n, got);
    int code = errno;
    close(fd);
    return good ? LATHE_OK : fail(err, path, "cannot read", code);
}

lathe_result os_file_open(const char *path, const mem *m, os_file **file, lathe_error *err)
{
    char real[PATH_MAX];
    os_file *f = mem_zalloc(m, sizeof *f);
    if (!f)
        return no_memory(err, path);
    f->m = *m;
    f->fd = open_to_read(path);
    lathe_result r = LATHE_OK;
    if (f->fd < 0 || fstat(f->fd, &f->was) != 0 || !realpath(path, real))
        r = fail(err, path, "cannot open", errno);
    else if (!S_ISREG(f->was.st_mode))
        r = refuse(err, path, LATHE_ERR_IO, "cannot open: it is not a regular file");
    else if (!(f->path = text_dup(m, real, strlen(real))))
        r = no_memory(err, path);
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

/* Asked behind each read: what was read before a change is good. */
bool os_file_unchanged(const os_file *f)
{
    struct stat now;
    return fstat(f->fd, &now) == 0 && same_state(&now, &f->was) && stat(f->path, &now) == 0 &&
           same_state(&now, &f->was);
}

lathe_result os_file_read(os_file *f, uint64_t at, void *to, size_t n, lathe_error *err)
{
    uint8_t *p = to;
    size_t left = n;
    while (left > 0 && f->fd >= 0 && at <= (uint64_t)f->was.st_size) {
        ssize_t r = pread(f->fd, p, left < CHUNK ? left : CHUNK, (off_t)at);
        if (r < 0 && errno != EINTR)
            return fail(err, f->path, "cannot read", errno);
        if (r == 0)
            break;
        p += r > 0 ? r : 0;
        at += r > 0 ? (uint64_t)r : 0;
        left -= r > 0 ? (size_t)r : 0;
    }
    if (left > 0 || !os_file_unchanged(f))
        return refuse(err, f->path, LATHE_ERR_IO, OS_FILE_CHANGED);
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
    f->fd = open_to_read(f->path);
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
    text_free(&m, f->path);
    mem_free(&m, f, sizeof *f);
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
    snprintf(name, sizeof name, ".lathe-%016" PRIx64 ".tmp", x);
    return text_join(&w->m, w->target, folder_length(w->target), name);
}

/* A new file under such a name, or -1 with errno; ENOMEM is ours too. */
static int create_beside(const os_writer *w, mode_t mode, char **name)
{
    for (unsigned i = 0;; i++) {
        *name = name_beside(w, i);
        if (!*name) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
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

/* Owner and group where the system lets us; the mode always. Owner first: changing it clears the
 * set-id bits, which must not come back for another owner. */
static bool keep_permissions(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 07777;
    struct stat now;
    if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
        mode &= 0777;
    if (fstat(fd, &now) != 0)
        return false;
    if (now.st_uid != old->st_uid)
        mode &= 0777;
    /* File systems without permissions refuse to set them, and show the same on every file. */
    return fchmod(fd, mode) == 0 || (now.st_mode & 07777) == mode;
}

/* False leaves errno; the file at `to` is whole or not of use. */
static bool copy_to(int to, const char *from, const struct stat *old)
{
    uint8_t part[16384];
    size_t got = 1;
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool good = true;
    while (good && got > 0) {
        good = read_some(fd, part, sizeof part, &got);
        good = good && write_all(to, part, got);
    }
    good = good && keep_permissions(to, old) && flush(to);
    int code = errno;
    close(fd);
    errno = code;
    return good;
}

/* The old file under a second, temporary name: a link, or a copy where links are refused. */
static bool second_name(const os_writer *w, const struct stat *old, char **name)
{
    for (unsigned i = 0; i < NAME_TRIES; i++) {
        *name = name_beside(w, i);
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
        if (code != EEXIST)
            break;
    }
    if (errno != EPERM && errno != EACCES && errno != ENOTSUP && errno != EOPNOTSUPP &&
        errno != ENOSYS && errno != EMLINK && errno != EXDEV)
        return false;
    int fd = create_beside(w, 0600, name);
    if (fd < 0)
        return false;
    bool good = copy_to(fd, w->target, old);
    int code = errno;
    if (close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    errno = code;
    return good;
}

/* The old file never leaves its own name, so there is no moment without it. */
static lathe_result keep_backup(const os_writer *w, const struct stat *old, lathe_error *err)
{
    char *name = NULL;
    char *bak = text_join(&w->m, w->target, strlen(w->target), ".bak");
    lathe_result r = LATHE_OK;
    if (!bak)
        r = no_memory(err, w->path);
    else if (!second_name(w, old, &name) || rename(name, bak) != 0)
        r = fail(err, w->path, "cannot keep a backup", errno);
    /* Where the backup already is a link to this very file, as after a commit that failed between
     * here and its end, rename says yes, does nothing and leaves both names. */
    if (name)
        unlink(name);
    text_free(&w->m, name);
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

/* The temporary file, made ready to take its place: all of it on disk, permissions too. */
static lathe_result finish_temp(os_writer *w, const struct stat *old, lathe_error *err)
{
    if (w->failed != 0)
        return fail(err, w->path, "cannot write", w->failed);
    if (old && !keep_permissions(w->fd, old))
        return fail(err, w->path, "cannot keep the file's permissions", errno);
    if (!flush(w->fd))
        return fail(err, w->path, "cannot flush to disk", errno);
    int r = close(w->fd); /* a network file system may find out only now that there is no room */
    w->fd = -1;
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
        r = keep_backup(w, &st, err);
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
