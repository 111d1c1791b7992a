/* Between the record of changes (journal.c) and the edits made of them (history.c). */
#ifndef LATHE_RECORD_JOURNAL_H
#define LATHE_RECORD_JOURNAL_H

#include "record/record.h"

/* The part's container, and those around it, are to be laid out anew. */
void rec_mark_dirty(lathe_doc *doc, uint32_t part);
/* Room in a part's log for one more cut and for undoing every cut of the open edit. */
bool rec_log_room(lathe_doc *doc, rec_part *p);
/* Takes back what a journal has from `from` on, the last change first; `redo` (which has the room, or is NULL)
 * becomes what brings it again. */
void rec_replay(lathe_doc *doc, rec_journal *j, size_t from, rec_journal *redo);
/* Takes back what the open edit's journal has from `mark` on, for good. */
void rec_rollback(lathe_doc *doc, size_t mark);
/* A part that nothing can bring back gives its bytes up. */
void rec_give_up(lathe_doc *doc, uint32_t part);
/* The same of all parts of a container that nothing can make the document's again. */
void rec_give_up_container(lathe_doc *doc, uint32_t container);

#endif
