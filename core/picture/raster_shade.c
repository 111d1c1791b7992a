/* Light and textures. */
#include "picture/raster_parts.h"

/* Unit vectors of 2^14: towards the viewer, and to the upper left behind them. */
enum { UNIT_BITS = 14, KEY_X = -7200, KEY_Y = 10400, KEY_Z = 10400 };
/* Shares of 255, which add up to more: nothing looks into both lights. */
enum { AMBIENT = 62, HEAD = 108, KEY = 128 };

unsigned raster_light(vec3 normal)
{
    const double one = 1 << UNIT_BITS;
    int32_t x = (int32_t)(normal.x * one), y = (int32_t)(normal.y * one),
            z = (int32_t)(normal.z * one);
    int32_t key = (x * KEY_X + y * KEY_Y + z * KEY_Z) >> UNIT_BITS;
    int32_t light = AMBIENT << UNIT_BITS;
    light += z > 0 ? z * HEAD : 0;
    light += key > 0 ? key * KEY : 0;
    light >>= UNIT_BITS;
    return light < 255 ? (unsigned)light : 255;
}

static const uint8_t *pixel(const picture_pixels *p, uint32_t x, uint32_t y)
{
    return p->rgba + 4 * ((size_t)y * p->width + x);
}

/* Bilinear, with weights of 256 in each direction. */
picture_color raster_texel(const picture_pixels *level, int64_t u, int64_t v)
{
    const int64_t mask = ((int64_t)1 << RASTER_UV_BITS) - 1;
    int64_t w = level->width, h = level->height;
    const int64_t half = 1 << (RASTER_UV_BITS - 9);
    int64_t x = (((u & mask) * w + half) >> (RASTER_UV_BITS - 8)) - 128,
            y = (((v & mask) * h + half) >> (RASTER_UV_BITS - 8)) - 128;
    x += x < 0 ? w << 8 : 0;
    y += y < 0 ? h << 8 : 0;
    uint32_t x0 = (uint32_t)(x >> 8), y0 = (uint32_t)(y >> 8);
    uint32_t x1 = x0 + 1 < level->width ? x0 + 1 : 0, y1 = y0 + 1 < level->height ? y0 + 1 : 0;
    uint32_t fx = (uint32_t)x & 0xff, fy = (uint32_t)y & 0xff;
    const uint8_t *a = pixel(level, x0, y0), *b = pixel(level, x1, y0), *c = pixel(level, x0, y1),
                  *d = pixel(level, x1, y1);
    picture_color out = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t top = a[i] * (256 - fx) + b[i] * fx, bottom = c[i] * (256 - fx) + d[i] * fx;
        out = out << 8 | (top * (256 - fy) + bottom * fy + 0x8000) >> 16;
    }
    return out;
}
