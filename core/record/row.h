/* Rows and record types: what a schema's text (schema/README.md) becomes in C.
 *
 * A *unit* is the constant object that the generator makes of a folder of schemas:
 *
 *     const struct nif_unit { rec_unit head; rec_type types[338]; rec_field rows[1488]; } nif_unit;
 *     #define nif_NiNode (nif_unit.types[212])
 *
 * A row holds no pointer. Its texts are offsets into one array of the unit, its types, tables and functions are numbers in
 * lists of the unit, and its unit is found by `back`. So thousands of rows are bytes of the file that nothing relocates when the
 * library is loaded: what does need a pointer is in the lists once, however many rows name it.
 *
 * C asks rows by functions: rec_row_name(row), rec_row_body(row). Numbers of the row itself (kind, flags, n, size) are read
 * directly, and so is whether a row has one of its own words at all: if (row->body). What few rows have is in rec_row_rare(row)
 * and rec_row_condition(row), which are never NULL.
 *
 * Types that are made at open are of small units in the document's memory, of the same structs: own_unit.h. */
#ifndef LATHE_RECORD_ROW_H
#define LATHE_RECORD_ROW_H

#include "record/schema.h"

#include <stddef.h>

typedef struct rec_unit rec_unit;
typedef struct rec_condition rec_condition;
typedef struct rec_rare rec_rare;
typedef struct rec_hooks rec_hooks;

/* ---- rows ------------------------------------------------------------------------------------------- */

/* Comments say "text" for an offset into rec_unit.texts and "number" for a number in a list, from 1; 0: none. */
struct rec_field {
    uint32_t back;     /* bytes from the start of the unit to this row */
    uint32_t name;     /* text */
    uint32_t original; /* text: the reference's own spelling, where it is another */
    uint32_t doc;      /* text: one line of documentation */
    uint32_t unit;     /* text: the unit of measure */
    uint32_t flags;    /* REC_READONLY … */
    uint32_t by;       /* text: an earlier row is the count; arrays by the same row grow together */
    uint32_t n;        /* count: always so many */
    uint32_t off;      /* place in a REC_OFFSETS type */
    uint32_t size;     /* of REC_STR: so many bytes, padded with zeros */
    uint32_t own; /* of a REC_OWN type: the number that the file has for this row's type; 0: none */
    uint16_t type;              /* number: of REC_RECORD and REC_POINTER, of a computed record */
    uint16_t names, codec, ref; /* numbers */
    uint16_t body;              /* number: the elements lie elsewhere */
    /* Number. Of REC_STR: a head is here, and the text up to .term elsewhere, or nowhere: null. Elements of an array may be
     * such, too. */
    uint16_t text;
    /* Number in rec_unit.numbers: the default. Of a vector: of the first of its numbers, in place of its type's. */
    uint16_t init;
    uint16_t condition, rare; /* numbers; 0: nothing of it is said */
    uint16_t align;           /* in a REC_ALIGNED type: more than it would have */
    uint8_t kind, shown;      /* rec_kind, rec_shown */
    /* Of REC_STR: bytes of the length in front of it; negative: that length is signed. */
    int8_t prefix;
    uint8_t term;      /* of REC_STR: ends with this byte */
    int8_t power;      /* scale exponent: scaling by s multiplies the value by s^power */
    uint8_t low, bits; /* with rec_rare.bits_of: so many bits, from bit `low` on */
};

/* When a row is there: all conditions that are given must hold. Rows may share a name where they exclude each other by
 * `only`. */
struct rec_condition {
    /* Asked once, when a layout is made. False: no such record has the row. */
    bool (*only)(const rec_setting *in);
    bool (*when_fn)(const rec_at *at);
    int64_t when_value;
    uint32_t when; /* text: an earlier row is not zero, or with when_eq equals when_value */
    /* Text: the earlier rows that when_fn, count or arg read, with a blank between them. Setting one rebuilds what
     * depends on it. */
    uint32_t uses;
    /* Text: a read-only row of the top record; what changes it changes this row. */
    uint32_t uses_top;
    int32_t since, before; /* of the container's version: since <= version < before; 0: open */
    bool when_eq;
};

