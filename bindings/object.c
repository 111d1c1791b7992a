/* Lists of skeletons, animations, tracks, materials, bodies and what graphs have, and functions that these objects share. An object
 * stores numbers that are looked up in the document at every use, so edits cannot make it stale. */
#include "bindings.h"

#include <string.h>

const char *l_object_word(l_class c)
{
    switch (c) {
    case L_SKELETON: return "skeleton";
    case L_ANIMATION: return "animation";
    case L_TRACK: return "track";
    case L_FLOAT_TRACK: return "float track";
    case L_LIST: return "list";
    case L_BONE: return "bone";
    case L_POSE: return "pose";
    case L_VECTOR: return "vector";
    case L_ANNOTATION: return "annotation";
    case L_GRAPH: return "graph";
    default: return "userdata";
    }
}

void l_push_object(lua_State *L, int from, const l_object *what, l_class c)
{
    from = lua_absindex(L, from);
    l_object *o = lua_newuserdatauv(L, sizeof *o, 1);
    *o = *what;
    l_push_owner(L, from);
    o->owner = lua_touserdata(L, -1);
    lua_setiuservalue(L, -2, 1);
    l_push_class(L, c);
    lua_setmetatable(L, -2);
}

l_object *l_check_object(lua_State *L, int idx, l_class c)
{
    if (l_class_of(L, idx) != c)
        luaL_typeerror(L, idx, l_object_word(c));
    l_object *o = lua_touserdata(L, idx);
    l_doc_check_open(L, o->owner);
    return o;
}

void l_push_source(lua_State *L, int from, const lathe_view *source)
{
    if (!source->doc)
        lua_pushnil(L);
    else if (lathe_view_same(*source, lathe_doc_root(source->doc)))
        l_push_owner(L, from);
    else
        l_push_view(L, from, source);
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct candidates {
    const luaL_Reg *methods;
    const char *const *members;
    const rec_type *source;
} candidates;

static const char *next_candidate(void *user, size_t i)
{
    const candidates *c = user;
    for (const char *const *m = c->members; *m; m++)
        if (i-- == 0)
            return *m;
    for (const luaL_Reg *m = c->methods; m->name; m++)
        if (i-- == 0)
            return m->name;
    return c->source ? l_verb_name(c->source, i) : NULL;
}

int l_no_member(lua_State *L, l_class c, const luaL_Reg *methods, const char *const *members,
                const rec_type *source)
{
    const char *name = luaL_tolstring(L, 2, NULL), *near = NULL;
    candidates all = {methods, members, source};
    if (lua_type(L, 2) == LUA_TSTRING)
        near = error_nearest(name, next_candidate, &all);
    if (near)
        return luaL_error(L, "no field '%s' in %s; did you mean '%s'?", name, l_object_word(c),
                          near);
    return luaL_error(L, "no field '%s' in %s", name, l_object_word(c));
}

/* ---- shared metamethods ---------------------------------------------------------------------- */

static int l_object_equal(lua_State *L)
{
    l_class a = l_class_of(L, 1), b = l_class_of(L, 2);
    bool same = false;
    if (a == b && a >= L_SKELETON) {
        const l_object *v = lua_touserdata(L, 1), *w = lua_touserdata(L, 2);
        same = v->owner == w->owner && v->owner->doc && v->index == w->index &&
               v->track == w->track && v->lane == w->lane && v->items == w->items;
    }
    lua_pushboolean(L, same);
    return 1;
}

static int l_object_newindex(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    l_class c = l_class_of(L, 1);
    const char *word = l_object_word(c), *place = NULL;
    l_doc_check_open(L, o->owner);
    if ((c == L_SKELETON || c == L_ANIMATION) && lua_getfield(L, 1, "source") != LUA_TNIL) {
        l_doc *owner;
        l_push_place(L, "its source", *l_check_place(L, -1, &owner));
        place = lua_tostring(L, -1);
    }
    return luaL_error(L, "'%s' of %s %s cannot be set%s%s", luaL_tolstring(L, 2, NULL),
                      word[0] == 'a' ? "an" : "a", word, place ? "; change " : "",
                      place ? place : "");
}

/* Gives the next member that is not nil. Upvalue 1: the list of members. */
static int l_object_next(lua_State *L)
{
    lua_Integer i = 1, n = (lua_Integer)lua_rawlen(L, lua_upvalueindex(1));
    lua_settop(L, 2);
    for (bool found = lua_isnil(L, 2); !found; i++) {
        if (i > n)
            return luaL_argerror(L, 2, "no field of this object");
        lua_rawgeti(L, lua_upvalueindex(1), i);
        found = lua_rawequal(L, -1, 2);
        lua_pop(L, 1);
    }
    for (; i <= n; i++) {
        lua_rawgeti(L, lua_upvalueindex(1), i);
        lua_pushvalue(L, -1);
        if (lua_gettable(L, 1) != LUA_TNIL)
            return 2;
        lua_settop(L, 2);
    }
    lua_pushnil(L);
    return 1;
}

/* Upvalue 1: the list of members. */
static int l_object_pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, l_object_next, 1);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static const luaL_Reg common[] = {
    {"__eq", l_object_equal},
    {"__newindex", l_object_newindex},
    {"__tostring", l_object_tostring},
    {NULL, NULL},
};

