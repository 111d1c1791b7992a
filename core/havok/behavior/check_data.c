/* The data of graphs and characters: names, infos and values of events, variables, properties and attributes. */
#include "havok/behavior/check.h"
#include "havok/behavior/edit.h"

static unsigned long long ull(uint64_t n)
{
    return n;
}

/* ---- counts ---------------------------------------------------------------------------------------------- */

/* Arrays of the names, and those of the data that have an element for each name. */
static const struct {
    const char *names, *row, *word;
} lists[] = {{"event_names", "event_infos", "event"},
             {"variable_names", "variable_infos", "variable"},
             {"character_property_names", "character_property_infos", "character property"},
             {"attribute_names", "attribute_defaults", "attribute"}};
enum { EVENTS, VARIABLES, PROPERTIES, LISTS = REC_COUNT_OF(lists) };

/* Gives the greater count, so that ids are not reported as well. */
static lathe_result check_list(hk_graph_look *k, const rec_at *data, const rec_at *strings,
                               size_t which, uint64_t *most, lathe_error *err)
{
    uint64_t named, n = 0;
    lathe_result r = hk_read_length(strings, lists[which].names, &named, err);
    if (r == LATHE_OK)
        r = hk_read_length(data, lists[which].row, &n, err);
    if (r != LATHE_OK)
        return r;
    if (n != named)
        HK_FINDING(k->report, k->error, data, lists[which].row, REC_NO_ITEM,
                   "%llu element%s for %llu name%s: each %s has one of both", ull(n),
                   n == 1 ? "" : "s", ull(named), named == 1 ? "" : "s", lists[which].word);
    *most = n < named ? named : n;
    return r;
}

/* An object that a pointer leads to; .layout is NULL where it leads to none of that class. */
static lathe_result target_of(const rec_at *at, const char *row, const rec_type *type, rec_at *out,
                              lathe_error *err)
{
    uint32_t part;
    bool opens = false;
    lathe_result r = hk_read_target(at, row, 0, &part, err);
    out->layout = NULL;
    if (r == LATHE_OK && part != REC_NO_PART)
        r = hk_object_look(at->doc, part, &opens, err);
    if (r != LATHE_OK || !opens)
        return r;
    *out = hk_object(at->doc, part);
    if (out->layout->type != type)
        out->layout = NULL;
    return r;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/* Variables of a graph, or properties of a character. */
typedef struct variables {
    const char *infos, *values, *word;
} variables;

static const variables of_graph = {"variable_infos", "variable_initial_values", "variable"};
static const variables of_character = {"character_property_infos", "character_property_values",
                                       "character property"};

/* An array with an element for each of them. */
static void check_count(hk_graph_look *k, const rec_at *at, const char *row, uint64_t n,
                        const variables *of, uint64_t wanted)
{
    if (n != wanted)
        HK_FINDING(k->report, k->error, at, row, REC_NO_ITEM, "%llu element%s for %llu of %s",
                   ull(n), n == 1 ? "" : "s", ull(wanted), of->infos);
}

/* Vectors and objects are stored elsewhere, by index. */
static lathe_result check_indices(hk_graph_look *k, const rec_at *data, const variables *of,
                                  const rec_at *values, lathe_error *err)
{
    uint64_t quads = 0, variants = 0;
    rec_at info, word;
    lathe_result r = hk_read_length(values, "quad_variable_values", &quads, err);
    if (r == LATHE_OK)
        r = hk_read_length(values, "variant_variable_values", &variants, err);
    for (uint64_t i = 0;
         r == LATHE_OK && !k->report->stopped && hk_record_at(data, of->infos, i, &info) &&
         hk_record_at(values, "word_variable_values", i, &word);
         i++) {
        int64_t type = rec_int(&info, "type"), at = rec_int(&word, "value");
        bool quad = type > HK_VARIABLE_POINTER;
        uint64_t n = quad ? quads : variants;
        if (type >= HK_VARIABLE_POINTER && (at < 0 || (uint64_t)at >= n))
            HK_FINDING(k->report, k->error, &word, "value", REC_NO_ITEM,
                       "%s %llu is element %lld of %s, which has %llu", of->word, ull(i),
                       (long long)at, quad ? "quad_variable_values" : "variant_variable_values",
                       ull(n));
    }
    return r;
}

static lathe_result check_values(hk_graph_look *k, const rec_at *data, const variables *of,
                                 lathe_error *err)
{
    uint64_t wanted, n = 0;
    rec_at values;
    lathe_result r = hk_read_length(data, of->infos, &wanted, err);
    if (r == LATHE_OK)
        r = target_of(data, of->values, &hkb_variable_value_set, &values, err);
    if (r != LATHE_OK)
        return r;
    if (!values.layout) {
        if (wanted)
            HK_FINDING(k->report, k->error, data, of->values, REC_NO_ITEM,
                       "%llu element%s in %s, but no values", ull(wanted), wanted == 1 ? "" : "s",
                       of->infos);
        return r;
    }
    r = hk_read_length(&values, "word_variable_values", &n, err);
    if (r != LATHE_OK)
        return r;
    check_count(k, &values, "word_variable_values", n, of, wanted);
    return check_indices(k, data, of, &values, err);
}

static lathe_result check_limits(hk_graph_look *k, const rec_at *data, lathe_error *err)
{
    static const char *const limits[] = {"word_min_variable_values", "word_max_variable_values",
                                         "variable_bounds"};
    uint64_t wanted, n;
    lathe_result r = hk_read_length(data, of_graph.infos, &wanted, err);
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(limits); i++) {
        r = hk_read_length(data, limits[i], &n, err);
        if (r == LATHE_OK && n)
            check_count(k, data, limits[i], n, &of_graph, wanted);
    }
    return r;
}

