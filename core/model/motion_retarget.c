/* Converts a motion to another skeleton. */
#include "model/motion_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct retargeting {
    const model_retarget *how;
    const model_motion *old;
    model_motion *m;
    rig from, to;
    /* for each bone of `to`, the bone of `from` whose track it follows; -1: none */
    int64_t *source;
    int64_t *tracks; /* for each new track, the old one; -1: none */
    int64_t *bones;  /* for each old track, its bone of `from`; -1: none */
    uint64_t count;
    double *stretch; /* for each bone of `to`, the factor for differences of translation */
    double whole;    /* the factor for the whole model */
} retargeting;

/* ---- which bones -------------------------------------------------------------------------------------- */

static bool list_names(model_names *names, const mem *m, const rig *g)
{
    if (!model_names_begin(names, m, g->n))
        return false;
    for (size_t b = 0; b < g->n; b++)
        model_names_add(names, g->bones[b].name, b);
    model_names_sort(names);
    return true;
}

static lathe_result follow_map(retargeting *job, const model_names *from, const model_names *to,
                               lathe_error *err)
{
    for (size_t i = 0; i < job->how->map_count; i++) {
        const model_pair *pair = &job->how->map[i];
        int64_t a = model_names_find(from, pair->left), b = model_names_find(to, pair->right);
        if (a < 0 || b < 0)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "map: the %s skeleton has no bone '%.100s'",
                             a < 0 ? "clip's" : "other", a < 0 ? pair->left : pair->right);
        job->source[b] = a;
    }
    return LATHE_OK;
}

/* Matches the other bones by name. Bones of `from` in the map are used only there. */
static void follow_names(retargeting *job, const model_names *from, const uint8_t *mapped)
{
    for (size_t b = 0; b < job->to.n; b++) {
        int64_t a = model_names_find(from, job->to.bones[b].name);
        if (job->source[b] < 0 && a >= 0 && !mapped[a])
            job->source[b] = a;
        if (job->source[b] >= 0 && job->from.track[job->source[b]] < 0)
            job->source[b] = -1; /* the clip does not move it */
    }
}

static lathe_result find_sources(retargeting *job, lathe_error *err)
{
    const mem *memory = &job->old->mem;
    model_names from = {.mem = memory}, to = {.mem = memory};
    uint8_t *mapped = mem_zalloc(memory, job->from.n);
    lathe_result r =
        mapped && list_names(&from, memory, &job->from) && list_names(&to, memory, &job->to)
            ? LATHE_OK
            : motion_no_memory(err);
    for (size_t b = 0; b < job->to.n; b++)
        job->source[b] = -1;
    if (r == LATHE_OK)
        r = follow_map(job, &from, &to, err);
    for (size_t b = 0; r == LATHE_OK && b < job->to.n; b++)
        if (job->source[b] >= 0)
            mapped[job->source[b]] = 1;
    if (r == LATHE_OK)
        follow_names(job, &from, mapped);
    mem_free(memory, mapped, job->from.n);
    model_names_free(&from);
    model_names_free(&to);
    return r;
}

typedef struct wanted {
    uint64_t old;
    size_t bone; /* of `to` */
} wanted;

static int by_old_track(const void *a, const void *b)
{
    const wanted *x = a, *y = b;
    if (x->old != y->old)
        return x->old < y->old ? -1 : 1;
    return (x->bone > y->bone) - (x->bone < y->bone);
}

/* A clip in model space gets a track for each bone, in their order. Those without a counterpart rest. */
static lathe_result plan_all_bones(retargeting *job)
{
    bool any = false;
    for (size_t b = 0; b < job->to.n; b++) {
        any = any || job->source[b] >= 0;
        job->to.track[b] = (int64_t)b;
        job->tracks[b] = job->source[b] >= 0 ? job->from.track[job->source[b]] : -1;
    }
    job->count = job->to.n;
    return any ? LATHE_OK : LATHE_ERR_INVALID;
}

/* Otherwise, tracks keep their order. */
static lathe_result plan_moved_bones(retargeting *job, lathe_error *err)
{
    size_t size = job->to.n * sizeof(wanted), n = 0;
    wanted *list = mem_alloc(&job->old->mem, size);
    if (!list)
        return motion_no_memory(err);
    for (size_t b = 0; b < job->to.n; b++) {
        job->to.track[b] = -1;
        if (job->source[b] >= 0)
            list[n++] = (wanted){(uint64_t)job->from.track[job->source[b]], b};
    }
    if (n > 1)
        qsort(list, n, sizeof *list, by_old_track);
    for (size_t i = 0; i < n; i++) {
        job->to.track[list[i].bone] = (int64_t)i;
        job->tracks[i] = (int64_t)list[i].old;
    }
    job->count = n;
    mem_free(&job->old->mem, list, size);
    return n ? LATHE_OK : LATHE_ERR_INVALID;
}

