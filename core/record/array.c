/* Resizing arrays: inserts and removes elements, and in the same change updates the count and the other arrays that
 * share it. */
#include "record/offset_cache.h"
#include "record/record.h"

#include <stdio.h>

uint32_t rec_new_part(const rec_at *at, uint32_t slot)
{
    lathe_doc *doc = at->doc;
    const rec_field *row = at->layout->slots[slot].row;
    uint32_t container = at->layout->container, part = rec_part_add(doc, container);
    if (part == REC_NO_PART)
        return REC_NO_PART;
    if (rec_row_rare(row)->embed) { /* a REC_LAZY one is made by rec_embed_make */
        container = rec_container_add(doc, rec_row_rare(row)->embed, part, container);
        if (container == UINT32_MAX)
            return REC_NO_PART;
    }
    const rec_layout *root = rec_layout_of(doc, container, rec_part_type(row));
    doc->parts[part].container = container;
    doc->parts[part].root = root;
    doc->parts[part].owned = true;
    return root ? part : REC_NO_PART;
}

/* ---- a change -------------------------------------------------------------------------------------- */

typedef struct change {
    bool grows;
    /* cached offsets of the record are updated instead of dropped: see cut_elements */
    bool moves;
    uint64_t i, n; /* elements i .. i + n are inserted or removed */
    uint64_t had;
    uint64_t raw; /* the stored number of the new count */
    const void *bytes;
    uint64_t size; /* of `bytes`, for the row being resized; NULL: defaults */
} change;

/* ---- what a change of the count touches ---------------------------------------------------------- */

/* Whether row `other` is resized together with `slot`: it has the same count, or is `slot` itself. */
static bool shares(const rec_at *at, uint32_t slot, uint32_t other)
{
    uint32_t by = at->layout->slots[slot].count_slot;
    return other == slot || (by != REC_NO_SLOT && at->layout->slots[other].count_slot == by);
}

static lathe_result check_resizable(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err)
{
    lathe_result r = rec_find_present(at, slot, loc, err);
    uint32_t group = at->layout->slots[slot].group;
    if (r != LATHE_OK || rec_resizable(at->layout, slot))
        return r;
    if (at->layout->slots[slot].row->flags & REC_READONLY &&
        at->layout->slots[slot].count_slot != REC_NO_SLOT)
        return rec_writable(at, slot, err);
    if (group != REC_NO_SLOT)
        return rec_fail(at, slot, loc->off, err, LATHE_ERR_READONLY,
                        "one of the arrays of %s: resize that", at->layout->slots[group].name);
    return rec_fail(at, slot, loc->off, err, LATHE_ERR_READONLY,
                    "it has %llu elements, and cannot be resized", (unsigned long long)loc->count);
}

/* The stored number of a new count; fails if a row that shares it cannot have that number. */
static lathe_result new_count(const rec_at *at, uint32_t slot, uint64_t n, uint64_t *raw,
                              lathe_error *err)
{
    uint32_t by = at->layout->slots[slot].count_slot;
    lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = n};
    *raw = 0;
    for (uint32_t k = 0; k < at->layout->count; k++) {
        uint64_t max = rec_row_rare(at->layout->slots[k].row)->max;
        if (shares(at, slot, k) && max && n > max)
            return rec_fail(at, k, at->off, err, LATHE_ERR_RANGE, "%llu elements, at most %llu",
                            (unsigned long long)n, (unsigned long long)max);
    }
    const rec_field *row = at->layout->slots[slot].row;
    if (row->body && rec_row_body(row)->recount) {
        *raw = n;
        return n <= INT32_MAX
                   ? LATHE_OK
                   : rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%llu elements, at most %d",
                              (unsigned long long)n, INT32_MAX);
    }
    return by == REC_NO_SLOT ? LATHE_OK : rec_encode(at, by, &v, raw, err);
}

/* The places of all rows before the first cut, if the count or one of the arrays determines the presence or size of
 * other rows. */
