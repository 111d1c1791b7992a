/* Records of a document as they are written anew, from their fields: what lies between those is zeros,
 * whatever the file has there. */
#include "havok/packfile/from_doc.h"
#include "havok/packfile/rel_array.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- places --------------------------------------------------------------------------------------------- */

uint64_t hk_object_of(const hk_doc_reader *r, uint64_t position)
{
    uint64_t lo = 0, hi = r->count;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (r->starts[mid] <= position)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && position <= r->data ? lo - 1 : r->count;
}

/* The part and offset of a position that lies in some object. */
static bool place_of(const hk_doc_reader *r, uint64_t position, uint32_t *part, uint64_t *off)
{
    uint64_t i = hk_object_of(r, position);
    if (i == r->count)
        return false;
    *part = r->parts[i];
    *off = position - r->starts[i];
    return *off <= r->doc->parts[*part].size;
}

/* What was read is taken off what may be. */
static lathe_result spend(hk_doc_reader *r, const rec_at *at, uint32_t slot, uint64_t n,
                          lathe_error *err)
{
    if (n > r->left)
        return rec_fail(
            at, slot, at->off, err, LATHE_ERR_LIMIT,
            "data are shared so often that copies of them would take many times the file's size");
    r->left -= n;
    return LATHE_OK;
}

/* ---- structs ----------------------------------------------------------------------------------------------- */

static bool in_from(const hk_doc_reader *r, const rec_field *row)
{
    return rec_in_version(row, r->layout->version);
}

/* Whether records of a layout have the row, which depends on the version and the pointer size. */
static bool has_row(const rec_slot *s, int64_t version)
{
    return !s->never && rec_in_version(s->row, version);
}

static uint64_t position_of(const hk_record *r, uint32_t slot)
{
    return r->place + r->at.layout->slots[slot].off;
}

static const uint8_t *bytes_of(const rec_at *at, uint64_t off)
{
    return at->doc->parts[at->part].data + off;
}

/* How many elements a head counts. */
static int32_t counted(const hk_doc_reader *rd, const hk_record *r, uint32_t slot)
{
    const rec_slot *s = &r->at.layout->slots[slot];
    if (rec_row_body(s->row) == &hk_rel_body)
        return bytes_ld16(bytes_of(&r->at, r->at.off + s->off), rd->layout->big);
    uint64_t off = r->at.off + r->at.layout->slots[slot].off + rd->layout->pointer;
    return (int32_t)bytes_ld32(bytes_of(&r->at, off), rd->layout->big);
}

static void tell(const hk_doc_reader *rd, const hk_record *r, uint32_t slot, const char *fmt, ...)
    ERROR_PRINTF(4, 5);

/* What the written file has not, or has otherwise. */
static void tell(const hk_doc_reader *rd, const hk_record *r, uint32_t slot, const char *fmt, ...)
{
    char path[256], reason[128];
    va_list args;
    if (!rd->report->skipped)
        return;
    va_start(args, fmt);
    vsnprintf(reason, sizeof reason, fmt, args);
    va_end(args);
    rec_path(&r->at, slot, REC_NO_ITEM, path, sizeof path);
    rd->report->skipped(rd->report->user, path, reason);
}

/* A row that the file which is written has no place for: it should hold nothing. */
static lathe_result leave_out(hk_writer *w, const hk_record *r, uint32_t slot, lathe_error *err)
{
    hk_doc_reader *rd = hk_doc_reader_of(w);
    const rec_slot *s = &r->at.layout->slots[slot];
    uint32_t target;
    uint64_t raw = 0;
    bool empty = true;
    lathe_result result = LATHE_OK;
    if (s->row->kind == REC_POINTER || (s->row->text && !s->array))
        empty = !hk_link_find(&rd->global, position_of(r, slot), &target) &&
                !hk_link_find(&rd->local, position_of(r, slot), &target);
    else if (s->row->body)
        empty = counted(rd, r, slot) == 0;
    else if (rec_width(s->row->kind) && !s->array)
        result = rec_default(&r->at, slot, &raw, err);
    if (result == LATHE_OK && rec_width(s->row->kind) && !s->array && !s->row->body)
        empty = rec_load(s, bytes_of(&r->at, r->at.off + s->off)) == raw;
    if (result != LATHE_OK || empty)
        return result;
    if (!rd->report)
        return rec_fail(&r->at, slot, r->at.off, err, LATHE_ERR_UNSUPPORTED,
                        "files of that game have no such field, and it is not empty");
    tell(rd, r, slot, "files of %s have no such field",
         hk_game_of(w->head->version, w->head->pointer));
    return LATHE_OK;
}

