/* Edits arrays, texts and pointers. Data behind a cut move by multiples of 16; items and patches are updated. */
#include "tagfile/edit_items.h"
#include "tagfile/heads.h"
#include "tagfile/relative.h"
#include "tagfile/types_write.h"

enum { ALIGN = 16 };

static uint32_t container_of(const rec_at *at)
{
    return at->layout->container;
}

static bool is_scratch(const rec_at *at)
{
    return rec_part_of(at->doc, at->part)->scratch;
}

static lathe_result put(const rec_at *at, uint32_t part, uint64_t off, uint64_t value,
                        uint32_t width, lathe_error *err)
{
    uint8_t bytes[8];
    bytes_st(bytes, value, width, false);
    return rec_splice(at->doc, part, off, width, bytes, width, err);
}

/* Element type of an array field; for a text or pointer the type of the field itself. */
static uint32_t element_type(const rec_at *at, const rec_field *row)
{
    const tag_type *t = &tag_types_of(at->doc, container_of(at))->all[row->own];
    return row->body || row->n ? t->is.sub_type : row->own;
}

/* ---- placing data -------------------------------------------------------------------------------------- */

/* Places data at the end of the object's part, aligned to 16, so that as little as possible moves. */
lathe_result tag_place_data(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                            lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_part *p = rec_part_of(doc, at->part);
    (void)row;
    (void)site;
    *off = p->size;
    if (p->scratch)
        return LATHE_OK;
    if (!rec_places(doc))
        return rec_no_memory(err);
    uint64_t past = tag_position(doc, at->part, *off) % ALIGN;
    if (!past)
        return LATHE_OK;
    *off += ALIGN - past;
    return rec_cut_bytes(doc, at->part, p->size, 0, NULL, ALIGN, LATHE_NO_OFFSET, err);
}

/* Items that begin in [off, end) of a part, or extend into it. */
static uint32_t items_within(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end,
                             uint32_t *one)
{
    enum { LOOKED_AT = 8 }; /* in front of it; in real files items do not overlap */
    uint32_t c = rec_part_of(doc, part)->container, n, count = 0;
    uint64_t base = tag_position(doc, part, 0);
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    uint32_t first = tag_items_before(doc, c, base + off);
    *one = 0;
    for (uint32_t k = first > LOOKED_AT ? first - LOOKED_AT : 0; order && k < n; k++) {
        tag_item item = tag_item_get(doc, c, order[k]);
        if (item.offset >= base + end && item.offset != base + off)
            break;
        uint64_t size = tag_item_size(tag_types_of(doc, c), &item);
        bool within = k >= first ? item.count > 0 : item.offset + size > base + off;
        count += within;
        *one = within && item.kind & TAG_STORAGE ? order[k] : *one;
    }
    return order ? count : 2;
}

static uint32_t rels_within(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end)
{
    size_t n;
    uint32_t count = 0;
    const tag_rel *rels = tag_rels(doc, part, &n);
    for (size_t i = 0; rels && i < n; i++)
        count += rels[i].start < end && rels[i].start + rels[i].count * rels[i].elem > off;
    return rels ? count : 2;
}

lathe_result tag_data_shared(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end,
                             bool *shared, lathe_error *err)
{
    const rec_part *p = rec_part_of(doc, part);
    uint32_t c = p->container, one, n;
    size_t rels;
    if (!rec_places(doc) || !tag_items_by_offset(doc, c, &n) || !tag_rels(doc, part, &rels))
        return rec_no_memory(err);
    *shared = true;
    if (p->root && p->root->size != REC_DYNAMIC && off < p->root->size)
        return LATHE_OK; /* inside the object's own members */
    if (items_within(doc, part, off, end, &one) > 1 || rels_within(doc, part, off, end) > 1)
        return LATHE_OK;
    const tag_item_use *uses = tag_item_uses(doc, c, &n);
    *shared = uses && one && one < n && uses[one].fields > 1;
    return uses ? LATHE_OK : rec_no_memory(err);
}

uint64_t tag_data_room(lathe_doc *doc, uint32_t part, uint64_t end)
{
    uint32_t c = rec_part_of(doc, part)->container, n;
    uint64_t base = tag_position(doc, part, 0), next = rec_part_of(doc, part)->size;
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    size_t rels_n;
    const tag_rel *rels = tag_rels(doc, part, &rels_n);
    if (!order || !rels)
        return 0;
    uint32_t k = tag_items_before(doc, c, base + end);
    if (k < n && tag_item_get(doc, c, order[k]).offset - base < next)
        next = tag_item_get(doc, c, order[k]).offset - base;
    for (size_t i = 0; i < rels_n; i++)
        if (rels[i].start >= end && rels[i].start < next)
            next = rels[i].start;
    return next - end;
}

