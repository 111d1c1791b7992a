/* Typed copies of whole columns (lathe_view_read, lathe_view_write): the schema is evaluated once, then a loop copies
 * numbers. */
#include "base/half.h"
#include "record/record.h"

#include <math.h>

typedef struct lanes {        /* adjacent numbers of one kind in each element */
    const rec_layout *layout; /* … and the row in it that describes them */
    uint32_t row, count;
    uint64_t off;
} lanes;

static const rec_slot *lane_slot(const lanes *ln)
{
    return &ln->layout->slots[ln->row];
}

/* The numbers of a row at offset `off` of the element. For an array row: of one of its elements, or (all) of all. */
static bool lanes_of_row(const rec_layout *l, uint32_t row, uint64_t off, bool all, lanes *out)
{
    const rec_slot *s = &l->slots[row];
    if (s->row->flags & REC_PART || (all && (s->row->body || off == REC_DYNAMIC)))
        return false;
    if (rec_width(s->row->kind)) {
        *out = (lanes){l, row, all && s->row->n ? (uint32_t)s->row->n : 1, off};
        return !all || !s->array || s->row->n;
    }
    if (s->row->kind != REC_RECORD || !s->sub || !(s->sub->type->flags & REC_VECTOR) ||
        (all && s->array))
        return false;
    rec_kind kind = s->sub->slots[0].row->kind;
    uint32_t count = rec_lanes(s->sub->type);
    for (uint32_t i = 0; i < count; i++)
        if (s->sub->slots[i].row->kind != kind || s->sub->slots[i].off != i * rec_width(kind))
            return false;
    *out = (lanes){s->sub, 0, count, off};
    return rec_width(kind) != 0;
}

/* The offset of a row in its element, also for overlays. */
static uint64_t member_offset(const rec_slot *s)
{
    return s->row->flags & REC_OVERLAY ? s->row->off : s->off;
}

static bool find_lanes(const rec_at *at, uint32_t slot, const char *member, lanes *out)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (s->elem == REC_DYNAMIC || s->elem == 0 || s->row->flags & REC_PART)
        return false;
    if (!member)
        return lanes_of_row(at->layout, slot, 0, false, out);
    uint32_t m = s->sub ? rec_slot_find(s->sub, member) : REC_NO_SLOT;
    if (m == REC_NO_SLOT)
        return false;
    return lanes_of_row(s->sub, m, member_offset(&s->sub->slots[m]), true, out);
}

/* Finds the numbers of an array's elements, or of one member of them. *member becomes NULL if a group shows that
 * member, which is then an array of its own. */
static lathe_result enter(lathe_view *array, const char **member, uint64_t from, uint64_t n,
                          rec_at *at, uint32_t *slot, rec_loc *loc, lanes *ln, lathe_error *err)
{
    lathe_result r = rec_enter(array, at, slot, err);
    if (r != LATHE_OK)
        return r;
    const rec_slot *s = *slot == REC_NO_SLOT ? NULL : &at->layout->slots[*slot];
    uint32_t column =
        s && s->anchor != REC_NO_SLOT && *member ? rec_slot_find(s->sub, *member) : REC_NO_SLOT;
    if (column != REC_NO_SLOT && rec_row_column(s->sub->slots[column].row)) {
        *slot = rec_slot_find(at->layout, rec_row_column(s->sub->slots[column].row));
        *member = NULL;
    }
    if (*slot == REC_NO_SLOT || !find_lanes(at, *slot, *member, ln))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "no column of numbers '%s'",
                         *member ? *member : rec_type_name(at->layout->type));
    r = rec_find(at, *slot, loc, err);
    if (r == LATHE_OK && (!loc->present || from > loc->count || n > loc->count - from))
        r = rec_fail(at, *slot, loc->off, err, LATHE_ERR_BOUNDS, "no elements %llu .. %llu of %llu",
                     (unsigned long long)from + 1, (unsigned long long)(from + n),
                     (unsigned long long)loc->count);
    return r;
}

