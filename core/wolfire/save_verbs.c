/* Verbs of a saved game. Reference: formats/wolfire.md#5 and #6. */
#include "wolfire/save.h"

#include <stdio.h>

/* ---- versions ------------------------------------------------------------------------------------ */

static void tell(lathe_report *report, const rec_at *at, uint32_t slot, const char *what,
                 rec_key name)
{
    char path[256], text[80], reason[160];
    rec_path(at, slot, REC_NO_ITEM, path, sizeof path);
    snprintf(reason, sizeof reason, "%s %s dropped: version 1 has none", what,
             rec_key_text(name, text, sizeof text));
    report->skipped(report->user, path, reason);
}

/* Reports what is dropped with a field of a level: a name that is not empty, each array, each number. */
static void note_dropped(void *user, const rec_at *level, uint32_t slot)
{
    lathe_report *report = user;
    const rec_slot *s = &level->layout->slots[slot];
    lathe_value v;
    if (!report || !report->skipped)
        return;
    if (s->row->kind == REC_STR && rec_get(level, slot, true, &v, NULL) == LATHE_OK && v.as.s.n)
        tell(report, level, slot, s->name, (rec_key){v.as.s.p, v.as.s.n});
    uint64_t n = rec_keyed(s) ? save_count(level, slot) : 0;
    for (uint64_t i = 0; i < n; i++) {
        rec_at element;
        rec_key key;
        if (save_element(level, slot, i, &element, &key, NULL) == LATHE_OK)
            tell(report, &element, REC_NO_SLOT,
                 s->row->flags & REC_MERGED ? "array" : "int32 value", key);
    }
}

static lathe_result set_version(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    lathe_doc *doc = self.doc;
    rec_at root = rec_root(doc, 0);
    int64_t version = 0;
    rec_arg_integer(args, "version", &version);
    lathe_result r = save_check_version(&root, version, err);
    if (r != LATHE_OK || version == rec_int(&root, "version"))
        return r;
    r = rec_convert(doc, 0, version, note_dropped, report, err);
    if (r == LATHE_OK)
        r = rec_put_raw(&root, rec_slot_find(root.layout, "version"), 0, (uint64_t)version, err);
    if (r == LATHE_OK && report)
        report->changed = save_levels(doc);
    return r;
}

/* ---- renaming ------------------------------------------------------------------------------------ */

static lathe_result rename_in(const rec_at *level, uint32_t slot, const wolfire_rename *how,
                              lathe_report *report, lathe_error *err)
{
    uint64_t n = save_count(level, slot);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at element;
        r = rec_sub(level, slot, i, &element, err);
        if (r == LATHE_OK)
            r = wolfire_rename_field(how, &element, "key", report, err);
    }
    return r;
}

static lathe_result rename_keys(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    uint64_t n = save_levels(self.doc);
    wolfire_rename how;
    lathe_result r = LATHE_OK;
    wolfire_rename_args(args, &how);
    if (!wolfire_renames(&how, "keys"))
        return r;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at level;
        r = save_level_at(self.doc, i, &level, err);
        for (uint32_t slot = 0; r == LATHE_OK && slot < level.layout->count; slot++)
            if (rec_keyed(&level.layout->slots[slot]))
                r = rename_in(&level, slot, &how, report, err);
    }
    return r;
}

static const rec_param version = {.name = "version",
                                  .doc = "The new version. 1 or 3.",
                                  .kind = LATHE_PARAM_INTEGER,
                                  .positional = true,
                                  .needed = true};
static const rec_param *const version_params[] = {&version, NULL};

const rec_verb save_verbs[] = {
    {.name = "rename",
     .counts = "name",
     .doc = "Gives keys of values, arrays and numbers another name, in all levels.",
     .params = wolfire_rename_params,
     .run = rename_keys},
    {.name = "set_version",
     .doc = "Makes it a file of another version; names what 1 has no place for.",
     .params = version_params,
     .run = set_version},
    {0},
};
