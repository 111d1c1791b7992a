/* Computed rows with tables of numbers (.numbers): shown as arrays that are read and written as a whole. */
#include "record/record.h"

const rec_numbers *rec_numbers_of(const rec_at *at, uint32_t slot)
{
    return slot == REC_NO_SLOT ? NULL : rec_row_rare(at->layout->slots[slot].row)->numbers;
}

static uint8_t *room_for(const rec_at *at, const rec_numbers *t, uint64_t n, size_t *size,
                         lathe_error *err)
{
    size_t row = (size_t)t->columns * rec_elem_width(t->elem);
    uint8_t *p =
        n < SIZE_MAX / 2 / row ? mem_alloc(&at->doc->mem, *size = (size_t)n * row + 1) : NULL;
    if (!p)
        rec_no_memory(err);
    return p;
}

lathe_result rec_numbers_read(const rec_at *at, uint32_t slot, uint64_t from, uint64_t n,
                              lathe_elem elem, void *to, size_t stride, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    const rec_numbers *t = rec_row_rare(row)->numbers;
    size_t size = 0, in = rec_elem_width(t->elem), out = rec_elem_width(elem);
    uint64_t have;
    if (!t->rows(at, row, &have) || from > have || n > have - from)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_BOUNDS, "no rows %llu .. %llu",
                        (unsigned long long)from + 1, (unsigned long long)(from + n));
    if (n == have && elem == t->elem && (!stride || stride == out * t->columns))
        return t->read(at, row, to, err);
    uint8_t *all = room_for(at, t, have, &size, err), *q = to;
    if (!all)
        return LATHE_ERR_MEMORY;
    lathe_result r = t->read(at, row, all, err);
    const uint8_t *p = all + (size_t)from * t->columns * in;
    if (!stride)
        stride = out * t->columns;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++, q += stride)
        for (size_t k = 0; k < t->columns; k++, p += in)
            rec_elem_convert(t->elem, p, elem, q + k * out);
    mem_free(&at->doc->mem, all, size);
    return r;
}

static lathe_result convert(const rec_at *at, uint32_t slot, uint64_t n, lathe_elem elem,
                            const uint8_t *p, size_t stride, uint8_t *q, lathe_error *err)
{
    const rec_numbers *t = rec_row_rare(at->layout->slots[slot].row)->numbers;
    size_t in = rec_elem_width(elem), out = rec_elem_width(t->elem);
    for (uint64_t i = 0; i < n; i++, p += stride)
        for (size_t k = 0; k < t->columns; k++, q += out) {
            double shown;
            if (rec_elem_convert(elem, p + k * in, t->elem, q))
                continue;
            rec_elem_convert(elem, p + k * in, LATHE_ELEM_F64, &shown);
            return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                            "row %llu: %.17g is no such number", (unsigned long long)i + 1, shown);
        }
    return LATHE_OK;
}

lathe_result rec_absent(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err)
{
    const char *instead = rec_row_instead(at->layout->slots[slot].row);
    lathe_value value;
    if (instead && rec_get_named(at, slot, &value, NULL) == LATHE_OK &&
        value.kind != LATHE_KIND_NONE) {
        const rec_numbers *n = rec_numbers_of(at, rec_slot_find(at->layout, instead));
        return rec_fail(at, slot, off, err, LATHE_ERR_NAME,
                        n && n->fixed ? "%s" : "absent here: it only reads as %s",
                        n && n->fixed ? n->fixed : instead);
    }
    for (uint32_t i = 0; at->layout->slots[slot].array && i < at->layout->count; i++) {
        const rec_field *row = at->layout->slots[i].row;
        uint64_t n;
        if (i == slot || !rec_row_rare(row)->numbers || !rec_row_rare(row)->numbers->turn)
            continue;
        if (rec_row_rare(row)->numbers->rows(at, row, &n))
            break;
        return rec_fail(at, slot, off, err, LATHE_ERR_NAME, "absent here: set %s first",
                        rec_row_name(row));
    }
    return rec_fail(at, slot, off, err, LATHE_ERR_NAME, "absent here");
}

