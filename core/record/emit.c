/* Writes records from nested values, field after field, so that later fields can read back the counts and conditions
 * they depend on. */
#include "record/emit.h"

static lathe_result append(lathe_doc *doc, uint32_t part, const void *bytes, uint64_t n,
                           lathe_error *err)
{
    return rec_part_append(doc, &doc->parts[part], bytes, n) ? LATHE_OK : rec_no_memory(err);
}

/* ---- limit for default elements ---------------------------------------------------------------------- */

lathe_result rec_too_much(const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err)
{
    return rec_fail(at, slot, at->off, err, LATHE_ERR_LIMIT,
                    "%llu elements from a number alone: they would take more than %u MiB",
                    (unsigned long long)n, (unsigned)(REC_MADE >> 20));
}

lathe_result rec_may_make(const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t each = s->row->flags & REC_PART ? sizeof(rec_part) : s->elem_min ? s->elem_min : 1;
    return n <= REC_MADE / each ? LATHE_OK : rec_too_much(at, slot, n, err);
}

/* ---- scalars ------------------------------------------------------------------------------------- */

lathe_result rec_default(const rec_at *at, uint32_t slot, uint64_t *raw, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    const double *lanes =
        at->parent_layout && at->slot != REC_NO_SLOT && slot < rec_lanes(at->layout->type)
            ? rec_row_init_lanes(at->parent_layout->slots[at->slot].row)
            : NULL;
    double init = lanes ? lanes[slot] : rec_row_init(row);
    lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = init};
    *raw = row->ref ? rec_row_ref(row)->null : row->codec ? rec_row_codec(row)->none : 0;
    if (row->ref || init == 0)
        return LATHE_OK;
    if (row->kind < REC_F16) {
        v.kind = LATHE_KIND_INT;
        v.as.i = (int64_t)init;
    }
    return rec_encode(at, slot, &v, raw, err);
}

/* Combines a list of names to the bits of a flag field. */
static lathe_result flags_raw(const rec_at *at, uint32_t slot, const rec_items *items,
                              uint64_t *raw, lathe_error *err)
{
    *raw = 0;
    for (uint64_t i = 0; i < items->count; i++) {
        lathe_value leaf;
        const void *child = NULL;
        uint64_t bit = 0;
        if (!items->source ||
            !items->source->get(items->source->user, items->node, NULL, i, &leaf, &child))
            return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a list of names expected");
        lathe_result r = rec_encode(at, slot, &leaf, &bit, err);
        if (r != LATHE_OK)
            return r;
        *raw |= bit;
    }
    return LATHE_OK;
}

/* A head that leads nowhere. */
static lathe_result emit_head(const rec_at *at, const rec_slot *s, uint32_t part, lathe_error *err)
{
    const rec_body *body = s->row->body ? rec_row_body(s->row) : NULL;
    lathe_result r = append(at->doc, part, NULL, s->head, err);
    if (r == LATHE_OK && body && body->begin)
        body->begin(at, at->doc->parts[part].data + at->doc->parts[part].size - s->head);
    return r;
}

lathe_result rec_emit_raw(const rec_at *at, uint32_t slot, uint64_t raw, uint32_t part,
                          lathe_error *err)
{
    uint8_t bytes[8];
    const rec_slot *s = rec_slot_of(at, slot);
    if (s->row->kind == REC_POINTER)
        return append(at->doc, part, NULL, s->elem, err);
    rec_store(s, bytes, raw);
    return append(at->doc, part, bytes, rec_width(s->row->kind), err);
}

/* Copies the stored number of the same row of another record without converting it: values in files may violate the
 * schema, and codecs may lose bits. */
static lathe_result emit_kept(const rec_at *at, uint32_t slot, const rec_at *base,
                              uint32_t base_slot, uint64_t i, uint32_t part, lathe_error *err)
{
    uint64_t raw;
    lathe_result r = rec_number_from(at, slot, base, base_slot, i, &raw, err);
    return r == LATHE_OK ? rec_emit_raw(at, slot, raw, part, err) : r;
}

