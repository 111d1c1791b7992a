/* Rows that events, variables, states and transitions have besides those of their classes. */
#include "havok/behavior/edit.h"

#include <string.h>

/* ---- where an info is ------------------------------------------------------------------------------------- */

/* Arrays of a graph's data, and the names and values that belong to their elements. */
typedef struct place {
    rec_at data, strings;      /* .layout of strings is NULL: there are none */
    const char *array, *names; /* the row of `data` that has the info, and that of `strings` */
    hk_named_kind kind;
    bool property; /* of a character: `kind` does not count */
    uint64_t i;
} place;

/* Finds the graph's data that an info lies in. */
static lathe_result find(const rec_at *at, place *out, lathe_error *err)
{
    *out = (place){.data = hk_object(at->doc, at->part)};
    uint32_t strings;
    static const struct {
        const char *array, *names;
        hk_named_kind kind;
        bool property;
    } arrays[] = {{"event_infos", "event_names", HK_EVENTS, false},
                  {"variable_infos", "variable_names", HK_VARIABLES, false},
                  {"character_property_infos", "character_property_names", HK_VARIABLES, true}};
    bool is_data = out->data.layout && out->data.layout->type == &hkb_behavior_graph_data;
    for (size_t k = 0; is_data && !out->array && k < REC_COUNT_OF(arrays); k++)
        if (hk_is_element(&out->data, arrays[k].array, at, &out->i)) {
            out->array = arrays[k].array;
            out->names = arrays[k].names;
            out->kind = arrays[k].kind;
            out->property = arrays[k].property;
        }
    if (!out->array)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_STATE,
                        "it does not belong to the data of a behavior graph");
    lathe_result r = hk_read_target(&out->data, "string_data", 0, &strings, err);
    if (r == LATHE_OK && strings != REC_NO_PART &&
        hk_object_is(at->doc, strings, "hkbBehaviorGraphStringData"))
        out->strings = hk_object(at->doc, strings);
    return r;
}

lathe_result hk_graph_get_id(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    place p;
    (void)row;
    lathe_result r = find(at, &p, err);
    out->kind = LATHE_KIND_INT;
    out->as.i = (int64_t)p.i;
    return r;
}

lathe_result hk_graph_get_name(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    place p;
    const char *text = NULL;
    (void)row;
    lathe_result r = find(at, &p, err);
    out->kind = LATHE_KIND_NONE;
    if (r == LATHE_OK && p.strings.layout)
        r = hk_read_text_item(&p.strings, p.names, p.i, &text, err);
    return r == LATHE_OK && text ? rec_text(at, text, strlen(text), out, err) : r;
}

lathe_result hk_graph_set_name(const rec_at *at, const rec_field *row, const lathe_value *value,
                               lathe_error *err)
{
    place p;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    lathe_result r = find(at, &p, err);
    if (r == LATHE_OK && value->kind != LATHE_KIND_STRING)
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a string expected");
    if (r == LATHE_OK && p.property)
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                     "the character's file names its properties");
    return r == LATHE_OK ? hk_rename_number(at->doc, at->layout->container, p.kind, p.i, value, err)
                         : r;
}

lathe_result hk_graph_get_source(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    place p;
    rec_at info;
    (void)row;
    lathe_result r = find(at, &p, err);
    out->kind = LATHE_KIND_NONE;
    if (r == LATHE_OK && hk_record_at(&p.data, p.array, p.i, &info)) {
        out->kind = LATHE_KIND_RECORD;
        out->as.v = rec_view(&info);
    }
    return r;
}

/* ---- variables ---------------------------------------------------------------------------------------------- */

/* The type of a variable that is shown at `at`. */
static int64_t type_of(const rec_at *at)
{
    place p;
    rec_at info;
    return find(at, &p, NULL) == LATHE_OK && hk_record_at(&p.data, p.array, p.i, &info)
               ? rec_int(&info, "type")
               : HK_VARIABLE_INVALID;
}

