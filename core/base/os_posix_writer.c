/* Saving: a new file that takes the old one's place whole. */
#if defined(_WIN32)
typedef int os_posix_writer_unused; /* C wants something in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

#include "base/os.h"
#include "base/os_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- names beside the file ------------------------------------------------------------------ */

enum { NAME_TRIES = 100, TEMP_SIZE = sizeof OS_TEMP_PREFIX + 16 + sizeof OS_TEMP_SUFFIX };

struct os_writer {
    mem m;
    char *path;           /* as the caller named it, for messages */
    int folder;           /* of the file: neither chdir nor a new link moves it */
    char *name;           /* in the folder; never a link */
    char temp[TEMP_SIZE]; /* beside it; "": there is none */
    int fd;
    int failed; /* errno of the write that failed, or 0 */
};

/* A name that nobody else is likely to have, in the file's folder. Short whatever the file is
 * called, as names end at 255 bytes; the pid, the clock and the writer's address tell apart
 * processes, moments and threads. Whether it is free is the caller's to find out. */
static void name_beside(const os_writer *w, unsigned attempt, char name[TEMP_SIZE])
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t x = (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec << 20 ^
                 (uint64_t)getpid() << 44 ^ (uint64_t)(uintptr_t)w ^ attempt;
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    snprintf(name, TEMP_SIZE, OS_TEMP_PREFIX "%016" PRIx64 OS_TEMP_SUFFIX, x);
}

/* A new file under such a name, locked, or -1 with errno; the name is "" then. */
static int create_beside(const os_writer *w, mode_t mode, char name[TEMP_SIZE])
{
    for (unsigned i = 0;; i++) {
        name_beside(w, i, name);
        int fd = openat(w->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) {
            os_posix_lock(fd); /* where locks are refused, its age protects it for an hour */
            return fd;
        }
        name[0] = '\0';
        if ((errno != EEXIST && errno != EINTR) || i + 1 == NAME_TRIES)
            return -1;
    }
}

/* ---- opening a writer ----------------------------------------------------------------------- */

static char *text_join(const mem *m, const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    char *both = mem_alloc(m, na + nb + 1);
    if (both) {
        memcpy(both, a, na);
        memcpy(both + na, b, nb + 1);
    }
    return both;
}

static void text_free(const mem *m, char *s)
{
    if (s)
        mem_free(m, s, strlen(s) + 1);
}

static lathe_result enter_folder(os_writer *w, const char *real, lathe_error *err)
{
    const char *name;
    w->folder = os_posix_folder(real, &name);
    if (w->folder < 0)
        return os_posix_fail_at(err, w->path, "cannot write", errno);
    w->name = text_join(&w->m, *name ? name : ".", "");
    return w->name ? LATHE_OK : os_posix_no_memory(err, w->path);
}

