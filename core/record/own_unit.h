/* Types that are made at open, of what a file says (REC_OWN): a small unit of the document's own, made row by row.
 *
 * rec_own_begin, then for each row rec_own_row and its words, then rec_own_end. What a row says can be asked from the moment
 * that the word is set. Nothing fails on the way: where memory is short, the words are 0, and rec_own_end says so. */
#ifndef LATHE_RECORD_OWN_UNIT_H
#define LATHE_RECORD_OWN_UNIT_H

#include "base/mem.h"
#include "record/row.h"

/* Texts that every such unit begins with: the empty one, and the name of its types. */
enum { REC_OWN_EMPTY = 1, REC_OWN_NAME = 2 };

typedef struct rec_own_block { /* a unit and its rows, for offsets of rows */
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
    rec_rare lost; /* gets what is set where there is no room for it */
    bool short_of_memory;
} rec_own;

/* A unit for at most `most` rows, whose types have that name. */
void rec_own_begin(rec_own *own, lathe_doc *doc, const char *type_name, uint32_t most);
/* The next row: kind REC_COMPUTED, an empty doc, nothing else, not even a name. NULL: memory is short, or there are `most`. */
rec_field *rec_own_row(rec_own *own);
/* The same as a row of another unit. */
rec_field *rec_own_copy(rec_own *own, const rec_field *row);

/* What a word of a row becomes: of a NULL, 0. Texts are copied, tables are borrowed. */
uint32_t rec_own_text(rec_own *own, const char *text);
uint16_t rec_own_type(rec_own *own, const rec_type *type);
uint16_t rec_own_names(rec_own *own, const rec_names *names);
uint16_t rec_own_ref(rec_own *own, const rec_ref *ref);
uint16_t rec_own_body(rec_own *own, const rec_body *body);
/* The rare words of a row, to be set; good until the next one's are asked for. Never NULL. */
rec_rare *rec_own_rare(rec_own *own, rec_field *row);

/* Keeps what was made in the document, and makes *unit the unit of its rows: that of types, which may lie anywhere as long as
 * their .back leads to it. unit NULL: keeps nothing. False: no memory; *unit is as it was. */
bool rec_own_end(rec_own *own, rec_unit *unit);

#endif
