/* Whole arrays as bytes and buffers, and back. */
#include "bindings.h"

#include <string.h>

/* ---- elements as bytes ----------------------------------------------------------------------- */

static void swap_bytes(uint8_t *p, uint64_t width)
{
    for (uint64_t i = 0; i < width / 2; i++) {
        uint8_t b = p[i];
        p[i] = p[width - 1 - i];
        p[width - 1 - i] = b;
    }
}

/* Whether a row is stored in the elements of its record's layout: it takes bytes, and its version and argument
 * apply. */
static bool is_stored(const rec_slot *row)
{
    return !row->never && !rec_unstored(row->row);
}

/* Converts the big-endian numbers of one element to little-endian, or back. Only for elements of fixed size, whose
 * rows are all present and at known offsets. */
static void swap_element(const rec_slot *s, uint8_t *p)
{
    uint64_t width = rec_width(s->row->kind);
    if (s->row->kind == REC_RECORD) {
        for (uint32_t i = 0; i < s->sub->count; i++) {
            const rec_slot *row = &s->sub->slots[i];
            if (!is_stored(row))
                continue;
            uint64_t n = row->array ? row->row->n : 1;
            for (uint64_t k = 0; k < n; k++)
                swap_element(row, p + row->off + k * row->elem);
        }
    } else if (s->big && width > 1) {
        swap_bytes(p, width);
    }
}

static bool is_big(const rec_slot *s)
{
    if (s->row->kind != REC_RECORD)
        return s->big && rec_width(s->row->kind) > 1;
    for (uint32_t i = 0; i < s->sub->count; i++)
        if (is_stored(&s->sub->slots[i]) && is_big(&s->sub->slots[i]))
            return true;
    return false;
}

static void swap_elements(const rec_slot *s, uint8_t *p, uint64_t n)
{
    if (!is_big(s))
        return;
    if (rec_width(s->row->kind)) {
        bytes_copy_swap(p, p, (size_t)n, rec_width(s->row->kind), true);
        return;
    }
    for (uint64_t i = 0; i < n; i++)
        swap_element(s, p + i * s->elem);
}

/* Finds the contiguous bytes of an array. */
static lathe_result find_bytes(lathe_view *array, rec_at *at, uint32_t *slot, rec_loc *loc,
                               lathe_error *err)
{
    lathe_result r = rec_enter(array, at, slot, err);
    if (r == LATHE_OK)
        r = rec_find(at, *slot, loc, err);
    if (r != LATHE_OK)
        return r;
    const rec_slot *s = rec_slot_of(at, *slot);
    if (s->elem == REC_DYNAMIC || s->elem == 0 || s->row->flags & REC_PART || rec_row_group(s->row))
        return rec_fail(at, *slot, loc->off, err, LATHE_ERR_TYPE,
                        "its elements differ in size: use totable()");
    if (s->row->text || s->row->kind == REC_POINTER || (s->sub && s->sub->has_out_of_line))
        return rec_fail(at, *slot, loc->off, err, LATHE_ERR_TYPE,
                        "its elements have out-of-line data: use totable()");
    if (!loc->present)
        loc->count = 0;
    uint64_t have = rec_part_of(at->doc, loc->data_part)->size;
    if (loc->count && (loc->data > have || loc->count > (have - loc->data) / s->elem))
        return rec_fail(at, *slot, loc->off, err, LATHE_ERR_BOUNDS, "data ends early");
    return LATHE_OK;
}

