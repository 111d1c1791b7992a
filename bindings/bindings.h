/* Internal interface of the Lua module. Nothing here depends on a format.
 *
 * The members that Lua sees are described in scripts/lathe/members: texts, parameters, results. A comment in front of
 * a C function says which member it is.
 *
 * Rules that every function in bindings/ keeps:
 *
 *   - A longjmp must not leave the engine. Callbacks of the engine (sources, sinks, reports) raise no Lua
 *     error: they note the failure, and the caller raises it afterwards.
 *   - Any allocation of Lua memory may run a script's finalizer, which may close or edit any document. So
 *     nothing borrowed from the engine (strings, rec_at, layouts) is used after such a call: strings are
 *     pushed at once, and places are entered again. Names and texts of a document's own types (REC_OWN) are
 *     borrowed, too; use l_push_hold where they are needed longer.
 *   - The handle of a document is made before the document, so an error in between leaks nothing.
 *   - No lua_State is kept after the call that it came with, and there is no global data (the exceptions are
 *     in stop.c and system.c, because of C signals).
 *
 * Functions that return lathe_result fill *err, and raise only Lua's own memory errors. Functions that return int are
 * lua_CFunctions or called as their last step. */
#ifndef LATHE_BINDINGS_H
#define LATHE_BINDINGS_H

#include "record/record.h"

#include <lauxlib.h>
#include <lua.h>

/* ---- handles --------------------------------------------------------------------------------- */

/* A document. Lua owns it; views keep it alive. Its user value is nil or a table with the metatables of its own
 * record types. */
typedef struct l_doc {
    lathe_doc *doc;             /* NULL: closed, or not open yet */
    const lathe_format *format; /* still set after closing */
    lathe_view root;            /* valid only right after l_doc_root */
} l_doc;

/* A record or array. Its first user value is the document's userdata, into which `owner` points. */
typedef struct l_view {
    lathe_view at;
    l_doc *owner;
} l_view;

/* The class of a value. Metatables store it under a private key, so that functions that take any view can recognize
 * one, whatever the name of its record type is. */
typedef enum l_class {
    L_OTHER = 0,
    L_DOCUMENT,
    L_RECORD,
    L_ARRAY,
    L_BUFFER,
    L_SKELETON, /* this one and those below: l_object */
    L_ANIMATION,
    L_TRACK,
    L_FLOAT_TRACK,
    L_LIST,
    L_BONE,
    L_POSE,
    L_VECTOR,
    L_ANNOTATION,
    L_GRAPH,
    L_CLASS_COUNT
} l_class;

l_class l_class_of(lua_State *L, int idx);
/* Sets __name, __metatable and the class of the metatable on top of the stack. */
void l_class_set(lua_State *L, l_class c, const char *name);
/* Pushes the metatable of a class that has only one. It is made when the module is loaded. */
void l_push_class(lua_State *L, l_class c);
void l_save_class(lua_State *L, l_class c); /* pops the metatable */
/* Makes and pushes the table in which objects of a class look up members by name: methods, and the numbers of fields
 * (NULL: none). Objects have no other members. scripts/lathe/members lists all of them. */
void l_new_members(lua_State *L, l_class c, const luaL_Reg *methods, const char *const *fields);
void l_push_members(lua_State *L, l_class c);

/* Returns the document; raises "document is closed". */
lathe_doc *l_doc_check_open(lua_State *L, const l_doc *d);
l_doc *l_check_document(lua_State *L, int idx);
l_view *l_check_array(lua_State *L, int idx);
/* The place of a record, array or document argument, with its handle. Raises if the document is closed. */
lathe_view *l_check_place(lua_State *L, int idx, l_doc **owner);
lathe_view *l_doc_root(l_doc *d);
/* Pushes the document's userdata of a document or view. */
void l_push_owner(lua_State *L, int idx);
/* Pushes a view of the document of `from`, the index of a document or view. */
void l_push_view(lua_State *L, int from, const lathe_view *view);
/* Pushes any value; `from` as above. A borrowed string is copied before any other allocation. */
void l_push_value(lua_State *L, int from, const lathe_value *value);

