/* Places of records: the root, and records in rows and arrays. Reads numbers of rows by name. */
#include "record/record.h"

/* ---- records ---------------------------------------------------------------------------------- */

rec_at rec_root(lathe_doc *doc, uint32_t container)
{
    uint32_t part = doc->containers[container].root;
    return (rec_at){.doc = doc, .layout = doc->parts[part].root, .part = part, .slot = REC_NO_SLOT};
}

/* The record in a row at *loc, or in element i of it. */
static lathe_result sub_in(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t i,
                           rec_at *out, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (s->row->flags & REC_PART) {
        uint32_t part = rec_kid(at->doc, at->part, slot, i);
        if (part == REC_NO_PART)
            return rec_fail(at, slot, loc->off, err, LATHE_ERR_BOUNDS, "no such part");
        *out = rec_child(at, slot, rec_part_root(at->doc, part), part, 0, i);
        return out->layout ? LATHE_OK : rec_no_memory(err);
    }
    lathe_result r = LATHE_OK;
    uint64_t off = loc->off, size;
    if (s->array)
        r = rec_elem(at, slot, loc, i, &off, &size, err);
    *out = rec_child(at, slot, s->sub, s->array ? loc->data_part : loc->part, off, i);
    return r;
}

static bool lies_elsewhere(const rec_field *row)
{
    return row->flags & REC_OVERLAY || rec_row_column(row);
}

lathe_result rec_sub(const rec_at *at, uint32_t slot, uint64_t i, rec_at *out, lathe_error *err)
{
    rec_loc loc;
    if (lies_elsewhere(at->layout->slots[slot].row))
        return rec_unstored_sub(at, slot, out, err);
    lathe_result r = rec_find(at, slot, &loc, err);
    return r == LATHE_OK ? sub_in(at, slot, &loc, i, out, err) : r;
}

lathe_result rec_sub_item(const rec_at *at, uint32_t slot, uint64_t i, rec_at *out,
                          lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r == LATHE_OK && (!loc.present || i >= loc.count))
        r = rec_no_item(at, slot, &loc, i, err);
    if (r == LATHE_OK && lies_elsewhere(at->layout->slots[slot].row))
        return rec_unstored_sub(at, slot, out, err);
    return r == LATHE_OK ? sub_in(at, slot, &loc, i, out, err) : r;
}

/* ---- numbers ---------------------------------------------------------------------------------- */

int64_t rec_int(const rec_at *at, const char *name)
{
    uint32_t slot = rec_slot_find(at->layout, name);
    return slot != REC_NO_SLOT && rec_width(at->layout->slots[slot].row->kind)
               ? rec_slot_int(at, slot)
               : 0;
}

double rec_slot_real(const rec_at *at, uint32_t slot)
{
    lathe_value v;
    double f = 0;
    if (rec_get(at, slot, false, &v, NULL) == LATHE_OK)
        rec_number(&v, &f);
    return f;
}

uint64_t rec_slot_sum(const rec_at *at, uint32_t slot)
{
    const rec_slot *s = &at->layout->slots[slot];
    unsigned width = rec_width(s->row->kind);
    rec_loc loc;
    uint64_t sum = 0;
    if (!width || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return 0;
    for (uint64_t i = 0; i < loc.count; i++)
        sum += rec_load(s, at->doc->parts[loc.data_part].data + loc.data + i * width);
    return sum;
}
