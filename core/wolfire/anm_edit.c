/* Verbs that replace key frames: trim, reverse, resample. Reference: formats/wolfire.md#6. */
#include "wolfire/anm_pose.h"

#include "scene/clip.h"

#include <math.h>

enum { MOST_FRAMES = 100000 };  /* maximum number of frames made by resampling */
#define MOST_BYTES (1ull << 31) /* maximum size of the new frames */

/* A key frame of the result. */
typedef struct planned {
    double ms;
    anm_moment moment;
    uint32_t part;
    bool kept; /* moment.frame[1] itself is used */
} planned;

typedef struct plan {
    lathe_doc *doc;
    anm_facts facts;
    const model_skeleton *skeleton;
    uint32_t *parts;  /* of the existing frames */
    double *earliest; /* earliest time among each frame and all later ones */
    bool *kept;
    void *frames; /* of type planned */
    size_t n, cap;
    uint64_t made;
} plan;

static planned *frame_of(const plan *p, size_t k)
{
    return (planned *)p->frames + k;
}

static uint32_t frames_slot(const rec_at *root)
{
    return rec_slot_find(root->layout, "frames");
}

static lathe_result plan_begin(lathe_doc *doc, plan *p, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    *p = (plan){.doc = doc, .facts = anm_facts_of(doc)};
    size_t n = (size_t)p->facts.frames;
    p->parts = mem_alloc(&doc->mem, n * sizeof *p->parts);
    p->earliest = mem_alloc(&doc->mem, n * sizeof *p->earliest);
    p->kept = mem_zalloc(&doc->mem, n * sizeof *p->kept);
    if (!p->parts || !p->earliest || !p->kept)
        return rec_no_memory(err);
    lathe_result r = LATHE_OK;
    for (size_t i = n; r == LATHE_OK && i-- > 0;) {
        p->parts[i] = rec_kid(doc, root.part, frames_slot(&root), i);
        r = anm_time(doc, &p->facts, i, &p->earliest[i], err);
        if (i + 1 < n && p->earliest[i + 1] < p->earliest[i])
            p->earliest[i] = p->earliest[i + 1];
    }
    return r;
}

static void plan_end(plan *p)
{
    size_t n = (size_t)p->facts.frames;
    mem_free(&p->doc->mem, p->parts, n * sizeof *p->parts);
    mem_free(&p->doc->mem, p->earliest, n * sizeof *p->earliest);
    mem_free(&p->doc->mem, p->kept, n * sizeof *p->kept);
    mem_free(&p->doc->mem, p->frames, p->cap * sizeof(planned));
}

static lathe_result plan_add(plan *p, const planned *frame, lathe_error *err)
{
    if (!mem_reserve(&p->doc->mem, &p->frames, &p->cap, p->n + 1, sizeof *frame))
        return rec_no_memory(err);
    *frame_of(p, p->n++) = *frame;
    if (frame->kept)
        p->kept[frame->moment.frame[1]] = true;
    else
        p->made++;
    return LATHE_OK;
}

static lathe_result plan_key(plan *p, uint64_t i, double ms, lathe_error *err)
{
    planned key = {.ms = ms, .part = p->parts[i], .kept = true};
    key.moment = anm_moment_of(&p->facts, (double)i);
    return plan_add(p, &key, err);
}

/* Finds the last frame in file order with a time up to `ms`, using `earliest` to stop early. */
static bool last_until(const plan *p, double ms, uint64_t *last)
{
    uint64_t lo = 0, hi = p->facts.frames;
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (p->earliest[middle] <= ms)
            lo = middle + 1;
        else
            hi = middle;
    }
    *last = lo - 1;
    return lo > 0;
}

