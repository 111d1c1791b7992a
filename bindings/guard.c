/* The guard: asks the host whether a file may be opened, and functions by which a host decides that. */
#include "bindings.h"

#include "base/error.h"
#include "base/os.h"

#include <errno.h>
#include <string.h>

static const char guard_key; /* registry key of the guard: function(path, mode), or nil */

/* ---- asking the guard ------------------------------------------------------------------------ */

/* core.set_guard(fn): sets the function that is called before a file is opened ("r") or saved ("w"): function(path,
 * mode), which returns
 *
 *   true            the path is opened, following links
 *   real            a result of core.real_path: exactly that file is opened, no link is followed
 *   real, instead   no file is used: `instead` has the bytes ("r"), or is called as
 *                   instead(bytes, backup) and returns true, or nil and the reason ("w")
 *   nil, reason     refused
 *
 * nil removes the guard. For the host of a script. */
int l_core_set_guard(lua_State *L)
{
    if (!lua_isnoneornil(L, 1))
        luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &guard_key);
    return 0;
}

static void push_failure(lua_State *L, lathe_result code, const char *path, const char *reason)
{
    lathe_error err;
    error_set(&err, code, LATHE_NO_OFFSET, "%s", reason);
    error_path(&err, path);
    l_fail(L, &err);
}

static bool refused(lua_State *L, const char *path)
{
    push_failure(L, LATHE_ERR_IO, path,
                 lua_isnil(L, -1) ? "not allowed" : luaL_tolstring(L, -1, NULL));
    lua_pushliteral(L, "denied");
    lua_setfield(L, -2, "code");
    return false;
}

bool l_guard_ask(lua_State *L, const char *path, const char *mode, l_leave *leave)
{
    memset(leave, 0, sizeof *leave);
    luaL_checkstack(L, 6, NULL);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &guard_key) == LUA_TNIL) {
        lua_pushnil(L);
        return true;
    }
    lua_pushstring(L, path);
    lua_pushstring(L, mode);
    lua_call(L, 2, 2);
    if (!lua_toboolean(L, -2))
        return refused(L, path);
    leave->real = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    leave->instead = lua_isnil(L, -1) ? 0 : lua_gettop(L);
    return true;
}

bool l_guard_ask_backup(lua_State *L, const l_leave *file)
{
    l_leave backup;
    if (!file->real)
        return true;
    const char *path = lua_pushfstring(L, "%s.bak", file->real);
    return l_guard_ask(L, path, "w", &backup);
}

int l_guard_put(lua_State *L, const l_leave *leave, const char *path, bool backup)
{
    lua_pushvalue(L, leave->instead);
    lua_insert(L, -2);
    lua_pushboolean(L, backup);
    lua_call(L, 2, 2);
    if (lua_toboolean(L, -2)) {
        lua_pop(L, 1);
        return 1;
    }
    if (lua_type(L, -1) == LUA_TTABLE) /* an error of lathe */
        return 2;
    push_failure(L, LATHE_ERR_IO, path, luaL_tolstring(L, -1, NULL));
    return 2;
}

/* ---- functions for guards -------------------------------------------------------------------- */

const char *l_check_path(lua_State *L, int idx)
{
    size_t n;
    const char *path = luaL_checklstring(L, idx, &n);
    luaL_argcheck(L, strlen(path) == n, idx, "a path holds no NUL byte");
    return path;
}

typedef struct real_path {
    buf text;
    mem mem;
} real_path;

static int push_text(lua_State *L)
{
    const real_path *p = lua_touserdata(L, 1);
    lua_pushstring(L, (const char *)p->text.data);
    return 1;
}

/* core.real_path(path): the absolute path with all links resolved; or nil and the error */
int l_core_real_path(lua_State *L)
{
    const char *path = l_check_path(L, 1);
    real_path p = {.mem = mem_default()};
    lathe_error err;
    buf_init(&p.text, &p.mem);
    lathe_result r = os_real_path(path, &p.text, &err);
    int status = LUA_OK;
    if (r == LATHE_OK) {
        /* it may raise, so it is called in protected mode, and the text is freed first */
        lua_pushcfunction(L, push_text);
        lua_pushlightuserdata(L, &p);
        status = lua_pcall(L, 1, 1, 0);
    }
    buf_free(&p.text);
    if (status != LUA_OK)
        return lua_error(L);
    return r == LATHE_OK ? 1 : l_fail(L, &err);
}

static int done(lua_State *L, lathe_result r, const lathe_error *err)
{
    if (r != LATHE_OK)
        return l_fail(L, err);
    lua_pushboolean(L, 1);
    return 1;
}

/* core.make_folder(real, path): makes a folder and its missing parents; `path` is shown in errors */
int l_core_make_folder(lua_State *L)
{
    lathe_error err;
    const char *real = l_check_path(L, 1);
    return done(L, os_make_folder_real(real, luaL_optstring(L, 2, real), &err), &err);
}

/* core.can_write(real, path, replace): whether a file can be written, and missing folders made. `replace`: as
 * documents are saved; else as io.open does. Changes nothing. */
int l_core_can_write(lua_State *L)
{
    lathe_error err;
    const char *real = l_check_path(L, 1);
    bool replace = lua_toboolean(L, 3);
    return done(L, os_can_write_real(real, luaL_optstring(L, 2, real), replace, &err), &err);
}

static void push_identity(lua_State *L, const os_identity *id)
{
    lua_pushlstring(L, (const char *)id, sizeof *id);
}

/* core.identity(real): a string that identifies a file independently of its names; false if there is no file; nil and
 * an error if it cannot be examined */
int l_core_identity(lua_State *L)
{
    os_identity id;
    bool exists;
    lathe_error err;
    if (os_identify_real(l_check_path(L, 1), &id, &exists, &err) != LATHE_OK)
        return l_fail(L, &err);
    if (exists)
        push_identity(L, &id);
    else
        lua_pushboolean(L, 0);
    return 1;
}

/* ---- streams --------------------------------------------------------------------------------- */

static int close_stream(lua_State *L)
{
    luaL_Stream *s = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    return luaL_fileresult(L, fclose(s->f) == 0, NULL);
}

static bool is_mode(const char *mode)
{
    if (!mode[0] || !strchr("rwa", *mode++))
        return false;
    mode += *mode == '+';
    return mode[strspn(mode, "b")] == '\0';
}

/* core.open_file(real, path, mode): io.open of exactly that file, and its identity as a second result. "w" does not
 * truncate: call core.truncate once the identity is verified. */
int l_core_open_file(lua_State *L)
{
    const char *real = l_check_path(L, 1), *path = luaL_checkstring(L, 2);
    const char *mode = luaL_checkstring(L, 3);
    os_identity id;
    luaL_argcheck(L, is_mode(mode), 3, "invalid mode");
    luaL_Stream *s = lua_newuserdatauv(L, sizeof *s, 0);
    s->f = NULL;
    s->closef = NULL; /* marks it as closed until it is open */
    luaL_setmetatable(L, LUA_FILEHANDLE);
    errno = 0;
    s->f = os_open_stream_real(real, mode, &id);
    if (!s->f)
        return luaL_fileresult(L, 0, path);
    s->closef = close_stream;
    push_identity(L, &id);
    return 2;
}

/* core.truncate(file): removes all bytes of an open file */
int l_core_truncate(lua_State *L)
{
    luaL_Stream *s = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    luaL_argcheck(L, s->closef, 1, "a closed file");
    return luaL_fileresult(L, os_truncate(s->f), NULL);
}
