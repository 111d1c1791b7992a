/* Circles: of generators, through which a game would go for ever, and of transitions that nothing triggers. */
#include "havok/behavior/check.h"
#include "havok/behavior/holds.h"

#include <stdlib.h>
#include <string.h>

/* ---- any circles ------------------------------------------------------------------------------------------- */

typedef struct hk_edge {
    uint32_t from, to;
    uint64_t number; /* for the caller */
} hk_edge;

static int compare_edges(const void *a, const void *b)
{
    const hk_edge *s = a, *t = b;
    if (s->from != t->from)
        return s->from < t->from ? -1 : 1;
    return (s->number > t->number) - (s->number < t->number);
}

/* A walk into the depth, without recursion. */
typedef struct walk {
    const hk_edge *edges;
    uint32_t *first; /* for each node, and one more: its first edge */
    uint32_t *next;  /* for each node on the way: the next edge to follow */
    uint32_t *way;
    uint8_t *state; /* of each node */
    uint32_t depth;
} walk;

/* TOLD: on the way, and an edge from it that closes a circle was found. One for each node is enough. */
enum { NEW, ON_THE_WAY, TOLD, DONE };

static void enter(walk *w, uint32_t node)
{
    w->state[node] = ON_THE_WAY;
    w->next[node] = w->first[node];
    w->way[w->depth++] = node;
}

static void go(walk *w, uint32_t start, void (*found)(void *user, const hk_edge *edge), void *user)
{
    enter(w, start);
    while (w->depth) {
        uint32_t node = w->way[w->depth - 1];
        if (w->next[node] == w->first[node + 1]) {
            w->state[node] = DONE;
            w->depth--;
            continue;
        }
        const hk_edge *e = &w->edges[w->next[node]++];
        if (w->state[e->to] == NEW) {
            enter(w, e->to);
        } else if (w->state[e->to] != DONE && w->state[node] != TOLD) {
            w->state[node] = TOLD;
            found(user, e);
        }
    }
}

/* Finds circles among the nodes 0 … n - 1: calls `found` for edges without which there were none, at most one of each node.
 * Sorts the list of hk_edge. */
static lathe_result find_circles(lathe_doc *doc, uint32_t n, buf *edges,
                                 void (*found)(void *user, const hk_edge *edge), void *user,
                                 lathe_error *err)
{
    hk_edge *e = (hk_edge *)(void *)edges->data;
    size_t count = edges->size / sizeof *e, size = (3 * (size_t)n + 1) * sizeof(uint32_t);
    if (!count)
        return LATHE_OK;
    if (count > UINT32_MAX)
        return rec_no_memory(err);
    qsort(e, count, sizeof *e, compare_edges);
    uint32_t *numbers = mem_zalloc(&doc->mem, size);
    uint8_t *state = mem_zalloc(&doc->mem, n);
    if (numbers && state) {
        walk w = {.edges = e,
                  .first = numbers,
                  .next = numbers + n + 1,
                  .way = numbers + 2 * (size_t)n + 1,
                  .state = state};
        for (uint32_t i = 0, k = 0; i <= n; i++) {
            while (k < count && e[k].from < i)
                k++;
            w.first[i] = k;
        }
        for (size_t i = 0; i < count; i++)
            if (state[e[i].from] == NEW)
                go(&w, e[i].from, found, user);
    }
    lathe_result r = numbers && state ? LATHE_OK : rec_no_memory(err);
    mem_free(&doc->mem, numbers, size);
    mem_free(&doc->mem, state, n);
    return r;
}

/* ---- generators ---------------------------------------------------------------------------------------------- */

typedef struct collection {
    hk_graph_look *k;
    buf edges;
    uint64_t wanted, at; /* the number of a pointer of its object, while it is looked for */
} collection;

static lathe_result add_edge(void *user, const hk_down *d, lathe_error *err)
{
    collection *all = user;
    hk_edge e = {.from = d->at.part, .to = d->part, .number = all->at++};
    if (!hk_is_held(d))
        return LATHE_OK;
    return buf_put(&all->edges, &e, sizeof e) ? LATHE_OK : rec_no_memory(err);
}