lathe_result hk_variable_get_type(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err)
{
    place p;
    rec_at info;
    (void)row;
    lathe_result r = find(at, &p, err);
    out->kind = LATHE_KIND_NONE;
    if (r == LATHE_OK && hk_record_at(&p.data, p.array, p.i, &info))
        r = rec_get(&info, rec_slot_find(info.layout, "type"), false, out, err);
    return r;
}

/* The record of the variable's 32 bits; .layout is NULL: it has none. */
static lathe_result word_of(const rec_at *at, rec_at *values, rec_at *word, lathe_error *err)
{
    place p;
    uint32_t part;
    word->layout = NULL;
    lathe_result r = find(at, &p, err);
    if (r == LATHE_OK && !p.property)
        r = hk_read_target(&p.data, "variable_initial_values", 0, &part, err);
    else
        part = REC_NO_PART;
    if (r != LATHE_OK || part == REC_NO_PART || !hk_object_is(at->doc, part, "hkbVariableValueSet"))
        return r;
    *values = hk_object(at->doc, part);
    if (!hk_record_at(values, "word_variable_values", p.i, word))
        word->layout = NULL;
    return r;
}

lathe_result hk_variable_get_value(const rec_at *at, const rec_field *row, lathe_value *out,
                                   lathe_error *err)
{
    rec_at values, word;
    int64_t type = type_of(at);
    (void)row;
    lathe_result r = word_of(at, &values, &word, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK || !word.layout || type < 0 || type > HK_VARIABLE_REAL)
        return r;
    int32_t bits = (int32_t)rec_int(&word, "value");
    float real;
    memcpy(&real, &bits, sizeof real);
    out->kind = type == HK_VARIABLE_REAL ? LATHE_KIND_REAL : LATHE_KIND_INT;
    if (type == HK_VARIABLE_REAL)
        out->as.f = (double)real;
    else
        out->as.i = bits;
    return r;
}

lathe_result hk_variable_set_value(const rec_at *at, const rec_field *row, const lathe_value *value,
                                   lathe_error *err)
{
    rec_at values, word;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row)), bits;
    lathe_result r = word_of(at, &values, &word, err);
    if (r == LATHE_OK && !word.layout)
        r = rec_fail(at, slot, at->off, err, LATHE_ERR_STATE, "the graph has no values");
    if (r == LATHE_OK)
        r = hk_variable_bits(at, slot, type_of(at), value, &bits, err);
    return r == LATHE_OK
               ? rec_put_raw(&word, rec_slot_find(word.layout, "value"), 0, (uint64_t)bits, err)
               : r;
}

lathe_result hk_variable_get_object(const rec_at *at, const rec_field *row, lathe_value *out,
                                    lathe_error *err)
{
    rec_at values, word, vector;
    uint32_t part = REC_NO_PART;
    int64_t type = type_of(at);
    (void)row;
    lathe_result r = word_of(at, &values, &word, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK || !word.layout || type < HK_VARIABLE_POINTER)
        return r;
    uint64_t i = (uint64_t)(uint32_t)rec_int(&word, "value");
    if (type == HK_VARIABLE_POINTER) {
        if (i < hk_length(&values, "variant_variable_values"))
            r = hk_read_target(&values, "variant_variable_values", i, &part, err);
        if (r != LATHE_OK || part == REC_NO_PART)
            return r;
        vector = hk_object(at->doc, part);
    } else if (!hk_record_at(&values, "quad_variable_values", i, &vector)) {
        return r;
    }
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&vector);
    return r;
}

/* ---- states and transitions ------------------------------------------------------------------------------- */

static void give(lathe_doc *doc, uint32_t part, lathe_value *out)
{
    out->kind = LATHE_KIND_NONE;
    if (part == REC_NO_PART)
        return;
    rec_at at = hk_object(doc, part);
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&at);
}

lathe_result hk_state_get_machine(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err)
{
    const hk_graph *g;
    (void)row;
    lathe_result r = hk_graph_of(at->doc, at->layout->container, &g, err);
    const hk_state *s = r == LATHE_OK ? hk_state_of_part(g, at->part) : NULL;
    give(at->doc, s ? s->machine : REC_NO_PART, out);
    return r;
}

