/* Public functions for animations: facts, samples, and setting rows. */
#include "api/api.h"
#include "scene/motion.h"

#include <float.h>
#include <math.h>

_Static_assert((int)LATHE_MOTION == (int)MODEL_MOVE, "numbers of root motion");

/* ---- facts ----------------------------------------------------------------------------------------- */

lathe_result lathe_clip_describe(lathe_doc *doc, uint64_t clip, lathe_clip_info *info,
                                 lathe_error *err)
{
    scene_clip c;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r != LATHE_OK)
        return r;
    const model_clip *f = &c.facts;
    const lathe_clip_info all = {.name = f->name,
                                 .skeleton_name = f->skeleton_name,
                                 .blend_hint = f->blend_hint,
                                 .duration = f->duration,
                                 .frames = f->frame_count,
                                 .tracks = f->track_count,
                                 .float_tracks = f->float_track_count,
                                 .looping = f->looping,
                                 .absolute = f->absolute,
                                 .has_motion = f->has_motion && c.hooks->motion};
    api_give(info, &all, sizeof all);
    return LATHE_OK;
}

/* Opens an animation, and checks that its samples can be decoded. */
static lathe_result open_ready(lathe_doc *doc, uint64_t clip, scene_clip *out, lathe_error *err)
{
    lathe_result r = scene_clip_open(doc, clip, out, err);
    return r == LATHE_OK ? scene_clip_ready(out, err) : r;
}

lathe_result lathe_clip_ready(lathe_doc *doc, uint64_t clip, lathe_error *err)
{
    scene_clip c;
    return open_ready(doc, clip, &c, err);
}

lathe_result lathe_clip_binding(lathe_doc *doc, uint64_t clip, lathe_view *out, lathe_error *err)
{
    scene_clip c;
    lathe_view found;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r == LATHE_OK)
        r = scene_clip_binding(&c, &found, err);
    if (r == LATHE_OK)
        *out = found;
    return r;
}

lathe_result lathe_clip_track(lathe_doc *doc, uint64_t clip, lathe_tracks kind, uint64_t track,
                              const char **name, int64_t *number, lathe_error *err)
{
    scene_clip c;
    model_track bone = {.bone = NULL};
    model_float_track slot = {.name = NULL};
    bool floats = kind == LATHE_FLOAT_TRACKS;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r == LATHE_OK)
        r = floats ? scene_clip_float_track(&c, track, &slot, err)
                   : scene_clip_track(&c, track, &bone, err);
    if (r == LATHE_OK) {
        *name = floats ? slot.name : bone.bone;
        *number = floats ? slot.slot_index : bone.bone_index;
    }
    return r;
}

lathe_result lathe_clip_find(lathe_doc *doc, uint64_t clip, lathe_tracks kind, const char *name,
                             size_t n, uint64_t *track, lathe_error *err)
{
    return scene_clip_track_named(doc, clip, kind == LATHE_FLOAT_TRACKS, name, n, track, err);
}

/* ---- samples --------------------------------------------------------------------------------------- */

/* The options in a lathe_sampling. */
typedef struct sampling {
    bool floats;
    model_when when;
    const model_skeleton *skeleton; /* or NULL */
    model_skeleton bones;           /* copy of the skeleton, freed by the caller */
} sampling;

/* timed: a time is required. *out is empty on failure. */
static lathe_result read_sampling(lathe_doc *doc, const lathe_sampling *how, bool timed,
                                  sampling *out, lathe_error *err)
{
    lathe_sampling s = {.size = sizeof s};
    bool given = true;
    lathe_result r = LATHE_OK;
    api_take(&s, how, sizeof s);
    out->floats = s.kind == LATHE_FLOAT_TRACKS;
    out->when = (model_when){.is_time = s.by_time, .at = s.at};
    out->skeleton = NULL;
    model_skeleton_init(&out->bones, &doc->mem);
    if (timed && s.args)
        r = scene_when_arg(s.args, &out->when, &given, err);
    if (r == LATHE_OK && !given)
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a time or a frame expected");
    if (r != LATHE_OK || out->floats || (!s.args && !s.skeleton))
        return r;
    r = scene_skeleton_given(doc, s.args ? NULL : s.skeleton, s.skeleton_index, s.args, &out->bones,
                             &given, err);
    if (r == LATHE_OK && given)
        out->skeleton = &out->bones;
    return r;
}

