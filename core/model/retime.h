/* Options of the retime verb, shared by all formats. */
#ifndef LATHE_MODEL_RETIME_H
#define LATHE_MODEL_RETIME_H

#include "lathe.h"

typedef enum model_retime_kind { MODEL_SPEED, MODEL_DURATION, MODEL_FPS } model_retime_kind;

typedef struct model_retime {
    model_retime_kind kind;
    double value; /* finite, above 0: speed factor; seconds; frames per second */
} model_retime;

/* The parameters, for declaring verbs. */
extern const lathe_param model_retime_speed, model_retime_duration, model_retime_fps;

/* Reads exactly one of the options speed, duration, fps. LATHE_ERR_TYPE: not exactly one. LATHE_ERR_RANGE: not
 * finite, or not above 0. */
lathe_result model_retime_args(const lathe_source *args, model_retime *out, lathe_error *err);
/* The factor for all times of an animation of `duration` seconds. Not for MODEL_FPS, which moves frames to given
 * times. LATHE_ERR_RANGE: an animation of no duration cannot be stretched. */
lathe_result model_retime_factor(const model_retime *how, double duration, double *factor,
                                 lathe_error *err);

#endif
