/* Colours of materials without textures. */
#include "preview/preview.h"

static picture_color of_hue(uint32_t hue, uint32_t low, uint32_t high)
{
    uint32_t part = hue % 256, up = low + (high - low) * part / 255, down = low + high - up;
    const uint32_t rgb[6][3] = {{high, up, low},   {down, high, low}, {low, high, up},
                                {low, down, high}, {up, low, high},   {high, low, down}};
    const uint32_t *c = rgb[hue / 256 % 6];
    return c[0] << 24 | c[1] << 16 | c[2] << 8 | 0xff;
}

picture_color preview_color(const char *name)
{
    uint32_t hash = 2166136261U;
    if (!name || !*name)
        return 0xb8b8b0ff;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619U;
    hash ^= hash >> 15;
    hash *= 2246822519U;
    hash ^= hash >> 13;
    return of_hue(hash % (6 * 256), 110 + hash / 1536 % 40, 190 + hash / 65536 % 40);
}

const char *preview_material_of(const preview_part *part, size_t triangle)
{
    const model_mesh *mesh = part->mesh;
    if (mesh->material_of && mesh->material_of[triangle] < mesh->material_count)
        return mesh->materials[mesh->material_of[triangle]];
    if (mesh->material_count == 1)
        return mesh->materials[0];
    return mesh->material ? mesh->material : "";
}
