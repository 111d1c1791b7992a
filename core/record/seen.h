/* Offsets that walks have found, kept for a few records and arrays, so that field 40 of a sequential
 * record, or label 5,000 of a list, is not a walk each time. Only hints: nothing depends on them. */
#ifndef LATHE_RECORD_SEEN_H
#define LATHE_RECORD_SEEN_H

#include "record/record.h"

/* While a record (slot: REC_NO_SLOT) or one of its arrays is walked, what is known of it stays, however
 * much is walked below: otherwise each level would walk all below it again, and that several times.
 * `first` is the offset of its first row or element. */
void rec_seen_hold(const rec_at *at, uint32_t slot, uint64_t first);
void rec_seen_release(const rec_at *at, uint32_t slot);
/* The nearest row at or before `slot` whose offset is known; *k and *off stay where none is. */
void rec_seen_row(const rec_at *at, uint32_t slot, uint32_t *k, uint64_t *off);
void rec_seen_note_row(const rec_at *at, uint32_t k, uint64_t off);
/* The same for the elements of an array, which begins at *off, or `data`. */
void rec_seen_item(const rec_at *at, uint32_t slot, uint64_t i, uint64_t *k, uint64_t *off);
/* The last remembered element at or before offset `off`: where a search for it may begin. */
uint64_t rec_seen_before(const rec_at *at, uint32_t slot, uint64_t off);
/* A text that ends at `end` got another length: what lies behind it moves, and nothing comes or goes. */
void rec_seen_move(lathe_doc *doc, uint32_t part, uint64_t end, uint64_t removed,
                   uint64_t inserted);
/* Elements of the array on row `slot` come or go at number i: `removed` bytes at `cut` become `inserted` ones, which
 * its count will say soon. What is known of the rest moves along. */
typedef struct rec_resizing {
    const rec_at *at;
    uint32_t slot;
    uint64_t i;
} rec_resizing;
void rec_seen_resize(const rec_resizing *what, uint64_t cut, uint64_t removed, uint64_t inserted);
void rec_seen_note_item(const rec_at *at, uint32_t slot, uint64_t data, uint64_t k, uint64_t off);

#endif
