/* The plots of one track, or of two that are compared: what each shows, and how far two differ. */
#ifndef LATHE_PREVIEW_PLOTS_H
#define LATHE_PREVIEW_PLOTS_H

#include "preview/track.h"

enum { PLOT_LIMIT = 6, PLOT_CURVES = 4 };

typedef enum plot_measure {
    PLOT_LENGTH,  /* of the difference of vectors */
    PLOT_ANGLE,   /* between two rotations, in degrees */
    PLOT_GREATEST /* of the differences of numbers */
} plot_measure;

typedef struct plot {
    const char *name, *name_unit; /* "translation", " (units)" */
    const char *unit;             /* of differences, such as " unit"; may be empty */
    const char *const *names;
    unsigned curves;
    size_t stride, first;
    double factor; /* from the stored number to what is shown */
    plot_measure measure;
    const preview_track *tracks[2];
    const float *values
        [2]; /* value k of frame i is values[side][i * stride + first + k]; NULL: this track has none */
} plot;

/* Lists what at least one of the tracks has. tracks[1] may be NULL. Returns the number of plots. */
unsigned plot_list(const preview_track *const tracks[2], plot out[PLOT_LIMIT]);
double plot_value(const plot *p, int side, size_t frame, unsigned curve);

/* Goes along the frames of both tracks in the order of their times, up to the end of the shorter one. Between frames, values
 * lie on a line, as they are drawn. */
typedef struct plot_walk {
    const plot *plot;
    size_t next[2], current[2]; /* the next frame; the one at or before the time */
    double end;
    double least; /* the largest difference that counts as none */
} plot_walk;
void plot_walk_begin(plot_walk *walk, const plot *p);
/* False: past the end. *apart: the difference in units of the plot; 0 if it counts as none; NAN if there is none to tell, as a
 * value of one side is no number or the quaternion of one has no length. */
bool plot_walk_next(plot_walk *walk, double *time, double *apart);

/* The greatest difference of a plot. */
typedef struct plot_change {
    double most, time; /* 0: no difference where they can be compared */
    size_t unknown;    /* times at which they cannot */
} plot_change;
plot_change plot_compare(const plot *p);

/* Leaves out plots until `n` are left: first those without a change or, of two tracks, a difference; from the last. */
void plot_choose(plot *plots, unsigned *count, unsigned n);

enum { PLOT_TEXT = 128 };
#define PLOT_DIFFERS "differs by up to "
/* What differs, in words, such as "differs by up to 3 degrees, at 0.5 s". */
void plot_tell(const plot *p, const plot_change *change, char out[PLOT_TEXT]);

#endif
