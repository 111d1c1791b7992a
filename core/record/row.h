/* Rows and record types: the form in C of a schema's text (schema/README.md).
 *
 * A *unit* is the constant object that the generator makes of a folder of schemas:
 *
 *     const struct nif_unit { rec_unit head; rec_type types[338]; rec_field rows[1488]; } nif_unit;
 *     #define nif_NiNode (nif_unit.types[212])
 *
 * A row contains no pointer. Its texts are offsets into the unit's text array. Its types, tables and functions are
 * indices into lists of the unit. Its field `back` is the distance to the unit. So thousands of rows need no
 * relocation when the library is loaded; only the lists do, with one entry for each object, however many rows use it.
 *
 * C code reads a row through functions: rec_row_name(row), rec_row_body(row). Plain numbers (kind, flags, n, size)
 * are read directly. So is the question whether a property is set at all: if (row->body). Rare properties are in
 * rec_row_rare(row) and rec_row_condition(row), which are never NULL.
 *
 * Types made at run time use the same structs, in small units in the document's memory: own_unit.h. */
#ifndef LATHE_RECORD_ROW_H
#define LATHE_RECORD_ROW_H

#include "record/schema.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct rec_unit rec_unit;
typedef struct rec_condition rec_condition;
typedef struct rec_rare rec_rare;
typedef struct rec_hooks rec_hooks;
typedef struct rec_stated rec_stated;

/* ---- rows ------------------------------------------------------------------------------------------- */

/* In the comments below, "text" is an offset into rec_unit.texts, and "number" an index, from 1, into a list of the
 * unit. 0 is none. */
struct rec_field {
    uint32_t back;     /* bytes from the start of the unit to this row */
    uint32_t name;     /* text */
    uint32_t original; /* text: the reference's spelling, if it differs */
    uint32_t doc;      /* text: one line of documentation */
    uint32_t unit;     /* text: unit of measure */
    uint32_t flags;    /* REC_READONLY … */
    /* text: an earlier row that holds the count; arrays with the same count row grow together */
    uint32_t by;
    uint32_t n;    /* fixed count */
    uint32_t off;  /* offset in a REC_OFFSETS type */
    uint32_t size; /* of REC_STR: fixed size in bytes, padded with zeros */
    uint32_t own;  /* of a REC_OWN type: the file's own number of this row's type; 0: none */
    /* number: the type of a REC_RECORD, REC_POINTER or computed record */
    uint16_t type;
    uint16_t names, codec, ref; /* numbers */
    uint16_t body;              /* number: the elements are out of line */
    /* Number. Of REC_STR: the text is out of line, up to .term; the record stores its head, which may be null. Also
     * for the elements of an array. */
    uint16_t text;
    /* Index of the default in rec_unit.numbers. Of a vector: of the first component's default; replaces those of its
     * type. */
    uint16_t init;
    uint16_t condition, rare; /* numbers; 0: all defaults */
    uint16_t align;           /* in a REC_ALIGNED type: a larger alignment than the type's own */
    uint8_t kind, shown;      /* rec_kind, rec_shown */
    /* Of REC_STR: width in bytes of the length before the text; negative: the length is signed. */
    int8_t prefix;
    uint8_t term;      /* of REC_STR: the terminating byte */
    int8_t power;      /* scale exponent: scaling by s multiplies the value by s^power */
    uint8_t low, bits; /* with rec_rare.bits_of: `bits` bits, from bit `low` on */
    uint8_t code; /* a number that the format gives to what is stored; the engine does not use it */
};

/* When a row is present: all conditions that are set must hold. Rows may share a name if their `only` conditions
 * exclude each other. */
struct rec_condition {
    /* Called once, when a layout is made. False: no record of that layout has the row. */
    bool (*only)(const rec_setting *in);
    bool (*when_fn)(const rec_at *at);
    int64_t when_value;
    /* text: an earlier row that must not be zero, or with when_eq must equal when_value */
    uint32_t when;
    /* Text: the earlier rows that when_fn, count or arg read, separated by blanks. Setting one of them inserts or
     * removes the rows that depend on it. */
    uint32_t uses;
    /* Text: a read-only row of the root record. A change of that row may change this one. */
    uint32_t uses_top;
    /* range of the container's version: since <= version < before; 0: unlimited */
    int32_t since, before;
    bool when_eq;
};

/* Properties that few rows have. Rows with equal properties share an entry. */
struct rec_rare {
    /* ---- argument of the row's type, computed from earlier rows */
    uint64_t (*arg)(const rec_at *at);