/* Plans a frame for a time: an existing key frame if there is an unused one, else a new one. */
static lathe_result plan_moment(plan *p, double ms, lathe_error *err)
{
    planned made = {.ms = ms};
    double t = 0;
    uint64_t last;
    bool found = last_until(p, ms, &last);
    lathe_result r =
        anm_moment_after(p->doc, &p->facts, found ? &last : NULL, ms, &made.moment, err);
    uint64_t key = made.moment.frame[1];
    if (r == LATHE_OK)
        r = anm_time(p->doc, &p->facts, key, &t, err);
    if (r != LATHE_OK)
        return r;
    return t == ms && !p->kept[key] ? plan_key(p, key, ms, err) : plan_add(p, &made, err);
}

/* ---- applying the plan -------------------------------------------------------------------------------- */

static lathe_result frame_of_part(const plan *p, uint32_t part, rec_at *frame, lathe_error *err)
{
    return anm_frame_at(p->doc, rec_kid_index(p->doc, part), frame, err);
}

static lathe_result copy_frame(const plan *p, uint32_t from, uint32_t *part, lathe_error *err)
{
    rec_at frame;
    lathe_result r = frame_of_part(p, from, &frame, err);
    return r == LATHE_OK ? anm_append_copy(&frame, part, err) : r;
}

static lathe_result make_frames(const plan *p, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    uint64_t size = 0;
    for (size_t k = 0; r == LATHE_OK && k < p->n; k++) {
        planned *to = frame_of(p, k);
        rec_at frame;
        if (to->kept)
            continue;
        r = copy_frame(p, p->parts[to->moment.frame[1]], &to->part, err);
        if (r == LATHE_OK)
            r = frame_of_part(p, to->part, &frame, err);
        if (r == LATHE_OK && (size += rec_part_of(p->doc, to->part)->size) > MOST_BYTES)
            r = error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                          "more than 2 GiB of new key frames");
        if (r == LATHE_OK)
            r = anm_make_moment(p->doc, &to->moment, p->skeleton, &frame, err);
    }
    return r;
}

/* Inserts the frames of the plan in its order, in front of the frames that will be removed. */
static lathe_result put_in_order(const plan *p, lathe_error *err)
{
    rec_at root = rec_root(p->doc, 0);
    size_t n = (size_t)(p->facts.frames + p->made), k = 0;
    uint32_t *order = mem_alloc(&p->doc->mem, n * sizeof *order);
    if (!order)
        return rec_no_memory(err);
    for (; k < p->n; k++)
        order[k] = frame_of(p, k)->part;
    for (size_t i = 0; i < p->facts.frames; i++)
        if (!p->kept[i])
            order[k++] = p->parts[i];
    lathe_result r = rec_parts_order(p->doc, root.part, frames_slot(&root), order, err);
    mem_free(&p->doc->mem, order, n * sizeof *order);
    return r == LATHE_OK && n > p->n ? rec_remove(&root, frames_slot(&root), p->n, n - p->n, err)
                                     : r;
}

/* Removes the frames that are not in the plan and sets the times of the others, which count from `start`. */
static lathe_result settle(const plan *p, int64_t start, lathe_error *err)
{
    lathe_result r = put_in_order(p, err);
    for (size_t k = 0; r == LATHE_OK && k < p->n; k++) {
        rec_at frame;
        r = anm_frame_at(p->doc, k, &frame, err);
        if (r == LATHE_OK)
            r = anm_set_time(&frame, start + (int64_t)frame_of(p, k)->ms, err);
    }
    return r;
}