/* What stands for a value that a version has no name for: games go by the class, and what was additive before 2014
 * is called deprecated since. */
static const struct {
    const char *class_name, *row, *was, *is; /* was: NULL for any */
} stand_ins[] = {
    {"hkaAnimationBinding", "blend_hint", "additive_deprecated", "additive"},
    {"hkaSplineCompressedAnimation", "type", NULL, "spline_compressed"},
    {"hkaInterleavedUncompressedAnimation", "type", NULL, "interleaved"},
};

static bool find_stand_in(const hk_doc_reader *rd, const hk_record *r, uint32_t slot,
                          const lathe_value *was, uint64_t *raw)
{
    const char *class_name = rec_type_name(r->at.layout->type),
               *row = r->at.layout->slots[slot].name;
    for (size_t i = 0; rd->report && i < REC_COUNT_OF(stand_ins); i++) {
        const char *is = stand_ins[i].is;
        const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {is, strlen(is)}};
        if (strcmp(stand_ins[i].class_name, class_name) != 0 ||
            strcmp(stand_ins[i].row, row) != 0 ||
            (stand_ins[i].was && !rec_text_is(was, stand_ins[i].was)) ||
            rec_encode(&r->to, slot, &v, raw, NULL) != LATHE_OK)
            continue;
        tell(rd, r, slot, "'%.*s' became '%s'", (int)was->as.s.n, was->as.s.p, is);
        return true;
    }
    return false;
}

/* Converts a value of an enumeration that versions number differently by its name, and a number of another row (`from`). */
static lathe_result renumber(const hk_doc_reader *rd, const hk_record *r, uint32_t from,
                             uint32_t slot, uint64_t *raw, lathe_error *err)
{
    lathe_value v;
    lathe_result result = rec_decode(&r->at, from, *raw, true, &v, err);
    if (result == LATHE_OK && v.kind != LATHE_KIND_STRING && from != slot)
        return rec_encode(&r->to, slot, &v, raw, err);
    if (result != LATHE_OK || v.kind != LATHE_KIND_STRING)
        return result;
    if (rec_encode(&r->to, slot, &v, raw, NULL) == LATHE_OK || find_stand_in(rd, r, slot, &v, raw))
        return LATHE_OK;
    return rec_fail(&r->at, slot, r->at.off, err, LATHE_ERR_UNSUPPORTED,
                    "files of that game have no '%.*s' here", (int)v.as.s.n, v.as.s.p);
}

static lathe_result copy_rows(hk_writer *w, const hk_record *r, lathe_error *err);

/* As many numbers or bytes as the row says, in the struct itself. */
static void copy_in_line(hk_writer *w, const hk_record *r, uint32_t slot)
{
    const rec_slot *to = &r->to.layout->slots[slot], *from = &r->at.layout->slots[slot];
    unsigned width = rec_width(to->row->kind);
    uint8_t *q = w->maker->parts[w->data].data + r->to.off + to->off;
    width = width ? width : 1;
    bytes_copy_swap(q, bytes_of(&r->at, r->at.off + from->off), (size_t)to->row->n, width,
                    width > 1 && to->big != from->big);
}

/* A fixed number of records in the struct itself. */
static lathe_result copy_records(hk_writer *w, const hk_record *r, uint32_t slot, lathe_error *err)
{
    const rec_slot *to = &r->to.layout->slots[slot];
    hk_record one;
    hk_list all;
    lathe_result result = r->feed->list(w, r, slot, &all, err);
    for (uint64_t i = 0; result == LATHE_OK && i < all.count; i++) {
        result = r->feed->item(w, r, slot, &all, i, r->to.off + to->off + i * to->elem, &one, err);
        if (result == LATHE_OK)
            result = copy_rows(w, &one, err);
    }
    return result;
}

