/* The three tables that say what points where. Local fixups are kept in the order of their targets, so
 * finding one by its source takes an index: record numbers in the order of sources (and of targets).
 * Cuts keep that order; it is worked out anew when a record came or went, or an edit was taken back. */
#include "havok/packfile.h"

#include <stdlib.h>

typedef struct index {
    uint32_t n[3]; /* records of local, global, virtual when it was made */
    uint32_t *by_source[3], *by_target;
    uint32_t numbers[];
} index;

static uint32_t width_of(hk_part table)
{
    return table == HK_LOCAL ? 8 : 12;
}

/* ---- positions ------------------------------------------------------------------------------------- */

uint64_t hk_position(lathe_doc *doc, uint32_t part, uint64_t off)
{
    uint32_t lead = hk_part_of(doc, rec_part_of(doc, part)->container, HK_LEAD);
    return rec_encoded(doc, part, off) - rec_encoded(doc, lead, 0);
}

/* How many objects begin at or before a position. */
static uint64_t objects_before(lathe_doc *doc, uint32_t c, uint64_t position)
{
    uint64_t n, lo = 0;
    const uint32_t *kids = rec_kid_list(doc, doc->containers[c].root, hk_row(HK_OBJECTS), &n);
    uint64_t start = rec_encoded(doc, hk_part_of(doc, c, HK_LEAD), 0), hi = n;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (doc->parts[kids[mid]].start - start <= position)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool hk_place(lathe_doc *doc, uint32_t c, uint64_t position, uint32_t *part, uint64_t *off)
{
    if (!rec_places(doc))
        return false;
    uint64_t n = objects_before(doc, c, position);
    *part = n ? rec_kid(doc, doc->containers[c].root, hk_row(HK_OBJECTS), n - 1)
              : hk_part_of(doc, c, HK_LEAD);
    *off = position - hk_position(doc, *part, 0);
    return *off <= doc->parts[*part].size;
}

uint64_t hk_object_at(lathe_doc *doc, uint32_t c, uint64_t position)
{
    uint32_t part;
    uint64_t off, n = rec_places(doc) ? objects_before(doc, c, position) : 0;
    return n && hk_place(doc, c, position, &part, &off) && off == 0 ? n : 0;
}

/* ---- records --------------------------------------------------------------------------------------- */

uint32_t hk_fixup_count(lathe_doc *doc, uint32_t c, hk_part table)
{
    const rec_part *p = rec_part_of(doc, hk_part_of(doc, c, table));
    uint32_t width = width_of(table);
    uint64_t n = p->size / width;
    while (n && bytes_ld32(p->data + (n - 1) * width, false) == UINT32_MAX)
        n--;
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

hk_fixup hk_fixup_get(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number)
{
    const rec_part *p = rec_part_of(doc, hk_part_of(doc, c, table));
    bool big = doc->containers[c].big, local = table == HK_LOCAL;
    const uint8_t *r = p->data + (uint64_t)number * width_of(table);
    return (hk_fixup){number, bytes_ld32(r, big), local ? 0 : bytes_ld32(r + 4, big),
                      bytes_ld32(r + (local ? 4 : 8), big)};
}

/* ---- the index ------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Record numbers in the order of their sources or targets; `keys` has room for them. */
static void sort_records(lathe_doc *doc, uint32_t c, hk_part table, bool targets, uint64_t *keys,
                         uint32_t n, uint32_t *out)
{
    bool sorted = true;
    for (uint32_t i = 0; i < n; i++) {
        hk_fixup f = hk_fixup_get(doc, c, table, i);
        keys[i] = (uint64_t)(targets ? f.target : f.source) << 32 | i;
        sorted = sorted && (i == 0 || keys[i] > keys[i - 1]);
    }
    if (!sorted)
        qsort(keys, n, sizeof *keys, by_key);
    for (uint32_t i = 0; i < n; i++)
        out[i] = (uint32_t)keys[i];
}

static bool make_index(lathe_doc *doc, uint32_t c, const uint32_t *n)
{
    uint64_t all = (uint64_t)n[0] * 2 + n[1] + n[2];
    uint32_t most = n[0] > n[1] ? n[0] : n[1];
    most = n[2] > most ? n[2] : most;
    size_t size = sizeof(index) + (size_t)all * sizeof(uint32_t);
    uint64_t *keys = mem_alloc(&doc->mem, ((size_t)most + 1) * sizeof *keys);
    index *made = keys ? mem_alloc(&doc->mem, size) : NULL;
    rec_container *container = &doc->containers[c];
    uint32_t *room = made ? made->numbers : NULL;
    for (uint32_t t = 0; made && t < 3; t++) {
        made->n[t] = n[t];
        made->by_source[t] = room;
        sort_records(doc, c, HK_LOCAL + t, false, keys, n[t], room);
        room += n[t];
    }
    if (made) {
        made->by_target = room;
        sort_records(doc, c, HK_LOCAL, true, keys, n[0], room);
        mem_free(&doc->mem, container->index, container->index_size);
        container->index = made;
        container->index_size = size;
        container->index_stale = false;
    }
    mem_free(&doc->mem, keys, ((size_t)most + 1) * sizeof *keys);
    return made != NULL;
}

/* NULL: out of memory. */
static const index *index_of(lathe_doc *doc, uint32_t c)
{
    const rec_container *container = &doc->containers[c];
    const index *x = container->index;
    uint32_t n[3];
    for (uint32_t t = 0; t < 3; t++)
        n[t] = hk_fixup_count(doc, c, HK_LOCAL + t);
    if (x && !container->index_stale && memcmp(n, x->n, sizeof n) == 0)
        return x;
    return make_index(doc, c, n) ? doc->containers[c].index : NULL;
}

/* How many of the records come before `key` in such an order. */
static uint32_t lower_bound(lathe_doc *doc, uint32_t c, hk_part table, const uint32_t *numbers,
                            uint32_t n, bool targets, uint64_t key)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        hk_fixup f = hk_fixup_get(doc, c, table, numbers[mid]);
        if ((targets ? f.target : f.source) < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool hk_fixup_range(lathe_doc *doc, uint32_t c, hk_part table, uint64_t from, uint64_t to,
                    uint32_t *cursor, hk_fixup *out)
{
    const index *x = index_of(doc, c);
    uint32_t t = table - HK_LOCAL;
    if (!x)
        return false;
    uint32_t i = lower_bound(doc, c, table, x->by_source[t], x->n[t], false, from) + *cursor;
    if (i >= x->n[t])
        return false;
    ++*cursor;
    *out = hk_fixup_get(doc, c, table, x->by_source[t][i]);
    return out->source < to;
}

bool hk_fixup_find(lathe_doc *doc, uint32_t c, hk_part table, uint64_t source, hk_fixup *out)
{
    uint32_t cursor = 0;
    return hk_fixup_range(doc, c, table, source, source + 1, &cursor, out);
}

bool hk_fixup_before(lathe_doc *doc, uint32_t c, uint64_t position, hk_fixup *out)
{
    const index *x = index_of(doc, c);
    if (!x)
        return false;
    uint32_t i = lower_bound(doc, c, HK_LOCAL, x->by_target, x->n[0], true, position + 1);
    if (i == 0)
        return false;
    *out = hk_fixup_get(doc, c, HK_LOCAL, x->by_target[i - 1]);
    i = lower_bound(doc, c, HK_LOCAL, x->by_target, x->n[0], true, out->target);
    *out = hk_fixup_get(doc, c, HK_LOCAL, x->by_target[i]);
    return true;
}

uint32_t hk_fixup_targets(lathe_doc *doc, uint32_t c, uint64_t target)
{
    const index *x = index_of(doc, c);
    if (!x)
        return 0;
    return lower_bound(doc, c, HK_LOCAL, x->by_target, x->n[0], true, target + 1) -
           lower_bound(doc, c, HK_LOCAL, x->by_target, x->n[0], true, target);
}

/* ---- records come and go ------------------------------------------------------------------------------ */

/* The table takes n records: what stands behind them is 0xFF up to a multiple of 16. */
static lathe_result pad_table(lathe_doc *doc, uint32_t c, hk_part table, uint64_t n,
                              lathe_error *err)
{
    static const uint8_t ff[16] = {255, 255, 255, 255, 255, 255, 255, 255,
                                   255, 255, 255, 255, 255, 255, 255, 255};
    uint32_t part = hk_part_of(doc, c, table);
    uint64_t end = n * width_of(table), size = rec_part_of(doc, part)->size;
    return rec_splice(doc, part, end, size - end, ff, (16 - end % 16) % 16, err);
}

lathe_result hk_fixup_insert(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number,
                             uint64_t source, uint64_t target, lathe_error *err)
{
    uint32_t part = hk_part_of(doc, c, table), width = width_of(table);
    uint32_t n = hk_fixup_count(doc, c, table);
    bool big = doc->containers[c].big;
    uint8_t bytes[12];
    if (source >= UINT32_MAX || target >= UINT32_MAX || n >= UINT32_MAX / 16)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a packfile has 32-bit positions");
    bytes_st32(bytes, (uint32_t)source, big);
    bytes_st32(bytes + width - 4, (uint32_t)target, big);
    if (width == 12) {
        rec_at root = rec_root(doc, c);
        bytes_st32(bytes + 4, (uint32_t)rec_int(&root, "contents_section_index"), big);
    }
    lathe_result r = rec_splice(doc, part, (uint64_t)number * width, 0, bytes, width, err);
    doc->containers[c].index_stale = true;
    return r == LATHE_OK ? pad_table(doc, c, table, (uint64_t)n + 1, err) : r;
}

lathe_result hk_fixup_remove(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number,
                             lathe_error *err)
{
    uint32_t part = hk_part_of(doc, c, table), width = width_of(table);
    uint32_t n = hk_fixup_count(doc, c, table);
    lathe_result r = rec_splice(doc, part, (uint64_t)number * width, width, NULL, 0, err);
    doc->containers[c].index_stale = true;
    return r == LATHE_OK ? pad_table(doc, c, table, (uint64_t)n - 1, err) : r;
}

lathe_result hk_fixup_set_target(lathe_doc *doc, uint32_t c, hk_part table, uint32_t number,
                                 uint64_t target, lathe_error *err)
{
    uint8_t bytes[4];
    uint32_t width = width_of(table);
    if (target >= UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a packfile has 32-bit positions");
    bytes_st32(bytes, (uint32_t)target, doc->containers[c].big);
    return rec_splice(doc, hk_part_of(doc, c, table), (uint64_t)(number + 1) * width - 4, 4, bytes,
                      4, err);
}
