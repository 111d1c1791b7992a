/* Operations on two clips, or on the two ends of one. */
#include "model/motion_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- matching tracks --------------------------------------------------------------------------------- */

/* For each track (float track) of one motion the corresponding one of another, or -1. */
typedef struct matching {
    const mem *mem;
    const model_motion *a, *b;
    int64_t *tracks, *floats;
} matching;

static const char *name_of(const model_motion *m, bool floats, uint64_t i, int64_t *number)
{
    *number = floats ? m->float_tracks[i].slot_index : m->tracks[i].bone_index;
    return floats ? m->float_tracks[i].name : m->tracks[i].bone;
}

typedef struct by_number {
    int64_t number;
    uint64_t index;
} by_number;

static void sort_numbers(by_number *list, by_number *room, size_t n)
{
    size_t half = n / 2, i = 0, j = half;
    if (n < 2)
        return;
    sort_numbers(list, room, half);
    sort_numbers(list + half, room, n - half);
    for (size_t k = 0; k < n; k++)
        room[k] = j >= n || (i < half && list[j].number >= list[i].number) ? list[i++] : list[j++];
    memcpy(list, room, n * sizeof *list);
}

static int64_t find_number(const by_number *list, size_t n, int64_t number)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (list[middle].number < number)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < n && list[lo].number == number ? (int64_t)list[lo].index : -1;
}

/* Matches by name if both have names, else by number; tracks that are bound to nothing, by position. */
static bool match(matching *all, bool floats, int64_t *out)
{
    const model_motion *a = all->a, *b = all->b;
    uint64_t an = floats ? a->float_count : a->track_count;
    size_t bn = (size_t)(floats ? b->float_count : b->track_count);
    model_names names = {.mem = all->mem};
    by_number *numbers = mem_alloc(all->mem, 2 * bn * sizeof *numbers);
    bool good = model_names_begin(&names, all->mem, bn) && numbers;
    int64_t number;
    for (size_t i = 0; good && i < bn; i++) {
        model_names_add(&names, name_of(b, floats, i, &number), i);
        numbers[i] = (by_number){number, i};
    }
    if (good) {
        model_names_sort(&names);
        sort_numbers(numbers, numbers + bn, bn);
    }
    for (uint64_t i = 0; good && i < an; i++) {
        const char *name = name_of(a, floats, i, &number);
        if (name && names.count)
            out[i] = model_names_find(&names, name);
        else if (number >= 0)
            out[i] = find_number(numbers, bn, number);
        else
            out[i] = i < bn ? (int64_t)i : -1;
    }
    model_names_free(&names);
    mem_free(all->mem, numbers, 2 * bn * sizeof *numbers);
    return good;
}

static void matching_close(matching *all)
{
    mem_free(all->mem, all->tracks, (size_t)all->a->track_count * sizeof *all->tracks);
    mem_free(all->mem, all->floats, (size_t)all->a->float_count * sizeof *all->floats);
}

static lathe_result matching_open(matching *all, const model_motion *a, const model_motion *b,
                                  lathe_error *err)
{
    *all = (matching){.mem = &a->mem, .a = a, .b = b};
    all->tracks = mem_alloc(all->mem, (size_t)a->track_count * sizeof *all->tracks);
    all->floats = mem_alloc(all->mem, (size_t)a->float_count * sizeof *all->floats);
    if (all->tracks && all->floats && match(all, false, all->tracks) &&
        match(all, true, all->floats))
        return LATHE_OK;
    matching_close(all);
    return motion_no_memory(err);
}

static lathe_result missing(const model_motion *m, bool floats, uint64_t i, const char *where,
                            lathe_error *err)
{
    char place[MOTION_PLACE];
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s is not in %s",
                     floats ? motion_float_place(m, i, place) : motion_track_place(m, i, place),
                     where);
}

/* Fails if a track of a has no match in b. */
static lathe_result all_there(const matching *all, const char *where, lathe_error *err)
{
    for (uint64_t i = 0; i < all->a->track_count; i++)
        if (all->tracks[i] < 0)
            return missing(all->a, false, i, where, err);
    for (uint64_t i = 0; i < all->a->float_count; i++)
        if (all->floats[i] < 0)
            return missing(all->a, true, i, where, err);
    return LATHE_OK;
}

