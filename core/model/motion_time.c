/* Operations that select other frames, or change times. */
#include "model/motion_part.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NEAR 1e-3 /* in steps: a time this close to a frame is that frame's */

/* ---- frames ------------------------------------------------------------------------------------------ */

bool model_motion_is_even(const model_motion *m)
{
    uint64_t n = m->frame_count;
    double step = n > 1 ? m->duration / (double)(n - 1) : 0;
    for (uint64_t i = 1; i < n; i++)
        if (!(fabs(m->times[i] - step * (double)i) <= NEAR * step))
            return false;
    return true;
}

/* The number of the frame at a time, from 0. False: there is none. */
static bool frame_at(const model_motion *m, double time, uint64_t *frame)
{
    double share;
    model_motion_find(m, time, frame, &share);
    if (share > 1 - NEAR)
        (*frame)++;
    return share < NEAR || share > 1 - NEAR;
}

static void copy_frame(const model_motion *from, uint64_t i, model_motion *to, uint64_t k)
{
    if (from->track_count)
        memcpy(model_motion_row(to, k, 0), model_motion_row(from, i, 0),
               (size_t)from->track_count * MODEL_POSE * sizeof(float));
    if (from->float_count)
        memcpy(to->floats + k * to->float_count, from->floats + i * from->float_count,
               (size_t)from->float_count * sizeof(float));
    if (from->moves && to->moves)
        memcpy(to->moves + k * MODEL_MOVE, from->moves + i * MODEL_MOVE,
               MODEL_MOVE * sizeof(float));
}

void motion_frame(const model_motion *from, double time, model_motion *to, uint64_t k)
{
    uint64_t frame;
    if (frame_at(from, time, &frame)) {
        copy_frame(from, frame, to, k);
        return;
    }
    model_motion_rows(from, time, 0, from->track_count, model_motion_row(to, k, 0));
    model_motion_floats(from, time, 0, from->float_count, to->floats + k * to->float_count);
    if (from->moves && to->moves)
        model_motion_move(from, time, to->moves + k * MODEL_MOVE);
}

lathe_result motion_like(const model_motion *m, uint64_t frames, bool with_events,
                         model_motion *out, lathe_error *err)
{
    model_motion_init(out, &m->mem);
    lathe_result r =
        model_motion_alloc(out, frames, m->track_count, m->float_count, m->moves != NULL, err);
    if (r == LATHE_OK)
        r = model_motion_facts(out, m, with_events, err);
    if (r != LATHE_OK)
        model_motion_free(out);
    return r;
}

lathe_result motion_become(model_motion *m, model_motion *made, lathe_result r)
{
    if (r == LATHE_OK)
        model_motion_swap(m, made);
    model_motion_free(made);
    return r;
}

/* ---- root motion -------------------------------------------------------------------------------------- */

void motion_rebase(model_motion *m, uint64_t from, const double *origin, const double *start)
{
    double back[MODEL_MOVE], way[MODEL_MOVE], move[MODEL_MOVE];
    if (!m->moves || memcmp(origin, start, sizeof back) == 0)
        return;
    model_move_back(m->up, origin, back);
    model_move_add(m->up, start, back, way);
    for (uint64_t i = from; i < m->frame_count; i++) {
        motion_read_move(m, i, move);
        model_move_add(m->up, way, move, move);
        motion_write_move(m, i, move);
    }
}

/* Rebases root motion so that it starts with the values of the old clip. */
static void begin_as(model_motion *m, const model_motion *old)
{
    double origin[MODEL_MOVE], start[MODEL_MOVE];
    if (!m->moves || !m->frame_count)
        return;
    motion_read_move(m, 0, origin);
    motion_read_move(old, 0, start);
    motion_rebase(m, 0, origin, start);
}

/* ---- trim ---------------------------------------------------------------------------------------------- */

typedef struct trimming {
    const model_motion *from;
    double a, b;         /* range in the old clip's time, rounded as formats store it */
    double start, end;   /* the same, moved to exact frame times */
    uint64_t first, n;   /* frames to copy; n 0: resample */
    uint64_t steps;      /* … with this many steps */
    bool before, behind; /* whether an additional frame precedes or follows the copied ones */
} trimming;

static double storable(double time)
{
    return (double)(float)time;
}

