/* Behavior graphs: their events, variables, states, transitions and clip generators, and the members that refer to
 * those by number. A document's graph is its first hkbBehaviorGraph; its files have one. */
#ifndef LATHE_HAVOK_GRAPH_H
#define LATHE_HAVOK_GRAPH_H

#include "gen/behavior_types.h"
#include "havok/objects/objects.h"
#include "scene/hooks.h"

/* ---- the graph and its lists (graph.c) --------------------------------------------------------------- */

/* What names in a graph belong to. */
typedef enum hk_named_kind { HK_EVENTS, HK_VARIABLES, HK_STATES } hk_named_kind;

/* A state: its machine and itself, as parts, its number in the machine's array, and its id. */
typedef struct hk_state {
    uint32_t machine, part;
    uint64_t number;
    int64_t id;
} hk_state;

/* Transition `i` of the object `array`. `from` is the part of the first state that has the array; REC_NO_PART: the
 * machine has it, for all of its states. */
typedef struct hk_transition {
    uint32_t machine, from, array;
    uint64_t i;
} hk_transition;

/* Animation file `i` of the text array `row` of a record. */
typedef struct hk_file {
    lathe_view record;
    uint32_t slot;
    uint64_t i;
} hk_file;

/* Indexes of names, each made when the first name of its kind is looked up. */
typedef struct hk_name_index {
    buf of[HK_STATES + 1]; /* sorted by name */
    bool made[HK_STATES + 1];
} hk_name_index;

/* Some of hkbStateMachineTransitionInfo::TransitionFlags. */
enum {
    HK_TRIGGER_INTERVAL = 1,
    HK_INITIATE_INTERVAL = 2,
    HK_DISABLED = 0x20,
    HK_DISABLE_CONDITION = 0x100,
    HK_GLOBAL_WILDCARD = 0x400,
    HK_LOCAL_WILDCARD = 0x800,
    HK_WILDCARD = HK_GLOBAL_WILDCARD | HK_LOCAL_WILDCARD,
    HK_FROM_NESTED = 0x1000,
    HK_TO_NESTED = 0x2000,
    HK_ABUT_AT_END = 0x4000
};

/* Found once and cached until the document changes. */
typedef struct hk_graph {
    rec_cached cached;
    uint32_t graph, data, strings, values; /* parts of objects; REC_NO_PART: missing */
    uint32_t graphs;                       /* how many the file has */
    uint64_t events, variables;            /* named by the strings */
    buf machines;       /* uint32_t: parts of the state machines, in file order */
    buf states;         /* hk_state, machine after machine */
    buf by_id, by_part; /* the same, sorted by machine and id, and by themselves */
    buf transitions;    /* hk_transition, machine after machine */
    buf by_array;       /* the same, one of each array, sorted by .array */
    buf clips;          /* uint32_t: parts of the clip generators */
    buf files;          /* hk_file: those that characters and projects list */
    hk_name_index *names;
} hk_graph;

lathe_result hk_graph_of(lathe_doc *doc, uint32_t c, const hk_graph **out, lathe_error *err);
/* The same; fails if the document has no graph, or several (of which a change could mean any), or if the graph has
 * lost its data or names. */
lathe_result hk_graph_needed(lathe_doc *doc, uint32_t c, const hk_graph **out, lathe_error *err);

/* The name of event or variable number i; NULL: it has none. Borrowed until the next write. */
lathe_result hk_graph_name(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint64_t i,
                           const char **name, lathe_error *err);
/* The number of the first event or variable with a name; UINT64_MAX: there is none. */
lathe_result hk_graph_find(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, const char *name,
                           size_t n, uint64_t *i, lathe_error *err);
/* The same. LATHE_ERR_NAME: there is none; the message has the nearest. */
lathe_result hk_graph_named(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, const char *name,
                            size_t n, uint64_t *i, lathe_error *err);
/* The number in .states of the state with a name, or with the names of machine and state joined by a slash.
 * LATHE_ERR_NAME: there is none, or there are several. */
lathe_result hk_state_named(lathe_doc *doc, const hk_graph *g, const char *name, size_t n,
                            uint64_t *i, lathe_error *err);
