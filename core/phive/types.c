/* Collects the types of a variant from the table of classes, and numbers and orders them. tagfile/ writes
 * them. */
#include "phive/types.h"

#include "phive/types_table.h"
#include "tagfile/types_write.h"

enum { MOST_TYPES = 96, MOST_MEMBERS = 256, MOST_ARGS = 2, FIRST = 1 };

typedef struct maker {
    uint8_t variant;
    const phive_class *classes[MOST_TYPES]; /* by number, as the following arrays */
    tag_type types[MOST_TYPES];
    tag_arg args[MOST_TYPES][MOST_ARGS];
    tag_member members[MOST_MEMBERS];
    uint32_t count, members_n;
    uint32_t queue[MOST_TYPES], queue_n,
        done_n; /* number of types whose parents and members were visited */
    bool queued[MOST_TYPES];
    uint32_t hashes[MOST_TYPES], hashes_n;
} maker;

static bool is_in(const maker *m, uint8_t in)
{
    return !in || in & m->variant;
}

static const phive_class *class_of(const maker *m, const char *name)
{
    const phive_class *c = phive_classes;
    while (c->name && !(is_in(m, c->in) && strcmp(c->name, name) == 0))
        c++;
    return c->name ? c : NULL;
}

/* The number of a type. A new type gets the next number, and its template arguments those after it. Templates
 * in the table are nested at most twice. 0: none, or too many types. */
static uint32_t number_of(maker *m, const char *name)
{
    uint32_t id = FIRST;
    while (id < m->count && (!name || strcmp(m->classes[id]->name, name) != 0))
        id++;
    if (id < m->count)
        return id;
    const phive_class *c = name ? class_of(m, name) : NULL;
    if (!c || m->count == MOST_TYPES)
        return 0;
    m->classes[m->count++] = c;
    for (uint32_t i = 0; i < MOST_ARGS && c->args[i].name; i++)
        if (c->args[i].type)
            number_of(m, c->args[i].type);
    return id;
}

static uint32_t meet(maker *m, const char *name)
{
    uint32_t id = number_of(m, name);
    if (id && !m->queued[id]) {
        m->queued[id] = true;
        m->queue[m->queue_n++] = id;
    }
    return id;
}

/* ---- content of a type ---------------------------------------------------------------------------------- */

static void take_members(maker *m, const phive_class *c, tag_type *t)
{
    t->members = m->members + m->members_n;
    for (uint32_t i = 0; i < c->members_n && m->members_n < MOST_MEMBERS; i++) {
        const phive_class_member *of = &c->members[i];
        if (!is_in(m, of->in))
            continue;
        m->members[m->members_n++] =
            (tag_member){of->name, of->flags, 0, of->offset, meet(m, of->type)};
        t->members_n++;
    }
}

/* Visits a type from the queue: first its parent, then the element of an inline array, then the types of its
 * members. */
static void take_body(maker *m, uint32_t id)
{
    const phive_class *c = m->classes[id];
    tag_type *t = &m->types[id];
    bool in_line = (c->format & TAG_KIND_MASK) == TAG_ARRAY && c->format & TAG_INLINE;
    t->parent = meet(m, c->parent);
    t->sub_type = in_line ? meet(m, c->sub_type) : number_of(m, c->sub_type);
    take_members(m, c, t);
    t->format = c->format;
    t->version = c->version;
    t->size = c->size;
    t->alignment = c->alignment;
    t->flags = c->flags;
    t->opt = (c->format ? TAG_FORMAT | TAG_SIZE : 0u) | (c->sub_type ? TAG_SUB_TYPE : 0u) |
             (c->version ? TAG_VERSION : 0u) | (c->flags ? TAG_FLAGS : 0u) |
             (c->format == TAG_RECORD || c->members_n ? TAG_MEMBERS : 0u);
    t->body = c->parent || c->format ? 1 : 0;
}

static void take_name(maker *m, uint32_t id)
{
    const phive_class *c = m->classes[id];
    tag_type *t = &m->types[id];
    t->name = c->template ? c->template : c->name;
    t->args = m->args[id];
    for (; t->args_n < MOST_ARGS && c->args[t->args_n].name; t->args_n++) {
        const phive_class_arg *of = &c->args[t->args_n];
        m->args[id][t->args_n] =
            (tag_arg){of->name, of->type ? number_of(m, of->type) : of->number};
    }
}

/* Visits the types of items, each followed by everything it refers to. */
static void take_types(maker *m)
{
    for (const phive_root *r = phive_roots; r->type; r++) {
        if (!is_in(m, r->in))
            continue;
        uint32_t id = meet(m, r->type);
        m->hashes[m->hashes_n++] = id;
        m->types[id].hash = m->classes[id]->hash;
        m->types[id].hashed = m->hashes_n;
        for (; m->done_n < m->queue_n; m->done_n++)
            take_body(m, m->queue[m->done_n]);
    }
    for (uint32_t id = FIRST; id < m->count; id++)
        take_name(m, id);
}

bool phive_types_bytes(const mem *memory, int variant, buf *out)
{
    if (variant < 21 || variant > 23)
        return false;
    maker *m = mem_zalloc(memory, sizeof *m);
    if (!m)
        return false;
    m->variant = (uint8_t)(PHIVE_21 << (variant - 21));
    m->count = FIRST;
    take_types(m);
    tag_types types = {
        .all = m->types, .count = m->count, .hashes = m->hashes, .hashes_n = m->hashes_n};
    /* The only known section, of variant 21, has no slots for types with hashes. Whether others have is
     * unknown; one slot for each type is always enough. */
    types.slots = variant == 21 ? 0 : m->count;
    bool done = tag_types_write(memory, &types, TAG_MODERN, out);
    mem_free(memory, m, sizeof *m);
    return done;
}
