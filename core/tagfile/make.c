/* Tagfiles made from nested values, shaped like what doc:totable() gives: the types that the file describes, and objects
 * of these. An empty file with the types is opened; objects are put behind each other, their storage behind them; then
 * all is put in the SDK's order (order.c). */
#include "tagfile/order.h"
#include "tagfile/types_write.h"

#include <stdio.h>

enum { ALIGN = 16, MOST_DATA = 0x3F000000 };

typedef struct maker {
    const lathe_source *source;
    lathe_doc *doc; /* what has the types; its container is 0 */
    tag_types *types;
    const void *list; /* the objects */
    uint64_t count;
    rec_at root;        /* for paths in errors */
    uint32_t part;      /* the data */
    uint32_t text;      /* the type of a text's letters, 0: nobody looked */
    const char **names; /* of the types, with their arguments … */
    uint32_t *slots;    /* … and hashed by these: their ids */
    size_t slots_n;
    buf items;
    lathe_error *err;
} maker;

typedef struct record { /* that is written */
    rec_at to;
    rec_from from;
} record;

/* ---- data ----------------------------------------------------------------------------------------------- */

static uint64_t end_of(const maker *m)
{
    return m->doc->parts[m->part].size;
}

static lathe_result append(maker *m, const void *bytes, uint64_t n)
{
    rec_part *p = &m->doc->parts[m->part];
    if (p->size > MOST_DATA || n > MOST_DATA - p->size)
        return error_set(m->err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a section has at most 2^30 - 1 bytes: too much data");
    if (!rec_part_own(m->doc, p, p->size + n))
        return rec_no_memory(m->err);
    if (n && bytes)
        memcpy(p->data + p->size, bytes, (size_t)n);
    else if (n)
        memset(p->data + p->size, 0, (size_t)n);
    p->size += n;
    return LATHE_OK;
}

static lathe_result align(maker *m)
{
    return append(m, NULL, (ALIGN - end_of(m) % ALIGN) % ALIGN);
}

/* The item of storage at the end of the data; the head at `site` holds its number. */
static lathe_result put_item(maker *m, uint64_t site, uint32_t type, uint64_t count)
{
    uint8_t r[TAG_ITEM_SIZE];
    uint32_t number = (uint32_t)(m->items.size / TAG_ITEM_SIZE);
    bytes_st32(r, type | (uint32_t)TAG_STORAGE << 24, false);
    bytes_st32(r + 4, (uint32_t)end_of(m), false);
    bytes_st32(r + 8, (uint32_t)count, false);
    bytes_st32(m->doc->parts[m->part].data + site, number, false);
    return buf_put(&m->items, r, sizeof r) ? LATHE_OK : rec_no_memory(m->err);
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* What is given for a row, or what the record that is copied has. */
static lathe_result value(const maker *m, const record *r, uint32_t slot, lathe_value *leaf,
                          const void **child)
{
    uint32_t from;
    if (rec_given(&r->from, &r->to, slot, leaf, child) ||
        !rec_base_row(&r->from, &r->to, slot, &from))
        return LATHE_OK;
    return rec_get(r->from.base, from, true, leaf, m->err);
}

static lathe_result value_item(const maker *m, const rec_items *l, uint64_t i, lathe_value *leaf,
                               const void **child)
{
    leaf->kind = LATHE_KIND_NONE;
    *child = NULL;
    if (l->at)
        return rec_get_item(l->at, l->slot, i, true, leaf, m->err);
    if (l->source)
        l->source->get(l->source->user, l->node, NULL, i, leaf, child);
    return LATHE_OK;
}

static bool is_null(const lathe_value *v)
{
    return v->kind == LATHE_KIND_NONE || v->kind == LATHE_KIND_NULL ||
           (v->kind == LATHE_KIND_BOOL && !v->as.b);
}

/* Where the fields of a record in another one come from: a table, or nowhere. */
static lathe_result record_from(const maker *m, const rec_at *to, const lathe_source *source,
                                const lathe_value *leaf, const void *child, record *out)
{
    *out = (record){.to = *to, .from = {.skip_parts = true}};
    if (leaf->kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!child || (leaf->kind != LATHE_KIND_RECORD && leaf->kind != LATHE_KIND_ARRAY))
        return rec_fail(to, REC_NO_SLOT, to->off, m->err, LATHE_ERR_TYPE, "a table expected (%s)",
                        to->layout->type->name);
    out->from.source = source;
    out->from.node = child;
    return LATHE_OK;
}

/* ---- pointers ------------------------------------------------------------------------------------------- */

/* A pointer as JSON has it: "objects[12]". */
static bool number_in_path(const lathe_value *v, int64_t *out)
{
    static const char start[] = "objects[";
    size_t n = sizeof start - 1;
    *out = 0;
    if (v->kind != LATHE_KIND_STRING || v->as.s.n <= n || memcmp(v->as.s.p, start, n) != 0)
        return false;
    for (; n < v->as.s.n && v->as.s.p[n] >= '0' && v->as.s.p[n] <= '9' && *out < UINT32_MAX; n++)
        *out = *out * 10 + (v->as.s.p[n] - '0');
    return n + 1 == v->as.s.n && v->as.s.p[n] == ']';
}

static lathe_result put_pointer(maker *m, const record *r, uint32_t slot, uint64_t site,
                                const lathe_value *v)
{
    double f = 0;
    int64_t n;
    if (is_null(v))
        return LATHE_OK;
    if (v->kind == LATHE_KIND_RECORD || v->kind == LATHE_KIND_ARRAY)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_UNSUPPORTED,
                        "an object's number expected: a view points into its own document");
    if (!number_in_path(v, &n)) {
        if (!rec_number(v, &f))
            return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_TYPE,
                            "an object's number or false expected");
        n = f >= 0 && f <= UINT32_MAX && f == (double)(int64_t)f ? (int64_t)f : -1;
    }
    if (n < 0 || (uint64_t)n > m->count)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_RANGE,
                        "no object %.17g: there are %llu", n < 0 ? f : (double)n,
                        (unsigned long long)m->count);
    /* Objects have the first items. */
    bytes_st32(m->doc->parts[m->part].data + site, (uint32_t)n, false);
    return LATHE_OK;
}

