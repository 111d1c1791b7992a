/* Changes and their journal. rec_splice is the only function that changes bytes; it records the bytes that it
 * replaces. Rollback, undo and redo replay the journal backwards. */
#include "record/journal.h"
#include "record/index.h"
#include "record/offset_cache.h"
#include "record/recent.h"
#include "record/upper.h"

/* ---- journal --------------------------------------------------------------------------------------- */

static bool journal_room(lathe_doc *doc, rec_journal *j, uint64_t bytes)
{
    void *edits = j->edits;
    /* edits are numbered with 32 bits */
    if (j->n >= UINT32_MAX - 1 ||
        !mem_reserve(&doc->mem, &edits, &j->cap, j->n + 1, sizeof *j->edits))
        return false;
    j->edits = edits;
    return bytes <= SIZE_MAX && buf_reserve(&j->data, (size_t)bytes);
}

void rec_journal_free(lathe_doc *doc, rec_journal *j)
{
    mem_free(&doc->mem, j->edits, j->cap * sizeof *j->edits);
    buf_free(&j->data);
    *j = (rec_journal){0};
    buf_init(&j->data, &doc->mem);
}

bool rec_edit_names_part(const rec_edit *e)
{
    return e->kind != EDIT_VERSION && e->kind != EDIT_PARAM && e->kind != EDIT_SWAP &&
           e->kind != EDIT_UPPER && e->kind != EDIT_NONE;
}

/* The number of a part's last entry in this journal; 0: none. rec_part.edited may be from an earlier journal. */
static uint32_t last_of(const lathe_doc *doc, uint32_t part)
{
    const rec_journal *j = &doc->journal;
    uint32_t i = doc->parts[part].edited;
    return i && i <= j->n && j->edits[i - 1].part == part && rec_edit_names_part(&j->edits[i - 1])
               ? i
               : 0;
}

const rec_edit *rec_edit_last(const lathe_doc *doc, uint32_t part)
{
    uint32_t i = last_of(doc, part);
    return i ? &doc->journal.edits[i - 1] : NULL;
}

const rec_edit *rec_edit_earlier(const lathe_doc *doc, const rec_edit *e)
{
    return e->earlier ? &doc->journal.edits[e->earlier - 1] : NULL;
}

/* Appends an entry, for which room is reserved. */
static void append(lathe_doc *doc, rec_edit edit)
{
    rec_journal *j = &doc->journal;
    if (rec_edit_names_part(&edit)) {
        edit.earlier = last_of(doc, edit.part);
        doc->parts[edit.part].edited = (uint32_t)j->n + 1;
    }
    j->edits[j->n++] = edit;
}

void rec_mark_dirty(lathe_doc *doc, uint32_t part)
{
    rec_displace(doc, doc->parts[part].container);
    doc->changes++;
    rec_recent_note(doc, (rec_change){.part = part});
    for (uint32_t c = doc->parts[part].container; c != UINT32_MAX; c = doc->containers[c].outer)
        doc->containers[c].dirty = true;
}

static void set_alive(lathe_doc *doc, uint32_t part, bool alive, int depth)
{
    rec_part *p = &doc->parts[part];
    p->alive = alive;
    if (alive)
        rec_mark_dirty(doc, part); /* an embedded document in it needs .relayout, too */
    for (size_t i = 0; depth < REC_DEPTH && i < p->kids_n; i++)
        set_alive(doc, p->kids[i], alive, depth + 1);
}

bool rec_log_room(lathe_doc *doc, rec_part *p)
{
    void *log = p->log;
    if (!mem_reserve(&doc->mem, &log, &p->log_cap, p->log_n + p->pending + 2, sizeof *p->log))
        return false;
    p->log = log;
    return true;
}

