/* Pictures of documents: lathe_preview for scripts/lathe/preview, which checks the options. */
#include "bindings.h"

#include "base/error.h"

#include <string.h>

/* A drawing. While it runs, the engine calls back to open documents and to get textures. Those are Lua functions: they run in
 * protected mode, and cannot change or close documents meanwhile. */
typedef struct drawing {
    lua_State *L;
    unsigned *busy;
    l_collect *file;
} drawing;

/* The stack of l_core_draw. */
enum {
    DOCUMENTS = 1,
    OPTIONS,
    OPEN,    /* function(i): a document; or nil and why not */
    TEXTURE, /* function(path): bytes; or nil and why not */
    KEPT,    /* a table: 1: the bytes given last; i + 2: document number i */
    RAISED,  /* what a function raised first, or nil */
    LIST,    /* memory for the engine's documents */
    LABELS
};

/* A call of one of the functions. */
typedef struct request {
    size_t i;
    const char *path; /* NULL: document number i is wanted, else the bytes of this texture */
    lathe_doc *doc;
    const void *bytes;
    size_t n;
    lathe_result result;
    lathe_error *err;
} request;

/* Notes the reason on top of the stack. */
static void take_reason(lua_State *L, request *q)
{
    lathe_result code = q->path ? LATHE_ERR_IO : LATHE_ERR_FORMAT;
    char path[sizeof q->err->path] = "";
    if (lua_type(L, -1) == LUA_TTABLE) { /* an error of lathe */
        lua_getfield(L, -1, "path");
        if (lua_type(L, -1) == LUA_TSTRING)
            strncpy(path, lua_tostring(L, -1), sizeof path - 1);
        lua_pop(L, 1);
        lua_getfield(L, -1, "message");
    }
    q->result = error_set(q->err, code, LATHE_NO_OFFSET, "%s", luaL_tolstring(L, -1, NULL));
    error_path(q->err, path[0] ? path : NULL);
}

/* The function, the table of what is kept, and the request. */
static int answer(lua_State *L)
{
    request *q = lua_touserdata(L, 3);
    lua_pushvalue(L, 1);
    if (q->path)
        lua_pushstring(L, q->path);
    else
        lua_pushinteger(L, (lua_Integer)q->i + 1);
    lua_call(L, 1, 2);
    if (q->path && lua_type(L, -2) == LUA_TSTRING) {
        lua_pop(L, 1);
        q->bytes = lua_tolstring(L, -1, &q->n);
        lua_rawseti(L, 2, 1);
        q->result = LATHE_OK;
    } else if (!q->path && l_class_of(L, -2) == L_DOCUMENT) {
        lua_pop(L, 1);
        q->doc = l_doc_check_open(L, lua_touserdata(L, -1));
        lua_rawseti(L, 2, (lua_Integer)q->i + 2);
        q->result = LATHE_OK;
    } else {
        take_reason(L, q);
    }
    return 0;
}

static lathe_result run(drawing *d, int function, request *q)
{
    lua_State *L = d->L; /* with stack space for these */
    if (!lua_isnil(L, RAISED))
        return error_set(q->err, LATHE_ERR_IO, LATHE_NO_OFFSET, "stopped by an error");
    ++*d->busy;
    lua_pushcfunction(L, answer);
    lua_pushvalue(L, function);
    lua_pushvalue(L, KEPT);
    lua_pushlightuserdata(L, q);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK) {
        q->result = error_set(q->err, LATHE_ERR_IO, LATHE_NO_OFFSET, "a function raised an error");
        lua_replace(L, RAISED);
        if (lua_isnil(L, RAISED)) { /* error(nil) */
            lua_pushboolean(L, 0);
            lua_replace(L, RAISED);
        }
    }
    --*d->busy;
    return q->result;
}

static lathe_result open_document(void *user, size_t i, lathe_doc **doc, lathe_error *err)
{
    request q = {.i = i, .err = err};
    lathe_result r = run(user, OPEN, &q);
    *doc = q.doc;
    return r;
}

/* Nothing here allocates, so that no finalizer runs. */
static void close_document(void *user, size_t i, lathe_doc *doc)
{
    lua_State *L = ((drawing *)user)->L;
    lua_rawgeti(L, KEPT, (lua_Integer)i + 2);
    l_doc *d = lua_touserdata(L, -1);
    if (d && d->doc == doc) {
        d->doc = NULL;
        lathe_doc_close(doc);
    }
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_rawseti(L, KEPT, (lua_Integer)i + 2);
}

static lathe_result give_texture(void *user, const char *path, const void **bytes, size_t *n,
                                 lathe_error *err)
{
    request q = {.path = path, .err = err};
    lathe_result r = run(user, TEXTURE, &q);
    *bytes = q.bytes;
    *n = q.n;
    return r;
}

static bool keep_piece(void *user, const void *bytes, size_t n)
{
    l_collect *file = user;
    l_collect_put(file, bytes, n);
    return !file->failed;
}

/* ---- options --------------------------------------------------------------------------------- */

static lua_Integer integer(lua_State *L, const char *name)
{
    lua_getfield(L, OPTIONS, name);
    lua_Integer n = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return n;
}

static bool flag(lua_State *L, const char *name)
{
    lua_getfield(L, OPTIONS, name);
    bool set = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return set;
}

/* The table keeps it alive. */
static const char *string(lua_State *L, const char *name)
{
    lua_getfield(L, OPTIONS, name);
    const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return s;
}