/* Moves ends near a frame to that frame. */
static void settle_ends(trimming *t, bool *at_a, bool *at_b, uint64_t *a, uint64_t *b)
{
    const model_motion *m = t->from;
    *at_a = frame_at(m, t->a, a);
    *at_b = frame_at(m, t->b, b) && t->b <= m->times[m->frame_count - 1] * (1 + 1e-6);
    t->start = *at_a ? m->times[*a] : t->a;
    t->end = *at_b ? m->times[*b] : t->b;
    t->a = storable(t->start);
    t->b = storable(t->end);
}

static void plan(trimming *t)
{
    const model_motion *m = t->from;
    bool at_a, at_b, even = model_motion_is_even(m);
    uint64_t a, b;
    settle_ends(t, &at_a, &at_b, &a, &b);
    if (even && !(at_a && at_b)) {
        double step = m->duration / (double)(m->frame_count - 1);
        t->steps = (uint64_t)fmax(1, round((t->end - t->start) / step));
        if (t->end <= t->start)
            t->steps = 0;
        return;
    }
    t->before = !at_a;
    t->behind = !at_b && t->end > t->start;
    t->first = at_a ? a : a + 1;
    t->n = b + 1 > t->first ? b + 1 - t->first : 0;
}

static lathe_result make_trimmed(const trimming *t, model_motion *out, lathe_error *err)
{
    const model_motion *m = t->from;
    bool anew = !t->n && !t->before && !t->behind;
    uint64_t before = t->before ? 1 : 0, n = before + t->n + (t->behind ? 1 : 0);
    if (anew)
        n = t->steps + 1;
    lathe_result r = motion_like(m, n, false, out, err);
    if (r != LATHE_OK)
        return r;
    out->duration = t->b - t->a;
    for (uint64_t k = 0; k < n; k++) {
        double share = t->steps ? (double)k / (double)t->steps : 0;
        double at = anew                      ? t->start + (t->end - t->start) * share
                    : t->before && k == 0     ? t->start
                    : t->behind && k + 1 == n ? t->end
                                              : m->times[t->first + k - before];
        motion_frame(m, at, out, k);
        out->times[k] = k == 0 ? 0 : at - t->start;
    }
    if (model_motion_is_even(out))
        model_motion_even(out);
    return LATHE_OK;
}

/* Copies annotations of the range. Those outside the old clip count as at its ends. */
static lathe_result trim_events(const trimming *t, model_motion *out, lathe_error *err)
{
    const model_motion *m = t->from;
    bool all_before = t->start <= 0, all_behind = t->end >= m->duration * (1 - 1e-7);
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < m->event_count; i++) {
        const model_event *e = &m->events[i];
        if ((e->time >= t->a || all_before) && (e->time <= t->b || all_behind))
            r = model_motion_event(out, e->time - t->a, e->track, e->text, e->length, err);
    }
    return r;
}

static lathe_result keep_whole(const model_motion *m, lathe_report *report)
{
    motion_note(report, "nothing to do: 0 to %.9g s is the whole animation", m->duration);
    return LATHE_OK;
}

lathe_result model_motion_trim(model_motion *m, double t0, double t1, lathe_report *report,
                               lathe_error *err)
{
    trimming t = {.from = m, .a = t0, .b = t1};
    model_motion made;
    if (!isfinite(t0) || !isfinite(t1))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "t0 and t1 are finite numbers");
    if (!(t0 >= 0 && t0 <= t1 && t1 <= m->duration * (1 + 1e-6)))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%.9g .. %.9g s is not a part of 0 .. %.9g s", t0, t1, m->duration);
    if (m->frame_count == 0 || (t0 == 0 && t1 >= m->duration))
        return keep_whole(m, report);
    plan(&t);
    if (t.start <= 0 && t.end >= m->duration)
        return keep_whole(m, report);
    lathe_result r = make_trimmed(&t, &made, err);
    if (r != LATHE_OK)
        return r;
    r = trim_events(&t, &made, err);
    begin_as(&made, m);
    if (r == LATHE_OK)
        motion_changed(report, motion_numbers(m) - t.n * (m->track_count + m->float_count));
    return motion_become(m, &made, r);
}

/* ---- reverse --------------------------------------------------------------------------------------------- */

static void exchange(float *a, float *b, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        float was = a[i];
        a[i] = b[i];
        b[i] = was;
    }
}

/* Reverses the order of the frames from .. n - 1. */
static void reverse_frames(model_motion *m, uint64_t from)
{
    uint64_t width = m->track_count * MODEL_POSE;
    for (uint64_t a = from, b = m->frame_count - 1; a < b; a++, b--) {
        if (width)
            exchange(m->rows + a * width, m->rows + b * width, width);
        if (m->float_count)
            exchange(m->floats + a * m->float_count, m->floats + b * m->float_count,
                     m->float_count);
        if (m->moves)
            exchange(m->moves + a * MODEL_MOVE, m->moves + b * MODEL_MOVE, MODEL_MOVE);
    }
}

