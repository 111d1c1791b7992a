/* Parts: the byte runs of a document, their tree, and their order in the file. */
#include "record/record.h"

rec_part *rec_part_of(lathe_doc *doc, uint32_t part)
{
    return &doc->parts[part];
}

lathe_result rec_no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

uint32_t rec_part_add(lathe_doc *doc, uint32_t container)
{
    void *parts = doc->parts;
    if (doc->parts_n >= REC_NO_PART - 1 ||
        !mem_reserve(&doc->mem, &parts, &doc->parts_cap, doc->parts_n + 1, sizeof *doc->parts))
        return REC_NO_PART;
    doc->parts = parts;
    doc->parts[doc->parts_n] = (rec_part){.owner = REC_NO_PART, .container = container};
    return (uint32_t)doc->parts_n++;
}

/* The layout of a part of a known type. If the format refuses its argument, the part becomes opaque. */
static const rec_layout *look_at_type(lathe_doc *doc, uint32_t part, const rec_type *type)
{
    uint32_t container = doc->parts[part].container;
    const lathe_format *format = doc->containers[container].format;
    uint64_t arg = 0;
    lathe_error why = {.code = LATHE_OK};
    lathe_result r = format->part_arg ? format->part_arg(doc, part, type, &arg, &why) : LATHE_OK;
    if (r == LATHE_ERR_MEMORY)
        return NULL;
    const rec_layout *root = rec_layout_for(doc, container, type, arg);
    doc->parts[part].root = root;
    if (root && r != LATHE_OK) {
        rec_at at = {.doc = doc, .layout = root, .part = part, .slot = REC_NO_SLOT};
        rec_fail(&at, REC_NO_SLOT, why.offset == LATHE_NO_OFFSET ? 0 : why.offset, &why, r, "%s",
                 why.message);
        rec_part_refuse(doc, part, &why);
    }
    return root;
}

const rec_layout *rec_part_root(lathe_doc *doc, uint32_t part)
{
    rec_part *p = &doc->parts[part];
    const lathe_format *format = doc->containers[p->container].format;
    if (p->root || p->state != PART_UNPARSED)
        return p->root;
    if (rec_embedded(doc, part))
        return rec_embed_open(doc, part);
    if (!format->part_type)
        return NULL;
    const rec_type *type = format->part_type(doc, part);
    return type ? look_at_type(doc, part, type) : NULL;
}

/* The height of the subtree below a part. */
static uint32_t height(const lathe_doc *doc, uint32_t part)
{
    const rec_part *p = &doc->parts[part];
    uint32_t most = 0;
    for (size_t i = 0; i < p->kids_n; i++) {
        uint32_t below = height(doc, p->kids[i]);
        most = below > most ? below : most;
    }
    return most + 1;
}

lathe_result rec_part_depth(lathe_doc *doc, uint32_t part, uint32_t owner, lathe_error *err)
{
    uint32_t levels = part == REC_NO_PART ? 1 : height(doc, part), p = owner;
    for (; doc->parts[p].owner != REC_NO_PART; p = doc->parts[p].owner)
        levels++;
    if (levels <= REC_DEPTH)
        return LATHE_OK;
    return error_set(err, LATHE_ERR_LIMIT, rec_encoded(doc, owner, 0),
                     "parts nested deeper than %d", REC_DEPTH);
}

bool rec_part_attach(lathe_doc *doc, uint32_t part, uint32_t owner, uint32_t slot, size_t pos)
{
    rec_part *o = &doc->parts[owner], *p = &doc->parts[part];
    void *kids = o->kids;
    if (rec_part_depth(doc, REC_NO_PART, owner, NULL) != LATHE_OK ||
        !mem_reserve(&doc->mem, &kids, &o->kids_cap, o->kids_n + 1, sizeof *o->kids))
        return false;
    o->kids = kids;
    memmove(o->kids + pos + 1, o->kids + pos, (o->kids_n - pos) * sizeof *o->kids);
    o->kids[pos] = part;
    o->kids_n++;
    p->owner = owner;
    p->slot = slot;
    p->hint = (uint32_t)pos;
    p->alive = true;
    rec_displace(doc, o->container);
    return true;
}

