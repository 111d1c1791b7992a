/* lathe: read, edit and write the binary files of games. This is the only public header of the C library.
 *
 * Documents. A lathe_doc holds one file in memory. lathe_doc_open, _parse and _new create one, lathe_doc_save and
 * _encode write it, lathe_doc_close frees it. An unchanged document is written byte for byte as it was read.
 *
 * Views and values. A lathe_view is a place in a document: a record (named fields) or an array (numbered elements).
 * lathe_doc_root gives the top record, lathe_view_get, _item and _at lead on from there. What they find is a
 * lathe_value: a number, a text, or again a view. Views are small structs: copy them freely, never free them. A view
 * follows its record when an edit moves it; once the record is removed, calls with it fail with LATHE_ERR_REMOVED.
 *
 * Edits. Each function that writes is one edit: it succeeds as a whole or changes nothing. lathe_edit_begin and _end
 * join several calls into one edit, which is also one step of the undo history.
 *
 * Scene. Meshes, skeletons, animations, materials and bodies can be read, and partly changed, in the same way for all
 * formats: see "the scene" below.
 *
 * Errors. A function that can fail returns a lathe_result: LATHE_OK (0), or the reason as a code. It then fills *err
 * with the place and a message; `err` may be NULL. After a failure the other out-parameters are as they were before,
 * unless the function says otherwise. LATHE_ERR_MEMORY can come from every function that returns a lathe_result; so
 * can LATHE_ERR_REMOVED and the errors of damaged data from every function that is given a view. Comments name what
 * else a caller should expect.
 *
 * Ownership. The caller closes documents (lathe_doc_close) and meshes (lathe_mesh_close). Texts inside of values and
 * structs belong to the document and are good until its next write, unless a comment says otherwise. The library copies
 * what it is given, except for documents and callbacks in options where that is said.
 *
 * Structs that begin with `size`. The caller sets it to sizeof(the struct). The library reads and fills only so many
 * bytes, so programs that were compiled with an older header keep working. In options, zero means the default.
 *
 * Threads. There is no global state. Different threads may use different documents at the same time; a document, and
 * documents that it uses (lathe_options.geometry), must be used by one thread at a time.
 *
 * The library prints nothing and never aborts. Closing a document ends the life of all its views: using one afterwards
 * is a mistake that cannot be detected. */
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

/* ---- results and errors ------------------------------------------------------------------------ */

typedef enum lathe_result {
    LATHE_OK = 0,
    LATHE_ERR_MEMORY, /* the allocator returned NULL */
    /* a system call failed, or a sink returned false; the message has the system's reason */
    LATHE_ERR_IO,
    LATHE_ERR_FORMAT,      /* the file is not of the given format, or of no known one */
    LATHE_ERR_UNSUPPORTED, /* a version or feature of a known format that lathe cannot handle */
    LATHE_ERR_BOUNDS,      /* the data ends early, or points outside of itself */
    LATHE_ERR_INVALID,     /* the data contradicts itself or its format */
    /* a value that does not fit into its field, or an argument outside of its limits */
    LATHE_ERR_RANGE,
    LATHE_ERR_TYPE,     /* a value or view of the wrong kind */
    LATHE_ERR_NAME,     /* no such field, element, item, format, verb or type */
    LATHE_ERR_READONLY, /* the field follows from others and cannot be set */
    LATHE_ERR_REMOVED,  /* what the view showed was removed */
    LATHE_ERR_LIMIT,    /* larger than lathe_options.limit allows */
    /* not possible at this moment: no edit is open, the document is in use … */
    LATHE_ERR_STATE,
    LATHE_RESULT_COUNT
} lathe_result;

/* How severe a finding of lathe_doc_check is. */
typedef enum lathe_level {
    LATHE_LEVEL_ERROR = 0, /* the game fails on it */
    LATHE_LEVEL_WARNING    /* unusual, but the game copes */
} lathe_level;

#define LATHE_NO_OFFSET UINT64_MAX

/* Filled by the function that fails. It owns nothing: copy it freely. A text that does not fit ends in "...". */
typedef struct lathe_error {
    lathe_result code;
    lathe_level level;
    uint64_t offset;   /* in the encoded document, before compression; LATHE_NO_OFFSET: none */
    char path[512];    /* of the file, or "" */
    char where[256];   /* the place inside it as lathe_view_path writes it, or "" */
    char message[384]; /* what is wrong, without path, place and offset */
} lathe_error;

/* The short name of a result, such as "bounds" (err.code in Lua). A constant; never NULL. */
LATHE_API const char *lathe_result_name(lathe_result result);
/* Writes "PATH: WHERE at 0xOFFSET: MESSAGE", without the parts that are absent, into `buf`. Like snprintf, it writes at
 * most cap bytes including the final NUL, and returns the length that the whole text has. */
LATHE_API size_t lathe_error_text(const lathe_error *err, char *buf, size_t cap);

/* ---- views and values -------------------------------------------------------------------------- */

typedef struct lathe_doc lathe_doc;
typedef struct lathe_format lathe_format;

/* A record or an array in a document. The members are private; compare views with lathe_view_same. */
typedef struct lathe_view {
    lathe_doc *doc;
    const void *type;
    uint64_t off;
    uint32_t part, gen, index, flags;
} lathe_view;

typedef enum lathe_kind {
    LATHE_KIND_NONE = 0, /* absent: the file does not have this field */
    LATHE_KIND_NULL,     /* a reference to nothing */
    LATHE_KIND_BOOL,     /* as.b */
    LATHE_KIND_INT,      /* as.i */
    LATHE_KIND_UINT,     /* as.u */
    LATHE_KIND_REAL,     /* as.f */
    /* as.s: text or bytes, which may contain NUL; there need not be a NUL at the end */
    LATHE_KIND_STRING,
    LATHE_KIND_RECORD, /* as.v */
    LATHE_KIND_ARRAY,  /* as.v */
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
        } s; /* good until the next write to the document */
        lathe_view v;
    } as;
} lathe_value;

