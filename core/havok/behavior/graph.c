/* Finds the graph of a document, and its lists. */
#include "havok/behavior/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release(lathe_doc *doc, rec_cached *what)
{
    hk_graph *g = (hk_graph *)what;
    buf_free(&g->machines);
    buf_free(&g->states);
    buf_free(&g->by_id);
    buf_free(&g->by_part);
    buf_free(&g->transitions);
    buf_free(&g->by_array);
    buf_free(&g->clips);
    buf_free(&g->files);
    for (int i = 0; g->names && i <= HK_STATES; i++)
        buf_free(&g->names->of[i]);
    mem_free(&doc->mem, g->names, sizeof *g->names);
    mem_free(&doc->mem, g, sizeof *g);
}

static const rec_cache graph_cache = {.release = release};

/* ---- filling the lists --------------------------------------------------------------------------------- */

static lathe_result put(buf *list, const void *item, size_t size, lathe_error *err)
{
    return buf_put(list, item, size) ? LATHE_OK : rec_no_memory(err);
}

/* The transitions in the object `array`, unless they are listed already. */
static lathe_result add_transitions(lathe_doc *doc, hk_graph *g, uint8_t *seen, hk_transition t,
                                    lathe_error *err)
{
    uint64_t n = 0;
    if (t.array == REC_NO_PART || seen[t.array] ||
        !hk_object_is(doc, t.array, "hkbStateMachineTransitionInfoArray"))
        return LATHE_OK;
    seen[t.array] = 1;
    rec_at array = hk_object(doc, t.array);
    lathe_result r = hk_read_length(&array, "transitions", &n, err);
    if (r == LATHE_OK)
        r = put(&g->by_array, &t, sizeof t, err);
    for (t.i = 0; r == LATHE_OK && t.i < n; t.i++)
        r = put(&g->transitions, &t, sizeof t, err);
    return r;
}

static lathe_result add_machine(lathe_doc *doc, hk_graph *g, uint8_t *seen, uint32_t part,
                                lathe_error *err)
{
    rec_at machine = hk_object(doc, part), state;
    hk_transition t = {.machine = part, .from = REC_NO_PART};
    uint64_t n = 0;
    lathe_result r = put(&g->machines, &part, sizeof part, err);
    if (r == LATHE_OK)
        r = hk_read_target(&machine, "wildcard_transitions", 0, &t.array, err);
    if (r == LATHE_OK)
        r = add_transitions(doc, g, seen, t, err);
    if (r == LATHE_OK)
        r = hk_read_length(&machine, "states", &n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        hk_state s = {.machine = part, .number = i};
        r = hk_read_target(&machine, "states", i, &s.part, err);
        if (r != LATHE_OK || s.part == REC_NO_PART ||
            !hk_object_is(doc, s.part, "hkbStateMachineStateInfo"))
            continue;
        state = hk_object(doc, s.part);
        s.id = rec_int(&state, "state_id");
        r = put(&g->states, &s, sizeof s, err);
        t.from = s.part;
        if (r == LATHE_OK)
            r = hk_read_target(&state, "transitions", 0, &t.array, err);
        if (r == LATHE_OK)
            r = add_transitions(doc, g, seen, t, err);
    }
    return r;
}

/* The texts of an array, which are files. */
static lathe_result add_files(hk_graph *g, const rec_at *at, const char *row, lathe_error *err)
{
    uint64_t n;
    hk_file f = {.record = rec_view(at), .slot = rec_slot_find(at->layout, row)};
    lathe_result r = hk_read_length(at, row, &n, err);
    for (f.i = 0; r == LATHE_OK && f.i < n; f.i++)
        r = put(&g->files, &f, sizeof f, err);
    return r;
}

/* Fallout 4 has them in bundles. */
static lathe_result add_bundles(hk_graph *g, const rec_at *at, lathe_error *err)
{
    rec_at bundle;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0;
         r == LATHE_OK && hk_record_at(at, "animation_bundle_name_data", i, &bundle); i++)
        r = add_files(g, &bundle, "asset_names", err);
    return r;
}

