/* The materials, textures and colours of parts. */
#include "preview/preview.h"

#include <string.h>

const char *preview_material_of(const preview_part *part, size_t triangle)
{
    const model_mesh *mesh = part->mesh;
    if (mesh->material_of && mesh->material_of[triangle] < mesh->material_count)
        return mesh->materials[mesh->material_of[triangle]];
    if (mesh->material_count == 1)
        return mesh->materials[0];
    return mesh->material ? mesh->material : "";
}

const char *preview_texture_path(const model_surface *surface)
{
    for (size_t i = 0; surface->known && i < surface->texture_count; i++)
        if (strcmp(surface->textures[i].role, "base_color") == 0)
            return surface->textures[i].path;
    return NULL;
}

picture_color preview_part_color(const preview_part *part)
{
    const model_mesh *mesh = part->mesh;
    if (part->collision)
        return picture_name_color(preview_material_of(part, 0));
    return picture_surface_color(mesh->material, preview_texture_path(&mesh->surface), mesh->name);
}
