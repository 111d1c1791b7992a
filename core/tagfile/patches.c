/* PTCH lists the fields that hold an item number: groups of a type, a count and that many offsets in DATA.
 * Groups are ordered by type, offsets ascend. Reference: formats/havok-tagfile.md#7. */
#include "tagfile/patches.h"

/* ---- groups -------------------------------------------------------------------------------------------- */

bool tag_group_next(lathe_doc *doc, uint32_t c, uint64_t *at, tag_group *out)
{
    const rec_part *p = rec_part_of(doc, tag_part_of(doc, c, TAG_PATCHES));
    if (!*at)
        *at = TAG_HEADER;
    if (*at > p->size || p->size - *at < TAG_GROUP_HEAD)
        return false;
    *out = (tag_group){bytes_ld32(p->data + *at, false), bytes_ld32(p->data + *at + 4, false), *at};
    uint64_t size = TAG_GROUP_HEAD + 4 * (uint64_t)out->count;
    if (!out->type || size > p->size - *at)
        return false;
    *at += size;
    return true;
}

uint32_t tag_patch_at(lathe_doc *doc, uint32_t c, uint64_t entry)
{
    return bytes_ld32(rec_part_of(doc, tag_part_of(doc, c, TAG_PATCHES))->data + entry, false);
}

/* ---- references to each item --------------------------------------------------------------------------- */

static bool make_room(lathe_doc *doc, tag_state *s, uint32_t n)
{
    void *uses = s->uses;
    if (!mem_reserve(&doc->mem, &uses, &s->uses_cap, (size_t)n + 1, sizeof *s->uses))
        return false;
    s->uses = uses;
    memset(s->uses, 0, n * sizeof *s->uses);
    s->uses_n = n;
    return true;
}

bool tag_patched_field(lathe_doc *doc, uint32_t c, uint64_t entry, tag_near *near, uint64_t *off,
                       uint32_t *number)
{
    uint64_t position = tag_patch_at(doc, c, entry);
    if (position < near->from || position >= near->to) {
        near->from = near->to = 0;
        if (!tag_place(doc, c, position, &near->part, off))
            return false;
        near->from = position - *off;
        near->to = near->from + rec_part_of(doc, near->part)->size;
    }
    *off = position - near->from;
    if (near->to - position < 4)
        return false;
    *number = bytes_ld32(rec_part_of(doc, near->part)->data + *off, false);
    return true;
}

static void take_entry(lathe_doc *doc, uint32_t c, tag_state *s, uint64_t entry, tag_near *near)
{
    uint64_t off;
    uint32_t number;
    if (!tag_patched_field(doc, c, entry, near, &off, &number) || !number || number >= s->uses_n)
        return;
    if (!s->uses[number].fields++)
        s->uses[number].entry = (uint32_t)entry;
}

const tag_item_use *tag_item_uses(lathe_doc *doc, uint32_t c, uint32_t *n)
{
    tag_state *s = tag_state_of(doc, c);
    tag_group g;
    tag_near near = {0};
    *n = 0;
    tag_fresh(doc, c);
    if (!s->uses_good) {
        if (!rec_places(doc) || !make_room(doc, s, tag_item_count(doc, c)))
            return NULL;
        for (uint64_t at = 0; tag_group_next(doc, c, &at, &g);)
            for (uint32_t i = 0; i < g.count; i++)
                take_entry(doc, c, s, g.at + TAG_GROUP_HEAD + 4 * (uint64_t)i, &near);
        s->uses_good = true;
    }
    *n = s->uses_n;
    return s->uses;
}

bool tag_item_field(lathe_doc *doc, uint32_t c, uint32_t item, uint64_t *position)
{
    uint32_t n;
    const tag_item_use *uses = tag_item_uses(doc, c, &n);
    if (!uses || item >= n || !uses[item].fields)
        return false;
    *position = tag_patch_at(doc, c, uses[item].entry);
    return true;
}

/* ---- adding and removing entries ----------------------------------------------------------------------- */

