/* Saved games of Overgrowth: functions shared by these files. */
#ifndef LATHE_WOLFIRE_SAVE_H
#define LATHE_WOLFIRE_SAVE_H

#include "gen/wolfire_types.h"
#include "wolfire/wolfire.h"

extern const rec_verb save_verbs[];

/* Fails for all versions except 1 and 3. */
lathe_result save_check_version(const rec_at *root, int64_t version, lathe_error *err);
/* Level i of a document, from 0. */
lathe_result save_level_at(lathe_doc *doc, uint64_t i, rec_at *level, lathe_error *err);
uint64_t save_levels(lathe_doc *doc);
/* Element i of an array of a level, and its key. */
lathe_result save_element(const rec_at *level, uint32_t slot, uint64_t i, rec_at *element,
                          rec_key *key, lathe_error *err);
/* Number of elements: 0 in a version without this array. */
uint64_t save_count(const rec_at *level, uint32_t slot);
/* Reports problems that do not prevent opening. */
void save_check(lathe_doc *doc, uint32_t c, rec_report *report);

#endif