/* The source's row of the same name if the written record has another: an integer of pointer size, or one that versions
 * store differently. REC_NO_SLOT: none. */
static uint32_t other_row(const hk_doc_reader *rd, const hk_record *r, uint32_t slot)
{
    uint32_t same = r->at.layout->slots[slot].same;
    const rec_slot *s = &r->at.layout->slots[same];
    return same != slot && has_row(s, rd->layout->version) && rec_width(s->row->kind) &&
                   !s->array && !s->row->body
               ? same
               : REC_NO_SLOT;
}

/* Copies a number from the row `from` of the source. */
static lathe_result copy_number(hk_writer *w, const hk_record *r, uint32_t from, uint32_t slot,
                                lathe_error *err)
{
    const hk_doc_reader *rd = hk_doc_reader_of(w);
    const rec_slot *to = &r->to.layout->slots[slot], *have = &r->at.layout->slots[from];
    uint64_t raw = rec_load(have, bytes_of(&r->at, r->at.off + have->off));
    bool wide = to->row->code == HK_KIND_ULONG; /* truncated or zero-extended */
    bool by_name = rec_row_rare(to->row)->names_in && rd->layout->version != w->head->version;
    lathe_result result =
        by_name || (from != slot && !wide) ? renumber(rd, r, from, slot, &raw, err) : LATHE_OK;
    if (result == LATHE_OK)
        rec_store(to, w->maker->parts[w->data].data + r->to.off + to->off, raw);
    return result;
}

static lathe_result copy_row(hk_writer *w, const hk_record *r, uint32_t slot, lathe_error *err)
{
    hk_doc_reader *rd = hk_doc_reader_of(w);
    const rec_slot *to = &r->to.layout->slots[slot], *from = &r->at.layout->slots[slot];
    const rec_field *row = to->row;
    bool has = has_row(from, rd->layout->version), wants = has_row(to, w->head->version);
    uint64_t raw;
    lathe_result result = LATHE_OK;
    if (rec_unstored(row) || (!has && !wants))
        return LATHE_OK;
    if (!wants)
        return has_row(&r->to.layout->slots[to->same], w->head->version)
                   ? LATHE_OK
                   : leave_out(w, r, slot, err);
    if (row->kind == REC_RECORD && !row->body && has && to->array)
        return copy_records(w, r, slot, err);
    if (row->kind == REC_RECORD && !row->body && has) {
        hk_record sub;
        result = r->feed->sub(w, r, slot, &sub, err);
        return result == LATHE_OK ? copy_rows(w, &sub, err) : result;
    }
    if (has && row->n && (rec_width(row->kind) || row->kind == REC_BYTES)) {
        copy_in_line(w, r, slot);
        return LATHE_OK;
    }
    if (!rec_width(row->kind) || row->body)
        return LATHE_OK;
    uint32_t at = has ? slot : other_row(rd, r, slot);
    if (at != REC_NO_SLOT && !to->array)
        return copy_number(w, r, at, slot, err);
    result = rec_default(&r->to, slot, &raw, err);
    if (result == LATHE_OK && !to->array)
        rec_store(to, w->maker->parts[w->data].data + r->to.off + to->off, raw);
    return result;
}

static lathe_result copy_rows(hk_writer *w, const hk_record *r, lathe_error *err)
{
    lathe_result result = LATHE_OK;
    for (uint32_t slot = 0; result == LATHE_OK && slot < r->to.layout->count; slot++)
        result = copy_row(w, r, slot, err);
    return result;
}

static lathe_result put(hk_writer *w, const hk_record *r, lathe_error *err)
{
    return hk_room(w, r->to.layout->size) ? copy_rows(w, r, err) : hk_full(w, err);
}

static lathe_result sub(hk_writer *w, const hk_record *r, uint32_t slot, hk_record *out,
                        lathe_error *err)
{
    const rec_slot *to = &r->to.layout->slots[slot], *from = &r->at.layout->slots[slot];
    (void)w;
    (void)err;
    *out = (hk_record){.feed = r->feed, .place = r->place + from->off};
    out->to = rec_child(&r->to, slot, to->sub, r->to.part, r->to.off + to->off, 0);
    out->at = rec_child(&r->at, slot, from->sub, r->at.part, r->at.off + from->off, 0);
    return LATHE_OK;
}

