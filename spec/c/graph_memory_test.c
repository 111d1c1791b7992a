/* Behavior graphs with memory that runs out at every single call: lists, names, checks and verbs. What fails says so and has
 * changed nothing; what is done is as with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "given.h"
#include "short_memory.h"

#define SWEEP_FORMAT "hkx"
#define SWEEP_STEP(n) 1 /* of every single one */
#include "memory_sweep.h"

/* ---- a graph ------------------------------------------------------------------------------------------- */

#define RECORD(...)                                                                                \
    {                                                                                              \
        GIVEN_LIST(__VA_ARGS__)                                                                    \
    }
#define NAMED(what, ...)                                                                           \
    {                                                                                              \
        .name = (what), GIVEN_LIST(__VA_ARGS__)                                                    \
    }
#define TEXT(what, text)                                                                           \
    {                                                                                              \
        .name = (what), .v = GIVEN_TEXT(text)                                                      \
    }
#define INT(what, number)                                                                          \
    {                                                                                              \
        .name = (what), .v = GIVEN_INT(number)                                                     \
    }
#define OBJECT(class, ...) RECORD(TEXT("class", class), __VA_ARGS__)

enum { AT_ONCE = 0x100, NESTED = 0x2000, WILD = 0xc00 };

#define TRANSITION(event, to, bits)                                                                \
    RECORD(INT("event_id", event), INT("to_state_id", to), INT("flags", bits))
#define STATE(text, id, pointer, ...)                                                              \
    OBJECT("hkbStateMachineStateInfo", TEXT("name", text), INT("state_id", id),                    \
           INT("generator", pointer), __VA_ARGS__)
#define CLIP(text) OBJECT("hkbClipGenerator", TEXT("name", text), TEXT("animation_name", "a.hkx"))

static const given objects[] = {
    TEXT("game", "skyrim-le"),
    NAMED("objects",
          OBJECT("hkRootLevelContainer",
                 NAMED("named_variants",
                       RECORD(TEXT("name", "g"), TEXT("class_name", "hkbBehaviorGraph"),
                              INT("variant", 2)))),
          OBJECT("hkbBehaviorGraph", TEXT("name", "g"), INT("root_generator", 3), INT("data", 16)),
          OBJECT("hkbStateMachine", TEXT("name", "M"), INT("start_state_id", 0),
                 NAMED("states", {.v = GIVEN_INT(4)}, {.v = GIVEN_INT(7)}),
                 INT("wildcard_transitions", 15)),
          /* 4 */
          STATE("Idle", 0, 6, INT("transitions", 5)),
          OBJECT("hkbStateMachineTransitionInfoArray",
                 NAMED("transitions",
                       RECORD(INT("event_id", 0), INT("to_state_id", 1),
                              INT("to_nested_state_id", 5), INT("flags", AT_ONCE | NESTED)))),
          CLIP("IdleClip"),
          /* 7 */
          STATE("Move", 1, 8, INT("probability", 1)),
          OBJECT("hkbModifierGenerator", TEXT("name", "MG"), INT("modifier", 9),
                 INT("generator", 11)),
          OBJECT("hkbEvaluateExpressionModifier", TEXT("name", "E"), INT("expressions", 10)),
          OBJECT("hkbExpressionDataArray",
                 NAMED("expressions_data", RECORD(TEXT("expression", "Speed = fabs(Speed)")))),
          /* 11 */
          OBJECT("hkbStateMachine", TEXT("name", "N"), INT("start_state_id", 4),
                 NAMED("states", {.v = GIVEN_INT(12)}, {.v = GIVEN_INT(14)})),
          STATE("In", 4, 13, INT("probability", 1)), CLIP("InClip"),
          STATE("Out", 5, 13, INT("probability", 1)),
          /* 15 */
          OBJECT("hkbStateMachineTransitionInfoArray",
                 NAMED("transitions", TRANSITION(1, 0, AT_ONCE | WILD))),
          OBJECT("hkbBehaviorGraphData",
                 NAMED("variable_infos", RECORD(TEXT("type", "VARIABLE_TYPE_REAL")),
                       RECORD(TEXT("type", "VARIABLE_TYPE_VECTOR4"))),
                 NAMED("event_infos", RECORD(INT("flags", 0)), RECORD(INT("flags", 0)),
                       RECORD(INT("flags", 0))),
                 INT("variable_initial_values", 17), INT("string_data", 18)),
          OBJECT("hkbVariableValueSet",
                 NAMED("word_variable_values", RECORD(INT("value", 0)), RECORD(INT("value", 0))),
                 NAMED("quad_variable_values", RECORD(INT("x", 1)))),
          OBJECT("hkbBehaviorGraphStringData",
                 NAMED("event_names", {.v = GIVEN_TEXT("Go")}, {.v = GIVEN_TEXT("Stop")},
                       {.v = GIVEN_TEXT("Unused")}),
                 NAMED("variable_names", {.v = GIVEN_TEXT("Speed")}, {.v = GIVEN_TEXT("Way")}))),
};

