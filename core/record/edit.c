/* Setting fields: numbers, texts, and rows that other rows depend on. */
#include "record/index.h"

void rec_change_begin(const rec_at *at)
{
    if (!at->doc->changing && !at->doc->relaying && !at->doc->parts[at->part].scratch)
        rec_derive_note(at->doc, at->part, at->off, false);
    at->doc->changing++;
    if (at->doc->held_at >= at->doc->changing) /* held by a change that is over */
        at->doc->held_at = 0;
}

/* ---- rows that determine others ---------------------------------------------------------------- */

static lathe_result add_default(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t scratch = rec_scratch(doc, at->layout->container);
    if (scratch == REC_NO_PART)
        return rec_no_memory(err);
    rec_from nothing = {0};
    lathe_result r = rec_emit_field(at, slot, &nothing, scratch, err);
    if (r == LATHE_OK)
        r = rec_cut_bytes(doc, at->part, off, 0, doc->parts[scratch].data, doc->parts[scratch].size,
                          LATHE_NO_OFFSET, err);
    rec_scratch_free(doc, scratch);
    return r;
}

/* Resizes an array whose count hook depends on the row that was just set, at its end. */
static lathe_result recount(const rec_at *at, uint32_t slot, const rec_loc *was, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (!rec_row_rare(s->row)->count || s->row->body)
        return LATHE_OK;
    uint64_t n = rec_row_rare(s->row)->count(at), elem = s->elem;
    if (n == was->count)
        return LATHE_OK;
    if (elem == REC_DYNAMIC || !elem || n > SIZE_MAX / 8 / elem)
        return rec_fail(at, slot, was->off, err, LATHE_ERR_UNSUPPORTED,
                        "its %llu elements cannot become %llu", (unsigned long long)was->count,
                        (unsigned long long)n);
    uint64_t common = n < was->count ? n : was->count;
    lathe_result r = rec_may_make(at, slot, n - common, err);
    if (r != LATHE_OK)
        return r;
    return rec_cut_bytes(at->doc, at->part, was->data + common * elem, (was->count - common) * elem,
                         NULL, (n - common) * elem, LATHE_NO_OFFSET, err);
}

/* Replaces records whose layout depends on the row that was just set; rows of the same name keep their values. */
static lathe_result rebuild(const rec_at *at, uint32_t slot, const rec_loc *was, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t had_n = s->array ? was->count : 1,
             n = rec_row_rare(s->row)->count ? rec_row_rare(s->row)->count(at) : had_n;
    uint64_t off = s->array ? was->data : was->off, size, end = was->off + was->size;
    const uint64_t start = off;
    uint32_t scratch = rec_scratch(doc, at->layout->container);
    if (scratch == REC_NO_PART)
        return rec_no_memory(err);
    lathe_result r = n > had_n ? rec_may_make(at, slot, n - had_n, err) : LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at to = rec_child(at, slot, s->sub, scratch, doc->parts[scratch].size, i);
        rec_at had = rec_child(at, slot, was->sub, at->part, off, i);
        rec_from from = {.base = i < had_n ? &had : NULL};
        r = rec_emit(&to, &from, err);
        if (r == LATHE_OK && doc->parts[scratch].size > REC_MADE + was->size)
            r = rec_too_much(at, slot, n, err);
        if (r == LATHE_OK && from.base) {
            r = rec_measure(&had, &size, err);
            off += r == LATHE_OK ? size : 0;
        }
    }
    /* Two steps, so that views of the old record do not show the new one. */
    if (r == LATHE_OK)
        r = rec_cut_bytes(doc, at->part, start, end - start, NULL, 0, LATHE_NO_OFFSET, err);
    if (r == LATHE_OK)
        r = rec_cut_bytes(doc, at->part, start, 0, doc->parts[scratch].data,
                          doc->parts[scratch].size, LATHE_NO_OFFSET, err);
    rec_scratch_free(doc, scratch);
    return r;
}

