/* Makes the system refuse: a library to preload into a program whose saving is tested.
 *
 *   cc -shared -fPIC spec/support/failing_io.c -o build/spec/failing_io.so -ldl
 *   LD_PRELOAD=$PWD/build/spec/failing_io.so LATHE_FAIL=fsync:1:EIO lua5.4 save.lua
 *
 * LATHE_FAIL is NAME:NTH:ERRNO, or several of them with commas between:
 *
 *   NAME   write, fsync, rename, link, or open (only calls that may create a file: O_CREAT); with
 *          their namesakes that end in "at"
 *   NTH    the call that fails, from 1, counted for each NAME; "3+" means the third and all after
 *   ERRNO  ENOSPC, EIO, EPERM … (the list is below) or its number; for write also SHORT: half of
 *          the bytes are written, which is no failure
 *
 * Only files count whose absolute path contains LATHE_FAIL_PATH; without it, those below a folder
 * named build or below /tmp. For rename and link one of the two names is enough. So pipes, the
 * terminal and the program's own libraries are left alone. What is wrong in LATHE_FAIL ends the
 * program with status 99, lest a test pass because nothing failed.
 *
 * What a save does, in calls that count (core/base/os_posix_writer.c): open, the temporary file; write,
 * one for each piece of the encoder; fsync 1, the temporary file; with a backup link 1 (on EPERM it
 * copies: open 2, writes, fsync 2) and rename 1; the last rename; the last fsync, the folder.
 *
 * Calls that libc makes inside itself (fopen, fwrite) do not come by here. */
#define _GNU_SOURCE
/* The names that programs built for 64-bit offsets call must be defined beside the plain ones. */
#undef _FILE_OFFSET_BITS

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { CALL_WRITE, CALL_FSYNC, CALL_RENAME, CALL_LINK, CALL_OPEN, CALL_COUNT };
static const char *const call_names[CALL_COUNT] = {"write", "fsync", "rename", "link", "open"};
static atomic_long calls[CALL_COUNT];

#define SHORT (-1)

static const struct {
    const char *name;
    int code;
} codes[] = {
    {"EACCES", EACCES}, {"EBUSY", EBUSY},           {"EDQUOT", EDQUOT}, {"EEXIST", EEXIST},
    {"EFBIG", EFBIG},   {"EINTR", EINTR},           {"EINVAL", EINVAL}, {"EIO", EIO},
    {"EISDIR", EISDIR}, {"EMFILE", EMFILE},         {"EMLINK", EMLINK}, {"ENOENT", ENOENT},
    {"ENOMEM", ENOMEM}, {"ENOSPC", ENOSPC},         {"ENOSYS", ENOSYS}, {"ENOTSUP", ENOTSUP},
    {"EPERM", EPERM},   {"EOPNOTSUPP", EOPNOTSUPP}, {"EROFS", EROFS},   {"EXDEV", EXDEV},
    {"SHORT", SHORT},
};

static void give_up(const char *what)
{
    dprintf(STDERR_FILENO, "failing_io: LATHE_FAIL: %s\n", what);
    _exit(99);
}

static int code_named(const char *s, size_t n)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strlen(codes[i].name) == n && memcmp(codes[i].name, s, n) == 0)
            return codes[i].code;
    char *end;
    long code = strtol(s, &end, 10);
    if (end != s + n || code <= 0 || code > 4095)
        give_up("no such error; add it to failing_io.c or give its number");
    return (int)code;
}

/* One NAME:NTH:ERRNO of n bytes against call number `nth` of a kind: the error, or 0. */
static int rule(const char *s, int call, long nth)
{
    int named = 0;
    size_t n = strcspn(s, ":");
    while (named < CALL_COUNT &&
           (strlen(call_names[named]) != n || memcmp(call_names[named], s, n) != 0))
        named++;
    if (named == CALL_COUNT || s[n] != ':')
        give_up("want NAME:NTH:ERRNO, NAME being write, fsync, rename, link or open");
    char *end;
    long first = strtol(s + n + 1, &end, 10);
    bool onwards = *end == '+';
    end += onwards;
    if (first < 1 || *end != ':')
        give_up("NTH is a number from 1, with a + for all that follow");
    int code = code_named(end + 1, strcspn(end + 1, ","));
    if (code == SHORT && named != CALL_WRITE)
        give_up("only write can be SHORT");
    return named == call && (nth == first || (onwards && nth > first)) ? code : 0;
}

static bool path_counts(const char *path)
{
    const char *part = getenv("LATHE_FAIL_PATH");
    if (part && *part)
        return strstr(path, part) != NULL;
    return strstr(path, "/build/") || strncmp(path, "/tmp/", 5) == 0 || strcmp(path, "/tmp") == 0 ||
           (strlen(path) >= 6 && strcmp(path + strlen(path) - 6, "/build") == 0);
}

