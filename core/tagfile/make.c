/* Makes tagfiles from nested values in the form of doc:totable(): types that the file describes, and objects
 * of these types. An empty file with the types is opened; objects and their storage are appended; then
 * everything is put in the SDK's order (order.c). */
#include "tagfile/make.h"
#include "tagfile/types_write.h"

#include <stdio.h>

/* ---- objects -------------------------------------------------------------------------------------------- */

static const char *next_type(void *user, size_t i)
{
    const tag_types *types = user;
    return i + 1 < types->count ? types->all[i + 1].name : NULL;
}

static lathe_result no_type(const tag_maker *m, const rec_at *at, const char *name)
{
    const char *near = error_nearest(name, next_type, m->types);
    return rec_fail(at, REC_NO_SLOT, at->off, m->err, LATHE_ERR_NAME,
                    near ? "types have no class '%s'; did you mean '%s'?"
                         : "types have no class '%s'",
                    name, near);
}

/* ---- types by name -------------------------------------------------------------------------------------- */

static size_t slot_of(const tag_maker *m, const char *name, size_t n)
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

/* Lists types by name with arguments; of several with the same name the first is used. */
static lathe_result list_names(tag_maker *m)
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

static lathe_result put_object(tag_maker *m, uint64_t i)
{
    lathe_value v = {.kind = LATHE_KIND_NONE}, type;
    const void *node = NULL, *child;
    char name[256];
    tag_made r = {.to = rec_child(&m->root, tag_row(TAG_OBJECTS), m->root.layout, m->part, 0, i)};
    m->source->get(m->source->user, m->list, NULL, i, &v, &node);
    lathe_result e = tag_made_align(m);
    r.to.off = tag_made_end(m);
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
    return tag_make_record(m, &r);
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

static bool put_kept(const tag_kept *kept, int which, buf *out)
{
    return !kept || !kept->n[which] || buf_put(out, kept->p[which], kept->n[which]);
}

/* Sets the size of a branch section when its children are complete. */
static bool end_branch(buf *out, size_t start)
{
    if (out->size - start >= 1u << 30)
        return false;
    bytes_st32(out->data + start, (uint32_t)(out->size - start), true);
    return true;
}

/* Appends a file of these sections; with `patches` also an empty PTCH. */
static bool put_file(const char *version, const rec_part *data, const buf *types, const buf *items,
                     bool patches, const tag_kept *kept, buf *out)
{
    size_t start = out->size, index, n = strlen(version), padded = (n + 3) / 4 * 4;
    uint8_t word[16] = {0};
    memcpy(word, version, n);
    bool front = kept && kept->n[TAG_KEPT_FRONT]; /* SDKV with other sections */
    bool done =
        put_header(out, 0, "TAG0", 0) &&
        (front ? put_kept(kept, TAG_KEPT_FRONT, out) : put_leaf(out, "SDKV", word, padded)) &&
        put_leaf(out, "DATA", data ? data->data : NULL, data ? data->size : 0) &&
        put_kept(kept, TAG_KEPT_BEFORE_TYPES, out) && buf_put(out, types->data, types->size) &&
        put_kept(kept, TAG_KEPT_BEHIND_TYPES, out);
    index = out->size;
    done = done && put_header(out, 0, "INDX", 0) && put_kept(kept, TAG_KEPT_BEFORE_ITEMS, out) &&
           put_leaf(out, "ITEM", items->data, items->size) && put_kept(kept, TAG_KEPT_BETWEEN, out);
    if (done && (patches || (kept && kept->n[TAG_KEPT_EXTERNAL])))
        done = put_header(out, 0x40000000u, "PTCH", kept ? kept->n[TAG_KEPT_EXTERNAL] : 0) &&
               put_kept(kept, TAG_KEPT_EXTERNAL, out);
    done = done && put_kept(kept, TAG_KEPT_INDEX, out) && end_branch(out, index);
    done = done && put_kept(kept, TAG_KEPT_REST, out) && end_branch(out, start);
    return done && put_kept(kept, TAG_KEPT_TRAILING, out);
}

bool tag_put_empty(const char *version, const buf *types, buf *out)
{
    uint8_t none[TAG_ITEM_SIZE] = {0};
    buf items;
    buf_init(&items, out->mem);
    bool done = buf_put(&items, none, sizeof none) &&
                put_file(version, NULL, types, &items, false, NULL, out);
    buf_free(&items);
    return done;
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

/* Takes the section of doc.types of another document as it is. */
static lathe_result types_of_view(lathe_view v, buf *out, lathe_error *err)
{
    lathe_doc *from = v.doc;
    uint32_t c = from->parts[v.part].container, slot;
    rec_at at;
    lathe_result r = rec_enter(&v, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    if (from->containers[c].format != &format_tagfile || slot == REC_NO_SLOT ||
        strcmp(at.layout->slots[slot].name, "types") != 0)
        return no_types(err);
    const tag_state *s = tag_state_of(from, c);
    const rec_part *p = rec_part_of(from, tag_part_of(from, c, TAG_TYPES));
    return buf_put(out, p->data + s->type_at, (size_t)s->type_size) ? LATHE_OK : rec_no_memory(err);
}

/* Uses the bytes given beside the types, if they stand for exactly these types. */
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

/* Reads the bytes that are kept, from the fields of the root record. Everything else in a file follows from
 * other values. */
static lathe_result read_kept(const lathe_source *s, tag_kept *kept, lathe_error *err)
{
    static const char *const names[TAG_KEPT] = {
        "lead",           "between",      "index_rest",   "rest",         "trailing",
        "front_sections", "before_types", "behind_types", "before_items", "external_patches"};
    const void *child;
    for (size_t i = 0; i < TAG_KEPT; i++) {
        lathe_value v = {.kind = LATHE_KIND_NONE};
        bool given = s->get(s->user, NULL, names[i], 0, &v, &child) && v.kind != LATHE_KIND_NONE;
        if (given && v.kind != LATHE_KIND_STRING) {
            error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a string expected");
            error_where(err, names[i]);
            return LATHE_ERR_TYPE;
        }
        kept->p[i] = given ? v.as.s.p : NULL;
        kept->n[i] = given ? v.as.s.n : 0;
    }
    return LATHE_OK;
}

/* Gives the maker a container, which the code that opens the result expects. */
static lathe_result begin(lathe_doc *doc, lathe_error *err)
{
    uint32_t root = rec_part_add(doc, 0);
    if (root == REC_NO_PART ||
        rec_container_add(doc, &format_tagfile, root, UINT32_MAX) == UINT32_MAX)
        return rec_no_memory(err);
    doc->parts[root].alive = doc->parts[root].owned = true;
    return LATHE_OK;
}

/* Opens an empty file with the types; its container provides the layouts of objects. */
static lathe_result open_empty(tag_maker *m, lathe_doc *from, const char *version, const buf *types)
{
    lathe_options o = {.size = sizeof o, .format = format_tagfile.name};
    buf file;
    o.alloc = from->mem.fn;
    o.alloc_user = from->mem.user;
    buf_init(&file, &from->mem);
    bool done = tag_put_empty(version, types, &file);
    lathe_result r =
        done ? lathe_doc_parse(file.data, file.size, &o, &m->doc, m->err) : rec_no_memory(m->err);
    buf_free(&file);
    if (r != LATHE_OK)
        return r;
    m->types = tag_types_of(m->doc, 0);
    m->root = rec_root(m->doc, 0);
    m->part = rec_scratch(m->doc, 0);
    m->field = m->part == REC_NO_PART ? REC_NO_PART : rec_scratch(m->doc, 0);
    return m->field == REC_NO_PART ? rec_no_memory(m->err) : LATHE_OK;
}

static lathe_result put_objects(tag_maker *m)
{
    rec_from from = {.source = m->source};
    lathe_result r = rec_check_names(&m->root, &from, m->err);
    if (r == LATHE_OK)
        r = list_names(m);
    m->doc->parts[m->part].root = m->root.layout;
    if (r == LATHE_OK && !buf_fill(&m->items, 0, (size_t)(m->count + 1) * TAG_ITEM_SIZE))
        r = rec_no_memory(m->err);
    if (r == LATHE_OK)
        r = tag_made_lead(m);
    for (uint64_t i = 0; r == LATHE_OK && i < m->count; i++)
        r = put_object(m, i);
    return r == LATHE_OK ? tag_made_align(m) : r;
}

/* True for doc.objects of another document: its file is written again. */
static bool objects_of_view(const lathe_source *s, lathe_doc **doc, uint32_t *c)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *node = NULL;
    rec_at at;
    uint32_t slot;
    if (!s->get(s->user, NULL, "objects", 0, &v, &node) || node || v.kind != LATHE_KIND_ARRAY ||
        rec_enter(&v.as.v, &at, &slot, NULL) != LATHE_OK || slot == REC_NO_SLOT)
        return false;
    *doc = at.doc;
    *c = at.layout->container;
    return at.doc->containers[*c].format == &format_tagfile &&
           at.part == at.doc->containers[*c].root && slot == tag_row(TAG_OBJECTS);
}

/* Copies a document with its own types. */
static lathe_result copy_document(const lathe_source *s, lathe_doc *doc, uint32_t c, buf *out,
                                  lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *node = NULL;
    bool given = s->get(s->user, NULL, "types", 0, &v, &node) && v.kind != LATHE_KIND_NONE;
    if (!given || (!node && v.kind == LATHE_KIND_ARRAY && v.as.v.doc == doc))
        return tag_serialize(doc, c, NULL, out, err);
    error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
              "objects of another document have its types: tables expected, or none");
    error_where(err, "types");
    return LATHE_ERR_UNSUPPORTED;
}

static lathe_result find_objects(tag_maker *m)
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

static lathe_result make(tag_maker *m, lathe_doc *doc, const char *version, const buf *types,
                         buf *out)
{
    buf file;
    buf_init(&file, &doc->mem);
    lathe_result r = open_empty(m, doc, version, types);
    if (r == LATHE_OK)
        r = put_objects(m);
    if (r == LATHE_OK) {
        const rec_part *p = &m->doc->parts[m->part];
        bool patches =
            m->doc->containers[0].version < TAG_MODERN; /* older SDKs write an empty PTCH too */
        if (!put_file(version, p, types, &m->items, patches, &m->kept, &file))
            r = rec_no_memory(m->err);
    }
    if (r == LATHE_OK)
        r = tag_assemble(&doc->mem, m->types, file.data, file.size, true, out, m->err);
    buf_free(&file);
    return r;
}

lathe_result tag_make(lathe_doc *doc, const lathe_source *fields, buf *out, lathe_error *err)
{
    tag_maker m = {.source = fields, .err = err, .part = REC_NO_PART, .field = REC_NO_PART};
    char version[16];
    int64_t number;
    buf types;
    lathe_value v;
    const void *child;
    lathe_doc *from;
    uint32_t c;
    if (!fields)
        return no_types(err);
    if (objects_of_view(fields, &from, &c)) {
        lathe_result begun = begin(doc, err);
        return begun == LATHE_OK ? copy_document(fields, from, c, out, err) : begun;
    }
    buf_init(&types, &doc->mem);
    buf_init(&m.items, &doc->mem);
    lathe_result r = begin(doc, err);
    if (r == LATHE_OK)
        r = read_kept(fields, &m.kept, err);
    if (r == LATHE_OK)
        r = read_version(fields, version, &number, err);
    if (r == LATHE_OK)
        r = read_types(doc, fields, number, &types, err);
    if (r == LATHE_OK)
        r = find_objects(&m);
    if (r == LATHE_OK)
        m.empty_items = fields->get(fields->user, NULL, "empty_items", 0, &v, &child) &&
                        v.kind == LATHE_KIND_BOOL && v.as.b;
    if (r == LATHE_OK)
        r = make(&m, doc, version, &types, out);
    if (m.doc && m.field != REC_NO_PART)
        rec_scratch_free(m.doc, m.field);
    if (m.doc && m.part != REC_NO_PART)
        rec_scratch_free(m.doc, m.part);
    mem_free(&doc->mem, m.slots, m.slots_n * sizeof *m.slots);
    lathe_doc_close(m.doc);
    buf_free(&m.items);
    buf_free(&types);
    return r;
}
