/* Reads types from nested values in the form of doc.types: a type's body has only the parts that are given. */
#include "tagfile/list.h"
#include "tagfile/types_write.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct given {
    lathe_doc *doc;
    const lathe_source *source;
    lathe_error *err;
    char where[96]; /* "types[5].members[2]" */
} given;

static lathe_result fail(const given *g, const char *name, const char *what)
{
    char where[160];
    snprintf(where, sizeof where, "%s%s%s", g->where, name ? "." : "", name ? name : "");
    error_set(g->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s", what);
    error_where(g->err, where);
    return LATHE_ERR_TYPE;
}

static bool get(const given *g, const void *node, const char *name, lathe_value *leaf,
                const void **child)
{
    leaf->kind = LATHE_KIND_NONE;
    *child = NULL;
    return g->source->get(g->source->user, node, name, 0, leaf, child) &&
           leaf->kind != LATHE_KIND_NONE && leaf->kind != LATHE_KIND_NULL;
}

/* ---- values --------------------------------------------------------------------------------------------- */

static lathe_result number(const given *g, const void *node, const char *name, uint64_t most,
                           bool *has, uint64_t *out)
{
    lathe_value v;
    const void *child;
    double f;
    *out = 0;
    *has = get(g, node, name, &v, &child);
    if (!*has)
        return LATHE_OK;
    if (v.kind == LATHE_KIND_INT && v.as.i >= 0) {
        *out = (uint64_t)v.as.i;
    } else if (v.kind == LATHE_KIND_UINT) {
        *out = v.as.u;
    } else if (rec_number(&v, &f) && f >= 0 && f <= 9007199254740992.0 &&
               f == (double)(uint64_t)f) {
        *out = (uint64_t)f;
    } else {
        return fail(g, name, "a number expected that is not negative");
    }
    return *out <= most ? LATHE_OK : fail(g, name, "a number of 32 bits expected");
}

static lathe_result number32(const given *g, const void *node, const char *name, bool *has,
                             uint32_t *out)
{
    uint64_t v;
    lathe_result r = number(g, node, name, UINT32_MAX, has, &v);
    *out = (uint32_t)v;
    return r;
}

static lathe_result needed32(const given *g, const void *node, const char *name, uint32_t *out)
{
    bool has;
    lathe_result r = number32(g, node, name, &has, out);
    return r != LATHE_OK || has ? r : fail(g, name, "a number expected");
}

static lathe_result text(const given *g, const void *node, const char *name, bool *has,
                         const char **out)
{
    lathe_value v;
    const void *child;
    *has = get(g, node, name, &v, &child) && !(v.kind == LATHE_KIND_BOOL && !v.as.b);
    *out = NULL;
    if (!*has)
        return LATHE_OK;
    if (v.kind != LATHE_KIND_STRING || memchr(v.as.s.p, 0, v.as.s.n))
        return fail(g, name, "a string without zeros expected");
    char *copy = arena_zalloc(&g->doc->arena, v.as.s.n + 1);
    if (!copy)
        return rec_no_memory(g->err);
    memcpy(copy, v.as.s.p, v.as.s.n);
    *out = copy;
    return LATHE_OK;
}

static lathe_result needed_text(const given *g, const void *node, const char *name,
                                const char **out)
{
    bool has;
    lathe_result r = text(g, node, name, &has, out);
    return r != LATHE_OK || has ? r : fail(g, name, "a string expected");
}

/* Fails for names that such a table does not have. */
static lathe_result check_names(const given *g, const void *node, const rec_type *type)
{
    const char *name;
    char what[128];
    if (!g->source->name)
        return LATHE_OK;
    for (uint64_t i = 0; (name = g->source->name(g->source->user, node, i)) != NULL; i++) {
        uint32_t k = 0, n = rec_row_count(type);
        while (k < n && strcmp(rec_row_name(rec_row(type, k)), name) != 0)
            k++;
        snprintf(what, sizeof what, "%s has no field '%.60s'", rec_type_name(type), name);
        if (k == n)
            return fail(g, NULL, what);
    }
    return LATHE_OK;
}

/* ---- lists ---------------------------------------------------------------------------------------------- */

typedef struct list {
    const void *node;
    uint32_t n;
    bool has;
} list;

static lathe_result open_list(const given *g, const void *node, const char *name, uint32_t most,
                              list *out)
{
    lathe_value v;
    *out = (list){0};
    out->has = get(g, node, name, &v, &out->node);
    if (!out->has)
        return LATHE_OK;
    if (!out->node)
        return fail(g, name, "a list expected");
    uint64_t n = g->source->count(g->source->user, out->node);
    out->n = (uint32_t)n;
    return n <= most ? LATHE_OK : fail(g, name, "more elements than a type has");
}

/* Opens element i of a list, which must be a table. */
static lathe_result open_item(given *g, const char *of, const char *name, const list *l, uint32_t i,
                              const void **node)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    *node = NULL;
    snprintf(g->where, sizeof g->where, "%s.%s[%u]", of, name, i + 1);
    bool found = l->node && g->source->get(g->source->user, l->node, NULL, i, &v, node);
    return found && *node ? LATHE_OK : fail(g, NULL, "a table expected");
}

