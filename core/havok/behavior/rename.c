/* Renames events, variables and states. Ids do not change; names in expressions do. */
#include "havok/behavior/edit.h"
#include "havok/behavior/verbs.h"

#include <string.h>

/* ---- new names --------------------------------------------------------------------------------------------- */

static lathe_result taken(const char *what, const lathe_value *name, lathe_error *err)
{
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "there is %s '%.*s' already", what,
                     (int)(name->as.s.n < 90 ? name->as.s.n : 90), name->as.s.p);
}

static bool is_named(lathe_doc *doc, uint32_t part, const lathe_value *name)
{
    rec_at at = hk_object(doc, part);
    const char *text = hk_text(&at, "name");
    return text && rec_text_is(name, text);
}

lathe_result hk_name_new(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint32_t machine,
                         const lathe_value *name, lathe_error *err)
{
    uint64_t i;
    if (!name->as.s.n || memchr(name->as.s.p, 0, name->as.s.n))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         name->as.s.n ? "a name cannot have a NUL" : "a name cannot be empty");
    if (kind == HK_STATES) {
        size_t n;
        const hk_state *s = hk_states_of(g, machine, &n);
        for (i = 0; i < n; i++)
            if (is_named(doc, s[i].part, name))
                return taken("a state", name, err);
        return LATHE_OK;
    }
    lathe_error none;
    lathe_result r = hk_graph_named(doc, g, kind, name->as.s.p, name->as.s.n, &i, &none);
    if (r == LATHE_OK)
        return taken(kind == HK_EVENTS ? "an event" : "a variable", name, err);
    return r == LATHE_ERR_NAME ? LATHE_OK : rec_no_memory(err);
}

/* ---- expressions ------------------------------------------------------------------------------------------- */

/* Expressions with the old name. They are changed after all are found, because changing their lengths would disturb the
 * search. */
typedef struct mentions {
    const char *name;
    hk_named_kind kind;
    buf list; /* mention */
} mentions;

typedef struct mention {
    lathe_view view;
    uint32_t slot;
} mention;

static lathe_result find_mention(void *user, const hk_id *id, lathe_error *err)
{
    mentions *m = user;
    lathe_value v;
    size_t at;
    lathe_result r = rec_get(&id->at, id->slot, false, &v, err);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING ||
        !hk_text_names(v.as.s.p, v.as.s.n, m->kind, m->name, 0, &at))
        return r;
    mention found = {rec_view(&id->at), id->slot};
    return buf_put(&m->list, &found, sizeof found) ? r : rec_no_memory(err);
}

static lathe_result rewrite(lathe_doc *doc, const mentions *m, const mention *where,
                            const lathe_value *name, lathe_error *err)
{
    rec_at at;
    lathe_value v;
    lathe_view view = where->view;
    uint32_t none;
    size_t from = 0, found, n = strlen(m->name);
    buf text;
    buf_init(&text, &doc->mem);
    lathe_result r = rec_enter(&view, &at, &none, err);
    if (r == LATHE_OK)
        r = rec_get(&at, where->slot, false, &v, err);
    bool ok = true;
    while (r == LATHE_OK && ok &&
           hk_text_names(v.as.s.p, v.as.s.n, m->kind, m->name, from, &found)) {
        ok = buf_put(&text, v.as.s.p + from, found - from) &&
             buf_put(&text, name->as.s.p, name->as.s.n);
        from = found + n;
    }
    if (r == LATHE_OK)
        ok = ok && buf_put(&text, v.as.s.p + from, v.as.s.n - from);
    v.as.s.p = (const char *)text.data;
    v.as.s.n = text.size;
    if (r == LATHE_OK)
        r = ok ? rec_set(&at, where->slot, &v, err) : rec_no_memory(err);
    buf_free(&text);
    return r;
}

/* Whether expressions can have the name. */
static bool is_word(const lathe_value *name)
{
    hk_word w;
    return hk_text_word(name->as.s.p, name->as.s.n, 0, &w) && w.at == 0 && w.end == name->as.s.n;
}

