/* Verbs that add and remove states. */
#include "havok/behavior/holds.h"
#include "havok/behavior/uses.h"
#include "havok/behavior/verbs.h"
#include "havok/packfile/object_list.h"

static const rec_param name = {.name = "name",
                               .doc = "Name of the state, which no other one of the machine has.",
                               .kind = LATHE_PARAM_TEXT,
                               .positional = true,
                               .needed = true};
static const rec_param machine_of = {.name = "machine",
                                     .doc = "The state machine, or its name. Default: the one that "
                                            "the graph begins with.",
                                     .kind = LATHE_PARAM_ANY};
static const rec_param id_of = {.name = "id",
                                .doc = "Id of the state. Default: one more than the highest.",
                                .kind = LATHE_PARAM_INTEGER};
static const rec_param generator = {.name = "generator",
                                    .doc = "What makes the pose: a generator of the graph, or its "
                                           "name. This or animation is needed.",
                                    .kind = LATHE_PARAM_ANY};
static const rec_param animation = {.name = "animation",
                                    .doc = "Animation that the state plays: a clip generator of "
                                           "the state's name is made for it.",
                                    .kind = LATHE_PARAM_TEXT};
static const rec_param probability = {.name = "probability",
                                      .doc = "Weight in random transitions. Default: 1.",
                                      .kind = LATHE_PARAM_NUMBER};
static const rec_param gone = {.name = "name",
                               .doc = "The state, its name, or machine/state.",
                               .kind = LATHE_PARAM_ANY,
                               .positional = true,
                               .needed = true};
const rec_param *const hk_add_state_params[] = {&name,      &machine_of,  &id_of, &generator,
                                                &animation, &probability, NULL};
const rec_param *const hk_remove_state_params[] = {&gone, NULL};

/* ---- adding -------------------------------------------------------------------------------------------------- */

/* The machine that is given; else the only one, or the graph's root. */
static lathe_result choose_machine(lathe_doc *doc, const hk_graph *g, const lathe_source *args,
                                   rec_at *machine, lathe_error *err)
{
    uint32_t c = doc->parts[g->graph].container, part;
    lathe_result r = hk_object_option(doc, c, args, "machine", &hkb_state_machine, machine, err);
    if (r != LATHE_OK || machine->layout)
        return r;
    rec_at graph = hk_object(doc, g->graph);
    r = hk_read_target(&graph, "root_generator", 0, &part, err);
    if (r == LATHE_OK && g->machines.size == sizeof part)
        memcpy(&part, g->machines.data, sizeof part);
    if (r == LATHE_OK && (part == REC_NO_PART || !hk_object_is(doc, part, "hkbStateMachine")))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "option 'machine' is needed");
    if (r == LATHE_OK)
        *machine = hk_object(doc, part);
    return r;
}

static lathe_result choose_id(const hk_graph *g, uint32_t machine, const lathe_source *args,
                              int64_t *id, lathe_error *err)
{
    size_t n;
    const hk_state *s = hk_states_of(g, machine, &n);
    *id = n ? s[n - 1].id + 1 : 0;
    rec_arg_integer(args, "id", id);
    if (*id < 0 || *id > INT32_MAX)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the id %lld is not in 0 .. 2147483647", (long long)*id);
    if (hk_state_of_id(g, machine, *id))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "a state of the machine has the id %lld already", (long long)*id);
    return LATHE_OK;
}

/* The generator that is given, which must not lead back to the machine, or a new one for the animation that is given. */
static lathe_result choose_generator(lathe_doc *doc, uint32_t c, uint32_t machine,
                                     const lathe_source *args, rec_at *out, lathe_error *err)
{
    lathe_value file, clip;
    bool circle = false;
    bool plays = rec_arg(args, "animation", &file);
    lathe_result r = hk_object_option(doc, c, args, "generator", &hkb_generator, out, err);
    if (r != LATHE_OK)
        return r;
    if (plays == (out->layout != NULL))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "one of the options 'generator' and 'animation' is needed");
    if (!plays)
        r = hk_leads_to(doc, out->part, machine, &circle, err);
    if (r == LATHE_OK && circle)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                      "option 'generator': it leads to the state machine: generators would be in a "
                      "circle");
    if (r != LATHE_OK || !plays || !rec_arg(args, "name", &clip))
        return r;
    return hk_make_clip(doc, c, &clip, &file, out, err);
}

lathe_result hk_add_state(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    const hk_graph *g;
    lathe_value text;
    int64_t id = 0;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    rec_at machine, made, state;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r == LATHE_OK)
        r = choose_machine(doc, g, args, &machine, err);
    if (r != LATHE_OK || !rec_arg(args, "name", &text))
        return r;
    r = hk_name_new(doc, g, HK_STATES, machine.part, &text, err);
    if (r == LATHE_OK)
        r = choose_id(g, machine.part, args, &id, err);
    if (r == LATHE_OK)
        r = choose_generator(doc, c, machine.part, args, &made, err);
    if (r == LATHE_OK)
        r = hkb_append_object(doc, c, "hkbStateMachineStateInfo", &state, err);
    if (r == LATHE_OK)
        r = hkb_put_value(&state, "name", &text, err);
    if (r == LATHE_OK)
        r = hkb_put_integer(&state, "state_id", id, err);
    if (r == LATHE_OK)
        r = hkb_take_option(&state, "probability", args, "probability", err);
    if (r == LATHE_OK)
        r = hkb_point_to(&state, "generator", &made, err);
    if (r == LATHE_OK)
        r = hkb_append_pointer(&machine, "states", &state, err);
    if (r != LATHE_OK || !report)
        return r;
    report->changed++;
    hk_report_record(report, "state", &state);
    hk_report_integer(report, "id", id);
    return r;
}

/* ---- removing -------------------------------------------------------------------------------------------------- */

lathe_result hk_remove_state(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    const hk_graph *g;
    uint64_t i;
    hk_reached before;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r == LATHE_OK)
        r = hk_state_option(doc, g, args, "name", REC_NO_PART, &i, err);
    if (r == LATHE_OK)
        r = hk_uses_none(doc, g, HK_STATES, i, err);
    if (r != LATHE_OK)
        return r;
    hk_state state = *hk_state_at(g, i);
    rec_at machine = hk_object(doc, state.machine);
    r = hk_reached_now(doc, c, &before, err);
    if (r == LATHE_OK)
        r = rec_remove(&machine, rec_slot_find(machine.layout, "states"), state.number, 1, err);
    if (r == LATHE_OK)
        r = hk_prune_lost(doc, c, &before, err);
    hk_reached_free(&before);
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}