/* ---- what is done ---------------------------------------------------------------------------------------- */

#define CALL(verb, ...) given_call(doc, verb, &(const given){GIVEN_LIST(__VA_ARGS__)}, err)

static lathe_result add_event(lathe_doc *doc, lathe_error *err)
{
    return CALL("add_event", TEXT("name", "New"));
}

static lathe_result remove_event(lathe_doc *doc, lathe_error *err)
{
    return CALL("remove_event", TEXT("name", "Unused"));
}

static lathe_result rename_event(lathe_doc *doc, lathe_error *err)
{
    return CALL("rename", TEXT("from", "Go"), TEXT("to", "A longer name than before"),
                TEXT("what", "events"));
}

static lathe_result add_variable(lathe_doc *doc, lathe_error *err)
{
    return CALL("add_variable", TEXT("name", "New"), TEXT("type", "vector4"));
}

static lathe_result remove_variable(lathe_doc *doc, lathe_error *err)
{
    return CALL("remove_variable", TEXT("name", "Way"));
}

static lathe_result rename_variable(lathe_doc *doc, lathe_error *err)
{
    return CALL("rename", TEXT("from", "Speed"), TEXT("to", "ALongerNameThanBefore"),
                TEXT("what", "variables"));
}

static lathe_result add_state(lathe_doc *doc, lathe_error *err)
{
    return CALL("add_state", TEXT("name", "New"), TEXT("machine", "M"),
                TEXT("animation", "new.hkx"));
}

static lathe_result add_machine(lathe_doc *doc, lathe_error *err)
{
    return CALL("add_state", TEXT("name", "New"), TEXT("machine", "M"), TEXT("generator", "MG"));
}

static lathe_result rename_state(lathe_doc *doc, lathe_error *err)
{
    return CALL("rename", TEXT("from", "M/Idle"), TEXT("to", "Rest"), TEXT("what", "states"));
}

static lathe_result add_transition(lathe_doc *doc, lathe_error *err)
{
    return CALL("add_transition", TEXT("from", "In"), TEXT("to", "Out"), TEXT("event", "Stop"));
}

static lathe_result remove_transition(lathe_doc *doc, lathe_error *err)
{
    return CALL("remove_transition", TEXT("event", "Go"));
}

static lathe_result add_clip(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    lathe_value state;
    const lathe_value nothing = {.kind = LATHE_KIND_NULL};
    r = lathe_view_at(lathe_doc_root(doc), "objects[4]", &state, err);
    if (r == LATHE_OK)
        r = lathe_view_set(state.as.v, "generator", &nothing, err);
    const given record = {.name = "into", .v = state};
    if (r == LATHE_OK)
        r = CALL("add_clip", TEXT("name", "New"), TEXT("animation", "new.hkx"), record,
                 TEXT("event", "Go"));
    lathe_result end = lathe_edit_end(doc, r == LATHE_OK, r == LATHE_OK ? err : NULL);
    return r == LATHE_OK ? end : r;
}