/* ---- fields with an item number ------------------------------------------------------------------------ */

/* Stores an item number and adds a patch for the field; 0: stores null without a patch. */
static lathe_result point_to(const rec_at *at, uint32_t part, uint64_t site, uint32_t type,
                             uint32_t item, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at);
    if (!rec_places(doc))
        return rec_no_memory(err);
    uint64_t position = tag_position(doc, part, site);
    lathe_result r = LATHE_OK;
    if (tag_number_at(doc, part, site) == item)
        return LATHE_OK;
    if (tag_number_at(doc, part, site))
        r = tag_patches_remove(doc, c, position, position + 1, err);
    if (r == LATHE_OK)
        r = put(at, part, site, item, 4, err);
    return r == LATHE_OK && item ? tag_patch_add(doc, c, type, position, item, err) : r;
}

/* The type of the characters of texts: char. */
static lathe_result text_type(const rec_at *at, uint32_t slot, uint32_t *out, lathe_error *err)
{
    const tag_types *types = tag_types_of(at->doc, container_of(at));
    *out = tag_text_type(types);
    if (*out)
        return LATHE_OK;
    return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "the file has no type char: a text cannot be added");
}

/* Sets the offset of the item of a header to `off`; adds an item if there is none. */
static lathe_result point(const rec_at *at, uint64_t site, uint64_t off, uint32_t field,
                          uint32_t elements, uint64_t count, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at), number = tag_number_at(doc, at->part, site);
    if (!rec_places(doc))
        return rec_no_memory(err);
    uint64_t position = tag_position(doc, at->part, off);
    if (number)
        return tag_item_set_offset(doc, c, number, position, err);
    if (position > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a tagfile has 32-bit positions");
    const tag_item item = {elements, TAG_STORAGE, (uint32_t)position, (uint32_t)count};
    lathe_result r = tag_item_add(doc, c, &item, &number, err);
    return r == LATHE_OK ? point_to(at, at->part, site, field, number, err) : r;
}

lathe_result tag_point_array(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                             lathe_error *err)
{
    return is_scratch(at) ? LATHE_OK
                          : point(at, site, off, row->own, element_type(at, row), 0, err);
}

/* Sets the element count of a field's item, checking its size: in damaged files an item can have a type of
 * another size, so that its bytes would extend too far. */
static lathe_result set_count(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                              uint64_t size, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at), number = tag_number_at(doc, at->part, site);
    const tag_types *types = tag_types_of(doc, c);
    tag_item item = tag_item_get(doc, c, number);
    const tag_type *t = item.type < types->count ? &types->all[item.type] : NULL;
    if (t && t->is.size == size)
        return tag_item_set_count(doc, c, number, n, err);
    return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_UNSUPPORTED,
                    "its item %u is of type %u (%s), whose elements are of another size: lathe "
                    "does not change its length",
                    number, item.type, t ? t->name : "unknown");
}

/* The count of the item is determined by the end of the text. */
lathe_result tag_point_text(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                            lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_part *p = rec_part_of(doc, at->part);
    uint32_t type = 0;
    if (p->scratch)
        return LATHE_OK;
    const uint8_t *end = off < p->size ? memchr(p->data + off, 0, (size_t)(p->size - off)) : NULL;
    uint64_t count = end ? (uint64_t)(end - (p->data + off)) + 1 : p->size - off;
    bool there = tag_number_at(doc, at->part, site) != 0;
    lathe_result r = there ? LATHE_OK : text_type(at, tag_slot_of(at, row), &type, err);
    if (r == LATHE_OK)
        r = point(at, site, off, element_type(at, row), type, count, err);
    return r == LATHE_OK ? set_count(at, row, site, count, 1, err) : r;
}

