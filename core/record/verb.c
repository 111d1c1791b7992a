/* Verbs: search, checks of arguments, and calls. */
#include "record/record.h"

#include <math.h>
#include <stdio.h>

/* ---- finding ------------------------------------------------------------------------------------- */

const lathe_format *rec_format_of(lathe_view view)
{
    const rec_layout *layout = view.type;
    return view.doc->containers[layout->container].format;
}

/* Whether the format has its own verb of a name, which replaces a shared one. */
static bool has_own(const lathe_format *format, const char *name)
{
    for (const rec_verb *v = format->verbs; v && v->name; v++)
        if (strcmp(v->name, name) == 0)
            return true;
    return false;
}

const rec_verb *rec_verb_next(const lathe_format *format, const rec_verb *verb)
{
    bool shared = verb && verb->is;
    verb = verb ? verb + 1 : format->verbs;
    if (!shared && verb && verb->name)
        return verb;
    for (verb = shared ? verb : format->shared; verb && verb->name; verb++)
        if (!has_own(format, verb->name))
            return verb;
    return NULL;
}

/* Whether types have the same name: a verb names a type that documents describe themselves by a placeholder. */
static bool is_named(const rec_type *type, const rec_type *base)
{
    if (!(base->flags & REC_OWN))
        return false;
    for (; type && type->flags & REC_OWN; type = rec_type_base(type))
        if (strcmp(rec_type_name(type), rec_type_name(base)) == 0)
            return true;
    return false;
}

bool rec_verb_is_of(const rec_verb *verb, const lathe_format *format, const rec_type *type)
{
    if (verb->is && verb->is(format, type))
        return true;
    if (verb->only)
        return false;
    return rec_is_a(type, verb->type ? verb->type : format->root) ||
           (verb->type && is_named(type, verb->type));
}

bool rec_verb_suits(lathe_view view, const rec_verb *verb)
{
    const rec_layout *layout = view.type;
    if (verb->is && layout->container) /* shared verbs do not apply inside embedded documents */
        return false;
    return !(view.flags & REC_VIEW_ARRAY) &&
           rec_verb_is_of(verb, rec_format_of(view), layout->type);
}

const rec_verb *rec_verb_find(lathe_view view, const char *name)
{
    const lathe_format *format = rec_format_of(view);
    for (const rec_verb *v = NULL; (v = rec_verb_next(format, v)) != NULL;)
        if (strcmp(v->name, name) == 0 && rec_verb_suits(view, v))
            return v;
    return NULL;
}

/* ---- arguments ----------------------------------------------------------------------------------- */

bool rec_arg(const lathe_source *args, const char *name, lathe_value *out)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    if (!args || !args->get(args->user, NULL, name, 0, &v, &child) || v.kind == LATHE_KIND_NONE)
        return false;
    *out = v;
    return true;
}

bool rec_arg_number(const lathe_source *args, const char *name, double *out)
{
    lathe_value v;
    return rec_arg(args, name, &v) && rec_number(&v, out);
}

static bool integer_of(const lathe_value *v, int64_t *out)
{
    static const double end = 9223372036854775808.0; /* 2^63 */
    switch (v->kind) {
    case LATHE_KIND_INT: *out = v->as.i; return true;
    case LATHE_KIND_UINT: *out = (int64_t)v->as.u; return v->as.u <= INT64_MAX;
    case LATHE_KIND_REAL:
        if (!(v->as.f >= -end && v->as.f < end) || floor(v->as.f) != v->as.f)
            return false;
        *out = (int64_t)v->as.f;
        return true;
    default: return false;
    }
}

bool rec_arg_integer(const lathe_source *args, const char *name, int64_t *out)
{
    lathe_value v;
    int64_t i;
    if (!rec_arg(args, name, &v) || !integer_of(&v, &i))
        return false;
    *out = i;
    return true;
}

bool rec_text_is(const lathe_value *text, const char *word)
{
    return text->kind == LATHE_KIND_STRING && strlen(word) == text->as.s.n &&
           memcmp(word, text->as.s.p, text->as.s.n) == 0;
}

/* ---- checks ---------------------------------------------------------------------------------------- */

/* Appends a word to a list in `text`, if it fits. */
static void put_word(char *text, size_t cap, const char *word)
{
    size_t n = strlen(text);
    snprintf(text + n, cap - n, "%s%s", n ? ", " : "", word);
}

static const char *next_param(void *user, size_t i)
{
    const rec_param *const *const *params = user;
    return (*params)[i] ? (*params)[i]->name : NULL;
}