/* A skeleton, an animation, one of its tracks, or a list of these. It stores numbers, which are looked up in the
 * document at each use. Its first user value is the document's userdata. */
typedef struct l_object {
    l_doc *owner;
    uint64_t index; /* number of the skeleton or animation, from 0 */
    uint64_t track; /* number of a track or bone, from 0; id of an annotation */
    uint64_t lane;  /* of a vector: the member of the pose */
    l_class items;  /* of a list: the class of its items; `index` is the animation or skeleton */
} l_object;

typedef struct l_buffer l_buffer; /* a typed array in Lua's memory */
typedef struct l_input l_input;   /* a Lua value to be stored in a document */

/* ---- errors (error.c) ------------------------------------------------------------------------ */

void l_push_error(lua_State *L, const lathe_error *err);
/* Returns nil and the error. */
int l_fail(lua_State *L, const lathe_error *err);
/* Raises a string for a mistake in the program, else the error table. */
int l_raise(lua_State *L, const lathe_error *err);
/* Returns nil and the error for bad data; raises a mistake in the program. */
int l_fail_or_raise(lua_State *L, const lathe_error *err);
void l_open_errors(lua_State *L);

/* ---- keeping the memory of documents (hold.c) -------------------------------------------------- */

/* Keeps the memory of a document until l_unhold, even if it is closed, so that texts of its own types stay valid. It
 * is on the stack, so an error releases it. */
typedef struct l_hold {
    lathe_doc *doc;
} l_hold;

l_hold *l_push_hold(lua_State *L, const l_doc *owner); /* raises if the document is closed */
void l_unhold(l_hold *h);

/* ---- records (view.c) ------------------------------------------------------------------------ */

/* Sets the metatable of the view on top of the stack, for any type; its user value must be set. Raises if the
 * document was closed before its type was read. */
void l_set_record_metatable(lua_State *L, const l_doc *owner, const rec_type *type, bool own);
/* The row number of the name at idx in the record or document at `view`, or REC_NO_SLOT. */
uint32_t l_row_of(lua_State *L, int view, int idx);
/* Raises "no field 'x' in T; did you mean 'y'?". `more`: further candidates, NULL-terminated, or NULL. */
int l_no_field(lua_State *L, int idx, const rec_type *type, const char *name,
               const char *const *more);
/* Enters the record and pushes the value of row `row`. */
int l_push_field(lua_State *L, int from, l_doc *owner, lathe_view *view, uint32_t row);
int l_view_equal(lua_State *L);
int l_record_pairs(lua_State *L);
void l_open_records(lua_State *L);

/* ---- arrays (array.c) ------------------------------------------------------------------------ */

void l_open_arrays(lua_State *L);
/* array[i] = value, with i from 1. i may be one past the end; nil at the end removes the element. */
lathe_result l_array_put(l_doc *owner, lathe_view *array, lua_Integer i, const l_input *in,
                         lathe_error *err);
/* Whether strings are keys of the array, so that it has no methods. */
bool l_array_keyed(const lathe_view *array);
/* Pushes the value of a key in a keyed array, or nil; `from` as above. The key is Lua's string. */
lathe_result l_push_key(lua_State *L, int from, l_doc *owner, lathe_view *array, rec_key key,
                        lathe_error *err);
/* array[key] = value, as one edit. nil removes the key, a new key is appended. */
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
/* Replaces an array by bytes in the form that pack gives, or by a buffer: whole elements (member NULL), or one
 * member. The array then has as many elements as the buffer has rows. */
lathe_result l_assign_bytes(l_doc *owner, lathe_view *array, const char *bytes, size_t n,
                            lathe_error *err);
lathe_result l_assign_buffer(l_doc *owner, lathe_view *array, const char *member, const l_buffer *b,
                             lathe_error *err);

