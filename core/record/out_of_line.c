/* Out-of-line data of rows (.body, .text): finds, resizes and removes them. Hooks of the format choose their place
 * and store the positions that point to them. */
#include "record/record.h"

static uint64_t padding(uint64_t end, uint32_t align)
{
    return align > 1 ? (align - end % align) % align : 0;
}

lathe_result rec_tidy_before(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    rec_part *p = &doc->parts[part];
    const lathe_format *format = doc->containers[p->container].format;
    if (p->scratch || !format->tidy)
        return LATHE_OK;
    p->to_tidy = true;
    return p->tidy == PART_UNTRIED ? format->tidy(doc, p->container, part, true, err) : LATHE_OK;
}

/* The number of zero bytes from `end` on, up to `most`. */
static uint64_t zeros_behind(const rec_part *p, uint64_t end, uint64_t most)
{
    uint64_t n = 0;
    while (n < most && end + n < p->size && !p->data[end + n])
        n++;
    return n;
}

/* The padding behind a body that ends at `end`: the bytes that it has, and those that it needs if the body ends at
 * `moved`. */
static void padding_around(lathe_doc *doc, uint32_t part, const rec_body *body, uint64_t end,
                           uint64_t moved, uint64_t *had, uint64_t *want)
{
    const rec_part *p = &doc->parts[part];
    uint32_t align = body->align;
    *had = *want = 0;
    if (align > 1 && body->room) {
        uint64_t room = body->room(doc, part, end);
        *had = zeros_behind(p, end, room < align ? room : align - 1);
        *want = padding(moved + (align - (end + *had) % align), align);
        return;
    }
    *had = zeros_behind(p, end, padding(end, align));
    if (*had < padding(end, align)) /* other data: leave them alone */
        *had = 0;
    *want = padding(end + *had, align) ? 0 : padding(moved, align);
}

/* Replaces the bytes up to a body's end and the padding behind it. Overwrites the common length first, so that in
 * most cases nothing moves. No view shows the replaced bytes. */
static lathe_result replace_tail(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t old,
                                 const void *bytes, uint64_t insert, uint64_t want,
                                 uint64_t keep_site, lathe_error *err)
{
    uint64_t now = insert + want, common = old < now ? old : now;
    buf all;
    buf_init(&all, &doc->mem);
    lathe_result r = rec_no_memory(err);
    if (buf_put(&all, bytes, (size_t)insert) && buf_fill(&all, 0, (size_t)want))
        r = rec_splice(doc, part, off, common, all.data, common, err);
    if (r == LATHE_OK && old != now)
        r = rec_cut_bytes(doc, part, off + common, old - common,
                          now > common ? all.data + common : NULL, now - common, keep_site, err);
    buf_free(&all);
    return r;
}

lathe_result rec_body_cut(const rec_at *at, const rec_field *row, const rec_body *body,
                          const rec_loc *loc, uint64_t end, uint64_t off, uint64_t remove,
                          const void *bytes, uint64_t insert, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t part = loc->data_part;
    uint64_t moved = end - remove + insert, had, want;
    lathe_result r = LATHE_OK;
    padding_around(doc, part, body, end, moved, &had, &want);
    if (body->room && off + remove == end && (!remove || rec_row_text(row) == body)) {
        r = replace_tail(doc, part, off, remove + had, bytes, insert, want, loc->off, err);
    } else { /* from the back, so that earlier offsets stay valid */
        if (want > had)
            r = rec_cut_bytes(doc, part, end + had, 0, NULL, want - had, loc->off, err);
        else if (want < had)
            r = rec_cut_bytes(doc, part, end + want, had - want, NULL, 0, loc->off, err);
        if (r == LATHE_OK)
            r = rec_cut_bytes(doc, part, off, remove, bytes, insert, loc->off, err);
    }
    if (r == LATHE_OK && body->point && moved > loc->data)
        r = body->point(at, row, loc->off, loc->data, err);
    return r;
}

/* Fails if the data cannot be changed in place, because they are in another object or in front of their head. */
static lathe_result check_place(const rec_at *at, uint32_t slot, const rec_loc *loc,
                                lathe_error *err)
{
    if (loc->data_part != loc->part)
        return rec_fail(
            at, slot, loc->off, err, LATHE_ERR_UNSUPPORTED,
            "its data lie in another object: serialize() the document first, which separates them");
    if (loc->data < loc->off)
        return rec_fail(
            at, slot, loc->off, err, LATHE_ERR_UNSUPPORTED,
            "its data lie in front of it: serialize() the document first, which separates them");
    return LATHE_OK;
}

