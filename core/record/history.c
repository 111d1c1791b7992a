/* Edits as transactions: begin, relayout, commit or rollback, undo and redo. */
#include "record/companions.h"
#include "record/journal.h"
#include "record/upper.h"

bool rec_in_use(const lathe_doc *doc)
{
    return doc->opener && *doc->opener->busy;
}

lathe_result rec_refuse_use(lathe_error *err)
{
    return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                     "the document is in use: a file is being opened");
}

lathe_result rec_begin(lathe_doc *doc, lathe_error *err)
{
    if (rec_in_use(doc))
        return rec_refuse_use(err);
    if (doc->depth >= REC_DEPTH)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "edits nested deeper than %d",
                         REC_DEPTH);
    if (!doc->depth)
        doc->variant_lost = false;
    doc->derived_marks[doc->depth] = doc->derived_n;
    doc->marks[doc->depth++] = doc->journal.n;
    return LATHE_OK;
}

/* Restores the tidiness of parts that were tidy before their lengths changed, at the end of the outermost edit. */
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

/* Calls .relayout for sizes and offsets that changed, of embedded documents first. */
static lathe_result relayout(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = doc->depth == 1 ? rec_upper_floor.write(doc, doc->verb_report, err) : LATHE_OK;
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
        bool last = doc->depth <= 1, asked = c->dirty || (last && c->dirty_inside);
        if (asked && c->format->relayout && doc->parts[c->root].alive)
            r = c->format->relayout(doc, (uint32_t)i, err);
        if (r == LATHE_OK && asked && doc->parts[doc->containers[i].root].alive)
            r = rec_embed_sized(doc, doc->containers[i].root, err);
        if (r != LATHE_OK)
            break; /* the edit fails, and is rolled back */
        c = &doc->containers[i];
        c->dirty_inside = !last && (c->dirty_inside || c->dirty);
        c->dirty = false;
    }
    doc->relaying = false;
    doc->laid = doc->journal.n;
    return r;
}

/* After a partial rollback: marks the containers that the rest of the edit changed for .relayout. */
static void dirty_again(lathe_doc *doc, size_t mark)
{
    for (size_t i = doc->laid <= mark ? doc->laid : 0; i < mark; i++) {
        const rec_edit *e = &doc->journal.edits[i];
        if (e->kind == EDIT_PART_ADD || e->kind == EDIT_PART_REMOVE || e->kind == EDIT_ORDER)
            rec_mark_dirty(doc, e->owner);
        else if (e->kind == EDIT_BYTES && (e->removed != e->inserted || doc->parts[e->part].hidden))
            rec_mark_dirty(doc, e->part);
        else if (e->kind == EDIT_VERSION)
            rec_mark_dirty(doc, doc->containers[e->part].root);
    }
}

/* Frees removed parts that no undo can restore. */
static void give_up_removed(lathe_doc *doc, const rec_journal *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->edits[i].kind == EDIT_PART_REMOVE)
            rec_give_up(doc, j->edits[i].part);
        else if (j->edits[i].kind == EDIT_SWAP)
            rec_give_up_container(doc, j->edits[i].part);
}

static void drop(lathe_doc *doc, rec_journal *j)
{
    give_up_removed(doc, j);
    rec_journal_free(doc, j);
}

/* Empties the open edit's journal for the next one. Keeps small buffers, because most edits are small. */
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

/* Reserves room for one more undo step, and for undoing all steps. */
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
    } else { /* without this step, the steps before it no longer fit, so all are dropped */
        rec_history_forget(doc);
        empty(doc, j);
    }
}

lathe_result rec_join(lathe_doc *doc, lathe_doc *other, lathe_error *err)
{
    if (other->depth && other->leader != doc)
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                         "the geometry document is in another edit: end that first");
    while (other->joined < doc->depth) {
        lathe_result r = rec_begin(other, err);
        if (r != LATHE_OK)
            return r;
        other->joined++;
        if (other->leader)
            continue;
        other->leader = doc;
        other->next_follower = doc->followers;
        doc->followers = other;
    }
    return LATHE_OK;
}

static void forget_leader(lathe_doc *doc)
{
    lathe_doc **p = &doc->leader->followers;
    while (*p != doc)
        p = &(*p)->next_follower;
    *p = doc->next_follower;
    doc->leader = doc->next_follower = NULL;
    doc->joined = 0;
}

/* Whether the document has joined the innermost edit of its leader, and its edits are balanced. */
static bool follows(const lathe_doc *doc)
{
    return doc->joined == doc->leader->depth && doc->depth;
}

