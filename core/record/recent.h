/* The last changes of a document, so that caches can be updated instead of rebuilt. */
#ifndef LATHE_RECORD_RECENT_H
#define LATHE_RECORD_RECENT_H

#include "record/doc.h"

/* Called for every change of a document. */
void rec_recent_note(lathe_doc *doc, rec_change change);
void rec_recent_note_all(lathe_doc *doc);

/* Changes are numbered. rec_recent_next gives the number of the next one, so the changes between two calls have the
 * numbers from the first result up to, but not including, the second. */
uint64_t rec_recent_next(lathe_doc *doc);
/* Whether all changes from number `since` on are still remembered. */
bool rec_recent_knows(const lathe_doc *doc, uint64_t since);
const rec_change *rec_recent_at(const lathe_doc *doc, uint64_t number);

#endif