static lathe_result add_object(lathe_doc *doc, hk_graph *g, uint8_t *seen, uint32_t part,
                               lathe_error *err)
{
    bool opens;
    lathe_result r = hk_object_look(doc, part, &opens, err);
    if (r != LATHE_OK || !opens)
        return r;
    rec_at at = hk_object(doc, part);
    const rec_type *type = at.layout->type;
    if (type == &hkb_state_machine)
        return add_machine(doc, g, seen, part, err);
    if (type == &hkb_clip_generator)
        return put(&g->clips, &part, sizeof part, err);
    if (type == &hkb_behavior_graph) {
        g->graph = g->graphs++ ? g->graph : part;
    } else if (type == &hkb_character_string_data) {
        r = add_files(g, &at, "animation_names", err);
        return r == LATHE_OK ? add_bundles(g, &at, err) : r;
    } else if (type == &hkb_project_string_data) {
        return add_files(g, &at, "animation_filenames", err);
    }
    return r;
}

static lathe_result target_of(lathe_doc *doc, uint32_t part, const char *row, const rec_type *type,
                              uint32_t *out, lathe_error *err)
{
    *out = REC_NO_PART;
    if (part == REC_NO_PART)
        return LATHE_OK;
    rec_at at = hk_object(doc, part);
    lathe_result r = hk_read_target(&at, row, 0, out, err);
    if (r == LATHE_OK && *out != REC_NO_PART && !hk_object_is(doc, *out, rec_type_name(type)))
        *out = REC_NO_PART;
    return r;
}

static lathe_result find_data(lathe_doc *doc, hk_graph *g, lathe_error *err)
{
    lathe_result r = target_of(doc, g->graph, "data", &hkb_behavior_graph_data, &g->data, err);
    if (r == LATHE_OK)
        r = target_of(doc, g->data, "string_data", &hkb_behavior_graph_string_data, &g->strings,
                      err);
    if (r == LATHE_OK)
        r = target_of(doc, g->data, "variable_initial_values", &hkb_variable_value_set, &g->values,
                      err);
    if (r != LATHE_OK || g->strings == REC_NO_PART)
        return r;
    rec_at strings = hk_object(doc, g->strings);
    r = hk_read_length(&strings, "event_names", &g->events, err);
    return r == LATHE_OK ? hk_read_length(&strings, "variable_names", &g->variables, err) : r;
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_ids(const void *a, const void *b)
{
    const hk_state *s = a, *t = b;
    if (s->machine != t->machine || s->id == t->id)
        return s->machine != t->machine ? compare(s->machine, t->machine)
                                        : compare(s->number, t->number);
    return s->id < t->id ? -1 : 1;
}

static int compare_parts(const void *a, const void *b)
{
    const hk_state *s = a, *t = b;
    int by_part = compare(s->part, t->part);
    return by_part ? by_part : compare_ids(a, b);
}

static int compare_arrays(const void *a, const void *b)
{
    const hk_transition *s = a, *t = b;
    return compare(s->array, t->array);
}

static lathe_result sort(hk_graph *g, lathe_error *err)
{
    size_t n = g->states.size / sizeof(hk_state), k = g->by_array.size / sizeof(hk_transition);
    if (k)
        qsort(g->by_array.data, k, sizeof(hk_transition), compare_arrays);
    if (!n)
        return LATHE_OK;
    if (!buf_put(&g->by_id, g->states.data, g->states.size) ||
        !buf_put(&g->by_part, g->states.data, g->states.size))
        return rec_no_memory(err);
    qsort(g->by_id.data, n, sizeof(hk_state), compare_ids);
    qsort(g->by_part.data, n, sizeof(hk_state), compare_parts);
    return LATHE_OK;
}

static lathe_result fill(lathe_doc *doc, uint32_t c, hk_graph *g, lathe_error *err)
{
    uint64_t n;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    size_t parts = doc->parts_n;
    uint8_t *seen = mem_zalloc(&doc->mem, parts + 1);
    lathe_result r = seen ? LATHE_OK : rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = add_object(doc, g, seen, objects[i], err);
    mem_free(&doc->mem, seen, parts + 1);
    if (r == LATHE_OK)
        r = sort(g, err);
    return r == LATHE_OK ? find_data(doc, g, err) : r;
}

lathe_result hk_graph_of(lathe_doc *doc, uint32_t c, const hk_graph **out, lathe_error *err)
{
    hk_graph *g = rec_cache_find(doc, c, &graph_cache);
    if (!g) {
        g = mem_zalloc(&doc->mem, sizeof *g);
        if (!g)
            return rec_no_memory(err);
        g->graph = REC_NO_PART;
        buf *const lists[] = {&g->machines,    &g->states,   &g->by_id, &g->by_part,
                              &g->transitions, &g->by_array, &g->clips, &g->files};
        for (size_t i = 0; i < REC_COUNT_OF(lists); i++)
            buf_init(lists[i], &doc->mem);
        g->names = mem_zalloc(&doc->mem, sizeof *g->names);
        for (int i = 0; g->names && i <= HK_STATES; i++)
            buf_init(&g->names->of[i], &doc->mem);
        lathe_result r = g->names ? fill(doc, c, g, err) : rec_no_memory(err);
        if (r != LATHE_OK) {
            release(doc, &g->cached);
            return r;
        }
        rec_cache_put(doc, c, &graph_cache, &g->cached);
    }
    *out = g;
    return LATHE_OK;
}

lathe_result hk_graph_needed(lathe_doc *doc, uint32_t c, const hk_graph **out, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    lathe_result r = hk_graph_of(doc, c, out, err);
    if (r != LATHE_OK)
        return r;
    const hk_graph *g = *out;
    if (!g->graphs)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the file has no behavior graph");
    if (g->graphs > 1)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the file has %u behavior graphs: which one is meant cannot be said",
                         g->graphs);
    if (g->strings != REC_NO_PART)
        return LATHE_OK;
    at = hk_object(doc, g->graph);
    return rec_fail(&at, rec_slot_find(at.layout, "data"), 0, err, LATHE_ERR_INVALID,
                    "the graph has no %s", g->data == REC_NO_PART ? "data" : "names");
}

