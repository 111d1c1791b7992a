/* The three tables that say what points where. Local fixups are kept in the order of their targets, so
 * finding one by its source takes an index: record numbers in the order of sources, and of targets. Cuts keep
 * these orders and single records are put in and taken out; it is worked out anew when many records went, or
 * an edit was taken back. */
#include "havok/packfile/packfile.h"

#include <stdlib.h>

enum { TABLES = 3, WAYS = 2 };

/* Record numbers of local, global and virtual fixups, in the order of their sources and of their targets. */
typedef struct index {
    uint32_t part[TABLES], n[TABLES], room[TABLES];
    uint32_t *order[TABLES][WAYS];
    uint32_t numbers[];
} index;

typedef struct table { /* one of them, to be looked at */
    const uint8_t *data;
    uint32_t part, width, n;
    bool big;
} table;

enum { BY_SOURCE = 0, BY_TARGET = 1 };

static uint32_t width_of(hk_part which)
{
    return which == HK_LOCAL ? 8 : 12;
}
/* ---- positions ------------------------------------------------------------------------------------- */

uint64_t hk_position(lathe_doc *doc, uint32_t part, uint64_t off)
{
    uint32_t lead = hk_part_of(doc, rec_part_of(doc, part)->container, HK_LEAD);
    return rec_start(doc, part, off) - rec_start(doc, lead, 0);
}

static hk_origin origin_of(lathe_doc *doc, uint32_t c)
{
    return (hk_origin){hk_row(HK_OBJECTS), hk_part_of(doc, c, HK_LEAD)};
}

bool hk_place(lathe_doc *doc, uint32_t c, uint64_t position, uint32_t *part, uint64_t *off)
{
    return hk_object_place(doc, c, origin_of(doc, c), position, part, off);
}

uint64_t hk_object_at(lathe_doc *doc, uint32_t c, uint64_t position)
{
    return hk_object_begins(doc, c, origin_of(doc, c), position);
}

/* ---- records --------------------------------------------------------------------------------------- */

static const index *fresh_index(lathe_doc *doc, uint32_t c)
{
    const rec_container *container = &doc->containers[c];
    return container->index_stale ? NULL : container->index;
}

static table table_of(lathe_doc *doc, uint32_t c, hk_part which)
{
    const index *x = fresh_index(doc, c);
    uint32_t t = which - HK_LOCAL;
    uint32_t part = x ? x->part[t] : hk_part_of(doc, c, which), width = width_of(which);
    const rec_part *p = rec_part_of(doc, part);
    uint64_t n = x ? x->n[t] : p->size / width;
    while (!x && n && bytes_ld32(p->data + (n - 1) * width, false) == UINT32_MAX)
        n--;
    return (table){p->data, part, width, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX,
                   doc->containers[c].big};
}

static hk_fixup get(const table *t, uint32_t number)
{
    const uint8_t *r = t->data + (uint64_t)number * t->width;
    bool local = t->width == 8;
    return (hk_fixup){number, bytes_ld32(r, t->big), local ? 0 : bytes_ld32(r + 4, t->big),
                      bytes_ld32(r + (local ? 4 : 8), t->big)};
}

uint32_t hk_fixup_count(lathe_doc *doc, uint32_t c, hk_part which)
{
    return table_of(doc, c, which).n;
}

hk_fixup hk_fixup_get(lathe_doc *doc, uint32_t c, hk_part which, uint32_t number)
{
    table t = table_of(doc, c, which);
    return get(&t, number);
}

/* ---- the index ------------------------------------------------------------------------------------- */