/* Fails if the clips cannot be combined, such as an additive and a normal one. */
static lathe_result same_kind(const model_motion *a, const model_motion *b, lathe_error *err)
{
    static const char *const hints[] = {"normal", "additive"};
    if (a->hint != b->hint)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "the clip is %s, the other %s",
                         hints[a->hint], hints[b->hint]);
    if (a->absolute != b->absolute)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the %s is in model space, the other relative to the parents of bones",
                         a->absolute ? "clip" : "other clip");
    for (int k = 0; a->moves && b->moves && k < 3; k++)
        if (!(fabs(a->up[k] - b->up[k]) <= 1e-3))
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "the up axes of their root motion differ");
    return LATHE_OK;
}

/* Stores a sample of b in frame k for the tracks of a. Tracks that b does not have are left unchanged in `out`. */
static void frame_of_other(const matching *all, model_motion *scratch, double time,
                           model_motion *out, uint64_t k)
{
    motion_frame(all->b, time, scratch, 0);
    for (uint64_t i = 0; i < all->a->track_count; i++)
        if (all->tracks[i] >= 0)
            memcpy(model_motion_row(out, k, i),
                   model_motion_row(scratch, 0, (uint64_t)all->tracks[i]),
                   MODEL_POSE * sizeof(float));
    for (uint64_t i = 0; i < all->a->float_count; i++)
        if (all->floats[i] >= 0)
            out->floats[k * out->float_count + i] = scratch->floats[all->floats[i]];
    if (out->moves && scratch->moves)
        memcpy(out->moves + k * MODEL_MOVE, scratch->moves, MODEL_MOVE * sizeof(float));
}

lathe_result model_motion_pose_of(const model_motion *m, const model_motion *other, uint64_t frame,
                                  float *rows, float *floats, lathe_error *err)
{
    matching all;
    lathe_result r = matching_open(&all, m, other, err);
    if (r != LATHE_OK)
        return r;
    r = all_there(&all, "the clip with the pose", err);
    for (uint64_t i = 0; r == LATHE_OK && i < m->track_count; i++)
        memcpy(rows + i * MODEL_POSE, model_motion_row(other, frame, (uint64_t)all.tracks[i]),
               MODEL_POSE * sizeof *rows);
    for (uint64_t i = 0; r == LATHE_OK && i < m->float_count; i++)
        floats[i] = other->floats[frame * other->float_count + (uint64_t)all.floats[i]];
    matching_close(&all);
    return r;
}

/* ---- concat ---------------------------------------------------------------------------------------------- */

typedef struct joining {
    matching all, back; /* matches of the first clip's tracks, and of the second one's */
    const model_event *
        /* annotations at the end of the first clip, sorted by track and text */
        *ends;
    size_t end_count;
    model_motion scratch;
    /* the last frame of the first clip coincides with the first frame of the second */
    bool shared;
    uint64_t kept;   /* number of frames of the first clip, without a shared one */
    uint64_t others; /* number of frames of the second clip */
    bool even;       /* the second clip is resampled at the rate of the first */
} joining;

static double other_time(const joining *job, uint64_t k)
{
    const model_motion *b = job->all.b;
    if (!job->even)
        return b->times[k];
    return job->others > 1 ? b->duration * ((double)k / (double)(job->others - 1)) : 0;
}

/* Computes the number of frames of the second clip. A single frame has no rate. */
static lathe_result plan_join(joining *job, lathe_error *err)
{
    const model_motion *a = job->all.a, *b = job->all.b;
    double near = 1e-6 * (1 + a->duration);
    job->shared = a->duration - a->times[a->frame_count - 1] <= near && b->times[0] <= near;
    job->kept = a->frame_count - job->shared;
    job->others = b->frame_count;
    job->even = model_motion_is_even(a) && model_motion_is_even(b);
    if (job->even && a->frame_count > 1 && b->frame_count > 1 && a->duration > 0) {
        double steps = fmax(1, round(b->duration / a->duration * (double)(a->frame_count - 1)));
        if (!(steps < 1e9))
            return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                             "the other clip lasts %.9g s, this one %.9g", b->duration,
                             a->duration);
        job->others = (uint64_t)steps + 1;
    }
    return LATHE_OK;
}

