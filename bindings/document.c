/* Documents: open, make, save and close them, and access to their fields. */
#include "base/os.h"
#include "bindings.h"
#include "record/form.h"

#include <stdio.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

static lua_Integer opt_integer(lua_State *L, int idx, const char *name, lua_Integer most)
{
    lua_Integer value = 0;
    int whole = 1;
    if (lua_getfield(L, idx, name) != LUA_TNIL)
        value = lua_tointegerx(L, -1, &whole);
    if (!whole || value < 0 || value > most)
        luaL_error(L, "option '%s': an integer from 0 to %I expected, got %s", name,
                   (LUAI_UACINT)most, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return value;
}

/* Leaves the string on the stack, because it may come from `__index`, and nothing else would keep it alive. */
static const char *push_string_option(lua_State *L, int idx, const char *name)
{
    int type = lua_getfield(L, idx, name);
    if (type != LUA_TNIL && type != LUA_TSTRING)
        luaL_error(L, "option '%s': a string expected, got %s", name, luaL_typename(L, -1));
    return lua_tostring(L, -1);
}

/* Whether the table at idx has integer keys but is no list: keys other than 1 to n, or strings as well. */
static bool has_numbers(lua_State *L, int idx)
{
    lua_Integer n = (lua_Integer)lua_rawlen(L, idx), listed = 0, numbers = 0, others = 0;
    for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
        lua_Integer key = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        numbers += lua_isinteger(L, -2);
        listed += key >= 1 && key <= n;
        others += !lua_isinteger(L, -2);
    }
    return numbers && (listed < numbers || listed < n || others);
}

/* Replaces the table on top by a copy whose integer keys are strings, because sources know only lists and string
 * keys. */
static void number_as_text(lua_State *L)
{
    int from = lua_gettop(L);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        if (lua_isinteger(L, -1)) {
            char text[24];
            snprintf(text, sizeof text, "%llu", (unsigned long long)lua_tointeger(L, -1));
            lua_pushstring(L, text);
            lua_remove(L, -2);
        }
        lua_pushvalue(L, -2);
        lua_rawset(L, from + 1);
    }
    lua_replace(L, from);
}

/* Pushes the options at idx, or a copy of them if `names` contains tables of the form number = name. */
static void push_named(lua_State *L, int idx)
{
    lua_pushvalue(L, idx);
    if (lua_getfield(L, idx, "names") != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    int names = lua_gettop(L), copy = names + 1, options = names + 2;
    lua_newtable(L);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, options);
    }
    for (lua_pushnil(L); lua_next(L, names); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        if (lua_istable(L, -1) && has_numbers(L, lua_gettop(L)))
            number_as_text(L);
        lua_rawset(L, copy);
    }
    lua_pushvalue(L, copy);
    lua_setfield(L, options, "names");
    lua_replace(L, names - 1);
    lua_settop(L, names - 1);
}

/* Reads options from the table at idx, or nothing. Formats read their own options from it through `extra`. Values
 * that *o borrows are left on the stack. False: a file named there cannot be read; nil and the error are pushed. */
