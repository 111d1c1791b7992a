/* Edits ITEM: records are appended; removed ones are marked, and removed at the end of the edit. */
#include "tagfile/edit_items.h"

static uint64_t record_at(uint64_t number)
{
    return TAG_HEADER + number * TAG_ITEM_SIZE;
}

static void write_item(uint8_t *to, const tag_item *item)
{
    bytes_st32(to, item->type | item->kind << 24, false);
    bytes_st32(to + 4, item->offset, false);
    bytes_st32(to + 8, item->count, false);
}

static lathe_result put_item(lathe_doc *doc, uint32_t c, uint32_t number, const tag_item *item,
                             bool insert, lathe_error *err)
{
    uint8_t bytes[TAG_ITEM_SIZE];
    write_item(bytes, item);
    return rec_splice(doc, tag_part_of(doc, c, TAG_ITEMS), record_at(number),
                      insert ? 0 : TAG_ITEM_SIZE, bytes, TAG_ITEM_SIZE, err);
}

/* Mark of a removed item: no kind, but elements. No file has this. */
static const tag_item removed = {.count = UINT32_MAX};

static bool is_removed(const tag_item *item)
{
    return !item->type && !item->kind && !item->offset && item->count == removed.count;
}

/* ---- updating the order by offset ---------------------------------------------------------------------- */

static void take_from_order(tag_state *s, uint32_t number)
{
    uint32_t n = 0;
    for (uint32_t i = 0; s->ordered && i < s->order_n; i++)
        if (s->order[i] != number)
            s->order[n++] = s->order[i];
    s->order_n = s->ordered ? n : s->order_n;
}

static bool put_into_order(lathe_doc *doc, uint32_t c, tag_state *s, uint32_t number,
                           uint64_t offset)
{
    void *order = s->order;
    if (!s->ordered)
        return true;
    if (!mem_reserve(&doc->mem, &order, &s->order_cap, (size_t)s->order_n + 1, sizeof *s->order))
        return false;
    s->order = order;
    uint32_t at = tag_items_before(doc, c, offset);
    while (at < s->order_n && s->order[at] < number &&
           tag_item_get(doc, c, s->order[at]).offset == offset)
        at++;
    memmove(s->order + at + 1, s->order + at, (s->order_n - at) * sizeof *s->order);
    s->order[at] = number;
    s->order_n++;
    return true;
}

/* Adds an entry for a new last item, which has no references yet. */
static bool grow_uses(lathe_doc *doc, tag_state *s, uint32_t number)
{
    void *uses = s->uses;
    if (!s->uses_good || number < s->uses_n)
        return true;
    if (!mem_reserve(&doc->mem, &uses, &s->uses_cap, (size_t)number + 1, sizeof *s->uses))
        return false;
    s->uses = uses;
    s->uses[number] = (tag_item_use){0};
    s->uses_n = number + 1;
    return true;
}

/* True if no field refers to items by number. If all references are relative, items are sorted by offset. */
static bool numbers_are_free(lathe_doc *doc, uint32_t c)
{
    uint64_t at = 0;
    tag_group g;
    return tag_types_of(doc, c)->relative && !tag_group_next(doc, c, &at, &g);
}

static lathe_result add_in_order(lathe_doc *doc, uint32_t c, const tag_item *item, uint32_t *number,
                                 lathe_error *err)
{
    uint32_t n = tag_item_count(doc, c);
    while (n > 2 && tag_item_get(doc, c, n - 1).offset > item->offset)
        n--;
    tag_state_of(doc, c)->ordered = tag_state_of(doc, c)->uses_good = false;
    *number = n;
    return put_item(doc, c, n, item, true, err);
}

/* ---- adding and removing ------------------------------------------------------------------------------- */

lathe_result tag_item_add(lathe_doc *doc, uint32_t c, const tag_item *item, uint32_t *number,
                          lathe_error *err)
{
    tag_state *s = tag_state_of(doc, c);
    uint32_t n = tag_item_count(doc, c);
    tag_fresh(doc, c); /* first, because otherwise the new record would be in the order already */
    if (n >= UINT32_MAX / TAG_ITEM_SIZE)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "ITEM has no room for more items");
    if (numbers_are_free(doc, c))
        return add_in_order(doc, c, item, number, err);
    lathe_result r = put_item(doc, c, n, item, true, err);
    *number = n;
    if (r == LATHE_OK && (!put_into_order(doc, c, s, n, item->offset) || !grow_uses(doc, s, n)))
        r = rec_no_memory(err);
    if (r != LATHE_OK)
        s->ordered = s->uses_good = false;
    return r;
}

