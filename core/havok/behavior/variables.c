/* Verbs that add and remove variables, and the initial values of variables. */
#include "havok/behavior/uses.h"
#include "havok/behavior/verbs.h"

#include <math.h>
#include <string.h>

static const rec_param name = {.name = "name",
                               .doc = "Name of the variable.",
                               .kind = LATHE_PARAM_TEXT,
                               .positional = true,
                               .needed = true};
static const char *const types[] = {"bool",    "int8",    "int16",      "int32", "real",
                                    "vector3", "vector4", "quaternion", NULL};
static const int8_t numbers[] = {HK_VARIABLE_BOOL,    HK_VARIABLE_INT8,      HK_VARIABLE_INT16,
                                 HK_VARIABLE_INT32,   HK_VARIABLE_REAL,      HK_VARIABLE_VECTOR3,
                                 HK_VARIABLE_VECTOR4, HK_VARIABLE_QUATERNION};
static const rec_param type_of = {.name = "type",
                                  .doc = "What its value is. Default: real.",
                                  .kind = LATHE_PARAM_TEXT,
                                  .values = types};
static const rec_param value_of = {.name = "value",
                                   .doc = "Number or truth value that it starts with. Default: 0. "
                                          "Vectors start with zeros.",
                                   .kind = LATHE_PARAM_ANY};
static const rec_param low = {
    .name = "min", .doc = "Least value, for graphs that store limits.", .kind = LATHE_PARAM_NUMBER};
static const rec_param high = {.name = "max",
                               .doc = "Greatest value, for graphs that store limits.",
                               .kind = LATHE_PARAM_NUMBER};
static const rec_param gone = {.name = "name",
                               .doc = "Name or id of the variable.",
                               .kind = LATHE_PARAM_ANY,
                               .positional = true,
                               .needed = true};
const rec_param *const hk_add_variable_params[] = {&name, &type_of, &value_of, &low, &high, NULL};
const rec_param *const hk_remove_variable_params[] = {&gone, NULL};

/* ---- values -------------------------------------------------------------------------------------------------- */

lathe_result hk_variable_bits(const rec_at *at, uint32_t slot, int64_t type,
                              const lathe_value *value, uint32_t *bits, lathe_error *err)
{
    static const double most[] = {1, 127, 32767, 2147483647};
    double n = value->kind == LATHE_KIND_BOOL ? (value->as.b ? 1 : 0) : 0;
    if (type < 0 || type > HK_VARIABLE_REAL)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                        "the value of such a variable is no number");
    if (value->kind != LATHE_KIND_BOOL && !rec_number(value, &n))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a number expected");
    if (type == HK_VARIABLE_REAL) {
        float real = (float)n;
        if (!isfinite(real))
            return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%.9g is no finite number", n);
        memcpy(bits, &real, sizeof real);
        return LATHE_OK;
    }
    double least = type == HK_VARIABLE_BOOL ? 0 : -most[type] - 1;
    if (!(n >= least && n <= most[type]) || floor(n) != n)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "%.9g is no integer of %.0f .. %.0f", n, least, most[type]);
    *bits = (uint32_t)(int32_t)n;
    return LATHE_OK;
}

/* ---- arrays by the variables' numbers -------------------------------------------------------------------------- */

/* The arrays of the graph's data that may have an element for each variable. */
static const char *const limits[] = {"word_min_variable_values", "word_max_variable_values",
                                     "variable_bounds"};

/* Fails if an array has neither an element for each variable, nor none. */
static lathe_result check_count(const rec_at *at, const char *row, uint64_t wanted, bool needed,
                                lathe_error *err)
{
    uint64_t n;
    lathe_result r = hk_read_length(at, row, &n, err);
    if (r != LATHE_OK || n == wanted || (!n && !needed))
        return r;
    return rec_fail(at, rec_slot_find(at->layout, row), 0, err, LATHE_ERR_INVALID,
                    "%llu elements for %llu variables", (unsigned long long)n,
                    (unsigned long long)wanted);
}

static lathe_result check_counts(lathe_doc *doc, const hk_graph *g, lathe_error *err)
{
    rec_at data = hk_object(doc, g->data), values;
    lathe_result r = check_count(&data, "variable_infos", g->variables, true, err);
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(limits); i++)
        r = check_count(&data, limits[i], g->variables, false, err);
    if (r != LATHE_OK || g->values == REC_NO_PART)
        return r;
    values = hk_object(doc, g->values);
    return check_count(&values, "word_variable_values", g->variables, true, err);
}

/* ---- adding ---------------------------------------------------------------------------------------------------- */

