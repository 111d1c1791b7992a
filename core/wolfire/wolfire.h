/* Formats of Overgrowth: .anm, .phxbn, .fzx, .sav.
 * Reference: formats/wolfire.md. */
#ifndef LATHE_WOLFIRE_H
#define LATHE_WOLFIRE_H

#include "base/vec.h"
#include "record/record.h"
#include "scene/scale.h"

extern const lathe_format format_anm, format_phxbn, format_fzx, format_save;

/* What a rename verb is asked for: every name that is exactly `from` becomes `to`. */
typedef struct wolfire_rename {
    const lathe_source *args;
    lathe_value from, to;
} wolfire_rename;

extern const rec_param *const wolfire_rename_params[]; /* from, to, what */

void wolfire_rename_args(const lathe_source *args, wolfire_rename *out);
/* Whether names of that kind are meant. */
bool wolfire_renames(const wolfire_rename *rename, const char *kind);
/* Renames a text field of a record where it is the name, and counts it. */
lathe_result wolfire_rename_field(const wolfire_rename *rename, const rec_at *record,
                                  const char *field, lathe_report *report, lathe_error *err);
/* A whole number that is given as one or as a float: scripts and JSON do not always tell them apart.
 * False for any other value. */
bool wolfire_whole(const lathe_value *value, int64_t *out);
/* The version that a document is made with; *version stays where none is given. */
void wolfire_given_version(const rec_from *from, const rec_at *root, int64_t *version);

#endif
