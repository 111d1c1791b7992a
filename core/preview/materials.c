/* The materials of triangles. */
#include "preview/preview.h"

const char *preview_material_of(const preview_part *part, size_t triangle)
{
    const model_mesh *mesh = part->mesh;
    if (mesh->material_of && mesh->material_of[triangle] < mesh->material_count)
        return mesh->materials[mesh->material_of[triangle]];
    if (mesh->material_count == 1)
        return mesh->materials[0];
    return mesh->material ? mesh->material : "";
}