/* Replaces bytes without further effects. Memory is reserved. */
static void replace(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove, const void *bytes,
                    uint64_t insert)
{
    rec_part *p = &doc->parts[part];
    doc->changes++;
    p->memo = 0;
    if (!p->scratch)
        rec_recent_note(doc, (rec_change){part, at, remove, insert});
    rec_index_move(doc, part, at, remove, insert);
    if (remove != insert) {
        memmove(p->data + at + insert, p->data + at + remove, (size_t)(p->size - at - remove));
        p->size = p->size - remove + insert;
        if (!p->scratch) {
            p->log[p->log_n++] = (rec_cut){at, remove, insert, 0};
            rec_mark_dirty(doc, part);
        }
        if (doc->resizing && doc->resizing->at->part == part)
            rec_offset_resize(doc->resizing, at, remove, insert);
        else if (doc->only_text)
            rec_offset_move(doc, part, at + remove, remove, insert);
        else
            rec_forget(doc, part, at);
    }
    if (insert && bytes)
        memcpy(p->data + at, bytes, (size_t)insert);
    else if (insert)
        memset(p->data + at, 0, (size_t)insert);
}

static bool same_bytes(const uint8_t *p, const void *bytes, uint64_t n)
{
    if (bytes)
        return memcmp(p, bytes, (size_t)n) == 0;
    while (n && p[n - 1] == 0)
        n--;
    return n == 0;
}

static lathe_result splice_journaled(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                                     const void *bytes, uint64_t insert, lathe_error *err)
{
    rec_part *p = &doc->parts[part];
    bool journaled = doc->depth > 0 && !p->scratch;
    uint64_t size = p->size - remove + insert;
    if (!rec_part_own(doc, p, size) || (!p->scratch && remove != insert && !rec_log_room(doc, p)) ||
        (journaled && !journal_room(doc, &doc->journal, remove)))
        return rec_no_memory(err);
    if (journaled) {
        rec_journal *j = &doc->journal;
        append(doc, (rec_edit){.kind = EDIT_BYTES,
                               .part = part,
                               .at = at,
                               .removed = remove,
                               .inserted = insert,
                               .log_index = (uint32_t)p->log_n,
                               .data = j->data.size});
        buf_put(&j->data, p->data + at, (size_t)remove); /* memory is reserved */
        p->pending += remove != insert;
    }
    replace(doc, part, at, remove, bytes, insert);
    return rec_hold_move(doc, part, at, remove, insert, err);
}

lathe_result rec_splice(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove,
                        const void *bytes, uint64_t insert, lathe_error *err)
{
    const rec_part *p = &doc->parts[part];
    const uint8_t *from = bytes;
    if (at > p->size || remove > p->size - at || insert > SIZE_MAX / 4 - p->size)
        return error_set(err, LATHE_ERR_BOUNDS, rec_encoded(doc, part, at),
                         "an edit of %llu bytes does not fit", (unsigned long long)remove);
    if (remove == insert && (!remove || same_bytes(p->data + at, bytes, insert)))
        return LATHE_OK; /* equal bytes are no change */
    if (!p->scratch && !p->hidden && !doc->relaying && !doc->changing)
        rec_derive_note(doc, part, at, remove == insert);
    if (!from || !p->data || from < p->data || from >= p->data + p->size)
        return splice_journaled(doc, part, at, remove, bytes, insert, err);
    buf own; /* copy of bytes from the part that is about to move */
    buf_init(&own, &doc->mem);
    lathe_result r = buf_put(&own, bytes, (size_t)insert)
                         ? splice_journaled(doc, part, at, remove, own.data, insert, err)
                         : rec_no_memory(err);
    buf_free(&own);
    return r;
}

lathe_result rec_note(lathe_doc *doc, rec_edit edit, const void *data, size_t size,
                      lathe_error *err)
{
    rec_journal *j = &doc->journal;
    if (!journal_room(doc, j, size))
        return rec_no_memory(err);
    edit.data = j->data.size;
    if (size)
        edit.removed = edit.inserted = size;
    append(doc, edit);
    buf_put(&j->data, data, size); /* memory is reserved */
    return LATHE_OK;
}

