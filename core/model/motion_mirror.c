/* Mirrors a motion. Reflects the movement of each bone from rest to pose in model space, so the axes of the two sides
 * need not be mirror images of each other. */
#include "model/mirror_rules.h"
#include "model/motion_part.h"

#include <stdio.h>
#include <string.h>

typedef struct mirroring {
    const model_mirror *how;
    model_motion *m;
    rig g;
    vec3 across;      /* unit normal of the mirror plane */
    uint32_t *other;  /* for each bone the one on the other side, or itself */
    uint8_t *carried; /* … its transform relative to its parent is kept */
    uint8_t (*axes)[3];
    float *scales; /* of each track, before mirroring */
} mirroring;

/* ---- both sides ---------------------------------------------------------------------------------------- */

#define FREE UINT32_MAX

static lathe_result add_pair(mirroring *job, const model_names *names, size_t i, lathe_error *err)
{
    const model_pair *pair = &job->how->pairs[i];
    const char *const sides[2] = {pair->left, pair->right};
    int64_t b[2];
    for (int k = 0; k < 2; k++) {
        b[k] = model_names_find(names, sides[k]);
        if (b[k] < 0)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "pairs[%zu]: the skeleton has no bone '%.100s'", i + 1, sides[k]);
        if (job->other[b[k]] != FREE)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "pairs[%zu]: '%.100s' is in two pairs", i + 1, sides[k]);
    }
    job->other[b[0]] = (uint32_t)b[1];
    job->other[b[1]] = (uint32_t)b[0];
    return LATHE_OK;
}

static void pair_up(mirroring *job, size_t b, int64_t other)
{
    if (other < 0 || (size_t)other >= job->g.n || job->other[b] != FREE ||
        job->other[other] != FREE)
        return;
    job->other[b] = (uint32_t)other;
    job->other[other] = (uint32_t)b;
}

static void pair_by_name(mirroring *job, const model_names *names, size_t b)
{
    char name[MIRROR_NAME];
    const char *own = job->g.bones[b].name;
    for (size_t i = 0; own && job->other[b] == FREE && i < mirror_rule_count; i++)
        if (mirror_name(i, own, name)) {
            int64_t other = model_names_find(names, name);
            if (other != (int64_t)b)
                pair_up(job, b, other);
        }
}

/* Finds counterparts: given pairs first, then those of the skeleton, then the rules. */
static lathe_result find_sides(mirroring *job, lathe_error *err)
{
    model_names names;
    bool any = false;
    lathe_result r = LATHE_OK;
    if (!model_names_begin(&names, job->g.mem, job->g.n))
        return motion_no_memory(err);
    for (size_t b = 0; b < job->g.n; b++) {
        model_names_add(&names, job->g.bones[b].name, b);
        job->other[b] = FREE;
    }
    model_names_sort(&names);
    for (size_t i = 0; r == LATHE_OK && i < job->how->pair_count; i++)
        r = add_pair(job, &names, i, err);
    for (size_t b = 0; b < job->g.n; b++)
        pair_up(job, b, job->g.bones[b].mirror);
    for (size_t b = 0; b < job->g.n; b++)
        pair_by_name(job, &names, b);
    model_names_free(&names);
    for (size_t b = 0; b < job->g.n; b++) {
        if (job->other[b] == FREE)
            job->other[b] = (uint32_t)b;
        any = any || job->other[b] != b;
    }
    if (r == LATHE_OK && !any)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                      "no bone of the skeleton has a counterpart on the other side: give pairs");
    return r;
}

/* Finds bones on one side without a counterpart below the parent's counterpart, such as parts of a weapon. They keep
 * their transform relative to the parent. Two of them may be a pair of their own, such as weapon bones for both
 * hands. */
