/* lathe: open, look into, change and save the binary files of games.
 *
 * The one public header. A document holds one file; a view is a place in it; a value is what stands
 * there. Nothing is global: any number of documents may be used at once, each by one thread at a
 * time. Nothing prints and nothing aborts.
 *
 * Results: a function that can fail returns a lathe_result, LATHE_OK (0) on success. On failure it
 * fills *err (which may be NULL), leaves its other out-parameters untouched unless it says
 * otherwise, and has changed nothing in the document.
 *
 * Ownership: a document is given by lathe_doc_open, _parse and _new and taken by lathe_doc_close.
 * Views and values are small structs, copied freely and never freed; strings in them are borrowed
 * from the document until its next write. What must be freed says so, with lathe_free. */
#ifndef LATHE_H
#define LATHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LATHE_VERSION "0.1.0"

#if defined(_WIN32) && defined(LATHE_SHARED)
#define LATHE_API __declspec(dllexport)
#elif defined(__GNUC__)
#define LATHE_API __attribute__((visibility("default")))
#else
#define LATHE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lathe_result {
    LATHE_OK = 0,
    LATHE_ERR_MEMORY,      /* the allocator refused */
    LATHE_ERR_IO,          /* the system refused: message has its reason */
    LATHE_ERR_FORMAT,      /* not a file of this format, or of none that is known */
    LATHE_ERR_UNSUPPORTED, /* a known format, a version or feature of it that is not */
    LATHE_ERR_BOUNDS,      /* data ends early, or points outside itself */
    LATHE_ERR_INVALID,     /* data that contradicts itself or its format */
    LATHE_ERR_RANGE,       /* a value that the field cannot hold */
    LATHE_ERR_TYPE,        /* a value of the wrong kind for the field */
    LATHE_ERR_NAME,        /* no such field, format, verb or type */
    LATHE_ERR_READONLY,    /* a field that follows from others */
    LATHE_ERR_REMOVED,     /* the view shows something that was removed */
    LATHE_ERR_LIMIT,       /* larger than the options allow */
    LATHE_ERR_STATE,       /* a call that the moment forbids: closed, no history … */
    LATHE_RESULT_COUNT
} lathe_result;

/* Whether a finding of lathe_doc_check breaks the file for its game or only deserves a look. */
typedef enum lathe_level { LATHE_LEVEL_ERROR = 0, LATHE_LEVEL_WARNING } lathe_level;

#define LATHE_NO_OFFSET UINT64_MAX

/* Filled in by the caller's call; owns nothing. Text that does not fit ends in "...". */
typedef struct lathe_error {
    lathe_result code;
    lathe_level level;
    uint64_t
        offset; /* in the encoded document, or LATHE_NO_OFFSET; of a compressed one, in its content */
    char path[512];    /* the file, or "" */
    char where[256];   /* the place inside it, as lathe_view_path writes it, or "" */
    char message[384]; /* what is wrong, without path, place or offset */
} lathe_error;

/* Short stable name of a result ("bounds", "io", …): what Lua shows as err.code. */
LATHE_API const char *lathe_result_name(lathe_result result);
/* "PATH: WHERE at 0xOFFSET: MESSAGE" with the absent parts left out; like snprintf. */
LATHE_API size_t lathe_error_text(const lathe_error *err, char *buf, size_t cap);

typedef struct lathe_doc lathe_doc;
typedef struct lathe_format lathe_format;

/* A place in a document. Opaque: copy it freely, compare it with lathe_view_same. It follows what
 * it shows through every edit; one whose record was removed fails with LATHE_ERR_REMOVED. */
typedef struct lathe_view {
    lathe_doc *doc;
    const void *type;
    uint64_t off;
    uint32_t part, gen, index, flags;
} lathe_view;

typedef enum lathe_kind {
    LATHE_KIND_NONE = 0, /* absent: a condition that is not met */
    LATHE_KIND_NULL,     /* a reference that points to nothing */
    LATHE_KIND_BOOL,
    LATHE_KIND_INT,
    LATHE_KIND_UINT,
    LATHE_KIND_REAL,
    LATHE_KIND_STRING, /* text or bytes, any value, not NUL-terminated */
    LATHE_KIND_RECORD,
    LATHE_KIND_ARRAY,
    LATHE_KIND_COUNT
} lathe_kind;

typedef struct lathe_value {
    lathe_kind kind;
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double f;
        struct {
            const char *p;
            size_t n;
        } s;          /* borrowed until the next write to the document */
        lathe_view v; /* RECORD and ARRAY */
    } as;
} lathe_value;

/* Takes bytes in order; false stops the call, which then fails with LATHE_ERR_IO. */
typedef bool (*lathe_sink)(void *user, const void *bytes, size_t n);

/* A nested value pulled by name or by index: a Lua table, JSON, another view. */
typedef struct lathe_source {
    size_t size; /* sizeof(lathe_source) */
    void *user;
    /* Finds `name` (or, where name is NULL, element `index` from 0) in `node`; node NULL is the top.
     * Returns false where it is absent. A scalar goes to *leaf; for anything nested leaf->kind is
     * set to RECORD or ARRAY and *child to a node that stays good until the outer call returns. */
    bool (*get)(void *user, const void *node, const char *name, uint64_t index, lathe_value *leaf,
                const void **child);
    /* Elements of an array node; with .name also of a record node those that have no name, else 0. */
    uint64_t (*count)(void *user, const void *node);
    /* Optional: the i-th name in a record node, or NULL past the last. With it, names that the
     * schema does not know are refused instead of ignored. */
    const char *(*name)(void *user, const void *node, uint64_t i);
} lathe_source;

/* Like Lua's allocator: new_size 0 frees and returns NULL; NULL otherwise means refusal. */
typedef void *(*lathe_alloc)(void *user, void *ptr, size_t old_size, size_t new_size);

/* Where geometry that a document keeps in other files may be: in a geometry file or in a folder of such (path), or in a
 * document that is open (doc), which the new document uses until it is closed itself, whoever closes it first. */
