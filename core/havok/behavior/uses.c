/* Finds what refers to an event, a variable or a state: before it is removed, and for the verb `uses`. */
#include "havok/behavior/uses.h"
#include "havok/behavior/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct search {
    lathe_doc *doc;
    const hk_graph *g;
    hk_named_kind kind;
    int64_t id;
    const char *name;      /* of events and variables */
    const hk_state *state; /* of states */
    hk_each_id *each;
    void *user;
} search;

/* ---- states -------------------------------------------------------------------------------------------------- */

/* Whether the machine nested in state `part` has the state that is searched for. */
static lathe_result leads_in(const search *s, uint32_t part, bool *out, lathe_error *err)
{
    rec_at at = hk_object(s->doc, part);
    uint32_t inner;
    lathe_result r = hk_read_target(&at, "generator", 0, &inner, err);
    if (r == LATHE_OK)
        r = hk_generator_within(s->doc, inner, &inner, err);
    *out = r == LATHE_OK && inner == s->state->machine;
    return r;
}

static lathe_result is_of_transition(const search *s, const hk_id *id, bool *out, lathe_error *err)
{
    const char *row = rec_row_name(id->at.layout->slots[id->slot].row);
    const hk_transition *t = hk_transitions_of(s->g, id->at.part);
    int64_t flags = rec_int(&id->at, "flags");
    *out = false;
    if (!t)
        return LATHE_OK;
    if (strcmp(row, "to_state_id") == 0) {
        *out = t->machine == s->state->machine && t->from != s->state->part;
        return LATHE_OK;
    }
    if (strcmp(row, "from_nested_state_id") == 0) {
        *out = (flags & HK_FROM_NESTED) != 0; /* from every state: any of them may be meant */
        return *out && t->from != REC_NO_PART ? leads_in(s, t->from, out, err) : LATHE_OK;
    }
    const hk_state *to = hk_state_of_id(s->g, t->machine, rec_int(&id->at, "to_state_id"));
    return flags & HK_TO_NESTED && to ? leads_in(s, to->part, out, err) : LATHE_OK;
}

static lathe_result is_of_state(const search *s, const hk_id *id, bool *out, lathe_error *err)
{
    const rec_type *type = id->at.layout->type;
    uint32_t machine;
    lathe_result r = LATHE_OK;
    if (type == &hkb_state_machine_transition_info)
        return is_of_transition(s, id, out, err);
    if (type == &hkb_state_machine) {
        *out = id->at.part == s->state->machine;
    } else if (type == &bsi_state_manager_modifier_b_si_state_data) {
        r = hk_read_target(&id->at, "p_state_machine", 0, &machine, err);
        *out = r == LATHE_OK && machine == s->state->machine;
    } else { /* a modifier may be below any machine: nothing tells which one it follows */
        *out = type != &hkb_state_machine_state_info;
    }
    return r;
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

static lathe_result try(void *user, const hk_id *id, lathe_error *err)
{
    const search *s = user;
    bool found;
    lathe_result r = LATHE_OK;
    if (id->code == HK_ID_NAMES) {
        lathe_value v;
        size_t at;
        r = rec_get(&id->at, id->slot, false, &v, err);
        if (r != LATHE_OK)
            return r;
        found = s->name && v.kind == LATHE_KIND_STRING &&
                hk_text_names(v.as.s.p, v.as.s.n, s->kind, s->name, 0, &at);
    } else {
        found = id->value == s->id;
        if (found && s->state)
            r = is_of_state(s, id, &found, err);
    }
    return r == LATHE_OK && found ? s->each(s->user, id, err) : r;
}

/* Calls `each` for every member that refers to event, variable or state number i (of g->states), and every expression that
 * names it. Of a state these are the members of its own machine, and those of other machines and modifiers that name it as
 * a nested state. */
static lathe_result uses_each(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint64_t i,
                              hk_each_id *each, void *user, lathe_error *err)
{
    static const unsigned codes[] = {[HK_EVENTS] = HK_ID_BIT(HK_ID_EVENT) | HK_ID_BIT(HK_ID_NAMES),
                                     [HK_VARIABLES] =
                                         HK_ID_BIT(HK_ID_VARIABLE) | HK_ID_BIT(HK_ID_NAMES),
                                     [HK_STATES] = HK_ID_BIT(HK_ID_STATE)};
    search s = {.doc = doc, .g = g, .kind = kind, .id = (int64_t)i, .each = each, .user = user};
    lathe_result r = LATHE_OK;
    if (kind == HK_STATES) {
        s.state = hk_state_at(g, i);
        s.id = s.state->id;
    } else {
        r = hk_graph_name(doc, g, kind, i, &s.name, err);
    }
    return r == LATHE_OK
               ? hk_ids_each(doc, doc->parts[g->graph].container, codes[kind], try, &s, err)
               : r;
}

enum { SHOWN = 3, PATH_SIZE = 100 };

typedef struct found {
    uint64_t n;
    char paths[SHOWN][PATH_SIZE];
} found;

static lathe_result count(void *user, const hk_id *id, lathe_error *err)
{
    found *f = user;
    (void)err;
    if (f->n < SHOWN)
        rec_path(&id->at, id->slot, id->at.layout->slots[id->slot].array ? id->item : REC_NO_ITEM,
                 f->paths[f->n], PATH_SIZE);
    f->n++;
    return LATHE_OK;
}

lathe_result hk_uses_none(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint64_t i,
                          lathe_error *err)
{
    found f = {0};
    lathe_result r = uses_each(doc, g, kind, i, count, &f, err);
    if (r != LATHE_OK || !f.n)
        return r;
    char more[32] = "";
    if (f.n > SHOWN)
        snprintf(more, sizeof more, " and %llu more", (unsigned long long)(f.n - SHOWN));
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "it is in use: %s%s%s%s%s%s",
                     f.paths[0], f.n > 1 ? ", " : "", f.paths[1], f.n > 2 ? ", " : "", f.paths[2],
                     more);
}

