/* The Lua module when memory runs out: every single allocation of a script fails in turn, those of
 * Lua and those of the engine. Nothing may crash or leak, no edit may stay open, and the collector
 * must run again.
 *
 * Lua is loaded at run time, so that C tests need neither its headers nor its library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
/* Under glibc malloc itself can be replaced, and so the engine be refused as well. */
#if defined(__GLIBC__) && !defined(SANITIZED)
#define REPLACED 1
#include <malloc.h>
enum { REQUESTS = 300 }; /* at least these are made by each script */
#else
enum { REQUESTS = 100 }; /* of Lua alone */
#endif

/* ---- an allocator that refuses --------------------------------------------------------------- */

static struct {
    size_t held;      /* bytes in use */
    long asked;       /* requests for more, while counting */
    long first, last; /* refused: from first up to last */
    bool counting;
} memory;

static bool is_refused(void)
{
    if (!memory.counting)
        return false;
    long n = memory.asked++;
    return n >= memory.first && n < memory.last;
}

#ifdef REPLACED
extern void *__libc_malloc(size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_calloc(size_t, size_t);
extern void __libc_free(void *);
#define SHOWN __attribute__((visibility("default"))) /* to Lua and to the module */
SHOWN void *malloc(size_t n);
SHOWN void *calloc(size_t n, size_t size);
SHOWN void *realloc(void *p, size_t n);
SHOWN void free(void *p);

void free(void *p)
{
    memory.held -= malloc_usable_size(p);
    __libc_free(p);
}

void *realloc(void *p, size_t n)
{
    size_t had = malloc_usable_size(p);
    if (n > had && is_refused())
        return NULL;
    void *q = __libc_realloc(p, n);
    if (q || n == 0)
        memory.held += malloc_usable_size(q) - had;
    return q;
}

void *malloc(size_t n)
{
    void *p = is_refused() ? NULL : __libc_malloc(n);
    memory.held += malloc_usable_size(p);
    return p;
}

void *calloc(size_t n, size_t size)
{
    void *p = is_refused() ? NULL : __libc_calloc(n, size);
    memory.held += malloc_usable_size(p);
    return p;
}
#endif

static void *lua_memory(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
#ifndef REPLACED
    if ((!ptr || new_size > old_size) && is_refused())
        return NULL;
#endif
    (void)old_size;
    return realloc(ptr, new_size);
}

/* ---- the little of Lua that is needed -------------------------------------------------------- */

typedef struct lua_State lua_State;
typedef void *(*lua_Alloc)(void *user, void *ptr, size_t old_size, size_t new_size);
enum { LUA_OK = 0 };

static struct {
    lua_State *(*newstate)(lua_Alloc, void *);
    void (*close)(lua_State *);
    void (*openlibs)(lua_State *);
    int (*loadstring)(lua_State *, const char *);
    int (*pcallk)(lua_State *, int, int, int, intptr_t, void *);
    const char *(*tolstring)(lua_State *, int, size_t *);
    void (*settop)(lua_State *, int);
} lua;

static void *symbol(void *library, const char *name)
{
    void *p = dlsym(library, name);
    if (!p)
        fail_msg("%s: %s", name, dlerror());
    return p;
}

/* A cast from void * to a function would not be standard C; a copy is what POSIX means. */
#define GET(field, name)                                                                           \
    do {                                                                                           \
        void *p = symbol(library, name);                                                           \
        memcpy(&lua.field, &p, sizeof p);                                                          \
    } while (0)

static int load_lua(void **state)
{
    (void)state;
    char path[1024];
    const char *build = getenv("LATHE_BUILD");
    void *library = dlopen("liblua5.4.so.0", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        fail_msg("%s", dlerror());
    GET(newstate, "lua_newstate");
    GET(close, "lua_close");
    GET(openlibs, "luaL_openlibs");
    GET(loadstring, "luaL_loadstring");
    GET(pcallk, "lua_pcallk");
    GET(tolstring, "lua_tolstring");
    GET(settop, "lua_settop");
    /* Stays loaded while states come and go, so that leaks in it have names. */
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s%s/lathe/core.so", build ? build : "build",
                 i ? "/spec" : "");
        if (!dlopen(path, RTLD_NOW))
            fail_msg("%s", dlerror());
    }
    return 0;
}