static lathe_result plan_tracks(retargeting *job, lathe_error *err)
{
    lathe_result r = job->old->absolute ? plan_all_bones(job) : plan_moved_bones(job, err);
    return r == LATHE_ERR_INVALID
               ? error_set(err, r, LATHE_NO_OFFSET,
                           "no bone that the clip moves is in the other skeleton")
               : r;
}

static void note_dropped(const retargeting *job, const uint8_t *kept, lathe_report *report)
{
    char place[MOTION_PLACE];
    uint64_t n = 0;
    for (uint64_t i = 0; i < job->old->track_count; i++)
        n += kept[i];
    if (n < job->old->track_count)
        motion_note(report, "tracks whose bone the other skeleton has: %llu of %llu",
                    (unsigned long long)n, (unsigned long long)job->old->track_count);
    for (uint64_t i = 0; i < job->old->track_count; i++)
        if (!kept[i])
            motion_skipped(report, motion_track_place(job->old, i, place),
                           job->bones[i] < 0 ? "its bone is in no skeleton of the clip: dropped"
                                             : "the other skeleton has no such bone: dropped");
}

/* Notes that formats in model space store other data by track number. */
static void note_numbers(const retargeting *job, lathe_report *report)
{
    bool same = job->old->track_count == job->count;
    for (uint64_t i = 0; same && i < job->count; i++)
        same = job->tracks[i] == (int64_t)i;
    if (job->old->absolute && !same)
        motion_skipped(report, "tracks", "bone numbers changed: other data that use them did not");
}

/* ---- size ratios ---------------------------------------------------------------------------------------- */

static double length_of(const rig *g, size_t b)
{
    return vec3_length(rigid_of_pose(g->bones[b].pose).t);
}

