/* Documents, containers, parts, and the journal of edits (doc.c, part.c). A part of record.h. */
#ifndef LATHE_RECORD_DOC_H
#define LATHE_RECORD_DOC_H

#include "base/bytes.h"
#include "base/mem.h"
#include "record/layout.h"

#define REC_NO_PART UINT32_MAX

/* One replacement of bytes that changed the length of a part. Older views replay it. */
typedef struct rec_cut {
    uint64_t at, removed, inserted;
    uint32_t skip; /* after a rollback: a view that is older than the edit continues at this cut */
} rec_cut;

typedef struct rec_part {
    uint8_t *data; /* borrowed from the input until the part is owned */
    uint64_t size, cap;
    uint64_t start;         /* in its container; valid while the container is placed */
    const rec_layout *root; /* the record at offset 0 */
    rec_cut *log;
    /* pending: cuts of the open edit, for which capacity is reserved */
    size_t log_n, log_cap, pending;
    uint32_t *kids; /* child parts in order */
    size_t kids_n, kids_cap;
    uint32_t owner, slot; /* the part and row that it is attached to; REC_NO_PART: none */
    uint32_t container;
    uint32_t hint; /* last known position among its siblings */
    uint32_t stamp;
    /* number, from 1, of the last journal entry for this part, if that entry is still there */
    uint32_t edited;
    uint32_t upper; /* number of the scene's object for this part while an edit is open; 0: none */
    /* a number that the format derived from the bytes; reset to 0 when they change */
    uint64_t memo;
    bool owned, alive, scratch;
    /* outside of the tree and of the encoded file: bytes of the container that the format encodes itself */
    bool hidden;
    bool to_tidy; /* lengths in it changed: it is tidied up when the edit ends */
    /* The state of out-of-line data, which the .tidy hook determines: padded like the format's own tools do, padded
     * otherwise, or overlapping. */
    enum { PART_UNTRIED = 0, PART_TIDY, PART_UNTIDY, PART_TANGLED } tidy;
    /* of a part on a REC_LAZY row */
    enum { PART_PLAIN = 0, PART_UNPARSED, PART_PARSING, PART_OPAQUE } state;
    const lathe_error *problem; /* why it is opaque */
    const char *label;          /* set by the format: the type name of a polymorphic element */
} rec_part;

/* A row whose properties depend on the record, with those that it has for one argument. */
typedef struct rec_variant {
    const rec_layout *layout;
    uint32_t slot;
    uint64_t arg;
    rec_slot as;
} rec_variant;

/* `make plain` builds the tests with LATHE_FORGETS: every change drops all caches, and there are no indexes and
 * cached offsets. */
#ifdef LATHE_FORGETS
enum { REC_FORGETS = 1 };
#else
enum { REC_FORGETS = 0 };
#endif

/* A kind of data that a format computes from a container and caches. Its address is the key. The cached struct begins
 * with a rec_cached. */
typedef struct rec_cached rec_cached;
typedef struct rec_cache {
    /* Survives changes, because its owner updates it (recent.h). Otherwise any change drops it, also one of the
     * places of parts in memory, since it may contain pointers into them. */
    bool lasts;
    void (*release)(lathe_doc *doc, rec_cached *what);
} rec_cache;

struct rec_cached {
    rec_cached *next; /* of the same container */
    const rec_cache *cache;
    uint64_t at; /* value of doc->changes when it was stored */
};

typedef struct rec_container {
    const lathe_format *format;
    uint32_t root;  /* its first part */
    uint32_t outer; /* the enclosing container, or UINT32_MAX */
    uint64_t start; /* in the enclosing container; valid while that one is placed … */
    uint64_t whole; /* … and the size of all its bytes; valid while it is placed itself */
    /* `start` of its parts is up to date: no part was added, removed or resized since */
    bool placed;
    int64_t version; /* for .since and .before; journaled: rec_set_version */
    /* a parameter that the file does not store, such as a solved count; journaled: rec_set_param */
    int64_t param;
    bool big;
    uint8_t pointer; /* width of a pointer in bytes: 4 or 8 */
    bool dirty;      /* a length changed since the last relayout */
    /* a length changed in a nested edit: the outermost edit calls .relayout again when it ends */
    bool dirty_inside;
    bool index_stale; /* something was undone since the index was made */
    void *index;      /* the format's index of its tables: one block of the document's memory */
    size_t index_size;
    rec_cached *cached;   /* rec_cache_put */
    rec_layout **layouts; /* hashed by type and argument */
    size_t layouts_n, layouts_cap, layouts_begun;
    rec_variant **variants; /* hashed by layout, slot and argument */
    size_t variants_n, variants_cap;
} rec_container;

