/* Verified paths: opens a path component by component from the root without following links, so that what is opened
 * is what was checked, and the length of a path is not limited. */
#if defined(_WIN32)
typedef int os_posix_path_unused; /* C requires a declaration in every file */
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

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if !defined(NAME_MAX)
#define NAME_MAX 255
#endif

/* The flag for opening a folder for lookups only, which needs no right to list it. glibc defines O_PATH only with
 * _GNU_SOURCE, but __O_PATH always. */
#if defined(O_SEARCH)
#define O_LOOK O_SEARCH
#elif defined(O_PATH)
#define O_LOOK O_PATH
#elif defined(__O_PATH)
#define O_LOOK __O_PATH
#else
#define O_LOOK O_RDONLY
#endif
#define FOLDER_FLAGS (O_LOOK | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

enum { MOST_LINKS = 40 }; /* as in Linux; more are treated as a loop */

/* ---- components ------------------------------------------------------------------------------ */

/* Copies the component at *at, with a NUL, and moves *at behind it. Returns 1; 0: none is left before `end`; -1:
 * failure, with errno. */
static int next_part(const char **at, const char *end, char part[NAME_MAX + 1])
{
    const char *p = *at;
    while (p < end && *p == '/')
        p++;
    size_t n = 0;
    while (p + n < end && p[n] != '/')
        n++;
    *at = p + n;
    if (n > NAME_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (n > 0) /* otherwise p may be NULL */
        memcpy(part, p, n);
    part[n] = '\0';
    return n > 0;
}

/* Returns ELOOP if the name is a link, else `code`: systems differ in the error for a link that must not be
 * followed. */
static int link_or(int folder, const char *name, int code)
{
    struct stat st;
    bool is_link = fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
    return is_link ? ELOOP : code;
}

int os_posix_open_at(int folder, const char *name, int flags, mode_t mode)
{
    int fd;
    do
        fd = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR); /* opening a fifo waits for its other end */
    if (fd < 0)
        errno = link_or(folder, name, errno);
    return fd;
}

/* like close, but keeps errno */
static void let_go(int fd)
{
    int code = errno;
    if (fd >= 0)
        close(fd);
    errno = code;
}

static int open_root(void)
{
    return open("/", FOLDER_FLAGS);
}

/* Opens the folder `name` in `folder`; makes it if it is missing and `make` is set. */
static int step(int folder, const char *name, bool make)
{
    int fd = os_posix_open_at(folder, name, FOLDER_FLAGS, 0);
    if (fd < 0 && errno == ENOENT && make && (mkdirat(folder, name, 0775) == 0 || errno == EEXIST))
        fd = os_posix_open_at(folder, name, FOLDER_FLAGS, 0);
    return fd;
}

/* Opens folders from the root as far as possible. Returns the last one, with *at behind its path. errno is 0 if that
 * is the end of the path, else the reason why the next component cannot be entered. -1: the root cannot be opened. */
static int descend(const char **at, const char *end, bool make)
{
    char part[NAME_MAX + 1];
    int folder = open_root();
    if (folder < 0)
        return -1;
    for (;;) {
        const char *next = *at;
        int more = next_part(&next, end, part), down = -1;
        if (more == 0) {
            errno = 0;
            return folder;
        }
        if (more > 0 && (strcmp(part, ".") == 0 || strcmp(part, "..") == 0))
            errno = EINVAL; /* not a result of os_real_path */
        else if (more > 0)
            down = step(folder, part, make);
        if (down < 0)
            return folder;
        close(folder);
        folder = down;
        *at = next;
    }
}

/* Opens the folder path[0 .. n). -1 on failure, with errno. */
static int enter(const char *path, size_t n, bool make)
{
    const char *at = path;
    int folder = descend(&at, path + n, make);
    if (folder >= 0 && errno != 0) {
        let_go(folder);
        return -1;
    }
    return folder;
}

int os_posix_folder(const char *real, const char **name)
{
    const char *slash = strrchr(real, '/');
    if (real[0] != '/' || !slash) {
        errno = EINVAL;
        return -1;
    }
    *name = slash + 1;
    return enter(real, (size_t)(*name - real), false);
}

int os_posix_open(const char *real, int flags)
{
    const char *name;
    int folder = os_posix_folder(real, &name);
    if (folder < 0)
        return -1;
    int fd = os_posix_open_at(folder, *name ? name : ".", flags, 0666);
    let_go(folder);
    return fd;
}

