#include "model/motion.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

/* ---- life ------------------------------------------------------------------------------------------ */

void model_motion_init(model_motion *m, const mem *memory)
{
    *m = (model_motion){.mem = *memory, .up = {0, 0, 1}, .forward = {0, 1, 0}};
    arena_init(&m->texts, &m->mem);
}

/* The size of a * b elements in bytes. False: it overflows. */
static bool size_of(uint64_t a, uint64_t b, size_t element, size_t *out)
{
    const uint64_t most = PTRDIFF_MAX / element;
    if (a && b > most / a)
        return false;
    *out = (size_t)(a * b) * element;
    return true;
}

static bool take(const mem *memory, uint64_t a, uint64_t b, size_t element, void *out)
{
    size_t size;
    void *p = size_of(a, b, element, &size) ? mem_zalloc(memory, size) : NULL;
    memcpy(out, &p, sizeof p);
    return p != NULL;
}

static void put_at_rest(model_motion *m)
{
    for (uint64_t i = 0; i < m->frame_count * m->track_count; i++) {
        float *row = m->rows + i * MODEL_POSE;
        row[6] = row[7] = row[8] = row[9] = 1;
    }
    for (uint64_t i = 0; i < m->track_count; i++)
        m->tracks[i].bone_index = -1;
    for (uint64_t i = 0; i < m->float_count; i++)
        m->float_tracks[i].slot_index = -1;
}

lathe_result model_motion_alloc(model_motion *m, uint64_t frames, uint64_t tracks, uint64_t floats,
                                bool with_moves, lathe_error *err)
{
    const mem *memory = &m->mem;
    m->frame_count = frames;
    m->track_count = tracks;
    m->float_count = floats;
    if (!take(memory, frames, 1, sizeof *m->times, &m->times) ||
        !take(memory, frames, tracks, MODEL_POSE * sizeof *m->rows, &m->rows) ||
        !take(memory, frames, floats, sizeof *m->floats, &m->floats) ||
        !take(memory, tracks, 1, sizeof *m->tracks, &m->tracks) ||
        !take(memory, floats, 1, sizeof *m->float_tracks, &m->float_tracks) ||
        (with_moves && !take(memory, frames, MODEL_MOVE, sizeof *m->moves, &m->moves)))
        return no_memory(err);
    put_at_rest(m);
    return LATHE_OK;
}

static void give(const mem *memory, void *p, uint64_t a, uint64_t b, size_t element)
{
    mem_free(memory, p, (size_t)(a * b) * element);
}

void model_motion_free(model_motion *m)
{
    const mem memory = m->mem;
    uint64_t n = m->frame_count;
    give(&memory, m->times, n, 1, sizeof *m->times);
    give(&memory, m->rows, n, m->track_count, MODEL_POSE * sizeof *m->rows);
    give(&memory, m->floats, n, m->float_count, sizeof *m->floats);
    give(&memory, m->moves, n, MODEL_MOVE, sizeof *m->moves);
    give(&memory, m->tracks, m->track_count, 1, sizeof *m->tracks);
    give(&memory, m->float_tracks, m->float_count, 1, sizeof *m->float_tracks);
    /* allocated by mem_reserve, which never returns a one-byte block for 0 elements */
    if (m->events)
        give(&memory, m->events, m->event_room, 1, sizeof *m->events);
    arena_free(&m->texts);
    model_motion_init(m, &memory);
}

void model_motion_swap(model_motion *a, model_motion *b)
{
    model_motion was = *a;
    *a = *b;
    *b = was;
    a->texts.mem = &a->mem;
    b->texts.mem = &b->mem;
}

/* ---- copies ---------------------------------------------------------------------------------------- */

const char *model_motion_text(model_motion *m, const char *p, size_t n)
{
    char *text = n < SIZE_MAX ? arena_zalloc(&m->texts, n + 1) : NULL;
    if (text && n)
        memcpy(text, p, n);
    return text;
}

static bool copy_name(model_motion *to, const char *name, const char **out)
{
    *out = name ? model_motion_text(to, name, strlen(name)) : NULL;
    return *out || !name;
}