/* Zeroes storage in another object's part, which is not cut out, and which has no item any more. */
static lathe_result wipe(const rec_at *at, const tag_item *item, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t part;
    uint64_t off, size = tag_item_size(tag_types_of(doc, container_of(at)), item);
    if (!size || !rec_places(doc) || !tag_place(doc, container_of(at), item->offset, &part, &off) ||
        part == at->part || size > rec_part_of(doc, part)->size - off)
        return LATHE_OK;
    uint8_t *zeros = mem_zalloc(&doc->mem, (size_t)size);
    lathe_result r =
        zeros ? rec_splice(doc, part, off, size, zeros, size, err) : rec_no_memory(err);
    mem_free(&doc->mem, zeros, zeros ? (size_t)size : 0);
    return r;
}

lathe_result tag_clear(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at), number = is_scratch(at) ? 0 : tag_number_at(doc, at->part, site),
             n;
    if (!number)
        return LATHE_OK;
    const tag_item_use *uses = tag_item_uses(doc, c, &n);
    bool shared = uses && number < n && uses[number].fields > 1;
    lathe_result r = uses ? point_to(at, at->part, site, 0, 0, err) : rec_no_memory(err);
    if (r != LATHE_OK || shared)
        return r;
    tag_item item = tag_item_get(doc, c, number);
    r = tag_item_kill(doc, c, number, err);
    return r == LATHE_OK && row->text ? wipe(at, &item, err) : r;
}

lathe_result tag_recount(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                         lathe_error *err)
{
    if (is_scratch(at) || !tag_number_at(at->doc, at->part, site))
        return LATHE_OK;
    const tag_types *types = tag_types_of(at->doc, container_of(at));
    return set_count(at, row, site, n, types->all[element_type(at, row)].is.size, err);
}

/* ---- pointers ------------------------------------------------------------------------------------------ */

/* True if a class is `base`, is derived from it, or has it as an interface. */
static bool is_kind_of(const tag_types *types, uint32_t id, uint32_t base)
{
    if (!base || tag_kind_of(&types->all[base]) != TAG_RECORD || tag_is_a(types, id, base))
        return true;
    for (uint32_t from = id; from; from = types->all[from].parent)
        for (uint32_t i = 0; i < types->all[from].interfaces_n; i++)
            if (tag_is_a(types, types->all[from].interfaces[i].type, base))
                return true;
    return false;
}

/* The part of object `raw`. Fails if the pointer cannot hold its class. */
static lathe_result target_of(const rec_at *at, const rec_field *row, uint64_t site, uint64_t raw,
                              uint32_t *part, uint32_t *item, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at), slot = tag_slot_of(at, row);
    const tag_types *types = tag_types_of(doc, c);
    *part = rec_kid(doc, doc->containers[c].root, tag_row(TAG_OBJECTS), raw - 1);
    if (*part == REC_NO_PART)
        return rec_fail(at, slot, site, err, LATHE_ERR_RANGE, "no object %llu",
                        (unsigned long long)raw);
    lathe_result r = tag_item_for(doc, *part, item, err);
    if (r != LATHE_OK)
        return r;
    uint32_t is = tag_item_get(doc, c, *item).type,
             base = types->all[element_type(at, row)].is.sub_type;
    if (is_kind_of(types, is, base))
        return LATHE_OK;
    return rec_fail(at, slot, site, err, LATHE_ERR_TYPE, "%s expected, object %llu is of class %s",
                    types->all[base].name, (unsigned long long)raw, types->all[is].name);
}

lathe_result tag_put_pointer(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                             uint64_t raw, lathe_error *err)
{
    uint32_t to, item = 0;
    if (rec_part_of(at->doc, part)->scratch)
        return LATHE_OK;
    lathe_result r = raw ? target_of(at, row, site, raw, &to, &item, err) : LATHE_OK;
    return r == LATHE_OK ? point_to(at, part, site, element_type(at, row), item, err) : r;
}

/* ---- relative fields ----------------------------------------------------------------------------------- */

lathe_result tag_put_relative(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                              uint64_t raw, lathe_error *err)
{
    uint32_t to = 0, item;
    if (rec_part_of(at->doc, part)->scratch)
        return LATHE_OK;
    lathe_result r = raw ? target_of(at, row, site, raw, &to, &item, err) : LATHE_OK;
    if (r == LATHE_OK && !rec_places(at->doc))
        r = rec_no_memory(err);
    uint64_t from = r == LATHE_OK ? tag_position(at->doc, part, site) : 0;
    return r == LATHE_OK
               ? put(at, part, site, raw ? tag_position(at->doc, to, 0) - from : 0, 8, err)
               : r;
}

