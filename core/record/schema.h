/* The words a format is described in. Rows and types themselves are in row.h.
 *
 * A record type is a const table of rows, one row a field. From it come reading, writing, resizing,
 * paths, spans, building, checking, describe, dump, diff, JSON, docs and stubs; a format adds hooks
 * only for what a table cannot say. Nothing about a field is written anywhere else.
 *
 * Files that describe their records themselves have types of their own (REC_OWN): tables of the same words, made
 * in the document's memory when it is opened or a type is first needed. They and all that they point to go with
 * the document, and its addresses may then be another document's: nobody keeps them longer than a lathe_view.
 *
 * Rows of a record follow each other in the file unless the type says REC_OFFSETS. Reading a row
 * may use any earlier row of the same record: its count, its condition, its hooks. */
#ifndef LATHE_RECORD_SCHEMA_H
#define LATHE_RECORD_SCHEMA_H

#include "base/mem.h"
#include "lathe.h"

typedef struct rec_type rec_type;
typedef struct rec_field rec_field;
typedef struct rec_layout rec_layout;
typedef struct rec_at rec_at;
typedef struct rec_from rec_from;
struct scene_hooks; /* of the floor above */

/* How one element of the field is stored. */
typedef enum rec_kind {
    REC_COMPUTED = 0, /* not at all: .get (and .set) work it out */
    REC_U8,
    REC_I8,
    REC_U16,
    REC_I16,
    REC_U32,
    REC_I32,
    REC_U64,
    REC_I64,
    REC_F16,       /* IEEE half */
    REC_F16_UPPER, /* the upper half of an f32 */
    REC_F32,
    REC_F64,
    REC_STR,     /* text: .prefix, .size, or ended by the byte .term */
    REC_BYTES,   /* opaque: as many bytes as the count says */
    REC_RECORD,  /* .type, in line */
    REC_POINTER, /* as wide as the container's pointers; what it points to is known by .ref */
    REC_KIND_COUNT
} rec_kind;

/* What a stored number is shown as. */
typedef enum rec_shown {
    REC_PLAIN = 0,
    REC_BOOL,  /* any non-zero is true; a stored 2 stays 2 until it is set */
    REC_ENUM,  /* .names; unknown values are shown as integers */
    REC_FLAGS, /* .names of single bits */
    REC_TEXT,  /* of computed fields and codecs */
    REC_NUMBER,
    REC_INTEGER,
    REC_ANY_RECORD /* of computed fields: of a type that only the value knows */
} rec_shown;

typedef lathe_named rec_name;

/* Names of an enumeration or flag set; the last row is {0}. */
typedef struct rec_names {
    const char *name;
    const rec_name *rows;
} rec_names;

/* Flags of rows. */
enum {
    /* Follows from something else: rec_rare.why says from what. Of an array: only .relayout sets, inserts and removes its
     * elements. */
    REC_READONLY = 1 << 0,
    REC_PAD = 1 << 1, /* padding: shown only where it differs from its default */
    REC_BIG = 1 << 2, /* byte order of this row, where it is not the document's */
    REC_LITTLE = 1 << 3,
    REC_PART = 1 << 4, /* lies in a part of its own, of an array each element */
    REC_REST = 1 << 5, /* the count is what is left of the part */
    /* With REC_PART: parsed when it is first touched. What does not parse stays opaque. */
    REC_LAZY = 1 << 6,
    REC_OVERLAY = 1 << 7, /* takes no bytes: another look at the bytes `off` into this record */
    /* Of a repeated key the first element counts. Without this and REC_MERGED: the last. */
    REC_FIRST = 1 << 8,
    REC_MERGED = 1 << 9, /* all elements of a repeated key count, joined; such are read-only */
    /* First row of a derived class: what is in front is padded like a record of its own. */
    REC_DERIVED = 1 << 10,
    /* Container bookkeeping: readable by name; left out of listings, copies and comparisons. */
    REC_INSIDE = 1 << 11,
    REC_COPIED = 1 << 12, /* a computed row that is part of copies: no other row says the same */
    /* Of a REC_PART array in a file that cannot be split: there may be fewer parts than its count says. */
    REC_SOME = 1 << 13,
    REC_BY_ARG = 1 << 14,    /* .count follows from the record's argument alone */
    REC_VERSION = 1 << 15,   /* people write this number a byte a number: 0x14020007 is 20.2.0.7 */
    REC_ANYTHING = 1 << 16,  /* nobody reads it, so NaN is no finding of doc:check() */
    REC_UNSCALED = 1 << 17,  /* of a vector that is scaled: this number of it is no length */
    REC_KEEPS_TYPE = 1 << 18 /* of an array with a .tag: an element that has a type keeps it */
};

