/* Changes and their undoing. rec_splice is the one function that changes bytes; it records what it
 * replaced. Rollback, doc:edit, undo and redo are that record replayed backwards. */
#include "record/record.h"
#include "record/seen.h"

/* ---- the record -------------------------------------------------------------------------------- */

static bool journal_room(lathe_doc *doc, rec_journal *j, uint64_t bytes)
{
    void *edits = j->edits;
    if (!mem_reserve(&doc->mem, &edits, &j->cap, j->n + 1, sizeof *j->edits))
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

void rec_history_free(lathe_doc *doc)
{
    for (size_t i = 0; i < doc->undo_n; i++)
        rec_journal_free(doc, &doc->undo[i]);
    for (size_t i = 0; i < doc->redo_n; i++)
        rec_journal_free(doc, &doc->redo[i]);
    mem_free(&doc->mem, doc->undo, doc->undo_cap * sizeof *doc->undo);
    mem_free(&doc->mem, doc->redo, doc->redo_cap * sizeof *doc->redo);
    doc->undo = doc->redo = NULL;
    doc->undo_n = doc->redo_n = 0;
}

static void mark_dirty(lathe_doc *doc, uint32_t part)
{
    doc->places_good = false;
    doc->changes++;
    for (uint32_t c = doc->parts[part].container; c != UINT32_MAX; c = doc->containers[c].outer)
        doc->containers[c].dirty = true;
}

static void set_alive(lathe_doc *doc, uint32_t part, bool alive, int depth)
{
    rec_part *p = &doc->parts[part];
    p->alive = alive;
    if (alive)
        mark_dirty(doc, part); /* a document in it is laid out, too */
    for (size_t i = 0; depth < REC_DEPTH && i < p->kids_n; i++)
        set_alive(doc, p->kids[i], alive, depth + 1);
}

/* Room in a part's log for one more cut and for undoing every cut of the open edit. */
static bool log_room(lathe_doc *doc, rec_part *p)
{
    void *log = p->log;
    if (!mem_reserve(&doc->mem, &log, &p->log_cap, p->log_n + p->pending + 2, sizeof *p->log))
        return false;
    p->log = log;
    return true;
}

/* The bare replacement; room was made before. */
static void replace(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t remove, const void *bytes,
                    uint64_t insert)
{
    rec_part *p = &doc->parts[part];
    doc->changes++;
    if (remove != insert) {
        memmove(p->data + at + insert, p->data + at + remove, (size_t)(p->size - at - remove));
        p->size = p->size - remove + insert;
        if (!p->scratch) {
            p->log[p->log_n++] = (rec_cut){at, remove, insert, 0};
            mark_dirty(doc, part);
        }
        if (doc->only_text)
            rec_seen_move(doc, part, at + remove, remove, insert);
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
    if (!rec_part_own(doc, p, size) || (!p->scratch && remove != insert && !log_room(doc, p)) ||
        (journaled && !journal_room(doc, &doc->journal, remove)))
        return rec_no_memory(err);
    if (journaled) {
        rec_journal *j = &doc->journal;
        j->edits[j->n++] = (rec_edit){.kind = EDIT_BYTES,
                                      .part = part,
                                      .at = at,
                                      .removed = remove,
                                      .inserted = insert,
                                      .log_index = (uint32_t)p->log_n,
                                      .data = j->data.size};
        buf_put(&j->data, p->data + at, (size_t)remove); /* room was made */
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
    if (remove == insert && same_bytes(p->data + at, bytes, insert))
        return LATHE_OK; /* an equal value is no change */
    if (!p->scratch && !doc->relaying && !doc->quiet)
        rec_derive_note(doc, part, at);
    if (!from || !p->data || from < p->data || from >= p->data + p->size)
        return splice_journaled(doc, part, at, remove, bytes, insert, err);
    buf own; /* bytes of the very part that is about to move */
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
    j->edits[j->n++] = edit;
    buf_put(&j->data, data, size); /* room was made */
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
    if (!journal_room(doc, &doc->journal, 0) || !rec_part_hang(doc, part, owner, slot, pos))
        return rec_no_memory(err);
    set_alive(doc, part, true, 0);
    mark_dirty(doc, owner);
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
    rec_part_unhang(doc, part);
    set_alive(doc, part, false, 0);
    mark_dirty(doc, owner);
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
    for (uint32_t i = 0; i < doc->parts_n; i++)
        rec_forget(doc, i, 0); /* conditions may have turned */
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
    for (uint32_t i = 0; i < doc->parts_n; i++)
        rec_forget(doc, i, 0); /* counts may follow from it */
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
    mark_dirty(doc, owner);
    return LATHE_OK;
}

/* ---- backwards --------------------------------------------------------------------------------- */

/* The same change seen from the other side: what undoing `e` will have to record for redo. */
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
        rec_part_unhang(doc, e->part);
        set_alive(doc, e->part, false, 0);
        break;
    case EDIT_PART_REMOVE: /* the list of children never shrinks its room */
        rec_part_hang(doc, e->part, e->owner, doc->parts[e->part].slot, e->pos);
        set_alive(doc, e->part, true, 0);
        break;
    case EDIT_ORDER:
        memcpy(doc->parts[e->part].kids + e->pos, j->data.data + e->data, (size_t)e->removed);
        break;
    case EDIT_VERSION: doc->containers[e->part].version = (int64_t)e->at; break;
    case EDIT_PARAM: doc->containers[e->part].param = (int64_t)e->at; break;
    }
}

/* What walks have found in these parts: same-size edits may have turned conditions, too. */
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

/* Views from right before a cut need not look at it, nor at what came after: all is as it was. That
 * holds for each cut, since a view may have been looked at in the middle of an edit. */
static void skip_cut(lathe_doc *doc, const rec_edit *e)
{
    rec_part *p = &doc->parts[e->part];
    p->log[e->log_index].skip = (uint32_t)p->log_n;
    if (p->pending)
        p->pending--;
}

static void replay(lathe_doc *doc, rec_journal *j, size_t from, rec_journal *redo)
{
    for (size_t i = j->n; i-- > from;) {
        const rec_edit *e = &j->edits[i];
        if (redo)
            redo->edits[redo->n++] = mirrored(doc, j, e, redo);
        revert(doc, j, e);
        if (e->kind == EDIT_BYTES && e->removed != e->inserted)
            skip_cut(doc, e);
        if (e->kind == EDIT_VERSION || e->kind == EDIT_PARAM)
            for (uint32_t p = 0; p < doc->parts_n; p++)
                rec_forget(doc, p, 0);
    }
    forget_walks(doc, j, from);
    for (size_t i = 0; i < doc->containers_n; i++) {
        doc->containers[i].dirty = false; /* sizes were put back too */
        doc->containers[i].index_stale = true;
    }
    doc->places_good = false;
    doc->changes++;
}

/* A part that nothing can bring back gives its bytes up. */
static void give_up(lathe_doc *doc, uint32_t part)
{
    rec_part *p = &doc->parts[part];
    if (p->alive || !p->owned)
        return;
    mem_free(&doc->mem, p->data, (size_t)p->cap);
    p->data = NULL;
    p->size = p->cap = 0;
    p->owned = false;
}

static void rollback(lathe_doc *doc, size_t mark)
{
    rec_journal *j = &doc->journal;
    replay(doc, j, mark, NULL);
    for (size_t i = mark; i < j->n; i++)
        if (j->edits[i].kind == EDIT_PART_ADD)
            give_up(doc, j->edits[i].part);
    for (size_t i = mark; doc->depth == 0 && i < j->n; i++)
        if (j->edits[i].kind == EDIT_BYTES)
            doc->parts[j->edits[i].part].to_tidy = false; /* it is as it was */
    if (mark < j->n)
        j->data.size = j->edits[mark].data;
    j->n = mark;
}

/* ---- edits ------------------------------------------------------------------------------------- */

lathe_result rec_begin(lathe_doc *doc, lathe_error *err)
{
    if (doc->depth >= REC_DEPTH)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "edits nested deeper than %d",
                         REC_DEPTH);
    if (!doc->depth)
        doc->variant_lost = false;
    doc->derived_marks[doc->depth] = doc->derived_n;
    doc->marks[doc->depth++] = doc->journal.n;
    return LATHE_OK;
}

