/* Makes an existing record equal to given values. Builds it in a scratch part first, so that an invalid value changes
 * nothing. Then writes only the differences, so that views and neighbouring data are preserved. */
#include "record/record.h"

static lathe_result merge(const rec_at *to, const rec_at *from, lathe_error *err);

/* ---- from scratch to the document ---------------------------------------------------------------- */

/* Stores elements 0 .. n of one size from ready bytes: overwrites the existing ones, and inserts or removes the rest
 * at the end. */
static lathe_result put_elements(const rec_at *at, uint32_t slot, const rec_loc *loc,
                                 const uint8_t *bytes, uint64_t n, lathe_error *err)
{
    uint64_t elem = rec_slot_of(at, slot)->elem, common = n < loc->count ? n : loc->count;
    lathe_result r = LATHE_OK;
    if (common) /* before the cut, because positions in them have to follow it */
        r = rec_put_items(at, slot, loc, 0, common, bytes, err);
    if (r == LATHE_OK && n > common)
        r = rec_insert(at, slot, common, n - common, bytes + common * elem, (n - common) * elem,
                       err);
    else if (r == LATHE_OK && loc->count > common)
        r = rec_remove(at, slot, common, loc->count - common, err);
    return r;
}

/* ---- stored positions ------------------------------------------------------------------------------ */

/* The stored positions in the scratch part refer to offsets at the time when it was filled. So they are copied to the
 * document first, where they follow all further changes. */

static bool holds_refs(const rec_slot *s, int depth)
{
    for (uint32_t i = 0; s->sub && depth > 0 && i < s->sub->count; i++)
        if (holds_refs(&s->sub->slots[i], depth - 1))
            return true;
    return rec_row_ref(s->row) != NULL;
}

/* Whether a row contains positions that were copied like that. */
static bool has_positions(const rec_at *to, uint32_t slot)
{
    return to->doc->containers[to->layout->container].format->refs &&
           holds_refs(&to->layout->slots[slot], 8);
}

/* Whether the record stores only the row's head. */
static bool is_out_of_line(const rec_slot *s)
{
    return s->row->body || s->row->text || s->row->kind == REC_POINTER;
}

/* Whether a row is copied from the scratch part. Counts are set with their arrays, and read-only rows with what they
 * depend on. */
static bool merges(const rec_slot *s)
{
    return !rec_unstored(s->row) && s->counts == REC_NO_SLOT && !is_out_of_line(s) &&
           !(s->row->flags & (REC_PART | REC_READONLY));
}

static lathe_result merge_positions(const rec_at *to, const rec_at *from, lathe_error *err);

static lathe_result merge_row_positions(const rec_at *to, const rec_at *from, uint32_t slot,
                                        lathe_error *err)
{
    const rec_slot *s = rec_slot_of(to, slot);
    rec_loc a, b;
    lathe_result r = rec_find(to, slot, &a, err);
    if (r == LATHE_OK)
        r = rec_find(from, slot, &b, err);
    if (r != LATHE_OK || !a.present || !b.present)
        return r;
    uint64_t n = !s->array ? 1 : a.count < b.count ? a.count : b.count, raw;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at x, y;
        if (s->row->kind != REC_RECORD) {
            r = rec_raw(from, slot, i, &raw, err);
            r = r == LATHE_OK ? rec_put_raw(to, slot, i, raw, err) : r;
            continue;
        }
        r = rec_sub(to, slot, i, &x, err);
        if (r == LATHE_OK)
            r = rec_sub(from, slot, i, &y, err);
        if (r == LATHE_OK)
            r = merge_positions(&x, &y, err);
    }
    return r;
}

static lathe_result merge_positions(const rec_at *to, const rec_at *from, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < to->layout->count; slot++)
        if (merges(&to->layout->slots[slot]) && has_positions(to, slot))
            r = merge_row_positions(to, from, slot, err);
    return r;
}

/* ---- the other fields ------------------------------------------------------------------------------ */

bool rec_guarded(const rec_slot *s)
{
    if (s->row->flags & REC_READONLY)
        return true;
    for (uint32_t i = 0; s->sub && s->sub->size != REC_DYNAMIC && i < s->sub->count; i++)
        if (!rec_unstored(s->sub->slots[i].row) && rec_guarded(&s->sub->slots[i]))
            return true;
    return false;
}

