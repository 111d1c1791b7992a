#include "scene/list.h"

typedef struct listed {
    rec_cached cached;
    buf items; /* a lathe_view each */
} listed;

void scene_list_release(lathe_doc *doc, rec_cached *what)
{
    listed *l = (listed *)what;
    buf_free(&l->items);
    mem_free(&doc->mem, l, sizeof *l);
}

lathe_result scene_list_add(buf *list, const rec_at *at, lathe_error *err)
{
    lathe_view view = rec_view(at);
    return buf_put(list, &view, sizeof view) ? LATHE_OK : rec_no_memory(err);
}

static lathe_result items_of(const scene_list *of, lathe_doc *doc, const buf **out,
                             lathe_error *err)
{
    lathe_result r = LATHE_OK;
    listed *l = rec_cache_find(doc, 0, &of->cache);
    if (!l) {
        l = mem_zalloc(&doc->mem, sizeof *l);
        if (!l)
            return rec_no_memory(err);
        buf_init(&l->items, &doc->mem);
        r = of->fill(doc, &l->items, err);
        if (r != LATHE_OK) {
            scene_list_release(doc, &l->cached);
            return r;
        }
        rec_cache_put(doc, 0, &of->cache, &l->cached);
    }
    *out = &l->items;
    return LATHE_OK;
}

lathe_result scene_list_count(const scene_list *of, lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    const buf *list;
    lathe_result r = items_of(of, doc, &list, err);
    if (r == LATHE_OK)
        *n = list->size / sizeof(lathe_view);
    return r;
}

lathe_result scene_list_item(const scene_list *of, lathe_doc *doc, uint64_t i, lathe_view *out,
                             lathe_error *err)
{
    const buf *list;
    lathe_result r = items_of(of, doc, &list, err);
    if (r != LATHE_OK)
        return r;
    uint64_t n = list->size / sizeof *out;
    if (i >= n)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu %s",
                         (unsigned long long)n, of->what);
    memcpy(out, list->data + i * sizeof *out, sizeof *out);
    return LATHE_OK;
}
