/* Makes records of tagfiles from nested values: structs one after the other, each followed by everything it
 * refers to. */
#include "havok/objects/objects.h"
#include "tagfile/make.h"
#include "tagfile/types_write.h"

enum { ALIGN = 16, MOST_DATA = 0x3F000000 };

/* ---- data ----------------------------------------------------------------------------------------------- */

uint64_t tag_made_end(const tag_maker *m)
{
    return m->doc->parts[m->part].size;
}

static lathe_result append(tag_maker *m, const void *bytes, uint64_t n)
{
    rec_part *p = &m->doc->parts[m->part];
    if (p->size > MOST_DATA || n > MOST_DATA - p->size)
        return error_set(m->err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a section has at most 2^30 - 1 bytes: too much data");
    return rec_part_append(m->doc, p, bytes, n) ? LATHE_OK : rec_no_memory(m->err);
}

lathe_result tag_made_align(tag_maker *m)
{
    return append(m, NULL, (ALIGN - tag_made_end(m) % ALIGN) % ALIGN);
}

lathe_result tag_made_lead(tag_maker *m)
{
    return append(m, m->kept.p[TAG_KEPT_LEAD], m->kept.n[TAG_KEPT_LEAD]);
}

/* Adds an item for storage at the end of the data, and stores its number in the header at `site`. */
static lathe_result put_item(tag_maker *m, uint64_t site, uint32_t type, uint64_t count)
{
    uint8_t r[TAG_ITEM_SIZE];
    uint32_t number = (uint32_t)(m->items.size / TAG_ITEM_SIZE);
    bytes_st32(r, type | (uint32_t)TAG_STORAGE << 24, false);
    bytes_st32(r + 4, (uint32_t)tag_made_end(m), false);
    bytes_st32(r + 8, (uint32_t)count, false);
    bytes_st32(m->doc->parts[m->part].data + site, number, false);
    return buf_put(&m->items, r, sizeof r) ? LATHE_OK : rec_no_memory(m->err);
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* The value that the source has for a row, or the value of the record that is copied. */
static lathe_result value(const tag_maker *m, const tag_made *r, uint32_t slot, lathe_value *leaf,
                          const void **child)
{
    uint32_t from;
    if (rec_source_value(&r->from, &r->to, slot, leaf, child) ||
        !rec_base_row(&r->from, &r->to, slot, &from))
        return LATHE_OK;
    return rec_get(r->from.base, from, true, leaf, m->err);
}

static lathe_result value_item(const tag_maker *m, const rec_items *l, uint64_t i,
                               lathe_value *leaf, const void **child)
{
    leaf->kind = LATHE_KIND_NONE;
    *child = NULL;
    if (l->at)
        return rec_get_item(l->at, l->slot, i, true, leaf, m->err);
    if (l->source)
        l->source->get(l->source->user, l->node, NULL, i, leaf, child);
    return LATHE_OK;
}

static bool is_null(const lathe_value *v)
{
    return v->kind == LATHE_KIND_NONE || v->kind == LATHE_KIND_NULL ||
           (v->kind == LATHE_KIND_BOOL && !v->as.b);
}

/* Selects the source of the fields of an inlined record: a table, or none. */
static lathe_result record_from(const tag_maker *m, const rec_at *to, const lathe_source *source,
                                const lathe_value *leaf, const void *child, tag_made *out)
{
    *out = (tag_made){.to = *to, .from = {.skip_parts = true}};
    if (leaf->kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!child || (leaf->kind != LATHE_KIND_RECORD && leaf->kind != LATHE_KIND_ARRAY))
        return rec_fail(to, REC_NO_SLOT, to->off, m->err, LATHE_ERR_TYPE, "a table expected (%s)",
                        rec_type_name(to->layout->type));
    out->from.source = source;
    out->from.node = child;
    return LATHE_OK;
}

/* ---- pointers ------------------------------------------------------------------------------------------- */

static lathe_result put_pointer(tag_maker *m, const tag_made *r, uint32_t slot, uint64_t site,
                                const lathe_value *v)
{
    double f = 0;
    int64_t n;
    if (is_null(v))
        return LATHE_OK;
    if (v->kind == LATHE_KIND_RECORD || v->kind == LATHE_KIND_ARRAY)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_UNSUPPORTED,
                        "an object's number expected: a view points into its own document");
    if (!hk_number_in_path(v, &n)) {
        if (!rec_number(v, &f))
            return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_TYPE,
                            "an object's number or false expected");
        n = f >= 0 && f <= UINT32_MAX && f == (double)(int64_t)f ? (int64_t)f : -1;
    }
    if (n < 0 || (uint64_t)n > m->count)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_RANGE,
                        "no object %.17g: there are %llu", n < 0 ? f : (double)n,
                        (unsigned long long)m->count);
    /* Objects have the first item numbers. */
    bytes_st32(m->doc->parts[m->part].data + site, (uint32_t)n, false);
    return LATHE_OK;
}

