/* Rows that take no bytes of their own: computed rows, parallel arrays shown as one array of records (.group,
 * .column), overlays (REC_OVERLAY), vectors that are computed as a whole (.load, .store), and bits of an integer
 * (.bits_of). */
#include "record/record.h"

uint32_t rec_lanes(const rec_type *type)
{
    uint32_t n = 0;
    if (type->flags & REC_VECTOR)
        while (n < rec_row_count(type) &&
               rec_unstored(rec_row(type, n)) == (rec_type_hooks(type)->load != NULL))
            n++;
    return n;
}

bool rec_alike(const rec_type *a, const rec_type *b)
{
    uint32_t n = rec_lanes(a);
    if (a == b)
        return true;
    if (!n || n != rec_lanes(b) || n != rec_row_count(a) || n != rec_row_count(b))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(rec_row_name(rec_row(a, i)), rec_row_name(rec_row(b, i))) != 0)
            return false;
    return true;
}

/* ---- groups -------------------------------------------------------------------------------------- */

lathe_result rec_column(const rec_at *at, uint32_t slot, rec_at *owner, uint32_t *owner_slot,
                        uint64_t *i, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    rec_at self;
    if (!rec_parent(at, &self, owner))
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "%s: no element of its group",
                         rec_row_name(row));
    *owner_slot = rec_slot_find(owner->layout, rec_row_column(row));
    *i = self.index;
    return *owner_slot != REC_NO_SLOT
               ? LATHE_OK
               : error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                           "%s: no array of that name beside it", rec_row_column(row));
}

/* The same; fails if the array is absent. */
static lathe_result present_column(const rec_at *at, uint32_t slot, rec_at *owner,
                                   uint32_t *owner_slot, uint64_t *i, lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_column(at, slot, owner, owner_slot, i, err);
    if (r == LATHE_OK)
        r = rec_find_present(owner, *owner_slot, &loc, err);
    return r == LATHE_OK ? rec_find_item(owner, *owner_slot, *i, &loc, err) : r;
}

static lathe_result column_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                               lathe_error *err)
{
    rec_at owner;
    uint32_t to;
    uint64_t i;
    bool present;
    lathe_result r = rec_column(at, slot, &owner, &to, &i, err);
    if (r == LATHE_OK)
        r = rec_present(&owner, to, &present, err);
    if (r != LATHE_OK)
        return r;
    out->kind = LATHE_KIND_NONE;
    return present ? rec_get_item(&owner, to, i, lossless, out, err) : LATHE_OK;
}

static lathe_result column_set(const rec_at *at, uint32_t slot, const lathe_value *value,
                               lathe_error *err)
{
    rec_at owner;
    uint32_t to;
    uint64_t i;
    lathe_result r = present_column(at, slot, &owner, &to, &i, err);
    return r == LATHE_OK ? rec_set_item(&owner, to, i, value, err) : r;
}

bool rec_unstored_parent(const rec_at *in, const rec_at *at, rec_at *self)
{
    for (uint32_t slot = 0; slot < in->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(in, slot);
        rec_loc loc;
        uint64_t i = 0;
        if (s->sub != at->layout || !(rec_row_group(s->row) || s->row->flags & REC_OVERLAY))
            continue;
        if (s->row->flags & REC_OVERLAY) {
            if (at->off != in->off + s->row->off)
                continue;
        } else {
            if (rec_find(in, slot, &loc, NULL) != LATHE_OK || at->off < loc.data || !s->elem)
                continue;
            i = (at->off - loc.data) / s->elem;
            if (i >= loc.count || (at->off - loc.data) % s->elem)
                continue;
        }
        *self = *at;
        self->slot = slot;
        self->index = i;
        return true;
    }
    return false;
}

/* ---- vectors computed as a whole ----------------------------------------------------------------- */

static lathe_result lane_get(const rec_at *at, uint32_t slot, lathe_value *out, lathe_error *err)
{
    double lanes[REC_LANES] = {0};
    lathe_result r = rec_type_hooks(at->layout->type)->load(at, lanes, err);
    out->kind = LATHE_KIND_REAL;
    out->as.f = lanes[slot];
    if (at->layout->slots[slot].row->shown == REC_INTEGER) {
        out->kind = LATHE_KIND_INT;
        out->as.i = (int64_t)lanes[slot];
    }
    return r;
}