    /* ---- names that depend on the version */
    const rec_names *(*names_in)(const rec_at *at);

    /* ---- offset in a REC_OFFSETS type, if it depends on the argument; `only` is called first */
    uint64_t (*place)(const rec_setting *in);

    /* ---- a computed count: only a verb or .fit can resize the array */
    uint64_t (*count)(const rec_at *at);
    uint64_t max; /* maximum number of elements; 0: limited by the count's type only */
    /* Of a row with .count, called when a list of n elements is assigned, or given for a new record whose count would
     * be 0: sets the rows that determine the count so that it becomes n. `exists`: the record exists, and elements
     * are inserted or removed accordingly; else they are about to be written. NULL: a list of another length is
     * refused. */
    lathe_result (*fit)(const rec_at *at, const rec_field *row, uint64_t n, bool exists,
                        lathe_error *err);
    /* Called after elements of an array or group were inserted or removed: updates data that refer to them by
     * number. */
    lathe_result (*renumber)(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                             uint64_t inserted, lathe_error *err);
    /* The same after an element moved to another number. If only .renumber is set, elements cannot move. */
    lathe_result (*moves)(const rec_at *at, const rec_field *row, uint64_t from, uint64_t to,
                          lathe_error *err);
    /* Called before elements are inserted, removed or (`removed` equals `inserted`) moved, at any position: may
     * refuse it. */
    lathe_result (*resizes)(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err);

    /* ---- parts */
    /* REC_PART: the part contains a document of this format. With REC_LAZY that document is the rest of the part that
     * begins with the record, opened on first access; the earlier row `bytes_by` (optional) holds its size and is
     * kept up to date. */
    const lathe_format *embed;
    /* with .tag: the name of the part's type; NULL: the name of its rec_type */
    const char *(*type_name)(lathe_doc *doc, uint32_t part);

    /* ---- values */
    uint64_t limit; /* longest text in bytes; 0: limited by the prefix only */
    /* valid values, if fewer than the type allows; {0, 0}: all */
    double range[2];
    int64_t (*init_fn)(const rec_at *at); /* the default; may read the whole record */
    /* Of a stored integer: refuses values with which the record could not be read back. */
    lathe_result (*may)(const rec_at *at, const rec_field *row, int64_t value, lathe_error *err);
    /* A size or total: recomputed after an edit if it was right before the edit, else kept. It may read numbers of
     * the record's part, and the lengths and types of the parts that belong to it. */
    bool (*derive)(const rec_at *at, int64_t *out);

    /* ---- computed rows; of a stored integer: its value if the row is absent */
    lathe_result (*get)(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err);
    lathe_result (*set)(const rec_at *at, const rec_field *row, const lathe_value *value,
                        lathe_error *err);
    const rec_numbers *numbers; /* … or a table, without .get and .set; such rows are REC_INSIDE */

    /* ---- texts */
    uint32_t bytes_by; /* with .embed */
    /* Of a polymorphic array of parts: the name under which tables give the type of an element. */
    uint32_t tag;
    /* Shows parallel arrays as one array. The group takes no bytes. Its element i is at the place of element i of the
     * row `group`. The rows of its type each name the array whose element they show (`column`). Those arrays are
     * resized through the group only. */
    uint32_t group, column;
    /* An array of records that are also found by a text, their row `key`. A lookup gives their row `value` (none: the
     * element itself). REC_FIRST and REC_MERGED say which elements count if a key is repeated. */
    uint32_t key, value;
    uint32_t init_bytes,
        /* default of REC_BYTES and REC_STR, and its size in bytes; 0: the length of the text */
        init_size;
    /* of a stored number: a later computed row that shows it by name */
    uint32_t shown_by;
    /* of REC_READONLY: the reason; of a count: what to say in place of the array's name */
    uint32_t why;
    /* A computed row that is read under this row's name if this row is absent. Not in listings and copies. */
    uint32_t instead;
    /* Of a computed row: shows .bits bits, from bit .low on, of this earlier unsigned integer, as .shown says; or of
     * REC_ARGUMENT. */
    uint32_t bits_of;
};

/* Value of .bits_of in the record that a part begins with: shows bits of rec_layout.arg. A table for a new record
 * sets them by the row's name (default: .init). They never change afterwards. */
#define REC_ARGUMENT UINT32_MAX
extern const char rec_argument[]; /* the result of rec_row_bits_of for such a row */

