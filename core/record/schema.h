/* Vocabulary in which a format describes its records. Rows and types themselves are in row.h.
 *
 * A record type is a constant table of rows, one row for each field. Reading, writing, resizing, paths, spans,
 * building, checking, describe, dump, diff, JSON, documentation and stubs all work from that table. A format adds
 * hooks only for what a table cannot express. Nothing about a field is written down a second time.
 *
 * Files that describe their own records get types of their own (REC_OWN): tables of the same kind, made in the
 * document's memory when it is opened or when a type is first needed. They and everything that they point to are
 * freed with the document, and their addresses may be reused by another document. Keep them no longer than a
 * lathe_view.
 *
 * Rows of a record follow each other in the file unless the type has REC_OFFSETS. A row's count, condition and hooks
 * may read any earlier row of the same record. */
#ifndef LATHE_RECORD_SCHEMA_H
#define LATHE_RECORD_SCHEMA_H

#include "base/mem.h"
#include "lathe.h"

typedef struct rec_type rec_type;
typedef struct rec_field rec_field;
typedef struct rec_layout rec_layout;
typedef struct rec_at rec_at;
typedef struct rec_from rec_from;
typedef struct rec_form rec_form;
struct scene_hooks; /* of the floor above: scene/hooks.h */

/* How one element of the field is stored. */
typedef enum rec_kind {
    REC_COMPUTED = 0, /* not stored: .get computes it, and .set (optional) takes a new value */
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
    REC_STR,     /* text: after its length (.prefix), in .size bytes, or up to the byte .term */
    REC_BYTES,   /* opaque bytes; the count is their number */
    REC_RECORD,  /* a record of .type, in line */
    REC_POINTER, /* as wide as the container's pointers; .ref finds its target */
    REC_KIND_COUNT
} rec_kind;

/* How a stored number is shown. */
typedef enum rec_shown {
    REC_PLAIN = 0,
    REC_BOOL,  /* any non-zero number is true; a stored 2 stays 2 until the field is set */
    REC_ENUM,  /* by name from .names; unknown values are shown as integers */
    REC_FLAGS, /* single bits, by name from .names */
    REC_TEXT,  /* for computed fields and codecs */
    REC_NUMBER,
    REC_INTEGER,
    REC_ANY_RECORD /* for computed fields: the type depends on the value */
} rec_shown;

/* Names of an enumeration or flag set (row.h). */
typedef struct rec_names rec_names;

/* Flags of rows. */
enum {
    /* Cannot be assigned, because it depends on something else, which rec_rare.why names. Of an array: the elements
     * can be assigned, inserted and removed by the .relayout hook only. */
    REC_READONLY = 1 << 0,
    REC_PAD = 1 << 1, /* padding: shown only if it differs from its default */
    REC_BIG = 1 << 2, /* byte order of this row, if it is not the document's */
    REC_LITTLE = 1 << 3,
    REC_PART = 1 << 4, /* stored in a part of its own; of an array, each element is */
    REC_REST = 1 << 5, /* the count is the number of bytes or elements left in the part */
    /* With REC_PART: parsed on first access. A part that cannot be parsed becomes opaque. */
    REC_LAZY = 1 << 6,
    REC_OVERLAY = 1 << 7, /* takes no bytes: shows the bytes at offset `off` of this record */
    /* If a key occurs several times, the first element counts. Without this and REC_MERGED, the last one does. */
    REC_FIRST = 1 << 8,
    REC_MERGED = 1 << 9, /* all elements with the same key count, joined; the result is read-only */
    /* First own row of a derived class: the rows of the base class are padded to the alignment of the base class. */
    REC_DERIVED = 1 << 10,
    /* Container bookkeeping: readable by name; left out of listings, copies and comparisons. */
    REC_INSIDE = 1 << 11,
    /* a computed row that copies include, because no stored row holds its value */
    REC_COPIED = 1 << 12,
    /* Of a REC_PART array: the file may have fewer parts than the count says, because not every file can be split. */
    REC_SOME = 1 << 13,
    REC_BY_ARG = 1 << 14, /* .count depends on the record's argument only */
    /* a version, shown with one number for each byte: 0x14020007 is 20.2.0.7 */
    REC_VERSION = 1 << 15,
    REC_ANYTHING = 1 << 16, /* the games do not read it, so doc:check() accepts NaN */
    REC_UNSCALED = 1 << 17, /* in a vector that is scaled: this component is not a length */
    /* of an array with a .tag: the type of an existing element cannot be changed */
    REC_KEEPS_TYPE = 1 << 18,
    /* Run-time state of a program that files reserve room for but do not save; set together with REC_PAD. */
    REC_IGNORED = 1 << 19,
    REC_NOT_OWNED = 1 << 20 /* a pointer that does not own its target */
};