/* ---- the script ------------------------------------------------------------------------------ */

static const char prepare[] =
    "package.cpath = (os.getenv 'LATHE_BUILD' or 'build') .. '/?.so'\n"
    "lathe = require 'lathe.core'\n"
    "local function list(n, item) local t = {} for i = 1, n do t[i] = item(i) end return t end\n"
    "format = lathe.formats()[1].name\n"
    "for _, f in ipairs(lathe.formats()) do if f.can.meshes then format = f.name end end\n"
    "bytes = assert(lathe.new(format, {\n"
    "  vertices = list(4, function(i) return { i, 0, 0 } end),\n"
    "  triangles = list(2, function(i) return { a = 0, b = i, c = 2, gx = { 1, 2, 3 } } end),\n"
    "})):encode()\n"
    "doc = assert(lathe.parse(bytes, { format = format, history = 100 }))\n"
    "function body()\n"
    "  local other <close> = assert(lathe.parse(bytes, { format = format, history = 1 }))\n"
    "  local text = tostring(doc) .. tostring(doc.vertices) .. tostring(doc.vertices[1])\n"
    "  for name, value in pairs(doc.triangles[1]) do text = text .. name end\n"
    "  doc.vertices[1] = { 7, 8, 9 }\n"
    "  doc.vertices[2] = { x = 5 }\n"
    "  doc.triangles[1].gx = { 1, 2, 4 }\n"
    "  doc.vertices:append { 1, 2, 3 }\n"
    "  doc.vertices:insert(1, doc.vertices[2])\n"
    "  doc.triangles:remove(1)\n"
    "  doc.vertices = doc.vertices:totable()\n"
    "  doc.vertices:assign(doc.vertices:tobuffer())\n"
    "  doc.vertices:assign(doc.vertices:pack())\n"
    "  other.vertices = doc.vertices\n"
    "  doc:edit(function() doc.vertices:insert(1) doc:edit(function() doc.vertices:remove() end) "
    "end)\n"
    "  pcall(doc.edit, doc, function() doc.vertices:resize(9) error { } end)\n"
    "  doc:set('vertices[1]', { 1, 1, 1 })\n"
    "  text = text .. lathe.path(doc.vertices[1], 'x') .. lathe.bytes(doc.vertices) .. "
    "doc:encode()\n"
    "  assert(doc:scale(2, { what = 'all' }))\n"
    "  doc:check() lathe.describe(doc) lathe.formats() assert(lathe.read 'Makefile')\n"
    "  for mesh in doc:meshes() do mesh.positions:bounds() "
    "mesh.positions:transform(mesh.transform) end\n"
    "  assert(lathe.new(format, doc:totable(), { history = 2 })):close()\n"
    "  assert(lathe.new(format, doc)):close()\n"
    "  local none, err = lathe.parse('', { path = 'nothing' })\n"
    "  text = text .. err .. tostring(lathe.new(format, { nonsense = 1 }))\n"
    "  pcall(function() doc.nonsense = 1 end)\n"
    "  pcall(function() doc.vertices[1].x = {} end)\n"
    "  pcall(function() doc.triangles[1].a = 1e6 end)\n"
    "  pcall(function() doc.vertices[1] = { 1, print } end)\n"
    "end\n";

/* The same for skeletons and animations, which no format of the module proper need have: on made-up
 * ones. */
