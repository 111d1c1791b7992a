/* Layouts: record types worked out for a container (layout.c). A part of record.h. */
#ifndef LATHE_RECORD_LAYOUT_H
#define LATHE_RECORD_LAYOUT_H

#include "base/error.h"
#include "record/row.h"
#include "record/schema.h"

#include <string.h>

#define REC_DEPTH 64                 /* nesting of records, containers and edits that is followed */
#define REC_MADE ((uint64_t)1 << 26) /* bytes that a number alone makes, at most: rec_may_make */
#define REC_DYNAMIC UINT64_MAX       /* an offset or size that the bytes decide */
#define REC_NO_SLOT UINT32_MAX

typedef struct rec_slot {
    const rec_field *row;
    const char *name;      /* of the row */
    const rec_layout *sub; /* of REC_RECORD, unless it lies in a part of an embedded document */
    uint64_t off;          /* from the record's start, or REC_DYNAMIC */
    uint64_t size;         /* of the whole field when present, or REC_DYNAMIC */
    uint64_t elem;         /* of one element, or REC_DYNAMIC */
    uint64_t elem_min;     /* least bytes of one element */
    uint32_t count_slot;   /* the row that counts it, or REC_NO_SLOT */
    uint32_t when_slot;    /* the row that .when names, or REC_NO_SLOT */
    uint32_t counts;       /* this row counts: the first array that it does, or REC_NO_SLOT */
    uint32_t anchor;       /* of a group: the array that its elements lie in, else REC_NO_SLOT */
    uint32_t group;        /* of an array in a group: that row, else REC_NO_SLOT */
    uint32_t key, value;   /* of a keyed array: those rows of its elements, else REC_NO_SLOT */
    uint32_t arrange;      /* alignment in a REC_ALIGNED type */
    uint32_t head;         /* bytes of the head of a body or text */
    uint32_t same;         /* slot of the row of this name that records have; mostly this */
    uint32_t hash;         /* of its name */
    bool never;            /* no such record has the row */
    bool fixed;            /* always there, with all of its bytes in line: `size` of them */
    bool varies;           /* sub, elem and elem_min depend on the record: rec_slot_of */
    bool array;            /* a row of elements; REC_BYTES is not */
    bool big;
    bool selects; /* later rows depend on its value */
    bool conditional;
} rec_slot;

struct rec_layout {
    const rec_type *type;
    uint64_t arg;
    uint32_t container;
    uint32_t count;
    size_t number; /* in the order they were last begun */
    uint64_t size; /* or REC_DYNAMIC */
    uint64_t min_size;
    uint32_t fields; /* rows that such records have */
    uint32_t embeds; /* the row of a REC_LAZY document behind the others, or REC_NO_SLOT */
    bool ready;      /* false while its own rows are being worked out (recursive types) … */
    bool filling;    /* … which is going on; else memory was short, and it is tried again */
    bool brief;      /* so few bytes and texts that a walk is cheaper than to remember it */
    bool recursive;  /* records of it may hold others of their own kind, at any depth */
    bool apart;      /* some of it lies elsewhere: bodies, texts, pointers, parts */
    bool only_texts; /* nothing but texts does, or none of it */
    bool derives;    /* some row, of it or of a record in it, has .derive */
    bool refers;     /* some of its numbers are references or coded */
    bool argued;     /* some of its rows show bits of the argument: rec_is_argument */
    rec_slot slots[];
};

/* The layout of a type in a container, made at first use. NULL: out of memory. */
const rec_layout *rec_layout_of(lathe_doc *doc, uint32_t container, const rec_type *type);
const rec_layout *rec_layout_for(lathe_doc *doc, uint32_t container, const rec_type *type,
                                 uint64_t arg);
/* Whether a row shows bits of the argument that its record's layout is made with. */
bool rec_is_argument(const rec_field *row);
/* The argument of a new record of a type of which nothing is given. */
uint64_t rec_argument_default(const rec_type *type);
/* A row whose type takes an argument, as it is in one record: rec_slot_of. Where memory is short, the row in
 * general, in which nobody finds anything. */
const rec_slot *rec_variant_of(const rec_at *at, uint32_t slot);
/* Rows of a type, those of its bases first. */
const rec_field *rec_row(const rec_type *type, uint32_t i);
uint32_t rec_row_count(const rec_type *type);
/* Whether a type is another one or has it among its bases. */
bool rec_is_a(const rec_type *type, const rec_type *base);
/* Names are compared by their hashes first: a few of a name's letters tell it from nearly all others. Inline, so that
 * the compiler computes the hash of a name that is written in the source. */