void l_save_object_class(lua_State *L, l_class c, const char *name, const luaL_Reg *methods,
                         const char *const *members, lua_CFunction index)
{
    lua_createtable(L, 0, 10);
    l_class_set(L, c, name);
    luaL_setfuncs(L, common, 0);
    l_new_members(L, c, methods, members);
    lua_newtable(L); /* stack: metatable, members, list */
    for (int i = 0; members[i]; i++) {
        lua_pushstring(L, members[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushcclosure(L, l_object_pairs, 1);
    lua_setfield(L, -3, "__pairs");
    lua_pushcclosure(L, index, 1);
    lua_setfield(L, -2, "__index");
    l_save_class(L, c);
}

void l_object_writable(lua_State *L, l_class c, lua_CFunction newindex)
{
    l_push_class(L, c);
    l_push_members(L, c);
    lua_pushcclosure(L, newindex, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pop(L, 1);
}

/* ---- plain tables ---------------------------------------------------------------------------- */

/* The class of a value that consists of plain data, or of the items of a list of such; L_OTHER: neither. */
static l_class plain_class(lua_State *L, int idx)
{
    l_class c = l_class_of(L, idx);
    const l_object *o = c == L_LIST ? lua_touserdata(L, idx) : NULL;
    l_class of = o ? o->items : c;
    bool plain = of == L_BONE || of == L_ANNOTATION || c == L_POSE || c == L_VECTOR;
    return plain ? of : L_OTHER;
}

bool l_is_plain(lua_State *L, int idx)
{
    return plain_class(L, idx) != L_OTHER;
}

static int push_plain(lua_State *L)
{
    l_class c = l_class_of(L, 1);
    const l_object *o = lua_touserdata(L, 1);
    if (plain_class(L, 1) == L_ANNOTATION)
        l_push_plain_notes(L, o, c);
    else
        l_push_plain_bones(L, o, c);
    return 1;
}

void l_object_plain(lua_State *L, int idx)
{
    idx = lua_absindex(L, idx);
    lua_pushcfunction(L, push_plain);
    lua_pushvalue(L, idx);
    lua_call(L, 1, 1);
}

/* ---- lists ----------------------------------------------------------------------------------- */

void l_push_list(lua_State *L, int from, l_class items, uint64_t index)
{
    l_object list = {.index = index, .items = items};
    l_push_object(L, from, &list, L_LIST);
}

bool l_scene_list(const l_object *list, lathe_list *out)
{
    switch (list->items) {
    case L_SKELETON: *out = LATHE_SKELETONS; return true;
    case L_ANIMATION: *out = LATHE_ANIMATIONS; return true;
    case L_RECORD: *out = (lathe_list)list->index; return true;
    default: return false;
    }
}

static uint64_t count_items(lua_State *L, const l_object *list)
{
    lathe_doc *doc = l_doc_check_open(L, list->owner);
    uint64_t n = 0;
    lathe_error err;
    lathe_result r = LATHE_OK;
    lathe_clip_info clip = {.size = sizeof clip};
    lathe_list kind;
    if (l_scene_list(list, &kind)) {
        r = lathe_list_count(doc, kind, &n, &err);
    } else if (list->items == L_BONE) {
        n = l_bones_count(L, list);
    } else if (list->items == L_ANNOTATION) {
        n = l_notes_count(L, list);
    } else {
        l_clip_describe(L, list, &clip);
        n = list->items == L_TRACK ? clip.tracks : clip.float_tracks;
    }
    if (r != LATHE_OK)
        l_raise(L, &err);
    return n;
}

static bool has_item(lua_State *L, const l_object *list, uint64_t i)
{
    return i <= INT32_MAX && i < count_items(L, list);
}

/* Whether the numbers of a list are ids, which begin with 0. */
static bool has_ids(const l_object *list)
{
    return list->items == L_RECORD &&
           (list->index == LATHE_EVENTS || list->index == LATHE_VARIABLES);
}

/* Pushes the record of a material, a body or an event …, or the name of a file. */
static int push_record(lua_State *L, const l_object *list, uint64_t i)
{
    lathe_error err;
    lathe_view view;
    lathe_value name;
    lathe_list kind = (lathe_list)list->index;
    lathe_doc *doc = l_doc_check_open(L, list->owner);
    lathe_result r = kind == LATHE_ANIMATION_FILES ? lathe_list_name(doc, kind, i, &name, &err)
                                                   : lathe_list_item(doc, kind, i, &view, &err);
    if (r != LATHE_OK)
        return l_raise(L, &err);
    if (kind != LATHE_ANIMATION_FILES)
        l_push_view(L, 1, &view);
    else if (name.kind == LATHE_KIND_STRING)
        lua_pushlstring(L, name.as.s.p, name.as.s.n);
    else
        lua_pushliteral(L, "");
    return 1;
}

/* core.look(doc, i): the record that says how doc.materials[i] is drawn, or nil. */
int l_core_look(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    lua_Integer i = luaL_checkinteger(L, 2);
    lathe_view view;
    lathe_error err;
    luaL_argcheck(L, i >= 1, 2, "a number from 1 expected");
    if (lathe_material_look(d->doc, (uint64_t)i - 1, &view, &err) != LATHE_OK)
        return l_raise(L, &err);
    if (view.doc)
        l_push_view(L, 1, &view);
    else
        lua_pushnil(L);
    return 1;
}

/* Pushes item i, from 0, or nil. */
static int push_item(lua_State *L, const l_object *list, lua_Integer i)
{
    if (i < 0 || !has_item(L, list, (uint64_t)i)) {
        lua_pushnil(L);
        return 1;
    }
    if (list->items == L_RECORD)
        return push_record(L, list, (uint64_t)i);
    if (list->items == L_ANNOTATION) {
        l_push_note(L, list, (uint64_t)i);
        return 1;
    }
    l_object item = {.index = (uint64_t)i};
    if (list->items == L_TRACK || list->items == L_FLOAT_TRACK || list->items == L_BONE)
        item = (l_object){.index = list->index, .track = (uint64_t)i};
    l_push_object(L, 1, &item, list->items);
    return 1;
}

/* Pushes the method that the key names. Upvalue 1: methods. */
static bool push_method(lua_State *L)
{
    lua_pushvalue(L, 2);
    return lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL;
}

/* Pushes a bone, track, event … by name, which raises if there is none, or a method of a list of annotations. False: the
 * list has neither. */
static bool push_named(lua_State *L, const l_object *list)
{
    size_t n;
    lathe_error err;
    uint64_t i = 0;
    const char *name = lua_tolstring(L, 2, &n);
    bool tracks = list->items == L_TRACK || list->items == L_FLOAT_TRACK;
    if (list->items == L_ANNOTATION)
        return push_method(L);
    if (list->items == L_RECORD && list->index >= LATHE_GRAPHS &&
        list->index < LATHE_ANIMATION_FILES) {
        if (lathe_list_find(list->owner->doc, (lathe_list)list->index, name, n, &i, &err) !=
            LATHE_OK)
            luaL_error(L, "%s", err.message);
        return push_item(L, list, (lua_Integer)i) == 1;
    }
    if (list->items != L_BONE && !tracks)
        return false;
    if (list->items == L_BONE)
        i = l_bones_find(L, list, name, n);
    else if (lathe_clip_find(list->owner->doc, list->index,
                             list->items == L_FLOAT_TRACK ? LATHE_FLOAT_TRACKS : LATHE_BONE_TRACKS,
                             name, n, &i, &err) != LATHE_OK)
        luaL_error(L, "%s", err.message);
    push_item(L, list, (lua_Integer)i);
    return true;
}

/* Upvalue 1: methods, for lists of annotations. */
static int l_list_index(lua_State *L)
{
    const l_object *list = lua_touserdata(L, 1);
    int whole;
    l_doc_check_open(L, list->owner);
    if (lua_type(L, 2) == LUA_TSTRING && push_named(L, list))
        return 1;
    if (lua_type(L, 2) != LUA_TNUMBER && list->items == L_ANNOTATION)
        return luaL_error(L,
                          "no method '%s' of annotations, which have append, remove; they have "
                          "numbers, in time order",
                          luaL_tolstring(L, 2, NULL));
    if (lua_type(L, 2) != LUA_TNUMBER)
        return luaL_error(L, "no field '%s' in a list; its elements have numbers",
                          luaL_tolstring(L, 2, NULL));
    lua_Integer i = lua_tointegerx(L, 2, &whole);
    return push_item(L, list, !whole ? -1 : has_ids(list) ? i : i > 0 ? i - 1 : -1);
}

/* Pushes what to change instead of a list, for messages. */
static void push_list_place(lua_State *L, const l_object *list)
{
    lathe_skeleton_info rig = {.size = sizeof rig};
    if (list->items != L_BONE) {
        l_push_place(L, "anim.source", l_clip_source(L, list));
    } else {
        l_skeleton_describe(L, list, &rig);
        l_push_place(L, "skeleton.source", rig.source);
    }
}

/* list[i] = value: replaces an existing bone. */
static int l_list_newindex(lua_State *L)
{
    const l_object *list = lua_touserdata(L, 1);
    int whole = 0;
    lua_Integer i = lua_type(L, 2) == LUA_TNUMBER ? lua_tointegerx(L, 2, &whole) : 0;
    lua_settop(L, 3);
    if (list->items == L_BONE && whole && i > 0 && (uint64_t)i <= count_items(L, list)) {
        l_bones_put(L, list, (uint64_t)i - 1);
        return 0;
    }
    if (list->items != L_BONE && list->items != L_ANNOTATION)
        return l_object_newindex(L);
    push_list_place(L, list);
    const char *what = list->items == L_BONE ? "skeleton.bones" : "anim.annotations";
    const char *place = lua_tostring(L, -1), *key = luaL_tolstring(L, 2, NULL);
    if (list->items == L_ANNOTATION)
        return luaL_error(L,
                          "'%s' of %s cannot be set: set its time, text or track, append or remove",
                          key, what);
    return luaL_error(L, "'%s' of %s cannot be set%s%s", key, what, place ? ": change " : "",
                      place ? place : "");
}

static int l_list_len(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)count_items(L, lua_touserdata(L, 1)));
    return 1;
}

static int l_list_next(lua_State *L)
{
    const l_object *list = l_check_object(L, 1, L_LIST);
    lua_Integer first = has_ids(list) ? 0 : 1, key = luaL_optinteger(L, 2, first - 1);
    lua_settop(L, 1);
    if (key < first - 1 || key >= INT32_MAX) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, key + 1);
    push_item(L, list, key + 1 - first);
    return lua_isnil(L, -1) ? 1 : 2;
}

static int l_list_pairs(lua_State *L)
{
    l_check_object(L, 1, L_LIST);
    lua_pushcfunction(L, l_list_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

void l_open_objects(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__newindex", l_list_newindex},
        {"__len", l_list_len},
        {"__pairs", l_list_pairs},
        {NULL, NULL},
    };
    lua_createtable(L, 0, 10);
    l_class_set(L, L_LIST, "lathe.List");
    luaL_setfuncs(L, common, 0);
    luaL_setfuncs(L, meta, 0);
    l_new_members(L, L_LIST, l_notes_methods, NULL);
    lua_pushcclosure(L, l_list_index, 1);
    lua_setfield(L, -2, "__index");
    l_save_class(L, L_LIST);
    l_open_skeletons(L);
    l_open_animations(L);
    l_open_bones(L);
    l_open_annotations(L);
    l_open_graphs(L);
}
