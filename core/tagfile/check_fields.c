/* Checks the fields of items: what they refer to, and whether they may. Problems that the general check
 * reports when it reads a field (a missing item, a text without an end) are not repeated here. */
#include "tagfile/check.h"
#include "tagfile/leaves.h"

#include <stdlib.h>

typedef struct walk {
    const tag_checker *k;
    tag_fields *out;
    tag_leaves leaves;
    const uint32_t *order; /* items sorted by offset */
    uint32_t order_n;
    uint64_t left; /* number of fields that may still be checked */
    buf spans;     /* elements of relative arrays: start, end, field */
} walk;

typedef struct span {
    uint64_t start, end;
    uint32_t site;
} span;

tag_item tag_checked_item(const tag_checker *k, uint32_t i)
{
    const uint8_t *p = k->p + k->items.at + TAG_HEADER + (uint64_t)i * TAG_ITEM_SIZE;
    uint32_t word = bytes_ld32(p, false);
    return (tag_item){word & TAG_ITEM_TYPE, word >> 24, bytes_ld32(p + 4, false),
                      bytes_ld32(p + 8, false)};
}

static const uint8_t *data_at(const walk *w, uint64_t position)
{
    return w->k->p + w->k->data.at + TAG_HEADER + position;
}

static void add_use(const walk *w, uint32_t item, bool text, bool array)
{
    tag_field_use *use = &w->out->uses[item];
    use->fields++;
    use->text = use->text || text;
    use->array = use->array || array;
}

/* ---- allowed targets --------------------------------------------------------------------------------------- */

/* True for the class itself, an alias of it, a derived class, and one that has it as an interface. */
static bool may_point(const tag_types *types, uint32_t id, uint32_t base)
{
    if (!base || tag_kind_of(&types->all[base]) != TAG_RECORD)
        return true;
    for (uint32_t up = id; up; up = types->all[up].parent) {
        if (up == base)
            return true;
        for (uint32_t i = 0; i < types->all[up].interfaces_n; i++)
            if (tag_is_a(types, types->all[up].interfaces[i].type, base))
                return true;
    }
    return tag_is_a(types, base, id); /* an alias on the other side */
}

static bool same_elements(const tag_types *types, uint32_t a, uint32_t b)
{
    return a == b || (types->all[a].is.size == types->all[b].is.size &&
                      (tag_is_a(types, a, b) || tag_is_a(types, b, a)));
}

static void check_storage(const walk *w, const tag_field *f, uint32_t number, const tag_item *item)
{
    const tag_types *types = w->k->types;
    uint32_t sub = types->all[f->type].is.sub_type;
    tag_kind kind = tag_kind_of(&types->all[f->type]);
    char one[TAG_LABEL], other[TAG_LABEL];
    const lathe_level error = LATHE_LEVEL_ERROR;
    if (kind == TAG_STRING && (item->kind & TAG_OBJECT || types->all[item->type].is.size != 1))
        tag_data_finding(w->k, error, f->position, "the text at 0x%x: item %u is of %s",
                         f->position, number, tag_label(types, item->type, one));
    else if (kind == TAG_ARRAY && item->kind & TAG_OBJECT)
        tag_data_finding(w->k, error, f->position, "the array at 0x%x: item %u is an object",
                         f->position, number);
    else if (kind == TAG_ARRAY && !same_elements(types, item->type, sub))
        tag_data_finding(w->k, error, f->position, "the array at 0x%x is of %s, item %u of %s",
                         f->position, tag_label(types, sub, one), number,
                         tag_label(types, item->type, other));
    else if (kind == TAG_POINTER && item->kind & TAG_OBJECT && !may_point(types, item->type, sub))
        tag_data_finding(w->k, error, f->position, "the pointer at 0x%x is to %s, item %u is %s",
                         f->position, tag_label(types, sub, one), number,
                         tag_label(types, item->type, other));
}

/* Checks that the bytes behind the number are zeros: the size and capacity of an array come from the item. */
static void check_zeros(const walk *w, const tag_field *f)
{
    uint32_t size = w->k->types->all[f->type].is.size, most = size < 16 ? size : 16;
    const uint8_t *p = data_at(w, f->position);
    for (uint32_t i = 4; i < most; i++)
        if (p[i]) {
            tag_data_finding(w->k, LATHE_LEVEL_WARNING, f->position,
                             "the field at 0x%x: %s is not zero", f->position,
                             i < 8    ? "the upper half of its item's number"
                             : i < 12 ? "its size"
                                      : "its capacity");
            return;
        }
}

