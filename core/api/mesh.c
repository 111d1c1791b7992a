/* Public functions for meshes as arrays. */
#include "api/api.h"

#include <stddef.h>

struct lathe_mesh {
    model_mesh is;
    mem mem;
    bool unreadable;
};

/* The member of a model_mesh for each array. */
static const struct {
    size_t at;
    uint32_t lanes;
    lathe_elem elem;
} parts[LATHE_MESH_PART_COUNT] = {
    [LATHE_MESH_POSITIONS] = {offsetof(model_mesh, positions), 3, LATHE_ELEM_F32},
    [LATHE_MESH_NORMALS] = {offsetof(model_mesh, normals), 3, LATHE_ELEM_F32},
    [LATHE_MESH_TANGENTS] = {offsetof(model_mesh, tangents), 4, LATHE_ELEM_F32},
    [LATHE_MESH_UVS] = {offsetof(model_mesh, uvs), 2, LATHE_ELEM_F32},
    [LATHE_MESH_COLORS] = {offsetof(model_mesh, colors), 4, LATHE_ELEM_F32},
    [LATHE_MESH_JOINTS] = {offsetof(model_mesh, joints), 4, LATHE_ELEM_U16},
    [LATHE_MESH_WEIGHTS] = {offsetof(model_mesh, weights), 4, LATHE_ELEM_F32},
    [LATHE_MESH_INDICES] = {offsetof(model_mesh, indices), 3, LATHE_ELEM_U32},
    [LATHE_MESH_MATERIALS] = {offsetof(model_mesh, material_of), 1, LATHE_ELEM_U32},
};

/* ---- opening ------------------------------------------------------------------------------------- */

typedef lathe_result read_mesh(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);

static lathe_result reader_of(const lathe_doc *doc, lathe_list list, read_mesh **out,
                              lathe_error *err)
{
    const lathe_format *format = doc->containers[0].format;
    if (list != LATHE_MESHES && list != LATHE_COLLISION)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "that list has no meshes");
    *out = list == LATHE_MESHES ? scene_of(format)->mesh : scene_of(format)->collision;
    return *out ? LATHE_OK
                : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "%s has no meshes%s",
                            format->name, list == LATHE_MESHES ? "" : " of collision");
}

/* Replaces an object that cannot be read by an empty mesh with the reason and the place. */
static lathe_result replace(lathe_mesh *mesh, const lathe_error *why, lathe_error *err)
{
    uint64_t object = mesh->is.object;
    model_mesh_free(&mesh->is);
    mesh->is.object = object;
    mesh->is.left_out = model_mesh_text(&mesh->is, why->message, strlen(why->message));
    mesh->is.path = model_mesh_text(&mesh->is, why->where, strlen(why->where));
    mesh->unreadable = true;
    return mesh->is.left_out && mesh->is.path ? LATHE_OK : rec_no_memory(err);
}

lathe_result lathe_mesh_open(lathe_doc *doc, lathe_list list, uint64_t i,
                             const lathe_mesh_options *options, lathe_mesh **out, lathe_error *err)
{
    read_mesh *read;
    lathe_error why;
    lathe_mesh_options o = {.size = sizeof o};
    api_take(&o, options, sizeof o);
    lathe_result r = reader_of(doc, list, &read, err);
    if (r != LATHE_OK)
        return r;
    mem m = o.alloc ? (mem){o.alloc, o.alloc_user} : doc->mem;
    lathe_mesh *mesh = mem_zalloc(&m, sizeof *mesh);
    if (!mesh)
        return rec_no_memory(err);
    mesh->mem = m;
    model_mesh_init(&mesh->is, &mesh->mem);
    mesh->is.lod = o.bands && o.bands <= INT32_MAX ? (int)o.bands - 1 : -1;
    mesh->is.known = o.known;
    r = read(doc, i, &mesh->is, &why);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY && o.keep_unreadable && mesh->is.object)
        r = replace(mesh, &why, &why);
    if (r == LATHE_OK) {
        *out = mesh;
        return r;
    }
    lathe_mesh_close(mesh);
    if (err)
        *err = why;
    return r;
}

void lathe_mesh_close(lathe_mesh *mesh)
{
    if (!mesh)
        return;
    mem m = mesh->mem;
    model_mesh_free(&mesh->is);
    mem_free(&m, mesh, sizeof *mesh);
}

/* ---- facts ----------------------------------------------------------------------------------------- */

void lathe_mesh_describe(const lathe_mesh *mesh, lathe_mesh_info *info)
{
    const model_mesh *m = &mesh->is;
    lathe_mesh_info all = {.name = m->name,
                           .material = m->material,
                           .z_up = m->z_up,
                           .v_up = m->v_up,
                           .metres = m->metres,
                           .bones = m->bone_count,
                           .materials = m->material_count,
                           .has_surface = m->surface.known,
                           .shape = m->shape,
                           .body = m->body,
                           .has_node = m->has_node,
                           .object = m->object,
                           .path = m->path,
                           .has_source = m->has_source,
                           .file_hash = m->source_hash,
                           .offset_in_file = m->source_offset,
                           .left_out = m->left_out,
                           .unreadable = mesh->unreadable,
                           .front = {m->front.x, m->front.y, m->front.z}};
    memcpy(all.transform, m->transform.m, sizeof all.transform);
    memcpy(all.node_transform, m->node_transform.m, sizeof all.node_transform);
    api_give(info, &all, sizeof all);
}

