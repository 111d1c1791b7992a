/* Operations that change poses frame by frame: conversion to additive and back, and the offset of a bone. */
#include "model/motion_part.h"

#include <math.h>
#include <string.h>

/* ---- additive ------------------------------------------------------------------------------------------ */

static void change_hint(model_motion *m, const model_reference *reference, bool out)
{
    uint64_t n = m->float_count;
    for (uint64_t i = 0; i < m->track_count; i++) {
        const float *by = reference->rows + i * MODEL_POSE;
        for (uint64_t k = 0; k < m->frame_count; k++) {
            float *row = model_motion_row(m, k, i);
            (out ? model_pose_below : model_pose_above)(by, row, row);
        }
    }
    for (uint64_t k = 0; reference->floats && k < m->frame_count * n; k++) {
        double by = (double)reference->floats[k % n];
        m->floats[k] = (float)((double)m->floats[k] + (out ? -by : by));
    }
    m->hint = out ? MODEL_ADDITIVE : MODEL_NORMAL;
}

static lathe_result refuse_hint(const model_motion *m, bool out, lathe_error *err)
{
    if (m->hint == (out ? MODEL_ADDITIVE : MODEL_NORMAL))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "the clip is %s already",
                         out ? "additive" : "normal");
    if (m->absolute)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the clip is in model space: what is added is relative to parents");
    return LATHE_OK;
}

/* Removes the reference from all frames, or adds it. */
static lathe_result move_reference(model_motion *m, const model_reference *reference, bool out,
                                   lathe_report *report, lathe_error *err)
{
    lathe_result r = refuse_hint(m, out, err);
    if (r != LATHE_OK)
        return r;
    change_hint(m, reference, out);
    motion_changed(report, m->frame_count * (m->track_count + m->float_count));
    return LATHE_OK;
}

lathe_result model_motion_additive(model_motion *m, const model_reference *reference,
                                   lathe_report *report, lathe_error *err)
{
    return move_reference(m, reference, true, report, err);
}

lathe_result model_motion_normal(model_motion *m, const model_reference *reference,
                                 lathe_report *report, lathe_error *err)
{
    return move_reference(m, reference, false, report, err);
}

/* ---- the rest pose --------------------------------------------------------------------------------------- */

lathe_result model_motion_rest(const model_motion *m, const model_skeleton *skeleton, float **rows,
                               lathe_error *err)
{
    size_t size = (size_t)m->track_count * MODEL_POSE * sizeof **rows;
    float *out = mem_alloc(&m->mem, size);
    char place[MOTION_PLACE];
    rig g;
    lathe_result r = out ? rig_open(&g, skeleton, m, err) : motion_no_memory(err);
    if (r != LATHE_OK) {
        mem_free(&m->mem, out, size);
        return r;
    }
    for (uint64_t i = 0; i < m->track_count; i++)
        out[i * MODEL_POSE] = NAN;
    for (size_t b = 0; b < g.n; b++)
        for (int k = 0; g.track[b] >= 0 && k < MODEL_POSE; k++)
            out[g.track[b] * MODEL_POSE + k] = (float)g.bones[b].pose[k];
    rig_close(&g);
    for (uint64_t i = 0; r == LATHE_OK && i < m->track_count; i++)
        if (isnan(out[i * MODEL_POSE]))
            r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                          "the skeleton has no bone for %s, bone %ld",
                          motion_track_place(m, i, place), (long)m->tracks[i].bone_index);
    if (r != LATHE_OK)
        mem_free(&m->mem, out, size);
    else
        *rows = out;
    return r;
}

/* ---- offset ------------------------------------------------------------------------------------------------ */

static rigid moved(const model_offset *how, rigid by, rigid pose)
{
    if (how->own)
        return rigid_mul(pose, by);
    return (rigid){vec3_add(pose.t, by.t), quat_mul(by.q, pose.q)};
}

/* For rows in model space: moves the bone relative to its parent, and its descendants with it. */
static void offset_frame(rig *g, model_motion *m, uint64_t frame, const model_offset *how, rigid by,
                         size_t top, uint8_t *under, lathe_report *report)
{
    rig_read(g, m, frame);
    memcpy(g->next, g->now, g->n * sizeof *g->next);
    for (size_t i = 0; i < g->n; i++) {
        size_t b = g->order[i];
        int32_t parent = g->bones[b].parent;
        under[b] = b == top || (parent >= 0 && under[parent]);
        if (!under[b])
            continue;
        rigid local = rig_local(g, g->now, b);
        g->next[b] = rig_under(g, g->next, b, b == top ? moved(how, by, local) : local);
        if (g->track[b] < 0)
            continue;
        rig_write(g, m, frame, b);
        motion_changed(report, 1);
    }
}

static lathe_result offset_absolute(model_motion *m, const model_offset *how, rigid by,
                                    lathe_report *report, lathe_error *err)
{
    rig g;
    size_t top;
    lathe_result r = rig_open(&g, how->skeleton, m, err);
    if (r != LATHE_OK)
        return r;
    for (top = 0; top < g.n && g.track[top] != (int64_t)how->track; top++) {
    }
    uint8_t *under = mem_alloc(&m->mem, g.n);
    if (!under)
        r = motion_no_memory(err);
    for (uint64_t k = 0; under && top < g.n && k < m->frame_count; k++)
        offset_frame(&g, m, k, how, by, top, under, report);
    mem_free(&m->mem, under, g.n);
    rig_close(&g);
    return r;
}

static lathe_result check_offset(const model_motion *m, const model_offset *how, lathe_error *err)
{
    double length = 0;
    for (int k = 0; k < 4; k++)
        length += how->q[k] * how->q[k];
    for (int k = 0; k < 3; k++)
        if (!isfinite(how->t[k]))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "t has a number that is not "
                             "finite");
    if (!(length > 0 && isfinite(length)))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "q is not a rotation");
    if (how->track >= m->track_count)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "no track %llu: there are %llu",
                         (unsigned long long)how->track, (unsigned long long)m->track_count);
    if (m->absolute && !how->skeleton)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the clip is in model space: it needs a skeleton");
    return LATHE_OK;
}

static bool is_still(const model_offset *how)
{
    bool still = true;
    for (int k = 0; k < 3; k++)
        still = still && !(how->t[k] < 0 || how->t[k] > 0) && !(how->q[k] < 0 || how->q[k] > 0);
    return still;
}

lathe_result model_motion_offset(model_motion *m, const model_offset *how, lathe_report *report,
                                 lathe_error *err)
{
    const rigid by = {{how->t[0], how->t[1], how->t[2]},
                      quat_normalize((quat){how->q[0], how->q[1], how->q[2], how->q[3]})};
    lathe_result r = check_offset(m, how, err);
    if (r != LATHE_OK)
        return r;
    if (is_still(how)) {
        motion_note(report, "nothing to do: neither t nor q moves the bone");
        return LATHE_OK;
    }
    if (m->absolute)
        return offset_absolute(m, how, by, report, err);
    for (uint64_t k = 0; k < m->frame_count; k++) {
        float *row = model_motion_row(m, k, how->track);
        rigid_to_row(moved(how, by, rigid_of_row(row)), row);
    }
    motion_changed(report, m->frame_count);
    return LATHE_OK;
}
