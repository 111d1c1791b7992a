/* lathe in a browser or in node: one Lua state that answers requests. A request is JSON text and byte arrays, and so is
 * its reply; service/init.lua knows what they mean. JavaScript (worker/module.js) copies the bytes in and out.
 *
 * A web worker gets no signal while it computes, so time limits work by polling: a count hook looks at
 * the clock, and then raises the signal that natively a timer or Ctrl-C does. */
#include <emscripten.h>
#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

int luaopen_lathe_core(lua_State *L);
int luaopen_lfs(lua_State *L);

/* For JavaScript: */
EMSCRIPTEN_KEEPALIVE const char *web_start(void);
EMSCRIPTEN_KEEPALIVE char *web_give(size_t size);
EMSCRIPTEN_KEEPALIVE int web_call(double milliseconds);
EMSCRIPTEN_KEEPALIVE const char *web_answer(int i, size_t *size);
EMSCRIPTEN_KEEPALIVE void web_done(void);
EMSCRIPTEN_KEEPALIVE void web_forget(void);

/* ---- time limits ----------------------------------------------------------------------------- */

/* Lua instructions from one look at the clock to the next: about a millisecond. */
#define INSTRUCTIONS 100000

static struct {
    double alarm; /* of core/base/os_posix.c's timer, in ms; 0: none */
    double call;  /* of the request, in ms; 0: none */
} deadline;

/* Instead of the library's, whose alarm would ring after the call. */
int setitimer(int which, const struct itimerval *timer, struct itimerval *before)
{
    (void)which;
    if (before)
        *before = (struct itimerval){0};
    double ms = (double)timer->it_value.tv_sec * 1e3 + (double)timer->it_value.tv_usec / 1e3;
    deadline.alarm = ms > 0 ? emscripten_get_now() + ms : 0;
    return 0;
}

/* Coroutines get the hook of the thread that creates them. */
static void look_at_clock(lua_State *L, lua_Debug *ar)
{
    (void)L, (void)ar;
    if (deadline.alarm <= 0 && deadline.call <= 0)
        return;
    double now = emscripten_get_now();
    if (deadline.alarm > 0 && now >= deadline.alarm) {
        deadline.alarm = 0;
        raise(SIGALRM);
    }
    if (deadline.call > 0 && now >= deadline.call) {
        deadline.call = 0;
        raise(SIGINT); /* boot.lua calls the service in core.catch_interrupt */
    }
}

/* The linker calls this in place of lua_resume. The hook counts the instructions of one coroutine, so it would never
 * run in many that are short. */
int __wrap_lua_resume(lua_State *L, lua_State *from, int count, int *results);
int __real_lua_resume(lua_State *L, lua_State *from, int count, int *results);

int __wrap_lua_resume(lua_State *L, lua_State *from, int count, int *results)
{
    look_at_clock(L, NULL);
    return __real_lua_resume(L, from, count, results);
}

static void begin_call(lua_State *L, double milliseconds)
{
    deadline.call = milliseconds > 0 ? emscripten_get_now() + milliseconds : 0;
    deadline.alarm = 0;
    lua_sethook(L, look_at_clock, LUA_MASKCOUNT, INSTRUCTIONS);
}

/* ---- what the platform lacks ------------------------------------------------------------------- */

int posix_spawnp(pid_t *id, const char *file, const posix_spawn_file_actions_t *files,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const environ_[])
{
    (void)id, (void)file, (void)files, (void)attributes, (void)argv, (void)environ_;
    return ENOSYS;
}

/* ---- files of lathe itself ------------------------------------------------------------------- */

/* What files.lua packed: for each file its path, a NUL, its size as 32 bits, and its bytes. */
extern const unsigned char web_files[], web_files_end[];

static uint32_t get_u32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

static bool write_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return false;
    bool written = fwrite(bytes, 1, size, f) == size;
    return fclose(f) == 0 && written;
}

struct packed {
    const char *place;
    const unsigned char *bytes;
    size_t size;
};

/* Reads one file, and returns where the next one begins. */
static const unsigned char *get_packed(const unsigned char *p, struct packed *file)
{
    file->place = (const char *)p;
    p += strlen(file->place) + 1;
    file->size = get_u32(p);
    file->bytes = p + 4;
    return file->bytes + file->size;
}

/* Copies the examples to the file system in memory, where scripts and commands read them. Lua modules stay where they are:
 * to make a file of each takes longer than to compile those that are needed. */
static bool unpack(void)
{
    struct packed file;
    for (const unsigned char *p = web_files; p < web_files_end;) {
        p = get_packed(p, &file);
        if (strncmp(file.place, "scripts/examples/", 17) != 0)
            continue;
        char path[512];
        int n = snprintf(path, sizeof path, "/lathe/%s", file.place);
        if (n < 0 || (size_t)n >= sizeof path)
            return false;
        make_folders(path);
        if (!write_file(path, file.bytes, file.size))
            return false;
    }
    return true;
}

/* compile(offset, name) -> function: compiles the packed file at an offset of push_places */
static int l_compile(lua_State *L)
{
    struct packed file;
    get_packed(web_files + luaL_checkinteger(L, 1), &file);
    if (luaL_loadbufferx(L, (const char *)file.bytes, file.size, luaL_checkstring(L, 2), "t") !=
        LUA_OK)
        return lua_error(L);
    return 1;
}