enum { REC_LANES = 16 };

/* Flags of record types. */
enum {
    REC_VECTOR = 1 << 0,  /* rows also have numbers: v[1] .. v[n], and {1, 2, 3} sets them */
    REC_OFFSETS = 1 << 1, /* rows are at fixed offsets (.off); the record has .size bytes */
    /* Rows are laid out as a C compiler does, with the container's pointer size. Rows that the container's version
     * does not have take no room. */
    REC_ALIGNED = 1 << 2,
    /* Made at run time from a description in the file, in the memory of its document. Set on every such type, even if
     * its bases are constant. A constant type has no base and no row of such a type. */
    REC_OWN = 1 << 3,
    /* The rows are uncertain: they apply only to files that state the type's signature. */
    REC_DOUBT = 1 << 4
};

/* The parameters for which a layout is computed. */
typedef struct rec_setting {
    int64_t version;      /* of the container */
    const rec_type *type; /* the type being laid out: the row's own, or one derived from it */
    uint64_t arg;         /* the argument that the enclosing record's row passes (.arg) */
    uint8_t pointer;      /* size of the container's pointers in bytes */
} rec_setting;

/* Converts a stored number to the value that is shown, and back. */
typedef struct rec_codec {
    lathe_kind kind;
    uint64_t none; /* the stored number if no value is given for a new record */
    /* the number refers to a text of the document itself; copies to other documents use the text */
    bool inside;
    lathe_result (*decode)(const rec_at *at, const rec_field *row, uint64_t raw, lathe_value *out,
                           lathe_error *err);
    lathe_result (*encode)(const rec_at *at, const rec_field *row, const lathe_value *value,
                           uint64_t *raw, lathe_error *err);
} rec_codec;

/* Resolves a stored number that refers to a record: a Havok pointer, a NIF block number, a row of a string table. */
typedef struct rec_ref {
    uint64_t null; /* the null reference, in the width of the field */
    bool inside;   /* the target is in the same document; copies to other documents store null */
    /* Finds the target of a reference. LATHE_ERR_UNSUPPORTED: the target exists but cannot be located. The field then
     * reads as the stored number, and doc:check() reports the error as a warning. */
    lathe_result (*resolve)(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err);
    lathe_result (*store)(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err);
    /* Of a REC_POINTER at offset `site` of `part`, where the record itself stores no number: gets or sets the number
     * that stands for the target. */
    lathe_result (*load)(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                         uint64_t *raw, lathe_error *err);
    lathe_result (*put)(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                        uint64_t raw, lathe_error *err);
    /* Fails if the row must not point to the target: doc:check() warns of that. NULL: it may point to all. */
    lathe_result (*suits)(const rec_at *at, const rec_field *row, uint64_t raw, lathe_error *err);
    /* Inside an edit: makes a new target from nested values, and gives the number that stands for it. NULL: targets are
     * not made like that. */
    lathe_result (*make)(const rec_at *at, const rec_field *row, const rec_from *from,
                         uint64_t *raw, lathe_error *err);
    const char *
        elsewhere; /* added to the error for a target in another document: what to do. NULL: nothing */
} rec_ref;

/* Access to out-of-line data: the elements of an array, a text or bytes (the *body*). The record itself stores a
 * *head*: a stored position or a pointer, and in some formats the count. */