static lathe_result rows_before(const rec_at *at, uint32_t slot, rec_loc **was, lathe_error *err)
{
    uint32_t by = at->layout->slots[slot].count_slot;
    *was = NULL;
    if (by == REC_NO_SLOT || at->doc->parts[at->part].scratch)
        return LATHE_OK;
    bool selects = at->layout->slots[by].selects;
    for (uint32_t k = by + 1; !selects && k < at->layout->count; k++)
        selects = shares(at, slot, k) && at->layout->slots[k].selects;
    return selects ? rec_rows(at, was, err) : LATHE_OK;
}

/* The offset of a row's head. Works also while the head contradicts the data. */
static lathe_result head_of(const rec_at *at, uint32_t slot, uint64_t *off, lathe_error *err)
{
    rec_loc loc;
    *off = at->off + at->layout->slots[slot].off;
    if (at->layout->slots[slot].off != REC_DYNAMIC)
        return LATHE_OK;
    lathe_result r = rec_find(at, slot, &loc, err);
    *off = loc.off;
    return r;
}

static lathe_result store_count(const rec_at *at, uint32_t slot, const change *c,
                                const rec_loc *was, lathe_error *err)
{
    uint64_t raw = c->raw;
    uint32_t by = at->layout->slots[slot].count_slot;
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t head;
    if (row->body && rec_row_body(row)->recount) {
        lathe_result r = head_of(at, slot, &head, err);
        if (r == LATHE_OK && !raw && rec_row_body(row)->clear)
            r = rec_row_body(row)->clear(at, row, head, err);
        return r == LATHE_OK ? rec_row_body(row)->recount(at, row, head, raw, err) : r;
    }
    if (by == REC_NO_SLOT)
        return LATHE_OK;
    return was && was[by].present ? rec_select(at, by, was[by].off, raw, was, err)
                                  : rec_put_count(at, by, raw, c->moves, err);
}

/* ---- bodies that get their first elements -------------------------------------------------------- */

/* Chooses places for bodies that get their first elements, while the record can still be read. Bodies with positions
 * in a table are placed later, in begin_body. */
static lathe_result place_bodies(const rec_at *at, uint32_t slot, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t k = at->layout->count; r == LATHE_OK && k-- > 0;) {
        const rec_field *row = at->layout->slots[k].row;
        rec_loc loc;
        if (!row->body || rec_row_body(row)->point || !shares(at, slot, k) ||
            at->doc->parts[at->part].scratch)
            continue;
        r = rec_find(at, k, &loc, err);
        if (r == LATHE_OK && loc.present && !loc.count)
            r = rec_row_body(row)->place(at, row, loc.off, &loc.data, err);
    }
    return r;
}

/* The place of a body that gets its first elements. It was chosen before, but may have moved since. In a scratch
 * part, where positions do not follow, and for positions in a table, it is chosen here. */
static lathe_result begin_body(const rec_at *at, uint32_t slot, uint64_t n, rec_loc *loc,
                               lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    loc->data_part = loc->part;
    if (at->doc->parts[at->part].scratch || rec_row_body(row)->point)
        return rec_row_body(row)->place(at, row, loc->off, &loc->data, err);
    lathe_result r =
        rec_row_body(row)->locate(at, row, loc->off, n, &loc->data_part, &loc->data, err);
    uint64_t align = rec_row_body(row)->align > 1 ? rec_row_body(row)->align : 1;
    uint64_t gap = (align - loc->data % align) % align;
    if (r == LATHE_OK && gap)
        r = rec_cut_bytes(at->doc, loc->part, loc->data, 0, NULL, gap, LATHE_NO_OFFSET, err);
    loc->data += gap;
    return r;
}

/* ---- cuts ---------------------------------------------------------------------------------------- */

