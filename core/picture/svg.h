/* The text of an SVG picture. */
#ifndef LATHE_PICTURE_SVG_H
#define LATHE_PICTURE_SVG_H

#include "picture/canvas.h"

/* All return false if memory is short. */

/* Text as it is. */
bool svg_put(buf *out, const char *text);
/* A number with at most two decimals. Numbers beyond 1e7 are cut to that. */
bool svg_number(buf *out, double number);
/* ' name="number"' */
bool svg_attribute(buf *out, const char *name, double number);
/* ' name="#rrggbb"', and ' name-opacity="…"' if it is not opaque */
bool svg_color(buf *out, const char *name, picture_color color);
/* ' points="x,y x,y"' */
bool svg_points(buf *out, const double *xy, size_t n);
/* Characters as the font shows them, with &lt; and so on. */
bool svg_text(buf *out, const char *text, size_t n);
/* The picture as base64 of a PNG. */
lathe_result svg_png(buf *out, const mem *m, const picture_pixels *pixels, lathe_error *err);

#endif