static size_t kid_position(lathe_doc *doc, uint32_t part)
{
    rec_part *p = &doc->parts[part];
    const rec_part *o = &doc->parts[p->owner];
    if (p->hint < o->kids_n && o->kids[p->hint] == part)
        return p->hint;
    for (size_t i = 0; i < o->kids_n; i++)
        /* for all siblings, which will probably be searched next */
        doc->parts[o->kids[i]].hint = (uint32_t)i;
    return p->hint;
}

void rec_part_detach(lathe_doc *doc, uint32_t part)
{
    rec_part *p = &doc->parts[part], *o = &doc->parts[p->owner];
    size_t pos = kid_position(doc, part);
    o->kids_n--;
    memmove(o->kids + pos, o->kids + pos + 1, (o->kids_n - pos) * sizeof *o->kids);
    p->alive = false;
    rec_displace(doc, o->container);
}

/* The index of the first child on a row. Children are sorted by row. */
size_t rec_first_kid(const lathe_doc *doc, uint32_t owner, uint32_t slot)
{
    const rec_part *o = &doc->parts[owner];
    size_t lo = 0, hi = o->kids_n;
    if (hi && doc->parts[o->kids[0]].slot >= slot) /* the usual case */
        return 0;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (doc->parts[o->kids[mid]].slot < slot)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t rec_kid(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t i)
{
    const rec_part *o = &doc->parts[part];
    size_t first = rec_first_kid(doc, part, slot);
    if (i >= o->kids_n - first || doc->parts[o->kids[first + i]].slot != slot)
        return REC_NO_PART;
    return o->kids[first + i];
}

uint64_t rec_kids(lathe_doc *doc, uint32_t part, uint32_t slot)
{
    return rec_first_kid(doc, part, slot + 1) - rec_first_kid(doc, part, slot);
}

const uint32_t *rec_kid_list(lathe_doc *doc, uint32_t part, uint32_t slot, uint64_t *n)
{
    *n = rec_kids(doc, part, slot);
    return *n ? doc->parts[part].kids + rec_first_kid(doc, part, slot) : NULL;
}

uint64_t rec_kid_index(lathe_doc *doc, uint32_t part)
{
    const rec_part *p = &doc->parts[part];
    return kid_position(doc, part) - rec_first_kid(doc, p->owner, p->slot);
}

static bool place(lathe_doc *doc, uint32_t container, int depth);

/* Sets the start of a part and its children in its container. An embedded document, which begins with a part of the
 * enclosing one, is placed as a whole. */
static bool place_part(lathe_doc *doc, uint32_t container, uint32_t part, int depth)
{
    rec_part *p = &doc->parts[part];
    rec_container *c = &doc->containers[container];
    if (depth > REC_DEPTH)
        return false;
    if (p->container != container) {
        uint32_t inner = p->container;
        if (!place(doc, inner, depth))
            return false;
        doc->containers[inner].start = c->whole;
        c->whole += doc->containers[inner].whole;
        return true;
    }
    p->start = c->whole;
    c->whole += p->size;
    for (size_t i = 0; i < p->kids_n; i++)
        if (!place_part(doc, container, p->kids[i], depth + 1))
            return false;
    return true;
}

static bool place(lathe_doc *doc, uint32_t container, int depth)
{
    rec_container *c = &doc->containers[container];
    if (c->placed)
        return true;
    c->whole = 0;
    return c->placed = place_part(doc, container, c->root, depth);
}

void rec_displace(lathe_doc *doc, uint32_t container)
{
    doc->order_good = false;
    doc->containers[container].placed = false;
    for (uint32_t c = container; !doc->opening && c != UINT32_MAX; c = doc->containers[c].outer)
        doc->containers[c].placed = false;
}

void rec_displace_all(lathe_doc *doc)
{
    doc->order_good = false;
    for (size_t i = 0; i < doc->containers_n; i++)
        doc->containers[i].placed = false;
}

bool rec_places(lathe_doc *doc)
{
    if (!place(doc, 0, 0))
        return false;
    doc->size = doc->containers[0].whole;
    return true;
}

static bool order_parts(lathe_doc *doc, uint32_t part, int depth)
{
    void *order = doc->order;
    if (depth > REC_DEPTH ||
        !mem_reserve(&doc->mem, &order, &doc->order_cap, doc->order_n + 1, sizeof *doc->order))
        return false;
    doc->order = order;
    doc->order[doc->order_n++] = part;
    const rec_part *p = &doc->parts[part];
    for (size_t i = 0; i < p->kids_n; i++)
        if (!order_parts(doc, p->kids[i], depth + 1))
            return false;
    return true;
}

bool rec_order(lathe_doc *doc)
{
    if (!rec_places(doc))
        return false;
    if (doc->order_good)
        return true;
    doc->order_n = 0;
    return doc->order_good = order_parts(doc, doc->containers[0].root, 0);
}

uint64_t rec_start(lathe_doc *doc, uint32_t part, uint64_t off)
{
    const rec_part *p = &doc->parts[part];
    bool has = !p->scratch && !p->hidden && p->alive && place(doc, p->container, 0);
    return has ? p->start + off : LATHE_NO_OFFSET;
}

uint64_t rec_encoded(lathe_doc *doc, uint32_t part, uint64_t off)
{
    uint64_t at = rec_places(doc) ? rec_start(doc, part, off) : LATHE_NO_OFFSET;
    uint32_t c = doc->parts[part].container;
    for (; at != LATHE_NO_OFFSET && doc->containers[c].outer != UINT32_MAX;
         c = doc->containers[c].outer)
        at += doc->containers[c].start;
    return at;
}

bool rec_part_own(lathe_doc *doc, rec_part *p, uint64_t size)
{
    doc->changes++; /* callers are about to write */
    p->memo = 0;
    if (p->owned && p->cap >= size)
        return true;
    if (size > SIZE_MAX / 2)
        return false;
    /* Never shrinks, so that restoring an earlier size cannot fail. */
    size_t cap = p->owned ? (size_t)p->cap : 0, want = (size_t)(size > p->size ? size : p->size);
    size_t room = want + (p->owned || size > p->size ? want / 2 + 16 : 0);
    uint8_t *data = mem_resize(&doc->mem, p->owned ? p->data : NULL, cap, room ? room : 1);
    if (!data)
        return false;
    if (!p->owned && p->size)
        memcpy(data, p->data, (size_t)p->size);
    p->data = data;
    p->cap = room ? room : 1;
    p->owned = true;
    return true;
}

bool rec_part_append(lathe_doc *doc, rec_part *p, const void *bytes, uint64_t n)
{
    if (n > SIZE_MAX / 4 - p->size || !rec_part_own(doc, p, p->size + n))
        return false;
    if (n && bytes)
        memcpy(p->data + p->size, bytes, (size_t)n);
    else if (n)
        memset(p->data + p->size, 0, (size_t)n);
    p->size += n;
    return true;
}

uint32_t rec_scratch(lathe_doc *doc, uint32_t container)
{
    uint32_t part = rec_part_add(doc, container);
    if (part != REC_NO_PART)
        doc->parts[part].scratch = doc->parts[part].alive = doc->parts[part].owned = true;
    return part;
}

void rec_scratch_free(lathe_doc *doc, uint32_t part)
{
    if (part == REC_NO_PART)
        return;
    rec_part *p = &doc->parts[part];
    rec_forget(doc, part, 0);
    mem_free(&doc->mem, p->data, (size_t)p->cap);
    mem_free(&doc->mem, p->log, p->log_cap * sizeof *p->log);
    *p = (rec_part){.owner = REC_NO_PART};
    if (part + 1 == doc->parts_n) /* scratch parts are used like a stack */
        doc->parts_n--;
}

uint32_t rec_part_hidden(lathe_doc *doc, uint32_t container)
{
    uint32_t part = rec_part_add(doc, container);
    if (part != REC_NO_PART)
        doc->parts[part].hidden = doc->parts[part].alive = doc->parts[part].owned = true;
    return part;
}

const rec_type *rec_part_type(const rec_field *row)
{
    return row->kind == REC_BYTES     ? &rec_bytes_part
           : rec_row_rare(row)->embed ? rec_row_rare(row)->embed->root
                                      : rec_row_type(row);
}

/* Appends a part for bytes of the input to the children of `owner`. */
static lathe_result hang_borrowed(lathe_doc *doc, uint32_t owner, uint32_t slot,
                                  const rec_layout *root, uint8_t *data, uint64_t size,
                                  lathe_error *err)
{
    lathe_result r = rec_part_depth(doc, REC_NO_PART, owner, err);
    if (r != LATHE_OK)
        return r;
    uint32_t id = rec_part_add(doc, doc->parts[owner].container);
    if (id == REC_NO_PART || !rec_part_attach(doc, id, owner, slot, doc->parts[owner].kids_n))
        return rec_no_memory(err);
    rec_part *p = &doc->parts[id];
    p->data = data;
    p->size = size;
    p->root = root;
    return LATHE_OK;
}

/* Reserves n more parts, and room for as many children of `owner`. */
static bool reserve_kids(lathe_doc *doc, uint32_t owner, uint64_t n)
{
    void *parts = doc->parts, *kids = doc->parts[owner].kids;
    if (n > REC_NO_PART - 1 - doc->parts_n ||
        !mem_reserve(&doc->mem, &parts, &doc->parts_cap, doc->parts_n + (size_t)n,
                     sizeof *doc->parts))
        return false;
    doc->parts = parts;
    rec_part *o = &doc->parts[owner];
    if (!mem_reserve(&doc->mem, &kids, &o->kids_cap, o->kids_n + (size_t)n, sizeof *o->kids))
        return false;
    o->kids = kids;
    return true;
}

/* There may be many, so memory is reserved once, and each is attached without further checks. */
lathe_result rec_split_sizes(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t n,
                             uint64_t (*size_of)(void *user, uint64_t i), void *user, uint64_t *end,
                             lathe_error *err)
{
    enum { BEHIND = 8 }; /* room for other children after them */
    uint8_t *data = doc->parts[part].data;
    uint64_t have = doc->parts[part].size;
    lathe_result r = rec_part_depth(doc, REC_NO_PART, part, err);
    *end = at;
    if (r != LATHE_OK)
        return r;
    if (!reserve_kids(doc, part, n + BEHIND))
        return rec_no_memory(err);
    rec_part *owner = &doc->parts[part];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t size = size_of(user, i);
        if (size > have - *end) {
            rec_at top = {.doc = doc, .layout = owner->root, .part = part};
            return rec_fail(&top, slot, *end, err, LATHE_ERR_BOUNDS,
                            "%llu bytes needed for element %llu, %llu left",
                            (unsigned long long)size, (unsigned long long)i + 1,
                            (unsigned long long)(have - *end));
        }
        doc->parts[doc->parts_n] = (rec_part){.data = data + *end,
                                              .size = size,
                                              .owner = part,
                                              .slot = slot,
                                              .container = owner->container,
                                              .hint = (uint32_t)owner->kids_n,
                                              .alive = true,
                                              .state = PART_UNPARSED};
        owner->kids[owner->kids_n++] = (uint32_t)doc->parts_n++;
        *end += size;
    }
    rec_displace(doc, doc->parts[part].container);
    return LATHE_OK;
}

