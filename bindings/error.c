/* Errors: a lathe_error as a Lua table, which is returned after nil or raised. */
#include "bindings.h"

#include <stdio.h>

static const char error_key; /* registry key of the metatable */

static void set_text(lua_State *L, const char *name, const char *text)
{
    if (text[0]) {
        lua_pushstring(L, text);
        lua_setfield(L, -2, name);
    }
}

void l_push_error(lua_State *L, const lathe_error *err)
{
    luaL_checkstack(L, 4, NULL);
    if (err->code == LATHE_ERR_MEMORY)
        l_memory_failed(L);
    lua_createtable(L, 0, 6);
    set_text(L, "path", err->path);
    set_text(L, "where", err->where);
    set_text(L, "message", err->message);
    set_text(L, "code", lathe_result_name(err->code));
    lua_pushstring(L, err->level == LATHE_LEVEL_WARNING ? "warning" : "error");
    lua_setfield(L, -2, "level");
    if (err->offset != LATHE_NO_OFFSET) {
        lua_pushinteger(L, (lua_Integer)err->offset);
        lua_setfield(L, -2, "offset");
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &error_key);
    lua_setmetatable(L, -2);
}

int l_fail(lua_State *L, const lathe_error *err)
{
    lua_pushnil(L);
    l_push_error(L, err);
    return 2;
}

static bool is_mistake(const lathe_error *err)
{
    return err->code == LATHE_ERR_TYPE || err->code == LATHE_ERR_NAME ||
           err->code == LATHE_ERR_READONLY || err->code == LATHE_ERR_REMOVED ||
           err->code == LATHE_ERR_STATE;
}

int l_raise(lua_State *L, const lathe_error *err)
{
    if (is_mistake(err) && err->where[0]) /* luaL_error adds the place in the program */
        return luaL_error(L, "%s: %s", err->where, err->message);
    if (is_mistake(err))
        return luaL_error(L, "%s", err->message);
    l_push_error(L, err);
    return lua_error(L);
}

int l_fail_or_raise(lua_State *L, const lathe_error *err)
{
    return is_mistake(err) ? l_raise(L, err) : l_fail(L, err);
}

/* ---- as text --------------------------------------------------------------------------------- */

static void get_text(lua_State *L, int idx, const char *name, char *to, size_t cap)
{
    lua_pushstring(L, name);
    lua_rawget(L, idx);
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    snprintf(to, cap, "%s", text);
    lua_pop(L, 1);
}

/* Uses the fields of the table, so that scripts may change them. */
static int l_error_tostring(lua_State *L)
{
    lathe_error err = {.code = LATHE_ERR_INVALID, .offset = LATHE_NO_OFFSET};
    char text[sizeof err + 64];
    luaL_checktype(L, 1, LUA_TTABLE);
    get_text(L, 1, "path", err.path, sizeof err.path);
    get_text(L, 1, "where", err.where, sizeof err.where);
    get_text(L, 1, "message", err.message, sizeof err.message);
    if (!err.message[0])
        get_text(L, 1, "code", err.message, sizeof err.message);
    lua_pushliteral(L, "offset");
    lua_rawget(L, 1);
    if (lua_isinteger(L, -1))
        err.offset = (uint64_t)lua_tointeger(L, -1);
    lathe_error_text(&err, text, sizeof text);
    lua_pushstring(L, text);
    return 1;
}

static int l_error_concat(lua_State *L)
{
    luaL_tolstring(L, 1, NULL);
    luaL_tolstring(L, 2, NULL);
    lua_concat(L, 2);
    return 1;
}

void l_open_errors(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__tostring", l_error_tostring},
        {"__concat", l_error_concat},
        {NULL, NULL},
    };
    luaL_newlibtable(L, meta);
    luaL_setfuncs(L, meta, 0);
    lua_pushliteral(L, "lathe.Error");
    lua_setfield(L, -2, "__name");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &error_key);
}