lathe_result rec_part_insert(lathe_doc *doc, uint32_t part, uint32_t owner, uint32_t slot,
                             uint64_t i, lathe_error *err)
{
    size_t pos = rec_first_kid(doc, owner, slot) + (size_t)i;
    rec_edit edit = {.kind = EDIT_PART_ADD, .part = part, .owner = owner, .pos = (uint32_t)pos};
    lathe_result r = rec_part_depth(doc, part, owner, err);
    if (r != LATHE_OK)
        return r;
    if (!journal_room(doc, &doc->journal, 0) || !rec_part_attach(doc, part, owner, slot, pos))
        return rec_no_memory(err);
    set_alive(doc, part, true, 0);
    rec_mark_dirty(doc, owner);
    return doc->depth ? rec_note(doc, edit, NULL, 0, err) : LATHE_OK;
}

lathe_result rec_part_remove(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    rec_part *p = &doc->parts[part];
    uint32_t owner = p->owner;
    uint64_t pos = rec_kid_index(doc, part) + rec_first_kid(doc, owner, p->slot);
    rec_edit edit = {.kind = EDIT_PART_REMOVE, .part = part, .owner = owner, .pos = (uint32_t)pos};
    lathe_result r = rec_note(doc, edit, NULL, 0, err);
    if (r != LATHE_OK)
        return r;
    rec_part_detach(doc, part);
    set_alive(doc, part, false, 0);
    rec_mark_dirty(doc, owner);
    return LATHE_OK;
}

lathe_result rec_set_version(lathe_doc *doc, uint32_t container, int64_t version, lathe_error *err)
{
    rec_container *c = &doc->containers[container];
    rec_edit edit = {.kind = EDIT_VERSION, .part = container, .at = (uint64_t)c->version};
    if (c->version == version)
        return LATHE_OK;
    lathe_result r = doc->depth ? rec_note(doc, edit, NULL, 0, err) : LATHE_OK;
    if (r != LATHE_OK)
        return r;
    c->version = version;
    doc->changes++;
    rec_recent_note_all(doc);
    rec_index_drop(doc);
    for (uint32_t i = 0; i < doc->parts_n; i++)
        rec_forget(doc, i, 0); /* conditions may have changed */
    return LATHE_OK;
}

lathe_result rec_set_param(lathe_doc *doc, uint32_t container, int64_t param, lathe_error *err)
{
    rec_container *c = &doc->containers[container];
    rec_edit edit = {.kind = EDIT_PARAM, .part = container, .at = (uint64_t)c->param};
    if (c->param == param)
        return LATHE_OK;
    lathe_result r = doc->depth ? rec_note(doc, edit, NULL, 0, err) : LATHE_OK;
    if (r != LATHE_OK)
        return r;
    c->param = param;
    doc->changes++;
    rec_recent_note_all(doc);
    rec_index_drop(doc);
    for (uint32_t i = 0; i < doc->parts_n; i++)
        rec_forget(doc, i, 0); /* counts may depend on it */
    return LATHE_OK;
}

lathe_result rec_parts_order(lathe_doc *doc, uint32_t owner, uint32_t slot, const uint32_t *parts,
                             lathe_error *err)
{
    size_t first = rec_first_kid(doc, owner, slot);
    size_t size = (size_t)rec_kids(doc, owner, slot) * sizeof *parts;
    uint32_t *kids = doc->parts[owner].kids + first;
    rec_edit edit = {.kind = EDIT_ORDER, .part = owner, .owner = owner, .pos = (uint32_t)first};
    if (!size || memcmp(kids, parts, size) == 0)
        return LATHE_OK;
    lathe_result r = rec_note(doc, edit, kids, size, err);
    if (r != LATHE_OK)
        return r;
    memcpy(kids, parts, size);
    rec_mark_dirty(doc, owner);
    rec_recent_note_all(doc);
    return LATHE_OK;
}

/* Updates the container number in its layouts. */
static void renumber_layouts(rec_container *c, uint32_t number)
{
    for (size_t i = 0; i < c->layouts_cap; i++)
        if (c->layouts[i])
            c->layouts[i]->container = number;
}

