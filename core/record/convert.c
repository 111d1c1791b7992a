/* Another version of a container: first a walk over all records under the old version, which notes what
 * comes and goes and where, then the changes from the back to the front. */
#include "record/record.h"

typedef struct change {
    uint32_t part;
    uint64_t at, remove, insert;
    size_t bytes; /* of what is inserted, in convert.bytes */
} change;

typedef struct convert {
    lathe_doc *doc;
    rec_container *c;
    int64_t from, to;
    void (*dropped)(void *user, const rec_at *at, uint32_t slot);
    void *user;
    buf changes, bytes;
} convert;

static lathe_result note(convert *cv, change now, const void *bytes, lathe_error *err)
{
    now.bytes = cv->bytes.size;
    return buf_put(&cv->bytes, bytes, (size_t)now.insert) && buf_put(&cv->changes, &now, sizeof now)
               ? LATHE_OK
               : rec_no_memory(err);
}

/* Whether records of a layout differ between versions, at any depth. */
static bool versioned(const rec_layout *l, int depth)
{
    for (uint32_t i = 0; l && depth > 0 && i < l->count; i++) {
        const rec_field *row = l->slots[i].row;
        if (row->since || row->before ||
            (l->slots[i].sub != l && versioned(l->slots[i].sub, depth - 1)))
            return true;
    }
    return false;
}

/* ---- what comes ---------------------------------------------------------------------------------- */

/* The number that a row had while it was kept elsewhere. */
static lathe_result emit_kept(const rec_at *at, uint32_t slot, uint32_t scratch, lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    lathe_value v;
    uint64_t raw;
    uint8_t bytes[8];
    lathe_result r = s->row->get(at, s->row, &v, err);
    if (r == LATHE_OK)
        r = rec_encode(at, slot, &v, &raw, err);
    if (r != LATHE_OK)
        return r;
    rec_store(s, bytes, raw);
    return rec_splice(at->doc, scratch, 0, 0, bytes, rec_width(s->row->kind), err);
}

static lathe_result emit_default(convert *cv, const rec_at *at, uint32_t slot, uint32_t scratch,
                                 lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    const rec_from nothing = {0};
    lathe_result r = LATHE_OK;
    if (s->row->get)
        return emit_kept(at, slot, scratch, err);
    if (s->array && s->count_slot != REC_NO_SLOT) { /* its count may come too: then it is 0 */
        rec_items items = {0};
        items.count = (uint64_t)rec_int(at, at->layout->slots[s->count_slot].row->name);
        return rec_emit_items(at, slot, &items, 0, scratch, err);
    }
    cv->c->version = cv->to; /* nothing of the old record is looked at */
    r = rec_emit_field(at, slot, &nothing, scratch, err);
    cv->c->version = cv->from;
    return r;
}

static lathe_result add(convert *cv, const rec_at *at, uint32_t slot, uint64_t off,
                        lathe_error *err)
{
    lathe_doc *doc = cv->doc;
    uint32_t scratch = rec_scratch(doc, at->layout->container);
    if (scratch == REC_NO_PART)
        return rec_no_memory(err);
    lathe_result r = emit_default(cv, at, slot, scratch, err);
    const rec_part *p = rec_part_of(doc, scratch);
    if (r == LATHE_OK && p->size)
        r = note(cv, (change){.part = at->part, .at = off, .insert = p->size}, p->data, err);
    rec_scratch_free(doc, scratch);
    return r;
}

/* ---- the walk ------------------------------------------------------------------------------------ */

static lathe_result walk(convert *cv, const rec_at *at, lathe_error *err);

static lathe_result walk_items(convert *cv, const rec_at *at, uint32_t slot, uint64_t n,
                               lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (!versioned(at->layout->slots[slot].sub, 8))
        return LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at sub;
        r = rec_sub(at, slot, i, &sub, err);
        if (r == LATHE_OK)
            r = walk(cv, &sub, err);
    }
    return r;
}

static lathe_result drop(convert *cv, const rec_at *at, uint32_t slot, const rec_loc *loc,
                         lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    if (cv->dropped)
        cv->dropped(cv->user, at, slot);
    if (row->set && row->get) {
        lathe_value v = {.kind = LATHE_KIND_INT, .as.i = rec_int(at, row->name)};
        lathe_result r = row->set(at, row, &v, err);
        if (r != LATHE_OK)
            return r;
    }
    return note(cv, (change){.part = loc->part, .at = loc->off, .remove = loc->size}, NULL, err);
}

static lathe_result walk_row(convert *cv, const rec_at *at, uint32_t slot, uint64_t *off,
                             lathe_error *err)
{
    const rec_slot *s = &at->layout->slots[slot];
    bool chosen, was = rec_in_version(s->row, cv->from), now = rec_in_version(s->row, cv->to);
    rec_loc loc;
    lathe_result r = rec_chosen(at, slot, &chosen, err);
    if (r != LATHE_OK || !chosen || !(was || now))
        return r;
    if (!was)
        return add(cv, at, slot, *off, err);
    r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if (!(s->row->flags & REC_PART))
        *off = loc.off + loc.size;
    if (!now)
        return s->row->flags & REC_PART
                   ? rec_fail(at, slot, loc.off, err, LATHE_ERR_UNSUPPORTED, "a part cannot go")
                   : drop(cv, at, slot, &loc, err);
    if (s->row->kind != REC_RECORD)
        return LATHE_OK;
    return walk_items(cv, at, slot, s->array || s->row->flags & REC_PART ? loc.count : 1, err);
}

static lathe_result walk(convert *cv, const rec_at *at, lathe_error *err)
{
    uint64_t off = at->off;
    lathe_result r = LATHE_OK;
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++)
        if (!rec_unstored(at->layout->slots[slot].row))
            r = walk_row(cv, at, slot, &off, err);
    return r;
}

static lathe_result apply(const convert *cv, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t n = cv->changes.size / sizeof(change); r == LATHE_OK && n-- > 0;) {
        change now;
        memcpy(&now, cv->changes.data + n * sizeof now, sizeof now);
        r = rec_splice(cv->doc, now.part, now.at, now.remove,
                       now.insert ? cv->bytes.data + now.bytes : NULL, now.insert, err);
    }
    return r;
}

lathe_result rec_convert(lathe_doc *doc, uint32_t container, int64_t version,
                         void (*dropped)(void *user, const rec_at *at, uint32_t slot), void *user,
                         lathe_error *err)
{
    rec_container *c = &doc->containers[container];
    convert cv = {.doc = doc, .c = c, .from = c->version, .to = version, .dropped = dropped};
    rec_at root = rec_root(doc, container);
    cv.user = user;
    if (c->format->refs)
        return rec_fail(&root, REC_NO_SLOT, root.off, err, LATHE_ERR_UNSUPPORTED,
                        "files with stored positions keep their version");
    buf_init(&cv.changes, &doc->mem);
    buf_init(&cv.bytes, &doc->mem);
    lathe_result r = walk(&cv, &root, err);
    rec_quiet(&root);
    if (r == LATHE_OK)
        r = apply(&cv, err);
    if (r == LATHE_OK)
        r = rec_set_version(doc, container, version, err);
    doc->quiet--;
    buf_free(&cv.changes);
    buf_free(&cv.bytes);
    return r;
}
