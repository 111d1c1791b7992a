/* What lathe.new is told in tables of tables, read with errors that name the place. */
#ifndef LATHE_RECORD_TABLE_H
#define LATHE_RECORD_TABLE_H

#include "record/record.h"

/* One table of a description, as a source whose top it is. It stays where it was opened. */
typedef struct rec_table {
    lathe_source api;
    const lathe_source *inner;
    const void *node;
    const char *
        where; /* "animation": what errors name in front of a field; NULL: the description itself */
} rec_table;

/* The description itself. */
void rec_table_top(rec_table *g, const lathe_source *fields);
/* The table `name` of one, which `where` names; *is: there is one. LATHE_ERR_TYPE: it is no table. */
lathe_result rec_table_in(const rec_table *from, const char *name, const char *where, rec_table *g,
                          bool *is, lathe_error *err);
/* An element or field as it is given: kind NONE where it is not. *child, where it is nested. */
lathe_value rec_table_value(const rec_table *g, const void *node, const char *name, uint64_t i,
                            const void **child);
static inline uint64_t rec_table_count(const rec_table *g, const void *node)
{
    return g->api.count(g->api.user, node);
}

/* Hands `r` on, and says where: "animation.bones[3]" for "bones[%llu]". */
lathe_result rec_table_at(const rec_table *g, lathe_result r, lathe_error *err, const char *fmt,
                          ...) ERROR_PRINTF(4, 5);
/* Refuses names of `node` that are none of `known` (which NULL ends), with the nearest; `where` as above. */
lathe_result rec_table_names(const rec_table *g, const void *node, const char *what,
                             const char *const *known, lathe_error *err);

/* true or false; *out stays as it is where nothing is given. */
lathe_result rec_table_bool(const rec_table *g, const char *name, bool *out, lathe_error *err);
/* A text without a zero byte, borrowed from the source: .p is NULL where nothing is given. */
lathe_result rec_table_text(const rec_table *g, const char *name, rec_key *out, lathe_error *err);
lathe_result rec_plain_text(const lathe_value *v, rec_key *out, lathe_error *err);

/* Numbers one behind the other, as floats: a buffer, a list of rows, or a list of numbers. */
typedef struct rec_table_list {
    buf floats;
    uint64_t count; /* of all */
    bool is;        /* given */
} rec_table_list;

static inline const float *rec_table_floats(const rec_table_list *n)
{
    return (const float *)(const void *)n->floats.data;
}
/* `columns`: how many a row has, 0: any, but all as many. numbers->floats is initialised, and the caller frees it. */
lathe_result rec_table_numbers(const rec_table *g, const char *name, uint64_t columns,
                               rec_table_list *numbers, lathe_error *err);

#endif
