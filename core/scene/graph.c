/* Lists of behavior graphs: the hooks of the document's format, if it has them. */
#include "scene/clip.h"

static lathe_result no_graphs(const lathe_doc *doc, lathe_error *err)
{
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "%s has no behavior graphs",
                     doc->containers[0].format->name);
}

lathe_result scene_item(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                        lathe_error *err)
{
    const scene_graph *graph = scene_of(doc->containers[0].format)->graph;
    return graph ? graph->item(doc, list, i, out, err) : no_graphs(doc, err);
}

lathe_result scene_item_name(lathe_doc *doc, lathe_list list, uint64_t i, lathe_value *out,
                             lathe_error *err)
{
    const scene_graph *graph = scene_of(doc->containers[0].format)->graph;
    return graph ? graph->name(doc, list, i, out, err) : no_graphs(doc, err);
}

lathe_result scene_item_find(lathe_doc *doc, lathe_list list, const char *name, size_t n,
                             uint64_t *i, lathe_error *err)
{
    const scene_graph *graph = scene_of(doc->containers[0].format)->graph;
    return graph ? graph->find(doc, list, name, n, i, err) : no_graphs(doc, err);
}
