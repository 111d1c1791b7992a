#include "scene/draft.h"

/* ---- reading a clip ---------------------------------------------------------------------------------- */

typedef struct event_user {
    model_motion *m;
    lathe_error *err;
} event_user;

static bool take_event(void *user, const model_annotation *one)
{
    event_user *to = user;
    return model_motion_event(to->m, one->time, one->track, one->text ? one->text : "",
                              one->text ? one->length : 0, to->err) == LATHE_OK;
}

static const char *own_name(model_motion *m, const char *name, bool *ok)
{
    const char *own = name ? model_motion_text(m, name, strlen(name)) : NULL;
    *ok = *ok && (own || !name);
    return own;
}

static lathe_result take_tracks(const scene_clip *clip, model_motion *m, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    bool ok = true;
    for (uint64_t i = 0; r == LATHE_OK && i < m->track_count; i++) {
        r = scene_clip_track(clip, i, &m->tracks[i], err);
        m->tracks[i].bone = r == LATHE_OK ? own_name(m, m->tracks[i].bone, &ok) : NULL;
    }
    for (uint64_t i = 0; r == LATHE_OK && i < m->float_count; i++) {
        r = scene_clip_float_track(clip, i, &m->float_tracks[i], err);
        m->float_tracks[i].name = r == LATHE_OK ? own_name(m, m->float_tracks[i].name, &ok) : NULL;
    }
    return r == LATHE_OK && !ok ? rec_no_memory(err) : r;
}

lathe_result scene_clip_times(const scene_clip *clip, double *out, lathe_error *err)
{
    uint64_t n = clip->facts.frame_count;
    if (!clip->draft && clip->hooks->times)
        return clip->hooks->times(clip->source, n, out, err);
    if (clip->draft && n)
        memcpy(out, clip->draft->times, (size_t)n * sizeof *out);
    else
        model_motion_times(n, clip->facts.duration, out);
    return LATHE_OK;
}

lathe_result scene_clip_axes(const scene_clip *clip, double up[3], double forward[3],
                             lathe_error *err)
{
    const double z[3] = {0, 0, 1}, y[3] = {0, 1, 0};
    if (!clip->draft && clip->hooks->axes)
        return clip->hooks->axes(clip->source, up, forward, err);
    memcpy(up, clip->draft ? clip->draft->up : z, sizeof z);
    memcpy(forward, clip->draft ? clip->draft->forward : y, sizeof y);
    return LATHE_OK;
}

static lathe_result take_all(const scene_clip *clip, const model_skeleton *skeleton,
                             model_motion *m, lathe_error *err)
{
    const model_clip *facts = &clip->facts;
    event_user to = {m, err};
    m->duration = facts->duration;
    m->looping = facts->looping;
    m->absolute = facts->absolute && !skeleton;
    m->hint = facts->blend_hint && strcmp(facts->blend_hint, "normal") != 0 ? MODEL_ADDITIVE
                                                                            : MODEL_NORMAL;
    lathe_result r = scene_clip_times(clip, m->times, err);
    if (r == LATHE_OK)
        r = take_tracks(clip, m, err);
    if (r == LATHE_OK)
        r = scene_clip_decode(clip, skeleton, m->rows, err);
    if (r == LATHE_OK)
        r = scene_clip_decode_floats(clip, m->floats, err);
    if (r == LATHE_OK && m->moves)
        r = scene_clip_motion(clip, m->moves, err);
    if (r == LATHE_OK && clip->hooks->axes)
        r = clip->hooks->axes(clip->source, m->up, m->forward, err);
    return r == LATHE_OK ? scene_clip_annotations(clip, take_event, &to, err) : r;
}

