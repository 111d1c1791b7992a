#if !defined(_WIN32)
typedef int os_windows_process_unused; /* C requires a declaration in every file */
#else

#include "base/error.h"
#include "base/os.h"
#include "base/os_process.h"
#include "base/os_windows.h"

#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <wchar.h>

static HANDLE handle_of(intptr_t value)
{
    return (HANDLE)value;
}

static void close_end(intptr_t *end)
{
    if (*end != -1)
        CloseHandle(handle_of(*end));
    *end = -1;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Appends a word so that the started program's C library splits the command line into the same words: quotes, and
 * backslashes before quotes, get backslashes. */
static bool put_word(buf *line, const char *word)
{
    bool good = line->size == 0 || buf_put(line, " ", 1);
    good = good && buf_put(line, "\"", 1);
    size_t slashes = 0;
    for (const char *s = word; good && *s; s++) {
        if (*s == '"')
            good = buf_fill(line, '\\', slashes + 1);
        slashes = *s == '\\' ? slashes + 1 : 0;
        good = good && buf_put(line, s, 1);
    }
    return good && buf_fill(line, '\\', slashes) && buf_put(line, "\"", 1);
}

static wchar_t *command_line(const char *const *argv, const mem *m)
{
    buf line;
    wchar_t *wide = NULL;
    buf_init(&line, m);
    bool good = true;
    for (size_t i = 0; good && argv[i]; i++)
        good = put_word(&line, argv[i]);
    good = good && buf_put(&line, "", 1);
    int n = good ? MultiByteToWideChar(CP_UTF8, 0, (const char *)line.data, -1, NULL, 0) : 0;
    if (n > 0 && (wide = os_windows_alloc(m, (size_t)n)) != NULL) {
        wmemset(wide, L' ', (size_t)n + 1); /* os_windows_free measures the text */
        MultiByteToWideChar(CP_UTF8, 0, (const char *)line.data, -1, wide, n);
    }
    buf_free(&line);
    return wide;
}

/* A pipe, one end of which is inherited by the started process. */
static bool make_pipe(HANDLE *kept, HANDLE *given, bool kept_reads)
{
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
    HANDLE reads, writes;
    if (!CreatePipe(&reads, &writes, &inherit, 0))
        return false;
    *kept = kept_reads ? reads : writes;
    *given = kept_reads ? writes : reads;
    SetHandleInformation(*kept, HANDLE_FLAG_INHERIT, 0);
    return true;
}

/* A job object whose processes end when its last handle is closed, that is, with this process at the latest. */
static HANDLE make_group(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE group = CreateJobObjectW(NULL, NULL);
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (group &&
        SetInformationJobObject(group, JobObjectExtendedLimitInformation, &limits, sizeof limits))
        return group;
    if (group)
        CloseHandle(group);
    return NULL;
}

static bool create(wchar_t *line, HANDLE in, HANDLE out, os_process *p)
{
    STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION made;
    start.hStdInput = in;
    start.hStdOutput = out;
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    HANDLE group = make_group();
    if (!group)
        return false;
    /* its own group, or Ctrl-C would end it */
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP,
                        NULL, NULL, &start, &made)) {
        DWORD code = GetLastError();
        CloseHandle(group);
        SetLastError(code);
        return false;
    }
    bool good =
        AssignProcessToJobObject(group, made.hProcess) && ResumeThread(made.hThread) != (DWORD)-1;
    DWORD code = GetLastError();
    CloseHandle(made.hThread);
    if (!good) {
        TerminateProcess(made.hProcess, 1);
        CloseHandle(made.hProcess);
        CloseHandle(group);
        SetLastError(code);
        return false;
    }
    p->id = (intptr_t)made.hProcess;
    p->group = (intptr_t)group;
    return true;
}

lathe_result os_process_start(const char *const *argv, const mem *m, os_process *p,
                              lathe_error *err)
{
    HANDLE to, in, from, out;
    *p = OS_PROCESS_NONE;
    wchar_t *line = command_line(argv, m);
    if (!line)
        return os_windows_no_memory(err, argv[0]);
    bool good = make_pipe(&to, &in, false);
    if (good && !make_pipe(&from, &out, true)) {
        good = false;
        CloseHandle(to);
        CloseHandle(in);
    }
    DWORD code = GetLastError();
    if (good) {
        *p = (os_process){.to = (intptr_t)to, .from = (intptr_t)from, .id = -1, .group = -1};
        good = create(line, in, out, p);
        code = GetLastError();
        CloseHandle(in);
        CloseHandle(out);
    }
    os_windows_free(m, line);
    if (good)
        return LATHE_OK;
    os_process_free(p);
    return os_windows_fail(err, argv[0], "cannot start", code);
}