/* ---- copies (totable.c) ---------------------------------------------------------------------- */

int l_totable(lua_State *L);
/* Pushes a deep copy of a value in plain tables. */
void l_push_plain(lua_State *L, l_doc *owner, const lathe_value *value, int depth);

/* ---- serializing (serialize.c) --------------------------------------------------------------- */

int l_serialize(lua_State *L);
/* Whether records of a type are roots of embedded documents that can be serialized. */
bool l_can_serialize(const rec_type *type);

/* ---- buffers (buffer.c) ---------------------------------------------------------------------- */

struct l_buffer {
    lathe_elem elem;
    size_t rows, columns;
    _Alignas(8) unsigned char data[]; /* rows * columns elements in the byte order of the machine */
};

void l_open_buffers(lua_State *L);
/* Pushes a new zeroed buffer. Raises if it is too large. */
l_buffer *l_push_buffer(lua_State *L, lathe_elem elem, size_t rows, size_t columns);
/* The same without zeroing, for callers that fill all of it. */
l_buffer *l_push_room(lua_State *L, lathe_elem elem, size_t rows, size_t columns);
l_buffer *l_check_buffer(lua_State *L, int idx);
const char *l_elem_name(lathe_elem elem);
void l_buffer_get(const l_buffer *b, size_t i, lathe_value *out);
int l_buffer_new(lua_State *L);
int l_buffer_totable(lua_State *L);
int l_buffer_pack(lua_State *L);

/* ---- tables of numbers (numbers.c) ------------------------------------------------------------------- */

/* Whether a view shows such a field. */
bool l_is_numbers(const lathe_view *view);
/* Pushes a buffer with its contents; `from` as for views. */
void l_push_numbers(lua_State *L, int from, lathe_view numbers);
/* Replaces all its rows by those of a buffer or a list of lists. */
lathe_result l_store_numbers(const rec_at *at, uint32_t slot, const l_input *in, lathe_error *err);

/* ---- Lua's garbage collector (collector.c) --------------------------------------------------- */

void l_open_collector(lua_State *L);
/* Stops the collector. Returns whether it was running, so that it must be restarted. */
bool l_collector_stop(lua_State *L);
void l_collector_start(lua_State *L);
/* Tells the collector the size of memory that a document holds outside of Lua. Otherwise a loop over a thousand files
 * would keep all of them open, because their handles take only a few bytes of Lua's memory. */
void l_collector_note(lua_State *L, uint64_t kilobytes);

/* ---- Lua values for the engine (source.c, store.c) ------------------------------------------- */

/* A table or buffer from which the engine reads values. Between run and close the collector is stopped and no other
 * Lua code runs, so tables do not change. */
typedef struct l_source {
    lathe_source api;
    lua_State *L;            /* the state that opened it, which also closes it */
    int base;                /* index of its first stack slot */
    uint32_t nodes;          /* number of nodes made so far */
    const void *cursor_node; /* the node and position of the last call of `name` */
    uint64_t cursor_at;
    const char *bad;   /* type name of a value that cannot be stored … */
    char bad_name[64]; /* … and its place */
    bool failed;       /* a callback failed; the error is in a stack slot, or in `bad` */
    bool collecting;   /* the collector was running */
} l_source;

/* idx is absolute. Pushes several stack slots. */
void l_source_open(lua_State *L, l_source *s, int idx);
void l_source_run(lua_State *L, l_source *s);
/* Pops the slots, and raises the error of a failed callback. */
void l_source_close(lua_State *L, l_source *s);

/* Any Lua value that is to be stored in a document. Everything that may raise or allocate happens in open and close,
 * so that the edit in between cannot be interrupted. */
struct l_input {
    enum { L_IN_LEAF, L_IN_TABLE, L_IN_BUFFER, L_IN_BAD } kind;
    lathe_value leaf;       /* also nil (NONE) and views */
    const l_buffer *buffer; /* can also be read as a source */
    const char *bad;        /* type name of a value that cannot be stored */
    l_source source;
    lathe_source api; /* the source of a table, buffer or view */
};

