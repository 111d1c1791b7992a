/* Types of a file as record types: rows made from its TYPE section, when they are first needed. */
#ifndef LATHE_TAGFILE_ROWS_H
#define LATHE_TAGFILE_ROWS_H

#include "record/own_unit.h"
#include "tagfile/types.h"

/* A type as rows. Members of its parents come first, by .base. What is no record (an array of arrays has elements that are
 * arrays) is one with a single row, `value` or `elements`. */
struct tag_record {
    rec_unit unit; /* first: what the types' .back leads to */
    rec_type type,
        core; /* core: without the padding behind the last member, what derived types have as base */
    uint32_t id;         /* in the file */
    uint64_t covered;    /* where the last member ends */
    uint64_t weight;     /* values that one of it has, those of records in line too */
    const char *problem; /* why objects of it cannot be read, or NULL: it then has no rows */
    enum { TAG_UNMADE = 0, TAG_BEING_MADE, TAG_MADE } state;
};

/* The rows of type `id`; NULL: no memory. */
const tag_record *tag_record_of(lathe_doc *doc, uint32_t c, uint32_t id, lathe_error *err);
/* The type whose name with its template arguments is that; 0: there is none. */
uint32_t tag_type_find(lathe_doc *doc, uint32_t c, const char *name, size_t n);
/* The record that a type of the document is: its own ones only. */
static inline const tag_record *tag_record_from(const rec_type *type)
{
    return (const tag_record *)rec_unit_of_type(type);
}

/* The name that a member has in scripts: snake_case, of letters, digits and underscores only. At most TAG_NAME_MOST letters
 * of it, with the NUL. */
enum { TAG_NAME_MOST = 96, TAG_DISPLAY_MOST = 256, TAG_ROWS_LEAST = 4096 };

#endif