lathe_result rec_split_one(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t size,
                           const rec_layout *root, lathe_error *err)
{
    lathe_result r = hang_borrowed(doc, part, slot, root, doc->parts[part].data + at, size, err);
    if (r == LATHE_OK && (!root || root->embeds != REC_NO_SLOT))
        doc->parts[doc->parts_n - 1].state =
            PART_UNPARSED; /* embedded documents are opened, or split off, on first access */
    return r;
}

lathe_result rec_split_run(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot, uint64_t n,
                           uint64_t *end, lathe_error *err)
{
    const rec_layout *owner = doc->parts[part].root;
    rec_at top = {.doc = doc, .layout = owner, .part = part, .slot = REC_NO_SLOT};
    const rec_layout *layout = owner->slots[slot].sub;
    uint8_t *data = doc->parts[part].data;
    uint64_t size, have = doc->parts[part].size;
    *end = at;
    if (!layout->min_size && n > have) /* so that a damaged count cannot cause a long loop */
        return rec_fail(&top, slot, at, err, LATHE_ERR_BOUNDS,
                        "%llu elements do not fit into %llu bytes", (unsigned long long)n,
                        (unsigned long long)have);
    for (uint64_t i = 0; i < n; i++) {
        rec_at child = rec_child(&top, slot, layout, part, *end, i);
        lathe_result r = rec_measure(&child, &size, err);
        if (r == LATHE_OK)
            r = hang_borrowed(doc, part, slot, layout, data + *end, size, err);
        rec_forget(doc, part, *end);
        if (r != LATHE_OK)
            return r;
        *end += size;
    }
    return LATHE_OK;
}

