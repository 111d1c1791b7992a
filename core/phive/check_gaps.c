/* Checks that bytes of DATA outside of all arrays and items are zeros. */
#include "phive/check.h"

#include <stdlib.h>

void phive_take(phive_checker *k, const phive_array *a, uint32_t elem)
{
    phive_span s = {a->at, a->at + (uint64_t)a->count * elem};
    if (a->count && !buf_put(&k->spans, &s, sizeof s))
        k->whole = false;
}

static void take_items(phive_checker *k, uint32_t start)
{
    const tag_types *types = tag_types_of(k->doc, k->r.container);
    uint32_t n = tag_item_count(k->doc, k->r.container);
    for (uint32_t i = 1; i < n; i++) {
        tag_item item = tag_item_get(k->doc, k->r.container, i);
        if (item.offset < start || item.offset - start > k->r.size || !item.count)
            continue;
        phive_span s = {item.offset - start, item.offset - start + tag_item_size(types, &item)};
        if (!buf_put(&k->spans, &s, sizeof s))
            k->whole = false;
    }
}

static int by_start(const void *a, const void *b)
{
    const phive_span *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void check_gap(phive_checker *k, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        if (k->r.data[i]) {
            phive_finding(k, LATHE_LEVEL_WARNING, (phive_spot){i, NULL, PHIVE_NONE, PHIVE_NONE},
                          "DATA: %llu bytes that nothing takes are not all zero",
                          (unsigned long long)(to - from));
            return;
        }
}

void phive_check_gaps(phive_checker *k)
{
    uint64_t end = k->r.l->shape.size;
    phive_take(k, &k->r.tags, k->r.l->tag.size);
    phive_take(k, &k->r.nodes, k->r.l->node.size);
    phive_take(k, &k->r.sections, k->r.l->section.size);
    take_items(k, tag_item_get(k->doc, k->r.container, 1).offset);
    if (!k->whole)
        return;
    phive_span *all = (phive_span *)(void *)k->spans.data;
    size_t n = k->spans.size / sizeof *all;
    if (n)
        qsort(all, n, sizeof *all, by_start);
    for (size_t i = 0; i < n; i++) {
        if (all[i].start > end)
            check_gap(k, end, all[i].start < k->r.size ? all[i].start : k->r.size);
        end = all[i].end > end ? all[i].end : end;
    }
    if (end < k->r.size)
        check_gap(k, end, k->r.size);
}