typedef struct lathe_geometry {
    const char *path; /* one of path and doc */
    lathe_doc *doc;
    uint32_t hash; /* of the name that it is looked for by … */
    bool renamed;  /* … where that is not its own */
} lathe_geometry;

/* Everything zero but size means defaults. */
typedef struct lathe_options {
    size_t size;        /* sizeof(lathe_options) */
    const char *format; /* forces a format by name; NULL: content, then extension */
    const char *path;   /* lathe_doc_parse, _new: the name that errors and sniffing use */
    uint32_t history;   /* undo steps kept */
    uint64_t
        limit; /* refuse inputs of more bytes; 0: no limit. Counts for what compressed ones hold, too; there 0
                         * is 1,000 times their size, but at least 64 MB and at most 2^31 bytes */
    lathe_alloc alloc; /* NULL: malloc and free */
    void *alloc_user;
    const lathe_source *extra; /* options of one format (num_vertices …) */
    /* Where geometry in other files is looked for, and nowhere else. NULL: in the document's own folder and in the
     * one above "Meshes" in its path. They are opened when they are needed; what is missing is an error of that call. */
    const lathe_geometry *geometry;
    size_t geometry_count;
    /* The zstd dictionary that a compressed file needs. It is copied, and used again when the document is compressed
     * anew, or for the first time. NULL: none. */
    const void *dictionary;
    size_t dictionary_size;
    /* The document whose skeleton number skeleton_index (from 0) gives the bones of animations their names, where their
     * own file does not. It is copied: the document may change or close. NULL: none, or what `extra` has as "skeleton":
     * a skeleton, a document or bones, as verbs take them. */
    lathe_doc *skeleton;
    uint32_t skeleton_index;
    /* lathe_doc_new: told what came out otherwise than it was given, and "bytes", how many an animation was packed into.
     * NULL: nobody. */
    struct lathe_report *report;
} lathe_options;

typedef struct lathe_save_options {
    size_t size; /* sizeof(lathe_save_options) */
    bool backup; /* keep what was at `path` as "path.bak" */
} lathe_save_options;

/* ---- documents ------------------------------------------------------------------------------ */

/* Files that are compressed with zstd are opened like any other, of whatever format: the content decides, and of the
 * file's name what is in front of a last ".zs" or ".zst". The document stays compressed: encode and save give the bytes
 * that were opened where nothing changed, and else one new frame, of level 19, with its content's size, and with the
 * dictionary and a checksum where the file had them. Offsets of views and in errors count in the content; only those of
 * errors about the compression itself ("zstd frame: ...") count in the file. */

/* Reads a file, or of one that may be too large for that (a .csg) its tables: the rest is read when it is asked for, and
 * what fails then, because the file is damaged or changed meanwhile, is an error of that call. *doc is the caller's, to
 * lathe_doc_close. */
LATHE_API lathe_result lathe_doc_open(const char *path, const lathe_options *options,
                                      lathe_doc **doc, lathe_error *err);
/* The same from memory, which is copied. */
LATHE_API lathe_result lathe_doc_parse(const void *bytes, size_t n, const lathe_options *options,
                                       lathe_doc **doc, lathe_error *err);
/* A new document of `format` from fields shaped like the format's top record; fields NULL: empty. */
LATHE_API lathe_result lathe_doc_new(const char *format, const lathe_source *fields,
                                     const lathe_options *options, lathe_doc **doc,
                                     lathe_error *err);
/* Streams the bytes that lathe_doc_save would write. */
LATHE_API lathe_result lathe_doc_encode(lathe_doc *doc, lathe_sink sink, void *user,
                                        lathe_error *err);
/* Gives the sink, in one piece, a file that is written anew: everything in the order, alignment and padding
 * that the format's own tools use, which of their files is the file itself. `place`: a document's root, or
 * that of one inside of another. Changes nothing. args (NULL: none) as those of verbs: `game` names the one
 * whose layout is written. It is not compressed, whatever the document is. LATHE_ERR_UNSUPPORTED where the
 * format has no such order, or the layout no place for what is there. */
LATHE_API lathe_result lathe_doc_serialize(lathe_view place, const lathe_source *args,
                                           lathe_sink sink, void *user, lathe_error *err);
/* Bytes that lathe_doc_encode would give. A compressed document that was changed is compressed to know it, once for each
 * state; 0 where that fails. */
LATHE_API uint64_t lathe_doc_size(lathe_doc *doc);
/* Atomic: a temporary file in the same folder, flushed to disk, renamed over `path` (NULL: where
 * the document came from). Whatever fails, the old file is intact; only when flushing the folder
 * itself fails, after the rename, is the new one in place, and the error says so. */
LATHE_API lathe_result lathe_doc_save(lathe_doc *doc, const char *path,
                                      const lathe_save_options *options, lathe_error *err);
/* Calls each(user, finding) for everything wrong beyond what opening refuses, until it returns
 * false. LATHE_OK where no finding is an error. */
LATHE_API lathe_result lathe_doc_check(lathe_doc *doc,
                                       bool (*each)(void *user, const lathe_error *finding),
                                       void *user);
/* The same against what `options` name: what formats ask for beside the file itself (skeleton,
 * corners …). NULL: nothing. `tables`, a true boolean: of a file that is read on demand only what is in
 * memory is looked at. */
LATHE_API lathe_result lathe_doc_check_with(lathe_doc *doc, const lathe_source *options,
                                            bool (*each)(void *user, const lathe_error *finding),
                                            void *user);
/* "format", "game", "path", "compression" ("zstd"), or NULL where it has none. Good until the document is closed. */
LATHE_API const char *lathe_doc_info(const lathe_doc *doc, const char *what);
/* From now on the document is encoded and saved compressed ("zstd") or not (NULL), whatever its file was and whatever the
 * path's extension is. Not a step of the history. */
LATHE_API lathe_result lathe_doc_set_compression(lathe_doc *doc, const char *name,
                                                 lathe_error *err);
/* True where encode would differ from what was opened or last saved. */
LATHE_API bool lathe_doc_modified(const lathe_doc *doc);
/* NULL is fine. One that other documents use (lathe_options.geometry) stays until the last of them is closed. */
LATHE_API void lathe_doc_close(lathe_doc *doc);

