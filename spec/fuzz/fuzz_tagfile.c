/* Tagfiles: as documents; every object and type walked on its own; clips and shapes read; written anew, and made anew of
 * what is read. */
#include "fuzz_clips.h"
#include "fuzz_one.h"

#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"

static void walk_list(lathe_doc *doc, const char *name, uint64_t most)
{
    lathe_value list, one;
    lathe_error err;
    if (lathe_view_get(lathe_doc_root(doc), name, &list, &err) != LATHE_OK ||
        list.kind != LATHE_KIND_ARRAY)
        return;
    for (uint64_t i = 0; i < most && lathe_view_item(list.as.v, i, &one, &err) == LATHE_OK; i++) {
        int budget = 200;
        lathe_error why;
        if (!fuzz_is_view(&one))
            continue;
        lathe_view_problem(one.as.v, &why);
        fuzz_walk(one.as.v, false, 0, &budget);
    }
}

static void shapes(lathe_doc *doc)
{
    const lathe_format *format = doc->containers[0].format;
    lathe_error err;
    lathe_view body;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; format->scene->collision && i < 8 && r != LATHE_ERR_NAME; i++) {
        model_mesh mesh;
        model_mesh_init(&mesh, &doc->mem);
        r = format->scene->collision(doc, i, &mesh, &err);
        model_mesh_free(&mesh);
    }
    for (uint64_t i = 0; format->scene->body && i < 8; i++) {
        int budget = 100;
        if (format->scene->body(doc, i, &body, &err) != LATHE_OK)
            break;
        fuzz_walk(body, false, 0, &budget);
    }
}

/* A verb with a number changes all of the file, or nothing; undo brings it back. */
static void call(lathe_doc *doc, const char *verb, one number)
{
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    lathe_source args = source_of(&number);
    lathe_error err;
    fuzz_bytes before = fuzz_encode(doc);
    if (lathe_view_call(lathe_doc_root(doc), verb, &args, &report, &err) == LATHE_OK) {
        fuzz_reparse("tagfile", doc);
        lathe_edit_undo(doc, 1);
    }
    PROMISE(fuzz_still(doc, &before));
}

/* What is written anew opens, and writing that anew changes nothing more. */
static void serialize(lathe_doc *doc)
{
    lathe_options options = {.size = sizeof options, .format = "tagfile"};
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
    if (lathe_doc_new("tagfile", &source, &options, &made, &err) != LATHE_OK)
        return;
    fuzz_reparse("tagfile", made);
    lathe_doc_close(made);
}

static void look(const uint8_t *data, size_t size)
{
    lathe_options options = {.size = sizeof options, .format = "tagfile", .history = 2};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    walk_list(doc, "objects", 64);
    walk_list(doc, "types", 64);
    walk_list(doc, "skeletons", 8);
    fuzz_clips(doc);
    shapes(doc);
    serialize(doc);
    make(doc);
    call(doc, "retime", (one){"speed", 2});
    call(doc, "scale", (one){"factor", 2});
    lathe_doc_close(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_any_path = true;
    look(data, size);
    fuzz_document("tagfile", data, size, false);
    return 0;
}