static lathe_result no_number(const rec_at *at, uint32_t slot, lathe_error *err)
{
    return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a number expected");
}

/* Stores the components if they differ from the present ones: a round trip may lose bits. */
static lathe_result store_lanes(const rec_at *at, const double *lanes, lathe_error *err)
{
    const rec_type *type = at->layout->type;
    double now[REC_LANES] = {0};
    lathe_result r = rec_type_hooks(type)->load(at, now, err);
    return r == LATHE_OK && memcmp(now, lanes, sizeof now) != 0
               ? rec_type_hooks(type)->store(at, lanes, err)
               : r;
}

static lathe_result lane_set(const rec_at *at, uint32_t slot, const lathe_value *value,
                             lathe_error *err)
{
    double lanes[REC_LANES] = {0};
    lathe_result r = rec_type_hooks(at->layout->type)->load(at, lanes, err);
    if (r == LATHE_OK && !rec_number(value, &lanes[slot]))
        r = no_number(at, slot, err);
    return r == LATHE_OK ? store_lanes(at, lanes, err) : r;
}

/* Replaces the components in `lanes` that the source gives. */
static lathe_result given_lanes(const rec_at *to, const rec_from *from, double *lanes, bool *any,
                                lathe_error *err)
{
    uint32_t n = rec_lanes(to->layout->type);
    *any = false;
    for (uint32_t slot = 0; slot < n; slot++) {
        lathe_value leaf;
        const void *child;
        if (!rec_source_value(from, to, slot, &leaf, &child))
            continue;
        if (!rec_number(&leaf, &lanes[slot]))
            return no_number(to, slot, err);
        *any = true;
    }
    return LATHE_OK;
}

bool rec_lanes_build(const rec_at *to, const rec_from *from, lathe_result *r, lathe_error *err)
{
    const rec_type *type = to->layout->type;
    double lanes[REC_LANES] = {0};
    bool any;
    if (!rec_type_hooks(type)->store || rec_lanes(type) < to->layout->count)
        return false;
    *r = rec_check_names(to, from, err);
    if (*r == LATHE_OK)
        *r = rec_type_hooks(type)->load(from->base ? from->base : to, lanes, err);
    if (*r == LATHE_OK)
        *r = given_lanes(to, from, lanes, &any, err);
    if (*r == LATHE_OK)
        *r = store_lanes(to, lanes, err);
    return true;
}

/* The initial components of a new record; NULL: those of its rows. */
static const double *first_lanes(const rec_at *to, const rec_from *from)
{
    lathe_value leaf;
    const void *child;
    if (from->base || !to->parent_layout || to->slot == REC_NO_SLOT)
        return NULL;
    for (uint32_t slot = rec_lanes(to->layout->type); slot < to->layout->count; slot++)
        if (rec_source_value(from, to, slot, &leaf, &child))
            return NULL;
    return rec_row_init_lanes(to->parent_layout->slots[to->slot].row);
}

lathe_result rec_lanes_finish(const rec_at *to, const rec_from *from, bool made, lathe_error *err)
{
    double lanes[REC_LANES] = {0};
    const double *init = made ? first_lanes(to, from) : NULL;
    bool any = false;
    lathe_result r = rec_type_hooks(to->layout->type)->load(to, lanes, err);
    if (init)
        memcpy(lanes, init, rec_lanes(to->layout->type) * sizeof *lanes);
    if (r == LATHE_OK)
        r = given_lanes(to, from, lanes, &any, err);
    any = any || init;
    return r == LATHE_OK && any ? store_lanes(to, lanes, err) : r;
}

/* ---- bits of an integer -------------------------------------------------------------------------- */

