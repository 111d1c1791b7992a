/* Last step of writing a record: rows that need the whole of it. These are defaults computed from it, totals,
 * out-of-line data, and rows that take no bytes. */
#include "record/record.h"

/* Sets a row that takes no bytes, after the record was written. */
static lathe_result finish_given(const rec_at *at, uint32_t slot, const rec_from *from,
                                 const lathe_value *leaf, const void *child, lathe_error *err)
{
    rec_items items;
    rec_at storage, sub;
    if (rec_row_rare(at->layout->slots[slot].row)->numbers && at->doc->pending)
        return LATHE_OK; /* rec_emit noted it */
    if (rec_row_rare(at->layout->slots[slot].row)->numbers)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "assign it after the record was created");
    if (!child)
        return rec_set(at, slot, leaf, err);
    if (at->layout->slots[slot].array)
        return rec_items_of(&at->layout->slots[slot], from, leaf, child, &items, &storage)
                   ? rec_build_array(at, slot, &items, err)
                   : rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a list expected");
    rec_from below = {.source = from->source, .node = child, .fresh = from->fresh};
    lathe_result r = rec_sub(at, slot, 0, &sub, err);
    return r == LATHE_OK ? rec_build(&sub, &below, err) : r;
}

/* Sets defaults computed from the record, totals, out-of-line data, and given computed fields. */
lathe_result rec_finish(const rec_at *at, uint32_t slot, const rec_from *from, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_value leaf;
    const void *child;
    uint32_t base_slot;
    bool present, given = rec_source_value(from, at, slot, &leaf, &child);
    rec_items items;
    rec_at storage;
    lathe_result r = rec_present(at, slot, &present, err);
    if (r != LATHE_OK || !present)
        return r;
    /* all components are set together with the first one */
    if (rec_is_lane(at->layout->type, slot) && slot)
        return LATHE_OK;
    if (rec_is_lane(at->layout->type, slot))
        return from->stored_only ? LATHE_OK : rec_lanes_finish(at, from, true, err);
    if (rec_unstored(row))
        return given && !from->stored_only ? finish_given(at, slot, from, &leaf, child, err)
                                           : LATHE_OK;
    if (row->body && from->skip_parts)
        return LATHE_OK;
    if (row->body && !given && rec_base_row(from, at, slot, &base_slot)) {
        r = rec_get(from->base, base_slot, true, &leaf, err);
        given = leaf.kind == LATHE_KIND_STRING ? leaf.as.s.n : lathe_view_count(leaf.as.v);
        if (r != LATHE_OK || !given)
            return r;
    }
    if (row->body && given) {
        if (at->off != 0)
            return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                            "its data are out of line: assign it after the record was created");
        if (leaf.kind == LATHE_KIND_STRING)
            return rec_set(at, slot, &leaf, err);
        return rec_items_of(&at->layout->slots[slot], from, &leaf, child, &items, &storage)
                   ? rec_build_array(at, slot, &items, err)
                   : rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a list expected");
    }
    if (given || rec_base_row(from, at, slot, &base_slot) ||
        !(rec_row_rare(row)->init_fn || rec_row_rare(row)->derive))
        return LATHE_OK;
    int64_t value = rec_row_rare(row)->init_fn ? rec_row_rare(row)->init_fn(at) : 0;
    if (!rec_row_rare(row)->init_fn && !rec_row_rare(row)->derive(at, &value))
        return LATHE_OK;
    uint64_t raw;
    lathe_value v = {.kind = LATHE_KIND_INT, .as.i = value};
    r = rec_encode(at, slot, &v, &raw, err);
    return r == LATHE_OK ? rec_put_raw(at, slot, 0, raw, err) : r;
}
