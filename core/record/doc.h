/* Documents, containers, parts and the journal of their edits (doc.c, part.c). A part of record.h. */
#ifndef LATHE_RECORD_DOC_H
#define LATHE_RECORD_DOC_H

#include "base/bytes.h"
#include "base/mem.h"
#include "record/layout.h"

#define REC_NO_PART UINT32_MAX

/* One replacement of bytes that changed a part's length; views behind it replay it. */
typedef struct rec_cut {
    uint64_t at, removed, inserted;
    uint32_t skip; /* after a rollback: a view that comes from before continues at this cut */
} rec_cut;

typedef struct rec_part {
    uint8_t *data; /* not ours while borrowed */
    uint64_t size, cap;
    uint64_t start;         /* in its container; good while that one is placed */
    const rec_layout *root; /* the record at offset 0 */
    rec_cut *log;
    size_t log_n, log_cap, pending; /* pending: cuts of the open edit, kept room for */
    uint32_t *kids;                 /* child parts in order */
    size_t kids_n, kids_cap;
    uint32_t owner, slot; /* the part and row it hangs on; REC_NO_PART at the top */
    uint32_t container;
    uint32_t hint; /* last known position among its siblings */
    uint32_t stamp;
    /* number from 1 of the last edit of it in the journal, where that one is of it */
    uint32_t edited;
    uint32_t upper; /* a number that the floor above keeps for it while an edit is open; 0: none */
    /* a number that the format derived from the part's bytes; any change of them sets 0 */
    uint64_t memo;
    bool owned, alive, scratch;
    /* in no tree, and not encoded: bytes of its container that the format encodes itself */
    bool hidden;
    bool to_tidy; /* lengths in it change: it is tidied up when the edit ends */
    /* How its data lie, which .tidy finds out: with the padding that the format wants, otherwise, or even in
     * each other. */
    enum { PART_UNTRIED = 0, PART_TIDY, PART_UNTIDY, PART_TANGLED } tidy;
    enum { PART_PLAIN = 0, PART_UNSEEN, PART_LOOKING, PART_OPAQUE } state; /* of a REC_LAZY row's */
    const lathe_error *problem;                                            /* of an opaque one */
    const char *label; /* the format's: what it is, of a row of several types */
} rec_part;

/* A row that differs from record to record, as it is with an argument. */
typedef struct rec_variant {
    const rec_layout *layout;
    uint32_t slot;
    uint64_t arg;
    rec_slot as;
} rec_variant;

/* `make plain` builds the tests with LATHE_FORGETS: no cache outlives a change, and there are no indexes or known offsets. */
#ifdef LATHE_FORGETS
enum { REC_FORGETS = 1 };
#else
enum { REC_FORGETS = 0 };
#endif

/* A kind of thing that a format works out of a container and wants to find again; its address is its name. What is
 * cached begins with a rec_cached. */
typedef struct rec_cached rec_cached;
typedef struct rec_cache {
    /* Outlives changes, because its owner updates it (recent.h). Without: any change drops it, also one of where parts
     * are in memory, since it may point into them. */
    bool lasts;
    void (*release)(lathe_doc *doc, rec_cached *what);
} rec_cache;

struct rec_cached {
    rec_cached *next; /* of the same container */
    const rec_cache *cache;
    uint64_t at; /* doc->changes when it was put there */
};

typedef struct rec_container {
    const lathe_format *format;
    uint32_t root;   /* its first part */
    uint32_t outer;  /* container around it, or UINT32_MAX */
    uint64_t start;  /* in the container around it; good while that one is placed … */
    uint64_t whole;  /* … and all of its bytes; good while it is placed itself */
    bool placed;     /* no part has come, gone or got another length since places were worked out */
    int64_t version; /* for .since and .before; journaled: rec_set_version */
    int64_t param;   /* what the bytes do not say (a solved count); journaled: rec_set_param */
    bool big;
    uint8_t pointer; /* bytes of one: 4 or 8 */
    bool dirty;      /* a length changed since the last relayout */
    /* a length changed in a nested edit: the outermost edit lays out once more when it ends */
    bool dirty_inside;
    bool index_stale; /* something was taken back since the index was made */
    void *index; /* what the format remembers of its tables: one block of the document's memory */
    size_t index_size;
    rec_cached *cached;   /* rec_cache_put */
    rec_layout **layouts; /* hashed by type and argument */
    size_t layouts_n, layouts_cap, layouts_begun;
    rec_variant **variants; /* hashed by all three */
    size_t variants_n, variants_cap;
} rec_container;

