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

/* Draws a plot for each kind of numbers: translations; rotations as the quaternion's components, with the sign that continues
 * the frame before; scales if they are not all 1; a float track; root motion. Annotations are lines with their texts;
 * *hidden_texts (may be NULL) are texts without room. */
lathe_result preview_track_draw(picture_canvas *canvas, const preview_track *track, frame_rect box,
                                size_t *hidden_texts, lathe_error *err);

/* Reads track number `track` (floats: of the float tracks), with root motion and annotations; texts are borrowed until the
 * next write. *out is the caller's, to preview_track_free also after a failure. */
lathe_result preview_track_read(const mem *m, lathe_doc *doc, uint64_t clip, uint64_t track,
                                bool floats, preview_track *out, lathe_error *err);
void preview_track_free(preview_track *track);

#endif