typedef struct addition {
    lathe_doc *doc;
    uint32_t c;
    rec_at data, strings, values;
    uint64_t id;
    int64_t type;
    uint32_t bits;
} addition;

static lathe_result limit(const addition *a, const char *row, const lathe_source *args,
                          const char *option, lathe_error *err)
{
    rec_at word;
    lathe_value v = {.kind = LATHE_KIND_INT};
    uint32_t bits;
    if (!a->id || hk_length(&a->data, row) != a->id)
        return LATHE_OK;
    lathe_result r = hkb_append(&a->data, row, &word, err);
    rec_arg(args, option, &v);
    if (r == LATHE_OK && a->type <= HK_VARIABLE_REAL)
        r = hk_variable_bits(&word, rec_slot_find(word.layout, "value"), a->type, &v, &bits, err);
    return r == LATHE_OK && a->type <= HK_VARIABLE_REAL
               ? hkb_put_integer(&word, "value", (int32_t)bits, err)
               : r;
}

/* Fallout 4 has both limits in one record. */
static lathe_result bounds(const addition *a, const lathe_source *args, lathe_error *err)
{
    static const char *const rows[] = {"min", "max"};
    rec_at pair, word;
    lathe_result r = LATHE_OK;
    if (!a->id || hk_length(&a->data, "variable_bounds") != a->id)
        return r;
    r = hkb_append(&a->data, "variable_bounds", &pair, err);
    for (size_t i = 0; r == LATHE_OK && i < 2 && a->type <= HK_VARIABLE_REAL; i++) {
        lathe_value v = {.kind = LATHE_KIND_INT};
        uint32_t bits;
        rec_arg(args, rows[i], &v);
        r = rec_sub(&pair, rec_slot_find(pair.layout, rows[i]), 0, &word, err);
        if (r == LATHE_OK)
            r = hk_variable_bits(&word, rec_slot_find(word.layout, "value"), a->type, &v, &bits,
                                 err);
        if (r == LATHE_OK)
            r = hkb_put_integer(&word, "value", (int32_t)bits, err);
    }
    return r;
}

static lathe_result add_value(const addition *a, lathe_error *err)
{
    rec_at word;
    uint64_t quads = 0;
    lathe_result r = LATHE_OK;
    bool vector = a->type > HK_VARIABLE_POINTER;
    if (vector) {
        r = hk_read_length(&a->values, "quad_variable_values", &quads, err);
        if (r == LATHE_OK)
            r = hkb_append(&a->values, "quad_variable_values", NULL, err);
    }
    if (r == LATHE_OK)
        r = hkb_append(&a->values, "word_variable_values", &word, err);
    return r == LATHE_OK
               ? hkb_put_integer(&word, "value", vector ? (int64_t)quads : (int32_t)a->bits, err)
               : r;
}

static lathe_result add(addition *a, const lathe_value *text, const lathe_source *args,
                        lathe_error *err)
{
    rec_at info;
    lathe_result r = hkb_append(&a->strings, "variable_names", NULL, err);
    if (r == LATHE_OK)
        r = rec_set_item(&a->strings, rec_slot_find(a->strings.layout, "variable_names"), a->id,
                         text, err);
    if (r == LATHE_OK)
        r = hkb_append(&a->data, "variable_infos", &info, err);
    if (r == LATHE_OK)
        r = hkb_put_integer(&info, "type", a->type, err);
    if (r == LATHE_OK)
        r = limit(a, limits[0], args, "min", err);
    if (r == LATHE_OK)
        r = limit(a, limits[1], args, "max", err);
    if (r == LATHE_OK)
        r = bounds(a, args, err);
    if (r == LATHE_OK && !a->values.layout) {
        r = hkb_append_object(a->doc, a->c, "hkbVariableValueSet", &a->values, err);
        if (r == LATHE_OK)
            r = hkb_point_to(&a->data, "variable_initial_values", &a->values, err);
    }
    return r == LATHE_OK ? add_value(a, err) : r;
}

static lathe_result read_type(addition *a, const lathe_source *args, lathe_error *err)
{
    lathe_value v;
    size_t k = 0;
    a->type = HK_VARIABLE_REAL;
    if (rec_arg(args, "type", &v)) {
        while (types[k] && !rec_text_is(&v, types[k]))
            k++;
        a->type = numbers[k];
    }
    if (!rec_arg(args, "value", &v))
        return LATHE_OK;
    return hk_variable_bits(&a->data, rec_slot_find(a->data.layout, "variable_initial_values"),
                            a->type, &v, &a->bits, err);
}