static lathe_result tell_pointer(void *user, const hk_down *d, lathe_error *err)
{
    collection *all = user;
    (void)err;
    if (all->at++ != all->wanted)
        return LATHE_OK;
    bool array = d->at.layout->slots[d->slot].array;
    rec_finding(all->k->report, all->k->error, &d->at, d->slot, array ? d->item : REC_NO_ITEM,
                "generators in a circle: this one leads back to the object");
    return LATHE_OK;
}

static void tell_generators(void *user, const hk_edge *e)
{
    collection *all = user;
    lathe_error err;
    rec_at at = hk_object(all->k->doc, e->from);
    all->at = 0;
    all->wanted = e->number;
    hk_down_each(&at, tell_pointer, all, &err); /* it was readable when the edges were made */
}

static lathe_result check_generators(hk_graph_look *k, lathe_error *err)
{
    uint64_t n;
    bool opens;
    const uint32_t *objects = hk_object_list(k->doc, k->c, &n);
    collection all = {.k = k};
    lathe_result r = LATHE_OK;
    buf_init(&all.edges, &k->doc->mem);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = hk_object_look(k->doc, objects[i], &opens, err);
        if (r != LATHE_OK || !opens)
            continue;
        rec_at at = hk_object(k->doc, objects[i]);
        all.at = 0;
        if (hk_holds_generators(at.layout->type))
            r = hk_down_each(&at, add_edge, &all, err);
    }
    if (r == LATHE_OK)
        r = find_circles(k->doc, (uint32_t)k->doc->parts_n, &all.edges, tell_generators, &all, err);
    buf_free(&all.edges);
    return r;
}

/* ---- transitions ----------------------------------------------------------------------------------------------- */

/* The state that a transition enters at once, whatever happens; NULL: it waits for something. */
static lathe_result entered_at_once(const hk_graph_look *k, const hk_transition *t,
                                    const hk_state **to, lathe_error *err)
{
    enum { WAITS = HK_TRIGGER_INTERVAL | HK_INITIATE_INTERVAL | HK_DISABLED | HK_ABUT_AT_END };
    rec_at array = hk_object(k->doc, t->array), at;
    uint32_t condition = REC_NO_PART;
    *to = NULL;
    if (!hk_record_at(&array, "transitions", t->i, &at) || rec_int(&at, "event_id") != -1)
        return LATHE_OK;
    int64_t flags = rec_int(&at, "flags");
    lathe_result r = flags & HK_DISABLE_CONDITION
                         ? LATHE_OK
                         : hk_read_target(&at, "condition", 0, &condition, err);
    if (r == LATHE_OK && !(flags & WAITS) && condition == REC_NO_PART)
        *to = hk_state_of_id(k->g, t->machine, rec_int(&at, "to_state_id"));
    return r;
}

/* States are nodes by their places in .by_id; behind them come arrays of transitions by theirs in .by_array, as states can
 * share one. */
typedef struct state_nodes {
    hk_graph_look *k;
    const hk_state *states;      /* .by_id */
    const hk_transition *arrays; /* .by_array */
    uint32_t states_n, arrays_n;
    buf edges;
    uint32_t machine,
        target; /* of the first transition at once that is possible from every state */
} state_nodes;

enum { OF_STATE = -1 }; /* number of the edge from a state to its transitions */

static const char never_rests[] =
    "transitions in a circle, without event and condition: the state machine never rests";

static void tell_transition(const state_nodes *s, uint64_t number)
{
    hk_transition t;
    rec_at at;
    memcpy(&t, s->k->g->transitions.data + number * sizeof t, sizeof t);
    rec_at array = hk_object(s->k->doc, t.array);
    if (hk_record_at(&array, "transitions", t.i, &at))
        HK_FINDING(s->k->report, s->k->error, &at, "to_state_id", REC_NO_ITEM, "%s", never_rests);
}

