/* Functions of the module on places: type, path, span, stored bytes and numbers. */
#include "bindings.h"

#include "record/form.h"

#include <string.h>

/* A place, optionally with a field of a record (by name) or an element of an array (by number). */
typedef struct target {
    l_doc *owner;
    rec_at at;
    uint32_t slot; /* REC_NO_SLOT: the record itself */
    uint64_t item; /* REC_NO_ITEM: the whole field */
} target;

static lathe_result enter_target(lua_State *L, target *t, lathe_error *err)
{
    lathe_view *view = l_check_place(L, 1, &t->owner);
    t->item = REC_NO_ITEM;
    lathe_result r = rec_enter(view, &t->at, &t->slot, err);
    if (r != LATHE_OK || lua_isnoneornil(L, 2))
        return r;
    if (t->slot == REC_NO_SLOT) {
        const rec_type *type = t->at.layout->type;
        uint32_t row = l_row_of(L, 1, 2); /* may make a metatable, so the place is entered again */
        l_doc_check_open(L, t->owner);
        if (row == REC_NO_SLOT)
            l_no_field(L, 2, type, rec_type_name(type), NULL);
        r = rec_enter(view, &t->at, &t->slot, err);
        t->slot = r == LATHE_OK ? t->at.layout->slots[row].same : row;
    } else {
        lua_Integer i = luaL_checkinteger(L, 2);
        luaL_argcheck(L, i >= 1, 2, "elements are numbered from 1");
        t->item = (uint64_t)i - 1;
    }
    return r;
}

/* lathe.type */
int l_type(lua_State *L)
{
    luaL_checkany(L, 1);
    switch (l_class_of(L, 1)) {
    case L_DOCUMENT: {
        const l_doc *d = lua_touserdata(L, 1);
        lua_pushstring(L, d->format ? d->format->name : NULL);
        break;
    }
    case L_RECORD: {
        const l_view *w = lua_touserdata(L, 1);
        const char *name = w->owner->doc ? lathe_view_type(w->at) : NULL;
        if (name)
            lua_pushstring(L, name); /* it may be a type without a description */
        else
            luaL_getmetafield(L, 1, "__name"); /* for views of a closed document */
        break;
    }
    case L_ARRAY: lua_pushliteral(L, "array"); break;
    case L_BUFFER: lua_pushliteral(L, "buffer"); break;
    case L_OTHER: lua_pushstring(L, l_is_copy(L, 1) ? "copy" : NULL); break;
    default: lua_pushstring(L, l_object_word(l_class_of(L, 1))); break;
    }
    return 1;
}

/* lathe.path */
int l_path(lua_State *L)
{
    target t;
    char path[4096]; /* enough for 64 levels with the longest names */
    lathe_error err;
    if (enter_target(L, &t, &err) != LATHE_OK)
        return l_raise(L, &err);
    size_t n = rec_path(&t.at, t.slot, t.item, path, sizeof path);
    lua_pushlstring(L, path, n < sizeof path ? n : sizeof path - 1);
    return 1;
}

static lathe_result span_item(const target *t, uint64_t *off, uint64_t *size, lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(&t->at, t->slot, &loc, err);
    if (r == LATHE_OK && (!loc.present || t->item >= loc.count))
        return rec_fail(&t->at, t->slot, loc.off, err, LATHE_ERR_BOUNDS, "no element %llu of %llu",
                        (unsigned long long)t->item + 1, (unsigned long long)loc.count);
    if (r == LATHE_OK && t->at.layout->slots[t->slot].row->flags & REC_PART) {
        lathe_value value;
        r = rec_get_item(&t->at, t->slot, t->item, false, &value, err);
        return r == LATHE_OK ? rec_span(value.as.v, NULL, off, size, err) : r;
    }
    if (r == LATHE_OK)
        r = rec_elem(&t->at, t->slot, &loc, t->item, off, size, err);
    if (r == LATHE_OK)
        *off = rec_encoded(t->at.doc, loc.part, *off);
    return r;
}

static lathe_result span_of(lua_State *L, target *t, uint64_t *off, uint64_t *size,
                            lathe_error *err)
{
    lathe_result r = enter_target(L, t, err);
    if (r != LATHE_OK)
        return r;
    if (t->item != REC_NO_ITEM)
        return span_item(t, off, size, err);
    lathe_view view = rec_view(&t->at);
    const char *field = NULL;
    if (t->slot != REC_NO_SLOT && lua_isnoneornil(L, 2))
        view = rec_array_view(&t->at, t->slot);
    else if (t->slot != REC_NO_SLOT)
        field = t->at.layout->slots[t->slot].name;
    return rec_span(view, field, off, size, err);
}

/* lathe.span */
int l_span(lua_State *L)
{
    target t;
    uint64_t off = 0, size = 0;
    lathe_error err;
    if (span_of(L, &t, &off, &size, &err) != LATHE_OK)
        return l_raise(L, &err);
    if (rec_in_form(t.at.doc)) { /* the bytes that it has are in no file */
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, (lua_Integer)off);
    lua_pushinteger(L, (lua_Integer)size);
    return 2;
}

/* lathe.bytes */
int l_bytes(lua_State *L)
{
    target t;
    uint64_t off = 0, size = 0, now = 0;
    lathe_error err;
    luaL_Buffer b;
    lua_settop(L, 2);
    if (span_of(L, &t, &off, &size, &err) != LATHE_OK)
        return l_raise(L, &err);
    if (size > PTRDIFF_MAX)
        return luaL_error(L, "not enough memory");
    char *p = luaL_buffinitsize(L, &b, (size_t)size);
    l_doc_check_open(L, t.owner);
    if (span_of(L, &t, &off, &now, &err) != LATHE_OK)
        return l_raise(L, &err);
    if (now != size)
        return luaL_error(L, "the document was changed by a finalizer");
    if (!rec_copy_encoded(t.at.doc, off, size, p))
        return luaL_error(L, "not enough memory");
    luaL_pushresultsize(&b, (size_t)size);
    return 1;
}

