/* Finds rows in the bytes: evaluates conditions, counts, sizes and offsets. Results are stored in the offset cache. */
#include "record/form.h"
#include "record/offset_cache.h"
#include "record/record.h"

#include <stdarg.h>
#include <stdio.h>

static lathe_result slot_offset(const rec_at *at, uint32_t slot, uint64_t *out, lathe_error *err);

/* The offset for an error in the encoded document. If the caller only knows the record's start, tries to find the
 * field. Searches without an error, so that a failing search does not recurse. */
static uint64_t error_place(const rec_at *at, uint32_t slot, uint64_t off)
{
    lathe_doc *doc = at->doc;
    const rec_part *p = &doc->parts[at->part];
    uint64_t found = off;
    if (off == at->off && slot < at->layout->count && !p->scratch && p->state == PART_PLAIN) {
        const rec_field *row = at->layout->slots[slot].row;
        uint32_t kid = row->flags & REC_PART ? rec_kid(doc, at->part, slot, 0) : REC_NO_PART;
        if (kid != REC_NO_PART)
            return rec_encoded(doc, kid, 0);
        if (rec_unstored(row) || row->flags & REC_PART ||
            slot_offset(at, slot, &found, NULL) != LATHE_OK || found > p->size)
            found = off;
    }
    return rec_encoded(doc, at->part, found);
}

/* Appends " (hkaSkeleton)" for an element of a polymorphic array, whose path does not show its type. */
static void add_type(const rec_at *at, char *text, size_t cap)
{
    const rec_part *p = &at->doc->parts[at->part];
    const char *tag, *type;
    size_t n = strlen(text);
    if (p->scratch || !p->root)
        return;
    rec_at top = {.doc = at->doc, .layout = p->root, .part = at->part};
    type = rec_view_tag(rec_view(&top), &tag);
    if (type && !strstr(text, type))
        snprintf(text + n, cap - n, " (%s)", type);
}

lathe_result rec_fail(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err,
                      lathe_result code, const char *fmt, ...)
{
    /* longer than the fields: it is truncated */
    char text[sizeof err->message + 1], where[sizeof err->where + 1];
    if (!err)
        return code; /* nobody reads the error: skip the search for the path */
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    add_type(at, text, sizeof text);
    error_set(err, code, rec_in_form(at->doc) ? LATHE_NO_OFFSET : error_place(at, slot, off), "%s",
              text);
    if (at->doc->path)
        error_path(err, at->doc->path);
    rec_path(at, slot, REC_NO_ITEM, where, sizeof where);
    if (!where[0]) /* the root record itself */
        snprintf(where, sizeof where, "%s", rec_type_name(at->layout->type));
    error_where(err, where);
    return code;
}

static lathe_result too_short(const rec_at *at, uint32_t slot, uint64_t off, uint64_t need,
                              lathe_error *err)
{
    uint64_t size = at->doc->parts[at->part].size;
    if (off > size) { /* the field is at a known offset completely behind the end */
        need += off - size;
        off = size;
    }
    return rec_fail(at, slot, off, err, LATHE_ERR_BOUNDS, "%llu bytes needed, %llu left",
                    (unsigned long long)need, (unsigned long long)(size - off));
}

rec_at rec_child(const rec_at *at, uint32_t slot, const rec_layout *layout, uint32_t part,
                 uint64_t off, uint64_t index)
{
    return (rec_at){.doc = at->doc,
                    .layout = layout,
                    .off = off,
                    .index = index,
                    .part = part,
                    .slot = slot,
                    .depth = at->depth + 1,
                    .parent_part = at->part,
                    .parent_layout = at->layout,
                    .parent_off = at->off};
}

/* ---- conditions and counts --------------------------------------------------------------------- */

static int64_t signed_number(rec_kind kind, uint64_t raw)
{
    unsigned width = rec_width(kind);
    bool is_signed = kind == REC_I8 || kind == REC_I16 || kind == REC_I32;
    if (is_signed && raw >> (8 * width - 1) & 1)
        raw |= ~(uint64_t)0 << (8 * width);
    return (int64_t)raw;
}

