/* Embedded documents in parts of their own, which are opened on first access (REC_LAZY rows with .embed). A document
 * that cannot be opened stays a part of bytes. */
#include "record/record.h"

bool rec_embeds(const rec_field *row)
{
    return rec_row_rare(row)->embed && row->flags & REC_LAZY;
}

/* The row of such a part; NULL: it is none. */
static const rec_field *row_of(const lathe_doc *doc, uint32_t part)
{
    const rec_part *p = &doc->parts[part];
    const rec_layout *owner = p->owner == REC_NO_PART ? NULL : doc->parts[p->owner].root;
    const rec_field *row = owner && p->slot < owner->count ? owner->slots[p->slot].row : NULL;
    return row && rec_embeds(row) ? row : NULL;
}

bool rec_embedded(const lathe_doc *doc, uint32_t part)
{
    return row_of(doc, part) != NULL;
}

uint64_t rec_part_whole(const lathe_doc *doc, uint32_t part)
{
    const rec_part *p = &doc->parts[part];
    uint64_t size = p->size; /* the recursion is limited by rec_part_depth */
    for (size_t i = 0; i < p->kids_n; i++)
        size += rec_part_whole(doc, p->kids[i]);
    return size;
}

bool rec_part_bytes(const lathe_doc *doc, uint32_t part, buf *out)
{
    const rec_part *p = &doc->parts[part];
    bool ok = buf_put(out, p->data, (size_t)p->size);
    for (size_t i = 0; ok && i < p->kids_n; i++)
        ok = rec_part_bytes(doc, p->kids[i], out);
    return ok;
}

/* ---- sizes ------------------------------------------------------------------------------------------ */

/* Stores the size of the document in the row that holds it, if there is one (bytes_by). */
static lathe_result put_size(const rec_at *at, uint32_t slot, uint32_t part, lathe_error *err)
{
    const char *by = rec_row_bytes_by(at->layout->slots[slot].row);
    uint64_t size = rec_part_whole(at->doc, part);
    lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = size};
    uint64_t raw, now;
    if (!by)
        return LATHE_OK;
    uint32_t to = rec_slot_find(at->layout, by);
    lathe_result r = rec_encode(at, to, &v, &raw, err);
    if (r == LATHE_OK)
        r = rec_raw(at, to, 0, &now, err);
    return r == LATHE_OK && now != raw ? rec_put_raw(at, to, 0, raw, err) : r;
}

lathe_result rec_embed_sized(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    uint32_t owner = doc->parts[part].owner;
    if (!rec_embedded(doc, part))
        return LATHE_OK;
    rec_at at = {.doc = doc, .layout = doc->parts[owner].root, .part = owner, .slot = REC_NO_SLOT};
    return put_size(&at, doc->parts[part].slot, part, err);
}

/* ---- opening ---------------------------------------------------------------------------------------- */

/* Moves the bytes of an edited part into the document's arena: the parts that are split off share them, so they must
 * not move. */
static bool settle_bytes(lathe_doc *doc, uint32_t part)
{
    rec_part *p = &doc->parts[part];
    if (!p->owned)
        return true;
    uint8_t *data = arena_zalloc(&doc->arena, p->size ? (size_t)p->size : 1);
    if (!data)
        return false;
    if (p->size)
        memcpy(data, p->data, (size_t)p->size);
    mem_free(&doc->mem, p->data, (size_t)p->cap);
    p->data = data;
    p->owned = false;
    p->cap = 0;
    doc->changes++;
    return true;
}

/* After a failed opening: joins the parts again. */
static void close_again(lathe_doc *doc, uint32_t part, const rec_part *was, size_t parts_n,
                        size_t containers_n)
{
    rec_part *p = &doc->parts[part];
    for (size_t i = parts_n; i < doc->parts_n; i++)
        rec_part_free(doc, (uint32_t)i);
    doc->parts_n = parts_n;
    while (doc->containers_n > containers_n)
        rec_container_drop(doc);
    mem_free(&doc->mem, p->kids, p->kids_cap * sizeof *p->kids);
    rec_forget(doc, part, 0);
    p->kids = NULL;
    p->kids_n = p->kids_cap = 0;
    p->size = was->size;
    p->container = was->container;
    p->root = NULL;
    p->start = was->start;
    doc->order_good = false;
}

/* Adds the path of the embedded document to an error that its format raised before there were records to name. */
static void say_where(lathe_doc *doc, uint32_t part, lathe_error *why)
{
    char where[sizeof why->where + 1]; /* longer than the field: it is truncated */
    rec_at at = {.doc = doc,
                 .layout = doc->parts[doc->parts[part].owner].root,
                 .part = doc->parts[part].owner,
                 .slot = REC_NO_SLOT};
    if (why->where[0])
        return;
    rec_path(&at, doc->parts[part].slot, REC_NO_ITEM, where, sizeof where);
    error_where(why, where);
    if (doc->path)
        error_path(why, doc->path);
}