/* Inserts or removes a record in a part of its own. */
static lathe_result turn_part(const rec_at *at, uint32_t slot, uint64_t off, bool now,
                              lathe_error *err)
{
    if (at->layout->slots[slot].array)
        return rec_fail(at, slot, off, err, LATHE_ERR_UNSUPPORTED,
                        "a part cannot be added or removed by setting another field");
    if (now)
        return rec_insert_parts(at, slot, 0, 1, err);
    uint32_t part = rec_kid(at->doc, at->part, slot, 0);
    return part == REC_NO_PART ? LATHE_OK : rec_part_remove(at->doc, part, err);
}

/* Updates later rows: inserts, removes and resizes them as their conditions and counts require. */
static lathe_result rearrange(const rec_at *at, uint32_t from, const rec_loc *was, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    uint64_t off = was[from].off + was[from].size;
    for (uint32_t k = from + 1; r == LATHE_OK && k < at->layout->count; k++) {
        const rec_slot *s = rec_slot_of(at, k);
        bool now;
        rec_loc loc = was[k];
        if (rec_unstored(s->row))
            continue;
        r = s->varies ? rec_no_memory(err) : rec_present(at, k, &now, err);
        if (r != LATHE_OK)
            break;
        loc.off = off;
        loc.data = off + (was[k].data - was[k].off);
        if (s->row->flags & REC_PART) {
            if (now != was[k].present)
                r = turn_part(at, k, off, now, err);
        } else if (was[k].present && !now) {
            r = rec_cut_bytes(at->doc, at->part, off, was[k].size, NULL, 0, LATHE_NO_OFFSET, err);
        } else if (!was[k].present && now) {
            r = add_default(at, k, off, err);
        } else if (now && s->sub != was[k].sub && !s->row->body) {
            r = rebuild(at, k, &loc, err);
        } else if (now) {
            r = recount(at, k, &loc, err);
        }
        if (r == LATHE_OK && now)
            r = rec_find(at, k, &loc, err);
        off += now ? loc.size : 0;
    }
    return r;
}

lathe_result rec_rows(const rec_at *at, rec_loc **rows, lathe_error *err)
{
    rec_loc *was = mem_zalloc(&at->doc->mem, at->layout->count * sizeof *was);
    lathe_result r = was ? LATHE_OK : rec_no_memory(err);
    for (uint32_t k = 0; r == LATHE_OK && k < at->layout->count; k++)
        if (!rec_unstored(at->layout->slots[k].row)) {
            const rec_slot *s = rec_slot_of(at, k);
            r = s->varies ? rec_no_memory(err) : rec_find(at, k, &was[k], err);
            was[k].sub = s->sub;
        }
    *rows = was;
    return r;
}

lathe_result rec_select(const rec_at *at, uint32_t slot, uint64_t off, uint64_t raw,
                        const rec_loc *was, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    unsigned width = rec_width(s->row->kind);
    uint8_t bytes[8];
    rec_store(s, bytes, raw);
    lathe_result r = rec_splice(at->doc, at->part, off, width, bytes, width, err);
    rec_forget(at->doc, at->part, at->off);
    return r == LATHE_OK ? rearrange(at, slot, was, err) : r;
}

static lathe_result set_selector(const rec_at *at, uint32_t slot, uint64_t off, uint64_t raw,
                                 lathe_error *err)
{
    lathe_doc *doc = at->doc;
    rec_loc *was;
    lathe_result r = rec_rows(at, &was, err);
    rec_change_begin(at);
    if (r == LATHE_OK)
        r = rec_hold(doc, at->part, err);
    if (r == LATHE_OK)
        r = rec_select(at, slot, off, raw, was, err);
    doc->changing--;
    mem_free(&doc->mem, was, at->layout->count * sizeof *was);
    return r;
}

/* ---- numbers ----------------------------------------------------------------------------------- */

