/* Headers of arrays, texts and pointers that hold an item number: the item has the offset and number of the
 * data. The upper half of the number's 8 bytes, and the size and capacity of an hkArray, are zeros in files.
 * Reference: formats/havok-tagfile.md#6. */
#include "tagfile/heads.h"

enum { ALIGN = 16 }; /* everything behind a cut moves by a multiple of this */

uint32_t tag_slot_of(const rec_at *at, const rec_field *row)
{
    return rec_slot_find(at->layout, rec_row_name(row));
}

uint32_t tag_number_at(lathe_doc *doc, uint32_t part, uint64_t site)
{
    return bytes_ld32(rec_part_of(doc, part)->data + site, false);
}

static bool is_scratch(const rec_at *at)
{
    return rec_part_of(at->doc, at->part)->scratch;
}

/* The item of a header; .kind 0: it has none. */
static lathe_result item_at(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                            tag_item *out, lathe_error *err)
{
    uint32_t number = tag_number_at(at->doc, part, site);
    *out = (tag_item){0};
    if (!number || is_scratch(at))
        return LATHE_OK;
    uint32_t c = at->layout->container, n = tag_item_count(at->doc, c);
    if (number >= n)
        return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_INVALID,
                        "item %u, there are %u", number, n ? n - 1 : 0);
    *out = tag_item_get(at->doc, c, number);
    if (!out->kind)
        return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_INVALID,
                        "item %u, which is none", number);
    return LATHE_OK;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

static lathe_result count(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                          lathe_error *err)
{
    tag_item item;
    lathe_result r = item_at(at, row, at->part, site, &item, err);
    *n = item.count;
    return r;
}

/* Checks that elements do not extend into other data. Their out-of-line data must be behind them and belong
 * to them alone, so that a walk through an object visits about as many bytes as the file has. */
static lathe_result check_reach(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                uint32_t part, uint64_t off, lathe_error *err)
{
    uint32_t slot = tag_slot_of(at, row);
    const rec_slot *s = &at->layout->slots[slot];
    uint64_t left = tag_reach(at->doc, part, off) - off;
    const rec_part *p = rec_part_of(at->doc, part);
    if (s->elem == REC_DYNAMIC || (s->elem && n > left / s->elem))
        return rec_fail(at, slot, site, err, LATHE_ERR_BOUNDS,
                        "%llu elements of %llu bytes do not fit into %llu bytes",
                        (unsigned long long)n, (unsigned long long)s->elem,
                        (unsigned long long)left);
    if (row->kind != REC_RECORD)
        return tag_large_alone(at, slot, site, n * s->elem, err);
    if (rec_part_root(at->doc, part) && p->root->size != REC_DYNAMIC && off < p->root->size)
        return rec_fail(at, slot, site, err, LATHE_ERR_UNSUPPORTED,
                        "its elements lie in an object's own members");
    bool out_of_line = s->sub && s->sub->has_out_of_line;
    if (out_of_line && tag_position(at->doc, part, off) <= tag_position(at->doc, at->part, site))
        return rec_fail(at, slot, site, err, LATHE_ERR_UNSUPPORTED,
                        "its elements lie in front of it");
    return tag_owned_alone(at, slot, site, err); /* otherwise no path would reach them */
}

static lathe_result locate(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                           uint32_t *part, uint64_t *off, lathe_error *err)
{
    tag_item item;
    lathe_result r = item_at(at, row, *part, site, &item, err);
    *off = LATHE_NO_OFFSET;
    if (r != LATHE_OK || !item.kind)
        return r;
    if (!tag_place(at->doc, at->layout->container, item.offset, part, off))
        return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_BOUNDS,
                        "item %u lies at 0x%x, outside of the data",
                        tag_number_at(at->doc, at->part, site), item.offset);
    return check_reach(at, row, site, n, *part, *off, err);
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* Locates a text; the count of its item includes the NUL. */
static lathe_result locate_text(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                uint32_t *part, uint64_t *off, lathe_error *err)
{
    tag_item item;
    lathe_result r = item_at(at, row, *part, site, &item, err);
    (void)n;
    *off = LATHE_NO_OFFSET;
    if (r != LATHE_OK || !item.kind)
        return r;
    uint32_t number = tag_number_at(at->doc, *part, site);
    if (!tag_place(at->doc, at->layout->container, item.offset, part, off))
        return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_BOUNDS,
                        "item %u lies at 0x%x, outside of the data", number, item.offset);
    uint64_t left = tag_reach(at->doc, *part, *off) - *off;
    left = item.count < left ? item.count : left;
    if (left && memchr(rec_part_of(at->doc, *part)->data + *off, 0, (size_t)left))
        return tag_large_alone(at, tag_slot_of(at, row), site, left, err);
    return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_BOUNDS,
                    "item %u: a text without an end in its %u bytes", number, item.count);
}

/* ---- pointers to objects ------------------------------------------------------------------------------- */

