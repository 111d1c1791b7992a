/* Inside the Lua module: what its files share. Nothing here knows a format.
 *
 * What Lua sees of it is described in scripts/lathe/members: texts, parameters, results. In front of a function that is a
 * member stands which one it is.
 *
 * Rules of the house, which every function in bindings/ keeps:
 *
 *   - The engine is never left by a longjmp. No callback that it calls (sources, sinks, reports)
 *     raises a Lua error; they note the failure and the caller raises it afterwards.
 *   - Whatever allocates Lua memory may collect garbage, and so run a script's finalizer, which may
 *     close or edit any document. So nothing borrowed from the engine (strings, rec_at, layouts) is
 *     used across such a call: strings are pushed at once, places are entered again. What a document's own
 *     types say (REC_OWN: names of fields, docs …) is borrowed as any; where that is in the way, l_push_hold.
 *   - A document's handle exists before the document does, so an error in between leaks nothing.
 *   - No lua_State outlives the call that it came with, and nothing is global (see stop.c and system.c
 *     for the one exception, which C signals force).
 *
 * Functions that return lathe_result fill *err and raise nothing but Lua's own memory errors;
 * functions that return int are lua_CFunctions or end in one. */
#ifndef LATHE_BINDINGS_H
#define LATHE_BINDINGS_H

#include "record/record.h"

#include <lauxlib.h>
#include <lua.h>

/* ---- handles --------------------------------------------------------------------------------- */

/* A document. Lua owns it; views keep it alive. Its user value is a table with the metatables of the record types
 * that are its own, or nil. */
typedef struct l_doc {
    lathe_doc *doc;             /* NULL: closed, or not open yet */
    const lathe_format *format; /* stays after closing */
    lathe_view root;            /* only good right after l_doc_root */
} l_doc;

/* A record or array. Its first user value is the document's userdata, which owner points into. */
typedef struct l_view {
    lathe_view at;
    l_doc *owner;
} l_view;

/* What a value is. Metatables carry it under a key of our own: that is how functions that take any
 * view tell one, whatever its record's name is. */
typedef enum l_class {
    L_OTHER = 0,
    L_DOCUMENT,
    L_RECORD,
    L_ARRAY,
    L_BUFFER,
    L_SKELETON, /* from here on: l_object */
    L_ANIMATION,
    L_TRACK,
    L_FLOAT_TRACK,
    L_LIST,
    L_BONE,
    L_POSE,
    L_VECTOR,
    L_ANNOTATION,
    L_CLASS_COUNT
} l_class;

l_class l_class_of(lua_State *L, int idx);
/* Adds __name, __metatable and the class to the metatable on top of the stack. */
void l_class_set(lua_State *L, l_class c, const char *name);
/* Metatable of a class that has one for all, made at module start. */
void l_push_class(lua_State *L, l_class c);
void l_save_class(lua_State *L, l_class c); /* pops it */
/* Makes the table in which objects of a class look up what they have by name, and pushes it: methods, and the numbers
 * of fields (NULL: none). Whatever is not in it they do not have. scripts/lathe/members lists all of them. */
void l_new_members(lua_State *L, l_class c, const luaL_Reg *methods, const char *const *fields);
void l_push_members(lua_State *L, l_class c);

/* The document, or raises "document is closed". */
lathe_doc *l_doc_check_open(lua_State *L, const l_doc *d);
l_doc *l_check_document(lua_State *L, int idx);
l_view *l_check_array(lua_State *L, int idx);
/* Place of a record, array or document argument (open, or it raises), with its handle. */
lathe_view *l_check_place(lua_State *L, int idx, l_doc **owner);
lathe_view *l_doc_root(l_doc *d);
/* The document's userdata behind a document or view. */
void l_push_owner(lua_State *L, int idx);
/* A view of the document behind `from`. */
void l_push_view(lua_State *L, int from, const lathe_view *view);
/* Any value; `from` as above. A string in it may be borrowed: it is copied before anything else. */
void l_push_value(lua_State *L, int from, const lathe_value *value);

/* A skeleton, an animation, a track of one, or a list of these: a number in the document that is
 * looked up at each use. Its first user value is the document's userdata. */
typedef struct l_object {
    l_doc *owner;
    uint64_t index; /* of the skeleton or animation, from 0 */
    uint64_t track; /* of a track; a bone's number, from 0; an annotation's id */
    uint64_t lane;  /* of a vector: which one of its pose */
    l_class items;  /* what a list holds; of a track list, `index` is the animation */
} l_object;

