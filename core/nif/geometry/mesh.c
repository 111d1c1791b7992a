/* Converts geometry of shapes to meshes; vertices are decoded in simple loops. */
#include "nif/geometry/mesh.h"

/* ---- vertices -------------------------------------------------------------------------------------------- */

static float direction_at(const uint8_t *p)
{
    return (float)(*p * 2.0 / 255 - 1);
}

static float part_at(const uint8_t *p)
{
    return (float)(*p / 255.0);
}

typedef float (*lane_at)(const uint8_t *p);

/* Decodes n values of `size` bytes of each row. Inlined together with its loop. */
static inline void put_rows(float *out, const uint8_t *p, uint64_t stride, uint64_t rows,
                            lane_at get, size_t n, size_t size)
{
    for (uint64_t i = 0; i < rows; i++, p += stride, out += n)
        for (size_t k = 0; k < n; k++)
            out[k] = get(p + k * size);
}

/* Converts tangents: in NIF the bitangent is along u, and the tangent along v, which increases downwards. */
static void put_tangent(float *out, const float *normal, const float *u, const float *v)
{
    double up = 0;
    for (size_t k = 0; k < 3; k++) {
        size_t a = (k + 1) % 3, b = (k + 2) % 3;
        double cross = (double)normal[a] * (double)u[b] - (double)normal[b] * (double)u[a];
        up -= cross * (double)v[k];
        out[k] = u[k];
    }
    out[3] = up < 0 ? -1 : 1;
}

static void put_packed_tangents(const nif_shape *s, model_mesh *mesh)
{
    const nif_vertex *at = &s->layout;
    const uint8_t *p = s->packed.p, *dynamic = s->dynamic.p;
    for (uint64_t i = 0; i < s->vertices; i++, p += at->stride) {
        float u[3] = {0, direction_at(p + at->normal + 3), direction_at(p + at->tangent + 3)}, v[3];
        if (dynamic)
            u[0] = nif_float_at(dynamic + 16 * i + 12);
        else
            u[0] =
                at->full ? nif_float_at(p + at->position + 12) : nif_half_at(p + at->position + 6);
        for (size_t k = 0; k < 3; k++)
            v[k] = direction_at(p + at->tangent + k);
        put_tangent(mesh->tangents + 4 * i, mesh->normals + 3 * i, u, v);
    }
}

static void put_column_tangents(const nif_shape *s, model_mesh *mesh)
{
    for (uint64_t i = 0; i < s->vertices; i++) {
        float u[3], v[3];
        for (size_t k = 0; k < 3; k++) {
            u[k] = nif_float_at(s->bitangents.p + 12 * i + 4 * k);
            v[k] = nif_float_at(s->tangents.p + 12 * i + 4 * k);
        }
        put_tangent(mesh->tangents + 4 * i, mesh->normals + 3 * i, u, v);
    }
}

static void put_packed(const nif_shape *s, model_mesh *mesh)
{
    const nif_vertex *v = &s->layout;
    const uint8_t *p = s->packed.p;
    if (s->dynamic.p)
        put_rows(mesh->positions, s->dynamic.p, 16, s->vertices, nif_float_at, 3, 4);
    else if (v->full)
        put_rows(mesh->positions, p + v->position, v->stride, s->vertices, nif_float_at, 3, 4);
    else
        put_rows(mesh->positions, p + v->position, v->stride, s->vertices, nif_half_at, 3, 2);
    if (mesh->uvs)
        put_rows(mesh->uvs, p + v->uv, v->stride, s->vertices, nif_half_at, 2, 2);
    if (mesh->normals)
        put_rows(mesh->normals, p + v->normal, v->stride, s->vertices, direction_at, 3, 1);
    if (mesh->colors)
        put_rows(mesh->colors, p + v->color, v->stride, s->vertices, part_at, 4, 1);
    if (mesh->tangents)
        put_packed_tangents(s, mesh);
}

static void put_columns(const nif_shape *s, model_mesh *mesh)
{
    put_rows(mesh->positions, s->positions.p, 12, s->vertices, nif_float_at, 3, 4);
    if (mesh->normals)
        put_rows(mesh->normals, s->normals.p, 12, s->vertices, nif_float_at, 3, 4);
    if (mesh->uvs)
        put_rows(mesh->uvs, s->uvs.p, 8, s->vertices, nif_float_at, 2, 4);
    if (mesh->colors)
        put_rows(mesh->colors, s->colors.p, 16, s->vertices, nif_float_at, 4, 4);
    if (mesh->tangents)
        put_column_tangents(s, mesh);
}

static unsigned attributes_of(const nif_shape *s)
{
    bool tangents =
        s->packed.p ? s->layout.tangent >= 0 : s->normals.p && s->tangents.p && s->bitangents.p;
    bool normals = s->packed.p ? s->layout.normal >= 0 : s->normals.p != NULL;
    bool uvs = s->packed.p ? s->layout.uv >= 0 : s->uvs.p != NULL;
    bool colors = s->packed.p ? s->layout.color >= 0 : s->colors.p != NULL;
    return (normals ? MODEL_MESH_NORMALS : 0U) | (uvs ? MODEL_MESH_UVS : 0U) |
           (colors ? MODEL_MESH_COLORS : 0U) | (tangents ? MODEL_MESH_TANGENTS : 0U);
}

/* ---- a mesh ------------------------------------------------------------------------------------------------ */

lathe_result nif_put_geometry(const rec_at *shape_block, const nif_shape *shape, unsigned with,
                              model_mesh *mesh, lathe_error *err)
{
    mesh->z_up = true;
    mesh->front = NIF_FRONT;
    mesh->metres = NIF_AT_B(shape_block) < NIF_STARFIELD ? NIF_METRES : 0;
    lathe_result r =
        model_mesh_alloc(mesh, (size_t)shape->vertices, (size_t)nif_indices(shape, NULL),
                         attributes_of(shape) | with, err);
    if (r != LATHE_OK)
        return r;
    nif_indices(shape, mesh->indices);
    if (shape->packed.p)
        put_packed(shape, mesh);
    else
        put_columns(shape, mesh);
    return LATHE_OK;
}
