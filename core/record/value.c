/* Converts stored numbers to shown values and back, with checks of range and type. */
#include "base/half.h"
#include "record/record.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

uint64_t rec_load(const rec_slot *slot, const uint8_t *p)
{
    switch (rec_width(slot->row->kind)) {
    case 1: return bytes_ld8(p);
    case 2: return bytes_ld16(p, slot->big);
    case 4: return bytes_ld32(p, slot->big);
    default: return bytes_ld64(p, slot->big);
    }
}

void rec_store(const rec_slot *slot, uint8_t *p, uint64_t raw)
{
    bytes_st(p, raw, rec_width(slot->row->kind), slot->big);
}

/* ---- stored to shown ------------------------------------------------------------------------------ */

static void plain(rec_kind kind, uint64_t raw, lathe_value *out)
{
    out->kind = LATHE_KIND_INT;
    switch (kind) {
    case REC_I8: out->as.i = (int8_t)raw; break;
    case REC_I16: out->as.i = (int16_t)raw; break;
    case REC_I32: out->as.i = (int32_t)raw; break;
    case REC_U64:
        out->kind = LATHE_KIND_UINT;
        out->as.u = raw;
        break;
    case REC_F16:
        out->kind = LATHE_KIND_REAL;
        out->as.f = half_to_double((uint16_t)raw);
        break;
    case REC_F16_UPPER:
        out->kind = LATHE_KIND_REAL;
        out->as.f = half_upper_to_double((uint16_t)raw);
        break;
    case REC_F32:
        out->kind = LATHE_KIND_REAL;
        out->as.f = bytes_f32_widen((uint32_t)raw);
        break;
    case REC_F64:
        out->kind = LATHE_KIND_REAL;
        out->as.f = bytes_f64_from(raw);
        break;
    default: out->as.i = (int64_t)raw; break;
    }
}

static void text_value(const char *p, size_t n, lathe_value *out)
{
    out->kind = LATHE_KIND_STRING;
    out->as.s.p = p;
    out->as.s.n = n;
}

static const rec_names *names_of(const rec_at *at, const rec_field *row)
{
    return rec_row_rare(row)->names_in ? rec_row_rare(row)->names_in(at) : rec_row_names(row);
}

lathe_result rec_decode(const rec_at *at, uint32_t slot, uint64_t raw, bool lossless,
                        lathe_value *out, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    plain(row->kind, raw, out);
    if (row->codec)
        return rec_row_codec(row)->decode(at, row, raw, out, err);
    if (row->ref && (!lossless || row->kind == REC_POINTER)) {
        out->kind = LATHE_KIND_NULL;
        if (raw == rec_row_ref(row)->null)
            return LATHE_OK;
        if (lossless) {
            out->kind = LATHE_KIND_INT;
            return LATHE_OK;
        }
        lathe_view target;
        lathe_result r = rec_row_ref(row)->resolve(at, row, raw, &target, err);
        out->kind = LATHE_KIND_INT;
        if (r == LATHE_ERR_UNSUPPORTED)
            return LATHE_OK;
        out->kind = LATHE_KIND_RECORD;
        out->as.v = target;
        return r;
    }
    if (row->shown == REC_BOOL && (raw <= 1 || !lossless)) {
        out->kind = LATHE_KIND_BOOL;
        out->as.b = raw != 0;
    } else if (row->shown == REC_ENUM) {
        const rec_names *names = names_of(at, row);
        for (uint32_t i = 0; i < names->count; i++) {
            const rec_name item = rec_names_item(names, i);
            if (item.value == out->as.i) {
                text_value(item.name, strlen(item.name), out);
                break;
            }
        }
    }
    return LATHE_OK;
}

/* A padded string is shown up to its first NUL; copies keep the bytes behind it. */
static size_t padded_length(const uint8_t *p, size_t n, bool lossless)
{
    const uint8_t *nul = memchr(p, 0, n);
    if (!nul)
        return n;
    if (lossless)
        while (n > (size_t)(nul - p) && p[n - 1] == 0)
            n--;
    return lossless ? n : (size_t)(nul - p);
}

static void get_text(const rec_at *at, uint32_t slot, const rec_loc *loc, bool lossless,
                     lathe_value *out)
{
    const rec_field *row = at->layout->slots[slot].row;
    const uint8_t *p = at->doc->parts[loc->data_part].data;
    size_t n = (size_t)loc->count;
    if (row->text && loc->data == LATHE_NO_OFFSET) {
        out->kind = LATHE_KIND_NULL;
        return;
    }
    p = n ? p + loc->data : (const uint8_t *)"";
    if (row->kind == REC_STR && row->size && !row->prefix)
        n = padded_length(p, n, lossless);
    text_value((const char *)p, n, out);
}