/* A path that ends in a slash can only mean a folder. */
static lathe_result check_slash(const os_writer *w, lathe_error *err)
{
    struct stat st;
    size_t n = strlen(w->path);
    if (n > 0 && w->path[n - 1] != '/')
        return LATHE_OK;
    if (n > 0 && fstatat(w->folder, w->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISDIR(st.st_mode) ? LATHE_OK
                                   : os_posix_fail(err, w->path, "cannot write", ENOTDIR);
    return os_posix_refuse(err, w->path, LATHE_ERR_IO, "cannot write: it names no file");
}

/* Follows the links, also one to a file that does not exist yet. */
static lathe_result resolve(os_writer *w, lathe_error *err)
{
    buf real;
    buf_init(&real, &w->m);
    int code = os_posix_real_path(w->path, &real);
    lathe_result r = code == 0        ? enter_folder(w, (const char *)real.data, err)
                     : code == ENOMEM ? os_posix_no_memory(err, w->path)
                                      : os_posix_fail(err, w->path, "cannot write", code);
    buf_free(&real);
    return r == LATHE_OK ? check_slash(w, err) : r;
}

/* What rename would do without asking: replace a device, or a file that its owner protects. */
static lathe_result check_target(const os_writer *w, struct stat *st, bool *exists,
                                 lathe_error *err)
{
    *exists = fstatat(w->folder, w->name, st, AT_SYMLINK_NOFOLLOW) == 0;
    if (!*exists)
        return errno == ENOENT ? LATHE_OK : os_posix_fail(err, w->path, "cannot write", errno);
    if (S_ISDIR(st->st_mode))
        return os_posix_refuse(err, w->path, LATHE_ERR_IO, "cannot write: it is a directory");
    if (S_ISLNK(st->st_mode))
        return os_posix_fail_at(err, w->path, "cannot write", ELOOP);
    if (!S_ISREG(st->st_mode))
        return os_posix_refuse(err, w->path, LATHE_ERR_IO,
                               "cannot write: it is not a regular file");
    if (faccessat(w->folder, w->name, W_OK, AT_EACCESS) != 0)
        return os_posix_fail(err, w->path, "cannot write", errno);
    return LATHE_OK;
}

static lathe_result open_writer(const char *real, const char *path, const mem *m, os_writer **out,
                                lathe_error *err)
{
    struct stat st;
    os_writer *w = mem_zalloc(m, sizeof *w);
    if (!w)
        return os_posix_no_memory(err, path);
    w->m = *m;
    w->fd = w->folder = -1;
    bool exists = false;
    lathe_result r = LATHE_OK;
    w->path = text_join(m, path, "");
    if (!w->path)
        r = os_posix_no_memory(err, path);
    if (r == LATHE_OK)
        r = real ? enter_folder(w, real, err) : resolve(w, err);
    if (r == LATHE_OK)
        r = check_target(w, &st, &exists, err);
    if (r == LATHE_OK) {
        /* A new file gets what umask leaves; one that replaces another stays private until it has
         * the other's permissions. */
        w->fd = create_beside(w, exists ? 0600 : 0666, w->temp);
        if (w->fd < 0)
            r = os_posix_fail(err, path, "cannot create a temporary file beside it", errno);
    }
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
    if (w->failed == 0 && !os_posix_write(w->fd, bytes, n))
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
    if (w->temp[0])
        unlinkat(w->folder, w->temp, 0);
    if (w->folder >= 0)
        close(w->folder);
    text_free(&m, w->name);
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
static int open_old(const os_writer *w)
{
    const int flags = O_NONBLOCK | O_NOCTTY;
    int fd = os_posix_open_at(w->folder, w->name, O_RDONLY | flags, 0);
    return fd >= 0 || errno != EACCES ? fd
                                      : os_posix_open_at(w->folder, w->name, O_WRONLY | flags, 0);
}

/* False leaves errno; the file at `to` is whole or not of use. */
static bool copy_to(int to, const os_writer *w)
{
    uint8_t part[16384];
    size_t got = 1;
    struct stat old;
    int fd = os_posix_open_at(w->folder, w->name, O_RDONLY, 0);
    if (fd < 0)
        return false;
    bool good = fstat(fd, &old) == 0;
    while (good && got > 0) {
        good = os_posix_read(fd, part, sizeof part, &got);
        good = good && os_posix_write(to, part, got);
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
 * failure the name may be left, to be removed; it is "" where it is not. */
static bool second_name(const os_writer *w, unsigned attempt, char name[TEMP_SIZE])
{
    name_beside(w, attempt, name);
    if (linkat(w->folder, w->name, w->folder, name, 0) == 0)
        return true;
    name[0] = '\0';
    if (!refuses_links(errno))
        return false;
    int fd = create_beside(w, 0600, name);
    if (fd < 0)
        return false;
    bool good = copy_to(fd, w);
    int code = errno;
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
    char name[TEMP_SIZE];
    bool good = second_name(w, attempt, name) && renameat(w->folder, name, w->folder, bak) == 0;
    int code = errno;
    if (name[0])
        unlinkat(w->folder, name, 0);
    errno = code;
    return good;
}

/* The old file never leaves its own name, so there is no moment without it. What another process
 * does meanwhile is no failure: it has taken the name (EEXIST), or has replaced the old file or
 * removed the second name (ENOENT, ESTALE). */
static lathe_result keep_backup(const os_writer *w, lathe_error *err)
{
    char *bak = text_join(&w->m, w->name, ".bak");
    if (!bak)
        return os_posix_no_memory(err, w->path);
    unsigned attempt = 0;
    bool good, again;
    do {
        good = try_backup(w, bak, attempt);
        again = !good && (errno == EEXIST || errno == ENOENT || errno == ESTALE);
    } while (again && ++attempt < NAME_TRIES);
    lathe_result r = good ? LATHE_OK : os_posix_fail(err, w->path, "cannot keep a backup", errno);
    text_free(&w->m, bak);
    return r;
}

/* The folder, for flushing it. Opened before the rename, where a failure still changes nothing. A
 * folder that may be written but not read cannot be opened: then *folder is -1. */
static lathe_result open_folder(const os_writer *w, int *folder, lathe_error *err)
{
    *folder = openat(w->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0 && errno != EACCES)
        return os_posix_fail(err, w->path, "cannot open its folder", errno);
    return LATHE_OK;
}

/* Permissions and attributes of the old file. */
static lathe_result keep_old(const os_writer *w, const struct stat *old, lathe_error *err)
{
    int from = open_old(w);
    lathe_result r = LATHE_OK;
    if (!os_posix_keep(w->fd, from, old, &w->m))
        r = errno == ENOMEM
                ? os_posix_no_memory(err, w->path)
                : os_posix_fail(err, w->path, "cannot preserve the file's permissions", errno);
    if (from >= 0)
        close(from);
    return r;
}

/* The temporary file, made ready to take its place: all of it on disk, permissions too. It stays
 * open as a duplicate, whose lock lasts until it has its place. */
static lathe_result finish_temp(os_writer *w, const struct stat *old, lathe_error *err)
{
    if (w->failed != 0)
        return os_posix_fail(err, w->path, "cannot write", w->failed);
    lathe_result kept = old ? keep_old(w, old, err) : LATHE_OK;
    if (kept != LATHE_OK)
        return kept;
    if (!flush(w->fd))
        return os_posix_fail(err, w->path, "cannot flush to disk", errno);
    int locked = fcntl(w->fd, F_DUPFD_CLOEXEC, 0);
    int r = close(w->fd); /* a network file system may find out only now that there is no room */
    w->fd = locked;
    if (r != 0 && errno != EINTR)
        return os_posix_fail(err, w->path, "cannot write", errno);
    return LATHE_OK;
}

/* Puts the new file in place. The rename is the last step that can fail and change nothing. After
 * it there is only the flush that makes the new name survive a power cut: going back would ask more
 * of a disk that just failed, so the error says that the new file is in place, and a caller that
 * saves again repeats the flush. EINVAL and ENOTSUP: file systems that flush no folders. */
static lathe_result replace(os_writer *w, int folder, lathe_error *err)
{
    if (renameat(w->folder, w->temp, w->folder, w->name) != 0)
        return os_posix_fail(err, w->path, "cannot rename", errno);
    w->temp[0] = '\0';
    if (folder >= 0 && !flush(folder) && errno != EINVAL && errno != ENOTSUP)
        return os_posix_fail(err, w->path,
                             "the new file is in place, but may not survive a power cut", errno);
    return LATHE_OK;
}

lathe_result os_writer_commit(os_writer *w, bool backup, lathe_error *err)
{
    struct stat st;
    int folder = -1;
    bool exists = false;
    lathe_result r = check_target(w, &st, &exists, err); /* again: time has passed */
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

#endif
