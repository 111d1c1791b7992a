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
        column[i] *= factor;
    if (r == LATHE_OK)
        r = lathe_view_write(array, member, 0, n, LATHE_ELEM_F64, column, 0, err);
    mem_free(m, column, size);
    if (r == LATHE_OK && report)
        report->changed += n;
    return r;
}
