/* Appending to a file of records, and putting a backup back. */
#if defined(_WIN32)
typedef int os_posix_append_unused; /* C requires a declaration in every file */
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
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool flush(int fd)
{
    int r;
    do
        r = fsync(fd);
    while (r != 0 && errno == EINTR);
    return r == 0;
}

/* Flushes a folder, where the system can: EINVAL and ENOTSUP say that the file system does not, EACCES that the folder
 * cannot be opened. */
static bool flush_folder(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES;
    bool good = flush(fd) || errno == EINVAL || errno == ENOTSUP;
    int code = errno;
    close(fd);
    errno = code;
    return good;
}

/* ---- appending ------------------------------------------------------------------------------ */

/* Waits until no other process appends. Without support for locks the single write has to do. */
static void lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    while (fcntl(fd, F_SETLKW, &whole) != 0 && errno == EINTR)
        continue;
}

/* One write. What a full disk leaves of it is removed again, so that the file never ends within a record. On failure
 * false, with errno. */
static bool write_once(int fd, const void *bytes, size_t n)
{
    struct stat before;
    if (fstat(fd, &before) != 0)
        return false;
    ssize_t done;
    do
        done = write(fd, bytes, n);
    while (done < 0 && errno == EINTR);
    if (done == (ssize_t)n)
        return true;
    int code = done < 0 ? errno : ENOSPC;
    if (done > 0 && ftruncate(fd, before.st_size) != 0)
        code = errno;
    errno = code;
    return false;
}

static lathe_result append(int folder, const char *name, const char *path, const void *bytes,
                           size_t n, bool durable, lathe_error *err)
{
    struct stat st;
    bool exists = fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    int fd =
        os_posix_open_at(folder, name, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, 0666);
    if (fd < 0)
        return os_posix_fail_at(err, path, "cannot write", errno);
    lathe_result r = LATHE_OK;
    if (fstat(fd, &st) != 0)
        r = os_posix_fail(err, path, "cannot write", errno);
    else if (!S_ISREG(st.st_mode))
        r = os_posix_refuse(err, path, LATHE_ERR_IO, "cannot write: it is not a regular file");
    if (r == LATHE_OK) {
        lock(fd);
        if (!write_once(fd, bytes, n))
            r = os_posix_fail(err, path, "cannot write", errno);
        else if (durable && (!flush(fd) || (!exists && !flush_folder(folder))))
            r = os_posix_fail(err, path, "cannot flush to disk", errno);
    }
    close(fd); /* and releases the lock */
    return r;
}

lathe_result os_append_real(const char *real, const char *path, const void *bytes, size_t n,
                            bool durable, lathe_error *err)
{
    const char *name;
    int folder = os_posix_folder(real, &name);
    if (folder < 0)
        return os_posix_fail_at(err, path, "cannot write", errno);
    lathe_result r = append(folder, *name ? name : ".", path, bytes, n, durable, err);
    close(folder);
    return r;
}

/* ---- putting a backup back ------------------------------------------------------------------- */

static lathe_result check_backup(int folder, const char *bak, const char *path, struct stat *st,
                                 lathe_error *err)
{
    if (fstatat(folder, bak, st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT
                   ? os_posix_refuse(err, path, LATHE_ERR_IO, "there is no backup of it")
                   : os_posix_fail(err, path, "cannot look at its backup", errno);
    return S_ISREG(st->st_mode)
               ? LATHE_OK
               : os_posix_refuse(err, path, LATHE_ERR_IO, "its backup is not a regular file");
}

/* Refuses what rename would replace without asking: a link, a device, a file that is write-protected. */
static lathe_result check_replaced(int folder, const char *name, const char *path, struct stat *st,
                                   bool *exists, lathe_error *err)
{
    *exists = fstatat(folder, name, st, AT_SYMLINK_NOFOLLOW) == 0;
    if (!*exists)
        return errno == ENOENT ? LATHE_OK : os_posix_fail(err, path, "cannot replace it", errno);
    if (!S_ISREG(st->st_mode))
        return os_posix_refuse(err, path, LATHE_ERR_IO,
                               S_ISLNK(st->st_mode)
                                   ? "cannot replace it: it is a link"
                                   : "cannot replace it: it is not a regular file");
    if (faccessat(folder, name, W_OK, AT_EACCESS) != 0)
        return os_posix_fail(err, path, "cannot replace it", errno);
    return LATHE_OK;
}

static lathe_result put_back(int folder, const char *name, const char *bak, const char *path,
                             bool only_look, lathe_error *err)
{
    struct stat now, was;
    bool exists = false;
    lathe_result r = check_backup(folder, bak, path, &was, err);
    if (r == LATHE_OK)
        r = check_replaced(folder, name, path, &now, &exists, err);
    if (r != LATHE_OK)
        return r;
    if (only_look)
        return faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0
                   ? LATHE_OK
                   : os_posix_fail(err, path, "cannot replace it", errno);
    /* Rename does nothing if both names are of one file, as after a save that failed behind its backup. */
    bool same = exists && now.st_dev == was.st_dev && now.st_ino == was.st_ino;
    int failed = same ? unlinkat(folder, bak, 0) : renameat(folder, bak, folder, name);
    if (failed)
        return os_posix_fail(err, path, "cannot replace it", errno);
    if (!flush_folder(folder))
        return os_posix_fail(err, path, "the backup is back, but may not survive a power cut",
                             errno);
    return LATHE_OK;
}

lathe_result os_put_back_real(const char *real, const char *path, bool only_look, lathe_error *err)
{
    const char *name;
    mem m = mem_default();
    buf bak;
    int folder = os_posix_folder(real, &name);
    if (folder < 0)
        return os_posix_fail_at(err, path, "cannot open its folder", errno);
    buf_init(&bak, &m);
    lathe_result r = LATHE_OK;
    if (!buf_put(&bak, name, strlen(name)) || !buf_put(&bak, ".bak", sizeof ".bak"))
        r = os_posix_no_memory(err, path);
    if (r == LATHE_OK)
        r = put_back(folder, name, (const char *)bak.data, path, only_look, err);
    buf_free(&bak);
    close(folder);
    return r;
}

#endif