/* Parts in which lengths changed, and that were tidy before, become tidy again: at the end of the whole edit. */
static lathe_result tidy_up(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    size_t n = doc->journal.n;
    for (size_t i = 0; r == LATHE_OK && doc->depth == 1 && i < n; i++) {
        if (doc->journal.edits[i].kind != EDIT_BYTES)
            continue;
        uint32_t part = doc->journal.edits[i].part;
        rec_part *p = &doc->parts[part];
        if (!p->to_tidy)
            continue;
        p->to_tidy = false;
        if (p->alive && p->tidy == PART_TIDY)
            r = doc->containers[p->container].format->tidy(doc, p->container, part, false, err);
    }
    return r;
}

/* Sizes and offsets that follow from the lengths, innermost documents first. */
static lathe_result relayout(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    doc->relaying = true;
    for (size_t i = doc->containers_n; r == LATHE_OK && doc->depth == 1 && i-- > 0;) {
        const rec_container *c = &doc->containers[i];
        if (c->format->settle && doc->journal.n && doc->parts[c->root].alive)
            r = c->format->settle(doc, (uint32_t)i, err);
    }
    if (r == LATHE_OK)
        r = rec_derive_apply(doc, err);
    if (r == LATHE_OK)
        r = tidy_up(doc, err);
    for (size_t i = doc->containers_n; r == LATHE_OK && i-- > 0;) {
        rec_container *c = &doc->containers[i];
        bool last = doc->depth <= 1, asked = c->dirty || (last && c->stirred);
        if (asked && c->format->relayout && doc->parts[c->root].alive)
            r = c->format->relayout(doc, (uint32_t)i, err);
        c->stirred = !last && (c->stirred || c->dirty);
        c->dirty = false;
    }
    doc->relaying = false;
    doc->laid = doc->journal.n;
    return r;
}