static lathe_result put32(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t value,
                          lathe_error *err)
{
    uint8_t bytes[4];
    bytes_st32(bytes, value, false);
    return rec_splice(doc, part, at, 4, bytes, 4, err);
}

/* Updates the cached entries behind `at`, which moved by so many bytes. */
static void move_uses(tag_state *s, uint64_t at, int64_t by)
{
    for (uint32_t i = 0; s->uses_good && i < s->uses_n; i++)
        if (s->uses[i].fields && s->uses[i].entry >= at)
            s->uses[i].entry = (uint32_t)(s->uses[i].entry + by);
}

/* Finds the group of a type, or where to insert it: *found false. */
static uint64_t group_of(lathe_doc *doc, uint32_t c, uint32_t type, tag_group *g, bool *found)
{
    uint64_t at = 0, last = TAG_HEADER;
    *found = false;
    while (tag_group_next(doc, c, &at, g)) {
        *found = g->type == type;
        if (g->type >= type)
            return g->at;
        last = at;
    }
    return last;
}

/* The first entry of a group that is not below a position. */
static uint32_t entry_from(lathe_doc *doc, uint32_t c, const tag_group *g, uint64_t position)
{
    uint32_t lo = 0, hi = g->count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (tag_patch_at(doc, c, g->at + TAG_GROUP_HEAD + 4 * (uint64_t)mid) < position)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Inserts a group, and PTCH itself if the file has none. */
static lathe_result begin_group(lathe_doc *doc, uint32_t c, uint64_t at, uint32_t type,
                                lathe_error *err)
{
    uint32_t part = tag_part_of(doc, c, TAG_PATCHES);
    uint8_t head[TAG_GROUP_HEAD] = {0x40, 0, 0, TAG_HEADER, 'P', 'T', 'C', 'H'};
    lathe_result r = LATHE_OK;
    if (!rec_part_of(doc, part)->size)
        r = rec_splice(doc, part, 0, 0, head, TAG_HEADER, err);
    bytes_st32(head, type, false);
    bytes_st32(head + 4, 0, false);
    if (r == LATHE_OK)
        r = rec_splice(doc, part, at, 0, head, TAG_GROUP_HEAD, err);
    if (r == LATHE_OK)
        move_uses(tag_state_of(doc, c), at, TAG_GROUP_HEAD);
    return r;
}

lathe_result tag_patch_add(lathe_doc *doc, uint32_t c, uint32_t type, uint64_t position,
                           uint32_t item, lathe_error *err)
{
    tag_group g;
    bool found;
    uint8_t bytes[4];
    uint32_t n, part = tag_part_of(doc, c, TAG_PATCHES);
    if (position > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a tagfile has 32-bit positions");
    if (!tag_item_uses(doc, c, &n))
        return rec_no_memory(err);
    uint64_t at = group_of(doc, c, type, &g, &found);
    lathe_result r = found ? LATHE_OK : begin_group(doc, c, at, type, err);
    if (r != LATHE_OK)
        return r;
    at = group_of(doc, c, type, &g, &found);
    uint32_t i = entry_from(doc, c, &g, position);
    uint64_t entry = g.at + TAG_GROUP_HEAD + 4 * (uint64_t)i;
    bool has = i < g.count && tag_patch_at(doc, c, entry) == position;
    bytes_st32(bytes, (uint32_t)position, false);
    if (!has)
        r = rec_splice(doc, part, entry, 0, bytes, 4, err);
    if (r == LATHE_OK && !has)
        r = put32(doc, part, g.at + 4, g.count + 1, err);
    tag_state *s = tag_state_of(doc, c);
    if (r == LATHE_OK && !has)
        move_uses(s, entry, 4);
    if (r == LATHE_OK && item < s->uses_n && !s->uses[item].fields++)
        s->uses[item].entry = (uint32_t)entry;
    return r;
}

/* Removes n entries of a group, and the group with its last entry. */
static lathe_result remove_entries(lathe_doc *doc, uint32_t c, const tag_group *g, uint32_t i,
                                   uint32_t n, lathe_error *err)
{
    uint32_t part = tag_part_of(doc, c, TAG_PATCHES);
    uint64_t at = g->at + TAG_GROUP_HEAD + 4 * (uint64_t)i, size = 4 * (uint64_t)n;
    lathe_result r = LATHE_OK;
    if (n == g->count) {
        at = g->at;
        size += TAG_GROUP_HEAD;
    } else {
        r = put32(doc, part, g->at + 4, g->count - n, err);
    }
    if (r == LATHE_OK)
        r = rec_splice(doc, part, at, size, NULL, 0, err);
    if (r == LATHE_OK)
        move_uses(tag_state_of(doc, c), at + size, -(int64_t)size);
    return r;
}

/* Updates the cache for a removed reference. If the item has more references, the first one is no longer
 * known, so all are computed again on demand. */
static void forget_use(lathe_doc *doc, uint32_t c, uint64_t entry)
{
    tag_state *s = tag_state_of(doc, c);
    tag_near near = {0};
    uint64_t off;
    uint32_t number;
    if (!s->uses_good || !tag_patched_field(doc, c, entry, &near, &off, &number) ||
        number >= s->uses_n || !s->uses[number].fields)
        return;
    s->uses[number].fields--;
    s->uses_good = !s->uses[number].fields;
}

/* True if offsets ascend in all groups, as required; edits keep that. Determined once. */
static bool is_sorted(lathe_doc *doc, uint32_t c)
{
    tag_state *s = tag_state_of(doc, c);
    tag_group g;
    if (s->sorting)
        return s->sorting == TAG_SORTED;
    s->sorting = TAG_SORTED;
    for (uint64_t at = 0; tag_group_next(doc, c, &at, &g);)
        for (uint32_t i = 1; i < g.count; i++) {
            uint64_t entry = g.at + TAG_GROUP_HEAD + 4 * (uint64_t)i;
            if (tag_patch_at(doc, c, entry) < tag_patch_at(doc, c, entry - 4))
                s->sorting = TAG_UNSORTED;
        }
    return s->sorting == TAG_SORTED;
}

/* The same for unsorted groups: visits each entry. */
static lathe_result remove_unsorted(lathe_doc *doc, uint32_t c, uint64_t from, uint64_t to,
                                    lathe_error *err)
{
    tag_group g;
    lathe_result r = LATHE_OK;
    for (uint64_t at = 0; r == LATHE_OK && tag_group_next(doc, c, &at, &g);)
        for (uint32_t i = g.count; r == LATHE_OK && i-- > 0;) {
            uint64_t entry = g.at + TAG_GROUP_HEAD + 4 * (uint64_t)i;
            uint32_t offset = tag_patch_at(doc, c, entry);
            if (offset < from || offset >= to)
                continue;
            forget_use(doc, c, entry);
            at = g.count == 1 ? g.at : at - 4;
            r = remove_entries(doc, c, &g, i, 1, err);
            g.count--;
        }
    return r;
}

lathe_result tag_patches_remove(lathe_doc *doc, uint32_t c, uint64_t from, uint64_t to,
                                lathe_error *err)
{
    tag_group g;
    lathe_result r = LATHE_OK;
    if (!is_sorted(doc, c))
        return remove_unsorted(doc, c, from, to, err);
    for (uint64_t at = 0; r == LATHE_OK && tag_group_next(doc, c, &at, &g);) {
        uint32_t i = entry_from(doc, c, &g, from), end = entry_from(doc, c, &g, to);
        for (uint32_t k = i; k < end; k++)
            forget_use(doc, c, g.at + TAG_GROUP_HEAD + 4 * (uint64_t)k);
        if (end == i)
            continue;
        r = remove_entries(doc, c, &g, i, end - i, err);
        at = end - i == g.count ? g.at : at - 4 * (uint64_t)(end - i);
    }
    return r;
}
