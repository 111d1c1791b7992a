/* Moves an element of an array to another position, and the elements between accordingly. */
#include "record/record.h"

typedef struct change {
    uint64_t from, to;
    uint64_t lo, n; /* the range of elements whose numbers change */
} change;

static bool shares(const rec_at *at, uint32_t slot, uint32_t other)
{
    uint32_t by = at->layout->slots[slot].count_slot;
    return other == slot || (by != REC_NO_SLOT && at->layout->slots[other].count_slot == by);
}

/* ---- checks ------------------------------------------------------------------------------------ */

/* Why elements of a row cannot be moved; NULL: they can. Views of in-line records follow bytes, and positions may
 * refer to them. */
static const char *obstacle(const rec_at *at, const rec_slot *s)
{
    const rec_field *row = s->row;
    bool part = row->flags & REC_PART;
    if (rec_row_rare(row)->renumber && !rec_row_rare(row)->moves)
        return "other records count on the numbers of its elements";
    if (row->kind == REC_BYTES || rec_unstored(row) || rec_row_group(row) || rec_row_column(row))
        return "its elements do not lie one behind the other";
    if (part && at->doc->containers[at->layout->container].format->refs)
        return "the file has positions of its elements";
    if (!part && row->kind == REC_RECORD)
        return "its elements are records in line";
    if (row->text || row->kind == REC_POINTER)
        return "its elements lead to data elsewhere";
    return !part && s->selects ? "other fields follow from its elements" : NULL;
}

static lathe_result may_move(const rec_at *at, uint32_t slot, const change *c, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t k = 0; r == LATHE_OK && k < at->layout->count; k++) {
        const rec_slot *s = rec_slot_of(at, k);
        if (s->never || !shares(at, slot, s->anchor == REC_NO_SLOT ? k : s->anchor))
            continue;
        const char *why = obstacle(at, s);
        if (why)
            return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                            "elements of it cannot be moved: %s%s%s", why, k == slot ? "" : ", as ",
                            k == slot ? "" : s->name);
        if (rec_row_rare(s->row)->resizes && !at->doc->parts[at->part].scratch)
            r = rec_row_rare(s->row)->resizes(at, s->row, c->lo, c->n, c->n, err);
    }
    return r;
}

/* ---- moving ------------------------------------------------------------------------------------ */

static lathe_result move_part(const rec_at *at, uint32_t slot, const change *c, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t n;
    const uint32_t *kids = rec_kid_list(doc, at->part, slot, &n);
    if (c->lo + c->n > n)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_BOUNDS, "%llu elements are there",
                        (unsigned long long)n);
    size_t size = (size_t)n * sizeof *kids;
    uint32_t *order = mem_alloc(&doc->mem, size);
    if (!order)
        return rec_no_memory(err);
    memcpy(order, kids, size);
    bool up = c->from < c->to;
    memmove(order + c->lo + !up, order + c->lo + up, (size_t)(c->n - 1) * sizeof *order);
    order[c->to] = kids[c->from];
    lathe_result r = rec_parts_order(doc, at->part, slot, order, err);
    mem_free(&doc->mem, order, size);
    return r;
}

/* Exchanges the bytes of the element with those of the elements between. */
static lathe_result move_bytes(const rec_at *at, uint32_t slot, const rec_loc *loc, const change *c,
                               lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t first, last, size, from, own;
    lathe_result r = rec_elem(at, slot, loc, c->lo, &first, &size, err);
    if (r == LATHE_OK)
        r = rec_elem(at, slot, loc, c->lo + c->n - 1, &last, &size, err);
    if (r == LATHE_OK)
        r = rec_elem(at, slot, loc, c->from, &from, &own, err);
    if (r != LATHE_OK)
        return r;
    const uint8_t *data = doc->parts[loc->data_part].data;
    uint64_t end = last + size;
    buf bytes;
    buf_init(&bytes, &doc->mem);
    bool up = c->from < c->to;
    bool ok = (up || buf_put(&bytes, data + from, (size_t)own)) &&
              buf_put(&bytes, data + (up ? first + own : first),
                      (size_t)(up ? end - first - own : from - first)) &&
              (!up || buf_put(&bytes, data + from, (size_t)own));
    r = ok ? rec_splice(doc, loc->data_part, first, end - first, bytes.data, end - first, err)
           : rec_no_memory(err);
    buf_free(&bytes);
    rec_forget(doc, loc->data_part, at->off); /* texts may have other lengths */
    return r;
}

static lathe_result move_rows(const rec_at *at, uint32_t slot, const change *c, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t k = 0; r == LATHE_OK && k < at->layout->count; k++) {
        rec_loc loc;
        if (!shares(at, slot, k))
            continue;
        r = rec_find(at, k, &loc, err);
        if (r == LATHE_OK && loc.present)
            r = at->layout->slots[k].row->flags & REC_PART ? move_part(at, k, c, err)
                                                           : move_bytes(at, k, &loc, c, err);
    }
    for (uint32_t k = 0; r == LATHE_OK && k < at->layout->count; k++) {
        const rec_slot *s = rec_slot_of(at, k);
        if (rec_row_rare(s->row)->moves && !at->doc->parts[at->part].scratch &&
            shares(at, slot, s->anchor == REC_NO_SLOT ? k : s->anchor))
            r = rec_row_rare(s->row)->moves(at, s->row, c->from, c->to, err);
    }
    return r;
}

lathe_result rec_move(const rec_at *at, uint32_t slot, uint64_t from, uint64_t to, lathe_error *err)
{
    rec_loc loc;
    change c = {.from = from, .to = to, .lo = from < to ? from : to};
    lathe_result r = rec_find_present(at, slot, &loc, err);
    if (r == LATHE_OK && at->layout->slots[slot].row->flags & REC_READONLY)
        r = rec_writable(at, slot, err);
    if (r != LATHE_OK)
        return r;
    if (from >= loc.count || to >= loc.count)
        return rec_fail(at, slot, loc.off, err, LATHE_ERR_BOUNDS, "no element %llu of %llu",
                        (unsigned long long)(from >= loc.count ? from : to) + 1,
                        (unsigned long long)loc.count);
    if (from == to)
        return LATHE_OK;
    c.n = (from < to ? to - from : from - to) + 1;
    r = may_move(at, slot, &c, err);
    if (r != LATHE_OK)
        return r;
    rec_change_begin(at);
    r = move_rows(at, slot, &c, err);
    at->doc->changing--;
    return r;
}
