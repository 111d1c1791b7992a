/* The font of pictures: letters as lines with round ends, drawn for lathe. */
#ifndef LATHE_PICTURE_FONT_H
#define LATHE_PICTURE_FONT_H

#include "picture/canvas_fill.h"

/* Units of the grid that letters are drawn on; y goes up, 0 is the base line. */
enum {
    FONT_SIZE =
        40, /* height of a text: from the top of an "l" to the bottom of a "g", with the width of lines */
    FONT_CAPITAL = 28, /* top of capitals: the middle of the line */
    FONT_SMALL = 20,   /* top of an "x" */
    FONT_BELOW = -8,   /* bottom of a "g" */
};

/* A path is a list of commands, each a letter with numbers. Arcs are quarters of ellipses.
 *   m x y      begins a line
 *   l x y      straight to
 *   h x y      arc that leaves horizontally and arrives vertically
 *   v x y      arc that leaves vertically and arrives horizontally
 *   q a b x y  parabola, bent towards (a, b)
 *   d x y      dot */
typedef struct font_glyph {
    uint32_t code; /* Unicode */
    int16_t left;  /* where x = 0 of the path is, from the place of the letter */
    int16_t width; /* from this letter to the next */
    const char *path;
    uint32_t base;  /* a letter that is drawn below this path, which has the same place; 0: none */
    int16_t dx, dy; /* by how much the path is moved */
} font_glyph;

/* NULL: the font lacks the character. */
const font_glyph *font_find(uint32_t code);

/* One character as it is shown: itself, or the characters of \xNN or \u{NNNN}. */
enum { FONT_SHOWN = 12 };
typedef struct font_shown {
    uint32_t codes[FONT_SHOWN];
    unsigned count;
} font_shown;

/* Reads the character at text[at], which is below n. Returns where the next one begins. */
size_t font_next(const char *text, size_t n, size_t at, font_shown *out);

/* Width in units of the grid. */
int32_t font_shown_width(const font_shown *shown);

/* Adds the outline of a text that begins at (x, y), the base line. */
void font_draw(fill_shape *shape, double x, double y, double size, const char *text, size_t n);

#endif