static uint64_t tracks_of(const scene_clip *c, bool floats)
{
    return floats ? c->facts.float_track_count : c->facts.track_count;
}

/* Whether `floats` equals rows * width, which may overflow. */
static bool fits(uint64_t floats, uint64_t rows, uint64_t width)
{
    return width ? floats % width == 0 && floats / width == rows : floats == 0;
}

static lathe_result other_size(uint64_t frames, uint64_t tracks, uint64_t floats, lathe_error *err)
{
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "%llu frames of %llu tracks are not %llu floats", (unsigned long long)frames,
                     (unsigned long long)tracks, (unsigned long long)floats);
}

static lathe_result sample(lathe_doc *doc, uint64_t clip, const sampling *s, uint64_t first,
                           uint64_t n, float *out, uint64_t floats, lathe_error *err)
{
    scene_clip c;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r != LATHE_OK)
        return r;
    uint64_t tracks = tracks_of(&c, s->floats);
    if (n == LATHE_ALL)
        n = first < tracks ? tracks - first : 0;
    if (!fits(floats, n, s->floats ? 1 : LATHE_POSE))
        return other_size(1, n, floats, err);
    return s->floats ? scene_clip_floats(&c, &s->when, first, n, out, err)
                     : scene_clip_sample(&c, &s->when, s->skeleton, first, n, out, err);
}

lathe_result lathe_clip_sample(lathe_doc *doc, uint64_t clip, const lathe_sampling *how,
                               uint64_t first, uint64_t n, float *out, uint64_t floats,
                               lathe_error *err)
{
    sampling s;
    lathe_result r = read_sampling(doc, how, true, &s, err);
    if (r == LATHE_OK)
        r = sample(doc, clip, &s, first, n, out, floats, err);
    model_skeleton_free(&s.bones);
    return r;
}

static lathe_result decode(lathe_doc *doc, uint64_t clip, const sampling *s, float *out,
                           uint64_t floats, lathe_error *err)
{
    scene_clip c;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r != LATHE_OK)
        return r;
    uint64_t frames = c.facts.frame_count, tracks = tracks_of(&c, s->floats);
    if (tracks > UINT64_MAX / LATHE_POSE ||
        !fits(floats, frames, tracks * (s->floats ? 1 : LATHE_POSE)))
        return other_size(frames, tracks, floats, err);
    return s->floats ? scene_clip_decode_floats(&c, out, err)
                     : scene_clip_decode(&c, s->skeleton, out, err);
}

lathe_result lathe_clip_decode(lathe_doc *doc, uint64_t clip, const lathe_sampling *how, float *out,
                               uint64_t floats, lathe_error *err)
{
    sampling s;
    lathe_result r = read_sampling(doc, how, false, &s, err);
    if (r == LATHE_OK)
        r = decode(doc, clip, &s, out, floats, err);
    model_skeleton_free(&s.bones);
    return r;
}

/* ---- frames ---------------------------------------------------------------------------------------- */

lathe_result lathe_clip_times(lathe_doc *doc, uint64_t clip, double *out, uint64_t n,
                              lathe_error *err)
{
    scene_clip c;
    lathe_result r = open_ready(doc, clip, &c, err);
    if (r == LATHE_OK && n != c.facts.frame_count)
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "there are %llu frames, not %llu",
                      (unsigned long long)c.facts.frame_count, (unsigned long long)n);
    return r == LATHE_OK && n ? scene_clip_times(&c, out, err) : r;
}