/* ---- types ------------------------------------------------------------------------------------------ */

struct rec_type {
    uint32_t back;      /* bytes from the start of the unit to this type */
    uint32_t name, doc; /* texts */
    uint32_t first,
        /* the type's own rows in rec_unit.rows, from 0; rec_row also counts the rows of its bases,
         * which come first */
        count;
    uint32_t flags, size;
    uint16_t base;   /* number: the base type, whose rows come first */
    uint16_t hooks;  /* number; 0: none */
    uint16_t stated; /* number; 0: none */
};

struct rec_hooks {
    /* Of a REC_OFFSETS type: its size, if that depends on the argument. */
    uint64_t (*extent)(const rec_setting *in);
    /* Of a vector that is computed as a whole, such as the rotation of a matrix or packed numbers. Its first rows, at
     * most REC_LANES, are computed rows without .get. Setting one of them stores all. The rows behind them may hold
     * the stored data. */
    lathe_result (*load)(const rec_at *at, double *lanes, lathe_error *err);
    lathe_result (*store)(const rec_at *at, const double *lanes, lathe_error *err);
};

/* What is stated of a type that files identify by name. */
struct rec_stated {
    uint32_t signature
        [2]; /* before and since the version in which the format's classes changed; 0: unknown */
    int32_t since,
        before; /* container versions that have it: since <= version < before; 0: no limit */
    uint16_t names,
        names_n; /* the enumerations that it declares: the first one in rec_unit.names, from 1 */
    uint16_t view_of; /* number: a type with other names for the same bytes */
};

/* ---- names of values ---------------------------------------------------------------------------------- */

/* Names of an enumeration or flag set. In a unit they hold no pointers; C code that has a list of its own uses a
 * rec_listed_names. */
struct rec_names {
    uint32_t
        back; /* bytes from the start of the unit to this object; 0: it is a rec_listed_names */
    uint32_t name;         /* text: the name in messages */
    uint32_t original;     /* text: the reference's spelling, if that is another */
    uint32_t first, count; /* items in rec_unit.items, from 0 */
    int32_t since, before; /* container versions that have it, as in rec_stated */
};

typedef struct rec_item {
    int64_t value;
    uint32_t name, original; /* texts */
} rec_item;

typedef lathe_named rec_name;

typedef struct rec_listed_names {
    rec_names names; /* only .count is used */
    const char *name;
    const rec_name *rows;
} rec_listed_names;

/* ---- units ------------------------------------------------------------------------------------------ */

