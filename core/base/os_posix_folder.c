/* Lists a folder, and removes temporary files that killed writers left. */
#if defined(_WIN32)
typedef int os_posix_folder_unused; /* C requires a declaration in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

#include "base/error.h"
#include "base/os.h"
#include "base/os_posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

bool os_posix_lock(int fd)
{
#if defined(LOCK_EX)
    return flock(fd, LOCK_EX | LOCK_NB) == 0;
#else
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole) == 0;
#endif
}

/* seconds without a change, after which a temporary file is left over */
enum { LEFT_AFTER = 3600 };

static bool is_temp_name(const char *name)
{
    const size_t front = sizeof OS_TEMP_PREFIX - 1, back = sizeof OS_TEMP_SUFFIX - 1;
    size_t n = strlen(name);
    return n >= front + back && memcmp(name, OS_TEMP_PREFIX, front) == 0 &&
           strcmp(name + n - back, OS_TEMP_SUFFIX) == 0;
}

/* Whether a temporary file is old enough. If it has several names, the time of the last one counts, too, because a
 * backup begins as a second link to an old file. */
static bool is_left(const struct stat *st, time_t now)
{
    time_t changed = st->st_mtime;
    if (st->st_nlink > 1 && st->st_ctime > changed)
        changed = st->st_ctime;
    return S_ISREG(st->st_mode) && now - changed >= LEFT_AFTER;
}

static bool remove_left(int folder, const char *name)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !is_left(&st, time(NULL)))
        return false;
    int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool gone = os_posix_lock(fd) && unlinkat(folder, name, 0) == 0;
    close(fd);
    return gone;
}

lathe_result os_list(const char *folder, const mem *m, bool (*each)(void *user, const char *name),
                     void *user, lathe_error *err)
{
    (void)m;
    DIR *d = opendir(folder);
    if (!d) {
        error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "cannot list: %s", strerror(errno));
        error_path(err, folder);
        return LATHE_ERR_IO;
    }
    bool more = true;
    for (struct dirent *entry; more && (entry = readdir(d)) != NULL;)
        more = each(user, entry->d_name);
    closedir(d);
    return LATHE_OK;
}

size_t os_sweep(const char *folder, const mem *m)
{
    (void)m;
    size_t n = 0;
    int fd = os_posix_open(folder, O_RDONLY | O_DIRECTORY);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(d)) != NULL;)
        n += is_temp_name(entry->d_name) && remove_left(dirfd(d), entry->d_name);
    closedir(d);
    return n;
}

#endif