static lathe_result emit_string(const rec_at *at, uint32_t slot, const char *p, size_t n,
                                uint32_t part, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_field *row = s->row;
    lathe_result r = rec_check_text(at, slot, at->doc->parts[part].size, p, n, err);
    if (r != LATHE_OK)
        return r;
    if (row->prefix) {
        uint8_t length[8];
        unsigned width = (unsigned)(row->prefix < 0 ? -row->prefix : row->prefix);
        bytes_st(length, n, width, s->big);
        r = append(at->doc, part, length, width, err);
    }
    if (r == LATHE_OK)
        r = append(at->doc, part, p, n, err);
    if (r == LATHE_OK && row->size && !row->prefix)
        r = append(at->doc, part, NULL, row->size - n, err);
    else if (r == LATHE_OK && !row->prefix)
        r = append(at->doc, part, &row->term, 1, err);
    return r;
}

/* The stored number of a row without a value. A count is computed at once, because later arrays depend on it. */
static lathe_result raw_of_none(const rec_at *at, uint32_t slot, uint64_t *raw, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_value v = {.kind = LATHE_KIND_INT};
    if (!s->selects || s->array || !rec_row_rare(s->row)->derive ||
        !rec_row_rare(s->row)->derive(at, &v.as.i))
        return rec_default(at, slot, raw, err);
    return rec_encode(at, slot, &v, raw, err);
}

lathe_result rec_emit_scalar(const rec_at *at, uint32_t slot, const rec_from *from,
                             const lathe_value *leaf, const void *child, uint32_t part,
                             lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t raw = 0;
    lathe_result r;
    rec_items items;
    rec_at storage;
    if (row->text || row->kind == REC_POINTER) /* only the head; its target is set later */
        return append(at->doc, part, NULL, rec_slot_of(at, slot)->elem, err);
    if (row->kind == REC_STR) {
        const char *text = rec_row_init_bytes(row) ? rec_row_init_bytes(row) : "";
        size_t n = rec_row_rare(row)->init_size ? rec_row_rare(row)->init_size : strlen(text);
        if (leaf->kind == LATHE_KIND_STRING) {
            text = leaf->as.s.p;
            n = leaf->as.s.n;
        } else if (leaf->kind != LATHE_KIND_NONE) {
            return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a string expected");
        }
        return emit_string(at, slot, text, n, part, err);
    }
    if (leaf->kind == LATHE_KIND_NONE)
        r = raw_of_none(at, slot, &raw, err);
    else if (row->shown == REC_FLAGS &&
             rec_items_of(&at->layout->slots[slot], from, leaf, child, &items, &storage))
        r = flags_raw(at, slot, &items, &raw, err);
    else
        r = rec_encode(at, slot, leaf, &raw, err);
    return r == LATHE_OK ? rec_emit_raw(at, slot, raw, part, err) : r;
}

/* ---- elements ------------------------------------------------------------------------------------ */

/* Appends a record, from a nested value, a view, or nothing. */
static lathe_result emit_record(const rec_at *at, uint32_t slot, uint64_t i, const rec_from *from,
                                const lathe_value *leaf, const void *child, uint32_t part,
                                lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_layout *layout = s->row->flags & REC_PART ? at->doc->parts[part].root : s->sub;
    rec_at to = rec_child(at, slot, layout, part, at->doc->parts[part].size, i), base;
    rec_from below = {.skip_parts = from->skip_parts};
    uint32_t none;
    if (to.depth > REC_DEPTH)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_LIMIT, "records nested deeper than %d",
                        REC_DEPTH);
    if (leaf->kind == LATHE_KIND_RECORD || leaf->kind == LATHE_KIND_ARRAY) {
        lathe_view v = leaf->as.v;
        if (child) {
            below.source = from->source;
            below.node = child;
        } else if (leaf->kind == LATHE_KIND_RECORD) {
            lathe_result r = rec_enter(&v, &base, &none, err);
            if (r != LATHE_OK)
                return r;
            below.base = &base;
        }
    }
    if (below.base && layout->type->flags & REC_OWN &&
        !rec_alike(below.base->layout->type, layout->type) &&
        !rec_takes_type(layout->type, below.base->layout->type))
        return rec_not_taken(&to, REC_NO_SLOT, layout->type, below.base->layout->type, err);
    if (leaf->kind != LATHE_KIND_NONE &&
        (!below.base ? !below.source
                     : !(layout->type->flags & REC_OWN) &&
                           !rec_alike(below.base->layout->type, layout->type)))
        return rec_fail(&to, REC_NO_SLOT, to.off, err, LATHE_ERR_TYPE, "%s expected",
                        rec_type_name(layout->type));
    if (from->base && !below.base && leaf->kind != LATHE_KIND_NONE && !s->array) {
        /* components that are not given keep their values: {x = 1} does not change y and z */
        uint32_t base_slot;
        if (rec_base_row(from, at, slot, &base_slot) &&
            rec_sub(from->base, base_slot, 0, &base, NULL) == LATHE_OK)
            below.base = &base;
    }
    return rec_emit(&to, &below, err);
}

