/* Edits DATA: cuts, adding and removing objects, and the sizes of sections. */
#include "tagfile/edit_objects.h"
#include "tagfile/edit_items.h"
#include "tagfile/heads.h"
#include "tagfile/relative.h"

enum { ALIGN = 16 };

/* ---- cuts ---------------------------------------------------------------------------------------------- */

/* True if a part belongs to DATA. */
static bool in_data(lathe_doc *doc, uint32_t part)
{
    uint32_t slot = rec_part_of(doc, part)->slot;
    return slot == tag_row(TAG_OBJECTS) || slot == tag_row(TAG_DATA);
}

/* Fails if a relative pointer goes from one object to another: it would depend on the size of everything
 * between them. */
static lathe_result check_crossing(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint64_t n;
    const uint32_t *objects = rec_kid_list(doc, doc->containers[c].root, tag_row(TAG_OBJECTS), &n);
    for (uint64_t i = 0; tag_types_of(doc, c)->crossing && i < n; i++) {
        size_t count;
        const tag_rel *rels = tag_rels(doc, objects[i], &count);
        for (size_t k = 0; rels && k < count; k++)
            if (rels[k].start == LATHE_NO_OFFSET || !rels[k].elem ||
                rels[k].start == rec_part_of(doc, objects[i])->size)
                return error_set(
                    err, LATHE_ERR_UNSUPPORTED, rec_encoded(doc, objects[i], rels[k].site),
                    "an offset here leads to another object: lathe does not change lengths in "
                    "such files");
        if (!rels)
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

static lathe_result emit_relative(lathe_doc *doc, uint32_t part,
                                  lathe_result (*emit)(void *user, const rec_refs *run,
                                                       lathe_error *err),
                                  void *user, lathe_error *err)
{
    size_t n;
    const tag_rel *rels = tag_rels(doc, part, &n);
    lathe_result r = rels ? LATHE_OK : rec_no_memory(err);
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        const rec_refs run = {.site_part = part,
                              .target_part = part,
                              .site = rels[i].site,
                              .count = 1,
                              .width = rels[i].width,
                              .self = true,
                              .is_signed = true};
        r = emit(user, &run, err);
    }
    return r;
}

lathe_result tag_refs(lathe_doc *doc, uint32_t c, uint32_t part,
                      lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                      void *user, lathe_error *err)
{
    tag_group g;
    uint32_t items = tag_item_count(doc, c);
    if (!in_data(doc, part))
        return LATHE_OK;
    rec_refs run = {.target_part = tag_part_of(doc, c, TAG_DATA),
                    .space = true,
                    .site_part = tag_part_of(doc, c, TAG_ITEMS),
                    .site = TAG_HEADER + TAG_ITEM_SIZE + 4,
                    .stride = TAG_ITEM_SIZE,
                    .count = items ? items - 1 : 0,
                    .width = 4};
    lathe_result r = check_crossing(doc, c, err);
    if (r == LATHE_OK)
        r = emit(user, &run, err);
    run.site_part = tag_part_of(doc, c, TAG_PATCHES);
    run.stride = 4;
    for (uint64_t at = 0; r == LATHE_OK && tag_group_next(doc, c, &at, &g);) {
        run.site = g.at + TAG_GROUP_HEAD;
        run.count = g.count;
        r = emit(user, &run, err);
    }
    return r == LATHE_OK ? emit_relative(doc, part, emit, user, err) : r;
}

/* Sets all fields that refer to an item to null. */
static lathe_result clear_field(lathe_doc *doc, uint32_t c, uint32_t item, lathe_error *err)
{
    uint64_t position;
    lathe_result r = LATHE_OK;
    while (r == LATHE_OK && tag_item_field(doc, c, item, &position)) {
        static const uint8_t none[4] = {0};
        uint32_t part;
        uint64_t off;
        uint64_t had = rec_part_of(doc, tag_part_of(doc, c, TAG_PATCHES))->size;
        r = tag_patches_remove(doc, c, position, position + 1, err);
        if (r == LATHE_OK && rec_part_of(doc, tag_part_of(doc, c, TAG_PATCHES))->size == had)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "PTCH: the patch at 0x%llx of DATA cannot be taken out",
                             (unsigned long long)position);
        if (r == LATHE_OK && tag_place(doc, c, position, &part, &off))
            r = rec_splice(doc, part, off, 4, none, 4, err);
    }
    return r;
}