/* The last frame of the plan, whose times ascend, with a time up to `ms`; or its first frame. */
static size_t planned_until(const plan *p, double ms)
{
    size_t lo = 0, hi = p->n;
    while (lo + 1 < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (frame_of(p, middle)->ms <= ms)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

/* Removed frames, listed for each frame of the plan that takes over their events: linked lists of numbers,
 * from 1. */
typedef struct heirs {
    uint32_t *first; /* for each frame of the plan */
    uint32_t *next;  /* for each existing frame */
} heirs;

static lathe_result find_heirs(const plan *p, heirs *h, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = (size_t)p->facts.frames; r == LATHE_OK && i-- > 0;) {
        double ms = 0;
        if (p->kept[i])
            continue;
        r = anm_time(p->doc, &p->facts, i, &ms, err);
        size_t k = planned_until(p, ms);
        h->next[i] = h->first[k];
        h->first[k] = (uint32_t)i + 1;
    }
    return r;
}

/* Takes over all events at once: adding them one by one would move those behind them each time. */
static lathe_result inherit(const plan *p, const heirs *h, size_t k, lathe_error *err)
{
    uint64_t n = 0;
    buf all;
    rec_at frame;
    lathe_result r = LATHE_OK;
    buf_init(&all, &p->doc->mem);
    for (uint32_t i = h->first[k]; r == LATHE_OK && i; i = h->next[i - 1]) {
        rec_loc events = {.count = 0};
        r = frame_of_part(p, p->parts[i - 1], &frame, err);
        if (r == LATHE_OK)
            r = rec_find(&frame, rec_slot_find(frame.layout, "events"), &events, err);
        if (r != LATHE_OK || !events.count)
            continue;
        n += events.count;
        const uint8_t *bytes = rec_part_of(p->doc, events.part)->data + events.data;
        r = buf_put(&all, bytes, (size_t)events.size) ? LATHE_OK : rec_no_memory(err);
    }
    if (r == LATHE_OK)
        r = frame_of_part(p, frame_of(p, k)->part, &frame, err);
    if (r == LATHE_OK && n)
        r = rec_insert(&frame, rec_slot_find(frame.layout, "events"),
                       (uint64_t)rec_int(&frame, "num_events"), n, all.data, all.size, err);
    buf_free(&all);
    return r;
}

/* Moves events of removed frames to the nearest frame before them that stays. */
static lathe_result hand_on_events(const plan *p, lathe_error *err)
{
    const mem *memory = &p->doc->mem;
    size_t n = (size_t)p->facts.frames;
    heirs h = {.first = mem_zalloc(memory, p->n * sizeof *h.first),
               .next = mem_zalloc(memory, n * sizeof *h.next)};
    lathe_result r = h.first && h.next ? find_heirs(p, &h, err) : rec_no_memory(err);
    for (size_t k = 0; r == LATHE_OK && k < p->n; k++)
        if (h.first[k])
            r = inherit(p, &h, k, err);
    mem_free(memory, h.first, p->n * sizeof *h.first);
    mem_free(memory, h.next, n * sizeof *h.next);
    return r;
}

static void note_blending(const plan *p, lathe_report *report)
{
    if (p->made && !p->skeleton && report && report->skipped)
        report->skipped(report->user, "frames",
                        "no skeleton was given: new frames are blended in model space, which "
                        "shortens limbs that turn far");
}

/* ---- trim ------------------------------------------------------------------------------------------- */

/* Reads both ends in whole ms. Defaults are the ends of the clip. */
static lathe_result trim_range(const lathe_source *args, double duration, double *a, double *b,
                               lathe_error *err)
{
    *a = 0;
    rec_arg_number(args, "t0", a);
    *a = round(*a * 1000);
    *b = rec_arg_number(args, "t1", b) ? round(*b * 1000) : duration;
    if (*a >= 0 && *a <= *b && *b <= duration)
        return LATHE_OK;
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "%.9g .. %.9g s is not a part of 0 .. %.9g s", *a / 1000, *b / 1000,
                     duration / 1000);
}

static lathe_result plan_trim(plan *p, double a, double b, lathe_error *err)
{
    bool at_a = false, at_b = a == b;
    lathe_result r = LATHE_OK;
    double ms;
    for (uint64_t i = 0; r == LATHE_OK && i < p->facts.frames; i++) {
        r = anm_time(p->doc, &p->facts, i, &ms, err);
        at_a = at_a || ms == a;
        at_b = at_b || ms == b;
    }
    if (r == LATHE_OK && !at_a)
        r = plan_moment(p, a, err);
    for (uint64_t i = 0; r == LATHE_OK && i < p->facts.frames; i++) {
        r = anm_time(p->doc, &p->facts, i, &ms, err);
        if (r == LATHE_OK && ms >= a && ms <= b)
            r = plan_key(p, i, ms, err);
    }
    return r == LATHE_OK && !at_b ? plan_moment(p, b, err) : r;
}