/* ---- renumbering ------------------------------------------------------------------------------------------------ */

static lathe_result close_up(void *user, const hk_id *id, lathe_error *err)
{
    const int64_t *gone = user;
    return id->value > *gone ? hk_id_put(id, id->value - 1, err) : LATHE_OK;
}

/* Objects of unknown members may have ids. */
static lathe_result all_known(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint64_t n;
    bool opens;
    lathe_result r = LATHE_OK;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = hk_object_look(doc, objects[i], &opens, err);
        if (r != LATHE_OK || opens)
            continue;
        rec_at at = hk_object(doc, objects[i]);
        return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "the class %s is not described: ids in the object cannot be renumbered",
                        hk_object_class(doc, objects[i]));
    }
    return r;
}

lathe_result hk_ids_close_up(lathe_doc *doc, uint32_t c, hk_named_kind kind, uint64_t i,
                             lathe_error *err)
{
    int64_t gone = (int64_t)i;
    unsigned code = kind == HK_EVENTS ? HK_ID_EVENT : HK_ID_VARIABLE;
    lathe_result r = all_known(doc, c, err);
    return r == LATHE_OK ? hk_ids_each(doc, c, HK_ID_BIT(code), close_up, &gone, err) : r;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

static const rec_param used = {.name = "name",
                               .doc = "Name or id; of states the name, or machine/state.",
                               .kind = LATHE_PARAM_ANY,
                               .positional = true,
                               .needed = true};
static const char *const whats[] = {"events", "variables", "states", NULL};
static const rec_param what = {.name = "what",
                               .doc = "What has the name. Default: events.",
                               .kind = LATHE_PARAM_TEXT,
                               .values = whats};
const rec_param *const hk_uses_params[] = {&used, &what, NULL};

static lathe_result report_use(void *user, const hk_id *id, lathe_error *err)
{
    lathe_report *report = user;
    char path[256];
    (void)err;
    rec_path(&id->at, id->slot, id->at.layout->slots[id->slot].array ? id->item : REC_NO_ITEM, path,
             sizeof path);
    lathe_value v = {.kind = LATHE_KIND_STRING};
    v.as.s.p = path;
    v.as.s.n = strlen(path);
    report->result(report->user, "uses", &v);
    return LATHE_OK;
}

lathe_result hk_uses(lathe_view self, const lathe_source *args, lathe_report *report,
                     lathe_error *err)
{
    const hk_graph *g;
    lathe_value v;
    uint64_t i;
    hk_named_kind kind = HK_EVENTS;
    lathe_doc *doc = self.doc;
    lathe_result r = hk_graph_needed(doc, doc->parts[self.part].container, &g, err);
    if (r != LATHE_OK || !report || !report->result)
        return r;
    if (rec_arg(args, "what", &v))
        kind = rec_text_is(&v, "states")      ? HK_STATES
               : rec_text_is(&v, "variables") ? HK_VARIABLES
                                              : HK_EVENTS;
    r = kind == HK_STATES ? hk_state_option(doc, g, args, "name", REC_NO_PART, &i, err)
                          : hk_number_option(doc, g, kind, args, "name", &i, err);
    return r == LATHE_OK ? uses_each(doc, g, kind, i, report_use, report, err) : r;
}
