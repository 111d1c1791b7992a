/* Annotations of an animation of any format: `anim.annotations[i]`, in time order. */
#include "bindings.h"

#include <string.h>

enum { TIME, TEXT, TRACK, SOURCE };
static const char *const members[] = {"time", "text", "track", "source", NULL};
static const luaL_Reg methods[] = {{NULL, NULL}};

/* ---- reading --------------------------------------------------------------------------------- */

/* Raises if the animation or the annotation was removed. */
static void check(lua_State *L, const l_object *o, lathe_result r, const lathe_error *err)
{
    lathe_clip_info clip;
    if (r == LATHE_ERR_NAME)
        l_clip_describe(L, o, &clip); /* raises if the animation was removed */
    if (r != LATHE_OK)
        l_raise(L, err);
}

uint64_t l_notes_count(lua_State *L, const l_object *list)
{
    lathe_error err;
    uint64_t n = 0;
    lathe_doc *doc = l_doc_check_open(L, list->owner);
    check(L, list, lathe_annotation_count(doc, list->index, &n, &err), &err);
    return n;
}

void l_push_note(lua_State *L, const l_object *list, uint64_t i)
{
    lathe_error err;
    l_object note = {.index = list->index};
    lathe_doc *doc = l_doc_check_open(L, list->owner);
    check(L, list, lathe_annotation_id(doc, list->index, i, &note.track, &err), &err);
    l_push_object(L, 1, &note, L_ANNOTATION);
}

/* The text is borrowed until the next allocation. */
static void read_note(lua_State *L, const l_object *o, lathe_annotation *out)
{
    lathe_error err;
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    lathe_result r = lathe_annotation_read(doc, o->index, o->track, out, &err);
    if (r == LATHE_ERR_REMOVED)
        luaL_error(L, "%s", err.message);
    check(L, o, r, &err);
}

static void push_text(lua_State *L, const lathe_annotation *note)
{
    lua_pushlstring(L, note->text, note->length);
}