static uint32_t key_of(const table *t, int way, uint32_t number)
{
    uint32_t at = way == BY_SOURCE ? 0 : t->width - 4;
    return bytes_ld32(t->data + (uint64_t)number * t->width + at, t->big);
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_records(const table *t, int way, uint64_t *keys, uint32_t *out)
{
    bool sorted = true;
    for (uint32_t i = 0; i < t->n; i++) {
        keys[i] = (uint64_t)key_of(t, way, i) << 32 | i;
        sorted = sorted && (i == 0 || keys[i] > keys[i - 1]);
    }
    if (!sorted)
        qsort(keys, t->n, sizeof *keys, by_key);
    for (uint32_t i = 0; i < t->n; i++)
        out[i] = (uint32_t)keys[i];
}

static bool make_index(lathe_doc *doc, uint32_t c)
{
    rec_container *container = &doc->containers[c];
    table tables[TABLES];
    uint64_t all = 0, most = 1;
    for (uint32_t t = 0; t < TABLES; t++) {
        tables[t] = table_of(doc, c, HK_LOCAL + t);
        all += WAYS * ((uint64_t)tables[t].n + tables[t].n / 4 + 16);
        most = tables[t].n > most ? tables[t].n : most;
    }
    size_t size = sizeof(index) + (size_t)all * sizeof(uint32_t);
    uint64_t *keys = mem_alloc(&doc->mem, (size_t)most * sizeof *keys);
    index *made = keys ? mem_alloc(&doc->mem, size) : NULL;
    uint32_t *room = made ? made->numbers : NULL;
    for (uint32_t t = 0; made && t < TABLES; t++) {
        made->part[t] = tables[t].part;
        made->n[t] = tables[t].n;
        made->room[t] = tables[t].n + tables[t].n / 4 + 16;
        for (int way = 0; way < WAYS; way++, room += made->room[t]) {
            made->order[t][way] = room;
            sort_records(&tables[t], way, keys, room);
        }
    }
    mem_free(&doc->mem, keys, (size_t)most * sizeof *keys);
    if (!made)
        return false;
    mem_free(&doc->mem, container->index, container->index_size);
    container->index = made;
    container->index_size = size;
    container->index_stale = false;
    return true;
}

/* NULL: out of memory. */
static const index *index_of(lathe_doc *doc, uint32_t c)
{
    if (!doc->containers[c].index && !make_index(doc, c))
        return NULL;
    if (doc->containers[c].index_stale && !make_index(doc, c))
        return NULL;
    return doc->containers[c].index;
}

bool hk_ready(lathe_doc *doc, uint32_t c)
{
    return rec_places(doc) && index_of(doc, c);
}

/* How many of the first n records in such an order come before `key`. */
static uint32_t lower_bound(const table *t, const uint32_t *order, uint32_t n, int way,
                            uint64_t key)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (key_of(t, way, order[mid]) < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The records whose source or target is in [from, to): how many, and the first one's place in the order. */
static uint32_t range(lathe_doc *doc, uint32_t c, hk_part which, int way, uint64_t from,
                      uint64_t to, uint32_t *first)
{
    const index *x = index_of(doc, c);
    *first = 0;
    if (!x)
        return 0;
    table t = table_of(doc, c, which);
    const uint32_t *order = x->order[which - HK_LOCAL][way];
    *first = lower_bound(&t, order, t.n, way, from);
    if (*first == t.n || key_of(&t, way, order[*first]) >= to)
        return 0;
    return lower_bound(&t, order, t.n, way, to) - *first;
}

uint32_t hk_fixup_sources(lathe_doc *doc, uint32_t c, hk_part which, uint64_t from, uint64_t to,
                          uint32_t *first)
{
    return range(doc, c, which, BY_SOURCE, from, to, first);
}

uint32_t hk_fixup_targets(lathe_doc *doc, uint32_t c, hk_part which, uint64_t from, uint64_t to,
                          uint32_t *first)
{
    return range(doc, c, which, BY_TARGET, from, to, first);
}

hk_fixup hk_fixup_by_source(lathe_doc *doc, uint32_t c, hk_part which, uint32_t i)
{
    table t = table_of(doc, c, which);
    const index *x = doc->containers[c].index;
    return get(&t, x->order[which - HK_LOCAL][BY_SOURCE][i]);
}

hk_fixup hk_fixup_by_target(lathe_doc *doc, uint32_t c, hk_part which, uint32_t i)
{
    table t = table_of(doc, c, which);
    const index *x = doc->containers[c].index;
    return get(&t, x->order[which - HK_LOCAL][BY_TARGET][i]);
}

bool hk_fixup_find(lathe_doc *doc, uint32_t c, hk_part which, uint64_t source, hk_fixup *out)
{
    uint32_t first;
    if (!range(doc, c, which, BY_SOURCE, source, source + 1, &first))
        return false;
    *out = hk_fixup_by_source(doc, c, which, first);
    return true;
}

bool hk_fixup_before(lathe_doc *doc, uint32_t c, uint64_t position, hk_fixup *out)
{
    const index *x = index_of(doc, c);
    if (!x)
        return false;
    table t = table_of(doc, c, HK_LOCAL);
    const uint32_t *order = x->order[0][BY_TARGET];
    uint32_t i = lower_bound(&t, order, t.n, BY_TARGET, position + 1);
    if (i == 0)
        return false;
    i = lower_bound(&t, order, i, BY_TARGET, key_of(&t, BY_TARGET, order[i - 1]));
    *out = get(&t, order[i]);
    return true;
}

uint32_t hk_fixup_local_number(lathe_doc *doc, uint32_t c, uint64_t target)
{
    uint32_t n = hk_fixup_count(doc, c, HK_LOCAL), first;
    return hk_fixup_targets(doc, c, HK_LOCAL, target, UINT64_MAX, &first)
               ? hk_fixup_by_target(doc, c, HK_LOCAL, first).number
               : n;
}

/* The lowest number among those at or behind the position; 0 where these are more than half, as finding it would not pay. */
uint32_t hk_fixups_below(lathe_doc *doc, uint32_t c, hk_part which, bool targets, uint64_t position)
{
    const index *x = fresh_index(doc, c);
    if (!x)
        return 0;
    table t = table_of(doc, c, which);
    int way = targets ? BY_TARGET : BY_SOURCE;
    const uint32_t *order = x->order[which - HK_LOCAL][way];
    uint32_t from = lower_bound(&t, order, t.n, way, position), first = t.n;
    if (t.n - from > t.n / 2)
        return 0;
    for (uint32_t i = from; i < t.n; i++)
        first = order[i] < first ? order[i] : first;
    return first;
}

/* ---- it follows ------------------------------------------------------------------------------------- */

/* Numbers from `number` on count one more, and it stands at place `at` of the order. */
static void put_number(uint32_t *order, uint32_t n, uint32_t at, uint32_t number)
{
    for (uint32_t i = 0; number < n && i < n; i++)
        order[i] += order[i] >= number;
    memmove(order + at + 1, order + at, (size_t)(n - at) * sizeof *order);
    order[at] = number;
}

static void take_number(uint32_t *order, uint32_t n, uint32_t number)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = order[i];
        order[j] = v - (v > number);
        j += v != number;
    }
}