/* ---- texts ---------------------------------------------------------------------------------------------- */

static lathe_result put_text(maker *m, const record *r, uint32_t slot, uint64_t site,
                             const lathe_value *v)
{
    if (is_null(v))
        return LATHE_OK;
    if (v->kind != LATHE_KIND_STRING)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_TYPE, "a string or false expected");
    if (!m->text)
        m->text = tag_text_type(m->types);
    if (!m->text)
        return rec_fail(&r->to, slot, site, m->err, LATHE_ERR_UNSUPPORTED,
                        "the types of the file have no char: a text cannot come");
    lathe_result e = rec_check_text(&r->to, slot, site, v->as.s.p, v->as.s.n, m->err);
    if (e == LATHE_OK)
        e = put_item(m, site, m->text, (uint64_t)v->as.s.n + 1);
    if (e == LATHE_OK)
        e = append(m, v->as.s.p, v->as.s.n);
    return e == LATHE_OK ? append(m, NULL, 1) : e;
}

/* ---- arrays --------------------------------------------------------------------------------------------- */

static lathe_result walk(maker *m, const record *r);

/* Texts, pointers or records that follow each other from `start` on: what each of them leads to. */
static lathe_result walk_elements(maker *m, const record *r, uint32_t slot, const rec_items *items,
                                  uint64_t start)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_result e = LATHE_OK;
    if (!s->row->text && s->row->kind != REC_POINTER && !(s->sub && s->sub->apart))
        return LATHE_OK;
    for (uint64_t i = 0; e == LATHE_OK && i < items->count; i++) {
        lathe_value leaf;
        const void *child;
        uint64_t site = start + i * s->elem;
        record one;
        e = value_item(m, items, i, &leaf, &child);
        if (e != LATHE_OK)
            break;
        if (s->row->text) {
            e = put_text(m, r, slot, site, &leaf);
        } else if (s->row->kind == REC_POINTER) {
            e = put_pointer(m, r, slot, site, &leaf);
        } else {
            rec_at to = rec_child(&r->to, slot, s->sub, m->part, site, i);
            e = record_from(m, &to, items->source, &leaf, child, &one);
            if (e == LATHE_OK)
                e = walk(m, &one);
        }
    }
    return e;
}