enum { REC_LANES = 16 };

/* Flags of record types. */
enum {
    REC_VECTOR = 1 << 0,  /* rows are also numbered: v[1] .. v[n], and {1, 2, 3} sets them */
    REC_OFFSETS = 1 << 1, /* rows lie at .off; the record has .size bytes */
    /* Rows lie as a C compiler would put them, for the container's pointers and version: a row of another version takes
     * no room. */
    REC_ALIGNED = 1 << 2,
    /* Made from what a file says: lies in the memory of its document. Set on every such type, also where its bases are
     * const; a const type has no such base or row. */
    REC_OWN = 1 << 3
};

/* What a layout is worked out for. */
typedef struct rec_setting {
    int64_t version;      /* the container's */
    const rec_type *type; /* whose layout it is: the row's own, or one derived from it */
    uint64_t arg;         /* what the row says that the record lies in: .arg */
} rec_setting;

/* A packed scalar: turns the stored number into what is shown, and back. */
typedef struct rec_codec {
    lathe_kind kind;
    uint64_t none; /* the stored number of a default that nobody gave */
    bool inside; /* a number of a text that its own document has: copies to others go by the text */
    lathe_result (*decode)(const rec_at *at, const rec_field *row, uint64_t raw, lathe_value *out,
                           lathe_error *err);
    lathe_result (*encode)(const rec_at *at, const rec_field *row, const lathe_value *value,
                           uint64_t *raw, lathe_error *err);
} rec_codec;

/* A stored number that stands for a place: Havok pointers, NIF block numbers, string-table rows. */
typedef struct rec_ref {
    uint64_t null; /* the stored number (of the field's width) that points to nothing */
    bool inside;   /* it leads to what its own document has: in copies to others it is null */
    /* LATHE_ERR_UNSUPPORTED: the target exists, but nobody can tell where it lies. The field then reads as its
     * number; doc:check() warns with that error. */
    lathe_result (*resolve)(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err);
    lathe_result (*store)(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err);
    /* Of a REC_POINTER at `site` of `part`, where no number is stored: the number that stands for its
     * target, and setting it. */
    lathe_result (*load)(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                         uint64_t *raw, lathe_error *err);
    lathe_result (*put)(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                        uint64_t raw, lathe_error *err);
} rec_ref;

/* Data that lie elsewhere: the elements of an array, text or bytes. At the row's place is a head, with
 * a stored position or a pointer, and perhaps the count. */
typedef struct rec_body {
    uint32_t align; /* the data behind the body starts at a multiple of this; 0 or 1: anywhere */
    uint32_t width; /* bytes of the head … */
    uint32_t wide;  /* … where pointers take 8 bytes; 0: the same, and aligned to its width */
    /* Where the body starts, perhaps in another part (*part is the head's). Called with the head's
     * place. *off is LATHE_NO_OFFSET where it points nowhere, which only texts may. */
    lathe_result (*locate)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t count,
                           uint32_t *part, uint64_t *off, lathe_error *err);
    /* An empty body is about to grow: chooses its place and stores the position at `site`, which
     * .refs gives from then on. With .point: only chooses. */
    lathe_result (*place)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                          lathe_error *err);
    /* The body starts at `off` again, after a cut there moved all that points to it. NULL: the stored
     * position was left alone. */
    lathe_result (*point)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                          lathe_error *err);
    /* The last element is gone, or the text will be. NULL: nothing is to be done. */
    lathe_result (*lift)(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err);
    /* Where the head itself holds the count. NULL: .by, or the text's end. */
    lathe_result (*count)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                          lathe_error *err);
    lathe_result (*recount)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                            lathe_error *err);
    /* Whether others than one head point into [off, end) of a part, or what they lead to reaches into it.
     * NULL: never. */
    lathe_result (*shared)(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end, bool *shared,
                           lathe_error *err);
    /* Up to how many bytes behind `end` nothing points to. NULL: only what alignment asks for is looked at,
     * and kept where it was kept. Else all that follows moves by multiples of `align`. */
    uint64_t (*room)(lathe_doc *doc, uint32_t part, uint64_t end);
} rec_body;

