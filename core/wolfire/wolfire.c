/* Functions shared by the verbs of Wolfire's formats. */
#include "wolfire/wolfire.h"

#include <math.h>

/* True if an option is absent, "all", or the word. */
static bool means(const lathe_source *args, const char *name, const char *word)
{
    lathe_value v;
    return !rec_arg(args, name, &v) || rec_text_is(&v, "all") || rec_text_is(&v, word);
}

/* ---- renaming ------------------------------------------------------------------------------------ */

static const char *const renamed[] = {"all", "bones", "labels", "events", "keys", NULL};
static const rec_param rename_from = {.name = "from",
                                      .doc = "Old name; the whole name must match.",
                                      .kind = LATHE_PARAM_TEXT,
                                      .positional = true,
                                      .needed = true};
static const rec_param rename_to = {
    .name = "to", .doc = "New name.", .kind = LATHE_PARAM_TEXT, .positional = true, .needed = true};
static const rec_param rename_what = {.name = "what",
                                      .doc = "Kind of names to change. Default: all.",
                                      .kind = LATHE_PARAM_TEXT,
                                      .values = renamed};
const rec_param *const wolfire_rename_params[] = {&rename_from, &rename_to, &rename_what, NULL};

void wolfire_rename_args(const lathe_source *args, wolfire_rename *out)
{
    *out = (wolfire_rename){.args = args};
    rec_arg(args, "from", &out->from);
    rec_arg(args, "to", &out->to);
}

bool wolfire_renames(const wolfire_rename *rename, const char *kind)
{
    return means(rename->args, "what", kind);
}

lathe_result wolfire_rename_field(const wolfire_rename *rename, const rec_at *record,
                                  const char *field, lathe_report *report, lathe_error *err)
{
    uint32_t slot = rec_slot_find(record->layout, field);
    lathe_value v;
    lathe_result r = rec_get(record, slot, false, &v, err);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || v.as.s.n != rename->from.as.s.n ||
        memcmp(v.as.s.p, rename->from.as.s.p, v.as.s.n) != 0)
        return r;
    r = rec_set(record, slot, &rename->to, err);
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
    if (rec_source_value(from, root, rec_slot_find(root->layout, "version"), &v, &child))
        wolfire_whole(&v, version); /* invalid values fail when they are written */
}