static lathe_result no_item(const char *what, size_t n, lathe_error *err)
{
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the mesh has %zu %s%s", n, what,
                     n == 1 ? "" : "s");
}

lathe_result lathe_mesh_material(const lathe_mesh *mesh, uint64_t i, const char **name,
                                 lathe_error *err)
{
    if (i >= mesh->is.material_count)
        return no_item("material", mesh->is.material_count, err);
    *name = mesh->is.materials[i];
    return LATHE_OK;
}

lathe_result lathe_mesh_joint(const lathe_mesh *mesh, uint64_t i, lathe_joint *out,
                              lathe_error *err)
{
    if (i >= mesh->is.bone_count)
        return no_item("joint", mesh->is.bone_count, err);
    const model_mesh_bone *bone = &mesh->is.bones[i];
    lathe_joint all = {.name = bone->name, .parent = bone->parent};
    memcpy(all.bind, bone->bind.m, sizeof all.bind);
    memcpy(all.world, bone->world.m, sizeof all.world);
    api_give(out, &all, sizeof all);
    return LATHE_OK;
}

bool lathe_mesh_surface(const lathe_mesh *mesh, lathe_surface *out)
{
    static const lathe_alpha alphas[MODEL_ALPHA_COUNT] = {[MODEL_ALPHA_OPAQUE] = LATHE_ALPHA_OPAQUE,
                                                          [MODEL_ALPHA_MASK] = LATHE_ALPHA_MASK,
                                                          [MODEL_ALPHA_BLEND] = LATHE_ALPHA_BLEND};
    const model_surface *s = &mesh->is.surface;
    if (!s->known)
        return false;
    lathe_surface all = {.alpha = alphas[s->alpha],
                         .cutoff = s->cutoff,
                         .double_sided = s->double_sided,
                         .textures = s->texture_count};
    for (int i = 0; i < 4; i++)
        all.base_color[i] = s->base_color[i];
    for (int i = 0; i < 3; i++)
        all.emissive[i] = s->emissive[i];
    api_give(out, &all, sizeof all);
    return true;
}

lathe_result lathe_mesh_texture(const lathe_mesh *mesh, uint64_t i, const char **role,
                                const char **path, lathe_error *err)
{
    const model_surface *s = &mesh->is.surface;
    if (i >= s->texture_count)
        return no_item("texture", s->texture_count, err);
    *role = s->textures[i].role;
    *path = s->textures[i].path;
    return LATHE_OK;
}

/* ---- arrays ---------------------------------------------------------------------------------------- */

static const uint8_t *rows_of(const model_mesh *m, lathe_mesh_part part)
{
    const uint8_t *rows;
    memcpy(&rows, (const char *)m + parts[part].at, sizeof rows);
    return rows;
}

uint64_t lathe_mesh_count(const lathe_mesh *mesh, lathe_mesh_part part, uint32_t *lanes,
                          lathe_elem *elem)
{
    const model_mesh *m = &mesh->is;
    if ((unsigned)part >= LATHE_MESH_PART_COUNT)
        return 0;
    if (lanes)
        *lanes = parts[part].lanes;
    if (elem)
        *elem = parts[part].elem;
    if (!rows_of(m, part))
        return 0;
    return part < LATHE_MESH_INDICES ? m->vertex_count : m->index_count / 3;
}

lathe_result lathe_mesh_read(const lathe_mesh *mesh, lathe_mesh_part part, uint64_t from,
                             uint64_t n, lathe_elem elem, void *to, lathe_error *err)
{
    uint32_t lanes = 0;
    lathe_elem is = LATHE_ELEM_F32;
    uint64_t rows = lathe_mesh_count(mesh, part, &lanes, &is);
    if ((unsigned)elem >= LATHE_ELEM_COUNT)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "unknown element type");
    if (from > rows || n > rows - from)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu rows",
                         (unsigned long long)rows);
    unsigned step = rec_elem_width(is), width = rec_elem_width(elem);
    const uint8_t *p = rows ? rows_of(&mesh->is, part) + from * lanes * step : NULL;
    uint8_t *q = to;
    if (elem == is && n) {
        memcpy(q, p, (size_t)(n * lanes * step));
        return LATHE_OK;
    }
    for (uint64_t i = 0; i < n * lanes; i++, p += step, q += width)
        if (!rec_elem_convert(is, p, elem, q))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "row %llu has a number that does not fit",
                             (unsigned long long)(from + i / lanes));
    return LATHE_OK;
}
