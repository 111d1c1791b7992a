/* Reads nested values from a lathe_source: fields of a record, elements of an array, and keyed arrays given as tables
 * of names. */
#include "record/record.h"

#include <stdlib.h>

bool rec_source_value(const rec_from *from, const rec_at *at, uint32_t slot, lathe_value *leaf,
                      const void **child)
{
    const lathe_source *s = from->source;
    *child = NULL;
    leaf->kind = LATHE_KIND_NONE;
    if (!s || (from->tag && strcmp(from->tag, at->layout->slots[slot].name) == 0))
        return false;
    if (s->get(s->user, from->node, at->layout->slots[slot].name, 0, leaf, child) &&
        leaf->kind != LATHE_KIND_NONE)
        return true;
    return slot < rec_lanes(at->layout->type) &&
           s->get(s->user, from->node, NULL, slot, leaf, child) && leaf->kind != LATHE_KIND_NONE;
}

/* Whether the value of one row can be copied to another row of its name: number to number, text to text. */
static bool kindred(const rec_field *a, const rec_field *b)
{
    return a == b || (rec_is_array(a) == rec_is_array(b) && rec_row_codec(a) == rec_row_codec(b) &&
                      (a->kind == b->kind || (rec_width(a->kind) && rec_width(b->kind))));
}

/* The corresponding row of the base record, if present. A fresh record copies only rows that cannot be set. */
bool rec_base_row(const rec_from *from, const rec_at *at, uint32_t slot, uint32_t *base_slot)
{
    bool present = false;
    if (!from->base || (from->fresh && !(at->layout->slots[slot].row->flags & REC_READONLY)))
        return false;
    *base_slot = from->base->layout->type == at->layout->type
                     ? from->base->layout->slots[slot].same
                     : rec_slot_find(from->base->layout, at->layout->slots[slot].name);
    return *base_slot != REC_NO_SLOT &&
           kindred(at->layout->slots[slot].row, from->base->layout->slots[*base_slot].row) &&
           rec_present(from->base, *base_slot, &present, NULL) == LATHE_OK && present;
}

static const char *next_row(void *user, size_t i)
{
    const rec_type *const *type = user;
    return i < rec_row_count(*type) ? rec_row_name(rec_row(*type, (uint32_t)i)) : NULL;
}

static const char *next_type(void *user, size_t i)
{
    const lathe_format *const *format = user;
    const rec_type *type = (*format)->types ? (*format)->types(i) : NULL;
    return type ? rec_type_name(type) : NULL;
}

/* The name under which tables give the type of a polymorphic element. For use with a new part, which is not attached
 * to a row yet. NULL for other records. */
static const char *tag_of_polymorphic(const rec_at *at)
{
    const rec_type *top = at->doc->containers[at->layout->container].format->root;
    for (uint32_t i = 0; !at->off && i < rec_row_count(top); i++)
        if (rec_row_tag(rec_row(top, i)))
            return rec_row_tag(rec_row(top, i));
    return NULL;
}

static const char *next_own_type(void *user, size_t i)
{
    const rec_type *type = rec_doc_own_type(user, i, NULL);
    return type ? rec_type_name(type) : NULL;
}

/* The error for an unknown field. In an element of an undescribed type, the name of the type may be misspelt
 * instead. */
static lathe_result no_such_field(const rec_at *at, const rec_from *from, const char *name,
                                  lathe_error *err)
{
    const rec_type *type = at->layout->type;
    const lathe_format *format = at->doc->containers[at->layout->container].format;
    lathe_value tag = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    char called[64];
    const char *tag_name = from->tag ? from->tag : tag_of_polymorphic(at);
    if (tag_of_polymorphic(at) &&
        from->source->get(from->source->user, from->node, tag_name, 0, &tag, &child) &&
        tag.kind == LATHE_KIND_STRING && tag.as.s.n < sizeof called) {
        memcpy(called, tag.as.s.p, tag.as.s.n);
        called[tag.as.s.n] = 0;
        const char *meant =
            strcmp(called, rec_type_name(type)) ? error_nearest(called, next_type, &format) : NULL;
        if (strcmp(called, rec_type_name(type)) && format->own_type) {
            meant = error_nearest(called, next_own_type, at->doc);
            return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME,
                            meant ? "the file describes no type '%s'; did you mean '%s'?"
                                  : "the file describes no type '%s'",
                            called, meant);
        }
        if (strcmp(called, rec_type_name(type)))
            return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME,
                            meant ? "no type '%s' is described; did you mean '%s'?"
                                  : "no type '%s' is known: give its bytes",
                            called, meant);
    }
    const char *holder = rec_holder(type, name), *near = error_nearest(name, next_row, &type);
    if (holder)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME,
                        "no field '%s' in %s; did you mean %s = { %s = … }?", name,
                        rec_type_name(type), holder, name);
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME,
                    near ? "no field '%s' in %s; did you mean '%s'?" : "no field '%s' in %s", name,
                    rec_type_name(type), near);
}