/* The number in an integer row; 0 if the row is absent. */
static lathe_result slot_int(const rec_at *at, uint32_t slot, int64_t *out, lathe_error *err)
{
    rec_loc loc;
    const rec_slot *s = &at->layout->slots[slot];
    *out = 0;
    if (rec_row_column(s->row)) {
        rec_at owner;
        uint64_t i, raw;
        lathe_result found = rec_column(at, slot, &owner, &slot, &i, err);
        if (found == LATHE_OK)
            found = rec_raw(&owner, slot, i, &raw, err);
        *out = found == LATHE_OK ? signed_number(owner.layout->slots[slot].row->kind, raw) : 0;
        return found;
    }
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r == LATHE_OK && !loc.present && rec_row_rare(s->row)->get) {
        lathe_value v;
        r = rec_row_rare(s->row)->get(at, s->row, &v, err);
        *out = r == LATHE_OK && v.kind == LATHE_KIND_INT ? v.as.i : 0;
    }
    if (r != LATHE_OK || !loc.present)
        return r;
    uint64_t raw = rec_load(s, at->doc->parts[loc.part].data + loc.off);
    *out = signed_number(s->row->kind, raw);
    return LATHE_OK;
}

int64_t rec_slot_int(const rec_at *at, uint32_t slot)
{
    int64_t v = 0;
    slot_int(at, slot, &v, NULL);
    return v;
}

bool rec_in_version(const rec_field *row, int64_t version)
{
    const rec_condition *c = rec_row_condition(row);
    return !(c->since && version < c->since) && !(c->before && version >= c->before);
}

lathe_result rec_present(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    *yes = !s->never;
    if (!s->conditional || s->never)
        return LATHE_OK;
    *yes = rec_in_version(s->row, at->doc->containers[at->layout->container].version);
    return *yes ? rec_chosen(at, slot, yes, err) : LATHE_OK;
}

lathe_result rec_chosen(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    *yes = true;
    if (!s->row->condition)
        return LATHE_OK;
    const rec_condition *c = rec_row_condition(s->row);
    if (s->when_slot != REC_NO_SLOT) {
        int64_t v;
        lathe_result r = slot_int(at, s->when_slot, &v, err);
        if (r != LATHE_OK)
            return r;
        *yes = c->when_eq ? v == c->when_value : v != 0;
    }
    if (*yes && c->when_fn)
        *yes = c->when_fn(at);
    return LATHE_OK;
}

/* The number of elements, checked only for being a valid count. `left`: the bytes for REC_REST. */
static lathe_result field_count(const rec_at *at, uint32_t slot, uint64_t left, uint64_t *n,
                                lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    const rec_field *row = s->row;
    if (row->n) {
        *n = row->n;
    } else if (s->count_slot != REC_NO_SLOT) {
        int64_t v;
        lathe_result r = slot_int(at, s->count_slot, &v, err);
        if (r != LATHE_OK)
            return r;
        if (v < 0) {
            rec_loc loc;
            rec_find(at, s->count_slot, &loc, NULL);
            return rec_fail(at, s->count_slot, loc.off, err, LATHE_ERR_INVALID,
                            "negative count %lld", (long long)v);
        }
        *n = (uint64_t)v;
    } else if (rec_row_rare(row)->count) {
        *n = rec_row_rare(row)->count(at);
    } else {
        uint64_t elem = rec_slot_of(at, slot)->elem;
        *n = elem && elem != REC_DYNAMIC ? left / elem : 0;
    }
    return LATHE_OK;
}

/* Fails if n elements of at least `least` bytes do not fit into `left`. The number of elements of size 0 is limited
 * by the size of the part, so that a damaged count cannot cause a long loop. */
