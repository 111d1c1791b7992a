/* Opens a tagfile: its sections, types and items, and the parts into which DATA is split. */
#include "tagfile/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_section(const uint8_t *bytes, size_t n, const char *name)
{
    return n >= TAG_HEADER && memcmp(bytes + 4, name, 4) == 0;
}

int tag_sniff(const uint8_t *bytes, size_t n)
{
    return is_section(bytes, n, "TAG0") || is_section(bytes, n, "TCM0") ? REC_SNIFF_SURE
                                                                        : REC_SNIFF_NO;
}

/* Sections that a file has once. at 0: not there. */
typedef struct span {
    uint64_t at, end;
} span;

typedef struct opener {
    lathe_doc *doc;
    uint32_t c, part; /* the root part, which is reduced to what is in front of DATA */
    const uint8_t *p; /* the whole file … */
    uint64_t size, start;
    span tag, sdk, data, type, index, items, patches;
    tag_state *state;
    uint64_t *objects; /* offset and number of each object item, sorted by offset */
    uint32_t objects_n, objects_cap;
} opener;

static const char *text_of(const opener *o, uint64_t at, char out[9])
{
    for (int i = 0; i < 8; i++)
        out[i] = o->p[at + (uint64_t)i] > 0x20 && o->p[at + (uint64_t)i] < 0x7F
                     ? (char)o->p[at + (uint64_t)i]
                     : '?';
    out[8] = 0;
    return out;
}

/* ---- sections ------------------------------------------------------------------------------------------ */

static lathe_result list_children(opener *o, span of,
                                  span *(*slot)(opener *o, const tag_section *s), lathe_error *err)
{
    tag_section s;
    uint64_t at = of.at + TAG_HEADER;
    for (;;) {
        lathe_result r = tag_section_next(o->p, of.end, o->start, &at, &s, err);
        if (r != LATHE_OK || !s.size)
            return r;
        span *to = slot(o, &s);
        if (to && !to->at) /* of two with the same name the first is used; check reports it */
            *to = (span){s.at, s.at + s.size};
    }
}

static span *slot_in_tag(opener *o, const tag_section *s)
{
    return tag_section_is(s, "SDKV")                                ? &o->sdk
           : tag_section_is(s, "DATA")                              ? &o->data
           : tag_section_is(s, "TYPE") || tag_section_is(s, "TCRF") ? &o->type
           : tag_section_is(s, "INDX")                              ? &o->index
                                                                    : NULL;
}

static span *slot_in_index(opener *o, const tag_section *s)
{
    return tag_section_is(s, "ITEM") ? &o->items : tag_section_is(s, "PTCH") ? &o->patches : NULL;
}

static lathe_result refuse_compendium(const opener *o, lathe_error *err)
{
    char id[9];
    if (o->type.end - o->type.at < TAG_HEADER + 8)
        return error_set(err, LATHE_ERR_BOUNDS, o->start + o->type.at,
                         "TCRF: the id of a compendium takes 8 bytes, %llu are there",
                         (unsigned long long)(o->type.end - o->type.at - TAG_HEADER));
    const uint8_t *p = o->p + o->type.at + TAG_HEADER;
    return error_set(err, LATHE_ERR_UNSUPPORTED, o->start + o->type.at,
                     "its types are in another file: it needs the compendium %08X%08X (%s)",
                     bytes_ld32(p, true), bytes_ld32(p + 4, true),
                     text_of(o, o->type.at + TAG_HEADER, id));
}

static lathe_result missing(const opener *o, const char *name, uint64_t in, lathe_error *err)
{
    return error_set(err, LATHE_ERR_INVALID, o->start + in, "there is no section %s", name);
}

