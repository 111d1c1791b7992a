/* Functions that the journal (journal.c) and the edit history (history.c) share. */
#ifndef LATHE_RECORD_JOURNAL_H
#define LATHE_RECORD_JOURNAL_H

#include "record/record.h"

/* Marks the part's container, and those around it, for .relayout. */
void rec_mark_dirty(lathe_doc *doc, uint32_t part);
/* Reserves room in a part's log for one more cut and for undoing every cut of the open edit. False: no memory. */
bool rec_log_room(lathe_doc *doc, rec_part *p);
/* Undoes the entries of a journal from number `from` on, last one first. `redo` gets the entries that redo them. It
 * must have the capacity; NULL: no redo. */
void rec_replay(lathe_doc *doc, rec_journal *j, size_t from, rec_journal *redo);
/* Undoes the entries of the open edit from `mark` on for good. */
void rec_rollback(lathe_doc *doc, size_t mark);
/* Frees the bytes of a part that no undo can restore. */
void rec_give_up(lathe_doc *doc, uint32_t part);
/* The same for all parts of a container that no undo can bring back into the document. */
void rec_give_up_container(lathe_doc *doc, uint32_t container);

#endif