static void join_moves(const joining *job, model_motion *out)
{
    const model_motion *a = job->all.a, *b = job->all.b;
    double origin[MODEL_MOVE] = {0}, end[MODEL_MOVE] = {0};
    if (!out->moves)
        return;
    if (a->moves)
        motion_read_move(a, a->frame_count - 1, end);
    if (b->moves)
        motion_read_move(b, 0, origin);
    motion_rebase(out, job->kept, origin, end);
}

/* Compares by track, then by text. */
static int compare_events(const model_event *x, const model_event *y)
{
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return memcmp(x->text, y->text, x->length);
}

static int compare_pointers(const void *a, const void *b)
{
    const model_event *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return compare_events(x, y);
}

static bool list_ends(joining *job)
{
    const model_motion *a = job->all.a;
    size_t n = a->event_count;
    double near = 1e-6 * (1 + a->duration);
    job->ends = mem_alloc(&a->mem, n * sizeof *job->ends);
    for (size_t i = n; job->ends && i-- > 0 && a->duration - a->events[i].time <= near;)
        job->ends[job->end_count++] = &a->events[i];
    if (job->ends && job->end_count > 1)
        qsort(job->ends, job->end_count, sizeof *job->ends, compare_pointers);
    return job->ends != NULL;
}

/* Whether the first clip ends with the same annotation. */
static bool is_at_seam(const joining *job, const model_event *e)
{
    size_t lo = 0, hi = job->end_count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (compare_events(job->ends[middle], e) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < job->end_count && compare_events(job->ends[lo], e) == 0;
}

static lathe_result join_events(joining *job, model_motion *out, lathe_error *err)
{
    const model_motion *a = job->all.a, *b = job->all.b;
    lathe_result r = list_ends(job) ? LATHE_OK : motion_no_memory(err);
    for (size_t i = 0; r == LATHE_OK && i < b->event_count; i++) {
        model_event e = b->events[i];
        if (e.track >= 0 && (uint64_t)e.track < b->track_count)
            e.track = job->back.tracks[e.track];
        if (!(e.time <= 1e-6 * (1 + a->duration) && is_at_seam(job, &e)))
            r = model_motion_event(out, a->duration + e.time, e.track, e.text, e.length, err);
    }
    mem_free(&a->mem, job->ends, a->event_count * sizeof *job->ends);
    return r;
}

static void note_seam(const joining *job, lathe_report *report)
{
    const model_motion *a = job->all.a;
    for (uint64_t i = 0; i < a->track_count; i++) {
        const float *x = model_motion_row(a, a->frame_count - 1, i);
        const float *y = model_motion_row(job->all.b, 0, (uint64_t)job->all.tracks[i]);
        double dot = 0, far = 0;
        for (int k = 3; k < 7; k++)
            dot += (double)x[k] * (double)y[k];
        for (int k = 0; k < 3; k++)
            far = fmax(far, fabs((double)x[k] - (double)y[k]));
        if (far > 0.05 || fabs(dot) < 0.9998) { /* more than encodings lose */
            motion_note(report,
                        "the last pose of the first animation is not the first of the other, which "
                        "takes its place: it jumps there");
            return;
        }
    }
}

static lathe_result join(joining *job, model_motion *out, lathe_error *err)
{
    const model_motion *a = job->all.a, *b = job->all.b;
    model_motion_init(out, &a->mem);
    lathe_result r = model_motion_alloc(out, job->kept + job->others, a->track_count,
                                        a->float_count, a->moves || b->moves, err);
    if (r == LATHE_OK)
        r = model_motion_facts(out, a, true, err);
    for (uint64_t k = 0; r == LATHE_OK && k < job->kept; k++) {
        motion_frame(a, a->times[k], out, k);
        out->times[k] = a->times[k];
    }
    for (uint64_t k = 0; r == LATHE_OK && k < job->others; k++) {
        double time = other_time(job, k);
        frame_of_other(&job->all, &job->scratch, time, out, job->kept + k);
        out->times[job->kept + k] = a->duration + time;
    }
    if (r != LATHE_OK)
        return r;
    out->duration = a->duration + b->duration;
    if (!a->moves && b->moves) {
        memcpy(out->up, b->up, sizeof out->up);
        memcpy(out->forward, b->forward, sizeof out->forward);
    }
    out->looping = a->looping && b->looping;
    join_moves(job, out);
    if (model_motion_is_even(out))
        model_motion_even(out);
    return join_events(job, out, err);
}

static lathe_result concat(joining *job, model_motion *made, lathe_report *report, lathe_error *err)
{
    const model_motion *a = job->all.a, *b = job->all.b;
    if (a->track_count != b->track_count)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the animation has %llu track%s, the other %llu",
                         (unsigned long long)a->track_count, a->track_count == 1 ? "" : "s",
                         (unsigned long long)b->track_count);
    lathe_result r = all_there(&job->all, "the other clip", err);
    if (r == LATHE_OK)
        r = all_there(&job->back, "the clip that it is to follow", err);
    if (r == LATHE_OK)
        r = plan_join(job, err);
    if (r == LATHE_OK)
        r = motion_like(job->all.b, 1, false, &job->scratch, err);
    if (r != LATHE_OK)
        return r;
    if (job->shared)
        note_seam(job, report);
    r = join(job, made, err);
    if (r == LATHE_OK)
        motion_changed(report, job->others *
                                   (made->track_count + made->float_count + (made->moves ? 1 : 0)));
    return r;
}