lathe_result tag_item_set_offset(lathe_doc *doc, uint32_t c, uint32_t number, uint64_t offset,
                                 lathe_error *err)
{
    tag_state *s = tag_state_of(doc, c);
    tag_item item = tag_item_get(doc, c, number);
    if (item.offset == offset)
        return LATHE_OK;
    tag_fresh(doc, c);
    if (offset > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a tagfile has 32-bit positions");
    take_from_order(s, number);
    item.offset = (uint32_t)offset;
    lathe_result r = put_item(doc, c, number, &item, false, err);
    if (r == LATHE_OK && !put_into_order(doc, c, s, number, offset))
        r = rec_no_memory(err);
    if (r != LATHE_OK)
        s->ordered = false;
    return r;
}

lathe_result tag_item_set_count(lathe_doc *doc, uint32_t c, uint32_t number, uint64_t count,
                                lathe_error *err)
{
    tag_item item = tag_item_get(doc, c, number);
    if (item.count == count)
        return LATHE_OK;
    if (count > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "an item has at most 2^32 - 1 elements");
    item.count = (uint32_t)count;
    return put_item(doc, c, number, &item, false, err);
}

lathe_result tag_item_kill(lathe_doc *doc, uint32_t c, uint32_t number, lathe_error *err)
{
    tag_fresh(doc, c);
    take_from_order(tag_state_of(doc, c), number);
    return put_item(doc, c, number, &removed, false, err);
}

/* ---- the end of an edit -------------------------------------------------------------------------------- */

/* Computes the new numbers of all items: 0 for removed ones. *gone: how many were removed; *moved: whether
 * others get new numbers. */
static void new_numbers(lathe_doc *doc, uint32_t c, uint32_t n, uint32_t *to, uint32_t *gone,
                        bool *moved)
{
    *gone = 0;
    *moved = false;
    for (uint32_t i = 0; i < n; i++) {
        tag_item item = tag_item_get(doc, c, i);
        bool goes = i && is_removed(&item);
        to[i] = goes ? 0 : i - *gone;
        *moved = *moved || (!goes && *gone);
        *gone += goes;
    }
}

/* Writes the new item numbers to all fields in PTCH. */
static lathe_result renumber_fields(lathe_doc *doc, uint32_t c, uint32_t n, const uint32_t *to,
                                    lathe_error *err)
{
    tag_group g;
    tag_near near = {0};
    lathe_result r = LATHE_OK;
    for (uint64_t at = 0; r == LATHE_OK && tag_group_next(doc, c, &at, &g);)
        for (uint32_t i = 0; r == LATHE_OK && i < g.count; i++) {
            uint64_t off, entry = g.at + TAG_GROUP_HEAD + 4 * (uint64_t)i;
            uint32_t number;
            uint8_t bytes[4];
            if (!tag_patched_field(doc, c, entry, &near, &off, &number) || number >= n ||
                to[number] == number)
                continue;
            bytes_st32(bytes, to[number], false);
            r = rec_splice(doc, near.part, off, 4, bytes, 4, err);
        }
    return r;
}

static lathe_result take_out(lathe_doc *doc, uint32_t c, uint32_t n, const uint32_t *to,
                             lathe_error *err)
{
    uint32_t part = tag_part_of(doc, c, TAG_ITEMS);
    lathe_result r = LATHE_OK;
    for (uint32_t i = n, end; r == LATHE_OK && i-- > 1;) { /* from the back, neighbours together */
        if (to[i])
            continue;
        for (end = i + 1; i > 1 && !to[i - 1]; i--)
            ;
        r = rec_splice(doc, part, record_at(i), (uint64_t)(end - i) * TAG_ITEM_SIZE, NULL, 0, err);
    }
    return r;
}

/* True if PTCH lists all fields that hold an item number. Otherwise numbers must stay, because unlisted
 * fields refer to them. */
static bool numbers_are_known(lathe_doc *doc, uint32_t c)
{
    const rec_part *p = rec_part_of(doc, tag_part_of(doc, c, TAG_PATCHES));
    uint64_t at = 0, end = TAG_HEADER;
    uint32_t n;
    tag_group g;
    const tag_item_use *uses = tag_item_uses(doc, c, &n);
    while (tag_group_next(doc, c, &at, &g))
        end = at;
    if (!uses || (p->size > end))
        return false; /* the latter: patches of other files */
    for (uint32_t i = 2; i < n && !tag_types_of(doc, c)->relative; i++) {
        tag_item item = tag_item_get(doc, c, i);
        if (item.kind & TAG_STORAGE && item.count && !uses[i].fields)
            return false;
    }
    return true;
}

/* Makes removed items like item 0, which is empty. */
static lathe_result empty_removed(lathe_doc *doc, uint32_t c, uint32_t n, const uint32_t *to,
                                  lathe_error *err)
{
    const tag_item none = {0};
    lathe_result r = LATHE_OK;
    for (uint32_t i = 1; r == LATHE_OK && i < n; i++)
        if (!to[i])
            r = put_item(doc, c, i, &none, false, err);
    return r;
}

/* Fails if the edit would leave an invalid item. In damaged files items overlap, so removing one can leave
 * another that extends past DATA. Data move by multiples of 16, so a type with a larger alignment can end up
 * misaligned. */
static lathe_result check_item(const tag_types *types, uint32_t i, const tag_item *item,
                               uint64_t have, lathe_error *err)
{
    uint64_t size = tag_item_size(types, item),
             left = have > item->offset ? have - item->offset : 0;
    const tag_type *t = item->type < types->count ? &types->all[item->type] : NULL;
    if (item->offset > have || size > left)
        return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                         "ITEM: item %u overlaps what was removed: it would take 0x%llx bytes, "
                         "DATA would have 0x%llx from there on",
                         i, (unsigned long long)size, (unsigned long long)left);
    if (t && size && tag_alignment(t) > 16 && item->offset % tag_alignment(t))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "ITEM: item %u would lie at 0x%x, but %s is aligned to %u bytes: lathe "
                         "moves data by multiples of 16",
                         i, item->offset, t->name, tag_alignment(t));
    return LATHE_OK;
}

