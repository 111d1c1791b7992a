/* Functions shared by the checks: reporting a limited number of findings per kind, and comparing boxes. */
#include "phive/check.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------ */

static phive_kind *kind_of(phive_checker *k, const char *fmt)
{
    for (uint32_t i = 0; i < k->kinds_n; i++)
        if (k->kinds[i].fmt == fmt)
            return &k->kinds[i];
    phive_kind *one = &k->kinds[k->kinds_n < PHIVE_KINDS ? k->kinds_n++ : PHIVE_KINDS - 1];
    one->fmt = fmt;
    return one;
}

static void path_of(const phive_checker *k, phive_spot s, char *to, size_t cap)
{
    char section[48] = "", item[16] = "";
    if (s.section != PHIVE_NONE)
        snprintf(section, sizeof section, ".geometry_sections[%llu]",
                 (unsigned long long)s.section + 1);
    if (s.item != PHIVE_NONE)
        snprintf(item, sizeof item, "[%llu]", (unsigned long long)s.item + 1);
    snprintf(to, cap, "%s%s%s%s%s", k->shape, section, s.field ? "." : "", s.field ? s.field : "",
             item);
}

void phive_finding(phive_checker *k, lathe_level level, phive_spot at, const char *fmt, ...)
{
    char text[256], where[sizeof k->kinds->last.where];
    phive_kind *kind = kind_of(k, fmt);
    if (kind->reported >= PHIVE_MOST_OF_KIND) {
        kind->more++;
        return;
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    path_of(k, at, where, sizeof where);
    error_set(&kind->last, LATHE_ERR_INVALID, rec_encoded(k->doc, k->r.part, at.at), "%s", text);
    if (k->doc->path)
        error_path(&kind->last, k->doc->path);
    error_where(&kind->last, where);
    kind->last.level = level;
    kind->reported++;
    rec_found(k->report, level, &kind->last);
}

void phive_error_finding(phive_checker *k, const lathe_error *e, phive_spot at)
{
    char where[sizeof e->where];
    phive_kind *kind = kind_of(k, "");
    if (kind->reported >= PHIVE_MOST_OF_KIND) {
        kind->more++;
        return;
    }
    path_of(k, at, where, sizeof where);
    kind->last = *e;
    kind->last.level = LATHE_LEVEL_ERROR;
    if (k->doc->path)
        error_path(&kind->last, k->doc->path);
    error_where(&kind->last, where);
    kind->reported++;
    rec_found(k->report, LATHE_LEVEL_ERROR, &kind->last);
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* Tolerance: scaling in place rounds a box and its contents differently. */
static float slack(float a, float b)
{
    return 4 * FLT_EPSILON * fmaxf(fabsf(a), fabsf(b));
}

int phive_leaves(const phive_box3 *inner, const phive_box3 *outer)
{
    for (int i = 0; i < 3; i++)
        if (inner->lo[i] < outer->lo[i] - slack(inner->lo[i], outer->lo[i]) ||
            inner->hi[i] > outer->hi[i] + slack(inner->hi[i], outer->hi[i]))
            return i;
    return -1;
}

bool phive_loose(const phive_box3 *inner, const phive_box3 *outer)
{
    bool loose = false;
    for (int i = 0; i < 3; i++) {
        float room = 1e-4f * (fabsf(inner->lo[i]) + fabsf(inner->hi[i])) + FLT_MIN;
        loose = loose || outer->lo[i] < inner->lo[i] - room || outer->hi[i] > inner->hi[i] + room;
    }
    return loose;
}
