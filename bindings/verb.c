/* Verbs: what a format can do beyond reading and writing, called by name. */
#include "bindings.h"

#include <stdio.h>
#include <string.h>

static const char verbs_key; /* in the registry: light userdata of a verb -> its function */

/* ---- arguments ------------------------------------------------------------------------------- */

/* A table that holds options rather than being a value itself: {1, 2, 3} may be a vector. */
static bool is_options(lua_State *L, int idx)
{
    return lua_type(L, idx) == LUA_TTABLE && lua_rawlen(L, idx) == 0 && !l_is_copy(L, idx);
}

/* A table that is the verb's first argument itself, which must be given and may be anything: a mesh, as doc:meshes gives
 * it. It does not hold that argument by name. */
static bool is_first(lua_State *L, int idx, const rec_verb *verb)
{
    const rec_param *first = verb->params ? verb->params[0] : NULL;
    if (idx != 2 || !first || !first->positional || !first->needed || first->kind)
        return false;
    lua_pushstring(L, first->name);
    bool named = lua_rawget(L, idx) != LUA_TNIL;
    lua_pop(L, 1);
    return !named;
}

/* A table that is an argument by its position, as it names none of the verb's options: the names of bones by those of others.
 * Of verbs of animations, where such an argument may be anything. */
static bool is_named_value(lua_State *L, int idx, const rec_verb *verb)
{
    const rec_param *const *p = verb->clips ? verb->params : NULL;
    for (int i = 2; p && *p && i < idx; i++)
        p++;
    if (!p || !*p || !(*p)->positional || (*p)->kind)
        return false;
    lua_pushnil(L);
    if (!lua_next(L, idx))
        return false;
    lua_pop(L, 2);
    for (p = verb->params; *p; p++) {
        lua_pushstring(L, (*p)->name);
        bool named = lua_rawget(L, idx) != LUA_TNIL;
        lua_pop(L, 1);
        if (named)
            return false;
    }
    return true;
}

/* Pushes one table of all arguments: (2, {what = "all"}) becomes {factor = 2, what = "all"}. */
static void push_args(lua_State *L, const rec_verb *verb)
{
    int last = lua_gettop(L);
    lua_newtable(L);
    int args = lua_gettop(L);
    while (last > 1 && lua_isnil(L, last))
        last--;
    if (last > 1 && is_options(L, last) && !is_first(L, last, verb) &&
        !is_named_value(L, last, verb)) {
        lua_pushnil(L);
        while (lua_next(L, last)) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, args);
        }
        last--;
    }
    const rec_param *const *params = verb->params;
    for (int i = 2; i <= last; i++, params++) {
        if (!params || !*params || !(*params)->positional)
            luaL_error(L, "too many arguments for '%s'", verb->name);
        if (lua_isnil(L, i))
            continue; /* not given here */
        if (lua_getfield(L, args, (*params)->name) != LUA_TNIL)
            luaL_error(L, "'%s' of %s is given twice", (*params)->name, verb->name);
        lua_pop(L, 1);
        lua_pushvalue(L, i);
        lua_setfield(L, args, (*params)->name);
    }
}

/* ---- reports --------------------------------------------------------------------------------- */

typedef struct answers {
    l_collect *skipped, *results;
} answers;

static void note_skipped(void *user, const char *path, const char *reason)
{
    l_collect *c = ((answers *)user)->skipped;
    l_collect_text(c, path ? path : "", path ? strlen(path) : 0);
    l_collect_text(c, reason ? reason : "", reason ? strlen(reason) : 0);
    c->n++;
}

static void note_result(void *user, const char *name, const lathe_value *value)
{
    l_collect *c = ((answers *)user)->results;
    l_collect_text(c, name, strlen(name));
    l_collect_put(c, value, sizeof *value);
    if (value->kind == LATHE_KIND_STRING)
        l_collect_text(c, value->as.s.p, value->as.s.n);
    c->n++;
}

