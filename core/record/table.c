#include "record/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- tables in tables ---------------------------------------------------------------------------------- */

static const void *node_of(const rec_table *g, const void *node)
{
    return node ? node : g->node;
}

static bool get(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                const void **child)
{
    const rec_table *g = user;
    return g->inner->get(g->inner->user, node_of(g, node), name, i, leaf, child);
}

static uint64_t count(void *user, const void *node)
{
    const rec_table *g = user;
    return g->inner->count(g->inner->user, node_of(g, node));
}

static const char *name_at(void *user, const void *node, uint64_t i)
{
    const rec_table *g = user;
    return g->inner->name(g->inner->user, node_of(g, node), i);
}

static void open(rec_table *g, const lathe_source *inner, const void *node, const char *where)
{
    bool names = inner->size >= sizeof *inner && inner->name;
    *g = (rec_table){{sizeof g->api, g, get, count, names ? name_at : NULL}, inner, node, where};
}

void rec_table_top(rec_table *g, const lathe_source *fields)
{
    open(g, fields, NULL, NULL);
}

lathe_value rec_table_value(const rec_table *g, const void *node, const char *name, uint64_t i,
                            const void **child)
{
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    *child = NULL;
    if (!g->api.get(g->api.user, node, name, i, &leaf, child))
        leaf.kind = LATHE_KIND_NONE;
    return leaf;
}

lathe_result rec_table_in(const rec_table *from, const char *name, const char *where, rec_table *g,
                          bool *is, lathe_error *err)
{
    const void *node;
    lathe_value leaf = rec_table_value(from, NULL, name, 0, &node);
    *is = leaf.kind != LATHE_KIND_NONE;
    if (!*is)
        return LATHE_OK;
    if (!node)
        return rec_table_at(from,
                            error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a table expected"),
                            err, "%s", name);
    open(g, from->inner, node, where);
    return LATHE_OK;
}

/* ---- errors -------------------------------------------------------------------------------------------- */

lathe_result rec_table_at(const rec_table *g, lathe_result r, lathe_error *err, const char *fmt,
                          ...)
{
    char where[sizeof err->where];
    va_list args;
    int n = g->where ? snprintf(where, sizeof where, "%s.", g->where) : 0;
    va_start(args, fmt);
    vsnprintf(where + n, sizeof where - (size_t)n, fmt, args);
    va_end(args);
    if (r != LATHE_OK)
        error_where(err, where);
    return r;
}

static const char *next_known(void *user, size_t i)
{
    const char *const *known = user;
    return known[i];
}

static const char *list_of(const char *const *known, char *all, size_t cap)
{
    size_t n = 0;
    all[0] = 0;
    for (size_t i = 0; known[i] && n < cap; i++)
        n += (size_t)snprintf(all + n, cap - n, "%s%s", i ? ", " : "", known[i]);
    return all;
}

lathe_result rec_table_names(const rec_table *g, const void *node, const char *what,
                             const char *const *known, lathe_error *err)
{
    const char *name;
    if (!g->api.name)
        return LATHE_OK;
    for (uint64_t i = 0; (name = g->api.name(g->api.user, node, i)) != NULL; i++) {
        size_t k = 0;
        while (known[k] && strcmp(known[k], name) != 0)
            k++;
        if (known[k])
            continue;
        const char *near = error_nearest(name, next_known, (void *)(uintptr_t)known);
        char all[200];
        if (!near)
            near = list_of(known, all, sizeof all);
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         near == all ? "no field '%s' in %s, which has %s"
                                     : "no field '%s' in %s; did you mean '%s'?",
                         name, what, near);
    }
    return LATHE_OK;
}

/* ---- values -------------------------------------------------------------------------------------------- */

lathe_result rec_table_bool(const rec_table *g, const char *name, bool *out, lathe_error *err)
{
    const void *child;
    lathe_value v = rec_table_value(g, NULL, name, 0, &child);
    if (v.kind == LATHE_KIND_BOOL)
        *out = v.as.b;
    else if (v.kind != LATHE_KIND_NONE)
        return rec_table_at(
            g, error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "true or false expected"), err, "%s",
            name);
    return LATHE_OK;
}

lathe_result rec_plain_text(const lathe_value *v, rec_key *out, lathe_error *err)
{
    *out = (rec_key){NULL, 0};
    if (v->kind != LATHE_KIND_STRING)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a string expected");
    if (v->as.s.n && memchr(v->as.s.p, 0, v->as.s.n))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "text that contains its terminator, the byte 0x00");
    *out = (rec_key){v->as.s.p, v->as.s.n};
    return LATHE_OK;
}

lathe_result rec_table_text(const rec_table *g, const char *name, rec_key *out, lathe_error *err)
{
    const void *child;
    lathe_value v = rec_table_value(g, NULL, name, 0, &child);
    *out = (rec_key){NULL, 0};
    return v.kind == LATHE_KIND_NONE
               ? LATHE_OK
               : rec_table_at(g, rec_plain_text(&v, out, err), err, "%s", name);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

typedef struct reader {
    const rec_table *g;
    rec_table_list *out;
    const void *list;
    uint64_t columns; /* of each row; 0: a flat list */
    lathe_error *err;
} reader;

static lathe_result put(const reader *in, const void *node, uint64_t i, bool *good)
{
    const void *child;
    lathe_value v = rec_table_value(in->g, node, NULL, i, &child);
    double number;
    *good = !child && rec_number(&v, &number);
    if (!*good)
        return LATHE_OK;
    float f = (float)number;
    in->out->count++;
    return buf_put(&in->out->floats, &f, sizeof f) ? LATHE_OK : rec_no_memory(in->err);
}

static lathe_result put_row(const reader *in, uint64_t i)
{
    const void *row;
    bool good = true;
    rec_table_value(in->g, in->list, NULL, i, &row);
    lathe_result r = LATHE_OK;
    good = row && rec_table_count(in->g, row) == in->columns;
    for (uint64_t k = 0; r == LATHE_OK && good && k < in->columns; k++)
        r = put(in, row, k, &good);
    return good ? r
                : error_set(in->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                            "row %llu: %llu numbers expected", (unsigned long long)i + 1,
                            (unsigned long long)in->columns);
}

static lathe_result put_all(const reader *in)
{
    uint64_t n = rec_table_count(in->g, in->list);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        bool good = true;
        r = in->columns ? put_row(in, i) : put(in, in->list, i, &good);
        if (!good)
            r = error_set(in->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                          "element %llu: a number expected", (unsigned long long)i + 1);
    }
    return r;
}

lathe_result rec_table_numbers(const rec_table *g, const char *name, uint64_t columns,
                               rec_table_list *numbers, lathe_error *err)
{
    const void *row = NULL;
    reader in = {.g = g, .out = numbers, .err = err};
    lathe_value leaf = rec_table_value(g, NULL, name, 0, &in.list);
    numbers->is = leaf.kind != LATHE_KIND_NONE;
    numbers->count = 0;
    if (!numbers->is)
        return LATHE_OK;
    if (!in.list)
        return rec_table_at(g,
                            error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                                      "a buffer or a list of numbers expected"),
                            err, "%s", name);
    const char *odd = g->api.name ? g->api.name(g->api.user, in.list, 0) : NULL;
    if (odd)
        return rec_table_at(g,
                            error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                                      "a list of numbers expected, which has no field '%s'", odd),
                            err, "%s", name);
    rec_table_value(g, in.list, NULL, 0, &row);
    if (row)
        in.columns = columns ? columns : rec_table_count(g, row);
    return rec_table_at(g, put_all(&in), err, "%s", name);
}