static lathe_result check_count(const rec_at *at, uint32_t slot, uint64_t off, uint64_t n,
                                uint64_t least, uint64_t left, lathe_error *err)
{
    uint64_t size = at->doc->parts[at->part].size;
    if (least ? n <= left / least : n <= size)
        return LATHE_OK;
    return rec_fail(at, slot, off, err, LATHE_ERR_BOUNDS,
                    "%llu elements of at least %llu bytes do not fit into %llu bytes",
                    (unsigned long long)n, (unsigned long long)(least ? least : 1),
                    (unsigned long long)(least ? left : size));
}

/* ---- sizes ------------------------------------------------------------------------------------- */

/* Measures a string at `off`: the place of its text, and the size of the whole. */
static lathe_result measure_string(const rec_at *at, uint32_t slot, uint64_t off, rec_loc *loc,
                                   lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_field *row = s->row;
    const rec_part *p = &at->doc->parts[at->part];
    uint64_t left = off < p->size ? p->size - off : 0;
    if (row->prefix) {
        unsigned width = (unsigned)(row->prefix < 0 ? -row->prefix : row->prefix);
        if (left < width)
            return too_short(at, slot, off, width, err);
        uint64_t n = bytes_ld(p->data + off, width, s->big);
        if (row->prefix < 0 && n >> (8 * width - 1))
            return rec_fail(at, slot, off, err, LATHE_ERR_INVALID, "negative length %lld",
                            (long long)(n | ~(uint64_t)0 << (8 * width - 1)));
        if (n > left - width)
            return too_short(at, slot, off + width, n, err);
        if (rec_row_rare(row)->limit && n > rec_row_rare(row)->limit)
            return rec_fail(at, slot, off, err, LATHE_ERR_INVALID,
                            "%llu bytes of text, more than the limit of %llu",
                            (unsigned long long)n, (unsigned long long)rec_row_rare(row)->limit);
        *loc = (rec_loc){true, at->part, off, width + n, off + width, n, at->part, NULL};
    } else if (row->size) {
        if (left < row->size)
            return too_short(at, slot, off, row->size, err);
        *loc = (rec_loc){true, at->part, off, row->size, off, row->size, at->part, NULL};
    } else {
        const uint8_t *text = p->data + off,
                      *end = left ? memchr(text, row->term, (size_t)left) : NULL;
        if (!end)
            return rec_fail(at, slot, off, err, LATHE_ERR_BOUNDS, "text without an end");
        uint64_t n = (uint64_t)(end - text);
        *loc = (rec_loc){true, at->part, off, n + 1, off, n, at->part, NULL};
    }
    return LATHE_OK;
}

/* The size of one element at `off` of `part`. */
static lathe_result measure_element(const rec_at *at, uint32_t slot, uint64_t i, uint64_t off,
                                    uint64_t *size, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (s->elem != REC_DYNAMIC) {
        uint64_t have = at->doc->parts[at->part].size;
        *size = s->elem;
        return off <= have && s->elem <= have - off ? LATHE_OK
                                                    : too_short(at, slot, off, s->elem, err);
    }
    if (s->row->kind == REC_STR) {
        rec_loc loc;
        lathe_result r = measure_string(at, slot, off, &loc, err);
        *size = r == LATHE_OK ? loc.size : 0;
        return r;
    }
    rec_at child = rec_child(at, slot, s->sub, at->part, off, i);
    if (!err)
        return rec_measure(&child, size, NULL);
    rec_trail here; /* errors name the enclosing records */
    rec_trail_enter(&here, at);
    lathe_result r = rec_measure(&child, size, err);
    rec_trail_leave(&here);
    return r;
}

/* Advances from a known element to element i, which may be the count for the end. */
static lathe_result walk_elements(const rec_at *at, uint32_t slot, uint64_t data, uint64_t i,
                                  uint64_t *off, lathe_error *err)
{
    uint64_t k = 0, pos = data, size;
    lathe_result r = LATHE_OK;
    rec_offset_item(at, slot, i, &k, &pos);
    bool walks = k < i;
    if (walks)
        rec_offset_hold(at, slot, data);
    for (; k < i; k++) {
        r = measure_element(at, slot, k, pos, &size, err);
        if (r != LATHE_OK)
            break;
        pos += size;
        rec_offset_note_item(at, slot, data, k + 1, pos);
    }
    if (walks)
        rec_offset_release(at, slot);
    *off = pos;
    return r;
}

