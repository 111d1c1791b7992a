/* Fields that are tables of numbers: reading gives a copy in a buffer, and assignment replaces the whole table. */
#include "bindings.h"

bool l_is_numbers(const lathe_view *view)
{
    const rec_layout *layout = view->type;
    return view->flags & REC_VIEW_ARRAY && rec_row_rare(layout->slots[view->index].row)->numbers;
}

void l_push_numbers(lua_State *L, int from, lathe_view numbers)
{
    lathe_elem elem = LATHE_ELEM_F32;
    lathe_error err;
    uint32_t columns = lathe_view_lanes(numbers, NULL, &elem);
    uint64_t n = lathe_view_count(numbers);
    from = lua_absindex(L, from);
    luaL_checkstack(L, 8, NULL);
    if (n > SIZE_MAX)
        luaL_error(L, "not enough memory");
    l_buffer *b = l_push_buffer(L, elem, (size_t)n, columns);
    l_push_owner(L, from);
    l_doc_check_open(L, lua_touserdata(L, -1));
    lua_pop(L, 1);
    if (lathe_view_count(numbers) != n)
        luaL_error(L, "the document was changed by a finalizer");
    /* Called for empty tables, too, because reading may fail. */
    if (lathe_view_read(numbers, NULL, 0, n, elem, b->data, 0, &err) != LATHE_OK)
        l_raise(L, &err);
}

static lathe_result wrong_row(const rec_at *at, uint32_t slot, uint64_t i, lathe_error *err)
{
    return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "row %llu: %lu numbers expected",
                    (unsigned long long)i + 1,
                    (unsigned long)rec_row_rare(at->layout->slots[slot].row)->numbers->columns);
}

static lathe_result read_rows(const rec_at *at, uint32_t slot, const lathe_source *s, uint64_t n,
                              double *to, lathe_error *err)
{
    uint32_t columns = rec_row_rare(at->layout->slots[slot].row)->numbers->columns;
    for (uint64_t i = 0; i < n; i++) {
        lathe_value leaf = {.kind = LATHE_KIND_NONE};
        const void *row = NULL;
        bool found = s->get(s->user, NULL, NULL, i, &leaf, &row);
        if (found && !row && columns == 1 && rec_number(&leaf, to)) {
            to++; /* with one column, a number is a row */
            continue;
        }
        if (!found || !row || s->count(s->user, row) != columns)
            return wrong_row(at, slot, i, err);
        for (uint32_t k = 0; k < columns; k++) {
            const void *child = NULL;
            if (!s->get(s->user, row, NULL, k, &leaf, &child) || child || !rec_number(&leaf, to++))
                return wrong_row(at, slot, i, err);
        }
    }
    return LATHE_OK;
}

static lathe_result store_rows(const rec_at *at, uint32_t slot, const l_input *in, lathe_error *err)
{
    uint64_t n = in->api.count(in->api.user, NULL);
    size_t columns = rec_row_rare(at->layout->slots[slot].row)->numbers->columns;
    size_t size = n < SIZE_MAX / 16 / columns ? (size_t)n * columns * sizeof(double) + 1 : 0;
    double *rows = size ? mem_alloc(&at->doc->mem, size) : NULL;
    if (!rows)
        return rec_no_memory(err);
    lathe_result r = l_input_result(in, read_rows(at, slot, &in->api, n, rows, err), err);
    if (r == LATHE_OK)
        r = rec_numbers_write(at, slot, n, LATHE_ELEM_F64, rows, 0, err);
    mem_free(&at->doc->mem, rows, size);
    return r;
}

lathe_result l_store_numbers(const rec_at *at, uint32_t slot, const l_input *in, lathe_error *err)
{
    const rec_numbers *t = rec_row_rare(at->layout->slots[slot].row)->numbers;
    if (!t->write)
        return rec_writable(at, slot, err);
    if (in->kind == L_IN_TABLE)
        return store_rows(at, slot, in, err);
    if (in->kind == L_IN_LEAF && in->leaf.kind == LATHE_KIND_NONE && t->turn)
        return rec_numbers_remove(at, slot, err);
    if (in->kind != L_IN_BUFFER)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                        "a buffer or a list of rows of %lu numbers expected",
                        (unsigned long)t->columns);
    if (in->buffer->columns != t->columns)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%lu columns expected, got %llu",
                        (unsigned long)t->columns, (unsigned long long)in->buffer->columns);
    return rec_numbers_write(at, slot, in->buffer->rows, in->buffer->elem, in->buffer->data, 0,
                             err);
}