/* ---- callbacks and options --------------------------------------------------------------------- */

/* Receives bytes in order. Returning false stops the caller, which then fails with LATHE_ERR_IO. */
typedef bool (*lathe_sink)(void *user, const void *bytes, size_t n);

/* Nested values that the caller provides: a Lua table, parsed JSON, arguments of a verb. The library asks for what it
 * needs. Nodes are the records and arrays in it; the node NULL is the top. */
typedef struct lathe_source {
    size_t size; /* sizeof(lathe_source) */
    void *user;
    /* Looks up `name` in a record node or, if name is NULL, element `index` (from 0) of an array node. Returns false if
     * it is absent. A number or text goes to *leaf. For a record or array, leaf->kind is LATHE_KIND_RECORD or _ARRAY and
     * *child is its node, which must stay valid until the library's function returns. */
    bool (*get)(void *user, const void *node, const char *name, uint64_t index, lathe_value *leaf,
                const void **child);
    /* The number of elements of an array node. Of a record node: the number of elements without a name, or 0. */
    uint64_t (*count)(void *user, const void *node);
    /* The i-th name in a record node, or NULL past the last. May be NULL. With it, names that the schema does not know
     * are errors; without it they are ignored. */
    const char *(*name)(void *user, const void *node, uint64_t i);
} lathe_source;

/* Allocates, resizes or frees memory, like Lua's allocator: new_size 0 frees `ptr` and returns NULL; otherwise NULL means
 * that there is no memory, and `ptr` stays as it was. */
typedef void *(*lathe_alloc)(void *user, void *ptr, size_t old_size, size_t new_size);

/* Where to look for geometry that a document keeps in other files: one of path and doc is set. */
typedef struct lathe_geometry {
    const char *path; /* a geometry file, or a folder of such */
    lathe_doc *doc;   /* an open document, which may be closed before the one that uses it */
    uint32_t hash;    /* the hash of the name that it is found by … */
    bool renamed;     /* … if that is not its own name */
} lathe_geometry;

typedef struct lathe_options {
    size_t size; /* sizeof(lathe_options) */
    /* the format's name. NULL: the content decides, then the file's extension */
    const char *format;
    /* for lathe_doc_parse and _new: the file's name, for errors and for finding the format */
    const char *path;
    uint32_t history; /* how many steps lathe_edit_undo can go back; 0: none */
    /* Largest input in bytes, before and after decompression; larger ones are LATHE_ERR_LIMIT. 0: no limit for the file,
     * and 1,000 times its size for what it decompresses to, but at least 64 MB and at most 2^31 bytes. */
    uint64_t limit;
    lathe_alloc alloc; /* NULL: malloc and free */
    void *alloc_user;
    /* options of single formats (num_vertices …); used during the call only */
    const lathe_source *extra;
    /* Where to look for geometry in other files; nowhere else is searched. NULL: the document's own folder, and the one
     * above "Meshes" in its path. The files are opened when they are needed; a missing one is an error of that call. */
    const lathe_geometry *geometry;
    size_t geometry_count;
    /* The zstd dictionary that a compressed file needs, also for compressing it again. It is copied. NULL: none. */
    const void *dictionary;
    size_t dictionary_size;
    /* The document whose skeleton number skeleton_index names the bones of animations that have no names themselves. The
     * skeleton is copied: this document may change or be closed. NULL: `extra` may have it as "skeleton" (a skeleton, a
     * document or a list of bones, as in arguments of verbs). */
    lathe_doc *skeleton;
    uint32_t skeleton_index;
    /* For lathe_doc_new: told what came out otherwise than it was given, and as "bytes" how large an animation became.
     * NULL: nobody. */
    struct lathe_report *report;
} lathe_options;

typedef struct lathe_save_options {
    size_t size; /* sizeof(lathe_save_options) */
    bool backup; /* keep a file that is replaced as "path.bak" */
    /* The container of the file: "xml" or "binary", for formats that have both (lathe_doc_info). NULL: "xml" where the name
     * ends in .xml, else the document's own, which stays what it is. LATHE_ERR_NAME: there is no such container. */
    const char *as;
} lathe_save_options;

/* ---- documents --------------------------------------------------------------------------------- */

/* Compressed files. Files of any format may be compressed with zstd: that is seen by their content, and ".zs" or ".zst" at
 * the end of the name does not count for finding the format. The document stays compressed: encoding gives the bytes that
 * were read if nothing changed, else one new frame of level 19, with the dictionary and checksum if the file had them.
 * Offsets, in views and errors, are those in the decompressed content; only errors of the compression itself
 * ("zstd frame: ...") give offsets in the file. */

/* Opens a file. *doc is the caller's, to lathe_doc_close; options may be NULL. Some large files (.csg) are not read as a
 * whole: their data is read when it is needed, and then a missing, damaged or changed file is an error of that call. */
LATHE_API lathe_result lathe_doc_open(const char *path, const lathe_options *options,
                                      lathe_doc **doc, lathe_error *err);
/* The same from n bytes in memory, which are copied. */
LATHE_API lathe_result lathe_doc_parse(const void *bytes, size_t n, const lathe_options *options,
                                       lathe_doc **doc, lathe_error *err);
/* Makes a new document of a format from values with the names of the format's top record; a value that is missing gets
 * its default. fields may be NULL: an empty document. *doc is the caller's, to lathe_doc_close. LATHE_ERR_NAME: no such
 * format, or no such field; LATHE_ERR_TYPE and LATHE_ERR_RANGE: a value that its field cannot hold. */