static lathe_result locate(const rec_at *at, uint32_t slot, const rec_body *body, rec_loc *loc,
                           lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    loc->data_part = loc->part;
    lathe_result r = body->locate(at, row, loc->off, loc->count, &loc->data_part, &loc->data, err);
    if (r != LATHE_OK || (rec_row_text(row) == body && loc->data == LATHE_NO_OFFSET))
        return r;
    uint64_t size = at->doc->parts[loc->data_part].size;
    if (loc->data > size)
        return rec_fail(at, slot, loc->off, err, LATHE_ERR_BOUNDS,
                        "points to 0x%llx, outside of its %llu bytes",
                        (unsigned long long)loc->data, (unsigned long long)size);
    return LATHE_OK;
}

static lathe_result measure_body(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_body *body = rec_row_body(s->row);
    const rec_part *p = &at->doc->parts[at->part];
    if (p->size - loc->off < loc->size)
        return too_short(at, slot, loc->off, loc->size, err);
    lathe_result r = body->count ? body->count(at, s->row, loc->off, &loc->count, err)
                                 : field_count(at, slot, 0, &loc->count, err);
    if (r == LATHE_OK && loc->count)
        r = locate(at, slot, body, loc, err);
    if (r != LATHE_OK || !loc->count)
        return r;
    uint64_t left = at->doc->parts[loc->data_part].size - loc->data;
    return check_count(at, slot, loc->data, loc->count, s->elem_min, left, err);
}

/* Measures an out-of-line text whose head is at `off` of `part`; loc->data is LATHE_NO_OFFSET if it is null. */
static lathe_result measure_text(const rec_at *at, uint32_t slot, uint32_t part, uint64_t off,
                                 rec_loc *loc, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t have = at->doc->parts[part].size;
    uint64_t head = s->array ? s->elem : s->head; /* an element's head, not the array's */
    *loc = (rec_loc){.present = true, .part = part, .off = off, .size = head};
    if (off > have || have - off < head)
        return too_short(at, slot, off, head, err);
    lathe_result r = locate(at, slot, rec_row_text(s->row), loc, err);
    if (r != LATHE_OK || loc->data == LATHE_NO_OFFSET)
        return r;
    const rec_part *p = &at->doc->parts[loc->data_part];
    const uint8_t *text = loc->data < p->size ? p->data + loc->data : NULL;
    const uint8_t *end = text ? memchr(text, s->row->term, (size_t)(p->size - loc->data)) : NULL;
    if (!end)
        return rec_fail(at, slot, off, err, LATHE_ERR_BOUNDS, "text without an end");
    loc->count = (uint64_t)(end - text);
    return LATHE_OK;
}

/* Finds elements in parts of their own, or the part of a REC_BYTES row. */
static void measure_parts(const rec_at *at, uint32_t slot, rec_loc *loc)
{
    lathe_doc *doc = at->doc;
    uint32_t kid = rec_kid(doc, at->part, slot, 0);
    if (at->layout->slots[slot].row->kind != REC_BYTES) {
        loc->count = rec_kids(doc, at->part, slot);
    } else if (kid != REC_NO_PART) {
        uint64_t size = doc->parts[kid].size;
        *loc = (rec_loc){true, kid, 0, size, 0, size, kid, NULL};
    }
}

/* Elements of a group are at the places of its first array's elements. */
static lathe_result measure_group(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err)
{
    rec_loc first;
    uint32_t anchor = at->layout->slots[slot].anchor;
    lathe_result r = rec_find(at, anchor, &first, err);
    if (r != LATHE_OK)
        return r;
    loc->present = first.present;
    loc->data = first.data;
    loc->count = first.present ? first.count : 0;
    return LATHE_OK;
}

