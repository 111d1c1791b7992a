/* Lists the references in types: see leaves.h. */
#include "tagfile/leaves.h"

enum { MOST_DEPTH = 64, LEAST = 1 << 16 };

struct tag_leaves_part { /* all[from .. from + n] */
    size_t from;
    uint32_t n;
    enum { UNMADE = 0, BEING_MADE, MADE } state;
};

bool tag_leaves_init(tag_leaves *l, const mem *m, const tag_types *types, uint64_t data)
{
    *l = (tag_leaves){.m = m, .types = types, .left = data + LEAST};
    buf_init(&l->all, m);
    l->of = mem_zalloc(m, types->count * sizeof *l->of);
    return l->of != NULL;
}

void tag_leaves_free(tag_leaves *l)
{
    buf_free(&l->all);
    mem_free(l->m, l->of, l->of ? l->types->count * sizeof *l->of : 0);
}

uint32_t tag_leaves_count(const tag_leaves *l, uint32_t id)
{
    return l->of[id].n;
}

static tag_leaf leaf_at(const tag_leaves *l, size_t i)
{
    return ((const tag_leaf *)(const void *)l->all.data)[i];
}

tag_leaf tag_leaf_get(const tag_leaves *l, uint32_t id, uint32_t i)
{
    return leaf_at(l, l->of[id].from + i);
}

/* Adds a reference. References that do not fit count too, because visiting them also takes time. */
static lathe_result put_leaf(tag_leaves *l, tag_leaf leaf, uint64_t size, lathe_error *err)
{
    if (!l->left)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "TYPE: its types say of more references than DATA can hold");
    l->left--;
    if (leaf.offset > size || size - leaf.offset < 4)
        return LATHE_OK; /* outside of the type; opening does not show it either */
    return buf_put(&l->all, &leaf, sizeof leaf) ? LATHE_OK : rec_no_memory(err);
}

/* Copies the references of a type that is inlined at `offset` in another of `size` bytes; they are already
 * listed. */
static lathe_result copy_leaves(tag_leaves *l, uint32_t id, uint64_t offset, uint64_t size,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < l->of[id].n && offset < size; i++) {
        tag_leaf leaf = leaf_at(l, l->of[id].from + i);
        if (leaf.offset > UINT32_MAX - offset)
            continue;
        leaf.offset += (uint32_t)offset;
        r = put_leaf(l, leaf, size, err);
    }
    return r;
}

/* The inlined type that may have references: *id, n times. False: none. */
static bool inner(const tag_types *types, uint32_t *id, uint64_t *n)
{
    const tag_type *t = &types->all[*id];
    *n = 1;
    if (tag_kind_of(t) == TAG_RECORD)
        return true;
    if (tag_kind_of(t) != TAG_ARRAY || !(t->is.format & TAG_INLINE))
        return false;
    *n = t->is.format >> 8;
    *id = t->is.sub_type;
    return *id != 0;
}

static bool is_leaf(const tag_type *t)
{
    tag_kind k = tag_kind_of(t);
    return k == TAG_STRING || k == TAG_POINTER || (k == TAG_ARRAY && !(t->is.format & TAG_INLINE));
}

static lathe_result list(tag_leaves *l, uint32_t id, int depth, lathe_error *err);

/* Lists the references of all types inlined in a type first, to any depth. */
static lathe_result list_inner(tag_leaves *l, uint32_t id, int depth, lathe_error *err)
{
    const tag_type *t = &l->types->all[id];
    uint32_t part = t->is.sub_type;
    lathe_result r = LATHE_OK;
    if (is_leaf(t))
        return LATHE_OK;
    if (tag_kind_of(t) == TAG_ARRAY)
        return part ? list(l, part, depth + 1, err) : LATHE_OK;
    if (t->parent)
        r = list(l, t->parent, depth + 1, err);
    for (uint32_t i = 0; r == LATHE_OK && i < t->members_n; i++)
        if (!(t->members[i].flags & TAG_NOT_SERIALISED))
            r = list(l, t->members[i].type, depth + 1, err);
    return r;
}

static lathe_result put_leaves(tag_leaves *l, uint32_t id, lathe_error *err)
{
    const tag_type *t = &l->types->all[id];
    uint64_t size = t->is.size, n;
    uint32_t part = id;
    lathe_result r = LATHE_OK;
    if (is_leaf(t))
        return put_leaf(l, (tag_leaf){0, id, tag_kind_of(t) == TAG_STRING, tag_is_relative(t)},
                        size, err);
    if (!inner(l->types, &part, &n))
        return LATHE_OK;
    if (tag_kind_of(t) == TAG_ARRAY) {
        uint64_t elem = l->types->all[part].is.size;
        for (uint64_t i = 0; r == LATHE_OK && l->of[part].n && elem && i < n && i * elem < size;
             i++)
            r = copy_leaves(l, part, i * elem, size, err);
        return r;
    }
    if (t->parent)
        r = copy_leaves(l, t->parent, 0, size, err);
    for (uint32_t i = 0; r == LATHE_OK && i < t->members_n; i++)
        if (!(t->members[i].flags & TAG_NOT_SERIALISED))
            r = copy_leaves(l, t->members[i].type, t->members[i].offset, size, err);
    return r;
}

static lathe_result list(tag_leaves *l, uint32_t id, int depth, lathe_error *err)
{
    tag_leaves_part *p = &l->of[id];
    if (p->state == MADE || !l->types->all[id].is.has_format)
        return LATHE_OK;
    if (p->state == BEING_MADE || depth > MOST_DEPTH)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "TYPE: type %u holds itself, or is nested deeper than %d", id, MOST_DEPTH);
    p->state = BEING_MADE;
    lathe_result r = list_inner(l, id, depth, err);
    p->from = l->all.size / sizeof(tag_leaf);
    if (r == LATHE_OK)
        r = put_leaves(l, id, err);
    p->n = (uint32_t)(l->all.size / sizeof(tag_leaf) - p->from);
    p->state = r == LATHE_OK ? MADE : UNMADE; /* another call gives the same error */
    return r;
}

lathe_result tag_leaves_list(tag_leaves *l, uint32_t id, lathe_error *err)
{
    return list(l, id, 0, err);
}
