#include "picture/pixels.h"

#include "base/error.h"

lathe_result picture_pixels_new(const mem *m, uint32_t width, uint32_t height, picture_color color,
                                picture_pixels *out, lathe_error *err)
{
    *out = (picture_pixels){0, 0, NULL};
    uint64_t count = (uint64_t)width * height;
    if (count == 0 || count > PICTURE_PIXELS_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a picture of %lu x %lu pixels: it must have from 1 to %lu",
                         (unsigned long)width, (unsigned long)height,
                         (unsigned long)PICTURE_PIXELS_MAX);
    uint8_t *p = mem_alloc(m, (size_t)count * 4);
    if (!p)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    *out = (picture_pixels){width, height, p};
    for (size_t i = 0; i < count; i++, p += 4) {
        p[0] = (uint8_t)(color >> 24);
        p[1] = (uint8_t)(color >> 16);
        p[2] = (uint8_t)(color >> 8);
        p[3] = (uint8_t)color;
    }
    return LATHE_OK;
}

bool picture_is_opaque(const picture_pixels *pixels)
{
    size_t n = (size_t)pixels->width * pixels->height;
    for (size_t i = 0; i < n; i++)
        if (pixels->rgba[i * 4 + 3] != 255)
            return false;
    return true;
}

void picture_pixels_free(const mem *m, picture_pixels *pixels)
{
    mem_free(m, pixels->rgba, (size_t)pixels->width * pixels->height * 4);
    *pixels = (picture_pixels){0, 0, NULL};
}