/* Bytes of a part were replaced. Both lengths 0: the part, or a part in it, came or went. part REC_NO_PART: anything
 * may have changed. */
typedef struct rec_change {
    uint32_t part;
    uint64_t at, removed, inserted;
} rec_change;

enum { REC_RECENT = 64 }; /* changes that are remembered */

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
        EDIT_UPPER, /* of the floor above (upper.h): only while the edit is open … */
        EDIT_NONE   /* … then nothing: the bytes that followed from it are entries of their own */
    } kind;
    uint32_t part;       /* or container */
    uint32_t log_index;  /* of the cut, where the length changed */
    uint32_t owner, pos; /* of EDIT_PART_*, EDIT_ORDER; of EDIT_UPPER: what that floor says */
    uint32_t earlier;    /* number from 1 of the one before of the same part; 0: there is none */
    uint64_t at, removed, inserted;
    size_t data; /* in the journal's data: removed bytes, a shift, the parts in their old order */
} rec_edit;

/* Stored positions grow by the same, from a certain one on; none lies in what a negative one closes. */
typedef struct rec_shift {
    uint64_t site, stride, count;
    uint64_t from, by; /* by: may be negative, modulo 2^64 */
    uint64_t below;    /* those from here on stay; 0: all grow */
    uint32_t width;
} rec_shift;

typedef struct rec_journal {
    rec_edit *edits;
    size_t n, cap;
    buf data;
    uint64_t state; /* the document's state before it */
} rec_journal;

typedef struct rec_derived { /* a .derive row that agreed before the edit */
    lathe_view view;
    uint32_t slot, depth; /* depth: from the document's root, through all parts; never 0 */
    bool agreed;
} rec_derived;

/* Tables of numbers that are given for a record of a document that is being made: set once it is opened. */
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
    const lathe_source *extra; /* only while opening or checking: rec_option */
    const int64_t *param;      /* only while opening what was just made: its maker's parameter */
    uint8_t *input;            /* what parts borrow from: the file, or (.head) its first bytes */
    size_t input_size;
    /* other files that its content lies in. NULL: none was given or opened */
    struct rec_companions *companions;
    struct scene_state *scene; /* what the floor above keeps: upper.h. NULL: nothing */
    const rec_opener *opener;  /* how those are opened; NULL: as any file */
    uint32_t holders;     /* documents that use this one, and others, besides whoever opened it */
    bool has_own;         /* some container's file describes types itself */
    struct os_file *file; /* of .head: where the rest is read. NULL: all of it is in `input` */
    uint64_t head_size;   /* of .head: bytes of `input` that became parts */
    /* compressed.h. NULL: the file is not, and nobody asked for it */
    struct rec_compressed *compressed;
    rec_part *parts;
    size_t parts_n, parts_cap;
    rec_container *containers;
    size_t containers_n, containers_cap;
    uint32_t *order; /* parts as they follow each other in the file */
    size_t order_n, order_cap;
    uint64_t size; /* of the encoded document, when its places were worked out */
    /* All elements of a row are being copied from it: their numbers mean the same. */
    const lathe_doc *copied_from;
    /* records that are being made or measured, innermost first; NULL: none */
    const rec_trail *trail;
    int single_copies; /* >0: outside of an edit, a single element is being copied from elsewhere */
    bool order_good, relaying;
    int opening;    /* >0: an embedded document is split into parts: lengths around it stay */
    bool only_text; /* the cut is of a text: what was walked behind it moves along */
    /* the cut is of elements of an array: offset_cache.h. NULL: it is not */
    const struct rec_resizing *resizing;
    int changing; /* >0: in the middle of a change of several splices, .derive rows noted before it */
    int held_at; /* `changing` as it was when the first of these was noted; 0: none (cut.c) */
    buf held;    /* stored positions, carried through the change */
    rec_offset_cache *offset_cache;
    struct rec_indexes *indexes; /* index.h. NULL: nobody asked for an element by its text */
    uint32_t next_row;           /* behind the one that was found by its name last */
    rec_journal journal;         /* of the open edit */
    size_t marks[REC_DEPTH];     /* journal length at each open edit */
    int depth;
    rec_journal *undo, *redo;
    size_t undo_n, undo_cap, redo_n, redo_cap;
    lathe_doc *followers;              /* documents whose edits end as this one's does: rec_join */
    lathe_doc *next_follower, *leader; /* of such a document */
    int joined;                        /* in how many of its leader's open edits it has one */
    uint32_t history, stamp;
    uint64_t state, saved, next_state;
    uint64_t changes; /* grows with whatever changes bytes, parts or where they are in memory */
    rec_change recent[REC_RECENT]; /* the last ones: recent.h */
    uint64_t recent_n, recent_read;
    rec_derived *derived;
    size_t derived_n, derived_cap, derived_marks[REC_DEPTH]; /* as many at each open edit */
    bool derived_lost;                                       /* no memory to note one */
    bool variant_lost;  /* no memory to find out what a row is in some record: rec_variant_of */
    uint32_t *by_place; /* the same by part, row and offset: cuts don't change that order */
    size_t by_place_n, by_place_cap;
    bool by_place_stale; /* they are to be sorted anew */
    size_t laid;         /* journal length at the last relayout of the open edit */
    /* the open verb's report: the end of its edit may have more to say. NULL: none */
    lathe_report *told;
    buf *pending; /* of rec_pending, while a document is made; else NULL */
    buf text;     /* strings that computed fields hand out */
};

