/* Storing Lua values in documents: a value is classified first, then written in one edit. */
#include "bindings.h"

#include <string.h>

/* ---- views as sources ------------------------------------------------------------------------ */

/* Gives the stored fields of a record, for making a document from it. Nested data are given as views, which the
 * engine copies. */
static bool view_get(void *user, const void *node, const char *name, uint64_t index,
                     lathe_value *leaf, const void **child)
{
    l_input *in = user;
    rec_at at;
    uint32_t slot;
    (void)node;
    (void)index;
    *child = NULL;
    if (!name || rec_enter(&in->leaf.as.v, &at, &slot, NULL) != LATHE_OK)
        return false;
    slot = rec_slot_find(at.layout, name);
    return slot != REC_NO_SLOT && !rec_unstored(at.layout->slots[slot].row) &&
           rec_get(&at, slot, true, leaf, NULL) == LATHE_OK && leaf->kind != LATHE_KIND_NONE;
}

static uint64_t view_count(void *user, const void *node)
{
    (void)user;
    (void)node;
    return 0;
}

bool l_view_leaf(lua_State *L, int idx, l_class c, lathe_value *leaf)
{
    if (c == L_DOCUMENT) {
        const l_doc *d = lua_touserdata(L, idx);
        if (!d->doc)
            return false; /* *leaf is unchanged */
        leaf->kind = LATHE_KIND_RECORD;
        leaf->as.v = lathe_doc_root(d->doc);
        return true;
    }
    if (c == L_SKELETON || c == L_ANIMATION) {
        const l_object *o = lua_touserdata(L, idx);
        lathe_list list = c == L_SKELETON ? LATHE_SKELETONS : LATHE_ANIMATIONS;
        if (o->owner->doc)
            *leaf = lathe_list_value(o->owner->doc, list, o->index);
        return o->owner->doc != NULL;
    }
    const l_view *w = lua_touserdata(L, idx);
    if (!w->owner->doc)
        return false;
    leaf->kind = c == L_ARRAY ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD;
    leaf->as.v = w->at;
    return true;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void open_userdata(lua_State *L, l_input *in, int idx)
{
    l_class c = l_class_of(L, idx);
    if (l_is_plain(L, idx)) {
        in->kind = L_IN_TABLE;
    } else if (c == L_OTHER || c >= L_SKELETON) {
        in->kind = L_IN_BAD;
        in->bad = l_object_word(c);
    } else if (c == L_BUFFER) {
        in->kind = L_IN_BUFFER;
        in->buffer = lua_touserdata(L, idx);
    } else if (!l_view_leaf(L, idx, c, &in->leaf)) {
        luaL_error(L, "document is closed");
    } else if (in->leaf.kind == LATHE_KIND_RECORD) {
        in->api = (lathe_source){
            .size = sizeof in->api, .user = in, .get = view_get, .count = view_count};
    }
}

void l_input_open(lua_State *L, l_input *in, int idx, const l_doc *owner)
{
    idx = lua_absindex(L, idx);
    memset(in, 0, sizeof *in);
    switch (lua_type(L, idx)) {
    case LUA_TNONE:
    case LUA_TNIL: break;
    case LUA_TBOOLEAN:
        in->leaf.kind = LATHE_KIND_BOOL;
        in->leaf.as.b = lua_toboolean(L, idx);
        break;
    case LUA_TNUMBER:
        in->leaf.kind = lua_isinteger(L, idx) ? LATHE_KIND_INT : LATHE_KIND_REAL;
        if (in->leaf.kind == LATHE_KIND_INT)
            in->leaf.as.i = lua_tointeger(L, idx);
        else
            in->leaf.as.f = lua_tonumber(L, idx);
        break;
    case LUA_TSTRING:
        in->leaf.kind = LATHE_KIND_STRING;
        in->leaf.as.s.p = lua_tolstring(L, idx, &in->leaf.as.s.n);
        break;
    case LUA_TTABLE: in->kind = L_IN_TABLE; break;
    case LUA_TUSERDATA: open_userdata(L, in, idx); break;
    default:
        in->kind = L_IN_BAD;
        in->bad = luaL_typename(L, idx);
        break;
    }
    if (in->kind == L_IN_TABLE || in->kind == L_IN_BUFFER) {
        l_source_open(L, &in->source, idx);
        in->api = in->source.api;
    }
    if (owner)
        l_doc_check_open(L, owner);
    if (in->source.L)
        l_source_run(L, &in->source);
}

void l_input_close(lua_State *L, l_input *in)
{
    if (in->kind == L_IN_TABLE || in->kind == L_IN_BUFFER)
        l_source_close(L, &in->source);
}

lathe_result l_input_result(const l_input *in, lathe_result r, lathe_error *err)
{
    if (!in->source.failed)
        return r;
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "the values could not be read");
}

