/* Verbs of animations that change poses, most of them with a skeleton. */
#include "scene/clip_verbs_part.h"

/* ---- mirror ------------------------------------------------------------------------------------------- */

static lathe_result mirror_one(clip_job *job, lathe_error *err)
{
    clip_rig rig;
    model_pair *pairs = NULL;
    model_mirror how = {.axis = -1};
    lathe_value axis;
    lathe_result r = clip_skeleton(job, "skeleton", true, &rig, err);
    if (r != LATHE_OK)
        return r;
    how.skeleton = rig.is;
    if (rec_arg(job->args, "axis", &axis))
        how.axis = rec_text_is(&axis, "x") ? 0 : rec_text_is(&axis, "y") ? 1 : 2;
    r = clip_pairs(job, "pairs", "left", "right", &pairs, &how.pair_count, err);
    how.pairs = pairs;
    if (r == LATHE_OK)
        r = model_motion_mirror(&job->m, &how, job->report, err);
    clip_skeleton_free(&rig);
    return r;
}

/* ---- root motion -------------------------------------------------------------------------------------- */

static lathe_result move_root(clip_job *job, bool extract, lathe_error *err)
{
    clip_rig rig;
    model_root how = {.vertical = clip_flag(job->args, "vertical"),
                      .turn = clip_flag(job->args, "turn")};
    lathe_result r = clip_skeleton(job, "skeleton", false, &rig, err);
    if (r != LATHE_OK)
        return r;
    how.skeleton = rig.is;
    r = clip_bone(job, "bone", how.skeleton, &how.track, err);
    if (r == LATHE_OK && extract)
        r = model_motion_extract(&job->m, &how, job->report, err);
    else if (r == LATHE_OK)
        r = model_motion_bake(&job->m, &how, job->report, err);
    clip_skeleton_free(&rig);
    return r;
}

static lathe_result extract_root_motion_one(clip_job *job, lathe_error *err)
{
    return move_root(job, true, err);
}

static lathe_result bake_root_motion_one(clip_job *job, lathe_error *err)
{
    return move_root(job, false, err);
}

static lathe_result root_motion_one(clip_job *job, lathe_error *err)
{
    bool extract = clip_flag(job->args, "extract");
    if (extract == clip_flag(job->args, "bake"))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "root_motion takes one of extract, bake");
    return move_root(job, extract, err);
}

/* ---- additive and normal -------------------------------------------------------------------------------- */

/* A reference pose: rows, then floats. */
typedef struct frame_copy {
    float *rows, *floats;
    size_t rows_size, floats_size;
} frame_copy;

static lathe_result make_room(const clip_job *job, frame_copy *out, lathe_error *err)
{
    out->rows_size = (size_t)job->m.track_count * MODEL_POSE * sizeof(float);
    out->floats_size = (size_t)job->m.float_count * sizeof(float);
    out->rows = mem_alloc(&job->doc->mem, out->rows_size);
    out->floats = mem_zalloc(&job->doc->mem, out->floats_size);
    return out->rows && out->floats ? LATHE_OK : rec_no_memory(err);
}

static lathe_result of_first(const clip_job *job, frame_copy *out, lathe_error *err)
{
    lathe_result r = make_room(job, out, err);
    if (r == LATHE_OK && job->m.frame_count == 0)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "the clip has no frames");
    if (r != LATHE_OK)
        return r;
    memcpy(out->rows, job->m.rows, out->rows_size);
    memcpy(out->floats, job->m.floats, out->floats_size);
    return r;
}

/* Takes a pose from another clip, matched by track names. Missing tracks are an error, because the reference needs
 * all of them. */
static lathe_result of_pose(clip_job *job, const model_motion *pose, frame_copy *out,
                            lathe_error *err)
{
    int64_t frame = 0;
    rec_arg_integer(job->args, "frame", &frame);
    if (frame < 0 || (uint64_t)frame >= pose->frame_count)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "frame %lld of `pose` is not in 0 .. %lld", (long long)frame,
                         (long long)pose->frame_count - 1);
    lathe_result r = make_room(job, out, err);
    if (r == LATHE_OK)
        r = model_motion_pose_of(&job->m, pose, (uint64_t)frame, out->rows, out->floats, err);
    return r;
}

static lathe_result of_rest(clip_job *job, frame_copy *out, lathe_error *err)
{
    clip_rig rig;
    lathe_result r = clip_skeleton(job, "skeleton", true, &rig, err);
    if (r != LATHE_OK)
        return r;
    out->rows_size = (size_t)job->m.track_count * MODEL_POSE * sizeof(float);
    r = model_motion_rest(&job->m, rig.is, &out->rows, err);
    clip_skeleton_free(&rig);
    return r;
}

