/* Changes the version of a container. First visits all records under the old version, and notes which rows are
 * inserted or removed and where. Then makes these changes from the back to the front. */
#include "record/record.h"

typedef struct change {
    uint32_t part;
    uint64_t at, remove, insert;
    size_t bytes; /* offset of the inserted bytes in convert.bytes */
} change;

typedef struct pending { /* an inserted row whose value depends on others */
    lathe_view view;
    uint32_t slot;
} pending;

typedef struct convert {
    lathe_doc *doc;
    rec_container *c;
    int64_t from, to;
    void (*dropped)(void *user, const rec_at *at, uint32_t slot);
    void *user;
    buf changes, bytes, pending;
} convert;

/* Notes a change of the record `at`, while its .derive rows and those around it can still be read. */
static lathe_result note(convert *cv, const rec_at *at, change now, const void *bytes,
                         lathe_error *err)
{
    rec_derive_note(cv->doc, at->part, at->off, false);
    now.part = at->part;
    now.bytes = cv->bytes.size;
    return buf_put(&cv->bytes, bytes, (size_t)now.insert) && buf_put(&cv->changes, &now, sizeof now)
               ? LATHE_OK
               : rec_no_memory(err);
}

/* Whether a layout, or one of a record in it, depends on the version. */
static bool versioned(const rec_layout *l, int depth)
{
    for (uint32_t i = 0; l && depth > 0 && i < l->count; i++) {
        const rec_field *row = l->slots[i].row;
        if (rec_row_condition(row)->since || rec_row_condition(row)->before ||
            (l->slots[i].sub != l && versioned(l->slots[i].sub, depth - 1)))
            return true;
    }
    return false;
}

/* ---- inserted rows --------------------------------------------------------------------------------- */

/* Appends a number that was stored elsewhere while its row was absent. */
static lathe_result emit_elsewhere(const rec_at *at, uint32_t slot, uint32_t scratch,
                                   lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_value v;
    uint64_t raw;
    uint8_t bytes[8];
    lathe_result r = rec_row_rare(s->row)->get(at, s->row, &v, err);
    if (r == LATHE_OK)
        r = rec_encode(at, slot, &v, &raw, err);
    if (r != LATHE_OK)
        return r;
    rec_store(s, bytes, raw);
    return rec_splice(at->doc, scratch, 0, 0, bytes, rec_width(s->row->kind), err);
}

/* The number of elements or bytes of an inserted row, from the present record. An inserted count is 0. */
static uint64_t how_many(const rec_at *at, uint32_t slot)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (!s->array && s->row->kind != REC_BYTES)
        return 1;
    if (s->row->n)
        return s->row->n;
    if (s->count_slot != REC_NO_SLOT)
        return (uint64_t)rec_int(at, at->layout->slots[s->count_slot].name);
    return rec_row_rare(s->row)->count ? rec_row_rare(s->row)->count(at) : 0;
}

static lathe_result emit_new(convert *cv, const rec_at *at, uint32_t slot, uint32_t scratch,
                             lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t n = how_many(at, slot);
    if (rec_row_rare(s->row)->get)
        return emit_elsewhere(at, slot, scratch, err);
    if (s->counts != REC_NO_SLOT)
        return rec_splice(at->doc, scratch, 0, 0, NULL, rec_width(s->row->kind), err);
    /* the inserted records have the new version; existing records are not read here */
    cv->c->version = cv->to;
    lathe_result r = rec_emit_default(at, slot, n, scratch, err);
    cv->c->version = cv->from;
    return r;
}

static lathe_result add(convert *cv, const rec_at *at, uint32_t slot, uint64_t off,
                        lathe_error *err)
{
    lathe_doc *doc = cv->doc;
    uint32_t scratch = rec_scratch(doc, at->layout->container);
    if (scratch == REC_NO_PART)
        return rec_no_memory(err);
    lathe_result r = emit_new(cv, at, slot, scratch, err);
    const rec_part *p = rec_part_of(doc, scratch);
    if (r == LATHE_OK && p->size)
        r = note(cv, at, (change){.at = off, .insert = p->size}, p->data, err);
    rec_scratch_free(doc, scratch);
    const rec_field *row = at->layout->slots[slot].row;
    const pending now = {rec_view(at), slot};
    if (r == LATHE_OK && (rec_row_rare(row)->init_fn || rec_row_rare(row)->derive) &&
        !rec_row_rare(row)->get)
        r = buf_put(&cv->pending, &now, sizeof now) ? LATHE_OK : rec_no_memory(err);
    return r;
}

/* ---- the walk ------------------------------------------------------------------------------------ */

static lathe_result walk(convert *cv, const rec_at *at, lathe_error *err);

static lathe_result walk_items(convert *cv, const rec_at *at, uint32_t slot, uint64_t n,
                               lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (!versioned(at->layout->slots[slot].sub, 8))
        return LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at sub;
        r = rec_sub(at, slot, i, &sub, err);
        if (r == LATHE_OK)
            r = walk(cv, &sub, err);
    }
    return r;
}

static lathe_result drop(convert *cv, const rec_at *at, uint32_t slot, const rec_loc *loc,
                         lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    if (cv->dropped && !rec_row_rare(row)->set)
        cv->dropped(cv->user, at, slot);
    if (rec_row_rare(row)->set) {
        lathe_value v = {.kind = LATHE_KIND_INT, .as.i = rec_int(at, rec_row_name(row))};
        lathe_result r = rec_row_rare(row)->set(at, row, &v, err);
        if (r != LATHE_OK)
            return r;
    }
    return note(cv, at, (change){.at = loc->off, .remove = loc->size}, NULL, err);
}

