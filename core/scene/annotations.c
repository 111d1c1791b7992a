/* Annotations of a clip in time order, cached, and edits of them. */
#include "scene/annotations.h"
#include "scene/draft.h"
#include "scene/state.h"

#include <stdlib.h>

/* An annotation in the list of its clip. */
typedef struct note {
    lathe_view source;
    double time;
    int64_t track;
    uint64_t id; /* 0: none assigned yet */
} note;

/* maximum number of records to remember for an annotation; undo may restore any of them */
enum { VIEWS = 8 };

/* An annotation with an id. */
typedef struct held {
    uint64_t clip;
    lathe_view views[VIEWS]; /* its records, latest first */
    unsigned views_n, at;    /* at: index of the current one */
    double time;
    int64_t track;
    bool there;
} held;

typedef struct list {
    uint64_t clip;
    note *notes;
    size_t n, cap;
} list;

typedef struct scene_notes {
    buf lists;        /* of struct list, one for each clip */
    buf held;         /* of struct held; the index is id - 1 */
    uint64_t kept_at; /* doc->changes when the lists were read */
} scene_notes;

/* ---- the cache --------------------------------------------------------------------------------------- */

static size_t lists_n(const scene_notes *all)
{
    return all->lists.size / sizeof(list);
}

static list *lists_of(const scene_notes *all)
{
    return (list *)(void *)all->lists.data;
}

static size_t held_n(const scene_notes *all)
{
    return all->held.size / sizeof(held);
}

static held *held_of(const scene_notes *all)
{
    return (held *)(void *)all->held.data;
}

static void forget(lathe_doc *doc, scene_notes *all)
{
    for (size_t i = 0; i < lists_n(all); i++)
        mem_free(&doc->mem, lists_of(all)[i].notes, lists_of(all)[i].cap * sizeof(note));
    all->lists.size = 0;
    all->kept_at = doc->changes;
}

void scene_notes_free(lathe_doc *doc)
{
    scene_notes *all = doc->scene ? doc->scene->notes : NULL;
    if (!all)
        return;
    forget(doc, all);
    buf_free(&all->lists);
    buf_free(&all->held);
    mem_free(&doc->mem, all, sizeof *all);
    doc->scene->notes = NULL;
}