/* Measures a field that starts at `off`. */
static lathe_result measure_field(const rec_at *at, uint32_t slot, uint64_t off, rec_loc *loc,
                                  lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_part *p = &at->doc->parts[at->part];
    bool present;
    lathe_result r = rec_present(at, slot, &present, err);
    *loc = (rec_loc){
        .present = present, .part = at->part, .off = off, .data = off, .data_part = at->part};
    if (r != LATHE_OK || !present)
        return r;
    if (s->varies)
        return rec_no_memory(err);
    if (rec_row_group(s->row))
        return measure_group(at, slot, loc, err);
    if (off > p->size)
        return too_short(at, slot, p->size, off - p->size, err);
    if (s->row->flags & REC_PART) {
        measure_parts(at, slot, loc);
        return LATHE_OK;
    }
    if (s->row->body) {
        loc->size = s->head;
        return measure_body(at, slot, loc, err);
    }
    if (s->row->text && !s->array)
        return measure_text(at, slot, at->part, off, loc, err);
    if (!s->array && s->row->kind != REC_BYTES) {
        if (s->row->kind == REC_STR)
            return measure_string(at, slot, off, loc, err);
        return measure_element(at, slot, 0, off, &loc->size, err);
    }
    r = field_count(at, slot, p->size - off, &loc->count, err);
    if (r == LATHE_OK)
        r = check_count(at, slot, off, loc->count, s->elem_min, p->size - off, err);
    if (r != LATHE_OK)
        return r;
    if (s->elem != REC_DYNAMIC) {
        loc->size = loc->count * s->elem;
        return LATHE_OK;
    }
    uint64_t end;
    r = walk_elements(at, slot, off, loc->count, &end, err);
    loc->size = r == LATHE_OK ? end - off : 0;
    return r;
}

/* Advances *off over a row. Rows of fixed size that are always present are added up without reading them. */
static lathe_result pass_row(const rec_at *at, uint32_t slot, uint64_t *off, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    const rec_part *p = &at->doc->parts[at->part];
    rec_loc loc;
    if (s->never)
        return LATHE_OK;
    if (s->fixed && *off <= p->size && s->size <= p->size - *off) {
        *off += s->size;
        return LATHE_OK;
    }
    lathe_result r = measure_field(at, slot, *off, &loc, err);
    if (r == LATHE_OK && !(s->row->flags & REC_PART))
        *off = loc.off + loc.size;
    return r;
}

/* The offset of a row, for a caller that visits all rows of a record and keeps their offsets in at->known. */
static lathe_result walk_known(const rec_at *at, uint32_t slot, uint64_t *out, lathe_error *err)
{
    rec_offsets *o = at->known;
    if (!o->n)
        o->off[o->n++] = at->off;
    uint32_t k = slot < o->n ? slot : o->n - 1;
    uint64_t off = o->off[k];
    lathe_result r = LATHE_OK;
    for (; r == LATHE_OK && k < slot; k++) {
        r = pass_row(at, k, &off, err);
        if (r == LATHE_OK && o->n == k + 1 && o->n < REC_KEPT)
            o->off[o->n++] = off;
    }
    *out = off;
    return r;
}

/* The offset of a row; slot == count: the end of the record. */
static lathe_result slot_offset(const rec_at *at, uint32_t slot, uint64_t *out, lathe_error *err)
{
    const rec_layout *l = at->layout;
    if (slot == l->count && l->size != REC_DYNAMIC) {
        *out = at->off + l->size;
        return LATHE_OK;
    }
    if (slot < l->count && l->slots[slot].off != REC_DYNAMIC) {
        *out = at->off + l->slots[slot].off;
        return LATHE_OK;
    }
    if (at->depth > REC_DEPTH)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_LIMIT,
                        "records nested deeper than %d", REC_DEPTH);
    if (at->known)
        return walk_known(at, slot, out, err);
    uint32_t k = 0;
    uint64_t off = at->off;
    if (!l->brief)
        rec_offset_row(at, slot, &k, &off);
    lathe_result r = LATHE_OK;
    bool walks = k < slot && !l->brief;
    if (walks)
        rec_offset_hold(at, REC_NO_SLOT, at->off);
    for (; k < slot; k++) {
        r = pass_row(at, k, &off, err);
        if (r != LATHE_OK)
            break;
        if (walks)
            rec_offset_note_row(at, k + 1, off);
    }
    if (walks)
        rec_offset_release(at, REC_NO_SLOT);
    *out = off;
    return r;
}