static lathe_result load(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                         uint64_t *raw, lathe_error *err)
{
    tag_item item;
    *raw = 0;
    lathe_result r = item_at(at, row, part, site, &item, err);
    if (r != LATHE_OK || !item.kind)
        return r;
    *raw = tag_object_at(at->doc, at->layout->container, item.offset);
    if (*raw && item.kind & TAG_OBJECT)
        return LATHE_OK;
    *raw = 0;
    return rec_fail(at, tag_slot_of(at, row), site, err, LATHE_ERR_UNSUPPORTED,
                    "item %u, which is no object", tag_number_at(at->doc, part, site));
}

lathe_result tag_resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                         lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t part =
        rec_kid(doc, doc->containers[at->layout->container].root, tag_row(TAG_OBJECTS), raw - 1);
    if (part == REC_NO_PART)
        return rec_fail(at, tag_slot_of(at, row), at->off, err, LATHE_ERR_BOUNDS, "no object %llu",
                        (unsigned long long)raw);
    rec_at object = {.doc = doc, .layout = rec_part_root(doc, part), .part = part};
    if (!object.layout)
        return rec_no_memory(err);
    *out = rec_view(&object);
    return LATHE_OK;
}

lathe_result tag_store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                       lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, target.part);
    if (target.off || target.flags & REC_VIEW_ARRAY || target.type != p->root ||
        p->owner != at->doc->containers[at->layout->container].root ||
        p->slot != tag_row(TAG_OBJECTS))
        return rec_fail(at, tag_slot_of(at, row), at->off, err, LATHE_ERR_TYPE,
                        "an object of the file expected");
    *raw = rec_kid_index(at->doc, target.part) + 1;
    return LATHE_OK;
}

const rec_ref tag_pointer_ref = {
    .resolve = tag_resolve, .store = tag_store, .load = load, .put = tag_put_pointer};

/* ---- headers by size ----------------------------------------------------------------------------------- */

#define ARRAY_BODY(bytes)                                                                          \
    {                                                                                              \
        .align = ALIGN, .width = (bytes), .locate = locate, .place = tag_place_data,               \
        .point = tag_point_array, .clear = tag_clear, .count = count, .recount = tag_recount,      \
        .shared = tag_data_shared, .room = tag_data_room                                           \
    }

#define TEXT_BODY(bytes)                                                                           \
    {                                                                                              \
        .align = ALIGN, .width = (bytes), .locate = locate_text, .place = tag_place_data,          \
        .point = tag_point_text, .clear = tag_clear, .shared = tag_data_shared,                    \
        .room = tag_data_room                                                                      \
    }

static const rec_body arrays[] = {ARRAY_BODY(4), ARRAY_BODY(8), ARRAY_BODY(12), ARRAY_BODY(16)};
static const rec_body texts[] = {TEXT_BODY(4), TEXT_BODY(8), TEXT_BODY(12), TEXT_BODY(16)};

/* For members that the game fills: null in a file, whatever their bytes are. */
static lathe_result locate_nothing(const rec_at *at, const rec_field *row, uint64_t site,
                                   uint64_t n, uint32_t *part, uint64_t *off, lathe_error *err)
{
    (void)at, (void)row, (void)site, (void)n, (void)part, (void)err;
    *off = LATHE_NO_OFFSET;
    return LATHE_OK;
}

static lathe_result count_nothing(const rec_at *at, const rec_field *row, uint64_t site,
                                  uint64_t *n, lathe_error *err)
{
    (void)at, (void)row, (void)site, (void)err;
    *n = 0;
    return LATHE_OK;
}

static lathe_result load_nothing(const rec_at *at, const rec_field *row, uint32_t part,
                                 uint64_t site, uint64_t *raw, lathe_error *err)
{
    (void)at, (void)row, (void)part, (void)site, (void)err;
    *raw = 0;
    return LATHE_OK;
}

const rec_ref tag_unstored_ref = {
    .resolve = tag_resolve, .store = tag_store, .load = load_nothing, .put = tag_put_pointer};

#define UNSTORED_BODY(bytes)                                                                       \
    {                                                                                              \
        .width = (bytes), .locate = locate_nothing, .place = tag_place_data,                       \
        .count = count_nothing                                                                     \
    }
#define UNSTORED_TEXT(bytes)                                                                       \
    {                                                                                              \
        .width = (bytes), .locate = locate_nothing, .place = tag_place_data,                       \
        .point = tag_point_text, .clear = tag_clear                                                \
    }

static const rec_body unstored[] = {UNSTORED_BODY(4), UNSTORED_BODY(8), UNSTORED_BODY(12),
                                    UNSTORED_BODY(16)};
static const rec_body unstored_texts[] = {UNSTORED_TEXT(4), UNSTORED_TEXT(8), UNSTORED_TEXT(12),
                                          UNSTORED_TEXT(16)};

/* The largest header that fits; bytes behind it (inline elements of some arrays) are padding. */
static const rec_body *body_of(const rec_body *bodies, uint32_t size)
{
    return size < 4 ? NULL : &bodies[(size < 16 ? size : 16) / 4 - 1];
}

const rec_body *tag_array_body(uint32_t size)
{
    return body_of(arrays, size);
}

const rec_body *tag_text_body(uint32_t size)
{
    return body_of(texts, size);
}

const rec_body *tag_unstored_body(const rec_body *body)
{
    return body_of(unstored, body->width);
}

const rec_body *tag_unstored_text(const rec_body *text)
{
    return body_of(unstored_texts, text->width);
}