/* Runs the source, if there is one. Raises if the document to be changed (owner, may be NULL) is closed: a finalizer
 * may have closed it meanwhile. */
void l_input_open(lua_State *L, l_input *in, int idx, const l_doc *owner);
/* Converts a view, document, array or skeleton of class c at idx to a value. False: its document is closed. */
bool l_view_leaf(lua_State *L, int idx, l_class c, lathe_value *leaf);
void l_input_close(lua_State *L, l_input *in);
/* The result of an edit that read the input: r, unless a callback failed. */
lathe_result l_input_result(const l_input *in, lathe_result r, lathe_error *err);

/* One edit each: stores a field of a record, an element (from 0) of an array, or a whole record or array. */
lathe_result l_store_field(l_doc *owner, lathe_view *record, uint32_t slot, const l_input *in,
                           lathe_error *err);
lathe_result l_store_item(l_doc *owner, lathe_view *array, uint64_t item, const l_input *in,
                          lathe_error *err);
/* The same for a new element, inside the edit that inserted it. Members that a table lacks get their defaults, which
 * may depend on the others. */
lathe_result l_store_new(l_doc *owner, lathe_view *array, uint64_t item, const l_input *in,
                         lathe_error *err);
lathe_result l_store_whole(l_doc *owner, lathe_view *place, const l_input *in, lathe_error *err);

/* ---- skeletons and animations (object.c, skeleton.c, animation.c, sample.c) ------------------ */

/* The word for a class: "skeleton", "track" …; "userdata" for classes without l_object. */
const char *l_object_word(l_class c);
/* Checks an object argument, and that its document is open. */
l_object *l_check_object(lua_State *L, int idx, l_class c);
/* Makes and saves the metatable of a class: __index is `index`, over `methods` and the numbers of `members`; pairs
 * gives the members in order. */
void l_save_object_class(lua_State *L, l_class c, const char *name, const luaL_Reg *methods,
                         const char *const *members, lua_CFunction index);
/* Adds a __newindex to a class. Its first upvalue is the table of members. */
void l_object_writable(lua_State *L, l_class c, lua_CFunction newindex);
/* Pushes a new object; `from` as for views. */
void l_push_object(lua_State *L, int from, const l_object *what, l_class c);
/* Whether a value consists of numbers and texts only: a bone, a pose, a vector, an annotation, or a list of bones or
 * annotations. */
bool l_is_plain(lua_State *L, int idx);
/* Pushes its contents as plain tables. */
void l_object_plain(lua_State *L, int idx);
/* Raises the error for an unknown key; candidates are methods, members and verbs of records of type `source` (NULL:
 * none). */
int l_no_member(lua_State *L, l_class c, const luaL_Reg *methods, const char *const *members,
                const rec_type *source);
/* doc.skeletons, doc.animations, anim.tracks, anim.float_tracks. L_RECORD: a list of records or names, whose `index` is a
 * lathe_list: doc.materials, doc.events. */
void l_push_list(lua_State *L, int from, l_class items, uint64_t index);
/* The document list that a list object shows. False: it is a list of bones, tracks or annotations. */
bool l_scene_list(const l_object *list, lathe_list *out);
int l_core_look(lua_State *L);
void l_open_objects(lua_State *L); /* also opens those below */
void l_open_skeletons(lua_State *L);
/* graph.c */
void l_open_graphs(lua_State *L);
/* Whether a document has a behavior graph. */
bool l_has_graph(lua_State *L, const l_doc *d);
/* bones.c */
void l_open_bones(lua_State *L);
uint64_t l_bones_count(lua_State *L, const l_object *list);
uint64_t l_bones_find(lua_State *L, const l_object *list, const char *name, size_t n);
/* Stores the value at 3 in an existing bone. */
void l_bones_put(lua_State *L, const l_object *list, uint64_t bone);
void l_push_plain_bones(lua_State *L, const l_object *o, l_class c);
/* annotations.c */
void l_open_annotations(lua_State *L);
uint64_t l_notes_count(lua_State *L, const l_object *list);
void l_push_note(lua_State *L, const l_object *list, uint64_t i); /* of the list at 1 */
extern const luaL_Reg l_notes_methods[];
void l_push_plain_notes(lua_State *L, const l_object *o, l_class c);
void l_open_animations(lua_State *L);
/* tostring of all classes */
int l_object_tostring(lua_State *L);

