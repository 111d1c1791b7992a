/* Deep copies of records and arrays as plain tables, without loss. */
#include "bindings.h"

/* Sets row `row` of a record in the table on top, unless copies omit it. The record is entered again for each field,
 * because the tables for the last one may have run a finalizer. */
static void set_row(lua_State *L, l_doc *owner, lathe_view *record, uint32_t row, int depth)
{
    rec_at at;
    uint32_t none;
    lathe_value value = {.kind = LATHE_KIND_NONE};
    lathe_error err;
    bool is_default = false;
    l_doc_check_open(L, owner);
    lathe_result r = rec_enter(record, &at, &none, &err);
    const rec_field *field = at.layout->slots[row].row;
    bool all = rec_row_column(field) || field->flags & REC_COPIED ||
               (rec_is_lane(at.layout->type, row) &&
                rec_lanes(at.layout->type) == at.layout->count); /* all its rows are components */
    bool listed = field->flags & REC_COPIED || !rec_inside(&at, row);
    if (r == LATHE_OK && (all || !rec_unstored(field)) && listed) {
        r = rec_get(&at, row, true, &value, &err);
        if (r == LATHE_OK && value.kind != LATHE_KIND_NONE &&
            at.layout->slots[row].row->flags & REC_PAD)
            r = rec_is_default(&at, row, &is_default, &err);
    }
    if (r != LATHE_OK)
        l_raise(L, &err);
    if (value.kind == LATHE_KIND_NONE || is_default)
        return;
    const char *name = at.layout->slots[row].name; /* constant, or held */
    l_push_plain(L, owner, &value, depth);
    lua_setfield(L, -2, name);
}

/* Whether a record is copied as bytes, because it could not be parsed: a polymorphic element, or an embedded
 * document. */
static bool is_opaque(const l_doc *owner, lathe_view record, bool tagged)
{
    return (tagged || rec_embedded(owner->doc, record.part)) &&
           rec_opaque(owner->doc, record.part, NULL) &&
           rec_slot_find(record.type, "bytes") == REC_NO_SLOT;
}

static void push_bytes(lua_State *L, l_doc *owner, lathe_view *record)
{
    rec_at at;
    uint32_t none;
    lathe_error err;
    l_doc_check_open(L, owner); /* the last string may have run a finalizer */
    if (rec_enter(record, &at, &none, &err) != LATHE_OK)
        l_raise(L, &err);
    const rec_part *p = rec_part_of(owner->doc, at.part);
    lua_pushlstring(L, (const char *)p->data, (size_t)p->size);
}

/* Pushes a table with the type and, if opaque, the bytes of a record. All are pushed before the table is made, which
 * may run a finalizer; the layout is not used afterwards. */
static void push_tagged(lua_State *L, l_doc *owner, lathe_view *record, const char *tag,
                        const char *type, bool opaque)
{
    int fields = (int)((const rec_layout *)record->type)->count;
    lua_pushstring(L, type); /* NULL: nil */
    if (opaque)
        push_bytes(L, owner, record);
    else
        lua_pushnil(L);
    lua_createtable(L, 0, fields);
    lua_insert(L, -3);
    lua_setfield(L, -3, "bytes");
    if (tag)
        lua_setfield(L, -2, tag);
    else
        lua_pop(L, 1);
}

static void push_record(lua_State *L, l_doc *owner, lathe_view record, int depth)
{
    uint32_t count = ((const rec_layout *)record.type)->count;
    const char *tag = NULL, *type = rec_view_tag(record, &tag); /* a polymorphic element */
    bool opaque = is_opaque(owner, record, type != NULL);
    if (type || opaque)
        push_tagged(L, owner, &record, tag, type, opaque);
    else
        lua_createtable(L, 0, (int)count);
    for (uint32_t row = 0; row < count; row++)
        set_row(L, owner, &record, row, depth + 1);
}

static void push_array(lua_State *L, l_doc *owner, lathe_view array, int depth)
{
    uint64_t n = lathe_view_count(array);
    lua_createtable(L, n < 1 << 20 ? (int)n : 1 << 20, 0);
    for (uint64_t i = 0; i < n; i++) {
        rec_at at;
        uint32_t slot;
        lathe_value value;
        lathe_error err;
        l_doc_check_open(L, owner);
        lathe_result r = rec_enter(&array, &at, &slot, &err);
        if (r == LATHE_OK)
            r = rec_get_item(&at, slot, i, true, &value, &err);
        if (r == LATHE_ERR_BOUNDS && lathe_view_count(array) != n)
            luaL_error(L, "the array was resized by a finalizer");
        if (r != LATHE_OK)
            l_raise(L, &err);
        l_push_plain(L, owner, &value, depth + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void l_push_plain(lua_State *L, l_doc *owner, const lathe_value *value, int depth)
{
    if (value->kind != LATHE_KIND_RECORD && value->kind != LATHE_KIND_ARRAY) {
        l_push_value(L, 0, value);
        return;
    }
    luaL_checkstack(L, 6, NULL);
    if (depth > REC_DEPTH)
        luaL_error(L, "records nested deeper than %d", REC_DEPTH);
    if (value->kind == LATHE_KIND_ARRAY)
        push_array(L, owner, value->as.v, depth);
    else
        push_record(L, owner, value->as.v, depth);
}

/* lathe.totable */
int l_totable(lua_State *L)
{
    l_doc *owner;
    if (l_class_of(L, 1) == L_BUFFER)
        return l_buffer_totable(L);
    if (l_is_plain(L, 1)) {
        l_object_plain(L, 1);
        return 1;
    }
    if (l_is_copy(L, 1)) {
        lua_settop(L, 1);
        l_copy_totable(L);
        return 1;
    }
    lathe_view *view = l_check_place(L, 1, &owner);
    rec_at at;
    uint32_t slot;
    lathe_error err;
    if (rec_enter(view, &at, &slot, &err) != LATHE_OK)
        return l_raise(L, &err);
    lathe_value value = {.kind = slot == REC_NO_SLOT ? LATHE_KIND_RECORD : LATHE_KIND_ARRAY};
    l_hold *hold = owner->doc->has_own ? l_push_hold(L, owner) : NULL;
    value.as.v = *view;
    l_push_plain(L, owner, &value, 0);
    if (hold)
        l_unhold(hold);
    return 1;
}
