/* Values that a C program gives to a verb or to a new document: trees of constants, read through lathe_source. */
#ifndef LATHE_GIVEN_H
#define LATHE_GIVEN_H

#include "lathe.h"

#include <stddef.h>
#include <string.h>

/* A value; or, with .list, a record or an array of such; or, with .floats or .numbers, an array of numbers. */
typedef struct given {
    const char *name;
    lathe_value v;
    const struct given *list;
    const float *floats;
    const uint32_t *numbers;
    size_t n; /* of any of the three */
} given;

#define GIVEN_COUNT(array) (sizeof(array) / sizeof *(array))
#define GIVEN_REAL(number)                                                                         \
    {                                                                                              \
        .kind = LATHE_KIND_REAL, .as.f = (number)                                                  \
    }
#define GIVEN_INT(number)                                                                          \
    {                                                                                              \
        .kind = LATHE_KIND_INT, .as.i = (number)                                                   \
    }
#define GIVEN_TEXT(text)                                                                           \
    {                                                                                              \
        .kind = LATHE_KIND_STRING, .as.s = {(text), sizeof(text) - 1 }                             \
    }

/* Members of a given that has others: records, or a list of them; numbers. */
#define GIVEN_LIST(...)                                                                            \
    .list = (const given[]){__VA_ARGS__}, .n = sizeof(const given[]){__VA_ARGS__} / sizeof(given)
#define GIVEN_FLOATS(...)                                                                          \
    .floats = (const float[]){__VA_ARGS__}, .n = sizeof(const float[]){__VA_ARGS__} / sizeof(float)

static bool given_leaf(const given *g, lathe_value *leaf, const void **child)
{
    *leaf = g->v;
    if (!g->list && !g->floats && !g->numbers)
        return true;
    leaf->kind = g->list && g->n && g->list->name ? LATHE_KIND_RECORD : LATHE_KIND_ARRAY;
    *child = g;
    return true;
}

static bool given_get(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                      const void **child)
{
    const given *g = node ? node : user;
    *child = NULL;
    leaf->kind = LATHE_KIND_NONE;
    if (name) {
        for (size_t k = 0; g->list && k < g->n; k++)
            if (g->list[k].name && strcmp(g->list[k].name, name) == 0)
                return given_leaf(&g->list[k], leaf, child);
        return false;
    }
    if (i >= g->n)
        return false;
    if (g->list)
        return given_leaf(&g->list[i], leaf, child);
    if (g->floats)
        *leaf = (lathe_value)GIVEN_REAL((double)g->floats[i]);
    else
        *leaf = (lathe_value){.kind = LATHE_KIND_UINT, .as.u = g->numbers[i]};
    return true;
}

static uint64_t given_count(void *user, const void *node)
{
    const given *g = node ? node : user;
    return g->list && g->n && g->list->name ? 0 : g->n;
}

static const char *given_name(void *user, const void *node, uint64_t i)
{
    const given *g = node ? node : user;
    return g->list && i < g->n ? g->list[i].name : NULL;
}

static inline lathe_source given_source(const given *top)
{
    given *user; /* nobody writes to it */
    memcpy(&user, &top, sizeof user);
    return (lathe_source){.size = sizeof(lathe_source),
                          .user = user,
                          .get = given_get,
                          .count = given_count,
                          .name = given_name};
}

/* The same without the names of its fields, as a host may write it. */
static inline lathe_source given_nameless(const given *top)
{
    lathe_source source = given_source(top);
    source.size = offsetof(lathe_source, name);
    return source;
}

/* Calls a verb of a document. */
static inline lathe_result given_call(lathe_doc *doc, const char *verb, const given *args,
                                      lathe_error *err)
{
    const lathe_source source = given_nameless(args);
    return lathe_view_call(lathe_doc_root(doc), verb, &source, NULL, err);
}

#endif
