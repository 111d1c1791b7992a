#include "model/retime.h"

#include "base/error.h"

#include <math.h>

static const char *const names[] = {
    [MODEL_SPEED] = "speed", [MODEL_DURATION] = "duration", [MODEL_FPS] = "fps"};

const lathe_param model_retime_speed = {
    .name = "speed", .doc = "Times as fast.", .unit = "ratio", .kind = LATHE_PARAM_NUMBER};
const lathe_param model_retime_duration = {
    .name = "duration", .doc = "How long it shall last.", .unit = "s", .kind = LATHE_PARAM_NUMBER};

const lathe_param model_retime_fps = {
    .name = "fps",
    .doc = "So many frames a second: the same frames, at other times.",
    .unit = "frames/s",
    .kind = LATHE_PARAM_NUMBER};

static bool given(const lathe_source *args, const char *name, lathe_value *v)
{
    const void *child = NULL;
    *v = (lathe_value){.kind = LATHE_KIND_NONE};
    return args && args->get(args->user, NULL, name, 0, v, &child) && v->kind != LATHE_KIND_NONE;
}

static lathe_result positive(const char *name, const lathe_value *v, double *out, lathe_error *err)
{
    *out = v->kind == LATHE_KIND_INT    ? (double)v->as.i
           : v->kind == LATHE_KIND_UINT ? (double)v->as.u
                                        : v->as.f;
    return isfinite(*out) && *out > 0 ? LATHE_OK
                                      : error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                                  "%s is a finite number above 0", name);
}

lathe_result model_retime_args(const lathe_source *args, model_retime *out, lathe_error *err)
{
    int found = 0;
    lathe_value v, one = {.kind = LATHE_KIND_NONE};
    for (int k = 0; k < 3; k++)
        if (given(args, names[k], &v)) {
            found++;
            out->kind = (model_retime_kind)k;
            one = v;
        }
    if (found != 1)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "retime takes one of speed, duration, fps");
    return positive(names[out->kind], &one, &out->value, err);
}

lathe_result model_retime_factor(const model_retime *how, double duration, double *factor,
                                 lathe_error *err)
{
    if (how->kind == MODEL_SPEED)
        *factor = 1 / how->value;
    else if (duration > 0)
        *factor = how->value / duration;
    else
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "what lasts %.9g s cannot be made to last %.9g s", duration, how->value);
    return isfinite(*factor) ? LATHE_OK
                             : error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "%.9g is too %s",
                                         how->value, how->kind == MODEL_SPEED ? "small" : "large");
}