const rec_layout *rec_embed_open(lathe_doc *doc, uint32_t part)
{
    const rec_field *row = row_of(doc, part);
    lathe_error why = {.code = LATHE_OK};
    if (!settle_bytes(doc, part))
        return NULL;
    const rec_part was = doc->parts[part];
    const size_t parts_n = doc->parts_n, containers_n = doc->containers_n;
    doc->parts[part].state = PART_PLAIN;
    doc->opening++;
    lathe_result r = rec_embed(doc, part, rec_row_rare(row)->embed, &why);
    doc->opening--;
    if (r == LATHE_OK)
        return doc->parts[part].root;
    close_again(doc, part, &was, parts_n, containers_n);
    rec_part *p = &doc->parts[part];
    p->state = PART_UNPARSED;
    lathe_error *kept = r == LATHE_ERR_MEMORY ? NULL : arena_zalloc(&doc->arena, sizeof *kept);
    const rec_layout *root =
        kept ? rec_layout_of(doc, was.container, rec_row_rare(row)->embed->root) : NULL;
    if (!root)
        return NULL; /* no memory: tried again on next access */
    say_where(doc, part, &why);
    *kept = why;
    p->problem = kept;
    p->state = PART_OPAQUE;
    return p->root = root;
}

lathe_result rec_embed_measure(const rec_at *at, uint64_t *size, lathe_error *err)
{
    lathe_result r = rec_measure(at, size, err);
    if (r != LATHE_OK || at->layout->embeds == REC_NO_SLOT)
        return r;
    const char *by = rec_row_bytes_by(at->layout->slots[at->layout->embeds].row);
    uint64_t left = at->doc->parts[at->part].size - at->off - *size;
    uint64_t n = by ? (uint64_t)rec_int(at, by) : left;
    if (n > left)
        return rec_fail(at, at->layout->embeds, at->off + *size, err, LATHE_ERR_BOUNDS,
                        "%llu bytes needed, %llu left", (unsigned long long)n,
                        (unsigned long long)left);
    *size += n;
    return LATHE_OK;
}

lathe_result rec_embed_split(const rec_at *at, uint64_t size, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t slot = at->layout->embeds, part;
    const rec_field *row = at->layout->slots[slot].row;
    uint64_t left = doc->parts[at->part].size - size;
    if (doc->parts[at->part].kids_n)
        return LATHE_OK;
    int64_t stated = rec_row_bytes_by(row) ? rec_int(at, rec_row_bytes_by(row)) : (int64_t)left;
    if ((uint64_t)stated != left)
        return rec_fail(at, slot, size, err, LATHE_ERR_INVALID,
                        "%lld bytes expected from the size field, %llu left", (long long)stated,
                        (unsigned long long)left);
    if (!settle_bytes(doc, at->part))
        return rec_no_memory(err);
    rec_container *c = &doc->containers[doc->parts[at->part].container];
    const bool placed = c->placed;
    doc->opening++;
    lathe_result r = rec_split(doc, at->part, size, slot, NULL, &part, err);
    doc->opening--;
    if (r != LATHE_OK)
        return r;
    doc->parts[part].state = PART_UNPARSED;
    doc->parts[part].start = doc->parts[at->part].start + size;
    c->placed = placed; /* nothing else moved */
    return LATHE_OK;
}

/* ---- making ------------------------------------------------------------------------------------------------ */

static bool put_bytes(lathe_doc *doc, uint32_t part, const void *bytes, size_t n)
{
    rec_part *p = &doc->parts[part];
    if (!rec_part_own(doc, p, n))
        return false;
    if (n)
        memcpy(p->data, bytes, n);
    p->size = n;
    return true;
}

/* Whether a table describes a whole document: it has its `bytes`, or `objects` from which the .make hook builds one. */
static bool is_whole(const lathe_source *s, const void *node, lathe_value *bytes)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    bytes->kind = LATHE_KIND_NONE;
    if (s->get(s->user, node, "bytes", 0, bytes, &child) && bytes->kind == LATHE_KIND_STRING)
        return true;
    bytes->kind = LATHE_KIND_NONE;
    return s->get(s->user, node, "objects", 0, &v, &child) && v.kind != LATHE_KIND_NONE;
}

/* A nested table as a source of its own, for the .make hook of a format. */
typedef struct below {
    const lathe_source *source;
    const void *node;
} below;

static bool get_below(void *user, const void *node, const char *name, uint64_t index,
                      lathe_value *leaf, const void **child)
{
    const below *b = user;
    return b->source->get(b->source->user, node ? node : b->node, name, index, leaf, child);
}

static uint64_t count_below(void *user, const void *node)
{
    const below *b = user;
    return b->source->count(b->source->user, node ? node : b->node);
}

static const char *name_below(void *user, const void *node, uint64_t i)
{
    const below *b = user;
    return b->source->name(b->source->user, node ? node : b->node, i);
}