static lathe_result item_of(const rec_items *items, uint64_t i, lathe_value *leaf,
                            const void **child, lathe_error *err)
{
    leaf->kind = LATHE_KIND_NONE;
    *child = NULL;
    if (items->at)
        return rec_get_item(items->at, items->slot, i, true, leaf, err);
    if (items->source)
        items->source->get(items->source->user, items->node, NULL, i, leaf, child);
    return LATHE_OK;
}

/* Whether elements of two rows have the same stored form, so that they can be copied as bytes. */
static bool same_storage(const rec_slot *a, const rec_slot *b)
{
    bool plain = !(a->row->flags & REC_PART) && !a->row->text && !a->row->ref;
    bool like = a->row == b->row || (rec_width(a->row->kind) && rec_like_row(a->row, b->row));
    if (!like || a->big != b->big || !plain || (a->sub && a->sub->has_out_of_line))
        return false;
    if (a->sub == b->sub)
        return true;
    return a->sub && b->sub && a->sub->type == b->sub->type && a->sub->size == b->sub->size;
}

static lathe_result emit_list(const rec_at *at, uint32_t slot, const rec_items *items,
                              uint64_t from, uint32_t part, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_from source = {.source = items->source, .skip_parts = items->skip_parts};
    uint64_t start = at->doc->parts[part].size;
    bool made = !items->at && !items->source;
    lathe_result r = LATHE_OK;
    if (items->at && same_storage(s, &items->at->layout->slots[items->slot]) &&
        s->elem != REC_DYNAMIC && !(rec_means_other(s) && at->doc != items->at->doc)) {
        rec_loc loc;
        r = rec_find(items->at, items->slot, &loc, err);
        return r == LATHE_OK
                   ? append(at->doc, part,
                            items->at->doc->parts[loc.data_part].data + loc.data + from * s->elem,
                            (items->count - from) * s->elem, err)
                   : r;
    }
    for (uint64_t i = from; r == LATHE_OK && i < items->count; i++) {
        lathe_value leaf;
        const void *child;
        if (items->at && rec_width(s->row->kind) &&
            rec_like_row(items->at->layout->slots[items->slot].row, s->row)) {
            r = emit_kept(at, slot, items->at, items->slot, i, part, err);
            continue;
        }
        r = item_of(items, i, &leaf, &child, err);
        if (r != LATHE_OK)
            break;
        r = s->row->kind == REC_RECORD
                ? emit_record(at, slot, i, &source, &leaf, child, part, err)
                : rec_emit_scalar(at, slot, &source, &leaf, child, part, err);
        if (r == LATHE_OK && made && at->doc->parts[part].size - start > REC_MADE)
            r = rec_too_much(at, slot, items->count, err);
    }
    return r;
}

lathe_result rec_emit_items(const rec_at *at, uint32_t slot, const rec_items *items, uint64_t from,
                            uint32_t part, lathe_error *err)
{
    rec_named named;
    if (!items->named)
        return emit_list(at, slot, items, from, part, err);
    lathe_result r = rec_named_open(&named, at, slot, items, err);
    if (r == LATHE_OK)
        r = emit_list(at, slot, &named.items, from, part, err);
    rec_named_close(&named);
    return r;
}

/* ---- fields -------------------------------------------------------------------------------------- */

static lathe_result emit_bytes(const rec_at *at, uint32_t slot, const lathe_value *leaf, uint64_t n,
                               uint32_t part, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    if (leaf->kind == LATHE_KIND_STRING) {
        /* may be shorter if bytes are kept */
        uint64_t common = leaf->as.s.n < n ? leaf->as.s.n : n;
        lathe_result r = append(at->doc, part, leaf->as.s.p, common, err);
        return r == LATHE_OK ? append(at->doc, part, NULL, n - common, err) : r;
    }
    if (leaf->kind != LATHE_KIND_NONE)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a string expected");
    return append(at->doc, part, rec_row_rare(row)->init_size == n ? rec_row_init_bytes(row) : NULL,
                  n, err);
}

