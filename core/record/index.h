/* Index for finding elements of an array by a text: strings themselves, or records by their key row. It is made on
 * first use and kept until a change affects it. */
#ifndef LATHE_RECORD_INDEX_H
#define LATHE_RECORD_INDEX_H

#include "record/record.h"

/* The elements with a text: their number, and the first and last of them. */
typedef struct rec_hits {
    uint64_t count, first, last;
} rec_hits;

/* Searches the array on row `slot`, which must not be .derive or consist of parts. False: there is no index, because
 * the array is small, memory is short, or an element cannot be read. The caller then has to search the elements. */
bool rec_index_find(const rec_at *at, uint32_t slot, rec_key key, rec_hits *out);
/* The length of the longest element of an array of strings. False: no index. */
bool rec_index_longest(const rec_at *at, uint32_t slot, uint64_t *out);

/* ---- for code that changes bytes ---- */

/* Field `slot`, or its element at offset `off`, is about to change. Drops indexes that use it as a key. Until
 * rec_index_changed, other indexes survive any changes inside their elements. */
void rec_index_changes(const rec_at *at, uint32_t slot, uint64_t off);
void rec_index_changed(lathe_doc *doc);
/* Updates indexes after bytes of a part were replaced. */
void rec_index_move(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t removed,
                    uint64_t inserted);
void rec_index_drop(lathe_doc *doc); /* drops all */

#endif
