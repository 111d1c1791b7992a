/* Models of Lugaru, with the geometry that is worked out from them. */
#include "fuzz.h"

#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"

static void meshes(const uint8_t *data, size_t size)
{
    lathe_options options = {.size = sizeof options, .format = "solid"};
    lathe_doc *doc = NULL;
    lathe_error err;
    model_mesh mesh;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    mem m = mem_default();
    model_mesh_init(&mesh, &m);
    const lathe_format *format = doc->containers[0].format;
    if (format->scene->mesh(doc, 0, &mesh, &err) == LATHE_OK)
        for (size_t i = 0; i < mesh.index_count; i++)
            PROMISE(mesh.indices[i] < mesh.vertex_count);
    model_mesh_free(&mesh);
    lathe_doc_close(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_document("solid", data, size, false);
    meshes(data, size);
    return 0;
}
