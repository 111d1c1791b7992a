/* What the verbs of Wolfire's formats have in common. */
#include "wolfire/wolfire.h"

#include <math.h>

const char *const wolfire_scale_params[] = {"factor", NULL};

lathe_result wolfire_factor(const lathe_source *args, double *factor, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    if (args)
        args->get(args->user, NULL, "factor", 0, &v, &child);
    if (v.kind == LATHE_KIND_INT)
        *factor = (double)v.as.i;
    else if (v.kind == LATHE_KIND_REAL)
        *factor = v.as.f;
    else
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "scale needs a number to scale by");
    if (!isfinite(*factor) || !(*factor > 0))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "nothing can be scaled by %.9g: a finite number above 0 is needed",
                         isnan(*factor) ? (double)NAN : *factor); /* without a sign */
    return LATHE_OK;
}

lathe_result wolfire_wants(const lathe_source *args, const char *what, bool *yes, lathe_error *err)
{
    static const char *const all[] = {"all", "collision", "geometry", "skeleton", "animation"};
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    *yes = true;
    if (!args || !args->get(args->user, NULL, "what", 0, &v, &child) || v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    for (size_t i = 0; v.kind == LATHE_KIND_STRING && i < sizeof all / sizeof all[0]; i++)
        if (strlen(all[i]) == v.as.s.n && memcmp(all[i], v.as.s.p, v.as.s.n) == 0) {
            *yes = i == 0 || strcmp(all[i], what) == 0;
            return LATHE_OK;
        }
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "what is one of all, collision, geometry, skeleton, animation");
}

/* ---- renaming ------------------------------------------------------------------------------------ */

const char *const wolfire_rename_params[] = {"from", "to", NULL};

static lathe_result name_arg(const lathe_source *args, const char *name, bool needed,
                             const char **p, size_t *n, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    *p = NULL;
    *n = 0;
    if (args)
        args->get(args->user, NULL, name, 0, &v, &child);
    if (v.kind == LATHE_KIND_STRING) {
        *p = v.as.s.p;
        *n = v.as.s.n;
        return LATHE_OK;
    }
    return v.kind == LATHE_KIND_NONE && !needed
               ? LATHE_OK
               : error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "rename: '%s' is a name", name);
}

static bool is_word(const char *p, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(p, word, n) == 0;
}

lathe_result wolfire_rename_args(const lathe_source *args, wolfire_rename *out, lathe_error *err)
{
    static const char *const kinds[] = {"all", "bones", "labels", "events", "keys"};
    lathe_result r = name_arg(args, "from", true, &out->from, &out->from_n, err);
    if (r == LATHE_OK)
        r = name_arg(args, "to", true, &out->to, &out->to_n, err);
    if (r == LATHE_OK)
        r = name_arg(args, "what", false, &out->what, &out->what_n, err);
    if (r != LATHE_OK || !out->what)
        return r;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_word(out->what, out->what_n, kinds[i])) {
            if (i == 0)
                out->what = NULL;
            return LATHE_OK;
        }
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "what is one of all, bones, labels, events, keys");
}

bool wolfire_renames(const wolfire_rename *rename, const char *kind)
{
    return !rename->what || is_word(rename->what, rename->what_n, kind);
}

lathe_result wolfire_rename_field(const wolfire_rename *rename, const rec_at *record,
                                  const char *field, lathe_report *report, lathe_error *err)
{
    uint32_t slot = rec_slot_find(record->layout, field);
    lathe_value v, to = {.kind = LATHE_KIND_STRING, .as.s = {rename->to, rename->to_n}};
    lathe_result r = rec_get(record, slot, false, &v, err);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || v.as.s.n != rename->from_n ||
        memcmp(v.as.s.p, rename->from, rename->from_n) != 0)
        return r;
    r = rec_set(record, slot, &to, err);
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}

bool wolfire_whole(const lathe_value *value, int64_t *out)
{
    if (value->kind == LATHE_KIND_REAL && fabs(value->as.f) <= INT32_MAX &&
        value->as.f == floor(value->as.f))
        *out = (int64_t)value->as.f;
    else if (value->kind == LATHE_KIND_INT)
        *out = value->as.i;
    else
        return false;
    return true;
}

void wolfire_given_version(const rec_from *from, const rec_at *root, int64_t *version)
{
    lathe_value v;
    const void *child;
    if (rec_given(from, root, rec_slot_find(root->layout, "version"), &v, &child))
        wolfire_whole(&v, version); /* what is none fails when it is written */
}

lathe_result wolfire_version_arg(const lathe_source *args, const char *needs, int64_t *version,
                                 lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    if (args)
        args->get(args->user, NULL, "version", 0, &v, &child);
    return wolfire_whole(&v, version)
               ? LATHE_OK
               : error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "set_version needs %s", needs);
}

lathe_result wolfire_array(lathe_doc *doc, const char *name, lathe_view *array, lathe_error *err)
{
    lathe_value v;
    lathe_result r = lathe_view_get(lathe_doc_root(doc), name, &v, err);
    if (r == LATHE_OK)
        *array = v.as.v;
    return r;
}

lathe_result wolfire_scale_column(lathe_view array, const char *member, double factor,
                                  lathe_report *report, lathe_error *err)
{
    lathe_elem elem = LATHE_ELEM_F32;
    uint64_t n = lathe_view_count(array);
    uint32_t lanes = lathe_view_lanes(array, member, &elem);
    const mem *m = &array.doc->mem;
    if (!n || !lanes)
        return LATHE_OK;
    size_t count = (size_t)n * lanes, size = count * sizeof(double);
    double *column = mem_alloc(m, size);
    if (!column)
        return rec_no_memory(err);
    lathe_result r = lathe_view_read(array, member, 0, n, LATHE_ELEM_F64, column, 0, err);
    for (size_t i = 0; i < count; i++)
        if (!isnan(column[i])) /* which keeps its bits */
            column[i] *= factor;
    if (r == LATHE_OK)
        r = lathe_view_write(array, member, 0, n, LATHE_ELEM_F64, column, 0, err);
    mem_free(m, column, size);
    if (r == LATHE_OK && report)
        report->changed += n;
    return r;
}
