/* Verbs that add and remove transitions. */
#include "havok/behavior/edit.h"
#include "havok/behavior/verbs.h"
#include "havok/packfile/object_list.h"

#include <string.h>

static const rec_param to = {.name = "to",
                             .doc = "The state that is entered, its name, or machine/state.",
                             .kind = LATHE_PARAM_ANY,
                             .needed = true};
static const rec_param from = {.name = "from",
                               .doc = "The state that is left, or its name. Default: the "
                                      "transition is possible from every state of the machine.",
                               .kind = LATHE_PARAM_ANY};
static const rec_param event = {.name = "event",
                                .doc = "Name or id of the event that triggers it.",
                                .kind = LATHE_PARAM_ANY,
                                .needed = true};
static const rec_param effect = {.name = "effect",
                                 .doc = "How the states are blended: a transition effect of the "
                                        "graph, or its name. Default: at once.",
                                 .kind = LATHE_PARAM_ANY};
static const rec_param flags = {.name = "flags",
                                .doc = "As hkbStateMachineTransitionInfo has them. Default: "
                                       "FLAG_DISABLE_CONDITION, and from every state "
                                       "FLAG_IS_LOCAL_WILDCARD and FLAG_IS_GLOBAL_WILDCARD.",
                                .kind = LATHE_PARAM_ANY};
static const rec_param priority = {.name = "priority",
                                   .doc = "Of several transitions the one of highest priority is "
                                          "taken. Default: 0.",
                                   .kind = LATHE_PARAM_INTEGER};
static const rec_param any_to = {
    .name = "to", .doc = "Only those that enter this state.", .kind = LATHE_PARAM_ANY};
static const rec_param any_from = {
    .name = "from", .doc = "Only those that leave this state.", .kind = LATHE_PARAM_ANY};
static const rec_param any_event = {
    .name = "event", .doc = "Only those that this event triggers.", .kind = LATHE_PARAM_ANY};
const rec_param *const hk_add_transition_params[] = {&to,    &from,     &event, &effect,
                                                     &flags, &priority, NULL};
const rec_param *const hk_remove_transition_params[] = {&any_to, &any_from, &any_event, NULL};

/* ---- adding -------------------------------------------------------------------------------------------------- */

/* How many states and machines have the transitions of `array`. */
static uint64_t sharers(lathe_doc *doc, const hk_graph *g, uint32_t array)
{
    uint64_t n = 0;
    for (size_t i = 0; i < g->states.size / sizeof(hk_state); i++) {
        rec_at at = hk_object(doc, hk_state_at(g, i)->part);
        n += hk_target(&at, "transitions", 0) == array;
    }
    for (size_t i = 0; i < g->machines.size / sizeof(uint32_t); i++) {
        uint32_t part;
        memcpy(&part, g->machines.data + i * sizeof part, sizeof part);
        rec_at at = hk_object(doc, part);
        n += hk_target(&at, "wildcard_transitions", 0) == array;
    }
    return n;
}

/* The object whose array gets the new transition; made if the owner has none. */
static lathe_result array_of(lathe_doc *doc, const hk_graph *g, const rec_at *owner,
                             const char *row, lathe_report *report, rec_at *array, lathe_error *err)
{
    uint32_t part;
    lathe_result r = hk_read_target(owner, row, 0, &part, err);
    if (r != LATHE_OK)
        return r;
    if (part == REC_NO_PART) {
        r = hkb_append_object(doc, owner->layout->container, "hkbStateMachineTransitionInfoArray",
                              array, err);
        return r == LATHE_OK ? hkb_point_to(owner, row, array, err) : r;
    }
    *array = hk_object(doc, part);
    if (array->layout->type != &hkb_state_machine_transition_info_array)
        return rec_fail(owner, rec_slot_find(owner->layout, row), owner->off, err, LATHE_ERR_TYPE,
                        "it leads to no transitions");
    uint64_t n = sharers(doc, g, part);
    if (n > 1)
        hk_report_note(report, "%llu states share these transitions: all of them have the new one",
                       (unsigned long long)n);
    return r;
}

static lathe_result fill(const rec_at *t, int64_t event_id, int64_t state_id, bool wild,
                         const rec_at *blend, const lathe_source *args, lathe_error *err)
{
    lathe_result r = hkb_put_integer(t, "event_id", event_id, err);
    if (r == LATHE_OK)
        r = hkb_put_integer(t, "to_state_id", state_id, err);
    if (r == LATHE_OK)
        r = hkb_put_integer(t, "flags",
                            wild ? HK_DISABLE_CONDITION | HK_WILDCARD : HK_DISABLE_CONDITION, err);
    if (r == LATHE_OK)
        r = hkb_take_option(t, "flags", args, "flags", err);
    if (r == LATHE_OK)
        r = hkb_take_option(t, "priority", args, "priority", err);
    return r == LATHE_OK && blend->layout ? hkb_point_to(t, "transition", blend, err) : r;
}

