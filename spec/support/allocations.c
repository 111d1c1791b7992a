/* Counts the bytes that a program asks of malloc, calloc and realloc: a library to preload, and the same as a
 * Lua module.
 *
 *   LD_PRELOAD=build/spec/allocations.so lua5.4 -e 'print(require("allocations")())'
 *
 * The module is a function: the bytes that were asked for since the program began; 0 where it was not
 * preloaded. A block that realloc makes larger counts whole, as it may have been copied. */
#include <lua.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* glibc's own. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

EXPORT extern uint64_t lathe_test_allocated;
uint64_t lathe_test_allocated; /* of one thread; preloaded, it is that of all libraries */

EXPORT void *malloc(size_t size);
EXPORT void *calloc(size_t n, size_t size);
EXPORT void *realloc(void *p, size_t size);
EXPORT int luaopen_allocations(lua_State *L);

void *malloc(size_t size)
{
    lathe_test_allocated += size;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    lathe_test_allocated += n * size;
    return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    lathe_test_allocated += size;
    return __libc_realloc(p, size);
}

static int allocated(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)lathe_test_allocated);
    return 1;
}

int luaopen_allocations(lua_State *L)
{
    lua_pushcfunction(L, allocated);
    return 1;
}