/* ---- interface to the engine -------------------------------------------------------------------- */

lathe_result rec_find(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    if (at->doc->parts[at->part].state != PART_PLAIN && rec_opaque(at->doc, at->part, NULL)) {
        *loc = (rec_loc){.part = at->part, .off = at->off, .data = at->off, .data_part = at->part};
        return at->doc->parts[at->part].state == PART_UNPARSED ? rec_no_memory(err) : LATHE_OK;
    }
    if (s->fixed && s->off != REC_DYNAMIC && s->row->kind != REC_STR) {
        /* the common case: no other row needs to be read */
        const rec_part *p = &at->doc->parts[at->part];
        uint64_t off = at->off + s->off;
        if (off > p->size || s->size > p->size - off)
            return too_short(at, slot, off, s->size, err);
        *loc = (rec_loc){true,     at->part, off, s->size, off, s->row->n ? s->row->n : s->size,
                         at->part, NULL};
        return LATHE_OK;
    }
    uint64_t off;
    lathe_result r = slot_offset(at, slot, &off, err);
    return r == LATHE_OK ? measure_field(at, slot, off, loc, err) : r;
}

lathe_result rec_elem(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t i,
                      uint64_t *off, uint64_t *size, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (s->elem != REC_DYNAMIC) { /* the count was checked against the available bytes */
        *off = loc->data + i * s->elem;
        *size = s->elem;
        return LATHE_OK;
    }
    lathe_result r = walk_elements(at, slot, loc->data, i, off, err);
    return r == LATHE_OK ? measure_element(at, slot, i, *off, size, err) : r;
}

lathe_result rec_find_present(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err)
{
    lathe_result r = rec_find(at, slot, loc, err);
    if (r == LATHE_OK && !loc->present)
        r = rec_absent(at, slot, loc->off, err);
    return r;
}

lathe_result rec_no_item(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t i,
                         lathe_error *err)
{
    return rec_fail(at, slot, loc->off, err, LATHE_ERR_BOUNDS, "no element %llu of %llu",
                    (unsigned long long)i + 1, (unsigned long long)loc->count);
}

lathe_result rec_find_item(const rec_at *at, uint32_t slot, uint64_t i, rec_loc *item,
                           lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    rec_loc loc;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if (!loc.present || i >= loc.count)
        return rec_no_item(at, slot, &loc, i, err);
    *item = (rec_loc){.present = true, .part = loc.data_part, .data_part = loc.data_part};
    if (s->row->kind == REC_RECORD)
        return LATHE_OK; /* rec_sub finds it, possibly in a part of its own */
    r = rec_elem(at, slot, &loc, i, &item->off, &item->size, err);
    if (r == LATHE_OK && s->row->text)
        return measure_text(at, slot, loc.data_part, item->off, item, err);
    uint64_t head = s->row->prefix ? s->elem_min : 0;
    uint64_t tail = s->row->kind == REC_STR && !s->row->prefix && !s->row->size;
    item->data = item->off + head;
    item->count = item->size - head - tail;
    return r;
}

lathe_result rec_measure(const rec_at *at, uint64_t *size, lathe_error *err)
{
    uint64_t end, have = at->doc->parts[at->part].size;
    if (at->off > have)
        return too_short(at, REC_NO_SLOT, have, at->off - have, err);
    lathe_result r = slot_offset(at, at->layout->count, &end, err);
    if (r != LATHE_OK)
        return r;
    *size = end - at->off;
    return *size <= have - at->off ? LATHE_OK : too_short(at, REC_NO_SLOT, at->off, *size, err);
}