bool rec_guard_holds(const rec_slot *s, const uint8_t *now, const uint8_t *bytes)
{
    if (s->row->flags & REC_READONLY)
        return memcmp(now, bytes, (size_t)(s->array ? s->elem : s->size)) == 0;
    for (uint32_t i = 0; s->sub && i < s->sub->count; i++) {
        const rec_slot *row = &s->sub->slots[i];
        if (rec_unstored(row->row) || !rec_guarded(row))
            continue;
        uint64_t step = row->array ? row->elem : row->size;
        for (uint64_t off = row->off; step && off < row->off + row->size; off += step)
            if (!rec_guard_holds(row, now + off, bytes + off))
                return false;
    }
    return true;
}

/* Copies the items of row `from_slot` of `from` to row `slot` of `to`. */
static lathe_result merge_items(const rec_at *to, uint32_t slot, const rec_at *from,
                                uint32_t from_slot, uint64_t n, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (to->layout->slots[slot].row->ref && has_positions(to, slot))
        return r;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        if (to->layout->slots[slot].row->kind == REC_RECORD) {
            rec_at a, b;
            r = rec_sub(to, slot, i, &a, err);
            if (r == LATHE_OK)
                r = rec_sub(from, from_slot, i, &b, err);
            if (r == LATHE_OK &&
                from->layout != to->layout) /* merge_list: it has no enclosing record */
                b = rec_child(to, slot, b.layout, b.part, b.off, i);
            if (r == LATHE_OK)
                r = merge(&a, &b, err);
        } else {
            lathe_value v;
            r = rec_get_item(from, from_slot, i, true, &v, err);
            if (r == LATHE_OK)
                r = rec_set_item(to, slot, i, &v, err);
        }
    }
    return r;
}

static lathe_result merge_array(const rec_at *to, uint32_t slot, const rec_at *from,
                                uint32_t from_slot, lathe_error *err)
{
    rec_loc a, b;
    lathe_result r = rec_find(to, slot, &a, err);
    if (r == LATHE_OK)
        r = rec_find(from, from_slot, &b, err);
    if (r != LATHE_OK)
        return r;
    const uint8_t *bytes = from->doc->parts[b.part].data;
    const rec_slot *s = rec_slot_of(to, slot);
    if (s->elem != REC_DYNAMIC && !rec_guarded(s) && !has_positions(to, slot))
        return put_elements(to, slot, &a, b.count ? bytes + b.data : NULL, b.count, err);
    uint64_t common = a.count < b.count ? a.count : b.count;
    if (a.count > common)
        r = rec_remove(to, slot, common, a.count - common, err);
    if (r == LATHE_OK && b.count > common) {
        uint64_t off, size;
        r = rec_elem(from, from_slot, &b, common, &off, &size, err);
        if (r == LATHE_OK)
            r = rec_insert(to, slot, common, b.count - common, bytes + off, b.off + b.size - off,
                           err);
    }
    return r == LATHE_OK ? merge_items(to, slot, from, from_slot, common, err) : r;
}

static lathe_result merge_row(const rec_at *to, const rec_at *from, uint32_t slot, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(to, slot);
    rec_at a, b;
    uint64_t raw;
    rec_loc loc;
    lathe_value v;
    lathe_result r = rec_find(from, slot, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    if (s->array)
        return merge_array(to, slot, from, slot, err);
    if (s->row->kind == REC_RECORD) {
        r = rec_sub(to, slot, 0, &a, err);
        if (r == LATHE_OK)
            r = rec_sub(from, slot, 0, &b, err);
        return r == LATHE_OK ? merge(&a, &b, err) : r;
    }
    if (s->row->kind == REC_STR || s->row->kind == REC_BYTES) {
        r = rec_get(from, slot, true, &v, err);
        return r == LATHE_OK ? rec_set_text(to, slot, &v, err) : r;
    }
    if (has_positions(to, slot)) { /* already copied, unless the field was absent before */
        r = rec_raw(to, slot, 0, &raw, err);
        if (r != LATHE_OK || raw != rec_row_ref(s->row)->null)
            return r;
    }
    r = rec_raw(from, slot, 0, &raw, err);
    return r == LATHE_OK ? rec_put_raw(to, slot, 0, raw, err) : r;
}

/* Sets counts first, by resizing arrays, because conditions of other rows may read them. */
static lathe_result merge_counts(const rec_at *to, const rec_at *from, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < to->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(to, slot);
        rec_loc a, b;
        if (!s->array || s->count_slot == REC_NO_SLOT || !merges(s) ||
            !to->layout->slots[s->count_slot].selects)
            continue;
        r = rec_find(to, slot, &a, err);
        if (r == LATHE_OK)
            r = rec_find(from, slot, &b, err);
        if (r == LATHE_OK && a.present && !a.count && b.present && b.count)
            r = rec_insert(to, slot, 0, b.count, NULL, 0, err);
    }
    return r;
}

