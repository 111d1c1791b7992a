/* Skinned meshes in a pose. */
#include "preview/preview.h"

#include "model/motion.h"
#include "record/record.h"

#include <string.h>

static vec3 row_of(const float *p)
{
    return (vec3){(double)p[0], (double)p[1], (double)p[2]};
}

static void put_row(float *out, vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/* A vertex and its normal are moved by the sum over their bones; one without weights stays where the mesh is. */
static void skin_vertex(const preview_part *part, const mat4 *skins, size_t v)
{
    const model_mesh *mesh = part->mesh;
    vec3 at = row_of(mesh->positions + 3 * v), sum = {0, 0, 0}, normal = {0, 0, 0};
    vec3 up = mesh->normals ? row_of(mesh->normals + 3 * v) : normal;
    double total = 0;
    for (size_t k = 4 * v; k < 4 * v + 4; k++) {
        double weight = (double)mesh->weights[k];
        if (weight == 0 || mesh->joints[k] >= mesh->bone_count)
            continue;
        const mat4 *skin = &skins[mesh->joints[k]];
        sum = vec3_add(sum, vec3_scale(mat4_point(skin, at), weight));
        normal = vec3_add(normal, vec3_scale(mat4_direction(skin, up), weight));
        total += weight;
    }
    if (total == 0) {
        sum = mat4_point(&mesh->transform, at);
        normal = mat4_direction(&mesh->transform, up);
    }
    put_row(part->posed + 3 * v, sum);
    if (part->normals)
        put_row(part->normals + 3 * v, vec3_normalize(normal));
}

lathe_result preview_skin(const preview *p, preview_part *part, const mat4 *worlds,
                          lathe_error *err)
{
    const model_mesh *mesh = part->mesh;
    size_t size = 3 * mesh->vertex_count * sizeof(float);
    if (!mesh->joints || !mesh->weights || !mesh->vertex_count)
        return LATHE_OK;
    mat4 *skins = mem_alloc(&p->mem, mesh->bone_count * sizeof *skins);
    if (!part->posed)
        part->posed = mem_zalloc(&p->mem, size);
    if (mesh->normals && part->posed && !part->normals)
        part->normals = mem_zalloc(&p->mem, size);
    bool ok = skins && part->posed && (!mesh->normals || part->normals);
    for (size_t i = 0; ok && i < mesh->bone_count; i++)
        skins[i] = mat4_mul(&worlds[i], &mesh->bones[i].bind);
    for (size_t v = 0; ok && v < mesh->vertex_count; v++)
        skin_vertex(part, skins, v);
    mem_free(&p->mem, skins, mesh->bone_count * sizeof *skins);
    if (!ok)
        return rec_no_memory(err);
    part->place = mat4_identity();
    return LATHE_OK;
}

lathe_result preview_skin_rest(const preview *p, preview_part *part, lathe_error *err)
{
    size_t n = part->mesh->bone_count;
    mat4 *worlds = mem_alloc(&p->mem, n * sizeof *worlds);
    if (!worlds)
        return rec_no_memory(err);
    for (size_t i = 0; i < n; i++)
        worlds[i] = part->mesh->bones[i].world;
    lathe_result r = preview_skin(p, part, worlds, err);
    mem_free(&p->mem, worlds, n * sizeof *worlds);
    return r;
}