static lathe_result cut_body(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t off,
                             uint64_t remove, const void *bytes, uint64_t insert, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t last = loc->data, size = 0;
    lathe_result r = LATHE_OK;
    if (loc->count)
        r = rec_elem(at, slot, loc, loc->count - 1, &last, &size, err);
    return r == LATHE_OK ? rec_body_cut(at, row, rec_row_body(row), loc, last + size, off, remove,
                                        bytes, insert, err)
                         : r;
}

/* Cuts or inserts the bytes of the elements from number c->i on. Updates the cached offsets of the record, unless the
 * file stores positions, or the count determines other rows. */
static lathe_result cut_elements(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t off,
                                 const change *c, uint64_t remove, const void *bytes,
                                 uint64_t insert, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    rec_resizing moving = {at, slot, c->i};
    if (at->layout->slots[slot].row->body)
        return cut_body(at, slot, loc, off, remove, bytes, insert, err);
    doc->resizing = c->moves && off > at->off ? &moving : NULL;
    lathe_result r =
        rec_cut_bytes(doc, loc->part, off, remove, bytes, insert, LATHE_NO_OFFSET, err);
    doc->resizing = NULL;
    return r;
}

/* ---- inserting ----------------------------------------------------------------------------------- */

/* Appends n default elements to `scratch`: computes one, and copies it. */
static lathe_result emit_defaults(const rec_at *at, uint32_t slot, uint64_t n, uint32_t scratch,
                                  lathe_error *err)
{
    lathe_doc *doc = at->doc;
    rec_items one = {.count = 1};
    lathe_result r = rec_may_make(at, slot, n, err);
    if (r == LATHE_OK && at->layout->slots[slot].row->kind == REC_BYTES) {
        doc->parts[scratch].size = 0;
        return rec_splice(doc, scratch, 0, 0, NULL, n, err);
    }
    if (r == LATHE_OK)
        r = rec_emit_items(at, slot, &one, 0, scratch, err);
    uint64_t size = doc->parts[scratch].size;
    if (r == LATHE_OK && size && n > REC_MADE / size)
        r = rec_too_much(at, slot, n, err);
    if (r != LATHE_OK || !size)
        return r;
    if (n > SIZE_MAX / 8 / size || !rec_part_own(doc, &doc->parts[scratch], n * size))
        return rec_no_memory(err);
    rec_part *p = &doc->parts[scratch];
    for (uint64_t i = 1; i < n; i++)
        memcpy(p->data + i * size, p->data, (size_t)size);
    p->size = n * size;
    return LATHE_OK;
}

lathe_result rec_insert_parts(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                              lathe_error *err)
{
    lathe_doc *doc = at->doc;
    lathe_result r = rec_may_make(at, slot, n, err);
    rec_from nothing = {0};
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        bool raw;
        uint32_t part;
        r = rec_part_from_source(at, slot, &nothing, &part, &raw, err);
        if (r != LATHE_OK)
            return r;
        /* undo does not need its contents */
        doc->parts[part].scratch = doc->parts[part].alive = true;
        rec_at to = rec_child(at, slot, doc->parts[part].root, part, 0, i + k);
        r = rec_emit(&to, &nothing, err);
        doc->parts[part].scratch = doc->parts[part].alive = false;
        if (r == LATHE_OK)
            r = rec_part_insert(doc, part, at->part, slot, i + k, err);
    }
    return r;
}