static void check_numbered(const walk *w, const tag_field *f)
{
    uint32_t number = bytes_ld32(data_at(w, f->position), false);
    tag_kind kind = tag_kind_of(&w->k->types->all[f->type]);
    tag_item item = {0};
    check_zeros(w, f);
    if (!number)
        return;
    if (number < w->k->items_n)
        item = tag_checked_item(w->k, number);
    if (kind == TAG_POINTER && !(item.kind & TAG_OBJECT)) /* the general check reports others */
        tag_data_finding(w->k, LATHE_LEVEL_ERROR, f->position,
                         "the pointer at 0x%x: item %u is no object", f->position, number);
    if (!item.kind)
        return;
    add_use(w, number, kind == TAG_STRING, kind == TAG_ARRAY);
    check_storage(w, f, number, &item);
}

/* ---- relative fields --------------------------------------------------------------------------------------- */

/* The item for the elements (or the object) at a position; 0: none. */
static uint32_t item_there(const walk *w, uint64_t position, uint32_t type, uint32_t count,
                           bool object)
{
    for (uint32_t i = tag_items_before(w->k->doc, w->k->c, position); i < w->order_n; i++) {
        tag_item item = tag_checked_item(w->k, w->order[i]);
        if (item.offset != position)
            break;
        if (object ? (item.kind & TAG_OBJECT) != 0
                   : !(item.kind & TAG_OBJECT) && item.count == count &&
                         same_elements(w->k->types, item.type, type))
            return w->order[i];
    }
    return 0;
}

static bool check_relative_array(walk *w, const tag_field *f, int64_t by, uint32_t count)
{
    const tag_type *t = &w->k->types->all[f->type];
    uint32_t sub = t->is.sub_type, item;
    uint64_t data = w->k->data.end - w->k->data.at - TAG_HEADER, to = (uint64_t)by + f->position;
    uint64_t size = (uint64_t)count * w->k->types->all[sub].is.size;
    uint32_t capacity =
        t->is.size < 16 ? 0 : bytes_ld32(data_at(w, f->position) + 12, false) & 0x3FFFFFFF;
    if (capacity && capacity < count)
        tag_data_finding(w->k, LATHE_LEVEL_WARNING, f->position,
                         "the array at 0x%x: room for %u elements, it has %u", f->position,
                         capacity, count);
    if (!count || count > INT32_MAX || to > data || size > data - to)
        return true; /* the general check reports it */
    item = item_there(w, to, sub, count, false);
    if (item)
        add_use(w, item, false, true);
    else
        tag_data_finding(w->k, LATHE_LEVEL_WARNING, f->position,
                         "the array at 0x%x: no item tells of its %u elements at 0x%llx",
                         f->position, count, (unsigned long long)to);
    span s = {to, to + size, f->position};
    return !size || buf_put(&w->spans, &s, sizeof s);
}

static void astray_finding(const walk *w, const tag_field *f, int64_t by)
{
    tag_data_finding(w->k, LATHE_LEVEL_ERROR, f->position,
                     "the pointer at 0x%x: no object begins at its offset of %lld", f->position,
                     (long long)by);
}

static bool check_relative(walk *w, const tag_field *f)
{
    const tag_type *t = &w->k->types->all[f->type];
    bool array = tag_kind_of(t) == TAG_ARRAY;
    const uint8_t *p = data_at(w, f->position);
    int64_t by =
        t->is.size < 16 && array ? (int32_t)bytes_ld32(p, false) : (int64_t)bytes_ld64(p, false);
    bool far = by < -(int64_t)INT32_MAX || by > INT32_MAX;
    if (far && !array)
        astray_finding(w, f, by);
    if (t->is.size < 8 || far)
        return true;
    if (array)
        return check_relative_array(w, f, by, bytes_ld32(p + (t->is.size < 16 ? 4 : 8), false));
    uint32_t item = by ? item_there(w, (uint64_t)(f->position + by), 0, 1, true) : 0;
    if (item)
        add_use(w, item, false, false);
    else if (by)
        astray_finding(w, f, by);
    return true;
}

