/* What a scale verb is asked for, the same for all formats that have more than one kind of length. */
#ifndef LATHE_MODEL_SCALE_H
#define LATHE_MODEL_SCALE_H

#include "lathe.h"

/* What a number is of. One may be of several: a bone's translation moves shapes, too. */
enum {
    MODEL_COLLISION = 1 << 0,
    MODEL_GEOMETRY = 1 << 1,
    MODEL_SKELETON = 1 << 2,
    MODEL_ANIMATION = 1 << 3,
    MODEL_ALL = MODEL_COLLISION | MODEL_GEOMETRY | MODEL_SKELETON | MODEL_ANIMATION
};

typedef struct model_scale {
    double factor; /* finite, above 0; of x, where `axes` differ */
    double axes[3];
    bool uneven;     /* they differ */
    unsigned wanted; /* kinds */
    bool keep_mass;  /* else density stays */
} model_scale;

/* The options as verbs declare them; what `what` means, each format says itself. */
extern const lathe_param model_scale_param_factor, model_scale_param_mass;
extern const char *const model_scale_words[];

/* LATHE_ERR_RANGE: nothing can be scaled by that. Refuses different factors for all but collision. */
lathe_result model_scale_args(const lathe_source *args, model_scale *out, lathe_error *err);

/* The same of a format in which all is collision: different factors need no `what`. */
lathe_result model_scale_by_axes(const lathe_source *args, model_scale *out, lathe_error *err);

#endif