/* Pushes a table: the offset of each packed file, by its place. */
static void push_places(lua_State *L)
{
    struct packed file;
    lua_newtable(L);
    for (const unsigned char *p = web_files; p < web_files_end;) {
        lua_pushinteger(L, p - web_files);
        p = get_packed(p, &file);
        lua_setfield(L, -2, file.place);
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

static lua_State *state;

/* Byte strings of the request or the reply. The first one is its JSON text. */
#define MOST_BLOBS 4096
static struct {
    char *data;
    size_t size;
} request[MOST_BLOBS];
static int given;  /* number of blobs of the request */
static int answer; /* registry reference of the list of strings of the reply */

/* Returns memory for the next byte string of the request, or NULL. */
char *web_give(size_t size)
{
    if (given == MOST_BLOBS)
        return NULL;
    char *data = malloc(size ? size : 1);
    if (data) {
        request[given].data = data;
        request[given++].size = size;
    }
    return data;
}

/* Drops the request that web_give has begun. */
void web_forget(void)
{
    while (given > 0)
        free(request[--given].data);
}

/* Pushes the byte strings of the request as a list. Each is freed as soon as Lua has it: a file may be large. */
static void push_request(lua_State *L)
{
    lua_createtable(L, given, 0);
    for (int i = 0; i < given; i++) {
        lua_pushlstring(L, request[i].data, request[i].size);
        free(request[i].data);
        request[i].data = NULL;
        lua_rawseti(L, -2, i + 1);
    }
}

/* clang-format off */
EM_JS(void, web_emit, (const char *text, size_t size), {
    Module["emit"](UTF8ToString(text, size));
})
/* clang-format on */

/* emit(json): sends an event of the running request to JavaScript */
static int l_emit(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    web_emit(text, size);
    return 0;
}

static bool begun; /* the request has reached Lua */

/* handle(strings, emit) -> strings */
static int run_request(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "lathe.web");
    push_request(L);
    lua_pushcfunction(L, l_emit);
    begun = true;
    lua_call(L, 2, 1);
    luaL_checktype(L, -1, LUA_TTABLE);
    return 1;
}

/* Answers the request that web_give made, within a time limit in ms (0: none). Returns the number of byte strings of
 * the reply, or -1: then the only one is the message of an error that the service did not expect; or -2, with such a
 * message, if there was not enough memory to begin: nothing has changed. */
int web_call(double milliseconds)
{
    begin_call(state, milliseconds);
    begun = false;
    lua_pushcfunction(state, run_request);
    int status = lua_pcall(state, 0, 1, 0);
    deadline.call = deadline.alarm = 0;
    web_forget();
    int count = status == LUA_OK ? (int)lua_rawlen(state, -1) : begun ? -1 : -2;
    if (status != LUA_OK) {
        if (lua_type(state, -1) != LUA_TSTRING) {
            lua_pop(state, 1);
            lua_pushliteral(state, "an error that is no text");
        }
        lua_createtable(state, 1, 0);
        lua_insert(state, -2);
        lua_rawseti(state, -2, 1);
    }
    answer = luaL_ref(state, LUA_REGISTRYINDEX);
    return count;
}

/* Byte string i of the reply, from 0. It is valid until web_done. */
const char *web_answer(int i, size_t *size)
{
    lua_rawgeti(state, LUA_REGISTRYINDEX, answer);
    lua_rawgeti(state, -1, i + 1);
    const char *data = lua_tolstring(state, -1, size);
    lua_pop(state, 2);
    return data;
}

void web_done(void)
{
    luaL_unref(state, LUA_REGISTRYINDEX, answer);
    answer = LUA_NOREF;
}

/* ---- start ----------------------------------------------------------------------------------- */

/* The standard streams are files: what a C function prints is neither cut into lines nor decoded, and no stream is a
 * terminal. Lua reads them after a call. */
static bool redirect(void)
{
    mkdir("/std", 0777);
    return freopen("/dev/null", "r", stdin) && freopen("/std/out", "w+", stdout) &&
           freopen("/std/err", "w+", stderr);
}

static int start(lua_State *L)
{
    luaL_openlibs(L);
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_lathe_core);
    lua_setfield(L, -2, "lathe.core");
    lua_pushcfunction(L, luaopen_lfs);
    lua_setfield(L, -2, "lfs");
    push_places(L);
    lua_pushcfunction(L, l_compile);
    lua_pushvalue(L, -1);
    lua_getfield(L, -3, "web/boot.lua");
    lua_pushliteral(L, "@/lathe/web/boot.lua");
    lua_call(L, 2, 1);
    lua_rotate(L, -3, 1); /* boot(places, compile) */
    lua_call(L, 2, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "lathe.web");
    return 0;
}

/* Starts lathe. NULL, or why it did not start. */
const char *web_start(void)
{
    if (!unpack() || !redirect())
        return "there is not enough memory for lathe's own files";
    state = luaL_newstate();
    if (!state)
        return "there is not enough memory for Lua";
    lua_pushcfunction(state, start);
    return lua_pcall(state, 0, 0, 0) == LUA_OK ? NULL : luaL_tolstring(state, -1, NULL);
}