/* Trims the plan. If a start is stored, it becomes the start of the clip and times stay; else times count
 * from 0. */
static lathe_result trim(plan *p, double a, double b, lathe_error *err)
{
    const anm_facts *facts = &p->facts;
    lathe_result r = plan_trim(p, a, b, err);
    if (r == LATHE_OK)
        r = make_frames(p, err);
    if (r == LATHE_OK)
        r = settle(p, facts->start - (facts->stores_start ? 0 : (int64_t)a), err);
    if (r == LATHE_OK && facts->stores_start)
        r = anm_set_start(p->doc, facts->start + (int64_t)a, err);
    return r == LATHE_OK
               ? anm_set_end(p->doc, facts->start + (int64_t)(facts->stores_start ? b : b - a), err)
               : r;
}

lathe_result anm_verb_trim(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err)
{
    anm_facts facts = anm_facts_of(self.doc);
    double duration = (double)(facts.end - facts.start), a, b = duration;
    model_skeleton skeleton;
    bool given;
    plan p;
    lathe_result r = trim_range(args, duration, &a, &b, err);
    if (r != LATHE_OK || (a == 0 && b == duration)) /* the whole clip: nothing to do */
        return r;
    r = scene_skeleton_arg(self.doc, args, "skeleton", &skeleton, &given, err);
    if (r != LATHE_OK)
        return r;
    r = plan_begin(self.doc, &p, err);
    p.skeleton = given ? &skeleton : NULL;
    if (r == LATHE_OK)
        r = trim(&p, a, b, err);
    if (r == LATHE_OK && report) {
        note_blending(&p, report);
        report->changed += p.facts.frames - (p.n - p.made) + p.made;
    }
    plan_end(&p);
    model_skeleton_free(&skeleton);
    return r;
}

/* ---- resample ----------------------------------------------------------------------------------------- */

/* Decides whether the end needs a frame of its own: not if the first frame follows it in a loop. */
static lathe_result wants_end(const plan *p, double duration, bool *yes, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    *yes = !p->facts.looping;
    for (uint64_t i = 0; r == LATHE_OK && !*yes && i < p->facts.frames; i++) {
        double ms = 0;
        r = anm_time(p->doc, &p->facts, i, &ms, err);
        *yes = ms >= duration;
    }
    return r;
}

static lathe_result plan_even(plan *p, double fps, lathe_error *err)
{
    double duration = (double)(p->facts.end - p->facts.start), last = -1;
    bool end;
    lathe_result r = wants_end(p, duration, &end, err);
    if (r == LATHE_OK && !(duration / 1000 * fps < MOST_FRAMES))
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "more than %d key frames",
                         MOST_FRAMES);
    for (double k = 0; r == LATHE_OK; k++) {
        double ms = round(k * 1000 / fps);
        if (ms > duration || (k > 0 && ms == duration && !end))
            break;
        r = plan_moment(p, ms, err);
        last = ms;
    }
    return r == LATHE_OK && end && last < duration ? plan_moment(p, duration, err) : r;
}

static lathe_result resample(plan *p, double fps, lathe_error *err)
{
    lathe_result r = plan_even(p, fps, err);
    if (r == LATHE_OK)
        r = make_frames(p, err);
    if (r == LATHE_OK)
        r = hand_on_events(p, err);
    return r == LATHE_OK ? settle(p, p->facts.start, err) : r;
}