static lathe_result read_sections(opener *o, lathe_error *err)
{
    tag_section s;
    uint64_t at = 0;
    if (!is_section(o->p, (size_t)o->size, "TAG0") && !is_section(o->p, (size_t)o->size, "TCM0"))
        return error_set(err, LATHE_ERR_FORMAT, o->start, "not a Havok tagfile");
    if (is_section(o->p, (size_t)o->size, "TCM0"))
        return error_set(err, LATHE_ERR_UNSUPPORTED, o->start,
                         "a compendium (TCM0): it has types for other files, and no objects");
    uint64_t says = bytes_ld32(o->p, true) & 0x3FFFFFFF;
    if (says > o->size)
        return error_set(err, LATHE_ERR_BOUNDS, o->start,
                         "TAG0: the file is cut off: it says %llu bytes, %llu are there",
                         (unsigned long long)says, (unsigned long long)o->size);
    lathe_result r = tag_section_next(o->p, o->size, o->start, &at, &s, err);
    if (r != LATHE_OK)
        return r;
    o->tag = (span){s.at, s.at + s.size};
    r = list_children(o, o->tag, slot_in_tag, err);
    if (r == LATHE_OK && !o->data.at)
        return missing(o, "DATA", 0, err);
    if (r == LATHE_OK && !o->type.at)
        return missing(o, "TYPE", 0, err);
    if (r == LATHE_OK && is_section(o->p + o->type.at, TAG_HEADER, "TCRF"))
        return refuse_compendium(o, err);
    if (r == LATHE_OK && !o->index.at)
        return missing(o, "INDX", 0, err);
    if (r == LATHE_OK)
        r = list_children(o, o->index, slot_in_index, err);
    if (r == LATHE_OK && !o->items.at)
        return missing(o, "ITEM", o->index.at, err);
    if (r == LATHE_OK && (o->type.at < o->data.at || o->index.at < o->type.at ||
                          (o->patches.at && o->patches.at < o->items.at)))
        return error_set(
            err, LATHE_ERR_UNSUPPORTED, o->start,
            "sections in an order that lathe does not know: DATA, TYPE, INDX expected, and in "
            "it ITEM, PTCH");
    return r;
}

/* The SDK's version as a number: 20150100; 0 if it is not a number. */
static int64_t version_of(const opener *o)
{
    int64_t v = 0;
    for (uint64_t at = o->sdk.at + TAG_HEADER; o->sdk.at && at < o->sdk.end && at < o->sdk.at + 16;
         at++) {
        if (o->p[at] < '0' || o->p[at] > '9')
            return 0;
        v = 10 * v + (o->p[at] - '0');
    }
    return v;
}

/* Pointer size in bytes: that of the first pointer type. */
static uint8_t pointer_size(const tag_types *types)
{
    for (uint32_t i = 1; i < types->count; i++)
        if (tag_kind_of(&types->all[i]) == TAG_POINTER && types->all[i].is.has_size)
            return types->all[i].is.size == 4 ? 4 : 8;
    return 8;
}

/* ---- items --------------------------------------------------------------------------------------------- */

static lathe_result bad_item(const opener *o, uint32_t i, lathe_error *err, lathe_result code,
                             const char *fmt, ...) ERROR_PRINTF(5, 6);

static lathe_result bad_item(const opener *o, uint32_t i, lathe_error *err, lathe_result code,
                             const char *fmt, ...)
{
    char text[160];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return error_set(err, code, o->start + o->items.at + TAG_HEADER + (uint64_t)i * TAG_ITEM_SIZE,
                     "ITEM: item %u: %s", i, text);
}