/* The transitions that one of them is among; NULL: they are no machine's. */
static lathe_result among(const rec_at *at, const hk_graph **g, const hk_transition **t,
                          lathe_error *err)
{
    lathe_result r = hk_graph_of(at->doc, at->layout->container, g, err);
    *t = r == LATHE_OK ? hk_transitions_of(*g, at->part) : NULL;
    return r;
}

typedef enum end { MACHINE, FROM, TO } end;

static lathe_result get_end(const rec_at *at, end which, lathe_value *out, lathe_error *err)
{
    const hk_graph *g;
    const hk_transition *t;
    const hk_state *to = NULL;
    lathe_result r = among(at, &g, &t, err);
    if (t && which == TO)
        to = hk_state_of_id(g, t->machine, rec_int(at, "to_state_id"));
    give(at->doc,
         !t                 ? REC_NO_PART
         : which == MACHINE ? t->machine
         : which == FROM    ? t->from
         : to               ? to->part
                            : REC_NO_PART,
         out);
    return r;
}

lathe_result hk_transition_get_machine(const rec_at *at, const rec_field *row, lathe_value *out,
                                       lathe_error *err)
{
    (void)row;
    return get_end(at, MACHINE, out, err);
}

lathe_result hk_transition_get_from(const rec_at *at, const rec_field *row, lathe_value *out,
                                    lathe_error *err)
{
    (void)row;
    return get_end(at, FROM, out, err);
}

lathe_result hk_transition_get_to(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err)
{
    (void)row;
    return get_end(at, TO, out, err);
}

lathe_result hk_transition_set_to(const rec_at *at, const rec_field *row, const lathe_value *value,
                                  lathe_error *err)
{
    const hk_graph *g;
    const hk_transition *t;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    lathe_result r = among(at, &g, &t, err);
    if (r == LATHE_OK && !t)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_STATE,
                        "no state machine has this transition");
    uint32_t part = value->kind == LATHE_KIND_RECORD && value->as.v.doc == at->doc
                        ? value->as.v.part
                        : REC_NO_PART;
    const hk_state *s = r == LATHE_OK && part != REC_NO_PART ? hk_state_of_part(g, part) : NULL;
    if (r == LATHE_OK && (!s || s->machine != t->machine))
        return rec_fail(at, slot, at->off, err, s ? LATHE_ERR_INVALID : LATHE_ERR_TYPE,
                        s ? "the state belongs to another machine" : "a state expected");
    return r == LATHE_OK ? rec_put_raw(at, rec_slot_find(at->layout, "to_state_id"), 0,
                                       (uint32_t)(int32_t)s->id, err)
                         : r;
}

lathe_result hk_transition_get_event(const rec_at *at, const rec_field *row, lathe_value *out,
                                     lathe_error *err)
{
    const hk_graph *g;
    const char *name = NULL;
    int64_t id = rec_int(at, "event_id");
    (void)row;
    lathe_result r = hk_graph_of(at->doc, at->layout->container, &g, err);
    out->kind = LATHE_KIND_NONE;
    if (r == LATHE_OK && id >= 0)
        r = hk_graph_name(at->doc, g, HK_EVENTS, (uint64_t)id, &name, err);
    return r == LATHE_OK && name ? rec_text(at, name, strlen(name), out, err) : r;
}

lathe_result hk_transition_set_event(const rec_at *at, const rec_field *row,
                                     const lathe_value *value, lathe_error *err)
{
    const hk_graph *g;
    uint64_t i = 0;
    bool none = value->kind == LATHE_KIND_NONE;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    if (!none && value->kind != LATHE_KIND_STRING)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "the name of an event expected");
    lathe_result r = hk_graph_needed(at->doc, at->layout->container, &g, err);
    if (r == LATHE_OK && !none)
        r = hk_graph_named(at->doc, g, HK_EVENTS, value->as.s.p, value->as.s.n, &i, err);
    return r == LATHE_OK ? rec_put_raw(at, rec_slot_find(at->layout, "event_id"), 0,
                                       none ? UINT32_MAX : (uint64_t)i, err)
                         : r;
}
