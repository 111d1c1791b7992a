/* Moves root motion out of a track, and back. */
#include "model/motion_part.h"

#include <math.h>
#include <stdio.h>

/* ---- root motion as transforms ---------------------------------------------------------------------- */

static vec3 up_of(const double up[3])
{
    return (vec3){up[0], up[1], up[2]};
}

static rigid move_of(const double up[3], const double *move)
{
    double half = move[3] / 2, s = sin(half);
    return (rigid){{move[0], move[1], move[2]}, {up[0] * s, up[1] * s, up[2] * s, cos(half)}};
}

static void put_vec(vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

void model_move_add(const double up[3], const double *a, const double *b, double *out)
{
    double angle = a[3] + b[3];
    put_vec(rigid_mul(move_of(up, a), move_of(up, b)).t, out);
    out[3] = angle;
}

void model_move_back(const double up[3], const double *a, double *out)
{
    double angle = -a[3];
    put_vec(rigid_inverse(move_of(up, a)).t, out);
    out[3] = angle;
}

/* ---- which track --------------------------------------------------------------------------------------- */

typedef struct rooting {
    model_motion *m;
    const model_root *how;
    rig g; /* empty if there is no skeleton */
    uint64_t track;
    int64_t bone; /* in the skeleton; -1: the track has no parent */
} rooting;

static void find_root(rooting *job)
{
    const model_root *how = job->how;
    job->track = how->track >= 0 ? (uint64_t)how->track : 0;
    job->bone = -1;
    for (size_t b = 0; b < job->g.n; b++) {
        bool is_it = how->track >= 0 ? job->g.track[b] == how->track
                                     : job->g.bones[b].parent < 0 && job->g.track[b] >= 0;
        if (is_it) {
            job->bone = (int64_t)b;
            job->track = (uint64_t)job->g.track[b];
            return;
        }
    }
}

static lathe_result open_root(rooting *job, model_motion *m, const model_root *how,
                              const char *verb, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    *job = (rooting){.m = m, .how = how};
    if (m->hint == MODEL_ADDITIVE)
        return error_set(
            err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
            "an additive animation has no position to %s: it stores differences of poses", verb);
    if (m->track_count == 0 || (how->track >= 0 && (uint64_t)how->track >= m->track_count))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "no track %lld: there are %llu",
                         (long long)(how->track < 0 ? 0 : how->track),
                         (unsigned long long)m->track_count);
    if (how->skeleton)
        r = rig_open(&job->g, how->skeleton, m, err);
    if (r == LATHE_OK)
        find_root(job);
    return r;
}

static void close_root(rooting *job)
{
    if (job->g.mem)
        rig_close(&job->g);
}

/* The transform of the bone's parent. */
static rigid parent_of(rooting *job, uint64_t frame)
{
    rigid none = {{0, 0, 0}, {0, 0, 0, 1}};
    int32_t parent = job->bone < 0 ? -1 : job->g.bones[job->bone].parent;
    if (parent < 0 || job->m->absolute)
        return none;
    rig_read(&job->g, job->m, frame);
    return job->g.now[parent];
}

/* Transforms the whole model: the root's track, or in model space all tracks. */
static void move_frame(rooting *job, uint64_t frame, rigid by)
{
    model_motion *m = job->m;
    rigid parent = parent_of(job, frame);
    rigid local = rigid_mul(rigid_inverse(parent), rigid_mul(by, parent));
    uint64_t first = m->absolute ? 0 : job->track, end = m->absolute ? m->track_count : first + 1;
    for (uint64_t i = first; i < end; i++) {
        float *row = model_motion_row(m, frame, i);
        rigid_to_row(rigid_mul(local, rigid_of_row(row)), row);
    }
}

/* ---- extracting ------------------------------------------------------------------------------------------ */

/* The angle of a rotation about the up axis, in the revolution nearest to `near`. */
static double turn_about(const double up[3], quat q, double near)
{
    const double whole = 6.283185307179586;
    double angle = 2 * atan2(q.x * up[0] + q.y * up[1] + q.z * up[2], q.w);
    return angle + whole * round((near - angle) / whole);
}

