/* What a retime verb is asked for, the same for all animations. */
#ifndef LATHE_MODEL_RETIME_H
#define LATHE_MODEL_RETIME_H

#include "lathe.h"

typedef enum model_retime_kind { MODEL_SPEED, MODEL_DURATION, MODEL_FPS } model_retime_kind;

typedef struct model_retime {
    model_retime_kind kind;
    double value; /* finite, above 0: times as fast; seconds; key frames a second */
} model_retime;

/* The options as verbs declare them. */
extern const lathe_param model_retime_speed, model_retime_duration, model_retime_fps;

/* Exactly one of the options speed, duration, fps, which are numbers. LATHE_ERR_TYPE, or LATHE_ERR_RANGE for a number that
 * is not finite or not above 0. */
lathe_result model_retime_args(const lathe_source *args, model_retime *out, lathe_error *err);
/* What times are multiplied by, where the animation lasts `duration` s. Not for MODEL_FPS, whose frames
 * go where they are wanted. LATHE_ERR_RANGE where what lasts no time is to last some. */
lathe_result model_retime_factor(const model_retime *how, double duration, double *factor,
                                 lathe_error *err);

#endif