/* lathe.pack */
int l_array_pack(lua_State *L)
{
    if (l_class_of(L, 1) == L_BUFFER)
        return l_buffer_pack(L);
    l_view *w = l_check_array(L, 1);
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    lathe_error err;
    luaL_Buffer b;
    if (find_bytes(&w->at, &at, &slot, &loc, &err) != LATHE_OK)
        return l_raise(L, &err);
    uint64_t n = loc.count * rec_slot_of(&at, slot)->elem;
    if (n > PTRDIFF_MAX)
        return luaL_error(L, "not enough memory");
    char *p = luaL_buffinitsize(L, &b, (size_t)n);
    l_doc_check_open(L, w->owner);
    if (find_bytes(&w->at, &at, &slot, &loc, &err) != LATHE_OK)
        return l_raise(L, &err);
    const rec_slot *s = rec_slot_of(&at, slot);
    if (loc.count * s->elem != n)
        return luaL_error(L, "the array was resized by a finalizer");
    if (n) {
        memcpy(p, rec_part_of(at.doc, loc.data_part)->data + loc.data, (size_t)n);
        swap_elements(s, (uint8_t *)p, loc.count);
    }
    luaL_pushresultsize(&b, (size_t)n);
    return 1;
}

/* Fails if a list of n elements would be refused, too. */
static lathe_result check_count(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t n,
                                lathe_error *err)
{
    if (n == loc->count || rec_resizable(at->layout, slot))
        return LATHE_OK;
    return rec_fail(at, slot, loc->off, err, LATHE_ERR_RANGE, "%llu elements expected, got %llu",
                    (unsigned long long)loc->count, (unsigned long long)n);
}

/* Resizes the array to n elements. */
static lathe_result set_count(lathe_view *array, uint64_t have, uint64_t n, lathe_error *err)
{
    if (n > have)
        return lathe_view_insert(*array, have, n - have, err);
    return n < have ? lathe_view_remove(*array, n, have - n, err) : LATHE_OK;
}

/* Inside an edit: stores bytes in the byte order of the document. */
static lathe_result put_bytes(lathe_view *array, const uint8_t *bytes, uint64_t n, uint64_t have,
                              lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    lathe_result r = set_count(array, have, n, err);
    if (r == LATHE_OK)
        r = find_bytes(array, &at, &slot, &loc, err);
    if (r != LATHE_OK || !n)
        return r;
    uint64_t size = n * rec_slot_of(&at, slot)->elem;
    return rec_splice(at.doc, loc.data_part, loc.data, size, bytes, size, err);
}

/* Fails if the bytes change read-only fields of existing elements. */
static lathe_result check_guarded(const rec_at *at, uint32_t slot, const rec_loc *loc,
                                  const uint8_t *bytes, uint64_t n, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const uint8_t *now = rec_part_of(at->doc, loc->data_part)->data + loc->data;
    for (uint64_t i = 0; rec_guarded(s) && i < n && i < loc->count; i++)
        if (!rec_guard_holds(s, now + i * s->elem, bytes + i * s->elem))
            return rec_fail(
                at, slot, loc->data + i * s->elem, err, LATHE_ERR_READONLY,
                "read-only: element %llu would change a field that is computed from others",
                (unsigned long long)i + 1);
    return LATHE_OK;
}

