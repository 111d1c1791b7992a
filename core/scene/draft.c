#include "scene/draft.h"

#include "scene/state.h"

#include <math.h>

/* Kinds of journal entries: rec_edit.pos. */
enum { CHANGED_ROW, CHANGED_MOTION, CHANGED_EVENTS };

/* The old row of a frame, in the journal. */
typedef struct row_change {
    uint64_t frame, track;
    float row[MODEL_POSE];
} row_change;

const scene_precision scene_precision_default = {.quantization = -1};

static size_t drafts_of(const lathe_doc *doc)
{
    return doc->scene ? doc->scene->drafts_n : 0;
}

/* The draft of the clip's part, even if it is inactive. */
static scene_draft *draft_at(lathe_doc *doc, const lathe_view *source)
{
    uint32_t i = drafts_of(doc) ? doc->parts[source->part].upper : 0;
    return i ? doc->scene->drafts[i - 1] : NULL;
}

static bool shows(const scene_draft *d)
{
    return d && d->now && !d->now->settled;
}

scene_draft *scene_draft_of(lathe_doc *doc, const lathe_view *source)
{
    scene_draft *d = draft_at(doc, source);
    return shows(d) ? d : NULL;
}

/* ---- making ---------------------------------------------------------------------------------------- */

static void free_drafted(const mem *m, scene_drafted *one)
{
    model_motion_free(&one->motion);
    mem_free(m, one, sizeof *one);
}

static void free_draft(lathe_doc *doc, scene_draft *d)
{
    while (d->now) {
        scene_drafted *older = d->now->older;
        free_drafted(&doc->mem, d->now);
        d->now = older;
    }
    mem_free(&doc->mem, d->tolerances, d->tolerances_n * sizeof *d->tolerances);
    mem_free(&doc->mem, d, sizeof *d);
}

static scene_draft *add_draft(lathe_doc *doc, const lathe_view *source)
{
    scene_state *s = scene_state_of(doc);
    void *list = s ? s->drafts : NULL;
    if (!s || !mem_reserve(&doc->mem, &list, &s->drafts_cap, s->drafts_n + 1, sizeof *s->drafts))
        return NULL;
    s->drafts = list;
    scene_draft *d = mem_zalloc(&doc->mem, sizeof *d);
    if (!d)
        return NULL;
    d->source = *source;
    d->part = source->part;
    d->how = scene_precision_default;
    s->drafts[s->drafts_n++] = d;
    doc->parts[d->part].upper = (uint32_t)s->drafts_n;
    return d;
}

static const double *copy_list(double **to, const double *from, uint64_t n)
{
    const double *at = *to;
    if (!from)
        return NULL;
    if (n)
        memcpy(*to, from, (size_t)n * sizeof *from);
    *to += n;
    return at;
}

static lathe_result keep_how(lathe_doc *doc, scene_draft *d, const scene_precision *how,
                             const model_motion *m, lathe_error *err)
{
    scene_precision kept = *how;
    uint64_t tracks = m->track_count, values = m->float_count;
    uint64_t n = (how->translations ? tracks : 0) + (how->rotations ? tracks : 0) +
                 (how->scales ? tracks : 0) + (how->values ? values : 0);
    double *list = NULL, *to;
    if (n &&
        (n > SIZE_MAX / sizeof *list || !(list = mem_alloc(&doc->mem, (size_t)n * sizeof *list))))
        return rec_no_memory(err);
    to = list;
    kept.translations = copy_list(&to, how->translations, tracks);
    kept.rotations = copy_list(&to, how->rotations, tracks);
    kept.scales = copy_list(&to, how->scales, tracks);
    kept.values = copy_list(&to, how->values, values);
    mem_free(&doc->mem, d->tolerances, d->tolerances_n * sizeof *d->tolerances);
    d->tolerances = list;
    d->tolerances_n = (size_t)n;
    d->how = kept;
    d->tracks = tracks;
    d->values = values;
    return LATHE_OK;
}

/* Drops lists of tolerances, which have one for each track, if the number of tracks has changed. */
static void forget_lists(scene_draft *d, const model_motion *m)
{
    if (d->tracks != m->track_count)
        d->how.translations = d->how.rotations = d->how.scales = NULL;
    if (d->values != m->float_count)
        d->how.values = NULL;
}

/* Whether an open edit began after entry `from` of the journal and before entry `to`. */
static bool edit_began(const lathe_doc *doc, size_t from, size_t to)
{
    size_t i = (size_t)doc->depth;
    while (i > 0 && doc->marks[i - 1] > to)
        i--;
    return i > 0 && doc->marks[i - 1] > from;
}

/* Frees states that no open edit can go back to; the next newer state takes their place. */
static void drop_between(lathe_doc *doc, scene_draft *d)
{
    for (scene_drafted *newer = d->now, *older; (older = newer->older) != NULL;) {
        if (edit_began(doc, older->from, newer->from)) {
            newer = older;
            continue;
        }
        newer->from = older->from;
        newer->older = older->older;
        free_drafted(&doc->mem, older);
    }
}

