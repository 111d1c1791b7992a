/* Colours of materials without textures. */
#include "picture/pixels.h"

static picture_color of_hue(uint32_t hue, uint32_t low, uint32_t high)
{
    uint32_t part = hue % 256, up = low + (high - low) * part / 255, down = low + high - up;
    const uint32_t rgb[6][3] = {{high, up, low},   {down, high, low}, {low, high, up},
                                {low, down, high}, {up, low, high},   {high, low, down}};
    const uint32_t *c = rgb[hue / 256 % 6];
    return c[0] << 24 | c[1] << 16 | c[2] << 8 | 0xff;
}

picture_color picture_name_color(const char *name)
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

picture_color picture_surface_color(const char *material, const char *texture, const char *mesh)
{
    return picture_name_color(material ? material : texture ? texture : mesh);
}

picture_color picture_edge_color(const char *material)
{
    return *material ? picture_name_color(material) : 0x5a6470ff;
}