static bool name_counts(const char *path)
{
    char whole[8192];
    if (path[0] == '/')
        return path_counts(path);
    if (!getcwd(whole, sizeof whole / 2))
        return false;
    size_t n = strlen(whole);
    snprintf(whole + n, sizeof whole - n, "/%s", path);
    return path_counts(whole);
}

/* False: a pipe or a socket. */
static bool fd_path(int fd, char *path, size_t size)
{
    char link_name[40];
    snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link_name, path, size - 1);
    if (n <= 0 || path[0] != '/')
        return false;
    path[n] = '\0';
    return true;
}

static bool fd_counts(int fd)
{
    char path[4096];
    return fd_path(fd, path, sizeof path) && path_counts(path);
}

static bool name_at_counts(int folder, const char *name)
{
    char whole[8192];
    if (name[0] == '/' || folder == AT_FDCWD)
        return name_counts(name);
    if (!fd_path(folder, whole, sizeof whole / 2))
        return false;
    size_t n = strlen(whole);
    snprintf(whole + n, sizeof whole - n, "/%s", name);
    return path_counts(whole);
}

/* Counts a call; the error that it shall end with, or 0. */
static int error_for(int call)
{
    const char *s = getenv("LATHE_FAIL");
    long nth = atomic_fetch_add(&calls[call], 1) + 1;
    int code = 0;
    while (s && *s) {
        int found = rule(s, call, nth);
        code = code ? code : found;
        s += strcspn(s, ",");
        s += *s == ',';
    }
    return code;
}

typedef ssize_t write_fn(int, const void *, size_t);
typedef int fsync_fn(int);
typedef int renameat_fn(int, const char *, int, const char *);
typedef int linkat_fn(int, const char *, int, const char *, int);
typedef int open_fn(const char *, int, ...);
typedef int openat_fn(int, const char *, int, ...);

/* ISO C has no cast from an object's address to a function's: POSIX has it through memory. */
#define REAL(type, name)                                                                           \
    type *real;                                                                                    \
    void *found = dlsym(RTLD_NEXT, name);                                                          \
    memcpy(&real, &found, sizeof real)

EXPORT ssize_t write(int fd, const void *bytes, size_t n)
{
    REAL(write_fn, "write");
    int kept = errno, code = fd_counts(fd) ? error_for(CALL_WRITE) : 0;
    errno = kept;
    if (code == 0)
        return real(fd, bytes, n);
    if (code == SHORT)
        return real(fd, bytes, (n + 1) / 2);
    errno = code;
    return -1;
}

EXPORT int fsync(int fd)
{
    REAL(fsync_fn, "fsync");
    int code = fd_counts(fd) ? error_for(CALL_FSYNC) : 0;
    if (code == 0)
        return real(fd);
    errno = code;
    return -1;
}

EXPORT int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    REAL(renameat_fn, "renameat");
    bool counts = name_at_counts(from_folder, from) || name_at_counts(to_folder, to);
    int code = counts ? error_for(CALL_RENAME) : 0;
    if (code == 0)
        return real(from_folder, from, to_folder, to);
    errno = code;
    return -1;
}

EXPORT int rename(const char *from, const char *to)
{
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

EXPORT int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    REAL(linkat_fn, "linkat");
    bool counts = name_at_counts(from_folder, from) || name_at_counts(to_folder, to);
    int code = counts ? error_for(CALL_LINK) : 0;
    if (code == 0)
        return real(from_folder, from, to_folder, to, flags);
    errno = code;
    return -1;
}

EXPORT int link(const char *from, const char *to)
{
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int opened(const char *name, const char *path, int flags, mode_t mode)
{
    REAL(open_fn, name);
    int code = (flags & O_CREAT) && name_counts(path) ? error_for(CALL_OPEN) : 0;
    if (code == 0)
        return real(path, flags, mode);
    errno = code;
    return -1;
}

static int opened_at(const char *name, int folder, const char *path, int flags, mode_t mode)
{
    REAL(openat_fn, name);
    int code = (flags & O_CREAT) && name_at_counts(folder, path) ? error_for(CALL_OPEN) : 0;
    if (code == 0)
        return real(folder, path, flags, mode);
    errno = code;
    return -1;
}

/* The mode is there only where a file may come into being. */
#define MODE(flags, mode)                                                                          \
    mode_t mode = 0;                                                                               \
    if ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE) {                                     \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode = va_arg(args, mode_t);                                                               \
        va_end(args);                                                                              \
    }

EXPORT int open(const char *path, int flags, ...)
{
    MODE(flags, mode)
    return opened("open", path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
    MODE(flags, mode)
    return opened("open64", path, flags, mode);
}

EXPORT int openat(int folder, const char *path, int flags, ...)
{
    MODE(flags, mode)
    return opened_at("openat", folder, path, flags, mode);
}

EXPORT int openat64(int folder, const char *path, int flags, ...)
{
    MODE(flags, mode)
    return opened_at("openat64", folder, path, flags, mode);
}
