/* doc:check() of tagfiles, by what is looked at. Inside of tagfile/. */
#ifndef LATHE_TAGFILE_CHECK_H
#define LATHE_TAGFILE_CHECK_H

#include "tagfile/tagfile.h"

typedef struct tag_span {
    uint64_t at, end; /* end 0: there is none */
} tag_span;

/* Of a file that is looked at: its bytes, and the first section of each name. */
typedef struct tag_checker {
    lathe_doc *doc;
    uint32_t c;
    rec_report *report;
    const tag_types *types;
    const uint8_t *p;
    uint64_t size, start; /* start: of the bytes in the document */
    tag_span data, type, index, items, patches;
    uint32_t items_n;
} tag_checker;

/* Reports at a byte of the file. where: a path, or NULL. */
void tag_tell(const tag_checker *k, lathe_level level, uint64_t at, const char *where,
              const char *fmt, ...) ERROR_PRINTF(5, 6);
/* The same at an item, whose number begins the message; and at a place of DATA, in the object that is there. */
void tag_tell_item(const tag_checker *k, lathe_level level, uint32_t item, const char *fmt, ...)
    ERROR_PRINTF(4, 5);
void tag_tell_data(const tag_checker *k, lathe_level level, uint64_t position, const char *fmt, ...)
    ERROR_PRINTF(4, 5);

/* "type 5 (hkInt16)". */
enum { TAG_LABEL = 96 };
const char *tag_label(const tag_types *types, uint32_t id, char to[TAG_LABEL]);

void tag_check_sections(tag_checker *k);    /* check_sections.c; finds where they are */
void tag_check_types(const tag_checker *k); /* check_types.c */
void tag_check_items(
    const tag_checker *k); /* check_items.c; with the fields that lead to them, and PTCH */

/* ---- between check_items.c, check_fields.c and check_patches.c --------------------------------------- */

typedef struct tag_field { /* a reference of an item's, in DATA */
    uint32_t position, type;
} tag_field;

typedef struct tag_led { /* what leads to an item */
    uint32_t fields;     /* how many */
    uint8_t text, array; /* whether one of them is a text, or an array */
} tag_led;

typedef struct tag_fields {
    buf all; /* tag_field, sorted by position */
    tag_led *led;
    bool whole; /* nothing was left out */
} tag_fields;

/* Looks at each field of each item. False: no memory. */
bool tag_check_fields(const tag_checker *k, tag_fields *out);
bool tag_check_patches(const tag_checker *k, const tag_fields *fields);
tag_item tag_checked_item(const tag_checker *k, uint32_t i);

#endif
