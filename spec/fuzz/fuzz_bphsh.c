/* Phive shapes: opened, looked at everywhere, checked, read as meshes, written anew, and made anew of what is read. */
#include "fuzz.h"

#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"

static void walk_value(lathe_doc *doc, const char *path, int most)
{
    lathe_value v;
    lathe_error err;
    if (lathe_view_at(lathe_doc_root(doc), path, &v, &err) == LATHE_OK && fuzz_is_view(&v))
        fuzz_walk(v.as.v, v.kind == LATHE_KIND_ARRAY, 0, &most);
}

/* Triangles have corners and materials that are there. */
static void mesh(lathe_doc *doc, uint64_t i)
{
    model_mesh m;
    lathe_error err;
    model_mesh_init(&m, &doc->mem);
    if (doc->containers[0].format->scene->collision(doc, i, &m, &err) == LATHE_OK) {
        PROMISE(i == 0);
        for (size_t k = 0; k < m.index_count; k++)
            PROMISE(m.indices[k] < m.vertex_count);
        for (size_t k = 0; k < m.index_count / 3; k++)
            PROMISE(m.material_of[k] < m.material_count);
    }
    model_mesh_free(&m);
}

static void materials(lathe_doc *doc)
{
    lathe_error err;
    lathe_view view;
    const lathe_format *format = doc->containers[0].format;
    for (uint64_t i = 0; i < 64 && format->scene->material(doc, i, &view, &err) == LATHE_OK; i++) {
        int budget = 30;
        fuzz_walk(view, false, 0, &budget);
    }
    for (uint64_t i = 0; i < 2 && format->scene->body(doc, i, &view, &err) == LATHE_OK; i++) {
        int budget = 300;
        fuzz_walk(view, false, 0, &budget);
    }
}

/* What is written anew opens, and writing that anew changes nothing more. */
static void serialize(lathe_doc *doc)
{
    lathe_options options = {.size = sizeof options, .format = "bphsh"};
    fuzz_bytes before = fuzz_encode(doc), made = {NULL, 0, 0}, again = {NULL, 0, 0};
    lathe_doc *other = NULL;
    lathe_error err;
    if (lathe_doc_serialize(lathe_doc_root(doc), NULL, fuzz_sink, &made, &err) == LATHE_OK) {
        PROMISE(lathe_doc_parse(made.p, made.n, &options, &other, &err) == LATHE_OK);
        PROMISE(lathe_doc_serialize(lathe_doc_root(other), NULL, fuzz_sink, &again, &err) ==
                LATHE_OK);
        PROMISE(fuzz_same(&made, &again));
        lathe_doc_close(other);
    }
    free(made.p);
    free(again.p);
    PROMISE(fuzz_still(doc, &before));
}

/* A new file of what a file says, as far as the source goes. */
static void make(lathe_doc *doc)
{
    lathe_options options = {.size = sizeof options};
    fuzz_source nodes = {.n = 1};
    lathe_source source = {.size = offsetof(lathe_source, name),
                           .user = &nodes,
                           .get = fuzz_source_get,
                           .count = fuzz_source_count};
    lathe_doc *made = NULL;
    lathe_error err;
    nodes.nodes[0].kind = LATHE_KIND_RECORD;
    nodes.nodes[0].as.v = lathe_doc_root(doc);
    if (lathe_doc_new("bphsh", &source, &options, &made, &err) != LATHE_OK)
        return;
    fuzz_reparse("bphsh", made);
    lathe_doc_close(made);
}

static void look(const uint8_t *data, size_t size)
{
    lathe_options options = {.size = sizeof options, .format = "bphsh", .history = 2};
    lathe_doc *doc = NULL;
    lathe_error err;
    size_t findings = 0;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    mesh(doc, 0);
    mesh(doc, 1);
    materials(doc);
    walk_value(doc, "shape", 2000);
    walk_value(doc, "tagfile.objects", 500);
    walk_value(doc, "tagfile.types", 500);
    lathe_doc_check(doc, fuzz_finding, &findings);
    serialize(doc);
    make(doc);
    lathe_doc_close(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_any_path = true;
    look(data, size);
    fuzz_document("bphsh", data, size, false);
    return 0;
}
