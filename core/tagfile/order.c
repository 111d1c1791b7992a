/* Orders the data of a tagfile: see order.h. References are found by the reflected types alone: those of each
 * type are listed once. */
#include "tagfile/order.h"

#include "tagfile/leaves.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARRAY_ALIGN = 16, TEXT_ALIGN = 2, DATA_ALIGN = 16, CHUNK = 1024 };

/* An item of the file, or storage without an item. */
typedef struct source {
    uint32_t type, kind, offset, count;
    uint32_t number; /* in the new order; 0: not visited yet */
    bool text;
} source;

typedef struct site { /* a reference in the output */
    uint32_t type, offset, number;
} site;

typedef struct relative { /* a reference whose target has no position yet */
    uint32_t offset, type, number, count;
} relative;

typedef struct list {
    uint32_t *p;
    size_t n, cap;
} list;

typedef struct order {
    const mem *m;
    const tag_types *types;
    const tag_image *in;
    uint64_t start;
    lathe_error *err;
    tag_leaves leaves;
    buf sites, relatives;
    uint64_t left;   /* number of bytes that may still be copied */
    source *sources; /* the items, and storage without items */
    size_t sources_n, sources_cap;
    uint64_t *by_offset; /* offset and number of each item */
    size_t by_offset_n;
    list numbers;          /* sources in their new order, without the null item */
    list places;           /* their positions */
    list objects, storage; /* still to be visited */
    size_t objects_next;
    tag_ordered *out;
} order;

/* ---- lists ----------------------------------------------------------------------------------------------- */

static bool push(const order *o, list *l, uint32_t v)
{
    void *p = l->p;
    if (!mem_reserve(o->m, &p, &l->cap, l->n + 1, sizeof *l->p))
        return false;
    l->p = p;
    l->p[l->n++] = v;
    return true;
}

static void free_list(const order *o, list *l)
{
    mem_free(o->m, l->p, l->cap * sizeof *l->p);
}

static lathe_result fail(const order *o, const source *s, uint64_t at, lathe_result code,
                         const char *fmt, ...) ERROR_PRINTF(5, 6);

static lathe_result fail(const order *o, const source *s, uint64_t at, lathe_result code,
                         const char *fmt, ...)
{
    uint64_t where = o->start == LATHE_NO_OFFSET ? o->start : o->start + at;
    char name[96], text[160];
    va_list args;
    tag_display(o->types, s->type, name, sizeof name);
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return error_set(o->err, code, where, "item %u (%s): %s", (unsigned)(s - o->sources), name,
                     text);
}

/* ---- targets of fields ----------------------------------------------------------------------------------- */

static bool add_source(order *o, source s)
{
    void *p = o->sources;
    if (!mem_reserve(o->m, &p, &o->sources_cap, o->sources_n + 1, sizeof s))
        return false;
    o->sources = p;
    o->sources[o->sources_n++] = s;
    return true;
}

