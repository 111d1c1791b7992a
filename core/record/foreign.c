/* Copies from another document, where stored numbers may have another meaning. References are not copied. A number
 * that stands for a text is replaced by the number of that text in the target document. */
#include "record/record.h"

/* Whether numbers of one record may have another meaning in the document of the other. */
static bool foreign(const rec_at *at, const rec_at *base)
{
    const lathe_doc *doc = at->doc;
    if (doc == base->doc)
        return at->layout->container != base->layout->container;
    if (doc->copied_from)
        return doc->copied_from != base->doc;
    return doc->depth || doc->single_copies; /* a copy of a whole document keeps its numbers */
}

bool rec_means_other(const rec_slot *s)
{
    const rec_field *row = s->row;
    return (row->ref && rec_row_ref(row)->inside) || (row->codec && rec_row_codec(row)->inside) ||
           (s->sub && s->sub->has_references);
}

/* Converts a number to the one that shows the same value in the target document. */
static lathe_result look_up(const rec_at *at, uint32_t slot, const rec_at *base, uint64_t *raw,
                            lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_value there, here;
    lathe_result r = rec_row_codec(row)->decode(base, row, *raw, &there, err);
    if (r == LATHE_OK)
        r = rec_row_codec(row)->decode(at, row, *raw, &here, err);
    if (r != LATHE_OK)
        return r;
    if (there.kind != LATHE_KIND_STRING) {
        if (foreign(at, base))
            /* it shows nothing there, and must not show something here */
            *raw = rec_row_codec(row)->none;
        return LATHE_OK;
    }
    if (here.kind == LATHE_KIND_STRING && here.as.s.n == there.as.s.n &&
        (!here.as.s.n || memcmp(here.as.s.p, there.as.s.p, here.as.s.n) == 0))
        return LATHE_OK;
    return rec_row_codec(row)->encode(at, row, &there, raw, err);
}

lathe_result rec_number_from(const rec_at *at, uint32_t slot, const rec_at *base,
                             uint32_t base_slot, uint64_t i, uint64_t *raw, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_result r = rec_raw(base, base_slot, i, raw, err);
    if (r != LATHE_OK)
        return r;
    if (row->ref && rec_row_ref(row)->inside && foreign(at, base))
        *raw = rec_row_ref(row)->null;
    else if (row->codec && rec_row_codec(row)->inside && at->doc != base->doc)
        r = look_up(at, slot, base, raw, err);
    return r;
}

/* ---- copied bytes ------------------------------------------------------------------------------------ */

static lathe_result adopt_row(const rec_at *to, uint32_t slot, const rec_at *base, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(to, slot);
    rec_loc loc;
    if (s->never || rec_unstored(s->row) || !rec_means_other(s))
        return LATHE_OK;
    lathe_result r = rec_find(to, slot, &loc, err);
    uint64_t n = s->array ? loc.count : 1;
    for (uint64_t i = 0; r == LATHE_OK && loc.present && i < n; i++) {
        rec_at a, b;
        uint64_t raw;
        if (s->row->kind != REC_RECORD) {
            r = rec_number_from(to, slot, base, slot, i, &raw, err);
            r = r == LATHE_OK ? rec_put_raw(to, slot, i, raw, err) : r;
            continue;
        }
        r = rec_sub(to, slot, i, &a, err);
        if (r == LATHE_OK)
            r = rec_sub(base, slot, i, &b, err);
        if (r == LATHE_OK)
            r = rec_adopt(&a, &b, err);
    }
    return r;
}

lathe_result rec_adopt(const rec_at *to, const rec_at *base, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (to->depth > REC_DEPTH)
        return LATHE_OK; /* it was opened, so it is none */
    for (uint32_t slot = 0; r == LATHE_OK && slot < to->layout->count; slot++)
        r = adopt_row(to, slot, base, err);
    return r;
}

lathe_result rec_may_copy(const rec_at *at, uint32_t slot, const rec_at *base, lathe_error *err)
{
    if (!foreign(at, base) || !rec_row_tag(at->layout->slots[slot].row) ||
        !at->doc->containers[at->layout->container].format->type_named)
        return LATHE_OK;
    if (!rec_opaque(base->doc, base->part, NULL) &&
        rec_slot_find(base->layout, "bytes") == REC_NO_SLOT)
        return LATHE_OK;
    return rec_fail(
        base, REC_NO_SLOT, base->off, err, LATHE_ERR_UNSUPPORTED,
        "the meaning of its numbers is unknown: it cannot be copied to another document");
}