typedef struct l_buffer l_buffer; /* a typed array in Lua's memory */
typedef struct l_input l_input;   /* a Lua value on its way into a document */

/* ---- errors (error.c) ------------------------------------------------------------------------ */

void l_push_error(lua_State *L, const lathe_error *err);
/* nil, err */
int l_fail(lua_State *L, const lathe_error *err);
/* Raises: a string for a mistake in the program, the error table for bad data. */
int l_raise(lua_State *L, const lathe_error *err);
/* nil and err for bad data; a mistake in the program is raised. */
int l_fail_or_raise(lua_State *L, const lathe_error *err);
void l_open_errors(lua_State *L);

/* ---- documents that stay in memory (hold.c) -------------------------------------------------- */

/* Whoever closes the document, its memory stays until l_unhold: what its own types say stays good. On the stack,
 * so that errors let it go. */
typedef struct l_hold {
    lathe_doc *doc;
} l_hold;

l_hold *l_push_hold(lua_State *L, const l_doc *owner); /* raises where it is closed */
void l_unhold(l_hold *h);

/* ---- records (view.c) ------------------------------------------------------------------------ */

/* Sets that of the view on top of the stack, of whatever type, whose document is its user value. Raises where the
 * document was closed before its type was looked at. */
void l_set_record_metatable(lua_State *L, const l_doc *owner, const rec_type *type, bool own);
/* Row number of the name at idx in the record or document at `view`, or REC_NO_SLOT. */
uint32_t l_row_of(lua_State *L, int view, int idx);
/* Raises "no field 'x' in T; did you mean 'y'?". `more`: other names, NULL-terminated, or NULL. */
int l_no_field(lua_State *L, int idx, const rec_type *type, const char *name,
               const char *const *more);
/* Reads a field: enters the record, gets row `row`, pushes its value. */
int l_push_field(lua_State *L, int from, l_doc *owner, lathe_view *view, uint32_t row);
int l_view_equal(lua_State *L);
int l_record_pairs(lua_State *L);
void l_open_records(lua_State *L);

/* ---- arrays (array.c) ------------------------------------------------------------------------ */

void l_open_arrays(lua_State *L);
/* array[i] = value, i from 1: also one past the end, and nil at the end. */
lathe_result l_array_put(l_doc *owner, lathe_view *array, lua_Integer i, const l_input *in,
                         lathe_error *err);
/* Whether strings are keys of the array, and never methods. */
bool l_array_keyed(const lathe_view *array);
/* Pushes what a keyed array has under a key, or nil; `from` as above. The key belongs to Lua. */
lathe_result l_push_key(lua_State *L, int from, l_doc *owner, lathe_view *array, rec_key key,
                        lathe_error *err);
/* array[key] = value, in one edit: nil removes, a new key is appended. */
lathe_result l_array_put_key(l_doc *owner, lathe_view *array, rec_key key, const l_input *in,
                             lathe_error *err);
int l_array_insert(lua_State *L);
int l_array_append(lua_State *L);
int l_array_remove(lua_State *L);
int l_array_move(lua_State *L);
int l_array_resize(lua_State *L);

/* ---- bulk (pack.c) --------------------------------------------------------------------------- */

int l_array_pack(lua_State *L);
int l_array_tobuffer(lua_State *L);
int l_array_assign(lua_State *L);
/* Replaces an array by the bytes that pack gives, or by a buffer: whole elements (member NULL), or
 * one member of as many elements as the buffer has rows. */
lathe_result l_assign_bytes(l_doc *owner, lathe_view *array, const char *bytes, size_t n,
                            lathe_error *err);
lathe_result l_assign_buffer(l_doc *owner, lathe_view *array, const char *member, const l_buffer *b,
                             lathe_error *err);

/* ---- copies (totable.c) ---------------------------------------------------------------------- */

int l_totable(lua_State *L);
/* Pushes a plain, deep copy of a value. */
void l_push_plain(lua_State *L, l_doc *owner, const lathe_value *value, int depth);

/* ---- written anew (serialize.c) -------------------------------------------------------------- */

int l_serialize(lua_State *L);
/* Whether records of a type are whole documents, inside of others, that can be. */
bool l_can_serialize(const rec_type *type);

/* ---- buffers (buffer.c) ---------------------------------------------------------------------- */

struct l_buffer {
    lathe_elem elem;
    size_t rows, columns;
    _Alignas(8) unsigned char data[]; /* rows * columns elements in this machine's order */
};