lathe_result anm_verb_resample(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    anm_facts facts = anm_facts_of(self.doc);
    model_skeleton skeleton;
    double fps = 0;
    bool given;
    plan p;
    lathe_result r = LATHE_OK;
    rec_arg_number(args, "fps", &fps);
    if (!(fps > 0 && fps <= 1000))
        r = error_set(
            err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
            "resample needs a number of frames per second, up to 1000: times are whole ms");
    if (r == LATHE_OK && facts.end < facts.start)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "the clip ends before it starts");
    if (r == LATHE_OK)
        r = scene_skeleton_arg(self.doc, args, "skeleton", &skeleton, &given, err);
    if (r != LATHE_OK)
        return r;
    r = plan_begin(self.doc, &p, err);
    p.skeleton = given ? &skeleton : NULL;
    if (r == LATHE_OK)
        r = resample(&p, fps, err);
    if (r == LATHE_OK && report) {
        note_blending(&p, report);
        report->changed += p.n;
    }
    plan_end(&p);
    model_skeleton_free(&skeleton);
    return r;
}

/* ---- reverse ------------------------------------------------------------------------------------------ */

/* In a loop, frames at the seam stay there: `front` of them at its start, `back` at its end. If there are
 * frames at both, they differ, and the clip is reversed like one that does not loop. */
static lathe_result find_seam(const plan *p, double duration, uint64_t *front, uint64_t *back,
                              lathe_error *err)
{
    bool leading = true, outside = false;
    lathe_result r = LATHE_OK;
    *front = *back = 0;
    for (uint64_t i = 0; r == LATHE_OK && i < p->facts.frames; i++) {
        double ms = 0;
        r = anm_time(p->doc, &p->facts, i, &ms, err);
        outside = outside || ms < 0 || ms > duration;
        leading = leading && ms == 0;
        *front += leading;
        *back = ms == duration ? *back + 1 : 0;
    }
    if (!p->facts.looping || outside || (*front && *back))
        *front = *back = 0;
    return r;
}

static lathe_result plan_reverse(plan *p, lathe_error *err)
{
    uint64_t n = p->facts.frames, front, back;
    double duration = (double)(p->facts.end - p->facts.start), ms = 0;
    lathe_result r = find_seam(p, duration, &front, &back, err);
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        bool seam = k < front || k >= n - back;
        uint64_t i = k < front       ? front - 1 - k
                     : k >= n - back ? 2 * n - back - 1 - k
                                     : n - back - 1 - (k - front);
        r = anm_time(p->doc, &p->facts, i, &ms, err);
        if (r == LATHE_OK)
            r = plan_key(p, i, seam ? ms : duration - ms, err);
    }
    return r;
}

/* Reverses the world path: each step is computed again in the heading of the frame at its new end. */
static lathe_result reverse_path(const plan *p, lathe_error *err)
{
    size_t n = (size_t)p->facts.frames;
    const mem *memory = &p->doc->mem;
    anm_place *places = mem_alloc(memory, n * sizeof *places);
    anm_place *turned = mem_alloc(memory, n * sizeof *turned);
    lathe_result r = places && turned ? LATHE_OK : rec_no_memory(err);
    rec_at frame;
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        r = frame_of_part(p, p->parts[i], &frame, err);
        if (r == LATHE_OK)
            r = anm_stored_place(&frame, &places[i], err);
    }
    if (r == LATHE_OK) {
        anm_to_world(places, n);
        for (size_t k = 0; k < n; k++)
            turned[k] = places[frame_of(p, k)->moment.frame[1]];
        anm_from_world(turned, n);
    }
    for (size_t k = 0; r == LATHE_OK && k < n; k++) {
        r = frame_of_part(p, frame_of(p, k)->part, &frame, err);
        if (r == LATHE_OK)
            r = anm_set_place(&frame, &turned[k], err);
    }
    mem_free(memory, places, n * sizeof *places);
    mem_free(memory, turned, n * sizeof *turned);
    return r;
}

lathe_result anm_verb_reverse(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err)
{
    plan p;
    (void)args;
    lathe_result r = plan_begin(self.doc, &p, err);
    if (r == LATHE_OK)
        r = plan_reverse(&p, err);
    if (r == LATHE_OK && p.facts.centered)
        r = reverse_path(&p, err);
    if (r == LATHE_OK)
        r = settle(&p, p.facts.start, err);
    if (r == LATHE_OK && report)
        report->changed += p.facts.frames;
    plan_end(&p);
    return r;
}
