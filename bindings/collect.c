/* Collects results of engine callbacks outside of Lua's memory until the engine returns. */
#include "bindings.h"

#include <string.h>

static const char collect_key;

static int l_collect_gc(lua_State *L)
{
    l_collect *c = lua_touserdata(L, 1);
    buf_free(&c->bytes);
    return 0;
}

l_collect *l_push_collect(lua_State *L)
{
    l_collect *c = lua_newuserdatauv(L, sizeof *c, 0);
    c->mem = l_memory(L);
    c->n = 0;
    c->failed = false;
    buf_init(&c->bytes, &c->mem);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &collect_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, l_collect_gc);
        lua_setfield(L, -2, "__gc");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &collect_key);
    }
    lua_setmetatable(L, -2);
    return c;
}

void l_collect_done(l_collect *c)
{
    buf_free(&c->bytes);
    c->n = 0;
}

void l_collect_put(l_collect *c, const void *bytes, size_t n)
{
    c->failed = c->failed || !buf_put(&c->bytes, bytes, n);
}

void l_collect_text(l_collect *c, const char *text, size_t n)
{
    l_collect_put(c, &n, sizeof n);
    if (n)
        l_collect_put(c, text, n);
}

void l_collect_take(const l_collect *c, size_t *pos, void *to, size_t n)
{
    memcpy(to, c->bytes.data + *pos, n);
    *pos += n;
}

const char *l_collect_take_text(const l_collect *c, size_t *pos, size_t *n)
{
    l_collect_take(c, pos, n, sizeof *n);
    const char *text = (const char *)c->bytes.data + *pos;
    *pos += *n;
    return text;
}

void l_collect_check(lua_State *L, const l_collect *c)
{
    if (!c->failed)
        return;
    l_memory_failed(L);
    luaL_error(L, "not enough memory");
}