LATHE_API lathe_result lathe_doc_new(const char *format, const lathe_source *fields,
                                     const lathe_options *options, lathe_doc **doc,
                                     lathe_error *err);
/* Gives the sink the bytes that lathe_doc_save would write. */
LATHE_API lathe_result lathe_doc_encode(lathe_doc *doc, lathe_sink sink, void *user,
                                        lathe_error *err);
/* Writes the document anew instead of preserving its layout: with the order, alignment and padding of the tools that made
 * such files, whose own output it reproduces. The sink gets it in one piece, uncompressed. `place` is a document's root, or
 * the root of a document inside of another. args (may be NULL) are like those of verbs: `game` names the game whose layout is
 * written. The document does not change. LATHE_ERR_UNSUPPORTED: the format has no such layout, or it has no place for
 * something that is there. */
LATHE_API lathe_result lathe_doc_serialize(lathe_view place, const lathe_source *args,
                                           lathe_sink sink, void *user, lathe_error *err);
/* The number of bytes that lathe_doc_encode gives; 0 if that fails. It compresses a compressed document that was changed,
 * once for each change. */
LATHE_API uint64_t lathe_doc_size(lathe_doc *doc);
/* Writes the document to `path` (NULL: where it was opened or last saved) through a temporary file in the same folder that is
 * flushed to disk and renamed. After a failure the old file is intact; only if flushing the folder fails after the rename, the
 * new file is in place, and the error says so. options may be NULL. LATHE_ERR_STATE: no path is known, or the document is in
 * use by a callback. */
LATHE_API lathe_result lathe_doc_save(lathe_doc *doc, const char *path,
                                      const lathe_save_options *options, lathe_error *err);
/* Looks for faults beyond those that opening refuses. Calls each(user, finding) for each of them until it returns false; the
 * finding is good during the call. Returns LATHE_ERR_INVALID if one of them is an error, else LATHE_OK; warnings do not
 * count. There is no `err`: the findings say it all. */
LATHE_API lathe_result lathe_doc_check(lathe_doc *doc,
                                       bool (*each)(void *user, const lathe_error *finding),
                                       void *user);
/* The same with options (may be NULL), some of which formats define: `skeleton` is what animations are compared with,
 * `tables` = true looks at nothing that is not in memory yet. */
LATHE_API lathe_result lathe_doc_check_with(lathe_doc *doc, const lathe_source *options,
                                            bool (*each)(void *user, const lathe_error *finding),
                                            void *user);
/* A fact of the document: what = "format", "game", "path", "compression" ("zstd") or "container" ("xml" or "binary", of
 * formats whose files are either). NULL if it has none. Good until the document is closed, the path until it is saved
 * elsewhere. */
LATHE_API const char *lathe_doc_info(const lathe_doc *doc, const char *what);
/* Sets how the document is encoded and saved from now on: "zstd", or NULL for uncompressed. File names have no influence.
 * Cannot be undone by lathe_edit_undo. LATHE_ERR_NAME: no such compression; LATHE_ERR_UNSUPPORTED: built without zstd. */
LATHE_API lathe_result lathe_doc_set_compression(lathe_doc *doc, const char *name,
                                                 lathe_error *err);
/* Whether lathe_doc_encode would give other bytes than were opened or last saved. */
LATHE_API bool lathe_doc_modified(const lathe_doc *doc);
/* Frees the document; its views, and texts from it, must not be used any more. NULL is fine. A document that others use
 * (lathe_options.geometry) is kept in memory until the last of them is closed. */
LATHE_API void lathe_doc_close(lathe_doc *doc);

/* ---- edits ------------------------------------------------------------------------------------- */

/* Opens an edit, which joins all writes until its end. Edits nest. A function that fails inside has undone its own work and
 * no more: the caller decides whether to go on. LATHE_ERR_STATE: the document is in use by a callback; LATHE_ERR_LIMIT: edits
 * are nested too deep. */
LATHE_API lathe_result lathe_edit_begin(lathe_doc *doc, lathe_error *err);
/* Ends the innermost edit; keep = false undoes all that happened since its begin. The end of the outermost edit encodes
 * animations that were changed: if that or the layout of the file fails, the whole edit is undone and the error says why.
 * LATHE_ERR_STATE: no edit is open. */
LATHE_API lathe_result lathe_edit_end(lathe_doc *doc, bool keep, lathe_error *err);
/* Undoes so many edits; a negative number redoes. Returns false, and changes nothing, if there are not as many, if an edit is
 * open, or if memory is short. lathe_options.history sets how many are kept. */
LATHE_API bool lathe_edit_undo(lathe_doc *doc, int steps);

/* ---- reading ----------------------------------------------------------------------------------- */

/* The top record of a document. */
LATHE_API lathe_view lathe_doc_root(lathe_doc *doc);
/* Follows a path from a record or array: names, and numbers from 1, such as "objects[2].rotation.w". Elements of keyed arrays
 * may be named by their key, quoted and escaped as in Lua: "levels[\"a\"].values[\"b\"]". From the root, a path may begin with
 * an item of the scene: "bodies[1].friction", "materials[2]", "animations[1]", "skeletons[1]", where the top record has no
 * field of that name. An empty path is the place itself. LATHE_ERR_NAME: there is no such place. */
LATHE_API lathe_result lathe_view_at(lathe_view from, const char *path, lathe_value *value,
                                     lathe_error *err);
/* The value of a field of a record; its kind is LATHE_KIND_NONE where the file does not have the field. LATHE_ERR_NAME: the
 * type has no such field; the message names the nearest one. LATHE_ERR_TYPE: the view is an array. */
LATHE_API lathe_result lathe_view_get(lathe_view view, const char *field, lathe_value *value,
                                      lathe_error *err);