static lathe_result read_arguments(given *g, const char *of, const void *node, tag_type *t)
{
    list l;
    const void *one;
    bool has;
    lathe_result r = open_list(g, node, "arguments", 0xFFFF, &l);
    tag_arg *args = r == LATHE_OK ? arena_zalloc(&g->doc->arena, (l.n + 1) * sizeof *args) : NULL;
    if (r == LATHE_OK && !args)
        r = rec_no_memory(g->err);
    for (uint32_t i = 0; r == LATHE_OK && i < l.n; i++) {
        r = open_item(g, of, "arguments", &l, i, &one);
        if (r == LATHE_OK)
            r = check_names(g, one, &tag_list_argument);
        if (r == LATHE_OK)
            r = needed_text(g, one, "name", &args[i].name);
        if (r == LATHE_OK)
            r = number(g, one, "value", UINT64_MAX, &has, &args[i].value);
        if (r == LATHE_OK && !has)
            r = fail(g, "value", "a number expected");
    }
    t->args = args;
    t->args_n = l.n;
    snprintf(g->where, sizeof g->where, "%s", of);
    return r;
}

static lathe_result read_member(given *g, const void *node, tag_member *m)
{
    bool has = false;
    lathe_result r = check_names(g, node, &tag_list_member);
    if (r == LATHE_OK)
        r = needed_text(g, node, "name", &m->name);
    if (r == LATHE_OK)
        r = needed32(g, node, "flags", &m->flags);
    if (r == LATHE_OK)
        r = number32(g, node, "extra", &has, &m->extra);
    if (r == LATHE_OK && has != ((m->flags & TAG_EXTRA) != 0))
        r = fail(g, "extra", "there where flags have 128, else not");
    if (r == LATHE_OK)
        r = needed32(g, node, "offset", &m->offset);
    return r == LATHE_OK ? needed32(g, node, "type", &m->type) : r;
}

static lathe_result read_members(given *g, const char *of, const char *name, const list *l,
                                 tag_member *to)
{
    lathe_result r = LATHE_OK;
    const void *one;
    for (uint32_t i = 0; r == LATHE_OK && i < l->n; i++) {
        r = open_item(g, of, name, l, i, &one);
        if (r == LATHE_OK)
            r = read_member(g, one, &to[i]);
    }
    snprintf(g->where, sizeof g->where, "%s", of);
    return r;
}

static lathe_result read_all_members(given *g, const char *of, const void *node, tag_type *t)
{
    list members, properties;
    lathe_result r = open_list(g, node, "members", 0xFFFF, &members);
    if (r == LATHE_OK)
        r = open_list(g, node, "properties", 0xFFFF, &properties);
    if (r != LATHE_OK)
        return r;
    tag_member *all =
        arena_zalloc(&g->doc->arena, ((size_t)members.n + properties.n + 1) * sizeof *all);
    if (!all)
        return rec_no_memory(g->err);
    t->members = all;
    t->members_n = members.n;
    t->properties_n = properties.n;
    t->opt |= members.has || properties.has ? TAG_MEMBERS : 0;
    r = read_members(g, of, "members", &members, all);
    return r == LATHE_OK ? read_members(g, of, "properties", &properties, all + members.n) : r;
}

static lathe_result read_interfaces(given *g, const char *of, const void *node, tag_type *t)
{
    list l;
    const void *one;
    lathe_result r = open_list(g, node, "interfaces", 0xFFFF, &l);
    tag_interface *all =
        r == LATHE_OK ? arena_zalloc(&g->doc->arena, (l.n + 1) * sizeof *all) : NULL;
    if (r == LATHE_OK && !all)
        r = rec_no_memory(g->err);
    for (uint32_t i = 0; r == LATHE_OK && i < l.n; i++) {
        r = open_item(g, of, "interfaces", &l, i, &one);
        if (r == LATHE_OK)
            r = check_names(g, one, &tag_list_interface);
        if (r == LATHE_OK)
            r = needed32(g, one, "type", &all[i].type);
        if (r == LATHE_OK)
            r = needed32(g, one, "offset", &all[i].offset);
    }
    t->interfaces = all;
    t->interfaces_n = l.n;
    t->opt |= l.has ? TAG_INTERFACES : 0;
    snprintf(g->where, sizeof g->where, "%s", of);
    return r;
}