/* Reads the facts of a skeleton, or of the skeleton of a bone. Raises if it was removed or cannot be read. Texts are
 * borrowed until the next allocation. */
void l_skeleton_describe(lua_State *L, const l_object *o, lathe_skeleton_info *info);
/* The same for an animation, or for the animation of a track. */
void l_clip_describe(lua_State *L, const l_object *o, lathe_clip_info *info);
/* The record of an animation. */
lathe_view l_clip_source(lua_State *L, const l_object *o);
/* The record on which the verbs of an animation work. */
lathe_view l_animation_source(lua_State *L, int idx, l_doc **owner);
bool l_animation_has(const char *name); /* it is a member, which has precedence over a verb */
int l_track_sample(lua_State *L);
int l_track_set(lua_State *L);
int l_animation_sample(lua_State *L);
int l_animation_decode(lua_State *L);
int l_animation_times(lua_State *L);
int l_animation_axes(lua_State *L);
int l_float_track_sample(lua_State *L);
int l_animation_sample_floats(lua_State *L);
int l_animation_decode_floats(lua_State *L);

/* Pushes the source of a skeleton or animation: a record, the document, or nil (.doc NULL); `from` as for views. */
void l_push_source(lua_State *L, int from, const lathe_view *source);

/* ---- read-only copies (copy.c) ------------------------------------------------------------------ */

/* Pushes "name, path", which names the record to change instead; nil if view.doc is NULL. */
void l_push_place(lua_State *L, const char *name, lathe_view view);
/* Pops a table, and below it the result of l_push_place. Pushes a read-only copy that shows the table. `what`: its
 * name in messages. There must be no other reference to the table. */
void l_make_copy(lua_State *L, const char *what);
bool l_is_copy(lua_State *L, int idx);
/* Replaces a copy on the stack by the table that it shows, for raw reads only. False: it is no copy. Does not raise
 * or allocate. */
bool l_open_copy(lua_State *L, int idx);
/* Replaces the copy on top by a deep copy that can be changed. */
void l_copy_totable(lua_State *L);

/* ---- memory for callbacks that must not raise (collect.c) ------------------------------------ */

/* A byte buffer outside of Lua's memory, owned by a userdata, so that errors free it. */
typedef struct l_collect {
    buf bytes;
    mem mem;
    size_t n; /* number of records in it */
    bool failed;
} l_collect;

l_collect *l_push_collect(lua_State *L);
void l_collect_put(l_collect *c, const void *bytes, size_t n);
void l_collect_text(l_collect *c, const char *text, size_t n); /* together with its length */
/* Reads the contents back in order, from *pos. */
void l_collect_take(const l_collect *c, size_t *pos, void *to, size_t n);
const char *l_collect_take_text(const l_collect *c, size_t *pos, size_t *n);
void l_collect_check(lua_State *L, const l_collect *c); /* raises if memory ran out */
/* Frees the bytes now. The finalizer may run late, or if memory is short, not at all. */
void l_collect_done(l_collect *c);

/* ---- reports (report.c) ---------------------------------------------------------------------- */

/* Collects what the engine reports during a call. Must not be moved. */
typedef struct l_report {
    lathe_report api;
    l_collect *skipped, *results;
} l_report;

void l_report_open(lua_State *L, l_report *report); /* pushes two values, which own its memory */
void l_report_done(l_report *report);
bool l_report_failed(const l_report *report); /* memory ran out */
/* Add to the table on top: the list `skipped`; and the other results, where a name with several values, or with
 * `lists` every name, gets a list. `handle`: index of the document or view whose views they contain, `owner` NULL: they
 * contain none. */