/* Copies differences from a record of the same layout. Rows are visited in file order, so rows that determine others
 * come first. */
static lathe_result merge(const rec_at *to, const rec_at *from, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    uint64_t size = to->layout->size;
    if (size == 0)
        return LATHE_OK;       /* an element of a group: all rows are shown, none stored */
    if (size != REC_DYNAMIC) { /* everything is in line and of fixed size */
        bool plain = true;
        for (uint32_t slot = 0; slot < to->layout->count && plain; slot++) {
            const rec_slot *s = rec_slot_of(to, slot);
            plain = !is_out_of_line(s) && !(s->sub && s->sub->has_out_of_line) && !s->selects &&
                    !(s->row->flags & (REC_PART | REC_READONLY)) && !has_positions(to, slot);
        }
        if (plain)
            return rec_splice(to->doc, to->part, to->off, size,
                              from->doc->parts[from->part].data + from->off, size, err);
    }
    r = merge_counts(to, from, err);
    for (uint32_t slot = 0; r == LATHE_OK && slot < to->layout->count; slot++) {
        if (merges(&to->layout->slots[slot]) ||
            (!(to->layout->slots[slot].row->flags & REC_READONLY) && rec_counts_nothing(to, slot)))
            r = merge_row(to, from, slot, err);
    }
    return r;
}

/* ---- rows that take no bytes or are out of line --------------------------------------------------- */

/* Copies an array shown by a group's element from the same array of another element. */
static lathe_result copy_column(const rec_at *to, uint32_t slot, const rec_at *base,
                                lathe_error *err)
{
    lathe_value v, now;
    lathe_result r = rec_get(base, slot, true, &v, err);
    if (r == LATHE_OK)
        r = rec_get(to, slot, true, &now, err);
    if (r != LATHE_OK || v.kind == LATHE_KIND_NONE || now.kind == LATHE_KIND_NONE)
        return r;
    return rec_set(to, slot, &v, err);
}

/* The value of such a row in the base record. References are copied within one document only. */
static lathe_result get_rest_value(const rec_at *base, uint32_t slot, const rec_at *to,
                                   lathe_value *v, lathe_error *err)
{
    lathe_result r = rec_get(base, slot, true, v, err);
    bool points = base->layout->slots[slot].row->kind == REC_POINTER && v->kind == LATHE_KIND_INT;
    if (r == LATHE_OK && points && base->doc != to->doc)
        r = rec_points_elsewhere(to, slot, LATHE_ERR_UNSUPPORTED, err);
    return r;
}

/* Copies an unlisted computed row (REC_COPIED), whose value no other row has. */
static lathe_result copy_computed(const rec_at *to, uint32_t slot, const rec_at *base,
                                  lathe_error *err)
{
    const rec_field *row = to->layout->slots[slot].row;
    lathe_value v = {.kind = LATHE_KIND_NONE};
    if (!(row->flags & REC_COPIED) || !rec_row_rare(row)->set ||
        base->layout->type != to->layout->type)
        return LATHE_OK;
    lathe_result r = rec_get(base, slot, true, &v, err);
    return r == LATHE_OK && v.kind != LATHE_KIND_NONE ? rec_set(to, slot, &v, err) : r;
}

