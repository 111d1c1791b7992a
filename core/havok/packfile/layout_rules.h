/* Where Havok puts the data of arrays and texts: the one place that knows, for the serializer and for edits
 * alike. Reference: formats/havok-packfile.md#2.3, proved on every file of the corpus.
 *
 * An object begins on a multiple of 16. Behind its struct come the data of its heads in the order of the
 * members; of an array of structs first all elements, then what the first element's heads lead to, then the
 * second's … Every gap is zeros. All positions here count from the object's start, or from that of
 * __data__ where its objects begin on multiples of 16.
 *
 *   hk_where w = hk_where_of(slot, inside);        the row, and whether its head is in an array's element
 *   start = hk_data_start(&w, end)                 what is in front of it ended at `end`
 *   ... start + size of the elements, or text + 1
 *   own = hk_elements_end(&w, start + size)        of an array: where the elements' own data begin
 *   ...
 *   end = hk_data_end(&w, own)                     behind all of it: the `end` of what follows */
#ifndef LATHE_HAVOK_LAYOUT_RULES_H
#define LATHE_HAVOK_LAYOUT_RULES_H

#include "record/record.h"

enum { HK_ALIGN = 16 }; /* objects, arrays, and texts of objects */

typedef struct hk_where {
    bool array;  /* of anything, texts too; else one text */
    bool items;  /* … whose elements are records, which may have data of their own */
    bool inside; /* the head is in an element of an array of records, at any depth */
    bool item;   /* a text that is itself an element of an array of texts */
} hk_where;

/* The row of an array, bytes or a text. Records in line (not elements) don't count as inside. */
hk_where hk_where_of(const rec_slot *slot, bool inside);
/* Of one text of an array of texts. */
hk_where hk_where_item(void);

uint64_t hk_data_start(const hk_where *w, uint64_t end);
uint64_t hk_elements_end(const hk_where *w, uint64_t end);
uint64_t hk_data_end(const hk_where *w, uint64_t end);
/* Where the data behind a struct of that size begin, or the next object does. */
uint64_t hk_struct_end(uint64_t size);

#endif