void l_open_buffers(lua_State *L);
/* A new zeroed buffer on the stack; raises where its size does not fit. */
l_buffer *l_push_buffer(lua_State *L, lathe_elem elem, size_t rows, size_t columns);
/* The same with anything in it: who fills all of it need not wait for zeros. */
l_buffer *l_push_room(lua_State *L, lathe_elem elem, size_t rows, size_t columns);
l_buffer *l_check_buffer(lua_State *L, int idx);
const char *l_elem_name(lathe_elem elem);
void l_buffer_get(const l_buffer *b, size_t i, lathe_value *out);
int l_buffer_new(lua_State *L);
int l_buffer_totable(lua_State *L);
int l_buffer_pack(lua_State *L);

/* ---- tables of numbers (numbers.c) ------------------------------------------------------------------- */

/* Whether a view is of such a field. */
bool l_is_numbers(const lathe_view *view);
/* Pushes a buffer with what it holds; `from` as for views. */
void l_push_numbers(lua_State *L, int from, lathe_view numbers);
/* Stores a buffer, or a list of lists, as all of its rows. */
lathe_result l_store_numbers(const rec_at *at, uint32_t slot, const l_input *in, lathe_error *err);

/* ---- Lua's garbage collector (collector.c) --------------------------------------------------- */

void l_open_collector(lua_State *L);
/* Whether it ran, and is to be started again. */
bool l_collector_stop(lua_State *L);
void l_collector_start(lua_State *L);
/* What a document holds outside of Lua counts as garbage to come, or a loop over a thousand files would keep
 * all of them until Lua's own few bytes are worth a collection. */
void l_collector_note(lua_State *L, uint64_t kilobytes);

/* ---- Lua values for the engine (source.c, store.c) ------------------------------------------- */

/* A table or buffer that the engine pulls values from. Between run and close the collector is
 * stopped and only the engine runs, so tables stay as they are. */
typedef struct l_source {
    lathe_source api;
    lua_State *L;            /* of the call that opened it; it closes it too */
    int base;                /* of our own stack slots */
    uint32_t nodes;          /* handed out so far */
    const void *cursor_node; /* where `name` was asked last */
    uint64_t cursor_at;
    const char *bad;   /* type name of something that can't be stored … */
    char bad_name[64]; /* … and where it stood */
    bool failed;       /* the error is in its stack slot, or bad says it */
    bool collecting;   /* the collector was running */
} l_source;

/* idx is absolute. Pushes slots of its own. */
void l_source_open(lua_State *L, l_source *s, int idx);
void l_source_run(lua_State *L, l_source *s);
/* Pops the slots, and raises what went wrong inside a callback. */
void l_source_close(lua_State *L, l_source *s);

/* Any Lua value on its way into a document: everything that may raise or allocate happens in open
 * and close, so that edits can stand between them. */
struct l_input {
    enum { L_IN_LEAF, L_IN_TABLE, L_IN_BUFFER, L_IN_BAD } kind;
    lathe_value leaf;       /* also nil (NONE) and views */
    const l_buffer *buffer; /* also readable as a source */
    const char *bad;        /* the type's name of what can't be stored */
    l_source source;
    lathe_source api; /* of a table, buffer or view */
};

/* Runs its source, if it has one. Raises where owner (may be NULL), the document to be changed, is
 * closed: making room for the source may have run a finalizer that did that. */
void l_input_open(lua_State *L, l_input *in, int idx, const l_doc *owner);
/* A view, document, array or skeleton at idx, of class c, as a value; false where its document is
 * closed. */
bool l_view_leaf(lua_State *L, int idx, l_class c, lathe_value *leaf);
void l_input_close(lua_State *L, l_input *in);
/* What an edit that read the input ends with: r, unless a callback failed. */
lathe_result l_input_result(const l_input *in, lathe_result r, lathe_error *err);

/* Each is one edit. A field of a record; an element (from 0) of an array; all of a place. */
lathe_result l_store_field(l_doc *owner, lathe_view *record, uint32_t slot, const l_input *in,
                           lathe_error *err);
lathe_result l_store_item(l_doc *owner, lathe_view *array, uint64_t item, const l_input *in,
                          lathe_error *err);
/* The same for an element that was just inserted, inside the same edit: what a table lacks gets its
 * default, which may follow from what the table has. */
lathe_result l_store_new(l_doc *owner, lathe_view *array, uint64_t item, const l_input *in,
                         lathe_error *err);
lathe_result l_store_whole(l_doc *owner, lathe_view *place, const l_input *in, lathe_error *err);