static lathe_result read_item(opener *o, uint32_t i, uint64_t have, lathe_error *err)
{
    const uint8_t *p = o->p + o->items.at + TAG_HEADER + (uint64_t)i * TAG_ITEM_SIZE;
    const tag_types *types = o->state->types;
    uint32_t word = bytes_ld32(p, false), offset = bytes_ld32(p + 4, false);
    tag_item item = {word & TAG_ITEM_TYPE, word >> 24, offset, bytes_ld32(p + 8, false)};
    if (!item.kind) /* an empty item, like the first */
        return LATHE_OK;
    if (item.type >= types->count || !item.type)
        return bad_item(o, i, err, LATHE_ERR_INVALID, "it is of type %u, there are %u", item.type,
                        types->count - 1);
    if (offset > have)
        return bad_item(o, i, err, LATHE_ERR_BOUNDS, "it lies at 0x%x of DATA's 0x%llx bytes",
                        offset, (unsigned long long)have);
    if (item.count && !types->all[item.type].is.has_size)
        return bad_item(o, i, err, LATHE_ERR_INVALID, "its type %u has no size", item.type);
    uint64_t size = tag_item_size(types, &item);
    if (size > have - offset)
        return bad_item(o, i, err, LATHE_ERR_BOUNDS,
                        "it takes 0x%llx bytes, DATA has 0x%llx from there on",
                        (unsigned long long)size, (unsigned long long)(have - offset));
    if (item.kind & TAG_OBJECT)
        o->objects[o->objects_n++] = (uint64_t)offset << 32 | i;
    return LATHE_OK;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Sorts the starts of objects; of several at one offset the first is used. */
static void sort_objects(opener *o)
{
    bool sorted = true;
    uint32_t n = 0;
    for (uint32_t i = 1; i < o->objects_n; i++)
        sorted = sorted && o->objects[i] > o->objects[i - 1];
    if (!sorted)
        qsort(o->objects, o->objects_n, sizeof *o->objects, by_key);
    for (uint32_t i = 0; i < o->objects_n; i++)
        if (!n || o->objects[i] >> 32 != o->objects[n - 1] >> 32)
            o->objects[n++] = o->objects[i];
    o->objects_n = n;
}

static lathe_result read_items(opener *o, lathe_error *err)
{
    uint64_t payload = o->items.end - o->items.at - TAG_HEADER,
             have = o->data.end - o->data.at - TAG_HEADER;
    uint32_t n = (uint32_t)(payload / TAG_ITEM_SIZE);
    lathe_result r = LATHE_OK;
    if (payload % TAG_ITEM_SIZE)
        return error_set(err, LATHE_ERR_BOUNDS, o->start + o->items.at,
                         "ITEM: %llu bytes, which is no multiple of %d",
                         (unsigned long long)payload, TAG_ITEM_SIZE);
    o->objects_cap = n + 1;
    o->objects = mem_alloc(&o->doc->mem, o->objects_cap * sizeof *o->objects);
    if (!o->objects)
        return rec_no_memory(err);
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++)
        r = read_item(o, i, have, err);
    sort_objects(o);
    return r;
}

/* Checks the groups of PTCH: a type, a count and that many offsets, up to the end or to a type 0. */
static lathe_result read_patches(const opener *o, lathe_error *err)
{
    uint64_t at = o->patches.at + TAG_HEADER, end = o->patches.end;
    if (!o->patches.at)
        return LATHE_OK;
    while (end - at >= 4 && bytes_ld32(o->p + at, false)) {
        uint32_t n = end - at >= 8 ? bytes_ld32(o->p + at + 4, false) : UINT32_MAX;
        if (end - at < 8 || n > (end - at - 8) / 4)
            return error_set(err, LATHE_ERR_BOUNDS, o->start + at,
                             "PTCH: the patches of type %u do not fit into %llu bytes",
                             bytes_ld32(o->p + at, false), (unsigned long long)(end - at));
        at += 8 + 4 * (uint64_t)n;
    }
    return LATHE_OK;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static uint64_t size_of_object(void *user, uint64_t i)
{
    const opener *o = user;
    uint64_t at = o->objects[i] >> 32, have = o->data.end - o->data.at - TAG_HEADER;
    return (i + 1 < o->objects_n ? o->objects[i + 1] >> 32 : have) - at;
}

/* Adds the next part of the file, up to `end`. */
static lathe_result add(opener *o, tag_part which, uint64_t *at, uint64_t end, lathe_error *err)
{
    const rec_field *row = rec_row(format_tagfile.root, tag_row(which));
    const rec_layout *layout = rec_layout_of(o->doc, o->c, rec_part_type(row));
    if (!layout)
        return rec_no_memory(err);
    lathe_result r = rec_split_one(o->doc, o->part, *at, tag_row(which), end - *at, layout, err);
    *at = end;
    return r;
}

/* The end of the last item. The 0 to 15 bytes of padding behind it have their own part. */
static uint64_t data_end(const opener *o, uint64_t from)
{
    uint64_t end = o->data.end, last = from;
    uint32_t n = (uint32_t)((o->items.end - o->items.at - TAG_HEADER) / TAG_ITEM_SIZE);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *p = o->p + o->items.at + TAG_HEADER + (uint64_t)i * TAG_ITEM_SIZE;
        tag_item item = {bytes_ld32(p, false) & TAG_ITEM_TYPE, p[3], bytes_ld32(p + 4, false),
                         bytes_ld32(p + 8, false)};
        uint64_t to = o->data.at + TAG_HEADER + item.offset + tag_item_size(o->state->types, &item);
        last = item.kind && to > last ? to : last;
    }
    for (uint64_t at = last; at < end; at++)
        if (end - last >= 16 || o->p[at])
            return end;
    return last;
}