/* Element i, from 0, of an array, or lane i of a vector (x is 0). LATHE_ERR_BOUNDS: there are fewer. */
LATHE_API lathe_result lathe_view_item(lathe_view array, uint64_t i, lathe_value *value,
                                       lathe_error *err);
/* What a keyed array (lathe_field_info.key) has for a key of n bytes: the element, or its field lathe_field_info.value. The
 * kind is LATHE_KIND_NONE if the key is missing. If a key is repeated, the first or the last element counts, whichever the
 * game uses; LATHE_ERR_INVALID where the game joins them. LATHE_ERR_TYPE: the array has no keys. */
LATHE_API lathe_result lathe_view_key(lathe_view array, const char *key, size_t n,
                                      lathe_value *value, lathe_error *err);
/* The number of elements of an array, or of fields of a record; 0 if the view's record was removed. */
LATHE_API uint64_t lathe_view_count(lathe_view view);
/* Whether both views show the same place. False if it was removed. */
LATHE_API bool lathe_view_same(lathe_view a, lathe_view b);
/* Writes the path from the root to the view, or to one of its fields (NULL: to the view itself), as lathe_view_at reads it.
 * The root's path is "". Returns the length of the whole text, like snprintf; 0, and "", if the record was removed. */
LATHE_API size_t lathe_view_path(lathe_view view, const char *field, char *buf, size_t cap);
/* The offset and size in bytes, in the encoded document, of a view or of one of its fields (NULL: of the view itself).
 * LATHE_ERR_NAME: the field is not stored; LATHE_ERR_UNSUPPORTED: the document's container is a text ("xml"). */
LATHE_API lathe_result lathe_view_span(lathe_view view, const char *field, uint64_t *off,
                                       uint64_t *size, lathe_error *err);
/* The innermost record that holds the byte at `off` of the encoded document. *field (field may be NULL) gets the name of the
 * field that holds it, a constant, or NULL if none does. LATHE_ERR_BOUNDS: the document is shorter; LATHE_ERR_UNSUPPORTED:
 * its container is a text ("xml"). */
LATHE_API lathe_result lathe_doc_at(lathe_doc *doc, uint64_t off, lathe_view *view,
                                    const char **field, lathe_error *err);
/* Whether the record is damaged and kept as opaque bytes: its fields are absent, and it is written as it was. *why (may be
 * NULL) gets what is wrong. False for all others. */
LATHE_API bool lathe_view_problem(lathe_view view, lathe_error *why);
/* The type of a record, such as "fzx_object", or of an array's elements; NULL if these are no records. Good until the document
 * is closed. */
LATHE_API const char *lathe_view_type(lathe_view view);

/* ---- types and fields -------------------------------------------------------------------------- */

/* Bits of lathe_field_info.flags. */
enum {
    LATHE_FIELD_ARRAY = 1 << 0,
    /* cannot be set: it follows from other fields or from the file's size */
    LATHE_FIELD_READONLY = 1 << 1,
    LATHE_FIELD_COMPUTED = 1 << 2,  /* not stored: computed from other fields */
    LATHE_FIELD_RESIZABLE = 1 << 3, /* elements can be inserted and removed */
    LATHE_FIELD_PADDING = 1 << 4,   /* to be shown only where it differs from its default */
    LATHE_FIELD_FLAGS = 1 << 5,     /* an integer whose bits have names */
    LATHE_FIELD_ENUM = 1 << 6,      /* an integer whose values have names */
    LATHE_FIELD_REF = 1 << 7,       /* a reference to a record elsewhere in the document */
    /* Container bookkeeping: readable by name; left out of listings, copies and comparisons. */
    LATHE_FIELD_INSIDE = 1 << 8,
    /* computed, but copied like stored fields: no other field holds the information */
    LATHE_FIELD_COPIED = 1 << 9,
    LATHE_FIELD_COUNT = 1 << 10, /* the number of elements of other fields */
    /* a version with a byte for each number: 0x14020007 is 20.2.0.7 */
    LATHE_FIELD_VERSION = 1 << 11,
    LATHE_FIELD_OWN = 1 << 12 /* its record type is described by the document itself */
};

/* A value of an enumeration, or a bit of a flag set. */
typedef struct lathe_named {
    const char *name;
    int64_t value;
} lathe_named;

/* What the schema says of a field. Texts and names are constants; for types that the document describes itself
 * (lathe_doc_type) they are good until it is closed. */
typedef struct lathe_field_info {
    size_t size;              /* set by the caller: sizeof(lathe_field_info) */
    const char *name;         /* in snake_case */
    const char *original;     /* the name in the format's reference; NULL: the same */
    const char *type;         /* "u16", "f32", "str32" …, or the name of a record type */
    const char *unit;         /* or NULL */
    const char *doc;          /* one line */
    lathe_kind kind;          /* the kind that reading gives; for an array, that of an element */
    uint32_t flags;           /* LATHE_FIELD_* */
    double min, max;          /* limits of a number; min > max: only those of its type */
    const lathe_named *names; /* of an enumeration or flag set; NULL: none */
    uint32_t names_count;
    /* in bytes from the start of the record; LATHE_NO_OFFSET: not the same in all records */
    uint64_t offset, span;
    const char *key; /* of a keyed array: the text field that is the key; else NULL */
    /* of a keyed array: the field that is the value; NULL: the whole element is */
    const char *value;
    /* Of an array with elements of several types: the name that holds an element's type in tables and JSON; else NULL. */
    const char *tag;
    /* of a number: the field of the same record that shows it by name; or NULL */
    const char *shown_by;
} lathe_field_info;

/* Describes field number `field`, from 0, of a record's type; of an array, field 0 is its element. Returns false, with *info
 * untouched, past the last one. */