/* Data that the rows and types of a unit share. Entry 0 of each list is unused. */
struct rec_unit {
    const char *texts; /* NUL-terminated texts, one after the other */
    const rec_type *types;
    const rec_field *rows;
    const rec_names *names;
    const rec_item *items;
    uint32_t types_n, names_n;
    const rec_type *const
        *outside; /* types of other units: number types_n + 1 is outside[1], and so on */
    const rec_names *const *outside_names; /* names of other units: number names_n + 1 is [1] */
    const uint16_t *by_name;               /* numbers of by_name_n types, sorted by name (strcmp) */
    uint32_t by_name_n;
    lathe_named *shown;        /* for each item; filled on first request (rec_names_listed) */
    atomic_uchar *shown_state; /* for each of .names: whether .shown is filled */
    const rec_codec *const *codecs;
    const rec_ref *const *refs;
    const rec_body *const *bodies;
    const double *numbers;
    const rec_condition *conditions;
    const rec_rare *rares;
    const rec_hooks *hooks;
    const rec_stated *stated;
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

/* The texts of a row, of its rec_rare or of its rec_condition; NULL: none. */
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

/* The row of which this one shows bits, or rec_argument; NULL: none. */
static inline const char *rec_row_bits_of(const rec_field *row)
{
    uint32_t text = row->rare ? rec_row_rare(row)->bits_of : 0;
    return text == REC_ARGUMENT ? rec_argument : text ? rec_unit_of(row)->texts + text : NULL;
}

static inline const rec_type *rec_row_type(const rec_field *row)
{
    return rec_unit_type(rec_unit_of(row), row->type);
}

/* Objects from the unit's lists; NULL: none. */
#define REC_ROW_ENTRY(word, list, of)                                                              \
    static inline const of *rec_row_##word(const rec_field *row)                                   \
    {                                                                                              \
        return row->word ? rec_unit_of(row)->list[row->word] : NULL;                               \
    }
REC_ROW_ENTRY(codec, codecs, rec_codec)
REC_ROW_ENTRY(ref, refs, rec_ref)
REC_ROW_ENTRY(body, bodies, rec_body)
REC_ROW_ENTRY(text, bodies, rec_body)
#undef REC_ROW_ENTRY

static inline const rec_names *rec_row_names(const rec_field *row)
{
    const rec_unit *unit = rec_unit_of(row);
    return row->names > unit->names_n ? unit->outside_names[row->names - unit->names_n]
           : row->names               ? &unit->names[row->names - 1]
                                      : NULL;
}

/* The default of a number; 0 if none is set. */
static inline double rec_row_init(const rec_field *row)
{
    return row->init ? rec_unit_of(row)->numbers[row->init] : 0;
}

/* The defaults of a vector's components, which replace those of its type; NULL: none. */
static inline const double *rec_row_init_lanes(const rec_field *row)
{
    return row->init && row->kind == REC_RECORD ? &rec_unit_of(row)->numbers[row->init] : NULL;
}

/* A row that belongs to no type. */
typedef struct rec_lone_row {
    rec_unit unit;
    rec_field row;
} rec_lone_row;

/* Makes a plain row for one value or element of `row`: name, kind, type and the storage of texts, without count and
 * conditions. */
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

/* The type's own rows, type->count of them, without those of its bases. */
static inline const rec_field *rec_type_rows(const rec_type *type)
{
    return rec_unit_of_type(type)->rows + type->first;
}

extern const rec_hooks rec_no_hooks;

static inline const rec_hooks *rec_type_hooks(const rec_type *type)
{
    return type->hooks ? &rec_unit_of_type(type)->hooks[type->hooks] : &rec_no_hooks;
}

extern const rec_stated rec_no_stated;

static inline const rec_stated *rec_type_stated(const rec_type *type)
{
    return type->stated ? &rec_unit_of_type(type)->stated[type->stated] : &rec_no_stated;
}

/* Whether containers of that version have the type. */
static inline bool rec_type_in_version(const rec_type *type, int64_t version)
{
    const rec_stated *s = rec_type_stated(type);
    return version >= s->since && (!s->before || version < s->before);
}

/* The type with the reference's own names for the same bytes (.view_of) if files of that version have it, else the type
 * itself. */
static inline const rec_type *rec_type_stored(const rec_type *type, int64_t version)
{
    const rec_type *of = rec_unit_type(rec_unit_of_type(type), rec_type_stated(type)->view_of);
    return of && rec_type_in_version(of, version) ? of : type;
}

/* Finds a type by name in a unit, among those that containers of that version have; types with a rec_stated come first.
 * NULL: none. Binary search. */
const rec_type *rec_unit_named(const rec_unit *unit, const char *name, int64_t version);

/* ---- what names say ------------------------------------------------------------------------------------ */

static inline const rec_unit *rec_unit_of_names(const rec_names *names)
{
    return (const rec_unit *)(const void *)((const char *)names - names->back);
}

/* Item i < names->count. */
static inline rec_name rec_names_item(const rec_names *names, uint32_t i)
{
    if (!names->back)
        return ((const rec_listed_names *)names)->rows[i];
    const rec_unit *unit = rec_unit_of_names(names);
    const rec_item *item = &unit->items[names->first + i];
    return (rec_name){unit->texts + item->name, item->value};
}

/* The reference's spelling of its name. */
static inline const char *rec_names_item_original(const rec_names *names, uint32_t i)
{
    if (!names->back)
        return ((const rec_listed_names *)names)->rows[i].name;
    const rec_unit *unit = rec_unit_of_names(names);
    const rec_item *item = &unit->items[names->first + i];
    return unit->texts + (item->original ? item->original : item->name);
}

/* The name of the enumeration in messages. */
static inline const char *rec_names_name(const rec_names *names)
{
    return names->back ? rec_unit_of_names(names)->texts + names->name
                       : ((const rec_listed_names *)names)->name;
}

/* Its name in the reference. */
static inline const char *rec_names_original(const rec_names *names)
{
    uint32_t text = names->original ? names->original : names->name;
    return names->back ? rec_unit_of_names(names)->texts + text
                       : ((const rec_listed_names *)names)->name;
}

static inline bool rec_names_in_version(const rec_names *names, int64_t version)
{
    return version >= names->since && (!names->before || version < names->before);
}

/* All items as an array, as the public API has it. The array is never freed. Thread-safe. */
const lathe_named *rec_names_listed(const rec_names *names);

#endif