static uint32_t swapped(uint32_t container, uint32_t other)
{
    return container == 0 ? other : container == other ? 0 : container;
}

/* Exchanges container `other` and number 0. The detached container is kept for undo. */
static void swap_containers(lathe_doc *doc, uint32_t other)
{
    rec_container was = doc->containers[0];
    set_alive(doc, was.root, false, 0);
    doc->containers[0] = doc->containers[other];
    doc->containers[other] = was;
    renumber_layouts(&doc->containers[0], 0);
    renumber_layouts(&doc->containers[other], other);
    for (size_t i = 0; i < doc->containers_n; i++)
        if (doc->containers[i].outer != UINT32_MAX)
            doc->containers[i].outer = swapped(doc->containers[i].outer, other);
    for (size_t i = 0; i < doc->parts_n; i++)
        doc->parts[i].container = swapped(doc->parts[i].container, other);
    set_alive(doc, doc->containers[0].root, true, 0);
    rec_displace_all(doc);
    doc->changes++;
    rec_recent_note_all(doc);
    rec_index_drop(doc);
}

lathe_result rec_swap(lathe_doc *doc, uint32_t other, lathe_error *err)
{
    lathe_result r = rec_note(doc, (rec_edit){.kind = EDIT_SWAP, .part = other}, NULL, 0, err);
    if (r == LATHE_OK)
        swap_containers(doc, other);
    return r;
}

/* ---- replay ---------------------------------------------------------------------------------------- */

/* The inverse of an entry, which undoing it records for redo. */
static rec_edit mirrored(lathe_doc *doc, const rec_journal *j, const rec_edit *e, rec_journal *redo)
{
    rec_edit m = *e;
    rec_shift shift;
    switch (e->kind) {
    case EDIT_BYTES:
        m.removed = e->inserted;
        m.inserted = e->removed;
        m.log_index = (uint32_t)doc->parts[e->part].log_n;
        m.data = redo->data.size;
        buf_put(&redo->data, doc->parts[e->part].data + e->at, (size_t)e->inserted);
        break;
    case EDIT_ORDER:
        m.data = redo->data.size;
        buf_put(&redo->data, doc->parts[e->part].kids + e->pos, (size_t)e->inserted);
        break;
    case EDIT_SHIFT:
        shift = rec_shift_back(j->data.data + e->data);
        m.data = redo->data.size;
        buf_put(&redo->data, &shift, sizeof shift);
        break;
    case EDIT_PART_ADD: m.kind = EDIT_PART_REMOVE; break;
    case EDIT_PART_REMOVE: m.kind = EDIT_PART_ADD; break;
    case EDIT_VERSION: m.at = (uint64_t)doc->containers[e->part].version; break;
    case EDIT_PARAM: m.at = (uint64_t)doc->containers[e->part].param; break;
    case EDIT_SWAP: break;
    case EDIT_UPPER: /* removed at the end of the edit */
    case EDIT_NONE: break;
    }
    return m;
}

static void revert(lathe_doc *doc, const rec_journal *j, const rec_edit *e)
{
    rec_shift shift;
    switch (e->kind) {
    case EDIT_BYTES:
        replace(doc, e->part, e->at, e->inserted, e->removed ? j->data.data + e->data : NULL,
                e->removed);
        break;
    case EDIT_SHIFT:
        shift = rec_shift_back(j->data.data + e->data);
        rec_shift_apply(doc, e->part, &shift);
        break;
    case EDIT_PART_ADD:
        rec_part_detach(doc, e->part);
        set_alive(doc, e->part, false, 0);
        break;
    case EDIT_PART_REMOVE: /* the list of children keeps its capacity */
        rec_part_attach(doc, e->part, e->owner, doc->parts[e->part].slot, e->pos);
        set_alive(doc, e->part, true, 0);
        break;
    case EDIT_ORDER:
        memcpy(doc->parts[e->part].kids + e->pos, j->data.data + e->data, (size_t)e->removed);
        break;
    case EDIT_VERSION: doc->containers[e->part].version = (int64_t)e->at; break;
    case EDIT_PARAM: doc->containers[e->part].param = (int64_t)e->at; break;
    case EDIT_SWAP: swap_containers(doc, e->part); break;
    case EDIT_UPPER: rec_upper_floor.revert(doc, e, j->data.data); break;
    case EDIT_NONE: break;
    }
}