/* ---- finding by name ------------------------------------------------------------------------------------- */

static const char *const rows_of_names[] = {
    [HK_EVENTS] = "event_names", [HK_VARIABLES] = "variable_names"};
static const char *const words[] = {
    [HK_EVENTS] = "event", [HK_VARIABLES] = "variable", [HK_STATES] = "state"};

lathe_result hk_graph_name(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint64_t i,
                           const char **name, lathe_error *err)
{
    *name = NULL;
    if (g->strings == REC_NO_PART)
        return LATHE_OK;
    rec_at strings = hk_object(doc, g->strings);
    return hk_read_text_item(&strings, rows_of_names[kind], i, name, err);
}

typedef struct names_of {
    lathe_doc *doc;
    const hk_graph *g;
    hk_named_kind kind;
} names_of;

static const char *text_of(lathe_doc *doc, uint32_t part, const char *row)
{
    rec_at at = hk_object(doc, part);
    const char *text = hk_text(&at, row);
    return text ? text : "";
}

static const char *next_name(void *user, size_t i)
{
    const names_of *of = user;
    const char *name;
    if (of->kind == HK_STATES)
        return i < of->g->states.size / sizeof(hk_state)
                   ? text_of(of->doc, hk_state_at(of->g, i)->part, "name")
                   : NULL;
    if (i >= (of->kind == HK_EVENTS ? of->g->events : of->g->variables) ||
        hk_graph_name(of->doc, of->g, of->kind, i, &name, NULL) != LATHE_OK)
        return NULL;
    return name ? name : "";
}

static lathe_result no_such(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, const char *name,
                            size_t n, lathe_error *err)
{
    char text[96];
    names_of of = {doc, g, kind};
    snprintf(text, sizeof text, "%.*s", (int)(n < 90 ? n : 90), name);
    const char *near = error_nearest(text, next_name, &of);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                     near ? "the graph has no %s '%s'; did you mean '%.90s'?"
                          : "the graph has no %s '%s'",
                     words[kind], text, near);
}

static bool is_text(const char *text, const char *name, size_t n)
{
    return text && strlen(text) == n && memcmp(text, name, n) == 0;
}

/* A name, borrowed, and its number. */
typedef struct entry {
    const char *name;
    uint64_t i;
} entry;

static int compare_names(const void *a, const void *b)
{
    const entry *s = a, *t = b;
    int by_name = strcmp(s->name, t->name);
    return by_name ? by_name : compare(s->i, t->i);
}