static const uint8_t elem_width[LATHE_ELEM_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

/* Whether a kind and an elem have the same bits, except for byte order. */
static bool same_bits(rec_kind kind, lathe_elem elem)
{
    static const uint8_t as[LATHE_ELEM_COUNT] = {REC_U8,  REC_I8,  REC_U16, REC_I16, REC_U32,
                                                 REC_I32, REC_U64, REC_I64, REC_F32, REC_F64};
    return as[elem] == (uint8_t)kind;
}

static bool host_is_big(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static bool is_float(rec_kind kind)
{
    return kind >= REC_F16 && kind <= REC_F64;
}

static double load_real(rec_kind kind, uint64_t raw)
{
    switch (kind) {
    case REC_F16: return half_to_double((uint16_t)raw);
    case REC_F16_UPPER: return half_upper_to_double((uint16_t)raw);
    case REC_F32: return bytes_f32_widen((uint32_t)raw);
    case REC_F64: return bytes_f64_from(raw);
    case REC_I8: return (int8_t)raw;
    case REC_I16: return (int16_t)raw;
    case REC_I32: return (int32_t)raw;
    case REC_I64: return (double)(int64_t)raw;
    default: return (double)raw;
    }
}

static uint64_t sign_extended(rec_kind kind, uint64_t raw)
{
    switch (kind) {
    case REC_I8: return (uint64_t)(int64_t)(int8_t)raw;
    case REC_I16: return (uint64_t)(int64_t)(int16_t)raw;
    case REC_I32: return (uint64_t)(int64_t)(int32_t)raw;
    default: return raw;
    }
}

static void store_elem(lathe_elem elem, uint8_t *to, double real, uint64_t whole, bool from_real)
{
    if (elem == LATHE_ELEM_F32) { /* a cast would make signalling NaNs quiet */
        bytes_st32(to, bytes_f32_narrow(real), host_is_big());
    } else if (elem == LATHE_ELEM_F64) {
        memcpy(to, &real, sizeof real);
    } else {
        if (from_real) /* out of range and NaN give 0, to avoid undefined behaviour */
            whole = real >= -9.2e18 && real <= 9.2e18 ? (uint64_t)(int64_t)real : 0;
        bytes_st(to, whole, elem_width[elem], host_is_big());
    }
}

/* Copies rows of `size` bytes. Common sizes are compile-time constants. */
static void copy_rows(uint8_t *q, size_t stride, const uint8_t *p, uint64_t step, uint64_t n,
                      size_t size)
{
#define ROWS_OF(bytes)                                                                             \
    case bytes:                                                                                    \
        for (uint64_t i = 0; i < n; i++, p += step, q += stride)                                   \
            memcpy(q, p, bytes);                                                                   \
        return
    switch (size) {
        ROWS_OF(1);
        ROWS_OF(2);
        ROWS_OF(3);
        ROWS_OF(4);
        ROWS_OF(8);
        ROWS_OF(12);
        ROWS_OF(16);
    default: break;
    }
#undef ROWS_OF
    for (uint64_t i = 0; i < n; i++, p += step, q += stride)
        memcpy(q, p, size);
}

static void swap_rows(uint8_t *q, size_t stride, const uint8_t *p, uint64_t step, uint64_t n,
                      uint32_t count, unsigned width)
{
    for (uint64_t i = 0; i < n; i++, p += step, q += stride)
        bytes_copy_swap(q, p, count, width, true);
}

static void widen_rows(uint8_t *q, size_t stride, const uint8_t *p, uint64_t step, uint64_t n,
                       uint32_t count, bool big)
{
    for (uint64_t i = 0; i < n; i++, p += step, q += stride)
        for (uint32_t k = 0; k < count; k++)
            bytes_st32(q + 4 * k, half_to_f32_bits(bytes_ld16(p + 2 * k, big)), host_is_big());
}

static void convert_rows(uint8_t *q, size_t stride, lathe_elem elem, const uint8_t *p,
                         uint64_t step, const rec_slot *ls, uint64_t n, uint32_t count)
{
    rec_kind kind = ls->row->kind;
    unsigned width = rec_width(kind), out = elem_width[elem];
    bool real = is_float(kind);
    for (uint64_t i = 0; i < n; i++, p += step, q += stride)
        for (uint32_t k = 0; k < count; k++) {
            uint64_t raw = bytes_ld(p + k * width, width, ls->big);
            store_elem(elem, q + k * out, load_real(kind, raw), sign_extended(kind, raw), real);
        }
}

lathe_result lathe_view_read(lathe_view array, const char *member, uint64_t from, uint64_t n,
                             lathe_elem elem, void *to, size_t stride, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    lanes ln;
    lathe_result r = rec_enter(&array, &at, &slot, err);
    if (r == LATHE_OK && rec_numbers_of(&at, slot) && !member)
        return rec_numbers_read(&at, slot, from, n, elem, to, stride, err);
    if (r == LATHE_OK)
        r = enter(&array, &member, from, n, &at, &slot, &loc, &ln, err);
    if (r != LATHE_OK || n == 0)
        return r;
    uint64_t step = rec_slot_of(&at, slot)->elem;
    const rec_slot *ls = lane_slot(&ln);
    unsigned width = rec_width(ls->row->kind), out = elem_width[elem];
    const uint8_t *p = at.doc->parts[loc.data_part].data + loc.data + from * step + ln.off;
    uint8_t *q = to;
    bool direct = same_bits(ls->row->kind, elem), swap = ls->big != host_is_big();
    if (!stride)
        stride = (size_t)out * ln.count;
    if (direct && step == (uint64_t)width * ln.count && stride == step) {
        bytes_copy_swap(q, p, (size_t)(n * ln.count), width, swap);
        return LATHE_OK;
    }
    if (direct && !swap)
        copy_rows(q, stride, p, step, n, (size_t)width * ln.count);
    else if (direct)
        swap_rows(q, stride, p, step, n, ln.count, width);
    else if (ls->row->kind == REC_F16 && elem == LATHE_ELEM_F32)
        widen_rows(q, stride, p, step, n, ln.count, ls->big);
    else
        convert_rows(q, stride, elem, p, step, ls, n, ln.count);
    return LATHE_OK;
}

static lathe_value load_elem(lathe_elem elem, const uint8_t *p)
{
    lathe_value v = {.kind = LATHE_KIND_INT};
    uint64_t raw = bytes_ld(p, elem_width[elem], host_is_big());
    if (elem == LATHE_ELEM_F32 || elem == LATHE_ELEM_F64) {
        v.kind = LATHE_KIND_REAL;
        v.as.f = elem == LATHE_ELEM_F32 ? bytes_f32_widen((uint32_t)raw) : bytes_f64_from(raw);
    } else if (elem == LATHE_ELEM_U64) {
        v.kind = LATHE_KIND_UINT;
        v.as.u = raw;
    } else {
        static const rec_kind kinds[] = {REC_U8,  REC_I8,  REC_U16, REC_I16,
                                         REC_U32, REC_I32, 0,       REC_I64};
        v.as.i = (int64_t)sign_extended(kinds[elem], raw);
    }
    return v;
}

unsigned rec_elem_width(lathe_elem elem)
{
    return elem_width[elem];
}

bool rec_elem_convert(lathe_elem from, const void *p, lathe_elem to, void *q)
{
    uint8_t back[8];
    lathe_value v = load_elem(from, p), w;
    double real = v.kind == LATHE_KIND_REAL   ? v.as.f
                  : v.kind == LATHE_KIND_UINT ? (double)v.as.u
                                              : (double)v.as.i;
    store_elem(to, q, real, v.as.u, v.kind == LATHE_KIND_REAL);
    if (to == LATHE_ELEM_F32 || to == LATHE_ELEM_F64)
        return true;
    memcpy(back, q, elem_width[to]);
    w = load_elem(to, back);
    return v.kind == LATHE_KIND_REAL ? real == (double)w.as.i : v.as.u == w.as.u;
}

/* Produces the error for a value that cannot be encoded, at component k of element i. */
static lathe_result refuse(const rec_at *at, uint32_t slot, const rec_loc *loc, const lanes *ln,
                           uint64_t i, uint32_t k, const lathe_value *v, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t raw, off = loc->data + i * s->elem;
    if (ln->layout == at->layout)
        return rec_encode(at, slot, v, &raw, err);
    rec_at element = rec_child(at, slot, s->sub, loc->data_part, off, i), member;
    if (ln->layout == s->sub)
        return rec_encode(&element, ln->row + (s->sub->type->flags & REC_VECTOR ? k : 0), v, &raw,
                          err);
    uint32_t m = 0;
    while (member_offset(&s->sub->slots[m]) != ln->off || s->sub->slots[m].sub != ln->layout)
        m++;
    member = rec_child(&element, m, ln->layout, loc->data_part, off + ln->off, 0);
    return rec_encode(&member, ln->row + k, v, &raw, err);
}

/* The new bytes of the range: the present ones with the column inserted. */
static lathe_result fill_column(const rec_at *at, uint32_t slot, const rec_loc *loc,
                                const lanes *ln, uint64_t start, uint64_t n, lathe_elem elem,
                                const uint8_t *from, size_t stride, uint8_t *p, lathe_error *err)
{
    uint64_t step = rec_slot_of(at, slot)->elem;
    const rec_slot *ls = lane_slot(ln);
    unsigned width = rec_width(ls->row->kind), in = elem_width[elem];
    bool direct = same_bits(ls->row->kind, elem) && !ls->row->names && !ls->row->codec &&
                  rec_row_rare(ls->row)->range[0] == rec_row_rare(ls->row)->range[1];
    bool swap = ls->big != host_is_big();
    rec_at element = *at; /* only for the row's rules; refuse() names the place */
    element.layout = ln->layout;
    p += ln->off;
    for (uint64_t i = 0; i < n; i++, p += step, from += stride) {
        if (direct) {
            bytes_copy_swap(p, from, ln->count, width, swap);
            continue;
        }
        for (uint32_t k = 0; k < ln->count; k++) {
            uint64_t raw;
            lathe_value v = load_elem(elem, from + k * in);
            if (rec_encode(&element, ln->row, &v, &raw, NULL) != LATHE_OK)
                return refuse(at, slot, loc, ln, start + i, k, &v, err);
            bytes_st(p + k * width, raw, width, ls->big);
        }
    }
    return LATHE_OK;
}

static lathe_result check_writable(const rec_at *at, uint32_t slot, const rec_loc *loc,
                                   const char *member, uint64_t from, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (!member)
        return rec_guarded(s) ? rec_writable(at, slot, err) : LATHE_OK;
    uint32_t m = rec_slot_find(s->sub, member);
    rec_at element = rec_child(at, slot, s->sub, loc->data_part, loc->data + from * s->elem, from);
    return s->row->flags & REC_READONLY ? rec_writable(at, slot, err)
                                        : rec_writable(&element, m, err);
}

lathe_result lathe_view_write(lathe_view array, const char *member, uint64_t from, uint64_t n,
                              lathe_elem elem, const void *bytes, size_t stride, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    lanes ln;
    lathe_result r = rec_enter(&array, &at, &slot, err);
    if (r == LATHE_OK && rec_numbers_of(&at, slot) && !member && from == 0)
        return rec_numbers_write(&at, slot, n, elem, bytes, stride, err);
    if (r == LATHE_OK)
        r = enter(&array, &member, from, n, &at, &slot, &loc, &ln, err);
    if (r == LATHE_OK)
        r = check_writable(&at, slot, &loc, member, from, err);
    if (r != LATHE_OK || n == 0)
        return r;
    lathe_doc *doc = at.doc;
    uint64_t step = rec_slot_of(&at, slot)->elem, size = n * step, off = loc.data + from * step;
    uint8_t *copy = mem_alloc(&doc->mem, (size_t)size);
    if (!copy)
        return rec_no_memory(err);
    memcpy(copy, doc->parts[loc.data_part].data + off, (size_t)size);
    if (!stride)
        stride = (size_t)elem_width[elem] * ln.count;
    r = fill_column(&at, slot, &loc, &ln, from, n, elem, bytes, stride, copy, err);
    if (r == LATHE_OK && (r = rec_begin(doc, err)) == LATHE_OK)
        r = rec_end(doc, rec_put_items(&at, slot, &loc, from, n, copy, err), err);
    mem_free(&doc->mem, copy, (size_t)size);
    return r;
}

uint32_t lathe_view_lanes(lathe_view array, const char *member, lathe_elem *elem)
{
    static const uint8_t closest[REC_KIND_COUNT] = {
        [REC_U8] = LATHE_ELEM_U8,         [REC_I8] = LATHE_ELEM_I8,   [REC_U16] = LATHE_ELEM_U16,
        [REC_I16] = LATHE_ELEM_I16,       [REC_U32] = LATHE_ELEM_U32, [REC_I32] = LATHE_ELEM_I32,
        [REC_U64] = LATHE_ELEM_U64,       [REC_I64] = LATHE_ELEM_I64, [REC_F16] = LATHE_ELEM_F32,
        [REC_F16_UPPER] = LATHE_ELEM_F32, [REC_F32] = LATHE_ELEM_F32, [REC_F64] = LATHE_ELEM_F64,
    };
    rec_at at;
    uint32_t slot;
    lanes ln;
    if (rec_enter(&array, &at, &slot, NULL) != LATHE_OK || slot == REC_NO_SLOT)
        return 0;
    const rec_numbers *numbers = member ? NULL : rec_numbers_of(&at, slot);
    if (numbers) {
        *elem = numbers->elem;
        return numbers->columns;
    }
    if (!find_lanes(&at, slot, member, &ln))
        return 0;
    *elem = (lathe_elem)closest[lane_slot(&ln)->row->kind];
    return ln.count;
}
