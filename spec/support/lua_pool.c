/* The allocator of Lua states in the sanitizer run: a Lua module, which gives it to the state that loads it.
 *
 *   LUA_INIT='package.loadlib("build/asan/spec/lua_pool.so", "luaopen_lua_pool")()'
 *
 * Lua allocates millions of small objects, and AddressSanitizer takes longer for each than Lua does to use it. Objects
 * that only Lua's own code reads and writes (tables, closures, prototypes, upvalues, and arrays of at most LARGEST
 * bytes) come from a pool here, WITHOUT red zones and quarantine. All that lathe's code can reach by a pointer still
 * comes from malloc, so from AddressSanitizer: userdata, strings, large blocks (buffers of luaL_Buffer and stacks are
 * among them), and all memory of lathe itself, which does not use the allocator of the state.
 *
 * LeakSanitizer reads the pool in search of pointers, as userdata may be referenced from there alone. What is freed is
 * cleared, so that old pointers hide no leak. spec/unit/sanitizer_spec.lua proves that faults are still found. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int luaopen_lua_pool(lua_State *L);
EXPORT int lua_pool_preload_no_more(lua_State *L);

/* Of LeakSanitizer; absent without it. */
__attribute__((weak)) void __lsan_register_root_region(const void *begin, size_t size);
__attribute__((weak)) void __lsan_unregister_root_region(const void *begin, size_t size);

enum { STEP = 16, LARGEST = 256, CLASSES = LARGEST / STEP };
static const size_t reserved = (size_t)1 << 36; /* addresses, not memory */
static const size_t growth = (size_t)1 << 20;

typedef struct block block;
struct block {
    block *next;
};

/* One thread at a time. [base, top) is known to LeakSanitizer, [next, top) was never used. */
static char *base, *next, *top;
static block *unused[CLASSES];

static bool reserve(void)
{
    void *p = mmap(NULL, reserved, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    base = next = top = p;
    return true;
}

static bool extend(void)
{
    if ((size_t)(top - base) + growth > reserved)
        return false;
    if (__lsan_unregister_root_region && top > base)
        __lsan_unregister_root_region(base, (size_t)(top - base));
    top += growth;
    if (__lsan_register_root_region)
        __lsan_register_root_region(base, (size_t)(top - base));
    return true;
}

static size_t class_of(size_t size)
{
    return (size - 1) / STEP;
}

static bool is_pooled(const void *ptr)
{
    return (const char *)ptr >= base && (const char *)ptr < top;
}

/* Zeros; NULL if the pool is full. */
static void *take(size_t size)
{
    size_t k = class_of(size), whole = (k + 1) * STEP;
    block *b = unused[k];
    if (b) {
        unused[k] = b->next;
        b->next = NULL;
        return b;
    }
    if (whole > (size_t)(top - next) && !extend())
        return NULL;
    void *p = next;
    next += whole;
    return p;
}

static void give_back(void *ptr, size_t size)
{
    size_t k = class_of(size);
    memset(ptr, 0, (k + 1) * STEP);
    block *b = ptr;
    b->next = unused[k];
    unused[k] = b;
}

/* kind: the type of a new object, 0 for an array. */
static void *make(size_t kind, size_t size)
{
    bool shared = kind == LUA_TSTRING || kind == LUA_TUSERDATA || size > LARGEST;
    void *p = shared ? NULL : take(size);
    return p ? p : malloc(size);
}

/* The lua_Alloc function. */
static void *allocate(void *user, void *ptr, size_t old_size, size_t size)
{
    (void)user;
    if (!ptr)
        return size ? make(old_size, size) : NULL;
    if (!is_pooled(ptr)) {
        if (size)
            return realloc(ptr, size);
        free(ptr);
        return NULL;
    }
    if (size && size <= LARGEST && class_of(size) == class_of(old_size))
        return ptr;
    void *moved = size ? make(0, size) : NULL;
    if (size && !moved)
        return NULL;
    if (moved)
        memcpy(moved, ptr, size < old_size ? size : old_size);
    give_back(ptr, old_size);
    return moved;
}

/* The library stays loaded: closing a state unloads its modules before it frees its last blocks. */
static bool stay_loaded(void)
{
    Dl_info self;
    return dladdr(&base, &self) && dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
}

int luaopen_lua_pool(lua_State *L)
{
    if (!stay_loaded() || (!base && !reserve()))
        return luaL_error(L, "lua_pool: no pool");
    lua_setallocf(L, allocate, NULL);
    return 0;
}

/* Programs that this process starts from here on do not load the sanitizers: only lathe is under test, and a shell takes
 * 20 ms longer with them. */
int lua_pool_preload_no_more(lua_State *L)
{
    (void)L;
    unsetenv("LD_PRELOAD");
    return 0;
}