/* ---- writing --------------------------------------------------------------------------------- */

static lathe_result not_stored(const rec_at *at, uint32_t slot, const char *what, lathe_error *err)
{
    char type[24];
    const rec_field *row = at->layout->slots[slot].row;
    return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "%s expected, got %s",
                    row->ref ? "a view, a number or false" : rec_wanted(row, type, sizeof type),
                    what);
}

/* Combines a list of names to the bits of a flag field. */
static lathe_result flags_of(const rec_at *at, uint32_t slot, const l_input *in, lathe_value *out,
                             lathe_error *err)
{
    uint64_t bits = 0, n = in->api.count(in->api.user, NULL);
    for (uint64_t i = 0; i < n; i++) {
        lathe_value leaf = {.kind = LATHE_KIND_NONE};
        const void *child = NULL;
        uint64_t bit = 0;
        in->api.get(in->api.user, NULL, NULL, i, &leaf, &child);
        lathe_result r = rec_encode(at, slot, &leaf, &bit, err);
        if (r != LATHE_OK)
            return r;
        bits |= bit;
    }
    out->kind = LATHE_KIND_UINT;
    out->as.u = bits;
    return LATHE_OK;
}

static lathe_result set_leaf(const rec_at *at, uint32_t slot, uint64_t item,
                             const lathe_value *leaf, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    lathe_result r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = item == REC_NO_ITEM ? rec_set(at, slot, leaf, err)
                            : rec_set_item(at, slot, item, leaf, err);
    return rec_end(doc, r, err);
}

/* Builds a record or array. A failure in the source rolls the edit back. */
static lathe_result build(lathe_view to, const l_input *in, lathe_error *err)
{
    lathe_doc *doc = to.doc;
    lathe_result r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_view_build(to, &in->api, err);
    return rec_end(doc, l_input_result(in, r, err), err);
}

/* Makes the record that a pointer leads to. */
static lathe_result make_target(const rec_at *at, uint32_t slot, uint64_t item, const l_input *in,
                                lathe_error *err)
{
    lathe_result r = rec_begin(at->doc, err);
    if (r != LATHE_OK)
        return r;
    r = rec_make_target(at, slot, item, &in->api, NULL, err);
    return rec_end(at->doc, l_input_result(in, r, err), err);
}

/* Stores a table or buffer in a field or element. */
static lathe_result set_nested(l_doc *owner, const rec_at *at, uint32_t slot, uint64_t item,
                               const l_input *in, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_value value;
    lathe_result r;
    bool single = !s->array || item != REC_NO_ITEM;
    if (single && s->row->shown == REC_FLAGS && in->kind == L_IN_TABLE) {
        r = flags_of(at, slot, in, &value, err);
        return r == LATHE_OK ? set_leaf(at, slot, item, &value, err) : r;
    }
    if (single && in->kind == L_IN_TABLE && rec_makes_targets(s->row))
        return make_target(at, slot, item == REC_NO_ITEM ? 0 : item, in, err);
    if (single && (s->row->kind != REC_RECORD || s->row->ref))
        return not_stored(at, slot, in->kind == L_IN_TABLE ? "a table" : "a buffer", err);
    r = item == REC_NO_ITEM ? rec_get(at, slot, false, &value, err)
                            : rec_get_item(at, slot, item, false, &value, err);
    if (r != LATHE_OK)
        return r;
    if (value.kind == LATHE_KIND_ARRAY && in->kind == L_IN_BUFFER)
        return l_assign_buffer(owner, &value.as.v, NULL, in->buffer, err);
    if (value.kind == LATHE_KIND_ARRAY || value.kind == LATHE_KIND_RECORD)
        return build(value.as.v, in, err);
    return rec_absent(at, slot, at->off, err);
}

