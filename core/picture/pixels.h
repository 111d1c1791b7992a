/* Pictures in memory, textures, and PNG. */
#ifndef LATHE_PICTURE_PIXELS_H
#define LATHE_PICTURE_PIXELS_H

#include "base/mem.h"

/* A colour as 0xRRGGBBAA, alpha not multiplied in. */
typedef uint32_t picture_color;

typedef struct picture_pixels {
    uint32_t width, height;
    uint8_t *
        rgba; /* height rows of width pixels of r, g, b, a, from the top; alpha not multiplied in */
} picture_pixels;

enum { PICTURE_PIXELS_MAX = 1 << 24 }; /* pixels of one picture, such as 4096 x 4096 */

/* All pixels get `color`. LATHE_ERR_LIMIT: no pixels, or more than PICTURE_PIXELS_MAX. */
lathe_result picture_pixels_new(const mem *m, uint32_t width, uint32_t height, picture_color color,
                                picture_pixels *out, lathe_error *err);
void picture_pixels_free(const mem *m, picture_pixels *pixels);
bool picture_is_opaque(const picture_pixels *pixels);

/* Writes a PNG: 8 bits a channel, without alpha if all pixels are opaque. Rows are compressed and handed to the sink
 * piece by piece. In a build without zlib it is not compressed. */
lathe_result picture_png_write(const mem *m, const picture_pixels *pixels, lathe_sink sink,
                               void *user, lathe_error *err);

/* A texture with its smaller levels, each half as large as the one before, down to 1 x 1. */
enum { PICTURE_LEVELS = 16 };
typedef struct picture_texture {
    picture_pixels levels[PICTURE_LEVELS];
    unsigned level_count;
    bool has_alpha; /* some pixel is not opaque */
} picture_texture;

/* Decodes a DDS file: BC1 to BC5, BC7, and uncompressed ones; the first face or slice of several. Levels that are larger
 * than `largest` pixels in width or height are skipped if the file has smaller ones, else reduced; levels that the file
 * lacks are computed. LATHE_ERR_INVALID: it contradicts itself or is cut; LATHE_ERR_UNSUPPORTED: other pixel formats;
 * LATHE_ERR_LIMIT: too large. The error has no place. */
lathe_result picture_dds_read(const mem *m, const void *bytes, size_t n, uint32_t largest,
                              picture_texture *out, lathe_error *err);
void picture_texture_free(const mem *m, picture_texture *texture);

/* ---- colors.c ---- */

/* A colour for a name: always the same one. */
picture_color picture_name_color(const char *name);
/* The colour of a surface that no texture covers: that of the first name that it has. NULL: it has none of that kind.
 * material; texture: the path of its base colour; mesh: the name of the mesh. */
picture_color picture_surface_color(const char *material, const char *texture, const char *mesh);
/* The colour of the edges of collision; material: "" if it has none. */
picture_color picture_edge_color(const char *material);

#endif