/* At the end of the innermost edit: prepares all joined documents before any of them commits. */
static lathe_result lay_out(lathe_doc *doc, lathe_result result, lathe_error *err)
{
    if (result == LATHE_OK)
        result = relayout(doc, err);
    if (doc->variant_lost)
        result = rec_no_memory(err);
    for (lathe_doc *other = doc->followers; other; other = other->next_follower)
        if (follows(other))
            result = lay_out(other, result, err);
    return result;
}

static void finish(lathe_doc *doc, lathe_result result)
{
    for (lathe_doc *next, *other = doc->followers; other; other = next) {
        next = other->next_follower;
        if (follows(other))
            finish(other, result);
        if (other->joined == doc->depth && --other->joined == 0)
            forget_leader(other);
    }
    doc->depth--;
    rec_derive_forget(doc, doc->derived_marks[doc->depth]);
    if (result != LATHE_OK || doc->depth == 0)
        rec_let_go(doc);
    if (result != LATHE_OK) {
        rec_rollback(doc, doc->marks[doc->depth]);
        dirty_again(doc, doc->journal.n);
        doc->laid = 0;
    }
    if (doc->depth == 0) {
        rec_upper_floor.over(doc);
        commit(doc);
    }
}

lathe_result rec_end(lathe_doc *doc, lathe_result result, lathe_error *err)
{
    result = lay_out(doc, result, err);
    finish(doc, result);
    return result;
}

void rec_leave(lathe_doc *doc)
{
    if (doc->leader)
        forget_leader(doc);
    while (doc->followers) {
        lathe_doc *other = doc->followers;
        for (; other->joined && other->depth; other->joined--)
            rec_end(other, LATHE_ERR_STATE, NULL);
        forget_leader(other);
    }
}

lathe_result lathe_edit_begin(lathe_doc *doc, lathe_error *err)
{
    return rec_begin(doc, err);
}

lathe_result lathe_edit_end(lathe_doc *doc, bool keep, lathe_error *err)
{
    if (!doc->depth)
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "no edit is open");
    if (keep)
        return rec_end(doc, LATHE_OK, err);
    rec_end(doc, LATHE_ERR_STATE, NULL);
    return LATHE_OK;
}

/* Reserves all memory that undoing a step needs, before the first byte is moved. */
static bool undo_room(lathe_doc *doc, const rec_journal *j, rec_journal *redo)
{
    uint64_t bytes = 0;
    void *edits = NULL;
    for (size_t i = 0; i < j->n; i++) {
        const rec_edit *e = &j->edits[i];
        bytes += e->inserted; /* 0 for most kinds */
        if (e->kind != EDIT_BYTES)
            continue;
        doc->parts[e->part].pending += e->removed != e->inserted;
        if (!rec_log_room(doc, &doc->parts[e->part]))
            return false;
    }
    if (bytes > SIZE_MAX || !mem_reserve(&doc->mem, &edits, &redo->cap, j->n, sizeof *redo->edits))
        return false;
    redo->edits = edits;
    return buf_reserve(&redo->data, (size_t)bytes);
}

/* Undoes or redoes one step, for which memory is reserved. */
static void step_over(lathe_doc *doc, rec_journal *from, size_t *from_n, rec_journal *to,
                      size_t *to_n, rec_journal *room)
{
    rec_journal *j = &from[*from_n - 1];
    rec_replay(doc, j, 0, room);
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

/* Undoes or redoes the last `want` steps: all of them, or none if memory is short. */
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
    if (doc->depth || want == 0 || want > have || rec_in_use(doc))
        return false;
    return steps < 0 ? steps_over(doc, doc->redo, &doc->redo_n, doc->undo, &doc->undo_n, want)
                     : steps_over(doc, doc->undo, &doc->undo_n, doc->redo, &doc->redo_n, want);
}

bool rec_history_state(const lathe_doc *doc, int64_t steps, uint64_t *state)
{
    const rec_journal *list = steps < 0 ? doc->redo : doc->undo;
    size_t have = steps < 0 ? doc->redo_n : doc->undo_n;
    uint64_t want = steps < 0 ? 0 - (uint64_t)steps : (uint64_t)steps;
    if (want > have)
        return false;
    *state = want ? list[have - want].state : doc->state;
    return true;
}

void rec_history_forget(lathe_doc *doc)
{
    clear_redo(doc);
    while (doc->undo_n > 0)
        drop(doc, &doc->undo[--doc->undo_n]);
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