static lathe_result list_of(const maker *m, const record *r, uint32_t slot, rec_items *items,
                            rec_at *storage)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    *items = (rec_items){0};
    lathe_result e = value(m, r, slot, &leaf, &child);
    if (e != LATHE_OK || leaf.kind == LATHE_KIND_NONE)
        return e;
    if (!rec_items_of(s, &r->from, &leaf, child, items, storage))
        return rec_fail(&r->to, slot, r->to.off, m->err, LATHE_ERR_TYPE, "a list expected");
    if (items->at && (s->row->kind == REC_POINTER || (s->sub && s->sub->apart)))
        return rec_fail(&r->to, slot, r->to.off, m->err, LATHE_ERR_UNSUPPORTED,
                        "a table expected: a view's elements lead into its own document");
    return items->count <= INT32_MAX
               ? LATHE_OK
               : rec_fail(&r->to, slot, r->to.off, m->err, LATHE_ERR_RANGE,
                          "%llu elements, at most %d", (unsigned long long)items->count, INT32_MAX);
}

/* The storage of an array whose head is in the struct. */
static lathe_result put_array(maker *m, const record *r, uint32_t slot)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    const tag_type *t = &m->types->all[s->row->own];
    rec_items items;
    rec_at storage;
    lathe_result e = list_of(m, r, slot, &items, &storage);
    /* An offset from itself may lead to nothing: the SDK lists that, too. */
    if (e != LATHE_OK || (!items.count && !(tag_is_relative(t) && t->is.size == 8)))
        return e;
    e = align(m);
    if (e == LATHE_OK)
        e = put_item(m, r->to.off + s->off, t->is.sub_type, items.count);
    uint64_t start = end_of(m);
    items.skip_parts = true; /* what they lead to comes behind them */
    if (e == LATHE_OK)
        e = rec_emit_items(&r->to, slot, &items, 0, m->part, m->err);
    if (e == LATHE_OK && end_of(m) - start != items.count * s->elem)
        e = rec_fail(&r->to, slot, r->to.off, m->err, LATHE_ERR_UNSUPPORTED,
                     "the members of its elements overlap");
    return e == LATHE_OK ? walk_elements(m, r, slot, &items, start) : e;
}

/* ---- records -------------------------------------------------------------------------------------------- */

static lathe_result walk_in_line(maker *m, const record *r, uint32_t slot)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    uint64_t site = r->to.off + s->off;
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    rec_items items;
    rec_at storage;
    record sub;
    if (s->array) {
        lathe_result e = list_of(m, r, slot, &items, &storage);
        if (items.count > s->row->n)
            items.count = s->row->n;
        return e == LATHE_OK ? walk_elements(m, r, slot, &items, site) : e;
    }
    lathe_result e = value(m, r, slot, &leaf, &child);
    if (e != LATHE_OK)
        return e;
    if (s->row->text)
        return put_text(m, r, slot, site, &leaf);
    if (s->row->kind == REC_POINTER)
        return put_pointer(m, r, slot, site, &leaf);
    rec_at to = rec_child(&r->to, slot, s->sub, m->part, site, 0);
    e = record_from(m, &to, r->from.source, &leaf, child, &sub);
    return e == LATHE_OK ? walk(m, &sub) : e;
}

