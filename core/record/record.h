/* Internal interface of the engine: documents, containers, parts, places, and the functions on them.
 *
 *   document   one file. Owns everything below; edits are its transactions.
 *   container  the parts of one format: the file itself, or a document inside a part of another one.
 *   part       a contiguous run of bytes at a seam of the format. Parts form a tree; the encoded
 *              document is its pre-order. A part borrows from the input until it is edited.
 *   layout     a record type laid out for one container (byte order, offsets, sizes).
 *   place      a record: part, offset, layout (rec_at while in use, lathe_view while kept).
 *
 * Code that works on records includes this header. It is split into several (layout, doc, build) only because of its
 * length. */
#ifndef LATHE_RECORD_RECORD_H
#define LATHE_RECORD_RECORD_H

#include "record/build.h"
#include "record/doc.h"
#include "record/layout.h"
#include "record/schema.h"

/* ---- places (walk.c, place.c, lazy.c, chain.c) ----------------------------------------------- */

/* Offsets of the first rows of a record, kept by a caller who visits all rows in order and changes no length. */
enum { REC_KEPT = 64 };
typedef struct rec_offsets {
    uint32_t n; /* how many offsets are known */
    uint64_t off[REC_KEPT];
} rec_offsets;

struct rec_at {
    lathe_doc *doc;
    const rec_layout *layout;
    uint64_t off, index;
    uint32_t part, slot, depth; /* slot: the row of the parent record that contains this record */
    uint32_t parent_part;
    /* of the enclosing record; NULL: rec_parent has to search for it */
    const rec_layout *parent_layout;
    uint64_t parent_off;
    rec_offsets *known; /* NULL: use the offset cache (offset_cache.c) */
};

/* The slot of a row, with the properties that it has in this record. */
static inline const rec_slot *rec_slot_of(const rec_at *at, uint32_t slot)
{
    const rec_slot *s = &at->layout->slots[slot];
    return s->varies ? rec_variant_of(at, slot) : s;
}

typedef struct rec_loc { /* the place of a field */
    bool present;
    uint32_t part;
    uint64_t off, size;    /* of the bytes in the record itself */
    uint64_t data, count;  /* offset of the first element or byte, and their number */
    uint32_t data_part;    /* the part that holds `data`; usually `part` */
    const rec_layout *sub; /* set by rec_rows: the layout that its records had */
} rec_loc;

/* All functions below check bounds, and their errors name the place. */
lathe_result rec_find(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err);
/* The offset in loc->data_part and the size in bytes of element i of an array. */
lathe_result rec_elem(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t i,
                      uint64_t *off, uint64_t *size, lathe_error *err);
/* The size of the whole record in its part. Reads the record as far as sizes are not fixed. */
lathe_result rec_measure(const rec_at *at, uint64_t *size, lathe_error *err);
rec_at rec_child(const rec_at *at, uint32_t slot, const rec_layout *layout, uint32_t part,
                 uint64_t off, uint64_t index);
/* The record in a field or element, wherever it is stored. */
lathe_result rec_sub(const rec_at *at, uint32_t slot, uint64_t i, rec_at *out, lathe_error *err);
/* The record that is element i of an array; fails if there is no such element. */
lathe_result rec_sub_item(const rec_at *at, uint32_t slot, uint64_t i, rec_at *out,
                          lathe_error *err);
/* Finds the record that encloses `at`. *self is `at`, with its slot and index there. False: `at` is a root. */
bool rec_parent(const rec_at *at, rec_at *self, rec_at *parent);
/* A record that is being made or measured, with the enclosing ones. As long as a record is incomplete or may be
 * damaged, rec_parent cannot find the records inside it by a search, so code that works on it puts it on the
 * document's trail. rec_trail_leave undoes the last rec_trail_enter. */
