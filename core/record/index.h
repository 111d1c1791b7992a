/* Elements of an array by a text: strings themselves, or records by the text in their key row. An index is made
 * where one is first asked for, and kept until a change concerns it. */
#ifndef LATHE_RECORD_INDEX_H
#define LATHE_RECORD_INDEX_H

#include "record/record.h"

/* Which elements have a text: how many, the first and the last one. */
typedef struct rec_hits {
    uint64_t count, first, last;
} rec_hits;

/* Of the array on row `slot`, which is no .derive row's and not made of parts. False: there is no index, since the
 * array is small, memory is short, or an element cannot be read: whoever asks looks at all elements then. */
bool rec_index_find(const rec_at *at, uint32_t slot, rec_key key, rec_hits *out);
/* The length of the longest element of an array of strings. False: as above. */
bool rec_index_longest(const rec_at *at, uint32_t slot, uint64_t *out);

/* ---- for those that change bytes ---- */

/* The field `slot`, or the element of it at offset `off`, is about to change. Indexes of which it is a key go;
 * until rec_index_changed, others stand whatever changes in their elements. */
void rec_index_changes(const rec_at *at, uint32_t slot, uint64_t off);
void rec_index_changed(lathe_doc *doc);
/* Bytes of a part were replaced. */
void rec_index_move(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t removed,
                    uint64_t inserted);
void rec_index_drop(lathe_doc *doc); /* all of them */

#endif