/* ---- edits: nested; a failed call inside has already undone itself ---------------------------- */

LATHE_API lathe_result lathe_edit_begin(lathe_doc *doc, lathe_error *err);
/* keep: false rolls back. Where the end of the outermost edit fails (animations that it changed are encoded then, for one) all of
 * it is rolled back, and the result says why. LATHE_ERR_STATE: no edit is open. */
LATHE_API lathe_result lathe_edit_end(lathe_doc *doc, bool keep, lathe_error *err);
/* Steps back (negative: forward again); false where history does not reach, and nothing changed. */
LATHE_API bool lathe_edit_undo(lathe_doc *doc, int steps);

/* ---- places ----------------------------------------------------------------------------------- */

LATHE_API lathe_view lathe_doc_root(lathe_doc *doc);
/* Follows a path as lathe_view_path writes it: "objects[2].rotation.w" (indices from 1). Keyed arrays
 * also take a key in quotes, with the escapes of Lua: "levels[\"a\"].values[\"b\"]". */
LATHE_API lathe_result lathe_view_at(lathe_view from, const char *path, lathe_value *value,
                                     lathe_error *err);
LATHE_API lathe_result lathe_view_get(lathe_view view, const char *field, lathe_value *value,
                                      lathe_error *err);
LATHE_API lathe_result lathe_view_item(lathe_view array, uint64_t i, lathe_value *value,
                                       lathe_error *err); /* i from 0 */
/* What a keyed array (lathe_field_info.key) holds under a key of n bytes: its element, or the field of
 * it that is named by lathe_field_info.value; NONE where the key is missing. Of a repeated key the last
 * counts, or the first, as the game has it; where it joins them all the call fails. */
LATHE_API lathe_result lathe_view_key(lathe_view array, const char *key, size_t n,
                                      lathe_value *value, lathe_error *err);
/* Elements of an array, fields of a record; 0 for a view that shows nothing any more. */
LATHE_API uint64_t lathe_view_count(lathe_view view);
LATHE_API bool lathe_view_same(lathe_view a, lathe_view b);
/* The canonical path of the view, or of a field in it; "" for the document. Like snprintf. */
LATHE_API size_t lathe_view_path(lathe_view view, const char *field, char *buf, size_t cap);
/* Where it lies in the encoded document, in bytes. */
LATHE_API lathe_result lathe_view_span(lathe_view view, const char *field, uint64_t *off,
                                       uint64_t *size, lathe_error *err);
/* The innermost record that holds the byte at `off` of the encoded document; *field (may be NULL)
 * gets the name of the field inside it, or NULL. */
LATHE_API lathe_result lathe_doc_at(lathe_doc *doc, uint64_t off, lathe_view *view,
                                    const char **field, lathe_error *err);
/* True for a record that does not parse and stays opaque: its fields are absent, its bytes are kept,
 * *why (may be NULL) says what is wrong. */
LATHE_API bool lathe_view_problem(lathe_view view, lathe_error *why);
/* The record type ("fzx_object") of a record, or of an array's elements where they are records: constant, or good
 * until the document is closed. */
LATHE_API const char *lathe_view_type(lathe_view view);

enum {
    LATHE_FIELD_ARRAY = 1 << 0,
    LATHE_FIELD_READONLY = 1 << 1,  /* follows from other fields, or from the file's size */
    LATHE_FIELD_COMPUTED = 1 << 2,  /* not stored: worked out from other fields */
    LATHE_FIELD_RESIZABLE = 1 << 3, /* elements can be inserted and removed */
    LATHE_FIELD_PADDING = 1 << 4,   /* shown only where it differs from its default */
    LATHE_FIELD_FLAGS = 1 << 5,     /* an integer whose bits have names */
    LATHE_FIELD_ENUM = 1 << 6,      /* an integer whose values have names */
    LATHE_FIELD_REF = 1 << 7,       /* stands for a view that lies elsewhere */
    LATHE_FIELD_INSIDE =
        1 << 8, /* how the file is put together, which follows from the rest: there by
                                       its name, but neither listed nor copied nor compared */
    LATHE_FIELD_COPIED = 1 << 9,   /* computed, and yet part of a copy: nothing else says it */
    LATHE_FIELD_COUNT = 1 << 10,   /* says how many elements other fields have */
    LATHE_FIELD_VERSION = 1 << 11, /* a version, a byte a number: 0x14020007 is 20.2.0.7 */
    LATHE_FIELD_OWN =
        1 << 12 /* of a record type that the document itself describes, or an array of such */
};

/* One value of an enumeration, or one bit of a flag set. */
typedef struct lathe_named {
    const char *name;
    int64_t value;
} lathe_named;

/* What the schema says of one field. Everything pointed to is constant; of a record whose type the file itself
 * describes (lathe_doc_type) it is good until the document is closed. */
typedef struct lathe_field_info {
    size_t size;              /* set by the caller: sizeof(lathe_field_info) */
    const char *name;         /* snake_case */
    const char *original;     /* the reference's spelling, or NULL where it is the same */
    const char *type;         /* "u16", "f32", "str32", or a record type's name */
    const char *unit;         /* or NULL */
    const char *doc;          /* one line */
    lathe_kind kind;          /* what reading it gives; of an element, for an array */
    uint32_t flags;           /* LATHE_FIELD_* */
    double min, max;          /* limits of a number; min > max: none beyond its type */
    const lathe_named *names; /* of an enumeration or flag set; NULL: none */
    uint32_t names_count;
    uint64_t offset, span; /* bytes from the record's start; LATHE_NO_OFFSET where it varies */
    const char *key;       /* of a keyed array: the text field that its elements are found by … */
    const char *value;     /* … and the one that is found, or NULL for the element; else NULL */
    const char *tag;       /* of an array whose elements are of several record types: the name that
                              tells an element's type in tables and JSON; else NULL */
    const char *shown_by;  /* of a number: the field of the record that shows it by name, or NULL */
} lathe_field_info;