/* The state of a machine with an id; NULL: none. */
const hk_state *hk_state_of_id(const hk_graph *g, uint32_t machine, int64_t id);
/* The states of a machine, sorted by id: *n of them, one after the other. */
const hk_state *hk_states_of(const hk_graph *g, uint32_t machine, size_t *n);
/* A state by its part, the first of several machines' that have it; NULL: no machine has it. */
const hk_state *hk_state_of_part(const hk_graph *g, uint32_t part);
/* The first transition of the array object; NULL: no machine has it. */
const hk_transition *hk_transitions_of(const hk_graph *g, uint32_t array);

/* What makes the pose of the generator `part`, past nodes that do no more than hold one generator, such as modifier generators:
 * in a state, the machine whose states are nested in it. REC_NO_PART: nothing. */
lathe_result hk_generator_within(lathe_doc *doc, uint32_t part, uint32_t *out, lathe_error *err);

static inline const hk_state *hk_state_at(const hk_graph *g, uint64_t i)
{
    return (const hk_state *)(const void *)g->states.data + i;
}

/* ---- members that refer to events, variables and states (ids.c) ---------------------------------------- */

/* One member that holds an id or an expression: element `item` of row `slot` (0 if the row is no array). `value` is the id;
 * it does not count for an expression (HK_ID_NAMES). */
typedef struct hk_id {
    rec_at at;
    uint32_t slot;
    uint64_t item;
    uint8_t code; /* HK_ID_… */
    int64_t value;
} hk_id;

typedef lathe_result hk_each_id(void *user, const hk_id *id, lathe_error *err);

/* Calls `each` for all such members of a document whose code is in the set `codes`: the bits 1 << (code - HK_ID_EVENT).
 * Stops at the first error. `each` may write numbers, but change no length. Left out: bindings to properties of a character,
 * and sequenced data, whose ids are places in their sequence's own list of names. */
lathe_result hk_ids_each(lathe_doc *doc, uint32_t c, unsigned codes, hk_each_id *each, void *user,
                         lathe_error *err);
#define HK_ID_BIT(code) (1u << ((code)-HK_ID_EVENT))
/* Inside an edit: stores another number. */
lathe_result hk_id_put(const hk_id *id, int64_t value, lathe_error *err);
/* The word [at, end) of an expression: a name, a number, a function or `if`. Words are runs of letters, digits, '_' and
 * '.'. An event is named in front of `if`, as in "runStart if (Speed > 350)", and variables everywhere else; a word alone
 * is an event where it is assigned, and a variable where it is a condition. */
typedef struct hk_word {
    size_t at, end;
    bool event, variable; /* what it can name */
    bool called;          /* a parenthesis follows */
} hk_word;
/* The first word at `from` or behind; false: there is none. */
bool hk_text_word(const char *text, size_t size, size_t from, hk_word *out);
/* Whether an expression names a variable or event, at `from` or behind, and where. */
bool hk_text_names(const char *text, size_t size, hk_named_kind kind, const char *name, size_t from,
                   size_t *at);

/* ---- hooks ---------------------------------------------------------------------------------------------- */

extern const scene_graph hk_graph_hooks; /* lists.c */
/* How many items one of the lists from LATHE_GRAPHS on has. */
lathe_result hk_graph_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);

/* Rows of hk_event and hk_variable, of states and transitions (graph_rows.c). */
typedef lathe_result hk_row_get(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err);
typedef lathe_result hk_row_set(const rec_at *at, const rec_field *row, const lathe_value *value,
                                lathe_error *err);
hk_row_get hk_graph_get_id, hk_graph_get_name, hk_graph_get_source;
hk_row_set hk_graph_set_name;
hk_row_get hk_variable_get_type, hk_variable_get_value, hk_variable_get_object;
hk_row_set hk_variable_set_value;
hk_row_get hk_state_get_machine;
hk_row_get hk_transition_get_event, hk_transition_get_machine, hk_transition_get_from,
    hk_transition_get_to;
hk_row_set hk_transition_set_event, hk_transition_set_to;

#endif
