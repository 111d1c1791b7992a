/* Inside the engine: documents, containers, parts, places, and the functions between them.
 *
 *   document   one file. Owns everything below; edits are its transactions.
 *   container  one format's run of parts: the file itself, or a document inside a part of another.
 *   part       a contiguous run of bytes at a seam of the format. Parts form a tree; the encoded
 *              document is its pre-order. A part borrows from the input until it is written.
 *   layout     a record type worked out for one container (byte order, offsets, sizes).
 *   place      a record: part, offset, layout (rec_at while looked at, lathe_view while held). */
#ifndef LATHE_RECORD_RECORD_H
#define LATHE_RECORD_RECORD_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/mem.h"
#include "record/schema.h"

#define REC_DEPTH 64           /* nesting of records, containers and edits that is followed */
#define REC_DYNAMIC UINT64_MAX /* an offset or size that the bytes decide */
#define REC_NO_SLOT UINT32_MAX
#define REC_NO_PART UINT32_MAX

/* ---- layouts (layout.c) ----------------------------------------------------------------------- */

typedef struct rec_slot {
    const rec_field *row;
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
    uint32_t same;         /* the row of that name that such records have; mostly this one */
    bool never;            /* no such record has the row */
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
    bool ready;     /* false while its own rows are being worked out (recursive types) … */
    bool filling;   /* … which is going on; else memory was short, and it is tried again */
    bool brief;     /* so few bytes and texts that a walk is cheaper than to remember it */
    bool recursive; /* records of it may hold others of their own kind, at any depth */
    bool apart;     /* some of it lies elsewhere: bodies, texts, pointers, parts */
    bool refers;    /* some of its numbers are references or coded */
    rec_slot slots[];
};

/* The layout of a type in a container, made at first use. NULL: out of memory. */
const rec_layout *rec_layout_of(lathe_doc *doc, uint32_t container, const rec_type *type);
const rec_layout *rec_layout_for(lathe_doc *doc, uint32_t container, const rec_type *type,
                                 uint64_t arg);
/* A row whose type takes an argument, as it is in one record: rec_slot_of. Where memory is short, the row in
 * general, in which nobody finds anything. */
const rec_slot *rec_variant_of(const rec_at *at, uint32_t slot);
/* Rows of a type, those of its bases first. */
const rec_field *rec_row(const rec_type *type, uint32_t i);
uint32_t rec_row_count(const rec_type *type);
/* Whether a type is another one or has it among its bases. */
bool rec_is_a(const rec_type *type, const rec_type *base);
/* Row number by name, that of a row which such records have, or REC_NO_SLOT. */
uint32_t rec_slot_find(const rec_layout *layout, const char *name);
unsigned rec_width(rec_kind kind);       /* bytes of a scalar, 0 for the rest */
bool rec_is_array(const rec_field *row); /* bytes and text are none */
const char *rec_type_name(const rec_field *row, char *buf, size_t cap); /* "str32", "u16" … */
const char *rec_wanted(const rec_field *row, char *buf, size_t cap);    /* the same in messages */
/* The record row of a type that has a field of this name inside it, for messages; or NULL. */
const char *rec_holder(const rec_type *type, const char *field);
/* How many rows of a vector are numbered: those before the first that takes no bytes, unless it is
 * worked out as a whole. 0: no vector. */
uint32_t rec_lanes(const rec_type *type);
/* Whether records of one type give those of another: the same, or vectors of numbers of the same names. */
bool rec_alike(const rec_type *a, const rec_type *b);
/* Rows that take no bytes of the record. */
bool rec_unstored(const rec_field *row);
/* Record type by name: at or below `type`, or over all formats. NULL: none. */
const rec_type *rec_type_within(const rec_type *type, const char *name);
const rec_type *rec_type_of(const lathe_format *format, const char *name);
const rec_type *rec_type_find(const char *name);
/* Whether elements of an array (or the bytes of REC_BYTES) can be inserted and removed. */
bool rec_resizable(const rec_layout *layout, uint32_t slot);

/* ---- documents and parts (doc.c, part.c) ------------------------------------------------------- */

/* One replacement of bytes that changed a part's length; views behind it replay it. */
typedef struct rec_cut {
    uint64_t at, removed, inserted;
    uint32_t skip; /* after a rollback: a view that comes from before continues at this cut */
} rec_cut;

typedef struct rec_part {
    uint8_t *data; /* not ours while borrowed */
    uint64_t size, cap;
    uint64_t start;         /* in the encoded document; good while doc->places_good */
    const rec_layout *root; /* the record at offset 0 */
    rec_cut *log;
    size_t log_n, log_cap, pending; /* pending: cuts of the open edit, kept room for */
    uint32_t *kids;                 /* child parts in order */
    size_t kids_n, kids_cap;
    uint32_t owner, slot; /* the part and row it hangs on; REC_NO_PART at the top */
    uint32_t container;
    uint32_t hint; /* last known position among its siblings */
    uint32_t stamp;
    bool owned, alive, scratch;
    bool to_tidy; /* lengths in it change: it is tidied up when the edit ends */
    /* How its data lie, which .tidy finds out: with the padding that the format wants, otherwise, or even in
     * each other. */
    enum { PART_UNTRIED = 0, PART_TIDY, PART_UNTIDY, PART_TANGLED } tidy;
    enum { PART_PLAIN = 0, PART_UNSEEN, PART_LOOKING, PART_OPAQUE } state; /* of a REC_LAZY row's */
    const lathe_error *problem;                                            /* of an opaque one */
    const char *label; /* the format's: what it is, of a row of several types */
} rec_part;

