/* What the verbs of graphs have in common: members, new objects, options, reports. */
#include "havok/behavior/edit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- members and objects ------------------------------------------------------------------------------- */

lathe_result hkb_put_value(const rec_at *at, const char *row, const lathe_value *v,
                           lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    if (slot == REC_NO_SLOT)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no field '%s' in %s", row,
                         rec_type_name(at->layout->type));
    return rec_set(at, slot, v, err);
}

lathe_result hkb_put_integer(const rec_at *at, const char *row, int64_t value, lathe_error *err)
{
    const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = value};
    return hkb_put_value(at, row, &v, err);
}

static lathe_value record_value(const rec_at *at)
{
    lathe_value v = {.kind = LATHE_KIND_RECORD};
    v.as.v = rec_view(at);
    return v;
}

lathe_result hkb_point_to(const rec_at *at, const char *row, const rec_at *to, lathe_error *err)
{
    const lathe_value v = record_value(to);
    return hkb_put_value(at, row, &v, err);
}

lathe_result hkb_append(const rec_at *at, const char *row, rec_at *element, lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    rec_loc loc;
    lathe_result r = rec_find_present(at, slot, &loc, err);
    if (r == LATHE_OK)
        r = rec_insert(at, slot, loc.count, 1, NULL, 0, err);
    return r == LATHE_OK && element ? rec_sub(at, slot, loc.count, element, err) : r;
}

lathe_result hkb_append_pointer(const rec_at *at, const char *row, const rec_at *to,
                                lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    uint64_t n = hk_length(at, row);
    const lathe_value v = record_value(to);
    lathe_result r = hkb_append(at, row, NULL, err);
    return r == LATHE_OK ? rec_set_item(at, slot, n, &v, err) : r;
}

lathe_result hkb_append_object(lathe_doc *doc, uint32_t c, const char *class_name, rec_at *object,
                               lathe_error *err)
{
    const rec_from from = {0};
    const rec_at root = rec_root(doc, c);
    rec_at element;
    lathe_result r = rec_append_named(&root, hk_object_row(doc, c), class_name, strlen(class_name),
                                      &from, &element, err);
    if (r == LATHE_OK)
        *object = hk_object(doc, element.part);
    return r;
}

/* ---- options --------------------------------------------------------------------------------------------- */

/* Option errors have no place in the file. */
static lathe_result option_fail(lathe_error *err, lathe_result code, const char *option,
                                const char *why)
{
    return error_set(err, code, LATHE_NO_OFFSET, "option '%s': %s", option, why);
}

/* A name that nothing in the file has is a fault of the data, not of the program. */
static lathe_result of_data(lathe_result r, lathe_error *err)
{
    if (r != LATHE_ERR_NAME)
        return r;
    if (err)
        err->code = LATHE_ERR_INVALID;
    return LATHE_ERR_INVALID;
}

/* The object that a record value is; false: it is none of this document. */
static bool object_of(lathe_doc *doc, uint32_t c, const lathe_value *v, uint32_t *part)
{
    lathe_view view = v->as.v;
    rec_at at;
    uint32_t slot;
    if (v->kind != LATHE_KIND_RECORD || view.doc != doc ||
        rec_enter(&view, &at, &slot, NULL) != LATHE_OK || at.off || at.layout->container != c)
        return false;
    *part = at.part;
    return at.layout == rec_part_root(doc, at.part);
}

static bool has_name(lathe_doc *doc, uint32_t part, const lathe_value *name)
{
    const char *text;
    uint64_t n;
    rec_at at = hk_object(doc, part);
    return hk_read_text(&at, "name", &text, &n, NULL) == LATHE_OK && text && n == name->as.s.n &&
           memcmp(text, name->as.s.p, (size_t)n) == 0;
}

lathe_result hk_objects_named(lathe_doc *doc, uint32_t c, const lathe_value *name,
                              const rec_type *type, rec_at *first, uint64_t *found,
                              lathe_error *err)
{
    uint64_t n;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    *found = 0;
    for (uint64_t i = 0; i < n; i++) {
        const rec_layout *root = rec_part_root(doc, objects[i]);
        if (!root)
            return rec_no_memory(err);
        if (!rec_is_a(root->type, type) || !hk_object_opens(doc, objects[i]) ||
            !has_name(doc, objects[i], name))
            continue;
        if (!(*found)++)
            *first = hk_object(doc, objects[i]);
    }
    return LATHE_OK;
}

static lathe_result object_named(lathe_doc *doc, uint32_t c, const lathe_value *name,
                                 const char *option, const rec_type *type, rec_at *object,
                                 lathe_error *err)
{
    uint64_t found;
    lathe_result r = hk_objects_named(doc, c, name, type, object, &found, err);
    if (r != LATHE_OK || found == 1)
        return r;
    int size = (int)(name->as.s.n < 90 ? name->as.s.n : 90);
    if (!found)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "option '%s': no %s is named '%.*s'",
                         option, rec_type_name(type), size, name->as.s.p);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                     "option '%s': %llu objects derived from %s are named '%.*s': give the record",
                     option, (unsigned long long)found, rec_type_name(type), size, name->as.s.p);
}

