/* Between the files that make tagfiles from nested values: make.c and make_values.c. */
#ifndef LATHE_TAGFILE_MAKE_H
#define LATHE_TAGFILE_MAKE_H

#include "tagfile/order.h"

/* Bytes that are kept where they were. */
enum {
    TAG_KEPT_LEAD,
    TAG_KEPT_BETWEEN,
    TAG_KEPT_INDEX,
    TAG_KEPT_REST,
    TAG_KEPT_TRAILING,
    TAG_KEPT_FRONT,
    TAG_KEPT_BEFORE_TYPES,
    TAG_KEPT_BEHIND_TYPES,
    TAG_KEPT_BEFORE_ITEMS,
    TAG_KEPT_EXTERNAL,
    TAG_KEPT
};

typedef struct tag_kept {
    const char *p[TAG_KEPT];
    size_t n[TAG_KEPT];
} tag_kept;

typedef struct tag_maker {
    const lathe_source *source;
    lathe_doc *doc; /* what has the types; its container is 0 */
    tag_types *types;
    const void *list; /* the objects */
    uint64_t count;
    rec_at root;        /* for paths in errors */
    uint32_t part;      /* the data */
    uint32_t field;     /* where fields of members at one place are made */
    uint32_t text;      /* the type of a text's letters, 0: nobody looked */
    const char **names; /* of the types, with their arguments … */
    uint32_t *slots;    /* … and hashed by these: their ids */
    size_t slots_n;
    bool empty_items; /* empty relative arrays have items, too */
    tag_kept kept;
    buf items;
    lathe_error *err;
} tag_maker;

typedef struct tag_made { /* that is written */
    rec_at to;
    rec_from from;
} tag_made;

uint64_t tag_made_end(const tag_maker *m); /* of the data so far */
lathe_result tag_made_align(tag_maker *m);
/* What is kept in front of the first object. */
lathe_result tag_made_lead(tag_maker *m);
/* Puts a struct at the end of the data, and behind it all that it leads to. Its place is that end. */
lathe_result tag_make_record(tag_maker *m, const tag_made *r);

#endif