static const char prepare_moves[] =
    "package.cpath = (os.getenv 'LATHE_BUILD' or 'build') .. '/spec/?.so'\n"
    "lathe = require 'lathe.core'\n"
    "format = 'moves'\n"
    "local keys = {} for i = 1, 60 do keys[i] = i end\n"
    "bytes = assert(lathe.new(format, {\n"
    "  bones = { { name = 'root' }, { parent = 0, name = 'tip' } },\n"
    "  clips = { { frame_count = 3, bones = { 0, 1 }, length = 1, title = 'x', absolute = true,\n"
    "    keys = keys, has_motion = true, way = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 },\n"
    "    notes = { { text = 'one' }, { text = 'two' } } } },\n"
    "})):encode()\n"
    "doc = assert(lathe.parse(bytes, { format = format, history = 100 }))\n"
    "shapes = assert(lathe.parse('SHPS\\5\\1\\x3f\\2\\3\\4body', { format = 'shapes' }))\n"
    "function body()\n"
    "  local other <close> = assert(lathe.parse(bytes, { format = format }))\n"
    "  for mesh in shapes:meshes() do\n"
    "    assert(mesh.skin.bones[2].name == 'spine' and mesh.surface.textures.normal)\n"
    "  end\n"
    "  local anim, rig, text = doc.animations[1], other.skeletons[1], ''\n"
    "  for _, list in ipairs { doc.skeletons, doc.animations, anim.tracks } do\n"
    "    text = text .. #list .. tostring(list)\n"
    "    for i, item in ipairs(list) do\n"
    "      for name, value in pairs(item) do text = text .. name .. tostring(value) end\n"
    "    end\n"
    "  end\n"
    "  assert(#anim.annotations == 2 and #anim.root_motion == 12 and rig.bones[2].name == 'tip')\n"
    "  assert(anim.tracks[2]:sample(1.5)) assert(anim:sample(1, assert(anim:sample { time = 1 "
    "})))\n"
    "  for _, bones in ipairs { rig, other, { -1, 0 },\n"
    "    { bones = { { name = 'a', pose = { t = { 1, 2, 3 } } }, { parent = 0 } } } } do\n"
    "    assert(anim.tracks[2]:sample { time = 0.5, skeleton = bones })\n"
    "    assert(anim:decode { skeleton = bones }) assert(doc:bones_of { "
    "skeleton = bones })\n"
    "  end\n"
    "  assert(anim:reverse()) assert(anim:reverse())\n"
    "  pcall(anim.sample, anim, 9) pcall(anim.sample, anim, { tiem = 1 })\n"
    "  pcall(anim.decode, anim, { skeleton = { print } })\n"
    "  pcall(function() return anim.nonsense end)\n"
    "  anim:decode { skeleton = { 0 } }\n"
    "end\n";

/* The same for pictures, with all that C calls while it draws, and for the nodes of a scene. */
static const char prepare_pictures[] =
    "package.cpath = (os.getenv 'LATHE_BUILD' or 'build') .. '/?.so'\n"
    "local core = require 'lathe.core'\n"
    "lathe, format = core, 'solid'\n"
    "bytes = assert(lathe.new(format, {\n"
    "  vertices = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 }, { 0, 0, 4 } },\n"
    "  triangles = { { a = 0, b = 1, c = 2 }, { a = 0, b = 1, c = 3 } },\n"
    "})):encode()\n"
    "doc = assert(lathe.parse(bytes, { format = format, history = 100 }))\n"
    "scene = assert(lathe.open 'scripts/examples/careless.nif')\n"
    "function body()\n"
    "  local list, cells = { doc, {} }, { width = 128, height = 64, labels = { 'one', 'two' } }\n"
    "  cells.open = function(i) assert(i == 2) return lathe.parse(bytes, { format = format }) end\n"
    "  local png, report = core.draw(list, cells)\n"
    "  assert(png:sub(2, 4) == 'PNG' and report.triangles == 4, report)\n"
    "  cells.svg, cells.open = true, function() return lathe.parse('', { format = format }) end\n"
    "  local svg, other = core.draw({ {}, {} }, cells)\n"
    "  assert(svg:find '<svg' and #other.skipped == 2, other)\n"
    "  assert(core.draw({ doc }, { width = 64, height = 64, svg = true,\n"
    "    against = doc, against_name = 'it', title = 'both' }))\n"
    "  assert(core.draw({ scene }, { width = 64, height = 64,\n"
    "    texture = function(path) return nil, 'no ' .. path end }))\n"
    "  local none, err = core.draw({ doc }, { width = 1, height = 1 })\n"
    "  assert(not none and err.code == 'range', err)\n"
    "  assert(not pcall(core.draw, list, { width = 128, height = 64, open = error }))\n"
    "  local rig = assert(core.nodes(scene))\n"
    "  assert(#rig.bones > 0 and #rig.bones[1].pose.q == 4 and rig.up == 'z')\n"
    "  assert(not core.nodes(doc))\n"
    "end\n";