/* Words that few rows have. Rows that have the same ones share an entry. */
struct rec_rare {
    /* ---- the argument of its type's layout, from earlier rows */
    uint64_t (*arg)(const rec_at *at);

    /* ---- names, where they depend on the version */
    const rec_names *(*names_in)(const rec_at *at);

    /* ---- place in a REC_OFFSETS type, where it depends on the argument; `only` is asked first */
    uint64_t (*place)(const rec_setting *in);

    /* ---- count: only a verb resizes */
    uint64_t (*count)(const rec_at *at);
    uint64_t max; /* most elements; 0: what the count holds */
    /* Of a row with .count: a list of n elements is assigned, or given in a table where the count would be 0. Sets the
     * rows that the count follows from, so that it is n; `stands`: elements come and go with them, else they are about to be
     * written. NULL: another number of elements is refused. */
    lathe_result (*fit)(const rec_at *at, const rec_field *row, uint64_t n, bool stands,
                        lathe_error *err);
    /* Elements came or went: what counts on their numbers follows. On an array or a group. */
    lathe_result (*renumber)(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                             uint64_t inserted, lathe_error *err);
    /* The same of an element that went from one number to another (.renumber alone: none can). */
    lathe_result (*moves)(const rec_at *at, const rec_field *row, uint64_t from, uint64_t to,
                          lathe_error *err);
    /* Before elements come, go or (as many removed as inserted) are moved, wherever: refuses it. */
    lathe_result (*resizes)(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err);

    /* ---- parts */
    /* REC_PART: a document of this format lies in the part. With REC_LAZY it is all that is left of the part
     * that the record begins, opened when it is first touched; the earlier row `bytes_by` (may be none) says how
     * many bytes that are, and follows. */
    const lathe_format *embed;
    const char *(*type_name)(lathe_doc *doc, uint32_t part); /* with .tag; NULL: its type's name */

    /* ---- values */
    uint64_t limit;                       /* longest text; 0: what the prefix holds */
    double range[2];                      /* limits beyond the type's; {0, 0}: none */
    int64_t (*init_fn)(const rec_at *at); /* the default; may look at the whole record */
    /* Of a stored integer: refuses a number that the record could not be read back with. */
    lathe_result (*may)(const rec_at *at, const rec_field *row, int64_t value, lathe_error *err);
    /* A size or total: recomputed after an edit if it agreed before it, else kept. It reads whole numbers of the
     * record's part, and lengths and parts of what hangs on it. */
    bool (*derive)(const rec_at *at, int64_t *out);

    /* ---- computed rows. Of a stored integer: what it is where it is absent */
    lathe_result (*get)(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err);
    lathe_result (*set)(const rec_at *at, const rec_field *row, const lathe_value *value,
                        lathe_error *err);
    const rec_numbers *numbers; /* … or a table, with neither of these; such are REC_INSIDE */

    /* ---- texts */
    uint32_t bytes_by; /* with .embed */
    /* Of an array whose elements are of several types, in parts: the name that tells an element's type in tables. */
    uint32_t tag;
    /* Parallel arrays as one: takes no bytes; element i lies where element i of the row `group` does,
     * and is of a type whose rows name the array that each is a .column of. Those arrays then grow
     * and shrink only through the group. */
    uint32_t group, column;
    /* An array of records that are also found by their text row `key`: a lookup gives their row `value`
     * (none: the element itself). Which one counts where a key comes again: REC_FIRST, REC_MERGED. */
    uint32_t key, value;
    uint32_t init_bytes,
        init_size; /* default of REC_BYTES and REC_STR; its bytes, 0: as many as the text has */
    /* of a stored number: a later computed row of the record that shows it by name */
    uint32_t shown_by;
    uint32_t why; /* of REC_READONLY, and of a count, where it is not enough to name the array */
    /* A computed row that is read by this one's name where this one is absent. Listings and copies have neither. */
    uint32_t instead;
    /* Of a computed row: .bits of an earlier unsigned integer, from bit .low on, a number, or as .shown says; or
     * REC_ARGUMENT. */
    uint32_t bits_of;
};

