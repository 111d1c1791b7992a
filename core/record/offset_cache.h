/* Cache of the offsets of rows and array elements that can only be found by reading from the start, for the records
 * and arrays used last. Without it, reading row 40 of a sequential record, or text 5,000 of a list, would read
 * everything in front of it each time. The cache never affects results. */
#ifndef LATHE_RECORD_OFFSET_CACHE_H
#define LATHE_RECORD_OFFSET_CACHE_H

#include "record/record.h"

/* Keeps the entry of a record (slot: REC_NO_SLOT) or of one of its arrays in the cache until it is released, while
 * records inside it are read. Otherwise their entries could replace it, and each level would be read again and again.
 * `first`: the offset of its first row or element. */
void rec_offset_hold(const rec_at *at, uint32_t slot, uint64_t first);
void rec_offset_release(const rec_at *at, uint32_t slot);
/* Gives the last row at or before `slot` whose offset is cached, in *k and *off; both are unchanged if there is
 * none. */
void rec_offset_row(const rec_at *at, uint32_t slot, uint32_t *k, uint64_t *off);
void rec_offset_note_row(const rec_at *at, uint32_t k, uint64_t off);
/* The same for element i of an array that begins at *off (`data`). */
void rec_offset_item(const rec_at *at, uint32_t slot, uint64_t i, uint64_t *k, uint64_t *off);
/* The number of the last cached element at or before offset `off`, where a search for that offset can start. */
uint64_t rec_offset_before(const rec_at *at, uint32_t slot, uint64_t off);
/* Moves cached offsets behind a text that ends at `end` and changed its length. */
void rec_offset_move(lathe_doc *doc, uint32_t part, uint64_t end, uint64_t removed,
                     uint64_t inserted);
/* Elements of the array on row `slot` are inserted or removed at number i: `removed` bytes at `cut` become `inserted`
 * bytes. Moves the cached offsets of everything else. */
typedef struct rec_resizing {
    const rec_at *at;
    uint32_t slot;
    uint64_t i;
} rec_resizing;
void rec_offset_resize(const rec_resizing *what, uint64_t cut, uint64_t removed, uint64_t inserted);
void rec_offset_note_item(const rec_at *at, uint32_t slot, uint64_t data, uint64_t k, uint64_t off);

#endif