static bool push_options(lua_State *L, int idx, lathe_options *o, l_source *extra)
{
    enum { MOST_STEPS = 100000 };
    mem memory = l_memory(L);
    memset(o, 0, sizeof *o);
    o->size = sizeof *o;
    o->alloc = memory.fn;
    o->alloc_user = memory.user;
    if (lua_isnoneornil(L, idx))
        return true;
    luaL_checktype(L, idx, LUA_TTABLE);
    o->format = push_string_option(L, idx, "format");
    o->path = push_string_option(L, idx, "path");
    o->history = (uint32_t)opt_integer(L, idx, "history", MOST_STEPS);
    o->limit = (uint64_t)opt_integer(L, idx, "limit", LUA_MAXINTEGER);
    l_push_geometry(L, idx, o);
    if (!l_push_dictionary(L, idx, o) || !l_push_skeleton(L, idx, o))
        return false;
    push_named(L, idx);
    l_source_open(L, extra, lua_gettop(L));
    o->extra = &extra->api;
    return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

static l_doc *push_handle(lua_State *L)
{
    l_doc *d = lua_newuserdatauv(L, sizeof *d, 1);
    d->doc = NULL;
    d->format = NULL;
    l_push_class(L, L_DOCUMENT);
    lua_setmetatable(L, -2);
    return d;
}

/* Returns the handle at idx, or nil and the error, as r and err say. */
static int opened(lua_State *L, l_doc *d, int idx, lathe_result r, const lathe_error *err)
{
    if (r != LATHE_OK)
        return l_fail(L, err);
    d->format = d->doc->containers[0].format;
    d->doc->opener = l_opener(L);
    l_collector_note(L, rec_content_size(d->doc) / 512 + 1);
    lua_pushvalue(L, idx);
    return 1;
}

/* lathe.open */
int l_document_open(lua_State *L)
{
    const char *path = l_check_path(L, 1);
    lathe_options o;
    lathe_error err;
    l_source extra;
    l_leave leave;
    lua_settop(L, 2);
    if (!l_guard_ask(L, path, "r", &leave))
        return 2;
    l_doc *d = push_handle(L); /* at index 5 */
    if (!push_options(L, 2, &o, &extra))
        return 2;
    l_geometry_ready(L, &o);
    if (o.extra)
        l_source_run(L, &extra);
    o.path = path;
    size_t n = 0;
    const char *bytes = leave.instead ? lua_tolstring(L, leave.instead, &n) : NULL;
    lathe_result r = bytes ? lathe_doc_parse(bytes, n, &o, &d->doc, &err)
                           : rec_doc_open(leave.real, path, &o, &d->doc, &err);
    if (o.extra)
        l_source_close(L, &extra);
    return opened(L, d, 5, r, &err);
}

/* lathe.parse */
int l_document_parse(lua_State *L)
{
    size_t n;
    const char *bytes = luaL_checklstring(L, 1, &n);
    lathe_options o;
    lathe_error err;
    l_source extra;
    lua_settop(L, 2);
    l_doc *d = push_handle(L);
    if (!push_options(L, 2, &o, &extra))
        return 2;
    l_geometry_ready(L, &o);
    if (o.extra)
        l_source_run(L, &extra);
    lathe_result r = lathe_doc_parse(bytes, n, &o, &d->doc, &err);
    if (o.extra)
        l_source_close(L, &extra);
    return opened(L, d, 3, r, &err);
}

/* lathe.new */
int l_document_new(lua_State *L)
{
    const char *format = luaL_checkstring(L, 1);
    lathe_options o;
    lathe_error err;
    l_source extra;
    l_input in;
    l_report report;
    lua_settop(L, 3);
    l_doc *d = push_handle(L); /* at index 4 */
    l_report_open(L, &report);
    if (!push_options(L, 3, &o, &extra))
        return 2;
    o.report = &report.api;
    l_input_open(L, &in, 2, NULL);
    bool none = in.kind == L_IN_LEAF && in.leaf.kind == LATHE_KIND_NONE;
    if (!none && !in.api.get)
        return luaL_typeerror(L, 2, "table or view");
    l_geometry_ready(L, &o);
    if (o.extra)
        l_source_run(L, &extra);
    lathe_result r = lathe_doc_new(format, none ? NULL : &in.api, &o, &d->doc, &err);
    l_input_close(L, &in); /* the inner one first, in the order of their stack slots */
    if (o.extra)
        l_source_close(L, &extra);
    int values = opened(L, d, 4, r, &err);
    if (r == LATHE_OK)
        values += l_report_push_table(L, &report, 4, d);
    l_report_done(&report);
    return values;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct memory_sink {
    char *to;
    size_t left;
} memory_sink;

static bool put_memory(void *user, const void *bytes, size_t n)
{
    memory_sink *sink = user;
    if (n > sink->left)
        return false;
    memcpy(sink->to, bytes, n);
    sink->to += n;
    sink->left -= n;
    return true;
}

static bool put_collected(void *user, const void *bytes, size_t n)
{
    l_collect *c = user;
    l_collect_put(c, bytes, n);
    return !c->failed;
}

/* Pushes what rec_encode_as gives; or nothing, where *err says why. */
static lathe_result push_encoded_as(lua_State *L, l_doc *d, const char *form, lathe_error *err)
{
    l_collect *c = l_push_collect(L);
    l_doc_check_open(L, d);
    lathe_result r = rec_encode_as(d->doc, form, put_collected, c, err);
    if (r == LATHE_OK)
        lua_pushlstring(L, (const char *)c->bytes.data, c->bytes.size);
    l_collect_done(c);
    return r;
}

/* Pushes the encoded bytes. On failure nothing is pushed. */
static lathe_result push_encoded(lua_State *L, l_doc *d, lathe_error *err)
{
    uint64_t size = lathe_doc_size(d->doc);
    luaL_Buffer b;
    if (size > PTRDIFF_MAX)
        luaL_error(L, "not enough memory");
    int top = lua_gettop(L);
    memory_sink sink = {luaL_buffinitsize(L, &b, (size_t)size), (size_t)size};
    l_doc_check_open(L, d);
    lathe_result r = lathe_doc_encode(d->doc, put_memory, &sink, err);
    if (r == LATHE_OK)
        luaL_pushresultsize(&b, (size_t)size - sink.left);
    else
        lua_settop(L, top);
    return r;
}

/* Document:encode */
static int l_document_encode(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    lathe_error err;
    return push_encoded(L, d, &err) == LATHE_OK ? 1 : l_fail(L, &err);
}

/* Raises for unknown options, so that a misspelt one is not ignored. */
static void check_save_options(lua_State *L, int idx)
{
    lua_pushnil(L);
    while (lua_next(L, idx)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (!name || (strcmp(name, "backup") != 0 && strcmp(name, "as") != 0))
            luaL_error(L, "no option '%s' of save, which takes backup and as",
                       luaL_tolstring(L, -2, NULL));
        lua_pop(L, 1);
    }
}

int l_push_saved(lua_State *L, const l_doc *d)
{
    const char *lost = rec_form_forgotten(d->doc);
    lua_pushboolean(L, 1);
    if (!lost)
        return 1;
    lua_createtable(L, 1, 0);
    lua_pushstring(L, lost);
    lua_rawseti(L, -2, 1);
    return 2;
}

/* Saves through the guard's replacement for the file. */
static int save_instead(lua_State *L, l_doc *d, const l_leave *leave, const char *path,
                        const lathe_save_options *o)
{
    const char *to, *form;
    lathe_error err;
    if (rec_doc_can_save(d->doc, path, &to, &err) != LATHE_OK ||
        rec_form_asked(d->doc, path, o->as, &form, &err) != LATHE_OK ||
        (form ? push_encoded_as(L, d, form, &err) : push_encoded(L, d, &err)) != LATHE_OK)
        return l_fail(L, &err);
    int results = l_guard_put(L, leave, path, o->backup);
    l_doc_check_open(L, d);
    if (results != 1)
        return results;
    rec_doc_saved(d->doc, path);
    return l_push_saved(L, d);
}

/* Document:save */
static int l_document_save(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    const char *path = lua_isnoneornil(L, 2) ? NULL : l_check_path(L, 2);
    lathe_save_options o = {.size = sizeof o};
    lathe_error err;
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        check_save_options(L, 3);
        lua_getfield(L, 3, "backup");
        o.backup = lua_toboolean(L, -1);
        lua_pop(L, 1);
        lua_getfield(L, 3, "as"); /* stays on the stack, for as long as it is used */
        if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING)
            return luaL_error(L, "option 'as': a string expected, got %s", luaL_typename(L, -1));
        o.as = lua_tostring(L, -1);
        l_doc_check_open(L, d);
    }
    const char *to = path ? path : lathe_doc_info(d->doc, "path");
    l_leave leave = {NULL, 0};
    if (to) {
        to = lua_pushstring(L, to); /* the guard may close or edit the document */
        if (!l_guard_ask(L, to, "w", &leave) || (o.backup && !l_guard_ask_backup(L, &leave)))
            return 2;
        l_doc_check_open(L, d);
    }
    if (leave.instead)
        return save_instead(L, d, &leave, to, &o);
    if (rec_doc_save(d->doc, leave.real, to, &o, &err) != LATHE_OK)
        return l_fail(L, &err);
    return l_push_saved(L, d);
}