/* ---- texts ---------------------------------------------------------------------------------------------- */

static lathe_result put_text(tag_maker *m, const tag_made *r, uint32_t slot, uint64_t site,
                             const lathe_value *v)
{
    if (is_null(v))
        return LATHE_OK;
    if (v->kind != LATHE_KIND_STRING)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_TYPE, "a string or false expected");
    if (!m->text)
        m->text = tag_text_type(m->types);
    if (!m->text)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_UNSUPPORTED,
                        "the file has no type char: a text cannot be added");
    lathe_result e = rec_check_text(&r->to, slot, site, v->as.s.p, v->as.s.n, m->err);
    if (e == LATHE_OK)
        e = put_item(m, site, m->text, (uint64_t)v->as.s.n + 1);
    if (e == LATHE_OK)
        e = append(m, v->as.s.p, v->as.s.n);
    return e == LATHE_OK ? append(m, NULL, 1) : e;
}

/* ---- arrays --------------------------------------------------------------------------------------------- */

static lathe_result walk(tag_maker *m, const tag_made *r);

/* Makes the out-of-line data of texts, pointers or records that are contiguous from `start` on. */
static lathe_result walk_elements(tag_maker *m, const tag_made *r, uint32_t slot,
                                  const rec_items *items, uint64_t start)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_result e = LATHE_OK;
    if (!s->row->text && s->row->kind != REC_POINTER && !(s->sub && s->sub->has_out_of_line))
        return LATHE_OK;
    for (uint64_t i = 0; e == LATHE_OK && i < items->count; i++) {
        lathe_value leaf;
        const void *child;
        uint64_t site = start + i * s->elem;
        tag_made one;
        e = value_item(m, items, i, &leaf, &child);
        if (e != LATHE_OK)
            break;
        if (s->row->text) {
            e = put_text(m, r, slot, site, &leaf);
        } else if (s->row->kind == REC_POINTER) {
            e = put_pointer(m, r, slot, site, &leaf);
        } else {
            rec_at to = rec_child(&r->to, slot, s->sub, m->part, site, i);
            e = record_from(m, &to, items->source, &leaf, child, &one);
            if (e == LATHE_OK)
                e = walk(m, &one);
        }
    }
    return e;
}

static lathe_result list_of(const tag_maker *m, const tag_made *r, uint32_t slot, rec_items *items,
                            rec_at *storage)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    *items = (rec_items){0};
    lathe_result e = value(m, r, slot, &leaf, &child);
    if (e != LATHE_OK || leaf.kind == LATHE_KIND_NONE)
        return e;
    if (!rec_items_of(s, &r->from, &leaf, child, items, storage))
        return rec_fail(&r->to, slot, r->to.off, m->err, LATHE_ERR_TYPE, "a list expected");
    if (items->at && (s->row->kind == REC_POINTER || (s->sub && s->sub->has_out_of_line)))
        return rec_fail(&r->to, slot, r->to.off, m->err, LATHE_ERR_UNSUPPORTED,
                        "a table expected: a view's elements lead into its own document");
    return items->count <= INT32_MAX
               ? LATHE_OK
               : rec_fail(&r->to, slot, r->to.off, m->err, LATHE_ERR_RANGE,
                          "%llu elements, at most %d", (unsigned long long)items->count, INT32_MAX);
}