/* The stored number at a place; for a pointer, the number that stands for its target. */
static lathe_result load(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t *raw,
                         lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    if (s->row->kind == REC_POINTER)
        return rec_row_ref(s->row)->load(at, s->row, loc->part, loc->off, raw, err);
    *raw = rec_load(s, at->doc->parts[loc->part].data + loc->off);
    return LATHE_OK;
}

lathe_result rec_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                     lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    rec_loc loc;
    if (rec_unstored(s->row) && !rec_row_group(s->row))
        return rec_unstored_get(at, slot, lossless, out, err);
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if (!loc.present) {
        out->kind = LATHE_KIND_NONE;
        return rec_row_rare(s->row)->get ? rec_row_rare(s->row)->get(at, s->row, out, err)
                                         : LATHE_OK;
    }
    if (s->array) {
        out->kind = LATHE_KIND_ARRAY;
        out->as.v = rec_array_view(at, slot);
        return LATHE_OK;
    }
    if (s->row->kind == REC_RECORD) {
        rec_at sub;
        if (s->row->flags & REC_PART && !loc.count) {
            out->kind = LATHE_KIND_NONE;
            return LATHE_OK;
        }
        r = rec_sub(at, slot, 0, &sub, err);
        out->kind = LATHE_KIND_RECORD;
        if (r == LATHE_OK)
            out->as.v = rec_view(&sub);
        return r;
    }
    if (s->row->kind == REC_STR || s->row->kind == REC_BYTES) {
        get_text(at, slot, &loc, lossless, out);
        return LATHE_OK;
    }
    uint64_t raw;
    r = load(at, slot, &loc, &raw, err);
    return r == LATHE_OK ? rec_decode(at, slot, raw, lossless, out, err) : r;
}

lathe_result rec_get_named(const rec_at *at, uint32_t slot, lathe_value *out, lathe_error *err)
{
    const char *instead = rec_row_instead(at->layout->slots[slot].row);
    lathe_result r = rec_get(at, slot, false, out, err);
    if (!instead || r != LATHE_OK || out->kind != LATHE_KIND_NONE)
        return r;
    return rec_get(at, rec_slot_find(at->layout, instead), false, out, err);
}

lathe_result rec_get_item(const rec_at *at, uint32_t slot, uint64_t i, bool lossless,
                          lathe_value *out, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    rec_loc item;
    if (s->row->kind == REC_RECORD) {
        rec_at sub;
        lathe_result found = rec_sub_item(at, slot, i, &sub, err);
        if (found == LATHE_OK) {
            out->kind = LATHE_KIND_RECORD;
            out->as.v = rec_view(&sub);
        }
        return found;
    }
    lathe_result r = rec_find_item(at, slot, i, &item, err);
    if (r != LATHE_OK)
        return r;
    if (s->row->kind == REC_STR) {
        get_text(at, slot, &item, lossless, out);
        return LATHE_OK;
    }
    uint64_t raw;
    r = load(at, slot, &item, &raw, err);
    return r == LATHE_OK ? rec_decode(at, slot, raw, lossless, out, err) : r;
}

