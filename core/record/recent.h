/* What changed last, so that what is kept of a document can follow instead of being made anew. */
#ifndef LATHE_RECORD_RECENT_H
#define LATHE_RECORD_RECENT_H

#include "record/doc.h"

/* For those that change something. */
void rec_recent_note(lathe_doc *doc, rec_change change);
void rec_recent_note_all(lathe_doc *doc);

/* Changes have numbers. All from the number that rec_recent_next gave earlier up to what it gives now have
 * happened since. */
uint64_t rec_recent_next(lathe_doc *doc);
/* False: there were more than are remembered. */
bool rec_recent_knows(const lathe_doc *doc, uint64_t since);
const rec_change *rec_recent_at(const lathe_doc *doc, uint64_t number);

#endif
