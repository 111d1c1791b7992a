/* Checks the items of a tagfile: their offsets, and the references to them. */
#include "tagfile/check.h"

enum { ARRAY_ALIGN = 16, TEXT_ALIGN = 2 };

static void check_first(const tag_checker *k)
{
    const uint8_t *p = k->p + k->items.at + TAG_HEADER;
    for (int i = 0; k->items_n && i < TAG_ITEM_SIZE; i++)
        if (p[i]) {
            tag_item_finding(k, LATHE_LEVEL_ERROR, 0,
                             "the first one is to be none: 12 bytes of zeros");
            break;
        }
    if (k->items_n < 2)
        tag_finding(k, LATHE_LEVEL_ERROR, k->items.at, "item_section",
                    "ITEM: there is no item 1: the file has no root");
    else if (!(tag_checked_item(k, 1).kind & TAG_OBJECT))
        tag_item_finding(k, LATHE_LEVEL_ERROR, 1, "no object: the file has no root");
}

static void check_kind(const tag_checker *k, uint32_t i, const tag_item *item)
{
    if (!item->kind)
        tag_item_finding(k, LATHE_LEVEL_WARNING, i, "none, though not the first");
    else if (item->kind != TAG_OBJECT && item->kind != TAG_STORAGE)
        tag_item_finding(k, LATHE_LEVEL_WARNING, i, "of kind 0x%02x, where 0x10 and 0x20 are known",
                         item->kind);
    if (item->kind & TAG_OBJECT && item->count != 1)
        tag_item_finding(k, LATHE_LEVEL_ERROR, i, "an object with a count of %u", item->count);
}

static void check_align(const tag_checker *k, uint32_t i, const tag_item *item,
                        const tag_field_use *use)
{
    uint32_t align = tag_alignment(&k->types->all[item->type]);
    if (!item->count)
        return;
    if (!(item->kind & TAG_OBJECT) && use->array)
        align = align < ARRAY_ALIGN ? ARRAY_ALIGN : align;
    else if (use->text)
        align = TEXT_ALIGN;
    if (item->offset % align)
        tag_item_finding(k, LATHE_LEVEL_ERROR, i, "it lies at 0x%x, which is no multiple of %u",
                         item->offset, align);
}

/* Checks that a text contains no NUL except at its end. The general check reports a text without one. */
static void check_text(const tag_checker *k, uint32_t i, const tag_item *item)
{
    const uint8_t *p = k->p + k->data.at + TAG_HEADER + item->offset;
    const uint8_t *end = item->count ? memchr(p, 0, item->count) : NULL;
    if (k->types->all[item->type].is.size == 1 && end && (uint64_t)(end - p) + 1 != item->count)
        tag_item_finding(k, LATHE_LEVEL_ERROR, i, "a text of %u bytes which ends after %llu",
                         item->count, (unsigned long long)(end - p));
}

static void check_uses(const tag_checker *k, uint32_t i, const tag_item *item,
                       const tag_fields *fields)
{
    const tag_field_use *use = &fields->uses[i];
    /* Some writers list empty relative arrays, which no offset points to. */
    bool empty = k->types->relative && !item->count && !(item->kind & TAG_OBJECT);
    if (!use->fields && fields->whole && i > 1 && !empty)
        tag_item_finding(k, LATHE_LEVEL_WARNING, i, "nothing leads to it");
    if (use->fields > 1 && !(item->kind & TAG_OBJECT))
        tag_item_finding(k, LATHE_LEVEL_WARNING, i, "%u fields share it", use->fields);
}

/* Visits the items in the order of their offsets. */
static void check_overlaps(const tag_checker *k)
{
    uint32_t n, last = 0, object = 0;
    uint64_t end = 0;
    const uint32_t *order = tag_items_by_offset(k->doc, k->c, &n);
    for (uint32_t i = 0; order && i < n && !k->report->stopped; i++) {
        tag_item item = tag_checked_item(k, order[i]);
        uint64_t size = tag_item_size(k->types, &item);
        bool same =
            object && item.kind & TAG_OBJECT && tag_checked_item(k, object).offset == item.offset;
        if (same)
            tag_item_finding(k, LATHE_LEVEL_ERROR, order[i],
                             "an object at 0x%x, where item %u is one, too: it cannot be reached",
                             item.offset, object);
        else if (size && item.offset < end)
            tag_item_finding(k, LATHE_LEVEL_ERROR, order[i],
                             "it begins at 0x%x, in item %u, which ends at 0x%llx", item.offset,
                             last, (unsigned long long)end);
        if (!same && item.kind & TAG_OBJECT)
            object = order[i];
        if (size && item.offset + size > end) {
            end = item.offset + size;
            last = order[i];
        }
    }
}

static void check_each(const tag_checker *k, const tag_fields *fields)
{
    for (uint32_t i = 1; i < k->items_n && !k->report->stopped; i++) {
        tag_item item = tag_checked_item(k, i);
        check_kind(k, i, &item);
        if (!item.kind) /* type and offset of an empty item may be anything */
            continue;
        check_align(k, i, &item, &fields->uses[i]);
        if (fields->uses[i].text && !(item.kind & TAG_OBJECT))
            check_text(k, i, &item);
        check_uses(k, i, &item, fields);
    }
}

void tag_check_items(const tag_checker *k)
{
    const mem *m = &k->doc->mem;
    tag_fields fields = {.uses = mem_zalloc(m, ((size_t)k->items_n + 1) * sizeof *fields.uses)};
    buf_init(&fields.all, m);
    if (fields.uses) {
        check_first(k);
        check_overlaps(k);
        if (tag_check_fields(k, &fields)) {
            check_each(k, &fields);
            tag_check_patches(k, &fields);
        }
    }
    buf_free(&fields.all);
    mem_free(m, fields.uses, ((size_t)k->items_n + 1) * sizeof *fields.uses);
}