lathe_result rec_raw(const rec_at *at, uint32_t slot, uint64_t i, uint64_t *raw, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    rec_loc loc;
    rec_at owner;
    lathe_result r;
    if (rec_row_column(s->row)) {
        r = rec_column(at, slot, &owner, &slot, &i, err);
        return r == LATHE_OK ? rec_raw(&owner, slot, i, raw, err) : r;
    }
    r = s->array ? rec_find_item(at, slot, i, &loc, err) : rec_find(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if ((!rec_width(s->row->kind) && s->row->kind != REC_POINTER) || !loc.present)
        return rec_fail(at, slot, loc.off, err, LATHE_ERR_TYPE, "no number is stored here");
    return load(at, slot, &loc, raw, err);
}

static bool default_text(const rec_field *row, const lathe_value *v)
{
    const char *text = rec_row_init_bytes(row) ? rec_row_init_bytes(row) : "";
    size_t n = rec_row_rare(row)->init_size ? rec_row_rare(row)->init_size : strlen(text);
    if (row->kind == REC_BYTES &&
        rec_row_rare(row)->init_size != v->as.s.n) { /* the default is all zeros */
        for (size_t i = 0; i < v->as.s.n; i++)
            if (v->as.s.p[i] || !row->n)
                return false;
        return true;
    }
    return v->as.s.n == n && memcmp(v->as.s.p, text, n) == 0;
}

static lathe_result is_empty(const rec_at *at, uint32_t slot, int depth, bool *yes,
                             lathe_error *err);

/* The same for a record that is a value: all of its rows. */
static lathe_result is_empty_record(lathe_view *view, int depth, bool *yes, lathe_error *err)
{
    rec_at at;
    uint32_t none;
    lathe_result r = rec_enter(view, &at, &none, err);
    *yes = r == LATHE_OK && depth < REC_DEPTH;
    for (uint32_t slot = 0; r == LATHE_OK && *yes && slot < at.layout->count; slot++)
        if (!rec_unstored(at.layout->slots[slot].row) && at.layout->slots[slot].same == slot)
            r = is_empty(&at, slot, depth + 1, yes, err);
    return r;
}

/* Whether a row, or element i of a fixed array, holds zeros, null pointers and empty arrays only. */
static lathe_result is_empty_item(const rec_at *at, uint32_t slot, uint64_t i, int depth, bool *yes,
                                  lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    lathe_value v;
    uint64_t raw = 0;
    lathe_result r =
        s->array ? rec_get_item(at, slot, i, true, &v, err) : rec_get(at, slot, true, &v, err);
    *yes = r == LATHE_OK && (v.kind == LATHE_KIND_NONE || v.kind == LATHE_KIND_NULL);
    if (r != LATHE_OK || *yes)
        return r;
    if (v.kind == LATHE_KIND_RECORD && s->row->kind == REC_RECORD)
        return is_empty_record(&v.as.v, depth, yes, err);
    if (v.kind == LATHE_KIND_STRING && s->row->kind == REC_BYTES) {
        *yes = default_text(s->row, &v);
        return LATHE_OK;
    }
    if (rec_width(s->row->kind))
        r = rec_raw(at, slot, i, &raw, err);
    *yes = r == LATHE_OK && rec_width(s->row->kind) && raw == 0;
    return r;
}

static lathe_result is_empty(const rec_at *at, uint32_t slot, int depth, bool *yes,
                             lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    rec_loc loc;
    if (!s->array)
        return is_empty_item(at, slot, 0, depth, yes, err);
    lathe_result r = rec_find(at, slot, &loc, err);
    *yes = r == LATHE_OK && (!loc.present || loc.count == 0 || !s->row->body);
    for (uint64_t i = 0; r == LATHE_OK && *yes && loc.present && i < loc.count; i++)
        r = is_empty_item(at, slot, i, depth, yes, err);
    return r;
}

lathe_result rec_is_default(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_value v;
    uint64_t raw, other;
    if (row->flags & REC_IGNORED)
        return is_empty(at, slot, 0, yes, err);
    lathe_result r = rec_get(at, slot, true, &v, err);
    *yes = r == LATHE_OK && v.kind == LATHE_KIND_NONE;
    if (r != LATHE_OK || *yes)
        return r;
    if (v.kind == LATHE_KIND_STRING && !rec_width(row->kind)) {
        *yes = default_text(row, &v);
        return LATHE_OK;
    }
    if (row->kind == REC_POINTER && !at->layout->slots[slot].array) {
        *yes = v.kind == LATHE_KIND_NULL;
        return LATHE_OK;
    }
    if (!rec_width(row->kind) || at->layout->slots[slot].array)
        return LATHE_OK; /* nested: compared as shown */
    r = rec_raw(at, slot, 0, &raw, err);
    if (r == LATHE_OK)
        r = rec_default(at, slot, &other, err);
    if (r == LATHE_OK && rec_row_rare(row)->init_fn) {
        v = (lathe_value){.kind = LATHE_KIND_INT, .as.i = rec_row_rare(row)->init_fn(at)};
        r = rec_encode(at, slot, &v, &other, err);
    }
    *yes = r == LATHE_OK && raw == other;
    return r;
}

lathe_result rec_text(const rec_at *at, const char *p, size_t n, lathe_value *out, lathe_error *err)
{
    buf *b = &at->doc->text;
    b->size = 0;
    if (!buf_put(b, p, n) || !buf_fill(b, 0, 1))
        return rec_no_memory(err);
    text_value((const char *)b->data, n, out);
    return LATHE_OK;
}

bool rec_number(const lathe_value *v, double *out)
{
    switch (v->kind) {
    case LATHE_KIND_INT: *out = (double)v->as.i; return true;
    case LATHE_KIND_UINT: *out = (double)v->as.u; return true;
    case LATHE_KIND_REAL: *out = v->as.f; return true;
    default: return false;
    }
}

/* ---- shown to stored ------------------------------------------------------------------------------ */

lathe_result rec_wrong_type(const rec_at *at, uint32_t slot, const lathe_value *v, lathe_error *err)
{
    static const char *const kinds[LATHE_KIND_COUNT] = {"nothing",    "null",       "a boolean",
                                                        "an integer", "an integer", "a number",
                                                        "a string",   "a record",   "an array"};
    char type[24];
    return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "%s expected, got %s",
                    rec_wanted(at->layout->slots[slot].row, type, sizeof type), kinds[v->kind]);
}

