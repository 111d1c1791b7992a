#include "havok/packfile/links.h"

#include <stdlib.h>

static int by_source(const void *a, const void *b)
{
    const hk_link *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_number(const void *a, const void *b)
{
    const hk_link *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

bool hk_links_read(lathe_doc *doc, uint32_t c, hk_part table, hk_links *out)
{
    const rec_part *p = rec_part_of(doc, hk_part_of(doc, c, table));
    uint32_t width = table == HK_LOCAL ? 8 : 12;
    bool sorted = true, big = doc->containers[c].big;
    *out = (hk_links){.n = hk_fixup_count(doc, c, table)};
    out->all = mem_alloc(&doc->mem, ((size_t)out->n + 1) * sizeof *out->all);
    if (!out->all)
        return false;
    for (uint32_t i = 0; i < out->n; i++) {
        const uint8_t *record = p->data + (size_t)i * width;
        out->all[i] = (hk_link){bytes_ld32(record, big), bytes_ld32(record + width - 4, big), i};
        sorted = sorted && (i == 0 || out->all[i].source >= out->all[i - 1].source);
    }
    if (!sorted)
        qsort(out->all, out->n, sizeof *out->all, by_source);
    return true;
}

void hk_links_free(lathe_doc *doc, hk_links *l)
{
    mem_free(&doc->mem, l->all, ((size_t)l->n + 1) * sizeof *l->all);
}

static uint32_t lower_bound(const hk_links *l, uint64_t source)
{
    uint32_t lo = 0, hi = l->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (l->all[mid].source < source)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Mostly they are asked for one after the other. */
bool hk_link_find(hk_links *l, uint64_t source, uint32_t *target)
{
    uint32_t i = l->next;
    if (i >= l->n || l->all[i].source != source || (i && l->all[i - 1].source == source))
        i = lower_bound(l, source);
    if (i >= l->n || l->all[i].source != source)
        return false;
    l->next = i + 1;
    *target = l->all[i].target;
    return true;
}

bool hk_links_within(const hk_links *l, uint64_t from, uint64_t to, buf *out)
{
    uint32_t first = lower_bound(l, from), end = lower_bound(l, to);
    bool sorted = true;
    out->size = 0;
    if (end == first)
        return true;
    if (!buf_put(out, l->all + first, (end - first) * sizeof *l->all))
        return false;
    for (uint32_t i = first + 1; i < end; i++)
        sorted = sorted && l->all[i].number > l->all[i - 1].number;
    if (!sorted)
        qsort(out->data, end - first, sizeof *l->all, by_number);
    return true;
}