/* Whether row `slot` is present in the new version. Rows that its condition reads may be inserted or removed as
 * well. */
static bool present_then(const convert *cv, const rec_at *at, uint32_t slot, bool chosen)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_field *when =
        s->when_slot != REC_NO_SLOT ? at->layout->slots[s->when_slot].row : NULL;
    if (when && !rec_row_rare(when)->get &&
        rec_in_version(when, cv->from) != rec_in_version(when, cv->to)) {
        int64_t v = rec_in_version(when, cv->to) ? (int64_t)rec_row_init(when) : 0;
        chosen = rec_row_condition(s->row)->when_eq ? v == rec_row_condition(s->row)->when_value
                                                    : v != 0;
    }
    return rec_in_version(s->row, cv->to) && chosen;
}

/* Whether the count of an array is removed; the array is then empty. */
static bool loses_count(const convert *cv, const rec_at *at, uint32_t slot)
{
    uint32_t by = at->layout->slots[slot].count_slot;
    const rec_field *row = by == REC_NO_SLOT ? NULL : at->layout->slots[by].row;
    return row && !rec_row_rare(row)->set && rec_in_version(row, cv->from) &&
           !rec_in_version(row, cv->to);
}

static lathe_result walk_row(convert *cv, const rec_at *at, uint32_t slot, uint64_t *off,
                             lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    bool part = s->row->flags & REC_PART, chosen, was, now;
    rec_loc loc;
    lathe_result r = rec_chosen(at, slot, &chosen, err);
    if (r != LATHE_OK)
        return r;
    was = rec_in_version(s->row, cv->from) && chosen;
    now = present_then(cv, at, slot, chosen);
    if (!was && now && part)
        return s->row->kind == REC_BYTES || (s->array && !how_many(at, slot))
                   ? LATHE_OK
                   : rec_fail(at, slot, *off, err, LATHE_ERR_UNSUPPORTED, "a part cannot be added");
    if (!was)
        return now ? add(cv, at, slot, *off, err) : LATHE_OK;
    r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if (!part)
        *off = loc.off + loc.size;
    if (!now || (loc.count && loses_count(cv, at, slot)))
        return !part       ? drop(cv, at, slot, &loc, err)
               : loc.count ? rec_fail(at, slot, loc.off, err, LATHE_ERR_UNSUPPORTED,
                                      "a part cannot be removed")
                           : LATHE_OK;
    if (s->row->kind != REC_RECORD)
        return LATHE_OK;
    return walk_items(cv, at, slot, s->array || part ? loc.count : 1, err);
}

static lathe_result walk(convert *cv, const rec_at *at, lathe_error *err)
{
    uint64_t off = at->off;
    lathe_result r = LATHE_OK;
    if (rec_opaque(at->doc, at->part, NULL))
        return LATHE_OK; /* opaque: its contents are unknown */
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++)
        if (!rec_unstored(at->layout->slots[slot].row))
            r = walk_row(cv, at, slot, &off, err);
    return r;
}

static lathe_result apply(const convert *cv, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t n = cv->changes.size / sizeof(change); r == LATHE_OK && n-- > 0;) {
        change now;
        memcpy(&now, cv->changes.data + n * sizeof now, sizeof now);
        r = rec_splice(cv->doc, now.part, now.at, now.remove,
                       now.insert ? cv->bytes.data + now.bytes : NULL, now.insert, err);
    }
    return r;
}

/* Sets defaults and totals that are computed from the record, of inner records first. */
static lathe_result finish(const convert *cv, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t n = cv->pending.size / sizeof(pending); r == LATHE_OK && n-- > 0;) {
        pending now;
        rec_at at;
        uint32_t none;
        uint64_t raw;
        lathe_value v = {.kind = LATHE_KIND_INT};
        memcpy(&now, cv->pending.data + n * sizeof now, sizeof now);
        r = rec_enter(&now.view, &at, &none, err);
        if (r != LATHE_OK)
            return r;
        const rec_field *row = at.layout->slots[now.slot].row;
        if (rec_row_rare(row)->init_fn)
            v.as.i = rec_row_rare(row)->init_fn(&at);
        else if (!rec_row_rare(row)->derive(&at, &v.as.i))
            continue;
        r = rec_encode(&at, now.slot, &v, &raw, err);
        if (r == LATHE_OK)
            r = rec_put_raw(&at, now.slot, 0, raw, err);
    }
    return r;
}

lathe_result rec_convert(lathe_doc *doc, uint32_t container, int64_t version,
                         void (*dropped)(void *user, const rec_at *at, uint32_t slot), void *user,
                         lathe_error *err)
{
    rec_container *c = &doc->containers[container];
    convert cv = {.doc = doc, .c = c, .from = c->version, .to = version, .dropped = dropped};
    rec_at root = rec_root(doc, container);
    cv.user = user;
    if (c->format->refs)
        return rec_fail(&root, REC_NO_SLOT, root.off, err, LATHE_ERR_UNSUPPORTED,
                        "the version of files with stored positions cannot change");
    buf_init(&cv.changes, &doc->mem);
    buf_init(&cv.bytes, &doc->mem);
    buf_init(&cv.pending, &doc->mem);
    lathe_result r = walk(&cv, &root, err);
    rec_change_begin(&root);
    if (r == LATHE_OK)
        r = apply(&cv, err);
    if (r == LATHE_OK)
        r = rec_set_version(doc, container, version, err);
    doc->changing--;
    if (r == LATHE_OK)
        r = finish(&cv, err);
    buf_free(&cv.changes);
    buf_free(&cv.bytes);
    buf_free(&cv.pending);
    return r;
}
