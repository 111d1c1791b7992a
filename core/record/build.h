/* Making records of nested values and of other records. A part of record.h. */
#ifndef LATHE_RECORD_BUILD_H
#define LATHE_RECORD_BUILD_H

#include "gen/record_types.h"
#include "record/doc.h"

/* ---- building (source.c, emit.c, emit_count.c, build.c) --------------------------------------- */

/* Where the fields of a record come from; all may be NULL: defaults. */
struct rec_from {
    const lathe_source *source;
    const void *node;
    const rec_at *base; /* what the source lacks is copied from here */
    const char *tag;    /* a name among those of its rows that is no row: what tells its type */
    bool skip_parts;    /* rows in parts of their own are somebody else's business */
    bool fresh;         /* a new record: from the base come only fields that nobody may set */
    bool stands; /* it is tried out for a record that stands: rows that take no bytes, and what
                    is counted elsewhere, are set there */
    uint64_t *
        later; /* absent rows that are given, as bits: they may come with tables of numbers (.numbers) */
};

enum { REC_LATER = 64 };

/* What the part of a REC_PART row begins with: of bytes, a record that is nothing but them. */
const rec_type *rec_part_type(const rec_field *row);
/* A part for one element of a REC_PART row, not yet hung anywhere: its root layout is set. */
uint32_t rec_new_part(const rec_at *at, uint32_t slot);

/* Where the elements of an array come from: a node of a source, or row `slot` of `at`. */
typedef struct rec_items {
    const lathe_source *source;
    const void *node;
    const rec_at *at;
    uint32_t slot;
    uint64_t count;
    bool named;      /* for a keyed array: names in place of elements. See rec_named. */
    bool skip_parts; /* as rec_from says */
} rec_items;

/* Such a node as a list: elements of a key and a value, in the order of the keys' bytes. Its items
 * serve until rec_named_close. */
typedef struct rec_named {
    rec_items items;
    lathe_source source;
    const lathe_source *inner;
    const rec_slot *slot;
    const void *node; /* of the inner source */
    struct rec_entry *entries;
    size_t count, cap;
    buf names;
} rec_named;

lathe_result rec_named_open(rec_named *named, const rec_at *at, uint32_t slot,
                            const rec_items *items, lathe_error *err);
void rec_named_close(rec_named *named);

/* Appends a record to the part `at` is in: `at` starts at the part's end. */
lathe_result rec_emit(const rec_at *at, const rec_from *from, lathe_error *err);
/* Appends one field of `at` (which may stand elsewhere) to a part. */
lathe_result rec_emit_field(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err);
/* Whether n elements that nobody gave may be made: a number that somebody sets must not fill the memory. */
lathe_result rec_may_make(const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err);
lathe_result rec_too_much(const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err);
/* Appends elements from .. items->count. */
lathe_result rec_emit_items(const rec_at *at, uint32_t slot, const rec_items *items, uint64_t from,
                            uint32_t part, lathe_error *err);
/* Appends n elements (or bytes) as they are where nothing is given. No other row is looked at. */
lathe_result rec_emit_default(const rec_at *at, uint32_t slot, uint64_t n, uint32_t part,
                              lathe_error *err);
/* Whether a row's count is kept elsewhere, because it is absent. */
bool rec_counted_elsewhere(const rec_at *at, uint32_t slot);
/* Whether the source has a value for a row: *leaf, and *child where it is nested. */
bool rec_given(const rec_from *from, const rec_at *at, uint32_t slot, lathe_value *leaf,
               const void **child);
