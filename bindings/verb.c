/* Verbs as Lua methods. */
#include "bindings.h"

#include <stdio.h>
#include <string.h>

static const char verbs_key; /* registry key: light userdata of a verb -> its function */

/* ---- arguments ------------------------------------------------------------------------------- */

/* Whether a table has options, and is no value itself, such as the vector {1, 2, 3}. */
static bool is_options(lua_State *L, int idx)
{
    return lua_type(L, idx) == LUA_TTABLE && lua_rawlen(L, idx) == 0 && !l_is_copy(L, idx);
}

/* Whether a table is the verb's first argument itself, such as a mesh in the form that doc:meshes gives. That
 * argument must be required and of any kind, and the table must not contain it as an option. */
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

/* Whether a table is a positional argument, because it has no option of the verb: a map from bone names to others.
 * Only for verbs of animations that accept any value there. */
static bool is_named_value(lua_State *L, int idx, const rec_verb *verb)
{
    const rec_param *const *p = verb->is ? verb->params : NULL;
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
        if (params && *params && !(*params)->positional)
            luaL_error(L, "too many arguments for '%s': others have names, as in { %s = ... }",
                       verb->name, (*params)->name);
        if (!params || !*params)
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

/* ---- calling --------------------------------------------------------------------------------- */

/* Adds the changes of a verb to the table on top. */
static void push_changes(lua_State *L, const l_report *report)
{
    lua_pushinteger(L, (lua_Integer)report->api.changed);
    lua_setfield(L, -2, "changed");
    l_report_push_skipped(L, report);
}

/* Replaces the table of results on top by its only value, or nil. */
static void take_single(lua_State *L)
{
    lua_pushnil(L);
    if (lua_next(L, -2)) { /* stack: results, name, value */
        lua_replace(L, -3);
        lua_pop(L, 1);
    } else {
        lua_pushnil(L);
        lua_replace(L, -2);
    }
}

/* Replaces the table of results on top by its only list, or by an empty one. */
static void take_list(lua_State *L)
{
    take_single(L);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
    }
}

static lathe_result run(const rec_verb *verb, lathe_doc *doc, lathe_view view, const l_input *in,
                        l_report *report, lathe_error *err)
{
    lathe_result r = verb->query ? LATHE_OK : rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = l_input_result(in, lathe_view_call(view, verb->name, &in->api, &report->api, err), err);
    if (r == LATHE_OK && l_report_failed(report))
        r = rec_no_memory(err);
    if (verb->query)
        return r;
    lathe_report *outer = doc->verb_report; /* the end of the edit may add to the report */
    doc->verb_report = &report->api;
    r = rec_end(doc, r, err);
    doc->verb_report = outer;
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
    char type[128]; /* a copy, because the name may belong to the document */
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
    l_report report;
    l_report_open(L, &report);
    l_input_open(L, &in, args, owner);
    if (verb->query)
        report.api.skipped = NULL;
    lathe_result r = run(verb, owner->doc, view, &in, &report, &err);
    l_input_close(L, &in);
    if (r == LATHE_OK) {
        lua_newtable(L);
        if (!verb->query)
            push_changes(L, &report);
        l_report_add_results(L, &report, 1, owner, verb->list || (!verb->query && !verb->is));
        if (verb->single)
            take_single(L);
        if (verb->list)
            take_list(L);
    }
    l_report_done(&report);
    return r == LATHE_OK ? 1 : l_fail_or_raise(L, &err);
}

/* Pushes the registry table of verb functions. */
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
        rec_verb *address; /* light userdata is not const, but nobody writes to it */
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
        return 0; /* this build lacks the format */
    const rec_verb *verb = verb_named(L, format, name);
    push_functions(L);
    lua_pushvalue(L, 3);
    lua_rawsetp(L, -2, verb);
    return 0;
}

/* Adds a verb, unless a field of the record has its name. */
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
            /* its document may be embedded in one of another format */
            if (rec_verb_is_of(v, *f, type))
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
