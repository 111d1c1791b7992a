/* Internal header of doc:check() for tagfiles. */
#ifndef LATHE_TAGFILE_CHECK_H
#define LATHE_TAGFILE_CHECK_H

#include "tagfile/tagfile.h"

typedef struct tag_span {
    uint64_t at, end; /* end 0: not there */
} tag_span;

/* A file that is being checked: its bytes, and the first section of each name. */
typedef struct tag_checker {
    lathe_doc *doc;
    uint32_t c;
    rec_report *report;
    const tag_types *types;
    const uint8_t *p;
    uint64_t size, start; /* start: offset of the bytes in the document */
    tag_span data, type, index, items, patches;
    uint32_t items_n;
} tag_checker;

/* Reports a finding at a byte of the file. where: a path, or NULL. */
void tag_finding(const tag_checker *k, lathe_level level, uint64_t at, const char *where,
                 const char *fmt, ...) ERROR_PRINTF(5, 6);
/* The same at an item, whose number starts the message; and at a position in DATA, in the object there. */
void tag_item_finding(const tag_checker *k, lathe_level level, uint32_t item, const char *fmt, ...)
    ERROR_PRINTF(4, 5);
void tag_data_finding(const tag_checker *k, lathe_level level, uint64_t position, const char *fmt,
                      ...) ERROR_PRINTF(4, 5);

/* The label of a type: "type 5 (hkInt16)". */
enum { TAG_LABEL = 96 };
const char *tag_label(const tag_types *types, uint32_t id, char to[TAG_LABEL]);

void tag_check_sections(tag_checker *k);    /* check_sections.c; finds the sections */
void tag_check_types(const tag_checker *k); /* check_types.c */
void tag_check_items(
    const tag_checker *k); /* check_items.c; also the fields that refer to items, and PTCH */

/* ---- shared by check_items.c, check_fields.c and check_patches.c ------------------------------------- */

typedef struct tag_field { /* a field in DATA that refers to an item */
    uint32_t position, type;
} tag_field;

typedef struct tag_field_use { /* references to an item */
    uint32_t fields;           /* number of fields */
    uint8_t text, array;       /* whether one of them is a text, or an array */
} tag_field_use;

typedef struct tag_fields {
    buf all; /* tag_field, sorted by position */
    tag_field_use *uses;
    bool whole; /* the list is complete */
} tag_fields;

/* Checks each field of each item. False: out of memory. */
bool tag_check_fields(const tag_checker *k, tag_fields *out);
bool tag_check_patches(const tag_checker *k, const tag_fields *fields);
tag_item tag_checked_item(const tag_checker *k, uint32_t i);

#endif