static lathe_result split(opener *o, lathe_error *err)
{
    uint64_t data = o->data.at + TAG_HEADER, at = data, objects;
    uint64_t first = o->objects_n ? data + (o->objects[0] >> 32) : o->data.end;
    uint64_t items_end = o->items.end, patches = o->patches.at ? o->patches.at : items_end;
    uint64_t patches_end = o->patches.at ? o->patches.end : items_end;
    lathe_result r = add(o, TAG_DATA, &at, first, err);
    if (r == LATHE_OK && o->objects_n)
        r = rec_split_sizes(o->doc, o->part, at, tag_row(TAG_OBJECTS), o->objects_n, size_of_object,
                            o, &objects, err);
    if (r != LATHE_OK)
        return r;
    at = o->objects_n ? data_end(o, data + (o->objects[o->objects_n - 1] >> 32)) : o->data.end;
    if (o->objects_n) /* the padding is taken off the last object, which extends to the end */
        rec_part_of(o->doc, (uint32_t)o->doc->parts_n - 1)->size -= o->data.end - at;
    r = add(o, TAG_DATA_END, &at, o->data.end, err);
    if (r == LATHE_OK)
        r = add(o, TAG_TYPES, &at, o->items.at, err);
    if (r == LATHE_OK)
        r = add(o, TAG_ITEMS, &at, items_end, err);
    if (r == LATHE_OK)
        r = add(o, TAG_BETWEEN, &at, patches, err);
    if (r == LATHE_OK)
        r = add(o, TAG_PATCHES, &at, patches_end, err);
    if (r == LATHE_OK)
        r = add(o, TAG_INDEX_REST, &at, o->index.end, err);
    if (r == LATHE_OK)
        r = add(o, TAG_REST, &at, o->tag.end, err);
    if (r == LATHE_OK)
        r = add(o, TAG_TRAILING, &at, o->size, err);
    rec_part_of(o->doc, o->part)->size = data;
    return r;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static lathe_result make_state(opener *o, lathe_error *err)
{
    rec_container *k = &o->doc->containers[o->c];
    k->index = mem_zalloc(&o->doc->mem, sizeof(tag_state));
    if (!k->index)
        return rec_no_memory(err);
    k->index_size = sizeof(tag_state);
    o->state = k->index;
    o->state->index_at = o->index.at - o->data.end;
    o->state->type_at = o->type.at - o->data.end;
    o->state->type_size = o->type.end - o->type.at;
    lathe_result r = tag_types_read(o->doc, o->p + o->type.at, o->type.end - o->type.at,
                                    o->start + o->type.at, &o->state->types, err);
    if (r == LATHE_OK)
        o->state->types->rows_left = o->size / 8 + TAG_ROWS_LEAST;
    return r;
}

lathe_result tag_open(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint32_t part = doc->containers[c].root;
    const rec_part *p = rec_part_of(doc, part);
    opener o = {.doc = doc, .c = c, .part = part, .p = p->data, .size = p->size};
    o.start = rec_encoded(doc, part, 0);
    lathe_result r = read_sections(&o, err);
    if (r == LATHE_OK)
        r = make_state(&o, err);
    if (r == LATHE_OK)
        r = rec_arrange(doc, c, false, pointer_size(o.state->types), version_of(&o), err);
    if (r == LATHE_OK)
        r = tag_list_begin(doc, c, err);
    if (r == LATHE_OK)
        r = read_items(&o, err);
    if (r == LATHE_OK)
        r = read_patches(&o, err);
    if (r == LATHE_OK)
        r = split(&o, err);
    mem_free(&doc->mem, o.objects, o.objects_cap * sizeof *o.objects);
    return r;
}