/* What the heads of a record lead to, whose struct stands. */
static lathe_result walk(maker *m, const record *r)
{
    lathe_result e = LATHE_OK;
    if (r->to.depth > REC_DEPTH)
        return rec_fail(&r->to, REC_NO_SLOT, r->to.off, m->err, LATHE_ERR_LIMIT,
                        "records nested deeper than %d", REC_DEPTH);
    for (uint32_t slot = 0; e == LATHE_OK && slot < r->to.layout->count; slot++) {
        const rec_slot *s = &r->to.layout->slots[slot];
        if (rec_unstored(s->row) || s->row->flags & REC_PAD)
            continue;
        if (s->row->body)
            e = put_array(m, r, slot);
        else if (s->row->text || s->row->kind == REC_POINTER || (s->sub && s->sub->apart))
            e = walk_in_line(m, r, slot);
    }
    return e;
}

/* ---- objects -------------------------------------------------------------------------------------------- */

static const char *next_type(void *user, size_t i)
{
    const tag_types *types = user;
    return i + 1 < types->count ? types->all[i + 1].name : NULL;
}

static lathe_result no_type(const maker *m, const rec_at *at, const char *name)
{
    const char *near = error_nearest(name, next_type, m->types);
    return rec_fail(at, REC_NO_SLOT, at->off, m->err, LATHE_ERR_NAME,
                    near ? "types have no class '%s'; did you mean '%s'?"
                         : "types have no class '%s'",
                    name, near);
}

/* ---- types by name -------------------------------------------------------------------------------------- */

static size_t slot_of(const maker *m, const char *name, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    size_t at = h & (m->slots_n - 1);
    while (m->slots[at] &&
           (strncmp(m->names[m->slots[at]], name, n) != 0 || m->names[m->slots[at]][n]))
        at = (at + 1) & (m->slots_n - 1);
    return at;
}

/* Of types of one name, with their arguments, the first counts. */
static lathe_result list_names(maker *m)
{
    const tag_types *types = m->types;
    char full[256];
    for (m->slots_n = 64; m->slots_n < 2 * (size_t)types->count;)
        m->slots_n *= 2;
    m->slots = mem_zalloc(&m->doc->mem, m->slots_n * sizeof *m->slots);
    m->names = arena_zalloc(&m->doc->arena, types->count * sizeof *m->names);
    if (!m->slots || !m->names)
        return rec_no_memory(m->err);
    for (uint32_t id = 1; id < types->count; id++) {
        const tag_type *t = &types->all[id];
        if (!t->is.has_size || !t->is.size)
            continue;
        tag_display(types, id, full, sizeof full);
        size_t n = strlen(full), at = slot_of(m, full, n);
        char *name = m->slots[at] ? NULL : arena_zalloc(&m->doc->arena, n + 1);
        if (!name && !m->slots[at])
            return rec_no_memory(m->err);
        if (m->slots[at])
            continue;
        memcpy(name, full, n);
        m->names[id] = name;
        m->slots[at] = id;
    }
    return LATHE_OK;
}

