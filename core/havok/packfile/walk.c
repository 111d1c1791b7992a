/* The walk over one object that is written: its struct, then what each of its heads leads to, in the order
 * of its members. Where data begin and end is said in layout_rules.c. */
#include "havok/packfile/rel_array.h"
#include "havok/packfile/serialize.h"

/* Positions are 32 bits, and the tables want room behind the data. */
#define MOST_DATA 0xF0000000u

uint64_t hk_size(const hk_writer *w)
{
    return w->maker->parts[w->data].size;
}

lathe_result hk_full(const hk_writer *w, lathe_error *err)
{
    return hk_size(w) > MOST_DATA / 2 ? error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                                                  "a packfile has 32-bit positions: too much data")
                                      : rec_no_memory(err);
}

/* NULL: no room. What is new is not cleared. */
static uint8_t *grow(hk_writer *w, uint64_t n)
{
    rec_part *p = &w->maker->parts[w->data];
    if (p->size > MOST_DATA || n > MOST_DATA - p->size || !rec_part_own(w->maker, p, p->size + n))
        return NULL;
    p->size += n;
    return p->data + (p->size - n);
}

uint8_t *hk_room(hk_writer *w, uint64_t n)
{
    uint8_t *at = grow(w, n);
    if (at && n)
        memset(at, 0, (size_t)n);
    return at;
}

lathe_result hk_append(hk_writer *w, const void *bytes, uint64_t n, lathe_error *err)
{
    uint8_t *at = grow(w, n);
    if (!at)
        return hk_full(w, err);
    if (n)
        memcpy(at, bytes, (size_t)n);
    return LATHE_OK;
}

lathe_result hk_pad(hk_writer *w, uint64_t to, lathe_error *err)
{
    return hk_room(w, to - hk_size(w)) ? LATHE_OK : hk_full(w, err);
}

lathe_result hk_put_local(hk_writer *w, uint64_t source, uint64_t target, lathe_error *err)
{
    uint32_t record[2] = {(uint32_t)source, (uint32_t)target};
    return buf_put(&w->locals, record, sizeof record) ? LATHE_OK : rec_no_memory(err);
}

lathe_result hk_put_global(hk_writer *w, uint64_t source, uint64_t number, lathe_error *err)
{
    hk_global record = {(uint32_t)source, (uint32_t)(number - 1)};
    return buf_put(&w->globals, &record, sizeof record) ? LATHE_OK : rec_no_memory(err);
}

/* ---- heads and data ---------------------------------------------------------------------------------- */

/* The size of an array and, except for simple arrays, its capacity with the flag that it does not own the memory. */
static void put_head(hk_writer *w, const rec_field *row, uint64_t site, uint64_t count)
{
    uint8_t *p = w->maker->parts[w->data].data + site + w->head->pointer;
    bytes_st32(p, (uint32_t)count, w->head->big);
    if (rec_row_body(row) != &hk_simple_body)
        bytes_st32(p + 4, (uint32_t)count | 0x80000000u, w->head->big);
}

/* Of one that counts from its head, in 16 bits each. */
static lathe_result put_rel_head(hk_writer *w, const hk_record *r, uint32_t slot, uint64_t count,
                                 uint64_t start, lathe_error *err)
{
    uint64_t site = r->to.off + r->to.layout->slots[slot].off, off = count ? start - site : 0;
    uint8_t *p = w->maker->parts[w->data].data + site;
    if (off > HK_REL_MOST || count > HK_REL_MOST)
        return rec_fail(&r->to, slot, site, err, LATHE_ERR_RANGE,
                        "%llu elements that begin %llu bytes behind it: both are at most %d",
                        (unsigned long long)count, (unsigned long long)off, HK_REL_MOST);
    bytes_st16(p, (uint16_t)count, w->head->big);
    bytes_st16(p + HK_REL_OFFSET, (uint16_t)off, w->head->big);
    return LATHE_OK;
}

/* Data begin where the rules want them, and the head at `site` leads there. */
static lathe_result begin_data(hk_writer *w, const hk_where *where, uint64_t site, lathe_error *err)
{
    uint64_t start = hk_data_start(where, hk_size(w));
    lathe_result r = hk_pad(w, start, err);
    return r == LATHE_OK ? hk_put_local(w, site, start, err) : r;
}