lathe_result os_make_folder_real(const char *real, const char *path, lathe_error *err)
{
    int folder = enter(real, strlen(real), true);
    if (folder < 0)
        return os_posix_fail_at(err, path, "cannot make its folder", errno);
    close(folder);
    return LATHE_OK;
}

/* ---- the real path -------------------------------------------------------------------------- */

typedef struct resolver {
    buf *done; /* the resolved path; "" is the root */
    buf rest;  /* components still to resolve, from `at` on */
    size_t at;
    int fd; /* the folder `done`; -1: it does not exist */
    int links;
} resolver;

static int add_current_folder(buf *to)
{
    for (size_t room = 256;; room *= 2) {
        if (!buf_reserve(to, room))
            return ENOMEM;
        if (getcwd((char *)to->data, room)) {
            to->size = strlen((char *)to->data);
            return to->data[0] == '/' ? 0 : ENOENT; /* Linux: "(unreachable)…" */
        }
        if (errno != ERANGE)
            return errno;
    }
}

static int begin(resolver *r, const char *path)
{
    int code = path[0] == '/' ? 0 : add_current_folder(&r->rest);
    if (code != 0)
        return code;
    bool good = buf_put(&r->rest, "/", 1) && buf_put(&r->rest, path, strlen(path));
    r->fd = open_root();
    return !good ? ENOMEM : r->fd < 0 ? errno : 0;
}

static int add_part(resolver *r, const char *part)
{
    bool good = buf_put(r->done, "/", 1) && buf_put(r->done, part, strlen(part));
    return good ? 0 : ENOMEM;
}

/* Enters a folder that exists. A missing folder is no error; one that cannot be entered is. */
static int change_folder(resolver *r, int fd)
{
    int code = fd < 0 ? errno : 0;
    if (r->fd >= 0)
        close(r->fd);
    r->fd = fd;
    return code == ENOENT || code == ENOTDIR ? 0 : code;
}

static int go_up(resolver *r)
{
    while (r->done->size > 0 && r->done->data[--r->done->size] != '/')
        continue;
    return change_folder(r, enter((const char *)r->done->data, r->done->size, false));
}

/* Replaces a link by its target in the remaining path. */
static int follow(resolver *r, const char *link)
{
    char text[4096];
    ssize_t n = readlinkat(r->fd, link, text, sizeof text);
    if (n < 0)
        return errno;
    if ((size_t)n == sizeof text)
        return ENAMETOOLONG;
    if (++r->links > MOST_LINKS)
        return ELOOP;
    buf rest;
    buf_init(&rest, r->rest.mem);
    bool good = buf_put(&rest, text, (size_t)n) && buf_put(&rest, "/", 1) &&
                buf_put(&rest, r->rest.data + r->at, r->rest.size - r->at);
    buf_free(&r->rest);
    r->rest = rest;
    r->at = 0;
    if (!good)
        return ENOMEM;
    if (n == 0 || text[0] != '/')
        return 0;
    r->done->size = 0;
    return change_folder(r, open_root());
}