static void reverse_times(model_motion *m, uint64_t from, double end)
{
    uint64_t n = m->frame_count;
    if (from == 0 && model_motion_is_even(m))
        return;
    for (uint64_t a = from, b = n - 1; a <= b; a++, b--) {
        double was = m->times[a];
        m->times[a] = end - m->times[b];
        m->times[b] = end - was;
        if (b == 0)
            break;
    }
    m->times[0] = 0;
}

/* Reverses the times. Annotations at the same time keep their order. */
static void reverse_events(model_motion *m, double end, bool loop)
{
    size_t n = m->event_count;
    for (size_t i = 0; i < n; i++)
        if (!loop || m->events[i].time > 0)
            m->events[i].time = end - m->events[i].time;
    model_motion_sort(m);
}

lathe_result model_motion_reverse(model_motion *m, lathe_report *report, lathe_error *err)
{
    uint64_t n = m->frame_count;
    bool tail = n > 0 && m->looping && m->duration > m->times[n - 1] * (1 + 1e-6);
    double start[MODEL_MOVE] = {0}, end[MODEL_MOVE] = {0};
    (void)err;
    if (n == 0) {
        motion_note(report, "nothing to do: the animation has no frames");
        return LATHE_OK;
    }
    if (m->moves) {
        motion_read_move(m, 0, start);
        motion_read_move(m, n - 1, end);
    }
    reverse_frames(m, tail ? 1 : 0);
    reverse_times(m, tail ? 1 : 0, m->duration);
    reverse_events(m, m->duration, tail);
    if (!tail)
        motion_rebase(m, 0, end, start);
    motion_changed(report, motion_numbers(m));
    return LATHE_OK;
}

/* ---- resample --------------------------------------------------------------------------------------------- */

lathe_result model_motion_resample(model_motion *m, double fps, lathe_report *report,
                                   lathe_error *err)
{
    double steps = fmax(1, round(m->duration * fps));
    model_motion made;
    if (!(isfinite(fps) && fps > 0))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "fps is a finite number above 0");
    if (m->frame_count == 0 || !(m->duration > 0)) {
        motion_note(report, "nothing to do: the animation takes no time");
        return LATHE_OK;
    }
    if (!(steps < MODEL_FRAMES_MOST))
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "more than %d key frames",
                         MODEL_FRAMES_MOST);
    uint64_t n = (uint64_t)steps + 1;
    if (n == m->frame_count && model_motion_is_even(m)) {
        motion_note(report,
                    "nothing to do: it has %llu even frames already, which is as near as can be",
                    (unsigned long long)n);
        return LATHE_OK;
    }
    lathe_result r = motion_like(m, n, true, &made, err);
    if (r != LATHE_OK)
        return r;
    model_motion_even(&made);
    for (uint64_t k = 0; k < n; k++)
        motion_frame(m, made.times[k], &made, k);
    motion_changed(report, motion_numbers(&made));
    return motion_become(m, &made, r);
}

/* ---- operations that keep the frames ------------------------------------------------------------------------- */

static const char *next_event(void *user, size_t i)
{
    const model_motion *m = user;
    return i < m->event_count ? m->events[i].text : NULL;
}

/* Notes that no annotation has the text `from`, which is NUL-terminated. */
static void note_no_event(model_motion *m, const char *from, lathe_report *report)
{
    const char *near = error_nearest(from, next_event, m);
    if (near && near[0])
        motion_note(report,
                    "nothing to do: no annotation has the text '%.100s'; did you mean '%.100s'?",
                    from, near);
    else
        motion_note(report, "nothing to do: no annotation has the text '%.100s'", from);
}

lathe_result model_motion_rename(model_motion *m, const char *from, size_t from_n, const char *to,
                                 size_t to_n, lathe_report *report, lathe_error *err)
{
    const char *text = model_motion_text(m, to, to_n), *old = model_motion_text(m, from, from_n);
    bool any = false;
    if (!text || !old)
        return motion_no_memory(err);
    for (size_t i = 0; i < m->event_count; i++) {
        model_event *e = &m->events[i];
        if (e->length != from_n || memcmp(e->text, from, from_n) != 0)
            continue;
        e->text = text;
        e->length = to_n;
        any = true;
        motion_changed(report, 1);
    }
    if (!any)
        note_no_event(m, old, report);
    return LATHE_OK;
}
