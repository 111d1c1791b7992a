/* Stops running Lua code: at Ctrl-C (system.c), and when it exceeds a limit (limits.c). The hook is set in the
 * running thread only when code has to stop, because a count hook makes Lua half as fast. It raises an error at every
 * instruction, so code that catches errors cannot continue. To know the running thread, coroutines are resumed by the
 * functions below. */
#include "bindings.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

/* A function that frees memory for a limit; NO_COLLECT: none. (clang does not accept a void pointer as an atomic
 * function.) */
typedef void (*collector)(lua_State *);
#define NO_COLLECT ((collector)NULL)

/* Signal handlers get only a number, so this is the only mutable data of the module that belongs to no Lua state. It
 * is set while code runs that can be stopped, and restored afterwards. */
static struct {
    _Atomic(lua_State *) running; /* NULL: nothing can be stopped */
    volatile sig_atomic_t interrupted;
    volatile sig_atomic_t over; /* an l_stop_reason, or 0 */
    _Atomic(collector) collect;
    l_stop_watch_state displaced; /* the hook that ours has replaced, and its thread */
    int place_count;
    l_stop_place places[L_STOP_PLACES]; /* where a limit was exceeded */
} stop;

static bool stopping(void)
{
    return stop.interrupted || stop.over;
}

/* Stores the places of active functions, innermost first. Only reads the stack; allocates nothing. */
static void note_places(lua_State *L)
{
    lua_Debug ar;
    for (int level = 0; stop.place_count < L_STOP_PLACES && lua_getstack(L, level, &ar); level++) {
        if (!lua_getinfo(L, "Sl", &ar) || ar.currentline <= 0)
            continue;
        l_stop_place *place = &stop.places[stop.place_count++];
        snprintf(place->chunk, sizeof place->chunk, "%s", ar.short_src);
        place->line = ar.currentline;
    }
}

/* Whether the hook has something to do before the next instruction. */
static bool pending(void)
{
    return stopping() || stop.collect;
}

/* Restores the hook that ours has replaced. */
static void disarm(lua_State *L)
{
    if (stop.displaced.running == L)
        lua_sethook(L, stop.displaced.hook, stop.displaced.mask, stop.displaced.count);
    else
        lua_sethook(L, NULL, 0, 0);
}

static void arm(lua_State *L);

static void before_instruction(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    if (stopping()) {
        if (stop.over && stop.place_count == 0)
            note_places(L);
        lua_pushstring(L, stop.interrupted ? "interrupted!" : "over a limit");
        lua_error(L);
    }
    disarm(L);        /* also in a thread that yielded while the hook was set, and is resumed now */
    if (stopping()) { /* a signal arrived meanwhile */
        arm(L);
    } else if (stop.collect) {
        collector collect = stop.collect;
        stop.collect = NO_COLLECT;
        collect(L);
    }
}

static void get_hook(lua_State *L, l_stop_watch_state *hook)
{
    hook->hook = lua_gethook(L);
    hook->mask = lua_gethookmask(L);
    hook->count = lua_gethookcount(L);
}

/* Sets the hook. Safe in a signal handler, as in lua.c: it only sets a few fields. */
static void arm(lua_State *L)
{
    if (lua_gethook(L) != before_instruction) {
        stop.displaced.running = L;
        get_hook(L, &stop.displaced);
    }
    lua_sethook(L, before_instruction, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT,
                1);
}

void l_stop_to_collect(void (*collect)(lua_State *))
{
    lua_State *L = atomic_load(&stop.running);
    if (L) {
        stop.collect = collect;
        arm(L);
    }
}

bool l_stop(l_stop_reason reason)
{
    lua_State *L = atomic_load(&stop.running);
    if (!L)
        return false;
    if (reason == L_STOP_INTERRUPT) {
        stop.interrupted = 1;
    } else if (!stop.over) {
        if (reason != L_STOP_MEMORY)
            stop.place_count = 0;
        stop.over = (sig_atomic_t)reason;
    }
    arm(L);
    return true;
}

void l_stop_note_places(void)
{
    lua_State *L = atomic_load(&stop.running);
    if (L && !stop.over) {
        stop.place_count = 0;
        note_places(L);
    }
}

const l_stop_place *l_stop_places(int *count)
{
    *count = stop.place_count;
    return stop.places;
}

/* ---- watched code ---------------------------------------------------------------------------- */

void l_stop_watch(lua_State *L, l_stop_watch_state *before)
{
    get_hook(L, before);
    before->running = atomic_exchange(&stop.running, L);
}