static lathe_result put_object(maker *m, uint64_t i)
{
    lathe_value v = {.kind = LATHE_KIND_NONE}, type;
    const void *node = NULL, *child;
    char name[256];
    record r = {.to = {.doc = m->doc,
                       .layout = m->root.layout,
                       .parent = &m->root,
                       .index = i,
                       .part = m->part,
                       .slot = tag_row(TAG_OBJECTS),
                       .depth = 1}};
    m->source->get(m->source->user, m->list, NULL, i, &v, &node);
    lathe_result e = align(m);
    r.to.off = end_of(m);
    if (e != LATHE_OK)
        return e;
    if (!node || !m->source->get(m->source->user, node, "class", 0, &type, &child) ||
        type.kind != LATHE_KIND_STRING)
        return rec_fail(&r.to, REC_NO_SLOT, r.to.off, m->err, LATHE_ERR_TYPE,
                        "an object expected: { class = \"hkaSkeleton\", ... }");
    uint32_t id = m->slots[slot_of(m, type.as.s.p, type.as.s.n)];
    snprintf(name, sizeof name, "%.*s", type.as.s.n < 200 ? (int)type.as.s.n : 200, type.as.s.p);
    if (!id)
        return no_type(m, &r.to, name);
    const tag_record *made = tag_record_of(m->doc, 0, id, m->err);
    if (!made)
        return LATHE_ERR_MEMORY;
    if (made->problem)
        return rec_fail(&r.to, REC_NO_SLOT, r.to.off, m->err, LATHE_ERR_UNSUPPORTED, "%s: %s", name,
                        made->problem);
    r.to.layout = rec_layout_of(m->doc, 0, &made->type);
    if (!r.to.layout)
        return rec_no_memory(m->err);
    uint8_t *item = m->items.data + (i + 1) * TAG_ITEM_SIZE;
    bytes_st32(item, id | (uint32_t)TAG_OBJECT << 24, false);
    bytes_st32(item + 4, (uint32_t)r.to.off, false);
    bytes_st32(item + 8, 1, false);
    r.from = (rec_from){.source = m->source, .node = node, .tag = "class", .skip_parts = true};
    e = rec_emit(&r.to, &r.from, m->err);
    if (e == LATHE_OK && end_of(m) - r.to.off != made->type.size)
        e = rec_fail(&r.to, REC_NO_SLOT, r.to.off, m->err, LATHE_ERR_UNSUPPORTED,
                     "%s: its members overlap", name);
    return e == LATHE_OK ? walk(m, &r) : e;
}

/* ---- the file ------------------------------------------------------------------------------------------- */

static bool put_header(buf *out, uint32_t kind, const char *name, uint64_t size)
{
    uint8_t head[TAG_HEADER];
    bytes_st32(head, kind | (uint32_t)(size + TAG_HEADER), true);
    memcpy(head + 4, name, 4);
    return buf_put(out, head, sizeof head);
}

static bool put_leaf(buf *out, const char *name, const void *bytes, uint64_t size)
{
    return put_header(out, 0x40000000u, name, size) && (!size || buf_put(out, bytes, (size_t)size));
}

/* A file of these, with all else that a table may have. */
static bool put_file(const char *version, const void *data, uint64_t size, const buf *types,
                     const buf *items, bool patches, buf *out)
{
    size_t start = out->size, n = strlen(version), padded = (n + 3) / 4 * 4;
    uint8_t word[16] = {0};
    memcpy(word, version, n);
    bool done = put_header(out, 0, "TAG0", 0) && put_leaf(out, "SDKV", word, padded) &&
                put_leaf(out, "DATA", data, size) && buf_put(out, types->data, types->size) &&
                put_header(out, 0, "INDX", items->size + TAG_HEADER + (patches ? TAG_HEADER : 0)) &&
                put_leaf(out, "ITEM", items->data, items->size) &&
                (!patches || put_leaf(out, "PTCH", NULL, 0));
    if (done)
        bytes_st32(out->data + start, (uint32_t)(out->size - start), true);
    return done && out->size - start < 1u << 30;
}

static lathe_result read_version(const lathe_source *s, char out[16], int64_t *number,
                                 lathe_error *err)
{
    lathe_value v;
    const void *child;
    *number = 0;
    strcpy(out, "20150100");
    if (s->get(s->user, NULL, "sdk_version", 0, &v, &child) && v.kind != LATHE_KIND_NONE) {
        if (v.kind != LATHE_KIND_STRING || !v.as.s.n || v.as.s.n > 12 ||
            memchr(v.as.s.p, 0, v.as.s.n)) {
            error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a string expected: \"20150100\"");
            error_where(err, "sdk_version");
            return LATHE_ERR_TYPE;
        }
        memset(out, 0, 16);
        memcpy(out, v.as.s.p, v.as.s.n);
    }
    for (const char *p = out; *p >= '0' && *p <= '9'; p++)
        *number = 10 * *number + (*p - '0');
    return LATHE_OK;
}