static lathe_result insert_one(const rec_at *at, uint32_t slot, const rec_loc *where,
                               const change *c, const void *bytes, uint64_t size, lathe_error *err)
{
    uint64_t i = c->i, n = c->n;
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_doc *doc = at->doc;
    rec_loc loc = *where;
    uint64_t off = loc.data, unused;
    lathe_result r = LATHE_OK;
    if (s->row->flags & REC_PART)
        return rec_insert_parts(at, slot, i, n, err);
    uint32_t scratch = rec_scratch(doc, at->layout->container);
    if (scratch == REC_NO_PART)
        return rec_no_memory(err);
    if (!bytes) {
        r = emit_defaults(at, slot, n, scratch, err);
        bytes = doc->parts[scratch].data;
        size = doc->parts[scratch].size;
    }
    if (r == LATHE_OK && s->row->body && !loc.count)
        r = begin_body(at, slot, n, &loc, err);
    off = loc.data;
    if (r == LATHE_OK && i == loc.count && i > 0) {
        r = rec_elem(at, slot, &loc, i - 1, &off, &unused, err);
        off += unused;
    } else if (r == LATHE_OK && i > 0) {
        r = rec_elem(at, slot, &loc, i, &off, &unused, err);
    }
    if (r == LATHE_OK)
        r = cut_elements(at, slot, &loc, off, c, 0, bytes, size, err);
    rec_scratch_free(doc, scratch);
    return r;
}

/* ---- removing ------------------------------------------------------------------------------------ */

static lathe_result remove_one(const rec_at *at, uint32_t slot, const rec_loc *loc, const change *c,
                               lathe_error *err)
{
    uint64_t i = c->i, n = c->n, from, last, size;
    lathe_result r = LATHE_OK;
    if (at->layout->slots[slot].row->flags & REC_PART) {
        for (uint64_t k = n; r == LATHE_OK && k-- > 0;)
            r = rec_part_remove(at->doc, rec_kid(at->doc, at->part, slot, i + k), err);
        return r;
    }
    r = rec_elem(at, slot, loc, i, &from, &size, err);
    if (r == LATHE_OK)
        r = rec_elem(at, slot, loc, i + n - 1, &last, &size, err);
    return r == LATHE_OK ? cut_elements(at, slot, loc, from, c, last + size - from, NULL, 0, err)
                         : r;
}

/* ---- all rows that share a count ---------------------------------------------------------------- */

static lathe_result change_row(const rec_at *at, uint32_t slot, const change *c, bool asked,
                               lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    if (!c->grows)
        return remove_one(at, slot, &loc, c, err);
    return insert_one(at, slot, &loc, c, asked ? c->bytes : NULL, asked ? c->size : 0, err);
}

/* Goes from the last row to the first, so that offsets of earlier rows stay valid. */
static lathe_result change_rows(const rec_at *at, uint32_t slot, const change *c, rec_loc *was,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t k = at->layout->count; r == LATHE_OK && k-- > 0;) {
        uint64_t had = at->doc->parts[at->part].size;
        if (!shares(at, slot, k))
            continue;
        r = change_row(at, k, c, k == slot, err);
        if (was && !at->layout->slots[k].row->body)
            was[k].size += at->doc->parts[at->part].size - had;
        if (was) /* it keeps its old size until the count is stored */
            was[k].count += c->grows ? c->n : 0 - c->n;
    }
    return r;
}

/* Asks the formats' .resizes hooks of all rows that share the count. */
static lathe_result may_resize(const rec_at *at, uint32_t slot, const change *c, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (at->doc->parts[at->part].scratch)
        return LATHE_OK;
    for (uint32_t k = 0; r == LATHE_OK && k < at->layout->count; k++) {
        const rec_field *row = at->layout->slots[k].row;
        if (rec_row_rare(row)->resizes && shares(at, slot, k))
            r = rec_row_rare(row)->resizes(at, row, c->i, c->grows ? 0 : c->n, c->grows ? c->n : 0,
                                           err);
    }
    return r;
}

/* Calls the .renumber hooks after elements were inserted or removed. Not needed at the end of an array. */
static lathe_result renumber(const rec_at *at, uint32_t slot, const change *c, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (c->i == c->had || at->doc->parts[at->part].scratch)
        return LATHE_OK;
    for (uint32_t k = 0; r == LATHE_OK && k < at->layout->count; k++) {
        const rec_slot *s = rec_slot_of(at, k);
        if (rec_row_rare(s->row)->renumber &&
            shares(at, slot, s->anchor == REC_NO_SLOT ? k : s->anchor))
            r = rec_row_rare(s->row)->renumber(at, s->row, c->i, c->grows ? 0 : c->n,
                                               c->grows ? c->n : 0, err);
    }
    return r;
}