/* ---- skeletons and animations (object.c, skeleton.c, animation.c, sample.c) ------------------ */

/* "skeleton", "track" …; "userdata" for what is none of the l_object classes. */
const char *l_object_word(l_class c);
/* The argument, of a document that is open. */
l_object *l_check_object(lua_State *L, int idx, l_class c);
/* Makes its metatable: __index is `index`, over `methods` and the numbers of `members`; pairs gives the
 * members in order. */
void l_save_object_class(lua_State *L, l_class c, const char *name, const luaL_Reg *methods,
                         const char *const *members, lua_CFunction index);
/* Gives the class a __newindex whose first upvalue is the table of its members. */
void l_object_writable(lua_State *L, l_class c, lua_CFunction newindex);
/* A new one; `from` as for views. */
void l_push_object(lua_State *L, int from, const l_object *what, l_class c);
/* Whether the value is made of numbers and texts alone: a bone, a pose, a vector, an annotation, or a list of bones or
 * annotations. */
bool l_is_plain(lua_State *L, int idx);
/* Pushes the same as plain tables. */
void l_object_plain(lua_State *L, int idx);
/* Raises for a key that nothing has: no method or member, and no verb of records of type `source` (NULL:
 * it has no verbs). */
int l_no_member(lua_State *L, l_class c, const luaL_Reg *methods, const char *const *members,
                const rec_type *source);
/* Lists of records, by their `index`: doc.materials, doc.bodies. */
enum { L_MATERIALS, L_BODIES };
/* doc.skeletons, doc.animations, anim.tracks, anim.float_tracks; L_RECORD: one of those above */
void l_push_list(lua_State *L, int from, l_class items, uint64_t index);
/* Which list of its document such a list is. False: it is of bones, tracks or annotations. */
bool l_scene_list(const l_object *list, lathe_list *out);
int l_core_look(lua_State *L);
void l_open_objects(lua_State *L); /* and those of the files below */
void l_open_skeletons(lua_State *L);
/* bones.c */
void l_open_bones(lua_State *L);
uint64_t l_bones_count(lua_State *L, const l_object *list);
uint64_t l_bones_find(lua_State *L, const l_object *list, const char *name, size_t n);
/* Stores the value at 3 as a bone that is there. */
void l_bones_put(lua_State *L, const l_object *list, uint64_t bone);
void l_push_plain_bones(lua_State *L, const l_object *o, l_class c);
/* annotations.c */
void l_open_annotations(lua_State *L);
uint64_t l_notes_count(lua_State *L, const l_object *list);
void l_push_note(lua_State *L, const l_object *list, uint64_t i); /* of the list at 1 */
extern const luaL_Reg l_notes_methods[];
void l_push_plain_notes(lua_State *L, const l_object *o, l_class c);
void l_open_animations(lua_State *L);
/* tostring of each class */
int l_object_tostring(lua_State *L);

/* Facts of a skeleton, or of the one of a bone; raises where it was removed or cannot be read. Texts are borrowed until anything
 * allocates. */
void l_skeleton_describe(lua_State *L, const l_object *o, lathe_skeleton_info *info);
/* The same of an animation, or of the one of a track. */
void l_clip_describe(lua_State *L, const l_object *o, lathe_clip_info *info);
/* What the animation is a view of. */
lathe_view l_clip_source(lua_State *L, const l_object *o);
/* What verbs of an animation work on. */
lathe_view l_animation_source(lua_State *L, int idx, l_doc **owner);
bool l_animation_has(const char *name); /* it is a member, and so no verb */
int l_track_sample(lua_State *L);
int l_track_set(lua_State *L);
int l_animation_sample(lua_State *L);
int l_animation_decode(lua_State *L);
int l_animation_times(lua_State *L);
int l_animation_axes(lua_State *L);
int l_float_track_sample(lua_State *L);
int l_animation_sample_floats(lua_State *L);
int l_animation_decode_floats(lua_State *L);

/* What a skeleton or animation is read from: a record, the document, or (.doc NULL) nil; `from` as for views. */
void l_push_source(lua_State *L, int from, const lathe_view *source);

/* ---- copies that cannot be changed (copy.c) ------------------------------------------------------ */

/* Pushes "name, path", which tells where the record is that is to be changed instead; nil where view.doc is NULL. */
void l_push_place(lua_State *L, const char *name, lathe_view view);
/* Pops a table, and under it what l_push_place pushed; pushes a copy that shows the table. `what`: how messages call
 * it. Nothing else may hold the table. */
