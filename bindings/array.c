/* Arrays: access to elements by number from 1, and methods that resize them. */
#include "bindings.h"

static lathe_result count_of(lathe_view *array, uint64_t *n, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    lathe_result r = rec_enter(array, &at, &slot, err);
    if (r == LATHE_OK)
        r = rec_find(&at, slot, &loc, err);
    if (r == LATHE_OK)
        *n = loc.present ? loc.count : 0;
    return r;
}

static uint64_t check_count(lua_State *L, l_view *w)
{
    lathe_error err;
    uint64_t n = 0;
    l_doc_check_open(L, w->owner);
    if (count_of(&w->at, &n, &err) != LATHE_OK)
        l_raise(L, &err);
    return n;
}

/* Pushes element i (from 0), or nil past the end. */
static int push_element(lua_State *L, l_view *w, uint64_t i)
{
    rec_at at;
    uint32_t slot;
    lathe_value value;
    lathe_error err;
    l_doc_check_open(L, w->owner);
    lathe_result r = rec_enter(&w->at, &at, &slot, &err);
    if (r == LATHE_OK)
        r = rec_get_item(&at, slot, i, false, &value, &err);
    if (r == LATHE_OK) {
        l_push_value(L, 1, &value);
        return 1;
    }
    uint64_t n; /* end or bad data? Checked last, since a loop gets here only once */
    lathe_error other;
    if (r == LATHE_ERR_BOUNDS && count_of(&w->at, &n, &other) == LATHE_OK && i >= n) {
        lua_pushnil(L);
        return 1;
    }
    return l_raise(L, &err);
}

/* ---- methods --------------------------------------------------------------------------------- */