/* lathe.raw */
int l_raw(lua_State *L)
{
    target t;
    lathe_value value = {.kind = LATHE_KIND_NONE};
    lathe_error err;
    luaL_checkany(L, 2);
    lathe_result r = enter_target(L, &t, &err);
    if (r == LATHE_OK && t.slot == REC_NO_SLOT)
        return luaL_argerror(L, 2, "a field expected");
    const rec_slot *s = NULL;
    if (r == LATHE_OK) {
        s = &t.at.layout->slots[t.slot];
        r = t.item == REC_NO_ITEM ? rec_get(&t.at, t.slot, true, &value, &err)
                                  : rec_get_item(&t.at, t.slot, t.item, true, &value, &err);
    }
    unsigned width = r == LATHE_OK ? rec_width(s->row->kind) : 0;
    bool stored = width || (r == LATHE_OK && s->row->kind == REC_POINTER);
    if (stored && value.kind != LATHE_KIND_NONE && value.kind != LATHE_KIND_ARRAY) {
        value.kind = LATHE_KIND_UINT;
        r = rec_raw(&t.at, t.slot, t.item == REC_NO_ITEM ? 0 : t.item, &value.as.u, &err);
        rec_kind kind = s->row->kind;
        if ((kind == REC_I8 || kind == REC_I16 || kind == REC_I32) &&
            value.as.u >> (8 * width - 1) & 1)
            value.as.u |= ~(uint64_t)0 << 8 * width;
    }
    if (r != LATHE_OK)
        return l_raise(L, &err);
    if (value.kind == LATHE_KIND_RECORD || value.kind == LATHE_KIND_ARRAY ||
        s->row->kind == REC_COMPUTED)
        return luaL_argerror(L, 2, "this field does not store a single number or string");
    l_push_value(L, 1, &value);
    return 1;
}

/* lathe.index */
int l_index(lua_State *L)
{
    l_doc *owner;
    lathe_view *view = l_check_place(L, 1, &owner);
    rec_at at;
    uint32_t slot;
    char path[1024];
    lathe_error err;
    if (rec_enter(view, &at, &slot, &err) != LATHE_OK)
        return l_raise(L, &err);
    size_t n = slot == REC_NO_SLOT ? rec_path(&at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path) : 0;
    lua_Integer i = 0, unit = 1;
    if (n == 0 || n >= sizeof path || path[n - 1] != ']') {
        lua_pushnil(L);
        return 1;
    }
    for (n--; n && path[n - 1] != '['; n--, unit *= 10) /* the canonical path ends in [i] */
        i += unit * (path[n - 1] - '0');
    lua_pushinteger(L, i - 1);
    return 1;
}

/* lathe.names */
int l_names(lua_State *L)
{
    target t;
    uint64_t raw = 0;
    lathe_error err;
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    l_check_place(L, 1, &t.owner);
    l_hold *hold = l_push_hold(L, t.owner);
    lathe_result r = enter_target(L, &t, &err);
    if (r != LATHE_OK)
        return l_raise(L, &err);
    const rec_field *row = t.slot == REC_NO_SLOT ? NULL : t.at.layout->slots[t.slot].row;
    if (!row || row->shown != REC_FLAGS || !row->names)
        return luaL_argerror(L, 2, "not a set of flags");
    lathe_value value = {.kind = LATHE_KIND_NONE};
    r = t.item == REC_NO_ITEM ? rec_get(&t.at, t.slot, false, &value, &err)
                              : rec_get_item(&t.at, t.slot, t.item, false, &value, &err);
    if (r != LATHE_OK)
        return l_raise(L, &err);
    if (value.kind == LATHE_KIND_INT || value.kind == LATHE_KIND_UINT)
        raw = value.as.u; /* same bits */
    lua_newtable(L);
    lua_Integer n = 0;
    const rec_names *names =
        rec_row_rare(row)->names_in ? rec_row_rare(row)->names_in(&t.at) : rec_row_names(row);
    for (uint32_t i = 0; i < names->count; i++) {
        const rec_name name = rec_names_item(names, i);
        uint64_t bits = (uint64_t)name.value;
        if (!bits || (raw & bits) != bits)
            continue;
        lua_pushstring(L, name.name);
        lua_rawseti(L, -2, ++n);
    }
    l_unhold(hold);
    return 1;
}

/* lathe.problem */
int l_problem(lua_State *L)
{
    l_doc *owner;
    lathe_view *view = l_check_place(L, 1, &owner);
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    uint64_t size;
    lathe_error err;
    lathe_result r = rec_enter(view, &at, &slot, &err);
    bool whole = slot == REC_NO_SLOT;
    if (r == LATHE_OK && whole && rec_opaque(view->doc, at.part, NULL)) {
        lathe_view_problem(*view, &err);
        return l_push_error(L, &err), 1;
    }
    if (r == LATHE_OK)
        r = whole ? rec_measure(&at, &size, &err) : rec_find(&at, slot, &loc, &err);
    for (uint32_t i = 0;
         r == LATHE_OK && whole && at.layout->has_out_of_line && i < at.layout->count; i++)
        r = rec_unstored(at.layout->slots[i].row) ? LATHE_OK : rec_find(&at, i, &loc, &err);
    bool understood = r == LATHE_OK && !(whole && lathe_view_problem(*view, &err));
    if (understood && rec_targets_known(&at, slot, 0, &err) == LATHE_OK)
        lua_pushnil(L);
    else
        l_push_error(L, &err);
    return 1;
}
