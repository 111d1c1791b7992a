/* Parts of the rasteriser: corners in space become triangles on the grid (raster_clip), which are filled (raster_fill). */
#ifndef LATHE_PICTURE_RASTER_PARTS_H
#define LATHE_PICTURE_RASTER_PARTS_H

#include "picture/raster.h"

enum {
    RASTER_GRID = 256,       /* steps of the grid in a pixel */
    RASTER_SAMPLES = 4,      /* in a pixel */
    RASTER_GUARD = 1 << 16,  /* pixels: triangles are clipped to this distance from the origin */
    RASTER_WEIGHT_BITS = 24, /* of weights of perspective: the nearest corner of a triangle has 1 */
    RASTER_UV_BITS = 20      /* of a fraction of a texture */
};

/* A corner in the camera's space: (x / w, y / w) is its place from the axis of view in pixels, y down; w is the distance
 * with perspective, else 1. */
typedef struct raster_corner {
    double x, y, w, distance;
    double color[4]; /* 0 to 255, lit */
    double uv[2];
} raster_corner;

typedef struct raster_material {
    const picture_texture *texture;
    picture_alpha alpha;
    unsigned cutoff;
} raster_material;

/* A triangle on the grid. */
typedef struct raster_triangle {
    int32_t x[3], y[3]; /* in the order that makes the area positive */
    uint32_t depth[3];  /* of 31 bits; 0 is behind everything */
    uint32_t weight[3]; /* all 0: no perspective to correct */
    uint32_t color[3];
    int32_t u[3], v[3];
    uint32_t material;
    uint32_t row, end_row; /* rows of pixels that it may cover */
} raster_triangle;

typedef struct raster_list {
    raster_triangle *items;
    size_t count, cap;
} raster_list;

struct picture_raster {
    mem m;
    picture_pixels *pixels;
    picture_camera camera;
    raster_material *materials;
    size_t material_count, material_cap;
    raster_list solid, blended;
    uint64_t work; /* pixels covered so far */
};

/* The corner of a point in space of the camera; without colour and uv. */
raster_corner raster_corner_at(const picture_camera *camera, vec3 point);
/* Clips a convex polygon and adds what is left of it. *too_much: it was left out, as it would be too much work. */
lathe_result raster_add(picture_raster *r, const raster_corner *corners, size_t n,
                        uint32_t material, bool *too_much, lathe_error *err);
/* Cuts a line to what can be drawn. False: nothing. */
bool raster_clip_line(const picture_raster *r, raster_corner ends[2]);

/* Colour from 0 to 255 of a point of a surface with that unit normal, in space of the camera. */
unsigned raster_light(vec3 normal);

/* Sorts triangles from far to near by the sum of their depths; those with the same one stay as they were added. */
bool raster_sort_by_depth(const mem *m, raster_list *list);
/* Numbers of triangles by the band of `rows` rows in which they begin, in their order. */
bool raster_sort_by_band(const mem *m, const raster_list *list, uint32_t rows, uint32_t bands,
                         uint32_t *out);

/* Draws into the pixels of the raster, in bands of so many rows; 0: as many as PICTURE_RASTER_SAMPLES has room for. */
lathe_result raster_fill(picture_raster *r, uint32_t rows, lathe_error *err);

/* The texture at (u, v), of the level. */
picture_color raster_texel(const picture_pixels *level, int64_t u, int64_t v);

#endif