static int resolve_part(resolver *r, const char *part)
{
    struct stat st;
    if (strcmp(part, ".") == 0)
        return 0;
    if (strcmp(part, "..") == 0)
        return go_up(r);
    if (r->fd < 0)
        return add_part(r, part);
    if (fstatat(r->fd, part, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        int code = change_folder(r, -1);
        return code != 0 ? code : add_part(r, part);
    }
    if (S_ISLNK(st.st_mode))
        return follow(r, part);
    int code = change_folder(r, step(r->fd, part, false));
    return code != 0 ? code : add_part(r, part);
}

static int resolve(resolver *r)
{
    char part[NAME_MAX + 1];
    for (;;) {
        const char *at = (const char *)r->rest.data + r->at, *end = at + r->rest.size - r->at;
        int more = next_part(&at, end, part);
        if (more <= 0)
            return more < 0 ? errno : 0;
        r->at = (size_t)(at - (const char *)r->rest.data);
        int code = resolve_part(r, part);
        if (code != 0)
            return code;
    }
}

int os_posix_real_path(const char *path, buf *real)
{
    resolver r = {.done = real, .fd = -1};
    buf_init(&r.rest, real->mem);
    real->size = 0;
    int code = begin(&r, path);
    if (code == 0)
        code = resolve(&r);
    if (code == 0 && ((real->size == 0 && !buf_put(real, "/", 1)) || !buf_put(real, "", 1)))
        code = ENOMEM;
    if (r.fd >= 0)
        close(r.fd);
    buf_free(&r.rest);
    return code;
}

lathe_result os_real_path(const char *path, buf *real, lathe_error *err)
{
    int code = os_posix_real_path(path, real);
    if (code == ENOMEM)
        return os_posix_no_memory(err, path);
    return code == 0 ? LATHE_OK : os_posix_fail(err, path, "cannot resolve the path", code);
}

/* ---- checks before writing -------------------------------------------------------------------- */

static os_identity identity_of(const struct stat *st)
{
    return (os_identity){{(uint64_t)st->st_dev, (uint64_t)st->st_ino}};
}

lathe_result os_identify_real(const char *real, os_identity *id, bool *exists, lathe_error *err)
{
    struct stat st;
    const char *name;
    int folder = os_posix_folder(real, &name), code = 0;
    if (folder < 0 || fstatat(folder, *name ? name : ".", &st, AT_SYMLINK_NOFOLLOW) != 0)
        code = errno;
    let_go(folder);
    *exists = code == 0;
    if (code != 0 && code != ENOENT && code != ENOTDIR)
        return os_posix_fail_at(err, real, "cannot read the file's attributes", code);
    if (*exists)
        *id = identity_of(&st);
    return LATHE_OK;
}

/* Whether names can be added to a folder: 0, or errno. */
static int can_add(int folder)
{
    return faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

/* Whether the missing folders at `at` can be made. */
static lathe_result can_make(int folder, const char *at, const char *path, lathe_error *err)
{
    char part[NAME_MAX + 1];
    int code = can_add(folder), more = 1;
    while (code == 0 && (more = next_part(&at, at + strlen(at), part)) > 0)
        continue;
    if (more < 0)
        code = errno;
    return code == 0 ? LATHE_OK : os_posix_fail_at(err, path, "cannot make its folder", code);
}

static lathe_result can_change(int folder, const char *name, const char *path, bool replace,
                               lathe_error *err)
{
    struct stat st;
    int code = 0;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        code = errno == ENOENT ? can_add(folder) : errno;
    else if (S_ISDIR(st.st_mode))
        return os_posix_refuse(err, path, LATHE_ERR_IO, "cannot write: it is a directory");
    else if (S_ISLNK(st.st_mode))
        code = ELOOP;
    else if (replace && !S_ISREG(st.st_mode))
        return os_posix_refuse(err, path, LATHE_ERR_IO, "cannot write: it is not a regular file");
    else if (faccessat(folder, name, W_OK, AT_EACCESS) != 0)
        code = errno;
    else if (replace)
        code = can_add(folder);
    return code == 0 ? LATHE_OK : os_posix_fail_at(err, path, "cannot write", code);
}

lathe_result os_can_write_real(const char *real, const char *path, bool replace, lathe_error *err)
{
    const char *at = real, *name = strrchr(real, '/');
    if (real[0] != '/' || !name)
        return os_posix_fail(err, path, "cannot write", EINVAL);
    int folder = descend(&at, ++name, false), code = errno;
    lathe_result r;
    if (folder >= 0 && code == 0)
        r = can_change(folder, *name ? name : ".", path, replace, err);
    else if (folder >= 0 && code == ENOENT)
        r = can_make(folder, at, path, err);
    else
        r = os_posix_fail_at(err, path, "cannot make its folder", code);
    let_go(folder);
    return r;
}

/* ---- streams -------------------------------------------------------------------------------- */

FILE *os_open_stream_real(const char *real, const char *mode, os_identity *id)
{
    struct stat st;
    bool both = strchr(mode, '+') != NULL;
    int flags = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (mode[0] != 'r')
        flags |= O_CREAT;
    if (mode[0] == 'a')
        flags |= O_APPEND;
    int fd = os_posix_open(real, flags | O_NOCTTY);
    if (fd < 0)
        return NULL;
    FILE *f = fstat(fd, &st) == 0 ? fdopen(fd, mode) : NULL;
    if (!f)
        let_go(fd);
    else
        *id = identity_of(&st);
    return f;
}

bool os_truncate(FILE *f)
{
    struct stat st;
    return fstat(fileno(f), &st) == 0 && (!S_ISREG(st.st_mode) || ftruncate(fileno(f), 0) == 0);
}

#endif