lathe_result rec_body_may(const rec_at *at, uint32_t slot, const rec_loc *loc, lathe_error *err)
{
    const rec_body *body = rec_row_body(at->layout->slots[slot].row);
    lathe_doc *doc = at->doc;
    if (!loc->count || !body->shared || doc->parts[at->part].scratch)
        return LATHE_OK;
    lathe_result r = check_place(at, slot, loc, err);
    uint64_t last, size;
    bool shared = false;
    if (r == LATHE_OK)
        r = rec_elem(at, slot, loc, loc->count - 1, &last, &size, err);
    if (r == LATHE_OK)
        r = body->shared(doc, loc->data_part, loc->data, last + size, &shared, err);
    if (r == LATHE_OK && shared)
        r = rec_fail(at, slot, loc->off, err, LATHE_ERR_UNSUPPORTED,
                     "others share its data: serialize() the document first, which separates them");
    return r;
}

/* ---- texts --------------------------------------------------------------------------------------- */

/* Makes a text null. Its bytes are removed, unless others share them. */
static lathe_result end_text(const rec_at *at, uint32_t slot, const rec_loc *loc, bool shared,
                             lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t end = loc->data + loc->count + 1;
    lathe_result r = rec_row_text(row)->clear(at, row, loc->off, err);
    if (r != LATHE_OK || shared)
        return r;
    return rec_body_cut(at, row, rec_row_text(row), loc, end, loc->data, end - loc->data, NULL, 0,
                        err);
}

static lathe_result begin_text(const rec_at *at, uint32_t slot, rec_loc *loc, const char *text,
                               size_t n, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    buf bytes;
    buf_init(&bytes, &at->doc->mem);
    loc->data_part = loc->part;
    lathe_result r = rec_row_text(row)->place(at, row, loc->off, &loc->data, err);
    if (r == LATHE_OK && (!buf_put(&bytes, text, n) || !buf_put(&bytes, &row->term, 1)))
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = rec_body_cut(at, row, rec_row_text(row), loc, loc->data, loc->data, 0, bytes.data,
                         bytes.size, err);
    buf_free(&bytes);
    return r;
}

/* Overwrites the common length, and inserts or removes the rest before the terminator. */
static lathe_result change_text(const rec_at *at, uint32_t slot, const rec_loc *loc,
                                const char *text, size_t n, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t common = n < loc->count ? n : loc->count, tail = n - common;
    buf rest; /* with the terminator */
    lathe_result r = rec_splice(at->doc, loc->data_part, loc->data, common, text, common, err);
    if (r != LATHE_OK || n == loc->count)
        return r;
    buf_init(&rest, &at->doc->mem);
    if (!buf_put(&rest, text + common, (size_t)tail) || !buf_put(&rest, &row->term, 1))
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = rec_body_cut(at, row, rec_row_text(row), loc, loc->data + loc->count + 1,
                         loc->data + common, loc->count - common + 1, rest.data, tail + 1, err);
    buf_free(&rest);
    return r;
}

lathe_result rec_put_text(const rec_at *at, uint32_t slot, const rec_loc *where, const char *text,
                          size_t n, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_doc *doc = at->doc;
    rec_loc loc = *where;
    bool has = loc.data != LATHE_NO_OFFSET;
    lathe_result r = text ? rec_check_text(at, slot, loc.off, text, n, err) : LATHE_OK;
    if (doc->parts[loc.part].scratch || r != LATHE_OK || (!has && !text))
        return r;
    bool shared = has && (loc.data_part != loc.part || loc.data < loc.off);
    if (has && !shared)
        r = rec_row_text(row)->shared(doc, loc.data_part, loc.data, loc.data + loc.count + 1,
                                      &shared, err);
    if (r != LATHE_OK)
        return r;
    if (has && text && n == loc.count &&
        memcmp(doc->parts[loc.data_part].data + loc.data, text, n) == 0)
        return LATHE_OK;
    rec_change_begin(at);
    r = rec_tidy_before(doc, loc.part, err);
    if (r == LATHE_OK && has && (!text || shared)) {
        r = end_text(at, slot, &loc, shared, err);
        has = false;
    }
    if (r == LATHE_OK && text)
        r = has ? change_text(at, slot, &loc, text, n, err)
                : begin_text(at, slot, &loc, text, n, err);
    doc->changing--;
    return r;
}

/* ---- records with out-of-line data ---------------------------------------------------------------- */

static lathe_result clear_record(const rec_at *at, lathe_error *err);

