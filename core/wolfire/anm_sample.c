/* Samples an animation between key frames as the game does. Reference: formats/wolfire.md#2.5. */
#include "wolfire/anm_pose.h"

/* ---- which frames -------------------------------------------------------------------------------- */

static uint64_t neighbour(const anm_facts *facts, uint64_t i, int step)
{
    uint64_t n = facts->frames;
    if (step < 0)
        return i ? i - 1 : facts->looping ? n - 1 : 0;
    if (i + (uint64_t)step < n)
        return i + (uint64_t)step;
    return facts->looping ? (i + (uint64_t)step) % n : n - 1;
}

static anm_moment moment_from(const anm_facts *facts, uint64_t at, double p)
{
    anm_moment m = {
        .frame = {neighbour(facts, at, -1), at, neighbour(facts, at, 1), neighbour(facts, at, 2)},
        .p = p};
    if (m.frame[2] == at || !(p > 0)) /* also for NaN */
        m.p = 0;
    else if (p > 1)
        m.p = 1;
    m.is_key = m.p == 0;
    anm_weights(m.p, m.w);
    return m;
}

anm_moment anm_moment_of(const anm_facts *facts, double frame)
{
    uint64_t at = frame > 0 ? (uint64_t)frame : 0;
    if (at >= facts->frames)
        at = facts->frames - 1;
    return moment_from(facts, at, frame - (double)at);
}

/* Finds the last key frame with a time up to `ms`; frames may be in any order. Reads the times directly,
 * because there may be tens of thousands of frames. */
static bool last_until(lathe_doc *doc, const anm_facts *facts, double ms, uint64_t *at)
{
    rec_at root = rec_root(doc, 0);
    uint64_t n;
    const uint32_t *frames = rec_kid_list(doc, root.part, rec_slot_find(root.layout, "frames"), &n);
    for (uint64_t i = n; i-- > 0;) {
        const rec_part *p = rec_part_of(doc, frames[i]);
        int32_t time = p->size >= 4 ? (int32_t)bytes_ld32(p->data, false) : 0;
        if ((double)(time - facts->start) <= ms) {
            *at = i;
            return true;
        }
    }
    return false;
}

lathe_result anm_moment_after(lathe_doc *doc, const anm_facts *facts, const uint64_t *last,
                              double ms, anm_moment *out, lathe_error *err)
{
    double duration = (double)(facts->end - facts->start), at_time = 0, next_time = 0;
    uint64_t at = last ? *last : facts->looping ? facts->frames - 1 : 0;
    uint64_t next = neighbour(facts, at, 1);
    lathe_result r = anm_time(doc, facts, at, &at_time, err);
    if (r == LATHE_OK)
        r = anm_time(doc, facts, next, &next_time, err);
    if (r != LATHE_OK)
        return r;
    if (!last && facts->looping) /* before the first frame of a loop: on the way from the end of the
                                  * previous cycle */
        at_time -= duration;
    else if (next <= at && facts->looping)
        next_time += duration;
    double length = next_time - at_time;
    *out = moment_from(facts, at, length > 0 ? (ms - at_time) / length : 0);
    return LATHE_OK;
}

lathe_result anm_moment_at(lathe_doc *doc, const anm_facts *facts, double ms, anm_moment *out,
                           lathe_error *err)
{
    uint64_t last;
    bool found = last_until(doc, facts, ms, &last);
    return anm_moment_after(doc, facts, found ? &last : NULL, ms, out, err);
}

/* ---- poses --------------------------------------------------------------------------------------- */

lathe_result anm_four_of(lathe_doc *doc, const anm_moment *moment, const char *name, uint64_t n,
                         anm_four *out, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    out->moment = moment;
    for (int k = 0; r == LATHE_OK && k < 4; k++) {
        rec_at frame;
        if (moment->is_key && k != 1)
            continue;
        r = anm_frame_at(doc, moment->frame[k], &frame, err);
        if (r == LATHE_OK)
            r = anm_items_of(&frame, name, &out->items[k], err);
        if (r == LATHE_OK && out->items[k].count < n)
            r = anm_refuse(&frame, name, err, LATHE_ERR_INVALID, "%llu, but %llu are needed",
                           (unsigned long long)out->items[k].count, (unsigned long long)n);
    }
    return r;
}

static anm_pose pose_in(const anm_items *items, uint64_t i, int64_t parent)
{
    mat4 m = anm_items_matrix(items, i);
    anm_pose pose = anm_pose_of(&m);
    if (parent < 0)
        return pose;
    m = anm_items_matrix(items, (uint64_t)parent);
    anm_pose above = anm_pose_of(&m);
    return anm_pose_relative(&above, &pose);
}

anm_pose anm_four_pose(const anm_four *four, uint64_t i, int64_t parent)
{
    anm_pose pose[4];
    if (four->moment->is_key)
        return pose_in(&four->items[1], i, parent);
    for (int k = 0; k < 4; k++)
        pose[k] = pose_in(&four->items[k], i, parent);
    return anm_blend(pose, four->moment->w);
}

/* ---- skeletons ------------------------------------------------------------------------------------- */

lathe_result anm_fits(const model_skeleton *skeleton, uint64_t n, lathe_error *err)
{
    return !skeleton || skeleton->bone_count == n
               ? LATHE_OK
               : error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                           "the skeleton has %llu bones, the animation %llu",
                           (unsigned long long)skeleton->bone_count, (unsigned long long)n);
}

/* Appends a bone after its ancestors that are still missing: collects them on the way up, then reverses them. */
static size_t add_with_parents(const model_skeleton *skeleton, uint32_t bone, bool *there,
                               uint32_t *order, size_t n)
{
    size_t first = n;
    for (int64_t b = bone; b >= 0 && !there[b]; b = skeleton->bones[b].parent) {
        there[b] = true;
        order[n++] = (uint32_t)b;
    }
    for (size_t i = first, k = n; i + 1 < k; i++) {
        uint32_t swap = order[i];
        order[i] = order[--k];
        order[k] = swap;
    }
    return n;
}

lathe_result anm_bone_order(const model_skeleton *skeleton, uint32_t **order, lathe_error *err)
{
    size_t n = skeleton->bone_count, done = 0;
    bool *there = mem_zalloc(&skeleton->mem, n * sizeof *there);
    *order = mem_alloc(&skeleton->mem, n * sizeof **order);
    lathe_result r = n && (!there || !*order) ? rec_no_memory(err) : LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < n; i++)
        done = add_with_parents(skeleton, (uint32_t)i, there, *order, done);
    mem_free(&skeleton->mem, there, n * sizeof *there);
    if (r != LATHE_OK) {
        mem_free(&skeleton->mem, *order, n * sizeof **order);
        *order = NULL;
    }
    return r;
}