/* Adds an empty state to the draft. The previous one is kept, because the edit may fail. */
static lathe_result push_empty(lathe_doc *doc, scene_draft *d, uint32_t number, lathe_error *err)
{
    const rec_edit edit = {
        .kind = EDIT_UPPER, .owner = number, .pos = CHANGED_MOTION, .at = d->events_stored};
    scene_drafted *one = mem_zalloc(&doc->mem, sizeof *one);
    if (!one)
        return rec_no_memory(err);
    lathe_result r = rec_note(doc, edit, NULL, 0, err);
    if (r != LATHE_OK) {
        mem_free(&doc->mem, one, sizeof *one);
        return r;
    }
    model_motion_init(&one->motion, &doc->mem);
    one->older = d->now;
    one->from = one->made = doc->journal.n - 1;
    d->now = one;
    return LATHE_OK;
}

/* Makes a motion the new state of the draft. */
static lathe_result push_motion(lathe_doc *doc, scene_draft *d, model_motion *m, lathe_error *err)
{
    lathe_result r = push_empty(doc, d, doc->parts[d->part].upper - 1, err);
    if (r != LATHE_OK)
        return r;
    forget_lists(d, m);
    model_motion_swap(&d->now->motion, m);
    drop_between(doc, d);
    d->written = d->events_stored = false;
    doc->changes++;
    return LATHE_OK;
}

static lathe_result refuse_place(const scene_clip *clip, lathe_error *err)
{
    if (clip->hooks->write)
        return LATHE_OK;
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "animations of this format are read-only");
}

lathe_result scene_motion_put(const scene_clip *clip, model_motion *m, const scene_precision *how,
                              lathe_error *err)
{
    lathe_doc *doc = clip->source.doc;
    scene_draft *d = draft_at(doc, &clip->source);
    lathe_result r = refuse_place(clip, err);
    if (r == LATHE_OK && !d && !(d = add_draft(doc, &clip->source)))
        r = rec_no_memory(err);
    if (r == LATHE_OK && how)
        r = keep_how(doc, d, how, m, err);
    if (r == LATHE_OK)
        r = push_motion(doc, d, m, err);
    model_motion_free(m);
    return r;
}

/* The clip's draft. If there is none, makes one from the present clip. */
static lathe_result draft_for(const scene_clip *clip, scene_draft **out, lathe_error *err)
{
    lathe_doc *doc = clip->source.doc;
    *out = scene_draft_of(doc, &clip->source);
    if (*out)
        return LATHE_OK;
    model_motion m;
    model_motion_init(&m, &doc->mem);
    lathe_result r = refuse_place(clip, err);
    if (r == LATHE_OK)
        r = scene_motion_take(clip, NULL, &m, err);
    if (r == LATHE_OK)
        r = scene_motion_put(clip, &m, NULL, err);
    *out = r == LATHE_OK ? scene_draft_of(doc, &clip->source) : NULL;
    if (r == LATHE_OK) /* the annotations are still the document's */
        (*out)->events_stored = true;
    return r;
}

/* A row that is decoded alone may be rounded differently from rows that are decoded in sequence. If the new row
 * equals the stored one, *is becomes true, so that the draft and the track's bytes stay unchanged. */
static lathe_result find_stored(const scene_clip *clip, const scene_draft *d,
                                const model_when *when, uint64_t track, const float *row,
                                const float *at, bool *is, lathe_error *err)
{
    float stored[MODEL_POSE];
    *is = false;
    for (int k = 0; k < MODEL_POSE; k++)
        if (!(fabsf(row[k] - at[k]) <= 1e-6f * (1 + fabsf(at[k]))))
            return LATHE_OK;
    if (!d->events_stored) /* the draft has other frames than the stored clip */
        return LATHE_OK;
    lathe_result r = clip->hooks->sample(clip->source, when, NULL, track, 1, stored, err);
    *is = r == LATHE_OK && memcmp(stored, row, sizeof stored) == 0;
    return r == LATHE_ERR_MEMORY ? r : LATHE_OK;
}

lathe_result scene_motion_set_row(const scene_clip *clip, uint64_t frame, uint64_t track,
                                  const float *row, lathe_error *err)
{
    scene_draft *d;
    lathe_doc *doc = clip->source.doc;
    lathe_result r = draft_for(clip, &d, err);
    if (r != LATHE_OK)
        return r;
    float *at = model_motion_row(&d->now->motion, frame, track);
    row_change was = {.frame = frame, .track = track};
    rec_edit edit = {.kind = EDIT_UPPER, .owner = doc->parts[d->part].upper - 1};
    const model_when when = {.at = (double)frame};
    bool stored;
    r = find_stored(clip, d, &when, track, row, at, &stored, err);
    if (r != LATHE_OK || stored)
        return r;
    memcpy(was.row, at, sizeof was.row);
    r = rec_note(doc, edit, &was, sizeof was, err);
    if (r != LATHE_OK)
        return r;
    memcpy(at, row, sizeof was.row);
    d->written = false;
    doc->changes++;
    return LATHE_OK;
}

