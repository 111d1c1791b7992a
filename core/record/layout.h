/* Layouts: record types laid out for one container (layout.c). A part of record.h. */
#ifndef LATHE_RECORD_LAYOUT_H
#define LATHE_RECORD_LAYOUT_H

#include "base/error.h"
#include "record/row.h"
#include "record/schema.h"

#include <string.h>

#define REC_DEPTH 64 /* maximum nesting of records, containers and edits */
/* the most bytes that a count alone can create: rec_may_make */
#define REC_MADE ((uint64_t)1 << 26)
#define REC_DYNAMIC UINT64_MAX /* an offset or size that varies from record to record */
#define REC_NO_SLOT UINT32_MAX

typedef struct rec_slot {
    const rec_field *row;
    const char *name;      /* of the row */
    const rec_layout *sub; /* of REC_RECORD, unless it is in a part of an embedded document */
    uint64_t off;          /* from the record's start, or REC_DYNAMIC */
    uint64_t size;         /* of the whole field if present, or REC_DYNAMIC */
    uint64_t elem;         /* of one element, or REC_DYNAMIC */
    uint64_t elem_min;     /* minimum bytes of one element */
    uint32_t count_slot;   /* the row that holds its count, or REC_NO_SLOT */
    uint32_t when_slot;    /* the row that .when names, or REC_NO_SLOT */
    uint32_t counts;       /* of a count: the first array that it counts, or REC_NO_SLOT */
    uint32_t anchor;       /* of a group: the array that contains its elements, or REC_NO_SLOT */
    uint32_t group;        /* of an array in a group: the group's row, or REC_NO_SLOT */
    uint32_t key, value;   /* of a keyed array: those rows of its elements, or REC_NO_SLOT */
    uint32_t alignment;    /* alignment in a REC_ALIGNED type */
    uint32_t head;         /* bytes of the head of out-of-line data */
    /* slot of the row with this name that the records have; usually this one */
    uint32_t same;
    uint32_t hash; /* of its name */
    bool never;    /* no record of this layout has the row */
    bool fixed;    /* always present and in line, with `size` bytes */
    bool varies;   /* sub, elem and elem_min vary from record to record: use rec_slot_of */
    bool array;    /* a row of elements; REC_BYTES and texts are not */
    bool big;
    bool selects; /* later rows depend on its value */
    bool conditional;
} rec_slot;

struct rec_layout {
    const rec_type *type;
    uint64_t arg;
    uint32_t container;
    uint32_t count;
    size_t number; /* ordinal in the order in which layouts were last begun */
    uint64_t size; /* or REC_DYNAMIC */
    uint64_t min_size;
    uint32_t fields; /* how many rows the records have */
    uint32_t embeds; /* the REC_LAZY document row behind the others, or REC_NO_SLOT */
    bool ready;      /* false while its rows are being laid out (recursive types) … */
    /* … which is in progress; else it failed for lack of memory and will be retried */
    bool filling;
    bool brief;     /* so short that reading through a record is cheaper than caching offsets */
    bool recursive; /* its records may contain records of the same type, at any depth */
    /* some data are stored elsewhere: out of line, in other parts, in arrays of a group */
    bool has_out_of_line;
    bool only_texts;     /* texts are the only out-of-line data, if there are any */
    bool derives;        /* some row of it, or of a record in it, has .derive */
    bool has_references; /* some of its numbers are references or have a codec */
    bool has_argument;   /* some rows show bits of the argument: rec_is_argument */
    rec_slot slots[];
};

/* The layout of a type in a container (for an argument), made on first use. NULL: out of memory. */
const rec_layout *rec_layout_of(lathe_doc *doc, uint32_t container, const rec_type *type);
const rec_layout *rec_layout_for(lathe_doc *doc, uint32_t container, const rec_type *type,
                                 uint64_t arg);
/* Whether a row shows bits of the argument of its record's layout. */
bool rec_is_argument(const rec_field *row);
/* The argument of a new record of a type if no values are given. */
uint64_t rec_argument_default(const rec_type *type);
/* A row whose type takes an argument, with the properties that it has in this record: see rec_slot_of. If memory is
 * short, the result is the general row, in which nothing can be found. */
const rec_slot *rec_variant_of(const rec_at *at, uint32_t slot);
/* Rows of a type, by number. Those of its bases come first. */
const rec_field *rec_row(const rec_type *type, uint32_t i);
uint32_t rec_row_count(const rec_type *type);
/* Whether `type` is `base` or derives from it. */
bool rec_is_a(const rec_type *type, const rec_type *base);
/* Names are compared by their hashes first: a few letters distinguish nearly all names. Inline, so that the compiler
 * computes the hash of a literal. */