struct rec_trail {
    rec_at at;
    const rec_trail *outer;
};
void rec_trail_enter(rec_trail *here, const rec_at *at);
void rec_trail_leave(const rec_trail *here);
/* Stores the records of a part that contain offset `off`, outermost first, in chain[REC_DEPTH]. Returns their
 * number. */
int rec_chain(lathe_doc *doc, uint32_t part, uint64_t off, rec_at *chain);
rec_at rec_root(lathe_doc *doc, uint32_t container);
/* For hooks: the value of an integer row of the same record; 0 if the row is absent or cannot be read. */
int64_t rec_int(const rec_at *at, const char *name);
/* The same for a row given by its slot: as an integer, as a real number, and as the sum of an integer array. */
int64_t rec_slot_int(const rec_at *at, uint32_t slot);
double rec_slot_real(const rec_at *at, uint32_t slot);
uint64_t rec_slot_sum(const rec_at *at, uint32_t slot);
/* Drops the cached offsets at or behind `off` of a part. */
void rec_forget(lathe_doc *doc, uint32_t part, uint64_t off);
void rec_offset_cache_free(lathe_doc *doc);
/* Whether the part could not be parsed, so that all its rows are absent. *why (or NULL) gets the error;
 * LATHE_ERR_MEMORY: the part was not parsed for lack of memory. */