/* known: the offset cache is already right for the new number. Otherwise, setting a count drops cached offsets. */
static lathe_result put_raw(const rec_at *at, uint32_t slot, uint64_t i, uint64_t raw, bool known,
                            lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    unsigned width = rec_width(s->row->kind);
    uint8_t bytes[8];
    rec_loc loc;
    rec_at owner;
    if (rec_row_column(s->row)) {
        lathe_result found = rec_column(at, slot, &owner, &slot, &i, err);
        return found == LATHE_OK ? put_raw(&owner, slot, i, raw, false, err) : found;
    }
    lathe_result r =
        s->array ? rec_find_item(at, slot, i, &loc, err) : rec_find(at, slot, &loc, err);
    if (r == LATHE_OK && !loc.present && !s->array && rec_row_rare(s->row)->set) {
        lathe_value v = {.kind = LATHE_KIND_INT, .as.i = (int64_t)raw};
        return rec_row_rare(s->row)->set(at, s->row, &v, err); /* it is stored elsewhere */
    }
    if (r == LATHE_OK && !s->array)
        r = rec_find_present(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if (s->row->kind == REC_POINTER)
        return rec_row_ref(s->row)->put(at, s->row, loc.part, loc.off, raw, err);
    rec_store(s, bytes, raw);
    if (s->selects && !at->doc->parts[at->part].scratch &&
        memcmp(at->doc->parts[loc.part].data + loc.off, bytes, width) != 0)
        return set_selector(at, slot, loc.off, raw, err);
    if (!s->selects && s->counts == REC_NO_SLOT)
        rec_index_changes(at, slot, loc.off);
    bool real = s->row->kind >= REC_F16 && s->row->kind <= REC_F64;
    at->doc->changing += real; /* real numbers do not affect .derive rows */
    r = rec_splice(at->doc, loc.part, loc.off, width, bytes, width, err);
    at->doc->changing -= real;
    rec_index_changed(at->doc);
    if (!known && (s->selects || s->counts != REC_NO_SLOT))
        rec_forget(at->doc, at->part, at->off);
    return r;
}

lathe_result rec_put_raw(const rec_at *at, uint32_t slot, uint64_t i, uint64_t raw,
                         lathe_error *err)
{
    return put_raw(at, slot, i, raw, false, err);
}

lathe_result rec_put_count(const rec_at *at, uint32_t slot, uint64_t raw, bool known,
                           lathe_error *err)
{
    return put_raw(at, slot, 0, raw, known, err);
}

lathe_result rec_put_items(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t from,
                           uint64_t n, const uint8_t *bytes, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t elem = s->elem, size = n * elem;
    lathe_result r = LATHE_OK;
    if (!s->selects)
        return rec_splice(at->doc, loc->data_part, loc->data + from * elem, size, bytes, size, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = rec_put_raw(at, slot, from + i, rec_load(s, bytes + i * elem), err);
    return r;
}

/* ---- text and bytes ------------------------------------------------------------------------------ */

static lathe_result too_long(const rec_at *at, uint32_t slot, uint64_t off, uint64_t n,
                             uint64_t limit, lathe_error *err)
{
    return rec_fail(at, slot, off, err, LATHE_ERR_RANGE,
                    "%llu bytes of text, more than the limit of %llu", (unsigned long long)n,
                    (unsigned long long)limit);
}

static uint64_t text_limit(const rec_field *row)
{
    if (!row->prefix)
        return row->size                  ? row->size
               : rec_row_rare(row)->limit ? rec_row_rare(row)->limit
                                          : UINT64_MAX;
    unsigned bits = 8 * (unsigned)(row->prefix < 0 ? -row->prefix : row->prefix);
    uint64_t most = row->prefix < 0 ? ((uint64_t)1 << (bits - 1)) - 1
                    : bits == 64    ? UINT64_MAX
                                    : ((uint64_t)1 << bits) - 1;
    return rec_row_rare(row)->limit && rec_row_rare(row)->limit < most ? rec_row_rare(row)->limit
                                                                       : most;
}

lathe_result rec_check_text(const rec_at *at, uint32_t slot, uint64_t off, const char *p, size_t n,
                            lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t limit = text_limit(row);
    if (n > limit)
        return too_long(at, slot, off, n, limit, err);
    bool counted = row->body && !row->text; /* its length is a count */
    if (!row->prefix && !row->size && !counted && n && memchr(p, row->term, n))
        return rec_fail(at, slot, off, err, LATHE_ERR_RANGE,
                        "text that contains its terminator, the byte 0x%02x", row->term);
    return LATHE_OK;
}

/* Stores a string at `loc`: a field, or an element of an array of strings. */
static lathe_result put_string(const rec_at *at, uint32_t slot, const rec_loc *loc, const char *p,
                               size_t n, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_field *row = s->row;
    lathe_doc *doc = at->doc;
    lathe_result r = rec_check_text(at, slot, loc->off, p, n, err);
    if (r != LATHE_OK)
        return r;
    if (row->size && !row->prefix) {
        r = rec_splice(doc, loc->part, loc->off, n, p, n, err);
        return r == LATHE_OK ? rec_splice(doc, loc->part, loc->off + n, row->size - n, NULL,
                                          row->size - n, err)
                             : r;
    }
    rec_change_begin(at);
    rec_index_changes(at, slot, loc->off);
    if (n != loc->count)
        r = rec_hold(doc, loc->part, err);
    if (r == LATHE_OK && row->prefix) {
        unsigned width = (unsigned)(row->prefix < 0 ? -row->prefix : row->prefix);
        uint8_t length[8];
        bytes_st(length, n, width, s->big);
        r = rec_splice(doc, loc->part, loc->off, width, length, width, err);
    }
    /* Overwrites the common length, and inserts or removes the rest at the end, so that a string at the start of a
     * record never moves the record itself. */
    uint64_t common = n < loc->count ? n : loc->count;
    if (r == LATHE_OK)
        r = rec_splice(doc, loc->part, loc->data, common, p, common, err);
    doc->only_text = row->prefix && !doc->containers[at->layout->container].format->refs;
    if (r == LATHE_OK)
        r = rec_cut_bytes(doc, loc->part, loc->data + common, loc->count - common,
                          common < n ? p + common : NULL, n - common, LATHE_NO_OFFSET, err);
    doc->only_text = false;
    rec_index_changed(doc);
    doc->changing--;
    return r;
}

/* Replaces bytes in a part of their own. */
static lathe_result put_part(const rec_at *at, uint32_t slot, const char *p, size_t n,
                             lathe_error *err)
{
    uint32_t part = rec_kid(at->doc, at->part, slot, 0);
    lathe_result r = LATHE_OK;
    if (part == REC_NO_PART) {
        if (n == 0)
            return LATHE_OK;
        r = rec_insert_parts(at, slot, 0, 1, err);
        part = rec_kid(at->doc, at->part, slot, 0);
    }
    /* overwrite the common length; the rest is inserted or removed at the end, and positions behind it follow */
    uint64_t had = at->doc->parts[part].size, common = n < had ? n : had;
    if (r == LATHE_OK)
        r = rec_splice(at->doc, part, 0, common, p, common, err);
    return r == LATHE_OK
               ? rec_cut_bytes(at->doc, part, common, had - common, common < n ? p + common : NULL,
                               n - common, LATHE_NO_OFFSET, err)
               : r;
}

/* Replaces bytes, or an out-of-line string, whose length is a count. */
static lathe_result put_counted(const rec_at *at, uint32_t slot, const rec_loc *loc, const char *p,
                                size_t n, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_result r = LATHE_OK;
    rec_loc now = *loc;
    if (s->row->flags & REC_PART)
        return put_part(at, slot, p, n, err);
    if (n != loc->count && !rec_resizable(at->layout, slot))
        return rec_fail(at, slot, loc->off, err, LATHE_ERR_RANGE, "%llu bytes expected, got %llu",
                        (unsigned long long)loc->count, (unsigned long long)n);
    if (s->row->kind == REC_STR)
        r = rec_check_text(at, slot, loc->off, p, n, err);
    if (r == LATHE_OK && n > loc->count)
        r = rec_insert(at, slot, loc->count, n - loc->count, p + loc->count, n - loc->count, err);
    else if (r == LATHE_OK && n < loc->count)
        r = rec_remove(at, slot, n, loc->count - n, err);
    if (r == LATHE_OK && n)
        r = rec_find(at, slot, &now, err);
    return r == LATHE_OK && n ? rec_splice(at->doc, now.data_part, now.data, n, p, n, err) : r;
}

/* ---- fields -------------------------------------------------------------------------------------- */

bool rec_counts_nothing(const rec_at *at, uint32_t slot)
{
    bool present = at->layout->slots[slot].counts == REC_NO_SLOT;
    for (uint32_t k = slot + 1; !present && k < at->layout->count; k++)
        if (at->layout->slots[k].count_slot == slot &&
            (rec_present(at, k, &present, NULL) != LATHE_OK || present))
            return false;
    return !present;
}

lathe_result rec_writable(const rec_at *at, uint32_t slot, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (at->doc->relaying && s->array) /* the format sets it in .relayout */
        return LATHE_OK;
    if (!(s->row->flags & REC_READONLY) && rec_counts_nothing(at, slot))
        return LATHE_OK;
    if (s->counts != REC_NO_SLOT && !rec_row_why(s->row))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_READONLY, "read-only: resize %s instead",
                        at->layout->slots[s->counts].name);
    bool lane = rec_is_lane(at->layout->type, slot) || rec_row_bits_of(s->row);
    if (s->counts != REC_NO_SLOT || s->row->flags & REC_READONLY ||
        (s->row->kind == REC_COMPUTED && !rec_row_rare(s->row)->set &&
         !rec_row_rare(s->row)->numbers && !lane))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_READONLY, "read-only: %s",
                        rec_row_why(s->row) ? rec_row_why(s->row)
                                            : "it is computed from other fields");
    return LATHE_OK;
}