static const char run_body[] = "body()";

static const char verify[] =
    "assert(collectgarbage 'isrunning', 'the collector was left stopped')\n"
    "local _, err = doc:save '/no/such/folder/file'\n"
    "assert(err.code == 'io', 'an edit was left open: ' .. err)\n"
    "assert(lathe.parse(doc:encode(), { format = format }))\n"
    "while doc:undo() do end\n" /* a step that found no memory is not in it */
    "assert(lathe.parse(doc:encode(), { format = format }))\n"
    "if format ~= 'moves' then\n"
    "  doc.vertices[1] = { 1, 2, 3 }\n"
    "  assert(doc.vertices[1].z == 3)\n"
    "end\n"
    "body()\n";

static bool run(lua_State *L, const char *code)
{
    int r = lua.loadstring(L, code);
    return r == LUA_OK ? lua.pcallk(L, 0, 0, 0, 0, NULL) == LUA_OK : false;
}

static void must_run(lua_State *L, const char *code, long n)
{
    if (run(L, code))
        return;
    const char *text = lua.tolstring(L, -1, NULL);
    fail_msg("refusing from %ld: %s", n, text ? text : "(an error without text)");
}

/* Runs the body once, refusing `burst` requests from number n on. Gives how many there were. */
static long attempt(const char *script, long n, long burst)
{
    lua_State *L = lua.newstate(lua_memory, NULL);
    assert_non_null(L);
    lua.openlibs(L);
    must_run(L, script, n);
    memory.asked = 0;
    memory.first = n;
    memory.last = n + burst;
    memory.counting = true;
    bool done = run(L, run_body);
    memory.counting = false;
    if (n < 0)
        assert_true(done);
    lua.settop(L, 0);
    must_run(L, verify, n);
    lua.close(L);
    return memory.asked;
}

static void sweep(const char *script, long burst, long step)
{
    long total = attempt(script, -1, 0);
    if (total <= REQUESTS)
        fail_msg("only %ld requests were made", total);
    for (long n = 0; n < total; n += step) {
        size_t before = memory.held;
        attempt(script, n, burst);
        if (memory.held != before)
            fail_msg("refusing from %ld: %ld bytes lost", n, (long)(memory.held - before));
    }
}

static void one_request_is_refused(void **state)
{
    (void)state;
    sweep(prepare, 2, 1); /* Lua collects garbage and asks again: two refusals are one */
}

static void all_requests_are_refused(void **state)
{
    (void)state;
    sweep(prepare, 1L << 40, 3);
}

static void of_animations_one_is_refused(void **state)
{
    (void)state;
    sweep(prepare_moves, 2, 1);
}

static void of_animations_all_are_refused(void **state)
{
    (void)state;
    sweep(prepare_moves, 1L << 40, 3);
}

static void of_pictures_one_is_refused(void **state)
{
    (void)state;
    sweep(prepare_pictures, 2, 1);
}

static void of_pictures_all_are_refused(void **state)
{
    (void)state;
    sweep(prepare_pictures, 1L << 40, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_is_refused),
        cmocka_unit_test(all_requests_are_refused),
        cmocka_unit_test(of_animations_one_is_refused),
        cmocka_unit_test(of_animations_all_are_refused),
        cmocka_unit_test(of_pictures_one_is_refused),
        cmocka_unit_test(of_pictures_all_are_refused),
    };
    return cmocka_run_group_tests(tests, load_lua, NULL);
}