/* Whether all arrays that share the count are stored in the record itself or in parts of their own. */
static bool all_moves(const rec_at *at, uint32_t slot)
{
    const rec_part *p = &at->doc->parts[at->part];
    bool moves = !at->doc->containers[at->layout->container].format->refs && !p->scratch;
    for (uint32_t k = 0; moves && k < at->layout->count; k++)
        moves = !(shares(at, slot, k) && at->layout->slots[k].row->body);
    return moves;
}

static lathe_result resize(const rec_at *at, uint32_t slot, change *c, lathe_error *err)
{
    rec_loc *was = NULL;
    lathe_result r = may_resize(at, slot, c, err);
    if (r != LATHE_OK)
        return r;
    rec_change_begin(at);
    r = rec_tidy_before(at->doc, at->part, err);
    if (r == LATHE_OK && c->grows)
        r = place_bodies(at, slot, err);
    if (r == LATHE_OK)
        r = rows_before(at, slot, &was, err);
    c->moves = !was && all_moves(at, slot);
    if (r == LATHE_OK)
        r = rec_hold(at->doc, at->part, err);
    if (r == LATHE_OK)
        r = change_rows(at, slot, c, was, err);
    if (r == LATHE_OK)
        r = store_count(at, slot, c, was, err);
    at->doc->changing--;
    mem_free(&at->doc->mem, was, at->layout->count * sizeof *was);
    return r == LATHE_OK ? renumber(at, slot, c, err) : r;
}

lathe_result rec_insert(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, const void *bytes,
                        uint64_t size, lathe_error *err)
{
    rec_loc loc;
    change c = {.grows = true, .i = i, .n = n, .bytes = bytes, .size = size};
    lathe_result r = check_resizable(at, slot, &loc, err);
    if (r != LATHE_OK || n == 0)
        return r;
    c.had = loc.count;
    if (at->layout->slots[slot].anchor != REC_NO_SLOT)
        slot = at->layout->slots[slot].anchor;
    if (i > loc.count || n > UINT64_MAX - loc.count)
        return rec_fail(at, slot, loc.off, err, LATHE_ERR_BOUNDS,
                        "no place %llu among %llu elements", (unsigned long long)i + 1,
                        (unsigned long long)loc.count);
    r = new_count(at, slot, loc.count + n, &c.raw, err);
    if (r == LATHE_OK && at->layout->slots[slot].row->body)
        r = rec_body_may(at, slot, &loc, err);
    if (r == LATHE_OK)
        r = resize(at, slot, &c, err);
    return r == LATHE_OK ? rec_begin_elements(at, slot, i, n, err) : r;
}

lathe_result rec_remove(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, lathe_error *err)
{
    rec_loc loc;
    change c = {.i = i, .n = n};
    lathe_result r = check_resizable(at, slot, &loc, err);
    if (r != LATHE_OK || n == 0)
        return r;
    c.had = loc.count;
    if (at->layout->slots[slot].anchor != REC_NO_SLOT)
        slot = at->layout->slots[slot].anchor;
    if (i > loc.count || n > loc.count - i)
        return rec_fail(at, slot, loc.off, err, LATHE_ERR_BOUNDS,
                        "no elements %llu .. %llu of %llu", (unsigned long long)i + 1,
                        (unsigned long long)(i + n), (unsigned long long)loc.count);
    r = new_count(at, slot, loc.count - n, &c.raw, err);
    if (r == LATHE_OK && at->layout->slots[slot].row->body)
        r = rec_body_may(at, slot, &loc, err);
    if (r == LATHE_OK)
        r = rec_clear_elements(at, slot, i, n, err);
    return r == LATHE_OK ? resize(at, slot, &c, err) : r;
}
