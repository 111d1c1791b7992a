/* Animations taken out of documents as a whole and written back: what the verbs of all formats stand on. */
#ifndef LATHE_SCENE_MOTION_H
#define LATHE_SCENE_MOTION_H

#include "model/motion.h"
#include "scene/clip.h"

/* How a compressed format is to write samples; formats that store them as they are take no notice. */
typedef struct scene_precision {
    bool anew;                                  /* also tracks whose samples are as stored */
    int quantization;                           /* 40, 48, 32, 0 for "none"; -1: not named */
    double translation, rotation, scale, value; /* tolerances; 0: the format's default */
    const double *translations, *rotations, *scales,
        *values;                   /* one a track, in place of these; NULL: none */
    uint32_t max_frames_per_block; /* 0: as it is, or the default */
} scene_precision;
extern const scene_precision scene_precision_default;

/* Fills an empty motion with a clip as it is, with edits of the open edit in it. skeleton: NULL, or checked, as for
 * scene_clip_sample. *m needs no free where it fails. */
lathe_result scene_motion_take(const scene_clip *clip, const model_skeleton *skeleton,
                               model_motion *m, lathe_error *err);
/* Inside an edit: the clip becomes *m, whose contents this takes (m is empty then, whether it succeeds or not). What is read of the
 * clip shows it at once; the document's bytes follow at the end of the outermost edit, or when it is encoded before. how: NULL, or
 * kept. LATHE_ERR_UNSUPPORTED where the format cannot write clips, or not what *m has. */
lathe_result scene_motion_put(const scene_clip *clip, model_motion *m, const scene_precision *how,
                              lathe_error *err);
/* Inside an edit: one row of one frame, which must exist. */
lathe_result scene_motion_set_row(const scene_clip *clip, uint64_t frame, uint64_t track,
                                  const float *row, lathe_error *err);

#endif
