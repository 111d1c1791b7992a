#include "model/scale.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

const char *const model_scale_words[] = {"all",      "collision", "geometry",
                                         "skeleton", "animation", NULL};
static const char *const masses[] = {"density", "keep", NULL};

const lathe_param model_scale_param_factor = {
    .name = "factor",
    .doc = "Factor for all lengths: 2 doubles them. A list of three, for x, y and z, works for "
           "collision only, and not for all shapes.",
    .kind = LATHE_PARAM_NUMBERS,
    .positional = true,
    .needed = true};
const lathe_param model_scale_param_mass = {
    .name = "mass",
    .doc = "density: mass grows with volume, so twice the size is eight times the mass. keep: mass "
           "stays. Default: density.",
    .kind = LATHE_PARAM_TEXT,
    .values = masses};

static bool given(const lathe_source *args, const char *name, lathe_value *v)
{
    const void *child = NULL;
    *v = (lathe_value){.kind = LATHE_KIND_NONE};
    return args && args->get(args->user, NULL, name, 0, v, &child) && v->kind != LATHE_KIND_NONE;
}

static bool is_word(const lathe_value *v, const char *word)
{
    return v->kind == LATHE_KIND_STRING && strlen(word) == v->as.s.n &&
           memcmp(word, v->as.s.p, v->as.s.n) == 0;
}

static double number(const lathe_value *v)
{
    switch (v->kind) {
    case LATHE_KIND_INT: return (double)v->as.i;
    case LATHE_KIND_UINT: return (double)v->as.u;
    case LATHE_KIND_REAL: return v->as.f;
    default: return NAN;
    }
}

/* Reads a number, or a list of three. */
static void read_axes(const lathe_source *args, double axes[3])
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *list = NULL, *none;
    bool there = args && args->get(args->user, NULL, "factor", 0, &v, &list);
    for (uint64_t i = 0; i < 3; i++) {
        axes[i] = NAN;
        if (there && !list)
            axes[i] = number(&v);
        else if (there && args->get(args->user, list, NULL, i, &v, &none))
            axes[i] = number(&v);
    }
}

lathe_result model_scale_by_axes(const lathe_source *args, model_scale *out, lathe_error *err)
{
    lathe_value v;
    *out = (model_scale){.wanted = MODEL_ALL};
    if (given(args, "what", &v))
        for (unsigned i = 1; model_scale_words[i]; i++)
            if (is_word(&v, model_scale_words[i]))
                out->wanted = 1u << (i - 1);
    out->keep_mass = given(args, "mass", &v) && is_word(&v, "keep");
    read_axes(args, out->axes);
    out->factor = out->axes[0];
    out->uneven = out->axes[1] != out->axes[0] || out->axes[2] != out->axes[0];
    for (int i = 0; i < 3; i++)
        if (!isfinite(out->axes[i]) || !(out->axes[i] > 0))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "cannot scale by %.9g: a finite number above 0 expected",
                             /* prints no sign of NaN */
                             isnan(out->axes[i]) ? (double)NAN : out->axes[i]);
    return LATHE_OK;
}

lathe_result model_scale_args(const lathe_source *args, model_scale *out, lathe_error *err)
{
    lathe_result r = model_scale_by_axes(args, out, err);
    if (r != LATHE_OK)
        return r;
    if (out->uneven && out->wanted != MODEL_COLLISION)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "different factors scale collision alone: what = \"collision\"");
    return LATHE_OK;
}