/* The item of array elements at `start` with this count; 0: ITEM does not list them. */
static uint32_t storage_at(const rec_at *at, const rec_field *row, uint64_t start, uint64_t count)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at), n, found = 0;
    uint64_t position = tag_position(doc, at->part, start);
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    for (uint32_t k = order ? tag_items_before(doc, c, position) : n; k < n; k++) {
        tag_item item = tag_item_get(doc, c, order[k]);
        if (item.offset != position)
            break;
        bool same = item.kind & TAG_STORAGE && item.type == element_type(at, row);
        if (same && (!found || item.count == count))
            found = order[k];
    }
    return found;
}

static uint64_t start_at(const rec_at *at, const rec_field *row, uint64_t site)
{
    const uint8_t *p = rec_part_of(at->doc, at->part)->data + site;
    uint32_t width = tag_relative_offset_width(rec_row_body(row));
    return site + (width == 4 ? bytes_ld32(p, false) : bytes_ld64(p, false));
}

/* Sets the item of an array back to its start: the cut in front of the first element moved it, so that it is
 * the first one behind the cut. */
static lathe_result point_item(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                               lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t width = tag_relative_offset_width(rec_row_body(row)), c = container_of(at), n;
    uint64_t had = bytes_ld32(rec_part_of(doc, at->part)->data + site + width, false);
    if (is_scratch(at) || !had)
        return LATHE_OK;
    if (!rec_places(doc))
        return rec_no_memory(err);
    if (storage_at(at, row, off, had))
        return LATHE_OK;
    uint64_t position = tag_position(doc, at->part, off);
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    uint32_t k = order ? tag_items_before(doc, c, position) : 0;
    tag_item item = order && k < n ? tag_item_get(doc, c, order[k]) : (tag_item){0};
    bool own = item.kind & TAG_STORAGE && item.type == element_type(at, row) && item.count == had;
    return own ? tag_item_set_offset(doc, c, order[k], position, err) : LATHE_OK;
}

lathe_result tag_point_relative(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                                lathe_error *err)
{
    uint32_t width = tag_relative_offset_width(rec_row_body(row));
    if (width == 4 && off - site > INT32_MAX)
        return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_RANGE,
                        "its elements would begin %llu bytes behind it",
                        (unsigned long long)(off - site));
    lathe_result r = point_item(at, row, site, off, err);
    return r == LATHE_OK ? put(at, at->part, site, off - site, width, err) : r;
}

lathe_result tag_clear_relative(const rec_at *at, const rec_field *row, uint64_t site,
                                lathe_error *err)
{
    uint32_t width = tag_relative_offset_width(rec_row_body(row));
    if (is_scratch(at))
        return LATHE_OK;
    if (!rec_places(at->doc))
        return rec_no_memory(err);
    uint64_t had = bytes_ld32(rec_part_of(at->doc, at->part)->data + site + width, false);
    uint32_t number = storage_at(at, row, start_at(at, row, site), had);
    lathe_result r = number ? tag_item_kill(at->doc, container_of(at), number, err) : LATHE_OK;
    return r == LATHE_OK ? put(at, at->part, site, 0, width, err) : r;
}

/* Sets the size, and the capacity if there is one. */
lathe_result tag_recount_relative(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                  lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t width = tag_relative_offset_width(rec_row_body(row)), number;
    const uint8_t *p = rec_part_of(doc, at->part)->data + site + width;
    uint32_t had = bytes_ld32(p, false), capacity = width == 8 ? bytes_ld32(p + 4, false) : 0;
    const uint32_t flags = 0xC0000000u;
    lathe_result r = put(at, at->part, site + width, n, 4, err);
    if (r == LATHE_OK && width == 8 && (capacity & ~flags) == had)
        r = put(at, at->part, site + width + 4, n | (capacity & flags), 4, err);
    if (r != LATHE_OK || is_scratch(at) || !n)
        return r;
    if (!rec_places(doc))
        return rec_no_memory(err);
    uint64_t start = start_at(at, row, site);
    uint32_t have = had ? storage_at(at, row, start, had) : 0;
    if (have)
        return tag_item_set_count(doc, container_of(at), have, n, err);
    if (had) /* the file did not list it */
        return LATHE_OK;
    const tag_item item = {element_type(at, row), TAG_STORAGE,
                           (uint32_t)tag_position(doc, at->part, start), (uint32_t)n};
    return tag_item_add(doc, container_of(at), &item, &number, err);
}
