/* Inside the engine: documents, containers, parts, places, and the functions between them.
 *
 *   document   one file. Owns everything below; edits are its transactions.
 *   container  one format's run of parts: the file itself, or a document inside a part of another.
 *   part       a contiguous run of bytes at a seam of the format. Parts form a tree; the encoded
 *              document is its pre-order. A part borrows from the input until it is written.
 *   layout     a record type worked out for one container (byte order, offsets, sizes).
 *   place      a record: part, offset, layout (rec_at while looked at, lathe_view while held).
 *
 * Whoever works on records includes this one: layouts, documents and building are in headers of their own
 * for the length of it alone. */
#ifndef LATHE_RECORD_RECORD_H
#define LATHE_RECORD_RECORD_H

#include "record/build.h"
#include "record/doc.h"
#include "record/layout.h"
#include "record/schema.h"

/* ---- places (walk.c, place.c, lazy.c, chain.c) ------------------------------------------------------------------------- */

/* Where rows of a record begin, kept by whoever looks at all of them, one after the other, and changes no length. */
enum { REC_KEPT = 64 };
typedef struct rec_offsets {
    uint32_t n; /* known: the first ones */
    uint64_t off[REC_KEPT];
} rec_offsets;

struct rec_at {
    lathe_doc *doc;
    const rec_layout *layout;
    uint64_t off, index;
    uint32_t part, slot, depth; /* slot: the row of the parent it is in */
    uint32_t parent_part;
    /* of the record around it; NULL: rec_parent searches for that one */
    const rec_layout *parent_layout;
    uint64_t parent_off;
    rec_offsets *known; /* NULL: offsets of rows are looked for in offset_cache.c */
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
/* Element i of an array of records; an error where there is none. */
lathe_result rec_sub_item(const rec_at *at, uint32_t slot, uint64_t i, rec_at *out,
                          lathe_error *err);
/* The record around `at`; *self is `at` with the slot and index it has there. False at the top. */
bool rec_parent(const rec_at *at, rec_at *self, rec_at *parent);
/* A record that is being made or measured, with the one around it. While a record is not whole, or perhaps damaged,
 * rec_parent cannot find the records in it by a search, so who works on it keeps it on the document's trail.
 * rec_trail_leave takes back the last rec_trail_enter. */
struct rec_trail {
    rec_at at;
    const rec_trail *outer;
};
void rec_trail_enter(rec_trail *here, const rec_at *at);
void rec_trail_leave(const rec_trail *here);
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
void rec_offset_cache_free(lathe_doc *doc);
/* Whether the part does not parse: all its rows are absent. *why may be NULL; LATHE_ERR_MEMORY: nobody knows yet. */
bool rec_opaque(lathe_doc *doc, uint32_t part, lathe_error *why);
/* Makes a REC_LAZY part opaque, with a copy of `why` as its problem. */
void rec_part_refuse(lathe_doc *doc, uint32_t part, const lathe_error *why);
/* Whether a row's conditions hold. */
lathe_result rec_present(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* The two halves of that: what the version says, and what other rows say. */
bool rec_in_version(const rec_field *row, int64_t version);
lathe_result rec_chosen(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* Fails: the array, which is at *loc, has no element i. */
lathe_result rec_no_item(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t i,
                         lathe_error *err);
/* Finds a row that must be there. */
lathe_result rec_find_present(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err);
/* Element i, which must be there: its place and, where it is a string, its text in loc->data. */
lathe_result rec_find_item(const rec_at *at, uint32_t slot, uint64_t i, rec_loc *item,
                           lathe_error *err);
/* An error at a place: path and encoded offset are filled in. */
lathe_result rec_fail(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err,
                      lathe_result code, const char *fmt, ...) ERROR_PRINTF(6, 7);

/* ---- rows that take no bytes (unstored.c, numbers.c) ----------------------------------------- */

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
/* Refuses a row that is absent, and tells which table of numbers would make an array come. */
lathe_result rec_absent(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err);
/* They go, where the row has .turn. */
lathe_result rec_numbers_remove(const rec_at *at, uint32_t slot, lathe_error *err);
/* One number of a kind as one of another, for both. False: it does not fit. */
bool rec_elem_convert(lathe_elem from, const void *p, lathe_elem to, void *q);
unsigned rec_elem_width(lathe_elem elem);
/* Its record, where it is one. */
lathe_result rec_unstored_sub(const rec_at *at, uint32_t slot, rec_at *out, lathe_error *err);
/* Sets what is given of a vector that is worked out as a whole; false where it is no such type. */
bool rec_lanes_build(const rec_at *to, const rec_from *from, lathe_result *r, lathe_error *err);
/* The same once the rows stand that they are worked out from; of a record that is made with its defaults. */
lathe_result rec_lanes_finish(const rec_at *to, const rec_from *from, bool made, lathe_error *err);
/* The row of `in` through which `at` is seen, if it takes no bytes: *self gets row and number. */
bool rec_unstored_parent(const rec_at *in, const rec_at *at, rec_at *self);

/* ---- views and values (view.c, value.c, chain.c, path.c) ------------------------------------- */

enum {                     /* of lathe_view.flags: */
       REC_VIEW_ARRAY = 1, /* row `index` of the record at off */
       REC_VIEW_UPPER =
           6, /* no record, but something of the floor above, which says what these bits mean. Only as
                              an option of a verb */
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
/* LATHE_ERR_UNSUPPORTED where a reference of a record (or of its row `slot`) leads to what nobody can locate, and
 * so reads as a number. Parts that hang on the record are not looked into. depth: 0. */
lathe_result rec_targets_known(const rec_at *at, uint32_t slot, int depth, lathe_error *err);
/* Value of a field; `lossless` gives stored numbers where the shown value would lose bits. */
lathe_result rec_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                     lathe_error *err);
lathe_result rec_get_item(const rec_at *at, uint32_t slot, uint64_t i, bool lossless,
                          lathe_value *out, lathe_error *err);
/* Value of a field as it is asked for by its name: also of the row that is read instead (.instead). */
lathe_result rec_get_named(const rec_at *at, uint32_t slot, lathe_value *out, lathe_error *err);
/* A number of any kind; false where the value is none. */
bool rec_number(const lathe_value *v, double *out);
/* Fails: the row takes another kind of value. */
lathe_result rec_wrong_type(const rec_at *at, uint32_t slot, const lathe_value *v,
                            lathe_error *err);
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
/* Follows a path from the place *place on, of which `from` is the part that is left. *place stays where it fails. */
lathe_result rec_path_follow(const char *path, const char *from, lathe_value *place,
                             lathe_error *err);
/* The key in quotes at *p, behind a '[': appended to `key`; *p moves behind the ']'. False where it is
 * none. */
bool rec_path_key(const char **p, buf *key);
size_t rec_path(const rec_at *at, uint32_t slot, uint64_t item, char *buf, size_t cap);
#define REC_NO_ITEM UINT64_MAX

/* The format of that name (doc.c). */
lathe_result rec_format_find(const char *name, const lathe_format **out, lathe_error *err);

/* ---- verbs (verb.c) -------------------------------------------------------------------------- */

/* Whether a verb of the view's format is one of what the view shows; the one of that name, or NULL. */
bool rec_verb_suits(lathe_view view, const rec_verb *verb);
/* The format of the document, or of the one inside of it, that a view lies in. */
const lathe_format *rec_format_of(lathe_view view);
/* Whether records of a type have a format's verb: a document's own types (REC_OWN) by their names. */
bool rec_verb_is_of(const rec_verb *verb, const lathe_format *format, const rec_type *type);
/* The verb behind `verb` (NULL: the first one): a format's own, then those that it shares. NULL: there is no other. */
const rec_verb *rec_verb_next(const lathe_format *format, const rec_verb *verb);
const rec_verb *rec_verb_find(lathe_view view, const char *name);
/* Whether arguments are what its parameters want; args may be NULL. */
lathe_result rec_check_args(const rec_verb *verb, const lathe_source *args, lathe_error *err);
/* An argument, for the body of a verb: of the kind that its parameter says, as lathe_view_call has
 * checked. False, and *out as it was, where it is not given. Text is borrowed from the source. */
bool rec_arg(const lathe_source *args, const char *name, lathe_value *out);
bool rec_arg_number(const lathe_source *args, const char *name, double *out);
bool rec_arg_integer(const lathe_source *args, const char *name, int64_t *out);
bool rec_text_is(const lathe_value *text, const char *word);

/* ---- edits (journal.c, history.c, edit.c, array.c) ------------------------------------------- */

/* Every public edit: begin, change, end(result == LATHE_OK). */
lathe_result rec_begin(lathe_doc *doc, lathe_error *err);
/* Whether some document's other file is being opened: somebody up the stack counts on all documents. */
bool rec_in_use(const lathe_doc *doc);
lathe_result rec_refuse_use(lathe_error *err);
lathe_result rec_end(lathe_doc *doc, lathe_result result, lathe_error *err);
/* Inside an edit of `doc`: begins one of `other` for each open edit of `doc`, which ends with that, and is kept or rolled
 * back as that is. LATHE_ERR_STATE: `other` is in an edit of its own, or of a third document. */
lathe_result rec_join(lathe_doc *doc, lathe_doc *other, lathe_error *err);
/* The document is about to close: none of these edits counts on it any more. */
void rec_leave(lathe_doc *doc);
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
bool rec_edit_names_part(const rec_edit *e); /* it is of a part: not of a container */
/* What the open edit did to a part, the last change first; NULL: no more. Good until the next change. */
const rec_edit *rec_edit_last(const lathe_doc *doc, uint32_t part);
const rec_edit *rec_edit_earlier(const lathe_doc *doc, const rec_edit *e);
/* The bare shift (cut.c), and what takes a noted one back. */
/* In the open edit. */
lathe_result rec_shift_all(lathe_doc *doc, uint32_t part, const rec_shift *shift, lathe_error *err);
void rec_shift_apply(lathe_doc *doc, uint32_t part, const rec_shift *shift);
rec_shift rec_shift_back(const void *noted);
/* Before the first write of a change of several splices, behind rec_change_begin: notes the stored positions
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
/* Container `other` becomes the document's, number 0, which takes its number. */
lathe_result rec_swap(lathe_doc *doc, uint32_t other, lathe_error *err);
/* Inside an edit: the document becomes what its format opens of these bytes, as a whole. Views of what it was are
 * of what was removed until that is taken back. Not of formats that read their files on demand (.head). */
lathe_result rec_replace(lathe_doc *doc, const void *bytes, size_t n, lathe_error *err);
void rec_journal_free(lathe_doc *doc, rec_journal *j);
void rec_history_free(lathe_doc *doc);
void rec_history_forget(lathe_doc *doc); /* no step can be taken back any more */

/* Inside an edit: */
lathe_result rec_set(const rec_at *at, uint32_t slot, const lathe_value *value, lathe_error *err);
lathe_result rec_set_item(const rec_at *at, uint32_t slot, uint64_t i, const lathe_value *value,
                          lathe_error *err);
/* The same for text and bytes, also of a read-only row. */
lathe_result rec_set_text(const rec_at *at, uint32_t slot, const lathe_value *value,
                          lathe_error *err);
/* A count of arrays of which none is there: what they would hold is kept elsewhere, and it is a number as any. */
bool rec_counts_nothing(const rec_at *at, uint32_t slot);
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
/* The same of a count whose elements have come or gone. known: so has what walks know of them (rec_offset_resize). */
lathe_result rec_put_count(const rec_at *at, uint32_t slot, uint64_t raw, bool known,
                           lathe_error *err);
/* Stores elements from .. from + n, all of one size, whose new bytes are ready; what they select follows. */
lathe_result rec_put_items(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t from,
                           uint64_t n, const uint8_t *bytes, lathe_error *err);
/* Where all rows are before one changes that selects others: one for each row, to be freed. Rows that
 * are cut in between change their size in it. */
lathe_result rec_rows(const rec_at *at, rec_loc **rows, lathe_error *err);
/* Stores the number of such a row at `off`; later rows come, go and grow. Inside rec_change_begin. */
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
/* Bytes at `off` of a part are about to change: notes which .derive rows agree now. inside: no length changes. */
void rec_derive_note(lathe_doc *doc, uint32_t part, uint64_t off, bool inside);
/* A .derive row was set by hand: what it says now is what its user wants. */
void rec_derive_release(const rec_at *at, uint32_t slot);
lathe_result rec_derive_apply(lathe_doc *doc, lathe_error *err);
void rec_derive_forget(lathe_doc *doc, size_t mark); /* those noted since */

/* Begins a change of several splices (doc->changing-- ends it): .derive rows around it are noted now,
 * while the record can still be read. */
void rec_change_begin(const rec_at *at);
lathe_result rec_check_text(const rec_at *at, uint32_t slot, uint64_t off, const char *p, size_t n,
                            lathe_error *err);

/* ---- data that lie elsewhere (out_of_line.c) ------------------------------------------------------- */

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
/* All data that elements have elsewhere go. */
lathe_result rec_clear_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err);
/* The same at once, if it lies in one run of bytes; *done: whether it does. */
lathe_result rec_clear_run(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, bool *done,
                           lathe_error *err);
/* The texts that new elements have come. */
lathe_result rec_begin_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err);

/* ---- keyed arrays (map.c) -------------------------------------------------------------------- */

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

/* ---- versions (convert.c) -------------------------------------------------------------------- */

/* Inside an edit: gives the container another version. In all its records rows come with their
 * defaults and go as .since, .before and .when say; dropped (may be NULL) is called for each that goes,
 * while it is still there. A row that is kept elsewhere where it is absent keeps its value, and does not
 * count as dropped. Parts neither come nor go. What does not parse stays as it is. Not for formats with
 * stored positions. */
lathe_result rec_convert(lathe_doc *doc, uint32_t container, int64_t version,
                         void (*dropped)(void *user, const rec_at *at, uint32_t slot), void *user,
                         lathe_error *err);

/* ---- check and lint (check.c, lint.c) -------------------------------------------------------- */

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
