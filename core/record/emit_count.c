/* Determines the number of elements when a record is written: from given values, the base record, and count rows. */
#include "record/emit.h"

/* The number of elements in the source's value for a row. False: it has none. */
static bool length_given(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t *n)
{
    lathe_value leaf;
    const void *child;
    rec_items items;
    rec_at storage;
    if (!rec_source_value(from, at, slot, &leaf, &child))
        return false;
    if (leaf.kind == LATHE_KIND_STRING)
        *n = leaf.as.s.n;
    else if (rec_items_of(&at->layout->slots[slot], from, &leaf, child, &items, &storage))
        *n = items.count;
    else
        return false;
    return true;
}

/* The number of elements in the base record, used if the source gives none. */
static bool length_kept(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t *n)
{
    uint32_t base_slot;
    rec_loc loc;
    if (!rec_base_row(from, at, slot, &base_slot) ||
        rec_find(from->base, base_slot, &loc, NULL) != LATHE_OK)
        return false;
    *n = loc.count;
    return true;
}

bool rec_counted_elsewhere(const rec_at *at, uint32_t slot)
{
    uint32_t by = at->layout->slots[slot].count_slot;
    bool present = true;
    return by != REC_NO_SLOT && rec_row_rare(at->layout->slots[by].row)->set &&
           rec_present(at, by, &present, NULL) == LATHE_OK && !present;
}

/* Writes a known count, to its row or to the place where it is stored instead. */
static lathe_result emit_counted(const rec_at *at, uint32_t slot, const rec_from *from,
                                 uint64_t raw, uint32_t part, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_value v = {.kind = LATHE_KIND_INT, .as.i = (int64_t)raw};
    bool present;
    lathe_result r = rec_present(at, slot, &present, err);
    if (r == LATHE_OK && !present)
        return from->stored_only ? LATHE_OK : rec_row_rare(row)->set(at, row, &v, err);
    return r == LATHE_OK ? rec_emit_raw(at, slot, raw, part, err) : r;
}

/* The count of an array in the base record that is not stored in the record. */
static bool count_kept(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t *raw)
{
    uint32_t base_slot;
    return rec_base_row(from, at, slot, &base_slot) && rec_counts_nothing(from->base, base_slot) &&
           rec_raw(from->base, base_slot, 0, raw, NULL) == LATHE_OK;
}

lathe_result rec_emit_count(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err)
{
    lathe_value count, leaf;
    const void *child;
    uint32_t by = REC_NO_SLOT;
    uint64_t n = 0, raw, wanted;
    bool stated = rec_source_value(from, at, slot, &leaf, &child), by_given = false;
    for (uint32_t j = slot + 1; j < at->layout->count; j++) {
        uint64_t have;
        if (at->layout->slots[j].count_slot != slot ||
            (stated && at->layout->slots[j].row->flags & REC_SOME))
            continue;
        bool given = length_given(at, j, from, &have);
        if (!given && (by_given || !length_kept(at, j, from, &have)))
            continue;
        if (given && !by_given)
            by = REC_NO_SLOT; /* a given list has precedence over the base record */
        by_given = given;
        if (at->layout->slots[j].row->body)
            have = 0; /* elements are inserted after the record is written: see rec_finish */
        if (by != REC_NO_SLOT && have != n)
            return rec_fail(at, j, at->off, err, LATHE_ERR_INVALID,
                            "%llu elements, but %s has %llu", (unsigned long long)have,
                            at->layout->slots[by].name, (unsigned long long)n);
        by = j;
        n = have;
    }
    if (!by_given && !stated && count_kept(at, slot, from, &raw))
        return emit_counted(at, slot, from, raw, part, err);
    if (by == REC_NO_SLOT && stated && rec_encode(at, slot, &leaf, &raw, NULL) == LATHE_OK)
        return emit_counted(at, slot, from, raw, part, err);
    if (by == REC_NO_SLOT && !stated)
        return emit_counted(at, slot, from, 0, part, err);
    if (by == REC_NO_SLOT)
        return rec_emit_scalar(at, slot, from, &leaf, child, part, err);
    count.kind = LATHE_KIND_UINT;
    count.as.u = n;
    if (rec_row_rare(at->layout->slots[by].row)->max &&
        n > rec_row_rare(at->layout->slots[by].row)->max)
        return rec_fail(at, by, at->off, err, LATHE_ERR_RANGE, "%llu elements, at most %llu",
                        (unsigned long long)n,
                        (unsigned long long)rec_row_rare(at->layout->slots[by].row)->max);
    lathe_result r = rec_encode(at, slot, &count, &raw, err);
    if (r == LATHE_OK && stated && !at->layout->slots[by].row->body &&
        (rec_encode(at, slot, &leaf, &wanted, NULL) != LATHE_OK || wanted != raw))
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_INVALID, "does not agree: %s has %llu",
                     at->layout->slots[by].name, (unsigned long long)n);
    return r == LATHE_OK ? emit_counted(at, slot, from, raw, part, err) : r;
}

lathe_result rec_expected_count(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t *n,
                                lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    uint64_t given = 0;
    bool stated = length_given(at, slot, from, &given) &&
                  !(from->stored_only && rec_counted_elsewhere(at, slot)); /* then resized later */
    if (!stated)
        length_kept(at, slot, from, &given);
    if (s->row->n)
        *n = s->row->n;
    else if (s->count_slot != REC_NO_SLOT)
        *n = (uint64_t)rec_int(at, at->layout->slots[s->count_slot].name);
    else if (rec_row_rare(s->row)->count)
        *n = rec_row_rare(s->row)->count(at);
    else
        *n = given;
    if (stated && given && !*n && rec_row_rare(s->row)->fit) {
        *n = given;
        return rec_row_rare(s->row)->fit(at, s->row, given, false, err);
    }
    if (stated && s->row->flags & REC_SOME && given < *n)
        *n = given;
    if (stated && given != *n)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_INVALID,
                        "%llu elements expected, got %llu", (unsigned long long)*n,
                        (unsigned long long)given);
    return !stated && *n > given ? rec_may_make(at, slot, *n - given, err) : LATHE_OK;
}
