/* Members that refer to events and variables, by number or by name. */
#include "havok/behavior/check.h"

/* ---- numbers -------------------------------------------------------------------------------------------- */

static lathe_result check_id(void *user, const hk_id *id, lathe_error *err)
{
    const hk_graph_look *k = user;
    const char *word = id->code == HK_ID_EVENT ? "event" : "variable";
    bool bound = id->at.layout->type == &hkb_variable_binding_set_binding;
    bool array = id->at.layout->slots[id->slot].array;
    uint64_t n = id->code == HK_ID_EVENT ? k->events : k->variables;
    uint64_t item = array ? id->item : REC_NO_ITEM;
    (void)err;
    if ((id->value == -1 && !bound) || (id->value >= 0 && (uint64_t)id->value < n))
        return LATHE_OK;
    if (n)
        rec_finding(k->report, k->error, &id->at, id->slot, item,
                    "no %s %lld: the graph has %llu, from 0", word, (long long)id->value,
                    (unsigned long long)n);
    else /* 0 is what a member is that some writers of XML leave out */
        rec_finding(k->report, id->value ? k->error : LATHE_LEVEL_WARNING, &id->at, id->slot, item,
                    "no %s %lld: the graph has none", word, (long long)id->value);
    return LATHE_OK;
}

lathe_result hk_check_graph_ids(hk_graph_look *k, lathe_error *err)
{
    return k->numbered
               ? hk_ids_each(k->doc, k->c, HK_ID_BIT(HK_ID_EVENT) | HK_ID_BIT(HK_ID_VARIABLE),
                             check_id, k, err)
               : LATHE_OK;
}

/* ---- expressions ------------------------------------------------------------------------------------------ */

/* Digits with a point, an exponent, an f behind them. */
static bool is_number(const char *p, size_t n)
{
    bool digit = false, exponent = false;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n;
        digit = digit || (p[i] >= '0' && p[i] <= '9');
        if ((p[i] >= '0' && p[i] <= '9') || p[i] == '.')
            continue;
        bool mark = (p[i] == 'e' || p[i] == 'E') && !exponent;
        if (!digit || !(mark || (last && (p[i] == 'f' || p[i] == 'F'))))
            return false;
        exponent = exponent || mark;
    }
    return digit;
}

static lathe_result check_word(const hk_graph_look *k, const hk_id *id, const char *text,
                               const hk_word *w, lathe_error *err)
{
    const char *p = text + w->at;
    size_t n = w->end - w->at;
    uint64_t variable = UINT64_MAX, event = UINT64_MAX;
    bool is_if = n == 2 && p[0] == 'i' && p[1] == 'f';
    if (w->called || is_if || is_number(p, n)) /* which functions there are is not known */
        return LATHE_OK;
    lathe_result r = LATHE_OK;
    if (w->variable)
        r = hk_graph_find(k->doc, k->g, HK_VARIABLES, p, n, &variable, err);
    if (r == LATHE_OK && w->event)
        r = hk_graph_find(k->doc, k->g, HK_EVENTS, p, n, &event, err);
    if (r == LATHE_OK && variable == UINT64_MAX && event == UINT64_MAX)
        rec_finding(k->report, LATHE_LEVEL_WARNING, &id->at, id->slot, REC_NO_ITEM,
                    "the graph has no %s '%.*s'",
                    !w->event     ? "variable"
                    : w->variable ? "event or variable"
                                  : "event",
                    (int)(n < 90 ? n : 90), p);
    return r;
}

static lathe_result check_text(void *user, const hk_id *id, lathe_error *err)
{
    const hk_graph_look *k = user;
    lathe_value v;
    hk_word w;
    lathe_result r = rec_get(&id->at, id->slot, false, &v, err);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING)
        return r;
    for (size_t at = 0; r == LATHE_OK && hk_text_word(v.as.s.p, v.as.s.n, at, &w); at = w.end)
        r = check_word(k, id, v.as.s.p, &w, err);
    return r;
}

lathe_result hk_check_graph_expressions(hk_graph_look *k, lathe_error *err)
{
    return k->numbered ? hk_ids_each(k->doc, k->c, HK_ID_BIT(HK_ID_NAMES), check_text, k, err)
                       : LATHE_OK;
}