/* Checks a list without names: it needs all components of a vector, except for trailing ones that have a default
 * hook. */
static lathe_result check_count(const rec_at *at, uint64_t given, lathe_error *err)
{
    uint32_t lanes = rec_lanes(at->layout->type), least = lanes;
    unsigned long long n = (unsigned long long)given;
    while (least && rec_row_rare(rec_row(at->layout->type, least - 1))->init_fn)
        least--;
    if (!n || (n >= least && n <= lanes))
        return LATHE_OK;
    return lanes
               ? rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_TYPE,
                          "%s has %u numbers, got %llu", rec_type_name(at->layout->type), lanes, n)
               : rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_TYPE,
                          "%s has fields by name, got a list of %llu",
                          rec_type_name(at->layout->type), n);
}

/* Whether a name is the tag that gives the element's type, which is no row. */
static bool is_tag(const rec_at *at, const rec_from *from, const char *name)
{
    const char *tag = from->tag;
    if (!tag && at->layout->type != at->doc->containers[at->layout->container].format->root)
        tag = tag_of_polymorphic(at);
    return tag && strcmp(name, tag) == 0;
}

lathe_result rec_check_names(const rec_at *at, const rec_from *from, lathe_error *err)
{
    const lathe_source *s = from->source;
    const char *name;
    if (!s)
        return LATHE_OK;
    bool names = s->size >= sizeof *s && s->name;
    for (uint64_t i = 0; names && (name = s->name(s->user, from->node, i)) != NULL; i++)
        if (rec_slot_find(at->layout, name) == REC_NO_SLOT && !is_tag(at, from, name))
            return no_such_field(at, from, name, err);
    return names || rec_lanes(at->layout->type)
               ? check_count(at, s->count(s->user, from->node), err)
               : LATHE_OK;
}

void rec_items_in(const rec_slot *slot, const lathe_source *s, const void *node, rec_items *items)
{
    *items = (rec_items){.source = s, .node = node, .count = s->count(s->user, node)};
    if (!rec_row_key(slot->row) || s->size < sizeof *s || !s->name || !s->name(s->user, node, 0))
        return;
    items->named = true;
    for (items->count = 1; s->name(s->user, node, items->count);)
        items->count++;
}

bool rec_items_of(const rec_slot *slot, const rec_from *from, const lathe_value *leaf,
                  const void *child, rec_items *items, rec_at *storage)
{
    *items = (rec_items){0};
    if (leaf->kind != LATHE_KIND_ARRAY && leaf->kind != LATHE_KIND_RECORD)
        return false;
    if (child) {
        rec_items_in(slot, from->source, child, items);
        return true;
    }
    lathe_view v = leaf->as.v;
    rec_loc loc;
    if (leaf->kind != LATHE_KIND_ARRAY || rec_enter(&v, storage, &items->slot, NULL) != LATHE_OK ||
        rec_find(storage, items->slot, &loc, NULL) != LATHE_OK)
        return false;
    items->at = storage;
    items->count = loc.present ? loc.count : 0;
    return true;
}

/* ---- keyed arrays given as tables ------------------------------------------------------------------ */

typedef struct rec_entry {
    size_t name; /* offset in rec_named.names */
    const char *key;
    lathe_value leaf;
    const void *child;
} rec_entry;

static const rec_entry *entry_of(const rec_named *m, const void *node)
{
    const rec_entry *first = m->entries, *e = node;
    return e && first && e >= first && e < first + m->count ? e : NULL;
}

/* A field of the element for an entry. */
static bool entry_get(const rec_named *m, const rec_entry *e, const char *name, lathe_value *leaf,
                      const void **child)
{
    const rec_field *row = m->slot->row;
    const lathe_source *s = m->inner;
    rec_at at;
    uint32_t slot;
    *child = NULL;
    if (name && strcmp(name, rec_row_key(row)) == 0) {
        *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {e->key, strlen(e->key)}};
        return true;
    }
    if (rec_row_value(row))
        return name && strcmp(name, rec_row_value(row)) == 0 &&
               s->get(s->user, m->node, e->key, 0, leaf, child);
    if (e->child)
        return s->get(s->user, e->child, name, 0, leaf, child);
    lathe_view v = e->leaf.as.v;
    if (!name || rec_enter(&v, &at, &slot, NULL) != LATHE_OK)
        return false;
    slot = rec_slot_find(at.layout, name);
    return slot != REC_NO_SLOT && !rec_unstored(at.layout->slots[slot].row) &&
           rec_get(&at, slot, true, leaf, NULL) == LATHE_OK;
}

