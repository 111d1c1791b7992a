/* Names of collision materials that are not known: told in reports of verbs, and by doc:check. */
#include "havok/physics/names/material_names.h"
#include "model/material_name.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- in reports -------------------------------------------------------------------------------------------- */

static const char *const unknown_values[] = {"warn", "allow", NULL};
const rec_param hk_unknown_param = {
    .name = "unknown",
    .doc = "Names of collision materials that are not known, as those of mods are: warn tells them "
           "in the report, with the nearest known name; allow does not. Default: warn.",
    .kind = LATHE_PARAM_TEXT,
    .values = unknown_values};

hk_names hk_names_of(const lathe_source *args, lathe_report *report)
{
    lathe_value v;
    hk_names names = {.report = report};
    names.quiet =
        !report || !report->result || (rec_arg(args, "unknown", &v) && rec_text_is(&v, "allow"));
    return names;
}

/* A name that was told before is not told again. */
static bool is_new(hk_names *names, uint32_t id)
{
    for (size_t i = 0; i < names->n; i++)
        if (names->told[i] == id)
            return false;
    if (names->n == HK_NAMES_TOLD)
        return false;
    names->told[names->n++] = id;
    return true;
}

void hk_names_check(hk_names *names, const char *p, size_t n)
{
    uint32_t id;
    bool named = false;
    char text[160];
    if (names->quiet || !n)
        return;
    if (!model_material_word(p, n, &id, &named)) {
        id = model_material_hash(p, n);
        named = true;
    }
    if (!named || model_material_name(id) || !is_new(names, id))
        return;
    const char *near = model_material_near(p, n);
    int shown = (int)(n < 60 ? n : 60);
    int length = near ? snprintf(text, sizeof text, "no known material '%.*s'; did you mean '%s'?",
                                 shown, p, near)
                      : snprintf(text, sizeof text, "no known material '%.*s'", shown, p);
    const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {text, (size_t)length}};
    names->report->result(names->report->user, "warnings", &v);
}

void hk_names_check_arg(hk_names *names, const lathe_value *v)
{
    if (v->kind == LATHE_KIND_STRING)
        hk_names_check(names, v->as.s.p, v->as.s.n);
}

/* ---- in files ---------------------------------------------------------------------------------------------- */

void hk_check_material(rec_report *report, const rec_at *at, uint32_t slot)
{
    char text[MODEL_MATERIAL_TEXT];
    uint64_t raw;
    lathe_value v;
    const void *child;
    if (rec_raw(at, slot, 0, &raw, NULL) != LATHE_OK || !raw || raw > UINT32_MAX ||
        model_material_used((uint32_t)raw) ||
        (rec_option(report->doc, "unknown", &v, &child) && rec_text_is(&v, "allow")))
        return;
    const char *near = model_material_misspelt((uint32_t)raw, text);
    if (near)
        rec_finding(report, LATHE_LEVEL_WARNING, at, slot, REC_NO_ITEM,
                    "0x%08" PRIX64
                    " is no known material but the number of '%s'; did you mean '%s'?",
                    raw, text, near);
    else
        rec_finding(report, LATHE_LEVEL_WARNING, at, slot, REC_NO_ITEM,
                    "0x%08" PRIX64 " is no known material", raw);
}