static void find_carried(mirroring *job)
{
    const rig *g = &job->g;
    for (size_t k = 0; k < g->n; k++) {
        size_t b = g->order[k];
        int32_t parent = g->bones[b].parent, beyond = g->bones[job->other[b]].parent;
        bool sided = parent >= 0 && job->other[parent] != (uint32_t)parent;
        job->carried[b] = parent >= 0 && ((sided && (int64_t)job->other[parent] != beyond) ||
                                          (job->other[b] == b && job->carried[parent]));
    }
    for (size_t b = 0; b < g->n; b++) /* both bones of a pair, or none */
        if (job->carried[job->other[b]])
            job->carried[b] = 1;
}

/* ---- reflecting ------------------------------------------------------------------------------------------ */

static vec3 reflect_vector(vec3 n, vec3 v)
{
    return vec3_sub(v, vec3_scale(n, 2 * vec3_dot(n, v)));
}

static rigid reflect(vec3 n, rigid a)
{
    vec3 v = {a.q.x, a.q.y, a.q.z};
    /* rotation axes are reflected with the opposite sign */
    v = vec3_scale(reflect_vector(n, v), -1);
    return (rigid){reflect_vector(n, a.t), {v.x, v.y, v.z, a.q.w}};
}

/* Finds the axis of the other bone for each axis of this one after reflection: the best of all six permutations, so
 * that the reverse direction uses the inverse one. */
static void find_axes(mirroring *job, size_t b)
{
    static const uint8_t ways[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double fit[3][3], best = -1;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            vec3 other = quat_rotate(job->g.rest[job->other[b]].q, unit[l]);
            double c = vec3_dot(quat_rotate(job->g.rest[b].q, unit[k]),
                                reflect_vector(job->across, other));
            fit[k][l] = c * c;
        }
    for (int w = 0; w < 6; w++) {
        const uint8_t *way = ways[w];
        double sum = fit[0][way[0]] + fit[1][way[1]] + fit[2][way[2]];
        if (sum > best + 1e-6) {
            best = sum;
            memcpy(job->axes[b], way, 3);
        }
    }
}

/* Applies the other bone's scale relative to its rest pose to this bone's rest pose. */
static void mirror_scale(const mirroring *job, size_t b, float *row)
{
    const rig *g = &job->g;
    size_t other = job->other[b];
    const double *rest = g->bones[b].pose + 7, *there = g->bones[other].pose + 7;
    bool additive = job->m->hint == MODEL_ADDITIVE;
    for (int k = 0; k < 3; k++) {
        uint8_t axis = job->axes[b][k];
        double s = g->track[other] < 0 ? (additive ? 1 : there[axis])
                                       : (double)job->scales[3 * g->track[other] + axis];
        bool by_rest = !additive && there[axis] != 0 && rest[k] != there[axis];
        row[7 + k] = (float)(by_rest ? s / there[axis] * rest[k] : s);
    }
}

static uint64_t mirror_frame(mirroring *job, uint64_t frame)
{
    rig *g = &job->g;
    model_motion *m = job->m;
    uint64_t changed = 0;
    rig_read(g, m, frame);
    for (uint64_t i = 0; i < m->track_count; i++)
        memcpy(job->scales + 3 * i, model_motion_row(m, frame, i) + 7, 3 * sizeof(float));
    for (size_t k = 0; k < g->n; k++) {
        size_t b = g->order[k], other = job->other[b];
        if (g->track[b] < 0) {
            g->next[b] = rig_under(g, g->next, b, rigid_of_pose(g->bones[b].pose));
        } else if (job->carried[b]) {
            g->next[b] = rig_under(g, g->next, b, rig_local(g, g->now, b));
        } else {
            rigid move = rigid_mul(g->now[other], rigid_inverse(g->rest[other]));
            g->next[b] = rigid_mul(reflect(job->across, move), g->rest[b]);
        }
        if (g->track[b] < 0 || (job->carried[b] && !m->absolute))
            continue;
        rig_write(g, m, frame, b);
        if (!job->carried[b])
            mirror_scale(job, b, model_motion_row(m, frame, (uint64_t)g->track[b]));
        changed++;
    }
    return changed;
}