typedef struct
    rec_variant { /* rows that differ from record to record, as they are with an argument */
    const rec_layout *layout;
    uint32_t slot;
    uint64_t arg;
    rec_slot as;
} rec_variant;

typedef struct rec_container {
    const lathe_format *format;
    uint32_t root;   /* its first part */
    uint32_t outer;  /* container around it, or UINT32_MAX */
    int64_t version; /* for .since and .before; journaled: rec_set_version */
    int64_t param;   /* what the bytes do not say (a solved count); journaled: rec_set_param */
    bool big;
    uint8_t pointer; /* bytes of one: 4 or 8 */
    /* A length changed since the last relayout; or in an edit inside of the one that is open, whose end has
     * the last relayout. */
    bool dirty, stirred;
    bool index_stale; /* something was taken back since the index was made */
    void *index; /* what the format remembers of its tables: one block of the document's memory */
    size_t index_size;
    void *kept; /* what it worked out of the whole document: rec_keep */
    void (*release)(lathe_doc *doc, void *kept);
    uint64_t kept_at;     /* doc->changes then */
    rec_layout **layouts; /* hashed by type and argument */
    size_t layouts_n, layouts_cap, layouts_begun;
    rec_variant **variants; /* hashed by all three */
    size_t variants_n, variants_cap;
} rec_container;

typedef struct rec_edit { /* one reversible change */
    enum {
        EDIT_BYTES,
        EDIT_SHIFT,
        EDIT_PART_ADD,
        EDIT_PART_REMOVE,
        EDIT_ORDER,
        EDIT_VERSION,
        EDIT_PARAM
    } kind;
    uint32_t part;       /* or container */
    uint32_t log_index;  /* of the cut, where the length changed */
    uint32_t owner, pos; /* of EDIT_PART_*, EDIT_ORDER */
    uint64_t at, removed, inserted;
    size_t
        data; /* removed bytes, a shift, or the parts in their old order, in the journal's data */
} rec_edit;