/* A document, a skeleton or an animation; *index is the number of these. NULL: not given. */
static const l_doc *source(lua_State *L, const char *name, uint32_t *index)
{
    lua_getfield(L, OPTIONS, name);
    l_class c = l_class_of(L, -1);
    const l_doc *d = c == L_DOCUMENT ? lua_touserdata(L, -1) : NULL;
    if (c == L_ANIMATION || c == L_SKELETON) {
        const l_object *o = lua_touserdata(L, -1);
        d = o->owner;
        *index = (uint32_t)o->index;
    }
    lua_pop(L, 1);
    return d;
}

static void take_options(lua_State *L, lathe_preview_options *o)
{
    o->svg = flag(L, "svg");
    o->width = (uint32_t)integer(L, "width");
    o->height = (uint32_t)integer(L, "height");
    o->what = (lathe_preview_what)integer(L, "what");
    o->view = (lathe_preview_view)integer(L, "view");
    o->fit = string(L, "fit");
    o->title = string(L, "title");
    o->names = flag(L, "names");
    o->frames = (uint32_t)integer(L, "frames");
    o->track = string(L, "track");
    lua_getfield(L, OPTIONS, "time");
    o->by_time = !lua_isnil(L, -1);
    o->at = lua_tonumber(L, -1);
    lua_pop(L, 1);
}

/* ---- drawing ----------------------------------------------------------------------------------- */

/* Fills in the documents. All that allocates is done; a finalizer may have closed one. */
static void take_documents(lua_State *L, lathe_preview_document *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, DOCUMENTS, (lua_Integer)i + 1);
        if (l_class_of(L, -1) == L_DOCUMENT)
            list[i].doc = l_doc_check_open(L, lua_touserdata(L, -1));
        lua_pop(L, 1);
    }
}

/* core.draw(documents, options): the bytes of a picture and a report; or nil and the error. `documents` is a list of documents,
 * and of anything else for those that options.open(i) opens. For scripts/lathe/preview, which checks everything. */
int l_core_draw(lua_State *L)
{
    luaL_checktype(L, DOCUMENTS, LUA_TTABLE);
    luaL_checktype(L, OPTIONS, LUA_TTABLE);
    lua_settop(L, OPTIONS);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    const size_t n = (size_t)lua_rawlen(L, DOCUMENTS);
    const mem memory = l_memory(L);
    lathe_preview_options o = {.size = sizeof o, .alloc = memory.fn, .alloc_user = memory.user};
    lathe_preview_document against = {.doc = NULL};
    lathe_error err;
    l_report report;
    drawing d = {.L = L, .busy = l_opener_busy(L)};

    lua_getfield(L, OPTIONS, "open");
    lua_getfield(L, OPTIONS, "texture");
    lua_newtable(L);
    lua_pushnil(L);
    lathe_preview_document *list = lua_newuserdatauv(L, (n + 1) * sizeof *list, 0);
    memset(list, 0, (n + 1) * sizeof *list);
    bool labelled = lua_getfield(L, OPTIONS, "labels") == LUA_TTABLE;
    for (size_t i = 0; labelled && i < n; i++) {
        lua_rawgeti(L, LABELS, (lua_Integer)i + 1);
        list[i].name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        lua_pop(L, 1);
    }
    take_options(L, &o);
    d.file = l_push_collect(L);
    l_report_open(L, &report);
    o.user = &d;
    o.open = open_document;
    o.close = close_document;
    o.texture = lua_isnil(L, TEXTURE) ? NULL : give_texture;
    uint32_t unused = 0;
    const l_doc *clip = source(L, "clip", &o.clip_index),
                *skeleton = source(L, "skeleton", &o.skeleton_index),
                *mesh = source(L, "mesh", &unused), *nodes = source(L, "nodes", &unused),
                *other = source(L, "against", &unused);
    against.name = string(L, "against_name");
    take_documents(L, list, n);
    o.clip = clip ? l_doc_check_open(L, clip) : NULL;
    o.skeleton = skeleton ? l_doc_check_open(L, skeleton) : NULL;
    o.mesh = mesh ? l_doc_check_open(L, mesh) : NULL;
    o.nodes = nodes ? l_doc_check_open(L, nodes) : NULL;
    against.doc = other ? l_doc_check_open(L, other) : NULL;
    o.against = other ? &against : NULL;

    lathe_result r = lathe_preview(list, n, &o, keep_piece, d.file, &report.api, &err);
    if (!lua_isnil(L, RAISED)) {
        lua_pushvalue(L, RAISED);
        return lua_error(L);
    }
    l_collect_check(L, d.file);
    if (r != LATHE_OK)
        return l_fail(L, &err);
    lua_pushlstring(L, (const char *)d.file->bytes.data, d.file->bytes.size);
    l_collect_done(d.file);
    l_collect_check(L, report.skipped);
    l_collect_check(L, report.results);
    lua_newtable(L);
    l_report_push_skipped(L, &report);
    l_report_add_results(L, &report, 0, NULL, false);
    l_report_done(&report);
    return 2;
}

/* core.may_read(path): the path of a file or folder that may be read: the one that the guard gives; or nil and the error. */
int l_core_may_read(lua_State *L)
{
    l_leave leave;
    const char *path = l_check_path(L, 1);
    lua_settop(L, 1);
    if (!l_guard_ask(L, path, "r", &leave))
        return 2;
    lua_pushstring(L, leave.real ? leave.real : path);
    return 1;
}