/* Field number `field` (from 0) of a record, or, for field 0, an array's element. False past the
 * last one. */
LATHE_API bool lathe_view_describe(lathe_view view, uint64_t field, lathe_field_info *info);
/* The same for a record type by name, without a document. */
LATHE_API bool lathe_type_describe(const char *type, uint64_t field, lathe_field_info *info);
/* The same in a document: types that it describes itself come first, then its format's, then all. */
LATHE_API bool lathe_doc_type_describe(lathe_doc *doc, const char *type, uint64_t field,
                                       lathe_field_info *info);
/* Name of record type number i (from 0) of those that the document describes itself; NULL past the last. Good until
 * the document is closed. Other documents may have other types of that name. */
LATHE_API const char *lathe_doc_type(lathe_doc *doc, uint64_t i);

/* ---- writes ----------------------------------------------------------------------------------- */

/* A scalar, or a view of the same shape to copy from. */
LATHE_API lathe_result lathe_view_set(lathe_view view, const char *field, const lathe_value *value,
                                      lathe_error *err);
LATHE_API lathe_result lathe_view_set_item(lathe_view array, uint64_t i, const lathe_value *value,
                                           lathe_error *err);
/* A whole record (fields that the source lacks keep their values) or array, in one step. */
LATHE_API lathe_result lathe_view_build(lathe_view view, const lathe_source *source,
                                        lathe_error *err);
LATHE_API lathe_result lathe_view_insert(lathe_view array, uint64_t i, uint64_t n,
                                         lathe_error *err); /* n elements of default values */
LATHE_API lathe_result lathe_view_remove(lathe_view array, uint64_t i, uint64_t n,
                                         lathe_error *err);
/* Element `from` becomes element `to` (both from 0), and those between close up. What names elements by
 * their numbers follows, views stay on what they show. LATHE_ERR_UNSUPPORTED: of this array none can be
 * moved, such as of records in line. */
LATHE_API lathe_result lathe_view_move(lathe_view array, uint64_t from, uint64_t to,
                                       lathe_error *err);

/* ---- bulk: typed copies, converted once, in one loop ------------------------------------------- */

typedef enum lathe_elem {
    LATHE_ELEM_U8 = 0,
    LATHE_ELEM_I8,
    LATHE_ELEM_U16,
    LATHE_ELEM_I16,
    LATHE_ELEM_U32,
    LATHE_ELEM_I32,
    LATHE_ELEM_U64,
    LATHE_ELEM_I64,
    LATHE_ELEM_F32,
    LATHE_ELEM_F64,
    LATHE_ELEM_COUNT
} lathe_elem;

/* A computed array of an `inside` field (positions of a NIF's shape) is written from 0 on, all rows at once; n
 * may be more or less than there were.
 *
 * Copies elements from .. from+n of an array whose elements have one size. `member` names a field
 * of the elements, NULL means the element itself; a vector gives its lanes side by side. Each
 * element starts `stride` bytes after the last one in `to`; 0 means packed. */
LATHE_API lathe_result lathe_view_read(lathe_view array, const char *member, uint64_t from,
                                       uint64_t n, lathe_elem elem, void *to, size_t stride,
                                       lathe_error *err);
LATHE_API lathe_result lathe_view_write(lathe_view array, const char *member, uint64_t from,
                                        uint64_t n, lathe_elem elem, const void *bytes,
                                        size_t stride, lathe_error *err);
/* How many lanes lathe_view_read gives an element (3 for a vec3), and the closest elem; 0: none. */
LATHE_API uint32_t lathe_view_lanes(lathe_view array, const char *member, lathe_elem *elem);

/* ---- animations ------------------------------------------------------------------------------ */

/* glTF, .obj and .csv are the Lua module's: lathe.export, lathe.import. */

enum { LATHE_POSE = 10 }; /* floats of a row: translation 3, rotation x y z w, scale 3 */

typedef enum lathe_quantization { /* bits of a rotation, in formats that compress */
                                  LATHE_QUANTIZE_DEFAULT =
                                      0, /* 40, and a finer one where that cannot meet the tolerance */
                                  LATHE_QUANTIZE_32 = 32,
                                  LATHE_QUANTIZE_40 = 40,
                                  LATHE_QUANTIZE_48 = 48,
                                  LATHE_QUANTIZE_NONE = 128
} lathe_quantization;

/* Everything zero but size means defaults. */
typedef struct lathe_encode_options {
    size_t size; /* sizeof(lathe_encode_options) */
    lathe_quantization quantization;
    double translation, rotation, scale,
        value; /* how far what is read may be from the samples, at every frame: units, radians,
                                                 * ratios, and of float tracks */
    const double *translations, *rotations,
        *scales;                   /* one for each track, in place of these; NULL: none */
    uint32_t max_frames_per_block; /* of splines: 2 to 256 */
} lathe_encode_options;

typedef struct lathe_encode_report {
    size_t size; /* sizeof(lathe_encode_report) */
    double translation, rotation,
        scale; /* the greatest errors, measured on the bytes that were written */
} lathe_encode_report;

/* Writes an animation's samples anew, compressed where its format does that: `clip` is the record that it is (for one,
 * hkaSplineCompressedAnimation; an .anm's root), and samples has LATHE_POSE floats for each track of each frame, frame by frame. All
 * tracks are encoded; the clip gets as many frames as samples has, which are as far apart as they were. options and report may be
 * NULL. An edit: LATHE_ERR_INVALID for samples of the wrong number, that are not finite or turn by nothing, LATHE_ERR_RANGE for
 * tolerances that cannot be met; then nothing changed. */
LATHE_API lathe_result lathe_clip_encode(lathe_view clip, const float *samples, uint64_t floats,
                                         const lathe_encode_options *options,
                                         lathe_encode_report *report, lathe_error *err);

/* ---- the scene: what a document holds, whatever its format ------------------------------------- */

/* Meshes, skeletons, animations, materials and bodies of any format, in lists. Items are numbered from 0, in the order of
 * the file; the numbers change when the document does. A number past the last one is LATHE_ERR_NAME. */