/* ---- what heads lead to --------------------------------------------------------------------------------------- */

/* The text whose head is at a position. */
static lathe_result read_text(hk_doc_reader *rd, const rec_at *at, uint32_t slot, uint64_t position,
                              hk_list *out, lathe_error *err)
{
    uint32_t target, part;
    uint64_t off;
    *out = (hk_list){0};
    if (!hk_link_find(&rd->local, position, &target))
        return LATHE_OK;
    if (!place_of(rd, target, &part, &off))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_BOUNDS,
                        "points to 0x%x, outside of the objects", target);
    const rec_part *p = &rd->doc->parts[part];
    const uint8_t *end = p->size > off ? memchr(p->data + off, 0, (size_t)(p->size - off)) : NULL;
    if (!end)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_BOUNDS, "text without an end");
    out->p = (const char *)p->data + off;
    out->count = (uint64_t)(end - (p->data + off));
    return spend(rd, at, slot, out->count + 1, err);
}

/* Its elements lie behind it in the same object. */
static lathe_result read_rel(hk_doc_reader *rd, const hk_record *r, uint32_t slot, hk_list *out,
                             lathe_error *err)
{
    rec_loc loc = {.count = 0};
    lathe_result result = rec_find(&r->at, slot, &loc, err);
    *out = (hk_list){.count = loc.count};
    if (result != LATHE_OK || !loc.count)
        return result;
    out->place = r->place + (loc.data - r->at.off);
    out->at = rec_child(&r->at, slot, r->at.layout->slots[slot].sub, loc.data_part, loc.data, 0);
    out->p = (const char *)bytes_of(&out->at, loc.data);
    return spend(rd, &r->at, slot, out->count * r->at.layout->slots[slot].elem, err);
}

/* Its elements must lie in one object, whichever. */
static lathe_result read_array(hk_doc_reader *rd, const hk_record *r, uint32_t slot, hk_list *out,
                               lathe_error *err)
{
    const rec_slot *s = &r->at.layout->slots[slot];
    int32_t n = counted(rd, r, slot);
    uint32_t target, part;
    uint64_t off, site = r->at.off + s->off;
    *out = (hk_list){.count = (uint64_t)n};
    if (n == 0)
        return LATHE_OK;
    if (n < 0)
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_INVALID, "negative count %d", n);
    if (!hk_link_find(&rd->local, position_of(r, slot), &target))
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_INVALID,
                        "its count is not 0, but its pointer is null");
    if (!place_of(rd, target, &part, &off))
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_BOUNDS,
                        "points to 0x%x, outside of the objects", target);
    uint64_t left = rd->doc->parts[part].size - off;
    if (out->count > left / s->elem)
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_BOUNDS,
                        "%d elements of %llu bytes do not fit into %llu bytes", n,
                        (unsigned long long)s->elem, (unsigned long long)left);
    out->place = target;
    out->at = rec_child(&r->at, slot, s->sub, part, off, 0);
    out->p = (const char *)bytes_of(&out->at, off);
    return spend(rd, &r->at, slot, out->count * s->elem, err);
}

/* Bytes mean something only in the byte order that they were written in, which a clip tells. */
static lathe_result check_order(const hk_writer *w, const hk_record *r, uint32_t slot,
                                lathe_error *err)
{
    const hk_doc_reader *rd = hk_doc_reader_of(w);
    if (rd->layout->big == w->head->big || (rec_int(&r->at, "endian") != 0) == w->head->big)
        return LATHE_OK;
    return rec_fail(&r->at, slot, r->at.off, err, LATHE_ERR_UNSUPPORTED,
                    "its bytes are big-endian, and lathe cannot convert them");
}