/* ---- overlapping members -------------------------------------------------------------------------------- */

/* True if members of a struct share bytes, or those of a struct in it. Then its fields cannot be written as
 * one row. */
static bool overlaps(const rec_layout *l, int depth)
{
    uint64_t end = 0;
    for (uint32_t slot = 0; slot < l->count; slot++) {
        const rec_slot *s = &l->slots[slot];
        if (rec_unstored(s->row))
            continue;
        if (s->off < end ||
            (s->sub && !s->row->body && depth < REC_DEPTH && overlaps(s->sub, depth + 1)))
            return true;
        end = s->off + s->size;
    }
    return false;
}

static lathe_result put_over(tag_maker *m, const tag_made *r);

/* Makes inlined structs. */
static lathe_result put_subs(tag_maker *m, const tag_made *r, uint32_t slot)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    rec_items items = {.count = 1};
    rec_at storage;
    tag_made sub;
    lathe_result e =
        s->array ? list_of(m, r, slot, &items, &storage) : value(m, r, slot, &leaf, &child);
    for (uint64_t i = 0; e == LATHE_OK && i < items.count && (!s->array || i < s->row->n); i++) {
        rec_at to =
            rec_child(&r->to, slot, s->sub, m->part, r->to.off + s->off + i * s->sub->size, i);
        if (s->array)
            e = value_item(m, &items, i, &leaf, &child);
        if (e == LATHE_OK)
            e = record_from(m, &to, r->from.source, &leaf, child, &sub);
        if (e == LATHE_OK)
            e = put_over(m, &sub);
    }
    return e;
}

/* Writes each field separately into zeros; if two overlap, the later one wins. */
static lathe_result put_over(tag_maker *m, const tag_made *r)
{
    rec_trail here;
    rec_trail_enter(&here, &r->to);
    lathe_result e = rec_check_names(&r->to, &r->from, m->err);
    for (uint32_t slot = 0; e == LATHE_OK && slot < r->to.layout->count; slot++) {
        const rec_slot *s = &r->to.layout->slots[slot];
        lathe_value leaf;
        const void *child;
        if (rec_unstored(s->row) || !rec_source_value(&r->from, &r->to, slot, &leaf, &child))
            continue;
        if (s->row->kind == REC_RECORD && !s->row->body && overlaps(s->sub, 0)) {
            e = put_subs(m, r, slot);
            continue;
        }
        m->doc->parts[m->field].size = 0;
        e = rec_emit_field(&r->to, slot, &r->from, m->field, m->err);
        const rec_part *p = &m->doc->parts[m->field];
        if (e == LATHE_OK && p->size)
            memcpy(m->doc->parts[m->part].data + r->to.off + s->off, p->data,
                   (size_t)(p->size < s->size ? p->size : s->size));
    }
    rec_trail_leave(&here);
    return e;
}

/* Appends a struct to the data. */
static lathe_result put_struct(tag_maker *m, const tag_made *r)
{
    if (r->to.layout->size > REC_MADE)
        return rec_fail(&r->to, REC_NO_SLOT, r->to.off, m->err, LATHE_ERR_LIMIT,
                        "its type says that it takes %llu bytes, more than %u MiB",
                        (unsigned long long)r->to.layout->size, (unsigned)(REC_MADE >> 20));
    if (!overlaps(r->to.layout, 0))
        return rec_emit(&r->to, &r->from, m->err);
    lathe_result e = append(m, NULL, r->to.layout->size);
    return e == LATHE_OK ? put_over(m, r) : e;
}

