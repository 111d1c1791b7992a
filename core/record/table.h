/* Reads the nested tables that lathe.new gets. Errors name the place in the tables. */
#ifndef LATHE_RECORD_TABLE_H
#define LATHE_RECORD_TABLE_H

#include "record/record.h"

/* One table of the description, as a source of its own. Must not be moved after it was opened. */
typedef struct rec_table {
    lathe_source api;
    const lathe_source *inner;
    const void *node;
    const char *
        /* prefix of the table's fields in errors, such as "animation"; NULL: the description
         * itself */
        where;
} rec_table;

/* Opens the description itself. */
void rec_table_top(rec_table *g, const lathe_source *fields);
/* Opens the table `name` inside another one; `where` is its prefix. *is: it was given. LATHE_ERR_TYPE: it is no
 * table. */
lathe_result rec_table_in(const rec_table *from, const char *name, const char *where, rec_table *g,
                          bool *is, lathe_error *err);
/* An element or field; kind NONE if it was not given. *child, if it is nested. */
lathe_value rec_table_value(const rec_table *g, const void *node, const char *name, uint64_t i,
                            const void **child);
static inline uint64_t rec_table_count(const rec_table *g, const void *node)
{
    return g->api.count(g->api.user, node);
}

/* Returns `r`, and sets the place of the error: "animation.bones[3]" for "bones[%llu]". */
lathe_result rec_table_at(const rec_table *g, lathe_result r, lathe_error *err, const char *fmt,
                          ...) ERROR_PRINTF(4, 5);
/* Refuses names in `node` that are not in `known` (NULL-terminated), and suggests the nearest one. `what` describes
 * the table. */
lathe_result rec_table_names(const rec_table *g, const void *node, const char *what,
                             const char *const *known, lathe_error *err);

/* Reads true or false; *out is unchanged if nothing was given. */
lathe_result rec_table_bool(const rec_table *g, const char *name, bool *out, lathe_error *err);
/* Reads a text without NUL bytes, borrowed from the source; .p is NULL if nothing was given. */
lathe_result rec_table_text(const rec_table *g, const char *name, rec_key *out, lathe_error *err);
lathe_result rec_plain_text(const lathe_value *v, rec_key *out, lathe_error *err);

/* A flat array of floats, given as a buffer, a list of rows, or a list of numbers. */
typedef struct rec_table_list {
    buf floats;
    uint64_t count; /* number of all floats */
    bool is;        /* whether it was given */
} rec_table_list;

static inline const float *rec_table_floats(const rec_table_list *n)
{
    return (const float *)(const void *)n->floats.data;
}
/* `columns`: floats in each row; 0: any number, the same in all rows. The caller initializes and frees
 * numbers->floats. */
lathe_result rec_table_numbers(const rec_table *g, const char *name, uint64_t columns,
                               rec_table_list *numbers, lathe_error *err);

#endif