static lathe_result no_types(lathe_error *err)
{
    error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
              "the types of the file expected, which say what its objects are: as doc:totable() "
              "gives them, or "
              "another document's");
    error_where(err, "types");
    return LATHE_ERR_TYPE;
}

/* doc.types of another document: its section, as it is. */
static lathe_result types_of_view(lathe_view v, buf *out, lathe_error *err)
{
    lathe_doc *from = v.doc;
    uint32_t c = from->parts[v.part].container, slot;
    rec_at at;
    lathe_result r = rec_enter(&v, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    if (from->containers[c].format != &format_tagfile || slot == REC_NO_SLOT ||
        strcmp(at.layout->slots[slot].row->name, "types") != 0)
        return no_types(err);
    const tag_state *s = tag_state_of(from, c);
    const rec_part *p = rec_part_of(from, tag_part_of(from, c, TAG_TYPES));
    return buf_put(out, p->data + s->type_at, (size_t)s->type_size) ? LATHE_OK : rec_no_memory(err);
}

/* Bytes that are given beside the types count where they stand for just these. */
static lathe_result take_bytes(lathe_doc *doc, const lathe_value *v, int64_t version, buf *types,
                               lathe_error *err)
{
    tag_types *read;
    buf again;
    lathe_result r = tag_types_read(doc, (const uint8_t *)v->as.s.p, v->as.s.n, 0, &read, err);
    if (r != LATHE_OK)
        return r;
    buf_init(&again, &doc->mem);
    if (!tag_types_write(&doc->mem, read, version, &again))
        r = rec_no_memory(err);
    bool same = r == LATHE_OK && again.size == types->size &&
                memcmp(again.data, types->data, again.size) == 0;
    buf_free(&again);
    if (!same)
        return r;
    types->size = 0;
    return buf_put(types, v->as.s.p, v->as.s.n) ? LATHE_OK : rec_no_memory(err);
}

static lathe_result read_types(lathe_doc *doc, const lathe_source *s, int64_t version, buf *types,
                               lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *node = NULL, *child;
    tag_types *given;
    bool found = s->get(s->user, NULL, "types", 0, &v, &node);
    if (found && !node && v.kind == LATHE_KIND_ARRAY)
        return types_of_view(v.as.v, types, err);
    if (!found || !node)
        return no_types(err);
    lathe_result r = tag_types_given(doc, s, node, &given, err);
    if (r == LATHE_OK && !tag_types_write(&doc->mem, given, version, types))
        r = rec_no_memory(err);
    found = r == LATHE_OK && s->get(s->user, NULL, "type_bytes", 0, &v, &child) &&
            v.kind == LATHE_KIND_STRING && v.as.s.n;
    return found ? take_bytes(doc, &v, version, types, err) : r;
}

/* Whoever opens what is made looks at the maker's container. */
static lathe_result begin(lathe_doc *doc, lathe_error *err)
{
    uint32_t root = rec_part_add(doc, 0);
    if (root == REC_NO_PART ||
        rec_container_add(doc, &format_tagfile, root, UINT32_MAX) == UINT32_MAX)
        return rec_no_memory(err);
    doc->parts[root].alive = doc->parts[root].owned = true;
    return LATHE_OK;
}

/* An empty file with the types, whose container has what objects are laid out by. */
static lathe_result open_empty(maker *m, lathe_doc *from, const char *version, const buf *types)
{
    lathe_options o = {.size = sizeof o, .format = format_tagfile.name};
    uint8_t none[TAG_ITEM_SIZE] = {0};
    buf file, items;
    o.alloc = from->mem.fn;
    o.alloc_user = from->mem.user;
    buf_init(&file, &from->mem);
    buf_init(&items, &from->mem);
    bool done = buf_put(&items, none, sizeof none) &&
                put_file(version, NULL, 0, types, &items, false, &file);
    lathe_result r =
        done ? lathe_doc_parse(file.data, file.size, &o, &m->doc, m->err) : rec_no_memory(m->err);
    buf_free(&file);
    buf_free(&items);
    if (r != LATHE_OK)
        return r;
    m->types = tag_types_of(m->doc, 0);
    m->root = rec_root(m->doc, 0);
    m->part = rec_scratch(m->doc, 0);
    return m->part == REC_NO_PART ? rec_no_memory(m->err) : LATHE_OK;
}

static lathe_result put_objects(maker *m)
{
    rec_from from = {.source = m->source};
    lathe_result r = rec_check_names(&m->root, &from, m->err);
    if (r == LATHE_OK)
        r = list_names(m);
    m->doc->parts[m->part].root = m->root.layout;
    if (r == LATHE_OK && !buf_fill(&m->items, 0, (size_t)(m->count + 1) * TAG_ITEM_SIZE))
        r = rec_no_memory(m->err);
    for (uint64_t i = 0; r == LATHE_OK && i < m->count; i++)
        r = put_object(m, i);
    return r == LATHE_OK ? align(m) : r;
}

static lathe_result find_objects(maker *m)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const lathe_source *s = m->source;
    if (s->get(s->user, NULL, "objects", 0, &v, &m->list) && m->list)
        m->count = s->count(s->user, m->list);
    if (m->list && m->count && m->count < UINT32_MAX / TAG_ITEM_SIZE)
        return LATHE_OK;
    error_set(m->err, m->list ? LATHE_ERR_INVALID : LATHE_ERR_TYPE, LATHE_NO_OFFSET,
              m->list ? "no object: the first is the root, which leads to the others"
                      : "a list of objects expected");
    error_where(m->err, "objects");
    return m->list ? LATHE_ERR_INVALID : LATHE_ERR_TYPE;
}

