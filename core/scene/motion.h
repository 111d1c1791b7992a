/* Reading whole animations from documents and writing them back. The verbs of all formats are based on this. */
#ifndef LATHE_SCENE_MOTION_H
#define LATHE_SCENE_MOTION_H

#include "model/motion.h"
#include "scene/clip.h"

/* Precision of compressed samples. Formats that do not compress ignore it. */
typedef struct scene_precision {
    /* encode again also tracks whose samples are unchanged */
    bool anew;
    int quantization;                           /* 40, 48, 32 or 0 ("none"); -1: not given */
    double translation, rotation, scale, value; /* tolerances; 0: the format's default */
    const double *translations, *rotations, *scales,
        *values;                   /* one for each track, in place of these; NULL: none */
    uint32_t max_frames_per_block; /* 0: unchanged, or the default */
} scene_precision;
extern const scene_precision scene_precision_default;

/* Fills an empty motion with a clip, including changes of the open edit. skeleton: NULL, or checked, as for
 * scene_clip_sample. On failure *m needs no free. */
lathe_result scene_motion_take(const scene_clip *clip, const model_skeleton *skeleton,
                               model_motion *m, lathe_error *err);
/* Inside an edit: replaces the clip by *m. Takes the contents of *m, which is empty afterwards, even on failure.
 * Reads of the clip see the change at once. The document's bytes follow when the outermost edit ends, or when the
 * document is encoded before. how: NULL for the previous precision, else remembered. LATHE_ERR_UNSUPPORTED: the
 * format cannot write clips, or not such data. */
lathe_result scene_motion_put(const scene_clip *clip, model_motion *m, const scene_precision *how,
                              lathe_error *err);
/* Inside an edit: sets one row of one frame, which must exist. */
lathe_result scene_motion_set_row(const scene_clip *clip, uint64_t frame, uint64_t track,
                                  const float *row, lathe_error *err);

#endif