static lathe_result put_text(hk_writer *w, const hk_where *where, uint64_t site,
                             const hk_list *text, lathe_error *err)
{
    if (!text->p)
        return LATHE_OK;
    lathe_result r = begin_data(w, where, site, err);
    if (r == LATHE_OK)
        r = hk_append(w, text->p, text->count, err);
    if (r == LATHE_OK) /* with the zero that ends it */
        r = hk_pad(w, hk_data_end(where, hk_size(w) + 1), err);
    return r;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

static lathe_result walk_rows(hk_writer *w, const hk_record *r, bool inside, lathe_error *err);

static lathe_result put_texts(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *list,
                              lathe_error *err)
{
    const hk_where where = hk_where_item();
    uint64_t elem = r->to.layout->slots[slot].elem, start = hk_size(w);
    lathe_result result = hk_room(w, list->count * elem) ? LATHE_OK : hk_full(w, err);
    for (uint64_t i = 0; result == LATHE_OK && i < list->count; i++) {
        hk_list text;
        result = r->feed->text(w, r, slot, list, i, &text, err);
        if (result == LATHE_OK)
            result = put_text(w, &where, start + i * elem, &text, err);
    }
    return result;
}

static lathe_result put_pointers(hk_writer *w, const hk_record *r, uint32_t slot,
                                 const hk_list *list, lathe_error *err)
{
    uint64_t start = hk_size(w), number;
    lathe_result result = hk_room(w, list->count * w->head->pointer) ? LATHE_OK : hk_full(w, err);
    for (uint64_t i = 0; result == LATHE_OK && i < list->count; i++) {
        result = r->feed->pointer(w, r, slot, list, i, &number, err);
        if (result == LATHE_OK && number)
            result = hk_put_global(w, start + i * w->head->pointer, number, err);
    }
    return result;
}

/* Elements with data of their own: all of them, then the data of each. */
static lathe_result put_records(hk_writer *w, const hk_record *r, uint32_t slot,
                                const hk_list *list, const hk_where *where, lathe_error *err)
{
    uint64_t elem = r->to.layout->slots[slot].elem, start = hk_size(w);
    lathe_result result = LATHE_OK;
    hk_record item;
    for (uint64_t i = 0; result == LATHE_OK && i < list->count; i++) {
        result = r->feed->item(w, r, slot, list, i, start + i * elem, &item, err);
        if (result == LATHE_OK)
            result = r->feed->put(w, &item, err);
    }
    if (result == LATHE_OK)
        result = hk_pad(w, hk_elements_end(where, hk_size(w)), err);
    for (uint64_t i = 0; result == LATHE_OK && i < list->count; i++) {
        result = r->feed->item(w, r, slot, list, i, start + i * elem, &item, err);
        if (result == LATHE_OK)
            result = walk_rows(w, &item, true, err);
    }
    return result;
}

static lathe_result put_elements(hk_writer *w, const hk_record *r, uint32_t slot,
                                 const hk_list *list, const hk_where *where, lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    if (s->row->kind == REC_BYTES)
        return hk_append(w, list->p, list->count, err);
    if (s->row->text)
        return put_texts(w, r, slot, list, err);
    if (s->row->kind == REC_POINTER)
        return put_pointers(w, r, slot, list, err);
    return s->sub && s->sub->has_out_of_line ? put_records(w, r, slot, list, where, err)
                                             : r->feed->plain(w, r, slot, list, err);
}

/* What a head with an offset leads to. */
static lathe_result walk_rel(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *list,
                             const hk_where *where, lathe_error *err)
{
    uint64_t start = hk_data_start(where, hk_size(w));
    lathe_result result = put_rel_head(w, r, slot, list->count, start, err);
    if (result != LATHE_OK || !list->count)
        return result;
    result = hk_pad(w, start, err);
    if (result == LATHE_OK)
        result = r->feed->plain(w, r, slot, list, err);
    return result == LATHE_OK ? hk_pad(w, hk_data_end(where, hk_size(w)), err) : result;
}

/* What a head leads to. */
static lathe_result walk_data(hk_writer *w, const hk_record *r, uint32_t slot, bool inside,
                              lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    const hk_where where = hk_where_of(s, inside);
    uint64_t site = r->to.off + s->off;
    hk_list list; /* large: filled by whoever has it */
    lathe_result result = r->feed->list(w, r, slot, &list, err);
    if (result != LATHE_OK)
        return result;
    if (list.count && s->row->code == HK_KIND_UNKNOWN)
        return rec_fail(&r->to, slot, site, err, LATHE_ERR_UNSUPPORTED,
                        "%llu elements of an unknown type", (unsigned long long)list.count);
    if (rec_row_body(s->row) == &hk_rel_body)
        return walk_rel(w, r, slot, &list, &where, err);
    if (!where.array)
        return put_text(w, &where, site, &list, err);
    put_head(w, s->row, site, list.count);
    if (!list.count)
        return LATHE_OK;
    result = begin_data(w, &where, site, err);
    if (result == LATHE_OK)
        result = put_elements(w, r, slot, &list, &where, err);
    return result == LATHE_OK ? hk_pad(w, hk_data_end(&where, hk_size(w)), err) : result;
}

/* ---- records ---------------------------------------------------------------------------------------------- */

/* A fixed number of pointers in the struct itself. */
static lathe_result walk_pointers(hk_writer *w, const hk_record *r, uint32_t slot, lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    uint64_t number, site = r->to.off + s->off;
    hk_list list;
    lathe_result result = r->feed->list(w, r, slot, &list, err);
    for (uint64_t i = 0; result == LATHE_OK && i < list.count && i < s->row->n; i++) {
        result = r->feed->pointer(w, r, slot, &list, i, &number, err);
        if (result == LATHE_OK && number)
            result = hk_put_global(w, site + i * s->elem, number, err);
    }
    return result;
}

/* A fixed number of records in the struct itself, with out-of-line data. */
static lathe_result walk_in_line(hk_writer *w, const hk_record *r, uint32_t slot, bool inside,
                                 lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    hk_record item;
    hk_list list;
    lathe_result result = r->feed->list(w, r, slot, &list, err);
    for (uint64_t i = 0; result == LATHE_OK && i < list.count && i < s->row->n; i++) {
        result = r->feed->item(w, r, slot, &list, i, r->to.off + s->off + i * s->elem, &item, err);
        if (result == LATHE_OK)
            result = walk_rows(w, &item, inside, err);
    }
    return result;
}

static lathe_result walk_row(hk_writer *w, const hk_record *r, uint32_t slot, bool inside,
                             lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    hk_record sub;
    uint64_t number;
    lathe_result result;
    if (rec_unstored(s->row) || s->never || !rec_in_version(s->row, w->head->version))
        return LATHE_OK;
    if (s->row->body || s->row->text)
        return walk_data(w, r, slot, inside, err);
    if (s->row->kind == REC_POINTER && s->array)
        return walk_pointers(w, r, slot, err);
    if (s->row->kind == REC_POINTER && (s->row->flags & (REC_PAD | REC_IGNORED)) != REC_PAD) {
        result = r->feed->pointer(w, r, slot, NULL, 0, &number, err);
        return result == LATHE_OK && number ? hk_put_global(w, r->to.off + s->off, number, err)
                                            : result;
    }
    if (s->row->kind == REC_RECORD && s->array && s->sub->has_out_of_line)
        return walk_in_line(w, r, slot, inside, err);
    if (s->row->kind != REC_RECORD || !s->sub->has_out_of_line)
        return LATHE_OK;
    result = r->feed->sub(w, r, slot, &sub, err);
    return result == LATHE_OK ? walk_rows(w, &sub, inside, err) : result;
}

/* As deep as the classes' tables nest records, no deeper. */
static lathe_result walk_rows(hk_writer *w, const hk_record *r, bool inside, lathe_error *err)
{
    lathe_result result = LATHE_OK;
    rec_trail here;
    rec_trail_enter(&here, &r->to);
    for (uint32_t slot = 0; result == LATHE_OK && slot < r->to.layout->count; slot++)
        result = walk_row(w, r, slot, inside, err);
    rec_trail_leave(&here);
    return result;
}

lathe_result hk_walk(hk_writer *w, const hk_record *r, lathe_error *err)
{
    lathe_result result = r->feed->put(w, r, err);
    if (result == LATHE_OK)
        result = hk_pad(w, hk_struct_end(hk_size(w)), err);
    return result == LATHE_OK ? walk_rows(w, r, false, err) : result;
}