typedef struct
    rec_shift { /* stored positions grow by the same, from a certain one on; none lies in what a
                              negative one closes */
    uint64_t site, stride, count;
    uint64_t from, by; /* by: may be negative, modulo 2^64 */
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

typedef struct rec_seen rec_seen; /* known offsets of a recently walked record or array: walk.c */

struct lathe_doc {
    mem mem;
    arena arena;
    char *path;
    size_t path_size;
    const lathe_source *extra; /* only while opening or checking: rec_option */
    const int64_t *param;      /* only while opening what was just made: its maker's parameter */
    uint8_t *input;
    size_t input_size;
    rec_part *parts;
    size_t parts_n, parts_cap;
    rec_container *containers;
    size_t containers_n, containers_cap;
    uint32_t *order; /* parts as they follow each other in the file */
    size_t order_n, order_cap;
    uint64_t size; /* of the encoded document; with order and part.start good while places_good */
    const lathe_doc
        *twin; /* all elements of a row are being copied from it: their numbers mean the same */
    int loose; /* >0: outside of an edit, a single element is being copied from elsewhere */
    bool places_good, relaying;
    bool only_text; /* the cut is of a text: what was walked behind it moves along */
    int quiet; /* >0: in the middle of a change of several splices, .derive rows noted before it */
    int held_at; /* quiet as it was when the first of these was noted; 0: none (cut.c) */
    buf held;    /* stored positions, carried through the change */
    rec_seen *seen;
    rec_journal journal;     /* of the open edit */
    size_t marks[REC_DEPTH]; /* journal length at each open edit */
    int depth;
    rec_journal *undo, *redo;
    size_t undo_n, undo_cap, redo_n, redo_cap;
    uint32_t history, stamp;
    uint64_t state, saved, next_state;
    uint64_t changes; /* grows with whatever changes bytes, parts or where they are in memory */
    rec_derived *derived;
    size_t derived_n, derived_cap, derived_marks[REC_DEPTH]; /* as many at each open edit */
    bool derived_lost;                                       /* no memory to note one */
    bool variant_lost;  /* no memory to find out what a row is in some record: rec_variant_of */
    uint32_t *by_place; /* the same by part, row and offset: cuts don't change that order */
    size_t by_place_n, by_place_cap;
    bool by_place_stale; /* they are to be sorted anew */
    size_t laid;         /* journal length at the last relayout of the open edit */
    buf text;            /* strings that computed fields hand out */
};

rec_part *rec_part_of(lathe_doc *doc, uint32_t part);
/* The record that a part begins with, worked out where nobody looked yet. NULL: none, or no memory. */
const rec_layout *rec_part_root(lathe_doc *doc, uint32_t part);
/* Works out order, part.start and doc->size where an edit made them stale. */
bool rec_places(lathe_doc *doc);
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
/* Opening only: `size` bytes at `at` become the next part on that row, with that record. */
lathe_result rec_split_one(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t size,
                           const rec_layout *root, lathe_error *err);
/* Opening only: `part` keeps its first `size` bytes; what lies behind `end` becomes the part of bytes on
 * row `slot`, also where nothing does. */
lathe_result rec_split_tail(lathe_doc *doc, uint32_t part, uint64_t size, uint64_t end,
                            uint32_t slot, lathe_error *err);
/* Opening only: the whole of `part` becomes a container of its own, opened by the format. */
lathe_result rec_embed(lathe_doc *doc, uint32_t part, const lathe_format *format, lathe_error *err);
/* Part hanging on row `slot` of `part`, number i of them; REC_NO_PART past the last. */
uint32_t rec_kid(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t i);
uint64_t rec_kids(lathe_doc *doc, uint32_t part, uint32_t slot);
/* All of them at once, borrowed until a part comes or goes. */
const uint32_t *rec_kid_list(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t *n);
size_t rec_first_kid(const lathe_doc *doc, uint32_t owner, uint32_t slot); /* in owner's kids */
uint64_t rec_kid_index(lathe_doc *doc, uint32_t part); /* its number i, from 0 */
/* Offset in the encoded document of a place in a part. */
uint64_t rec_encoded(lathe_doc *doc, uint32_t part, uint64_t off);
/* Replays cuts since the view was last looked at. LATHE_ERR_REMOVED: what it showed is gone. */
lathe_result rec_sync(lathe_view *view, lathe_error *err);
lathe_result rec_no_memory(lathe_error *err);
/* A new document around `size` bytes that it takes over (also when it fails). */
lathe_result rec_doc_new(const lathe_options *options, uint8_t *input, size_t size,
                         const char *path, lathe_doc **doc, lathe_error *err);
/* Opening and making only: byte order, pointers and version, before any record but the root is looked at. */
lathe_result rec_arrange(lathe_doc *doc, uint32_t container, bool big, uint8_t pointer,
                         int64_t version, lathe_error *err);
/* Adds the container of a format over part `root`, for making documents from nothing. */
uint32_t rec_container_add(lathe_doc *doc, const lathe_format *format, uint32_t root,
                           uint32_t outer);
uint32_t rec_part_add(lathe_doc *doc, uint32_t container); /* empty, owned, nowhere in the tree */
/* What a format works out of records and wants to find again: one thing for each container, which stays
 * until the document changes in any way, undo included, or closes. It may point into parts. NULL: there
 * is none, or it went. */
void *rec_kept(lathe_doc *doc, uint32_t container);
/* Takes `what` over, in place of what was kept: release(doc, what) is called when it goes. */
void rec_keep(lathe_doc *doc, uint32_t container, void *what,
              void (*release)(lathe_doc *doc, void *what));
/* Refuses parts nested deeper than REC_DEPTH, with all that hangs on `part` (REC_NO_PART: nothing). */
lathe_result rec_part_depth(lathe_doc *doc, uint32_t part, uint32_t owner, lathe_error *err);
/* False: no memory, or nested too deep. */
bool rec_part_hang(lathe_doc *doc, uint32_t part, uint32_t owner, uint32_t slot, size_t pos);
void rec_part_unhang(lathe_doc *doc, uint32_t part);
bool rec_part_own(lathe_doc *doc, rec_part *p, uint64_t size); /* owned, with room for `size` */

/* ---- places (walk.c) --------------------------------------------------------------------------- */

struct rec_at {
    lathe_doc *doc;
    const rec_layout *layout;
    const rec_at *parent; /* known while walking down; rec_parent works it out otherwise */
    uint64_t off, index;
    uint32_t part, slot, depth; /* slot: the row of parent it is in */
};

/* A row as it is in the record. */
static inline const rec_slot *rec_slot_of(const rec_at *at, uint32_t slot)
{
    const rec_slot *s = &at->layout->slots[slot];
    return s->varies ? rec_variant_of(at, slot) : s;
}

typedef struct rec_loc { /* where a field is */
    bool present;
    uint32_t part;
    uint64_t off, size;    /* in line */
    uint64_t data, count;  /* first element or byte, and how many */
    uint32_t data_part;    /* which mostly is `part` */
    const rec_layout *sub; /* from rec_rows: what its records were */
} rec_loc;

/* Everything below checks bounds; errors carry the place. */
lathe_result rec_find(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err);
/* Element i of an array: its place in `part`, its size in bytes. */
lathe_result rec_elem(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t i,
                      uint64_t *off, uint64_t *size, lathe_error *err);
/* Size of the whole record in its part; walks what is not fixed. */
lathe_result rec_measure(const rec_at *at, uint64_t *size, lathe_error *err);
rec_at rec_child(const rec_at *at, uint32_t slot, const rec_layout *layout, uint32_t part,
                 uint64_t off, uint64_t index);
/* A record field or element as a place, wherever it lies. */
lathe_result rec_sub(const rec_at *at, uint32_t slot, uint64_t i, rec_at *out, lathe_error *err);
/* The record around `at`; *self is `at` with the slot and index it has there. False at the top. */
bool rec_parent(const rec_at *at, rec_at *self, rec_at *parent);
/* The records of a part that hold `off`, outermost first, into REC_DEPTH places; returns how many. */
int rec_chain(lathe_doc *doc, uint32_t part, uint64_t off, rec_at *chain);
rec_at rec_root(lathe_doc *doc, uint32_t container);
/* Number in an integer row of the same record, for hooks: 0 where absent or unreadable. */
int64_t rec_int(const rec_at *at, const char *name);
/* The same by row, and where that is a real number; the sum of an array's integers. */
int64_t rec_slot_int(const rec_at *at, uint32_t slot);
double rec_slot_real(const rec_at *at, uint32_t slot);
uint64_t rec_slot_sum(const rec_at *at, uint32_t slot);
/* Forgets what was walked at or behind `off` of a part. */
void rec_forget(lathe_doc *doc, uint32_t part, uint64_t off);
void rec_seen_free(lathe_doc *doc);
/* Whether the part does not parse: all its rows are absent. *why may be NULL. */
bool rec_opaque(lathe_doc *doc, uint32_t part, lathe_error *why);
/* Whether a row's conditions hold. */
lathe_result rec_present(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* The two halves of that: what the version says, and what other rows say. */
bool rec_in_version(const rec_field *row, int64_t version);
lathe_result rec_chosen(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* Finds a row that must be there. */
lathe_result rec_find_present(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err);
/* Element i, which must be there: its place and, where it is a string, its text in loc->data. */
lathe_result rec_find_item(const rec_at *at, uint32_t slot, uint64_t i, rec_loc *item,
                           lathe_error *err);
/* An error at a place: path and encoded offset are filled in. */
lathe_result rec_fail(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err,
                      lathe_result code, const char *fmt, ...) ERROR_PRINTF(6, 7);

/* ---- rows that take no bytes (unstored.c) ------------------------------------------------------- */

/* The array element that row `slot` of a group's element `at` stands for: its record, row, number. */
lathe_result rec_column(const rec_at *at, uint32_t slot, rec_at *owner, uint32_t *owner_slot,
                        uint64_t *i, lathe_error *err);
/* Value of such a row, and setting it. */
lathe_result rec_unstored_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                              lathe_error *err);
lathe_result rec_unstored_set(const rec_at *at, uint32_t slot, const lathe_value *value,
                              lathe_error *err);
/* Of a .numbers row, as an array view shows it: NULL where it is none. */
const rec_numbers *rec_numbers_of(const rec_at *at, uint32_t slot);
lathe_result rec_numbers_read(const rec_at *at, uint32_t slot, uint64_t from, uint64_t n,
                              lathe_elem elem, void *to, size_t stride, lathe_error *err);
/* An edit of its own. All rows at once; n of them may be more or less than there were. */
lathe_result rec_numbers_write(const rec_at *at, uint32_t slot, uint64_t n, lathe_elem elem,
                               const void *from, size_t stride, lathe_error *err);
/* One number of a kind as one of another, for both. False: it does not fit. */
bool rec_elem_convert(lathe_elem from, const void *p, lathe_elem to, void *q);
unsigned rec_elem_width(lathe_elem elem);
/* Its record, where it is one. */
lathe_result rec_unstored_sub(const rec_at *at, uint32_t slot, rec_at *out, lathe_error *err);
/* Sets what is given of a vector that is worked out as a whole; false where it is no such type. */
bool rec_lanes_build(const rec_at *to, const rec_from *from, lathe_result *r, lathe_error *err);
/* The row of `in` through which `at` is seen, if it takes no bytes: *self gets row and number. */
bool rec_unstored_parent(const rec_at *in, const rec_at *at, rec_at *self);

/* ---- views and values (view.c, value.c, path.c) ------------------------------------------------ */

enum {                        /* of lathe_view.flags: */
       REC_VIEW_ARRAY = 1,    /* row `index` of the record at off */
       REC_VIEW_SKELETON = 2, /* no record: skeleton number `index` of the document. Only as an
                                 option of a verb, for rec_skeleton_arg (clip.h) */
};

lathe_view rec_view(const rec_at *at);
lathe_view rec_array_view(const rec_at *at, uint32_t slot);
/* Of an element of an array whose elements are of several types: that type's name in tables, and (*tag)
 * the name that it stands under there. NULL for all others. */
const char *rec_view_tag(lathe_view view, const char **tag);
/* Whether a row is not listed, as it follows from the rest (REC_INSIDE). Of elements that cannot be told
 * apart (REC_SOME) nothing else says what the rows of the same count do. */
bool rec_inside(const rec_at *at, uint32_t slot);
/* The record a view shows, or for an array the record it is in and its slot (else REC_NO_SLOT). */
lathe_result rec_enter(lathe_view *view, rec_at *at, uint32_t *slot, lathe_error *err);
/* Value of a field; `lossless` gives stored numbers where the shown value would lose bits. */
lathe_result rec_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                     lathe_error *err);
lathe_result rec_get_item(const rec_at *at, uint32_t slot, uint64_t i, bool lossless,
                          lathe_value *out, lathe_error *err);
/* A number of any kind; false where the value is none. */
bool rec_number(const lathe_value *v, double *out);
/* Stored number of a scalar field or element. */
lathe_result rec_raw(const rec_at *at, uint32_t slot, uint64_t i, uint64_t *raw, lathe_error *err);
/* Turns a value into the stored number of a scalar row. */
lathe_result rec_encode(const rec_at *at, uint32_t slot, const lathe_value *value, uint64_t *raw,
                        lathe_error *err);
lathe_result rec_decode(const rec_at *at, uint32_t slot, uint64_t raw, bool lossless,
                        lathe_value *out, lathe_error *err);
uint64_t rec_load(const rec_slot *slot, const uint8_t *p);
void rec_store(const rec_slot *slot, uint8_t *p, uint64_t raw);
/* The stored number of a default, .init_fn apart; and whether a row holds its default. */
lathe_result rec_default(const rec_at *at, uint32_t slot, uint64_t *raw, lathe_error *err);
lathe_result rec_is_default(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* Text handed out by a computed field: copied, good until the next one. */
lathe_result rec_text(const rec_at *at, const char *p, size_t n, lathe_value *out,
                      lathe_error *err);
/* Where the last ".name", "[n]" or "["key"]" of a path begins; the path's end where it makes no sense. */
const char *rec_path_last(const char *path);
/* The key in quotes at *p, behind a '[': appended to `key`; *p moves behind the ']'. False where it is
 * none. */
bool rec_path_key(const char **p, buf *key);
size_t rec_path(const rec_at *at, uint32_t slot, uint64_t item, char *buf, size_t cap);
#define REC_NO_ITEM UINT64_MAX

/* The format of that name (doc.c). */
lathe_result rec_format_find(const char *name, const lathe_format **out, lathe_error *err);

/* ---- verbs (verb.c) ----------------------------------------------------------------------------- */

/* Whether a verb of the view's format is one of what the view shows; the one of that name, or NULL. */
bool rec_verb_suits(lathe_view view, const rec_verb *verb);
const rec_verb *rec_verb_find(lathe_view view, const char *name);
/* Whether arguments are what its parameters want; args may be NULL. */
lathe_result rec_check_args(const rec_verb *verb, const lathe_source *args, lathe_error *err);
/* An argument, for the body of a verb: of the kind that its parameter says, as lathe_view_call has
 * checked. False, and *out as it was, where it is not given. Text is borrowed from the source. */
bool rec_arg(const lathe_source *args, const char *name, lathe_value *out);
bool rec_arg_number(const lathe_source *args, const char *name, double *out);
bool rec_arg_integer(const lathe_source *args, const char *name, int64_t *out);
bool rec_text_is(const lathe_value *text, const char *word);

/* ---- edits (journal.c, edit.c, array.c) --------------------------------------------------------- */

/* Every public edit: begin, change, end(result == LATHE_OK). */
lathe_result rec_begin(lathe_doc *doc, lathe_error *err);
lathe_result rec_end(lathe_doc *doc, lathe_result result, lathe_error *err);
/* The one function that changes bytes: replaces `remove` bytes by `insert` (NULL: zeros). */
lathe_result rec_splice(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                        const void *bytes, uint64_t insert, lathe_error *err);
/* The same, with every stored position of the container following. keep_site: the stored position
 * in the same part that points at the array that grows, which stays (LATHE_NO_OFFSET: none). */
lathe_result rec_cut_bytes(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                           const void *bytes, uint64_t insert, uint64_t keep_site,
                           lathe_error *err);
/* Notes a change in the journal of the open edit, before it is made; with `size` bytes that undoing it takes. */
lathe_result rec_note(lathe_doc *doc, rec_edit edit, const void *data, size_t size,
                      lathe_error *err);
/* The bare shift (cut.c), and what takes a noted one back. */
void rec_shift_apply(lathe_doc *doc, uint32_t part, const rec_shift *shift);
rec_shift rec_shift_back(const void *noted);
/* Before the first write of a change of several splices, behind rec_quiet: notes the stored positions
 * that cuts of `part` move, as long as the records can be read. The cuts of the change use them. */
lathe_result rec_hold(lathe_doc *doc, uint32_t part, lathe_error *err);
/* A splice moves those that were noted along; and they are forgotten. */
lathe_result rec_hold_move(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                           uint64_t insert, lathe_error *err);
void rec_let_go(lathe_doc *doc);
lathe_result rec_part_insert(lathe_doc *doc, uint32_t part, uint32_t owner, uint32_t slot,
                             uint64_t i, lathe_error *err);
lathe_result rec_part_remove(lathe_doc *doc, uint32_t part, lathe_error *err);
/* `parts` are those on a row, all of them, as they shall follow each other. */
lathe_result rec_parts_order(lathe_doc *doc, uint32_t owner, uint32_t slot, const uint32_t *parts,
                             lathe_error *err);
lathe_result rec_set_version(lathe_doc *doc, uint32_t container, int64_t version, lathe_error *err);
lathe_result rec_set_param(lathe_doc *doc, uint32_t container, int64_t param, lathe_error *err);
void rec_journal_free(lathe_doc *doc, rec_journal *j);
void rec_history_free(lathe_doc *doc);

/* Inside an edit: */
lathe_result rec_set(const rec_at *at, uint32_t slot, const lathe_value *value, lathe_error *err);
lathe_result rec_set_item(const rec_at *at, uint32_t slot, uint64_t i, const lathe_value *value,
                          lathe_error *err);
/* The same for text and bytes, also of a read-only row. */
lathe_result rec_set_text(const rec_at *at, uint32_t slot, const lathe_value *value,
                          lathe_error *err);
/* Refuses a row that nobody may set, for whatever reason. */
lathe_result rec_writable(const rec_at *at, uint32_t slot, lathe_error *err);
/* Whether elements of the row hold fields that are not to be set: then no bytes are carried over. */
bool rec_guarded(const rec_slot *slot);
/* Whether an element's new bytes leave them as they are. The element has a fixed size. */
bool rec_guard_holds(const rec_slot *slot, const uint8_t *now, const uint8_t *bytes);
lathe_result rec_set_name(const rec_at *at, const char *name, const lathe_value *value,
                          lathe_error *err); /* for hooks */
lathe_result rec_put_raw(const rec_at *at, uint32_t slot, uint64_t i, uint64_t raw,
                         lathe_error *err);
/* Stores elements from .. from + n, all of one size, whose new bytes are ready; what they select follows. */
lathe_result rec_put_items(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t from,
                           uint64_t n, const uint8_t *bytes, lathe_error *err);
/* Where all rows are before one changes that selects others: one for each row, to be freed. Rows that
 * are cut in between change their size in it. */
lathe_result rec_rows(const rec_at *at, rec_loc **rows, lathe_error *err);
/* Stores the number of such a row at `off`; later rows come, go and grow. Inside rec_quiet. */
lathe_result rec_select(const rec_at *at, uint32_t slot, uint64_t off, uint64_t raw,
                        const rec_loc *was, lathe_error *err);
/* Inserts n elements: `bytes` of them ready made, or NULL for defaults. */
lathe_result rec_insert(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, const void *bytes,
                        uint64_t size, lathe_error *err);
lathe_result rec_remove(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, lathe_error *err);
/* Element `from` gets number `to`, with those of arrays that share the count; the others close up (move.c). */
lathe_result rec_move(const rec_at *at, uint32_t slot, uint64_t from, uint64_t to,
                      lathe_error *err);
/* The parts alone, without the count and the arrays that share it. */
lathe_result rec_insert_parts(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                              lathe_error *err);
void rec_derive_note(lathe_doc *doc, uint32_t part, uint64_t off);
/* A .derive row was set by hand: what it says now is what its user wants. */
void rec_derive_release(const rec_at *at, uint32_t slot);
lathe_result rec_derive_apply(lathe_doc *doc, lathe_error *err);
void rec_derive_forget(lathe_doc *doc, size_t mark); /* those noted since */

/* Begins a change of several splices (doc->quiet-- ends it): .derive rows around it are noted now,
 * while the record can still be read. */
void rec_quiet(const rec_at *at);
uint64_t rec_text_limit(const rec_field *row);
lathe_result rec_check_text(const rec_at *at, uint32_t slot, uint64_t off, const char *p, size_t n,
                            lathe_error *err);

/* ---- data that lie elsewhere (apart.c) ----------------------------------------------------------- */

/* Before a length in `part` changes: finds out whether it is tidy. */
lathe_result rec_tidy_before(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Replaces bytes of a body that ends at `end` (loc->data where it begins with this), or behind its last
 * ones. What follows stays aligned: the zeros there are used up or added to. */
lathe_result rec_body_cut(const rec_at *at, const rec_field *row, const rec_body *body,
                          const rec_loc *loc, uint64_t end, uint64_t off, uint64_t remove,
                          const void *bytes, uint64_t insert, lathe_error *err);
/* Refuses to resize what others share, or what lies where it can't be moved. */
lathe_result rec_body_may(const rec_at *at, uint32_t slot, const rec_loc *loc, lathe_error *err);
/* Sets a .text whose head is at loc->off; NULL: there is none. */
lathe_result rec_put_text(const rec_at *at, uint32_t slot, const rec_loc *loc, const char *text,
                          size_t n, lathe_error *err);
/* All data that a record, or elements, have elsewhere go; the texts that new elements have come. */
lathe_result rec_clear_apart(const rec_at *at, lathe_error *err);
lathe_result rec_clear_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err);
lathe_result rec_begin_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err);

/* ---- keyed arrays (map.c) ------------------------------------------------------------------------ */

/* A key's bytes, any bytes. */
typedef struct rec_key {
    const char *p;
    size_t n;
} rec_key;

bool rec_keyed(const rec_slot *slot);
/* The next element from *i on that has the key; *i is the number of elements where none has. */
lathe_result rec_key_next(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i,
                          lathe_error *err);
/* Which element counts, and how many have the key (0: none, and *i is the number of elements). */
lathe_result rec_key_find(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i,
                          uint64_t *repeats, lathe_error *err);
/* What a lookup gives: NONE where the key is missing. Refuses one that is repeated and read merged. */
lathe_result rec_key_get(const rec_at *at, uint32_t slot, rec_key key, lathe_value *out,
                         lathe_error *err);
/* Inside an edit: the element to be written, appended with that key where none has it (*fresh). */
lathe_result rec_key_place(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i, bool *fresh,
                           lathe_error *err);
/* Gives an element that key. */
lathe_result rec_key_store(const rec_at *at, uint32_t slot, uint64_t i, rec_key key,
                           lathe_error *err);
/* Removes all elements that have the key. */
lathe_result rec_key_remove(const rec_at *at, uint32_t slot, rec_key key, lathe_error *err);
/* The key in quotes, for messages: shortened, and with what can't be printed escaped. */
const char *rec_key_text(rec_key key, char *text, size_t cap);

/* ---- building (given.c, emit.c, build.c) ------------------------------------------------------------------ */

/* Where the fields of a record come from; all may be NULL: defaults. */
struct rec_from {
    const lathe_source *source;
    const void *node;
    const rec_at *base; /* what the source lacks is copied from here */
    const char *tag;    /* a name among those of its rows that is no row: what tells its type */
    bool skip_parts;    /* rows in parts of their own are somebody else's business */
    bool fresh;         /* a new record: from the base come only fields that nobody may set */
    bool stands; /* it is tried out for a record that stands: rows that take no bytes, and what
                    is counted elsewhere, are set there */
};

/* What the part of a REC_PART row begins with: of bytes, a record that is nothing but them. */
const rec_type *rec_part_type(const rec_field *row);
extern const rec_type rec_bytes_part;
/* A part for one element of a REC_PART row, not yet hung anywhere: its root layout is set. */
uint32_t rec_new_part(const rec_at *at, uint32_t slot);

/* Where the elements of an array come from: a node of a source, or row `slot` of `at`. */
typedef struct rec_items {
    const lathe_source *source;
    const void *node;
    const rec_at *at;
    uint32_t slot;
    uint64_t count;
    bool named; /* for a keyed array: names in place of elements. See rec_named. */
} rec_items;

/* Such a node as a list: elements of a key and a value, in the order of the keys' bytes. Its items
 * serve until rec_named_close. */
typedef struct rec_named {
    rec_items items;
    lathe_source source;
    const lathe_source *inner;
    const rec_slot *slot;
    const void *node; /* of the inner source */
    struct rec_entry *entries;
    size_t count, cap;
    buf names;
} rec_named;

lathe_result rec_named_open(rec_named *named, const rec_at *at, uint32_t slot,
                            const rec_items *items, lathe_error *err);
void rec_named_close(rec_named *named);

/* Appends a record to the part `at` is in: `at` starts at the part's end. */
lathe_result rec_emit(const rec_at *at, const rec_from *from, lathe_error *err);
/* Appends one field of `at` (which may stand elsewhere) to a part. */
lathe_result rec_emit_field(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err);
/* Appends elements from .. items->count. */
lathe_result rec_emit_items(const rec_at *at, uint32_t slot, const rec_items *items, uint64_t from,
                            uint32_t part, lathe_error *err);
/* Appends n elements (or bytes) as they are where nothing is given. No other row is looked at. */
lathe_result rec_emit_default(const rec_at *at, uint32_t slot, uint64_t n, uint32_t part,
                              lathe_error *err);
/* Whether a row's count is kept elsewhere, because it is absent. */
bool rec_counted_elsewhere(const rec_at *at, uint32_t slot);
/* Whether the source has a value for a row: *leaf, and *child where it is nested. */
bool rec_given(const rec_from *from, const rec_at *at, uint32_t slot, lathe_value *leaf,
               const void **child);
/* Refuses names that are no fields of the record, and more numbers than a vector has. */
lathe_result rec_check_names(const rec_at *at, const rec_from *from, lathe_error *err);
/* The row of the record to copy from that stands for row `slot`, where it has one that is there. */
bool rec_base_row(const rec_from *from, const rec_at *at, uint32_t slot, uint32_t *base_slot);
/* What a row needs that the whole record must stand for (finish.c): rec_emit calls it for each. */
lathe_result rec_finish(const rec_at *at, uint32_t slot, const rec_from *from, lathe_error *err);
/* The elements behind such a value for a row (a list, an array view). False where it is neither. */
bool rec_items_of(const rec_slot *slot, const rec_from *from, const lathe_value *leaf,
                  const void *child, rec_items *items, rec_at *storage);
/* Those of a node of a source. */
void rec_items_in(const rec_slot *slot, const lathe_source *source, const void *node,
                  rec_items *items);

/* Inside an edit: makes a record or array equal to what is given, touching only what differs. */
lathe_result rec_build(const rec_at *to, const rec_from *from, lathe_error *err);
lathe_result rec_build_array(const rec_at *at, uint32_t slot, const rec_items *items,
                             lathe_error *err);
lathe_result rec_copy(const rec_at *to, const rec_at *from, lathe_error *err);
lathe_result rec_copy_array(const rec_at *at, uint32_t slot, const rec_at *from, uint32_t from_slot,
                            lathe_error *err);
/* ---- elements of several types (several.c) ---------------------------------------------------------- */

/* A part for an element of a row with .tag, of the type that what is given says (none: the row's own), not
 * hung anywhere. *raw: it was given as bytes, which are in it. */
lathe_result rec_part_given(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t *part,
                            bool *raw, lathe_error *err);
/* Inside an edit: element i as it is to be built from `from`: one of another type takes its place where that
 * says so. *raw: nothing is left to be built. */
lathe_result rec_element_for(const rec_at *at, uint32_t slot, uint64_t i, const rec_from *from,
                             rec_at *element, bool *raw, lathe_error *err);
/* Inside an edit: a record of another type takes the place of one, with its fields of the same names. */
lathe_result rec_retype(const rec_at *at, const char *name, size_t n, lathe_error *err);

/* ---- copies from another document (foreign.c) -------------------------------------------------------- */

/* Whether numbers of the one record mean something else in the other. */
bool rec_foreign(const rec_at *at, const rec_at *base);
/* Whether a row holds numbers that do. */
bool rec_means_other(const rec_slot *slot);
/* The number to be stored for what row `base_slot` of `base` has (element i), in whatever document that is. */
lathe_result rec_number_from(const rec_at *at, uint32_t slot, const rec_at *base,
                             uint32_t base_slot, uint64_t i, uint64_t *raw, lathe_error *err);
/* `to` begins as the bytes of `base`, in a scratch part: its numbers become those of its own document. */
lathe_result rec_adopt(const rec_at *to, const rec_at *base, lathe_error *err);
/* Refuses an element of a row with .tag where it is foreign and nobody knows its numbers. */
lathe_result rec_may_copy(const rec_at *at, uint32_t slot, const rec_at *base, lathe_error *err);

/* A part for trying things in: begins empty, is in no file. */
uint32_t rec_scratch(lathe_doc *doc, uint32_t container);
void rec_scratch_free(lathe_doc *doc, uint32_t part);

/* ---- written anew (serialize.c) --------------------------------------------------------------------- */

/* Appends to `out`, whatever memory that is of, what lathe_doc_serialize gives. */
lathe_result rec_serialize(lathe_view place, const lathe_source *args, buf *out, lathe_error *err);

/* ---- versions (convert.c) ------------------------------------------------------------------------ */

/* Inside an edit: gives the container another version. In all its records rows come with their
 * defaults and go as .since, .before and .when say; dropped (may be NULL) is called for each that goes,
 * while it is still there. A row that is kept elsewhere where it is absent keeps its value, and does not
 * count as dropped. Parts neither come nor go. What does not parse stays as it is. Not for formats with
 * stored positions. */
lathe_result rec_convert(lathe_doc *doc, uint32_t container, int64_t version,
                         void (*dropped)(void *user, const rec_at *at, uint32_t slot), void *user,
                         lathe_error *err);

/* ---- check and lint (check.c, lint.c) ------------------------------------------------------------ */

struct rec_report {
    lathe_doc *doc;
    bool (*each)(void *user, const lathe_error *finding);
    void *user;
    bool stopped;
    uint64_t errors;
    uint64_t told[2]; /* warnings, errors */
};

/* An option given to opening or checking; false where it is not. */
bool rec_option(const lathe_doc *doc, const char *name, lathe_value *leaf, const void **child);
/* Reports a finding at a place. */
void rec_finding(rec_report *r, lathe_level level, const rec_at *at, uint32_t slot, uint64_t item,
                 const char *fmt, ...) ERROR_PRINTF(6, 7);
/* Reports an error that something gave. */
void rec_found(rec_report *r, lathe_level level, const lathe_error *found);
/* Problems of a format's schema, to `say`; returns how many. */
size_t rec_lint(const lathe_format *format, void (*say)(void *user, const char *problem),
                void *user);

#endif
