/* Formats of Overgrowth: .anm, .phxbn, .fzx, .sav.
 * Reference: formats/wolfire.md. */
#ifndef LATHE_WOLFIRE_H
#define LATHE_WOLFIRE_H

#include "base/vec.h"
#include "record/record.h"
#include "scene/scale.h"

extern const lathe_format format_anm, format_phxbn, format_fzx, format_save;

/* Arguments of a rename verb: each name that equals `from` becomes `to`. */
typedef struct wolfire_rename {
    const lathe_source *args;
    lathe_value from, to;
} wolfire_rename;

extern const rec_param *const wolfire_rename_params[]; /* from, to, what */

void wolfire_rename_args(const lathe_source *args, wolfire_rename *out);
/* True if names of this kind are to be renamed. */
bool wolfire_renames(const wolfire_rename *rename, const char *kind);
/* Renames a text field of a record if it equals the name, and counts it. */
lathe_result wolfire_rename_field(const wolfire_rename *rename, const rec_at *record,
                                  const char *field, lathe_report *report, lathe_error *err);
/* Reads an integer that may also be passed as a float: scripts and JSON do not always distinguish them. False
 * for any other value. */
bool wolfire_whole(const lathe_value *value, int64_t *out);
/* The version for a new document; *version is unchanged if none is passed. */
void wolfire_given_version(const rec_from *from, const rec_at *root, int64_t *version);

#endif