static lathe_result write_all(const rec_at *at, uint32_t slot, bool there, uint64_t n,
                              const void *all, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_result r = there ? LATHE_OK : rec_row_rare(row)->numbers->turn(at, row, true, err);
    return r == LATHE_OK ? rec_row_rare(row)->numbers->write(at, row, n, all, err) : r;
}

lathe_result rec_numbers_write(const rec_at *at, uint32_t slot, uint64_t n, lathe_elem elem,
                               const void *from, size_t stride, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    const rec_numbers *t = rec_row_rare(row)->numbers;
    size_t size = 0;
    uint64_t have;
    if (!t->write) /* it is read-only, which the lint checks */
        return rec_writable(at, slot, err);
    bool there = t->rows(at, row, &have);
    if (!there && !t->turn)
        return rec_absent(at, slot, at->off, err);
    uint8_t *all = room_for(at, t, n, &size, err);
    if (!all)
        return LATHE_ERR_MEMORY;
    if (!stride)
        stride = t->columns * rec_elem_width(elem);
    lathe_result r = convert(at, slot, n, elem, from, stride, all, err);
    if (r == LATHE_OK && (r = rec_begin(at->doc, err)) == LATHE_OK)
        r = rec_end(at->doc, write_all(at, slot, there, n, all, err), err);
    mem_free(&at->doc->mem, all, size);
    return r;
}

lathe_result rec_numbers_remove(const rec_at *at, uint32_t slot, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t have;
    if (!rec_row_rare(row)->numbers->rows(at, row, &have))
        return LATHE_OK;
    lathe_result r = rec_begin(at->doc, err);
    return r == LATHE_OK
               ? rec_end(at->doc, rec_row_rare(row)->numbers->turn(at, row, false, err), err)
               : r;
}

/* ---- building ------------------------------------------------------------------------------------ */

bool rec_source_has_numbers(const rec_from *from, const rec_at *at, bool turns)
{
    for (uint32_t slot = 0; slot < at->layout->count; slot++) {
        const rec_numbers *t = rec_numbers_of(at, slot);
        lathe_value leaf;
        const void *child;
        if (t && (t->turn || !turns) && rec_source_value(from, at, slot, &leaf, &child) &&
            (child || !turns))
            return true;
    }
    return false;
}

static lathe_result take_row(const rec_at *at, uint32_t slot, const lathe_source *s,
                             const void *node, uint64_t i, double *to, lathe_error *err)
{
    const rec_numbers *t = rec_numbers_of(at, slot);
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    const void *row = NULL, *none = NULL;
    bool good = s->get(s->user, node, NULL, i, &leaf, &row);
    if (good && !row && t->columns == 1 && rec_number(&leaf, to))
        return LATHE_OK; /* with one column, a number is a row */
    good = good && row && s->count(s->user, row) == t->columns;
    for (size_t k = 0; good && k < t->columns; k++) {
        leaf.kind = LATHE_KIND_NONE;
        good = s->get(s->user, row, NULL, k, &leaf, &none) && !none && rec_number(&leaf, &to[k]);
    }
    return good ? LATHE_OK
                : rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "row %llu: %lu numbers expected",
                           (unsigned long long)i + 1, (unsigned long)t->columns);
}

lathe_result rec_numbers_build(const rec_at *at, uint32_t slot, const lathe_source *s,
                               const void *node, lathe_error *err)
{
    const size_t columns = rec_numbers_of(at, slot)->columns;
    uint64_t n = s->count(s->user, node);
    size_t size = n < SIZE_MAX / 16 / columns ? ((size_t)n * columns + 1) * sizeof(double) : 0;
    double *rows = size ? mem_alloc(&at->doc->mem, size) : NULL;
    if (!rows)
        return rec_no_memory(err);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = take_row(at, slot, s, node, i, rows + i * columns, err);
    if (r == LATHE_OK)
        r = rec_numbers_write(at, slot, n, LATHE_ELEM_F64, rows, 0, err);
    mem_free(&at->doc->mem, rows, size);
    return r;
}