LATHE_API bool lathe_view_describe(lathe_view view, uint64_t field, lathe_field_info *info);
/* The same of a record type by name, without a document. Also false if there is no such type. */
LATHE_API bool lathe_type_describe(const char *type, uint64_t field, lathe_field_info *info);
/* The same of a type by name as a document knows it: one that it describes itself, else one of its format, else any. */
LATHE_API bool lathe_doc_type_describe(lathe_doc *doc, const char *type, uint64_t field,
                                       lathe_field_info *info);
/* The name of record type number i, from 0, of those that the document describes itself; NULL past the last. Good until the
 * document is closed. Another document may have another type of the same name. */
LATHE_API const char *lathe_doc_type(lathe_doc *doc, uint64_t i);

/* ---- writing ----------------------------------------------------------------------------------- */

/* Each of these functions is one edit, which also updates counts, offsets and sizes that follow. Errors that all have:
 * LATHE_ERR_NAME and LATHE_ERR_BOUNDS: no such field or element; LATHE_ERR_TYPE: a value or view of the wrong kind;
 * LATHE_ERR_RANGE: a value that does not fit; LATHE_ERR_READONLY: a field that follows from others; LATHE_ERR_STATE: the
 * document is in use by a callback. */

/* Sets a field to a number or text, or to a copy of a record or array of the same type in any document. For a reference
 * (LATHE_FIELD_REF) a view is what it refers to, and LATHE_KIND_NULL nothing. */
LATHE_API lathe_result lathe_view_set(lathe_view view, const char *field, const lathe_value *value,
                                      lathe_error *err);
/* The same for element i, from 0, of an array, or lane i of a vector. */
LATHE_API lathe_result lathe_view_set_item(lathe_view array, uint64_t i, const lathe_value *value,
                                           lathe_error *err);
/* Sets a whole record or array. Fields of a record that the source does not have keep their values; an array gets as many
 * elements as the source has. */
LATHE_API lathe_result lathe_view_build(lathe_view view, const lathe_source *source,
                                        lathe_error *err);
/* Sets element i, from 0, of an array as a whole. For a pointer (LATHE_FIELD_REF) it makes the object that the pointer
 * leads to, like a nested source of a pointer field in lathe_view_build: its field `type` tells the class, which may be left
 * out where objects of the field's own class exist. LATHE_ERR_INVALID: it is needed. */
LATHE_API lathe_result lathe_view_build_item(lathe_view array, uint64_t i,
                                             const lathe_source *source, lathe_error *err);
/* Inserts n elements with default values before element i, from 0; i may be the number of elements. LATHE_ERR_READONLY: the
 * length of the array is fixed, or follows from others; LATHE_ERR_RANGE: its count cannot be as large. */
LATHE_API lathe_result lathe_view_insert(lathe_view array, uint64_t i, uint64_t n,
                                         lathe_error *err);
/* Removes n elements from element i on. Views of what they held fail with LATHE_ERR_REMOVED from now on. */
LATHE_API lathe_result lathe_view_remove(lathe_view array, uint64_t i, uint64_t n,
                                         lathe_error *err);
/* Appends a copy of an object of this or another document of the format, with all objects that it leads to, and gives a
 * view of the copy. Pointers in the copies lead to the copies; an object that several lead to is copied once. Only `objects`
 * of packfiles do this. LATHE_ERR_UNSUPPORTED: another array, files of versions with other classes, or an object that is not
 * described in a file of another layout. *out is unchanged on failure. */
LATHE_API lathe_result lathe_view_copy(lathe_view array, lathe_view object, lathe_view *out,
                                       lathe_error *err);
/* Moves element `from` so that it becomes element `to`, both from 0; those in between move up or down by one. References to
 * the elements by number are updated, and views stay with their elements. LATHE_ERR_UNSUPPORTED: elements of this array cannot
 * be moved. */
LATHE_API lathe_result lathe_view_move(lathe_view array, uint64_t from, uint64_t to,
                                       lathe_error *err);

/* ---- arrays of numbers ------------------------------------------------------------------------- */

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

/* Copies the elements from .. from + n of an array of numbers, of vectors, or of records of fixed size into `to`, each number
 * converted to `elem`. `member` names a field of the elements; NULL: the element itself. The numbers of a vector lie side by
 * side. Each element begins `stride` bytes after the one before; 0: right behind it. LATHE_ERR_BOUNDS: there are fewer
 * elements; LATHE_ERR_TYPE: they are no numbers. */
LATHE_API lathe_result lathe_view_read(lathe_view array, const char *member, uint64_t from,
                                       uint64_t n, lathe_elem elem, void *to, size_t stride,
                                       lathe_error *err);
/* The reverse, in one edit. LATHE_ERR_RANGE: a number does not fit. A computed array with the flag LATHE_FIELD_INSIDE (the
 * positions of a shape in a NIF) is written as a whole: `from` is 0, and n may be more or fewer elements than before. */
LATHE_API lathe_result lathe_view_write(lathe_view array, const char *member, uint64_t from,
                                        uint64_t n, lathe_elem elem, const void *bytes,
                                        size_t stride, lathe_error *err);
/* How many numbers lathe_view_read copies for each element (3 for a vec3), and in *elem the type that holds them as they are;
 * 0, with *elem untouched, if the elements are no numbers. */
LATHE_API uint32_t lathe_view_lanes(lathe_view array, const char *member, lathe_elem *elem);

/* ---- encoding animations ----------------------------------------------------------------------- */

/* Reading glTF, .obj and .csv, and writing these, are functions of the Lua module: lathe.import, lathe.export. */

enum { LATHE_POSE = 10 }; /* floats of a row: translation 3, rotation x y z w, scale 3 */

/* Bits of a rotation, in formats that compress. */
typedef enum lathe_quantization {
    /* 40; more where that cannot meet the tolerance */
    LATHE_QUANTIZE_DEFAULT = 0,
    LATHE_QUANTIZE_32 = 32,
    LATHE_QUANTIZE_40 = 40,
    LATHE_QUANTIZE_48 = 48,
    LATHE_QUANTIZE_NONE = 128
} lathe_quantization;