static void mirror_moves(mirroring *job)
{
    model_motion *m = job->m;
    for (uint64_t i = 0; m->moves && i < m->frame_count; i++) {
        double move[MODEL_MOVE];
        motion_read_move(m, i, move);
        vec3 t = reflect_vector(job->across, (vec3){move[0], move[1], move[2]});
        const double now[MODEL_MOVE] = {t.x, t.y, t.z, -move[3]};
        motion_write_move(m, i, now);
    }
}

/* ---- annotations ------------------------------------------------------------------------------------------- */

static bool is_letter(char c, char from)
{
    return c >= from && c <= from + ('z' - 'a');
}

/* Whether a text has a word for a side at a position, such as "Left" or "left", but not inside a word, as in "bright"
 * or "cleft". */
static bool side_at(const char *text, size_t n, size_t at, const char **instead, size_t *length)
{
    static const char *const words[][2] = {
        {"Left", "Right"}, {"left", "right"}, {"Right", "Left"}, {"right", "left"}};
    for (size_t i = 0; i < 4; i++) {
        const char *word = words[i][0];
        size_t size = strlen(word);
        bool inside = is_letter(word[0], 'a') && at > 0 &&
                      (is_letter(text[at - 1], 'a') || is_letter(text[at - 1], 'A'));
        if (size > n - at || memcmp(text + at, word, size) != 0 || inside ||
            (at + size < n && is_letter(text[at + size], 'a')))
            continue;
        *instead = words[i][1];
        *length = size;
        return true;
    }
    return false;
}

/* Exchanges the words for sides. `out` needs room for 5 bytes for each 4. */
static size_t swap_sides(const char *text, size_t n, char *out)
{
    size_t put = 0, length;
    const char *instead;
    for (size_t i = 0; i < n;) {
        if (side_at(text, n, i, &instead, &length)) {
            memcpy(out + put, instead, strlen(instead));
            put += strlen(instead);
            i += length;
        } else {
            out[put++] = text[i++];
        }
    }
    return put;
}

static lathe_result mirror_text(model_motion *m, model_event *e, lathe_error *err)
{
    size_t room = e->length + e->length / 4 + 1;
    char *text = mem_alloc(&m->mem, room);
    const char *kept = NULL;
    if (text) {
        size_t n = swap_sides(e->text, e->length, text);
        kept = model_motion_text(m, text, n);
        if (kept) {
            e->text = kept;
            e->length = n;
        }
    }
    mem_free(&m->mem, text, room);
    return kept ? LATHE_OK : motion_no_memory(err);
}

static lathe_result mirror_events(mirroring *job, lathe_error *err)
{
    model_motion *m = job->m;
    const rig *g = &job->g;
    size_t size = (size_t)m->track_count * sizeof(int64_t);
    int64_t *to = mem_alloc(&m->mem, size);
    lathe_result r = to ? LATHE_OK : motion_no_memory(err);
    for (uint64_t i = 0; to && i < m->track_count; i++)
        to[i] = (int64_t)i;
    for (size_t b = 0; to && b < g->n; b++)
        if (g->track[b] >= 0 && g->track[job->other[b]] >= 0)
            to[g->track[b]] = g->track[job->other[b]];
    for (size_t i = 0; r == LATHE_OK && i < m->event_count; i++) {
        model_event *e = &m->events[i];
        if (e->track >= 0 && (uint64_t)e->track < m->track_count)
            e->track = to[e->track];
        r = mirror_text(m, e, err);
    }
    mem_free(&m->mem, to, size);
    return r;
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

static void note_lost(const mirroring *job, lathe_report *report)
{
    char place[MOTION_PLACE], reason[MOTION_PLACE + 64];
    const rig *g = &job->g;
    for (size_t b = 0; b < g->n; b++)
        if (g->track[b] >= 0 && g->track[job->other[b]] < 0) {
            const char *name = g->bones[job->other[b]].name;
            snprintf(reason, sizeof reason,
                     "its mirror image is lost: no track moves bone %lu (%.100s)",
                     (unsigned long)job->other[b], name ? name : "");
            motion_skipped(report, motion_track_place(job->m, (uint64_t)g->track[b], place),
                           reason);
        }
}

/* Reports tracks whose bones are not in the skeleton, and stay unchanged. If that is true for all, the skeleton is a
 * wrong one. */
static lathe_result note_unbound(const mirroring *job, lathe_report *report, lathe_error *err)
{
    char place[MOTION_PLACE];
    const model_motion *m = job->m;
    uint64_t bound = 0;
    uint8_t *has = mem_zalloc(&m->mem, (size_t)m->track_count);
    if (!has)
        return motion_no_memory(err);
    for (size_t b = 0; b < job->g.n; b++)
        if (job->g.track[b] >= 0)
            has[job->g.track[b]] = 1;
    for (uint64_t i = 0; i < m->track_count; i++) {
        bound += has[i];
        if (!has[i])
            motion_skipped(report, motion_track_place(m, i, place),
                           "it moves no bone of the skeleton, and stays as it is");
    }
    mem_free(&m->mem, has, (size_t)m->track_count);
    return bound || !m->track_count ? LATHE_OK
                                    : error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                                "no track moves a bone of the skeleton");
}