static inline uint32_t rec_name_hash(const char *name, size_t n)
{
    if (n == 0)
        return 0;
    return ((uint32_t)n ^ (uint32_t)(uint8_t)name[0] << 8 ^ (uint32_t)(uint8_t)name[n / 2] << 16 ^
            (uint32_t)(uint8_t)name[n - 1] << 24) *
           0x9E3779B1u;
}
uint32_t rec_slot_hashed(const rec_layout *layout, const char *name, uint32_t hash);
/* Number of the row of that name that records of this layout have, or REC_NO_SLOT. */
static inline uint32_t rec_slot_find(const rec_layout *layout, const char *name)
{
    return rec_slot_hashed(layout, name, rec_name_hash(name, strlen(name)));
}
/* Bytes of a scalar, 0 for the rest. */
static inline unsigned rec_width(rec_kind kind)
{
    static const uint8_t width[REC_KIND_COUNT] = {
        [REC_U8] = 1,  [REC_I8] = 1,        [REC_U16] = 2, [REC_I16] = 2,
        [REC_U32] = 4, [REC_I32] = 4,       [REC_U64] = 8, [REC_I64] = 8,
        [REC_F16] = 2, [REC_F16_UPPER] = 2, [REC_F32] = 4, [REC_F64] = 8,
    };
    return width[kind];
}
bool rec_is_array(const rec_field *row); /* bytes and text are none */
const char *rec_row_type_name(const rec_field *row, char *buf, size_t cap); /* "str32", "u16" … */
const char *rec_wanted(const rec_field *row, char *buf, size_t cap); /* the same in messages */
/* The record row of a type that has a field of this name inside it, for messages; or NULL. */
const char *rec_holder(const rec_type *type, const char *field);
/* How many rows of a vector are numbered: those before the first that takes no bytes, or if it is
 * worked out as a whole, the first that take none. 0: no vector. */
uint32_t rec_lanes(const rec_type *type);
/* Whether a row is a number that is worked out with the others (.load). */
static inline bool rec_is_lane(const rec_type *type, uint32_t slot)
{
    return type->hooks && rec_type_hooks(type)->load && slot < rec_lanes(type);
}
/* Whether records of one type give those of another: the same, or vectors of numbers of the same names. */
bool rec_alike(const rec_type *a, const rec_type *b);
/* Rows that take no bytes of the record. */
static inline bool rec_unstored(const rec_field *row)
{
    if (row->kind == REC_COMPUTED || row->flags & REC_OVERLAY)
        return true;
    return row->rare && (rec_row_rare(row)->group || rec_row_rare(row)->column);
}
/* Record type by name: of one format, or over all formats. NULL: none. */
const rec_type *rec_type_of(const lathe_format *format, const char *name);
const rec_type *rec_type_find(const char *name);
/* The same in a document: types that it describes itself first (own_types.c), then those of its format, then all. */
const rec_type *rec_doc_type_find(lathe_doc *doc, const char *name);
/* Of the types that a document describes itself number i, over all its containers; *container (may be NULL)
 * gets the one that it is of. NULL past the last, or where memory is short. */
const rec_type *rec_doc_own_type(lathe_doc *doc, uint64_t i, uint32_t *container);
/* The first of them with that name. */
const rec_type *rec_own_named(lathe_doc *doc, const char *name, uint32_t *container);
/* Whether a name would be taken for something else than a record type of a file: what Lua calls what is no record, a
 * format. Who makes such types gives them others. */
bool rec_type_name_taken(const char *name);
/* Whether two types are one, or of documents that describe them alike: same names, rows, kinds, places. Two alike of
 * very many parts may count as others. */
bool rec_same_type(const rec_type *a, const rec_type *b);
/* Whether what is stored in two rows means the same: one row, or two that documents describe alike. */
bool rec_like_row(const rec_field *a, const rec_field *b);
/* The row of `from` that has no place in the row of its name of `to`, or in what that holds; NULL: all have. */
const char *rec_misfit(const rec_type *to, const rec_type *from);
/* Whether a record of one type can be copied to one of another: the same, or own ones of that name of which all rows
 * have a place, wherever it is. */
bool rec_takes_type(const rec_type *to, const rec_type *from);
/* Fails: why not. */
lathe_result rec_not_taken(const rec_at *at, uint32_t slot, const rec_type *to,
                           const rec_type *from, lathe_error *err);
/* Whether elements of an array (or the bytes of REC_BYTES) can be inserted and removed. */
bool rec_resizable(const rec_layout *layout, uint32_t slot);

#endif