typedef enum lathe_list {
    LATHE_MESHES = 0, /* geometry that is drawn */
    LATHE_COLLISION,  /* meshes of collision shapes */
    LATHE_SKELETONS,
    LATHE_ANIMATIONS,
    LATHE_MATERIALS,
    LATHE_BODIES, /* of collision */
    LATHE_LIST_COUNT
} lathe_list;

/* Whether documents of the format can have items in the list. */
LATHE_API bool lathe_format_has(const lathe_format *format, lathe_list list);
/* Puts the number of items into *n: 0 where the format has no such list. */
LATHE_API lathe_result lathe_list_count(lathe_doc *doc, lathe_list list, uint64_t *n,
                                        lathe_error *err);
/* The record that stores the item. LATHE_ERR_TYPE for meshes, which are computed from several records. */
LATHE_API lathe_result lathe_list_item(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                                       lathe_error *err);
/* A skeleton or an animation as a value for the arguments of verbs (LATHE_PARAM_SKELETON, LATHE_PARAM_CLIP). Its kind is
 * LATHE_KIND_NONE for items of other lists. Whether the item exists is checked by the verb. */
LATHE_API lathe_value lathe_list_value(lathe_doc *doc, lathe_list list, uint64_t i);
/* The record that says how material i is drawn: flags, colours, opacity. out->doc is NULL where no record does, as of
 * materials of collision. */
LATHE_API lathe_result lathe_material_look(lathe_doc *doc, uint64_t i, lathe_view *out,
                                           lathe_error *err);

/* ---- meshes ---- */

/* A copy of a mesh as triangles. It does not change with the document and may outlive it; the memory for it comes from the
 * document's allocator, or from that in the options. Freed by lathe_mesh_close. */
typedef struct lathe_mesh lathe_mesh;

/* Everything zero but size means defaults. */
typedef struct lathe_mesh_options {
    size_t size;    /* set by the caller: sizeof(lathe_mesh_options) */
    uint32_t bands; /* of geometry in bands of detail, only the first so many; 0: all */
    /* Objects with numbers up to this one (lathe_mesh_info.object) come without vertices and triangles. 0: none */
    uint64_t known;
    /* An object that cannot be read, such as when its geometry file is missing, is given all the same, without vertices:
     * lathe_mesh_info.unreadable. Only LATHE_ERR_MEMORY stays an error. */
    bool keep_unreadable;
    lathe_alloc alloc; /* NULL: that of the document */
    void *alloc_user;
} lathe_mesh_options;

typedef struct lathe_mesh_info {
    size_t size;                 /* set by the caller: sizeof(lathe_mesh_info) */
    const char *name, *material; /* or NULL. All texts live as long as the mesh */
    double transform[16];        /* from the mesh's space to the document's, column after column */
    bool z_up;                   /* in the document's space z points up; else y does */
    bool v_up;          /* texture coordinate v is 0 at the bottom of the image; else at its top */
    double metres;      /* length of one unit; 0: unknown */
    uint64_t bones;     /* joints that move its vertices; 0: none */
    uint64_t materials; /* that its triangles are made of, by LATHE_MESH_MATERIALS */
    bool has_surface;   /* lathe_mesh_surface tells how it looks */
    /* Collision shapes. */
    const char *shape; /* "hull", "mesh", "box" …; else NULL */
    uint64_t body;     /* number of its body, from 1; 0: none, or unknown */
    /* Where the node is that the body belongs to, without scale. The shape is in this node's space, whatever `transform`
     * says: tools often wrote the centre of mass there. */
    double node_transform[16];
    bool has_node;
    /* Geometry that is stored once and drawn in several places is a mesh for each place. */
    uint64_t
        object; /* the same number, from 1, for all places of one geometry; 0: it is drawn once */
    const char *path;                   /* the place in the document that draws it, or NULL */
    bool has_source;                    /* the geometry is in a file that documents share: */
    uint32_t file_hash, offset_in_file; /* the hash of its name, and the offset in it */
    /* Why the mesh is not drawn, and so has no vertices; NULL: it is drawn. */
    const char *left_out;
    bool unreadable; /* left_out says why it could not be read, path where */
} lathe_mesh_info;

/* Reads mesh number i of LATHE_MESHES or LATHE_COLLISION; *out is the caller's, to lathe_mesh_close. options may be NULL.
 * LATHE_ERR_TYPE for other lists; further errors where what the mesh is made of contradicts itself or is missing. */
LATHE_API lathe_result lathe_mesh_open(lathe_doc *doc, lathe_list list, uint64_t i,
                                       const lathe_mesh_options *options, lathe_mesh **out,
                                       lathe_error *err);
LATHE_API void lathe_mesh_close(lathe_mesh *mesh); /* NULL is fine */
LATHE_API void lathe_mesh_describe(const lathe_mesh *mesh, lathe_mesh_info *info);

typedef enum lathe_mesh_part {
    /* A row for each vertex. */
    LATHE_MESH_POSITIONS = 0, /* 3 numbers, in units of the file */
    LATHE_MESH_NORMALS,       /* 3, of length 1 */
    LATHE_MESH_TANGENTS, /* 4: x, y, z along u, then w, 1 or -1: cross(normal, tangent) * w points up the image */
    LATHE_MESH_UVS,     /* 2 */
    LATHE_MESH_COLORS,  /* 4: red, green, blue, alpha, from 0 to 1 */
    LATHE_MESH_JOINTS,  /* 4 numbers of joints, from 0 */
    LATHE_MESH_WEIGHTS, /* 4: the share of each of these; their sum is 1 or 0 */
    /* A row for each triangle. */
    LATHE_MESH_INDICES,   /* 3 numbers of vertices, from 0 */
    LATHE_MESH_MATERIALS, /* 1: the number of its material, from 0 */
    LATHE_MESH_PART_COUNT
} lathe_mesh_part;

/* How many rows the part has: 0 where the mesh does not have it. *lanes gets the numbers in a row, *elem the type that holds
 * them as they are; both may be NULL. */
