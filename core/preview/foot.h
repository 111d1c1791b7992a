/* The key of colours, beside or below the drawing, and the notes below it. */
#ifndef LATHE_PREVIEW_FOOT_H
#define LATHE_PREVIEW_FOOT_H

#include "preview/frame.h"

enum { FOOT_TEXT = 64 };

/* Where key and notes go. The key is a column at the right if its names fit there, else rows at the bottom. Rows and notes take
 * at most a third of the height of a picture, or a quarter of a cell of a sheet. A small picture has one line of them, a small
 * cell none. */
typedef struct frame_foot {
    double column;        /* width of the key at the right; 0: it is not there */
    size_t keys, notes;   /* how many are shown; in a column, as many as fit */
    unsigned rows, lines; /* of the key and of notes, with the lines that count what has no room */
    char more_keys[FOOT_TEXT],
        more_notes[FOOT_TEXT]; /* these counts as text; empty: all is shown */
} frame_foot;

void foot_lay_out(const preview_frame *frame, frame_foot *foot);
double foot_height(const frame_foot *foot);
/* y: the top of a column. */
void foot_draw(picture_canvas *canvas, const preview_frame *frame, double y);

/* The height of texts, and from one line to the next. */
#define FRAME_LINE_SIZE 13.0
#define FRAME_LINE_STEP 18.0
/* From the edge of a picture to what is in it. */
#define FRAME_MARGIN 10.0

double frame_whole(double v);

/* Bytes of the first line of text that is `room` pixels wide: it ends before a space if there is one, else where a name has a
 * natural end, else anywhere. At least one character. *next: where the next line begins. */
size_t frame_break(frame_text text, double size, double room, size_t *next);

#endif
