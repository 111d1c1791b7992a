/* Worker processes of the shell, and the pipes to them. For lathe's own Lua: lathe.cli.batch.workers and lathe.cli.batch.worker. */
#include "base/os.h"
#include "base/os_process.h"
#include "bindings.h"

static const char process_name[] = "lathe.Process", channel_name[] = "lathe.Channel";

#define PIECE ((size_t)1 << 16) /* maximum number of bytes that are read at once */
#define MOST_WORDS 4096
#define MOST_PROCESSES 64

static os_process *check_process(lua_State *L, int idx)
{
    return luaL_checkudata(L, idx, process_name);
}

/* process.start(words): starts a program. Returns an object; nil and an error. */
int l_process_start(lua_State *L)
{
    lathe_error err;
    mem m = mem_default();
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Unsigned n = lua_rawlen(L, 1);
    luaL_argcheck(L, n > 0 && n < MOST_WORDS, 1, "no command");
    os_process *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = OS_PROCESS_NONE;
    luaL_setmetatable(L, process_name);
    const char **argv = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *argv, 0);
    for (lua_Unsigned i = 0; i < n; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        argv[i] = lua_tostring(L, -1); /* stays valid: the table has it */
        luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, 1, "a word is no string");
        lua_pop(L, 1);
    }
    argv[n] = NULL;
    if (os_process_start(argv, &m, p, &err) != LATHE_OK)
        return l_fail(L, &err);
    lua_settop(L, 2);
    return 1;
}

/* process:send(bytes): false if the process does not take them any more */
static int l_process_send(lua_State *L)
{
    size_t n;
    os_process *p = check_process(L, 1);
    const char *bytes = luaL_checklstring(L, 2, &n);
    lua_pushboolean(L, os_process_send(p, bytes, n));
    return 1;
}

/* process:end_input(): tells the process that nothing more follows */
static int l_process_end_input(lua_State *L)
{
    os_process_end_input(check_process(L, 1));
    return 0;
}

/* process:receive(): some bytes, or nil at the end */
static int l_process_receive(lua_State *L)
{
    luaL_Buffer b;
    os_process *p = check_process(L, 1);
    char *to = luaL_buffinitsize(L, &b, PIECE);
    size_t n = os_process_receive(p, to, PIECE);
    luaL_pushresultsize(&b, n);
    return n > 0 ? 1 : 0;
}

/* process:stop(kill): asks the process to end, or kills it */
static int l_process_stop(lua_State *L)
{
    os_process_stop(check_process(L, 1), lua_toboolean(L, 2));
    return 0;
}

/* process:ended(seconds): waits for its end. Returns false if it has not ended; else "exit" or "signal", and its code
 * or signal */
static int l_process_ended(lua_State *L)
{
    os_process_status status;
    os_process *p = check_process(L, 1);
    if (!os_process_ended(p, luaL_optnumber(L, 2, 0), &status)) {
        lua_pushboolean(L, 0);
        return 1;
    }
    lua_pushstring(L, status.killed ? "signal" : "exit");
    lua_pushinteger(L, status.number);
    return 2;
}

static int l_process_gc(lua_State *L)
{
    os_process_free(check_process(L, 1));
    return 0;
}

/* process.wait(list, seconds): waits until one of the processes has sent something or ended. Elements may be false.
 * Returns a list of booleans. */
int l_process_wait(lua_State *L)
{
    os_process *all[MOST_PROCESSES];
    bool ready[MOST_PROCESSES];
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Number seconds = luaL_checknumber(L, 2);
    lua_Unsigned n = lua_rawlen(L, 1);
    luaL_argcheck(L, n <= MOST_PROCESSES, 1, "too many processes");
    lua_createtable(L, (int)n, 0);
    for (lua_Unsigned i = 0; i < n; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        all[i] =
            lua_toboolean(L, -1) ? check_process(L, -1) : NULL; /* stays alive: the list has it */
        lua_pop(L, 1);
    }
    os_process_wait(all, (size_t)n, seconds > 0 ? seconds : 0, ready);
    for (lua_Unsigned i = 0; i < n; i++) {
        lua_pushboolean(L, ready[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* process.processors(): the number of processors that this process may use */
int l_process_processors(lua_State *L)
{
    lua_pushinteger(L, os_processors());
    return 1;
}

/* process.id(): a number that identifies this process */
int l_process_id(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)os_process_id());
    return 1;
}

/* process.seconds(): seconds since some moment, from a monotonic clock */
int l_process_seconds(lua_State *L)
{
    lua_pushnumber(L, os_seconds());
    return 1;
}

/* ---- in a worker ----------------------------------------------------------------------------- */

/* process.join(parent): in a process that process.start started: the pipes to and from the process with this id. nil
 * if it was not started so, or the other process has ended. */
int l_process_join(lua_State *L)
{
    intmax_t parent = luaL_checkinteger(L, 1);
    os_channel *c = lua_newuserdatauv(L, sizeof *c, 0);
    luaL_setmetatable(L, channel_name);
    if (!os_process_join(parent, c))
        return 0;
    l_interrupt_at_end();
    return 1;
}

/* channel:read(n): n bytes, or nil if the other end was closed before */
static int l_channel_read(lua_State *L)
{
    luaL_Buffer b;
    os_channel *c = luaL_checkudata(L, 1, channel_name);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n >= 0, 2, "negative");
    luaL_buffinit(L, &b);
    for (size_t left = (size_t)n; left > 0;) {
        size_t most = left < PIECE ? left : PIECE;
        size_t got = os_channel_read(c, luaL_prepbuffsize(&b, most), most);
        if (got == 0)
            return 0;
        luaL_addsize(&b, got);
        left -= got;
    }
    luaL_pushresult(&b);
    return 1;
}

/* channel:write(bytes): false if the other end was closed */
static int l_channel_write(lua_State *L)
{
    size_t n;
    os_channel *c = luaL_checkudata(L, 1, channel_name);
    const char *bytes = luaL_checklstring(L, 2, &n);
    lua_pushboolean(L, os_channel_write(c, bytes, n));
    return 1;
}

/* process.redirect(file, number): lets stdout (1) or stderr (2) write to an open file */
int l_process_redirect(lua_State *L)
{
    luaL_Stream *s = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    lua_Integer number = luaL_checkinteger(L, 2);
    luaL_argcheck(L, s->closef, 1, "a closed file");
    luaL_argcheck(L, number == 1 || number == 2, 2, "1 or 2 expected");
    lua_pushboolean(L, os_redirect(s->f, (int)number));
    return 1;
}

static const luaL_Reg process_methods[] = {
    {"ended", l_process_ended}, {"end_input", l_process_end_input}, {"receive", l_process_receive},
    {"send", l_process_send},   {"stop", l_process_stop},           {NULL, NULL},
};

static const luaL_Reg channel_methods[] = {
    {"read", l_channel_read},
    {"write", l_channel_write},
    {NULL, NULL},
};

static void open_class(lua_State *L, const char *name, const luaL_Reg *methods)
{
    luaL_newmetatable(L, name);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
}

void l_open_processes(lua_State *L)
{
    open_class(L, process_name, process_methods);
    lua_pushcfunction(L, l_process_gc);
    lua_setfield(L, -2, "__gc");
    open_class(L, channel_name, channel_methods);
    lua_pop(L, 2);
}
