/* Shared by the files that make tagfiles from nested values: make.c and make_values.c. */
#ifndef LATHE_TAGFILE_MAKE_H
#define LATHE_TAGFILE_MAKE_H

#include "tagfile/order.h"

/* Bytes that are kept at their place in the file. */
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
    lathe_doc *doc; /* provides the types; its container is 0 */
    tag_types *types;
    const void *list; /* the objects */
    uint64_t count;
    rec_at root;        /* for paths in errors */
    uint32_t part;      /* of the data */
    uint32_t field;     /* where fields of inlined members are made */
    uint32_t text;      /* type of the characters of a text; 0: not determined yet */
    const char **names; /* names of the types, with their arguments … */
    uint32_t *slots;    /* … and a hash table of their ids by name */
    size_t slots_n;
    bool empty_items; /* empty relative arrays have items too */
    tag_kept kept;
    buf items;
    lathe_error *err;
} tag_maker;

typedef struct tag_made { /* a record to write */
    rec_at to;
    rec_from from;
} tag_made;

uint64_t tag_made_end(const tag_maker *m); /* End of the data so far. */
lathe_result tag_made_align(tag_maker *m);
/* Writes the bytes that are kept in front of the first object. */
lathe_result tag_made_lead(tag_maker *m);
/* Appends a record to the data, and everything it refers to behind it. Its position is the former end. */
lathe_result tag_make_record(tag_maker *m, const tag_made *r);

#endif
