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
static lathe_result build_record(const rec_at *at, rec_from *from, lathe_error *err)
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
        rec_from from = {.source = source};
        r = build_record(&at, &from, err);
    } else {
        rec_items items;
        rec_items_in(&at.layout->slots[slot], source, NULL, &items);
        r = rec_build_array(&at, slot, &items, err);
    }
    return rec_end(view.doc, r, err);
}

lathe_result lathe_view_build_item(lathe_view array, uint64_t i, const lathe_source *source,
                                   lathe_error *err)
{
    rec_at at, element;
    uint32_t slot;
    rec_loc item;
    lathe_result r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    rec_from from = {.source = source};
    if (rec_makes_targets(at.layout->slots[slot].row)) {
        r = rec_find_item(&at, slot, i, &item, err);
        r = r == LATHE_OK ? rec_make_target(&at, slot, i, source, NULL, err) : r;
    } else if (at.layout->slots[slot].row->kind == REC_RECORD) {
        r = rec_sub_item(&at, slot, i, &element, err);
        r = r == LATHE_OK ? build_record(&element, &from, err) : r;
    } else {
        r = rec_fail(&at, slot, at.off, err, LATHE_ERR_TYPE, "its elements are no records");
    }
    return rec_end(array.doc, r, err);
}

static lathe_result copy_element(const rec_at *at, uint32_t slot, const rec_at *from,
                                 lathe_view *out, lathe_error *err)
{
    const lathe_format *format = at->doc->containers[at->layout->container].format;
    rec_at made;
    uint64_t i = 0;
    if (!format->copy || !rec_row_tag(at->layout->slots[slot].row))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "only objects of packfiles are copied with what they lead to");
    lathe_result r = format->copy(at, slot, from, &i, err);
    if (r == LATHE_OK)
        r = rec_sub_item(at, slot, i, &made, err);
    if (r == LATHE_OK)
        *out = rec_view(&made);
    return r;
}

lathe_result lathe_view_copy(lathe_view array, lathe_view object, lathe_view *out, lathe_error *err)
{
    rec_at at, from;
    uint32_t slot, none;
    lathe_view made = {0};
    lathe_result r = enter(&object, false, &from, &none, err);
    if (r == LATHE_OK)
        r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    r = rec_end(array.doc, copy_element(&at, slot, &from, &made, err), err);
    if (r == LATHE_OK)
        *out = made;
    return r;
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