/* Refuses names that are no fields of the record, and more numbers than a vector has. */
lathe_result rec_check_names(const rec_at *at, const rec_from *from, lathe_error *err);
/* The row of the record to copy from that stands for row `slot`, where it has one that is there. */
bool rec_base_row(const rec_from *from, const rec_at *at, uint32_t slot, uint32_t *base_slot);
/* What a row needs that the whole record must stand for (finish.c): rec_emit calls it for each. */
lathe_result rec_finish(const rec_at *at, uint32_t slot, const rec_from *from, lathe_error *err);
/* Whether a table of numbers is given; `turns`: one that can make other rows come. */
bool rec_numbers_given(const rec_from *from, const rec_at *at, bool turns);
/* Such a table, given as a list of rows. */
lathe_result rec_numbers_build(const rec_at *at, uint32_t slot, const lathe_source *source,
                               const void *node, lathe_error *err);
/* The elements behind such a value for a row (a list, an array view). False where it is neither. */
bool rec_items_of(const rec_slot *slot, const rec_from *from, const lathe_value *leaf,
                  const void *child, rec_items *items, rec_at *storage);
/* Those of a node of a source. */
void rec_items_in(const rec_slot *slot, const lathe_source *source, const void *node,
                  rec_items *items);

/* Inside an edit: makes a record or array equal to what is given, touching only what differs. */
lathe_result rec_build(const rec_at *to, const rec_from *from, lathe_error *err);
/* Inside an edit, of a record whose stored rows are as they are given: the rows that take no bytes or lie elsewhere,
 * and those of `later` (rec_from.later). */
lathe_result rec_build_rest(const rec_at *to, uint64_t later, const rec_from *from,
                            lathe_error *err);
/* The same of tables of numbers alone, and of `later`. */
lathe_result rec_build_numbers(const rec_at *to, uint64_t later, const rec_from *from,
                               lathe_error *err);
lathe_result rec_build_array(const rec_at *at, uint32_t slot, const rec_items *items,
                             lathe_error *err);
lathe_result rec_copy(const rec_at *to, const rec_at *from, lathe_error *err);
lathe_result rec_copy_array(const rec_at *at, uint32_t slot, const rec_at *from, uint32_t from_slot,
                            lathe_error *err);

/* ---- elements of several types (polymorphic.c) --------------------------------------------------- */

/* A part for an element of a row with .tag, of the type that what is given says (none: the row's own), not
 * hung anywhere. *raw: it was given as bytes, which are in it. */
lathe_result rec_part_given(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t *part,
                            bool *raw, lathe_error *err);
/* Inside an edit: element i as it is to be built from `from`: one of another type takes its place where that
 * says so. *raw: nothing is left to be built. */
lathe_result rec_element_for(const rec_at *at, uint32_t slot, uint64_t i, const rec_from *from,
                             rec_at *element, bool *raw, lathe_error *err);
/* Inside an edit: a record of another type takes the place of one, with its fields of the same names. */
lathe_result rec_retype(const rec_at *at, const char *name, size_t n, lathe_error *err);

/* ---- copies from another document (foreign.c) ------------------------------------------------ */

/* Whether a row holds numbers that do. */
bool rec_means_other(const rec_slot *slot);
/* The number to be stored for what row `base_slot` of `base` has (element i), in whatever document that is. */
lathe_result rec_number_from(const rec_at *at, uint32_t slot, const rec_at *base,
                             uint32_t base_slot, uint64_t i, uint64_t *raw, lathe_error *err);
/* `to` begins as the bytes of `base`, in a scratch part: its numbers become those of its own document. */
lathe_result rec_adopt(const rec_at *to, const rec_at *base, lathe_error *err);
/* Refuses an element of a row with .tag where it is foreign and nobody knows its numbers. */
lathe_result rec_may_copy(const rec_at *at, uint32_t slot, const rec_at *base, lathe_error *err);

/* A part for trying things in: begins empty, is in no file. */
uint32_t rec_scratch(lathe_doc *doc, uint32_t container);
void rec_scratch_free(lathe_doc *doc, uint32_t part);

/* ---- written anew (serialize.c) -------------------------------------------------------------- */

/* Appends to `out`, whatever memory that is of, what lathe_doc_serialize gives. */
lathe_result rec_serialize(lathe_view place, const lathe_source *args, buf *out, lathe_error *err);

#endif