lathe_result hk_add_transition(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    const hk_graph *g;
    uint64_t source, target, id;
    rec_at array, t, blend;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container, machine = REC_NO_PART;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r == LATHE_OK)
        r = hk_state_option(doc, g, args, "from", REC_NO_PART, &source, err);
    if (r != LATHE_OK)
        return r;
    if (source != UINT64_MAX)
        machine = hk_state_at(g, source)->machine;
    r = hk_state_option(doc, g, args, "to", machine, &target, err);
    if (r == LATHE_OK && machine != REC_NO_PART && hk_state_at(g, target)->machine != machine)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                      "the two states belong to different machines");
    if (r == LATHE_OK)
        r = hk_number_option(doc, g, HK_EVENTS, args, "event", &id, err);
    if (r == LATHE_OK)
        r = hk_object_option(doc, c, args, "effect", &hkb_transition_effect, &blend, err);
    if (r != LATHE_OK)
        return r;
    bool wild = source == UINT64_MAX;
    int64_t state_id = hk_state_at(g, target)->id;
    rec_at owner =
        hk_object(doc, wild ? hk_state_at(g, target)->machine : hk_state_at(g, source)->part);
    r = array_of(doc, g, &owner, wild ? "wildcard_transitions" : "transitions", report, &array,
                 err);
    if (r == LATHE_OK)
        r = hkb_append(&array, "transitions", &t, err);
    if (r == LATHE_OK)
        r = fill(&t, (int64_t)id, state_id, wild, &blend, args, err);
    if (r == LATHE_OK && report) {
        report->changed++;
        hk_report_record(report, "transition", &t);
    }
    return r;
}

/* ---- removing -------------------------------------------------------------------------------------------------- */

typedef struct choice {
    uint64_t from, to, event; /* UINT64_MAX: any */
} choice;

static lathe_result choose(lathe_doc *doc, const hk_graph *g, const lathe_source *args, choice *out,
                           lathe_error *err)
{
    lathe_value v;
    uint32_t machine = REC_NO_PART;
    *out = (choice){UINT64_MAX, UINT64_MAX, UINT64_MAX};
    lathe_result r = hk_state_option(doc, g, args, "from", machine, &out->from, err);
    if (r == LATHE_OK && out->from != UINT64_MAX)
        machine = hk_state_at(g, out->from)->machine;
    if (r == LATHE_OK)
        r = hk_state_option(doc, g, args, "to", machine, &out->to, err);
    if (r == LATHE_OK && rec_arg(args, "event", &v))
        r = hk_number_option(doc, g, HK_EVENTS, args, "event", &out->event, err);
    if (r == LATHE_OK && out->from == UINT64_MAX && out->to == UINT64_MAX &&
        out->event == UINT64_MAX)
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      "one of the options 'from', 'to' and 'event' is needed");
    return r;
}

static bool suits(lathe_doc *doc, const hk_graph *g, const hk_transition *t, const choice *which)
{
    rec_at array = hk_object(doc, t->array), at;
    if (!hk_record_at(&array, "transitions", t->i, &at))
        return false;
    if (which->event != UINT64_MAX && rec_int(&at, "event_id") != (int64_t)which->event)
        return false;
    if (which->from !=
        UINT64_MAX) { /* which may share the array with the first state that has it */
        rec_at state = hk_object(doc, hk_state_at(g, which->from)->part);
        if (hk_target(&state, "transitions", 0) != t->array)
            return false;
    }
    const hk_state *target = which->to != UINT64_MAX ? hk_state_at(g, which->to) : NULL;
    return !target || (t->machine == target->machine && rec_int(&at, "to_state_id") == target->id);
}

/* Sets pointers to arrays without transitions to null, so that these objects go. */
static lathe_result let_go(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint64_t n;
    const lathe_value none = {.kind = LATHE_KIND_NONE};
    lathe_result r = LATHE_OK;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at at = hk_object(doc, objects[i]), array;
        bool state = hk_object_is(doc, objects[i], "hkbStateMachineStateInfo");
        if (!state && !hk_object_is(doc, objects[i], "hkbStateMachine"))
            continue;
        const char *row = state ? "transitions" : "wildcard_transitions";
        uint32_t part = hk_target(&at, row, 0);
        if (part == REC_NO_PART)
            continue;
        array = hk_object(doc, part);
        if (array.layout->type == &hkb_state_machine_transition_info_array &&
            !hk_length(&array, "transitions"))
            r = hkb_put_value(&at, row, &none, err);
    }
    return r;
}

lathe_result hk_remove_transition(lathe_view self, const lathe_source *args, lathe_report *report,
                                  lathe_error *err)
{
    const hk_graph *g;
    choice which;
    hk_reached before = {0};
    hk_transition t;
    buf list;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r == LATHE_OK)
        r = choose(doc, g, args, &which, err);
    if (r != LATHE_OK)
        return r;
    buf_init(&list, &doc->mem);
    bool ok = true;
    for (size_t i = 0; ok && i < g->transitions.size / sizeof t; i++) {
        memcpy(&t, g->transitions.data + i * sizeof t, sizeof t);
        ok = !suits(doc, g, &t, &which) || buf_put(&list, &t, sizeof t);
    }
    r = ok ? hk_reached_now(doc, c, &before, err) : rec_no_memory(err);
    for (size_t i = list.size / sizeof t; r == LATHE_OK && i-- > 0;) { /* the last ones first */
        memcpy(&t, list.data + i * sizeof t, sizeof t);
        rec_at array = hk_object(doc, t.array);
        r = rec_remove(&array, rec_slot_find(array.layout, "transitions"), t.i, 1, err);
    }
    if (r == LATHE_OK && list.size)
        r = let_go(doc, c, err);
    if (r == LATHE_OK && list.size)
        r = hk_prune_lost(doc, c, &before, err);
    if (r == LATHE_OK && report)
        report->changed += list.size / sizeof t;
    hk_reached_free(&before);
    buf_free(&list);
    return r;
}