static lathe_result replace_animation(lathe_doc *doc, lathe_error *err)
{
    return CALL("replace_animation", TEXT("from", "A.HKX"), TEXT("to", "another.hkx"));
}

/* The transition that enters state Out goes first. */
static lathe_result remove_state(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = CALL("remove_transition", TEXT("event", "Go"));
    if (r == LATHE_OK)
        r = CALL("remove_state", TEXT("name", "Out"));
    lathe_result end = lathe_edit_end(doc, r == LATHE_OK, r == LATHE_OK ? err : NULL);
    return r == LATHE_OK ? end : r;
}

/* ---- what is read ------------------------------------------------------------------------------------------- */

static lathe_result read_list(lathe_doc *doc, lathe_list list, lathe_error *err)
{
    uint64_t n = 0, found;
    lathe_view view;
    lathe_value name;
    lathe_result r = lathe_list_count(doc, list, &n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = lathe_list_item(doc, list, i, &view, err);
        if (r == LATHE_OK)
            r = lathe_list_name(doc, list, i, &name, err);
        if (r != LATHE_OK || name.kind != LATHE_KIND_STRING)
            continue;
        r = lathe_list_find(doc, list, name.as.s.p, name.as.s.n, &found, err);
        if (r == LATHE_OK && list != LATHE_CLIP_GENERATORS)
            assert_int_equal(found, i);
    }
    if (r == LATHE_OK)
        assert_int_equal(n, list == LATHE_GRAPHS            ? 1
                            : list == LATHE_EVENTS          ? 3
                            : list == LATHE_STATES          ? 4
                            : list == LATHE_ANIMATION_FILES ? 0
                                                            : 2);
    return r;
}

static lathe_result read_lists(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (lathe_list list = LATHE_GRAPHS; r == LATHE_OK && list <= LATHE_ANIMATION_FILES; list++)
        r = read_list(doc, list, err);
    return r;
}

/* `uses` changes nothing, and tells of all uses or fails. */
static uint64_t told;

static void tell(void *user, const char *name, const lathe_value *v)
{
    (void)user;
    (void)name;
    (void)v;
    told++;
}

static lathe_result uses_of(lathe_doc *doc, const char *what, const lathe_value *name,
                            uint64_t wanted, lathe_error *err)
{
    const given values[] = {
        {.name = "name", .v = *name},
        {.name = "what", .v = {.kind = LATHE_KIND_STRING, .as.s = {what, strlen(what)}}}};
    given top = {.list = values, .n = 2};
    const lathe_source args = given_source(&top);
    lathe_report report = {.size = sizeof report, .result = tell};
    told = 0;
    lathe_result r = lathe_view_call(lathe_doc_root(doc), "uses", &args, &report, err);
    if (r == LATHE_OK)
        assert_int_equal(told, wanted);
    return r;
}

static lathe_result read_uses(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = uses_of(doc, "events", &(lathe_value)GIVEN_TEXT("Go"), 1, err);
    if (r == LATHE_OK)
        r = uses_of(doc, "variables", &(lathe_value)GIVEN_TEXT("Speed"), 1, err);
    if (r == LATHE_OK) /* by the transition from Idle, behind the modifier generator */
        r = uses_of(doc, "states", &(lathe_value)GIVEN_TEXT("N/Out"), 1, err);
    return r;
}

static bool only_memory(void *user, const lathe_error *e)
{
    (void)user;
    if (e->code != LATHE_ERR_MEMORY)
        fail_msg("%d %s: %s", (int)e->code, e->where, e->message);
    return true;
}

static lathe_result check(lathe_doc *doc, lathe_error *err)
{
    (void)err;
    lathe_doc_check(doc, only_memory, NULL);
    return LATHE_OK;
}

/* ---- with ever more memory ------------------------------------------------------------------------------------ */

static bytes start;

