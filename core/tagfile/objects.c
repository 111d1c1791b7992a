/* The objects of a tagfile: their types, and their numbers in doc.objects. */
#include "tagfile/heads.h"
#include "tagfile/list.h"
#include "tagfile/patches.h"

/* The type of an object's item; 0: it has none. */
static uint32_t type_of(lathe_doc *doc, uint32_t part)
{
    const rec_layout *root = rec_part_of(doc, part)->root;
    if (root && root->type->flags & REC_OWN)
        return tag_record_from(root->type)->id;
    uint32_t c = rec_part_of(doc, part)->container, number = tag_item_of(doc, part);
    uint32_t id = number ? tag_item_get(doc, c, number).type : 0; /* item 0 may hold anything */
    return id < tag_types_of(doc, c)->count ? id : 0;
}

const rec_type *tag_part_type(lathe_doc *doc, uint32_t part)
{
    const tag_record *r =
        tag_record_of(doc, rec_part_of(doc, part)->container, type_of(doc, part), NULL);
    return !r ? NULL : r->problem ? &tag_opaque : &r->type;
}

lathe_result tag_part_arg(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                          lathe_error *err)
{
    uint32_t c = rec_part_of(doc, part)->container;
    const tag_record *r = tag_record_of(doc, c, type_of(doc, part), err);
    uint64_t size = rec_part_of(doc, part)->size;
    *arg = 0;
    if (!r)
        return LATHE_ERR_MEMORY;
    if (r->problem)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "TYPE: type %u (%.60s): %s",
                         r->id, rec_type_name(&r->type), r->problem);
    if (type->size > size)
        return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                         "%.60s takes %u bytes, %llu are there in front of the next object",
                         rec_type_name(&r->type), type->size, (unsigned long long)size);
    return LATHE_OK;
}

const char *tag_class_of(lathe_doc *doc, uint32_t part)
{
    const rec_layout *root = rec_part_root(doc, part);
    if (root && root->type != &tag_opaque)
        return rec_type_name(root->type);
    uint32_t id = type_of(doc, part);
    const rec_type *type =
        id ? tag_name_of(doc, rec_part_of(doc, part)->container, id) : &tag_opaque;
    return type ? rec_type_name(type) : NULL;
}

lathe_result tag_owned_alone(const rec_at *at, uint32_t slot, uint64_t site, lathe_error *err)
{
    uint32_t number = tag_number_at(at->doc, at->part, site), n;
    const tag_item_use *uses = tag_item_uses(at->doc, at->layout->container, &n);
    if (!uses)
        return rec_no_memory(err);
    if (number < n && uses[number].fields == 1 &&
        tag_patch_at(at->doc, at->layout->container, uses[number].entry) ==
            tag_position(at->doc, at->part, site))
        return LATHE_OK;
    return rec_fail(at, slot, site, err, LATHE_ERR_UNSUPPORTED,
                    number < n && uses[number].fields > 1
                        ? "item %u is the storage of other arrays, too"
                        : "item %u: PTCH does not name this field, which leads to it",
                    number);
}

lathe_result tag_large_alone(const rec_at *at, uint32_t slot, uint64_t site, uint64_t bytes,
                             lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container, number = tag_number_at(doc, at->part, site), n, same = 0;
    if (bytes <= TAG_SHARED_MOST)
        return LATHE_OK;
    lathe_result r = tag_owned_alone(at, slot, site, err);
    tag_item own = tag_item_get(doc, c, number);
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    for (uint32_t k = tag_items_before(doc, c, own.offset); order && k < n && same < 2; k++) {
        tag_item item = tag_item_get(doc, c, order[k]);
        if (item.offset != own.offset)
            break;
        same += item.count && !(item.kind & TAG_OBJECT);
    }
    if (r == LATHE_OK && same > 1)
        r = rec_fail(at, slot, site, err, LATHE_ERR_UNSUPPORTED,
                     "item %u: other items lie there, too", number);
    return r;
}

/* ---- owners of data ------------------------------------------------------------------------------------ */

bool tag_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
               uint64_t *site)
{
    uint32_t c = rec_part_of(doc, part)->container, n;
    if (tag_list_owner(doc, part, off, k, from, site))
        return true;
    if (rec_part_of(doc, part)->hidden || rec_part_of(doc, part)->slot != tag_row(TAG_OBJECTS) ||
        !rec_places(doc))
        return false;
    if (tag_relative_owner(doc, part, off, k, from, site))
        return true;
    const uint32_t *order = tag_items_by_offset(doc, c, &n);
    uint32_t i = tag_items_before(doc, c, tag_position(doc, part, off) + 1);
    while (order && i-- > 0) {
        uint64_t position;
        tag_item item = tag_item_get(doc, c, order[i]);
        if (item.kind & TAG_OBJECT || !item.count || k-- > 0)
            continue;
        return tag_item_field(doc, c, order[i], &position) &&
               tag_place(doc, c, position, from, site);
    }
    return false;
}