LATHE_API uint64_t lathe_mesh_count(const lathe_mesh *mesh, lathe_mesh_part part, uint32_t *lanes,
                                    lathe_elem *elem);
/* Copies the rows from .. from + n into `to`, packed, each number converted to `elem`. LATHE_ERR_NAME: the part has fewer
 * rows; LATHE_ERR_RANGE: a number does not fit into `elem`, and some of `to` may be filled. */
LATHE_API lathe_result lathe_mesh_read(const lathe_mesh *mesh, lathe_mesh_part part, uint64_t from,
                                       uint64_t n, lathe_elem elem, void *to, lathe_error *err);
/* The name of material number i of those that triangles are made of; never NULL. */
LATHE_API lathe_result lathe_mesh_material(const lathe_mesh *mesh, uint64_t i, const char **name,
                                           lathe_error *err);

/* A bone that moves vertices of a mesh. A vertex at p is drawn at the sum over its joints of weight * world * bind * p, and
 * the transform of the mesh does not count. */
typedef struct lathe_joint {
    size_t size;      /* set by the caller: sizeof(lathe_joint) */
    const char *name; /* or NULL */
    int64_t parent;   /* number of a joint, from 0; -1: none of these, or unknown */
    double bind
        [16]; /* inverse bind matrix: from the mesh's space to the joint's; column after column */
    double world[16]; /* from the joint's space to the document's, at rest */
} lathe_joint;
LATHE_API lathe_result lathe_mesh_joint(const lathe_mesh *mesh, uint64_t i, lathe_joint *out,
                                        lathe_error *err);

typedef enum lathe_alpha {
    LATHE_ALPHA_OPAQUE = 0,
    LATHE_ALPHA_MASK, /* what is more transparent than the cutoff is not drawn */
    LATHE_ALPHA_BLEND,
    LATHE_ALPHA_COUNT
} lathe_alpha;

/* How a mesh looks. */
typedef struct lathe_surface {
    size_t size;          /* set by the caller: sizeof(lathe_surface) */
    double base_color[4]; /* red, green, blue, alpha, from 0 to 1 */
    double emissive[3];
    lathe_alpha alpha;
    double cutoff; /* of LATHE_ALPHA_MASK */
    bool double_sided;
    uint64_t textures;
} lathe_surface;
/* False, with *out untouched, where nothing is known of it (has_surface). */
LATHE_API bool lathe_mesh_surface(const lathe_mesh *mesh, lathe_surface *out);
/* Texture number i: its role ("base_color", "normal", "emissive", or the format's own name), and its path as stored. */
LATHE_API lathe_result lathe_mesh_texture(const lathe_mesh *mesh, uint64_t i, const char **role,
                                          const char **path, lathe_error *err);

/* ---- skeletons ---- */

/* The number, in place of an item's, of the skeleton that the document was linked to when it was opened
 * (lathe_options.skeleton): a copy, which cannot be changed. */
#define LATHE_LINKED UINT32_MAX

typedef struct lathe_skeleton_info {
    size_t size;       /* set by the caller: sizeof(lathe_skeleton_info) */
    const char *name;  /* or NULL; until the next write */
    lathe_view source; /* the record that it is read from; .doc is NULL where it is none */
    uint64_t bones;
    uint64_t slots; /* names of numbers that are animated beside bones */
    bool has_slots; /* the format has such, if perhaps none here */
    bool z_up;      /* z points up; else y does */
    double metres;  /* length of one unit; 0: unknown */
} lathe_skeleton_info;
LATHE_API lathe_result lathe_skeleton_describe(lathe_doc *doc, uint64_t skeleton,
                                               lathe_skeleton_info *info, lathe_error *err);

/* Which fields of a bone, or of a row of an animation, are meant. */
enum {
    LATHE_BONE_NAME = 1 << 0,
    LATHE_BONE_PARENT = 1 << 1,
    LATHE_BONE_MIRROR = 1 << 2,
    LATHE_BONE_TRANSLATION = 1 << 3, /* three parts of the pose */
    LATHE_BONE_ROTATION = 1 << 4,
    LATHE_BONE_SCALE = 1 << 5
};

typedef struct lathe_bone {
    size_t size;             /* set by the caller: sizeof(lathe_bone) */
    const char *name;        /* or NULL; until the next write */
    int64_t parent;          /* number of a bone, from 0; -1: a root */
    int64_t mirror;          /* the bone on the other side, or itself; -1: unknown */
    double pose[LATHE_POSE]; /* at rest, relative to the parent */
} lathe_bone;

LATHE_API lathe_result lathe_skeleton_bone(lathe_doc *doc, uint64_t skeleton, uint64_t bone,
                                           lathe_bone *out, lathe_error *err);
/* Stores the fields of *values that `fields` names (LATHE_BONE_*); numbers are rounded to what the file holds. One edit.
 * LATHE_ERR_READONLY: the format computes its skeletons from other records, or it is the linked one; LATHE_ERR_RANGE: a
 * number that is not finite, a rotation of zeros, a parent or mirror that does not exist, a bone as its own ancestor;
 * LATHE_ERR_UNSUPPORTED: the format stores no such field. */
LATHE_API lathe_result lathe_skeleton_set(lathe_doc *doc, uint64_t skeleton, uint64_t bone,
                                          unsigned fields, const lathe_bone *values,
                                          lathe_error *err);
/* The number of the first bone with a name of n bytes. LATHE_ERR_NAME, with the nearest name in the message: none has it. */
LATHE_API lathe_result lathe_skeleton_find(lathe_doc *doc, uint64_t skeleton, const char *name,
                                           size_t n, uint64_t *bone, lathe_error *err);
/* The name of slot number i; until the next write, never NULL. */
LATHE_API lathe_result lathe_skeleton_slot(lathe_doc *doc, uint64_t skeleton, uint64_t i,
                                           const char **name, lathe_error *err);

/* ---- animations ---- */