typedef struct rec_body {
    uint32_t align; /* alignment of the data that follow the body; 0 or 1: none */
    uint32_t width; /* bytes of the head … */
    /* … with 8-byte pointers; such a head is aligned like a pointer. 0: `width` for both pointer sizes, and aligned to
     * it */
    uint32_t wide;
    /* Finds the body of the head at `site`. *part is the head's part on entry, and may become another one. *off is
     * LATHE_NO_OFFSET for a null pointer, which is valid for texts only. */
    lathe_result (*locate)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t count,
                           uint32_t *part, uint64_t *off, lathe_error *err);
    /* Fills in the head, which is zeros, of a new record's empty body. NULL: it stays so. */
    void (*begin)(const rec_at *at, uint8_t *head);
    /* Called when an empty body is about to get contents: chooses where they go and stores that position at `site`.
     * From then on, .refs reports it. With .point: chooses only. */
    lathe_result (*place)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                          lathe_error *err);
    /* Points the head at `off` again, after a cut there moved all positions that pointed to it. NULL: not needed,
     * since the cut leaves the head's position as it is. */
    lathe_result (*point)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                          lathe_error *err);
    /* Sets the head to null, after the last element was removed or before the text is. NULL: nothing to do. */
    lathe_result (*clear)(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err);
    /* Reads and writes a count that is stored in the head. NULL: .by or the text's terminator gives the count. */
    lathe_result (*count)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                          lathe_error *err);
    lathe_result (*recount)(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                            lathe_error *err);
    /* *shared: something other than this one head points into [off, end) of a part, or other out-of-line data overlap
     * that range. NULL: never. */
    lathe_result (*shared)(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end, bool *shared,
                           lathe_error *err);
    /* The number of bytes behind `end` to which nothing points. NULL: only the padding that alignment requires is
     * considered, and it is kept where the file has it. Otherwise everything that follows moves by multiples of
     * `align`. */
    uint64_t (*room)(lathe_doc *doc, uint32_t part, uint64_t end);
} rec_body;

/* Of a computed row: a table of numbers with `columns` columns, which is read and written as a whole. */
typedef struct rec_numbers {
    lathe_elem elem;
    uint32_t columns;
    /* Gives the number of rows. False: the record has no such table. */
    bool (*rows)(const rec_at *at, const rec_field *row, uint64_t *n);
    /* Reads all rows, packed. */
    lathe_result (*read)(const rec_at *at, const rec_field *row, void *to, lathe_error *err);
    /* Inside an edit: writes n rows. n may differ from the present number. */
    lathe_result (*write)(const rec_at *at, const rec_field *row, uint64_t n, const void *from,
                          lathe_error *err);
    /* Inside an edit: creates the table (before .write, if .rows reports none), or removes it (`there` is false).
     * NULL: the table can be neither created nor removed. */
    lathe_result (*turn)(const rec_at *at, const rec_field *row, bool there, lathe_error *err);
    /* Of a row that another row's name reads (.instead): why nothing can be set under that name. NULL: errors just
     * name this row. */
    const char *fixed;
} rec_numbers;

/* A parameter of a verb. Arguments are checked before the verb runs, except for the range of numbers. Verbs with the
 * same parameter share one constant. */
typedef lathe_param rec_param;

/* A verb of a format. It is called on a document (type NULL) or on records of one type. */
typedef struct rec_verb {
    const char *name, *doc;
    const rec_type *type;
    const rec_param *const *params; /* all parameters, NULL-terminated; NULL: none */
    bool query;                     /* answers through report->result and changes nothing */
    bool single; /* of a query: gives one result or none; in Lua the result itself is returned */
    bool list; /* of a query: gives any number of results of one name; in Lua a list is returned */
    /* Of a verb that formats share: whether it applies to records of `type`. It applies to documents too, unless
     * `only` is set. */
    bool (*is)(const lathe_format *format, const rec_type *type);
    bool only;
    const char *counts; /* what report->changed counts; NULL: always one change */
    lathe_result (*run)(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err);
} rec_verb;

/* A run of `count` stored positions, `stride` bytes apart, that edits must update. Each holds target - base. The base
 * is an offset in the target's part; with `self` it is the offset of the head that holds the position. */
