/* Blocks by their names: doc:block. */
#include "nif/mesh.h"

#include <stdlib.h>

typedef struct named {
    const char *p; /* in a part: good as long as the scene is */
    size_t n;
    uint32_t block;
} named;

/* Equal names in the order of the blocks. */
static int compare_text(const named *a, const char *p, size_t n)
{
    size_t common = a->n < n ? a->n : n;
    int c = common ? memcmp(a->p, p, common) : 0;
    return c ? c : a->n < n ? -1 : a->n > n;
}

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int c = compare_text(x, y->p, y->n);
    return c ? c : x->block < y->block ? -1 : x->block > y->block;
}

/* Blocks without a name, and those that do not parse, are left out. */
static lathe_result list_names(nif_scene *scene, lathe_doc *doc, lathe_error *err)
{
    for (uint32_t i = 0; i < scene->count; i++) {
        rec_at block = nif_at(doc, nif_block(doc, scene->container, i));
        lathe_value v = {.kind = LATHE_KIND_NONE};
        uint32_t slot = block.layout ? rec_slot_find(block.layout, "name") : REC_NO_SLOT;
        if (!block.layout)
            return rec_no_memory(err);
        if (slot == REC_NO_SLOT || rec_opaque(doc, block.part, NULL) ||
            rec_get(&block, slot, false, &v, NULL) != LATHE_OK || v.kind != LATHE_KIND_STRING)
            continue;
        const named one = {v.as.s.p, v.as.s.n, i};
        if (!buf_put(&scene->names, &one, sizeof one))
            return rec_no_memory(err);
    }
    if (scene->names.size)
        qsort(scene->names.data, scene->names.size / sizeof(named), sizeof(named), by_name);
    scene->named = true;
    return LATHE_OK;
}

/* The first of that name; count: there is none. */
static size_t find_name(const named *list, size_t count, const lathe_value *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_text(&list[middle], name->as.s.p, name->as.s.n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < count && compare_text(&list[low], name->as.s.p, name->as.s.n) == 0;
    return found ? low : count;
}

lathe_result nif_find_block(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    lathe_doc *doc = self.doc;
    const rec_layout *root = self.type;
    lathe_value name = {.kind = LATHE_KIND_NONE}, found = {.kind = LATHE_KIND_RECORD};
    nif_scene *scene = nif_scene_of(doc, root->container, err);
    if (!scene)
        return rec_no_memory(err);
    if (!scene->named) {
        scene->names.size = 0; /* of an attempt that failed */
        lathe_result r = list_names(scene, doc, err);
        if (r != LATHE_OK)
            return r;
    }
    const named *list = (const named *)(const void *)scene->names.data;
    size_t count = scene->names.size / sizeof *list;
    rec_arg(args, "name", &name);
    size_t i = find_name(list, count, &name);
    if (i == count)
        return LATHE_OK;
    rec_at block = nif_at(doc, nif_block(doc, root->container, list[i].block));
    found.as.v = rec_view(&block);
    if (report && report->result)
        report->result(report->user, "block", &found);
    return LATHE_OK;
}

static const rec_param name_param = {.name = "name",
                                     .doc = "The name, as the file has it.",
                                     .kind = LATHE_PARAM_TEXT,
                                     .positional = true,
                                     .needed = true};
const rec_param *const nif_find_block_params[] = {&name_param, NULL};