typedef struct lathe_clip_info {
    size_t size;                      /* set by the caller: sizeof(lathe_clip_info) */
    const char *name, *skeleton_name; /* or NULL; until the next write */
    const char *blend_hint;           /* "normal", "additive" …, or NULL */
    double duration;                  /* s */
    uint64_t frames, tracks, float_tracks;
    bool looping;
    bool absolute;   /* tracks are in the skeleton's space, not relative to their parents */
    bool has_motion; /* lathe_clip_motion gives root motion */
} lathe_clip_info;

LATHE_API lathe_result lathe_clip_describe(lathe_doc *doc, uint64_t clip, lathe_clip_info *info,
                                           lathe_error *err);
/* Whether the samples can be decoded. The counts of a damaged file may be anything: ask this before you allocate for them. */
LATHE_API lathe_result lathe_clip_ready(lathe_doc *doc, uint64_t clip, lathe_error *err);
/* The record that binds the animation to a skeleton; out->doc is NULL where there is none. */
LATHE_API lathe_result lathe_clip_binding(lathe_doc *doc, uint64_t clip, lathe_view *out,
                                          lathe_error *err);

typedef enum lathe_tracks {
    LATHE_BONE_TRACKS = 0, /* LATHE_POSE floats a row */
    LATHE_FLOAT_TRACKS     /* 1 float a row: numbers that are animated beside bones */
} lathe_tracks;

/* What a track moves: *name (until the next write) gets the name of its bone or slot, or NULL; *number the bone's or slot's
 * number as stored, or -1. */
LATHE_API lathe_result lathe_clip_track(lathe_doc *doc, uint64_t clip, lathe_tracks kind,
                                        uint64_t track, const char **name, int64_t *number,
                                        lathe_error *err);
/* The number of the first track whose bone or slot has a name of n bytes. LATHE_ERR_NAME as for lathe_skeleton_find. */
LATHE_API lathe_result lathe_clip_find(lathe_doc *doc, uint64_t clip, lathe_tracks kind,
                                       const char *name, size_t n, uint64_t *track,
                                       lathe_error *err);

/* What to sample. Everything zero but size means: bone tracks, at frame 0, as stored. */
typedef struct lathe_sampling {
    size_t size; /* set by the caller: sizeof(lathe_sampling) */
    lathe_tracks kind;
    bool
        by_time; /* `at` is in seconds from the start, and clamped to the duration; else a frame, which may lie between two */
    double at;
    /* With a skeleton, rows of bone tracks are relative to the parents of its bones, whatever the file stores. It is number
     * skeleton_index of this document; NULL: none. */
    lathe_doc *skeleton;
    uint32_t skeleton_index;
    /* NULL, or arguments as verbs take them, which take the place of the above: "frame" or "time", and "skeleton". */
    const lathe_source *args;
} lathe_sampling;

#define LATHE_ALL UINT64_MAX

/* Writes a row for each of the tracks first .. first + n into `out`, which has room for `floats`; n LATHE_ALL: all from
 * `first` on. LATHE_ERR_NAME: no such frame or track; LATHE_ERR_RANGE: `floats` is not the size of these rows;
 * LATHE_ERR_TYPE: `at` is NaN, or an argument is of the wrong kind; LATHE_ERR_INVALID: the skeleton's parents lead in
 * circles. After a failure `out` may hold anything. */
LATHE_API lathe_result lathe_clip_sample(lathe_doc *doc, uint64_t clip, const lathe_sampling *how,
                                         uint64_t first, uint64_t n, float *out, uint64_t floats,
                                         lathe_error *err);
/* The same for all tracks of all frames, frame after frame. how may be NULL; its `by_time` and `at` do not count. */
LATHE_API lathe_result lathe_clip_decode(lathe_doc *doc, uint64_t clip, const lathe_sampling *how,
                                         float *out, uint64_t floats, lathe_error *err);
/* The times of all frames in seconds from the start: even in most formats. LATHE_ERR_RANGE: n is not the number of frames. */
LATHE_API lathe_result lathe_clip_times(lathe_doc *doc, uint64_t clip, double *out, uint64_t n,
                                        lathe_error *err);
/* The number of the frame nearest to a time, which is clamped. LATHE_ERR_NAME: there are no frames; LATHE_ERR_TYPE: NaN. */
LATHE_API lathe_result lathe_clip_frame_at(lathe_doc *doc, uint64_t clip, double time,
                                           uint64_t *frame, lathe_error *err);
enum {
    LATHE_MOTION = 4
}; /* floats of a row of root motion: x, y, z, and the angle about the up axis in radians */
/* Root motion of all frames. LATHE_ERR_NAME: there is none (has_motion); LATHE_ERR_RANGE: `floats` is not frames *
 * LATHE_MOTION. */
LATHE_API lathe_result lathe_clip_motion(lathe_doc *doc, uint64_t clip, float *out, uint64_t floats,
                                         lathe_error *err);
/* The axes of root motion, of length 1. */
LATHE_API lathe_result lathe_clip_axes(lathe_doc *doc, uint64_t clip, double up[3],
                                       double forward[3], lathe_error *err);
/* Replaces parts of a row of a bone track at one frame: those that `fields` names (LATHE_BONE_TRANSLATION, _ROTATION, _SCALE)
 * by those of `row`, LATHE_POSE floats. A rotation gets length 1. One edit; inside of lathe_edit_begin and _end the
 * animation is encoded once, at the end. LATHE_ERR_NAME: no such frame or track; LATHE_ERR_RANGE: a number is not finite, a
 * rotation is zero, or other fields are named; LATHE_ERR_UNSUPPORTED: the format cannot write animations. */
LATHE_API lathe_result lathe_clip_set(lathe_doc *doc, uint64_t clip, uint64_t frame, uint64_t track,
                                      unsigned fields, const float *row, lathe_error *err);

/* A text at a moment of an animation. */
typedef struct lathe_annotation {
    size_t size;      /* set by the caller: sizeof(lathe_annotation) */
    double time;      /* s, from the start */
    const char *text; /* until the next write */
    size_t length;    /* of the text */
    int64_t track;    /* from 0 */
    lathe_view
        source; /* the record that stores it; .doc is NULL where there is none. Not read by _set and _add */
} lathe_annotation;