/* Makes a part for one element. A polymorphic element may be given as bytes (*raw). */
static lathe_result new_part(const rec_at *at, uint32_t slot, const lathe_source *source,
                             const lathe_value *leaf, const void *node, uint32_t *part, bool *raw,
                             lathe_error *err)
{
    rec_from from = {.source = node ? source : NULL, .node = node};
    rec_at base;
    uint32_t none;
    lathe_view v = leaf->as.v;
    if (rec_embeds(at->layout->slots[slot].row)) {
        *raw = true;
        return rec_embed_make(at, slot, source, leaf, node, part, err);
    }
    if (rec_row_tag(at->layout->slots[slot].row)) {
        lathe_result r = LATHE_OK;
        if (!node && leaf->kind == LATHE_KIND_RECORD) {
            r = rec_enter(&v, &base, &none, err);
            from.base = &base;
        }
        return r == LATHE_OK ? rec_part_from_source(at, slot, &from, part, raw, err) : r;
    }
    *part = rec_new_part(at, slot);
    return *part == REC_NO_PART ? rec_no_memory(err) : LATHE_OK;
}

/* Makes n parts: one from `leaf`, or for an array one from each item. */
static lathe_result emit_each(const rec_at *at, uint32_t slot, const rec_from *from,
                              const rec_items *items, const lathe_value *leaf, const void *child,
                              uint64_t n, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_doc *doc = at->doc;
    rec_from source = {.source = items->source ? items->source : from->source};
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        lathe_value value = *leaf;
        const void *node = child;
        uint32_t part = REC_NO_PART;
        bool raw = false, single = rec_row_tag(s->row) && !items->at;
        if (s->array)
            r = item_of(items, i, &value, &node, err);
        doc->single_copies += single;
        if (r == LATHE_OK)
            r = new_part(at, slot, source.source, &value, node, &part, &raw, err);
        doc->single_copies -= single;
        if (r == LATHE_OK)
            r = rec_part_depth(doc, part, at->part, err);
        if (r != LATHE_OK)
            return r;
        if (!rec_part_attach(doc, part, at->part, slot, doc->parts[at->part].kids_n))
            return rec_no_memory(err);
        if (raw) {
            r = rec_embeds(s->row) ? rec_embed_attached(at, slot, part, err) : LATHE_OK;
            continue;
        }
        if (s->row->kind == REC_BYTES)
            r = emit_bytes(at, slot, leaf, leaf->kind == LATHE_KIND_STRING ? leaf->as.s.n : 0, part,
                           err);
        else if (r == LATHE_OK) {
            doc->single_copies += single;
            r = emit_record(at, slot, i, &source, &value, node, part, err);
            doc->single_copies -= single;
        }
    }
    return r;
}

static lathe_result emit_parts(const rec_at *at, uint32_t slot, const rec_from *from,
                               const lathe_value *leaf, const void *child, uint64_t n,
                               lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_items items = {0};
    rec_named named;
    rec_at storage;
    if (s->array)
        rec_items_of(s, from, leaf, child, &items, &storage);
    if (!items.named)
        return emit_each(at, slot, from, &items, leaf, child, n, err);
    lathe_result r = rec_named_open(&named, at, slot, &items, err);
    if (r == LATHE_OK)
        r = emit_each(at, slot, from, &named.items, leaf, child, n, err);
    rec_named_close(&named);
    return r;
}

/* Whether a class row is absent only because of the version. */
static bool in_other_version(const rec_at *at, uint32_t slot)
{
    return at->layout->type->flags & REC_ALIGNED &&
           !rec_in_version(at->layout->slots[slot].row,
                           at->doc->containers[at->layout->container].version);
}

/* Whether the value of an absent row may be ignored, because it is empty or the default. */
static bool says_nothing(const rec_at *at, uint32_t slot, const rec_from *from,
                         const lathe_value *leaf, const void *child)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_items items;
    rec_at storage;
    uint64_t raw, given;
    if (s->array)
        return rec_items_of(s, from, leaf, child, &items, &storage) && !items.count;
    if (leaf->kind == LATHE_KIND_NULL)
        return true;
    return rec_width(s->row->kind) && rec_encode(at, slot, leaf, &given, NULL) == LATHE_OK &&
           rec_default(at, slot, &raw, NULL) == LATHE_OK && given == raw;
}

/* Whether stored numbers mean the same in both documents. */
static bool same_numbers(const rec_at *at, const rec_at *base, const rec_field *row)
{
    return !rec_row_rare(row)->names_in ||
           at->doc->containers[at->layout->container].version ==
               base->doc->containers[base->layout->container].version;
}