/* The first item at an offset, in the order of offsets. */
static size_t first_at(const order *o, uint64_t offset)
{
    size_t lo = 0, hi = o->by_offset_n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (o->by_offset[mid] >> 32 < offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Of several objects at one offset the first is used. */
static uint32_t object_at(const order *o, uint32_t offset)
{
    for (size_t k = first_at(o, offset); k < o->by_offset_n && o->by_offset[k] >> 32 == offset; k++)
        if (o->sources[(uint32_t)o->by_offset[k]].kind & TAG_OBJECT)
            return (uint32_t)o->by_offset[k];
    return 0;
}

/* The item of `count` elements of a type at an offset; 0: none. */
static uint32_t storage_at(const order *o, uint32_t offset, uint32_t type, uint32_t count)
{
    for (size_t k = first_at(o, offset); k < o->by_offset_n && o->by_offset[k] >> 32 == offset;
         k++) {
        const source *s = &o->sources[(uint32_t)o->by_offset[k]];
        if (!(s->kind & TAG_OBJECT) && s->type == type && s->count == count)
            return (uint32_t)o->by_offset[k];
    }
    return 0;
}

/* Reads the offset and element count in a relative field of the given size. */
static bool read_relative(const uint8_t *p, uint32_t size, bool array, int64_t *by, uint32_t *count)
{
    *by = 0;
    *count = 1;
    if (size == 8 && !array)
        *by = (int64_t)((uint64_t)bytes_ld32(p + 4, false) << 32 | bytes_ld32(p, false));
    else if (size == 8)
        *by = (int32_t)bytes_ld32(p, false);
    else if (size == 16 && array)
        *by = (int64_t)((uint64_t)bytes_ld32(p + 4, false) << 32 | bytes_ld32(p, false));
    else
        return false;
    if (array)
        *count = bytes_ld32(p + size / 2, false);
    return true;
}

/* Finds the source of a relative field at `at` of the data; 0: none. */
static lathe_result find_relative(order *o, const source *s, const tag_leaf *l, uint64_t at,
                                  uint32_t *out)
{
    const tag_type *t = &o->types->all[l->type];
    uint32_t sub = t->is.sub_type, count;
    bool array = tag_kind_of(t) == TAG_ARRAY;
    int64_t by;
    *out = 0;
    if (!read_relative(o->in->data + at, t->is.size, array, &by, &count))
        return fail(o, s, at, LATHE_ERR_UNSUPPORTED, "a relative reference of %u bytes",
                    t->is.size);
    if (!by || (array && !count && at + (uint64_t)by > o->in->size))
        return LATHE_OK;
    uint64_t target = at + (uint64_t)by;
    if (target > o->in->size)
        return fail(o, s, at, LATHE_ERR_BOUNDS,
                    "a reference to 0x%llx, outside of DATA's 0x%llx bytes",
                    (unsigned long long)target, (unsigned long long)o->in->size);
    *out = array ? storage_at(o, (uint32_t)target, sub, count) : object_at(o, (uint32_t)target);
    if (*out || !count)
        return LATHE_OK;
    if (!array)
        return fail(o, s, at, LATHE_ERR_UNSUPPORTED, "points to 0x%llx, where no object begins",
                    (unsigned long long)target);
    if (sub && !o->types->all[sub].is.has_size) /* readers would reject an item of it */
        return fail(o, s, at, LATHE_ERR_INVALID, "its elements' type %u has no size", sub);
    if (!sub || (uint64_t)count * o->types->all[sub].is.size > o->in->size - target)
        return fail(o, s, at, LATHE_ERR_BOUNDS, "%u elements at 0x%llx do not fit into DATA", count,
                    (unsigned long long)target);
    *out = (uint32_t)o->sources_n;
    return add_source(o, (source){sub, TAG_STORAGE, (uint32_t)target, count, 0, false})
               ? LATHE_OK
               : rec_no_memory(o->err);
}

static lathe_result find_target(order *o, const source *s, const tag_leaf *l, uint64_t at,
                                uint32_t *out)
{
    if (l->relative && !o->in->numbered)
        return find_relative(o, s, l, at, out);
    *out = bytes_ld32(o->in->data + at, false);
    if (*out && (*out >= o->in->items_n || !o->sources[*out].kind))
        return fail(o, s, at, LATHE_ERR_INVALID, "a field holds item %u, which is none of %u", *out,
                    o->in->items_n);
    if (*out && o->sources[*out].kind & TAG_OBJECT)
        *out = object_at(o, o->sources[*out].offset);
    return LATHE_OK;
}

/* ---- the walk -------------------------------------------------------------------------------------------- */

/* Returns the number of a target in the new order and assigns it at the first visit. Objects are queued for
 * later, storage with its object. */
static lathe_result meet(order *o, uint32_t target, bool text)
{
    source *s = &o->sources[target];
    if (s->number)
        return LATHE_OK;
    s->text = text;
    if (!push(o, &o->numbers, target) || !push(o, &o->places, 0) ||
        !push(o, s->kind & TAG_OBJECT ? &o->objects : &o->storage, target))
        return rec_no_memory(o->err);
    s->number = (uint32_t)o->numbers.n;
    return LATHE_OK;
}

/* Writes one field of one element: `at` in the old data, `to` in the new. */
static lathe_result put_field(order *o, uint32_t i, const tag_leaf *l, uint64_t at, uint64_t to)
{
    uint32_t target;
    lathe_result r = find_target(o, &o->sources[i], l, at, &target);
    if (r == LATHE_OK && target)
        r = meet(o, target, l->text);
    if (r != LATHE_OK || !target)
        return r;
    const source *t = &o->sources[target];
    if (l->relative) {
        relative v = {(uint32_t)to, l->type, t->number, t->count};
        return buf_put(&o->relatives, &v, sizeof v) ? LATHE_OK : rec_no_memory(o->err);
    }
    site v = {l->type, (uint32_t)to, t->number};
    bytes_st32(o->out->data.data + to, t->number, false);
    return buf_put(&o->sites, &v, sizeof v) ? LATHE_OK : rec_no_memory(o->err);
}

/* Writes the fields of elements from .. end of source i, which was copied to `base`. */
static lathe_result put_fields(order *o, uint32_t i, uint64_t base, uint32_t from, uint32_t end,
                               bool texts)
{
    const source s = o->sources[i];
    uint64_t size = o->types->all[s.type].is.size;
    uint32_t n = tag_leaves_count(&o->leaves, s.type);
    lathe_result r = LATHE_OK;
    for (uint32_t k = 0; r == LATHE_OK && k < n; k++) {
        tag_leaf l = tag_leaf_get(&o->leaves, s.type, k);
        for (uint32_t e = from; r == LATHE_OK && l.text == texts && e < end; e++)
            r = put_field(o, i, &l, s.offset + e * size + l.offset, base + e * size + l.offset);
    }
    return r;
}

static lathe_result pad(order *o, uint32_t align)
{
    uint64_t n = (align - o->out->data.size % align) % align;
    return buf_fill(&o->out->data, 0, (size_t)n) ? LATHE_OK : rec_no_memory(o->err);
}

static uint32_t align_of(const order *o, const source *s)
{
    uint32_t align = tag_alignment(&o->types->all[s->type]);
    if (s->kind & TAG_OBJECT)
        return align;
    return s->text ? TEXT_ALIGN : align < ARRAY_ALIGN ? ARRAY_ALIGN : align;
}

static bool has_relative(const order *o, uint32_t type)
{
    return tag_leaves_count(&o->leaves, type) && tag_leaf_get(&o->leaves, type, 0).relative;
}

/* Copies a source to the end of the data and visits everything it refers to. */
static lathe_result put_source(order *o, uint32_t i)
{
    const source s = o->sources[i];
    uint64_t bytes = (uint64_t)s.count * o->types->all[s.type].is.size;
    lathe_result r = s.count ? tag_leaves_list(&o->leaves, s.type, o->err) : LATHE_OK;
    if (r == LATHE_OK)
        r = pad(o, align_of(o, &s));
    if (r != LATHE_OK)
        return r;
    uint64_t base = o->out->data.size;
    uint64_t cost = bytes + (uint64_t)s.count * tag_leaves_count(&o->leaves, s.type);
    if (cost > o->left || base > INT32_MAX)
        return fail(
            o, &o->sources[i], s.offset, LATHE_ERR_LIMIT,
            "data are shared so often that copies of them would take many times the file's size");
    o->left -= cost;
    o->places.p[s.number - 1] = (uint32_t)base;
    /* An object of 0 bytes takes one: if another object began at the same offset, it could not be reached. */
    bool empty = s.kind & TAG_OBJECT && !bytes;
    if (!buf_put(&o->out->data, o->in->data + s.offset, (size_t)bytes) ||
        !buf_fill(&o->out->data, 0, empty))
        return rec_no_memory(o->err);
    /* Writers of relative arrays process many elements at a time. */
    uint32_t step = has_relative(o, s.type) ? CHUNK : s.count ? s.count : 1;
    for (uint32_t from = 0; r == LATHE_OK && from < s.count; from += step) {
        uint32_t end = s.count - from < step ? s.count : from + step;
        r = put_fields(o, i, base, from, end, false);
        if (r == LATHE_OK)
            r = put_fields(o, i, base, from, end, true);
        if (s.count - from <= step)
            break;
    }
    return r;
}

/* Writes the visited objects, each with its storage. */
static lathe_result put_met(order *o)
{
    lathe_result r = LATHE_OK;
    while (r == LATHE_OK && o->objects_next < o->objects.n) {
        o->storage.n = 0;
        r = put_source(o, o->objects.p[o->objects_next++]);
        for (size_t k = 0; r == LATHE_OK && k < o->storage.n; k++)
            r = put_source(o, o->storage.p[k]);
    }
    return r;
}

/* Number of bytes in front of the first item, which are kept there. */
static uint64_t lead_of(const order *o)
{
    return o->by_offset_n ? o->by_offset[0] >> 32 : 0;
}

static lathe_result put_all(order *o)
{
    uint64_t lead = lead_of(o);
    lathe_result r = !lead || buf_put(&o->out->data, o->in->data, (size_t)lead)
                         ? LATHE_OK
                         : rec_no_memory(o->err);
    for (uint32_t i = 1; r == LATHE_OK && i < o->in->items_n; i++) {
        if (!(o->sources[i].kind & TAG_OBJECT) || o->sources[i].number ||
            object_at(o, o->sources[i].offset) != i)
            continue;
        r = meet(o, i, false);
        if (r == LATHE_OK)
            r = put_met(o);
    }
    if (r == LATHE_OK && !o->numbers.n)
        r = error_set(o->err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "ITEM: no item is an object");
    return r == LATHE_OK ? pad(o, DATA_ALIGN) : r;
}

/* ---- input ----------------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static lathe_result read_item(order *o, uint32_t i)
{
    const uint8_t *p = o->in->items + (uint64_t)i * TAG_ITEM_SIZE;
    uint32_t word = bytes_ld32(p, false);
    source s = {word & TAG_ITEM_TYPE,     word >> 24, bytes_ld32(p + 4, false),
                bytes_ld32(p + 8, false), 0,          false};
    if (s.kind && s.type >= o->types->count)
        return error_set(o->err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "item %u: it is of type %u, there are %u", i, s.type, o->types->count - 1);
    if (!add_source(o, s))
        return rec_no_memory(o->err);
    if (s.kind && (s.offset > o->in->size ||
                   (uint64_t)s.count * o->types->all[s.type].is.size > o->in->size - s.offset))
        return fail(o, &o->sources[i], s.offset, LATHE_ERR_BOUNDS,
                    "it lies outside of DATA's 0x%llx bytes", (unsigned long long)o->in->size);
    if (s.kind)
        o->by_offset[o->by_offset_n++] = (uint64_t)s.offset << 32 | i;
    return LATHE_OK;
}

static lathe_result read_items(order *o)
{
    lathe_result r = LATHE_OK;
    o->by_offset = mem_alloc(o->m, ((size_t)o->in->items_n + 1) * sizeof *o->by_offset);
    if (!o->by_offset)
        return rec_no_memory(o->err);
    for (uint32_t i = 0; r == LATHE_OK && i < o->in->items_n; i++)
        r = read_item(o, i);
    if (r == LATHE_OK && o->by_offset_n)
        qsort(o->by_offset, o->by_offset_n, sizeof *o->by_offset, by_key);
    return r;
}

/* Fails for bytes without an item, which would be lost, unless they are zeros. */
static lathe_result check_gap(const order *o, uint64_t from, uint64_t to)
{
    for (uint64_t at = from; at < to; at++)
        if (o->in->data[at])
            return error_set(
                o->err, LATHE_ERR_UNSUPPORTED,
                o->start == LATHE_NO_OFFSET ? o->start : o->start + at,
                "DATA: bytes at 0x%llx that no item tells of, which serialize() has no place for",
                (unsigned long long)at);
    return LATHE_OK;
}

static lathe_result check_gaps(const order *o)
{
    uint64_t end = lead_of(o), *keys = mem_alloc(o->m, (o->sources_n + 1) * sizeof *keys);
    size_t n = 0;
    lathe_result r = keys ? LATHE_OK : rec_no_memory(o->err);
    for (size_t i = 0; keys && i < o->sources_n; i++)
        if (o->sources[i].kind)
            keys[n++] = (uint64_t)o->sources[i].offset << 32 | i;
    if (n)
        qsort(keys, n, sizeof *keys, by_key);
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        const source *s = &o->sources[(uint32_t)keys[i]];
        uint64_t to = s->offset + (uint64_t)s->count * o->types->all[s->type].is.size;
        r = check_gap(o, end, s->offset);
        end = to > end ? to : end;
    }
    if (r == LATHE_OK)
        r = check_gap(o, end, o->in->size);
    mem_free(o->m, keys, (o->sources_n + 1) * sizeof *keys);
    return r;
}

/* ---- output ---------------------------------------------------------------------------------------------- */

static lathe_result put_items(order *o)
{
    uint8_t record[TAG_ITEM_SIZE] = {0};
    bool done = buf_put(&o->out->items, record, sizeof record);
    for (size_t i = 0; done && i < o->numbers.n; i++) {
        const source *s = &o->sources[o->numbers.p[i]];
        bytes_st32(record, s->type | s->kind << 24, false);
        bytes_st32(record + 4, o->places.p[i], false);
        bytes_st32(record + 8, s->count, false);
        o->out->objects += (s->kind & TAG_OBJECT) != 0;
        done = buf_put(&o->out->items, record, sizeof record);
    }
    return done ? LATHE_OK : rec_no_memory(o->err);
}

static int by_site(const void *a, const void *b)
{
    const site *x = a, *y = b;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_place(const void *a, const void *b)
{
    const site *x = a, *y = b;
    return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : by_site(a, b);
}

/* Sorts the sites by place and drops duplicates: two members of different types may share a field, which is patched once. */
static size_t drop_shared(site *sites, size_t n)
{
    size_t kept = 0;
    if (n)
        qsort(sites, n, sizeof *sites, by_place);
    for (size_t i = 0; i < n; i++)
        if (!kept || sites[i].offset != sites[kept - 1].offset)
            sites[kept++] = sites[i];
    return kept;
}

/* Appends the patches, grouped by type: the type's number, a count, and that many offsets. */
static lathe_result put_patches(order *o)
{
    site *sites = (site *)(void *)o->sites.data;
    size_t n = drop_shared(sites, o->sites.size / sizeof(site)), end;
    uint8_t word[8];
    bool done = true;
    if (n)
        qsort(sites, n, sizeof *sites, by_site);
    for (size_t i = 0; done && i < n; i = end) {
        for (end = i; end < n && sites[end].type == sites[i].type;)
            end++;
        bytes_st32(word, sites[i].type, false);
        bytes_st32(word + 4, (uint32_t)(end - i), false);
        done = buf_put(&o->out->patches, word, 8);
        for (size_t k = i; done && k < end; k++) {
            bytes_st32(word, sites[k].offset, false);
            done = buf_put(&o->out->patches, word, 4);
        }
    }
    return done ? LATHE_OK : rec_no_memory(o->err);
}

/* Writes the relative offsets. All are below 2^31. */
static void put_relatives(order *o)
{
    const relative *all = (const relative *)(const void *)o->relatives.data;
    for (size_t i = 0; i < o->relatives.size / sizeof *all; i++) {
        const tag_type *t = &o->types->all[all[i].type];
        uint8_t *p = o->out->data.data + all[i].offset;
        int64_t by = (int64_t)o->places.p[all[i].number - 1] - all[i].offset;
        bool array = tag_kind_of(t) == TAG_ARRAY;
        bytes_st32(p, (uint32_t)by, false);
        if (t->is.size == 16 || !array)
            bytes_st32(p + 4, (uint32_t)((uint64_t)by >> 32), false);
        if (array)
            bytes_st32(p + t->is.size / 2, all[i].count, false);
    }
}

/* Fails if fields share bytes: they cannot all hold their references. */
static lathe_result check_fields(const order *o)
{
    const site *sites = (const site *)(const void *)o->sites.data;
    const relative *all = (const relative *)(const void *)o->relatives.data;
    uint64_t at = LATHE_NO_OFFSET;
    for (size_t i = 0; i < o->sites.size / sizeof *sites; i++)
        if (bytes_ld32(o->out->data.data + sites[i].offset, false) != sites[i].number)
            at = sites[i].offset;
    for (size_t i = 0; i < o->relatives.size / sizeof *all; i++) {
        const tag_type *t = &o->types->all[all[i].type];
        bool array = tag_kind_of(t) == TAG_ARRAY;
        uint32_t count;
        int64_t by;
        read_relative(o->out->data.data + all[i].offset, t->is.size, array, &by, &count);
        if (by != (int64_t)o->places.p[all[i].number - 1] - all[i].offset ||
            (array && count != all[i].count))
            at = all[i].offset;
    }
    return at == LATHE_NO_OFFSET
               ? LATHE_OK
               : error_set(
                     o->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "DATA: the reference that would be at 0x%llx shares bytes with another one",
                     (unsigned long long)at);
}

/* ---- ordering -------------------------------------------------------------------------------------------- */

void tag_ordered_init(tag_ordered *out, const mem *m)
{
    *out = (tag_ordered){0};
    buf_init(&out->data, m);
    buf_init(&out->items, m);
    buf_init(&out->patches, m);
}

void tag_ordered_free(tag_ordered *out)
{
    buf_free(&out->data);
    buf_free(&out->items);
    buf_free(&out->patches);
}

lathe_result tag_order(const mem *m, const tag_types *types, const tag_image *in, uint64_t start,
                       tag_ordered *out, lathe_error *err)
{
    order o = {.m = m, .types = types, .in = in, .start = start, .err = err, .out = out};
    o.left = 4 * in->size + ((uint64_t)1 << 20);
    bool begun = tag_leaves_init(&o.leaves, m, types, in->size);
    buf_init(&o.sites, m);
    buf_init(&o.relatives, m);
    lathe_result r = begun ? read_items(&o) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = put_all(&o);
    if (r == LATHE_OK)
        r = check_gaps(&o);
    if (r == LATHE_OK)
        r = put_items(&o);
    if (r == LATHE_OK)
        r = put_patches(&o);
    if (r == LATHE_OK)
        put_relatives(&o);
    if (r == LATHE_OK)
        r = check_fields(&o);
    tag_leaves_free(&o.leaves);
    buf_free(&o.sites);
    buf_free(&o.relatives);
    mem_free(m, o.by_offset, ((size_t)in->items_n + 1) * sizeof *o.by_offset);
    mem_free(m, o.sources, o.sources_cap * sizeof *o.sources);
    free_list(&o, &o.numbers);
    free_list(&o, &o.places);
    free_list(&o, &o.objects);
    free_list(&o, &o.storage);
    return r;
}
