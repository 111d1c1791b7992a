/* State machines: states, their ids and names, and what transitions lead to. */
#include "havok/behavior/check.h"

#include <string.h>

#define WARN LATHE_LEVEL_WARNING

static const hk_state *sorted(const buf *list, size_t *n)
{
    *n = list->size / sizeof(hk_state);
    return (const hk_state *)(const void *)list->data;
}

static rec_at object(const hk_graph_look *k, uint32_t part)
{
    return hk_object(k->doc, part);
}

/* The path of a record, or of element i of its array `row`. */
typedef struct path {
    char text[96];
} path;

static path path_of(const rec_at *at, const char *row, uint64_t i)
{
    path p;
    rec_path(at, row ? rec_slot_find(at->layout, row) : REC_NO_SLOT, i, p.text, sizeof p.text);
    return p;
}

/* ---- states ------------------------------------------------------------------------------------------------ */

/* Two states of one id; a state twice was reported. */
static void check_ids(hk_graph_look *k)
{
    size_t n;
    const hk_state *s = sorted(&k->g->by_id, &n);
    for (size_t i = 1; i < n && !k->report->stopped; i++) {
        if (s[i].machine != s[i - 1].machine || s[i].id != s[i - 1].id ||
            s[i].part == s[i - 1].part)
            continue;
        rec_at at = object(k, s[i].part), machine = object(k, s[i].machine);
        HK_FINDING(k->report, k->error, &at, "state_id", REC_NO_ITEM, "%s has the id %lld, too",
                   path_of(&machine, "states", s[i - 1].number).text, (long long)s[i].id);
    }
}

static void check_owners(hk_graph_look *k)
{
    size_t n;
    const hk_state *s = sorted(&k->g->by_part, &n);
    for (size_t i = 1; i < n && !k->report->stopped; i++) {
        if (s[i].part != s[i - 1].part)
            continue;
        rec_at machine = object(k, s[i].machine), other = object(k, s[i - 1].machine);
        HK_FINDING(k->report, WARN, &machine, "states", s[i].number, "%s is the same state",
                   path_of(&other, "states", s[i - 1].number).text);
    }
}

static void named_again(void *user, const hk_named *name)
{
    hk_graph_look *k = user;
    const hk_state *s = hk_state_at(k->g, name->i), *first = hk_state_at(k->g, name->first);
    rec_at at = object(k, s->part), machine = object(k, s->machine);
    if (s->part != first->part)
        HK_FINDING(k->report, WARN, &at, "name", REC_NO_ITEM, "%s has the name '%.90s', too",
                   path_of(&machine, "states", first->number).text, name->text);
}

static lathe_result check_names(hk_graph_look *k, lathe_error *err)
{
    buf list;
    uint64_t size, n = k->g->states.size / sizeof(hk_state);
    hk_named one = {.text = NULL};
    lathe_result r = LATHE_OK;
    buf_init(&list, &k->doc->mem);
    for (; r == LATHE_OK && one.i < n; one.i++) {
        rec_at at = object(k, hk_state_at(k->g, one.i)->part);
        one.group = hk_state_at(k->g, one.i)->machine;
        r = hk_read_text(&at, "name", &one.text, &size, err);
        if (r == LATHE_OK && !size)
            HK_FINDING(k->report, WARN, &at, "name", REC_NO_ITEM, "no name");
        if (r == LATHE_OK && !buf_put(&list, &one, sizeof one))
            r = rec_no_memory(err);
    }
    if (r == LATHE_OK)
        hk_names_again(&list, named_again, k);
    buf_free(&list);
    return r;
}

/* ---- machines ---------------------------------------------------------------------------------------------- */

static lathe_result check_machine(hk_graph_look *k, uint32_t part, lathe_error *err)
{
    rec_at at = object(k, part);
    uint64_t n;
    bool bound = false;
    lathe_result r = hk_read_length(&at, "states", &n, err);
    if (r != LATHE_OK)
        return r;
    if (!n) {
        HK_FINDING(k->report, WARN, &at, "states", REC_NO_ITEM, "a state machine without states");
        return r;
    }
    int64_t id = rec_int(&at, "start_state_id");
    bool chosen =
        rec_int(&at, "start_state_mode") != 0; /* by a variable, by chance, by an object */
    size_t states;
    hk_states_of(k->g, part, &states); /* others are null or no states, which is reported */
    if (!states || hk_state_of_id(k->g, part, id))
        return r;
    r = hk_is_bound(&at, "startStateId", &bound, err);
    if (r == LATHE_OK)
        HK_FINDING(k->report, bound || chosen ? WARN : k->error, &at, "start_state_id", REC_NO_ITEM,
                   "no state of the machine has the id %lld", (long long)id);
    return r;
}