lathe_result model_motion_concat(model_motion *m, const model_motion *other, lathe_report *report,
                                 lathe_error *err)
{
    joining job = {.ends = NULL};
    model_motion made;
    lathe_result r = same_kind(m, other, err);
    if (r == LATHE_OK && (m->frame_count == 0 || other->frame_count == 0))
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s has no frames",
                      m->frame_count ? "the other clip" : "the clip");
    if (r == LATHE_OK)
        r = matching_open(&job.all, m, other, err);
    if (r != LATHE_OK)
        return r;
    model_motion_init(&made, &m->mem);
    model_motion_init(&job.scratch, &m->mem);
    r = matching_open(&job.back, other, m, err);
    if (r == LATHE_OK) {
        r = concat(&job, &made, report, err);
        matching_close(&job.back);
    }
    matching_close(&job.all);
    model_motion_free(&job.scratch);
    return motion_become(m, &made, r);
}

/* ---- blend ------------------------------------------------------------------------------------------------- */

/* Sets up a motion of two frames, one second apart, for interpolation. */
static void blend_frame(model_motion *two, model_motion *m, uint64_t k, double weight)
{
    model_motion_rows(two, weight, 0, m->track_count, model_motion_row(m, k, 0));
    model_motion_floats(two, weight, 0, m->float_count, m->floats + k * m->float_count);
    if (m->moves)
        model_motion_move(two, weight, m->moves + k * MODEL_MOVE);
}

static void list_missing(const matching *all, lathe_report *report)
{
    char place[MOTION_PLACE];
    for (uint64_t i = 0; i < all->a->track_count; i++)
        if (all->tracks[i] < 0)
            motion_skipped(report, motion_track_place(all->a, i, place),
                           "the other clip has no such track: it stays as it is");
    for (uint64_t i = 0; i < all->a->float_count; i++)
        if (all->floats[i] < 0)
            motion_skipped(report, motion_float_place(all->a, i, place),
                           "the other clip has no such track: it stays as it is");
    if (all->a->moves && !all->b->moves)
        motion_skipped(report, "root_motion", "the other clip has none: it stays as it is");
    if (!all->a->moves && all->b->moves)
        motion_skipped(report, "root_motion", "the clip has none: the other's is left out");
}

static lathe_result blend(const matching *all, model_motion *m, double weight, lathe_error *err)
{
    const model_motion *b = all->b;
    model_motion two, scratch;
    lathe_result r = motion_like(b, 1, false, &scratch, err);
    if (r != LATHE_OK)
        return r;
    r = motion_like(m, 2, false, &two, err);
    if (r == LATHE_OK)
        two.times[1] = 1;
    for (uint64_t k = 0; r == LATHE_OK && k < m->frame_count; k++) {
        double share = m->duration > 0 ? m->times[k] / m->duration : 0;
        motion_frame(m, m->times[k], &two, 0);
        motion_frame(m, m->times[k], &two, 1);
        frame_of_other(all, &scratch, share * b->duration, &two, 1);
        blend_frame(&two, m, k, weight);
    }
    if (r == LATHE_OK)
        model_motion_free(&two);
    model_motion_free(&scratch);
    return r;
}