lathe_result l_assign_bytes(l_doc *owner, lathe_view *array, const char *bytes, size_t n,
                            lathe_error *err)
{
    lathe_doc *doc = owner->doc;
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    buf copy;
    lathe_result r = find_bytes(array, &at, &slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    const rec_slot *s = rec_slot_of(&at, slot);
    if (s->row->flags & REC_READONLY)
        return rec_fail(&at, slot, loc.off, err, LATHE_ERR_READONLY, "read-only: %s",
                        rec_row_why(s->row) ? rec_row_why(s->row)
                                            : "it is computed from other fields");
    if (n % s->elem)
        return rec_fail(&at, slot, loc.off, err, LATHE_ERR_RANGE,
                        "%llu bytes are not a whole number of elements of %llu bytes",
                        (unsigned long long)n, (unsigned long long)s->elem);
    r = check_count(&at, slot, &loc, n / s->elem, err);
    if (r != LATHE_OK)
        return r;
    buf_init(&copy, &doc->mem);
    r = buf_put(&copy, bytes, n) ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK && n)
        swap_elements(s, copy.data, n / s->elem);
    if (r == LATHE_OK)
        r = check_guarded(&at, slot, &loc, copy.data, n / s->elem, err);
    if (r == LATHE_OK)
        r = rec_begin(doc, err);
    if (r == LATHE_OK) {
        r = put_bytes(array, copy.data, n / s->elem, loc.count, err);
        r = rec_end(doc, r, err);
    }
    buf_free(&copy);
    return r;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* lathe.tobuffer */
int l_array_tobuffer(lua_State *L)
{
    lathe_elem elem = LATHE_ELEM_F32;
    lathe_error err;
    if (l_class_of(L, 1) == L_BUFFER && lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        return 1;
    }
    l_view *w = l_check_array(L, 1);
    const char *member = luaL_optstring(L, 2, NULL);
    uint32_t lanes = lathe_view_lanes(w->at, member, &elem);
    if (!lanes && member)
        return luaL_error(L, "'%s' is not a number or vector of these elements", member);
    if (!lanes)
        return luaL_error(L, "these elements are not numbers or vectors: name a member");
    uint64_t n = lathe_view_count(w->at);
    if (n > SIZE_MAX)
        return luaL_error(L, "not enough memory");
    l_buffer *b = l_push_buffer(L, elem, (size_t)n, lanes);
    l_doc_check_open(L, w->owner);
    if (n && lathe_view_read(w->at, member, 0, n, elem, b->data, 0, &err) != LATHE_OK)
        return l_raise(L, &err);
    return 1;
}

lathe_result l_assign_buffer(l_doc *owner, lathe_view *array, const char *member, const l_buffer *b,
                             lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    lathe_elem elem;
    lathe_doc *doc = owner->doc;
    lathe_result r = rec_enter(array, &at, &slot, err);
    if (r == LATHE_OK)
        r = rec_find(&at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    uint32_t lanes = lathe_view_lanes(*array, member, &elem);
    uint64_t n = lanes == 1 && !member ? (uint64_t)b->rows * b->columns : b->rows;
    if (!lanes)
        return rec_fail(&at, slot, loc.off, err, LATHE_ERR_TYPE,
                        member ? "'%s' is not a number or vector of its elements"
                               : "its elements are not numbers or vectors",
                        member);
    if (b->columns != lanes && (lanes > 1 || member))
        return rec_fail(&at, slot, loc.off, err, LATHE_ERR_RANGE, "%lu columns expected, got %llu",
                        (unsigned long)lanes, (unsigned long long)b->columns);
    if (member && n != loc.count)
        return rec_fail(&at, slot, loc.off, err, LATHE_ERR_RANGE, "%llu rows expected, got %llu",
                        (unsigned long long)loc.count, (unsigned long long)n);
    r = check_count(&at, slot, &loc, n, err);
    if (r == LATHE_OK)
        r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    if (!member)
        r = set_count(array, loc.present ? loc.count : 0, n, err);
    if (r == LATHE_OK && n)
        r = lathe_view_write(*array, member, 0, n, b->elem, b->data, 0, err);
    return rec_end(doc, r, err);
}

/* lathe.assign */
int l_array_assign(lua_State *L)
{
    l_view *w = l_check_array(L, 1);
    const char *member = luaL_optstring(L, 3, NULL);
    l_input in;
    lathe_error err;
    lathe_result r;
    luaL_checkany(L, 2);
    luaL_argcheck(L, !member || l_class_of(L, 2) == L_BUFFER, 3, "a member needs a buffer");
    l_input_open(L, &in, 2, w->owner);
    if (member)
        r = l_assign_buffer(w->owner, &w->at, member, in.buffer, &err);
    else
        r = l_store_whole(w->owner, &w->at, &in, &err);
    l_input_close(L, &in);
    return r == LATHE_OK ? 0 : l_raise(L, &err);
}