static double longest(const rig *g)
{
    double most = 0;
    for (size_t b = 0; b < g->n; b++)
        most = fmax(most, length_of(g, b));
    return most;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Computes the factors. Bones that rest at their parent have no length, and use the model's. */
static lathe_result measure(retargeting *job, lathe_error *err)
{
    double least_from = 1e-3 * longest(&job->from), least_to = 1e-3 * longest(&job->to);
    size_t n = 0, size = job->to.n * sizeof(double);
    double *all = mem_alloc(&job->old->mem, size);
    if (!all)
        return motion_no_memory(err);
    for (size_t b = 0; b < job->to.n; b++) {
        job->stretch[b] = 0;
        if (job->source[b] < 0)
            continue;
        double a = length_of(&job->from, (size_t)job->source[b]), z = length_of(&job->to, b);
        if (a > least_from && z > least_to)
            all[n++] = job->stretch[b] = z / a;
    }
    if (n > 1)
        qsort(all, n, sizeof *all, by_size);
    job->whole = n ? all[n / 2] : 1;
    for (size_t b = 0; b < job->to.n; b++)
        if (!(job->stretch[b] > 0))
            job->stretch[b] = job->whole;
    mem_free(&job->old->mem, all, size);
    return LATHE_OK;
}

/* ---- frames ----------------------------------------------------------------------------------------------- */

static quat parent_axes(const rig *g, size_t b)
{
    int32_t parent = g->bones[b].parent;
    return parent < 0 ? quat_identity() : g->rest[parent].q;
}

/* The translation of a bone relative to its parent: that of its rest pose, plus the scaled difference of the other
 * bone from its rest. */
static vec3 translation_of(const retargeting *job, size_t b)
{
    size_t a = (size_t)job->source[b];
    vec3 rest = rigid_of_pose(job->from.bones[a].pose).t;
    vec3 off = vec3_sub(rig_local(&job->from, job->from.now, a).t, rest);
    off = quat_rotate(parent_axes(&job->from, a), off);
    off = quat_rotate(quat_conjugate(parent_axes(&job->to, b)), off);
    return vec3_add(rigid_of_pose(job->to.bones[b].pose).t, vec3_scale(off, job->stretch[b]));
}

static void put_scale(const retargeting *job, size_t b, const float *from, float *row)
{
    const double *there = job->from.bones[job->source[b]].pose, *rest = job->to.bones[b].pose;
    for (int k = 7; k < MODEL_POSE; k++) {
        bool by_rest = job->m->hint != MODEL_ADDITIVE && there[k] != 0 && rest[k] != there[k];
        row[k] = (float)(by_rest ? (double)from[k] / there[k] * rest[k] : (double)from[k]);
    }
}

static void put_rest(retargeting *job, uint64_t frame, size_t b)
{
    float *row = model_motion_row(job->m, frame, (uint64_t)job->to.track[b]);
    rig_write(&job->to, job->m, frame, b);
    for (int k = 7; k < MODEL_POSE; k++)
        row[k] = (float)job->to.bones[b].pose[k];
}

static void retarget_frame(retargeting *job, uint64_t frame)
{
    rig *to = &job->to, *from = &job->from;
    rig_read(from, job->old, frame);
    for (size_t k = 0; k < to->n; k++) {
        size_t b = to->order[k];
        if (job->source[b] < 0) {
            to->next[b] = rig_under(to, to->next, b, rigid_of_pose(to->bones[b].pose));
            if (to->track[b] >= 0)
                put_rest(job, frame, b);
            continue;
        }
        size_t a = (size_t)job->source[b];
        rigid local = {translation_of(job, b), {0, 0, 0, 1}};
        to->next[b] = rig_under(to, to->next, b, local);
        quat turn = quat_mul(from->now[a].q, quat_conjugate(from->rest[a].q));
        to->next[b].q = quat_normalize(quat_mul(turn, to->rest[b].q));
        rig_write(to, job->m, frame, b);
        put_scale(job, b, model_motion_row(job->old, frame, (uint64_t)from->track[a]),
                  model_motion_row(job->m, frame, (uint64_t)to->track[b]));
    }
    for (int k = 0; job->m->moves && k < MODEL_MOVE; k++) {
        uint64_t i = frame * MODEL_MOVE + (uint64_t)k;
        job->m->moves[i] = (float)((double)job->old->moves[i] * (k < 3 ? job->whole : 1));
    }
}

/* ---- floats and annotations --------------------------------------------------------------------------------- */

/* The slot of the other skeleton with the name of a float track's slot; -1: none. */
static int64_t slot_of(const retargeting *job, const model_names *slots, uint64_t i)
{
    const model_skeleton *from = job->how->from, *to = job->how->to;
    const model_float_track *t = &job->old->float_tracks[i];
    bool known = t->slot_index >= 0 && (size_t)t->slot_index < from->slot_count;
    const char *name = t->name ? t->name : known ? from->slots[t->slot_index] : NULL;
    if (!to->slots || !name)
        return t->slot_index;
    return model_names_find(slots, name);
}

/* Finds the slot of each float track that is kept; *count: their number. */
static lathe_result plan_floats(const retargeting *job, int64_t *slot, uint64_t *count,
                                lathe_report *report, lathe_error *err)
{
    const model_skeleton *to = job->how->to;
    char place[MOTION_PLACE];
    model_names slots;
    if (!model_names_begin(&slots, &job->old->mem, to->slot_count))
        return motion_no_memory(err);
    for (size_t i = 0; to->slots && i < to->slot_count; i++)
        model_names_add(&slots, to->slots[i], i);
    model_names_sort(&slots);
    *count = 0;
    for (uint64_t i = 0; i < job->old->float_count; i++) {
        slot[i] = slot_of(job, &slots, i);
        if (slot[i] >= 0 || job->old->float_tracks[i].slot_index < 0)
            ++*count;
        else
            motion_skipped(report, motion_float_place(job->old, i, place),
                           "the other skeleton has no such slot: dropped");
    }
    model_names_free(&slots);
    return LATHE_OK;
}

static void copy_floats(const retargeting *job, const int64_t *slot)
{
    const model_motion *old = job->old;
    model_motion *m = job->m;
    uint64_t put = 0;
    for (uint64_t i = 0; i < old->float_count; i++) {
        if (slot[i] < 0 && old->float_tracks[i].slot_index >= 0)
            continue;
        const char *name = old->float_tracks[i].name;
        m->float_tracks[put].slot_index = (int32_t)slot[i];
        m->float_tracks[put].name = name ? model_motion_text(m, name, strlen(name)) : NULL;
        for (uint64_t k = 0; k < m->frame_count; k++)
            m->floats[k * m->float_count + put] = old->floats[k * old->float_count + i];
        put++;
    }
}

/* Annotations of dropped tracks move to the first track. */
static lathe_result copy_events(const retargeting *job, const int64_t *new_track, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < job->old->event_count; i++) {
        const model_event *e = &job->old->events[i];
        bool known = e->track >= 0 && (uint64_t)e->track < job->old->track_count;
        int64_t track = known ? new_track[e->track] : e->track;
        r = model_motion_event(job->m, e->time, track, e->text, e->length, err);
    }
    return r;
}