/* The source has no value: copies from the base record; a fresh record without base gets null or empty data. */
static lathe_result copy_rest_row(const rec_at *to, uint32_t slot, const rec_from *from,
                                  lathe_error *err)
{
    const rec_slot *s = rec_slot_of(to, slot);
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const rec_items none = {0};
    rec_loc loc;
    uint32_t base_slot = slot;
    if (from->base && from->base->layout->type != to->layout->type)
        base_slot = rec_slot_find(from->base->layout, s->name);
    if (rec_row_column(s->row) && from->base)
        return copy_column(to, slot, from->base, err);
    if (rec_unstored(s->row))
        return from->base && s->row->flags & REC_INSIDE ? copy_computed(to, slot, from->base, err)
                                                        : LATHE_OK;
    lathe_result r = rec_find(to, slot, &loc, err);
    if (r != LATHE_OK || !loc.present || s->row->flags & REC_READONLY)
        return r;
    if (from->base && base_slot == REC_NO_SLOT)
        return LATHE_OK;
    if (from->base)
        r = get_rest_value(from->base, base_slot, to, &v, err);
    else if (from->fresh && s->row->text && !s->array && !rec_row_init_bytes(s->row))
        v.kind = LATHE_KIND_NULL;
    else if (from->fresh && s->row->kind == REC_POINTER && !s->array)
        v.kind = LATHE_KIND_NULL;
    else if (from->fresh && s->array && rec_resizable(to->layout, slot))
        return rec_build_array(to, slot, &none, err);
    else if (from->fresh && (s->row->kind == REC_STR || s->row->kind == REC_BYTES))
        v.kind = LATHE_KIND_STRING; /* an empty text */
    return r == LATHE_OK && v.kind != LATHE_KIND_NONE ? rec_set(to, slot, &v, err) : r;
}

static lathe_result build_rest_row(const rec_at *to, uint32_t slot, const rec_from *from,
                                   lathe_error *err)
{
    const rec_slot *s = rec_slot_of(to, slot);
    lathe_value leaf;
    const void *child;
    rec_items items;
    rec_at storage, sub;
    if (!rec_source_value(from, to, slot, &leaf, &child))
        return copy_rest_row(to, slot, from, err);
    if (rec_row_rare(s->row)->numbers && child)
        return rec_numbers_build(to, slot, from->source, child, err);
    if (child && !s->array && rec_makes_targets(s->row))
        return rec_make_target(to, slot, 0, from->source, child, err);
    if ((rec_unstored(s->row) && !child) || leaf.kind == LATHE_KIND_STRING ||
        (!s->array && !child && (s->row->text || s->row->kind == REC_POINTER)) ||
        (!child && (leaf.kind == LATHE_KIND_RECORD || leaf.kind == LATHE_KIND_ARRAY)))
        return rec_set(to, slot, &leaf, err);
    if (s->array)
        return rec_items_of(s, from, &leaf, child, &items, &storage)
                   ? rec_build_array(to, slot, &items, err)
                   : rec_fail(to, slot, to->off, err, LATHE_ERR_TYPE, "a list expected");
    rec_from below = {.source = from->source, .node = child, .fresh = from->fresh};
    if (s->row->kind ==
        REC_COMPUTED) /* it shows a record that is stored elsewhere, which cannot be built here */
        return rec_fail(to, slot, to->off, err, LATHE_ERR_READONLY,
                        "read-only: it is computed from other fields");
    if (!child)
        return rec_fail(to, slot, to->off, err, LATHE_ERR_TYPE, "a record expected");
    if (rec_embeds(s->row) &&
        rec_embed_whole(to->doc, rec_kid(to->doc, to->part, slot, 0), from->source, child))
        return rec_embed_set(to, slot, from->source, NULL, child, err);
    lathe_result r = rec_sub(to, slot, 0, &sub, err);
    return r == LATHE_OK ? rec_build(&sub, &below, err) : r;
}

/* A count that is stored elsewhere when it is absent. */
static lathe_result build_kept(const rec_at *to, uint32_t slot, const rec_from *from,
                               lathe_error *err)
{
    lathe_value v;
    const void *child;
    bool present;
    lathe_result r = rec_present(to, slot, &present, err);
    if (r != LATHE_OK || present || to->layout->slots[slot].counts != REC_NO_SLOT)
        return r;
    if (!rec_source_value(from, to, slot, &v, &child) && from->base &&
        from->base->layout->type == to->layout->type)
        r = rec_get(from->base, slot, true, &v, err);
    return r == LATHE_OK && v.kind != LATHE_KIND_NONE ? rec_set(to, slot, &v, err) : r;
}