static scene_notes *notes_of(lathe_doc *doc, lathe_error *err)
{
    scene_notes *all = doc->scene ? doc->scene->notes : NULL;
    if (!all) {
        all = scene_state_of(doc) ? mem_zalloc(&doc->mem, sizeof *all) : NULL;
        if (!all) {
            rec_no_memory(err);
            return NULL;
        }
        buf_init(&all->lists, &doc->mem);
        buf_init(&all->held, &doc->mem);
        all->kept_at = doc->changes;
        doc->scene->notes = all;
    }
    if (all->kept_at != doc->changes)
        forget(doc, all);
    return all;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

typedef struct reader {
    const mem *mem;
    list *to;
} reader;

static bool take(void *user, const model_annotation *one)
{
    const reader *in = user;
    list *to = in->to;
    void *notes = to->notes;
    if (!mem_reserve(in->mem, &notes, &to->cap, to->n + 1, sizeof(note)))
        return false;
    to->notes = notes;
    to->notes[to->n++] = (note){.source = one->source, .time = one->time, .track = one->track};
    return true;
}

/* The place of a record, for searching. */
typedef struct place {
    uint64_t off;
    uint32_t part;
    size_t i;
} place;

static int by_place(const void *a, const void *b)
{
    const place *v = a, *w = b;
    if (v->part != w->part)
        return v->part < w->part ? -1 : 1;
    return v->off < w->off ? -1 : v->off > w->off;
}

/* The index in the list of the annotation's present record; one->n: none. A valid view does not prove that the record
 * exists, because a view may survive in padding. */
static size_t find_held(held *h, const list *one, const place *places)
{
    for (unsigned k = 0; k < h->views_n; k++) {
        lathe_view view = h->views[k];
        if (rec_sync(&view, NULL) != LATHE_OK)
            continue;
        const place at = {view.off, view.part, 0};
        const place *found = bsearch(&at, places, one->n, sizeof at, by_place);
        if (!found || one->notes[found->i].id || !one->notes[found->i].source.doc)
            continue;
        h->views[k] = view;
        h->at = k;
        return found->i;
    }
    return one->n;
}

/* Connects annotations with ids to the records in a new list. */
static lathe_result match(lathe_doc *doc, const scene_notes *all, list *one, lathe_error *err)
{
    place *places;
    bool any = false;
    for (size_t i = 0; !any && i < held_n(all); i++)
        any = held_of(all)[i].clip == one->clip;
    if (!any)
        return LATHE_OK;
    places = mem_alloc(&doc->mem, (one->n + 1) * sizeof *places);
    if (!places)
        return rec_no_memory(err);
    for (size_t i = 0; i < one->n; i++)
        places[i] = (place){one->notes[i].source.off, one->notes[i].source.part, i};
    qsort(places, one->n, sizeof *places, by_place);
    for (size_t i = 0; i < held_n(all); i++) {
        held *h = &held_of(all)[i];
        if (h->clip != one->clip)
            continue;
        size_t found = find_held(h, one, places);
        h->there = found < one->n;
        if (!h->there)
            continue;
        note *its = &one->notes[found];
        its->id = i + 1;
        h->time = its->time;
        h->track = its->track;
    }
    mem_free(&doc->mem, places, (one->n + 1) * sizeof *places);
    return LATHE_OK;
}

static lathe_result read_list(lathe_doc *doc, const scene_notes *all, list *one, lathe_error *err)
{
    scene_clip clip;
    reader in = {&doc->mem, one};
    lathe_result r = scene_clip_open(doc, one->clip, &clip, err);
    if (r == LATHE_OK) /* the list consists of records */
        r = scene_draft_store_events(&clip, err);
    if (r == LATHE_OK)
        r = scene_clip_annotations(&clip, take, &in, err);
    return r == LATHE_OK ? match(doc, all, one, err) : r;
}

static lathe_result list_of(lathe_doc *doc, uint64_t clip, list **out, lathe_error *err)
{
    scene_notes *all = notes_of(doc, err);
    if (!all)
        return LATHE_ERR_MEMORY;
    for (size_t i = lists_n(all); i-- > 0;)
        if (lists_of(all)[i].clip == clip) {
            *out = &lists_of(all)[i];
            return LATHE_OK;
        }
    list one = {.clip = clip};
    lathe_result r = read_list(doc, all, &one, err);
    if (r == LATHE_OK && !buf_put(&all->lists, &one, sizeof one))
        r = rec_no_memory(err);
    if (r != LATHE_OK) {
        mem_free(&doc->mem, one.notes, one.cap * sizeof(note));
        return r;
    }
    *out = &lists_of(all)[lists_n(all) - 1];
    return LATHE_OK;
}

lathe_result scene_notes_count(lathe_doc *doc, uint64_t clip, uint64_t *n, lathe_error *err)
{
    list *one;
    lathe_result r = list_of(doc, clip, &one, err);
    if (r == LATHE_OK)
        *n = one->n;
    return r;
}

lathe_result scene_notes_id(lathe_doc *doc, uint64_t clip, uint64_t i, uint64_t *id,
                            lathe_error *err)
{
    list *one;
    lathe_result r = list_of(doc, clip, &one, err);
    if (r != LATHE_OK)
        return r;
    if (i >= one->n)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         one->n == 1 ? "there is %zu annotation" : "there are %zu annotations",
                         one->n);
    note *its = &one->notes[i];
    if (!its->id) {
        const held h = {.clip = clip,
                        .views = {its->source},
                        .views_n = its->source.doc != NULL,
                        .time = its->time,
                        .track = its->track,
                        .there = true};
        if (!buf_put(&doc->scene->notes->held, &h, sizeof h))
            return rec_no_memory(err);
        its->id = held_n(doc->scene->notes);
    }
    *id = its->id;
    return LATHE_OK;
}

/* Finds an existing annotation and the list of its clip. */
static lathe_result there(lathe_doc *doc, uint64_t clip, uint64_t id, list **in, held **out,
                          lathe_error *err)
{
    lathe_result r = list_of(doc, clip, in, err);
    if (r != LATHE_OK)
        return r;
    const scene_notes *all = doc->scene->notes;
    if (id - 1 >= held_n(all) || held_of(all)[id - 1].clip != clip)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no annotation has the id %llu",
                         (unsigned long long)id);
    *out = &held_of(all)[id - 1];
    return (*out)->there
               ? LATHE_OK
               : error_set(err, LATHE_ERR_REMOVED, LATHE_NO_OFFSET, "the annotation was removed");
}

static lathe_result read_one(const scene_clip *clip, const held *h, model_annotation *out,
                             lathe_error *err)
{
    *out = (model_annotation){.time = h->time, .track = h->track, .source = h->views[h->at]};
    return clip->hooks->annotation ? clip->hooks->annotation(clip->source, out, err) : LATHE_OK;
}

lathe_result scene_note_read(lathe_doc *doc, uint64_t clip, uint64_t id, model_annotation *out,
                             lathe_error *err)
{
    list *in;
    held *h;
    scene_clip facts;
    lathe_result r = there(doc, clip, id, &in, &h, err);
    if (r == LATHE_OK)
        r = scene_clip_open(doc, clip, &facts, err);
    return r == LATHE_OK ? read_one(&facts, h, out, err) : r;
}

/* ---- updating the list after an edit -------------------------------------------------------------------------- */