/* ---- pipes ----------------------------------------------------------------------------------- */

static bool write_all(HANDLE h, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n > 0) {
        DWORD put = 0;
        if (!WriteFile(h, from, n < 1 << 20 ? (DWORD)n : 1 << 20, &put, NULL) || put == 0)
            return false;
        from += put;
        n -= put;
    }
    return true;
}

static size_t read_some(HANDLE h, void *to, size_t n)
{
    DWORD got = 0;
    return ReadFile(h, to, n < 1 << 20 ? (DWORD)n : 1 << 20, &got, NULL) ? got : 0;
}

bool os_process_send(os_process *p, const void *bytes, size_t n)
{
    return p->to != -1 && write_all(handle_of(p->to), bytes, n);
}

void os_process_end_input(os_process *p)
{
    close_end(&p->to);
}

#define STEP 5 /* milliseconds between looks: the system cannot wait for pipes of this kind */

void os_process_wait(os_process *const *p, size_t n, double seconds, bool *ready)
{
    double end = os_seconds() + seconds;
    for (bool any = false; !any;) {
        for (size_t i = 0; i < n; i++) {
            DWORD waiting = 0;
            /* fails if the other end was closed, which is worth a read, too */
            ready[i] = p[i] && p[i]->from != -1 &&
                       (!PeekNamedPipe(handle_of(p[i]->from), NULL, 0, NULL, &waiting, NULL) ||
                        waiting > 0);
            any = any || ready[i];
        }
        if (!any && os_seconds() >= end)
            return;
        if (!any)
            Sleep(STEP);
    }
}

size_t os_process_receive(os_process *p, void *to, size_t n)
{
    return p->from == -1 ? 0 : read_some(handle_of(p->from), to, n);
}

/* ---- ending ---------------------------------------------------------------------------------- */

#define STOPPED 130

void os_process_stop(os_process *p, bool now)
{
    (void)now; /* there is no way to ask */
    if (p->id != -1)
        TerminateProcess(handle_of(p->id), STOPPED);
}

bool os_process_ended(os_process *p, double seconds, os_process_status *status)
{
    DWORD code = 0;
    *status = (os_process_status){0};
    if (p->id == -1)
        return true;
    if (WaitForSingleObject(handle_of(p->id), (DWORD)(seconds * 1e3)) != WAIT_OBJECT_0)
        return false;
    GetExitCodeProcess(handle_of(p->id), &code);
    status->killed = code >= 0xC0000000; /* the system's codes for crashes */
    status->number = (int)code;
    close_end(&p->id);
    return true;
}

void os_process_free(os_process *p)
{
    close_end(&p->to);
    close_end(&p->from);
    if (p->id != -1) {
        TerminateProcess(handle_of(p->id), STOPPED);
        WaitForSingleObject(handle_of(p->id), INFINITE);
        close_end(&p->id);
    }
    close_end(&p->group);
}

/* ---- in the started process ------------------------------------------------------------------ */

unsigned os_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (unsigned)info.dwNumberOfProcessors : 1;
}

intmax_t os_process_id(void)
{
    return GetCurrentProcessId();
}

static intptr_t own(DWORD number)
{
    HANDLE copy;
    HANDLE self = GetCurrentProcess();
    if (!DuplicateHandle(self, GetStdHandle(number), self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
        return -1;
    return (intptr_t)copy;
}

/* The job object ends this process with its parent. */
bool os_process_join(intmax_t parent, os_channel *c)
{
    (void)parent;
    *c = (os_channel){.from = own(STD_INPUT_HANDLE), .to = own(STD_OUTPUT_HANDLE)};
    int empty = _open("NUL", _O_RDONLY);
    bool done =
        c->from != -1 && c->to != -1 && empty >= 0 && _dup2(empty, 0) == 0 && _dup2(2, 1) == 0;
    if (empty > 2)
        _close(empty);
    return done;
}

size_t os_channel_read(os_channel *c, void *to, size_t n)
{
    return read_some(handle_of(c->from), to, n);
}

bool os_channel_write(os_channel *c, const void *bytes, size_t n)
{
    return write_all(handle_of(c->to), bytes, n);
}

bool os_redirect(FILE *f, int number)
{
    return _dup2(_fileno(f), number) == 0;
}

#endif
