/* What lathe.new is told in tables of tables, read with errors that name the place. Inside of havok/. */
#ifndef LATHE_HAVOK_GIVEN_H
#define LATHE_HAVOK_GIVEN_H

#include "record/record.h"

/* One table of a description, as a source whose top it is. It stays where it was opened. */
typedef struct hk_given {
    lathe_source api;
    const lathe_source *inner;
    const void *node;
    const char *
        where; /* "animation": what errors name in front of a field; NULL: the description itself */
} hk_given;

/* The description itself. */
void hk_given_top(hk_given *g, const lathe_source *fields);
/* The table `name` of one, which `where` names; *is: there is one. LATHE_ERR_TYPE: it is no table. */
lathe_result hk_given_in(const hk_given *from, const char *name, const char *where, hk_given *g,
                         bool *is, lathe_error *err);
/* An element or field as it is given: kind NONE where it is not. *child, where it is nested. */
lathe_value hk_given_value(const hk_given *g, const void *node, const char *name, uint64_t i,
                           const void **child);
static inline bool hk_given_is(const hk_given *g, const char *name)
{
    const void *child;
    return hk_given_value(g, NULL, name, 0, &child).kind != LATHE_KIND_NONE;
}
static inline uint64_t hk_given_count(const hk_given *g, const void *node)
{
    return g->api.count(g->api.user, node);
}

/* Hands `r` on, and says where: "animation.bones[3]" for "bones[%llu]". */
lathe_result hk_given_at(const hk_given *g, lathe_result r, lathe_error *err, const char *fmt, ...)
    ERROR_PRINTF(4, 5);
/* Refuses names of `node` that are none of `known` (which NULL ends), with the nearest; `where` as above. */
lathe_result hk_given_names(const hk_given *g, const void *node, const char *what,
                            const char *const *known, lathe_error *err);

/* true or false; *out stays as it is where nothing is given. */
lathe_result hk_given_bool(const hk_given *g, const char *name, bool *out, lathe_error *err);
/* A text without a zero byte, borrowed from the source: .p is NULL where nothing is given. */
lathe_result hk_given_text(const hk_given *g, const char *name, rec_key *out, lathe_error *err);
lathe_result hk_text_of(const lathe_value *v, rec_key *out, lathe_error *err);

/* Numbers one behind the other, as floats: a buffer, a list of rows, or a list of numbers. */
typedef struct hk_numbers {
    buf floats;
    uint64_t count; /* of all */
    bool is;        /* given */
} hk_numbers;

static inline const float *hk_numbers_of(const hk_numbers *n)
{
    return (const float *)(const void *)n->floats.data;
}
/* `columns`: how many a row has, 0: any, but all as many. numbers->floats is initialised, and the caller frees it. */
lathe_result hk_given_numbers(const hk_given *g, const char *name, uint64_t columns,
                              hk_numbers *numbers, lathe_error *err);

#endif