static void push_report(lua_State *L, const lathe_report *report, const l_collect *c)
{
    size_t pos = 0, n;
    lua_createtable(L, 0, 2);
    lua_pushinteger(L, (lua_Integer)report->changed);
    lua_setfield(L, -2, "changed");
    lua_createtable(L, c->n < INT32_MAX ? (int)c->n : 0, 0);
    for (size_t i = 0; i < c->n; i++) {
        lua_createtable(L, 0, 2);
        const char *text = l_collect_take_text(c, &pos, &n);
        lua_pushlstring(L, text, n);
        lua_setfield(L, -2, "path");
        text = l_collect_take_text(c, &pos, &n);
        lua_pushlstring(L, text, n);
        lua_setfield(L, -2, "reason");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "skipped");
}

/* Adds the value on top to the results below it; a name that comes again is a list, or (lists) each is. */
static void add_result(lua_State *L, const char *name, size_t length, bool lists)
{
    int results = lua_gettop(L) - 1;
    lua_pushlstring(L, name, length);
    lua_pushvalue(L, -1);
    int there = lua_rawget(L, results);
    if (there == LUA_TNIL && lists) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, results);
        there = LUA_TTABLE;
    }
    switch (there) {
    case LUA_TNIL: /* value, name, nil */
        lua_pop(L, 1);
        lua_insert(L, -2);
        lua_rawset(L, results);
        return;
    case LUA_TTABLE: /* value, name, list */ break;
    default: /* value, name, first */
        lua_createtable(L, 2, 0);
        lua_insert(L, -2);
        lua_rawseti(L, -2, 1);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, results);
        break;
    }
    lua_pushvalue(L, -3);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_settop(L, results);
}

/* What a report says in words is a list, be it one text. */
static bool is_list(const char *name, size_t n)
{
    return (n == 5 && memcmp(name, "notes", 5) == 0) ||
           (n == 8 && memcmp(name, "warnings", 8) == 0);
}

/* Into the table on top. */
static void add_results(lua_State *L, const l_collect *c, const l_doc *owner, bool lists)
{
    size_t pos = 0, n;
    for (size_t i = 0; i < c->n; i++) {
        lathe_value value;
        const char *name = l_collect_take_text(c, &pos, &n);
        l_collect_take(c, &pos, &value, sizeof value);
        if (value.kind == LATHE_KIND_STRING)
            value.as.s.p = l_collect_take_text(c, &pos, &value.as.s.n);
        l_doc_check_open(L, owner); /* a view's type is looked up in the document */
        l_push_value(L, 1, &value);
        add_result(L, name, n, lists || is_list(name, n));
    }
}

/* In place of the results on top: the one value among them, or nil. */
static void take_single(lua_State *L)
{
    lua_pushnil(L);
    if (lua_next(L, -2)) { /* results, name, value */
        lua_replace(L, -3);
        lua_pop(L, 1);
    } else {
        lua_pushnil(L);
        lua_replace(L, -2);
    }
}

/* ---- calling --------------------------------------------------------------------------------- */

static lathe_result run(const rec_verb *verb, lathe_doc *doc, lathe_view view, const l_input *in,
                        lathe_report *report, const answers *all, lathe_error *err)
{
    lathe_result r = verb->query ? LATHE_OK : rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = l_input_result(in, lathe_view_call(view, verb->name, &in->api, report, err), err);
    if (r == LATHE_OK && (all->skipped->failed || all->results->failed))
        r = rec_no_memory(err);
    if (verb->query)
        return r;
    lathe_report *told = doc->told; /* the end of the edit may have more to say */
    doc->told = report;
    r = rec_end(doc, r, err);
    doc->told = told;
    return r;
}

lathe_view l_verb_target(lua_State *L, int idx, l_doc **owner)
{
    if (l_class_of(L, idx) == L_ANIMATION)
        return l_animation_source(L, idx, owner);
    return *l_check_place(L, idx, owner);
}

static int no_such_verb(lua_State *L, const rec_verb *verb, lathe_view view)
{
    char type[128]; /* it may be a name of the document's own */
    snprintf(type, sizeof type, "%s", lathe_view_type(view));
    return luaL_error(L, "'%s' is no verb of %s", verb->name, type);
}

