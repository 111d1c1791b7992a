#include "scene/precision.h"

#include <math.h>

const lathe_param scene_param_tolerance = {
    .name = "tolerance",
    .doc = "How far poses may be from what is given: { translation =, rotation =, scale =, value = "
           "}, each a number or a "
           "list of one a track; value is that of float tracks. Default: 0.01 units, 0.002 rad, "
           "0.001, 0.001; in "
           "files whose unit is not Bethesda's 1e-4 of the height for translations.",
    .kind = LATHE_PARAM_ANY};
const lathe_param scene_param_quantization = {
    .name = "quantization",
    .doc = "Bits of a rotation: 40, 48, 32 or \"none\" (floats). Default: 40, as games have it, "
           "and a finer one where "
           "that cannot meet the tolerance.",
    .kind = LATHE_PARAM_ANY};
const lathe_param scene_param_block = {
    .name = "max_frames_per_block",
    .doc = "Frames that one block of splines holds, 2 to 256. Default: as it is, or 256.",
    .kind = LATHE_PARAM_INTEGER};

/* ---- tolerances ---------------------------------------------------------------------------------------- */

static lathe_result not_above(const rec_table *in, const char *name, uint64_t i, lathe_error *err)
{
    error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "a number above 0 expected");
    return i == REC_NO_ITEM ? rec_table_at(in, LATHE_ERR_RANGE, err, "%s", name)
                            : rec_table_at(in, LATHE_ERR_RANGE, err, "%s[%llu]", name,
                                           (unsigned long long)i + 1);
}

static bool is_tolerance(const lathe_value *v, double *out)
{
    return rec_number(v, out) && *out > 0 && isfinite(*out);
}

/* Appends a tolerance for each track to `lists`. *offset is its place, or LATHE_NO_OFFSET if one number serves for
 * all. */
static lathe_result read_tolerance(const rec_table *in, const char *name, uint64_t tracks,
                                   buf *lists, double *out, uint64_t *offset, lathe_error *err)
{
    const void *list, *child;
    double number;
    lathe_value v = rec_table_value(in, NULL, name, 0, &list);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!list)
        return is_tolerance(&v, out) ? LATHE_OK : not_above(in, name, REC_NO_ITEM, err);
    uint64_t n = rec_table_count(in, list);
    if (n != tracks)
        return rec_table_at(in,
                            error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                      "%llu number%s for %llu track%s", (unsigned long long)n,
                                      n == 1 ? "" : "s", (unsigned long long)tracks,
                                      tracks == 1 ? "" : "s"),
                            err, "%s", name);
    *offset = lists->size;
    for (uint64_t i = 0; i < n; i++) {
        v = rec_table_value(in, list, NULL, i, &child);
        if (child || !is_tolerance(&v, &number))
            return not_above(in, name, i, err);
        if (!buf_put(lists, &number, sizeof number))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

static lathe_result read_tolerances(const rec_table *g, uint64_t tracks, uint64_t floats,
                                    buf *lists, scene_precision *out, lathe_error *err)
{
    enum { KINDS = 4 };
    static const char *const known[] = {"translation", "rotation", "scale", "value", NULL};
    double *const each[KINDS] = {&out->translation, &out->rotation, &out->scale, &out->value};
    const double **const list[KINDS] = {&out->translations, &out->rotations, &out->scales,
                                        &out->values};
    uint64_t offsets[KINDS];
    bool is;
    rec_table in;
    const void *table;
    lathe_value given = rec_table_value(g, NULL, "tolerance", 0, &table);
    if (given.kind != LATHE_KIND_NONE && !table)
        return rec_table_at(g,
                            error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                                      "a table expected: { translation =, rotation =, scale =, "
                                      "value = }"),
                            err, "tolerance");
    lathe_result r =
        rec_table_in(g, "tolerance", g->where ? "animation.tolerance" : "tolerance", &in, &is, err);
    if (r != LATHE_OK || !is)
        return r;
    r = rec_table_names(&in, NULL, "a tolerance", known, err);
    if (r != LATHE_OK)
        error_where(err, in.where);
    for (size_t i = 0; r == LATHE_OK && i < KINDS; i++) {
        offsets[i] = LATHE_NO_OFFSET;
        r = read_tolerance(&in, known[i], i + 1 < KINDS ? tracks : floats, lists, each[i],
                           &offsets[i], err);
    }
    for (size_t i = 0; r == LATHE_OK && i < KINDS; i++) /* the buffer does not move any more */
        if (offsets[i] != LATHE_NO_OFFSET && lists->size)
            *list[i] = (const double *)(const void *)(lists->data + offsets[i]);
    return r;
}

/* ---- other options ------------------------------------------------------------------------------------- */

static lathe_result read_quantization(const rec_table *g, scene_precision *out, lathe_error *err)
{
    static const int all[] = {40, 48, 32};
    const void *child;
    double bits;
    lathe_value v = rec_table_value(g, NULL, "quantization", 0, &child);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (rec_text_is(&v, "none")) {
        out->quantization = 0;
        return LATHE_OK;
    }
    for (size_t i = 0; rec_number(&v, &bits) && i < REC_COUNT_OF(all); i++) {
        out->quantization = all[i];
        if (all[i] == bits)
            return LATHE_OK;
    }
    return rec_table_at(
        g, error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "40, 48, 32 or \"none\" expected"), err,
        "quantization");
}

static lathe_result read_block(const rec_table *g, scene_precision *out, lathe_error *err)
{
    enum { MOST = 256 };
    lathe_value v;
    int64_t n = 0;
    if (!rec_arg(&g->api, "max_frames_per_block", &v))
        return LATHE_OK;
    if (!rec_arg_integer(&g->api, "max_frames_per_block", &n) || n < 2 || n > MOST)
        return rec_table_at(g,
                            error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                      "an integer from 2 to %d expected", MOST),
                            err, "max_frames_per_block");
    out->max_frames_per_block = (uint32_t)n;
    return LATHE_OK;
}

lathe_result scene_precision_args(const rec_table *g, uint64_t tracks, uint64_t floats, buf *lists,
                                  scene_precision *out, lathe_error *err)
{
    *out = scene_precision_default;
    lathe_result r = read_tolerances(g, tracks, floats, lists, out, err);
    if (r == LATHE_OK)
        r = read_quantization(g, out, err);
    return r == LATHE_OK ? read_block(g, out, err) : r;
}