static lathe_result make(maker *m, lathe_doc *doc, const char *version, const buf *types, buf *out)
{
    buf file;
    buf_init(&file, &doc->mem);
    lathe_result r = open_empty(m, doc, version, types);
    if (r == LATHE_OK)
        r = put_objects(m);
    if (r == LATHE_OK) {
        const rec_part *p = &m->doc->parts[m->part];
        bool patches =
            m->doc->containers[0].version < TAG_MODERN; /* older SDKs write an empty PTCH, too */
        if (!put_file(version, p->data, p->size, types, &m->items, patches, &file))
            r = rec_no_memory(m->err);
    }
    if (r == LATHE_OK)
        r = tag_assemble(&doc->mem, m->types, file.data, file.size, true, out, m->err);
    buf_free(&file);
    return r;
}

lathe_result tag_make(lathe_doc *doc, const lathe_source *fields, buf *out, lathe_error *err)
{
    maker m = {.source = fields, .err = err, .part = REC_NO_PART};
    char version[16];
    int64_t number;
    buf types;
    if (!fields)
        return no_types(err);
    buf_init(&types, &doc->mem);
    buf_init(&m.items, &doc->mem);
    lathe_result r = begin(doc, err);
    if (r == LATHE_OK)
        r = read_version(fields, version, &number, err);
    if (r == LATHE_OK)
        r = read_types(doc, fields, number, &types, err);
    if (r == LATHE_OK)
        r = find_objects(&m);
    if (r == LATHE_OK)
        r = make(&m, doc, version, &types, out);
    if (m.doc && m.part != REC_NO_PART)
        rec_scratch_free(m.doc, m.part);
    mem_free(&doc->mem, m.slots, m.slots_n * sizeof *m.slots);
    lathe_doc_close(m.doc);
    buf_free(&m.items);
    buf_free(&types);
    return r;
}