/* Builds the rows that were absent until tables of numbers were written. */
static lathe_result build_later(const rec_at *to, uint64_t later, const rec_from *from,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < to->layout->count && slot < REC_LATER; slot++)
        if (later >> slot & 1)
            r = build_rest_row(to, slot, from, err);
    return r;
}

/* ---- building ------------------------------------------------------------------------------------ */

lathe_result rec_build(const rec_at *to, const rec_from *from, lathe_error *err)
{
    lathe_doc *doc = to->doc;
    uint64_t later = 0;
    lathe_result r;
    if (rec_lanes_build(to, from, &r, err))
        return r;
    uint32_t scratch = rec_scratch(doc, to->layout->container);
    if (scratch == REC_NO_PART)
        return rec_no_memory(err);
    rec_at tried = *to, around;
    rec_trail here;
    /* hooks may read the parent, which rec_parent cannot find from a scratch part */
    if (!to->parent_layout)
        rec_parent(to, &tried, &around);
    tried.part = scratch;
    tried.off = 0;
    rec_from whole = *from;
    if (!whole.base)
        whole.base = to;
    whole.skip_parts = whole.stored_only = true;
    whole.later = &later;
    doc->parts[scratch].root = to->layout;
    rec_trail_enter(&here, &tried);
    r = rec_emit(&tried, &whole, err);
    if (r == LATHE_OK)
        r = merge_positions(to, &tried, err);
    if (r == LATHE_OK)
        r = merge(to, &tried, err);
    rec_trail_leave(&here);
    rec_scratch_free(doc, scratch);
    return r == LATHE_OK ? rec_build_rest(to, later, from, err) : r;
}

lathe_result rec_build_rest(const rec_at *to, uint64_t later, const rec_from *from,
                            lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < to->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(to, slot);
        const rec_field *row = s->row;
        if (rec_is_lane(to->layout->type, slot))
            r = slot ? LATHE_OK : rec_lanes_finish(to, from, false, err);
        else if (rec_unstored(row) || is_out_of_line(s) || row->flags & REC_PART ||
                 (s->sub && s->sub->has_out_of_line) || rec_counted_elsewhere(to, slot))
            r = build_rest_row(to, slot, from, err);
        else if (rec_row_rare(row)->set)
            r = build_kept(to, slot, from, err);
    }
    return r == LATHE_OK ? build_later(to, later, from, err) : r;
}

lathe_result rec_build_numbers(const rec_at *to, uint64_t later, const rec_from *from,
                               lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < to->layout->count; slot++)
        if (rec_numbers_of(to, slot))
            r = build_rest_row(to, slot, from, err);
    return r == LATHE_OK ? build_later(to, later, from, err) : r;
}

lathe_result rec_copy(const rec_at *to, const rec_at *from, lathe_error *err)
{
    if (!rec_takes_type(to->layout->type, from->layout->type))
        return rec_not_taken(to, REC_NO_SLOT, to->layout->type, from->layout->type, err);
    rec_from base = {.base = from};
    return rec_build(to, &base, err);
}

/* Each text whose length changes moves everything behind it. After a few such elements, removes the texts of all
 * remaining elements in one cut; they are then written again at the end. */
static lathe_result clear_rest(const rec_at *at, uint32_t slot, uint64_t i, uint64_t end,
                               uint64_t *size, unsigned *moved, lathe_error *err)
{
    enum { FEW = 8 };
    uint64_t now = at->doc->parts[at->part].size;
    bool cleared;
    if (now == *size || *moved > FEW)
        return LATHE_OK;
    *size = now;
    if (++*moved <= FEW || i >= end)
        return LATHE_OK;
    return rec_clear_run(at, slot, i, end - i, &cleared, err);
}