void l_report_push_skipped(lua_State *L, const l_report *report);
void l_report_add_results(lua_State *L, const l_report *report, int handle, const l_doc *owner,
                          bool lists);
/* Pushes both in one table, or nothing if both are empty. Returns the number of pushed values. */
int l_report_push_table(lua_State *L, const l_report *report, int handle, const l_doc *owner);

/* ---- limits and stopping (limits.c, stop.c) ------------------------------------------------- */

/* The allocator for documents. It counts memory if a limit is or was set. */
mem l_memory(lua_State *L);
/* Called if the engine ran out of memory: stops the script if its limit is the reason. */
void l_memory_failed(lua_State *L);

typedef enum l_stop_reason { L_STOP_MEMORY = 1, L_STOP_TIME, L_STOP_INTERRUPT } l_stop_reason;

/* Makes the running thread call `collect`, which collects garbage, before its next instruction. */
void l_stop_to_collect(void (*collect)(lua_State *));
/* Makes the running thread raise an error at every instruction until the watched call ends. Safe in a signal handler.
 * False: nothing is watched. */
bool l_stop(l_stop_reason reason);
/* Between watch and unwatch, code in L, and in coroutines that it resumes, can be stopped. Calls can be nested. */
typedef struct l_stop_watch_state {
    lua_State *running;
    lua_Hook hook;
    int mask, count;
} l_stop_watch_state;
void l_stop_watch(lua_State *L, l_stop_watch_state *before);
void l_stop_unwatch(lua_State *L, const l_stop_watch_state *before);
/* Sets the running thread; NULL: nothing can be stopped. Returns the previous one. */
lua_State *l_stop_set_running(lua_State *L);
/* Sets whether Ctrl-C was pressed. Returns the previous value. */
int l_stop_set_interrupted(int now);
/* The limit that was exceeded: L_STOP_MEMORY, L_STOP_TIME or 0. The second one resets it. */
l_stop_reason l_stop_over(void);
l_stop_reason l_stop_go_on(void);

/* Where the code was when it exceeded its limit, innermost function first. */
enum { L_STOP_PLACES = 16 };
typedef struct l_stop_place {
    char chunk[LUA_IDSIZE];
    int line;
} l_stop_place;
const l_stop_place *l_stop_places(int *count);
/* Records the present place, for a possible L_STOP_MEMORY. */
void l_stop_note_places(void);

/* ---- other functions ------------------------------------------------------------------------- */

/* A path argument; raises if it contains a NUL. */
const char *l_check_path(lua_State *L, int idx);

/* document.c */
void l_open_documents(lua_State *L);
/* Pushes the results of saving: true, and a list of what the file does not keep if there is anything. Returns their
 * number. */
int l_push_saved(lua_State *L, const l_doc *d);
int l_document_open(lua_State *L);
int l_document_parse(lua_State *L);
int l_document_new(lua_State *L);
int l_read(lua_State *L);
int l_write(lua_State *L);
/* companions.c: companion files of documents */

/* Sets o->geometry from the table of options at idx. Pushes a value that owns its memory. */
void l_push_geometry(lua_State *L, int idx, lathe_options *o);
/* Reads the zstd dictionary in the table at idx, a path or { bytes = ... }. The bytes are left on the stack. False:
 * the file cannot be read; nil and the error are pushed. */
bool l_push_dictionary(lua_State *L, int idx, lathe_options *o);
/* Sets o->skeleton if the table at idx has the path of one, and leaves its document on the stack; the document finds
 * other forms in o->extra. False: as above. */
