/* Converts the types of a file to record types: rows made from its TYPE section on first use. */
#ifndef LATHE_TAGFILE_ROWS_H
#define LATHE_TAGFILE_ROWS_H

#include "record/own_unit.h"
#include "tagfile/types.h"

/* A type as a record type. Members of its parents come first, by .base. A type that is no record (an array of
 * arrays has elements that are arrays) becomes a record with a single row, `value` or `elements`. */
struct tag_record {
    rec_unit unit; /* first member: the types' .back points to it */
    rec_type type,
        core;         /* core: without the padding behind the last member; base of derived types */
    uint32_t id;      /* in the file */
    uint64_t covered; /* end of the last member */
    uint64_t weight;  /* number of values in one record, including inlined records */
    const char *problem; /* why objects of it cannot be read, or NULL; it then has no rows */
    enum { TAG_UNMADE = 0, TAG_BEING_MADE, TAG_MADE } state;
};

/* The rows of type `id`; NULL: out of memory. */
const tag_record *tag_record_of(lathe_doc *doc, uint32_t c, uint32_t id, lathe_error *err);
/* Finds the type with a name including template arguments; 0: there is none. */
uint32_t tag_type_find(lathe_doc *doc, uint32_t c, const char *name, size_t n);
/* The tag_record of a record type; only for types of the document itself. */
static inline const tag_record *tag_record_from(const rec_type *type)
{
    return (const tag_record *)rec_unit_of_type(type);
}

/* The name of a member in scripts: snake_case, only letters, digits and underscores; at most TAG_NAME_MOST
 * bytes with the NUL. */
enum { TAG_NAME_MOST = 96, TAG_DISPLAY_MOST = 256, TAG_ROWS_LEAST = 4096 };

#endif
