/* Curves of a track of an animation over time. */
#ifndef LATHE_PREVIEW_TRACK_H
#define LATHE_PREVIEW_TRACK_H

#include "model/motion.h"
#include "preview/frame.h"

/* A track with all its samples. */
typedef struct preview_track {
    const mem *mem;
    double *times; /* seconds, of each frame */
    size_t frames;
    double duration;
    float *rows;   /* MODEL_POSE numbers for each frame; or NULL */
    float *floats; /* one number for each frame, of a float track; or NULL */
    float *moves;  /* MODEL_MOVE numbers of root motion for each frame; or NULL */
    model_event *events;
    size_t event_count;
} preview_track;

/* What is drawn, and what was left out of it. */
typedef struct preview_curves {
    const preview_track *tracks[2]; /* tracks[1]: compared with the first; or NULL */
    unsigned hidden_plots;          /* out: without room */
    size_t hidden_texts;            /* out: of annotations, without room */
} preview_curves;

/* Draws a plot for each kind of numbers: translations; rotations as the quaternion's components, with the sign that continues
 * the frame before; scales if they are not all 1; a float track; root motion. Annotations of the first track are lines with
 * their texts. The second track has wide pale lines below those of the first; where the two differ, the plot is marked, with a
 * line at the greatest difference. Where the box is small, less is drawn: without numbers of frames, then without texts of
 * annotations, without plots that tell least, without values and without times. */
lathe_result preview_track_draw(picture_canvas *canvas, preview_curves *curves, frame_rect box,
                                lathe_error *err);

/* Reads track number `track` (floats: of the float tracks), with root motion and annotations; texts are borrowed until the
 * next write. *out is the caller's, to preview_track_free also after a failure. */
lathe_result preview_track_read(const mem *m, lathe_doc *doc, uint64_t clip, uint64_t track,
                                bool floats, preview_track *out, lathe_error *err);
void preview_track_free(preview_track *track);

#endif