static lathe_result expected(const rec_at *at, uint32_t slot, const char *what, lathe_error *err)
{
    return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "%s expected", what);
}

static lathe_result set_nested(const rec_at *at, uint32_t slot, uint64_t i,
                               const lathe_value *value, lathe_error *err)
{
    rec_at to, from;
    uint32_t from_slot;
    lathe_view v = value->as.v;
    bool raw;
    if (rec_embeds(at->layout->slots[slot].row))
        return rec_embed_set(at, slot, NULL, value, NULL, err);
    lathe_result r = rec_sub(at, slot, i, &to, err);
    if (r == LATHE_OK && rec_row_tag(at->layout->slots[slot].row) &&
        value->kind == LATHE_KIND_RECORD) {
        rec_from given = {.base = &from};
        r = rec_enter(&v, &from, &from_slot, err);
        if (r == LATHE_OK)
            r = rec_element_for(at, slot, i, &given, &to, &raw, err);
        return r == LATHE_OK && !raw ? rec_copy(&to, &from, err) : r;
    }
    if (r == LATHE_OK && value->kind != LATHE_KIND_RECORD)
        return expected(&to, REC_NO_SLOT, rec_type_name(rec_row_type(at->layout->slots[slot].row)),
                        err);
    if (r == LATHE_OK)
        r = rec_enter(&v, &from, &from_slot, err);
    return r == LATHE_OK ? rec_copy(&to, &from, err) : r;
}