/* The root motion from the first frame to this one. */
static void way_from(const rooting *job, rigid first, rigid now, double near, double *out)
{
    const double *up = job->m->up;
    vec3 axis = up_of(up), a = first.t;
    double move[MODEL_MOVE] = {0};
    if (job->how->turn)
        move[3] = turn_about(up, quat_mul(now.q, quat_conjugate(first.q)), near);
    if (!job->how->vertical)
        a = vec3_add(a, vec3_scale(axis, vec3_dot(axis, vec3_sub(now.t, a))));
    put_vec(vec3_sub(now.t, quat_rotate(move_of(up, move).q, a)), out);
    out[3] = move[3];
}

/* Moves the motion of a frame. Root motion is stored as floats, so exactly the rounded values are removed from the
 * track. */
static void extract_frame(rooting *job, uint64_t i, rigid first, double *near)
{
    model_motion *m = job->m;
    double way[MODEL_MOVE], there[MODEL_MOVE], sum[MODEL_MOVE], back[MODEL_MOVE];
    rigid now = rigid_mul(parent_of(job, i), rigid_of_row(model_motion_row(m, i, job->track)));
    way_from(job, first, now, *near, way);
    *near = way[3];
    motion_read_move(m, i, there);
    model_move_add(m->up, there, way, sum);
    motion_write_move(m, i, sum);
    motion_read_move(m, i, sum);
    model_move_back(m->up, sum, back);
    model_move_add(m->up, back, there, back);
    move_frame(job, i, move_of(m->up, back));
}

static rigid first_root(rooting *job)
{
    return rigid_mul(parent_of(job, 0), rigid_of_row(model_motion_row(job->m, 0, job->track)));
}

/* Whether the root does not move in the requested ways. */
static bool stands(rooting *job, rigid first)
{
    double near = 0, way[MODEL_MOVE];
    for (uint64_t i = 1; i < job->m->frame_count; i++) {
        rigid now =
            rigid_mul(parent_of(job, i), rigid_of_row(model_motion_row(job->m, i, job->track)));
        way_from(job, first, now, near, way);
        near = way[3];
        for (int k = 0; k < MODEL_MOVE; k++)
            if (!(fabs(way[k]) <= 1e-6))
                return false;
    }
    return true;
}

lathe_result model_motion_extract(model_motion *m, const model_root *how, lathe_report *report,
                                  lathe_error *err)
{
    rooting job;
    lathe_result r = open_root(&job, m, how, "extract", err);
    if (r != LATHE_OK || m->frame_count == 0) {
        close_root(&job);
        return r;
    }
    double near = 0;
    rigid first = first_root(&job);
    if (stands(&job, first)) {
        char place[MOTION_PLACE];
        motion_note(report, "nothing to do: %s does not move%s%s",
                    motion_track_place(m, job.track, place),
                    how->vertical ? "" : " in the ground plane", how->turn ? ", nor turn" : "");
        close_root(&job);
        return LATHE_OK;
    }
    if (!m->moves)
        m->moves = mem_zalloc(&m->mem, (size_t)m->frame_count * MODEL_MOVE * sizeof *m->moves);
    for (uint64_t i = 0; m->moves && i < m->frame_count; i++)
        extract_frame(&job, i, first, &near);
    if (m->moves)
        motion_changed(report, 2 * m->frame_count);
    close_root(&job);
    return m->moves ? LATHE_OK : motion_no_memory(err);
}

/* ---- baking ------------------------------------------------------------------------------------------------ */

lathe_result model_motion_bake(model_motion *m, const model_root *how, lathe_report *report,
                               lathe_error *err)
{
    rooting job;
    double move[MODEL_MOVE];
    if (!m->moves) {
        motion_note(report, "nothing to do: the animation has no root motion");
        return LATHE_OK;
    }
    lathe_result r = open_root(&job, m, how, "bake", err);
    for (uint64_t i = 0; r == LATHE_OK && i < m->frame_count; i++) {
        motion_read_move(m, i, move);
        move_frame(&job, i, move_of(m->up, move));
    }
    if (r == LATHE_OK) {
        mem_free(&m->mem, m->moves, (size_t)m->frame_count * MODEL_MOVE * sizeof *m->moves);
        m->moves = NULL;
        motion_changed(report, 2 * m->frame_count);
    }
    close_root(&job);
    return r;
}