static lathe_result clear_row(const rec_at *at, uint32_t slot, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_loc loc;
    rec_at sub;
    if (rec_unstored(s->row) ||
        !(s->row->body || s->row->text || (s->sub && s->sub->has_out_of_line)))
        return LATHE_OK;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    if (s->row->body && rec_row_body(s->row)->recount)
        return loc.count ? rec_remove(at, slot, 0, loc.count, err) : LATHE_OK;
    if (s->row->text && !s->array)
        return rec_put_text(at, slot, &loc, NULL, 0, err);
    if (s->row->kind != REC_RECORD || s->array)
        return LATHE_OK;
    r = rec_sub(at, slot, 0, &sub, err);
    return r == LATHE_OK ? clear_record(&sub, err) : r;
}

/* Removes all out-of-line data of a record. */
static lathe_result clear_record(const rec_at *at, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (at->depth > REC_DEPTH)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_LIMIT,
                        "records nested deeper than %d", REC_DEPTH);
    for (uint32_t slot = at->layout->count; r == LATHE_OK && slot-- > 0;)
        r = clear_row(at, slot, err);
    return r;
}

lathe_result rec_clear_run(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, bool *done,
                           lathe_error *err)
{
    const lathe_format *format = at->doc->containers[at->layout->container].format;
    uint64_t elem = rec_slot_of(at, slot)->elem, from, to;
    rec_loc loc;
    *done = false;
    lathe_result r = rec_tidy_before(at->doc, at->part, err);
    if (r == LATHE_OK)
        r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK || !format->owned_range || elem == REC_DYNAMIC || loc.data_part != at->part ||
        !format->owned_range(at->doc, at->part, loc.data + i * elem, n * elem, &from, &to))
        return r;
    rec_change_begin(at);
    r = rec_cut_bytes(at->doc, at->part, from, to - from, NULL, 0, LATHE_NO_OFFSET, err);
    at->doc->changing--;
    *done = true;
    return r;
}

lathe_result rec_clear_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_result r = LATHE_OK;
    bool done;
    if (at->doc->parts[at->part].scratch ||
        !(s->row->text || (s->sub && s->sub->has_out_of_line)) || s->row->flags & REC_PART)
        return LATHE_OK;
    r = rec_clear_run(at, slot, i, n, &done, err);
    if (r != LATHE_OK || done)
        return r;
    for (uint64_t k = i + n; r == LATHE_OK && k-- > i;) { /* from the back, so that less moves */
        rec_loc item;
        rec_at sub;
        if (s->row->text) {
            r = rec_find_item(at, slot, k, &item, err);
            r = r == LATHE_OK ? rec_put_text(at, slot, &item, NULL, 0, err) : r;
            continue;
        }
        r = rec_sub(at, slot, k, &sub, err);
        if (r == LATHE_OK)
            r = clear_record(&sub, err);
    }
    return r;
}

/* Gives a new record its default out-of-line data: empty arrays and default texts. */
static lathe_result begin_out_of_line(const rec_at *at, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(at, slot);
        bool body = s->row->body && rec_row_body(s->row)->recount, text = s->row->text && !s->array;
        bool record = s->row->kind == REC_RECORD && !s->array && s->sub && s->sub->has_out_of_line;
        rec_loc loc;
        rec_at sub;
        if (rec_unstored(s->row) || s->row->flags & REC_PART || !(body || text || record))
            continue;
        r = rec_find(at, slot, &loc, err);
        if (r != LATHE_OK || !loc.present)
            continue;
        if (body)
            r = rec_row_body(s->row)->recount(at, s->row, loc.off, 0, err);
        else if (text && rec_row_init_bytes(s->row))
            r = rec_put_text(at, slot, &loc, rec_row_init_bytes(s->row),
                             strlen(rec_row_init_bytes(s->row)), err);
        else if (record && (r = rec_sub(at, slot, 0, &sub, err)) == LATHE_OK)
            r = begin_out_of_line(&sub, err);
    }
    return r;
}

lathe_result rec_begin_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_result r = LATHE_OK;
    if (at->doc->parts[at->part].scratch || s->row->kind != REC_RECORD || !s->sub ||
        !s->sub->has_out_of_line || s->row->flags & REC_PART)
        return LATHE_OK;
    for (uint64_t k = i; r == LATHE_OK && k < i + n; k++) {
        rec_at sub;
        r = rec_sub(at, slot, k, &sub, err);
        if (r == LATHE_OK)
            r = begin_out_of_line(&sub, err);
    }
    return r;
}