bool l_push_skeleton(lua_State *L, int idx, lathe_options *o);
/* Raises if one of its documents was closed meanwhile by a finalizer. To be called right before the engine. */
void l_geometry_ready(lua_State *L, const lathe_options *o);
/* How documents open companions: through the guard. NULL: like any file. May raise. */
const rec_opener *l_opener(lua_State *L);
/* The number of calls that are running during which no document may be changed or closed. */
unsigned *l_opener_busy(lua_State *L);
/* guard.c: the guard's answer, borrowed from the stack */
typedef struct l_leave {
    const char *real; /* the path to open instead; NULL: `path`, following links */
    int instead;      /* stack index of a replacement for the file, or 0 */
} l_leave;
/* Asks the guard whether a file may be read ("r") or written ("w"). True: leaves two values on the stack, from which
 * *leave borrows. False: nil and an error are on top. The guard may close or edit documents. */
bool l_guard_ask(lua_State *L, const char *path, const char *mode, l_leave *leave);
/* The same for the backup of a file that may be written. */
bool l_guard_ask_backup(lua_State *L, const l_leave *file);
/* Passes the string on top of the stack, and pops it, to the replacement for the file. Pushes the results of a saving
 * function, and returns their number. */
int l_guard_put(lua_State *L, const l_leave *leave, const char *path, bool backup);
int l_core_set_guard(lua_State *L);
int l_core_real_path(lua_State *L);
int l_core_make_folder(lua_State *L);
int l_core_can_write(lua_State *L);
int l_core_identity(lua_State *L);
int l_core_open_file(lua_State *L);
int l_core_truncate(lua_State *L);
/* record.c */
int l_core_append(lua_State *L);
int l_core_put_back(lua_State *L);
int l_core_save_noted(lua_State *L);
int l_core_dds_png(lua_State *L);
int l_core_edge_color(lua_State *L);
int l_core_surface_color(lua_State *L);
int l_core_sha256(lua_State *L);
/* preview.c */
int l_core_draw(lua_State *L);
int l_core_may_read(lua_State *L);
int l_core_nodes(lua_State *L);
/* docedit.c */
int l_document_edit(lua_State *L);
int l_document_undo(lua_State *L);
int l_document_redo(lua_State *L);
int l_core_history(lua_State *L);
int l_core_mark_modified(lua_State *L);
int l_document_check(lua_State *L);
int l_document_get(lua_State *L);
int l_document_set(lua_State *L);
int l_document_at(lua_State *L);
/* verb.c */
void l_push_verb(lua_State *L, const rec_verb *verb);
int l_core_set_verb(lua_State *L);
/* adds those of its records to the table on top */
void l_add_verbs(lua_State *L, const rec_type *type);
/* The name of verb number i (from 0) of records of a type; NULL past the last one. */
const char *l_verb_name(const rec_type *type, size_t i);
/* The target of a verb, at idx: a view, a document, or the record of an animation. */
lathe_view l_verb_target(lua_State *L, int idx, l_doc **owner);
/* mesh.c */
int l_document_meshes(lua_State *L);
/* describe.c */
int l_describe(lua_State *L);
int l_core_layout(lua_State *L);
int l_core_compared_with(lua_State *L);
int l_core_containers(lua_State *L);
int l_core_surely(lua_State *L);
int l_document_describe(lua_State *L);
int l_formats(lua_State *L);
int l_material_names(lua_State *L);
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
int l_core_terminal_size(lua_State *L);
int l_core_wait_input(lua_State *L);
int l_core_sweep(lua_State *L);
int l_core_catch_interrupt(lua_State *L);
int l_core_hold_interrupt(lua_State *L);
int l_core_call_bare(lua_State *L);
int l_core_ignore_sigpipe(lua_State *L);
/* From here on SIGTERM interrupts as Ctrl-C does, and Ctrl-C does not. */
void l_interrupt_at_end(void);
/* process.c */
void l_open_processes(lua_State *L);
int l_process_start(lua_State *L);
int l_process_wait(lua_State *L);
int l_process_processors(lua_State *L);
int l_process_id(lua_State *L);
int l_process_join(lua_State *L);
int l_process_redirect(lua_State *L);
int l_process_seconds(lua_State *L);

#endif