static bool copy_tracks(model_motion *to, const model_motion *from)
{
    bool good = true;
    for (uint64_t i = 0; good && i < from->track_count && i < to->track_count; i++) {
        to->tracks[i] = from->tracks[i];
        good = copy_name(to, from->tracks[i].bone, &to->tracks[i].bone);
    }
    for (uint64_t i = 0; good && i < from->float_count && i < to->float_count; i++) {
        to->float_tracks[i] = from->float_tracks[i];
        good = copy_name(to, from->float_tracks[i].name, &to->float_tracks[i].name);
    }
    return good;
}

lathe_result model_motion_facts(model_motion *to, const model_motion *from, bool with_events,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    to->duration = from->duration;
    memcpy(to->up, from->up, sizeof to->up);
    memcpy(to->forward, from->forward, sizeof to->forward);
    to->hint = from->hint;
    to->looping = from->looping;
    to->absolute = from->absolute;
    if (!copy_tracks(to, from) || !copy_name(to, from->skeleton_name, &to->skeleton_name))
        return no_memory(err);
    for (size_t i = 0; r == LATHE_OK && with_events && i < from->event_count; i++) {
        const model_event *e = &from->events[i];
        r = model_motion_event(to, e->time, e->track, e->text, e->length, err);
    }
    return r;
}

static void copy_bytes(void *to, const void *from, uint64_t a, uint64_t b, size_t element)
{
    if (a && b)
        memcpy(to, from, (size_t)(a * b) * element);
}

lathe_result model_motion_copy(model_motion *to, const model_motion *from, lathe_error *err)
{
    uint64_t n = from->frame_count;
    lathe_result r =
        model_motion_alloc(to, n, from->track_count, from->float_count, from->moves != NULL, err);
    if (r == LATHE_OK)
        r = model_motion_facts(to, from, true, err);
    if (r != LATHE_OK)
        return r;
    copy_bytes(to->times, from->times, n, 1, sizeof *to->times);
    copy_bytes(to->rows, from->rows, n, from->track_count, MODEL_POSE * sizeof *to->rows);
    copy_bytes(to->floats, from->floats, n, from->float_count, sizeof *to->floats);
    if (from->moves)
        copy_bytes(to->moves, from->moves, n, MODEL_MOVE, sizeof *to->moves);
    return LATHE_OK;
}

/* ---- annotations ----------------------------------------------------------------------------------- */

/* Searches the place from the end, because annotations usually come in order. */
lathe_result model_motion_event(model_motion *m, double time, int64_t track, const char *text,
                                size_t n, lathe_error *err)
{
    void *events = m->events;
    if (!mem_reserve(&m->mem, &events, &m->event_room, m->event_count + 1, sizeof *m->events))
        return no_memory(err);
    m->events = events;
    model_event one = {.time = time, .length = n, .track = track};
    one.text = model_motion_text(m, text, n);
    if (!one.text)
        return no_memory(err);
    size_t at = m->event_count++;
    for (; at > 0 && time < m->events[at - 1].time; at--)
        m->events[at] = m->events[at - 1];
    m->events[at] = one;
    return LATHE_OK;
}

static bool in_order(const model_event *list, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (list[i].time < list[i - 1].time)
            return false;
    return true;
}

static void sort_with(model_event *list, model_event *room, size_t n)
{
    size_t half = n / 2, i = 0, j = half;
    if (n < 2)
        return;
    sort_with(list, room, half);
    sort_with(list + half, room, n - half);
    if (!(list[half].time < list[half - 1].time))
        return;
    for (size_t k = 0; k < n; k++)
        room[k] = j >= n || (i < half && !(list[j].time < list[i].time)) ? list[i++] : list[j++];
    memcpy(list, room, n * sizeof *list);
}

static void sort_in_place(model_event *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        model_event one = list[i];
        size_t at = i;
        for (; at > 0 && one.time < list[at - 1].time; at--)
            list[at] = list[at - 1];
        list[at] = one;
    }
}

void model_motion_sort(model_motion *m)
{
    size_t n = m->event_count;
    if (in_order(m->events, n))
        return;
    model_event *room = mem_alloc(&m->mem, n * sizeof *room);
    if (room)
        sort_with(m->events, room, n);
    else /* slower, but needs no memory */
        sort_in_place(m->events, n);
    mem_free(&m->mem, room, n * sizeof *room);
}

/* ---- times ------------------------------------------------------------------------------------------ */