/* Upvalue 1: the verb. */
static int l_verb_call(lua_State *L)
{
    const rec_verb *verb = lua_touserdata(L, lua_upvalueindex(1));
    l_doc *owner;
    lathe_view view = l_verb_target(L, 1, &owner);
    l_input in;
    lathe_error err;
    if (rec_verb_find(view, verb->name) != verb)
        return no_such_verb(L, verb, view);
    push_args(L, verb);
    int args = lua_gettop(L);
    answers all = {.skipped = l_push_collect(L)};
    all.results = l_push_collect(L);
    l_input_open(L, &in, args, owner);
    lathe_report report = {.size = sizeof report, .user = &all, .result = note_result};
    report.skipped = verb->query ? NULL : note_skipped;
    lathe_result r = run(verb, owner->doc, view, &in, &report, &all, &err);
    l_input_close(L, &in);
    if (r == LATHE_OK) {
        if (verb->query)
            lua_newtable(L);
        else
            push_report(L, &report, all.skipped);
        add_results(L, all.results, owner, !verb->query && !verb->clips);
        if (verb->single)
            take_single(L);
    }
    l_collect_done(all.skipped);
    l_collect_done(all.results);
    return r == LATHE_OK ? 1 : l_fail_or_raise(L, &err);
}

/* The table in the registry. */
static void push_functions(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &verbs_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &verbs_key);
}

void l_push_verb(lua_State *L, const rec_verb *verb)
{
    push_functions(L);
    if (lua_rawgetp(L, -1, verb) == LUA_TNIL) {
        rec_verb *address; /* light userdata is not const; it is read as one */
        memcpy(&address, &verb, sizeof address);
        lua_pop(L, 1);
        lua_pushlightuserdata(L, address);
        lua_pushcclosure(L, l_verb_call, 1);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, -3, verb);
    }
    lua_remove(L, -2);
}

static const rec_verb *verb_named(lua_State *L, const lathe_format *format, const char *name)
{
    for (const rec_verb *v = NULL; (v = rec_verb_next(format, v)) != NULL;)
        if (strcmp(v->name, name) == 0)
            return v;
    luaL_error(L, "no verb '%s' of %s", name, format->name);
    return NULL;
}

/* core.set_verb(format, name, fn): does a verb in Lua. Documents get fn as the method of that name; the format says its
 * name and arguments, as of any verb. A format that this build has not is left alone. */
int l_core_set_verb(lua_State *L)
{
    const char *format_name = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
    const lathe_format *format;
    lathe_error err;
    luaL_checktype(L, 3, LUA_TFUNCTION);
    lua_settop(L, 3);
    if (rec_format_find(format_name, &format, &err) != LATHE_OK)
        return 0; /* a build with other formats */
    const rec_verb *verb = verb_named(L, format, name);
    push_functions(L);
    lua_pushvalue(L, 3);
    lua_rawsetp(L, -2, verb);
    return 0;
}

/* Adds one verb, unless a field of the record has the name. */
static void add_verb(lua_State *L, const rec_verb *verb)
{
    if (lua_getfield(L, -1, verb->name) == LUA_TNIL) {
        l_push_verb(L, verb);
        lua_setfield(L, -3, verb->name);
    }
    lua_pop(L, 1);
}

void l_add_verbs(lua_State *L, const rec_type *type)
{
    for (const lathe_format *const *f = rec_formats; *f; f++)
        for (const rec_verb *v = NULL; (v = rec_verb_next(*f, v)) != NULL;)
            if (rec_verb_is_of(v, *f, type)) /* a root may be inside of another */
                add_verb(L, v);
}

const char *l_verb_name(const rec_type *type, size_t i)
{
    for (const lathe_format *const *f = rec_formats; *f; f++)
        for (const rec_verb *v = NULL; (v = rec_verb_next(*f, v)) != NULL;)
            if (rec_verb_is_of(v, *f, type) && i-- == 0)
                return v->name;
    return NULL;
}
