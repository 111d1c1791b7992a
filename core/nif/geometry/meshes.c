/* All meshes of a document: those of shapes, then those of packed geometry. */
#include "nif/geometry/mesh.h"
#include "nif/materials/materials.h"

#include <string.h>

lathe_result nif_mesh_count(lathe_doc *doc, uint64_t *n, lathe_error *err)
{
    const nif_shapes *shapes = nif_shapes_of(doc, 0, err);
    lathe_result r = shapes ? nif_packed_instances(doc, n, err) : LATHE_ERR_MEMORY;
    if (r == LATHE_OK)
        *n += shapes->count;
    return r;
}

lathe_result nif_mesh(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err)
{
    nif_shape shape;
    nif_skin skin;
    const nif_shapes *shapes = nif_shapes_of(doc, 0, err);
    if (!shapes)
        return LATHE_ERR_MEMORY;
    if (i >= shapes->count)
        return nif_packed_mesh(doc, i - shapes->count, mesh, err);
    const nif_scene *scene = nif_scene_of(doc, 0, err);
    if (!scene)
        return LATHE_ERR_MEMORY;
    uint32_t part = nif_block(doc, 0, shapes->blocks[i]);
    rec_at at = nif_at(doc, part);
    if (!at.layout || !nif_shape_find(doc, part, &shape))
        return rec_no_memory(err); /* it was found before */
    nif_take_bands(&at, mesh->lod, &shape);
    bool skinned = nif_skin_find(&at, &shape, &skin);
    mesh->transform = nif_world(scene, doc, part);
    lathe_result r = nif_put_geometry(&at, &shape, skinned ? MODEL_MESH_SKIN : 0U, mesh, err);
    if (r == LATHE_OK && skinned)
        r = nif_put_skin(scene, &skin, &shape, mesh, err);
    if (r != LATHE_OK)
        return r;
    char path[64];
    rec_path(&at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    mesh->path = model_mesh_text(mesh, path, strlen(path));
    if (!mesh->path)
        return rec_no_memory(err);
    r = nif_copy_text(&at, "name", 0, mesh, &mesh->name, err);
    return r == LATHE_OK ? nif_put_surface(&at, mesh, err) : r;
}