static void limits_of(const rec_field *row, double *lo, double *hi)
{
    rec_kind kind = row->kind;
    unsigned bits = rec_row_bits_of(row) ? row->bits : 8 * rec_width(kind);
    bool is_signed = kind == REC_I8 || kind == REC_I16 || kind == REC_I32 || kind == REC_I64;
    *lo = is_signed ? -ldexp(1, (int)bits - 1) : 0;
    *hi = ldexp(1, (int)(is_signed ? bits - 1 : bits)) - 1;
}

static lathe_result outside(const rec_at *at, uint32_t slot, double v, double lo, double hi,
                            lathe_error *err)
{
    return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%.17g is not in %.17g .. %.17g", v,
                    lo, hi);
}

static lathe_result check_range(const rec_at *at, uint32_t slot, double v, lathe_error *err)
{
    const double *range = rec_row_rare(at->layout->slots[slot].row)->range;
    if (range[0] == range[1] || (v >= range[0] && v <= range[1]))
        return LATHE_OK;
    return outside(at, slot, v, range[0], range[1], err);
}

static lathe_result encode_integer(const rec_at *at, uint32_t slot, const lathe_value *v,
                                   uint64_t *raw, lathe_error *err)
{
    rec_kind kind = at->layout->slots[slot].row->kind;
    double lo, hi, f;
    limits_of(at->layout->slots[slot].row, &lo, &hi);
    if (v->kind == LATHE_KIND_REAL) {
        f = v->as.f;
        if (!(f == floor(f)) || fabs(f) > DBL_MAX) /* isinf causes warnings on some systems */
            return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "%.17g is not an integer", f);
        /* hi was rounded up from 2^63 - 1 */
        if (f < lo || f > hi || (rec_width(kind) == 8 && f == hi))
            return outside(at, slot, f, lo, hi, err);
        *raw = f < 0 ? (uint64_t)(int64_t)f : (uint64_t)f;
    } else {
        /* 64-bit fields take any 64 bits: Lua shows a large u64 as a negative integer */
        f = v->kind == LATHE_KIND_UINT ? (double)v->as.u : (double)v->as.i;
        if (rec_width(kind) < 8 && (f < lo || f > hi))
            return outside(at, slot, f, lo, hi, err);
        *raw = v->kind == LATHE_KIND_UINT ? v->as.u : (uint64_t)v->as.i;
    }
    const rec_field *row = at->layout->slots[slot].row;
    lathe_result r =
        rec_row_rare(row)->may ? rec_row_rare(row)->may(at, row, (int64_t)*raw, err) : LATHE_OK;
    unsigned width = rec_width(kind);
    if (width && width < 8)
        *raw &= ((uint64_t)1 << 8 * width) - 1;
    return r == LATHE_OK ? check_range(at, slot, f, err) : r;
}

static lathe_result encode_real(const rec_at *at, uint32_t slot, const lathe_value *v,
                                uint64_t *raw, lathe_error *err)
{
    double f = v->kind == LATHE_KIND_REAL  ? v->as.f
               : v->kind == LATHE_KIND_INT ? (double)v->as.i
                                           : (double)v->as.u,
           back = 0;
    switch (at->layout->slots[slot].row->kind) {
    case REC_F16:
        *raw = half_from_double(f);
        back = half_to_double((uint16_t)*raw);
        break;
    case REC_F16_UPPER:
        *raw = half_upper_from_double(f);
        back = half_upper_to_double((uint16_t)*raw);
        break;
    case REC_F32:
        *raw = bytes_f32_narrow(f);
        back = bytes_f32_widen((uint32_t)*raw);
        break;
    default:
        *raw = bytes_f64_bits(f);
        back = f;
        break;
    }
    if (fabs(back) > DBL_MAX && !(fabs(f) > DBL_MAX)) {
        char type[24];
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%.17g does not fit into %s", f,
                        rec_row_type_name(at->layout->slots[slot].row, type, sizeof type));
    }
    return check_range(at, slot, f, err);
}