lathe_result rec_emit_field(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_value leaf;
    const void *child;
    bool present, given = rec_source_value(from, at, slot, &leaf, &child);
    uint32_t base_slot;
    uint64_t n = 1;
    rec_items items = {0};
    rec_at storage;
    lathe_result r = s->varies ? rec_no_memory(err) : rec_present(at, slot, &present, err);
    if (r != LATHE_OK || rec_unstored(s->row) ||
        s->same != slot) /* another row of that name is present */
        return r;
    if (!present && s->counts != REC_NO_SLOT && rec_row_rare(s->row)->set)
        return rec_emit_count(at, slot, from, part, err);
    if (!present && rec_row_rare(s->row)
                        /* the given value must equal the computed one, unless it is stored */
                        ->get)
        return given && rec_row_rare(s->row)->set && !from->stored_only
                   ? rec_row_rare(s->row)->set(at, s->row, &leaf, err)
                   : LATHE_OK;
    if (!present && given && from->later && slot < REC_LATER &&
        rec_source_has_numbers(from, at, true)) {
        *from->later |= UINT64_C(1) << slot;
        return LATHE_OK;
    }
    if (!present)
        return given && !(in_other_version(at, slot) && says_nothing(at, slot, from, &leaf, child))
                   ? rec_absent(at, slot, at->off, err)
                   : LATHE_OK;
    if (!given && rec_base_row(from, at, slot, &base_slot) && s->counts == REC_NO_SLOT &&
        !(s->row->flags & REC_PART && from->skip_parts)) {
        if (!s->array && rec_width(s->row->kind) && same_numbers(at, from->base, s->row) &&
            rec_like_row(from->base->layout->slots[base_slot].row, s->row))
            return emit_kept(at, slot, from->base, base_slot, 0, part, err);
        r = rec_get(from->base, base_slot, true, &leaf, err);
        if (r != LATHE_OK)
            return r;
    }
    if (s->row->body || (s->row->text && !s->array))
        return emit_head(at, s, part, err);
    if (s->row->flags & REC_IGNORED && leaf.kind == LATHE_KIND_NONE && s->size != REC_DYNAMIC)
        return append(at->doc, part, NULL, s->size, err); /* not the default of its type */
    if (s->counts != REC_NO_SLOT)
        return rec_emit_count(at, slot, from, part, err);
    if (s->array || s->row->kind == REC_BYTES)
        r = rec_expected_count(at, slot, from, &n, err);
    if (r != LATHE_OK)
        return r;
    if (s->row->flags & REC_PART)
        return from->skip_parts ? LATHE_OK
                                : emit_parts(at, slot, from, &leaf, child,
                                             s->row->kind == REC_BYTES ? 1 : n, err);
    if (s->row->kind == REC_BYTES)
        return emit_bytes(at, slot, &leaf, n, part, err);
    if (s->array) {
        if (leaf.kind != LATHE_KIND_NONE && !rec_items_of(s, from, &leaf, child, &items, &storage))
            return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a list expected");
        rec_items more = {.count = n, .skip_parts = from->skip_parts};
        items.skip_parts = from->skip_parts;
        if (items.count > n)
            items.count = n;
        r = rec_emit_items(at, slot, &items, 0, part, err);
        return r == LATHE_OK ? rec_emit_items(at, slot, &more, items.count, part, err) : r;
    }
    if (s->row->kind == REC_RECORD)
        return emit_record(at, slot, 0, from, &leaf, child, part, err);
    return rec_emit_scalar(at, slot, from, &leaf, child, part, err);
}

lathe_result rec_emit_default(const rec_at *at, uint32_t slot, uint64_t n, uint32_t part,
                              lathe_error *err)
{
    const rec_items items = {.count = n};
    const lathe_value none = {.kind = LATHE_KIND_NONE};
    return at->layout->slots[slot].row->kind == REC_BYTES
               ? emit_bytes(at, slot, &none, n, part, err)
               : rec_emit_items(at, slot, &items, 0, part, err);
}

/* Appends padding up to offset `to` of the record, copied from the base record. */
static lathe_result emit_gap(const rec_at *at, uint64_t to, const rec_from *from, lathe_error *err)
{
    uint64_t done = at->doc->parts[at->part].size - at->off;
    const rec_at *base = from->base;
    const void *bytes = NULL;
    if (done >= to)
        return LATHE_OK;
    if (base && base->layout->type == at->layout->type && base->layout->size == at->layout->size &&
        base->off + to <= base->doc->parts[base->part].size)
        bytes = base->doc->parts[base->part].data + base->off + done;
    return append(at->doc, at->part, bytes, to - done, err);
}

