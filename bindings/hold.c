/* Keeps a document's memory while finalizers run that may close it. */
#include "bindings.h"

static const char hold_key;

static int l_hold_gc(lua_State *L)
{
    l_unhold(lua_touserdata(L, 1));
    return 0;
}

l_hold *l_push_hold(lua_State *L, const l_doc *owner)
{
    luaL_checkstack(L, 4, NULL);
    l_hold *h = lua_newuserdatauv(L, sizeof *h, 0);
    h->doc = NULL;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &hold_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, l_hold_gc);
        lua_setfield(L, -2, "__gc");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &hold_key);
    }
    lua_setmetatable(L, -2);
    h->doc = l_doc_check_open(L, owner);
    h->doc->holders++;
    return h;
}

void l_unhold(l_hold *h)
{
    lathe_doc *doc = h->doc;
    h->doc = NULL;
    lathe_doc_close(doc);
}
