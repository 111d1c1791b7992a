#if defined(_WIN32)
typedef int os_posix_process_unused; /* C requires a declaration in every file */
#else

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity, pipe2 */
#endif
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* POSIX 2008 */
#endif

#include "base/error.h"
#include "base/os.h"
#include "base/os_posix.h"
#include "base/os_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#include <sys/prctl.h>
#endif

extern char **environ;

/* ---- starting -------------------------------------------------------------------------------- */

/* A pipe that other started processes do not inherit. Its ends are above the standard streams. */
static bool make_pipe(int ends[2])
{
#if defined(__linux__)
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
#else
    if (pipe(ends) != 0)
        return false;
#endif
    for (int i = 0; i < 2; i++) {
        int above = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
        int code = errno;
        close(ends[i]);
        ends[i] = above;
        if (above < 0) {
            close(i == 0 ? ends[1] : ends[0]);
            errno = code;
            return false;
        }
    }
    return true;
}

/* Sets what the new process has: the pipes as its stdin and stdout, SIGINT blocked, SIGPIPE and SIGTERM as by
 * default. Returns an errno. */
static int describe(posix_spawn_file_actions_t *files, posix_spawnattr_t *attributes, int in,
                    int out)
{
    sigset_t blocked, usual;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    sigaddset(&blocked, SIGINT);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGTERM);
    int code = posix_spawn_file_actions_adddup2(files, in, 0);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(files, out, 1);
    if (code == 0)
        code = posix_spawnattr_setsigmask(attributes, &blocked);
    if (code == 0)
        code = posix_spawnattr_setsigdefault(attributes, &usual);
    return code ? code
                : posix_spawnattr_setflags(attributes,
                                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int spawn(const char *const *argv, int in, int out, pid_t *id)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&files);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        code = describe(&files, &attributes, in, out);
        union {
            const char *const *given;
            char *const *wanted;
        } words = {argv}; /* the function does not change them */
        if (code == 0)
            code = posix_spawnp(id, argv[0], &files, &attributes, words.wanted, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return code;
}

lathe_result os_process_start(const char *const *argv, const mem *m, os_process *p,
                              lathe_error *err)
{
    int in[2], out[2];
    pid_t id = -1;
    (void)m;
    *p = OS_PROCESS_NONE;
    if (!make_pipe(in))
        return os_posix_fail(err, argv[0], "cannot start", errno);
    if (!make_pipe(out)) {
        int code = errno;
        close(in[0]);
        close(in[1]);
        return os_posix_fail(err, argv[0], "cannot start", code);
    }
    int code = spawn(argv, in[0], out[1], &id);
    close(in[0]);
    close(out[1]);
    if (code != 0) {
        close(in[1]);
        close(out[0]);
        return os_posix_fail(err, argv[0], "cannot start", code);
    }
    *p = (os_process){.to = in[1], .from = out[0], .id = id, .group = -1};
    return LATHE_OK;
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* A write to a process that has ended must not end this one. Other threads of a host are not disturbed for longer
 * than the write. */
bool os_process_send(os_process *p, const void *bytes, size_t n)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    if (p->to < 0)
        return false;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &before);
    bool sent = os_posix_write((int)p->to, bytes, n);
    sigaction(SIGPIPE, &before, NULL);
    return sent;
}

static void close_end(intptr_t *end)
{
    if (*end >= 0)
        close((int)*end);
    *end = -1;
}

void os_process_end_input(os_process *p)
{
    close_end(&p->to);
}

#define MOST_WAITED 64

void os_process_wait(os_process *const *p, size_t n, double seconds, bool *ready)
{
    struct pollfd all[MOST_WAITED];
    n = n < MOST_WAITED ? n : MOST_WAITED;
    for (size_t i = 0; i < n; i++) /* poll ignores negative descriptors */
        all[i] = (struct pollfd){.fd = p[i] ? (int)p[i]->from : -1, .events = POLLIN};
    int count = poll(all, (nfds_t)n, seconds < 1e6 ? (int)(seconds * 1e3) : 1000000000);
    for (size_t i = 0; i < n; i++)
        ready[i] = count > 0 && all[i].fd >= 0 && all[i].revents != 0;
}

size_t os_process_receive(os_process *p, void *to, size_t n)
{
    size_t got = 0;
    return p->from >= 0 && os_posix_read((int)p->from, to, n, &got) ? got : 0;
}

/* ---- ending ---------------------------------------------------------------------------------- */

void os_process_stop(os_process *p, bool now)
{
    if (p->id > 0)
        kill((pid_t)p->id, now ? SIGKILL : SIGTERM);
}

/* Whether the process has ended; its number is then free for others. */
static bool reap(os_process *p, int options, os_process_status *status)
{
    int how = 0;
    pid_t got;
    do
        got = waitpid((pid_t)p->id, &how, options);
    while (got < 0 && errno == EINTR);
    if (got == 0)
        return false;
    p->id = -1;
    bool known = got > 0;
    status->killed = known && WIFSIGNALED(how);
    status->number = status->killed ? WTERMSIG(how) : known ? WEXITSTATUS(how) : 0;
    return true;
}

bool os_process_ended(os_process *p, double seconds, os_process_status *status)
{
    double end = os_seconds() + seconds;
    *status = (os_process_status){0};
    if (p->id <= 0)
        return true;
    while (!reap(p, WNOHANG, status)) {
        if (os_seconds() >= end)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

void os_process_free(os_process *p)
{
    os_process_status status;
    close_end(&p->to);
    close_end(&p->from);
    if (p->id > 0) {
        os_process_stop(p, true);
        reap(p, 0, &status);
    }
}

/* ---- in the started process ------------------------------------------------------------------ */

unsigned os_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
#endif
#if defined(_SC_NPROCESSORS_ONLN)
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online > 0)
        return (unsigned)online;
#endif
    return 1;
}

intmax_t os_process_id(void)
{
    return getpid();
}

static void do_nothing(int number)
{
    (void)number;
}

/* Ctrl-C at a terminal reaches all of its processes. A handler, unlike "ignore", is not inherited by programs that
 * this process starts. */
static void leave_interrupts(void)
{
    struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    sigset_t interrupt;
    sigemptyset(&action.sa_mask);
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigaction(SIGINT, &action, NULL);
    sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
}

bool os_process_join(intmax_t parent, os_channel *c)
{
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) /* it may have ended before the call above */
        return false;
    int from = fcntl(0, F_DUPFD_CLOEXEC, 3), to = fcntl(1, F_DUPFD_CLOEXEC, 3);
    int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool done = from >= 0 && to >= 0 && empty >= 0 && dup2(empty, 0) == 0 && dup2(2, 1) == 1;
    if (empty > 2)
        close(empty);
    leave_interrupts();
    *c = (os_channel){.from = from, .to = to};
    return done;
}

size_t os_channel_read(os_channel *c, void *to, size_t n)
{
    size_t got = 0;
    return os_posix_read((int)c->from, to, n, &got) ? got : 0;
}

bool os_channel_write(os_channel *c, const void *bytes, size_t n)
{
    return os_posix_write((int)c->to, bytes, n);
}

bool os_redirect(FILE *f, int number)
{
    return dup2(fileno(f), number) == number;
}

#endif