lathe_result hk_add_variable(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    const hk_graph *g;
    lathe_value text;
    addition a = {.doc = self.doc, .c = self.doc->parts[self.part].container};
    lathe_result r = hk_graph_needed(a.doc, a.c, &g, err);
    if (r != LATHE_OK || !rec_arg(args, "name", &text))
        return r;
    a.data = hk_object(a.doc, g->data);
    a.strings = hk_object(a.doc, g->strings);
    a.id = g->variables;
    if (g->values != REC_NO_PART)
        a.values = hk_object(a.doc, g->values);
    else if (a.id)
        return rec_fail(&a.data, rec_slot_find(a.data.layout, "variable_initial_values"), 0, err,
                        LATHE_ERR_INVALID, "the variables have no values");
    r = check_counts(a.doc, g, err);
    if (r == LATHE_OK)
        r = read_type(&a, args, err);
    if (r == LATHE_OK)
        r = hk_name_new(a.doc, g, HK_VARIABLES, REC_NO_PART, &text, err);
    if (r == LATHE_OK)
        r = add(&a, &text, args, err);
    if (r == LATHE_OK && report) {
        report->changed++;
        hk_report_integer(report, "id", (int64_t)a.id);
    }
    return r;
}

/* ---- removing ---------------------------------------------------------------------------------------------------- */

static lathe_result remove_from(const rec_at *at, const char *row, uint64_t i, lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    return slot != REC_NO_SLOT && i < hk_length(at, row) ? rec_remove(at, slot, i, 1, err)
                                                         : LATHE_OK;
}

static bool is_kept_in(int64_t type, bool quads)
{
    return quads ? type > HK_VARIABLE_POINTER : type == HK_VARIABLE_POINTER;
}

/* Removes the vector or pointer that the variable's 32 bits are the index of, unless another variable has the same index.
 * Greater indices become one less. */
static lathe_result remove_behind(const rec_at *data, const rec_at *values, uint64_t gone_i,
                                  lathe_error *err)
{
    rec_at info, word;
    if (!hk_record_at(data, "variable_infos", gone_i, &info) ||
        !hk_record_at(values, "word_variable_values", gone_i, &word))
        return LATHE_OK;
    int64_t type = rec_int(&info, "type"), at = rec_int(&word, "value");
    bool quads = type > HK_VARIABLE_POINTER, shared = false;
    const char *row = quads ? "quad_variable_values" : "variant_variable_values";
    if (type < HK_VARIABLE_POINTER || at < 0 || (uint64_t)at >= hk_length(values, row))
        return LATHE_OK;
    for (int pass = 0; pass < 2 && !shared; pass++)
        for (uint64_t i = 0; hk_record_at(data, "variable_infos", i, &info) &&
                             hk_record_at(values, "word_variable_values", i, &word);
             i++) {
            int64_t other = rec_int(&word, "value");
            if (i == gone_i || !is_kept_in(rec_int(&info, "type"), quads))
                continue;
            shared = shared || other == at;
            if (pass && other > at) {
                lathe_result r = hkb_put_integer(&word, "value", other - 1, err);
                if (r != LATHE_OK)
                    return r;
            }
        }
    return shared ? LATHE_OK : remove_from(values, row, (uint64_t)at, err);
}

static lathe_result remove_variable(lathe_doc *doc, const rec_at *data, const rec_at *strings,
                                    uint32_t values_part, uint64_t i, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (values_part != REC_NO_PART) {
        rec_at values = hk_object(doc, values_part);
        r = remove_behind(data, &values, i, err);
        if (r == LATHE_OK)
            r = remove_from(&values, "word_variable_values", i, err);
    }
    for (size_t k = 0; r == LATHE_OK && k < REC_COUNT_OF(limits); k++)
        r = remove_from(data, limits[k], i, err);
    if (r == LATHE_OK)
        r = remove_from(data, "variable_infos", i, err);
    return r == LATHE_OK ? remove_from(strings, "variable_names", i, err) : r;
}

lathe_result hk_remove_variable(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    const hk_graph *g;
    uint64_t i;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r == LATHE_OK)
        r = check_counts(doc, g, err);
    if (r == LATHE_OK)
        r = hk_number_option(doc, g, HK_VARIABLES, args, "name", &i, err);
    if (r == LATHE_OK)
        r = hk_uses_none(doc, g, HK_VARIABLES, i, err);
    if (r != LATHE_OK)
        return r;
    rec_at data = hk_object(doc, g->data), strings = hk_object(doc, g->strings);
    uint32_t values = g->values;
    r = hk_ids_close_up(doc, c, HK_VARIABLES, i, err);
    if (r == LATHE_OK)
        r = remove_variable(doc, &data, &strings, values, i, err);
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}