static int by_start(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

static void check_spans(const walk *w)
{
    size_t n = w->spans.size / sizeof(span);
    span *all = (span *)(void *)w->spans.data;
    const span *before = all;
    if (n)
        qsort(all, n, sizeof *all, by_start);
    for (size_t i = 1; i < n && !w->k->report->stopped; i++) {
        if (all[i].start < before->end)
            tag_data_finding(
                w->k, LATHE_LEVEL_ERROR, all[i].site,
                "the array at 0x%x: its elements at 0x%llx overlap those of the array at 0x%x",
                all[i].site, (unsigned long long)all[i].start, before->site);
        if (all[i].end > before->end)
            before = &all[i];
    }
}

/* ---- the walk ---------------------------------------------------------------------------------------------- */

static bool visit(walk *w, uint64_t position, const tag_leaf *leaf)
{
    tag_field f = {(uint32_t)position, leaf->type};
    if (leaf->relative)
        return check_relative(w, &f);
    check_numbered(w, &f);
    return buf_put(&w->out->all, &f, sizeof f);
}

static bool visit_item(walk *w, uint32_t number, const tag_item *item)
{
    lathe_error why;
    uint64_t size = w->k->types->all[item->type].is.size;
    uint32_t count =
        item->kind & TAG_OBJECT ? 1 : item->count; /* objects always have one element */
    lathe_result r = tag_leaves_list(&w->leaves, item->type, &why);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY) {
        tag_item_finding(w->k, LATHE_LEVEL_ERROR, number, "its fields are not looked at: %.120s",
                         why.message);
        w->out->whole = false;
        return true;
    }
    uint32_t n = tag_leaves_count(&w->leaves, item->type);
    if (r == LATHE_OK && (uint64_t)count * n > w->left) {
        tag_item_finding(w->k, LATHE_LEVEL_ERROR, number,
                         "its fields are not looked at: they are more than its bytes can hold");
        w->out->whole = false;
        return true;
    }
    w->left -= (uint64_t)count * n;
    for (uint32_t i = 0; r == LATHE_OK && n && i < count; i++)
        for (uint32_t j = 0; j < n && !w->k->report->stopped; j++) {
            tag_leaf leaf = tag_leaf_get(&w->leaves, item->type, j);
            if (w->k->types->all[leaf.type].is.size > size - leaf.offset)
                continue;
            if (!visit(w, item->offset + i * size + leaf.offset, &leaf))
                return false;
        }
    return r == LATHE_OK;
}

/* Visits the fields of all items. Skips overlaps, which are reported elsewhere, so that each byte is visited
 * once. */
static bool visit_all(walk *w)
{
    uint64_t end = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < w->order_n && !w->k->report->stopped; i++) {
        tag_item item = tag_checked_item(w->k, w->order[i]);
        if (item.kind & TAG_OBJECT && item.count)
            item.count = 1;
        uint64_t size = tag_item_size(w->k->types, &item);
        w->out->whole = w->out->whole && (!size || item.offset >= end);
        if (!size || item.offset < end)
            continue;
        end = item.offset + size;
        done = visit_item(w, w->order[i], &item);
    }
    return done;
}

static int by_position(const void *a, const void *b)
{
    const tag_field *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return x->type < y->type ? -1 : x->type > y->type;
}

bool tag_check_fields(const tag_checker *k, tag_fields *out)
{
    uint64_t data = k->data.end - k->data.at - TAG_HEADER;
    walk w = {.k = k, .out = out, .left = data + (1 << 16)};
    buf_init(&w.spans, &k->doc->mem);
    out->whole = true;
    w.order = tag_items_by_offset(k->doc, k->c, &w.order_n);
    bool done =
        tag_leaves_init(&w.leaves, &k->doc->mem, k->types, data) && w.order && visit_all(&w);
    size_t n = out->all.size / sizeof(tag_field);
    if (done && n)
        qsort(out->all.data, n, sizeof(tag_field), by_position);
    if (done)
        check_spans(&w);
    tag_leaves_free(&w.leaves);
    buf_free(&w.spans);
    return done;
}