typedef struct rec_refs rec_refs;
struct rec_refs {
    uint32_t site_part, target_part;
    /* targets are counted from the start of target_part, through all parts that belong to it */
    bool space;
    uint64_t site, stride, count;
    uint32_t width;
    bool self, is_signed, has_null;
    /* with `self`: the head begins this many bytes before the site */
    uint32_t lead;
    uint64_t base, null;
    /* How many of the first sites hold values less than `position`; the result may be too small. NULL: 0. */
    uint64_t (*below)(lathe_doc *doc, const rec_refs *run, uint64_t position);
};

/* Results of the sniff hook. */
enum { REC_SNIFF_NO = 0, REC_SNIFF_MAYBE = 1, REC_SNIFF_SURE = 2 };
enum { REC_SNIFFED = 16 }; /* how many bytes the sniff hook of a format with .head needs */

typedef struct rec_report rec_report;

struct lathe_format {
    const char *name, *doc;
    const char *const *extensions, *const *games;
    /* What check can compare a file with, NULL-terminated: "skeleton" (.check takes that option), "corners" (of a
     * model; .check takes that option), "bones" (the bones of its skins are those of a skeleton). NULL: nothing. */
    const char *const *compared_with;
    const rec_type *root;
    /* Enumerates types that no row refers to; NULL past the last one. */
    const rec_type *(*types)(size_t i);
    /* Finds one of these types by name, in less time than a search: in the newest version of the format that has it
     * (type_any), and the type of records that files of a version store under that name (type_in_version). NULL hook:
     * all types are searched. */
    const rec_type *(*type_any)(const char *name);
    const rec_type *(*type_in_version)(const char *name, int64_t version);
    /* Of a format whose files describe their records: the type number i (from 0) that the container's file describes.
     * It is REC_OWN, and made on first request. NULL past the last one, or if memory is short. NULL hook: files
     * describe no types. */
    const rec_type *(*own_type)(lathe_doc *doc, uint32_t c, uint64_t i);
    /* … and the first such type with a name. NULL hook: the engine searches with .own_type. */
    const rec_type *(*own_type_named)(lathe_doc *doc, uint32_t c, const char *name);
    /* … and for a type that documents of this format contain: the type, by name, whose computed rows are appended to
     * the rows that the document describes. NULL: none. */
    const rec_type *(*derived)(const char *type_name);
    bool big;      /* byte order of rows that do not specify one */
    bool derives;  /* some row has .derive; the schema lint verifies this flag */
    bool arranges; /* .open calls rec_arrange before it reads any row, or fails */
    /* Recognizes a file by its first bytes. MAYBE needs a matching extension or a complete parse. NULL hook: MAYBE. */
    int (*sniff)(const uint8_t *bytes, size_t n);
    /* Splits container `c`, whose root part holds all bytes, into parts. Fails if the bytes are not of this format.
     * NULL: the root record must end exactly where the bytes end. */
    lathe_result (*open)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* Of a format whose files are read on demand: how many bytes at the start of the file are held in memory as
     * parts. `bytes` are the first n bytes of the file (REC_SNIFFED, or fewer if the file is shorter). Other bytes
     * are read with rec_input_read. Such a document is never embedded in another one. NULL: files are held in memory
     * as a whole. */
    uint64_t (*head)(const uint8_t *bytes, size_t n);
    /* … how many bytes follow the parts in the encoded document, and writing them to the sink. */
    uint64_t (*rest_size)(lathe_doc *doc, uint32_t c);
    lathe_result (*rest)(lathe_doc *doc, uint32_t c, lathe_sink sink, void *user, lathe_error *err);
    /* … updates what .relayout postpones to the end of an edit. Called if the document is encoded while an edit is
     * open. */
    lathe_result (*ready)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* … the document was saved over its own file: rec_input_read now reads the new file. */
    void (*rebase)(lathe_doc *doc, uint32_t c);
    /* The container is about to be freed: frees what its index owns. NULL: nothing. */
    void (*close)(lathe_doc *doc, uint32_t c);
    /* Called before the root of a new document is written: sets the container's version and other parameters of the
     * layout from the values given. NULL: nothing to set. */
    lathe_result (*begin)(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err);
    /* The type of a REC_LAZY part that was split off without one. Called on first access. */
    const rec_type *(*part_type)(lathe_doc *doc, uint32_t part);
    /* The argument of such a part's layout (.bits_of = rec_argument), which is 0 at first. On failure the part
     * becomes opaque, with the error as its problem, except for LATHE_ERR_MEMORY. NULL: 0. */
    lathe_result (*part_arg)(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                             lathe_error *err);
    /* The type with the given name, for a new part of a polymorphic row (.tag). The format stores the name for the
     * part. An empty name: no type is given yet; .relayout may refuse that at the end of the edit. NULL: no memory. */
    const rec_type *(*type_named)(lathe_doc *doc, uint32_t part, const char *name, size_t n);
    /* Another name of the field that gives the type in tables, beside the row's .tag. Where records of that type have a
     * field of this name, it gives the type only if it is that of one. NULL: none. */
    const char *other_tag;
    /* Inside an edit: appends a copy of an element of such a row, which may be in another document of the format, with all
     * that it refers to; *i becomes its number. NULL: elements are not copied like that. */
    lathe_result (*copy)(const rec_at *at, uint32_t slot, const rec_at *from, uint64_t *i,
                         lathe_error *err);
    /* Writes sizes and absolute offsets that depend on the lengths of parts. Called at the end of each edit that
     * changed a length, and again at the end of the outermost edit (doc->depth <= 1) if a nested edit changed one.
     * Must not change an unedited file. */
    lathe_result (*relayout)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* Called when the outermost edit is about to end: updates data that depend on the edited data and that no .derive
     * row can express. The journal shows what was changed. */
    lathe_result (*settle)(lathe_doc *doc, uint32_t c, lathe_error *err);
    /* Calls emit for every stored position in the container that points into `part`, and for every one inside `part`
     * that is relative to its own place. Reporting more is harmless but slow: this is called for every cut. */
    lathe_result (*refs)(lathe_doc *doc, uint32_t c, uint32_t part,
                         lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                         void *user, lathe_error *err);
    /* Finds the head whose body starts at or nearest before `off` of a part; number k (from 0) if there are several.
     * The head may be in another part (*from). NULL: bodies contain no bodies, and the engine finds the head by a
     * full search. */
    bool (*owner)(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                  uint64_t *site);
    /* The bytes [at, at + n) of `part` are about to be removed: removes table entries for stored positions in them,
     * or for positions that point into them. NULL: the format has no such tables. */
    lathe_result (*drop)(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, uint64_t n,
                         lathe_error *err);
    /* Finds the contiguous range [*from, *to) of `part` that holds exactly the out-of-line data of all heads in [at,
     * at + n). False: there is no such range, or it is not known. NULL: always false. */
    bool (*owned_range)(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t n, uint64_t *from,
                        uint64_t *to);
    /* Keeps the padding between out-of-line data right: notes whether it is right before lengths in `part` change
     * (`before`), and restores it at the end of the outermost edit if it was right. */
    lathe_result (*tidy)(lathe_doc *doc, uint32_t c, uint32_t part, bool before, lathe_error *err);
    /* Appends a whole file to `out`, made from nested values (NULL: none). `maker` is a document for temporary parts;
     * the hook must give it a container. NULL hook: the file is built from the rows of the root type. */
    lathe_result (*make)(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err);
    /* Appends to `out` the container's contents as a new file, in the order of the format's own tools. `args` (may be
     * NULL) were checked against serialize_params. NULL: not supported. */
    lathe_result (*serialize)(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                              lathe_error *err);
    const rec_param *const *serialize_params; /* NULL-terminated, as the parameters of a verb */
    /* Reports problems that neither opening nor the schema detects. */
    void (*check)(lathe_doc *doc, uint32_t c, rec_report *report);
    const char *(*game)(const lathe_doc *doc);
    const rec_form *form; /* a second form that its files may have (form.h); NULL: there is none */
    /* Access to meshes, skeletons, animations, materials and bodies (scene/hooks.h). NULL: the format has none. */
    const struct scene_hooks *scene;
    /* verbs shared by several formats, for records that .is accepts; NULL: none */
    const rec_verb *shared;
    const rec_verb *verbs; /* the last one has no name */
};

/* All formats in the order of sniffing, NULL-terminated. They are listed only here: core/formats.c. */
extern const lathe_format *const rec_formats[];

#define REC_COUNT_OF(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

#endif
