/* What all pictures have around the thing they show: title, sizes, axes, a scale bar, a key of colours and notes. */
#ifndef LATHE_PREVIEW_FRAME_H
#define LATHE_PREVIEW_FRAME_H

#include "picture/canvas.h"
#include "picture/raster.h"

enum {
    FRAME_BACKGROUND = 0,
    FRAME_TEXT,
    FRAME_FAINT, /* grids, notes */
    FRAME_LINE,
    FRAME_X,                  /* followed by y, z, w */
    FRAME_MARK = FRAME_X + 4, /* annotations */
    FRAME_COLORS
};
extern const picture_color frame_colors[FRAME_COLORS];

/* What differs between two documents. */
#define PREVIEW_MARK 0xe6008cffU

typedef struct frame_rect {
    double x, y, width, height;
} frame_rect;

/* A text that need not end in a NUL. */
typedef struct frame_text {
    const char *text;
    size_t length;
} frame_text;
frame_text frame_string(const char *text); /* NULL: an empty one */

typedef struct frame_key {
    frame_text name;
    picture_color color;
} frame_key;

enum { FRAME_NOTES = 8 };

typedef struct preview_frame {
    frame_rect all; /* of the whole picture, or of a cell of a sheet */
    bool cell;      /* of a sheet: a small one has no key and no notes, which are in the report */
    frame_text title;
    bool has_size;
    double size[3];               /* of what is shown, along x, y, z, in units */
    double metres;                /* metres in one unit; 0: unknown */
    const picture_camera *camera; /* for the cross of axes; NULL: none */
    bool foot; /* nothing else is drawn at the bottom of the inside, where axes and bar are */
    double
        scale; /* pixels of a unit in the middle of what is shown, for the scale bar; 0: no bar */
    const frame_key *keys;
    size_t key_count;
    frame_text notes[FRAME_NOTES]; /* at the bottom: what is guessed or left out */
    size_t note_count;
    bool wide;    /* what is shown needs all of the width: the key is at the bottom */
    double under; /* room under the inside that the caller needs */
} preview_frame;

/* Adds a note, which must stay until the frame is drawn. Beyond FRAME_NOTES it is left out. */
void frame_note(preview_frame *frame, const char *text);
/* The part of `all` that is left for the drawing, in whole pixels. The more lines the notes need, the smaller it is. */
frame_rect frame_inside(const preview_frame *frame);
/* The same, but in a picture that is too small for all of it removes the size, then the title, from the frame. */
frame_rect frame_room(preview_frame *frame);
/* Draws everything around that. The cross of axes and the bar are at the bottom of the inside, over what is there; in a small
 * picture they are beside title and size, if these leave room. */
void frame_draw(picture_canvas *canvas, const preview_frame *frame);

/* Draws a text, in several lines if need be, in the middle of a rectangle. */
void frame_say(picture_canvas *canvas, frame_rect box, const char *text);

/* Room for a number as text. */
enum { FRAME_NUMBER = 32 };
/* Writes a number with that many decimals (0 to 9), or as 1.23e+20 if it is large. Returns the length. */
size_t frame_number(char out[FRAME_NUMBER], double number, unsigned decimals);
/* Writes a number with `digits` significant digits at most, without zeros at the end. */
size_t frame_short_number(char out[FRAME_NUMBER], double number, unsigned digits);
/* A step of 1, 2 or 5 times a power of ten, so that at most `most` steps fit into `range`. *decimals are those that
 * multiples of it have. */
double frame_step(double range, unsigned most, unsigned *decimals);

/* The bytes of a text that is cut after n, without those of a character of UTF-8 that the cut splits. */
size_t frame_cut(const char *text, size_t n);
/* Appends to a text of `room` bytes with a NUL; characters that do not fit are cut off. */
void frame_append(char *out, size_t room, const char *text);
/* Appends a count and what it is of: `one` of a single one, else `many`. */
void frame_append_count(char *out, size_t room, uint64_t n, const char *one, const char *many);
/* Appends a number with `digits` significant digits at most, and its unit, such as " unit": with an "s" unless it is one. */
void frame_append_quantity(char *out, size_t room, double number, unsigned digits,
                           const char *unit);

#endif