static lathe_result reference_of(clip_job *job, frame_copy *out, lathe_error *err)
{
    model_motion pose;
    lathe_value against;
    bool is;
    model_motion_init(&pose, &job->doc->mem);
    lathe_result r = clip_other(job, "pose", false, &pose, &is, err);
    if (r == LATHE_OK && is)
        r = of_pose(job, &pose, out, err);
    else if (r == LATHE_OK && rec_arg(job->args, "against", &against) &&
             rec_text_is(&against, "first"))
        r = of_first(job, out, err);
    else if (r == LATHE_OK)
        r = of_rest(job, out, err);
    model_motion_free(&pose);
    return r;
}

static lathe_result change_hint(clip_job *job, bool additive, lathe_error *err)
{
    frame_copy by = {.rows = NULL};
    lathe_result r = reference_of(job, &by, err);
    const model_reference reference = {by.rows, by.floats};
    if (r == LATHE_OK)
        r = (additive ? model_motion_additive : model_motion_normal)(&job->m, &reference,
                                                                     job->report, err);
    mem_free(&job->doc->mem, by.rows, by.rows_size);
    mem_free(&job->doc->mem, by.floats, by.floats_size);
    return r;
}

static lathe_result additive_one(clip_job *job, lathe_error *err)
{
    return change_hint(job, true, err);
}

static lathe_result normal_one(clip_job *job, lathe_error *err)
{
    return change_hint(job, false, err);
}

/* ---- retarget -------------------------------------------------------------------------------------------- */

static lathe_result retarget_between(clip_job *job, const model_skeleton *from,
                                     const model_skeleton *to, lathe_error *err)
{
    model_pair *map = NULL;
    model_retarget how = {.from = from, .to = to};
    lathe_result r = clip_pairs(job, "map", "from", "to", &map, &how.map_count, err);
    how.map = map;
    if (r == LATHE_OK)
        r = model_motion_retarget(&job->m, &how, job->report, err);
    if (r != LATHE_OK || !to->name)
        return r;
    job->m.skeleton_name = model_motion_text(&job->m, to->name, strlen(to->name));
    return job->m.skeleton_name ? LATHE_OK : rec_no_memory(err);
}

static lathe_result retarget_one(clip_job *job, lathe_error *err)
{
    model_skeleton to;
    clip_rig from;
    bool is;
    lathe_result r = scene_skeleton_arg(job->doc, job->args, "to", &to, &is, err);
    if (r != LATHE_OK)
        return r;
    r = clip_skeleton(job, "from", true, &from, err);
    if (r == LATHE_OK) {
        r = retarget_between(job, from.is, &to, err);
        clip_skeleton_free(&from);
    }
    model_skeleton_free(&to);
    return r;
}

/* ---- offset ------------------------------------------------------------------------------------------------ */

static lathe_result offset_one(clip_job *job, lathe_error *err)
{
    clip_rig rig;
    model_offset how = {.q = {0, 0, 0, 1}};
    lathe_value space;
    int64_t track;
    lathe_result r = clip_skeleton(job, "skeleton", false, &rig, err);
    if (r != LATHE_OK)
        return r;
    how.skeleton = rig.is;
    how.own = rec_arg(job->args, "space", &space) && rec_text_is(&space, "bone");
    r = clip_bone(job, "bone", how.skeleton, &track, err);
    how.track = track >= 0 ? (uint64_t)track : UINT64_MAX;
    if (r == LATHE_OK)
        r = clip_numbers(job->args, "t", 3, how.t, err);
    if (r == LATHE_OK)
        r = clip_numbers(job->args, "q", 4, how.q, err);
    if (r == LATHE_OK)
        r = model_motion_offset(&job->m, &how, job->report, err);
    clip_skeleton_free(&rig);
    return r;
}

#define EACH(verb)                                                                                 \
    lathe_result clip_##verb(lathe_view self, const lathe_source *args, lathe_report *report,      \
                             lathe_error *err)                                                     \
    {                                                                                              \
        return clip_each(#verb, self, args, report, verb##_one, err);                              \
    }

EACH(mirror)
EACH(root_motion)
EACH(extract_root_motion)
EACH(bake_root_motion)
EACH(additive)
EACH(normal)
EACH(retarget)
EACH(offset)