static int make_start(void **state)
{
    lathe_error err = {.code = LATHE_OK};
    lathe_doc *doc = NULL;
    given top = {.list = objects, .n = GIVEN_COUNT(objects)};
    const lathe_source fields = given_source(&top);
    (void)state;
    if (lathe_doc_new("hkx", &fields, NULL, &doc, &err) != LATHE_OK)
        fail_msg("%s: %s", err.where, err.message);
    encode(doc, &start);
    lathe_doc_close(doc);
    return 0;
}

static void test_reading(void **state)
{
    (void)state;
    sweep(read_lists, &start);
    sweep(read_uses, &start);
    sweep(check, &start);
}

static void test_events(void **state)
{
    (void)state;
    sweep(add_event, &start);
    sweep(remove_event, &start);
    sweep(rename_event, &start);
}

static void test_variables(void **state)
{
    (void)state;
    sweep(add_variable, &start);
    sweep(remove_variable, &start);
    sweep(rename_variable, &start);
}

static void test_states(void **state)
{
    (void)state;
    sweep(add_state, &start);
    sweep(add_machine, &start);
    sweep(rename_state, &start);
    sweep(remove_state, &start);
}

static void test_transitions(void **state)
{
    (void)state;
    sweep(add_transition, &start);
    sweep(remove_transition, &start);
}

static void test_clips(void **state)
{
    (void)state;
    sweep(add_clip, &start);
    sweep(replace_animation, &start);
}

/* What verbs leave is a graph without faults. */
static void test_findings(void **state)
{
    static doing *const verbs[] = {
        add_event,       remove_event,      rename_event, add_variable,     remove_variable,
        rename_variable, add_state,         add_machine,  rename_state,     remove_state,
        add_transition,  remove_transition, add_clip,     replace_animation};
    (void)state;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        memory m = {-1, 0};
        lathe_error err;
        lathe_doc *doc = open_doc(&start, &m);
        assert_int_equal(verbs[i](doc, &err), LATHE_OK);
        lathe_doc_check(doc, only_memory, NULL);
        lathe_doc_close(doc);
    }
}

/* ---- faults -------------------------------------------------------------------------------------------------- */

static void damage(lathe_doc *doc, const char *path, const char *row, int64_t number)
{
    lathe_value place;
    lathe_error err;
    const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = number};
    if (lathe_view_at(lathe_doc_root(doc), path, &place, &err) != LATHE_OK ||
        lathe_view_set(place.as.v, row, &v, &err) != LATHE_OK)
        fail_msg("%s: %s", path, err.message);
}

/* With less memory a check finds less, and says that there was no memory. */
static bool says_memory;
static uint64_t findings;

static bool note(void *user, const lathe_error *e)
{
    (void)user;
    says_memory = says_memory || e->code == LATHE_ERR_MEMORY;
    findings += e->code != LATHE_ERR_MEMORY;
    return true;
}

static void test_faults(void **state)
{
    enum { FAULTS = 7 };
    bool ran_out = true;
    (void)state;
    for (long n = 0; ran_out; n++) {
        memory m = {-1, 0};
        lathe_doc *doc = open_doc(&start, &m);
        damage(doc, "objects[15].transitions[1]", "event_id", 9);
        damage(doc, "objects[15].transitions[1]", "to_state_id", 9);
        damage(doc, "objects[5].transitions[1]", "to_nested_state_id", 9);
        damage(doc, "objects[14]", "state_id", 4);
        damage(doc, "objects[11]", "start_state_id", 7);
        damage(doc, "objects[8]", "generator", 3);
        damage(doc, "objects[17].word_variable_values[2]", "value", 1);
        findings = 0;
        says_memory = false;
        m.left = n;
        lathe_doc_check(doc, note, NULL);
        ran_out = m.left == 0;
        m.left = -1;
        assert_true(findings <= FAULTS);
        if (!says_memory && !ran_out)
            assert_int_equal(findings, FAULTS);
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),     cmocka_unit_test(test_events),
        cmocka_unit_test(test_variables),   cmocka_unit_test(test_states),
        cmocka_unit_test(test_transitions), cmocka_unit_test(test_clips),
        cmocka_unit_test(test_findings),    cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, make_start, NULL);
}