/* As .bits_of of a row in the record that a part begins with: shows bits of rec_layout.arg. A table that makes
 * such a record chooses them by the row's name (default: .init); they never change afterwards. */
#define REC_ARGUMENT UINT32_MAX
extern const char rec_argument[]; /* rec_row_bits_of of such a row */

/* ---- types ------------------------------------------------------------------------------------------ */

struct rec_type {
    uint32_t back;      /* bytes from the start of the unit to this type */
    uint32_t name, doc; /* texts */
    uint32_t first,
        count; /* its own rows in rec_unit.rows, from 0; those of its bases come before them: rec_row */
    uint32_t flags, size;
    uint16_t base;  /* number: the type whose rows come first */
    uint16_t hooks; /* number; 0: it has none */
};

struct rec_hooks {
    /* Of a REC_OFFSETS type: its size, where that depends on the argument. */
    uint64_t (*extent)(const rec_setting *in);
    /* A vector that is worked out as a whole (a matrix's rotation, packed numbers): its first rows are
     * computed, without .get, and any number that is set stores all of them. At most REC_LANES. What they
     * are worked out from may be rows of its own, behind them. */
    lathe_result (*load)(const rec_at *at, double *lanes, lathe_error *err);
    lathe_result (*store)(const rec_at *at, const double *lanes, lathe_error *err);
};

/* ---- units ------------------------------------------------------------------------------------------ */

/* What all rows and types of a unit share. Nobody asks for entry 0 of a list. */
struct rec_unit {
    const char *texts; /* NUL-terminated, one behind the other */
    const rec_type *types;
    const rec_field *rows;
    uint32_t types_n;
    const rec_type *const
        *outside; /* types of other units: numbers above types_n count on in this list, from 1 */
    const rec_names *const *names;
    const rec_codec *const *codecs;
    const rec_ref *const *refs;
    const rec_body *const *bodies;
    const double *numbers;
    const rec_condition *conditions;
    const rec_rare *rares;
    const rec_hooks *hooks;
};

static inline const rec_unit *rec_unit_of(const rec_field *row)
{
    return (const rec_unit *)(const void *)((const char *)row - row->back);
}

static inline const rec_unit *rec_unit_of_type(const rec_type *type)
{
    return (const rec_unit *)(const void *)((const char *)type - type->back);
}

static inline const rec_type *rec_unit_type(const rec_unit *unit, uint32_t number)
{
    return number > unit->types_n ? unit->outside[number - unit->types_n]
           : number               ? &unit->types[number - 1]
                                  : NULL;
}

/* ---- what a row says ---------------------------------------------------------------------------------- */

extern const rec_condition rec_no_condition;
extern const rec_rare rec_no_rare;

static inline const rec_condition *rec_row_condition(const rec_field *row)
{
    return row->condition ? &rec_unit_of(row)->conditions[row->condition] : &rec_no_condition;
}

static inline const rec_rare *rec_row_rare(const rec_field *row)
{
    return row->rare ? &rec_unit_of(row)->rares[row->rare] : &rec_no_rare;
}

static inline const char *rec_row_name(const rec_field *row)
{
    return rec_unit_of(row)->texts + row->name;
}

/* Texts; NULL: none. Of the row itself, and of its rare or condition, which most rows do not have. */
#define REC_ROW_TEXT(word)                                                                         \
    static inline const char *rec_row_##word(const rec_field *row)                                 \
    {                                                                                              \
        return row->word ? rec_unit_of(row)->texts + row->word : NULL;                             \
    }
#define REC_ENTRY_TEXT(word, entry)                                                                \
    static inline const char *rec_row_##word(const rec_field *row)                                 \
    {                                                                                              \
        uint32_t text = row->entry ? rec_row_##entry(row)->word : 0;                               \
        return text ? rec_unit_of(row)->texts + text : NULL;                                       \
    }