typedef struct lathe_encode_options {
    size_t size; /* sizeof(lathe_encode_options) */
    lathe_quantization quantization;
    /* Tolerances: how far the encoded animation may be from the samples, at every frame. Translations in units, rotations in
     * radians, scales as ratios, values of float tracks. */
    double translation, rotation, scale, value;
    /* The same for each track in place of these; NULL: none. */
    const double *translations, *rotations, *scales;
    uint32_t max_frames_per_block; /* of splines: 2 to 256 */
} lathe_encode_options;

typedef struct lathe_encode_report {
    size_t size;                         /* sizeof(lathe_encode_report) */
    double translation, rotation, scale; /* largest errors, measured on the encoded bytes */
} lathe_encode_report;

/* Replaces all samples of an animation, compressed if its format does that. `clip` is the record of the animation, such as an
 * hkaSplineCompressedAnimation or the root of an .anm. `samples` are `floats` numbers: LATHE_POSE for each track of each frame,
 * frame after frame. The animation gets as many frames as there are samples for; the time between two stays. options and
 * report may be NULL. One edit. LATHE_ERR_INVALID: the wrong number of samples, one that is not finite, or a rotation of
 * zeros; LATHE_ERR_RANGE: the tolerances cannot be met. */
LATHE_API lathe_result lathe_clip_encode(lathe_view clip, const float *samples, uint64_t floats,
                                         const lathe_encode_options *options,
                                         lathe_encode_report *report, lathe_error *err);

/* ---- the scene: what a document holds, whatever its format ------------------------------------- */

/* Meshes, skeletons, animations, materials and bodies of any format, and what a behavior graph has, in lists. Items are
 * numbered from 0, in the order of the file; the numbers change when the document does. A number past the last one is
 * LATHE_ERR_NAME. */
typedef enum lathe_list {
    LATHE_MESHES = 0, /* geometry that is drawn */
    LATHE_COLLISION,  /* meshes of collision shapes */
    LATHE_SKELETONS,
    LATHE_ANIMATIONS,
    LATHE_MATERIALS,
    LATHE_BODIES,    /* of collision */
    LATHE_GRAPHS,    /* behavior graphs; the lists below are those of the first one */
    LATHE_EVENTS,    /* the number is the event's id, as the file stores it */
    LATHE_VARIABLES, /* likewise */
    LATHE_STATES,    /* of all state machines, machine after machine */
    LATHE_TRANSITIONS,
    LATHE_CLIP_GENERATORS,
    LATHE_ANIMATION_FILES, /* animations that a character or project lists, whether there is a graph or not */
    LATHE_LIST_COUNT
} lathe_list;

/* Whether documents of the format can have items in the list. */
LATHE_API bool lathe_format_has(const lathe_format *format, lathe_list list);
/* Puts the number of items into *n: 0 where the format has no such list. */
LATHE_API lathe_result lathe_list_count(lathe_doc *doc, lathe_list list, uint64_t *n,
                                        lathe_error *err);
/* The record that stores the item; of an animation file the record that lists it. LATHE_ERR_TYPE for meshes, which are
 * computed from several records. */
LATHE_API lathe_result lathe_list_item(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                                       lathe_error *err);
/* The name of an item of the lists from LATHE_GRAPHS on, valid until the next write to the document; its kind is
 * LATHE_KIND_NONE where it has none. LATHE_ERR_TYPE for other lists. */
LATHE_API lathe_result lathe_list_name(lathe_doc *doc, lathe_list list, uint64_t i,
                                       lathe_value *name, lathe_error *err);
/* The number of the first item with a name, `n` bytes at `name`, in the lists from LATHE_GRAPHS on. A state may be named
 * machine/state. LATHE_ERR_NAME: there is none, with the nearest name, or several machines have such a state. LATHE_ERR_TYPE
 * for other lists. */
LATHE_API lathe_result lathe_list_find(lathe_doc *doc, lathe_list list, const char *name, size_t n,
                                       uint64_t *i, lathe_error *err);
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
    /* from the mesh's space to the document's, column after column */
    double transform[16];
    bool z_up; /* in the document's space z points up; else y does */
    /* texture coordinate v is 0 at the bottom of the image; else at its top */
    bool v_up;
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
    /* the same number, from 1, for all places of one geometry; 0: it is drawn once */
    uint64_t object;
    const char *path;                   /* the place in the document that draws it, or NULL */
    bool has_source;                    /* the geometry is in a file that documents share: */
    uint32_t file_hash, offset_in_file; /* the hash of its name, and the offset in it */
    /* Why the mesh is not drawn, and so has no vertices; NULL: it is drawn. */
    const char *left_out;
    bool unreadable; /* left_out says why it could not be read, path where */
    /* where the game's characters look to in the document's space, of length 1; zeros: unknown */
    double front[3];
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
    /* 4: x, y, z along u, then w, 1 or -1: cross(normal, tangent) * w points up the image */
    LATHE_MESH_TANGENTS,
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
    /* inverse bind matrix: from the mesh's space to the joint's; column after column */
    double bind[16];
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
/* The number, in place of a skeleton's, of the nodes of the document's scene, which place its meshes or are the bones of other
 * files. They are not in the list of skeletons. LATHE_ERR_NAME: the format has none. */
#define LATHE_NODES (UINT32_MAX - 1)

