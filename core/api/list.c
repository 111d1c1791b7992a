/* Public functions for the lists of a document's scene. */
#include "api/api.h"

static lathe_result check_list(lathe_list list, lathe_error *err)
{
    return (unsigned)list < LATHE_LIST_COUNT
               ? LATHE_OK
               : error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "there is no list %d", (int)list);
}

bool lathe_format_has(const lathe_format *format, lathe_list list)
{
    return scene_has(format, list);
}

lathe_result lathe_list_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    lathe_result r = check_list(list, err);
    return r == LATHE_OK ? scene_count(doc, list, n, err) : r;
}

/* The record of a skeleton; of a skeleton without one, the document's root. */
static lathe_result skeleton_record(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    const model_skeleton *rig;
    lathe_result r = scene_rig(doc, i, &rig, err);
    if (r == LATHE_OK && i == LATHE_LINKED)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "the linked skeleton is a copy, not a record of the document");
    if (r == LATHE_OK)
        *out = rig->source.doc ? rig->source : lathe_doc_root(doc);
    return r;
}

lathe_result lathe_list_item(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                             lathe_error *err)
{
    scene_clip clip;
    lathe_result r = check_list(list, err);
    if (r != LATHE_OK)
        return r;
    switch (list) {
    case LATHE_SKELETONS: return skeleton_record(doc, i, out, err);
    case LATHE_ANIMATIONS:
        r = scene_clip_open(doc, i, &clip, err);
        if (r == LATHE_OK)
            *out = clip.source;
        return r;
    case LATHE_MATERIALS: return scene_material(doc, i, out, err);
    case LATHE_BODIES: return scene_body(doc, i, out, err);
    case LATHE_MESHES:
    case LATHE_COLLISION:
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "a mesh is not a record: it is computed from several");
    default: return scene_item(doc, list, i, out, err);
    }
}

static lathe_result check_named(lathe_list list, lathe_error *err)
{
    lathe_result r = check_list(list, err);
    return r == LATHE_OK && list < LATHE_GRAPHS
               ? error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                           "items of this list are not found by name")
               : r;
}

lathe_result lathe_list_name(lathe_doc *doc, lathe_list list, uint64_t i, lathe_value *name,
                             lathe_error *err)
{
    lathe_result r = check_named(list, err);
    return r == LATHE_OK ? scene_item_name(doc, list, i, name, err) : r;
}

lathe_result lathe_list_find(lathe_doc *doc, lathe_list list, const char *name, size_t n,
                             uint64_t *i, lathe_error *err)
{
    lathe_result r = check_named(list, err);
    return r == LATHE_OK ? scene_item_find(doc, list, name, n, i, err) : r;
}

lathe_result lathe_material_look(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    return scene_look(doc, i, out, err);
}

lathe_value lathe_list_value(lathe_doc *doc, lathe_list list, uint64_t i)
{
    uint32_t number = i < UINT32_MAX ? (uint32_t)i : UINT32_MAX;
    if (list == LATHE_SKELETONS)
        return scene_skeleton_value(doc, number);
    return list == LATHE_ANIMATIONS ? scene_clip_value(doc, number)
                                    : (lathe_value){.kind = LATHE_KIND_NONE};
}