typedef struct names_user {
    const rec_names *names;
} names_user;

static const char *next_name(void *user, size_t i)
{
    const rec_names *names = ((names_user *)user)->names;
    return i < names->count ? rec_names_item(names, (uint32_t)i).name : NULL;
}

/* Appends ": red, green" to the text if there are few names. */
static void list_names(const rec_names *names, char *text, size_t cap)
{
    enum { MOST = 12 };
    size_t n = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        int put =
            snprintf(text + n, cap - n, "%s%s", n ? ", " : ": ", rec_names_item(names, i).name);
        if (i == MOST || put < 0 || (size_t)put >= cap - n) {
            text[0] = 0;
            return;
        }
        n += (size_t)put;
    }
}

static lathe_result encode_name(const rec_at *at, uint32_t slot, const lathe_value *v,
                                uint64_t *raw, lathe_error *err)
{
    const rec_names *names = names_of(at, at->layout->slots[slot].row);
    char name[64], all[160];
    size_t n = v->as.s.n < sizeof name - 1 ? v->as.s.n : sizeof name - 1;
    for (uint32_t i = 0; i < names->count; i++) {
        const rec_name item = rec_names_item(names, i);
        if (strlen(item.name) == v->as.s.n && memcmp(item.name, v->as.s.p, v->as.s.n) == 0) {
            lathe_value number = {.kind = LATHE_KIND_INT, .as.i = item.value};
            return encode_integer(at, slot, &number, raw, err);
        }
    }
    memcpy(name, v->as.s.p, n);
    name[n] = 0;
    names_user user = {names};
    const char *near = error_nearest(name, next_name, &user);
    if (near)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "no %s is called '%s'; did you mean '%s'?", rec_names_name(names), name,
                        near);
    list_names(names, all, sizeof all);
    return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "no %s is called '%s'%s",
                    rec_names_name(names), name, all);
}

lathe_result rec_points_elsewhere(const rec_at *at, uint32_t slot, lathe_result code,
                                  lathe_error *err)
{
    const rec_ref *ref = rec_row_ref(at->layout->slots[slot].row);
    return rec_fail(at, slot, at->off, err, code,
                    "a reference can only point into its own document%s%s",
                    ref->elsewhere ? ": " : "", ref->elsewhere ? ref->elsewhere : "");
}

static lathe_result encode_ref(const rec_at *at, uint32_t slot, const lathe_value *v, uint64_t *raw,
                               lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    if (v->kind == LATHE_KIND_NULL || v->kind == LATHE_KIND_NONE ||
        (v->kind == LATHE_KIND_BOOL && !v->as.b)) {
        *raw = rec_row_ref(row)->null;
        return LATHE_OK;
    }
    if (v->kind == LATHE_KIND_INT || v->kind == LATHE_KIND_UINT) {
        if (row->kind != REC_POINTER)
            return encode_integer(at, slot, v, raw, err);
        *raw = v->as.u; /* the target is checked when the number is stored */
        return LATHE_OK;
    }
    if (v->kind != LATHE_KIND_RECORD || v->as.v.flags & REC_VIEW_UPPER)
        return rec_wrong_type(at, slot, v, err);
    lathe_view target = v->as.v;
    if (target.doc != at->doc)
        return rec_points_elsewhere(at, slot, LATHE_ERR_TYPE, err);
    lathe_result r = rec_sync(&target, err);
    return r == LATHE_OK ? rec_row_ref(row)->store(at, row, target, raw, err) : r;
}

lathe_result rec_encode(const rec_at *at, uint32_t slot, const lathe_value *v, uint64_t *raw,
                        lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    bool number =
        v->kind == LATHE_KIND_INT || v->kind == LATHE_KIND_UINT || v->kind == LATHE_KIND_REAL;
    if (row->codec)
        return rec_row_codec(row)->encode(at, row, v, raw, err);
    if (row->ref)
        return encode_ref(at, slot, v, raw, err);
    if (row->shown == REC_BOOL && v->kind == LATHE_KIND_BOOL) {
        *raw = v->as.b;
        return LATHE_OK;
    }
    if (row->names && v->kind == LATHE_KIND_STRING)
        return encode_name(at, slot, v, raw, err);
    if (!number)
        return rec_wrong_type(at, slot, v, err);
    if (row->kind >= REC_F16 && row->kind <= REC_F64)
        return encode_real(at, slot, v, raw, err);
    return encode_integer(at, slot, v, raw, err);
}