/* Drops cached offsets of the parts that entries changed: also edits that keep sizes may have changed conditions. */
static void forget_walks(lathe_doc *doc, const rec_journal *j, size_t from)
{
    doc->stamp++;
    for (size_t i = from; i < j->n; i++) {
        rec_part *p = &doc->parts[j->edits[i].part];
        if (j->edits[i].kind != EDIT_BYTES || p->stamp == doc->stamp)
            continue;
        p->stamp = doc->stamp;
        rec_forget(doc, j->edits[i].part, 0);
    }
}

/* A view that is older than a cut that was undone can skip it and all later ones: the part is as before. This is set
 * for each cut, because views may have been updated in the middle of an edit. */
static void skip_cut(lathe_doc *doc, const rec_edit *e)
{
    rec_part *p = &doc->parts[e->part];
    p->log[e->log_index].skip = (uint32_t)p->log_n;
    if (p->pending)
        p->pending--;
}

void rec_replay(lathe_doc *doc, rec_journal *j, size_t from, rec_journal *redo)
{
    for (size_t i = j->n; i-- > from;) {
        const rec_edit *e = &j->edits[i];
        if (redo)
            redo->edits[redo->n++] = mirrored(doc, j, e, redo);
        revert(doc, j, e);
        if (e->kind == EDIT_BYTES && e->removed != e->inserted)
            skip_cut(doc, e);
        if (e->kind == EDIT_VERSION || e->kind == EDIT_PARAM)
            rec_index_drop(doc);
        if (e->kind == EDIT_VERSION || e->kind == EDIT_PARAM)
            for (uint32_t p = 0; p < doc->parts_n; p++)
                rec_forget(doc, p, 0);
    }
    rec_upper_floor.stale(doc);
    forget_walks(doc, j, from);
    for (size_t i = 0; i < doc->containers_n; i++) {
        doc->containers[i].dirty = false; /* sizes were restored, too */
        doc->containers[i].index_stale = true;
    }
    rec_displace_all(doc);
    doc->changes++;
    rec_recent_note_all(doc);
}

void rec_give_up(lathe_doc *doc, uint32_t part)
{
    rec_part *p = &doc->parts[part];
    if (p->alive || !p->owned)
        return;
    mem_free(&doc->mem, p->data, (size_t)p->cap);
    p->data = NULL;
    p->size = p->cap = 0;
    p->owned = false;
}

void rec_give_up_container(lathe_doc *doc, uint32_t container)
{
    for (uint32_t i = 0; i < doc->parts_n; i++)
        if (doc->parts[i].container == container)
            rec_give_up(doc, i);
}

void rec_rollback(lathe_doc *doc, size_t mark)
{
    rec_journal *j = &doc->journal;
    rec_replay(doc, j, mark, NULL);
    for (size_t i = mark; i < j->n; i++)
        if (j->edits[i].kind == EDIT_PART_ADD)
            rec_give_up(doc, j->edits[i].part);
        else if (j->edits[i].kind == EDIT_SWAP)
            rec_give_up_container(doc, j->edits[i].part);
    for (size_t i = mark; doc->depth == 0 && i < j->n; i++)
        if (j->edits[i].kind == EDIT_BYTES)
            doc->parts[j->edits[i].part].to_tidy = false; /* it was restored */
    for (size_t i = j->n; i-- > mark;)
        if (rec_edit_names_part(&j->edits[i]))
            doc->parts[j->edits[i].part].edited = j->edits[i].earlier;
    if (mark < j->n)
        j->data.size = j->edits[mark].data;
    j->n = mark;
}
