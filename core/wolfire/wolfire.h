/* Formats of the two engines of Wolfire Games: Lugaru's .solid; Overgrowth's .anm, .phxbn, .fzx, .sav.
 * Reference: formats/wolfire.md. */
#ifndef LATHE_WOLFIRE_H
#define LATHE_WOLFIRE_H

#include "base/vec.h"
#include "record/record.h"

extern const lathe_format format_solid;
extern const lathe_format format_anm, format_phxbn, format_fzx, format_save;

extern const char *const wolfire_scale_params[]; /* { "factor", NULL } */

/* The `factor` of a scale verb: a finite number above 0. LATHE_ERR_RANGE otherwise. */
lathe_result wolfire_factor(const lathe_source *args, double *factor, lathe_error *err);
/* Whether opts.what is absent, "all", or `what`; anything that is no kind of thing is refused. */
lathe_result wolfire_wants(const lathe_source *args, const char *what, bool *yes, lathe_error *err);
/* Multiplies the numbers of a column of an array by `factor`. */
lathe_result wolfire_scale_column(lathe_view array, const char *member, double factor,
                                  lathe_report *report, lathe_error *err);
/* What a rename verb is asked for: every name that is exactly `from` becomes `to`. */
typedef struct wolfire_rename {
    const char *from, *to, *what; /* what: NULL where all kinds of names are meant */
    size_t from_n, to_n, what_n;
} wolfire_rename;

extern const char *const wolfire_rename_params[]; /* { "from", "to", NULL } */

/* `from`, `to` and opts.what, which is one of all, bones, labels, events, keys. */
lathe_result wolfire_rename_args(const lathe_source *args, wolfire_rename *out, lathe_error *err);
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
/* The `version` of a set_version verb. LATHE_ERR_TYPE where it is no whole number; needs: what to say. */
lathe_result wolfire_version_arg(const lathe_source *args, const char *needs, int64_t *version,
                                 lathe_error *err);
/* An array field of the top record. */
lathe_result wolfire_array(lathe_doc *doc, const char *name, lathe_view *array, lathe_error *err);

#endif