/* Builds elements with out-of-line data one by one. Fields without a value get their default. */
static lathe_result build_each(const rec_at *at, uint32_t slot, uint64_t first,
                               const rec_items *items, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t size = at->doc->parts[at->part].size;
    /* only for texts: other data may be given as views of existing elements of this array */
    bool texts = s->sub && s->sub->has_out_of_line && s->sub->only_texts;
    unsigned moved = 0;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < items->count; i++) {
        lathe_value leaf = {.kind = LATHE_KIND_NONE};
        const void *child = NULL;
        rec_at sub;
        rec_from below = {.source = items->source, .fresh = true};
        if (items->at)
            r = rec_get_item(items->at, items->slot, i, true, &leaf, err);
        else
            items->source->get(items->source->user, items->node, NULL, i, &leaf, &child);
        if (r != LATHE_OK)
            return r;
        if (!child) {
            r = rec_set_item(at, slot, first + i, &leaf, err);
            continue;
        }
        if (rec_makes_targets(s->row)) {
            r = rec_make_target(at, slot, first + i, items->source, child, err);
            continue;
        }
        if (s->row->kind != REC_RECORD)
            return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a string expected");
        bool raw;
        below.node = child;
        r = rec_element_for(at, slot, first + i, &below, &sub, &raw, err);
        if (r == LATHE_OK && !raw)
            r = rec_build(&sub, &below, err);
        if (r == LATHE_OK && texts)
            r = clear_rest(at, slot, first + i + 1, first + items->count, &size, &moved, err);
    }
    return r;
}

static lathe_result build_items(const rec_at *at, uint32_t slot, uint64_t first,
                                const rec_items *items, lathe_error *err)
{
    const lathe_doc *was = at->doc->copied_from;
    bool all = items->at && !first && rec_row_tag(at->layout->slots[slot].row);
    if (all)
        at->doc->copied_from = items->at->doc;
    lathe_result r = build_each(at, slot, first, items, err);
    at->doc->copied_from = was;
    return r;
}

static lathe_result resize(const rec_at *at, uint32_t slot, uint64_t have, uint64_t want,
                           lathe_error *err)
{
    if (want > have)
        return rec_insert(at, slot, have, want - have, NULL, 0, err);
    return want < have ? rec_remove(at, slot, want, have - want, err) : LATHE_OK;
}

/* Whether an element is given as a view of this document, possibly of this array. */
static bool takes_views(const rec_items *items, const lathe_doc *doc)
{
    for (uint64_t i = 0; items->source && i < items->count; i++) {
        lathe_value leaf = {.kind = LATHE_KIND_NONE};
        const void *child = NULL;
        items->source->get(items->source->user, items->node, NULL, i, &leaf, &child);
        if (!child && leaf.kind == LATHE_KIND_RECORD && leaf.as.v.doc == doc)
            return true;
    }
    return false;
}

/* Inserts the new elements before the old ones are removed, because they may be copied from them. */
static lathe_result replace_items(const rec_at *at, uint32_t slot, uint64_t have,
                                  const rec_items *items, lathe_error *err)
{
    rec_at to, from;
    lathe_result r = rec_insert(at, slot, have, items->count, NULL, 0, err);
    if (r == LATHE_OK)
        r = build_items(at, slot, have, items, err);
    if (at->layout->slots[slot].anchor == REC_NO_SLOT)
        return r == LATHE_OK ? rec_remove(at, slot, 0, have, err) : r;
    /* groups: the arrays of later elements must not lose the element numbers that are given */
    for (uint64_t i = 0; r == LATHE_OK && i < items->count; i++) {
        r = rec_sub(at, slot, i, &to, err);
        if (r == LATHE_OK)
            r = rec_sub(at, slot, have + i, &from, err);
        if (r == LATHE_OK)
            r = rec_copy(&to, &from, err);
    }
    return r == LATHE_OK ? rec_remove(at, slot, items->count, have, err) : r;
}

