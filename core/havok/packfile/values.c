#include "havok/packfile/values.h"

#include <string.h>

typedef struct entry {
    const char *name; /* NULL: of a list */
    lathe_value leaf;
    const hk_node *child;
} entry;

struct hk_node {
    bool list;
    entry *entries;
    size_t n, cap;
};

static hk_node *new_node(hk_values *v, bool list)
{
    hk_node *node = v->failed ? NULL : arena_zalloc(&v->arena, sizeof *node);
    if (node)
        node->list = list;
    else
        v->failed = true;
    return node;
}

void hk_values_open(hk_values *v, const mem *m)
{
    *v = (hk_values){.failed = false};
    arena_init(&v->arena, m);
    v->top = new_node(v, false);
}

void hk_values_close(hk_values *v)
{
    arena_free(&v->arena);
    v->top = NULL;
}

/* ---- putting ---------------------------------------------------------------------------------------------- */

/* Old rooms stay in the arena: they add up to as much again. */
static entry *new_entry(hk_values *v, hk_node *to, const char *name)
{
    if (!to || v->failed)
        return NULL;
    if (to->n == to->cap) {
        size_t cap = to->cap ? to->cap * 2 : 4;
        entry *more = arena_zalloc(&v->arena, cap * sizeof *more);
        if (!more) {
            v->failed = true;
            return NULL;
        }
        if (to->n)
            memcpy(more, to->entries, to->n * sizeof *more);
        to->entries = more;
        to->cap = cap;
    }
    entry *e = &to->entries[to->n++];
    e->name = name;
    return e;
}

static hk_node *put_nested(hk_values *v, hk_node *to, const char *name, bool list)
{
    hk_node *node = new_node(v, list);
    entry *e = node ? new_entry(v, to, name) : NULL;
    if (!e)
        return NULL;
    e->leaf.kind = list ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD;
    e->child = node;
    return node;
}

hk_node *hk_put_table(hk_values *v, hk_node *to, const char *name)
{
    return put_nested(v, to, name, false);
}

hk_node *hk_put_list(hk_values *v, hk_node *to, const char *name)
{
    return put_nested(v, to, name, true);
}

/* Where memory is short, hk_values remembers it. */
static void put_leaf(hk_values *v, hk_node *to, const char *name, lathe_value leaf)
{
    entry *e = new_entry(v, to, name);
    if (e)
        e->leaf = leaf;
}

void hk_put_int(hk_values *v, hk_node *to, const char *name, int64_t i)
{
    put_leaf(v, to, name, (lathe_value){.kind = LATHE_KIND_INT, .as.i = i});
}

void hk_put_uint(hk_values *v, hk_node *to, const char *name, uint64_t u)
{
    put_leaf(v, to, name, (lathe_value){.kind = LATHE_KIND_UINT, .as.u = u});
}

void hk_put_real(hk_values *v, hk_node *to, const char *name, double f)
{
    put_leaf(v, to, name, (lathe_value){.kind = LATHE_KIND_REAL, .as.f = f});
}

void hk_put_word(hk_values *v, hk_node *to, const char *name, const char *text)
{
    hk_put_bytes(v, to, name, text, strlen(text));
}

void hk_put_bytes(hk_values *v, hk_node *to, const char *name, const char *p, size_t n)
{
    put_leaf(v, to, name, (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {p, n}});
}

void hk_put_reals(hk_values *v, hk_node *to, const char *name, const double *f, size_t n)
{
    hk_node *list = hk_put_list(v, to, name);
    for (size_t i = 0; i < n; i++)
        hk_put_real(v, list, NULL, f[i]);
}

/* ---- the source ------------------------------------------------------------------------------------------- */

static const hk_node *node_of(void *user, const void *node)
{
    const hk_values *v = user;
    return node ? node : v->top;
}

static bool get(void *user, const void *in, const char *name, uint64_t index, lathe_value *leaf,
                const void **child)
{
    const hk_node *node = node_of(user, in);
    const entry *e = NULL;
    if (!name && node->list && index < node->n)
        e = &node->entries[index];
    for (size_t i = 0; name && !e && i < node->n; i++)
        if (!node->list && strcmp(node->entries[i].name, name) == 0)
            e = &node->entries[i];
    *child = NULL;
    if (!e)
        return false;
    *leaf = e->leaf;
    *child = e->child;
    return true;
}

static uint64_t count(void *user, const void *in)
{
    const hk_node *node = node_of(user, in);
    return node->list ? node->n : 0;
}

static const char *name_at(void *user, const void *in, uint64_t i)
{
    const hk_node *node = node_of(user, in);
    return !node->list && i < node->n ? node->entries[i].name : NULL;
}

lathe_source hk_values_source(hk_values *v)
{
    return (lathe_source){
        .size = sizeof(lathe_source), .user = v, .get = get, .count = count, .name = name_at};
}
