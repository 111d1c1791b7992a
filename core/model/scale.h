/* Options of the scale verb, shared by all formats with more than one kind of lengths. */
#ifndef LATHE_MODEL_SCALE_H
#define LATHE_MODEL_SCALE_H

#include "lathe.h"

/* What lengths belong to. A length may belong to several: a bone's translation moves shapes, too. */
enum {
    MODEL_COLLISION = 1 << 0,
    MODEL_GEOMETRY = 1 << 1,
    MODEL_SKELETON = 1 << 2,
    MODEL_ANIMATION = 1 << 3,
    MODEL_ALL = MODEL_COLLISION | MODEL_GEOMETRY | MODEL_SKELETON | MODEL_ANIMATION
};

typedef struct model_scale {
    double factor; /* finite, above 0; that of x if `axes` differ */
    double axes[3];
    bool uneven;     /* factors differ between axes */
    unsigned wanted; /* bits of the kinds to scale */
    bool keep_mass;  /* keep masses; else keep the density */
} model_scale;

/* The parameters, for declaring verbs. Each format describes its own `what`. */
extern const lathe_param model_scale_param_factor, model_scale_param_mass;
extern const char *const model_scale_words[];

/* LATHE_ERR_RANGE: a factor is not finite or not above 0, or factors differ between axes and more than collision is
 * scaled. */
lathe_result model_scale_args(const lathe_source *args, model_scale *out, lathe_error *err);

/* The same for a format that has only collision: factors may differ without `what`. */
lathe_result model_scale_by_axes(const lathe_source *args, model_scale *out, lathe_error *err);

#endif