static lathe_result set_array(const rec_at *at, uint32_t slot, const lathe_value *value,
                              lathe_error *err)
{
    rec_at from;
    uint32_t from_slot;
    lathe_view v = value->as.v;
    if (value->kind != LATHE_KIND_ARRAY)
        return expected(at, slot, "an array", err);
    lathe_result r = rec_enter(&v, &from, &from_slot, err);
    return r == LATHE_OK ? rec_copy_array(at, slot, &from, from_slot, err) : r;
}

/* Stores a text in a field or element at `where`. */
static lathe_result put_text_at(const rec_at *at, uint32_t slot, const rec_loc *where,
                                const lathe_value *value, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    rec_loc loc = *where;
    lathe_result r = LATHE_OK;
    bool none = value->kind == LATHE_KIND_NULL || value->kind == LATHE_KIND_NONE ||
                (value->kind == LATHE_KIND_BOOL && !value->as.b);
    if (row->text && none)
        return rec_put_text(at, slot, &loc, NULL, 0, err);
    if (value->kind != LATHE_KIND_STRING)
        return expected(at, slot, "a string", err);
    const char *text = value->as.s.p;
    const rec_part *part = &at->doc->parts[loc.data_part];
    const char *data = (const char *)part->data;
    buf own; /* copy of a text that is borrowed from the part about to move */
    buf_init(&own, &at->doc->mem);
    if (data && text && text >= data && text < data + part->size) {
        if (!buf_put(&own, text, value->as.s.n))
            return rec_no_memory(err);
        text = (const char *)own.data;
    }
    if (row->text)
        r = rec_put_text(at, slot, &loc, text ? text : "", value->as.s.n, err);
    else if (row->kind == REC_STR && (!row->body || at->layout->slots[slot].array))
        r = put_string(at, slot, &loc, text, value->as.s.n, err);
    else
        r = put_counted(at, slot, &loc, text, value->as.s.n, err);
    buf_free(&own);
    return r;
}

