/* A triangle that is being filled. */
#ifndef LATHE_PICTURE_RASTER_FILL_H
#define LATHE_PICTURE_RASTER_FILL_H

#include "picture/raster_parts.h"

enum { FILL_DEPTH_FRACTION = 20, FILL_SHARE_FRACTION = 16, FILL_LEVEL_BITS = 12 };

/* At pixel (column, row): origin + column + row times the pixel's numbers, plus that of a sample or the centre. */
typedef struct fill_edge {
    int64_t origin, column, row, centre;
    int64_t sample[RASTER_SAMPLES], least, most; /* of the samples */
} fill_edge;

/* A value that changes evenly over the triangle; columns count from fill_triangle.left, rows from its triangle's. */
typedef struct fill_plane {
    int64_t origin, column, row;
} fill_plane;

typedef struct fill_triangle {
    const raster_triangle *t;
    const raster_material *material;
    int64_t left, right; /* columns of pixels, both included */
    fill_edge edge[3];
    fill_plane depth;
    int64_t depth_step[RASTER_SAMPLES];
    uint32_t least, most;   /* depth */
    bool even, perspective; /* one colour; corners have weights */
    fill_plane share[2], sum;
    int64_t share_most[2], sum_least;
    uint64_t level_bound
        [PICTURE_LEVELS]; /* of the third power of a weight, below which a level is used; from 1 */
} fill_triangle;

/* Rows of the picture with all their samples. */
typedef struct fill_band {
    uint32_t row, end_row, width;
    uint32_t *depth, *color;
} fill_band;

#endif