typedef struct file_bytes {
    uint8_t *data;
    size_t size;
} file_bytes;

static int push_bytes(lua_State *L)
{
    const file_bytes *f = lua_touserdata(L, 1);
    lua_pushlstring(L, (const char *)f->data, f->size);
    return 1;
}

/* lathe.read */
int l_read(lua_State *L)
{
    const char *path = l_check_path(L, 1);
    mem memory = l_memory(L);
    file_bytes f = {NULL, 0};
    lathe_error err;
    l_leave leave;
    lua_settop(L, 1);
    if (!l_guard_ask(L, path, "r", &leave))
        return 2;
    if (leave.instead) {
        lua_pushvalue(L, leave.instead);
        return 1;
    }
    lathe_result r = leave.real ? os_read_real(leave.real, path, 0, &memory, &f.data, &f.size, &err)
                                : os_read_file(path, 0, &memory, &f.data, &f.size, &err);
    if (r != LATHE_OK)
        return l_fail(L, &err);
    /* it may raise, so it is called in protected mode, and the bytes are freed first */
    lua_pushcfunction(L, push_bytes);
    lua_pushlightuserdata(L, &f);
    int status = lua_pcall(L, 1, 1, 0);
    mem_free(&memory, f.data, f.size);
    return status == LUA_OK ? 1 : lua_error(L);
}