static void tell_states(void *user, const hk_edge *e)
{
    const state_nodes *s = user;
    if (e->number != (uint64_t)OF_STATE) {
        tell_transition(s, e->number);
        return;
    }
    rec_at at = hk_object(s->k->doc, s->states[e->from].part);
    HK_FINDING(s->k->report, s->k->error, &at, "transitions", REC_NO_ITEM, "%s", never_rests);
}

static lathe_result add(state_nodes *s, uint32_t from, uint32_t to, uint64_t number,
                        lathe_error *err)
{
    hk_edge e = {from, to, number};
    return buf_put(&s->edges, &e, sizeof e) ? LATHE_OK : rec_no_memory(err);
}

static lathe_result add_own(state_nodes *s, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < s->states_n; i++) {
        uint32_t array;
        rec_at at = hk_object(s->k->doc, s->states[i].part);
        r = hk_read_target(&at, "transitions", 0, &array, err);
        const hk_transition *t =
            r == LATHE_OK && array != REC_NO_PART ? hk_transitions_of(s->k->g, array) : NULL;
        if (t)
            r = add(s, i, s->states_n + (uint32_t)(t - s->arrays), (uint64_t)OF_STATE, err);
    }
    return r;
}

/* A transition from every state. Two of them to different states are a circle by themselves. */
static lathe_result add_wild(state_nodes *s, const hk_transition *t, uint32_t target,
                             uint64_t number, lathe_error *err)
{
    size_t n;
    lathe_result r = LATHE_OK;
    if (s->machine == t->machine) {
        if (s->target != target)
            tell_transition(s, number);
        return r;
    }
    s->machine = t->machine;
    s->target = target;
    const hk_state *from = hk_states_of(s->k->g, t->machine, &n);
    for (size_t i = 0; r == LATHE_OK && i < n; i++)
        if ((uint32_t)(from + i - s->states) != target)
            r = add(s, (uint32_t)(from + i - s->states), target, number, err);
    return r;
}

static lathe_result add_at_once(state_nodes *s, lathe_error *err)
{
    hk_transition t;
    lathe_result r = LATHE_OK;
    const buf *list = &s->k->g->transitions;
    for (size_t i = 0; r == LATHE_OK && i < list->size / sizeof t; i++) {
        memcpy(&t, list->data + i * sizeof t, sizeof t);
        const hk_state *to;
        r = entered_at_once(s->k, &t, &to, err);
        const hk_transition *array =
            r == LATHE_OK && to ? hk_transitions_of(s->k->g, t.array) : NULL;
        if (array && t.from == REC_NO_PART)
            r = add_wild(s, &t, (uint32_t)(to - s->states), i, err);
        else if (array)
            r = add(s, s->states_n + (uint32_t)(array - s->arrays), (uint32_t)(to - s->states), i,
                    err);
    }
    return r;
}

static lathe_result check_states(hk_graph_look *k, lathe_error *err)
{
    const hk_graph *g = k->g;
    state_nodes s = {.k = k,
                     .states = (const hk_state *)(const void *)g->by_id.data,
                     .arrays = (const hk_transition *)(const void *)g->by_array.data,
                     .states_n = (uint32_t)(g->by_id.size / sizeof(hk_state)),
                     .arrays_n = (uint32_t)(g->by_array.size / sizeof(hk_transition)),
                     .machine = REC_NO_PART};
    buf_init(&s.edges, &k->doc->mem);
    lathe_result r = add_at_once(&s, err);
    if (r == LATHE_OK && s.edges.size) /* most files have none */
        r = add_own(&s, err);
    if (r == LATHE_OK)
        r = find_circles(k->doc, s.states_n + s.arrays_n, &s.edges, tell_states, &s, err);
    buf_free(&s.edges);
    return r;
}

lathe_result hk_check_circles(hk_graph_look *k, lathe_error *err)
{
    lathe_result r = check_generators(k, err);
    return r == LATHE_OK ? check_states(k, err) : r;
}