/* The index for an annotation: behind all that are not later. If the file stores them by track, those at the same
 * time are sorted by track. */
static size_t place_in(const list *in, double time, int64_t track)
{
    size_t low = 0, high = in->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const note *other = &in->notes[middle];
        if (other->time < time || (other->time == time && other->track <= track))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The index of an annotation that was at `time`; in->n: not found. */
static size_t number_of(const list *in, uint64_t id, double time)
{
    for (size_t i = place_in(in, time, INT64_MAX); i-- > 0 && !(in->notes[i].time < time);)
        if (in->notes[i].id == id)
            return i;
    return in->n;
}

static void take_out(list *in, size_t i)
{
    memmove(in->notes + i, in->notes + i + 1, (in->n - i - 1) * sizeof *in->notes);
    in->n--;
}

static bool put_in(const scene_clip *clip, list *in, const note *one)
{
    const lathe_doc *doc = clip->source.doc;
    void *notes = in->notes;
    if (!mem_reserve(&doc->mem, &notes, &in->cap, in->n + 1, sizeof *in->notes))
        return false;
    in->notes = notes;
    size_t i = place_in(in, one->time, clip->hooks->by_track ? one->track : INT64_MAX);
    memmove(in->notes + i + 1, in->notes + i, (in->n - i) * sizeof *in->notes);
    in->notes[i] = *one;
    in->n++;
    return true;
}

/* Drops the lists of other clips, which the edit made stale. */
static void keep_only(lathe_doc *doc, uint64_t clip)
{
    scene_notes *all = doc->scene ? doc->scene->notes : NULL;
    size_t kept = 0;
    for (size_t i = 0; i < lists_n(all); i++) {
        list *one = &lists_of(all)[i];
        if (one->clip == clip)
            lists_of(all)[kept++] = *one;
        else
            mem_free(&doc->mem, one->notes, one->cap * sizeof(note));
    }
    all->lists.size = kept * sizeof(list);
    all->kept_at = doc->changes;
}

/* ---- edits ------------------------------------------------------------------------------------------- */

static lathe_result check_time(const scene_clip *clip, double time, lathe_error *err)
{
    double last = clip->facts.duration;
    if (time >= 0 && (time <= last || (float)time <= (float)last))
        return LATHE_OK;
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "time: %.9g s is outside of the animation's 0 to %.9g", time, last);
}

static lathe_result check(const scene_clip *clip, unsigned what, const model_annotation *values,
                          lathe_error *err)
{
    lathe_result r = what & SCENE_NOTE_TIME ? check_time(clip, values->time, err) : LATHE_OK;
    uint64_t tracks = clip->facts.track_count;
    if (r == LATHE_OK && what & SCENE_NOTE_TRACK &&
        (values->track < 0 || (uint64_t)values->track >= tracks))
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                      "track: no track %lld: there are %llu, from 0", (long long)values->track,
                      (unsigned long long)tracks);
    if (r == LATHE_OK && what & SCENE_NOTE_TEXT && values->length &&
        memchr(values->text, 0, values->length))
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "text: it holds a NUL byte");
    return r;
}

static lathe_result no_edits(const scene_clip *clip, lathe_error *err)
{
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "annotations of %s cannot be changed here",
                     clip->source.doc->containers[0].format->name);
}

/* After a successful edit: remembers the record and what it stores. */
static void settled(held *h, const lathe_view *stored, double time, int64_t track)
{
    if (!lathe_view_same(h->views[h->at], *stored)) {
        memmove(h->views + 1, h->views, (VIEWS - 1) * sizeof *h->views);
        h->views[0] = *stored;
        h->views_n += h->views_n < VIEWS;
        h->at = 0;
    }
    h->time = time;
    h->track = track;
}

/* Reads the stored values, which may be rounded. Fails only if memory is short; then the list will be read again. */
static lathe_result read_back(const scene_clip *clip, const lathe_view *stored,
                              const model_annotation *now, model_annotation *out)
{
    *out = *now;
    out->source = *stored;
    return clip->hooks->annotation(clip->source, out, NULL);
}

/* The annotation after the edit. An unchanged text is copied to `text`, because the edit may move it. */
static bool change(model_annotation *now, unsigned what, const model_annotation *values, buf *text)
{
    if (what & SCENE_NOTE_TIME)
        now->time = values->time;
    if (what & SCENE_NOTE_TRACK)
        now->track = values->track;
    if (!(what & SCENE_NOTE_TEXT) && now->length && !buf_put(text, now->text, now->length))
        return false;
    now->text = what & SCENE_NOTE_TEXT ? values->text : (const char *)text->data;
    now->length = what & SCENE_NOTE_TEXT ? values->length : now->length;
    return true;
}

