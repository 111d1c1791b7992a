/* Fills areas between edges, antialiased, in integers. */
#ifndef LATHE_PICTURE_CANVAS_FILL_H
#define LATHE_PICTURE_CANVAS_FILL_H

#include "picture/pixels.h"

enum {
    FILL_GRID = 256,    /* positions of edges: units in a pixel */
    FILL_SAMPLES = 16,  /* samples across a pixel, and down it unless there are very many edges */
    FILL_SIDE = 1 << 15 /* pixels of a side of the picture */
};

/* A part of the picture, in samples. */
typedef struct fill_clip {
    int32_t left, top, right, bottom;
} fill_clip;

typedef struct fill_edge {
    int32_t x0, y0, x1, y1; /* on the grid; the winding changes with the sign of y1 - y0 */
} fill_edge;

/* Edges of closed outlines. Pixels are covered where the winding number is not zero. */
typedef struct fill_shape {
    const mem *mem;
    double width, height; /* of the picture: edges are cut off outside */
    fill_edge *edges;
    size_t count, room;
    uint64_t rises; /* the sum of all |y1 - y0| */
    bool failed;    /* memory was short */
} fill_shape;

void fill_begin(fill_shape *shape, const mem *m, uint32_t width, uint32_t height);
/* Adds an edge. One with a coordinate that is not finite is not added. */
void fill_add(fill_shape *shape, double x0, double y0, double x1, double y1);
/* Blends the shape over the pixels, and removes its edges. False: memory was short. */
bool fill_paint(fill_shape *shape, picture_pixels *pixels, const fill_clip *clip,
                picture_color color);
void fill_free(fill_shape *shape);

/* Blends a color over a pixel; cover is 0 to 256. */
void fill_blend(uint8_t *rgba, picture_color color, uint32_t cover);

/* canvas_stroke.c: closed outlines, all with the same direction. */

/* n points, rows of x, y. */
void stroke_polygon(fill_shape *shape, const double *xy, size_t n);
void stroke_disc(fill_shape *shape, double x, double y, double radius);
/* The outline of a line with round joins and ends. */
void stroke_line(fill_shape *shape, const double *xy, size_t n, double width);

#endif