/* Where a record of that number goes among the n that stand in such an order. */
static uint32_t place_in(const table *t, const uint32_t *order, uint32_t n, int way, uint64_t key,
                         uint32_t number)
{
    uint32_t i = lower_bound(t, order, n, way, key);
    while (i < n && key_of(t, way, order[i]) == key && order[i] < number)
        i++;
    return i;
}

/* ---- records come and go ------------------------------------------------------------------------------ */

/* The table takes n records: what stands behind them is 0xFF up to a multiple of 16. */
static lathe_result pad_table(lathe_doc *doc, const table *t, uint64_t n, lathe_error *err)
{
    static const uint8_t ff[16] = {255, 255, 255, 255, 255, 255, 255, 255,
                                   255, 255, 255, 255, 255, 255, 255, 255};
    uint64_t end = n * t->width, size = rec_part_of(doc, t->part)->size;
    return rec_splice(doc, t->part, end, size - end, ff, (16 - end % 16) % 16, err);
}

lathe_result hk_fixup_insert(lathe_doc *doc, uint32_t c, hk_part which, uint32_t number,
                             uint64_t source, uint64_t target, lathe_error *err)
{
    index *x = index_of(doc, c) ? doc->containers[c].index : NULL;
    table t = table_of(doc, c, which);
    uint32_t k = which - HK_LOCAL, at[WAYS];
    uint8_t bytes[12];
    if (!x)
        return rec_no_memory(err);
    if (source >= UINT32_MAX || target >= UINT32_MAX || t.n >= UINT32_MAX / 16)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a packfile has 32-bit positions");
    bytes_st32(bytes, (uint32_t)source, t.big);
    bytes_st32(bytes + t.width - 4, (uint32_t)target, t.big);
    if (t.width == 12) {
        rec_at root = rec_root(doc, c);
        const char *in =
            which == HK_VIRTUAL ? "contents_class_name_section_index" : "contents_section_index";
        bytes_st32(bytes + 4, (uint32_t)rec_int(&root, in), t.big);
    }
    for (int way = 0; way < WAYS; way++)
        at[way] =
            place_in(&t, x->order[k][way], t.n, way, way == BY_SOURCE ? source : target, number);
    lathe_result r = rec_splice(doc, t.part, (uint64_t)number * t.width, 0, bytes, t.width, err);
    if (r == LATHE_OK)
        r = pad_table(doc, &t, (uint64_t)t.n + 1, err);
    if (r != LATHE_OK || x->n[k] == x->room[k]) {
        doc->containers[c].index_stale = true;
        return r;
    }
    for (int way = 0; way < WAYS; way++)
        put_number(x->order[k][way], t.n, at[way], number);
    x->n[k]++;
    return LATHE_OK;
}

