#include "model/mesh.h"

#include "base/error.h"

void model_mesh_init(model_mesh *mesh, const mem *m)
{
    *mesh = (model_mesh){.mem = *m, .transform = mat4_identity()};
}

static void *zeroed(const mem *m, size_t count, size_t elem, bool *ok)
{
    void *p = NULL;
    size_t cap = 0;
    if (count == 0)
        return NULL;
    if (count > SIZE_MAX / elem) {
        *ok = false;
        return NULL;
    }
    cap = count * elem;
    p = mem_zalloc(m, cap);
    *ok = *ok && p != NULL;
    return p;
}

lathe_result model_mesh_alloc(model_mesh *mesh, size_t vertices, size_t indices, unsigned with,
                              lathe_error *err)
{
    bool ok = true;
    mesh->vertex_count = vertices;
    mesh->index_count = indices;
    mesh->positions = zeroed(&mesh->mem, vertices, 3 * sizeof(float), &ok);
    mesh->indices = zeroed(&mesh->mem, indices, sizeof(uint32_t), &ok);
    if (with & MODEL_MESH_NORMALS)
        mesh->normals = zeroed(&mesh->mem, vertices, 3 * sizeof(float), &ok);
    if (with & MODEL_MESH_UVS)
        mesh->uvs = zeroed(&mesh->mem, vertices, 2 * sizeof(float), &ok);
    if (with & MODEL_MESH_COLORS)
        mesh->colors = zeroed(&mesh->mem, vertices, 4 * sizeof(float), &ok);
    if (ok)
        return LATHE_OK;
    model_mesh_free(mesh);
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

void model_mesh_free(model_mesh *mesh)
{
    const mem *m = &mesh->mem;
    mem_free(m, mesh->positions, mesh->vertex_count * 3 * sizeof(float));
    mem_free(m, mesh->normals, mesh->vertex_count * 3 * sizeof(float));
    mem_free(m, mesh->uvs, mesh->vertex_count * 2 * sizeof(float));
    mem_free(m, mesh->colors, mesh->vertex_count * 4 * sizeof(float));
    mem_free(m, mesh->indices, mesh->index_count * sizeof(uint32_t));
    model_mesh_init(mesh, &(mem){m->fn, m->user});
}
