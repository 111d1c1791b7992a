#if defined(_WIN32)
typedef int os_posix_unused; /* C requires a declaration in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* POSIX 2008 */
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
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Maximum size of a read or write: some systems refuse or shorten sizes beyond INT_MAX. */
#define CHUNK ((size_t)1 << 30)

bool os_posix_read(int fd, void *to, size_t n, size_t *got)
{
    ssize_t r;
    do
        r = read(fd, to, n < CHUNK ? n : CHUNK);
    while (r < 0 && errno == EINTR);
    *got = r > 0 ? (size_t)r : 0;
    return r >= 0;
}

bool os_posix_write(int fd, const uint8_t *from, size_t n)
{
    while (n > 0) {
        ssize_t r = write(fd, from, n < CHUNK ? n : CHUNK);
        if (r < 0 && errno == EINTR)
            continue;
        if (r == 0)
            errno = EIO; /* no progress without a reason: avoids an endless loop */
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

/* The size that the system reports is only a hint: pipes and /proc report none, and a file may grow or shrink
 * meanwhile. A full buffer grows only if more bytes follow. */
static lathe_result read_to_end(input *in, int fd)
{
    for (;;) {
        uint8_t more[4096];
        bool full = in->size == in->cap;
        size_t got;
        if (!os_posix_read(fd, full ? more : in->data + in->size,
                           full ? sizeof more : in->cap - in->size, &got))
            return os_posix_fail(in->err, in->path, "cannot read", errno);
        if (got == 0)
            return LATHE_OK;
        if (in->limit > 0 && got > in->limit - in->size)
            return too_large(in);
        if (full && !grow(in, got))
            return os_posix_no_memory(in->err, in->path);
        if (full)
            memcpy(in->data + in->size, more, got);
        in->size += got;
    }
}

/* Shrinks the buffer to its contents, because the caller frees it by size. */
static lathe_result trim(input *in)
{
    if (in->size == in->cap)
        return LATHE_OK;
    void *data = mem_resize(in->m, in->data, in->cap, in->size);
    if (!data && in->size > 0)
        return os_posix_no_memory(in->err, in->path);
    in->data = data;
    in->cap = in->size;
    return LATHE_OK;
}

static lathe_result read_open_file(input *in, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return os_posix_fail(in->err, in->path, "cannot read", errno);
    if (S_ISDIR(st.st_mode))
        return os_posix_refuse(in->err, in->path, LATHE_ERR_IO, "cannot read: it is a directory");
    if (S_ISREG(st.st_mode) && st.st_size > 0) {
        if (in->limit > 0 && (uint64_t)st.st_size > in->limit)
            return too_large(in);
        if ((uint64_t)st.st_size > SIZE_MAX)
            return os_posix_no_memory(in->err, in->path);
        in->data = mem_alloc(in->m, (size_t)st.st_size);
        if (!in->data)
            return os_posix_no_memory(in->err, in->path);
        in->cap = (size_t)st.st_size;
    }
    lathe_result r = read_to_end(in, fd);
    return r == LATHE_OK ? trim(in) : r;
}

/* Reads the file and closes fd. */
static lathe_result read_whole(input *in, int fd, uint8_t **data, size_t *size)
{
    lathe_result r = read_open_file(in, fd);
    close(fd);
    if (r != LATHE_OK) {
        mem_free(in->m, in->data, in->cap);
        return r;
    }
    *data = in->data;
    *size = in->size;
    return LATHE_OK;
}

lathe_result os_read_file(const char *path, uint64_t limit, const mem *m, uint8_t **data,
                          size_t *size, lathe_error *err)
{
    input in = {.path = path, .m = m, .limit = limit, .err = err};
    int fd;
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR); /* opening a fifo waits for its writer */
    return fd < 0 ? os_posix_fail(err, path, "cannot open", errno)
                  : read_whole(&in, fd, data, size);
}

lathe_result os_read_real(const char *real, const char *path, uint64_t limit, const mem *m,
                          uint8_t **data, size_t *size, lathe_error *err)
{
    input in = {.path = path, .m = m, .limit = limit, .err = err};
    int fd = os_posix_open(real, O_RDONLY | O_NOCTTY);
    return fd < 0 ? os_posix_fail_at(err, path, "cannot open", errno)
                  : read_whole(&in, fd, data, size);
}

FILE *os_memory_file(char *bytes, size_t size)
{
    return fmemopen(bytes, size, "w");
}

/* ---- time ------------------------------------------------------------------------------------ */

double os_seconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct os_alarm {
    mem m;
    struct sigaction before;
};

/* Longer alarms are set to this, which fits any time_t. */
#define LONGEST_ALARM 1e9

static bool set_timer(double seconds)
{
    struct itimerval timer = {0};
    double whole = floor(seconds);
    timer.it_value.tv_sec = (time_t)whole;
    timer.it_value.tv_usec = (suseconds_t)((seconds - whole) * 1e6);
    if (seconds > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1; /* 0 would cancel the timer */
    return setitimer(ITIMER_REAL, &timer, NULL) == 0;
}

os_alarm *os_alarm_start(const mem *m, double seconds, void (*fire)(int))
{
    os_alarm *a = mem_alloc(m, sizeof *a);
    if (!a)
        return NULL;
    a->m = *m;
    struct sigaction action = {0};
    action.sa_handler = fire;
    action.sa_flags = SA_RESTART; /* reads and writes are restarted */
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, &a->before) != 0) {
        mem_free(m, a, sizeof *a);
        return NULL;
    }
    if (!set_timer(seconds < LONGEST_ALARM ? seconds : LONGEST_ALARM)) {
        os_alarm_stop(a);
        return NULL;
    }
    return a;
}

void os_alarm_stop(os_alarm *a)
{
    if (!a)
        return;
    mem m = a->m;
    set_timer(0);
    sigaction(SIGALRM, &a->before, NULL);
    mem_free(&m, a, sizeof *a);
}

#endif