bool rec_opaque(lathe_doc *doc, uint32_t part, lathe_error *why);
/* Makes a REC_LAZY part opaque; its problem is a copy of `why`. */
void rec_part_refuse(lathe_doc *doc, uint32_t part, const lathe_error *why);
/* Whether all conditions of a row hold. */
lathe_result rec_present(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* The two conditions of rec_present: on the version, and on other rows. */
bool rec_in_version(const rec_field *row, int64_t version);
lathe_result rec_chosen(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* Fails with the error that the array at *loc has no element i. */
lathe_result rec_no_item(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t i,
                         lathe_error *err);
/* Finds a row; fails if it is absent. */
lathe_result rec_find_present(const rec_at *at, uint32_t slot, rec_loc *loc, lathe_error *err);
/* Finds element i; fails if there is none. If it is a string, loc->data is its text. */
lathe_result rec_find_item(const rec_at *at, uint32_t slot, uint64_t i, rec_loc *item,
                           lathe_error *err);
/* Sets an error, with the path and encoded offset of the place. Returns `code`. */
lathe_result rec_fail(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err,
                      lathe_result code, const char *fmt, ...) ERROR_PRINTF(6, 7);

/* ---- rows that take no bytes (unstored.c, numbers.c) ----------------------------------------- */

/* Finds the array element that row `slot` of a group's element `at` shows: its record, its row and its index. */
lathe_result rec_column(const rec_at *at, uint32_t slot, rec_at *owner, uint32_t *owner_slot,
                        uint64_t *i, lathe_error *err);
/* Gets or sets the value of a row that takes no bytes. */
lathe_result rec_unstored_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                              lathe_error *err);
lathe_result rec_unstored_set(const rec_at *at, uint32_t slot, const lathe_value *value,
                              lathe_error *err);
/* The .numbers of a row that is shown as an array; NULL if it has none. */
const rec_numbers *rec_numbers_of(const rec_at *at, uint32_t slot);
lathe_result rec_numbers_read(const rec_at *at, uint32_t slot, uint64_t from, uint64_t n,
                              lathe_elem elem, void *to, size_t stride, lathe_error *err);
/* One edit: replaces the whole table by n rows. n may differ from the present number. */
lathe_result rec_numbers_write(const rec_at *at, uint32_t slot, uint64_t n, lathe_elem elem,
                               const void *from, size_t stride, lathe_error *err);
/* Fails with the error that a row is absent. The message names the table of numbers that would create an array, if
 * there is one. */
lathe_result rec_absent(const rec_at *at, uint32_t slot, uint64_t off, lathe_error *err);
/* Removes the table, if the row has .turn. */
lathe_result rec_numbers_remove(const rec_at *at, uint32_t slot, lathe_error *err);
/* Converts one number between element types. False: the value does not fit. */
bool rec_elem_convert(lathe_elem from, const void *p, lathe_elem to, void *q);
unsigned rec_elem_width(lathe_elem elem);
/* Gives the record that the row shows, if it shows one. */
lathe_result rec_unstored_sub(const rec_at *at, uint32_t slot, rec_at *out, lathe_error *err);
/* Sets the given components of a vector that is computed as a whole, and returns the result in *r. False: the type is
 * no such vector, or has other rows. */
bool rec_lanes_build(const rec_at *to, const rec_from *from, lathe_result *r, lathe_error *err);
/* The same after the rows that hold the stored data were written. made: the record is new, with its defaults. */
lathe_result rec_lanes_finish(const rec_at *to, const rec_from *from, bool made, lathe_error *err);
/* If `at` is shown by a row of `in` that takes no bytes: true, with that row and index in *self. */
bool rec_unstored_parent(const rec_at *in, const rec_at *at, rec_at *self);

/* ---- views and values (view.c, value.c, chain.c, path.c) ------------------------------------- */

enum {                     /* values of lathe_view.flags: */
       REC_VIEW_ARRAY = 1, /* row `index` of the record at off */
       REC_VIEW_UPPER =
           /* an object of core/scene instead of a record, which the scene tells by these bits; only
            * as an option of a verb */
       6,
};

lathe_view rec_view(const rec_at *at);
lathe_view rec_array_view(const rec_at *at, uint32_t slot);
/* Of an element of a polymorphic array: the name of its type in tables, and in *tag the name of the field that gives
 * it. NULL for other views. */
const char *rec_view_tag(lathe_view view, const char **tag);
/* Whether listings leave out a row as container bookkeeping (REC_INSIDE). A row that counts an array with fewer parts
 * than counted (REC_SOME) is listed, because nothing else has its information. */
bool rec_inside(const rec_at *at, uint32_t slot);
/* lathe_view_span, in a document of either form (form.h): in the bytes of its parts. */
lathe_result rec_span(lathe_view view, const char *field, uint64_t *off, uint64_t *size,
                      lathe_error *err);
/* Gives the record that a view shows, or for an array the record that contains it, and its slot (else REC_NO_SLOT).
 * Brings the view up to date first. */
lathe_result rec_enter(lathe_view *view, rec_at *at, uint32_t *slot, lathe_error *err);
/* Fails with LATHE_ERR_UNSUPPORTED if a reference in a record (or in its row `slot`) has a target that cannot be
 * located, and so reads as a number. Does not look into parts that belong to the record. depth: 0. */
lathe_result rec_targets_known(const rec_at *at, uint32_t slot, int depth, lathe_error *err);
/* The value of a field. `lossless` gives the stored number if the shown value would lose bits. */
lathe_result rec_get(const rec_at *at, uint32_t slot, bool lossless, lathe_value *out,
                     lathe_error *err);
lathe_result rec_get_item(const rec_at *at, uint32_t slot, uint64_t i, bool lossless,
                          lathe_value *out, lathe_error *err);
/* The value of a field for a lookup by name: if the row is absent, that of its .instead row. */
lathe_result rec_get_named(const rec_at *at, uint32_t slot, lathe_value *out, lathe_error *err);
/* Gives a number of any kind as a double. False: the value is no number. */
bool rec_number(const lathe_value *v, double *out);
/* Fails with the error that the row takes another kind of value. */
lathe_result rec_wrong_type(const rec_at *at, uint32_t slot, const lathe_value *v,
                            lathe_error *err);
/* The stored number of a scalar field or element. */
lathe_result rec_raw(const rec_at *at, uint32_t slot, uint64_t i, uint64_t *raw, lathe_error *err);
/* Converts a value to the stored number of a scalar row. */
lathe_result rec_encode(const rec_at *at, uint32_t slot, const lathe_value *value, uint64_t *raw,
                        lathe_error *err);
lathe_result rec_decode(const rec_at *at, uint32_t slot, uint64_t raw, bool lossless,
                        lathe_value *out, lathe_error *err);
uint64_t rec_load(const rec_slot *slot, const uint8_t *p);
void rec_store(const rec_slot *slot, uint8_t *p, uint64_t raw);
/* The stored number of a row's default, ignoring .init_fn; and whether a row has its default. */
lathe_result rec_default(const rec_at *at, uint32_t slot, uint64_t *raw, lathe_error *err);
lathe_result rec_is_default(const rec_at *at, uint32_t slot, bool *yes, lathe_error *err);
/* Fails with the error that a reference has its target in another document. */
lathe_result rec_points_elsewhere(const rec_at *at, uint32_t slot, lathe_result code,
                                  lathe_error *err);
/* Returns text from a computed field: copied, valid until the next such text. */
lathe_result rec_text(const rec_at *at, const char *p, size_t n, lathe_value *out,
                      lathe_error *err);
/* The start of the last component of a path: ".name", "[n]" or "["key"]". The end of the path if it is malformed. */
const char *rec_path_last(const char *path);
/* Follows a path from *place. `from` is the rest of `path` that is still to be followed. On failure *place is
 * unchanged. */
lathe_result rec_path_follow(const char *path, const char *from, lathe_value *place,
                             lathe_error *err);
/* Appends the quoted key at *p, after a '[', to `key`, and moves *p past the ']'. False: there is no such key. */
bool rec_path_key(const char **p, buf *key);
size_t rec_path(const rec_at *at, uint32_t slot, uint64_t item, char *buf, size_t cap);
#define REC_NO_ITEM UINT64_MAX

/* Finds a format by name (doc.c). */
lathe_result rec_format_find(const char *name, const lathe_format **out, lathe_error *err);

/* ---- verbs (verb.c) -------------------------------------------------------------------------- */

/* Whether a verb of the view's format applies to what the view shows. */
bool rec_verb_suits(lathe_view view, const rec_verb *verb);
/* The format of the innermost document that contains the view's place. */
const lathe_format *rec_format_of(lathe_view view);
/* Whether a verb applies to records of a type. Types that a document describes itself (REC_OWN) are compared by
 * name. */
bool rec_verb_is_of(const rec_verb *verb, const lathe_format *format, const rec_type *type);
/* The verb after `verb` (NULL: the first one): the format's own verbs, then the shared ones. NULL: no more. */
const rec_verb *rec_verb_next(const lathe_format *format, const rec_verb *verb);
const rec_verb *rec_verb_find(lathe_view view, const char *name);
/* Checks arguments (NULL: none) against the verb's parameters. */
lathe_result rec_check_args(const rec_verb *verb, const lathe_source *args, lathe_error *err);
/* For the body of a verb: an argument, which lathe_view_call has checked against its parameter. False: not given, and
 * *out is unchanged. Text is borrowed from the source. */
bool rec_arg(const lathe_source *args, const char *name, lathe_value *out);
bool rec_arg_number(const lathe_source *args, const char *name, double *out);
bool rec_arg_integer(const lathe_source *args, const char *name, int64_t *out);
bool rec_text_is(const lathe_value *text, const char *word);

/* ---- edits (journal.c, history.c, edit.c, array.c) ------------------------------------------- */

/* Every public edit calls rec_begin, makes its changes, and calls rec_end with the result. */
lathe_result rec_begin(lathe_doc *doc, lathe_error *err);
/* Whether a companion file of some document is being opened, so that no document may be edited. */
bool rec_in_use(const lathe_doc *doc);
lathe_result rec_refuse_use(lathe_error *err);
lathe_result rec_end(lathe_doc *doc, lathe_result result, lathe_error *err);
/* Inside an edit of `doc`: begins an edit of `other` for each open edit of `doc`. It ends with that edit, and is kept
 * or rolled back like it. LATHE_ERR_STATE: `other` has an edit of its own open, or has joined a third document. */
lathe_result rec_join(lathe_doc *doc, lathe_doc *other, lathe_error *err);
/* Ends all such connections of a document that is about to close. */
void rec_leave(lathe_doc *doc);
/* The only function that changes bytes: replaces `remove` bytes at `at` by `insert` bytes (NULL: zeros). */
lathe_result rec_splice(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                        const void *bytes, uint64_t insert, lathe_error *err);
/* The same, and updates every stored position of the container. keep_site: offset in the same part of the position of
 * the array that grows, which is not changed (LATHE_NO_OFFSET: none). */
lathe_result rec_cut_bytes(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                           const void *bytes, uint64_t insert, uint64_t keep_site,
                           lathe_error *err);
/* Adds a change to the journal of the open edit before it is made, with the `size` bytes that undoing it needs. */
lathe_result rec_note(lathe_doc *doc, rec_edit edit, const void *data, size_t size,
                      lathe_error *err);
bool rec_edit_names_part(const rec_edit *e); /* whether e->part is a part, not a container */
/* The last change of a part in the open edit, and the one before `e`; NULL: no more. Valid until the next change. */
const rec_edit *rec_edit_last(const lathe_doc *doc, uint32_t part);
const rec_edit *rec_edit_earlier(const lathe_doc *doc, const rec_edit *e);
/* Shifts stored positions in the open edit, with an entry in the journal; shifts them without one; and decodes the
 * shift that undoes a journal entry (cut.c). */
lathe_result rec_shift_all(lathe_doc *doc, uint32_t part, const rec_shift *shift, lathe_error *err);
void rec_shift_apply(lathe_doc *doc, uint32_t part, const rec_shift *shift);
rec_shift rec_shift_back(const void *noted);
/* Called before the first write of a change of several splices, after rec_change_begin: collects the stored positions
 * that cuts of `part` move, while the records can still be read. The cuts of the change use that list. */
lathe_result rec_hold(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Moves the collected positions along with a splice; drops the list. */
lathe_result rec_hold_move(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                           uint64_t insert, lathe_error *err);
void rec_let_go(lathe_doc *doc);
lathe_result rec_part_insert(lathe_doc *doc, uint32_t part, uint32_t owner, uint32_t slot,
                             uint64_t i, lathe_error *err);
lathe_result rec_part_remove(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Reorders the parts of a row. `parts` has all of them, in the new order. */
lathe_result rec_parts_order(lathe_doc *doc, uint32_t owner, uint32_t slot, const uint32_t *parts,
                             lathe_error *err);
lathe_result rec_set_version(lathe_doc *doc, uint32_t container, int64_t version, lathe_error *err);
lathe_result rec_set_param(lathe_doc *doc, uint32_t container, int64_t param, lathe_error *err);
/* Exchanges the numbers of container `other` and the document's own one, number 0. */
lathe_result rec_swap(lathe_doc *doc, uint32_t other, lathe_error *err);
/* Inside an edit: replaces the whole document by what its format opens from these bytes. Views of the old contents
 * report LATHE_ERR_REMOVED until the edit is undone. Not for formats that read files on demand (.head). */
lathe_result rec_replace(lathe_doc *doc, const void *bytes, size_t n, lathe_error *err);
void rec_journal_free(lathe_doc *doc, rec_journal *j);
void rec_history_free(lathe_doc *doc);
/* Each content that a document has had has a number, which undo brings back. Gives that of the content `steps` undo steps
 * ago; negative: of what redo makes, 0: of now. False: there are not as many steps. */
bool rec_history_state(const lathe_doc *doc, int64_t steps, uint64_t *state);
/* Makes a document count as modified until it is saved. */
void rec_doc_mark_modified(lathe_doc *doc);
void rec_history_forget(lathe_doc *doc); /* drops all steps that could be undone or redone */

/* Inside an edit: */
lathe_result rec_set(const rec_at *at, uint32_t slot, const lathe_value *value, lathe_error *err);
lathe_result rec_set_item(const rec_at *at, uint32_t slot, uint64_t i, const lathe_value *value,
                          lathe_error *err);
/* The same for text and bytes; sets read-only rows, too. */
lathe_result rec_set_text(const rec_at *at, uint32_t slot, const lathe_value *value,
                          lathe_error *err);
/* Whether a row counts only arrays that are absent, because their contents are stored elsewhere. It is then a plain
 * number. */
bool rec_counts_nothing(const rec_at *at, uint32_t slot);
/* Fails if the row cannot be set, and says why. */
lathe_result rec_writable(const rec_at *at, uint32_t slot, lathe_error *err);
/* Whether elements of the row contain fields that cannot be set. Their bytes are then not copied as a whole. */
bool rec_guarded(const rec_slot *slot);
/* Whether new bytes of an element leave such fields unchanged. The element has a fixed size. */
bool rec_guard_holds(const rec_slot *slot, const uint8_t *now, const uint8_t *bytes);
lathe_result rec_set_name(const rec_at *at, const char *name, const lathe_value *value,
                          lathe_error *err); /* for hooks */
lathe_result rec_put_raw(const rec_at *at, uint32_t slot, uint64_t i, uint64_t raw,
                         lathe_error *err);
/* The same for a count whose elements were inserted or removed. known: rec_offset_resize has updated the offset
 * cache. */
lathe_result rec_put_count(const rec_at *at, uint32_t slot, uint64_t raw, bool known,
                           lathe_error *err);
/* Stores the elements from .. from + n, all of one size, from ready bytes, and updates rows that depend on them. */
lathe_result rec_put_items(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t from,
                           uint64_t n, const uint8_t *bytes, lathe_error *err);
/* The places of all rows before a row changes on which others depend: an array with one entry for each row, which the
 * caller frees. Rows that are resized meanwhile update their size there. */
lathe_result rec_rows(const rec_at *at, rec_loc **rows, lathe_error *err);
/* Stores the number of such a row at `off`, and inserts, removes and resizes later rows accordingly. After
 * rec_change_begin. */
lathe_result rec_select(const rec_at *at, uint32_t slot, uint64_t off, uint64_t raw,
                        const rec_loc *was, lathe_error *err);
/* Inserts n elements: from ready `bytes`, or with defaults (NULL). */
lathe_result rec_insert(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, const void *bytes,
                        uint64_t size, lathe_error *err);
lathe_result rec_remove(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, lathe_error *err);
/* Moves element `from` to number `to`, together with those of arrays that share the count (move.c). */
lathe_result rec_move(const rec_at *at, uint32_t slot, uint64_t from, uint64_t to,
                      lathe_error *err);
/* Inserts the parts only, without changing the count and the arrays that share it. */
lathe_result rec_insert_parts(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                              lathe_error *err);
/* Called before bytes at `off` of a part change: notes which .derive rows are right now. inside: no length changes. */
void rec_derive_note(lathe_doc *doc, uint32_t part, uint64_t off, bool inside);
/* Called after a .derive row was set by hand: keeps the new value. */
void rec_derive_release(const rec_at *at, uint32_t slot);
lathe_result rec_derive_apply(lathe_doc *doc, lathe_error *err);
void rec_derive_forget(lathe_doc *doc, size_t mark); /* drops those noted since `mark` */

/* Begins a change of several splices, which doc->changing-- ends: notes which .derive rows around it are right, while
 * the record can still be read. */
void rec_change_begin(const rec_at *at);
lathe_result rec_check_text(const rec_at *at, uint32_t slot, uint64_t off, const char *p, size_t n,
                            lathe_error *err);

/* ---- out-of-line data (out_of_line.c) ------------------------------------------------------------ */

/* Called before a length in `part` changes: finds out whether the part is tidy. */
lathe_result rec_tidy_before(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Replaces `remove` bytes at `off` of a body that ends at `end`. loc->data is the start of the body. The padding
 * behind it grows or shrinks so that the following data stay aligned. */
lathe_result rec_body_cut(const rec_at *at, const rec_field *row, const rec_body *body,
                          const rec_loc *loc, uint64_t end, uint64_t off, uint64_t remove,
                          const void *bytes, uint64_t insert, lathe_error *err);
/* Refuses to resize a body that others share, or that is stored where it cannot be moved. */
lathe_result rec_body_may(const rec_at *at, uint32_t slot, const rec_loc *loc, lathe_error *err);
/* Sets the out-of-line text (.text) whose head is at loc->off; NULL: makes it null. */
lathe_result rec_put_text(const rec_at *at, uint32_t slot, const rec_loc *loc, const char *text,
                          size_t n, lathe_error *err);
/* Removes all out-of-line data of the elements i .. i + n. */
lathe_result rec_clear_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err);
/* The same in one step, if those data are contiguous; else *done is false. */
lathe_result rec_clear_run(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n, bool *done,
                           lathe_error *err);
/* Creates the default out-of-line data of new elements. */
lathe_result rec_begin_elements(const rec_at *at, uint32_t slot, uint64_t i, uint64_t n,
                                lathe_error *err);

/* ---- keyed arrays (map.c) -------------------------------------------------------------------- */

/* A key: any bytes. */
typedef struct rec_key {
    const char *p;
    size_t n;
} rec_key;

bool rec_keyed(const rec_slot *slot);
/* Finds the next element with the key, from number *i on. *i becomes the number of elements if there is none. */
lathe_result rec_key_next(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i,
                          lathe_error *err);
/* Finds the element that counts for a key, and how many elements have that key (0: none, and *i is the number of
 * elements). */
lathe_result rec_key_find(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i,
                          uint64_t *repeats, lathe_error *err);
/* The result of a lookup: kind NONE if the key is missing. Refuses a repeated key whose elements are read merged. */
lathe_result rec_key_get(const rec_at *at, uint32_t slot, rec_key key, lathe_value *out,
                         lathe_error *err);
/* Inside an edit: the element to write for a key, appended with that key if there is none (*fresh). */
lathe_result rec_key_place(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i, bool *fresh,
                           lathe_error *err);
/* Sets the key of an element. */
lathe_result rec_key_store(const rec_at *at, uint32_t slot, uint64_t i, rec_key key,
                           lathe_error *err);
/* Removes all elements with the key. */
lathe_result rec_key_remove(const rec_at *at, uint32_t slot, rec_key key, lathe_error *err);
/* The key in quotes, for messages: shortened, with unprintable bytes escaped. */
const char *rec_key_text(rec_key key, char *text, size_t cap);

/* ---- versions (convert.c) -------------------------------------------------------------------- */

/* Inside an edit: changes the container's version. In all its records, rows are inserted with their defaults or
 * removed, as .since, .before and .when require. dropped (may be NULL) is called for each row before it is removed. A
 * row whose value is stored elsewhere when it is absent keeps its value, and is not reported as dropped. Parts are
 * neither added nor removed. Opaque parts stay as they are. Not for formats with stored positions. */
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
    uint64_t reported[2]; /* how many warnings and errors were reported */
};

/* An option of opening or checking; false if it was not given. */
bool rec_option(const lathe_doc *doc, const char *name, lathe_value *leaf, const void **child);
/* Reports a finding at a place. */
void rec_finding(rec_report *r, lathe_level level, const rec_at *at, uint32_t slot, uint64_t item,
                 const char *fmt, ...) ERROR_PRINTF(6, 7);
/* Reports an error of another function as a finding. */
void rec_found(rec_report *r, lathe_level level, const lathe_error *found);
/* Calls `say` for each problem of a format's schema, and returns how many there are. */
size_t rec_lint(const lathe_format *format, void (*say)(void *user, const char *problem),
                void *user);

#endif
