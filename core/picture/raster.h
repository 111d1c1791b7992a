/* Draws triangles and lines in space into pixels, the same on every machine: positions become numbers of a fixed-point
 * grid by doubles with + - * / and sqrt only; coverage, depth and colour are computed with integers. */
#ifndef LATHE_PICTURE_RASTER_H
#define LATHE_PICTURE_RASTER_H

#include "base/mem.h"
#include "base/vec.h"
#include "picture/pixels.h"

/* A camera. Its space has x to the right, y up and z towards the viewer. */
typedef struct picture_camera {
    mat4 view;        /* from the world to the camera */
    bool perspective; /* else parallel */
    double near, far; /* distances along -z that are drawn; with perspective 0 < near */
    double scale; /* pixels for one unit: at distance 1 with perspective, else at every distance */
    double centre[2]; /* the pixel of the axis of view, from the left and the top of the picture */
} picture_camera;

/* Where a point of the world is in the picture: x and y in pixels from its top left corner, z its distance from the
 * camera. False: it is not in front of the camera, or not finite. */
bool picture_project(const picture_camera *camera, vec3 point, vec3 *out);

typedef enum picture_alpha {
    PICTURE_OPAQUE,
    PICTURE_MASK, /* pixels with alpha below the cutoff are not drawn */
    PICTURE_BLEND
} picture_alpha;

/* Triangles to draw. picture_raster_mesh reads the arrays; only the texture must live until picture_raster_draw. */
typedef struct picture_mesh {
    const float *positions;  /* vertex_count rows of x, y, z */
    const float *normals;    /* same shape; NULL: the triangle's own */
    const float *uvs;        /* rows of u, v, (0, 0) at the top left of the texture; or NULL */
    const float *colors;     /* rows of r, g, b, a from 0 to 1; or NULL */
    const uint32_t *indices; /* triangle_count rows of three vertices */
    const uint32_t
        *triangle_colors; /* a colour (picture_color) for each triangle; NULL: `color` for all */
    size_t vertex_count, triangle_count;
    mat4 transform;                 /* from the mesh to the world */
    uint32_t color;                 /* multiplied with all others */
    const picture_texture *texture; /* or NULL; it repeats */
    picture_alpha alpha;
    unsigned cutoff;   /* 0 to 255 */
    bool double_sided; /* else triangles seen from behind are drawn darker, not left out */
    bool flat;         /* without light */
} picture_mesh;

/* Lines in space, hidden by what is in front of them. Those whose colour is not opaque are blended. */
typedef struct picture_lines {
    const float *points;      /* rows of x, y, z */
    const uint32_t *segments; /* segment_count rows of two points */
    const uint32_t *colors;   /* one for each segment; NULL: `color` */
    size_t point_count, segment_count;
    mat4 transform;
    uint32_t color;
    double width; /* pixels, 1 to 64; ends are round if it is above 2, else square */
    double bias;  /* the share of the distance by which lines are drawn nearer, such as 0.001 */
} picture_lines;

/* What became of the triangles and lines that were added. The functions add to these counts. */
typedef struct picture_left_out {
    size_t drawn;      /* taken; they may lie outside of the view */
    size_t not_finite; /* left out: a position that is not a finite number, or one beyond 1e100 */
    size_t no_vertex;  /* left out: an index beyond the vertices */
    size_t degenerate; /* left out: a triangle without area, a line without length */
    size_t too_much;   /* left out: what was added before is too much work already */
} picture_left_out;

/* Bounds. Time: triangles and lines are taken until they cover PICTURE_RASTER_WORK pixels and 8 times the picture, hidden ones
 * included, and blended ones thrice: under 5 s. Memory: PICTURE_RASTER_SAMPLES bytes (or one row, 32 bytes for each pixel) for the
 * samples of a band of rows, and up to 170 bytes for each triangle that may cover a sample inside the picture; a line
 * is two triangles, or eight if its width is above 2. */
enum {
    PICTURE_RASTER_SIDE = 1 << 14, /* pixels: the largest width and height */
    PICTURE_RASTER_WORK = 1 << 27,
    PICTURE_RASTER_SAMPLES = 1 << 22
};

typedef struct picture_raster picture_raster;

/* Begins a picture of `pixels`' size; its pixels are the background, and must live until picture_raster_draw.
 * LATHE_ERR_LIMIT: wider or higher than PICTURE_RASTER_SIDE; LATHE_ERR_RANGE: the camera has numbers that are not finite,
 * or draws no distances. */
lathe_result picture_raster_new(const mem *m, picture_pixels *pixels, const picture_camera *camera,
                                picture_raster **out, lathe_error *err);
/* Adds triangles or lines. `left` may be NULL. */
lathe_result picture_raster_mesh(picture_raster *raster, const picture_mesh *mesh,
                                 picture_left_out *left, lathe_error *err);
lathe_result picture_raster_lines(picture_raster *raster, const picture_lines *lines,
                                  picture_left_out *left, lathe_error *err);
/* Draws all that was added over the background: opaque and masked triangles and lines with depth, then the blended ones
 * from far to near. The memory for samples is bounded: the picture is drawn in bands of rows. */
lathe_result picture_raster_draw(picture_raster *raster, lathe_error *err);
void picture_raster_free(picture_raster *raster); /* NULL is allowed */

#endif
