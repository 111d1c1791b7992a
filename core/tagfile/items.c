/* ITEM: offsets and types of the data in DATA. Records are read in place; only their order by offset is
 * cached. */
#include "havok/objects/objects.h"
#include "tagfile/tagfile.h"

#include <stdlib.h>

tag_state *tag_state_of(const lathe_doc *doc, uint32_t c)
{
    return doc->containers[c].index;
}

tag_types *tag_types_of(const lathe_doc *doc, uint32_t c)
{
    return tag_state_of(doc, c)->types;
}

void tag_close(lathe_doc *doc, uint32_t c)
{
    tag_state *s = tag_state_of(doc, c);
    if (!s)
        return;
    mem_free(&doc->mem, s->order, s->order_cap * sizeof *s->order);
    mem_free(&doc->mem, s->rels, s->rels_cap * sizeof *s->rels);
    mem_free(&doc->mem, s->rels_sites, s->sites_cap * sizeof *s->rels_sites);
    mem_free(&doc->mem, s->uses, s->uses_cap * sizeof *s->uses);
}

uint32_t tag_part_of(lathe_doc *doc, uint32_t c, tag_part which)
{
    return rec_kid(doc, doc->containers[c].root, tag_row(which), 0);
}

/* Drops cached data if changes were rolled back since. */
void tag_fresh(lathe_doc *doc, uint32_t c)
{
    tag_state *s = tag_state_of(doc, c);
    if (doc->containers[c].index_stale)
        s->ordered = s->uses_good = s->rels_good = false;
    doc->containers[c].index_stale = false;
}

/* ---- records ------------------------------------------------------------------------------------------- */

uint32_t tag_item_count(lathe_doc *doc, uint32_t c)
{
    uint64_t size = rec_part_of(doc, tag_part_of(doc, c, TAG_ITEMS))->size;
    return size < TAG_HEADER ? 0 : (uint32_t)((size - TAG_HEADER) / TAG_ITEM_SIZE);
}

static tag_item item_at(const uint8_t *p)
{
    uint32_t word = bytes_ld32(p, false);
    return (tag_item){word & TAG_ITEM_TYPE, word >> 24, bytes_ld32(p + 4, false),
                      bytes_ld32(p + 8, false)};
}

tag_item tag_item_get(lathe_doc *doc, uint32_t c, uint64_t i)
{
    const rec_part *p = rec_part_of(doc, tag_part_of(doc, c, TAG_ITEMS));
    if (p->size < TAG_HEADER || i >= (p->size - TAG_HEADER) / TAG_ITEM_SIZE)
        return (tag_item){0};
    return item_at(p->data + TAG_HEADER + i * TAG_ITEM_SIZE);
}

uint64_t tag_item_size(const tag_types *types, const tag_item *item)
{
    return item->type < types->count ? (uint64_t)item->count * types->all[item->type].is.size : 0;
}

/* ---- their order --------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool sort_items(lathe_doc *doc, uint32_t c, tag_state *s)
{
    uint32_t all = tag_item_count(doc, c), n = 0;
    void *order = s->order;
    bool sorted = true;
    if (!mem_reserve(&doc->mem, &order, &s->order_cap, (size_t)all + 1, sizeof *s->order))
        return false;
    s->order = order;
    uint64_t *keys = mem_alloc(&doc->mem, ((size_t)all + 1) * sizeof *keys);
    if (!keys)
        return false;
    const uint8_t *p = rec_part_of(doc, tag_part_of(doc, c, TAG_ITEMS))->data + TAG_HEADER;
    for (uint32_t i = 1; i < all; i++) {
        tag_item item = item_at(p + (uint64_t)i * TAG_ITEM_SIZE);
        if (!item.kind)
            continue;
        keys[n] = (uint64_t)item.offset << 32 | i;
        sorted = sorted && (!n || keys[n] > keys[n - 1]);
        n++;
    }
    if (!sorted)
        qsort(keys, n, sizeof *keys, by_key);
    for (uint32_t i = 0; i < n; i++)
        s->order[i] = (uint32_t)keys[i];
    mem_free(&doc->mem, keys, ((size_t)all + 1) * sizeof *keys);
    s->order_n = n;
    s->ordered = true;
    return true;
}

const uint32_t *tag_items_by_offset(lathe_doc *doc, uint32_t c, uint32_t *n)
{
    tag_state *s = tag_state_of(doc, c);
    *n = 0;
    tag_fresh(doc, c);
    if (!s->ordered && !sort_items(doc, c, s))
        return NULL;
    *n = s->order_n;
    return s->order;
}

uint32_t tag_items_before(lathe_doc *doc, uint32_t c, uint64_t offset)
{
    uint32_t n, lo = 0;
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    uint32_t hi = order ? n : 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (tag_item_get(doc, c, order[mid]).offset < offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* ---- places -------------------------------------------------------------------------------------------- */

uint64_t tag_position(lathe_doc *doc, uint32_t part, uint64_t off)
{
    uint32_t data = tag_part_of(doc, rec_part_of(doc, part)->container, TAG_DATA);
    return rec_start(doc, part, off) - rec_start(doc, data, 0);
}

static hk_origin origin_of(lathe_doc *doc, uint32_t c)
{
    return (hk_origin){tag_row(TAG_OBJECTS), tag_part_of(doc, c, TAG_DATA)};
}

bool tag_place(lathe_doc *doc, uint32_t c, uint64_t position, uint32_t *part, uint64_t *off)
{
    return hk_object_place(doc, c, origin_of(doc, c), position, part, off);
}

uint64_t tag_object_at(lathe_doc *doc, uint32_t c, uint64_t position)
{
    return hk_object_begins(doc, c, origin_of(doc, c), position);
}

uint32_t tag_item_of(lathe_doc *doc, uint32_t part)
{
    uint32_t c = rec_part_of(doc, part)->container, n;
    if (!rec_places(doc))
        return 0;
    uint64_t position = tag_position(doc, part, 0);
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    for (uint32_t k = order ? tag_items_before(doc, c, position) : n; k < n; k++) {
        tag_item item = tag_item_get(doc, c, order[k]);
        if (item.offset != position)
            break;
        if (item.kind & TAG_OBJECT)
            return order[k];
    }
    return 0;
}

uint64_t tag_reach(lathe_doc *doc, uint32_t part, uint64_t off)
{
    uint32_t c = rec_part_of(doc, part)->container, n;
    uint64_t base = tag_position(doc, part, 0), size = rec_part_of(doc, part)->size;
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    uint32_t k = tag_items_before(doc, c, base + off + 1);
    if (!order || k >= n)
        return size;
    uint64_t next = tag_item_get(doc, c, order[k]).offset - base;
    return next < size ? next : size;
}