static lathe_result bits_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                             lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    bool present = true;
    uint64_t raw = at->layout->arg;
    lathe_result r = LATHE_OK;
    out->kind = LATHE_KIND_NONE;
    if (rec_is_argument(row)) {
        present = !rec_opaque(at->doc, at->part, NULL);
    } else {
        uint32_t whole = rec_slot_find(at->layout, rec_row_bits_of(row));
        r = rec_present(at, whole, &present, err);
        if (r == LATHE_OK && present)
            r = rec_raw(at, whole, 0, &raw, err);
    }
    return r == LATHE_OK && present
               ? rec_decode(at, slot, raw >> row->low & ((UINT64_C(1) << row->bits) - 1), lossless,
                            out, err)
               : r;
}

/* Sets bits of the layout's argument, which cannot change: only the present value is accepted. */
static lathe_result argument_set(const rec_at *at, uint32_t slot, const lathe_value *value,
                                 lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t part;
    lathe_result r = rec_encode(at, slot, value, &part, err);
    if (r == LATHE_OK && part != (at->layout->arg >> row->low & ((UINT64_C(1) << row->bits) - 1)))
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_READONLY, "read-only: %s", rec_row_why(row));
    return r;
}

static lathe_result bits_set(const rec_at *at, uint32_t slot, const lathe_value *value,
                             lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    uint32_t whole = rec_slot_find(at->layout, rec_row_bits_of(row));
    uint64_t mask = (UINT64_C(1) << row->bits) - 1, raw, part;
    rec_loc loc;
    lathe_result r = rec_find_present(at, whole, &loc, err);
    if (r == LATHE_OK)
        r = rec_encode(at, slot, value, &part, err);
    if (r == LATHE_OK)
        r = rec_raw(at, whole, 0, &raw, err);
    lathe_value v = {.kind = LATHE_KIND_UINT};
    if (r == LATHE_OK)
        v.as.u = (raw & ~(mask << row->low)) | part << row->low;
    return r == LATHE_OK ? rec_set(at, whole, &v, err) : r;
}

/* ---- all kinds ------------------------------------------------------------------------------------ */

lathe_result rec_unstored_sub(const rec_at *at, uint32_t slot, rec_at *out, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (s->row->flags & REC_OVERLAY) {
        *out = rec_child(at, slot, s->sub, at->part, at->off + s->row->off, 0);
        return LATHE_OK;
    }
    rec_at owner;
    uint32_t to;
    uint64_t i;
    lathe_result r = present_column(at, slot, &owner, &to, &i, err);
    return r == LATHE_OK ? rec_sub(&owner, to, i, out, err) : r;
}

lathe_result rec_unstored_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                              lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    out->kind = LATHE_KIND_NONE;
    if (rec_embedded(at->doc, at->part) && rec_opaque(at->doc, at->part, NULL))
        return LATHE_OK; /* hooks would read absent rows */
    if (rec_row_column(s->row))
        return column_get(at, slot, lossless, out, err);
    if (rec_row_rare(s->row)->get)
        return rec_row_rare(s->row)->get(at, s->row, out, err);
    if (rec_row_bits_of(s->row))
        return bits_get(at, slot, lossless, out, err);
    if (rec_row_rare(s->row)->numbers) {
        uint64_t n;
        out->kind = rec_row_rare(s->row)->numbers->rows(at, s->row, &n) ? LATHE_KIND_ARRAY
                                                                        : LATHE_KIND_NONE;
        out->as.v = rec_array_view(at, slot);
        return LATHE_OK;
    }
    if (s->row->flags & REC_OVERLAY) {
        rec_at sub;
        lathe_result r = rec_unstored_sub(at, slot, &sub, err);
        out->kind = LATHE_KIND_RECORD;
        if (r == LATHE_OK)
            out->as.v = rec_view(&sub);
        return r;
    }
    return lane_get(at, slot, out, err);
}

lathe_result rec_unstored_set(const rec_at *at, uint32_t slot, const lathe_value *value,
                              lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (rec_row_column(s->row))
        return column_set(at, slot, value, err);
    if (rec_row_rare(s->row)->set)
        return rec_row_rare(s->row)->set(at, s->row, value, err);
    if (rec_is_argument(s->row))
        return argument_set(at, slot, value, err);
    if (rec_row_bits_of(s->row))
        return bits_set(at, slot, value, err);
    if (rec_row_rare(s->row)->numbers)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "rows of numbers expected");
    return lane_set(at, slot, value, err);
}