/* ---- names ------------------------------------------------------------------------------------------------ */

typedef struct list_look {
    hk_graph_look *k;
    const rec_at *strings;
    const char *row, *word;
} list_look;

static void named_again(void *user, const hk_named *name)
{
    const list_look *l = user;
    HK_FINDING(l->k->report, l->k->error, l->strings, l->row, name->i,
               "%s %llu has the name '%.90s', too", l->word, ull(name->first), name->text);
}

static lathe_result check_names(hk_graph_look *k, const rec_at *strings, size_t which,
                                lathe_error *err)
{
    hk_named one = {.text = NULL};
    uint64_t n;
    buf list;
    list_look look = {k, strings, lists[which].names, lists[which].word};
    lathe_result r = hk_read_length(strings, look.row, &n, err);
    buf_init(&list, &k->doc->mem);
    for (; r == LATHE_OK && one.i < n; one.i++) {
        r = hk_read_text_item(strings, look.row, one.i, &one.text, err);
        if (r == LATHE_OK && !(one.text && *one.text))
            HK_FINDING(k->report, LATHE_LEVEL_WARNING, strings, look.row, one.i, "no name");
        if (r == LATHE_OK && !buf_put(&list, &one, sizeof one))
            r = rec_no_memory(err);
    }
    if (r == LATHE_OK)
        hk_names_again(&list, named_again, &look);
    buf_free(&list);
    return r;
}

/* ---- all --------------------------------------------------------------------------------------------------- */

static void missing(hk_graph_look *k, uint32_t part, const char *row, const char *what)
{
    rec_at at = hk_object(k->doc, part);
    HK_FINDING(k->report, k->error, &at, row, REC_NO_ITEM, "the graph has no %s", what);
}

static lathe_result check_strings(hk_graph_look *k, const rec_at *data, lathe_error *err)
{
    uint64_t n[LISTS];
    rec_at strings = hk_object(k->doc, k->g->strings);
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < LISTS; i++)
        r = check_list(k, data, &strings, i, &n[i], err);
    if (r != LATHE_OK)
        return r;
    k->events = n[EVENTS];
    k->variables = n[VARIABLES];
    k->properties = n[PROPERTIES];
    k->numbered = true;
    for (size_t i = 0; r == LATHE_OK && i < LISTS; i++)
        r = check_names(k, &strings, i, err);
    return r;
}

lathe_result hk_check_graph_data(hk_graph_look *k, lathe_error *err)
{
    const hk_graph *g = k->g;
    lathe_result r = LATHE_OK;
    if (g->graphs > 1) {
        rec_at at = hk_object(k->doc, g->graph);
        rec_finding(k->report, LATHE_LEVEL_WARNING, &at, REC_NO_SLOT, REC_NO_ITEM,
                    "the file has %u graphs: which one ids belong to cannot be said", g->graphs);
    }
    if (g->graphs != 1)
        return r;
    if (g->data == REC_NO_PART) {
        missing(k, g->graph, "data", "data");
        return r;
    }
    rec_at data = hk_object(k->doc, g->data);
    r = check_limits(k, &data, err);
    if (r == LATHE_OK)
        r = check_values(k, &data, &of_graph, err);
    if (r != LATHE_OK)
        return r;
    if (g->strings == REC_NO_PART) {
        missing(k, g->data, "string_data", "names");
        return r;
    }
    return check_strings(k, &data, err);
}

static lathe_result check_character(hk_graph_look *k, const rec_at *data, lathe_error *err)
{
    uint64_t n;
    rec_at strings;
    lathe_result r = check_values(k, data, &of_character, err);
    if (r == LATHE_OK)
        r = target_of(data, "string_data", &hkb_character_string_data, &strings, err);
    if (r != LATHE_OK || !strings.layout)
        return r;
    r = check_list(k, data, &strings, PROPERTIES, &n, err);
    return r == LATHE_OK ? check_names(k, &strings, PROPERTIES, err) : r;
}

lathe_result hk_check_characters(hk_graph_look *k, lathe_error *err)
{
    uint64_t n;
    bool opens;
    lathe_result r = LATHE_OK;
    const uint32_t *objects = hk_object_list(k->doc, k->c, &n);
    for (uint64_t i = 0; r == LATHE_OK && i < n && !k->report->stopped; i++) {
        r = hk_object_look(k->doc, objects[i], &opens, err);
        if (r != LATHE_OK || !opens)
            continue;
        rec_at at = hk_object(k->doc, objects[i]);
        if (at.layout->type == &hkb_character_data)
            r = check_character(k, &at, err);
    }
    return r;
}
