/* Companion files: reading them from the options, and opening them through the guard. */
#include "bindings.h"

#include "base/error.h"
#include "base/os.h"
#include "record/companions.h"

#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

typedef struct given {
    lathe_geometry *list;
    const l_doc **docs; /* the document of each one, or NULL; stored behind the list */
    size_t n;
} given;

/* Pushes a userdata with room for the list. */
static void make_room(lua_State *L, given *g, size_t count)
{
    g->list = lua_newuserdatauv(L, (count + 1) * (sizeof *g->list + sizeof *g->docs), 0);
    g->docs = (const l_doc **)(void *)(g->list + count);
}

/* Adds the path or document on top of the stack, and pops it; another reference keeps it alive. */
static void take(lua_State *L, given *g, bool renamed, lua_Integer hash)
{
    lathe_geometry one = {.renamed = renamed, .hash = (uint32_t)hash};
    const l_doc *doc = NULL;
    if (lua_type(L, -1) == LUA_TSTRING) {
        size_t n;
        one.path = lua_tolstring(L, -1, &n);
        if (strlen(one.path) != n)
            luaL_error(L, "'geometry': a path holds no NUL byte");
    } else if (l_class_of(L, -1) == L_DOCUMENT) {
        const l_doc *d = lua_touserdata(L, -1);
        one.doc = l_doc_check_open(L, d);
        doc = d;
        if (strcmp(d->format->name, "geometry") != 0)
            luaL_error(L, "'geometry': a geometry document expected, got %s", d->format->name);
    } else {
        luaL_error(L, "'geometry': a path, a document or a table of these expected, got %s",
                   luaL_typename(L, -1));
    }
    g->list[g->n] = one;
    g->docs[g->n++] = doc;
    lua_pop(L, 1);
}

static lua_Integer hash_of(lua_State *L, int idx)
{
    int is_integer;
    lua_Integer hash = lua_tointegerx(L, idx, &is_integer);
    if (!is_integer || lua_type(L, idx) != LUA_TNUMBER || hash < 0 || hash > UINT32_MAX)
        luaL_error(L, "'geometry': a name hash of 32 bits expected, got %s",
                   luaL_tolstring(L, idx, NULL));
    return hash;
}

/* Reads a table of companions: elements 1 .. n are where to search, other keys are hashes. */
static void take_table(lua_State *L, given *g)
{
    int table = lua_gettop(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, table);
    size_t count = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        count++;
    make_room(L, g, count);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, table, i);
        take(L, g, false, 0);
    }
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_Integer key = hash_of(L, -2);
        if (lua_isinteger(L, -2) && key >= 1 && key <= n)
            lua_pop(L, 1);
        else
            take(L, g, true, key);
    }
}

void l_push_geometry(lua_State *L, int idx, lathe_options *o)
{
    given g = {.n = 0};
    lua_getfield(L, idx, "geometry");
    if (lua_type(L, -1) == LUA_TTABLE) {
        take_table(L, &g);
    } else if (!lua_isnil(L, -1)) {
        make_room(L, &g, 1);
        lua_pushvalue(L, -2);
        take(L, &g, false, 0);
    }
    o->geometry = g.list;
    o->geometry_count = g.n;
}

void l_geometry_ready(lua_State *L, const lathe_options *o)
{
    if (!o->geometry_count)
        return;
    const l_doc *const *docs =
        (const l_doc *const *)(const void *)(o->geometry + o->geometry_count);
    for (size_t i = 0; i < o->geometry_count; i++)
        if (docs[i])
            l_doc_check_open(L, docs[i]);
}

/* ---- dictionary of compressed files ------------------------------------------------------------ */

bool l_push_dictionary(lua_State *L, int idx, lathe_options *o)
{
    size_t n = 0;
    int type = lua_getfield(L, idx, "dictionary");
    if (type == LUA_TSTRING) {
        const char *path = lua_tolstring(L, -1, &n);
        if (strlen(path) != n)
            luaL_error(L, "'dictionary': a path holds no NUL byte; bytes go into { bytes = ... }");
        lua_pushcfunction(L, l_read);
        lua_insert(L, -2);
        lua_call(L, 1, 2);
        if (lua_isnil(L, -2))
            return false;
        lua_pop(L, 1);
    } else if (type == LUA_TTABLE) {
        if (lua_getfield(L, -1, "bytes") != LUA_TSTRING)
            luaL_error(L, "'dictionary': bytes: a string expected, got %s", luaL_typename(L, -1));
        lua_remove(L, -2);
    } else if (type != LUA_TNIL) {
        luaL_error(L, "'dictionary': a path or { bytes = ... } expected, got %s",
                   luaL_typename(L, -1));
    }
    o->dictionary = lua_tolstring(L, -1, &n);
    o->dictionary_size = o->dictionary ? n : 0;
    return true;
}