static uint64_t count_of(const hk_graph *g, hk_named_kind kind)
{
    return kind == HK_EVENTS      ? g->events
           : kind == HK_VARIABLES ? g->variables
                                  : g->states.size / sizeof(hk_state);
}

static lathe_result name_of(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint64_t i,
                            const char **name, lathe_error *err)
{
    uint64_t n;
    if (kind != HK_STATES)
        return hk_graph_name(doc, g, kind, i, name, err);
    rec_at state = hk_object(doc, hk_state_at(g, i)->part);
    return hk_read_text(&state, "name", name, &n, err);
}

static lathe_result index_names(lathe_doc *doc, const hk_graph *g, hk_named_kind kind,
                                lathe_error *err)
{
    entry e = {NULL, 0};
    buf *list = &g->names->of[kind];
    uint64_t count = count_of(g, kind);
    list->size = 0;
    for (; e.i < count; e.i++) {
        lathe_result r = name_of(doc, g, kind, e.i, &e.name, err);
        if (r == LATHE_OK && e.name)
            r = put(list, &e, sizeof e, err);
        if (r != LATHE_OK)
            return r;
    }
    if (list->size)
        qsort(list->data, list->size / sizeof e, sizeof e, compare_names);
    g->names->made[kind] = true;
    return LATHE_OK;
}

/* The items with a name: *n of them in a row, in their order. */
static lathe_result look_up(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, const char *name,
                            size_t size, const entry **first, size_t *n, lathe_error *err)
{
    lathe_result r = g->names->made[kind] ? LATHE_OK : index_names(doc, g, kind, err);
    *n = 0;
    if (r != LATHE_OK || memchr(name, 0, size))
        return r;
    const entry *e = (const entry *)(const void *)g->names->of[kind].data;
    size_t lo = 0, hi = g->names->of[kind].size / sizeof *e, count = hi;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (strncmp(e[mid].name, name, size) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    *first = count ? e + lo : NULL;
    while (lo + *n < count && is_text(e[lo + *n].name, name, size))
        ++*n;
    return r;
}

lathe_result hk_graph_find(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, const char *name,
                           size_t n, uint64_t *i, lathe_error *err)
{
    const entry *first;
    size_t found;
    lathe_result r = look_up(doc, g, kind, name, n, &first, &found, err);
    *i = r == LATHE_OK && found ? first->i : UINT64_MAX;
    return r;
}

lathe_result hk_graph_named(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, const char *name,
                            size_t n, uint64_t *i, lathe_error *err)
{
    lathe_result r = hk_graph_find(doc, g, kind, name, n, i, err);
    return r == LATHE_OK && *i == UINT64_MAX ? no_such(doc, g, kind, name, n, err) : r;
}

/* States that a name may mean: how many, and the first two. */
typedef struct meant {
    uint64_t n, states[2];
} meant;

static void add_meant(meant *m, uint64_t state)
{
    if (m->n < 2)
        m->states[m->n] = state;
    m->n++;
}

/* Adds the states whose machine is named by the first `slash` bytes, and themselves by what follows the slash. */
static lathe_result find_in_machine(lathe_doc *doc, const hk_graph *g, const char *name, size_t n,
                                    size_t slash, meant *m, lathe_error *err)
{
    const entry *e;
    size_t found;
    lathe_result r = look_up(doc, g, HK_STATES, name + slash + 1, n - slash - 1, &e, &found, err);
    for (size_t k = 0; r == LATHE_OK && k < found; k++)
        if (is_text(text_of(doc, hk_state_at(g, e[k].i)->machine, "name"), name, slash))
            add_meant(m, e[k].i);
    return r;
}

static lathe_result several(lathe_doc *doc, const hk_graph *g, const char *name, size_t n,
                            const meant *m, lathe_error *err)
{
    char first[96];
    int size = (int)(n < 90 ? n : 90);
    snprintf(first, sizeof first, "%.90s",
             text_of(doc, hk_state_at(g, m->states[0])->machine, "name"));
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                     "%llu states are named '%.*s': say of which machine, such as '%s/%.*s' or "
                     "'%.90s/%.*s'",
                     (unsigned long long)m->n, size, name, first, size, name,
                     text_of(doc, hk_state_at(g, m->states[1])->machine, "name"), size, name);
}