static lathe_result follow(lathe_doc *doc, uint32_t c, const char *was, hk_named_kind kind,
                           const lathe_value *name, lathe_error *err)
{
    mention one;
    mentions m = {.name = was, .kind = kind};
    buf_init(&m.list, &doc->mem);
    lathe_result r = hk_ids_each(doc, c, HK_ID_BIT(HK_ID_NAMES), find_mention, &m, err);
    if (r == LATHE_OK && m.list.size && !is_word(name))
        r = error_set(
            err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
            "an expression names '%.90s', and could not name '%.*s': names in expressions "
            "have letters, digits, '_' and '.' alone",
            was, (int)(name->as.s.n < 90 ? name->as.s.n : 90), name->as.s.p);
    for (size_t i = 0; r == LATHE_OK && i < m.list.size / sizeof one; i++) {
        memcpy(&one, m.list.data + i * sizeof one, sizeof one);
        r = rewrite(doc, &m, &one, name, err);
    }
    buf_free(&m.list);
    return r;
}

/* ---- renaming ----------------------------------------------------------------------------------------------- */

lathe_result hk_rename_number(lathe_doc *doc, uint32_t c, hk_named_kind kind, uint64_t i,
                              const lathe_value *name, lathe_error *err)
{
    const hk_graph *g;
    const char *was, *row = kind == HK_EVENTS ? "event_names" : "variable_names";
    buf old;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r == LATHE_OK)
        r = hk_graph_name(doc, g, kind, i, &was, err);
    if (r != LATHE_OK || (was && rec_text_is(name, was)))
        return r;
    r = hk_name_new(doc, g, kind, REC_NO_PART, name, err);
    if (r != LATHE_OK)
        return r;
    rec_at strings = hk_object(doc, g->strings);
    buf_init(&old, &doc->mem);
    if (!buf_put(&old, was ? was : "", was ? strlen(was) + 1 : 1))
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = rec_set_item(&strings, rec_slot_find(strings.layout, row), i, name, err);
    if (r == LATHE_OK)
        r = follow(doc, c, (const char *)old.data, kind, name, err);
    buf_free(&old);
    return r;
}

static lathe_result rename_state(lathe_doc *doc, const hk_graph *g, uint64_t i,
                                 const lathe_value *to, lathe_error *err)
{
    rec_at state = hk_object(doc, hk_state_at(g, i)->part);
    if (is_named(doc, state.part, to))
        return LATHE_OK;
    lathe_result r = hk_name_new(doc, g, HK_STATES, hk_state_at(g, i)->machine, to, err);
    return r == LATHE_OK ? hkb_put_value(&state, "name", to, err) : r;
}

static const char *const whats[] = {"events", "variables", "states", "annotations", NULL};
const rec_param hk_rename_what = {
    .name = "what",
    .doc = "Kind of names to change. Default: all. Files with a behavior graph need it.",
    .kind = LATHE_PARAM_TEXT,
    .values = whats};

lathe_result hk_graph_rename(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    const hk_graph *g;
    lathe_value what, from, to;
    uint64_t i;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r != LATHE_OK || !rec_arg(args, "what", &what) || !rec_arg(args, "from", &from) ||
        !rec_arg(args, "to", &to))
        return r;
    uint64_t before = doc->changes;
    lathe_error why;
    hk_named_kind kind = rec_text_is(&what, "states")   ? HK_STATES
                         : rec_text_is(&what, "events") ? HK_EVENTS
                                                        : HK_VARIABLES;
    r = kind == HK_STATES ? hk_state_named(doc, g, from.as.s.p, from.as.s.n, &i, &why)
                          : hk_graph_named(doc, g, kind, from.as.s.p, from.as.s.n, &i, &why);
    if (r == LATHE_ERR_NAME) {
        hk_report_note(report, "%s", why.message);
        return LATHE_OK;
    }
    if (r != LATHE_OK)
        return rec_no_memory(err);
    r = kind == HK_STATES ? rename_state(doc, g, i, &to, err)
                          : hk_rename_number(doc, c, kind, i, &to, err);
    if (r == LATHE_OK && report)
        report->changed += doc->changes != before;
    return r;
}