/* lathe.write */
int l_write(lua_State *L)
{
    size_t size;
    const char *path = l_check_path(L, 1);
    const char *bytes = luaL_checklstring(L, 2, &size);
    mem memory = l_memory(L);
    os_writer *w = NULL;
    lathe_error err;
    l_leave leave;
    lua_settop(L, 2);
    if (!l_guard_ask(L, path, "w", &leave))
        return 2;
    if (leave.instead) {
        lua_pushvalue(L, 2);
        return l_guard_put(L, &leave, path, false);
    }
    lathe_result r = leave.real ? os_writer_open_real(leave.real, path, &memory, &w, &err)
                                : os_writer_open(path, &memory, &w, &err);
    if (r != LATHE_OK)
        return l_fail(L, &err);
    os_writer_put(w, bytes, size); /* the commit reports a failure */
    if (os_writer_commit(w, OS_BACKUP_NONE, &err) != LATHE_OK)
        return l_fail(L, &err);
    lua_pushboolean(L, 1);
    return 1;
}

/* Closes the document. There are no more references to it. */
static int l_document_gc(lua_State *L)
{
    if (l_class_of(L, 1) != L_DOCUMENT)
        return luaL_typeerror(L, 1, "lathe.Document");
    l_doc *d = lua_touserdata(L, 1);
    lathe_doc *doc = d->doc;
    d->doc = NULL;
    lua_pushnil(L);
    lua_setiuservalue(L, 1, 1); /* frees the metatables of its own types */
    lathe_doc_close(doc);
    return 0;
}

