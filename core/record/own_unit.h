/* Builder for record types that a file describes itself (REC_OWN): a small unit in the document's memory.
 *
 * Call rec_own_begin, then rec_own_row and the functions for its properties for each row, then rec_own_end. A
 * property can be read back as soon as it is set. Only rec_own_end fails: if memory is short, properties are 0
 * meanwhile. */
#ifndef LATHE_RECORD_OWN_UNIT_H
#define LATHE_RECORD_OWN_UNIT_H

#include "base/mem.h"
#include "record/row.h"

/* Texts that every such unit starts with: an empty one, and the name of its types. */
enum { REC_OWN_EMPTY = 1, REC_OWN_NAME = 2 };

typedef struct rec_own_block { /* a unit with its rows, so that rows can be offset from the unit */
    rec_unit unit;
    rec_field rows[];
} rec_own_block;

typedef struct rec_own_list {
    void *entries;
    uint32_t n;
    size_t cap;
} rec_own_list;

typedef struct rec_own {
    lathe_doc *doc;
    rec_own_block *block;
    uint32_t n, most; /* rows */
    rec_own_list texts, types, names, codecs, refs, bodies, numbers, conditions, rares;
    rec_rare lost; /* written to if there is no memory for an entry */
    bool short_of_memory;
} rec_own;

/* Begins a unit of at most `most` rows. Its types have the given name. */
void rec_own_begin(rec_own *own, lathe_doc *doc, const char *type_name, uint32_t most);
/* Adds a row: kind REC_COMPUTED, empty doc, no name, no other property. NULL: memory is short, or there are `most`
 * rows. */
rec_field *rec_own_row(rec_own *own);
/* The same with the properties of a row of another unit. */
rec_field *rec_own_copy(rec_own *own, const rec_field *row);

/* Give the value that refers to an object in the unit; 0 for NULL. Texts are copied, other objects are borrowed. */
uint32_t rec_own_text(rec_own *own, const char *text);
uint16_t rec_own_type(rec_own *own, const rec_type *type);
uint16_t rec_own_names(rec_own *own, const rec_names *names);
uint16_t rec_own_ref(rec_own *own, const rec_ref *ref);
uint16_t rec_own_body(rec_own *own, const rec_body *body);
/* The rare properties of a row, for setting them; valid until the next call for any row. Never NULL. */
rec_rare *rec_own_rare(rec_own *own, rec_field *row);

/* Moves the result into the document's memory, and makes *unit the unit of its rows. Types may be anywhere, as long
 * as their .back is the distance to *unit. unit NULL: discards the result. False: no memory, and *unit is unchanged. */
bool rec_own_end(rec_own *own, rec_unit *unit);

#endif