/* Appends elements to the data, followed by everything they refer to. */
static lathe_result put_elements(tag_maker *m, const tag_made *r, uint32_t slot, rec_items *items)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_result e = LATHE_OK;
    items->skip_parts = true;
    if (s->row->kind != REC_RECORD || !overlaps(s->sub, 0))
        return rec_emit_items(&r->to, slot, items, 0, m->part, m->err);
    for (uint64_t i = 0; e == LATHE_OK && i < items->count; i++) {
        lathe_value leaf;
        const void *child;
        tag_made one;
        rec_at to = rec_child(&r->to, slot, s->sub, m->part, tag_made_end(m), i);
        e = value_item(m, items, i, &leaf, &child);
        if (e == LATHE_OK)
            e = record_from(m, &to, items->source, &leaf, child, &one);
        if (e == LATHE_OK)
            e = put_struct(m, &one);
    }
    return e;
}

/* ---- storage -------------------------------------------------------------------------------------------- */

/* Makes the storage of an array whose header is in the struct. */
static lathe_result put_array(tag_maker *m, const tag_made *r, uint32_t slot)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    const tag_type *t = &m->types->all[s->row->own];
    rec_items items;
    rec_at storage;
    lathe_result e = list_of(m, r, slot, &items, &storage);
    if (e != LATHE_OK || (!items.count && !(m->empty_items && tag_is_relative(t))))
        return e;
    e = tag_made_align(m);
    if (e == LATHE_OK)
        e = put_item(m, r->to.off + s->off, t->is.sub_type, items.count);
    uint64_t start = tag_made_end(m);
    if (e == LATHE_OK)
        e = put_elements(m, r, slot, &items);
    return e == LATHE_OK ? walk_elements(m, r, slot, &items, start) : e;
}

/* ---- records -------------------------------------------------------------------------------------------- */

static lathe_result walk_in_line(tag_maker *m, const tag_made *r, uint32_t slot)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    uint64_t site = r->to.off + s->off;
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    rec_items items;
    rec_at storage;
    tag_made sub;
    if (s->array) {
        lathe_result e = list_of(m, r, slot, &items, &storage);
        if (items.count > s->row->n)
            items.count = s->row->n;
        return e == LATHE_OK ? walk_elements(m, r, slot, &items, site) : e;
    }
    lathe_result e = value(m, r, slot, &leaf, &child);
    if (e != LATHE_OK)
        return e;
    if (s->row->text)
        return put_text(m, r, slot, site, &leaf);
    if (s->row->kind == REC_POINTER)
        return put_pointer(m, r, slot, site, &leaf);
    rec_at to = rec_child(&r->to, slot, s->sub, m->part, site, 0);
    e = record_from(m, &to, r->from.source, &leaf, child, &sub);
    return e == LATHE_OK ? walk(m, &sub) : e;
}

/* Makes everything that the headers of a record refer to. Its struct is already written. */
static lathe_result walk(tag_maker *m, const tag_made *r)
{
    lathe_result e = LATHE_OK;
    if (r->to.depth > REC_DEPTH)
        return rec_fail(&r->to, REC_NO_SLOT, r->to.off, m->err, LATHE_ERR_LIMIT,
                        "records nested deeper than %d", REC_DEPTH);
    rec_trail here;
    rec_trail_enter(&here, &r->to);
    for (uint32_t slot = 0; e == LATHE_OK && slot < r->to.layout->count; slot++) {
        const rec_slot *s = &r->to.layout->slots[slot];
        if (rec_unstored(s->row) || s->row->flags & REC_PAD)
            continue;
        if (s->row->body)
            e = put_array(m, r, slot);
        else if (s->row->text || s->row->kind == REC_POINTER || (s->sub && s->sub->has_out_of_line))
            e = walk_in_line(m, r, slot);
    }
    rec_trail_leave(&here);
    return e;
}

lathe_result tag_make_record(tag_maker *m, const tag_made *r)
{
    lathe_result e = put_struct(m, r);
    if (e == LATHE_OK && tag_made_end(m) - r->to.off != r->to.layout->size)
        e = rec_fail(&r->to, REC_NO_SLOT, r->to.off, m->err, LATHE_ERR_UNSUPPORTED,
                     "its members do not take the bytes that its type says");
    return e == LATHE_OK ? walk(m, r) : e;
}