/* Upvalue 1: the numbers of members. */
static int l_note_index(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    lathe_annotation note = {.size = sizeof note};
    lua_settop(L, 2);
    l_doc_check_open(L, o->owner);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        return l_no_member(L, L_ANNOTATION, methods, members, NULL);
    read_note(L, o, &note);
    switch (lua_tointeger(L, -1)) {
    case TIME: lua_pushnumber(L, note.time); break;
    case TEXT: push_text(L, &note); break;
    case TRACK: lua_pushinteger(L, note.track); break;
    default: l_push_source(L, 1, &note.source); break;
    }
    return 1;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Reads the value on top of the stack for member m. A text stays on the stack. */
static void read_member(lua_State *L, lua_Integer m, lathe_annotation *out)
{
    int whole = 0;
    lua_Integer track = lua_tointegerx(L, -1, &whole);
    if (m == SOURCE)
        luaL_error(L, "'source' of an annotation cannot be set");
    if (m == TEXT ? lua_type(L, -1) != LUA_TSTRING : lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "'%s' of an annotation: a %s expected, got %s", members[m],
                   m == TEXT ? "string" : "number", luaL_typename(L, -1));
    if (m == TRACK && !whole)
        luaL_error(L, "'track' of an annotation: an integer expected, got %s",
                   luaL_tolstring(L, -1, NULL));
    if (m == TEXT)
        out->text = lua_tolstring(L, -1, &out->length);
    else if (m == TIME)
        out->time = lua_tonumber(L, -1);
    else
        out->track = track;
}

/* Upvalue 1: the numbers of members. */
static int l_note_newindex(lua_State *L)
{
    static const unsigned bits[] = {LATHE_ANNOTATION_TIME, LATHE_ANNOTATION_TEXT,
                                    LATHE_ANNOTATION_TRACK};
    const l_object *o = lua_touserdata(L, 1);
    lathe_annotation values = {.size = sizeof values};
    lathe_error err;
    lua_settop(L, 3);
    read_note(L, o, &values);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        return l_no_member(L, L_ANNOTATION, methods, members, NULL);
    lua_Integer m = lua_tointeger(L, -1);
    lua_settop(L, 3);
    read_member(L, m, &values);
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    if (lathe_annotation_set(doc, o->index, o->track, bits[m], &values, &err) != LATHE_OK)
        l_raise(L, &err);
    return 0;
}

/* Checks that the value at 1 is a list of annotations. */
static const l_object *check_list(lua_State *L)
{
    const l_object *list = l_check_object(L, 1, L_LIST);
    if (list->items != L_ANNOTATION)
        luaL_typeerror(L, 1, "list of annotations");
    return list;
}

static lua_Integer member_of(lua_State *L, int idx)
{
    lua_Integer m = 0;
    const char *key = lua_type(L, idx) == LUA_TSTRING ? lua_tostring(L, idx) : "";
    while (members[m] && strcmp(members[m], key) != 0)
        m++;
    if (!members[m])
        luaL_error(L, "no field '%s' in an annotation", luaL_tolstring(L, idx, NULL));
    return m;
}

static int l_notes_append(lua_State *L)
{
    const l_object *list = check_list(L);
    lathe_annotation values = {.size = sizeof values, .time = -1};
    lathe_error err;
    lua_settop(L, 2);
    if (l_class_of(L, 2) == L_ANNOTATION) {
        l_object_plain(L, 2);
        lua_replace(L, 2);
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    bool timed = false;
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
        lua_Integer m = member_of(L, -2);
        if (m != SOURCE) /* `source` is ignored: a copy of another annotation has it */
            read_member(L, m, &values);
        timed = timed || m == TIME;
    }
    luaL_argcheck(L, timed, 2, "no time");
    luaL_argcheck(L, values.text, 2, "no text");
    lathe_doc *doc = l_doc_check_open(L, list->owner);
    check(L, list, lathe_annotation_add(doc, list->index, &values, &err), &err);
    return 0;
}

static int l_notes_remove(lua_State *L)
{
    const l_object *list = check_list(L);
    lathe_error err;
    uint64_t n = l_notes_count(L, list), id = 0;
    lua_Integer i = luaL_optinteger(L, 2, (lua_Integer)n);
    luaL_argcheck(L, i >= 1 && (uint64_t)i <= n, 2, "no annotation of that number");
    lathe_doc *doc = l_doc_check_open(L, list->owner);
    lathe_result r = lathe_annotation_id(doc, list->index, (uint64_t)i - 1, &id, &err);
    if (r == LATHE_OK)
        r = lathe_annotation_remove(doc, list->index, id, &err);
    check(L, list, r, &err);
    return 0;
}

/* Methods of lists of annotations. */
const luaL_Reg l_notes_methods[] = {
    {"append", l_notes_append}, {"remove", l_notes_remove}, {NULL, NULL}};

/* ---- plain tables ---------------------------------------------------------------------------- */

static void push_plain(lua_State *L, const l_object *o)
{
    lathe_annotation note = {.size = sizeof note};
    read_note(L, o, &note);
    push_text(L, &note);
    lua_createtable(L, 0, 4);
    lua_insert(L, -2);
    lua_setfield(L, -2, "text");
    lua_pushnumber(L, note.time);
    lua_setfield(L, -2, "time");
    lua_pushinteger(L, note.track);
    lua_setfield(L, -2, "track");
    l_doc_check_open(L, o->owner); /* the allocation may have run a finalizer */
    l_push_source(L, 1, &note.source);
    lua_setfield(L, -2, "source");
}

void l_push_plain_notes(lua_State *L, const l_object *o, l_class c)
{
    if (c != L_LIST) {
        push_plain(L, o);
        return;
    }
    lathe_error err;
    uint64_t n = l_notes_count(L, o);
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (uint64_t i = 0; i < n; i++) {
        l_object one = {.owner = o->owner, .index = o->index};
        lathe_doc *doc = l_doc_check_open(L, o->owner);
        check(L, o, lathe_annotation_id(doc, o->index, i, &one.track, &err), &err);
        push_plain(L, &one);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void l_open_annotations(lua_State *L)
{
    l_save_object_class(L, L_ANNOTATION, "lathe.Annotation", methods, members, l_note_index);
    l_object_writable(L, L_ANNOTATION, l_note_newindex);
}