lathe_result rec_set_text(const rec_at *at, uint32_t slot, const lathe_value *value,
                          lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find_present(at, slot, &loc, err);
    return r == LATHE_OK ? put_text_at(at, slot, &loc, value, err) : r;
}

lathe_result rec_set(const rec_at *at, uint32_t slot, const lathe_value *value, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_loc loc;
    uint64_t raw;
    lathe_result r = rec_writable(at, slot, err);
    if (r != LATHE_OK)
        return r;
    if (rec_unstored(s->row) && !rec_row_group(s->row) && !(s->row->flags & REC_OVERLAY))
        return rec_unstored_set(at, slot, value, err);
    if (s->array)
        return set_array(at, slot, value, err);
    if (s->row->kind == REC_RECORD)
        return set_nested(at, slot, 0, value, err);
    if (s->row->kind == REC_STR || s->row->kind == REC_BYTES)
        return rec_set_text(at, slot, value, err);
    r = rec_row_rare(s->row)->set
            ? rec_find(at, slot, &loc, err) /* an absent count is stored elsewhere */
            : rec_find_present(at, slot, &loc, err);
    if (r == LATHE_OK)
        r = rec_encode(at, slot, value, &raw, err);
    if (r == LATHE_OK)
        r = rec_put_raw(at, slot, 0, raw, err);
    if (rec_row_rare(s->row)->derive)
        rec_derive_release(at, slot);
    return r;
}

lathe_result rec_set_item(const rec_at *at, uint32_t slot, uint64_t i, const lathe_value *value,
                          lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t raw;
    rec_loc item;
    lathe_result r = rec_find_item(at, slot, i, &item, err);
    if (r == LATHE_OK && s->row->flags & REC_READONLY)
        r = rec_writable(at, slot, err);
    if (r != LATHE_OK)
        return r;
    if (s->row->kind == REC_RECORD)
        return set_nested(at, slot, i, value, err);
    if (s->row->kind == REC_STR)
        return put_text_at(at, slot, &item, value, err);
    r = rec_encode(at, slot, value, &raw, err);
    return r == LATHE_OK ? rec_put_raw(at, slot, i, raw, err) : r;
}

lathe_result rec_set_name(const rec_at *at, const char *name, const lathe_value *value,
                          lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, name);
    if (slot == REC_NO_SLOT)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no field '%s' in %s", name,
                         rec_type_name(at->layout->type));
    return rec_set(at, slot, value, err);
}
