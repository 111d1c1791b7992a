/* Copies the metadata of a file to the one that replaces it. */
#if defined(_WIN32)
typedef int os_posix_meta_unused; /* C requires a declaration in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

#include "base/os_posix.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif

/* Sets owner and group if permitted, and always the mode. The owner first: changing it clears the set-id bits, which
 * another owner must not get. */
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
    /* file systems without permissions refuse to set them, and show the same for every file */
    return fchmod(fd, mode) == 0 || (now.st_mode & 07777) == mode;
}

#if defined(__linux__)

#define ACCESS_LIST "system.posix_acl_access"

/* Whether an attribute is a signature of the file's bytes, which would be wrong for new ones, and may prevent opening
 * the file. */
static bool is_signature(const char *name)
{
    return strcmp(name, "security.ima") == 0 || strcmp(name, "security.evm") == 0;
}

/* Copies an attribute. *good is false if it could not be read or set. False: out of memory. */
static bool keep_attribute(int to, int from, const char *name, const mem *m, bool *good)
{
    *good = false;
    ssize_t size = fgetxattr(from, name, NULL, 0);
    if (size < 0)
        return true;
    void *value = mem_alloc(m, (size_t)size);
    if (!value)
        return false;
    ssize_t got = fgetxattr(from, name, value, (size_t)size);
    *good = got >= 0 && fsetxattr(to, name, value, (size_t)got, 0) == 0;
    mem_free(m, value, (size_t)size);
    return true;
}

/* With an access list, the group bits of the mode are the mask of the list, which may grant more than the list grants
 * the group. So if the list is not copied, the group gets no rights. */
static void keep_group_out(int fd)
{
    struct stat now;
    if (fstat(fd, &now) == 0)
        (void)!fchmod(fd, now.st_mode & 07777 & ~(mode_t)S_IRWXG);
}

static bool keep_listed(int to, int from, const char *names, size_t n, const mem *m)
{
    bool has_list = false;
    for (const char *name = names; name < names + n; name += strlen(name) + 1) {
        bool is_list = strcmp(name, ACCESS_LIST) == 0, good = true;
        if (!is_signature(name) && !keep_attribute(to, from, name, m, &good))
            return false;
        if (is_list && !good)
            keep_group_out(to);
        has_list = has_list || is_list;
    }
    if (!has_list) /* the new file may have inherited one from the folder */
        fremovexattr(to, ACCESS_LIST);
    return true;
}

/* Copies all attributes. False: out of memory. */
static bool keep_attributes(int to, int from, const mem *m)
{
    ssize_t room = flistxattr(from, NULL, 0);
    if (room < 0)
        return true; /* a file system without attributes */
    char *names = mem_alloc(m, (size_t)room);
    if (!names)
        return false;
    /* with size 0 it would return the size again */
    ssize_t n = room == 0 ? 0 : flistxattr(from, names, (size_t)room);
    bool good = n < 0 || keep_listed(to, from, names, (size_t)n, m);
    mem_free(m, names, (size_t)room);
    return good;
}

#else /* other systems have other calls, or none */

static bool keep_attributes(int to, int from, const mem *m)
{
    (void)to;
    (void)from;
    (void)m;
    return true;
}

#endif

bool os_posix_keep(int to, int from, const struct stat *old, const mem *m)
{
    if (!keep_permissions(to, old))
        return false;
    if (from >= 0 && !keep_attributes(to, from, m)) {
        errno = ENOMEM;
        return false;
    }
    return true;
}

#endif