/* A replacement of bytes in a part. Both lengths 0: the part, or a part in it, was added or removed. part
 * REC_NO_PART: anything may have changed. */
typedef struct rec_change {
    uint32_t part;
    uint64_t at, removed, inserted;
} rec_change;

enum { REC_RECENT = 64 }; /* number of remembered changes */

typedef struct rec_edit { /* one reversible change */
    enum {
        EDIT_BYTES,
        EDIT_SHIFT,
        EDIT_PART_ADD,
        EDIT_PART_REMOVE,
        EDIT_ORDER,
        EDIT_VERSION,
        EDIT_PARAM,
        EDIT_SWAP,
        EDIT_UPPER, /* a change of the scene (upper.h), while the edit is open … */
        EDIT_NONE   /* … later none: the bytes written for it have entries of their own */
    } kind;
    uint32_t part;       /* or a container */
    uint32_t log_index;  /* of the cut, if the length changed */
    uint32_t owner, pos; /* of EDIT_PART_*, EDIT_ORDER; of EDIT_UPPER: data of the scene */
    uint32_t earlier;    /* number, from 1, of the previous entry for the same part; 0: none */
    uint64_t at, removed, inserted;
    /* offset in the journal's data: removed bytes, a shift, or the parts in their old order */
    size_t data;
} rec_edit;

/* An addition of `by` to all stored positions of a run that are at least `from`. No position points into the range
 * that a negative `by` removes. */
typedef struct rec_shift {
    uint64_t site, stride, count;
    uint64_t from, by; /* by: may be negative, modulo 2^64 */
    uint64_t below;    /* positions from this value on are unchanged; 0: no limit */
    uint32_t width;
} rec_shift;

typedef struct rec_journal {
    rec_edit *edits;
    size_t n, cap;
    buf data;
    uint64_t state; /* the document's state before the edit */
} rec_journal;

typedef struct rec_derived { /* a .derive row that was compared with its record before the edit */
    lathe_view view;
    uint32_t slot, depth; /* depth: nesting from the document's root, through all parts; never 0 */
    bool agreed;
} rec_derived;

/* Tables of numbers given for a record of a new document. They are set once the document is open. */
typedef struct rec_pending {
    const lathe_source *source;
    const void *node;
    uint64_t later;   /* rec_from.later */
    const char *path; /* of the record */
} rec_pending;

typedef struct rec_opener rec_opener; /* companions.h */
typedef struct rec_trail rec_trail;   /* record.h */
typedef struct rec_offset_cache
    rec_offset_cache; /* known offsets of a recently walked record or array: offset_cache.c */

