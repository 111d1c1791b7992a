/* Finds the mesh shape in a Phive file, and the offsets of its members. */
#include "phive/phive.h"

/* Finds the root object of an opened tagfile. */
static lathe_result find(lathe_doc *doc, uint32_t part, rec_at *out, uint32_t *type,
                         lathe_error *err)
{
    const rec_layout *root = rec_part_root(doc, part);
    if (!root)
        return rec_no_memory(err);
    if (rec_opaque(doc, part, err))
        return err ? err->code : LATHE_ERR_INVALID;
    uint32_t c = root->container;
    tag_item item = tag_item_get(doc, c, 1);
    uint64_t i = item.kind & TAG_OBJECT ? tag_object_at(doc, c, item.offset) : 0;
    uint32_t object = i ? rec_kid(doc, part, tag_row(TAG_OBJECTS), i - 1) : REC_NO_PART;
    if (object == REC_NO_PART)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "ITEM: item 1 is no object: there is no shape");
    *type = item.type;
    *out = (rec_at){
        .doc = doc, .layout = rec_part_root(doc, object), .part = object, .slot = REC_NO_SLOT};
    if (!out->layout)
        return rec_no_memory(err);
    return rec_opaque(doc, object, err) ? (err ? err->code : LATHE_ERR_INVALID) : LATHE_OK;
}

lathe_result phive_shape(lathe_doc *doc, uint32_t c, rec_at *out, const phive_layout **layout,
                         uint32_t *container, lathe_error *err)
{
    lathe_error unused;
    uint32_t part = phive_part_of(doc, c, PHIVE_TAGFILE), type = 0;
    err = err ? err : &unused;
    lathe_result r = part == REC_NO_PART
                         ? error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "there is no tagfile")
                         : find(doc, part, out, &type, err);
    if (r != LATHE_OK)
        return r;
    *container = out->layout->container;
    phive_state *state = phive_state_of(doc, c);
    const tag_types *types = tag_types_of(doc, *container);
    if (state->types != types || state->layout.shape.type != type) {
        state->types = NULL;
        r = phive_layout_read(types, type, &state->layout, err);
        if (r == LATHE_OK)
            state->types = types;
    }
    *layout = &state->layout;
    return r;
}
