/* System functions for the shell: terminals, Ctrl-C, closed pipes. The only file of the bindings that depends on the
 * operating system. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "base/os.h"
#include "bindings.h"

#include "base/os.h"

#include <signal.h>
#include <stdio.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>
#endif

/* core.isatty(fd): whether a file descriptor is a terminal */
int l_core_isatty(lua_State *L)
{
    lua_Integer fd = luaL_checkinteger(L, 1);
    luaL_argcheck(L, fd >= 0 && fd <= 1 << 20, 1, "no file descriptor");
#ifdef _WIN32
    lua_pushboolean(L, _isatty((int)fd));
#else
    lua_pushboolean(L, isatty((int)fd));
#endif
    return 1;
}

/* core.terminal_size(fd): the rows and columns of a terminal; nil where that is not known */
int l_core_terminal_size(lua_State *L)
{
    lua_Integer fd = luaL_checkinteger(L, 1), rows = 0, columns = 0;
    luaL_argcheck(L, fd >= 0 && fd <= 1 << 20, 1, "no file descriptor");
#ifdef _WIN32
    CONSOLE_SCREEN_BUFFER_INFO info;
    intptr_t handle = _get_osfhandle((int)fd);
    if (handle != -1 && GetConsoleScreenBufferInfo((HANDLE)handle, &info)) {
        rows = info.srWindow.Bottom - info.srWindow.Top + 1;
        columns = info.srWindow.Right - info.srWindow.Left + 1;
    }
#elif defined(TIOCGWINSZ)
    struct winsize size;
    if (ioctl((int)fd, TIOCGWINSZ, &size) == 0) {
        rows = size.ws_row;
        columns = size.ws_col;
    }
#endif
    if (rows <= 0 || columns <= 0)
        return 0;
    lua_pushinteger(L, rows);
    lua_pushinteger(L, columns);
    return 2;
}

/* core.sweep(folder): removes temporary files that killed programs left there, and returns their number */
int l_core_sweep(lua_State *L)
{
    mem memory = mem_default();
    lua_pushinteger(L, (lua_Integer)os_sweep(luaL_checkstring(L, 1), &memory));
    return 1;
}

/* core.ignore_sigpipe(): makes writing to a closed pipe an error that io.write returns */
int l_core_ignore_sigpipe(lua_State *L)
{
    (void)L;
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
    return 0;
}

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

/* Number of presses since catch_interrupt or hold_interrupt began, and the time of the last one. */
static volatile sig_atomic_t presses;
static double last_press;

/* The signal that interrupts; SIGTERM in worker processes. */
static int interrupt_signal = SIGINT;

void l_interrupt_at_end(void)
{
    interrupt_signal = SIGTERM;
}

/* Presses within this many seconds count as one: a terminal may send several before the first one has an effect. */
#define ONE_PRESS 0.05

/* The first press asks the running code to stop. If that has no effect before the second one, in a long C call or a
 * finalizer, the program is terminated as by default. */
static void on_interrupt(int number)
{
    double now = os_seconds();
    bool again = presses && now - last_press > ONE_PRESS;
    presses = 1;
    last_press = now;
    if (again || !l_stop(L_STOP_INTERRUPT)) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
#ifdef _WIN32
    signal(number, on_interrupt);
#endif
}

/* Used where nothing may be raised: only counts presses, for wait_input. */
static void note_interrupt(int number)
{
    presses = 1;
#ifdef _WIN32
    signal(number, note_interrupt);
#else
    (void)number;
#endif
}

/* Previous state: the handler of SIGINT, and whether the signal was blocked. */
#ifdef _WIN32
typedef void (*disposition)(int);

/* Signals cannot be blocked here. */
static void catch_signal(disposition *before, disposition handler, bool hold)
{
    (void)hold;
    *before = signal(interrupt_signal, handler);
}

static void release_signal(const disposition *before)
{
    signal(interrupt_signal, *before == SIG_ERR ? SIG_DFL : *before);
}
#else
typedef struct disposition {
    struct sigaction action;
    sigset_t mask;
} disposition;