struct lathe_doc {
    mem mem;
    arena arena;
    char *path;
    size_t path_size;
    const lathe_source *extra; /* only while opening or checking: see rec_option */
    /* only while opening a document that was just made: container parameter from its maker */
    const int64_t *param;
    /* the bytes that parts borrow: the file, or with .head its beginning */
    uint8_t *input;
    size_t input_size;
    /* companion files (companions.h). NULL: none given or opened */
    struct rec_companions *companions;
    struct scene_state *scene; /* data of the scene (upper.h). NULL: none */
    const rec_opener *opener;  /* how companions are opened; NULL: like any file */
    /* number of users besides the one who opened it, such as other documents */
    uint32_t holders;
    bool has_own; /* some container describes its own types */
    /* with .head: the open file from which the rest is read. NULL: `input` has all of it */
    struct os_file *file;
    uint64_t head_size; /* with .head: bytes of `input` that became parts */
    /* compressed.h. NULL: not compressed, and compression was not requested */
    struct rec_compressed *compressed;
    struct rec_formed
        *formed; /* form.h. NULL: the file is of the first form, and nobody asked for the other */
    rec_part *parts;
    size_t parts_n, parts_cap;
    rec_container *containers;
    size_t containers_n, containers_cap;
    uint32_t *order; /* all parts in file order */
    size_t order_n, order_cap;
    uint64_t size; /* size of the encoded document, valid like the places of its parts */
    /* While all elements of a row are copied from that document: its references mean the same here. */
    const lathe_doc *copied_from;
    /* records that are being made or measured, innermost first; NULL: none */
    const rec_trail *trail;
    int single_copies; /* >0: a single element is being copied from elsewhere, outside of an edit */
    int making; /* >0: how many targets of references are being made, one inside of the other */
    bool order_good, relaying;
    /* >0: an embedded document is being split into parts; lengths of enclosing parts do not change */
    int opening;
    bool only_text; /* the current cut is in a text: cached offsets behind it move along */
    /* the current cut is for elements of an array (offset_cache.h); NULL: it is not */
    const struct rec_resizing *resizing;
    int changing; /* >0: inside a change of several splices, for which .derive rows were noted */
    int held_at;  /* value of `changing` when the first positions were held; 0: none (cut.c) */
    buf held;     /* stored positions that move with the change */
    rec_offset_cache *offset_cache;
    struct rec_indexes *indexes; /* index.h. NULL: no index was needed yet */
    /* the row after the one that was last found by name, where the next search starts */
    uint32_t next_row;
    rec_journal journal;     /* of the open edit */
    size_t marks[REC_DEPTH]; /* journal length at the start of each open edit */
    int depth;
    rec_journal *undo, *redo;
    size_t undo_n, undo_cap, redo_n, redo_cap;
    /* documents whose edits end together with this one's: rec_join */
    lathe_doc *followers;
    lathe_doc *next_follower, *leader; /* of such a document */
    /* the number of its leader's open edits that have an edit here */
    int joined;
    uint32_t history, stamp;
    uint64_t state, saved, next_state;
    uint64_t changes; /* incremented by every change of bytes, parts or their place in memory */
    rec_change recent[REC_RECENT]; /* the last changes: recent.h */
    uint64_t recent_n, recent_read;
    rec_derived *derived;
    /* count at the start of each open edit */
    size_t derived_n, derived_cap, derived_marks[REC_DEPTH];
    /* one could not be noted for lack of memory */
    bool derived_lost;
    /* a row's properties in some record could not be computed for lack of memory: rec_variant_of */
    bool variant_lost;
    uint32_t *by_place; /* `derived` sorted by part, row and offset, an order that cuts preserve */
    size_t by_place_n, by_place_cap;
    bool by_place_stale; /* has to be sorted */
    size_t laid;         /* journal length at the last relayout of the open edit */
    /* report of the running verb, to which the end of its edit may add. NULL: none */
    lathe_report *verb_report;
    buf *pending; /* list of rec_pending while a document is made; else NULL */
    buf text;     /* text returned by computed fields */
};

rec_part *rec_part_of(lathe_doc *doc, uint32_t part);
/* The layout of the record that a part begins with, determined on first use. NULL: there is none, or memory is
 * short. */
const rec_layout *rec_part_root(lathe_doc *doc, uint32_t part);
/* Updates `start` of all parts and doc->size in containers where an edit made them stale. False: no memory. */
bool rec_places(lathe_doc *doc);
/* The same, and doc->order. */
bool rec_order(lathe_doc *doc);
/* Marks the places in a container as stale, because a part was added, removed or resized. */
void rec_displace(lathe_doc *doc, uint32_t container);
void rec_displace_all(lathe_doc *doc);
/* Opening only: makes the bytes of `part` from `at` on a child part on row `slot`, in front of the children that were
 * split off before. So a format splits from the back. */
lathe_result rec_split(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot,
                       const rec_type *root, uint32_t *child, lathe_error *err);
/* Opening only: makes a part of each of the n records, of the type of row `slot`, that follow each other from `at`
 * on. *end: where the last one ended. */
lathe_result rec_split_run(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t n,
                           uint64_t *end, lathe_error *err);
/* Opening only: the same for a REC_LAZY row, whose elements have the given sizes. Their types are determined on first
 * access (.part_type). */
lathe_result rec_split_sizes(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t n,
                             uint64_t (*size_of)(void *user, uint64_t i), void *user, uint64_t *end,
                             lathe_error *err);
/* Opening only: makes `size` bytes at `at` the next part on a row, with the given root layout. NULL: an embedded
 * document that is opened on first access (.embed). */
lathe_result rec_split_one(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t size,
                           const rec_layout *root, lathe_error *err);
/* Opening only: truncates `part` to `size` bytes, and makes the bytes behind `end`, even if there are none, the part
 * of the bytes on row `slot`. */
lathe_result rec_split_tail(lathe_doc *doc, uint32_t part, uint64_t size, uint64_t end,
                            uint32_t slot, lathe_error *err);
/* Opening only: makes the whole `part` a container of its own, which the format opens. */
lathe_result rec_embed(lathe_doc *doc, uint32_t part, const lathe_format *format, lathe_error *err);
/* ---- embedded documents, opened on first access (embed.c) ---- */

bool rec_embeds(const rec_field *row);                  /* whether a row has such documents */
bool rec_embedded(const lathe_doc *doc, uint32_t part); /* whether a part is such a document */
/* Opens it, and returns the layout of its root. If that fails, the part becomes opaque, with the root type of its
 * format. NULL: no memory. */