/* Of a computed row: a table of numbers, `columns` of them a row, that is read and written as a whole. */
typedef struct rec_numbers {
    lathe_elem elem;
    uint32_t columns;
    /* False: there is none here. */
    bool (*rows)(const rec_at *at, const rec_field *row, uint64_t *n);
    /* All of them, packed. */
    lathe_result (*read)(const rec_at *at, const rec_field *row, void *to, lathe_error *err);
    /* Inside an edit: n rows, which may be others than there were. */
    lathe_result (*write)(const rec_at *at, const rec_field *row, uint64_t n, const void *from,
                          lathe_error *err);
    /* Inside an edit: they come, in front of .write, where .rows has none, or go (`there` is false). NULL: they
     * neither come nor go. */
    lathe_result (*turn)(const rec_at *at, const rec_field *row, bool there, lathe_error *err);
    /* Of a row that is read by another one's name (.instead): why nothing is set by that name. NULL: there is no more to
     * say than this row's name. */
    const char *fixed;
} rec_numbers;

/* An argument of a verb: checked before it runs, but for the range of a number. What several verbs take
 * alike is one row that they share. */
typedef lathe_param rec_param;

/* A verb of a format: callable on its document (type NULL) or on records of one type. */
typedef struct rec_verb {
    const char *name, *doc;
    const rec_type *type;
    const rec_param *const *params; /* all that it reads, NULL-terminated; NULL: none */
    bool query;                     /* answers through report->result and changes nothing */
    bool single; /* of a query: it gives one result or none, which is its answer in Lua */
    /* Of a verb that formats share: the records that it is of, whatever their type. It is of documents, too, unless it is
     * `only` of such records. */
    bool (*is)(const lathe_format *format, const rec_type *type);
    bool only;
    const char *counts; /* one of what report->changed counts; NULL: one change */
    lathe_result (*run)(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err);
} rec_verb;

/* `count` stored positions, `stride` bytes apart, that an edit must keep right. Each holds
 * target - base, where the base is an offset in the target's part, or with self where the site's head is. */
typedef struct rec_refs rec_refs;
struct rec_refs {
    uint32_t site_part, target_part;
    bool space; /* targets count from the start of target_part over all parts that hang on it */
    uint64_t site, stride, count;
    uint32_t width;
    bool self, is_signed, has_null;
    /* the head that a site belongs to begins so many bytes in front of it: self counts from there */
    uint32_t lead;
    uint64_t base, null;
    /* A number of sites, counted from the first, that all hold less than `position`; may be too small. NULL: 0. */
    uint64_t (*below)(lathe_doc *doc, const rec_refs *run, uint64_t position);
};

/* How a file names what it found: sniff's answers. */
enum { REC_SNIFF_NO = 0, REC_SNIFF_MAYBE = 1, REC_SNIFF_SURE = 2 };
enum { REC_SNIFFED = 16 }; /* bytes that a format with .head needs to tell its files by */

typedef struct rec_report rec_report;

