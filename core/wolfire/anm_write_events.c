/* Writes annotations back as events of key frames. Unchanged events keep their bytes. */
#include "wolfire/anm_pose.h"

#include "scene/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A key frame in order of time, and its annotations: from `first` up to the next frame's `first`. */
typedef struct keyed {
    double ms;
    uint64_t frame;
    size_t first;
} keyed;

typedef struct timeline {
    lathe_doc *doc;
    const model_motion *m;
    anm_facts facts;
    keyed *keys; /* one more than there are frames */
    size_t n;
} timeline;

/* A stored event; the name is borrowed until the next write. */
typedef struct stored_event {
    size_t key;
    int64_t bone;
    const char *name;
    size_t length;
} stored_event;

static int by_time(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->ms != y->ms)
        return x->ms < y->ms ? -1 : 1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static lathe_result make_timeline(timeline *t, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    t->n = (size_t)t->facts.frames;
    t->keys = t->n < SIZE_MAX / sizeof *t->keys
                  ? mem_zalloc(&t->doc->mem, (t->n + 1) * sizeof *t->keys)
                  : NULL;
    if (!t->keys)
        return rec_no_memory(err);
    bool sorted = true;
    for (size_t i = 0; r == LATHE_OK && i < t->n; i++) {
        t->keys[i].frame = i;
        r = anm_time(t->doc, &t->facts, i, &t->keys[i].ms, err);
        sorted = sorted && (!i || t->keys[i - 1].ms <= t->keys[i].ms);
    }
    if (r == LATHE_OK && !sorted)
        qsort(t->keys, t->n, sizeof *t->keys, by_time);
    return r;
}

/* ---- stored events ----------------------------------------------------------------------------------- */

static lathe_result read_event(const rec_at *frame, uint64_t i, stored_event *out, lathe_error *err)
{
    rec_at event;
    lathe_value name;
    lathe_result r = anm_event_at(frame, i, &event, &name, err);
    if (r != LATHE_OK)
        return r;
    out->bone = rec_int(&event, "bone");
    out->name = name.as.s.p;
    out->length = name.as.s.n;
    return r;
}

static bool same_event(const stored_event *s, const model_event *e)
{
    return s->bone == e->track && s->length == e->length &&
           (!s->length || memcmp(s->name, e->text, s->length) == 0);
}

/* Reads the events of the frames first .. end of the timeline, one after the other, as stored_event. */
static lathe_result read_events(const timeline *t, size_t first, size_t end, buf *out,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t k = first; r == LATHE_OK && k < end; k++) {
        rec_at frame;
        r = anm_frame_at(t->doc, t->keys[k].frame, &frame, err);
        uint64_t n = r == LATHE_OK ? (uint64_t)rec_int(&frame, "num_events") : 0;
        for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
            stored_event one = {.key = k};
            r = read_event(&frame, i, &one, err);
            if (r == LATHE_OK && !buf_put(out, &one, sizeof one))
                r = rec_no_memory(err);
        }
    }
    return r;
}

static const model_event *events_from(const model_motion *m, size_t i)
{
    return m->events ? m->events + i : NULL;
}

/* Counts the unchanged events at the front and at the back. */
static void find_same(const stored_event *had, size_t had_n, const model_event *to, size_t n,
                      size_t *front, size_t *back)
{
    size_t least = had_n < n ? had_n : n;
    for (*front = 0; *front < least && same_event(&had[*front], &to[*front]);)
        ++*front;
    for (*back = 0;
         *back < least - *front && same_event(&had[had_n - 1 - *back], &to[n - 1 - *back]);)
        ++*back;
}

/* ---- assigning annotations to frames ----------------------------------------------------------------- */

/* Frames at the same time keep their own events; new events go behind the events that precede them. */
static lathe_result share(const timeline *t, size_t first, size_t end, size_t from, size_t to,
                          lathe_error *err)
{
    buf all;
    size_t front, back, key = first;
    buf_init(&all, &t->doc->mem);
    lathe_result r = read_events(t, first, end, &all, err);
    const stored_event *had = (const stored_event *)(const void *)all.data;
    size_t had_n = all.size / sizeof *had, n = to - from;
    if (r == LATHE_OK) {
        find_same(had, had_n, events_from(t->m, from), n, &front, &back);
        for (size_t i = 0; i < n; i++) {
            size_t as = i >= n - back ? had_n - (n - i) : i;
            size_t at = i >= n - back || i < had_n - back ? had[as].key : key;
            for (; key < at; key++)
                t->keys[key + 1].first = from + i;
        }
        for (; key + 1 < end; key++)
            t->keys[key + 1].first = to;
    }
    buf_free(&all);
    return r;
}