const rec_layout *rec_embed_open(lathe_doc *doc, uint32_t part);
/* The size of a record including the document behind it, before that document is split off. */
lathe_result rec_embed_measure(const rec_at *at, uint64_t *size, lathe_error *err);
/* Splits off the embedded document: the bytes behind the first `size` bytes of a record that begins a part. */
lathe_result rec_embed_split(const rec_at *at, uint64_t size, lathe_error *err);
/* Makes a part for such a row from a table, a document, text or nothing. The part is not yet attached to the tree. */
lathe_result rec_embed_make(const rec_at *at, uint32_t slot, const lathe_source *source,
                            const lathe_value *leaf, const void *node, uint32_t *part,
                            lathe_error *err);
/* Updates the row that holds the embedded document's size: after the part was attached, and after its length
 * changed. */
lathe_result rec_embed_attached(const rec_at *at, uint32_t slot, uint32_t part, lathe_error *err);
lathe_result rec_embed_sized(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Whether a table for the embedded document replaces it: it describes a whole one, or there is none that it could
 * change. */
bool rec_embed_whole(lathe_doc *doc, uint32_t part, const lathe_source *source, const void *node);
/* Inside an edit: replaces an embedded document. leaf NULL: by one made from the table `node` (NULL: the source's
 * top). */
lathe_result rec_embed_set(const rec_at *at, uint32_t slot, const lathe_source *source,
                           const lathe_value *leaf, const void *node, lathe_error *err);
/* Whether the source has a whole document that can replace the embedded document whose root is `at`; *owner and
 * *slot: its row. */
bool rec_embed_takes(const rec_at *at, const lathe_source *source, rec_at *owner, uint32_t *slot);
/* The size of a part with all its descendants, and their bytes. */
uint64_t rec_part_whole(const lathe_doc *doc, uint32_t part);
bool rec_part_bytes(const lathe_doc *doc, uint32_t part, buf *out);

/* Number i of the parts on row `slot` of `part`; REC_NO_PART past the last one. Their number. */
uint32_t rec_kid(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t i);
uint64_t rec_kids(lathe_doc *doc, uint32_t part, uint32_t slot);
/* All of them, borrowed until a part is added or removed. */
const uint32_t *rec_kid_list(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t *n);
/* index in the owner's kids */
size_t rec_first_kid(const lathe_doc *doc, uint32_t owner, uint32_t slot);
/* its index among the parts of its row, from 0 */
uint64_t rec_kid_index(lathe_doc *doc, uint32_t part);
/* The offset in its container of a place in a part; LATHE_NO_OFFSET if the part is not in the tree. */
uint64_t rec_start(lathe_doc *doc, uint32_t part, uint64_t off);
/* The offset in the encoded document of a place in a part. */
uint64_t rec_encoded(lathe_doc *doc, uint32_t part, uint64_t off);
/* Copies the bytes off .. off + size of the encoded document, which must exist. False: no memory. */
bool rec_copy_encoded(lathe_doc *doc, uint64_t off, uint64_t size, void *to);
/* Brings a view up to date with the cuts since it was last used. LATHE_ERR_REMOVED: its record was removed. */
lathe_result rec_sync(lathe_view *view, lathe_error *err);
lathe_result rec_no_memory(lathe_error *err);
/* ---- files that are read on demand (input.c) ---- */

/* The size of the data that the document was opened from, in memory or on disk. */
uint64_t rec_input_size(const lathe_doc *doc);
/* Reads n bytes of it. LATHE_ERR_IO: the file has changed since it was opened. */
lathe_result rec_input_read(lathe_doc *doc, uint64_t off, void *to, size_t n, lathe_error *err);
/* Fails if the file has changed, so that what was read earlier may be outdated. */
lathe_result rec_input_check(const lathe_doc *doc, lathe_error *err);
/* Opening only: decides how a file is read. *file NULL: as a whole, by the caller. Otherwise it is read on demand,
 * and *input gets the bytes that become parts. real: the result of os_real_path for the path, or NULL. */
lathe_result rec_input_open(const char *real, const char *path, const lathe_format *forced,
                            uint64_t limit, const mem *m, struct os_file **file, uint8_t **input,
                            size_t *size, lathe_error *err);
/* Saving only: closes the file before another one replaces it, and opens the new one afterwards. */
void rec_input_leave(lathe_doc *doc);
void rec_input_return(lathe_doc *doc, const char *real, const char *path, bool saved);
/* A new hidden part, empty. Its changes are journaled like those of other parts. */
uint32_t rec_part_hidden(lathe_doc *doc, uint32_t container);
/* A new document for `size` bytes, which it owns, even on failure. */
lathe_result rec_doc_new(const lathe_options *options, uint8_t *input, size_t size,
                         const char *path, lathe_doc **doc, lathe_error *err);
/* Variants of lathe_doc_open and lathe_doc_save for hosts that have checked a path. They open `real`, a result of
 * os_real_path (NULL: `path`, following links). Messages show `path`. */
lathe_result rec_doc_open(const char *real, const char *path, const lathe_options *options,
                          lathe_doc **doc, lathe_error *err);
lathe_result rec_doc_save(lathe_doc *doc, const char *real, const char *path,
                          const lathe_save_options *options, lathe_error *err);
/* Called with the SHA-256 digest of the new file before that replaces the old one. False, with *err set: the old file
 * stays. */
typedef struct rec_save_note {
    bool (*call)(void *user, const uint8_t *digest, lathe_error *err);
    void *user;
} rec_save_note;
/* rec_doc_save with a note; NULL: none. With a note, a backup that exists stays. */
lathe_result rec_doc_save_noted(lathe_doc *doc, const char *real, const char *path,
                                const lathe_save_options *options, const rec_save_note *note,
                                lathe_error *err);
/* lathe_doc_encode and lathe_doc_size without compression. Offsets refer to these bytes. */
lathe_result rec_encode_content(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err);
/* The parts, whatever the form of the document's file. */
lathe_result rec_encode_parts(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err);
uint64_t rec_content_size(lathe_doc *doc);
/* Does now what an open edit postpones to its end, because the document is about to be encoded. */
lathe_result rec_make_ready(lathe_doc *doc, lathe_error *err);
/* The name of the compression that encoding uses; NULL: none. */
const char *rec_compression(const lathe_doc *doc);
/* The two halves of saving for hosts that write the bytes themselves. rec_doc_can_save checks the document; *to
 * becomes `path`, or the document's own path if that is NULL. rec_doc_saved updates its state after the bytes were
 * written. */
lathe_result rec_doc_can_save(const lathe_doc *doc, const char *path, const char **to,
                              lathe_error *err);
void rec_doc_saved(lathe_doc *doc, const char *to);
/* Opening and making only: sets byte order, pointer size and version, before any record except the root is used. */
lathe_result rec_arrange(lathe_doc *doc, uint32_t container, bool big, uint8_t pointer,
                         int64_t version, lathe_error *err);
/* Appends a file whose records are made from the format's rows, in a temporary document. */
lathe_result rec_make(lathe_doc *maker, const lathe_format *format, const lathe_source *fields,
                      buf *out, lathe_error *err);
/* Adds a container of a format, with part `root` as its first part. */
uint32_t rec_container_add(lathe_doc *doc, const lathe_format *format, uint32_t root,
                           uint32_t outer);
/* Removes the last container, with everything that was computed for it. */
void rec_container_drop(lathe_doc *doc);
/* Frees the memory of a part that nothing refers to. */
void rec_part_free(lathe_doc *doc, uint32_t part);
/* empty, owned, not attached to the tree */
uint32_t rec_part_add(lathe_doc *doc, uint32_t container);
/* The cached data of a container, valid until they are dropped or the document changes (undo included; see .lasts) or
 * is closed. NULL: none. */
void *rec_cache_find(lathe_doc *doc, uint32_t container, const rec_cache *cache);
/* Stores data that begin with `what`, and takes ownership: cache->release will free them. Replaces older ones. */
void rec_cache_put(lathe_doc *doc, uint32_t container, const rec_cache *cache, rec_cached *what);
void rec_cache_drop(lathe_doc *doc, uint32_t container, const rec_cache *cache);
/* Fails if `part` (REC_NO_PART: a new, empty part) with all its descendants would be nested deeper than REC_DEPTH in
 * `owner`. */
lathe_result rec_part_depth(lathe_doc *doc, uint32_t part, uint32_t owner, lathe_error *err);
/* Attaches a part to the tree. False: no memory, or nested too deep. */
bool rec_part_attach(lathe_doc *doc, uint32_t part, uint32_t owner, uint32_t slot, size_t pos);
void rec_part_detach(lathe_doc *doc, uint32_t part);
/* makes it owned, with room for `size` bytes */
bool rec_part_own(lathe_doc *doc, rec_part *p, uint64_t size);
/* Appends bytes (NULL: zeros) without a journal entry. False: no memory. */
bool rec_part_append(lathe_doc *doc, rec_part *p, const void *bytes, uint64_t n);

#endif