static void set_plane(mirroring *job)
{
    const double *up = job->m->up, *forward = job->m->forward;
    int axis = job->how->axis;
    job->across = (vec3){axis == 0, axis == 1, axis == 2};
    if (axis >= 0)
        return;
    job->across = vec3_normalize(
        vec3_cross((vec3){forward[0], forward[1], forward[2]}, (vec3){up[0], up[1], up[2]}));
    if (!(vec3_length(job->across) > 0.5))
        job->across = (vec3){1, 0, 0};
}

static lathe_result mirror(mirroring *job, lathe_report *report, lathe_error *err)
{
    uint64_t changed = job->m->moves ? job->m->frame_count : 0;
    size_t n = job->g.n;
    job->other = mem_alloc(job->g.mem, n * sizeof *job->other);
    job->carried = mem_alloc(job->g.mem, n);
    job->axes = mem_alloc(job->g.mem, n * sizeof *job->axes);
    job->scales = mem_alloc(job->g.mem, (size_t)job->m->track_count * 3 * sizeof *job->scales);
    if (!job->other || !job->carried || !job->axes || !job->scales)
        return motion_no_memory(err);
    lathe_result r = find_sides(job, err);
    if (r == LATHE_OK)
        r = note_unbound(job, report, err);
    if (r != LATHE_OK)
        return r;
    set_plane(job);
    find_carried(job);
    for (size_t b = 0; b < n; b++)
        find_axes(job, b);
    for (uint64_t i = 0; i < job->m->frame_count; i++)
        changed += mirror_frame(job, i);
    mirror_moves(job);
    r = mirror_events(job, err);
    if (r == LATHE_OK) {
        motion_changed(report, changed);
        note_lost(job, report);
    }
    return r;
}

lathe_result model_motion_mirror(model_motion *m, const model_mirror *how, lathe_report *report,
                                 lathe_error *err)
{
    model_motion made;
    mirroring job = {.how = how, .m = &made};
    model_motion_init(&made, &m->mem);
    lathe_result r = model_motion_copy(&made, m, err);
    if (r == LATHE_OK && (r = rig_open(&job.g, how->skeleton, m, err)) == LATHE_OK) {
        size_t n = job.g.n;
        r = mirror(&job, report, err);
        mem_free(job.g.mem, job.other, n * sizeof *job.other);
        mem_free(job.g.mem, job.carried, n);
        mem_free(job.g.mem, job.axes, n * sizeof *job.axes);
        mem_free(job.g.mem, job.scales, (size_t)made.track_count * 3 * sizeof *job.scales);
        rig_close(&job.g);
    }
    return motion_become(m, &made, r);
}