lathe_result hk_object_option(lathe_doc *doc, uint32_t c, const lathe_source *args,
                              const char *option, const rec_type *type, rec_at *object,
                              lathe_error *err)
{
    lathe_value v;
    uint32_t part;
    object->layout = NULL;
    if (!rec_arg(args, option, &v))
        return LATHE_OK;
    if (v.kind == LATHE_KIND_STRING)
        return of_data(object_named(doc, c, &v, option, type, object, err), err);
    if (!object_of(doc, c, &v, &part))
        return option_fail(err, LATHE_ERR_TYPE, option,
                           "a name or an object of this document expected");
    *object = hk_object(doc, part);
    if (!rec_is_a(object->layout->type, type))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "option '%s': %s expected, got %s",
                         option, rec_type_name(type), rec_type_name(object->layout->type));
    return LATHE_OK;
}

/* The state of a machine with a name. */
static bool state_in(lathe_doc *doc, const hk_graph *g, uint32_t machine, const lathe_value *name,
                     uint64_t *i)
{
    size_t n = g->states.size / sizeof(hk_state);
    for (*i = 0; machine != REC_NO_PART && *i < n; ++*i)
        if (hk_state_at(g, *i)->machine == machine && has_name(doc, hk_state_at(g, *i)->part, name))
            return true;
    return false;
}

lathe_result hk_state_option(lathe_doc *doc, const hk_graph *g, const lathe_source *args,
                             const char *option, uint32_t machine, uint64_t *i, lathe_error *err)
{
    lathe_value v;
    uint32_t part;
    *i = UINT64_MAX;
    if (!rec_arg(args, option, &v))
        return LATHE_OK;
    if (v.kind == LATHE_KIND_STRING)
        return state_in(doc, g, machine, &v, i)
                   ? LATHE_OK
                   : of_data(hk_state_named(doc, g, v.as.s.p, v.as.s.n, i, err), err);
    if (!object_of(doc, doc->parts[g->graph].container, &v, &part))
        return option_fail(err, LATHE_ERR_TYPE, option,
                           "the name of a state, or a state, expected");
    size_t n = g->states.size / sizeof(hk_state);
    for (*i = 0; *i < n; ++*i)
        if (hk_state_at(g, *i)->part == part)
            return LATHE_OK;
    return option_fail(err, LATHE_ERR_TYPE, option, "no machine has this state");
}

lathe_result hk_number_option(lathe_doc *doc, const hk_graph *g, hk_named_kind kind,
                              const lathe_source *args, const char *option, uint64_t *i,
                              lathe_error *err)
{
    lathe_value v;
    int64_t id;
    uint64_t count = kind == HK_EVENTS ? g->events : g->variables;
    const char *word = kind == HK_EVENTS ? "events" : "variables";
    if (rec_arg(args, option, &v) && v.kind == LATHE_KIND_STRING)
        return of_data(hk_graph_named(doc, g, kind, v.as.s.p, v.as.s.n, i, err), err);
    if (!rec_arg_integer(args, option, &id))
        return option_fail(err, LATHE_ERR_TYPE, option, "a name or an id expected");
    if (id < 0 || (uint64_t)id >= count)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "no id %lld: the graph has %llu %s, from 0", (long long)id,
                         (unsigned long long)count, word);
    *i = (uint64_t)id;
    return LATHE_OK;
}

lathe_result hkb_take_option(const rec_at *at, const char *row, const lathe_source *args,
                             const char *option, lathe_error *err)
{
    lathe_value v;
    if (!rec_arg(args, option, &v))
        return LATHE_OK;
    if (v.kind == LATHE_KIND_REAL && !isfinite(v.as.f))
        return option_fail(err, LATHE_ERR_RANGE, option, "a finite number expected");
    return hkb_put_value(at, row, &v, err);
}

/* ---- reports ----------------------------------------------------------------------------------------------- */

static void say(lathe_report *report, const char *name, const lathe_value *v)
{
    if (report && report->result)
        report->result(report->user, name, v);
}

void hk_report_record(lathe_report *report, const char *name, const rec_at *at)
{
    const lathe_value v = record_value(at);
    say(report, name, &v);
}

void hk_report_integer(lathe_report *report, const char *name, int64_t value)
{
    const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = value};
    say(report, name, &v);
}

void hk_report_note(lathe_report *report, const char *fmt, ...)
{
    char text[256];
    va_list list;
    va_start(list, fmt);
    vsnprintf(text, sizeof text, fmt, list);
    va_end(list);
    lathe_value v = {.kind = LATHE_KIND_STRING};
    v.as.s.p = text;
    v.as.s.n = strlen(text);
    say(report, "notes", &v);
}