/* Sets the counts of rows that wait for tables of numbers to 0, unless they count other rows, too. */
static lathe_result reset_counts(const rec_at *at, uint64_t later, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count && slot < REC_LATER; slot++) {
        uint32_t by = at->layout->slots[slot].count_slot;
        bool counted = false, present;
        if (!(later >> slot & 1) || by == REC_NO_SLOT)
            continue;
        for (uint32_t k = by + 1; r == LATHE_OK && k < at->layout->count; k++)
            if (at->layout->slots[k].count_slot == by) {
                r = rec_present(at, k, &present, err);
                counted = counted || present;
            }
        if (r == LATHE_OK && !counted)
            r = rec_put_raw(at, by, 0, 0, err);
    }
    return r;
}

/* For a new document: postpones tables of numbers until it is open, because they may change rows that others read. */
static lathe_result note_numbers(const rec_at *at, const rec_from *from, uint64_t later,
                                 lathe_error *err)
{
    rec_pending one = {.source = from->source, .node = from->node, .later = later};
    size_t n = rec_path(at, REC_NO_SLOT, REC_NO_ITEM, NULL, 0) + 1;
    char *path = arena_zalloc(&at->doc->arena, n);
    if (!path)
        return rec_no_memory(err);
    rec_path(at, REC_NO_SLOT, REC_NO_ITEM, path, n);
    one.path = path;
    return buf_put(at->doc->pending, &one, sizeof one) ? LATHE_OK : rec_no_memory(err);
}

/* If a row begins where an earlier row was written, such as padding that shows the bytes of an unstored pointer, its
 * value replaces those bytes. `before`: the size of the part before the row was written. */
static void take_place(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t before)
{
    rec_part *p = &at->doc->parts[at->part];
    uint64_t to = at->off + at->layout->slots[slot].off, n = p->size - before, kept;
    lathe_value leaf;
    const void *child;
    uint32_t base_slot;
    if (before <= to || !n)
        return;
    bool stated =
        rec_source_value(from, at, slot, &leaf, &child) || rec_base_row(from, at, slot, &base_slot);
    kept = stated ? 0 : before - to < n ? before - to : n;
    memmove(p->data + to + kept, p->data + before + kept, (size_t)(n - kept));
    p->size = to + n > before ? to + n : before;
}

static lathe_result emit_rows(const rec_at *at, const rec_from *given, lathe_error *err)
{
    uint64_t later = 0;
    rec_from with_later = *given;
    const rec_from *from = given;
    bool numbers = at->doc->pending && rec_source_has_numbers(given, at, false);
    if (numbers) {
        with_later.later = &later;
        from = &with_later;
    }
    lathe_result r = rec_check_names(at, from, err);
    bool late = false;
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(at, slot);
        const rec_field *row = s->row;
        if (s->off != REC_DYNAMIC && !rec_unstored(row))
            r = emit_gap(at, s->off, from, err);
        uint64_t before = at->doc->parts[at->part].size;
        if (r == LATHE_OK)
            r = rec_emit_field(at, slot, from, at->part, err);
        if (r == LATHE_OK && s->off != REC_DYNAMIC && at->layout->type->flags & REC_OFFSETS)
            take_place(at, slot, from, before);
        late = late || rec_unstored(row) || row->body || rec_row_rare(row)->init_fn ||
               rec_row_rare(row)->derive;
    }
    if (r == LATHE_OK && at->layout->size != REC_DYNAMIC)
        r = emit_gap(at, at->layout->size, from, err);
    if (r == LATHE_OK && from->later && *from->later)
        r = reset_counts(at, *from->later, err);
    /* rows that depend on the whole record, including its data */
    for (int pass = 0; late && pass < 2; pass++)
        for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++) {
            const rec_field *row = at->layout->slots[slot].row;
            if ((rec_row_rare(row)->init_fn || rec_row_rare(row)->derive) == (pass == 1))
                r = rec_finish(at, slot, from, err);
        }
    return r == LATHE_OK && numbers ? note_numbers(at, from, later, err) : r;
}

lathe_result rec_emit(const rec_at *at, const rec_from *given, lathe_error *err)
{
    rec_trail here;
    rec_trail_enter(&here, at);
    lathe_result r = emit_rows(at, given, err);
    rec_trail_leave(&here);
    return r;
}