REC_ROW_TEXT(original)
REC_ROW_TEXT(doc)
REC_ROW_TEXT(unit)
REC_ROW_TEXT(by)
REC_ENTRY_TEXT(when, condition)
REC_ENTRY_TEXT(uses, condition)
REC_ENTRY_TEXT(uses_top, condition)
REC_ENTRY_TEXT(bytes_by, rare)
REC_ENTRY_TEXT(tag, rare)
REC_ENTRY_TEXT(group, rare)
REC_ENTRY_TEXT(column, rare)
REC_ENTRY_TEXT(key, rare)
REC_ENTRY_TEXT(value, rare)
REC_ENTRY_TEXT(init_bytes, rare)
REC_ENTRY_TEXT(shown_by, rare)
REC_ENTRY_TEXT(why, rare)
REC_ENTRY_TEXT(instead, rare)
#undef REC_ROW_TEXT
#undef REC_ENTRY_TEXT

/* The row that it shows bits of, or rec_argument; NULL: it shows none. */
static inline const char *rec_row_bits_of(const rec_field *row)
{
    uint32_t text = row->rare ? rec_row_rare(row)->bits_of : 0;
    return text == REC_ARGUMENT ? rec_argument : text ? rec_unit_of(row)->texts + text : NULL;
}

static inline const rec_type *rec_row_type(const rec_field *row)
{
    return rec_unit_type(rec_unit_of(row), row->type);
}

/* From the unit's lists; NULL: none. */
#define REC_ROW_ENTRY(word, list, of)                                                              \
    static inline const of *rec_row_##word(const rec_field *row)                                   \
    {                                                                                              \
        return row->word ? rec_unit_of(row)->list[row->word] : NULL;                               \
    }
REC_ROW_ENTRY(names, names, rec_names)
REC_ROW_ENTRY(codec, codecs, rec_codec)
REC_ROW_ENTRY(ref, refs, rec_ref)
REC_ROW_ENTRY(body, bodies, rec_body)
REC_ROW_ENTRY(text, bodies, rec_body)
#undef REC_ROW_ENTRY

/* The default of a number, 0 where nothing is said. */
static inline double rec_row_init(const rec_field *row)
{
    return row->init ? rec_unit_of(row)->numbers[row->init] : 0;
}

/* A default for each number of a vector, instead of its type's; NULL: none. */
static inline const double *rec_row_init_lanes(const rec_field *row)
{
    return row->init && row->kind == REC_RECORD ? &rec_unit_of(row)->numbers[row->init] : NULL;
}

/* A row in no type. */
typedef struct rec_lone_row {
    rec_unit unit;
    rec_field row;
} rec_lone_row;

/* The plain value that a row, or one of its elements, is: its name, kind and type, and how texts are stored. */
static inline rec_field *rec_plain_row(rec_lone_row *to, const rec_field *row)
{
    to->unit = *rec_unit_of(row);
    to->row = (rec_field){.back = offsetof(rec_lone_row, row),
                          .name = row->name,
                          .kind = row->kind,
                          .type = row->type,
                          .prefix = row->prefix,
                          .size = row->size,
                          .term = row->term};
    return &to->row;
}

/* ---- what a type says --------------------------------------------------------------------------------- */

static inline const char *rec_type_name(const rec_type *type)
{
    return rec_unit_of_type(type)->texts + type->name;
}

static inline const char *rec_type_doc(const rec_type *type)
{
    return type->doc ? rec_unit_of_type(type)->texts + type->doc : NULL;
}

static inline const rec_type *rec_type_base(const rec_type *type)
{
    return type->base ? rec_unit_type(rec_unit_of_type(type), type->base) : NULL;
}

/* Its own rows, type->count of them; those of its bases apart. */
static inline const rec_field *rec_type_rows(const rec_type *type)
{
    return rec_unit_of_type(type)->rows + type->first;
}

extern const rec_hooks rec_no_hooks;

static inline const rec_hooks *rec_type_hooks(const rec_type *type)
{
    return type->hooks ? &rec_unit_of_type(type)->hooks[type->hooks] : &rec_no_hooks;
}

#endif
