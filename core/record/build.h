/* Building records from nested values and from other records. A part of record.h. */
#ifndef LATHE_RECORD_BUILD_H
#define LATHE_RECORD_BUILD_H

#include "gen/record_types.h"
#include "record/doc.h"

/* ---- building (source.c, emit.c, emit_count.c, build.c) --------------------------------------- */

/* The sources of a record's field values. All members may be NULL or false: every field gets its default. */
struct rec_from {
    const lathe_source *source;
    const void *node;
    const rec_at *base; /* fields that the source lacks are copied from this record */
    /* the name in the source that gives the type of the record and is no row of it; NULL: none */
    const char *tag;
    bool skip_parts; /* leave rows in parts of their own to the caller */
    bool fresh;      /* for a new record: copy only fields that cannot be set from the base */
    /* the target record exists, and this is a trial copy of its stored rows: leave rows that take
     * no bytes, and counts that are stored elsewhere, to the caller */
    bool stored_only;
    uint64_t *
        /* bits of rows that are given but absent, and may appear once the tables of numbers
         * (.numbers) are written */
        later;
};

enum { REC_LATER = 64 };

/* The type of the record that the part of a REC_PART row begins with. For bytes, a record that contains only them. */
const rec_type *rec_part_type(const rec_field *row);
/* A new part for one element of a REC_PART row, not yet attached to the tree. Its root layout is set. */
uint32_t rec_new_part(const rec_at *at, uint32_t slot);

/* The source of an array's elements: a node of a source, or row `slot` of `at`. */
typedef struct rec_items {
    const lathe_source *source;
    const void *node;
    const rec_at *at;
    uint32_t slot;
    uint64_t count;
    bool named;      /* of a keyed array: names instead of elements; see rec_named */
    bool skip_parts; /* as in rec_from */
} rec_items;

/* Presents such a node as a list: elements with a key and a value, sorted by the bytes of the keys. `items` is valid
 * until rec_named_close. */
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

/* Appends a record to the part of `at`, at whose end `at` must be. */
lathe_result rec_emit(const rec_at *at, const rec_from *from, lathe_error *err);
/* Appends one field of `at`, which may be in another part, to `part`. */
lathe_result rec_emit_field(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err);
/* Checks that n default elements do not exceed the limit (REC_MADE): a count alone must not fill the memory. */
lathe_result rec_may_make(const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err);
lathe_result rec_too_much(const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err);
/* Appends the elements from .. items->count. */
lathe_result rec_emit_items(const rec_at *at, uint32_t slot, const rec_items *items, uint64_t from,
                            uint32_t part, lathe_error *err);
/* Appends n elements (or bytes) with their default. Reads no other row. */
lathe_result rec_emit_default(const rec_at *at, uint32_t slot, uint64_t n, uint32_t part,
                              lathe_error *err);
/* Whether the count row of an array is absent, and its value stored elsewhere. */
bool rec_counted_elsewhere(const rec_at *at, uint32_t slot);
/* Whether the source has a value for a row: *leaf, and *child if it is nested. */
bool rec_source_value(const rec_from *from, const rec_at *at, uint32_t slot, lathe_value *leaf,
                      const void **child);
/* Refuses names that are no fields of the record, and more components than a vector has. */
lathe_result rec_check_names(const rec_at *at, const rec_from *from, lathe_error *err);
/* The row of the base record that corresponds to row `slot`. False: there is none, or it is absent. */
bool rec_base_row(const rec_from *from, const rec_at *at, uint32_t slot, uint32_t *base_slot);
/* Completes a row that needs the whole record to be written (finish.c). rec_emit calls it for each row. */
lathe_result rec_finish(const rec_at *at, uint32_t slot, const rec_from *from, lathe_error *err);
/* Whether the source has a table of numbers; `turns`: only tables that can make other rows appear. */
bool rec_source_has_numbers(const rec_from *from, const rec_at *at, bool turns);
/* Writes such a table from a list of rows. */
lathe_result rec_numbers_build(const rec_at *at, uint32_t slot, const lathe_source *source,
                               const void *node, lathe_error *err);