/* Which fields of an annotation are meant. */
enum { LATHE_ANNOTATION_TIME = 1, LATHE_ANNOTATION_TEXT = 2, LATHE_ANNOTATION_TRACK = 4 };

LATHE_API lathe_result lathe_annotation_count(lathe_doc *doc, uint64_t clip, uint64_t *n,
                                              lathe_error *err);
/* The id of annotation number i in the order of time. It stands for the same annotation through all edits, wherever that
 * moves, and is never 0. LATHE_ERR_NAME: there are fewer. */
LATHE_API lathe_result lathe_annotation_id(lathe_doc *doc, uint64_t clip, uint64_t i, uint64_t *id,
                                           lathe_error *err);
/* LATHE_ERR_REMOVED: it was removed; LATHE_ERR_NAME: no annotation of this animation has had that id. So do the next ones. */
LATHE_API lathe_result lathe_annotation_read(lathe_doc *doc, uint64_t clip, uint64_t id,
                                             lathe_annotation *out, lathe_error *err);
/* Stores the fields of *values that `fields` names. One edit. LATHE_ERR_RANGE: a time outside of the animation, a track that
 * does not exist, a text that the format cannot hold; LATHE_ERR_UNSUPPORTED: the format cannot change annotations. */
LATHE_API lathe_result lathe_annotation_set(lathe_doc *doc, uint64_t clip, uint64_t id,
                                            unsigned fields, const lathe_annotation *values,
                                            lathe_error *err);
/* Adds one at its place in the order of time. Errors as above. */
LATHE_API lathe_result lathe_annotation_add(lathe_doc *doc, uint64_t clip,
                                            const lathe_annotation *values, lathe_error *err);
LATHE_API lathe_result lathe_annotation_remove(lathe_doc *doc, uint64_t clip, uint64_t id,
                                               lathe_error *err);

/* ---- verbs: by name, with the same arguments and report as in Lua ------------------------------ */

typedef struct lathe_report {
    size_t size;      /* sizeof(lathe_report) */
    uint64_t changed; /* things changed */
    void *user;
    void (*skipped)(void *user, const char *path, const char *reason); /* may be NULL */
    /* May be NULL: what a query answers, or a verb of animations says besides ("max_rotation"), where a repeated name is
     * a list; or what another change says besides, each name a list of its own: "warnings" are texts, and so are "notes",
     * which tell why nothing changed, or what came out otherwise than one may think. */
    void (*result)(void *user, const char *name, const lathe_value *value);
} lathe_report;

/* The arguments are those that lathe_verb_describe tells. One that is missing or of the wrong kind is
 * LATHE_ERR_TYPE, a text that is none of its values LATHE_ERR_RANGE, and where args has `name` one
 * that the verb does not know LATHE_ERR_NAME. */
LATHE_API lathe_result lathe_view_call(lathe_view view, const char *verb, const lathe_source *args,
                                       lathe_report *report, lathe_error *err);

/* What an argument of a verb takes. */
typedef enum lathe_param_kind {
    LATHE_PARAM_ANY = 0,
    LATHE_PARAM_NUMBER,
    LATHE_PARAM_INTEGER, /* or a real number without a fraction */
    LATHE_PARAM_TEXT,
    LATHE_PARAM_BOOLEAN,
    LATHE_PARAM_SKELETON, /* a skeleton of any document, a document, or a table of bones */
    LATHE_PARAM_NUMBERS,  /* a number, or three of them: one for each axis */
    LATHE_PARAM_CLIP,     /* an animation of any document, or a document: its first one */
    LATHE_PARAM_COUNT
} lathe_param_kind;

typedef struct lathe_param {
    const char *name, *doc; /* doc: one line */
    const char *unit;       /* or NULL */
    lathe_param_kind kind;
    const char *const *values; /* of a text that is one of a few words, NULL-terminated; or NULL */
    bool positional;           /* Lua takes it without its name, too; such come first */
    bool needed;
} lathe_param;

/* What the schema says of one verb. Everything pointed to is constant. */
typedef struct lathe_verb_info {
    size_t size; /* set by the caller: sizeof(lathe_verb_info) */
    const char *name, *doc;
    const char *type;                 /* the record type that has it; NULL: the document */
    bool query;                       /* answers through report->result and changes nothing */
    const lathe_param *const *params; /* NULL-terminated; NULL: none */
    bool single;                      /* of a query: it gives one result, or none */
    const char *counts; /* one of what report->changed counts: "pose"; NULL: one change */
} lathe_verb_info;

/* ---- the library ------------------------------------------------------------------------------ */

/* The formats, in a constant array of pointers. */
LATHE_API const lathe_format *const *lathe_formats(size_t *n);
typedef struct lathe_format_info {
    size_t size; /* set by the caller: sizeof(lathe_format_info) */
    const char *name, *doc;
    const char *type;              /* the top record's type */
    const char *const *extensions; /* NULL-terminated, without dots */
    const char *const *games;      /* NULL-terminated */
    /* What a file is compared with that lies beside it, NULL-terminated: "skeleton" and "corners" (of a model), which
     * are options of lathe_doc_check_with, "bones" (the names of a skeleton's). NULL: nothing. */
    const char *const *compared_with;
} lathe_format_info;
LATHE_API void lathe_format_describe(const lathe_format *format, lathe_format_info *info);

/* Record type number i (from 0) of those that no field leads to, such as of the objects that an array of
 * several types holds; NULL past the last. */
LATHE_API const char *lathe_format_type(const lathe_format *format, size_t i);

/* What can be done with its documents ("open", "save", "new", verbs …): number i, or NULL. */
LATHE_API const char *lathe_format_verb(const lathe_format *format, size_t i);
/* Verb number i (from 0) of those that lathe_view_call knows. False past the last one. */
LATHE_API bool lathe_verb_describe(const lathe_format *format, size_t i, lathe_verb_info *info);

LATHE_API const char *lathe_version(void);
LATHE_API void lathe_free(lathe_doc *doc, void *bytes);

#ifdef __cplusplus
}
#endif
#endif