void model_motion_times(uint64_t n, double duration, double *out)
{
    uint64_t last = n ? n - 1 : 0;
    for (uint64_t i = 0; i < n; i++)
        out[i] = i == 0 ? 0 : i == last ? duration : duration * ((double)i / (double)last);
}

void model_motion_even(model_motion *m)
{
    model_motion_times(m->frame_count, m->duration, m->times);
}

void model_motion_find(const model_motion *m, double time, uint64_t *frame, double *share)
{
    uint64_t lo = 0, hi = m->frame_count;
    *frame = 0;
    *share = 0;
    while (lo + 1 < hi) { /* finds the last frame that is not after the time */
        uint64_t middle = lo + (hi - lo) / 2;
        if (m->times[middle] <= time)
            lo = middle;
        else
            hi = middle;
    }
    *frame = lo;
    if (hi >= m->frame_count || !(time > m->times[lo]))
        return;
    *share = (time - m->times[lo]) / (m->times[hi] - m->times[lo]);
    if (!(*share < 1)) { /* rounded up to 1 */
        *frame = hi;
        *share = 0;
    }
}

/* ---- between frames --------------------------------------------------------------------------------- */

/* Interpolates. Equal ends keep their bits, such as the sign of a zero. */
static double between(double a, double b, double share)
{
    return a == b ? a : a + (b - a) * share;
}

/* Interpolates along the shorter arc; the result has unit length. Weights come from the sine and cosine of half the
 * arc, which are lengths here, so they are accurate for tiny arcs as well as for half turns. */
static void turn_between(const float *a, const float *b, double share, float *out)
{
    quat p = quat_normalize((quat){a[0], a[1], a[2], a[3]});
    quat q = quat_normalize((quat){b[0], b[1], b[2], b[3]});
    if (p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0)
        q = (quat){-q.x, -q.y, -q.z, -q.w};
    quat d = {p.x - q.x, p.y - q.y, p.z - q.z, p.w - q.w};
    quat s = {p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w};
    double angle = 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w),
                             sqrt(s.x * s.x + s.y * s.y + s.z * s.z + s.w * s.w));
    double whole = sin(angle);
    double u = whole > 1e-9 ? sin((1 - share) * angle) / whole : 1 - share;
    double v = whole > 1e-9 ? sin(share * angle) / whole : share;
    quat r = quat_normalize(
        (quat){u * p.x + v * q.x, u * p.y + v * q.y, u * p.z + v * q.z, u * p.w + v * q.w});
    out[0] = (float)r.x;
    out[1] = (float)r.y;
    out[2] = (float)r.z;
    out[3] = (float)r.w;
}

static void row_between(const float *a, const float *b, double share, float *out)
{
    for (int k = 0; k < MODEL_POSE; k++)
        if (k < 3 || k >= 7)
            out[k] = (float)between((double)a[k], (double)b[k], share);
    turn_between(a + 3, b + 3, share, out + 3);
}

void model_motion_rows(const model_motion *m, double time, uint64_t first, uint64_t n, float *out)
{
    uint64_t frame;
    double share;
    model_motion_find(m, time, &frame, &share);
    for (uint64_t i = 0; i < n; i++, out += MODEL_POSE) {
        static const float rest[MODEL_POSE] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
        const float *a = m->frame_count ? model_motion_row(m, frame, first + i) : rest;
        if (share > 0)
            row_between(a, model_motion_row(m, frame + 1, first + i), share, out);
        else
            memcpy(out, a, MODEL_POSE * sizeof *out);
    }
}

/* Interpolates n numbers in rows of `width`. */
static void numbers(const model_motion *m, double time, const float *rows, uint64_t width,
                    uint64_t n, float *out)
{
    uint64_t frame;
    double share;
    model_motion_find(m, time, &frame, &share);
    for (uint64_t i = 0; i < n; i++) {
        if (!rows || !m->frame_count) {
            out[i] = 0;
            continue;
        }
        const float *a = rows + frame * width + i;
        out[i] = share > 0 ? (float)between((double)a[0], (double)a[width], share) : a[0];
    }
}

void model_motion_floats(const model_motion *m, double time, uint64_t first, uint64_t n, float *out)
{
    numbers(m, time, m->floats ? m->floats + first : NULL, m->float_count, n, out);
}

void model_motion_move(const model_motion *m, double time, float out[MODEL_MOVE])
{
    numbers(m, time, m->moves, MODEL_MOVE, MODEL_MOVE, out);
}
