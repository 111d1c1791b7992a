/* Atomic saving: a new file replaces the old one as a whole. */
#if defined(_WIN32)
typedef int os_posix_writer_unused; /* C requires a declaration in every file */
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

/* ---- temporary names ------------------------------------------------------------------------ */

enum { NAME_TRIES = 100, TEMP_SIZE = sizeof OS_TEMP_PREFIX + 16 + sizeof OS_TEMP_SUFFIX };

struct os_writer {
    mem m;
    char *path; /* from the caller, for messages */
    /* the file's folder, open, so that neither chdir nor a new link redirects the writer */
    int folder;
    char *name;           /* in the folder; not a link */
    char temp[TEMP_SIZE]; /* the temporary file in the folder; "": none */
    int fd;
    int failed; /* errno of the failed write, or 0 */
};

/* Makes a name that is probably unused in the file's folder. It is short, because names are limited to 255 bytes.
 * Process id, clock and the address of the writer distinguish processes, times and threads. The caller checks that it
 * is free. */
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

/* Creates and locks a file with such a name. -1 on failure, with errno and an empty name. */
static int create_beside(const os_writer *w, mode_t mode, char name[TEMP_SIZE])
{
    for (unsigned i = 0;; i++) {
        name_beside(w, i, name);
        int fd = openat(w->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) {
            os_posix_lock(fd); /* without support for locks, its age protects it for an hour */
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

/* Refuses a path that ends in a slash, because it can only name a folder. */
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

/* Resolves links, even if the target does not exist yet. */
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

/* Refuses targets that rename would silently replace: a device, or a write-protected file. */
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
        /* A new file gets the permissions that umask leaves. One that replaces another stays private until it gets
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

/* Opens the old file for copying metadata; -1: not possible. A file without read permission still has an access
 * list. */
static int open_old(const os_writer *w)
{
    const int flags = O_NONBLOCK | O_NOCTTY;
    int fd = os_posix_open_at(w->folder, w->name, O_RDONLY | flags, 0);
    return fd >= 0 || errno != EACCES ? fd
                                      : os_posix_open_at(w->folder, w->name, O_WRONLY | flags, 0);
}

/* Copies the old file to `to`. On failure false, with errno; the copy is then unusable. */
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

/* Gives the old file a second, temporary name: a link, or a copy if links are not supported. On failure the name may
 * exist and has to be removed; it is "" if it does not. */
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

/* Gives the second name of the old file to the backup, unless there is a backup: another process may have made it. */
static bool place_first(const os_writer *w, const char *name, const char *bak)
{
    struct stat st;
    if (linkat(w->folder, name, w->folder, bak, 0) == 0 || errno == EEXIST)
        return true;
    if (!refuses_links(errno))
        return false;
    return fstatat(w->folder, bak, &st, AT_SYMLINK_NOFOLLOW) == 0 ||
           renameat(w->folder, name, w->folder, bak) == 0;
}

/* One attempt to make a backup; on failure false, with errno. The second name is removed afterwards: if the backup
 * already is a link to the same file, as after a commit that failed later, rename succeeds without removing it. */
static bool try_backup(const os_writer *w, const char *bak, os_backup backup, unsigned attempt)
{
    char name[TEMP_SIZE];
    bool good = second_name(w, attempt, name) &&
                (backup == OS_BACKUP_FIRST ? place_first(w, name, bak)
                                           : renameat(w->folder, name, w->folder, bak) == 0);
    int code = errno;
    if (name[0])
        unlinkat(w->folder, name, 0);
    errno = code;
    return good;
}

/* Makes the backup. The old file keeps its name all the time. Actions of other processes are no failure: they have
 * taken the name (EEXIST), or replaced the old file or removed the second name (ENOENT, ESTALE). */
static lathe_result keep_backup(const os_writer *w, os_backup backup, lathe_error *err)
{
    char *bak = text_join(&w->m, w->name, ".bak");
    if (!bak)
        return os_posix_no_memory(err, w->path);
    unsigned attempt = 0;
    bool good, again;
    do {
        good = try_backup(w, bak, backup, attempt);
        again = !good && (errno == EEXIST || errno == ENOENT || errno == ESTALE);
    } while (again && ++attempt < NAME_TRIES);
    lathe_result r = good ? LATHE_OK : os_posix_fail(err, w->path, "cannot keep a backup", errno);
    text_free(&w->m, bak);
    return r;
}

/* Opens the folder for flushing it, before the rename, when a failure still changes nothing. A folder without read
 * permission cannot be opened: then *folder is -1. */
static lathe_result open_folder(const os_writer *w, int *folder, lathe_error *err)
{
    *folder = openat(w->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0 && errno != EACCES)
        return os_posix_fail(err, w->path, "cannot open its folder", errno);
    return LATHE_OK;
}

/* Copies permissions and attributes of the old file. */
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

/* Prepares the temporary file: all data and permissions are on disk. It stays open as a duplicate descriptor, whose
 * lock lasts until the rename. */
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
    int r = close(w->fd); /* a network file system may only report a full disk here */
    w->fd = locked;
    if (r != 0 && errno != EINTR)
        return os_posix_fail(err, w->path, "cannot write", errno);
    return LATHE_OK;
}

/* Puts the new file in place. The rename is the last step whose failure changes nothing. After it, only the folder is
 * flushed, so that the new name survives a power failure. If that fails, the error says that the new file is in
 * place; saving again repeats the flush. EINVAL and ENOTSUP: the file system does not flush folders. */
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

lathe_result os_writer_commit(os_writer *w, os_backup backup, lathe_error *err)
{
    struct stat st;
    int folder = -1;
    bool exists = false;
    lathe_result r = check_target(w, &st, &exists, err); /* again, because time has passed */
    if (r == LATHE_OK)
        r = finish_temp(w, exists ? &st : NULL, err);
    if (r == LATHE_OK)
        r = open_folder(w, &folder, err);
    if (r == LATHE_OK && exists && backup != OS_BACKUP_NONE)
        r = keep_backup(w, backup, err);
    if (r == LATHE_OK)
        r = replace(w, folder, err);
    if (folder >= 0)
        close(folder);
    os_writer_abort(w); /* frees it, and removes the temporary file if it still exists */
    return r;
}

#endif