/* Document:close */
static int l_document_close(lua_State *L)
{
    if (l_class_of(L, 1) != L_DOCUMENT)
        return luaL_typeerror(L, 1, "lathe.Document");
    const l_doc *d = lua_touserdata(L, 1);
    lathe_error err;
    if (d->doc && rec_in_use(d->doc)) {
        rec_refuse_use(&err);
        return l_raise(L, &err);
    }
    return l_document_gc(L);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* A field of the format has precedence over those from SKELETONS on. */
enum {
    FORMAT,
    PATH,
    GAME,
    SIZE,
    MODIFIED,
    COMPRESSION,
    CONTAINER,
    SKELETONS,
    ANIMATIONS,
    MATERIALS,
    BODIES,
    GRAPH,
    EVENTS,
    VARIABLES,
    ANIMATION_FILES,
    PROPERTIES
};

static const char *const property_names[] = {
    "format",          "path",       "game",      "size",   "modified", "compression", "container",
    "skeletons",       "animations", "materials", "bodies", "graph",    "events",      "variables",
    "animation_files", NULL};

static void push_graph(lua_State *L, const l_doc *d)
{
    const l_object graph = {.index = 0};
    if (l_has_graph(L, d))
        l_push_object(L, 1, &graph, L_GRAPH);
    else
        lua_pushnil(L);
}

static int push_property(lua_State *L, l_doc *d, lua_Integer property)
{
    l_doc_check_open(L, d);
    switch (property) {
    case SIZE: lua_pushinteger(L, (lua_Integer)lathe_doc_size(d->doc)); break;
    case MODIFIED: lua_pushboolean(L, lathe_doc_modified(d->doc)); break;
    case SKELETONS: l_push_list(L, 1, L_SKELETON, 0); break;
    case ANIMATIONS: l_push_list(L, 1, L_ANIMATION, 0); break;
    case MATERIALS: l_push_list(L, 1, L_RECORD, LATHE_MATERIALS); break;
    case BODIES: l_push_list(L, 1, L_RECORD, LATHE_BODIES); break;
    case GRAPH: push_graph(L, d); break;
    case EVENTS: l_push_list(L, 1, L_RECORD, LATHE_EVENTS); break;
    case VARIABLES: l_push_list(L, 1, L_RECORD, LATHE_VARIABLES); break;
    case ANIMATION_FILES: l_push_list(L, 1, L_RECORD, LATHE_ANIMATION_FILES); break;
    default: lua_pushstring(L, lathe_doc_info(d->doc, property_names[property])); break;
    }
    return 1;
}

static const luaL_Reg methods[] = {
    {"save", l_document_save},
    {"encode", l_document_encode},
    {"close", l_document_close},
    {"edit", l_document_edit},
    {"undo", l_document_undo},
    {"redo", l_document_redo},
    {"check", l_document_check},
    {"get", l_document_get},
    {"set", l_document_set},
    {"at", l_document_at},
    {"describe", l_document_describe},
    {"meshes", l_document_meshes},
    {"serialize", l_serialize},
    {"totable", l_totable},
    {NULL, NULL},
};

static int no_member(lua_State *L, const l_doc *d)
{
    const char *names[sizeof methods / sizeof *methods + PROPERTIES];
    size_t n = 0;
    for (const luaL_Reg *m = methods; m->name; m++)
        names[n++] = m->name;
    for (int i = 0; i < PROPERTIES; i++)
        names[n++] = property_names[i];
    names[n] = NULL;
    return l_no_field(L, 2, d->format->root, d->format->name, names);
}

/* Upvalue 1: methods, and the numbers of properties. Then the fields of the root record are searched, then the
 * members of all documents, then verbs. */
static int l_document_index(lua_State *L)
{
    l_doc *d = lua_touserdata(L, 1);
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    lua_Integer property = found == LUA_TNUMBER ? lua_tointeger(L, -1) : PROPERTIES;
    if (property < SKELETONS)
        return push_property(L, d, property);
    if (found != LUA_TNIL && found != LUA_TNUMBER)
        return 1;
    l_doc_check_open(L, d);
    uint32_t row = l_row_of(L, 1, 2);
    l_doc_check_open(L, d); /* making a metatable may have run a finalizer */
    if (row != REC_NO_SLOT)
        return l_push_field(L, 1, d, l_doc_root(d), row);
    if (property < PROPERTIES)
        return push_property(L, d, property);
    const rec_verb *verb = NULL;
    if (lua_type(L, 2) == LUA_TSTRING)
        verb = rec_verb_find(*l_doc_root(d), lua_tostring(L, 2));
    if (!verb)
        return no_member(L, d);
    l_push_verb(L, verb);
    return 1;
}

/* doc.compression = "zstd", or nil or false */
static int set_compression(lua_State *L, const l_doc *d)
{
    lathe_error err;
    bool none = !lua_toboolean(L, 3);
    if (!none && lua_type(L, 3) != LUA_TSTRING)
        return luaL_error(L, "'compression': \"zstd\" or nil expected, got %s",
                          luaL_typename(L, 3));
    lathe_result r = lathe_doc_set_compression(d->doc, none ? NULL : lua_tostring(L, 3), &err);
    return r == LATHE_OK ? 0 : l_raise(L, &err);
}

static int l_document_newindex(lua_State *L)
{
    l_doc *d = lua_touserdata(L, 1);
    l_input in;
    lathe_error err;
    l_doc_check_open(L, d);
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    if (found == LUA_TNUMBER && lua_tointeger(L, -1) == COMPRESSION)
        return set_compression(L, d);
    uint32_t row = REC_NO_SLOT;
    if (found == LUA_TNIL || (found == LUA_TNUMBER && lua_tointeger(L, -1) >= SKELETONS))
        row = l_row_of(L, 1, 2);
    if (found != LUA_TNIL && row == REC_NO_SLOT)
        return luaL_error(L, "'%s' of a document cannot be set", lua_tostring(L, 2));
    if (row == REC_NO_SLOT)
        return l_no_field(L, 2, d->format->root, d->format->name, NULL);
    l_input_open(L, &in, 3, d);
    lathe_result r = l_store_field(d, l_doc_root(d), row, &in, &err);
    l_input_close(L, &in);
    return r == LATHE_OK ? 0 : l_raise(L, &err);
}

void l_open_documents(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__gc", l_document_gc},
        {"__close", l_document_close},
        {"__pairs", l_record_pairs},
        {"__tostring", l_document_tostring},
        {NULL, NULL},
    };
    luaL_newlibtable(L, meta);
    l_class_set(L, L_DOCUMENT, "lathe.Document");
    luaL_setfuncs(L, meta, 0);
    l_new_members(L, L_DOCUMENT, methods, property_names);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, l_document_index, 1);
    lua_setfield(L, -3, "__index");
    lua_pushcclosure(L, l_document_newindex, 1);
    lua_setfield(L, -2, "__newindex");
    l_save_class(L, L_DOCUMENT);
}