static lathe_result list(hk_writer *w, const hk_record *r, uint32_t slot, hk_list *out,
                         lathe_error *err)
{
    hk_doc_reader *rd = hk_doc_reader_of(w);
    const rec_slot *s = &r->at.layout->slots[slot];
    *out = (hk_list){0};
    if (!in_from(rd, s->row))
        return LATHE_OK;
    if (s->row->text && !s->array)
        return read_text(rd, &r->at, slot, position_of(r, slot), out, err);
    if (!s->row->body) { /* in the struct itself */
        out->count = s->row->n;
        out->place = position_of(r, slot);
        out->at = rec_child(&r->at, slot, s->sub, r->at.part, r->at.off + s->off, 0);
        return LATHE_OK;
    }
    if (rec_row_body(s->row) == &hk_rel_body)
        return read_rel(rd, r, slot, out, err);
    lathe_result result = read_array(rd, r, slot, out, err);
    if (result == LATHE_OK && out->count && s->row->kind == REC_BYTES)
        result = check_order(w, r, slot, err);
    return result;
}

static lathe_result text(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, hk_list *out, lathe_error *err)
{
    uint64_t elem = r->at.layout->slots[slot].elem;
    return read_text(hk_doc_reader_of(w), &r->at, slot, l->place + i * elem, out, err);
}

static lathe_result no_object(const rec_at *at, uint32_t slot, uint32_t target, lathe_error *err)
{
    return rec_fail(at, slot, at->off, err, LATHE_ERR_INVALID,
                    "points to 0x%x, where no object begins", target);
}

static lathe_result pointer(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                            uint64_t i, uint64_t *number, lathe_error *err)
{
    hk_doc_reader *rd = hk_doc_reader_of(w);
    uint64_t position = l ? l->place + i * rd->layout->pointer : position_of(r, slot);
    uint32_t target;
    *number = 0;
    if (!in_from(rd, r->at.layout->slots[slot].row) ||
        (!hk_link_find(&rd->global, position, &target) &&
         !hk_link_find(&rd->local, position, &target)))
        return LATHE_OK;
    uint64_t object = hk_object_of(rd, target);
    if (object == rd->count || rd->starts[object] != target)
        return no_object(&r->at, slot, target, err);
    *number = object + 1;
    return LATHE_OK;
}

static lathe_result item(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, uint64_t to, hk_record *out, lathe_error *err)
{
    uint64_t skip = i * r->at.layout->slots[slot].elem;
    (void)err;
    *out = (hk_record){.feed = r->feed, .place = l->place + skip};
    out->to = rec_child(&r->to, slot, r->to.layout->slots[slot].sub, w->data, to, i);
    out->at = rec_child(&r->at, slot, l->at.layout, l->at.part, l->at.off + skip, i);
    return LATHE_OK;
}

/* ---- elements in bulk ------------------------------------------------------------------------------------------- */

/* The bytes of each number, where a record is nothing but numbers of one width, without gaps; else 0. */
static unsigned width_of(const rec_layout *l)
{
    unsigned width = 0;
    uint64_t end = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const rec_slot *s = &l->slots[i];
        unsigned one = s->sub ? width_of(s->sub) : rec_width(s->row->kind);
        if (rec_unstored(s->row))
            continue;
        if (!one || s->array || s->off != end || (width && one != width) ||
            rec_row_rare(s->row)->names_in)
            return 0;
        width = one;
        end += s->size;
    }
    return end == l->size ? width : 0;
}

static lathe_result plain(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                          lathe_error *err)
{
    const rec_slot *to = &r->to.layout->slots[slot], *from = &r->at.layout->slots[slot];
    unsigned width = to->sub                           ? width_of(to->sub)
                     : rec_row_rare(to->row)->names_in ? 0
                                                       : rec_width(to->row->kind);
    uint64_t start = hk_size(w), bytes = l->count * to->elem;
    if (width && to->elem == from->elem && to->big == from->big)
        return hk_append(w, l->p, bytes, err);
    if (!hk_room(w, bytes))
        return hk_full(w, err);
    if (width && to->elem == from->elem) {
        bytes_copy_swap(w->maker->parts[w->data].data + start, (const uint8_t *)l->p,
                        (size_t)(bytes / width), width, true);
        return LATHE_OK;
    }
    lathe_result result = LATHE_OK;
    for (uint64_t i = 0; result == LATHE_OK && i < l->count; i++) {
        hk_record one;
        result = item(w, r, slot, l, i, start + i * to->elem, &one, err);
        if (result == LATHE_OK)
            result = copy_rows(w, &one, err);
    }
    return result;
}

const hk_feed hk_doc_feed = {put, sub, list, pointer, text, item, plain};
