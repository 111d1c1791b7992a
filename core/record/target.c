/* Records that pointers lead to, made from the nested values that are given for the pointer. */
#include "record/record.h"

bool rec_makes_targets(const rec_field *row)
{
    return row->kind == REC_POINTER && rec_row_ref(row)->make;
}

lathe_result rec_make_target(const rec_at *at, uint32_t slot, uint64_t i,
                             const lathe_source *source, const void *node, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_field *row = at->layout->slots[slot].row;
    const rec_from from = {.source = source, .node = node, .fresh = true};
    uint64_t raw;
    lathe_result r = rec_writable(at, slot, err);
    if (r != LATHE_OK)
        return r;
    if (doc->making >= REC_DEPTH) /* also where a table contains itself */
        return rec_fail(at, slot, at->off, err, LATHE_ERR_LIMIT,
                        "tables nested deeper than %d objects", REC_DEPTH);
    doc->making++;
    r = rec_row_ref(row)->make(at, row, &from, &raw, err);
    doc->making--;
    return r == LATHE_OK ? rec_put_raw(at, slot, i, raw, err) : r;
}