static lathe_result name_tracks(const retargeting *job, lathe_error *err)
{
    model_motion *m = job->m;
    for (size_t b = 0; b < job->to.n; b++) {
        const char *name = job->to.bones[b].name;
        if (job->to.track[b] < 0)
            continue;
        model_track *t = &m->tracks[job->to.track[b]];
        *t = (model_track){.bone_index = (int32_t)b};
        if (name && !(t->bone = model_motion_text(m, name, strlen(name))))
            return motion_no_memory(err);
    }
    return LATHE_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static lathe_result fill(retargeting *job, const int64_t *slot, uint64_t floats, lathe_error *err)
{
    const model_motion *old = job->old;
    model_motion *m = job->m;
    size_t size = (size_t)old->track_count * sizeof(int64_t);
    lathe_result r =
        model_motion_alloc(m, old->frame_count, job->count, floats, old->moves != NULL, err);
    if (r == LATHE_OK)
        r = model_motion_facts(m, old, false, err);
    if (r == LATHE_OK)
        r = name_tracks(job, err);
    int64_t *new_track = mem_zalloc(&old->mem, size);
    if (r == LATHE_OK && !new_track)
        r = motion_no_memory(err);
    for (uint64_t i = job->count; r == LATHE_OK && i-- > 0;)
        if (job->tracks[i] >= 0)
            new_track[job->tracks[i]] = (int64_t)i;
    if (r == LATHE_OK)
        r = copy_events(job, new_track, err);
    mem_free(&old->mem, new_track, size);
    if (r != LATHE_OK)
        return r;
    memcpy(m->times, old->times, (size_t)old->frame_count * sizeof *m->times);
    copy_floats(job, slot);
    for (uint64_t k = 0; k < m->frame_count; k++)
        retarget_frame(job, k);
    return LATHE_OK;
}

/* Finds the old tracks that are used, and the bones that they move. */
static void look_at_tracks(retargeting *job, uint8_t *kept)
{
    for (uint64_t i = 0; i < job->old->track_count; i++)
        job->bones[i] = -1;
    for (size_t b = 0; b < job->from.n; b++)
        if (job->from.track[b] >= 0)
            job->bones[job->from.track[b]] = (int64_t)b;
    for (uint64_t i = 0; i < job->count; i++)
        if (job->tracks[i] >= 0)
            kept[job->tracks[i]] = 1;
}

static lathe_result retarget(retargeting *job, lathe_report *report, lathe_error *err)
{
    const model_motion *old = job->old;
    uint64_t floats = 0;
    size_t slots_size = (size_t)old->float_count * sizeof(int64_t);
    int64_t *slot = mem_alloc(&old->mem, slots_size);
    uint8_t *kept = mem_zalloc(&old->mem, (size_t)old->track_count);
    lathe_result r = slot && kept ? find_sources(job, err) : motion_no_memory(err);
    if (r == LATHE_OK)
        r = plan_tracks(job, err);
    if (r == LATHE_OK)
        r = measure(job, err);
    if (r == LATHE_OK) {
        look_at_tracks(job, kept);
        note_dropped(job, kept, report);
        note_numbers(job, report);
        r = plan_floats(job, slot, &floats, report, err);
    }
    if (r == LATHE_OK)
        r = fill(job, slot, floats, err);
    mem_free(&old->mem, slot, slots_size);
    mem_free(&old->mem, kept, (size_t)old->track_count);
    return r;
}

static lathe_result with_rigs(retargeting *job, lathe_report *report, lathe_error *err)
{
    const mem *memory = &job->old->mem;
    size_t n = job->to.n, tracks = (size_t)job->old->track_count;
    job->source = mem_alloc(memory, n * sizeof *job->source);
    job->tracks = mem_alloc(memory, n * sizeof *job->tracks);
    job->stretch = mem_alloc(memory, n * sizeof *job->stretch);
    job->bones = mem_alloc(memory, tracks * sizeof *job->bones);
    bool room = job->source && job->tracks && job->stretch && job->bones;
    lathe_result r = room ? retarget(job, report, err) : motion_no_memory(err);
    mem_free(memory, job->source, n * sizeof *job->source);
    mem_free(memory, job->tracks, n * sizeof *job->tracks);
    mem_free(memory, job->stretch, n * sizeof *job->stretch);
    mem_free(memory, job->bones, tracks * sizeof *job->bones);
    return r;
}

lathe_result model_motion_retarget(model_motion *m, const model_retarget *how, lathe_report *report,
                                   lathe_error *err)
{
    model_motion made;
    retargeting job = {.how = how, .old = m, .m = &made};
    model_motion_init(&made, &m->mem);
    lathe_result r = rig_open(&job.from, how->from, m, err);
    if (r != LATHE_OK)
        return r;
    r = rig_open(&job.to, how->to, NULL, err);
    if (r == LATHE_OK) {
        r = with_rigs(&job, report, err);
        rig_close(&job.to);
    }
    rig_close(&job.from);
    if (r == LATHE_OK)
        motion_changed(report, motion_numbers(&made));
    return motion_become(m, &made, r);
}
