/* Scenes: as documents; every block walked on its own; blocks and strings that come, go and change their type; fields
 * of blocks; everything scaled; geometry as exporters get it. */
#include "fuzz_one.h"

#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"

enum { MOST_BLOCKS = 48, EDITS = 10 };

static bool array_of(lathe_doc *doc, const char *name, lathe_view *array)
{
    lathe_value v;
    lathe_error err;
    bool there = lathe_view_get(lathe_doc_root(doc), name, &v, &err) == LATHE_OK &&
                 v.kind == LATHE_KIND_ARRAY;
    *array = there ? v.as.v : lathe_doc_root(doc);
    return there;
}

/* The root is left before most blocks of a larger file were looked at. */
static void walk_blocks(lathe_doc *doc)
{
    lathe_view blocks;
    lathe_value block;
    lathe_error err;
    if (!array_of(doc, "blocks", &blocks))
        return;
    for (uint64_t i = 0; i < MOST_BLOCKS && lathe_view_item(blocks, i, &block, &err) == LATHE_OK;
         i++) {
        int budget = 120;
        lathe_error why;
        lathe_view_problem(block.as.v, &why);
        fuzz_walk(block.as.v, false, 0, &budget);
    }
}

static void meshes(lathe_doc *doc)
{
    mem m = mem_default();
    model_mesh mesh;
    lathe_error err;
    const lathe_format *format = doc->containers[0].format;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < 16; i++) {
        model_mesh_init(&mesh, &m);
        r = format->scene->mesh(doc, i, &mesh, &err);
        for (size_t k = 0; r == LATHE_OK && k < mesh.index_count; k++)
            PROMISE(mesh.indices[k] < mesh.vertex_count);
        model_mesh_free(&mesh);
    }
}

/* ---- edits ------------------------------------------------------------------------------------------- */

static lathe_value text(const char *p)
{
    return (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {p, strlen(p)}};
}

static lathe_value some_type(fuzz_dice *d, lathe_doc *doc)
{
    const char *name = lathe_format_type(doc->containers[0].format, fuzz_roll(d, 300));
    return text(name ? name : "NiNode");
}

static uint32_t some(fuzz_dice *d, uint64_t n)
{
    return fuzz_roll(d, n < 255 ? (uint32_t)n + 1 : 256);
}

/* A new block gets its type in the same edit, or never. */
static lathe_result insert_block(fuzz_dice *d, lathe_doc *doc, lathe_view blocks, lathe_error *err)
{
    uint64_t i = some(d, lathe_view_count(blocks));
    lathe_value type = some_type(d, doc), block;
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_view_insert(blocks, i, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_item(blocks, i, &block, err);
    if (r == LATHE_OK && fuzz_roll(d, 8))
        r = lathe_view_set(block.as.v, "type", &type, err);
    lathe_edit_end(doc, r == LATHE_OK, NULL);
    return r;
}

static lathe_result set_in_block(fuzz_dice *d, lathe_doc *doc, lathe_view blocks, lathe_error *err)
{
    lathe_value block, v;
    lathe_field_info info = {.size = sizeof info};
    lathe_result r = lathe_view_item(blocks, some(d, lathe_view_count(blocks)), &block, err);
    if (r != LATHE_OK ||
        !lathe_view_describe(block.as.v, fuzz_roll(d, (uint32_t)lathe_view_count(block.as.v)),
                             &info))
        return r;
    if (info.flags & LATHE_FIELD_REF &&
        lathe_view_item(blocks, some(d, lathe_view_count(blocks)), &v, err) == LATHE_OK)
        return lathe_view_set(block.as.v, info.name, &v, err);
    v = fuzz_value(d, doc, info.kind);
    return lathe_view_set(block.as.v, info.name, &v, err);
}

static lathe_result scale(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const double factors[] = {2, 0.5, 10, 1e30, 1, -1, 0, 0.1};
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    one factor = {"factor", factors[fuzz_roll(d, 8)]};
    lathe_source args = source_of(&factor);
    return lathe_view_call(lathe_doc_root(doc), "scale", &args, &report, err);
}

static lathe_result edit(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_view blocks, strings;
    lathe_value v;
    bool texts = array_of(doc, "strings", &strings);
    if (!array_of(doc, "blocks", &blocks))
        return LATHE_OK;
    uint64_t n = lathe_view_count(blocks);
    switch (fuzz_roll(d, 8)) {
    case 0: return insert_block(d, doc, blocks, err);
    case 1: return lathe_view_remove(blocks, some(d, n), 1 + fuzz_roll(d, 2), err);
    case 2: {
        lathe_result r = lathe_view_item(blocks, some(d, n), &v, err);
        lathe_value type = some_type(d, doc);
        return r == LATHE_OK ? lathe_view_set(v.as.v, "type", &type, err) : r;
    }
    case 3:
        return texts ? lathe_view_insert(strings, some(d, lathe_view_count(strings)), 1, err)
                     : LATHE_OK;
    case 4:
        return texts ? lathe_view_remove(strings, some(d, lathe_view_count(strings)), 1, err)
                     : LATHE_OK;
    case 5: return scale(d, doc, err);
    default: return set_in_block(d, doc, blocks, err);
    }
}

/* What was edited opens again; undo brings back what was, and what fails has changed nothing. */
static void edits(const uint8_t *data, size_t size)
{
    fuzz_dice d = fuzz_dice_of(data, size);
    fuzz_memory memory = {.until = -1};
    lathe_options options = {.size = sizeof options,
                             .format = "nif",
                             .history = EDITS + 1,
                             .alloc = fuzz_alloc,
                             .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    walk_blocks(doc);
    meshes(doc);
    fuzz_bytes start = fuzz_encode(doc);
    for (int i = 0; i < EDITS; i++) {
        fuzz_bytes before = fuzz_encode(doc);
        if (edit(&d, doc, &err) == LATHE_OK) {
            fuzz_reparse("nif", doc);
            free(before.p);
        } else {
            PROMISE(fuzz_still(doc, &before));
        }
    }
    walk_blocks(doc);
    meshes(doc);
    while (lathe_edit_undo(doc, 1))
        ;
    PROMISE(fuzz_still(doc, &start));
    lathe_doc_close(doc);
    PROMISE(memory.now == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    edits(data, size);
    fuzz_document("nif", data, size, false);
    return 0;
}