void l_stop_unwatch(lua_State *L, const l_stop_watch_state *before)
{
    atomic_store(&stop.running, before->running);
    lua_sethook(L, before->hook, before->mask, before->count);
    if (before->running && stopping())
        arm(before->running);
}

lua_State *l_stop_set_running(lua_State *L)
{
    return atomic_exchange(&stop.running, L);
}

int l_stop_set_interrupted(int now)
{
    int before = stop.interrupted;
    stop.interrupted = now;
    return before;
}

l_stop_reason l_stop_over(void)
{
    return (l_stop_reason)stop.over;
}

l_stop_reason l_stop_go_on(void)
{
    l_stop_reason over = (l_stop_reason)stop.over;
    stop.over = 0;
    stop.collect = NO_COLLECT;
    return over;
}

/* limits.stopping(): whether the running code has to end, so that no script code may be called any more, not even an
 * error handler */
int l_limits_stopping(lua_State *L)
{
    lua_pushboolean(L, stopping());
    return 1;
}

/* ---- coroutines ------------------------------------------------------------------------------ */

/* Makes `thread` the running thread. A pending request to stop applies to it, too. */
static lua_State *enter(lua_State *thread)
{
    lua_State *outer = atomic_load(&stop.running);
    if (outer) {
        atomic_store(&stop.running, thread);
        if (pending())
            arm(thread);
    }
    return outer;
}

static void leave(lua_State *outer)
{
    if (outer) {
        atomic_store(&stop.running, outer);
        if (pending())
            arm(outer);
    }
}

static lua_State *check_thread(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    if (!co)
        luaL_typeerror(L, 1, "coroutine");
    return co;
}

/* Resumes co with the n values on top of L. Returns the number of results, which are on L. -1: the error is on top of
 * co. */
static int resume(lua_State *L, lua_State *co, int n)
{
    int given = 0;
    if (!lua_checkstack(co, n + 1))
        return luaL_error(L, "too many arguments to resume");
    lua_xmove(L, co, n);
    lua_State *outer = enter(co);
    int status = lua_resume(co, L, n, &given);
    leave(outer);
    if (status != LUA_OK && status != LUA_YIELD)
        return -1;
    if (!lua_checkstack(L, given + 1)) {
        lua_pop(co, given);
        return luaL_error(L, "too many results to resume");
    }
    lua_xmove(co, L, given);
    return given;
}

/* limits.resume: coroutine.resume for threads that can be stopped */
int l_limits_resume(lua_State *L)
{
    lua_State *co = check_thread(L);
    int n = resume(L, co, lua_gettop(L) - 1);
    if (n < 0) {
        lua_pushboolean(L, 0);
        lua_xmove(co, L, 1);
        return 2;
    }
    lua_pushboolean(L, 1);
    lua_insert(L, -(n + 1));
    return n + 1;
}

#if LUA_VERSION_RELEASE_NUM >= 50406
#define CLOSE_THREAD(co, from) lua_closethread(co, from)
#else
#define CLOSE_THREAD(co, from) lua_resetthread(co)
#endif

/* Closes the <close> variables of a dead coroutine. The error stays on top of co. */
static void close_dead(lua_State *L, lua_State *co)
{
    int status = lua_status(co);
    (void)L;
    if (status == LUA_OK || status == LUA_YIELD)
        return; /* it was not resumed at all */
    lua_State *outer = enter(co);
    CLOSE_THREAD(co, L);
    leave(outer);
}

/* Upvalue 1: the thread. */
static int call_wrapped(lua_State *L)
{
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int n = resume(L, co, lua_gettop(L));
    if (n >= 0)
        return n;
    close_dead(L, co);
    luaL_checkstack(L, 3, NULL);
    if (co != L)
        lua_xmove(co, L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

/* limits.wrap: coroutine.wrap for threads that can be stopped */
int l_limits_wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    lua_pushcclosure(L, call_wrapped, 1);
    return 1;
}

/* limits.close(co, close): calls close, which is coroutine.close, for a thread that can be stopped */
int l_limits_close(lua_State *L)
{
    lua_State *co = check_thread(L);
    lua_settop(L, 2);
    lua_insert(L, 1);
    lua_State *outer = enter(co);
    int status = lua_pcall(L, 1, LUA_MULTRET, 0);
    leave(outer);
    return status == LUA_OK ? lua_gettop(L) : lua_error(L);
}