rec_part *rec_part_of(lathe_doc *doc, uint32_t part);
/* The record that a part begins with, worked out where nobody looked yet. NULL: none, or no memory. */
const rec_layout *rec_part_root(lathe_doc *doc, uint32_t part);
/* Works out where parts lie and doc->size, of containers in which an edit made that stale. */
bool rec_places(lathe_doc *doc);
/* And doc->order. */
bool rec_order(lathe_doc *doc);
/* Parts of a container come, go or get another length. */
void rec_displace(lathe_doc *doc, uint32_t container);
void rec_displace_all(lathe_doc *doc);
/* Opening only: bytes from `at` on become a child part hanging on row `slot` of `part`, in front of
 * those that were split off before: a format splits from the back. */
lathe_result rec_split(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot,
                       const rec_type *root, uint32_t *child, lathe_error *err);
/* Opening only: what follows `at` in `part` is n records of the type of its row `slot`, one behind the
 * other: each becomes a part. *end: where the last one ended. */
lathe_result rec_split_run(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t n,
                           uint64_t *end, lathe_error *err);
/* Opening only: the same of a REC_LAZY row, whose elements are of those sizes: what they are is asked when they
 * are first looked at (.part_type). */
lathe_result rec_split_sizes(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t n,
                             uint64_t (*size_of)(void *user, uint64_t i), void *user, uint64_t *end,
                             lathe_error *err);
/* Opening only: `size` bytes at `at` become the next part on that row, with that record; NULL: a document that is
 * opened when it is touched (.embed). */
lathe_result rec_split_one(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t size,
                           const rec_layout *root, lathe_error *err);
/* Opening only: `part` keeps its first `size` bytes; what lies behind `end` becomes the part of bytes on
 * row `slot`, also where nothing does. */
lathe_result rec_split_tail(lathe_doc *doc, uint32_t part, uint64_t size, uint64_t end,
                            uint32_t slot, lathe_error *err);
/* Opening only: the whole of `part` becomes a container of its own, opened by the format. */
lathe_result rec_embed(lathe_doc *doc, uint32_t part, const lathe_format *format, lathe_error *err);
/* ---- documents that are opened when they are touched (embed.c) ---- */

bool rec_embeds(const rec_field *row);                  /* a row of such */
bool rec_embedded(const lathe_doc *doc, uint32_t part); /* a part on such a row */
/* Opens it. Where that fails the part stays what it is, opaque, with the type that it should have had. NULL: no
 * memory. */
