/* The lists of a graph, as the scene asks for them. */
#include "havok/behavior/graph.h"

#include <string.h>

/* A list and the size of its items; NULL: it is none of those that are kept. */
static const buf *kept(const hk_graph *g, lathe_list list, size_t *size)
{
    switch (list) {
    case LATHE_STATES: *size = sizeof(hk_state); return &g->states;
    case LATHE_TRANSITIONS: *size = sizeof(hk_transition); return &g->transitions;
    case LATHE_CLIP_GENERATORS: *size = sizeof(uint32_t); return &g->clips;
    case LATHE_ANIMATION_FILES: *size = sizeof(hk_file); return &g->files;
    default: return NULL;
    }
}

/* Events and variables are shown at their infos, of which there may be fewer than names. */
static lathe_result infos(lathe_doc *doc, const hk_graph *g, lathe_list list, uint64_t *n,
                          lathe_error *err)
{
    uint64_t named = list == LATHE_EVENTS ? g->events : g->variables;
    *n = 0;
    if (g->data == REC_NO_PART)
        return LATHE_OK;
    rec_at data = hk_object(doc, g->data);
    lathe_result r =
        hk_read_length(&data, list == LATHE_EVENTS ? "event_infos" : "variable_infos", n, err);
    if (named < *n)
        *n = named;
    return r;
}

static lathe_result count(lathe_doc *doc, const hk_graph *g, lathe_list list, uint64_t *n,
                          lathe_error *err)
{
    size_t size;
    const buf *items = kept(g, list, &size);
    if (list == LATHE_EVENTS || list == LATHE_VARIABLES)
        return infos(doc, g, list, n, err);
    *n = items ? items->size / size : g->graphs ? 1 : 0;
    return LATHE_OK;
}

lathe_result hk_graph_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    const hk_graph *g;
    lathe_result r = hk_graph_of(doc, 0, &g, err);
    return r == LATHE_OK ? count(doc, g, list, n, err) : r;
}

/* Fails if the list has no item i. */
static lathe_result open(lathe_doc *doc, lathe_list list, uint64_t i, const hk_graph **g,
                         lathe_error *err)
{
    uint64_t n = 0;
    lathe_result r = hk_graph_of(doc, 0, g, err);
    if (r == LATHE_OK)
        r = count(doc, *g, list, &n, err);
    if (r == LATHE_OK && i >= n)
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu",
                      (unsigned long long)n);
    return r;
}

static lathe_result info(lathe_doc *doc, const hk_graph *g, lathe_list list, uint64_t i,
                         rec_at *out, lathe_error *err)
{
    rec_at data = hk_object(doc, g->data), at;
    bool event = list == LATHE_EVENTS;
    uint32_t slot = rec_slot_find(data.layout, event ? "event_infos" : "variable_infos");
    lathe_result r = rec_sub(&data, slot, i, &at, err);
    return r == LATHE_OK
               ? rec_sub(&at, rec_slot_find(at.layout, event ? "event" : "variable"), 0, out, err)
               : r;
}

static uint32_t part_of(const hk_graph *g, lathe_list list, uint64_t i)
{
    uint32_t part = g->graph;
    if (list == LATHE_STATES)
        return hk_state_at(g, i)->part;
    if (list == LATHE_CLIP_GENERATORS)
        memcpy(&part, g->clips.data + i * sizeof part, sizeof part);
    return part;
}

static lathe_result item(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                         lathe_error *err)
{
    const hk_graph *g;
    rec_at at;
    hk_transition t;
    hk_file f;
    lathe_result r = open(doc, list, i, &g, err);
    if (r != LATHE_OK)
        return r;
    switch (list) {
    case LATHE_EVENTS:
    case LATHE_VARIABLES: r = info(doc, g, list, i, &at, err); break;
    case LATHE_TRANSITIONS:
        memcpy(&t, g->transitions.data + i * sizeof t, sizeof t);
        at = hk_object(doc, t.array);
        r = rec_sub(&at, rec_slot_find(at.layout, "transitions"), t.i, &at, err);
        break;
    case LATHE_ANIMATION_FILES:
        memcpy(&f, g->files.data + i * sizeof f, sizeof f);
        *out = f.record;
        return r;
    default: at = hk_object(doc, part_of(g, list, i));
    }
    if (r == LATHE_OK)
        *out = rec_view(&at);
    return r;
}

static lathe_result text_at(const rec_at *at, uint32_t slot, uint64_t i, lathe_value *out,
                            lathe_error *err)
{
    bool list = at->layout->slots[slot].array;
    lathe_result r =
        list ? rec_get_item(at, slot, i, false, out, err) : rec_get(at, slot, false, out, err);
    if (r == LATHE_OK && out->kind != LATHE_KIND_STRING)
        out->kind = LATHE_KIND_NONE;
    return r;
}

static lathe_result name(lathe_doc *doc, lathe_list list, uint64_t i, lathe_value *out,
                         lathe_error *err)
{
    const hk_graph *g;
    rec_at at;
    hk_file f;
    uint32_t none;
    lathe_result r = open(doc, list, i, &g, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK || list == LATHE_TRANSITIONS)
        return r;
    if (list == LATHE_EVENTS || list == LATHE_VARIABLES) {
        at = hk_object(doc, g->strings);
        return text_at(
            &at, rec_slot_find(at.layout, list == LATHE_EVENTS ? "event_names" : "variable_names"),
            i, out, err);
    }
    if (list == LATHE_ANIMATION_FILES) {
        memcpy(&f, g->files.data + i * sizeof f, sizeof f);
        r = rec_enter(&f.record, &at, &none, err);
        return r == LATHE_OK ? text_at(&at, f.slot, f.i, out, err) : r;
    }
    at = hk_object(doc, part_of(g, list, i));
    return text_at(&at, rec_slot_find(at.layout, "name"), 0, out, err);
}

/* The first item of a list that has no index of its names. */
static lathe_result search(lathe_doc *doc, lathe_list list, const char *text, size_t size,
                           uint64_t *i, lathe_error *err)
{
    uint64_t n;
    lathe_value v;
    lathe_result r = hk_graph_count(doc, list, &n, err);
    for (*i = 0; r == LATHE_OK && *i < n; ++*i) {
        r = name(doc, list, *i, &v, err);
        if (r == LATHE_OK && v.kind == LATHE_KIND_STRING && v.as.s.n == size &&
            memcmp(v.as.s.p, text, size) == 0)
            return LATHE_OK;
    }
    return r == LATHE_OK ? error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "none is named '%.*s'",
                                     (int)(size < 90 ? size : 90), text)
                         : r;
}

static lathe_result find(lathe_doc *doc, lathe_list list, const char *text, size_t size,
                         uint64_t *i, lathe_error *err)
{
    const hk_graph *g;
    lathe_result r = hk_graph_of(doc, 0, &g, err);
    if (r != LATHE_OK)
        return r;
    switch (list) {
    case LATHE_EVENTS: return hk_graph_named(doc, g, HK_EVENTS, text, size, i, err);
    case LATHE_VARIABLES: return hk_graph_named(doc, g, HK_VARIABLES, text, size, i, err);
    case LATHE_STATES: return hk_state_named(doc, g, text, size, i, err);
    default: return search(doc, list, text, size, i, err);
    }
}

const scene_graph hk_graph_hooks = {.item = item, .name = name, .find = find};