/* Inserts an element before element i (from 0), and fills it, in one edit. */
static lathe_result insert_at(l_doc *owner, lathe_view *array, uint64_t i, const l_input *in,
                              lathe_error *err)
{
    lathe_result r = rec_begin(owner->doc, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_view_insert(*array, i, 1, err);
    if (r == LATHE_OK && (in->kind != L_IN_LEAF || in->leaf.kind != LATHE_KIND_NONE))
        r = l_store_new(owner, array, i, in, err);
    return rec_end(owner->doc, r, err);
}

static int insert_value(lua_State *L, l_view *w, uint64_t i, int idx)
{
    l_input in;
    lathe_error err;
    l_input_open(L, &in, idx, w->owner);
    lathe_result r = insert_at(w->owner, &w->at, i, &in, &err);
    l_input_close(L, &in);
    if (r != LATHE_OK)
        return l_raise(L, &err);
    return push_element(L, w, i);
}

/* lathe.insert */
int l_array_insert(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    lua_Integer i = luaL_checkinteger(L, 2);
    uint64_t n = check_count(L, w);
    lua_settop(L, 3);
    luaL_argcheck(L, i >= 1 && (uint64_t)i <= n + 1, 2, "index out of range");
    return insert_value(L, w, (uint64_t)i - 1, 3);
}

/* lathe.append */
int l_array_append(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    uint64_t n = check_count(L, w);
    lua_settop(L, 2);
    return insert_value(L, w, n, 2);
}

/* array:copy(object) */
static int l_array_copy(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    l_doc *owner;
    lathe_view *from, made;
    lathe_error err;
    lua_settop(L, 2);
    if (l_class_of(L, 2) != L_RECORD)
        luaL_typeerror(L, 2, "lathe.Record");
    from = l_check_place(L, 2, &owner);
    if (lathe_view_copy(w->at, *from, &made, &err) != LATHE_OK)
        return l_raise(L, &err);
    const lathe_value value = {.kind = LATHE_KIND_RECORD, .as.v = made};
    l_push_value(L, 1, &value);
    return 1;
}

/* lathe.remove */
int l_array_remove(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    uint64_t n = check_count(L, w);
    rec_at at;
    uint32_t slot;
    lathe_value value;
    lathe_error err;
    if (lua_isnoneornil(L, 2) && n == 0)
        return 0;
    lua_Integer i = luaL_optinteger(L, 2, (lua_Integer)n);
    luaL_argcheck(L, i >= 1 && (uint64_t)i <= n, 2, "index out of range");
    if (rec_enter(&w->at, &at, &slot, &err) != LATHE_OK ||
        rec_get_item(&at, slot, (uint64_t)i - 1, true, &value, &err) != LATHE_OK)
        return l_raise(L, &err);
    l_push_plain(L, w->owner, &value, 0);
    if (check_count(L, w) != n)
        return luaL_error(L, "the array was resized by a finalizer");
    if (lathe_view_remove(w->at, (uint64_t)i - 1, 1, &err) != LATHE_OK)
        return l_raise(L, &err);
    return 1;
}

/* lathe.move */
int l_array_move(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    lua_Integer from = luaL_checkinteger(L, 2), to = luaL_checkinteger(L, 3);
    uint64_t n = check_count(L, w);
    lathe_error err;
    luaL_argcheck(L, from >= 1 && (uint64_t)from <= n, 2, "index out of range");
    luaL_argcheck(L, to >= 1 && (uint64_t)to <= n, 3, "index out of range");
    if (lathe_view_move(w->at, (uint64_t)from - 1, (uint64_t)to - 1, &err) != LATHE_OK)
        return l_raise(L, &err);
    return 0;
}

/* lathe.resize */
int l_array_resize(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    lua_Integer want = luaL_checkinteger(L, 2);
    uint64_t n = check_count(L, w);
    lathe_error err;
    lathe_result r = LATHE_OK;
    luaL_argcheck(L, want >= 0, 2, "a count is not negative");
    if ((uint64_t)want > n)
        r = lathe_view_insert(w->at, n, (uint64_t)want - n, &err);
    else if ((uint64_t)want < n)
        r = lathe_view_remove(w->at, (uint64_t)want, n - (uint64_t)want, &err);
    return r == LATHE_OK ? 0 : l_raise(L, &err);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static const rec_slot *slot_of(const lathe_view *array)
{
    const rec_layout *layout = array->type;
    return &layout->slots[array->index];
}

bool l_array_keyed(const lathe_view *array)
{
    return rec_keyed(slot_of(array));
}

/* Appends the elements of an array to the list on top, as plain values. */
static void append_plain(lua_State *L, l_doc *owner, lathe_view *array)
{
    for (uint64_t k = 0;; k++) {
        rec_at at;
        uint32_t slot;
        lathe_value value;
        lathe_error err;
        l_doc_check_open(L, owner); /* the last value may have run a finalizer */
        if (k >= lathe_view_count(*array))
            return;
        if (rec_enter(array, &at, &slot, &err) != LATHE_OK ||
            rec_get_item(&at, slot, k, true, &value, &err) != LATHE_OK)
            l_raise(L, &err);
        l_push_plain(L, owner, &value, 0);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
}

/* Pushes the value of a repeated key that is read merged: a plain list. */
static lathe_result push_merged(lua_State *L, l_doc *owner, lathe_view *array, rec_key key,
                                lathe_error *err)
{
    lua_newtable(L);
    for (uint64_t i = 0;; i++) {
        rec_at at, element;
        uint32_t slot;
        lathe_value value = {.kind = LATHE_KIND_NONE};
        l_doc_check_open(L, owner);
        lathe_result r = rec_enter(array, &at, &slot, err);
        if (r == LATHE_OK)
            r = rec_key_next(&at, slot, key, &i, err);
        if (r != LATHE_OK || i >= lathe_view_count(*array))
            return r;
        r = rec_sub(&at, slot, i, &element, err);
        if (r == LATHE_OK)
            r = rec_get(&element, at.layout->slots[slot].value, true, &value, err);
        if (r != LATHE_OK)
            return r;
        if (value.kind == LATHE_KIND_ARRAY)
            append_plain(L, owner, &value.as.v);
    }
}

lathe_result l_push_key(lua_State *L, int from, l_doc *owner, lathe_view *array, rec_key key,
                        lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    uint64_t i, repeats = 0;
    lathe_value value;
    lathe_result r = rec_enter(array, &at, &slot, err);
    bool merged = r == LATHE_OK && at.layout->slots[slot].row->flags & REC_MERGED;
    if (merged)
        r = rec_key_find(&at, slot, key, &i, &repeats, err);
    if (r == LATHE_OK && merged && repeats > 1)
        return push_merged(L, owner, array, key, err);
    if (r == LATHE_OK)
        r = rec_key_get(&at, slot, key, &value, err);
    if (r == LATHE_OK)
        l_push_value(L, from, &value);
    return r;
}

static int index_key(lua_State *L, l_view *w)
{
    rec_key key; /* also for names of methods, which may be keys */
    lathe_error err;
    key.p = lua_tolstring(L, 2, &key.n);
    return l_push_key(L, 1, w->owner, &w->at, key, &err) == LATHE_OK ? 1 : l_raise(L, &err);
}

/* Fills the element of a key, or the one that was inserted for it. */
static lathe_result put_element(l_doc *owner, lathe_view *array, rec_key key, uint64_t i,
                                bool fresh, const l_input *in, lathe_error *err)
{
    rec_at at, element;
    uint32_t slot;
    lathe_result r = rec_enter(array, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    uint32_t value = at.layout->slots[slot].value;
    if (value != REC_NO_SLOT) {
        r = rec_sub(&at, slot, i, &element, err);
        lathe_view view = r == LATHE_OK ? rec_view(&element) : *array;
        return r == LATHE_OK ? l_store_field(owner, &view, value, in, err) : r;
    }
    r = fresh ? l_store_new(owner, array, i, in, err) : l_store_item(owner, array, i, in, err);
    if (r == LATHE_OK)
        r = rec_enter(array, &at, &slot, err);
    /* the table must not change the key */
    return r == LATHE_OK ? rec_key_store(&at, slot, i, key, err) : r;
}

lathe_result l_array_put_key(l_doc *owner, lathe_view *array, rec_key key, const l_input *in,
                             lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    uint64_t i;
    bool fresh;
    lathe_result r = rec_begin(owner->doc, err);
    if (r != LATHE_OK)
        return r;
    r = rec_enter(array, &at, &slot, err);
    if (r == LATHE_OK && in->kind == L_IN_LEAF && in->leaf.kind == LATHE_KIND_NONE) {
        r = rec_key_remove(&at, slot, key, err);
    } else if (r == LATHE_OK) {
        r = rec_key_place(&at, slot, key, &i, &fresh, err);
        if (r == LATHE_OK)
            r = put_element(owner, array, key, i, fresh, in, err);
    }
    return rec_end(owner->doc, r, err);
}

/* ---- metamethods ----------------------------------------------------------------------------- */

static const luaL_Reg methods[] = {
    {"append", l_array_append},
    {"insert", l_array_insert},
    {"copy", l_array_copy},
    {"remove", l_array_remove},
    {"move", l_array_move},
    {"resize", l_array_resize},
    {"assign", l_array_assign},
    {"totable", l_totable},
    {"pack", l_array_pack},
    {"tobuffer", l_array_tobuffer},
    {NULL, NULL},
};

/* The error for an unknown key, at 2. */
static int no_method(lua_State *L)
{
    luaL_Buffer all;
    const char *name = luaL_tolstring(L, 2, NULL);
    luaL_buffinit(L, &all);
    for (const luaL_Reg *m = methods; m->name; m++) {
        luaL_addstring(&all, m == methods ? "" : ", ");
        luaL_addstring(&all, m->name);
    }
    luaL_pushresult(&all);
    return luaL_error(L, "no method '%s' of arrays, which have %s; elements have numbers", name,
                      lua_tostring(L, -1));
}

/* Upvalue 1: the methods. */
static int l_array_index(lua_State *L)
{
    l_view *w = lua_touserdata(L, 1);
    lua_settop(L, 2);
    if (lua_type(L, 2) == LUA_TNUMBER) {
        int whole;
        lua_Integer i = lua_tointegerx(L, 2, &whole);
        l_doc_check_open(L, w->owner);
        if (whole && i >= 1)
            return push_element(L, w, (uint64_t)i - 1);
        lua_pushnil(L);
        return 1;
    }
    if (lua_type(L, 2) == LUA_TSTRING && w->owner->doc && l_array_keyed(&w->at))
        return index_key(L, w);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    l_doc_check_open(L, w->owner);
    return no_method(L);
}

static bool is_ref(const lathe_view *array)
{
    return rec_row_ref(slot_of(array)->row) != NULL;
}

lathe_result l_array_put(l_doc *owner, lathe_view *array, lua_Integer i, const l_input *in,
                         lathe_error *err)
{
    uint64_t n = 0;
    lathe_result r = count_of(array, &n, err);
    if (r != LATHE_OK)
        return r;
    bool nil = in->kind == L_IN_LEAF && in->leaf.kind == LATHE_KIND_NONE;
    if (i < 1 || (uint64_t)i > n + 1 || (nil && (uint64_t)i > n)) {
        if (nil && i > 0)
            return LATHE_OK; /* nil after the end is no change */
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "index %lld is not in 1 .. %llu",
                         (long long)i, (unsigned long long)n + 1);
    }
    if (nil && (uint64_t)i == n)
        return lathe_view_remove(*array, n - 1, 1, err);
    if (nil && !is_ref(array))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "assigning nil removes the last element only: use remove(%lld)",
                         (long long)i);
    if ((uint64_t)i <= n)
        return l_store_item(owner, array, (uint64_t)i - 1, in, err);
    return insert_at(owner, array, n, in, err);
}

static int l_array_newindex(lua_State *L)
{
    l_view *w = lua_touserdata(L, 1);
    l_input in;
    lathe_error err;
    int whole = 0;
    l_doc_check_open(L, w->owner);
    lua_Integer i = lua_type(L, 2) == LUA_TNUMBER ? lua_tointegerx(L, 2, &whole) : 0;
    bool keyed = lua_type(L, 2) == LUA_TSTRING && l_array_keyed(&w->at);
    if (!whole && !keyed)
        return luaL_error(L, "elements are numbered with integers, not '%s'",
                          luaL_tolstring(L, 2, NULL));
    l_input_open(L, &in, 3, w->owner);
    rec_key key = {NULL, 0};
    if (keyed)
        key.p = lua_tolstring(L, 2, &key.n);
    lathe_result r = keyed ? l_array_put_key(w->owner, &w->at, key, &in, &err)
                           : l_array_put(w->owner, &w->at, i, &in, &err);
    l_input_close(L, &in);
    return r == LATHE_OK ? 0 : l_raise(L, &err);
}

static int l_array_len(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)check_count(L, lua_touserdata(L, 1)));
    return 1;
}

static int l_array_next(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    lua_Integer i = luaL_optinteger(L, 2, 0);
    if (i < 0 || (uint64_t)i >= check_count(L, w)) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, i + 1);
    return 1 + push_element(L, w, (uint64_t)i);
}

static int l_array_pairs(lua_State *L)
{
    l_check_array(L, 1);
    lua_pushcfunction(L, l_array_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

void l_open_arrays(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__newindex", l_array_newindex}, {"__len", l_array_len},          {"__eq", l_view_equal},
        {"__pairs", l_array_pairs},       {"__tostring", l_view_tostring}, {NULL, NULL},
    };
    luaL_newlibtable(L, meta);
    l_class_set(L, L_ARRAY, "lathe.Array");
    luaL_setfuncs(L, meta, 0);
    l_new_members(L, L_ARRAY, methods, NULL);
    lua_pushcclosure(L, l_array_index, 1);
    lua_setfield(L, -2, "__index");
    l_save_class(L, L_ARRAY);
}
