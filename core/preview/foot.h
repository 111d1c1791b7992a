/* What stands beside and under the thing shown: a key of colours and notes. */
#ifndef LATHE_PREVIEW_FOOT_H
#define LATHE_PREVIEW_FOOT_H

#include "preview/frame.h"

enum { FOOT_TEXT = 64 };

/* Where key and notes go. The key stands in a column at the right if its names fit there, else in rows at the bottom. Rows and
 * notes take a third of the height at most, a quarter of a cell of a sheet; a single line in a small picture, none in a small
 * cell. */
typedef struct frame_foot {
    double column;        /* width of the key at the right; 0: it is not there */
    size_t keys, notes;   /* how many are shown; in a column, as many as fit */
    unsigned rows, lines; /* of the key and of notes, with those that tell what has no room */
    char more_keys[FOOT_TEXT], more_notes[FOOT_TEXT]; /* that; empty: all is shown */
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