static lathe_result make(const lathe_format *format, const lathe_source *source, const void *node,
                         lathe_doc *doc, buf *out, lathe_error *err)
{
    below b = {source, node};
    const lathe_source fields = {sizeof fields, &b, get_below, count_below,
                                 source->name ? name_below : NULL};
    lathe_options o = {.size = sizeof o, .alloc = doc->mem.fn, .alloc_user = doc->mem.user};
    lathe_doc *made = NULL;
    lathe_result r = lathe_doc_new(format->name, &fields, &o, &made, err);
    if (r == LATHE_OK && !rec_part_bytes(made, made->containers[0].root, out))
        r = rec_no_memory(err);
    lathe_doc_close(made);
    return r;
}

/* The bytes of a document given as text, document or table (`node`; leaf NULL: the source's top). If nothing is
 * given: none. */
static lathe_result bytes_of(const rec_at *at, uint32_t slot, const lathe_source *source,
                             const lathe_value *leaf, const void *node, buf *out, lathe_error *err)
{
    const lathe_format *format = rec_row_rare(at->layout->slots[slot].row)->embed;
    lathe_view v;
    lathe_value bytes;
    rec_at from;
    uint32_t none;
    if (node || !leaf)
        return is_whole(source, node, &bytes) && bytes.kind == LATHE_KIND_STRING
                   ? (buf_put(out, bytes.as.s.p, bytes.as.s.n) ? LATHE_OK : rec_no_memory(err))
                   : make(format, source, node, at->doc, out, err);
    if (leaf->kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (leaf->kind == LATHE_KIND_STRING)
        return buf_put(out, leaf->as.s.p, leaf->as.s.n) ? LATHE_OK : rec_no_memory(err);
    v = leaf->as.v;
    lathe_result r = leaf->kind == LATHE_KIND_RECORD ? rec_enter(&v, &from, &none, err) : LATHE_OK;
    if (r != LATHE_OK)
        return r;
    bool same = leaf->kind == LATHE_KIND_RECORD && !from.off &&
                (from.layout->type == format->root || rec_embedded(from.doc, from.part));
    if (!same)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "%s, its bytes or a table expected",
                        format->name);
    return rec_part_bytes(from.doc, from.part, out) ? LATHE_OK : rec_no_memory(err);
}

lathe_result rec_embed_make(const rec_at *at, uint32_t slot, const lathe_source *source,
                            const lathe_value *leaf, const void *node, uint32_t *part,
                            lathe_error *err)
{
    buf bytes;
    buf_init(&bytes, &at->doc->mem);
    *part = REC_NO_PART;
    lathe_result r = bytes_of(at, slot, source, leaf, node, &bytes, err);
    if (r == LATHE_OK)
        *part = rec_part_add(at->doc, at->layout->container);
    if (r == LATHE_OK && *part == REC_NO_PART)
        r = rec_no_memory(err);
    if (r == LATHE_OK) {
        at->doc->parts[*part].owned = true;
        at->doc->parts[*part].state = PART_UNPARSED;
        if (!put_bytes(at->doc, *part, bytes.data, bytes.size))
            r = rec_no_memory(err);
    }
    buf_free(&bytes);
    return r;
}

lathe_result rec_embed_attached(const rec_at *at, uint32_t slot, uint32_t part, lathe_error *err)
{
    return put_size(at, slot, part, err);
}

bool rec_embed_whole(lathe_doc *doc, uint32_t part, const lathe_source *source, const void *node)
{
    lathe_value bytes;
    return is_whole(source, node, &bytes) || part == REC_NO_PART || rec_opaque(doc, part, NULL);
}

/* ---- set ---------------------------------------------------------------------------------------------- */

lathe_result rec_embed_set(const rec_at *at, uint32_t slot, const lathe_source *source,
                           const lathe_value *leaf, const void *node, lathe_error *err)
{
    uint32_t part, old;
    rec_loc loc;
    /* it reads the record before the part is replaced */
    lathe_result r = rec_find_present(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    old = rec_kid(at->doc, at->part, slot, 0);
    r = rec_embed_make(at, slot, source, leaf, node, &part, err);
    if (r == LATHE_OK && old != REC_NO_PART)
        r = rec_part_remove(at->doc, old, err);
    if (r == LATHE_OK)
        r = rec_part_insert(at->doc, part, at->part, slot, 0, err);
    return r == LATHE_OK ? put_size(at, slot, part, err) : r;
}

bool rec_embed_takes(const rec_at *at, const lathe_source *source, rec_at *owner, uint32_t *slot)
{
    rec_at self;
    if (at->off || !source || !rec_embedded(at->doc, at->part) ||
        !rec_embed_whole(at->doc, at->part, source, NULL) || !rec_parent(at, &self, owner))
        return false;
    *slot = self.slot;
    return true;
}