struct lathe_format {
    const char *name, *doc;
    const char *const *extensions, *const *games;
    /* What a file is compared with that lies beside it, NULL-terminated: "skeleton" (.check takes that option),
     * "corners" (of a model; .check takes that option), "bones" (its skins' bones are those of a skeleton). NULL:
     * nothing. */
    const char *const *compared_with;
    const rec_type *root;
    const rec_type *(*types)(size_t i); /* those that no row leads to; NULL past the last */
    /* Of a format whose files describe records: number i (from 0) of the types that the container's file
     * does, REC_OWN; made now, where nobody asked before. NULL past the last, or where memory is short.
     * NULL: files describe none. */
    const rec_type *(*own_type)(lathe_doc *doc, uint32_t c, uint64_t i);
    /* … and the first of them with that name. NULL: all are asked for theirs. */
    const rec_type *(*own_type_named)(lathe_doc *doc, uint32_t c, const char *name);
    /* … or lie in a document of this one: a type whose computed rows one of such a document has behind its own, by its
     * name. NULL: none. */
    const rec_type *(*derived)(const char *type_name);
    bool big;      /* byte order of rows that say nothing */
    bool derives;  /* some row has .derive (the lint knows) */
    bool arranges; /* .open calls rec_arrange before it looks at any row, or fails */
    /* From the first bytes; MAYBE wants the extension or a complete parse to agree. NULL: MAYBE. */
    int (*sniff)(const uint8_t *bytes, size_t n);
    /* Splits container `c` (whose root part holds all its bytes) into parts and refuses what is not
     * this format. NULL: the root record must end where the bytes do. */
    lathe_result (*open)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* Of a format whose files are read on demand: how many bytes at a file's start, of which the first n are given
     * (REC_SNIFFED, fewer of a shorter file), are held in memory as parts. The rest is read with rec_input_read.
     * NULL: files are held in memory as a whole. Such documents are never parts of others. */
    uint64_t (*head)(const uint8_t *bytes, size_t n);
    /* … how many bytes follow the parts in the encoded document, and gives them to the sink. */
    uint64_t (*rest_size)(lathe_doc *doc, uint32_t c);
    lathe_result (*rest)(lathe_doc *doc, uint32_t c, lathe_sink sink, void *user, lathe_error *err);
    /* … it is about to be encoded while an edit is open: puts right what .relayout left for the edit's end. */
    lathe_result (*ready)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* … the document was saved over its own file: what rec_input_read gives from now on is that file. */
    void (*rebase)(lathe_doc *doc, uint32_t c);
    /* The container goes: frees what its index leads to. NULL: nothing. */
    void (*close)(lathe_doc *doc, uint32_t c);
    /* Before the root of a new document is written: sets the container's version, and what else its
     * rows ask for, from what is given. NULL: nothing to set. */
    lathe_result (*begin)(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err);
    /* What the REC_LAZY part is that was split off without a type: asked when it is first looked at. */
    const rec_type *(*part_type)(lathe_doc *doc, uint32_t part);
    /* The argument of the layout of such a part (.bits_of = rec_argument); 0 at first. A failure other than
     * LATHE_ERR_MEMORY leaves the part opaque, with that error as its problem. NULL: 0. */
    lathe_result (*part_arg)(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                             lathe_error *err);
    /* Of a part that is made for a row of several types (.tag): the type of that name, which the format
     * notes. No name: nobody told yet, and the last relayout of an edit may refuse that. NULL: no memory. */
    const rec_type *(*type_named)(lathe_doc *doc, uint32_t part, const char *name, size_t n);
    /* Writes sizes and absolute offsets from the lengths of the parts: at the end of each edit that changed
     * one, and of the whole edit (doc->depth <= 1) where one inside of it did. Changes nothing on a file nobody
     * touched. */
    lathe_result (*relayout)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* The whole edit is about to end, and its journal says what it changed: what follows from that, and no
     * .derive can say, is put right. */
    lathe_result (*settle)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* Calls emit for every stored position in the container that points into `part`, or lies in it
     * and counts from itself. More do no harm but cost time: this is asked at every cut. */
    lathe_result (*refs)(lathe_doc *doc, uint32_t c, uint32_t part,
                         lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                         void *user, lathe_error *err);
    /* The head whose body begins last in front of `off` of a part, or there; number k (from 0) of several.
     * It may be in another part (*from). NULL: bodies hold no bodies, and are found by looking at all. */
    bool (*owner)(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                  uint64_t *site);
    /* Bytes of `part` are about to go: stored positions in them, and those that point to them, go along
     * where they are records of a table. NULL: there are no such tables. */
    lathe_result (*drop)(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, uint64_t n,
                         lathe_error *err);
    /* Where one run [*from, *to) holds all that heads in [at, at + n) of a part lead to, and nothing else.
     * False: there is none, or nobody knows. NULL: never. */
    bool (*led)(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t n, uint64_t *from,
                uint64_t *to);
    /* Lengths in `part` are about to change (before), or did, in the whole edit: padding between data that
     * lie elsewhere is put right, where it was right before. */
    lathe_result (*tidy)(lathe_doc *doc, uint32_t c, uint32_t part, bool before, lathe_error *err);
    /* Appends to `out` a whole file made from nested values (NULL: none). The document serves to put
     * things into; it must get a container. NULL: made from the root's rows. */
    lathe_result (*make)(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err);
    /* Appends to `out` a file that is written anew, in the format's own order, from what a container
     * holds; `args` (may be NULL) as its parameters say, and checked by them. NULL: there is no such
     * order. */
    lathe_result (*serialize)(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                              lathe_error *err);
    const rec_param *const *serialize_params; /* NULL-terminated, as those of a verb */
    /* What is wrong beyond what opening refuses and the schema knows. */
    void (*check)(lathe_doc *doc, uint32_t c, rec_report *report);
    const char *(*game)(const lathe_doc *doc);
    /* What stands in a scene: meshes, skeletons, animations, materials, bodies (scene/hooks.h). NULL: nothing. */
    const struct scene_hooks *scene;
    /* verbs that formats share, of those records that their .is knows; NULL: none */
    const rec_verb *shared;
    const rec_verb *verbs; /* the last one has no name */
};

/* All formats, in the order of sniffing; ends with NULL. The one list of them: core/formats.c. */
extern const lathe_format *const rec_formats[];

#define REC_COUNT_OF(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

#endif