static bool named_get(void *user, const void *node, const char *name, uint64_t index,
                      lathe_value *leaf, const void **child)
{
    const rec_named *m = user;
    const rec_entry *e = entry_of(m, node);
    if (e)
        return entry_get(m, e, name, leaf, child);
    if (node)
        return m->inner->get(m->inner->user, node, name, index, leaf, child);
    if (name || index >= m->count)
        return false;
    leaf->kind = LATHE_KIND_RECORD;
    *child = &m->entries[index];
    return true;
}

static uint64_t named_count(void *user, const void *node)
{
    const rec_named *m = user;
    if (!node)
        return m->count;
    return entry_of(m, node) ? 0 : m->inner->count(m->inner->user, node);
}

static const char *named_name(void *user, const void *node, uint64_t i)
{
    const rec_named *m = user;
    const rec_entry *e = entry_of(m, node);
    if (!e)
        return node ? m->inner->name(m->inner->user, node, i) : NULL;
    if (!rec_row_value(m->slot->row))
        return e->child ? m->inner->name(m->inner->user, e->child, i) : NULL;
    return i == 0 ? rec_row_key(m->slot->row) : i == 1 ? rec_row_value(m->slot->row) : NULL;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const rec_entry *)a)->key, ((const rec_entry *)b)->key);
}

/* Copies the names, because a source may return each in the same buffer. */
static lathe_result take_names(rec_named *m, const void *node, lathe_error *err)
{
    const char *name;
    for (uint64_t i = 0; (name = m->inner->name(m->inner->user, node, i)) != NULL; i++) {
        void *entries = m->entries;
        if (!mem_reserve(m->names.mem, &entries, &m->cap, m->count + 1, sizeof *m->entries))
            return rec_no_memory(err);
        m->entries = entries;
        m->entries[m->count++] = (rec_entry){.name = m->names.size};
        if (!buf_put(&m->names, name, strlen(name) + 1))
            return rec_no_memory(err);
    }
    for (size_t i = 0; i < m->count; i++)
        m->entries[i].key = (const char *)m->names.data + m->entries[i].name;
    qsort(m->entries, m->count, sizeof *m->entries, by_key);
    return LATHE_OK;
}

/* Reads the value of each name. A name with a NUL byte arrives truncated: it finds nothing, or another name's value. */
static lathe_result take_values(rec_named *m, const rec_at *at, uint32_t slot, lathe_error *err)
{
    for (size_t i = 0; i < m->count; i++) {
        rec_entry *e = &m->entries[i];
        if ((i && strcmp(e->key, e[-1].key) == 0) ||
            !m->inner->get(m->inner->user, m->node, e->key, 0, &e->leaf, &e->child))
            return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                            "a key that contains a zero byte can only be given in a list");
        if (!rec_row_value(m->slot->row) && e->leaf.kind != LATHE_KIND_RECORD &&
            (e->leaf.kind != LATHE_KIND_ARRAY || !e->child)) {
            char text[80];
            return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "%s expected for %s",
                            rec_type_name(rec_row_type(m->slot->row)),
                            rec_key_text((rec_key){e->key, strlen(e->key)}, text, sizeof text));
        }
    }
    return LATHE_OK;
}

lathe_result rec_named_open(rec_named *m, const rec_at *at, uint32_t slot, const rec_items *items,
                            lathe_error *err)
{
    *m = (rec_named){.inner = items->source, .slot = &at->layout->slots[slot]};
    m->items = (rec_items){.source = &m->source};
    m->node = items->node;
    m->source = (lathe_source){sizeof m->source, m, named_get, named_count, named_name};
    buf_init(&m->names, &at->doc->mem);
    if (items->source->count(items->source->user, items->node))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                        "a list or a table with keys expected, not a mix");
    lathe_result r = take_names(m, items->node, err);
    if (r == LATHE_OK)
        r = take_values(m, at, slot, err);
    m->items.count = m->count;
    return r;
}

void rec_named_close(rec_named *m)
{
    mem_free(m->names.mem, m->entries, m->cap * sizeof *m->entries);
    buf_free(&m->names);
}