lathe_result lathe_clip_frame_at(lathe_doc *doc, uint64_t clip, double time, uint64_t *frame,
                                 lathe_error *err)
{
    scene_clip c;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r != LATHE_OK)
        return r;
    uint64_t n = c.facts.frame_count;
    if (isnan(time))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "time: a number expected, got NaN");
    if (!n)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the animation has no frames");
    const model_when when = {.is_time = true, .at = time};
    double at = floor(model_when_frame(&when, &c.facts) + 0.5);
    *frame = !(at > 0) ? 0 : at >= (double)(n - 1) ? n - 1 : (uint64_t)at;
    return LATHE_OK;
}

lathe_result lathe_clip_motion(lathe_doc *doc, uint64_t clip, float *out, uint64_t floats,
                               lathe_error *err)
{
    scene_clip c;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r == LATHE_OK && !(c.facts.has_motion && c.hooks->motion))
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the animation has no root motion");
    if (r == LATHE_OK && !fits(floats, c.facts.frame_count, LATHE_MOTION))
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                      "root motion of %llu frames is not %llu floats",
                      (unsigned long long)c.facts.frame_count, (unsigned long long)floats);
    return r == LATHE_OK ? scene_clip_motion(&c, out, err) : r;
}

lathe_result lathe_clip_axes(lathe_doc *doc, uint64_t clip, double up[3], double forward[3],
                             lathe_error *err)
{
    scene_clip c;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    return r == LATHE_OK ? scene_clip_axes(&c, up, forward, err) : r;
}

/* ---- writing --------------------------------------------------------------------------------------- */

static const struct {
    unsigned field;
    int first, n;
} runs[] = {{LATHE_BONE_TRANSLATION, 0, 3}, {LATHE_BONE_ROTATION, 3, 4}, {LATHE_BONE_SCALE, 7, 3}};

/* Normalizes a rotation. One of unit length, within float precision, is kept, so that setting a value that was read
 * changes nothing. */
static bool set_length(float q[4])
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)q[i] * (double)q[i];
    if (!(sum > 0) || !isfinite(sum))
        return false;
    for (int i = 0; fabs(sum - 1) > 1e-6 && i < 4; i++)
        q[i] = (float)((double)q[i] / sqrt(sum));
    return true;
}

static lathe_result check_row(unsigned fields, float *row, lathe_error *err)
{
    const unsigned all = LATHE_BONE_TRANSLATION | LATHE_BONE_ROTATION | LATHE_BONE_SCALE;
    if (fields & ~all)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "a row has a translation, a rotation and a scale");
    for (size_t k = 0; k < REC_COUNT_OF(runs); k++)
        for (int i = runs[k].first; fields & runs[k].field && i < runs[k].first + runs[k].n; i++)
            if (!isfinite(row[i]))
                return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "finite numbers expected");
    return !(fields & LATHE_BONE_ROTATION) || set_length(row + 3)
               ? LATHE_OK
               : error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                           "a rotation other than 0 0 0 0 expected");
}

lathe_result lathe_clip_set(lathe_doc *doc, uint64_t clip, uint64_t frame, uint64_t track,
                            unsigned fields, const float *row, lathe_error *err)
{
    scene_clip c;
    float given[MODEL_POSE], now[MODEL_POSE];
    const model_when when = {.at = (double)frame};
    memcpy(given, row, sizeof given);
    lathe_result r = check_row(fields, given, err);
    if (r == LATHE_OK)
        r = scene_clip_open(doc, clip, &c, err);
    if (r == LATHE_OK && frame >= c.facts.frame_count)
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "frame %llu of %llu",
                      (unsigned long long)frame, (unsigned long long)c.facts.frame_count);
    if (r != LATHE_OK || (r = rec_begin(doc, err)) != LATHE_OK)
        return r;
    r = scene_clip_sample(&c, &when, NULL, track, 1, now, err);
    for (size_t k = 0; r == LATHE_OK && k < REC_COUNT_OF(runs); k++)
        if (fields & runs[k].field)
            memcpy(now + runs[k].first, given + runs[k].first, (size_t)runs[k].n * sizeof *now);
    if (r == LATHE_OK)
        r = scene_motion_set_row(&c, frame, track, now, err);
    return rec_end(doc, r, err);
}