static lathe_result no_param(const rec_verb *verb, const char *name, lathe_error *err)
{
    char known[160] = "";
    const rec_param *const *params = verb->params;
    const char *near = params ? error_nearest(name, next_param, &params) : NULL;
    if (near)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         "no option '%s' of %s; did you mean '%s'?", name, verb->name, near);
    for (size_t i = 0; params && params[i]; i++)
        put_word(known, sizeof known, params[i]->name);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no option '%s' of %s, which takes %s",
                     name, verb->name, known[0] ? known : "none");
}

/* Refuses unknown option names, if the source can list its names. */
static lathe_result check_names(const rec_verb *verb, const lathe_source *args, lathe_error *err)
{
    const char *name;
    if (args->size < sizeof *args || !args->name)
        return LATHE_OK;
    for (uint64_t i = 0; (name = args->name(args->user, NULL, i)) != NULL; i++) {
        size_t k = 0;
        while (verb->params && verb->params[k] && strcmp(verb->params[k]->name, name) != 0)
            k++;
        if (!verb->params || !verb->params[k])
            return no_param(verb, name, err);
    }
    return LATHE_OK;
}

static bool is_kind(const lathe_value *v, lathe_param_kind kind)
{
    double number;
    int64_t integer;
    switch (kind) {
    case LATHE_PARAM_NUMBER:
    case LATHE_PARAM_NUMBERS: return rec_number(v, &number);
    case LATHE_PARAM_INTEGER: return integer_of(v, &integer);
    case LATHE_PARAM_TEXT: return v->kind == LATHE_KIND_STRING;
    case LATHE_PARAM_BOOLEAN: return v->kind == LATHE_KIND_BOOL;
    case LATHE_PARAM_CLIP: return v->kind == LATHE_KIND_RECORD;
    case LATHE_PARAM_SKELETON: return v->kind == LATHE_KIND_RECORD || v->kind == LATHE_KIND_ARRAY;
    default: return true;
    }
}

/* Whether an option is a list of three numbers. */
static bool is_triple(const lathe_source *args, const char *name)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *list = NULL, *none;
    double number;
    if (!args || !args->get(args->user, NULL, name, 0, &v, &list) || !list ||
        args->count(args->user, list) != 3)
        return false;
    for (uint64_t i = 0; i < 3; i++) {
        v.kind = LATHE_KIND_NONE;
        if (!args->get(args->user, list, NULL, i, &v, &none) || !rec_number(&v, &number))
            return false;
    }
    return true;
}

static const char *const expected[LATHE_PARAM_COUNT] = {
    "a value",
    "a number",
    "an integer",
    "a string",
    "true or false",
    "a skeleton, a document or a table of bones",
    "a number or a list of three",
    "an animation or a document"};

static lathe_result wrong_kind(const rec_verb *verb, const rec_param *p, const lathe_value *v,
                               lathe_error *err)
{
    static const char *const got[LATHE_KIND_COUNT] = {"nothing",    "null",       "a boolean",
                                                      "an integer", "an integer", "a number",
                                                      "a string",   "a record",   "an array"};
    double number;
    if (p->kind == LATHE_PARAM_INTEGER && rec_number(v, &number))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'%s' of %s: an integer expected, got %.9g", p->name, verb->name, number);
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "'%s' of %s: %s expected, got %s",
                     p->name, verb->name, expected[p->kind], got[v->kind]);
}

static lathe_result check_word(const rec_verb *verb, const rec_param *p, const lathe_value *v,
                               lathe_error *err)
{
    char known[256] = "";
    for (size_t i = 0; p->values && p->values[i]; i++) {
        if (rec_text_is(v, p->values[i]))
            return LATHE_OK;
        put_word(known, sizeof known, p->values[i]);
    }
    if (!p->values)
        return LATHE_OK;
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "'%s' of %s is one of %s", p->name,
                     verb->name, known);
}

lathe_result rec_check_args(const rec_verb *verb, const lathe_source *args, lathe_error *err)
{
    lathe_result r = args ? check_names(verb, args, err) : LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && verb->params && verb->params[i]; i++) {
        const rec_param *p = verb->params[i];
        lathe_value v;
        if (p->kind == LATHE_PARAM_NUMBERS && is_triple(args, p->name))
            continue;
        if (rec_arg(args, p->name, &v))
            r = is_kind(&v, p->kind) ? check_word(verb, p, &v, err) : wrong_kind(verb, p, &v, err);
        else if (p->needed)
            r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s needs '%s': %s", verb->name,
                          p->name, expected[p->kind]);
    }
    return r;
}
