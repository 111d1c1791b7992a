#include "model/mesh.h"

#include "base/error.h"

#include <string.h>

void model_mesh_init(model_mesh *mesh, const mem *m)
{
    *mesh = (model_mesh){
        .mem = *m,
        .transform = mat4_identity(),
        .node_transform = mat4_identity(),
        .surface = {.base_color = {1, 1, 1, 1}, .cutoff = 0.5F},
        .lod = -1,
    };
    arena_init(&mesh->texts, &mesh->mem);
}

static void *zeroed(const mem *m, size_t count, size_t elem, bool *ok)
{
    void *p = NULL;
    if (count == 0)
        return NULL;
    if (count <= SIZE_MAX / elem)
        p = mem_zalloc(m, count * elem);
    *ok = *ok && p != NULL;
    return p;
}

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
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
    if (with & MODEL_MESH_TANGENTS)
        mesh->tangents = zeroed(&mesh->mem, vertices, 4 * sizeof(float), &ok);
    if (with & MODEL_MESH_UVS)
        mesh->uvs = zeroed(&mesh->mem, vertices, 2 * sizeof(float), &ok);
    if (with & MODEL_MESH_COLORS)
        mesh->colors = zeroed(&mesh->mem, vertices, 4 * sizeof(float), &ok);
    if (with & MODEL_MESH_SKIN) {
        mesh->joints = zeroed(&mesh->mem, vertices, 4 * sizeof(uint16_t), &ok);
        mesh->weights = zeroed(&mesh->mem, vertices, 4 * sizeof(float), &ok);
    }
    if (with & MODEL_MESH_MATERIALS)
        mesh->material_of = zeroed(&mesh->mem, indices / 3, sizeof(uint32_t), &ok);
    if (ok)
        return LATHE_OK;
    model_mesh_free(mesh);
    return no_memory(err);
}

lathe_result model_mesh_bones(model_mesh *mesh, size_t bones, lathe_error *err)
{
    bool ok = true;
    mesh->bones = zeroed(&mesh->mem, bones, sizeof *mesh->bones, &ok);
    if (!ok)
        return no_memory(err);
    mesh->bone_count = bones;
    for (size_t i = 0; i < bones; i++)
        mesh->bones[i] =
            (model_mesh_bone){.parent = -1, .bind = mat4_identity(), .world = mat4_identity()};
    return LATHE_OK;
}

lathe_result model_mesh_material(model_mesh *mesh, const char *name, size_t n, lathe_error *err)
{
    const char *copy = model_mesh_text(mesh, name, n);
    void *list = mesh->materials;
    bool ok = copy && mem_reserve(&mesh->mem, &list, &mesh->material_room, mesh->material_count + 1,
                                  sizeof copy);
    mesh->materials = list;
    if (!ok)
        return no_memory(err);
    mesh->materials[mesh->material_count++] = copy;
    return LATHE_OK;
}

const char *model_mesh_text(model_mesh *mesh, const char *p, size_t n)
{
    char *text = n < SIZE_MAX ? arena_zalloc(&mesh->texts, n + 1) : NULL;
    if (text && n)
        memcpy(text, p, n);
    return text;
}

lathe_result model_mesh_texture(model_mesh *mesh, const char *role, const char *path, size_t n,
                                lathe_error *err)
{
    model_surface *surface = &mesh->surface;
    if (n == 0 || surface->texture_count == MODEL_TEXTURES)
        return LATHE_OK;
    for (size_t i = 0; i < surface->texture_count; i++)
        if (strcmp(surface->textures[i].role, role) == 0)
            return LATHE_OK;
    const char *copy = model_mesh_text(mesh, path, n);
    if (!copy)
        return no_memory(err);
    surface->textures[surface->texture_count].role = role;
    surface->textures[surface->texture_count++].path = copy;
    return LATHE_OK;
}

void model_mesh_free(model_mesh *mesh)
{
    const mem m = mesh->mem;
    size_t n = mesh->vertex_count;
    mem_free(&m, mesh->positions, n * 3 * sizeof(float));
    mem_free(&m, mesh->normals, n * 3 * sizeof(float));
    mem_free(&m, mesh->tangents, n * 4 * sizeof(float));
    mem_free(&m, mesh->uvs, n * 2 * sizeof(float));
    mem_free(&m, mesh->colors, n * 4 * sizeof(float));
    mem_free(&m, mesh->joints, n * 4 * sizeof(uint16_t));
    mem_free(&m, mesh->weights, n * 4 * sizeof(float));
    mem_free(&m, mesh->indices, mesh->index_count * sizeof(uint32_t));
    mem_free(&m, mesh->material_of, mesh->index_count / 3 * sizeof(uint32_t));
    mem_free(&m, mesh->materials, mesh->material_room * sizeof *mesh->materials);
    mem_free(&m, mesh->bones, mesh->bone_count * sizeof *mesh->bones);
    arena_free(&mesh->texts);
    model_mesh_init(mesh, &m);
}