static inline uint32_t rec_name_hash(const char *name, size_t n)
{
    if (n == 0)
        return 0;
    return ((uint32_t)n ^ (uint32_t)(uint8_t)name[0] << 8 ^ (uint32_t)(uint8_t)name[n / 2] << 16 ^
            (uint32_t)(uint8_t)name[n - 1] << 24) *
           0x9E3779B1u;
}
uint32_t rec_slot_hashed(const rec_layout *layout, const char *name, uint32_t hash);
/* The slot of the row with a name that records of the layout have, or REC_NO_SLOT. */
static inline uint32_t rec_slot_find(const rec_layout *layout, const char *name)
{
    return rec_slot_hashed(layout, name, rec_name_hash(name, strlen(name)));
}
/* Width of a scalar in bytes; 0 for other kinds. */
static inline unsigned rec_width(rec_kind kind)
{
    static const uint8_t width[REC_KIND_COUNT] = {
        [REC_U8] = 1,  [REC_I8] = 1,        [REC_U16] = 2, [REC_I16] = 2,
        [REC_U32] = 4, [REC_I32] = 4,       [REC_U64] = 8, [REC_I64] = 8,
        [REC_F16] = 2, [REC_F16_UPPER] = 2, [REC_F32] = 4, [REC_F64] = 8,
    };
    return width[kind];
}
bool rec_is_array(const rec_field *row); /* bytes and texts are not arrays */
const char *rec_row_type_name(const rec_field *row, char *buf, size_t cap); /* "str32", "u16" … */
const char *rec_wanted(const rec_field *row, char *buf, size_t cap); /* the same for messages */
/* The record row of a type whose type has a field of this name, for messages; NULL: none. */
const char *rec_holder(const rec_type *type, const char *field);
/* The number of components of a vector, which are the rows v[1] .. v[n]: the rows before the first one that takes no
 * bytes, or the leading rows that take none if the vector is computed as a whole. 0: the type is no vector. */
uint32_t rec_lanes(const rec_type *type);
/* Whether a row is a component that is computed together with the others (.load). */
static inline bool rec_is_lane(const rec_type *type, uint32_t slot)
{
    return type->hooks && rec_type_hooks(type)->load && slot < rec_lanes(type);
}
/* Whether a record of one type can be assigned to one of another: same type, or vectors with the same component
 * names. */
bool rec_alike(const rec_type *a, const rec_type *b);
/* Whether a row takes no bytes in the record. */
static inline bool rec_unstored(const rec_field *row)
{
    if (row->kind == REC_COMPUTED || row->flags & REC_OVERLAY)
        return true;
    return row->rare && (rec_row_rare(row)->group || rec_row_rare(row)->column);
}
/* Finds a record type by name, in one format or in all formats. NULL: none. */
const rec_type *rec_type_of(const lathe_format *format, const char *name);
const rec_type *rec_type_find(const char *name);
/* The same for a document: first its own types (own_types.c), then those of its format, then all others. */
const rec_type *rec_doc_type_find(lathe_doc *doc, const char *name);
/* Type number i of those that a document describes itself, over all its containers. *container (may be NULL) gets the
 * container that describes it. NULL past the last one, or if memory is short. */
const rec_type *rec_doc_own_type(lathe_doc *doc, uint64_t i, uint32_t *container);
/* The first such type with a name. */
const rec_type *rec_own_named(lathe_doc *doc, const char *name, uint32_t *container);
/* Whether a name has another meaning in Lua, such as a format, so that a file's own record types must be given
 * another one. */
bool rec_type_name_taken(const char *name);
/* Whether two types are the same, or are described alike by two documents: same names, rows, kinds and offsets. Very
 * large types may be reported as different although they are alike. */
bool rec_same_type(const rec_type *a, const rec_type *b);
/* Whether the stored numbers of two rows have the same meaning: the same row, or two that documents describe alike. */
bool rec_like_row(const rec_field *a, const rec_field *b);
/* The first row of `from`, or of a record in it, that cannot be copied to the row of its name in `to`; NULL: all
 * can. */
const char *rec_misfit(const rec_type *to, const rec_type *from);
/* Whether a record of one type can be copied to one of another: the same type, or a document's own type of the same
 * name that has a matching row for each row of the other, at whatever offset. */
bool rec_takes_type(const rec_type *to, const rec_type *from);
/* Fails with the reason why it cannot. */
lathe_result rec_not_taken(const rec_at *at, uint32_t slot, const rec_type *to,
                           const rec_type *from, lathe_error *err);
/* Whether elements of an array, or the bytes of REC_BYTES, can be inserted and removed. */
bool rec_resizable(const rec_layout *layout, uint32_t slot);

#endif