/* Copies a list that fills `scratch`, as the only row of a temporary record. */
static lathe_result merge_list(const rec_at *at, uint32_t slot, uint32_t scratch, uint64_t n,
                               lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_slot *s = rec_slot_of(at, slot);
    size_t size = sizeof(rec_layout) + sizeof(rec_slot);
    rec_layout *l = mem_zalloc(&doc->mem, size);
    if (!l || n > UINT32_MAX) {
        mem_free(&doc->mem, l, size);
        return rec_no_memory(err);
    }
    rec_lone_row only;
    rec_field *row = rec_plain_row(&only, s->row);
    row->n = (uint32_t)n;
    l->type = at->layout->type;
    l->container = at->layout->container;
    l->count = 1;
    l->ready = true;
    l->slots[0] = (rec_slot){.row = row,
                             .name = s->name,
                             .sub = s->sub,
                             .size = REC_DYNAMIC,
                             .elem = s->elem,
                             .elem_min = s->elem_min,
                             .count_slot = REC_NO_SLOT,
                             .when_slot = REC_NO_SLOT,
                             .counts = REC_NO_SLOT,
                             .key = REC_NO_SLOT,
                             .value = REC_NO_SLOT,
                             .array = true,
                             .big = s->big};
    rec_at list = {.doc = doc, .layout = l, .part = scratch, .slot = REC_NO_SLOT};
    lathe_result r = merge_array(at, slot, &list, 0, err);
    rec_forget(doc, scratch, 0); /* while the layout still exists */
    mem_free(&doc->mem, l, size);
    return r;
}

static lathe_result build_list(const rec_at *at, uint32_t slot, const rec_items *items,
                               lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_doc *doc = at->doc;
    rec_loc loc;
    lathe_result r = rec_find_present(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if (s->row->flags & REC_READONLY && items->count != loc.count)
        r = rec_writable(at, slot, err);
    if (r != LATHE_OK)
        return r;
    if (items->count != loc.count && rec_row_rare(s->row)->fit) {
        r = rec_row_rare(s->row)->fit(at, s->row, items->count, true, err);
        if (r == LATHE_OK)
            r = rec_find_present(at, slot, &loc, err);
        if (r != LATHE_OK)
            return r;
    }
    if (items->count != loc.count && !rec_resizable(at->layout, slot))
        return rec_fail(at, slot, loc.off, err, LATHE_ERR_RANGE, "%llu elements expected, got %llu",
                        (unsigned long long)loc.count, (unsigned long long)items->count);
    if (items->count == 0 || s->row->flags & REC_PART || s->row->text ||
        s->row->kind == REC_POINTER || (s->sub && s->sub->has_out_of_line)) {
        if (takes_views(items, doc))
            return replace_items(at, slot, loc.count, items, err);
        r = resize(at, slot, loc.count, items->count, err);
        return r == LATHE_OK ? build_items(at, slot, 0, items, err) : r;
    }
    bool follows = rec_row_rare(s->row)->arg && s->count_slot != REC_NO_SLOT &&
                   at->layout->slots[s->count_slot].selects;
    if (follows && !loc.count) { /* their layout may only be known if there are some */
        r = rec_insert(at, slot, 0, items->count, NULL, 0, err);
        s = rec_slot_of(at, slot);
        if (r == LATHE_OK)
            r = rec_find_present(at, slot, &loc, err);
        if (r != LATHE_OK)
            return r;
    }
    uint32_t scratch = rec_scratch(doc, at->layout->container);
    if (scratch == REC_NO_PART)
        return rec_no_memory(err);
    r = rec_emit_items(at, slot, items, 0, scratch,
                       err); /* check all of them before the first is changed */
    if (r == LATHE_OK && s->elem != REC_DYNAMIC && !rec_guarded(s))
        r = put_elements(at, slot, &loc, doc->parts[scratch].data, items->count, err);
    else if (r == LATHE_OK)
        r = merge_list(at, slot, scratch, items->count, err);
    rec_scratch_free(doc, scratch);
    return r;
}

lathe_result rec_build_array(const rec_at *at, uint32_t slot, const rec_items *items,
                             lathe_error *err)
{
    rec_named named;
    if (!items->named)
        return build_list(at, slot, items, err);
    lathe_result r = rec_named_open(&named, at, slot, items, err);
    if (r == LATHE_OK)
        r = build_list(at, slot, &named.items, err);
    rec_named_close(&named);
    return r;
}

lathe_result rec_copy_array(const rec_at *at, uint32_t slot, const rec_at *from, uint32_t from_slot,
                            lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(from, from_slot, &loc, err);
    rec_items items = {.at = from, .slot = from_slot, .count = loc.present ? loc.count : 0};
    if (r != LATHE_OK)
        return r;
    if (at->doc == from->doc && at->part == from->part && at->off == from->off && slot == from_slot)
        return LATHE_OK;
    return rec_build_array(at, slot, &items, err);
}