/* Finds the annotations between the time of the frames before `end` and that of `end`. */
static lathe_result until(const timeline *t, size_t end, size_t *e, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (; r == LATHE_OK && *e < t->m->event_count; ++*e) {
        int64_t at = 0;
        r = anm_file_time(&t->facts, t->m->events[*e].time, "an event at", &at, err);
        if (end < t->n && (double)(at - t->facts.start) >= t->keys[end].ms)
            break;
    }
    return r;
}

static lathe_result assign(const timeline *t, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    size_t e = 0;
    for (size_t k = 0, end; r == LATHE_OK && k < t->n; k = end) {
        size_t from = e;
        for (end = k + 1; end < t->n && t->keys[end].ms == t->keys[k].ms;)
            end++;
        t->keys[k].first = from;
        r = until(t, end, &e, err);
        if (r == LATHE_OK && end > k + 1)
            r = share(t, k, end, from, e, err);
    }
    t->keys[t->n].first = t->m->event_count;
    return r;
}

static void tell_moved(const timeline *t, lathe_report *report)
{
    char path[64], reason[128];
    for (size_t k = 0; report && report->skipped && k < t->n; k++)
        for (size_t e = t->keys[k].first; e < t->keys[k + 1].first; e++) {
            double time = t->m->events[e].time;
            if (round(time * 1000) == t->keys[k].ms)
                continue;
            snprintf(path, sizeof path, "annotations[%zu]", e + 1);
            snprintf(reason, sizeof reason,
                     "at %.9g s there is no key frame: now at %.9g s, an event of frame %llu", time,
                     t->keys[k].ms / 1000, (unsigned long long)t->keys[k].frame);
            report->skipped(report->user, path, reason);
        }
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static lathe_result put_event(const rec_at *frame, uint64_t i, const model_event *e,
                              lathe_error *err)
{
    rec_at event;
    stored_event had;
    const lathe_value bone = {.kind = LATHE_KIND_INT, .as.i = e->track};
    const lathe_value name = {.kind = LATHE_KIND_STRING, .as.s = {e->text, e->length}};
    lathe_result r = read_event(frame, i, &had, err);
    if (r == LATHE_OK)
        r = anm_item(frame, "events", i, &event, err);
    bool renamed = r == LATHE_OK && (had.length != e->length ||
                                     (had.length && memcmp(had.name, e->text, e->length) != 0));
    if (r == LATHE_OK && had.bone != e->track)
        r = rec_set_name(&event, "bone", &bone, err);
    return r == LATHE_OK && renamed ? rec_set_name(&event, "name", &name, err) : r;
}

static lathe_result write_frame(const timeline *t, size_t k, buf *all, lathe_error *err)
{
    const model_event *to = events_from(t->m, t->keys[k].first);
    size_t n = t->keys[k + 1].first - t->keys[k].first, front, back;
    rec_at frame;
    all->size = 0;
    lathe_result r = read_events(t, k, k + 1, all, err);
    if (r == LATHE_OK)
        r = anm_frame_at(t->doc, t->keys[k].frame, &frame, err);
    if (r != LATHE_OK)
        return r;
    const stored_event *had = (const stored_event *)(const void *)all->data;
    size_t had_n = all->size / sizeof *had;
    find_same(had, had_n, to, n, &front, &back);
    if (front == n && front == had_n)
        return r;
    uint32_t slot = rec_slot_find(frame.layout, "events");
    if (slot == REC_NO_SLOT)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "an .anm of version %lld has no events", (long long)t->facts.version);
    if (n > had_n)
        r = rec_insert(&frame, slot, had_n - back, n - had_n, NULL, 0, err);
    else if (n < had_n)
        r = rec_remove(&frame, slot, n - back, had_n - n, err);
    for (size_t i = front; r == LATHE_OK && i < n - back; i++)
        r = put_event(&frame, i, &to[i], err);
    return r;
}

lathe_result anm_write_events(lathe_doc *doc, const model_motion *m, lathe_report *report,
                              lathe_error *err)
{
    timeline t = {.doc = doc, .m = m, .facts = anm_facts_of(doc)};
    buf all;
    buf_init(&all, &doc->mem);
    lathe_result r = make_timeline(&t, err);
    if (r == LATHE_OK)
        r = assign(&t, err);
    for (size_t k = 0; r == LATHE_OK && k < t.n; k++)
        r = write_frame(&t, k, &all, err);
    if (r == LATHE_OK)
        tell_moved(&t, report);
    mem_free(&doc->mem, t.keys, t.keys ? (t.n + 1) * sizeof *t.keys : 0);
    buf_free(&all);
    return r;
}
