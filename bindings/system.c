/* What the shell needs of the system: is it a terminal, Ctrl-C, closed pipes. The one file of the
 * bindings that looks at which system it is. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "bindings.h"

#include <signal.h>
#include <stdatomic.h>

#ifdef _WIN32
#include <io.h>
#else
#include <poll.h>
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

/* core.wait_input(fd): true once there is something to read (or nothing will ever come), false where
 * a signal ended the wait first. Where the system can't wait without reading: true at once. */
int l_core_wait_input(lua_State *L)
{
    lua_Integer fd = luaL_checkinteger(L, 1);
    luaL_argcheck(L, fd >= 0 && fd <= 1 << 20, 1, "no file descriptor");
#ifdef _WIN32
    lua_pushboolean(L, 1);
#else
    struct pollfd wanted = {.fd = (int)fd, .events = POLLIN};
    lua_pushboolean(L, poll(&wanted, 1, -1) > 0);
#endif
    return 1;
}

/* core.ignore_sigpipe(): writing to a closed pipe becomes an error that io.write returns */
int l_core_ignore_sigpipe(lua_State *L)
{
    (void)L;
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
    return 0;
}

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

/* A C signal handler is told nothing but a number: this is the module's only changing global. It is
 * set while catch_interrupt runs, and put back as it was. */
static _Atomic(lua_State *) running;
static volatile sig_atomic_t presses; /* since the running function was last stopped */

/* The first press asks the running function to stop. Where Lua does not come to run for three
 * more, in an endless loop in C or in another coroutine, the program is stopped as if we were not
 * here. */
enum { PATIENCE = 4 };

static void stop(lua_State *L, lua_Debug *ar)
{
    (void)ar; /* the hook stays until catch_interrupt ends: a pcall in a loop must not swallow it */
    presses = 0;
    lua_pushliteral(L, "interrupted!");
    lua_error(L);
}

static void on_interrupt(int number)
{
    lua_State *L = atomic_load(&running);
    if (!L || ++presses >= PATIENCE) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    /* Safe in a handler, as lua.c relies on too: it only sets a few fields. */
    lua_sethook(L, stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
#ifdef _WIN32
    signal(number, on_interrupt);
#endif
}

#ifdef _WIN32
typedef void (*disposition)(int);

static void catch_signal(disposition *before)
{
    *before = signal(SIGINT, on_interrupt);
}

static void release_signal(const disposition *before)
{
    signal(SIGINT, *before == SIG_ERR ? SIG_DFL : *before);
}
#else
typedef struct sigaction disposition;

/* Without SA_RESTART, so that Ctrl-C also ends waiting for a line. */
static void catch_signal(disposition *before)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, before);
}

static void release_signal(const disposition *before)
{
    sigaction(SIGINT, before, NULL);
}
#endif

/* core.catch_interrupt(fn, ...): like pcall, and Ctrl-C meanwhile raises "interrupted!" in fn. What
 * caught SIGINT before, and the hook, are put back, so each call arms it anew. */
int l_core_catch_interrupt(lua_State *L)
{
    disposition before;
    luaL_checkany(L, 1);
    luaL_checkstack(L, 2, NULL);
    lua_Hook hook = lua_gethook(L);
    int mask = lua_gethookmask(L), count = lua_gethookcount(L);
    int pressed = presses;
    lua_State *outer = atomic_exchange(&running, L);
    presses = 0;
    catch_signal(&before);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    release_signal(&before);
    atomic_store(&running, outer);
    presses = pressed;
    lua_sethook(L, hook, mask, count);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}