typedef struct lathe_skeleton_info {
    size_t size;       /* set by the caller: sizeof(lathe_skeleton_info) */
    const char *name;  /* or NULL; until the next write */
    lathe_view source; /* the record that it is read from; .doc is NULL where it is none */
    uint64_t bones;
    uint64_t slots;  /* names of numbers that are animated beside bones */
    bool has_slots;  /* the format has such, if perhaps none here */
    bool z_up;       /* z points up; else y does */
    double metres;   /* length of one unit; 0: unknown */
    double front[3]; /* where the game's characters look to, as lathe_mesh_info.front */
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
    /* `at` is in seconds from the start, and clamped to the duration; else a frame, which may lie between two */
    bool by_time;
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
/* floats of a row of root motion: x, y, z, and the angle about the up axis in radians */
enum { LATHE_MOTION = 4 };
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
    /* the record that stores it; .doc is NULL where there is none. Not read by _set and _add */
    lathe_view source;
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

/* ---- verbs ------------------------------------------------------------------------------------- */

/* Verbs are the operations that formats offer by name, such as "scale" or "mirror": the same, with the same arguments, as
 * methods in Lua and commands of the shell. */

/* What a verb tells its caller. The callbacks may be NULL. What they are given is good during the call. */
typedef struct lathe_report {
    size_t size; /* sizeof(lathe_report) */
    /* how many things were changed; lathe_verb_info.counts says what is counted */
    uint64_t changed;
    void *user;
    /* A place that was left as it is, and why. */
    void (*skipped)(void *user, const char *path, const char *reason);
    /* A result of a query, or what a change tells besides. A name that comes several times is a list. Of changes, "warnings"
     * and "notes" are texts; notes say why nothing changed, or what may be unexpected. */
    void (*result)(void *user, const char *name, const lathe_value *value);
} lathe_report;

/* Calls a verb of a record or, with the root, of a document. args and report may be NULL. A verb that changes the document is
 * one edit. LATHE_ERR_NAME: there is no such verb, or args.name has a name that it does not take; LATHE_ERR_TYPE: an argument
 * is missing or of the wrong kind; LATHE_ERR_RANGE: a text that is none of its values; and what the verb itself refuses. */
LATHE_API lathe_result lathe_view_call(lathe_view view, const char *verb, const lathe_source *args,
                                       lathe_report *report, lathe_error *err);

/* What an argument of a verb takes. */
typedef enum lathe_param_kind {
    LATHE_PARAM_ANY = 0,
    LATHE_PARAM_NUMBER,
    LATHE_PARAM_INTEGER, /* also a real number without a fraction */
    LATHE_PARAM_TEXT,
    LATHE_PARAM_BOOLEAN,
    /* a skeleton (lathe_list_value), a document: its first one, or a list of bones */
    LATHE_PARAM_SKELETON,
    LATHE_PARAM_NUMBERS, /* a number, or three of them: one for each axis */
    LATHE_PARAM_CLIP,    /* an animation (lathe_list_value), or a document: its first one */
    LATHE_PARAM_COUNT
} lathe_param_kind;

typedef struct lathe_param {
    const char *name, *doc; /* doc: one line */
    const char *unit;       /* or NULL */
    lathe_param_kind kind;
    /* the words that a text may be, NULL-terminated; NULL: any text */
    const char *const *values;
    bool positional; /* in Lua it may be given without its name; these come first */
    bool needed;
} lathe_param;

/* What the schema says of a verb. All of it is constant. */
typedef struct lathe_verb_info {
    size_t size; /* set by the caller: sizeof(lathe_verb_info) */
    const char *name, *doc;
    const char *type;                 /* the record type that has it; NULL: the document */
    bool query;                       /* it answers through report->result and changes nothing */
    const lathe_param *const *params; /* NULL-terminated; NULL: none */
    bool single;                      /* of a query: there is at most one result */
    bool list;                        /* of a query: all results have one name */
    /* what report->changed counts, such as "pose"; NULL: changes */
    const char *counts;
} lathe_verb_info;

/* ---- pictures ---------------------------------------------------------------------------------- */

/* What a picture shows. */
typedef enum lathe_preview_what {
    /* The first that applies: curves, if options.track is set; a strip of poses (one pose, if options.at is set and
     * options.frames is not), if options.clip is set, or the document has clips and either no meshes or options.frames is set;
     * a cell from above, if objects are placed in it many times; meshes with the collision over them; the skeleton. */
    LATHE_PREVIEW_AUTO = 0,
    LATHE_PREVIEW_MESHES,    /* meshes alone */
    LATHE_PREVIEW_COLLISION, /* collision shapes alone */
    LATHE_PREVIEW_SKELETON,
    LATHE_PREVIEW_POSE,  /* a skinned mesh, or a skeleton, in the pose of a clip */
    LATHE_PREVIEW_STRIP, /* poses of a clip side by side */
    LATHE_PREVIEW_TRACK, /* curves of a track of a clip over time */
    LATHE_PREVIEW_CELL,  /* placed objects from above */
    LATHE_PREVIEW_WHAT_COUNT
} lathe_preview_what;

typedef enum lathe_preview_view {
    LATHE_PREVIEW_ISO = 0, /* from the front, and from the viewer's right and above */
    LATHE_PREVIEW_FRONT,   /* the side to which the game's characters look, whatever the axes */
    LATHE_PREVIEW_SIDE,    /* the front is on the left of the picture */
    LATHE_PREVIEW_TOP,     /* from above; the front is at the bottom of the picture */
    LATHE_PREVIEW_VIEW_COUNT
} lathe_preview_view;

typedef struct lathe_preview_document {
    lathe_doc *doc;   /* NULL: lathe_preview_options.open opens it when it is drawn */
    const char *name; /* stands in the title or under its cell; NULL: that of its file */
} lathe_preview_document;

/* Triangles of one picture (of a sheet: of one cell) that are drawn unless the options say otherwise. One of collision counts
 * as three, because it is drawn with its edges. */
enum { LATHE_PREVIEW_TRIANGLES = 5000000 };

/* Everything zero but size means defaults. */
typedef struct lathe_preview_options {
    size_t size; /* set by the caller: sizeof(lathe_preview_options) */
    bool svg;    /* SVG; else PNG */
    uint32_t width,
        height; /* pixels; 0: 1024 x 768; sides from 64 to 16,384, at most 2^24 pixels in all */
    lathe_preview_what what;
    lathe_preview_view view;
    /* What fills the picture: "mesh", "collision", "skeleton", or the name of a mesh or bone. NULL: all that is drawn. */
    const char *fit;
    const char *title; /* NULL: the documents' names */
    bool names;        /* of bones */
    /* Drawn on the right of the only document from the same place, with what differs between the two marked (triangles, bones)
     * and counted in notes; or NULL. Curves of a track are drawn over those of the other clip of the same index, and notes tell
     * the greatest differences. Its `doc` must be open. Not with a strip: LATHE_ERR_UNSUPPORTED. */
    const lathe_preview_document *against;
    /* For poses, strips and tracks: where clip, skeleton and skinned mesh come from. NULL: from the document itself. */
    lathe_doc *clip, *skeleton, *mesh;
    uint32_t clip_index, skeleton_index;
    uint32_t frames; /* poses of a strip, evenly spaced; 0: 6 */
    bool by_time; /* of a pose: `at` is in seconds, clamped to the duration; else it is a frame */
    double at;
    const char *track; /* the bone or slot whose curves are drawn */
    /* Opens document number i when its cell is drawn; with `close` (may be NULL) it is closed right after. A failure is told in
     * the cell and in the report. */
    lathe_result (*open)(void *user, size_t i, lathe_doc **doc, lathe_error *err);
    void (*close)(void *user, size_t i, lathe_doc *doc);
    /* Gives the bytes of a texture (DDS) by its path as stored; they must stay valid until the next call. After a failure the
     * mesh is drawn without it, and the report says so. NULL: without textures. */
    lathe_result (*texture)(void *user, const char *path, const void **bytes, size_t *n,
                            lathe_error *err);
    void *user;         /* of these three */
    uint64_t triangles; /* the most that one cell draws; 0: LATHE_PREVIEW_TRIANGLES */
    lathe_alloc alloc;  /* for all but the documents' own memory; NULL: malloc and free */
    void *alloc_user;
    /* For poses: a model whose nodes carry bones of skinned meshes that the skeleton lacks, such as skeleton.nif of Fallout 4.
     * They move with the nearest of their parents that the skeleton has. NULL: the nodes of the mesh's own document alone. */
    lathe_doc *nodes;
} lathe_preview_options;

/* Draws documents, several of them as a sheet of cells, and hands the file to the sink piece by piece. The same documents and
 * options give the same pixels on every machine. options and report may be NULL. report->result gets "width", "height" and
 * "triangles" (drawn), and texts as "notes": what the picture guessed or shows otherwise than asked for; report->skipped what
 * was left out and why. One document that cannot be drawn is an error, one of several a cell with its text.
 * LATHE_ERR_NAME: nothing is named as `fit`, `track` or an index says, with the nearest name; or the document has nothing of
 * that kind; LATHE_ERR_STATE: a clip without a skeleton; LATHE_ERR_RANGE: a size outside of the limits, an unknown
 * kind or view; LATHE_ERR_LIMIT: a picture of too many pixels.
 * Memory: about 250 bytes for each triangle, 30 bytes for each pixel, and 90 MB for textures, besides what documents take. */
LATHE_API lathe_result lathe_preview(const lathe_preview_document *documents, size_t n,
                                     const lathe_preview_options *options, lathe_sink sink,
                                     void *user, lathe_report *report, lathe_error *err);

/* ---- formats and the library ------------------------------------------------------------------- */

/* All formats: a constant array of *n pointers. */
LATHE_API const lathe_format *const *lathe_formats(size_t *n);
typedef struct lathe_format_info {
    size_t size; /* set by the caller: sizeof(lathe_format_info) */
    const char *name, *doc;
    const char *type;              /* the type of the top record */
    const char *const *extensions; /* NULL-terminated, without dots */
    const char *const *games;      /* NULL-terminated */
    /* What a file is compared with that lies beside it, NULL-terminated: "skeleton" and "corners" (of a model), which
     * are options of lathe_doc_check_with, "bones" (the names of a skeleton's). NULL: nothing. */
    const char *const *compared_with;
    /* Containers that its files may be of (lathe_doc_info), NULL-terminated: the first one is that of its extensions, and
     * names of files of another one end in its name. NULL: there is but one. */
    const char *const *containers;
} lathe_format_info;
LATHE_API void lathe_format_describe(const lathe_format *format, lathe_format_info *info);

/* The name of record type number i, from 0, of those that no field leads to, such as the types of objects in an array of
 * several types; NULL past the last. */
LATHE_API const char *lathe_format_type(const lathe_format *format, size_t i);

/* The name of the i-th thing, from 0, that can be done with documents of the format: "open", "save", "new", "check", lists of
 * the scene ("meshes"), "serialize", verbs; NULL past the last. */
LATHE_API const char *lathe_format_verb(const lathe_format *format, size_t i);
/* Describes verb number i, from 0, of those that lathe_view_call can call. False, with *info untouched, past the last. */
LATHE_API bool lathe_verb_describe(const lathe_format *format, size_t i, lathe_verb_info *info);

/* Known name number i, from 0, of collision materials of Skyrim and later games, which store hashes of names; NULL past the
 * last. Mods may define others. */
LATHE_API const char *lathe_material_name(size_t i);

/* The version of the library that is running, as LATHE_VERSION is that of this header. */
LATHE_API const char *lathe_version(void);
/* Frees memory that a function says is to be freed with this. NULL is fine. */
LATHE_API void lathe_free(lathe_doc *doc, void *bytes);

#ifdef __cplusplus
}
#endif
#endif