lathe_result scene_motion_take(const scene_clip *clip, const model_skeleton *skeleton,
                               model_motion *m, lathe_error *err)
{
    const model_clip *facts = &clip->facts;
    lathe_result r = scene_clip_ready(clip, err);
    if (r == LATHE_OK && clip->draft && !(skeleton && facts->absolute)) {
        r = model_motion_copy(m, clip->draft, err);
        if (r == LATHE_OK && !clip->own_events)
            r = scene_motion_take_events(clip, m, err);
    } else if (r == LATHE_OK) {
        bool moves = facts->has_motion && (clip->draft || clip->hooks->motion);
        r = model_motion_alloc(m, facts->frame_count, facts->track_count, facts->float_track_count,
                               moves, err);
        if (r == LATHE_OK)
            r = take_all(clip, skeleton, m, err);
    }
    if (r != LATHE_OK)
        model_motion_free(m);
    return r;
}

lathe_result scene_motion_take_events(const scene_clip *clip, model_motion *m, lathe_error *err)
{
    event_user to = {m, err};
    m->event_count = 0;
    return scene_clip_annotations(clip, take_event, &to, err);
}

/* ---- reading a draft -------------------------------------------------------------------------------- */

void scene_motion_shows(const scene_draft *draft, scene_clip *clip)
{
    const model_motion *m = &draft->now->motion;
    model_clip *facts = &clip->facts;
    bool additive = facts->blend_hint && strcmp(facts->blend_hint, "normal") != 0;
    clip->draft = m;
    clip->own_events = !draft->events_stored;
    facts->duration = m->duration;
    facts->frame_count = m->frame_count;
    facts->track_count = m->track_count;
    facts->float_track_count = m->float_count;
    facts->looping = m->looping;
    facts->absolute = m->absolute;
    facts->has_motion = m->moves != NULL;
    if (additive != (m->hint == MODEL_ADDITIVE))
        facts->blend_hint = additive ? "normal" : "additive";
}

double scene_motion_time(const model_motion *m, const model_when *when)
{
    if (when->is_time)
        return when->at;
    uint64_t i = when->at > 0 ? (uint64_t)when->at : 0;
    if (i + 1 >= m->frame_count)
        return m->frame_count ? m->times[m->frame_count - 1] : 0;
    return m->times[i] + (m->times[i + 1] - m->times[i]) * (when->at - (double)i);
}

static void to_parents(const model_motion *m, double time, const model_skeleton *skeleton,
                       uint64_t first, uint64_t n, float *out)
{
    float above[MODEL_POSE];
    for (uint64_t i = 0; i < n; i++, out += MODEL_POSE) {
        int32_t parent = first + i < skeleton->bone_count ? skeleton->bones[first + i].parent : -1;
        if (parent < 0 || (uint64_t)parent >= m->track_count)
            continue;
        model_motion_rows(m, time, (uint64_t)parent, 1, above);
        model_pose_below(above, out, out);
    }
}

lathe_result scene_motion_sample(const model_motion *m, const model_when *when,
                                 const model_skeleton *skeleton, uint64_t first, uint64_t n,
                                 float *out, lathe_error *err)
{
    double time = scene_motion_time(m, when), whole = when->is_time ? 0.5 : when->at;
    (void)err;
    /* exactly one frame: not interpolated, even if frames have equal times */
    if (whole == (double)(uint64_t)whole)
        memcpy(out, model_motion_row(m, (uint64_t)whole, first),
               (size_t)n * MODEL_POSE * sizeof *out);
    else
        model_motion_rows(m, time, first, n, out);
    if (skeleton && m->absolute)
        to_parents(m, time, skeleton, first, n, out);
    return LATHE_OK;
}

lathe_result scene_motion_events(const model_motion *m,
                                 bool (*each)(void *user, const model_annotation *one), void *user,
                                 lathe_error *err)
{
    for (size_t i = 0; i < m->event_count; i++) {
        const model_event *e = &m->events[i];
        const model_annotation one = {
            .time = e->time, .text = e->text, .length = e->length, .track = e->track};
        if (!each(user, &one))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}