lathe_result rec_split_tail(lathe_doc *doc, uint32_t part, uint64_t size, uint64_t end,
                            uint32_t slot, lathe_error *err)
{
    rec_part *p = &doc->parts[part];
    uint8_t *data = p->data ? p->data + end : NULL;
    uint64_t left = p->size - end;
    const rec_layout *layout = rec_layout_of(doc, p->container, &rec_bytes_part);
    p->size = size;
    return layout ? hang_borrowed(doc, part, slot, layout, data, left, err) : rec_no_memory(err);
}

lathe_result rec_split(lathe_doc *doc, uint32_t part, uint64_t at, uint32_t slot,
                       const rec_type *root, uint32_t *child, lathe_error *err)
{
    rec_part *p = &doc->parts[part];
    if (at > p->size)
        return error_set(err, LATHE_ERR_BOUNDS, rec_encoded(doc, part, p->size),
                         "a part would begin behind the end");
    lathe_result r = rec_part_depth(doc, REC_NO_PART, part, err);
    if (r != LATHE_OK)
        return r;
    uint32_t id = rec_part_add(doc, p->container);
    if (id == REC_NO_PART)
        return rec_no_memory(err);
    p = &doc->parts[part];
    if (!root && p->root && p->root->slots[slot].row->kind == REC_BYTES)
        root = &rec_bytes_part;
    const rec_layout *layout = root ? rec_layout_of(doc, p->container, root) : NULL;
    /* before the other children */
    if ((root && !layout) || !rec_part_attach(doc, id, part, slot, 0))
        return rec_no_memory(err);
    rec_part *k = &doc->parts[id];
    k->data = p->data + at;
    k->size = p->size - at;
    k->root = layout;
    p->size = at;
    const rec_layout *owner = p->root;
    if (owner && slot < owner->count && owner->slots[slot].row->flags & REC_LAZY)
        k->state = PART_UNPARSED;
    if (child)
        *child = id;
    return LATHE_OK;
}

/* ---- updating views ---------------------------------------------------------------------------- */

lathe_result rec_sync(lathe_view *view, lathe_error *err)
{
    const rec_part *p = &view->doc->parts[view->part];
    const rec_layout *layout = view->type;
    uint64_t off = view->off;
    size_t i = view->gen;
    if (p->alive && i == p->log_n)
        return LATHE_OK;
    bool gone = !p->alive, root = layout == p->root && off == 0;
    if (root) /* a part's own record always starts where the part does */
        i = p->log_n;
    while (!gone && i < p->log_n) {
        const rec_cut *cut = &p->log[i];
        if (cut->skip) {
            i = cut->skip;
            continue;
        }
        if (off >= cut->at && (off >= cut->at + cut->removed))
            off = off - cut->removed + cut->inserted;
        else
            gone = off >= cut->at;
        i++;
    }
    if (gone) /* the view is left unchanged, because undo may restore its record */
        return error_set(err, LATHE_ERR_REMOVED, LATHE_NO_OFFSET, "%s was removed",
                         rec_type_name(layout->type));
    view->off = off;
    view->gen = (uint32_t)i;
    return LATHE_OK;
}
