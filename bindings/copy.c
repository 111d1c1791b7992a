/* Read-only copies: tables with the data of skeletons and animations. Assigning to such a table raises an error,
 * because the change would be lost; the message names what to change instead.
 *
 * A copy is an empty table, whose metatable looks values up in a hidden table. Nested tables become copies when they
 * are read. All copies of one tree share a metatable, whose functions have these upvalues: */
#include "bindings.h"

enum {
    TABLES = 1, /* copy -> hidden table */
    WHAT,       /* name of the tree in messages */
    PLACE,      /* what to change instead; or nil */
    UPVALUES = PLACE
};

static const char tables_key; /* key of TABLES in such a metatable */

/* ---- recognizing copies ----------------------------------------------------------------------- */

bool l_is_copy(lua_State *L, int idx)
{
    if (lua_type(L, idx) != LUA_TTABLE || !lua_getmetatable(L, idx))
        return false;
    bool yes = lua_rawgetp(L, -1, &tables_key) == LUA_TTABLE;
    lua_pop(L, 2);
    return yes;
}

bool l_open_copy(lua_State *L, int idx)
{
    idx = lua_absindex(L, idx);
    if (!l_is_copy(L, idx))
        return false;
    lua_getmetatable(L, idx);
    lua_rawgetp(L, -1, &tables_key);
    lua_pushvalue(L, idx);
    lua_rawget(L, -2);
    lua_replace(L, idx);
    lua_pop(L, 2);
    return true;
}

/* ---- metamethods ------------------------------------------------------------------------------- */

/* Pushes the hidden table of the first argument. */
static void push_table(lua_State *L)
{
    lua_pushvalue(L, 1);
    if (lua_isnil(L, 1) || lua_rawget(L, lua_upvalueindex(TABLES)) != LUA_TTABLE)
        luaL_typeerror(L, 1, "lathe.Copy");
}

/* If the value on top is a table, replaces it by a copy. The argument's hidden table is at 3, the value's key at
 * `key`. */
static void show(lua_State *L, int key)
{
    if (lua_type(L, -1) != LUA_TTABLE || l_is_copy(L, -1))
        return;
    lua_newtable(L);
    lua_getmetatable(L, 1);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_pushvalue(L, -3);
    lua_rawset(L, lua_upvalueindex(TABLES));
    lua_pushvalue(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, 3);
    lua_replace(L, -2);
}

static int l_copy_index(lua_State *L)
{
    lua_settop(L, 2);
    push_table(L);
    lua_pushvalue(L, 2);
    lua_rawget(L, 3);
    show(L, 2);
    return 1;
}

/* Pushes the place of data that come from a record of their own. */
static bool push_own_place(lua_State *L)
{
    push_table(L);
    lua_pushliteral(L, "source");
    lua_rawget(L, -2);
    if (l_class_of(L, -1) != L_RECORD)
        return false;
    const l_view *source = lua_touserdata(L, -1);
    if (!source->owner->doc)
        return false;
    l_push_place(L, "its source", source->at);
    return true;
}

static int l_copy_newindex(lua_State *L)
{
    const char *what = lua_tostring(L, lua_upvalueindex(WHAT));
    const char *place = lua_tostring(L, lua_upvalueindex(PLACE));
    const char *key = luaL_tolstring(L, 2, NULL);
    if (push_own_place(L))
        place = lua_tostring(L, -1);
    if (!place)
        return luaL_error(L, "'%s' of %s cannot be set: it is a copy", key, what);
    return luaL_error(L, "'%s' of %s cannot be set: it is a copy; change %s", key, what, place);
}

static int l_copy_len(lua_State *L)
{
    push_table(L);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

/* Upvalue 1: TABLES. */
static int l_copy_next(lua_State *L)
{
    lua_settop(L, 2);
    push_table(L);
    lua_pushvalue(L, 2);
    if (!lua_next(L, 3)) {
        lua_pushnil(L);
        return 1;
    }
    show(L, 4);
    return 2;
}

static int l_copy_pairs(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(TABLES));
    lua_pushcclosure(L, l_copy_next, 1);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

/* ---- making and opening ------------------------------------------------------------------------ */

void l_push_place(lua_State *L, const char *name, lathe_view view)
{
    rec_at at;
    uint32_t slot;
    char path[512];
    if (!view.doc) {
        lua_pushnil(L);
        return;
    }
    if (rec_enter(&view, &at, &slot, NULL) != LATHE_OK)
        lua_pushstring(L, name);
    else if (rec_path(&at, slot, REC_NO_ITEM, path, sizeof path))
        lua_pushfstring(L, "%s, %s", name, path);
    else
        lua_pushfstring(L, "%s, the document", name);
}

void l_make_copy(lua_State *L, const char *what)
{
    static const luaL_Reg meta[] = {
        {"__index", l_copy_index},
        {"__newindex", l_copy_newindex},
        {"__len", l_copy_len},
        {"__pairs", l_copy_pairs},
        {NULL, NULL},
    };
    lua_newtable(L); /* stack: place, table, copy */
    lua_createtable(L, 0, 8);
    lua_newtable(L); /* TABLES */
    lua_pushvalue(L, -3);
    lua_pushvalue(L, -5);
    lua_rawset(L, -3);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, &tables_key);
    lua_pushstring(L, what);
    lua_pushvalue(L, -6); /* PLACE */
    luaL_setfuncs(L, meta, UPVALUES);
    lua_pushliteral(L, "lathe.Copy");
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__name");
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

void l_copy_totable(lua_State *L)
{
    int from = lua_gettop(L);
    luaL_checkstack(L, 6, NULL);
    l_open_copy(L, from);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, from)) {
        if (lua_type(L, -1) == LUA_TTABLE)
            l_copy_totable(L);
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, from + 1);
    }
    lua_replace(L, from);
}