/* ---- types ---------------------------------------------------------------------------------------------- */

static lathe_result read_facts(const given *g, const void *node, tag_type *t)
{
    const struct {
        const char *name;
        uint32_t what;
        uint32_t *to;
    } facts[] = {
        {"format", TAG_FORMAT, &t->format},         {"sub_type", TAG_SUB_TYPE, &t->sub_type},
        {"version", TAG_VERSION, &t->version},      {"size", TAG_SIZE, &t->size},
        {"alignment", TAG_SIZE, &t->alignment},     {"flags", TAG_FLAGS, &t->flags},
        {"mutable_info", TAG_MUTABLE, &t->mutable_}};
    bool has = false, parent;
    lathe_result r = number32(g, node, "parent", &parent, &t->parent);
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(facts); i++) {
        r = number32(g, node, facts[i].name, &has, facts[i].to);
        t->opt |= has ? facts[i].what : 0;
    }
    if (r == LATHE_OK)
        r = text(g, node, "attribute", &has, &t->attribute);
    t->opt |= has ? TAG_ATTRIBUTE : 0;
    if (r == LATHE_OK)
        r = number32(g, node, "hash", &has, &t->hash);
    if (r == LATHE_OK && has)
        r = number32(g, node, "hash_number", &has, &t->hashed);
    if (r == LATHE_OK && has && !t->hashed)
        r = fail(g, "hash_number", "a number from 1 on expected");
    t->body = parent;
    return r;
}

static lathe_result read_type(given *g, uint32_t id, const void *node, tag_type *t)
{
    char of[32];
    bool has;
    lathe_value v;
    const void *child;
    snprintf(of, sizeof of, "types[%u]", id);
    lathe_result r = check_names(g, node, &tag_list_type);
    if (r == LATHE_OK)
        r = needed_text(g, node, "name", &t->name);
    if (r == LATHE_OK)
        r = read_facts(g, node, t);
    if (r == LATHE_OK)
        r = read_arguments(g, of, node, t);
    if (r == LATHE_OK)
        r = read_all_members(g, of, node, t);
    if (r == LATHE_OK)
        r = read_interfaces(g, of, node, t);
    has = get(g, node, "hash", &v, &child);
    if (r == LATHE_OK && has && !t->hashed)
        t->hashed = UINT32_MAX; /* after those with a given position */
    if (r == LATHE_OK && t->opt && !t->body)
        r = fail(g, "parent", "a type's number or 0 expected: the type has more than a name");
    return r;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static lathe_result sort_hashes(given *g, tag_types *t)
{
    uint64_t *keys = arena_zalloc(&g->doc->arena, t->count * sizeof *keys);
    t->hashes = arena_zalloc(&g->doc->arena, t->count * sizeof *t->hashes);
    if (!keys || !t->hashes)
        return rec_no_memory(g->err);
    for (uint32_t id = 1; id < t->count; id++)
        if (t->all[id].hashed)
            keys[t->hashes_n++] = (uint64_t)t->all[id].hashed << 32 | id;
    if (t->hashes_n)
        qsort(keys, t->hashes_n, sizeof *keys, by_key);
    for (uint32_t i = 0; i < t->hashes_n; i++) {
        t->hashes[i] = (uint32_t)keys[i];
        t->all[t->hashes[i]].hashed = i + 1;
    }
    return LATHE_OK;
}

lathe_result tag_types_given(lathe_doc *doc, const lathe_source *source, const void *node,
                             tag_types **out, lathe_error *err)
{
    given g = {.doc = doc, .source = source, .err = err, .where = "types"};
    uint64_t n = source->count(source->user, node);
    tag_types *t = arena_zalloc(&doc->arena, sizeof *t);
    const list all = {node, (uint32_t)n, true};
    const void *one;
    lathe_result r = LATHE_OK;
    if (n >= TAG_ITEM_TYPES)
        return fail(&g, NULL, "more types than items can name");
    if (t)
        t->all = arena_zalloc(&doc->arena, ((size_t)n + 1) * sizeof *t->all);
    if (!t || !t->all)
        return rec_no_memory(err);
    t->count = (uint32_t)n + 1;
    t->all[0].name = "";
    for (uint32_t id = 1; r == LATHE_OK && id < t->count; id++) {
        lathe_value v = {.kind = LATHE_KIND_NONE};
        one = NULL;
        snprintf(g.where, sizeof g.where, "types[%u]", id);
        source->get(source->user, all.node, NULL, id - 1, &v, &one);
        r = one ? read_type(&g, id, one, &t->all[id]) : fail(&g, NULL, "a table expected");
    }
    if (r == LATHE_OK)
        r = sort_hashes(&g, t);
    *out = t;
    return r;
}