/* Without SA_RESTART, so that Ctrl-C also interrupts waiting for a line. A blocked signal is delivered as soon as it
 * is unblocked, so the handler must be set before. */
static void catch_signal(disposition *before, void (*handler)(int), bool hold)
{
    struct sigaction action = {.sa_handler = handler};
    sigset_t interrupt;
    sigemptyset(&action.sa_mask);
    sigemptyset(&interrupt);
    sigaddset(&interrupt, interrupt_signal);
    sigaction(interrupt_signal, &action, &before->action);
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &interrupt, &before->mask);
}

static void release_signal(const disposition *before)
{
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
    sigaction(interrupt_signal, &before->action, NULL);
}
#endif

/* core.catch_interrupt(fn, ...): like pcall, but Ctrl-C raises "interrupted!" in fn, even within hold_interrupt.
 * Afterwards the previous handler of SIGINT and the hook are restored, so each call installs them again. */
int l_core_catch_interrupt(lua_State *L)
{
    disposition before;
    l_stop_watch_state watch;
    luaL_checkany(L, 1);
    luaL_checkstack(L, 2, NULL);
    int pressed = presses, interrupted = l_stop_set_interrupted(0);
    l_stop_watch(L, &watch);
    presses = 0;
    catch_signal(&before, on_interrupt, false);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    release_signal(&before);
    presses = pressed;
    l_stop_set_interrupted(interrupted);
    l_stop_unwatch(L, &watch);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

/* core.hold_interrupt(fn, ...): calls fn, in which Ctrl-C neither raises an error nor ends the program. A press is
 * kept for wait_input or catch_interrupt within fn. */
int l_core_hold_interrupt(lua_State *L)
{
    disposition before;
    luaL_checkany(L, 1);
    int pressed = presses;
    lua_State *outer = l_stop_set_running(NULL);
    presses = 0;
    catch_signal(&before, note_interrupt, true);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
#ifndef _WIN32
    catch_signal(&(disposition){0}, note_interrupt, false); /* for a press after the last check */
#endif
    release_signal(&before);
    l_stop_set_running(outer);
    presses = pressed;
    return status == LUA_OK ? lua_gettop(L) : lua_error(L);
}

/* core.wait_input(fd): returns true when there is something to read (or the end of the file), false if Ctrl-C was
 * pressed before, now or while it was held. Returns at once if the system cannot wait without reading. */
int l_core_wait_input(lua_State *L)
{
    lua_Integer fd = luaL_checkinteger(L, 1);
#ifdef _WIN32
    luaL_argcheck(L, fd >= 0, 1, "no file descriptor");
#else
    luaL_argcheck(L, fd >= 0 && fd < FD_SETSIZE, 1, "no file descriptor");
    sigset_t held, open;
    sigprocmask(SIG_BLOCK, NULL, &held);
    open = held;
    sigdelset(&open, SIGINT);
    /* Delivers a blocked signal here, because pselect does not if input is available, too. */
    sigprocmask(SIG_SETMASK, &open, NULL);
    sigprocmask(SIG_SETMASK, &held, NULL);
    int ready = 0;
    do {
        fd_set wanted;
        FD_ZERO(&wanted);
        FD_SET((int)fd, &wanted);
        if (!presses)
            ready = pselect((int)fd + 1, &wanted, NULL, NULL, NULL, &open);
    } while (!presses && ready < 0 && errno == EINTR);
#endif
    lua_pushboolean(L, !presses);
    presses = 0;
    return 1;
}

/* core.end_interrupted(): ends the program as Ctrl-C does by default, so that a loop in a shell ends, too. Returns if
 * the system has no such way to end. */
int l_core_end_interrupted(lua_State *L)
{
    (void)L;
#ifndef _WIN32
    fflush(NULL);
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
#endif
    return 0;
}

/* core.call_bare(fn): calls a C function without parameters and result that does not use Lua. package.loadlib finds
 * such functions in other libraries, but Lua cannot call them. */
int l_core_call_bare(lua_State *L)
{
    lua_CFunction found = lua_tocfunction(L, 1);
    luaL_argcheck(L, found, 1, "no C function");
    void (*bare)(void) = (void (*)(void))found;
    bare();
    return 0;
}