/* Sets all fields in removed bytes to null. An item that begins exactly at the first removed byte is kept;
 * one that begins further inside is removed. */
lathe_result tag_drop(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, uint64_t n,
                      lathe_error *err)
{
    uint32_t count;
    if (!in_data(doc, part))
        return LATHE_OK;
    if (!rec_places(doc))
        return rec_no_memory(err);
    uint64_t from = tag_position(doc, part, at), to = from + n;
    lathe_result r = tag_patches_remove(doc, c, from, to, err);
    for (;;) {
        const uint32_t *order = tag_items_by_offset(doc, c, &count);
        uint32_t k = tag_items_before(doc, c, from);
        if (r != LATHE_OK || !order)
            return r == LATHE_OK ? rec_no_memory(err) : r;
        tag_item item =
            k < count ? tag_item_get(doc, c, order[k]) : (tag_item){.offset = UINT32_MAX};
        if (k >= count || item.offset >= to)
            return r;
        uint32_t number = order[k];
        bool stays = item.offset == from && !(item.kind & TAG_OBJECT && at);
        if (!stays)
            r = clear_field(doc, c, number, err);
        if (r == LATHE_OK)
            r = stays ? tag_item_set_offset(doc, c, number, to, err)
                      : tag_item_kill(doc, c, number, err);
    }
}

/* ---- objects ------------------------------------------------------------------------------------------- */

const rec_type *tag_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n)
{
    uint32_t c = rec_part_of(doc, part)->container;
    uint32_t id = name ? tag_type_find(doc, c, name, n) : 0;
    const tag_record *r = id ? tag_record_of(doc, c, id, NULL) : NULL;
    if (id && !r)
        return NULL;
    return r && !r->problem ? &r->type : &tag_opaque;
}