lathe_result hk_fixups_put(lathe_doc *doc, uint32_t c, hk_part which, uint32_t number,
                           const hk_fixup *records, uint32_t n, lathe_error *err)
{
    table t = table_of(doc, c, which);
    uint64_t size = (uint64_t)n * t.width, at = (uint64_t)number * t.width;
    uint8_t *bytes = mem_zalloc(&doc->mem, (size_t)size + 1);
    if (!bytes)
        return rec_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *record = bytes + (size_t)i * t.width;
        bytes_st32(record, records[i].source, t.big);
        if (t.width == 12)
            bytes_st32(record + 4, records[i].section, t.big);
        bytes_st32(record + t.width - 4, records[i].target, t.big);
    }
    lathe_result r =
        rec_splice(doc, t.part, at, ((uint64_t)t.n - number) * t.width, bytes, size, err);
    if (r == LATHE_OK)
        r = pad_table(doc, &t, (uint64_t)number + n, err);
    doc->containers[c].index_stale = true;
    mem_free(&doc->mem, bytes, (size_t)size + 1);
    return r;
}

lathe_result hk_fixup_remove(lathe_doc *doc, uint32_t c, hk_part which, uint32_t number, uint32_t n,
                             lathe_error *err)
{
    index *x = doc->containers[c].index;
    table t = table_of(doc, c, which);
    uint32_t k = which - HK_LOCAL;
    lathe_result r =
        rec_splice(doc, t.part, (uint64_t)number * t.width, (uint64_t)n * t.width, NULL, 0, err);
    if (r == LATHE_OK)
        r = pad_table(doc, &t, t.n - n, err);
    if (r != LATHE_OK || n != 1 || !fresh_index(doc, c)) {
        doc->containers[c].index_stale = true;
        return r;
    }
    for (int way = 0; way < WAYS; way++)
        take_number(x->order[k][way], t.n, number);
    x->n[k]--;
    return LATHE_OK;
}

lathe_result hk_fixup_set_target(lathe_doc *doc, uint32_t c, hk_part which, uint32_t number,
                                 uint64_t target, lathe_error *err)
{
    uint8_t bytes[4];
    table t = table_of(doc, c, which);
    uint32_t was = key_of(&t, BY_TARGET, number);
    if (target >= UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a packfile has 32-bit positions");
    if (was == target)
        return LATHE_OK;
    bytes_st32(bytes, (uint32_t)target, t.big);
    index *x = index_of(doc, c) ? doc->containers[c].index : NULL;
    lathe_result r =
        rec_splice(doc, t.part, (uint64_t)(number + 1) * t.width - 4, 4, bytes, 4, err);
    if (r != LATHE_OK || !x) {
        doc->containers[c].index_stale = true;
        return r;
    }
    uint32_t *order = x->order[which - HK_LOCAL][BY_TARGET], at = 0;
    t.data = rec_part_of(doc, t.part)->data; /* which was borrowed until now */
    while (at < t.n && order[at] != number)
        at++;
    if (at == t.n) { /* the index is of another time */
        doc->containers[c].index_stale = true;
        return LATHE_OK;
    }
    memmove(order + at, order + at + 1, (size_t)(t.n - 1 - at) * sizeof *order);
    at = place_in(&t, order, t.n - 1, BY_TARGET, target, number);
    memmove(order + at + 1, order + at, (size_t)(t.n - 1 - at) * sizeof *order);
    order[at] = number;
    return LATHE_OK;
}