/* The elements of a value for an array row (a list or an array view). False: it is neither. */
bool rec_items_of(const rec_slot *slot, const rec_from *from, const lathe_value *leaf,
                  const void *child, rec_items *items, rec_at *storage);
/* The elements in a node of a source. */
void rec_items_in(const rec_slot *slot, const lathe_source *source, const void *node,
                  rec_items *items);

/* Inside an edit: makes a record or array equal to the source. Writes only what differs. */
lathe_result rec_build(const rec_at *to, const rec_from *from, lathe_error *err);
/* Inside an edit, after the stored rows of a record were built: builds the rows that take no bytes or are out of
 * line, and those in `later` (rec_from.later). */
lathe_result rec_build_rest(const rec_at *to, uint64_t later, const rec_from *from,
                            lathe_error *err);
/* The same for tables of numbers and `later` only. */
lathe_result rec_build_numbers(const rec_at *to, uint64_t later, const rec_from *from,
                               lathe_error *err);
lathe_result rec_build_array(const rec_at *at, uint32_t slot, const rec_items *items,
                             lathe_error *err);
lathe_result rec_copy(const rec_at *to, const rec_at *from, lathe_error *err);
lathe_result rec_copy_array(const rec_at *at, uint32_t slot, const rec_at *from, uint32_t from_slot,
                            lathe_error *err);

/* ---- targets of references (target.c) ------------------------------------------------------------ */

/* Whether a table given for a pointer makes the record that it points to. */
bool rec_makes_targets(const rec_field *row);
/* Inside an edit: makes that record, and points element i of the row (0: the row itself) to it. */
lathe_result rec_make_target(const rec_at *at, uint32_t slot, uint64_t i,
                             const lathe_source *source, const void *node, lathe_error *err);

/* ---- polymorphic arrays (polymorphic.c) ---------------------------------------------------------- */

/* A new part for an element of a row with .tag, of the type that the source says (default: the row's own), not yet
 * attached to the tree. *raw: the source gave bytes, and the part contains them. */
lathe_result rec_part_from_source(const rec_at *at, uint32_t slot, const rec_from *from,
                                  uint32_t *part, bool *raw, lathe_error *err);
/* Inside an edit: prepares element i for being built from `from`: replaces it if the source gives another type. *raw:
 * the element is complete. from->tag becomes the name under which the source gives the type. */
lathe_result rec_element_for(const rec_at *at, uint32_t slot, uint64_t i, rec_from *from,
                             rec_at *element, bool *raw, lathe_error *err);
/* Inside an edit: appends an element of the type with that name to a row of parts (.resizes), built from `from`. */
lathe_result rec_append_named(const rec_at *at, uint32_t slot, const char *name, size_t n,
                              const rec_from *from, rec_at *element, lathe_error *err);
/* Inside an edit: replaces a record by one of another type. Fields of the same name keep their values. */
lathe_result rec_retype(const rec_at *at, const char *name, size_t n, lathe_error *err);

/* ---- copies from another document (foreign.c) ------------------------------------------------ */

/* Whether a row holds numbers that mean something else in another document. */
bool rec_means_other(const rec_slot *slot);
/* The number to store for element i of row `base_slot` of `base`, which may be in another document. */
lathe_result rec_number_from(const rec_at *at, uint32_t slot, const rec_at *base,
                             uint32_t base_slot, uint64_t i, uint64_t *raw, lathe_error *err);
/* Converts a copy of `base` in a scratch part: replaces numbers that refer to its document by those of to->doc. */
lathe_result rec_adopt(const rec_at *to, const rec_at *base, lathe_error *err);
/* Refuses to copy an element of a row with .tag from another document if its references cannot be converted. */
lathe_result rec_may_copy(const rec_at *at, uint32_t slot, const rec_at *base, lathe_error *err);

/* An empty part for temporary data, which is in no file. */
uint32_t rec_scratch(lathe_doc *doc, uint32_t container);
void rec_scratch_free(lathe_doc *doc, uint32_t part);

/* ---- serializing (serialize.c) ------------------------------------------------------------------- */

/* Appends the result of lathe_doc_serialize to `out`, which may use any allocator. */
lathe_result rec_serialize(lathe_view place, const lathe_source *args, buf *out, lathe_error *err);

#endif