static lathe_result check_items(lathe_doc *doc, uint32_t c, uint32_t n, lathe_error *err)
{
    uint32_t last = tag_part_of(doc, c, TAG_DATA_END);
    if (!rec_places(doc))
        return rec_no_memory(err);
    uint64_t have = tag_position(doc, last, rec_part_of(doc, last)->size);
    lathe_result r = LATHE_OK;
    for (uint32_t i = 1; r == LATHE_OK && i < n; i++) {
        tag_item item = tag_item_get(doc, c, i);
        if (item.kind)
            r = check_item(tag_types_of(doc, c), i, &item, have, err);
    }
    return r;
}

lathe_result tag_items_close_up(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    tag_state *s = tag_state_of(doc, c);
    uint32_t n = tag_item_count(doc, c);
    size_t size = ((size_t)n + 1) * sizeof(uint32_t);
    if (!rec_edit_last(doc, tag_part_of(doc, c, TAG_ITEMS)))
        return LATHE_OK;
    lathe_result r = check_items(doc, c, n, err);
    if (r != LATHE_OK)
        return r;
    uint32_t *to = mem_alloc(&doc->mem, size);
    if (!to)
        return rec_no_memory(err);
    uint32_t gone;
    bool moved;
    new_numbers(doc, c, n, to, &gone, &moved);
    if (moved && !numbers_are_known(doc, c)) {
        r = empty_removed(doc, c, n, to, err);
        gone = 0;
        moved = false;
    }
    if (moved)
        r = rec_places(doc) ? renumber_fields(doc, c, n, to, err) : rec_no_memory(err);
    if (r == LATHE_OK && gone)
        r = take_out(doc, c, n, to, err);
    if (moved)
        s->ordered = s->uses_good = false;
    else if (gone && s->uses_good)
        s->uses_n = n - gone;
    mem_free(&doc->mem, to, size);
    return r;
}
