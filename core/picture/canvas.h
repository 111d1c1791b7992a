/* A flat picture of lines, areas, texts and images, which is written as PNG or as SVG. Positions are pixels from the top
 * left corner, may be fractions, and may lie outside: what is outside is cut off. */
#ifndef LATHE_PICTURE_CANVAS_H
#define LATHE_PICTURE_CANVAS_H

#include "picture/pixels.h"

typedef enum picture_kind { PICTURE_PNG, PICTURE_SVG } picture_kind;

typedef struct picture_canvas picture_canvas;

/* The width of a text, for layout; it is the same in both kinds. */
double picture_text_width(double size, const char *text, size_t n);
/* Bytes of the characters that fit into `room` pixels; those of the first one if none does. */
size_t picture_text_prefix(double size, const char *text, size_t n, double room);

/* LATHE_ERR_LIMIT: a side is 0 or above 32,768 pixels, or there are more than PICTURE_PIXELS_MAX. */
lathe_result picture_canvas_new(const mem *m, picture_kind kind, uint32_t width, uint32_t height,
                                picture_color background, picture_canvas **out, lathe_error *err);
void picture_canvas_free(picture_canvas *canvas); /* NULL is allowed */

/* What the picture shows, for programs that read it to people: the <title> of an SVG. A PNG has none. */
void picture_title(picture_canvas *canvas, const char *text, size_t n);

/* The functions that draw note the first failure (memory), which picture_canvas_write then returns. Positions that are
 * not finite are not drawn. */
void picture_rect(picture_canvas *canvas, double x, double y, double width, double height,
                  picture_color color);
/* n points, rows of x, y. Joins and ends are round. */
void picture_polyline(picture_canvas *canvas, const double *xy, size_t n, double width,
                      picture_color color);
/* Filled, non-zero winding. */
void picture_polygon(picture_canvas *canvas, const double *xy, size_t n, picture_color color);
void picture_disc(picture_canvas *canvas, double x, double y, double radius, picture_color color);
typedef enum picture_anchor { PICTURE_LEFT, PICTURE_CENTRE, PICTURE_RIGHT } picture_anchor;
/* n bytes of text, `size` pixels high from the top of an "l" to the bottom of a "g"; (x, y) is on the base line. Bytes that
 * are not UTF-8, control and bidirectional characters, and characters that the font lacks are shown as \xNN or \u{NNNN}. */
void picture_text(picture_canvas *canvas, double x, double y, double size, picture_anchor anchor,
                  picture_color color, const char *text, size_t n);
/* The same, but shortened with "…" in the middle to fit into `room` pixels. */
void picture_text_fit(picture_canvas *canvas, double x, double y, double size,
                      picture_anchor anchor, picture_color color, double room, const char *text,
                      size_t n);
/* Copies the pixels to (x, y), whole numbers. In SVG it becomes an embedded PNG. */
void picture_image(picture_canvas *canvas, int32_t x, int32_t y, const picture_pixels *pixels);
/* What is drawn until picture_clip_end is cut off outside of this rectangle. Not nested. */
void picture_clip(picture_canvas *canvas, double x, double y, double width, double height);
void picture_clip_end(picture_canvas *canvas);

lathe_result picture_canvas_write(picture_canvas *canvas, lathe_sink sink, void *user,
                                  lathe_error *err);

#endif
