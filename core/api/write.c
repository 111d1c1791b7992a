/* Public functions that write. Each is one edit, and takes effect as a whole or not at all. */
#include "record/record.h"

static lathe_result enter(lathe_view *view, bool array, rec_at *at, uint32_t *slot,
                          lathe_error *err)
{
    lathe_result r = rec_enter(view, at, slot, err);
    if (r == LATHE_OK && (*slot != REC_NO_SLOT) != array)
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      array ? "%s is not an array" : "an array of %s is not a record",
                      rec_type_name(at->layout->type));
    return r;
}

lathe_result lathe_view_set(lathe_view view, const char *field, const lathe_value *value,
                            lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = enter(&view, false, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(view.doc, err)) != LATHE_OK)
        return r;
    return rec_end(view.doc, rec_set_name(&at, field, value, err), err);
}

lathe_result lathe_view_set_item(lathe_view array, uint64_t i, const lathe_value *value,
                                 lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&array, &at, &slot, err);
    bool lane = slot == REC_NO_SLOT && i < rec_lanes(at.layout->type);
    if (r == LATHE_OK && !lane)
        r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    r = lane ? rec_set(&at, (uint32_t)i, value, err) : rec_set_item(&at, slot, i, value, err);
    return rec_end(array.doc, r, err);
}

/* Builds a record. A polymorphic element may be replaced by one of another type. */
static lathe_result build_record(const rec_at *at, const rec_from *from, lathe_error *err)
{
    const char *tag;
    rec_at self, owner, now = *at;
    bool raw = false;
    uint32_t slot;
    lathe_result r = LATHE_OK;
    if (rec_embed_takes(at, from->source, &owner, &slot))
        return rec_embed_set(&owner, slot, from->source, NULL, NULL, err);
    if (rec_view_tag(rec_view(at), &tag) && rec_parent(at, &self, &owner))
        r = rec_element_for(&owner, self.slot, self.index, from, &now, &raw, err);
    return r == LATHE_OK && !raw ? rec_build(&now, from, err) : r;
}

lathe_result lathe_view_build(lathe_view view, const lathe_source *source, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&view, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(view.doc, err)) != LATHE_OK)
        return r;
    if (slot == REC_NO_SLOT) {
        const rec_from from = {.source = source};
        r = build_record(&at, &from, err);
    } else {
        rec_items items;
        rec_items_in(&at.layout->slots[slot], source, NULL, &items);
        r = rec_build_array(&at, slot, &items, err);
    }
    return rec_end(view.doc, r, err);
}

lathe_result lathe_view_insert(lathe_view array, uint64_t i, uint64_t n, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    return rec_end(array.doc, rec_insert(&at, slot, i, n, NULL, 0, err), err);
}

lathe_result lathe_view_move(lathe_view array, uint64_t from, uint64_t to, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    return rec_end(array.doc, rec_move(&at, slot, from, to, err), err);
}

lathe_result lathe_view_remove(lathe_view array, uint64_t i, uint64_t n, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    return rec_end(array.doc, rec_remove(&at, slot, i, n, err), err);
}
