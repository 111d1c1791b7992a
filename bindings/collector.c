/* Control of Lua's garbage collector, which is stopped while the engine reads values from Lua.
 *
 * When Lua's collector is restarted, it forgets when the next collection was due. Each stop would then cost a young
 * collection or a large part of a full one, which takes longer than many edits. So the distance is stored here: a
 * collection starts when memory has grown by a quarter since the last one, or by less if the collector's pause asks
 * for that. */
#include "bindings.h"

#include <limits.h>

enum {
    KILOBYTES_FREE = 1024, /* a small heap grows by at least this much */
    MOST_NOTED = 1 << 20   /* maximum for one document */
};

typedef struct pace {
    int64_t left;  /* kilobytes in use after the last collection; 0: unknown */
    int64_t noted; /* kilobytes of documents opened since then, which Lua does not count */
} pace;

static const char pace_key; /* registry key of the pace, a userdata */
static const char bell_key; /* registry key of the bell's metatable */

static pace *pace_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &pace_key);
    pace *p = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return p;
}

/* Creates garbage with a finalizer, the bell, which tells that a collection has ended. */
static void hang_bell(lua_State *L)
{
    lua_newuserdatauv(L, 0, 0);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &bell_key);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

static int bell_rings(lua_State *L)
{
    pace *p = lua_touserdata(L, lua_upvalueindex(1));
    *p = (pace){0}; /* memory use cannot be read in a finalizer: do it later */
    hang_bell(L);
    return 0;
}

void l_open_collector(lua_State *L)
{
    pace *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (pace){0};
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, bell_rings, 1);
    lua_setfield(L, -2, "__gc");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &bell_key);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &pace_key);
    hang_bell(L);
}

bool l_collector_stop(lua_State *L)
{
    if (lua_gc(L, LUA_GCISRUNNING) != 1) /* -1: inside a finalizer */
        return false;
    lua_gc(L, LUA_GCSTOP);
    return true;
}

/* The number of kilobytes until the next collection; 0 if the collector shall run all the time. */
static int64_t until_next(lua_State *L, const pace *p)
{
    int64_t pause = lua_gc(L, LUA_GCSETPAUSE, 200), quarter = 25;
    lua_gc(L, LUA_GCSETPAUSE, (int)pause); /* it can only be read by setting it */
    if (pause <= 100)
        return 0;
    return p->left * (pause - 100 < quarter ? pause - 100 : quarter) / 100 + KILOBYTES_FREE;
}

void l_collector_start(lua_State *L)
{
    pace *p = pace_of(L);
    lua_gc(L, LUA_GCRESTART); /* a step is due at the next allocation */
    int64_t used = lua_gc(L, LUA_GCCOUNT);
    if (!p->left || used < p->left)
        p->left = used;
    int64_t far = p->left + until_next(L, p) - p->noted - used;
    if (far > 0)
        lua_gc(L, LUA_GCSTEP, -(int)(far < INT_MAX ? far : INT_MAX));
}

void l_collector_note(lua_State *L, uint64_t kilobytes)
{
    int n = kilobytes < MOST_NOTED ? (int)kilobytes : MOST_NOTED;
    if (lua_gc(L, LUA_GCISRUNNING) != 1)
        return;
    pace_of(L)->noted += n;
    lua_gc(L, LUA_GCSTEP, n);
}
