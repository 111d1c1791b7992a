/* Options of the encoder of splines, as a table tells them. */
#include "havok/made.h"

#include <math.h>

const char *const hk_encode_names[] = {"tolerance", "quantization", "max_frames_per_block", NULL};

/* ---- tolerances ---------------------------------------------------------------------------------------- */

static lathe_result not_above(const hk_given *in, const char *name, uint64_t i, lathe_error *err)
{
    error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "a number above 0 expected");
    return i == REC_NO_ITEM
               ? hk_given_at(in, LATHE_ERR_RANGE, err, "%s", name)
               : hk_given_at(in, LATHE_ERR_RANGE, err, "%s[%llu]", name, (unsigned long long)i + 1);
}

static bool is_tolerance(const lathe_value *v, double *out)
{
    return rec_number(v, out) && *out > 0 && isfinite(*out);
}

/* One for each track goes to the end of `lists`: *offset says where, which is LATHE_NO_OFFSET where one serves all. */
static lathe_result read_tolerance(const hk_given *in, const char *name, uint64_t tracks,
                                   buf *lists, hk_tolerance *out, uint64_t *offset,
                                   lathe_error *err)
{
    const void *list, *child;
    double number;
    lathe_value v = hk_given_value(in, NULL, name, 0, &list);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!list)
        return is_tolerance(&v, &out->all) ? LATHE_OK : not_above(in, name, REC_NO_ITEM, err);
    uint64_t n = hk_given_count(in, list);
    if (n != tracks)
        return hk_given_at(in,
                           error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                     "%llu numbers for %llu tracks", (unsigned long long)n,
                                     (unsigned long long)tracks),
                           err, "%s", name);
    *offset = lists->size;
    for (uint64_t i = 0; i < n; i++) {
        v = hk_given_value(in, list, NULL, i, &child);
        if (child || !is_tolerance(&v, &number))
            return not_above(in, name, i, err);
        if (!buf_put(lists, &number, sizeof number))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

static lathe_result read_tolerances(const hk_given *g, uint64_t tracks, uint64_t floats, buf *lists,
                                    hk_encode_options *out, lathe_error *err)
{
    enum { KINDS = 4 };
    static const char *const known[] = {"translation", "rotation", "scale", "value", NULL};
    hk_tolerance *const each[KINDS] = {&out->translation, &out->rotation, &out->scale, &out->value};
    uint64_t offsets[KINDS];
    bool is;
    hk_given in;
    lathe_result r =
        hk_given_in(g, "tolerance", g->where ? "animation.tolerance" : "tolerance", &in, &is, err);
    if (r != LATHE_OK || !is)
        return r;
    r = hk_given_names(&in, NULL, "a tolerance", known, err);
    if (r != LATHE_OK)
        error_where(err, in.where);
    for (size_t i = 0; r == LATHE_OK && i < KINDS; i++) {
        offsets[i] = LATHE_NO_OFFSET;
        r = read_tolerance(&in, known[i], i + 1 < KINDS ? tracks : floats, lists, each[i],
                           &offsets[i], err);
    }
    for (size_t i = 0; r == LATHE_OK && i < KINDS; i++) /* now that they stay where they are */
        if (offsets[i] != LATHE_NO_OFFSET && lists->size)
            each[i]->each = (const double *)(const void *)(lists->data + offsets[i]);
    return r;
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

static lathe_result read_quantization(const hk_given *g, hk_encode_options *out, lathe_error *err)
{
    static const struct {
        double bits;
        hk_quantization is;
    } all[] = {{40, HK_QUANTIZE_40}, {48, HK_QUANTIZE_48}, {32, HK_QUANTIZE_32}};
    const void *child;
    double bits;
    lathe_value v = hk_given_value(g, NULL, "quantization", 0, &child);
    out->named = v.kind != LATHE_KIND_NONE;
    if (!out->named)
        return LATHE_OK;
    if (rec_text_is(&v, "none")) {
        out->quantization = HK_QUANTIZE_NONE;
        return LATHE_OK;
    }
    for (size_t i = 0; rec_number(&v, &bits) && i < REC_COUNT_OF(all); i++) {
        out->quantization = all[i].is;
        if (all[i].bits == bits)
            return LATHE_OK;
    }
    return hk_given_at(
        g, error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "40, 48, 32 or \"none\" expected"), err,
        "quantization");
}

static lathe_result read_block(const hk_given *g, hk_encode_options *out, lathe_error *err)
{
    lathe_value v;
    int64_t n = 0;
    if (!rec_arg(&g->api, "max_frames_per_block", &v))
        return LATHE_OK;
    if (!rec_arg_integer(&g->api, "max_frames_per_block", &n) || n < 2 || n > HK_FRAMES_MAX)
        return hk_given_at(g,
                           error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                     "an integer from 2 to %d expected", HK_FRAMES_MAX),
                           err, "max_frames_per_block");
    out->max_frames_per_block = (uint32_t)n;
    return LATHE_OK;
}

lathe_result hk_encode_args(const hk_given *g, uint64_t tracks, uint64_t floats, buf *lists,
                            hk_encode_options *out, lathe_error *err)
{
    *out = (hk_encode_options){.translation = {0.01, NULL},
                               .rotation = {0.002, NULL},
                               .scale = {0.001, NULL},
                               .value = {0.001, NULL}};
    lathe_result r = read_tolerances(g, tracks, floats, lists, out, err);
    if (r == LATHE_OK)
        r = read_quantization(g, out, err);
    return r == LATHE_OK ? read_block(g, out, err) : r;
}