lathe_result scene_draft_store_events(scene_clip *clip, lathe_error *err)
{
    lathe_doc *doc = clip->source.doc;
    scene_draft *d = clip->own_events ? scene_draft_of(doc, &clip->source) : NULL;
    if (!d)
        return LATHE_OK;
    const rec_edit edit = {
        .kind = EDIT_UPPER, .owner = doc->parts[d->part].upper - 1, .pos = CHANGED_EVENTS};
    lathe_result r = scene_drafts_write(doc, NULL, err);
    if (r == LATHE_OK)
        r = rec_note(doc, edit, NULL, 0, err);
    d->events_stored = r == LATHE_OK;
    clip->own_events = !d->events_stored;
    return r;
}

/* ---- undoing and ending ---------------------------------------------------------------------------- */

/* Entries of states that were freed (drop_between) have no effect. */
void scene_draft_revert(lathe_doc *doc, const rec_edit *e, const uint8_t *data)
{
    scene_draft *d = doc->scene->drafts[e->owner];
    size_t number = (size_t)(e - doc->journal.edits);
    row_change was;
    if (e->pos != CHANGED_ROW)
        d->events_stored = e->at != 0;
    if (e->pos == CHANGED_EVENTS)
        return;
    if (e->pos == CHANGED_MOTION) {
        scene_drafted *gone = d->now;
        if (number != gone->from)
            return;
        d->now = gone->older;
        free_drafted(&doc->mem, gone);
        return;
    }
    if (number < d->now->made)
        return;
    memcpy(&was, data + e->data, sizeof was);
    memcpy(model_motion_row(&d->now->motion, was.frame, was.track), was.row, sizeof was.row);
}

void scene_drafts_stale(lathe_doc *doc)
{
    for (size_t i = 0; i < drafts_of(doc); i++)
        doc->scene->drafts[i]->written = false;
}

lathe_result scene_drafts_write(lathe_doc *doc, lathe_report *report, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < drafts_of(doc); i++) {
        scene_draft *d = doc->scene->drafts[i];
        if (d->written || !shows(d))
            continue;
        r = rec_sync(&d->source, err);
        if (r == LATHE_ERR_REMOVED) { /* the clip was removed: there is nothing to write */
            r = LATHE_OK;
            continue;
        }
        const scene_clips *hooks = doc->containers[0].format->scene->clips;
        const scene_clip stored = {.hooks = hooks, .source = d->source};
        if (r == LATHE_OK && d->events_stored)
            r = scene_motion_take_events(&stored, &d->now->motion, err);
        if (r == LATHE_OK)
            r = hooks->write(d->source, &d->now->motion, &d->how, report, err);
        d->written = r == LATHE_OK;
    }
    return r;
}

/* Adds a state that marks the draft as inactive. */
static lathe_result settle(lathe_doc *doc, scene_draft *d, uint32_t number, lathe_error *err)
{
    lathe_result r = push_empty(doc, d, number, err);
    if (r != LATHE_OK)
        return r;
    d->now->settled = true;
    doc->changes++;
    return LATHE_OK;
}

lathe_result scene_drafts_settle(lathe_doc *doc, lathe_report *report, lathe_error *err)
{
    lathe_result r = scene_drafts_write(doc, report, err);
    for (size_t i = 0; r == LATHE_OK && i < drafts_of(doc); i++)
        if (shows(doc->scene->drafts[i]))
            r = settle(doc, doc->scene->drafts[i], (uint32_t)i, err);
    return r;
}

lathe_result scene_drafts_lay_out(lathe_doc *doc, lathe_error *err)
{
    bool any = false;
    for (size_t i = 0; i < drafts_of(doc); i++)
        any = any || (!doc->scene->drafts[i]->written && doc->scene->drafts[i]->now);
    lathe_result r = any ? rec_begin(doc, err) : LATHE_OK;
    return any && r == LATHE_OK ? rec_end(doc, scene_drafts_write(doc, NULL, err), err) : r;
}

void scene_drafts_drop(lathe_doc *doc)
{
    rec_journal *j = &doc->journal;
    bool others = false;
    if (!drafts_of(doc))
        return;
    for (size_t i = 0; i < drafts_of(doc); i++) {
        doc->parts[doc->scene->drafts[i]->part].upper = 0;
        free_draft(doc, doc->scene->drafts[i]);
    }
    scene_state *s = doc->scene;
    mem_free(&doc->mem, s->drafts, s->drafts_cap * sizeof *s->drafts);
    s->drafts = NULL;
    s->drafts_n = s->drafts_cap = 0;
    for (size_t i = 0; i < j->n; i++) {
        if (j->edits[i].kind == EDIT_UPPER)
            j->edits[i] = (rec_edit){.kind = EDIT_NONE, .data = j->edits[i].data};
        others = others || j->edits[i].kind != EDIT_NONE;
    }
    if (!others)
        j->n = j->data.size = 0;
}