lathe_result hk_check_machines(hk_graph_look *k, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    const buf *machines = &k->g->machines;
    for (size_t i = 0; r == LATHE_OK && i < machines->size / sizeof(uint32_t); i++) {
        uint32_t part;
        memcpy(&part, machines->data + i * sizeof part, sizeof part);
        r = check_machine(k, part, err);
    }
    if (r != LATHE_OK)
        return r;
    check_owners(k);
    check_ids(k);
    return check_names(k, err);
}

/* ---- transitions --------------------------------------------------------------------------------------------- */

/* Reports a nested state id that no state of the machine nested in `state` has. */
static lathe_result check_nested(hk_graph_look *k, const rec_at *t, const char *row, uint32_t state,
                                 lathe_error *err)
{
    rec_at at = object(k, state);
    uint32_t inner;
    lathe_result r = hk_read_target(&at, "generator", 0, &inner, err);
    if (r == LATHE_OK)
        r = hk_generator_within(k->doc, inner, &inner, err);
    if (r != LATHE_OK || inner == REC_NO_PART)
        return r;
    at = object(k, inner);
    int64_t id = rec_int(t, row);
    if (at.layout->type == &hkb_state_machine) {
        if (!hk_state_of_id(k->g, inner, id))
            HK_FINDING(k->report, k->error, t, row, REC_NO_ITEM,
                       "no state of %s, the machine in the state, has the id %lld",
                       path_of(&at, NULL, REC_NO_ITEM).text, (long long)id);
    } else if (at.layout->type == &hkb_clip_generator) { /* other nodes may lead to a machine */
        HK_FINDING(k->report, WARN, t, row, REC_NO_ITEM,
                   "the state plays a clip: it has no nested states");
    }
    return r;
}

static lathe_result check_flags(hk_graph_look *k, const hk_transition *t, const rec_at *at,
                                int64_t flags, lathe_error *err)
{
    bool wild = t->from == REC_NO_PART, says = (flags & HK_WILDCARD) != 0;
    uint32_t part;
    lathe_result r = hk_read_target(at, "condition", 0, &part, err);
    bool condition = part != REC_NO_PART;
    if (r != LATHE_OK)
        return r;
    if (wild != says)
        HK_FINDING(k->report, WARN, at, "flags", REC_NO_ITEM,
                   wild ? "a transition from every state without FLAG_IS_LOCAL_WILDCARD and "
                          "FLAG_IS_GLOBAL_WILDCARD"
                        : "a transition from one state with FLAG_IS_LOCAL_WILDCARD or "
                          "FLAG_IS_GLOBAL_WILDCARD");
    if (condition == ((flags & HK_DISABLE_CONDITION) != 0))
        HK_FINDING(k->report, WARN, at, "flags", REC_NO_ITEM,
                   condition ? "FLAG_DISABLE_CONDITION: the condition is ignored"
                             : "there is no condition, but FLAG_DISABLE_CONDITION is not set");
    return r;
}

static lathe_result check_transition(hk_graph_look *k, const hk_transition *t, lathe_error *err)
{
    rec_at array = object(k, t->array), at;
    if (!hk_record_at(&array, "transitions", t->i, &at))
        return LATHE_OK;
    int64_t to = rec_int(&at, "to_state_id"), flags = rec_int(&at, "flags");
    const hk_state *target = hk_state_of_id(k->g, t->machine, to);
    lathe_result r = check_flags(k, t, &at, flags, err);
    if (r != LATHE_OK)
        return r;
    if (!target)
        HK_FINDING(k->report, k->error, &at, "to_state_id", REC_NO_ITEM,
                   "no state of the machine has the id %lld", (long long)to);
    else if (flags & HK_TO_NESTED)
        r = check_nested(k, &at, "to_nested_state_id", target->part, err);
    if (r == LATHE_OK && flags & HK_FROM_NESTED && t->from != REC_NO_PART)
        r = check_nested(k, &at, "from_nested_state_id", t->from, err);
    return r;
}

lathe_result hk_check_transitions(hk_graph_look *k, lathe_error *err)
{
    hk_transition t;
    lathe_result r = LATHE_OK;
    const buf *list = &k->g->transitions;
    for (size_t i = 0; r == LATHE_OK && i < list->size / sizeof t && !k->report->stopped; i++) {
        memcpy(&t, list->data + i * sizeof t, sizeof t);
        r = check_transition(k, &t, err);
    }
    return r;
}