static lathe_result store(l_doc *owner, const rec_at *at, uint32_t slot, uint64_t item,
                          const l_input *in, lathe_error *err)
{
    if (in->kind == L_IN_BAD)
        return not_stored(at, slot, in->bad, err);
    if (rec_numbers_of(at, slot))
        return l_store_numbers(at, slot, in, err);
    if (in->kind != L_IN_LEAF)
        return set_nested(owner, at, slot, item, in, err);
    const rec_field *row = at->layout->slots[slot].row;
    if (in->leaf.kind == LATHE_KIND_NONE && !row->ref && !rec_unstored(row))
        return not_stored(at, slot, "nil", err);
    return set_leaf(at, slot, item, &in->leaf, err);
}

lathe_result l_store_field(l_doc *owner, lathe_view *record, uint32_t slot, const l_input *in,
                           lathe_error *err)
{
    rec_at at;
    uint32_t none;
    lathe_result r = rec_enter(record, &at, &none, err);
    return r == LATHE_OK ? store(owner, &at, at.layout->slots[slot].same, REC_NO_ITEM, in, err) : r;
}

lathe_result l_store_item(l_doc *owner, lathe_view *array, uint64_t item, const l_input *in,
                          lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(array, &at, &slot, err);
    return r == LATHE_OK ? store(owner, &at, slot, item, in, err) : r;
}

lathe_result l_store_new(l_doc *owner, lathe_view *array, uint64_t item, const l_input *in,
                         lathe_error *err)
{
    rec_at at, element;
    uint32_t slot;
    lathe_result r = rec_enter(array, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    const rec_field *row = at.layout->slots[slot].row;
    if (in->kind != L_IN_TABLE || row->kind != REC_RECORD || row->ref)
        return store(owner, &at, slot, item, in, err);
    rec_from from = {.source = &in->api, .fresh = true};
    bool raw;
    r = rec_element_for(&at, slot, item, &from, &element, &raw, err);
    if (r == LATHE_OK && !raw)
        r = rec_build(&element, &from, err);
    return l_input_result(in, r, err);
}

/* Copies the record or array of a view to a place of the same kind. */
static lathe_result copy_view(const rec_at *at, uint32_t slot, const lathe_value *leaf,
                              lathe_error *err)
{
    lathe_view from = leaf->as.v;
    rec_at from_at;
    uint32_t from_slot;
    lathe_result r = rec_enter(&from, &from_at, &from_slot, err);
    if (r == LATHE_OK)
        r = rec_begin(at->doc, err);
    if (r != LATHE_OK)
        return r;
    r = slot == REC_NO_SLOT ? rec_copy(at, &from_at, err)
                            : rec_copy_array(at, slot, &from_at, from_slot, err);
    return rec_end(at->doc, r, err);
}

lathe_result l_store_whole(l_doc *owner, lathe_view *place, const l_input *in, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(place, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    bool array = slot != REC_NO_SLOT;
    if (in->kind == L_IN_BUFFER && array)
        return l_assign_buffer(owner, place, NULL, in->buffer, err);
    if (in->kind == L_IN_TABLE || in->kind == L_IN_BUFFER)
        return build(*place, in, err);
    if (in->kind == L_IN_LEAF && array && in->leaf.kind == LATHE_KIND_STRING)
        return l_assign_bytes(owner, place, in->leaf.as.s.p, in->leaf.as.s.n, err);
    if (in->kind == L_IN_LEAF && in->leaf.kind == (array ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD))
        return copy_view(&at, slot, &in->leaf, err);
    return rec_fail(&at, slot, at.off, err, LATHE_ERR_TYPE,
                    array ? "a list, bytes, a buffer or an array expected"
                          : "a table or a record expected");
}