lathe_result model_motion_blend(model_motion *m, const model_motion *other, double weight,
                                lathe_report *report, lathe_error *err)
{
    matching all;
    lathe_result r = same_kind(m, other, err);
    if (r == LATHE_OK && !(weight >= 0 && weight <= 1))
        r = isfinite(weight) ? error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                         "weight is 0 to 1, not %.9g", weight)
                             : error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                         "weight is a finite number, 0 to 1");
    if (r == LATHE_OK && other->frame_count == 0)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "the other clip has no frames");
    if (r == LATHE_OK)
        r = matching_open(&all, m, other, err);
    if (r != LATHE_OK)
        return r;
    list_missing(&all, report);
    if (weight > 0)
        r = blend(&all, m, weight, err);
    if (r == LATHE_OK && weight > 0)
        motion_changed(report, motion_numbers(m));
    else if (r == LATHE_OK)
        motion_note(report, "nothing to do: weight 0 takes nothing of the other");
    matching_close(&all);
    return r;
}

/* ---- loop --------------------------------------------------------------------------------------------------- */

/* Adds a share of the difference from `last` to `first` to a row. */
static void close_row(const float *first, const float *last, double share, float *row)
{
    rigid a = rigid_of_row(first), z = rigid_of_row(last), now = rigid_of_row(row);
    quat turn = quat_mul(quat_conjugate(z.q), a.q);
    double sign = turn.w < 0 ? -1 : 1;
    double length = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double angle = atan2(length, turn.w * sign) * share;
    double k = length > 1e-12 ? sin(angle) / length * sign : share * sign;
    turn = quat_normalize((quat){turn.x * k, turn.y * k, turn.z * k, cos(angle)});
    now.q = quat_mul(now.q, turn);
    now.t = vec3_add(now.t, vec3_scale(vec3_sub(a.t, z.t), share));
    rigid_to_row(now, row);
    for (int i = 7; i < MODEL_POSE; i++)
        row[i] = (float)((double)row[i] + share * ((double)first[i] - (double)last[i]));
}

/* Makes the last row of a track equal to the first one. Tracks that already are equal stay unchanged. */
static uint64_t close_track(model_motion *m, uint64_t track, uint64_t n)
{
    uint64_t end = m->frame_count - 1, changed = 0;
    const float *first = model_motion_row(m, 0, track);
    float last[MODEL_POSE];
    memcpy(last, model_motion_row(m, end, track), sizeof last);
    if (memcmp(first, last, sizeof last) == 0)
        return 0;
    for (uint64_t k = 1; k <= n; k++, changed++) {
        double w = (double)k / (double)n;
        float *row = model_motion_row(m, end - n + k, track);
        if (k == n)
            memcpy(row, first, sizeof last);
        else
            close_row(first, last, w * w * (3 - 2 * w), row);
    }
    return changed;
}

static uint64_t close_float(model_motion *m, uint64_t i, uint64_t n)
{
    uint64_t end = m->frame_count - 1, changed = 0;
    float *all = m->floats + i, first = all[0], last = all[end * m->float_count];
    if (memcmp(&first, &last, sizeof first) == 0)
        return 0;
    for (uint64_t k = 1; k <= n; k++, changed++) {
        double w = (double)k / (double)n;
        float *v = all + (end - n + k) * m->float_count;
        *v = k == n ? first
                    : (float)((double)*v + w * w * (3 - 2 * w) * ((double)first - (double)last));
    }
    return changed;
}

lathe_result model_motion_loop(model_motion *m, uint64_t n, lathe_report *report, lathe_error *err)
{
    uint64_t changed = 0;
    if (m->frame_count < 2 || n < 1 || n > m->frame_count - 1)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%llu frame%s not 1 to %llu, of a clip of %llu", (unsigned long long)n,
                         n == 1 ? " is" : "s are",
                         (unsigned long long)(m->frame_count ? m->frame_count - 1 : 0),
                         (unsigned long long)m->frame_count);
    for (uint64_t i = 0; i < m->track_count; i++)
        changed += close_track(m, i, n);
    for (uint64_t i = 0; i < m->float_count; i++)
        changed += close_float(m, i, n);
    if (!changed)
        motion_note(report, "nothing to do: the last frame is the first one already");
    motion_changed(report, changed);
    return LATHE_OK;
}