/* ---- linked skeleton ---------------------------------------------------------------------------------- */

bool l_push_skeleton(lua_State *L, int idx, lathe_options *o)
{
    int type = lua_getfield(L, idx, "skeleton");
    l_class c = l_class_of(L, -1);
    if (type == LUA_TSTRING) {
        lua_pushcfunction(L, l_document_open);
        lua_insert(L, -2);
        lua_call(L, 1, 2);
        if (lua_isnil(L, -2))
            return false;
        lua_pop(L, 1);
        o->skeleton = l_doc_check_open(L, lua_touserdata(L, -1));
    } else if (c == L_DOCUMENT) {
        l_doc_check_open(L, lua_touserdata(L, -1));
    } else if (c == L_SKELETON) {
        l_check_object(L, lua_gettop(L), c);
    } else if (type != LUA_TNIL && type != LUA_TTABLE && !l_is_plain(L, -1)) {
        luaL_error(
            L, "'skeleton': a path, a document, a skeleton or a table of bones expected, got %s",
            c == L_OTHER ? luaL_typename(L, -1) : l_object_word(c));
    }
    return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A request of a document to open a file. It comes in the middle of an engine call, through which no error may be
 * raised, and from an unknown coroutine. So the guard runs in a Lua thread of its own, in protected mode. */
typedef struct request {
    const char *path;
    const lathe_options *options;
    lathe_doc **doc;
    bool (*each)(void *to, const char *name); /* for listing a folder; NULL: open a file */
    void *to;
    lathe_result result;
    lathe_error *err;
} request;

static void refuse(request *q, const char *reason)
{
    q->result = error_set(q->err, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s", reason);
    error_path(q->err, q->path);
}

/* The opener of a Lua state. */
typedef struct opening {
    rec_opener opener;
    lua_State *thread;
    unsigned busy;
} opening;

static int ask(lua_State *L)
{
    request *q = lua_touserdata(L, 1);
    l_leave leave;
    size_t n;
    if (!l_guard_ask(L, q->path, "r", &leave)) {
        lua_getfield(L, -1, "message");
        refuse(q, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "not allowed");
        return 0;
    }
    if (q->each) {
        mem m = l_memory(L);
        q->result = os_list(leave.real ? leave.real : q->path, &m, q->each, q->to, q->err);
        return 0;
    }
    const char *bytes = leave.instead ? lua_tolstring(L, leave.instead, &n) : NULL;
    lathe_options o = *q->options;
    o.path = q->path;
    q->result = bytes ? lathe_doc_parse(bytes, n, &o, q->doc, q->err)
                      : rec_doc_open(leave.real, q->path, &o, q->doc, q->err);
    return 0;
}

/* Runs a request. The guard, and finalizers that run meanwhile, are Lua code, and must not change or close
 * documents. */
static lathe_result run(opening *o, request *q)
{
    lua_State *L = o->thread;
    o->busy++;
    lua_pushcfunction(L, ask); /* l_opener has reserved stack space */
    lua_pushlightuserdata(L, q);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        refuse(q, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "not allowed");
        lua_pop(L, 1);
    }
    o->busy--;
    return q->result;
}

static lathe_result open_file(void *user, const char *path, const lathe_options *options,
                              lathe_doc **doc, lathe_error *err)
{
    request q = {.path = path, .options = options, .doc = doc, .err = err};
    return run(user, &q);
}

static lathe_result list_folder(void *user, const char *folder,
                                bool (*each)(void *to, const char *name), void *to,
                                lathe_error *err)
{
    request q = {.path = folder, .each = each, .to = to, .err = err};
    return run(user, &q);
}

const rec_opener *l_opener(lua_State *L)
{
    static const char opener_key; /* registry key of the opener, which owns the thread */
    opening *o;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &opener_key) == LUA_TUSERDATA) {
        o = lua_touserdata(L, -1);
        lua_pop(L, 1);
        return &o->opener;
    }
    lua_pop(L, 1);
    o = lua_newuserdatauv(L, sizeof *o, 1);
    *o = (opening){.thread = lua_newthread(L)};
    o->opener = (rec_opener){.user = o, .busy = &o->busy, .open = open_file, .list = list_folder};
    lua_setiuservalue(L, -2, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &opener_key);
    return &o->opener;
}

unsigned *l_opener_busy(lua_State *L)
{
    return &((opening *)l_opener(L)->user)->busy;
}