const rec_layout *rec_embed_open(lathe_doc *doc, uint32_t part);
/* The size of a record with the document behind it, which is not split off yet. */
lathe_result rec_embed_measure(const rec_at *at, uint64_t *size, lathe_error *err);
/* What is behind the first `size` bytes of a record that begins a part becomes the part of its document. */
lathe_result rec_embed_split(const rec_at *at, uint64_t size, lathe_error *err);
/* A part for such a row from what is given (a table, a document, text, nothing), not hung yet. */
lathe_result rec_embed_made(const rec_at *at, uint32_t slot, const lathe_source *source,
                            const lathe_value *leaf, const void *node, uint32_t *part,
                            lathe_error *err);
/* It was hung, or its length changed: the row that tells its size follows. */
lathe_result rec_embed_hung(const rec_at *at, uint32_t slot, uint32_t part, lathe_error *err);
lathe_result rec_embed_sized(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Whether a table given for the document in a part is all of one: there is nothing that it could change. */
bool rec_embed_whole(lathe_doc *doc, uint32_t part, const lathe_source *source, const void *node);
/* Inside an edit: puts another document there. Without a leaf: made of the table `node` (NULL: the top). */
lathe_result rec_embed_set(const rec_at *at, uint32_t slot, const lathe_source *source,
                           const lathe_value *leaf, const void *node, lathe_error *err);
/* Whether what is given for the record `at` is all of a document that can be put in its place: on that row. */
bool rec_embed_takes(const rec_at *at, const lathe_source *source, rec_at *owner, uint32_t *slot);
/* A part with all that hangs on it: how many bytes, and which. */
uint64_t rec_part_whole(const lathe_doc *doc, uint32_t part);
bool rec_part_bytes(const lathe_doc *doc, uint32_t part, buf *out);

/* Part hanging on row `slot` of `part`, number i of them; REC_NO_PART past the last. */
uint32_t rec_kid(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t i);
uint64_t rec_kids(lathe_doc *doc, uint32_t part, uint32_t slot);
/* All of them at once, borrowed until a part comes or goes. */
const uint32_t *rec_kid_list(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t *n);
size_t rec_first_kid(const lathe_doc *doc, uint32_t owner, uint32_t slot); /* in owner's kids */
uint64_t rec_kid_index(lathe_doc *doc, uint32_t part); /* its number i, from 0 */
/* Offset in its container of a place in a part; LATHE_NO_OFFSET where the part is in no tree. */
uint64_t rec_start(lathe_doc *doc, uint32_t part, uint64_t off);
/* Offset in the encoded document of a place in a part. */
uint64_t rec_encoded(lathe_doc *doc, uint32_t part, uint64_t off);
/* Bytes off .. off + size of the encoded document; they are inside of it. False: no memory. */
bool rec_copy_encoded(lathe_doc *doc, uint64_t off, uint64_t size, void *to);
/* Replays cuts since the view was last looked at. LATHE_ERR_REMOVED: what it showed is gone. */
lathe_result rec_sync(lathe_view *view, lathe_error *err);
lathe_result rec_no_memory(lathe_error *err);
/* ---- files that are read on demand (input.c) ---- */

/* Bytes that the document was opened from: in memory or on disk. */
uint64_t rec_input_size(const lathe_doc *doc);
/* n of them from `off` on. LATHE_ERR_IO: the file has changed since it was opened. */
lathe_result rec_input_read(lathe_doc *doc, uint64_t off, void *to, size_t n, lathe_error *err);
/* Refuses what was read of it earlier, where it would be something else now. */
lathe_result rec_input_stands(const lathe_doc *doc, lathe_error *err);
/* Opening only: *file is NULL where the file at `path` is to be held in memory as a whole. Else *input has the
 * bytes that become parts. real: what os_real_path gave for the path, or NULL. */
lathe_result rec_input_open(const char *real, const char *path, const lathe_format *forced,
                            uint64_t limit, const mem *m, struct os_file **file, uint8_t **input,
                            size_t *size, lathe_error *err);
/* Saving only: the file is let go before another one takes its place, and what is there then is opened again. */
void rec_input_leave(lathe_doc *doc);
void rec_input_return(lathe_doc *doc, const char *real, const char *path, bool saved);
/* A hidden part, empty. Changes of it are journaled as those of any other. */
uint32_t rec_part_hidden(lathe_doc *doc, uint32_t container);
/* A new document around `size` bytes that it takes over (also when it fails). */
lathe_result rec_doc_new(const lathe_options *options, uint8_t *input, size_t size,
                         const char *path, lathe_doc **doc, lathe_error *err);
/* As lathe_doc_open and lathe_doc_save for hosts that have checked where a path leads: what is opened
 * is `real`, as os_real_path gives it (NULL: `path`, links followed). `path` is the name to show. */
lathe_result rec_doc_open(const char *real, const char *path, const lathe_options *options,
                          lathe_doc **doc, lathe_error *err);
lathe_result rec_doc_save(lathe_doc *doc, const char *real, const char *path,
                          const lathe_save_options *options, lathe_error *err);
/* What lathe_doc_encode and lathe_doc_size give where nothing is compressed: offsets count in these bytes. */
lathe_result rec_encode_content(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err);
uint64_t rec_content_size(lathe_doc *doc);
/* What an open edit leaves for its end is done, as before encoding. */
lathe_result rec_make_ready(lathe_doc *doc, lathe_error *err);
/* How encoding compresses; NULL: not at all. */
const char *rec_compression(const lathe_doc *doc);
/* The two halves of a save for hosts that keep the bytes themselves: what it asks of the document,
 * *to being the path or, where that is NULL, the document's own; and what it changes in it. */
lathe_result rec_doc_can_save(const lathe_doc *doc, const char *path, const char **to,
                              lathe_error *err);
void rec_doc_saved(lathe_doc *doc, const char *to);
/* Opening and making only: byte order, pointers and version, before any record but the root is looked at. */
lathe_result rec_arrange(lathe_doc *doc, uint32_t container, bool big, uint8_t pointer,
                         int64_t version, lathe_error *err);
/* Adds the container of a format over part `root`, for making documents from nothing. */
/* Appends a file whose records are made from the format's rows, in a document that only serves for that. */
lathe_result rec_make(lathe_doc *maker, const lathe_format *format, const lathe_source *fields,
                      buf *out, lathe_error *err);
uint32_t rec_container_add(lathe_doc *doc, const lathe_format *format, uint32_t root,
                           uint32_t outer);
/* The last one goes, with all that was worked out for it. */
void rec_container_drop(lathe_doc *doc);
/* Frees what belongs to a part that nothing leads to. */
void rec_part_free(lathe_doc *doc, uint32_t part);
uint32_t rec_part_add(lathe_doc *doc, uint32_t container); /* empty, owned, nowhere in the tree */
/* What a container has in a cache: it stays until it is dropped, the document changes (undo included; see .lasts) or
 * closes. NULL: there is none, or it went. */
void *rec_cache_find(lathe_doc *doc, uint32_t container, const rec_cache *cache);
/* Takes over what begins with `what`, in place of what was there: cache->release frees it when it goes. */
void rec_cache_put(lathe_doc *doc, uint32_t container, const rec_cache *cache, rec_cached *what);
void rec_cache_drop(lathe_doc *doc, uint32_t container, const rec_cache *cache);
/* Refuses parts nested deeper than REC_DEPTH, with all that hangs on `part` (REC_NO_PART: nothing). */
lathe_result rec_part_depth(lathe_doc *doc, uint32_t part, uint32_t owner, lathe_error *err);
/* False: no memory, or nested too deep. */
bool rec_part_hang(lathe_doc *doc, uint32_t part, uint32_t owner, uint32_t slot, size_t pos);
void rec_part_unhang(lathe_doc *doc, uint32_t part);
bool rec_part_own(lathe_doc *doc, rec_part *p, uint64_t size); /* owned, with room for `size` */
/* Appends bytes (NULL: zeros), without a note in the journal. False: no memory. */
bool rec_part_append(lathe_doc *doc, rec_part *p, const void *bytes, uint64_t n);

#endif