lathe_result tag_item_for(lathe_doc *doc, uint32_t part, uint32_t *item, lathe_error *err)
{
    uint32_t c = rec_part_of(doc, part)->container;
    const rec_layout *root = rec_part_root(doc, part);
    if (!root || !rec_places(doc))
        return rec_no_memory(err);
    *item = tag_item_of(doc, part);
    if (*item)
        return LATHE_OK;
    if (!(root->type->flags & REC_OWN))
        return error_set(err, LATHE_ERR_INVALID, rec_encoded(doc, part, 0),
                         "an object needs a class of the file: { class = \"...\" }");
    uint64_t position = tag_position(doc, part, 0);
    if (position > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a tagfile has 32-bit positions");
    const tag_item made = {tag_record_from(root->type)->id, TAG_OBJECT, (uint32_t)position, 1};
    return tag_item_add(doc, c, &made, item, err);
}

static lathe_result fail(const rec_at *at, const rec_field *row, const char *why, lathe_error *err)
{
    return rec_fail(at, tag_slot_of(at, row), at->off, err, LATHE_ERR_UNSUPPORTED, "%s", why);
}

/* Appends zeros to a part of DATA. */
static lathe_result pad(lathe_doc *doc, uint32_t part, uint64_t n, lathe_error *err)
{
    return n ? rec_cut_bytes(doc, part, rec_part_of(doc, part)->size, 0, NULL, n, LATHE_NO_OFFSET,
                             err)
             : LATHE_OK;
}

/* True if a reference crosses the border of [from, to) in DATA: either the field or the storage is inside,
 * but not both. */
static bool refers_across(lathe_doc *doc, uint32_t c, uint64_t from, uint64_t to)
{
    tag_group g;
    tag_near near = {0};
    for (uint64_t at = 0; tag_group_next(doc, c, &at, &g);)
        for (uint32_t i = 0; i < g.count; i++) {
            uint64_t off, entry = g.at + TAG_GROUP_HEAD + 4 * (uint64_t)i;
            uint32_t number, position = tag_patch_at(doc, c, entry);
            if (!tag_patched_field(doc, c, entry, &near, &off, &number))
                continue;
            tag_item item = tag_item_get(doc, c, number);
            bool inside = position >= from && position < to;
            if (item.kind & TAG_STORAGE && item.count &&
                inside != (item.offset >= from && item.offset < to))
                return true;
        }
    return false;
}

/* True if an item that begins in front of a position of DATA ends behind it. */
static bool reaches_past(lathe_doc *doc, uint32_t c, uint64_t place)
{
    uint32_t n = tag_item_count(doc, c);
    for (uint32_t i = 1; i < n; i++) {
        tag_item item = tag_item_get(doc, c, i);
        if (item.kind && item.offset < place &&
            tag_item_size(tag_types_of(doc, c), &item) > place - item.offset)
            return true;
    }
    return false;
}

/* Removes the bytes of an object and all references to it. Data behind it move by a multiple of 16. */
static lathe_result empty_object(const rec_at *at, const rec_field *row, uint64_t i,
                                 lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container, part = rec_kid(doc, at->part, tag_row(TAG_OBJECTS), i);
    uint32_t in_front =
        i ? rec_kid(doc, at->part, tag_row(TAG_OBJECTS), i - 1) : tag_part_of(doc, c, TAG_DATA);
    uint32_t item = tag_item_of(doc, part);
    uint64_t size = rec_part_of(doc, part)->size, from = tag_position(doc, part, 0);
    if (refers_across(doc, c, from, from + size) || reaches_past(doc, c, from))
        return fail(at, row,
                    "data of one object lie in another: serialize() the document first, which "
                    "separates them",
                    err);
    lathe_result r = item ? clear_field(doc, c, item, err) : LATHE_OK;
    if (r == LATHE_OK && item)
        r = tag_item_kill(doc, c, item, err);
    if (r == LATHE_OK)
        r = pad(doc, in_front, size % ALIGN, err);
    /* The first byte is removed last, so that no item that begins there stays. */
    if (r == LATHE_OK && size > 1)
        r = rec_cut_bytes(doc, part, 1, size - 1, NULL, 0, LATHE_NO_OFFSET, err);
    return r == LATHE_OK && size ? rec_cut_bytes(doc, part, 0, 1, NULL, 0, LATHE_NO_OFFSET, err)
                                 : r;
}

/* Hook for doc.objects: new objects are appended; objects are emptied before they are removed. */
lathe_result tag_may_resize(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container;
    uint64_t n = rec_kids(doc, at->part, tag_row(TAG_OBJECTS)), root;
    lathe_result r = rec_places(doc) ? LATHE_OK : rec_no_memory(err);
    if (r != LATHE_OK)
        return r;
    if (inserted && removed == inserted)
        return fail(at, row, "objects cannot be moved: their order has no meaning", err);
    if (inserted && i != n)
        return fail(at, row, "a new object can only be appended", err);
    if (inserted) {
        uint32_t last =
            n ? rec_kid(doc, at->part, tag_row(TAG_OBJECTS), n - 1) : tag_part_of(doc, c, TAG_DATA);
        uint64_t past = tag_position(doc, last, rec_part_of(doc, last)->size) % ALIGN;
        return pad(doc, last, past ? ALIGN - past : 0, err);
    }
    root = tag_object_at(doc, c, tag_item_get(doc, c, 1).offset);
    if (root && root - 1 >= i && root - 1 < i + removed)
        return fail(at, row, "the root object cannot be removed", err);
    for (uint64_t k = i + removed; r == LATHE_OK && k-- > i;)
        r = empty_object(at, row, k, err);
    return r;
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

static lathe_result put_size(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t size,
                             lathe_error *err)
{
    uint8_t bytes[4];
    uint32_t word = bytes_ld32(rec_part_of(doc, part)->data + at, true);
    if (size >= (uint64_t)1 << 30)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a section has at most 2^30 - 1 bytes, %llu are there",
                         (unsigned long long)size);
    bytes_st32(bytes, tag_section_word(word, size), true);
    return bytes_ld32(bytes, true) == word ? LATHE_OK : rec_splice(doc, part, at, 4, bytes, 4, err);
}

static uint64_t sizes_of(lathe_doc *doc, uint32_t c, tag_part from, tag_part to)
{
    uint64_t size = 0, n;
    for (tag_part which = from; which <= to; which++) {
        const uint32_t *parts = rec_kid_list(doc, doc->containers[c].root, tag_row(which), &n);
        for (uint64_t i = 0; i < n; i++)
            size += rec_part_of(doc, parts[i])->size;
    }
    return size;
}

/* Makes sure that every object has an item. *any: some were added. */
static lathe_result add_items(lathe_doc *doc, uint32_t c, bool *any, lathe_error *err)
{
    uint64_t n;
    uint32_t item;
    lathe_result r = LATHE_OK;
    const uint32_t *objects = rec_kid_list(doc, doc->containers[c].root, tag_row(TAG_OBJECTS), &n);
    *any = false;
    for (uint64_t i = n; r == LATHE_OK && i-- > 0;) { /* new ones are at the end */
        if (rec_places(doc) && tag_item_of(doc, objects[i]))
            break;
        const rec_layout *root = rec_part_root(doc, objects[i]);
        if (doc->depth > 1 && root && !(root->type->flags & REC_OWN))
            continue; /* its class is not set yet */
        r = tag_item_for(doc, objects[i], &item, err);
        *any = true;
    }
    return r;
}

/* Pads DATA to a multiple of 16. */
static lathe_result pad_data(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint32_t end = tag_part_of(doc, c, TAG_DATA_END);
    uint64_t size = rec_part_of(doc, end)->size,
             past = sizes_of(doc, c, TAG_DATA, TAG_OBJECTS) % ALIGN;
    uint64_t want = past ? ALIGN - past : 0;
    return want == size ? LATHE_OK : rec_splice(doc, end, 0, size, NULL, want, err);
}

lathe_result tag_relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint32_t root = doc->containers[c].root, items = tag_part_of(doc, c, TAG_ITEMS);
    uint32_t patches = tag_part_of(doc, c, TAG_PATCHES), types = tag_part_of(doc, c, TAG_TYPES);
    uint64_t index_at = tag_state_of(doc, c)->index_at, front = rec_part_of(doc, root)->size;
    bool came;
    lathe_result r = add_items(doc, c, &came, err);
    if (r == LATHE_OK && doc->depth <= 1)
        r = tag_items_close_up(doc, c, err);
    if (r == LATHE_OK && came)
        r = pad_data(doc, c, err);
    if (r == LATHE_OK)
        r = put_size(doc, root, front - TAG_HEADER,
                     TAG_HEADER + sizes_of(doc, c, TAG_DATA, TAG_DATA_END), err);
    if (r == LATHE_OK)
        r = put_size(doc, items, 0, rec_part_of(doc, items)->size, err);
    if (r == LATHE_OK && rec_part_of(doc, patches)->size)
        r = put_size(doc, patches, 0, rec_part_of(doc, patches)->size, err);
    if (r == LATHE_OK)
        r = put_size(doc, types, index_at,
                     rec_part_of(doc, types)->size - index_at +
                         sizes_of(doc, c, TAG_ITEMS, TAG_INDEX_REST),
                     err);
    return r == LATHE_OK ? put_size(doc, root, 0, front + sizes_of(doc, c, TAG_DATA, TAG_REST), err)
                         : r;
}
