/* Records: all views share a userdata type and functions; each record type has a metatable. */
#include "bindings.h"

#include <stdio.h>
#include <string.h>

/* key in a record's metatable: name or number -> row number or verb */
static const char fields_key;

/* ---- finding a field ------------------------------------------------------------------------- */

static const luaL_Reg methods[] = {
    {"serialize", l_serialize}, {"totable", l_totable}, {NULL, NULL}};

typedef struct candidates {
    const rec_type *type;
    const char *const *more;
} candidates;

static const char *next_candidate(void *user, size_t i)
{
    const candidates *c = user;
    uint32_t rows = rec_row_count(c->type);
    if (i < rows)
        return rec_row_name(rec_row(c->type, (uint32_t)i));
    i -= rows;
    for (size_t k = 0; c->more && c->more[k]; k++)
        if (i-- == 0)
            return c->more[k];
    return c->more ? l_verb_name(c->type, i) : NULL;
}

int l_no_field(lua_State *L, int idx, const rec_type *type, const char *name,
               const char *const *more)
{
    /* copies, because names of a document's own types are freed with it */
    char text[512], called[128];
    if (lua_type(L, idx) != LUA_TSTRING) {
        snprintf(called, sizeof called, "%s", name);
        return luaL_error(L, "no field [%s] in %s", luaL_tolstring(L, idx, NULL), called);
    }
    const char *field = lua_tostring(L, idx);
    const char *holder = rec_holder(type, field);
    candidates c = {type, more};
    const char *near = holder ? NULL : error_nearest(field, next_candidate, &c);
    if (holder)
        snprintf(text, sizeof text, "no field '%.128s' in %.100s; did you mean '%.100s.%.128s'?",
                 field, name, holder, field);
    else
        snprintf(text, sizeof text,
                 near ? "no field '%.128s' in %.128s; did you mean '%.128s'?"
                      : "no field '%.128s' in %.128s",
                 field, name, near);
    return luaL_error(L, "%s", text);
}

int l_push_field(lua_State *L, int from, l_doc *owner, lathe_view *view, uint32_t row)
{
    rec_at at;
    uint32_t slot;
    lathe_value value;
    lathe_error err;
    l_doc_check_open(L, owner);
    if (rec_enter(view, &at, &slot, &err) != LATHE_OK ||
        rec_get_named(&at, at.layout->slots[row].same, &value, &err) != LATHE_OK)
        return l_raise(L, &err);
    l_push_value(L, from, &value);
    return 1;
}

static const rec_type *type_of(const l_view *w)
{
    return ((const rec_layout *)w->at.type)->type;
}

/* ---- metamethods ----------------------------------------------------------------------------- */

/* Whether the method on top of the stack applies to records of a type. */
static bool is_method(lua_State *L, const rec_type *type)
{
    lua_CFunction fn = lua_tocfunction(L, -1);
    return !lua_isnil(L, -1) && (fn != l_serialize || l_can_serialize(type));
}

static int no_member(lua_State *L, const rec_type *type)
{
    const char *names[sizeof methods / sizeof *methods];
    size_t n = 0;
    for (const luaL_Reg *m = methods; m->name; m++)
        if (m->func != l_serialize || l_can_serialize(type))
            names[n++] = m->name;
    names[n] = NULL;
    return l_no_field(L, 2, type, rec_type_name(type), names);
}

/* Upvalue 1: the table of fields and verbs. The first argument is a record, because only its own metatable refers to
 * this function. */
static int l_record_index(lua_State *L)
{
    l_view *w = lua_touserdata(L, 1);
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    if (found == LUA_TNUMBER)
        return l_push_field(L, 1, w->owner, &w->at, (uint32_t)lua_tointeger(L, -1));
    if (found != LUA_TNIL)
        return 1; /* a verb */
    l_doc_check_open(L, w->owner);
    if (type_of(w)->flags & REC_VECTOR && lua_isinteger(L, 2))
        return 1; /* past the last component: nil ends ipairs */
    l_push_members(L, L_RECORD);
    lua_pushvalue(L, 2);
    lua_rawget(L, -2);
    return is_method(L, type_of(w)) ? 1 : no_member(L, type_of(w));
}