void l_make_copy(lua_State *L, const char *what);
bool l_is_copy(lua_State *L, int idx);
/* Puts the table that a copy shows in the copy's place on the stack, for raw reads: it must not be changed. False: it
 * is no copy. Neither raises nor allocates. */
bool l_open_copy(lua_State *L, int idx);
/* Puts a deep copy that can be changed in the place of the copy on top. */
void l_copy_totable(lua_State *L);

/* ---- memory for callbacks that may not raise (collect.c) ------------------------------------- */

/* Bytes that grow without Lua, owned by a userdata so that errors free them. */
typedef struct l_collect {
    buf bytes;
    mem mem;
    size_t n; /* records in it */
    bool failed;
} l_collect;

l_collect *l_push_collect(lua_State *L);
void l_collect_put(l_collect *c, const void *bytes, size_t n);
void l_collect_text(l_collect *c, const char *text, size_t n); /* with its length */
/* Reads back in order, from *pos. */
void l_collect_take(const l_collect *c, size_t *pos, void *to, size_t n);
const char *l_collect_take_text(const l_collect *c, size_t *pos, size_t *n);
void l_collect_check(lua_State *L, const l_collect *c); /* raises where memory ran out */
/* Gives the bytes back now. A finalizer may come late, or, where memory is short, not at all. */
void l_collect_done(l_collect *c);

/* ---- reports (report.c) ---------------------------------------------------------------------- */

/* What the engine tells while it runs. It stays where it was opened. */
typedef struct l_report {
    lathe_report api;
    l_collect *skipped, *results;
} l_report;

void l_report_open(lua_State *L, l_report *report); /* pushes two values, which keep its memory */
void l_report_done(l_report *report);
bool l_report_failed(const l_report *report); /* memory ran out */
/* Into the table on top: the list `skipped`, and what else was told, where a name that comes again is a list, or (lists)
 * each is. `handle`: where that of the views among them is. */
void l_report_push_skipped(lua_State *L, const l_report *report);
void l_report_add_results(lua_State *L, const l_report *report, int handle, const l_doc *owner,
                          bool lists);
/* Pushes both as one table, or nothing where nothing was told: how many values that are. */
int l_report_push_table(lua_State *L, const l_report *report, int handle, const l_doc *owner);

/* ---- limits and stopping (limits.c, stop.c) ------------------------------------------------- */

/* What the engine gets its memory from: counted where a limit is or was in force. */
mem l_memory(lua_State *L);
/* To be called where the engine ran out of memory: stops the script where that was for its limit. */
void l_memory_failed(lua_State *L);

typedef enum l_stop_reason { L_STOP_MEMORY = 1, L_STOP_TIME, L_STOP_INTERRUPT } l_stop_reason;

/* Makes the running thread call that, which collects garbage, before its next instruction. */
void l_stop_to_collect(void (*collect)(lua_State *));
/* Makes the running thread raise errors at every instruction until what is watched has ended. Safe in a
 * signal handler. False: nothing is watched. */
bool l_stop(l_stop_reason reason);
/* From watch to unwatch, code run in L (and coroutines that it resumes) can be stopped. They nest. */
typedef struct l_stop_watch_state {
    lua_State *running;
    lua_Hook hook;
    int mask, count;
} l_stop_watch_state;
void l_stop_watch(lua_State *L, l_stop_watch_state *before);
void l_stop_unwatch(lua_State *L, const l_stop_watch_state *before);
/* NULL: nothing can be stopped. Gives what was there. */
lua_State *l_stop_set_running(lua_State *L);
/* Whether Ctrl-C was pressed. Gives what was there. */
int l_stop_set_interrupted(int now);
/* L_STOP_MEMORY, L_STOP_TIME or 0. The second takes it back. */
l_stop_reason l_stop_over(void);
l_stop_reason l_stop_go_on(void);

/* Where the code was when it went over its limit, innermost first. */
enum { L_STOP_PLACES = 16 };
typedef struct l_stop_place {
    char chunk[LUA_IDSIZE];
    int line;
} l_stop_place;
const l_stop_place *l_stop_places(int *count);
/* That is here, if L_STOP_MEMORY comes of it. */
void l_stop_note_places(void);

/* ---- the rest -------------------------------------------------------------------------------- */

/* A path argument, which holds no NUL. */
const char *l_check_path(lua_State *L, int idx);

