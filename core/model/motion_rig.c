/* A skeleton with the poses that a motion gives its bones, in model space. */
#include "model/motion_part.h"

#include <stdio.h>
#include <string.h>

/* ---- names for messages ------------------------------------------------------------------------------ */

static const char *place(const char *list, uint64_t i, const char *name, char *out)
{
    int n = snprintf(out, MOTION_PLACE, "%s[%llu]", list, (unsigned long long)i + 1);
    if (name)
        snprintf(out + n, (size_t)(MOTION_PLACE - n), " (%.100s)", name);
    return out;
}

const char *motion_track_place(const model_motion *m, uint64_t i, char *out)
{
    return place("tracks", i, m->tracks[i].bone, out);
}

const char *motion_float_place(const model_motion *m, uint64_t i, char *out)
{
    return place("float_tracks", i, m->float_tracks[i].name, out);
}

/* ---- transforms ---------------------------------------------------------------------------------------- */

rigid rigid_mul(rigid a, rigid b)
{
    return (rigid){vec3_add(a.t, quat_rotate(a.q, b.t)), quat_mul(a.q, b.q)};
}

rigid rigid_inverse(rigid a)
{
    quat q = quat_conjugate(a.q);
    return (rigid){quat_rotate(q, vec3_scale(a.t, -1)), q};
}

rigid rigid_of_row(const float *row)
{
    return (rigid){{row[0], row[1], row[2]},
                   quat_normalize((quat){row[3], row[4], row[5], row[6]})};
}

rigid rigid_of_pose(const double *pose)
{
    return (rigid){{pose[0], pose[1], pose[2]},
                   quat_normalize((quat){pose[3], pose[4], pose[5], pose[6]})};
}

void rigid_to_row(rigid a, float *row)
{
    quat q = quat_normalize(a.q);
    const double all[] = {a.t.x, a.t.y, a.t.z, q.x, q.y, q.z, q.w};
    for (int i = 0; i < 7; i++)
        row[i] = (float)all[i];
}

/* ---- bones ----------------------------------------------------------------------------------------------- */

/* Sorts bones so that parents come before children. */
static bool put_in_order(rig *g)
{
    size_t size = (g->n + 1) * sizeof(uint32_t), put = 0;
    uint32_t *first = mem_zalloc(g->mem, size), *next = mem_zalloc(g->mem, size);
    /* linked lists of children, numbered from 1; list 0: roots */
    for (size_t i = g->n; first && next && i-- > 0;) {
        size_t parent = g->bones[i].parent < 0 ? 0 : (size_t)g->bones[i].parent + 1;
        next[i + 1] = first[parent];
        first[parent] = (uint32_t)i + 1;
    }
    bool good = first && next;
    for (size_t from = 0; good && from <= put && put < g->n; from++)
        for (uint32_t b = first[from ? g->order[from - 1] + 1 : 0]; b; b = next[b])
            g->order[put++] = b - 1;
    mem_free(g->mem, first, size);
    mem_free(g->mem, next, size);
    return good;
}

/* Finds the track of each bone: by name if tracks have names, else by number. If a bone has several, the first one. */
static bool find_tracks(rig *g, const model_motion *m)
{
    model_names names;
    for (size_t b = 0; b < g->n; b++)
        g->track[b] = -1;
    if (!m)
        return true;
    if (!model_names_begin(&names, g->mem, g->n))
        return false;
    for (size_t b = 0; b < g->n; b++)
        model_names_add(&names, g->bones[b].name, b);
    model_names_sort(&names);
    for (uint64_t i = m->track_count; i-- > 0;) {
        const model_track *t = &m->tracks[i];
        int64_t b = t->bone ? model_names_find(&names, t->bone) : t->bone_index;
        if (b >= 0 && b < (int64_t)g->n)
            g->track[b] = (int64_t)i;
    }
    model_names_free(&names);
    return true;
}

lathe_result rig_open(rig *out, const model_skeleton *skeleton, const model_motion *m,
                      lathe_error *err)
{
    size_t n = skeleton->bone_count;
    *out = (rig){.mem = m ? &m->mem : &skeleton->mem, .bones = skeleton->bones, .n = n};
    out->order = mem_alloc(out->mem, n * sizeof *out->order);
    out->track = mem_alloc(out->mem, n * sizeof *out->track);
    out->rest = mem_alloc(out->mem, 3 * n * sizeof *out->rest);
    if (!out->order || !out->track || !out->rest || !put_in_order(out) || !find_tracks(out, m)) {
        rig_close(out);
        return motion_no_memory(err);
    }
    out->now = out->rest + n;
    out->next = out->now + n;
    for (size_t k = 0; k < n; k++) {
        size_t b = out->order[k];
        out->rest[b] = rig_under(out, out->rest, b, rigid_of_pose(out->bones[b].pose));
        out->now[b] = out->next[b] = out->rest[b];
    }
    return LATHE_OK;
}

lathe_result model_skeleton_height(const model_skeleton *skeleton, double *out, lathe_error *err)
{
    rig g;
    double low[3] = {0}, high[3] = {0};
    *out = 0;
    lathe_result r = rig_open(&g, skeleton, NULL, err);
    if (r != LATHE_OK)
        return r;
    for (size_t b = 0; b < g.n; b++) {
        const double at[3] = {g.rest[b].t.x, g.rest[b].t.y, g.rest[b].t.z};
        for (int k = 0; k < 3; k++) {
            low[k] = b && low[k] < at[k] ? low[k] : at[k];
            high[k] = b && high[k] > at[k] ? high[k] : at[k];
        }
    }
    for (int k = 0; k < 3; k++)
        *out = high[k] - low[k] > *out ? high[k] - low[k] : *out;
    rig_close(&g);
    return LATHE_OK;
}

void rig_close(rig *g)
{
    mem_free(g->mem, g->order, g->n * sizeof *g->order);
    mem_free(g->mem, g->track, g->n * sizeof *g->track);
    mem_free(g->mem, g->rest, 3 * g->n * sizeof *g->rest);
    g->order = NULL;
    g->track = NULL;
    g->rest = NULL;
}

rigid rig_local(const rig *g, const rigid *all, size_t b)
{
    int32_t parent = g->bones[b].parent;
    return parent < 0 ? all[b] : rigid_mul(rigid_inverse(all[parent]), all[b]);
}

rigid rig_under(const rig *g, const rigid *all, size_t b, rigid local)
{
    int32_t parent = g->bones[b].parent;
    return parent < 0 ? local : rigid_mul(all[parent], local);
}

void rig_read(rig *g, const model_motion *m, uint64_t frame)
{
    for (size_t k = 0; k < g->n; k++) {
        size_t b = g->order[k];
        rigid rest = rigid_of_pose(g->bones[b].pose), local = rest;
        if (g->track[b] >= 0) {
            local = rigid_of_row(model_motion_row(m, frame, (uint64_t)g->track[b]));
            if (m->absolute) {
                g->now[b] = local;
                continue;
            }
            if (m->hint == MODEL_ADDITIVE)
                local = rigid_mul(rest, local);
        }
        g->now[b] = rig_under(g, g->now, b, local);
    }
}

void rig_write(const rig *g, model_motion *m, uint64_t frame, size_t b)
{
    float *row = model_motion_row(m, frame, (uint64_t)g->track[b]);
    rigid local = m->absolute ? g->next[b] : rig_local(g, g->next, b);
    if (m->hint == MODEL_ADDITIVE)
        local = rigid_mul(rigid_inverse(rigid_of_pose(g->bones[b].pose)), local);
    rigid_to_row(local, row);
}