lathe_result hk_state_named(lathe_doc *doc, const hk_graph *g, const char *name, size_t n,
                            uint64_t *i, lathe_error *err)
{
    const entry *e;
    size_t found;
    meant m = {0};
    lathe_result r = look_up(doc, g, HK_STATES, name, n, &e, &found, err);
    for (size_t k = 0; r == LATHE_OK && k < found; k++)
        add_meant(&m, e[k].i);
    for (size_t k = 0; r == LATHE_OK && k < n; k++)
        if (name[k] == '/')
            r = find_in_machine(doc, g, name, n, k, &m, err);
    if (r != LATHE_OK)
        return r;
    if (m.n > 1)
        return several(doc, g, name, n, &m, err);
    if (!m.n)
        return no_such(doc, g, HK_STATES, name, n, err);
    *i = m.states[0];
    return LATHE_OK;
}

/* The first state of a list that does not come before the key. */
static size_t first_of(const buf *list, const hk_state *key,
                       int (*order)(const void *, const void *))
{
    const hk_state *s = (const hk_state *)(const void *)list->data;
    size_t lo = 0, hi = list->size / sizeof *s;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (order(&s[mid], key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const hk_state *hk_states_of(const hk_graph *g, uint32_t machine, size_t *n)
{
    hk_state key = {.machine = machine, .id = INT64_MIN};
    const hk_state *s = (const hk_state *)(const void *)g->by_id.data;
    size_t count = g->by_id.size / sizeof *s, i = first_of(&g->by_id, &key, compare_ids);
    for (*n = 0; i + *n < count && s[i + *n].machine == machine;)
        ++*n;
    return *n ? &s[i] : NULL;
}

const hk_state *hk_state_of_id(const hk_graph *g, uint32_t machine, int64_t id)
{
    hk_state key = {.machine = machine, .id = id};
    const hk_state *s = (const hk_state *)(const void *)g->by_id.data;
    size_t i = first_of(&g->by_id, &key, compare_ids);
    return i < g->by_id.size / sizeof *s && s[i].machine == machine && s[i].id == id ? &s[i] : NULL;
}

const hk_state *hk_state_of_part(const hk_graph *g, uint32_t part)
{
    hk_state key = {.part = part, .id = INT64_MIN};
    const hk_state *s = (const hk_state *)(const void *)g->by_part.data;
    size_t i = first_of(&g->by_part, &key, compare_parts);
    return i < g->by_part.size / sizeof *s && s[i].part == part ? &s[i] : NULL;
}

const hk_transition *hk_transitions_of(const hk_graph *g, uint32_t array)
{
    hk_transition key = {.array = array};
    return g->by_array.size
               ? bsearch(&key, g->by_array.data, g->by_array.size / sizeof(hk_transition),
                         sizeof(hk_transition), compare_arrays)
               : NULL;
}

/* ---- nested machines ------------------------------------------------------------------------------------------ */

/* The row of the generator that a node holds; NULL: it does more than that. */
static const char *held_row(const rec_type *type)
{
    if (type == &hkb_modifier_generator)
        return "generator";
    bool one = type == &b_si_state_tagging_generator || type == &bs_behavior_graph_swap_generator ||
               type == &dynamic_animation_tagging_generator;
    return one                                             ? "p_default_generator"
           : type == &bs_cyclic_blend_transition_generator ? "p_blender_generator"
                                                           : NULL;
}

lathe_result hk_generator_within(lathe_doc *doc, uint32_t part, uint32_t *out, lathe_error *err)
{
    enum { MOST = 64 }; /* in a circle there is no end */
    lathe_result r = LATHE_OK;
    for (int i = 0; r == LATHE_OK && part != REC_NO_PART; i++) {
        rec_at at = hk_object(doc, part);
        const char *row = at.layout ? held_row(at.layout->type) : NULL;
        if (!at.layout)
            return rec_no_memory(err);
        if (!row)
            break;
        r = i < MOST ? hk_read_target(&at, row, 0, &part, err) : LATHE_OK;
        if (i == MOST)
            part = REC_NO_PART;
    }
    *out = part;
    return r;
}