/* document.c */
void l_open_documents(lua_State *L);
int l_document_open(lua_State *L);
int l_document_parse(lua_State *L);
int l_document_new(lua_State *L);
int l_read(lua_State *L);
int l_write(lua_State *L);
/* companions.c: other files that documents need */

/* Fills in o->geometry from the table of options at idx, which keeps what it leads to. Pushes what holds it. */
void l_push_geometry(lua_State *L, int idx, lathe_options *o);
/* The zstd dictionary that the table at idx names, by its path or as { bytes = ... }: the bytes are left on the stack.
 * False: the file cannot be read; pushed are nil and why. */
bool l_push_dictionary(lua_State *L, int idx, lathe_options *o);
/* Fills in o->skeleton where the table at idx names one by its path, and leaves its document on the stack; what else it
 * may be the document finds in o->extra. False: as above. */
bool l_push_skeleton(lua_State *L, int idx, lathe_options *o);
/* Raises where one of its documents was closed since: a finalizer may have run. For right before the call. */
void l_geometry_ready(lua_State *L, const lathe_options *o);
/* How documents open such files: the guard is asked. NULL: they are opened as any file. May raise. */
const rec_opener *l_opener(lua_State *L);
/* guard.c: what the guard has said, borrowed from the stack */
typedef struct l_leave {
    const char *real; /* what is opened in place of the path; NULL: the path, links followed */
    int instead;      /* the stack's index of what takes the file's place, or 0 */
} l_leave;
/* Asks whether a file may be read ("r") or written ("w"). True: leaves two values on the stack, which
 * *leave borrows from. False: nil and an error are on top of it. The guard may do anything to documents. */
bool l_guard_ask(lua_State *L, const char *path, const char *mode, l_leave *leave);
/* The same for the backup that is to lie beside a file which may be written. */
bool l_guard_ask_backup(lua_State *L, const l_leave *file);
/* Hands the string on top of the stack, which it pops, to what takes the file's place: the results of a
 * function that saves are pushed, and counted. */
int l_guard_put(lua_State *L, const l_leave *leave, const char *path, bool backup);
int l_core_set_guard(lua_State *L);
int l_core_real_path(lua_State *L);
int l_core_make_folder(lua_State *L);
int l_core_can_write(lua_State *L);
int l_core_identity(lua_State *L);
int l_core_open_file(lua_State *L);
int l_core_truncate(lua_State *L);
/* docedit.c */
int l_document_edit(lua_State *L);
int l_document_undo(lua_State *L);
int l_document_redo(lua_State *L);
int l_document_check(lua_State *L);
int l_document_get(lua_State *L);
int l_document_set(lua_State *L);
int l_document_at(lua_State *L);
/* verb.c */
void l_push_verb(lua_State *L, const rec_verb *verb);
int l_core_set_verb(lua_State *L);
void l_add_verbs(lua_State *L, const rec_type *type); /* of its records, to the table on top */
/* The name of verb number i (from 0) of records of that type, or NULL. */
const char *l_verb_name(const rec_type *type, size_t i);
/* What verbs are called on, at idx: a view, a document, or what an animation is of. */
lathe_view l_verb_target(lua_State *L, int idx, l_doc **owner);
/* mesh.c */
int l_document_meshes(lua_State *L);
/* describe.c */
int l_describe(lua_State *L);
int l_core_layout(lua_State *L);
int l_core_compared_with(lua_State *L);
int l_document_describe(lua_State *L);
int l_formats(lua_State *L);
int l_verbs(lua_State *L);
/* place.c */
int l_type(lua_State *L);
int l_path(lua_State *L);
int l_span(lua_State *L);
int l_raw(lua_State *L);
int l_bytes(lua_State *L);
int l_index(lua_State *L);
int l_names(lua_State *L);
int l_problem(lua_State *L);
/* text.c */
int l_view_tostring(lua_State *L);
int l_document_tostring(lua_State *L);
/* limits.c */
int l_limits_call(lua_State *L);
/* stop.c */
int l_limits_stopping(lua_State *L);
int l_limits_resume(lua_State *L);
int l_limits_wrap(lua_State *L);
int l_limits_close(lua_State *L);
/* system.c */
int l_core_end_interrupted(lua_State *L);
int l_core_isatty(lua_State *L);
int l_core_wait_input(lua_State *L);
int l_core_sweep(lua_State *L);
int l_core_catch_interrupt(lua_State *L);
int l_core_hold_interrupt(lua_State *L);
int l_core_call_bare(lua_State *L);
int l_core_ignore_sigpipe(lua_State *L);

#endif