/* A part of an edit was taken back: what the rest of it changed is still to be laid out. */
static void dirty_again(lathe_doc *doc, size_t mark)
{
    for (size_t i = doc->laid <= mark ? doc->laid : 0; i < mark; i++) {
        const rec_edit *e = &doc->journal.edits[i];
        if (e->kind == EDIT_PART_ADD || e->kind == EDIT_PART_REMOVE || e->kind == EDIT_ORDER)
            mark_dirty(doc, e->owner);
        else if (e->kind == EDIT_BYTES && e->removed != e->inserted)
            mark_dirty(doc, e->part);
    }
}

/* Removed parts that no undo can bring back. */
static void give_up_removed(lathe_doc *doc, const rec_journal *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->edits[i].kind == EDIT_PART_REMOVE)
            give_up(doc, j->edits[i].part);
}

static void drop(lathe_doc *doc, rec_journal *j)
{
    give_up_removed(doc, j);
    rec_journal_free(doc, j);
}

/* Empties the open edit's journal for the next one; small room is kept, edits being mostly small. */
static void empty(lathe_doc *doc, rec_journal *j)
{
    enum { KEEP = 65536 };
    give_up_removed(doc, j);
    if (j->data.cap > KEEP || j->cap > KEEP / sizeof *j->edits)
        rec_journal_free(doc, j);
    j->n = j->data.size = 0;
}

static void clear_redo(lathe_doc *doc)
{
    for (size_t i = 0; i < doc->redo_n; i++)
        drop(doc, &doc->redo[i]);
    doc->redo_n = 0;
}

static void push(lathe_doc *doc, rec_journal *list, size_t *n, rec_journal step)
{
    if (*n == doc->history) {
        drop(doc, &list[0]);
        memmove(list, list + 1, (*n - 1) * sizeof *list);
        --*n;
    }
    list[(*n)++] = step;
}

/* Room for one more step to undo, and for undoing all of them. */
static bool history_room(lathe_doc *doc)
{
    void *undo = doc->undo, *redo = doc->redo;
    bool ok = mem_reserve(&doc->mem, &undo, &doc->undo_cap, doc->undo_n + 1, sizeof *doc->undo);
    doc->undo = undo;
    ok = ok && mem_reserve(&doc->mem, &redo, &doc->redo_cap, doc->undo_n + 1, sizeof *doc->redo);
    doc->redo = redo;
    return ok;
}

static void commit(lathe_doc *doc)
{
    rec_journal *j = &doc->journal;
    doc->laid = 0;
    if (!j->n)
        return;
    for (size_t i = 0; i < j->n; i++)
        if (j->edits[i].kind == EDIT_BYTES)
            doc->parts[j->edits[i].part].pending = 0;
    j->state = doc->state;
    doc->state = doc->next_state++;
    clear_redo(doc);
    if (doc->history && history_room(doc)) {
        push(doc, doc->undo, &doc->undo_n, *j);
        *j = (rec_journal){0};
        buf_init(&j->data, &doc->mem);
    } else { /* a step that history lost takes the steps before it along: they no longer fit */
        while (doc->undo_n > 0)
            drop(doc, &doc->undo[--doc->undo_n]);
        empty(doc, j);
    }
}