/* Updates the list, if this edit changed nothing else that it contains. */
static void relist(const scene_clip *clip, list *in, size_t i, const model_annotation *was,
                   const model_annotation *now, held *h)
{
    note one = in->notes[i];
    one.source = now->source;
    one.time = h->time = now->time;
    one.track = now->track;
    bool moves = now->time != was->time || (clip->hooks->by_track && now->track != was->track);
    if (moves)
        take_out(in, i);
    else
        in->notes[i] = one;
    if (!moves || put_in(clip, in, &one))
        keep_only(clip->source.doc, in->clip);
}

/* The edit of scene_clip_annotation_set; its arguments are checked. */
static lathe_result store(const scene_clip *clip, list *in, held *h, const model_annotation *was,
                          const model_annotation *now, lathe_error *err)
{
    lathe_doc *doc = clip->source.doc;
    lathe_view stored = was->source;
    model_annotation said;
    lathe_result r = rec_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    uint64_t before = doc->changes, id = (uint64_t)(h - held_of(doc->scene->notes)) + 1;
    r = rec_end(doc, clip->hooks->annotation_set(clip->source, was, now, &stored, err), err);
    if (r != LATHE_OK)
        return r;
    size_t i = number_of(in, id, h->time);
    settled(h, &stored, now->time, now->track);
    if (doc->scene->notes->kept_at == before && i < in->n &&
        read_back(clip, &stored, now, &said) == LATHE_OK)
        relist(clip, in, i, was, &said, h);
    return r;
}

lathe_result scene_clip_annotation_set(lathe_doc *doc, uint64_t clip, uint64_t id, unsigned what,
                                       const model_annotation *values, lathe_error *err)
{
    list *in;
    held *h;
    buf text;
    scene_clip facts;
    model_annotation was, now;
    lathe_result r = there(doc, clip, id, &in, &h, err);
    if (r == LATHE_OK)
        r = scene_clip_open(doc, clip, &facts, err);
    if (r == LATHE_OK && !facts.hooks->annotation_set)
        r = no_edits(&facts, err);
    if (r == LATHE_OK)
        r = check(&facts, what, values, err);
    if (r == LATHE_OK)
        r = read_one(&facts, h, &was, err);
    if (r != LATHE_OK)
        return r;
    buf_init(&text, &doc->mem);
    now = was;
    r = change(&now, what, values, &text) ? store(&facts, in, h, &was, &now, err)
                                          : rec_no_memory(err);
    buf_free(&text);
    return r;
}

lathe_result scene_clip_annotation_add(lathe_doc *doc, uint64_t clip,
                                       const model_annotation *values, lathe_error *err)
{
    list *in;
    scene_clip facts;
    lathe_view stored = {.doc = NULL};
    model_annotation now;
    scene_notes *all = notes_of(doc, err);
    lathe_result r = all ? scene_clip_open(doc, clip, &facts, err) : LATHE_ERR_MEMORY;
    if (r == LATHE_OK && !facts.hooks->annotation_add)
        r = no_edits(&facts, err);
    if (r == LATHE_OK)
        r = check(&facts, SCENE_NOTE_TIME | SCENE_NOTE_TEXT | SCENE_NOTE_TRACK, values, err);
    if (r == LATHE_OK)
        r = list_of(doc, clip, &in, err);
    if (r != LATHE_OK || (r = rec_begin(doc, err)) != LATHE_OK)
        return r;
    uint64_t before = doc->changes;
    r = rec_end(doc, facts.hooks->annotation_add(facts.source, values, &stored, err), err);
    if (r != LATHE_OK || all->kept_at != before ||
        read_back(&facts, &stored, values, &now) != LATHE_OK)
        return r;
    const note one = {stored, now.time, now.track, 0};
    if (put_in(&facts, in, &one))
        keep_only(doc, clip);
    return r;
}

lathe_result scene_clip_annotation_remove(lathe_doc *doc, uint64_t clip, uint64_t id,
                                          lathe_error *err)
{
    list *in;
    held *h;
    scene_clip facts;
    model_annotation was;
    lathe_result r = there(doc, clip, id, &in, &h, err);
    if (r == LATHE_OK)
        r = scene_clip_open(doc, clip, &facts, err);
    if (r == LATHE_OK && !facts.hooks->annotation_remove)
        r = no_edits(&facts, err);
    if (r == LATHE_OK)
        r = read_one(&facts, h, &was, err);
    if (r != LATHE_OK || (r = rec_begin(doc, err)) != LATHE_OK)
        return r;
    uint64_t before = doc->changes;
    r = rec_end(doc, facts.hooks->annotation_remove(facts.source, &was, err), err);
    size_t i = number_of(in, id, h->time);
    if (r != LATHE_OK || doc->scene->notes->kept_at != before || i == in->n)
        return r;
    take_out(in, i);
    h->there = false;
    keep_only(doc, clip);
    return r;
}