static int l_record_newindex(lua_State *L)
{
    l_view *w = lua_touserdata(L, 1);
    l_input in;
    lathe_error err;
    l_doc_check_open(L, w->owner);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        return l_no_field(L, 2, type_of(w), rec_type_name(type_of(w)), NULL);
    uint32_t row = (uint32_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    l_input_open(L, &in, 3, w->owner);
    lathe_result r = l_store_field(w->owner, &w->at, row, &in, &err);
    l_input_close(L, &in);
    return r == LATHE_OK ? 0 : l_raise(L, &err);
}

static int l_vector_len(lua_State *L)
{
    l_view *w = lua_touserdata(L, 1);
    l_doc_check_open(L, w->owner);
    lua_pushinteger(L, rec_lanes(type_of(w)));
    return 1;
}

int l_view_equal(lua_State *L)
{
    l_class a = l_class_of(L, 1), b = l_class_of(L, 2);
    bool same = false;
    if (a == b && (a == L_RECORD || a == L_ARRAY)) {
        const l_view *v = lua_touserdata(L, 1), *w = lua_touserdata(L, 2);
        same = v->owner->doc && w->owner->doc && lathe_view_same(v->at, w->at);
    }
    lua_pushboolean(L, same);
    return 1;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Whether pairs shows a row: not if it is absent, or padding with its default. */
static lathe_result is_shown(const rec_at *at, uint32_t row, bool *shown, lathe_error *err)
{
    lathe_value value;
    lathe_result r = rec_get(at, row, false, &value, err);
    *shown = r == LATHE_OK && value.kind != LATHE_KIND_NONE && !rec_inside(at, row);
    if (*shown && at->layout->slots[row].row->flags & REC_PAD) {
        bool is_default;
        r = rec_is_default(at, row, &is_default, err);
        *shown = r == LATHE_OK && !is_default;
    }
    return r;
}

/* Pushes the name and value of the field after the one named at `key` (nil: of the first one), or nil. */
static int record_next(lua_State *L)
{
    l_doc *owner;
    lathe_view *view = l_check_place(L, 1, &owner);
    rec_at at;
    uint32_t slot, before = REC_NO_SLOT;
    lathe_error err;
    lua_settop(L, 2);
    if (!lua_isnil(L, 2)) {
        before = l_row_of(L, 1, 2);
        if (before == REC_NO_SLOT)
            return luaL_argerror(L, 2, "no field of this record");
    }
    l_doc_check_open(L, owner); /* making a metatable may have run a finalizer */
    bool shown = false;
    lathe_result r = rec_enter(view, &at, &slot, &err);
    /* several rows may have that name: continue after the one that this record has */
    uint32_t row = r == LATHE_OK && before != REC_NO_SLOT ? at.layout->slots[before].same + 1 : 0;
    while (r == LATHE_OK && row < at.layout->count) {
        r = is_shown(&at, row, &shown, &err);
        if (shown)
            break;
        row++;
    }
    if (r != LATHE_OK)
        return l_raise(L, &err);
    if (!shown) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushstring(L, at.layout->slots[row].name);
    return 1 + l_push_field(L, 1, owner, view, row);
}

int l_record_pairs(lua_State *L)
{
    l_doc *owner;
    l_check_place(L, 1, &owner);
    lua_pushcfunction(L, record_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

/* ---- metatables ------------------------------------------------------------------------------ */

static void push_fields(lua_State *L, const rec_type *type)
{
    uint32_t lanes = rec_lanes(type);
    uint32_t rows = rec_row_count(type);
    lua_createtable(L, (int)lanes, (int)rows + 4);
    for (uint32_t i = 0; i < rows; i++) {
        lua_pushinteger(L, i);
        lua_setfield(L, -2, rec_row_name(rec_row(type, i)));
        if (i < lanes) {
            lua_pushinteger(L, i);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
    }
    l_add_verbs(L, type);
}

/* Fields and verbs have precedence over methods, because every method is also a function of the module. */
void l_open_records(lua_State *L)
{
    l_new_members(L, L_RECORD, methods, NULL);
    lua_pop(L, 1);
}

static void make_metatable(lua_State *L, const rec_type *type)
{
    lua_createtable(L, 0, 12);
    l_class_set(L, L_RECORD, rec_type_name(type));
    push_fields(L, type);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, &fields_key);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, l_record_index, 1);
    lua_setfield(L, -3, "__index");
    lua_pushcclosure(L, l_record_newindex, 1);
    lua_setfield(L, -2, "__newindex");
    static const luaL_Reg meta[] = {
        {"__eq", l_view_equal},
        {"__pairs", l_record_pairs},
        {"__tostring", l_view_tostring},
        {NULL, NULL},
    };
    luaL_setfuncs(L, meta, 0);
    if (type->flags & REC_VECTOR) {
        lua_pushcfunction(L, l_vector_len);
        lua_setfield(L, -2, "__len");
    }
}

/* Pushes the metatable of a constant type, made once for the whole state. */
static void push_record_metatable(lua_State *L, const rec_type *type)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, type) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    luaL_checkstack(L, 12, NULL);
    make_metatable(L, type);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, type); /* only when it is complete */
}

uint32_t l_row_of(lua_State *L, int view, int idx)
{
    idx = lua_absindex(L, idx);
    if (l_class_of(L, view) == L_RECORD)
        lua_getmetatable(L, view);
    else
        push_record_metatable(L, ((const l_doc *)lua_touserdata(L, view))->format->root);
    lua_rawgetp(L, -1, &fields_key);
    lua_pushvalue(L, idx);
    lua_rawget(L, -2);
    uint32_t row = lua_isinteger(L, -1) ? (uint32_t)lua_tointeger(L, -1) : REC_NO_SLOT;
    lua_pop(L, 3);
    return row;
}

/* Replaces the document on top of the stack by its table of metatables, which is made if there is none. */
static void push_own_tables(lua_State *L)
{
    if (lua_getiuservalue(L, -1, 1) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, -3, 1);
    }
    lua_remove(L, -2);
}

/* Pushes the metatable of a type that belongs to the document of the view on top. It is stored with the document. */
static void push_own_metatable(lua_State *L, const l_doc *owner, const rec_type *type)
{
    luaL_checkstack(L, 16, NULL);
    lua_getiuservalue(L, -1, 1);
    push_own_tables(L);
    if (lua_rawgetp(L, -1, type) != LUA_TTABLE) {
        lua_pop(L, 1);
        l_hold *hold = l_push_hold(L, owner); /* if it is closed, the type no longer exists */
        make_metatable(L, type);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, -4, type);
        l_unhold(hold);
        lua_remove(L, -2);
    }
    lua_remove(L, -2);
}

void l_set_record_metatable(lua_State *L, const l_doc *owner, const rec_type *type, bool own)
{
    if (own)
        push_own_metatable(L, owner, type);
    else
        push_record_metatable(L, type);
    lua_setmetatable(L, -2);
}