lathe_result rec_end(lathe_doc *doc, lathe_result result, lathe_error *err)
{
    if (result == LATHE_OK)
        result = relayout(doc, err);
    if (doc->variant_lost)
        result = rec_no_memory(err);
    doc->depth--;
    rec_derive_forget(doc, doc->derived_marks[doc->depth]);
    if (result != LATHE_OK || doc->depth == 0)
        rec_let_go(doc);
    if (result != LATHE_OK) {
        rollback(doc, doc->marks[doc->depth]);
        dirty_again(doc, doc->journal.n);
        doc->laid = 0;
    }
    if (doc->depth == 0)
        commit(doc);
    return result;
}

lathe_result lathe_edit_begin(lathe_doc *doc, lathe_error *err)
{
    return rec_begin(doc, err);
}

void lathe_edit_end(lathe_doc *doc, bool keep)
{
    if (doc->depth)
        rec_end(doc, keep ? LATHE_OK : LATHE_ERR_STATE, NULL);
}

/* Everything that undoing a step will need, before the first byte moves. */
static bool undo_room(lathe_doc *doc, const rec_journal *j, rec_journal *redo)
{
    uint64_t bytes = 0;
    void *edits = NULL;
    for (size_t i = 0; i < j->n; i++) {
        const rec_edit *e = &j->edits[i];
        bytes += e->inserted; /* 0 of most kinds */
        if (e->kind != EDIT_BYTES)
            continue;
        doc->parts[e->part].pending += e->removed != e->inserted;
        if (!log_room(doc, &doc->parts[e->part]))
            return false;
    }
    if (bytes > SIZE_MAX || !mem_reserve(&doc->mem, &edits, &redo->cap, j->n, sizeof *redo->edits))
        return false;
    redo->edits = edits;
    return buf_reserve(&redo->data, (size_t)bytes);
}

/* One step back (or forth), for which there is room. */
static void step_over(lathe_doc *doc, rec_journal *from, size_t *from_n, rec_journal *to,
                      size_t *to_n, rec_journal *room)
{
    rec_journal *j = &from[*from_n - 1];
    replay(doc, j, 0, room);
    room->state = doc->state;
    doc->state = j->state;
    rec_journal_free(doc, j);
    --*from_n;
    push(doc, to, to_n, *room);
    *room = (rec_journal){0};
    buf_init(&room->data, &doc->mem);
}

static void forget_pending(lathe_doc *doc, const rec_journal *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->edits[i].kind == EDIT_BYTES)
            doc->parts[j->edits[i].part].pending = 0;
}

/* The last `want` steps of a list go over to the other one: all of them or, where memory is short, none. */
static bool steps_over(lathe_doc *doc, rec_journal *from, size_t *from_n, rec_journal *to,
                       size_t *to_n, size_t want)
{
    rec_journal *rooms = mem_zalloc(&doc->mem, want * sizeof *rooms);
    bool ok = rooms != NULL;
    for (size_t i = 0; ok && i < want; i++)
        buf_init(&rooms[i].data, &doc->mem);
    for (size_t i = 0; ok && i < want; i++)
        ok = undo_room(doc, &from[*from_n - 1 - i], &rooms[i]);
    for (size_t i = 0; i < want; i++)
        forget_pending(doc, &from[*from_n - 1 - i]);
    for (size_t i = 0; ok && i < want; i++)
        step_over(doc, from, from_n, to, to_n, &rooms[i]);
    for (size_t i = 0; rooms && i < want; i++)
        rec_journal_free(doc, &rooms[i]);
    mem_free(&doc->mem, rooms, want * sizeof *rooms);
    return ok;
}

bool lathe_edit_undo(lathe_doc *doc, int steps)
{
    size_t have = steps < 0 ? doc->redo_n : doc->undo_n;
    size_t want = (size_t)(steps < 0 ? -(int64_t)steps : steps);
    if (doc->depth || want == 0 || want > have)
        return false;
    return steps < 0 ? steps_over(doc, doc->redo, &doc->redo_n, doc->undo, &doc->undo_n, want)
                     : steps_over(doc, doc->undo, &doc->undo_n, doc->redo, &doc->redo_n, want);
}
