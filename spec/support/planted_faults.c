/* Faults that the sanitizers must find: a Lua module for spec/unit/sanitizer_spec.lua, built as lathe is. */
#define _GNU_SOURCE
#include "lathe.h"

#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>

__attribute__((visibility("default"))) int luaopen_planted_faults(lua_State *L);

static lathe_doc *new_document(lua_State *L)
{
    lathe_doc *doc;
    if (lathe_doc_new("solid", NULL, NULL, &doc, NULL) != LATHE_OK)
        luaL_error(L, "no document");
    return doc;
}

/* Writes one byte past a userdata. */
static int write_past(lua_State *L)
{
    volatile char *p = lua_touserdata(L, 1);
    p[lua_rawlen(L, 1)] = 1;
    return 0;
}

/* Reads one byte past the zero that ends a string. */
static int read_past(lua_State *L)
{
    size_t n;
    const volatile char *p = luaL_checklstring(L, 1, &n);
    lua_pushinteger(L, p[n + 1]);
    return 1;
}

/* Uses a document after it was closed. */
static int use_closed(lua_State *L)
{
    lathe_doc *doc = new_document(L);
    lathe_doc_close(doc);
    lua_pushboolean(L, lathe_doc_modified(doc));
    return 1;
}

/* Gives the address of a document that is never closed. */
static int leak(lua_State *L)
{
    lua_pushlightuserdata(L, new_document(L));
    return 1;
}

/* Adds 1 to a number, which must fit into an int then. */
static int add_one(lua_State *L)
{
    volatile int n = (int)luaL_checkinteger(L, 1);
    lua_pushinteger(L, n + 1);
    return 1;
}

/* Gives an element of an array of four. */
static int element(lua_State *L)
{
    static const int four[4] = {1, 2, 3, 4};
    volatile int i = (int)luaL_checkinteger(L, 1);
    lua_pushinteger(L, four[i]);
    return 1;
}

/* The library that the allocator of the state is in. */
static int allocator(lua_State *L)
{
    Dl_info library;
    lua_Alloc f = lua_getallocf(L, NULL);
    void *address = *(void **)(void *)&f;
    lua_pushstring(L, dladdr(address, &library) ? library.dli_fname : "none");
    return 1;
}

int luaopen_planted_faults(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"write_past", write_past}, {"read_past", read_past},
        {"use_closed", use_closed}, {"leak", leak},
        {"add_one", add_one},       {"element", element},
        {"allocator", allocator},   {NULL, NULL},
    };
    luaL_newlib(L, functions);
    return 1;
}
