/* Verbs of animations: their table, and those that change times or join two animations. */
#include "scene/clip_verbs_part.h"
#include "scene/motion_verbs.h"

#include <stdio.h>

/* ---- times ------------------------------------------------------------------------------------------------ */

static lathe_result trim_one(clip_job *job, lathe_error *err)
{
    double t0 = 0, t1 = job->m.duration;
    rec_arg_number(job->args, "t0", &t0);
    rec_arg_number(job->args, "t1", &t1);
    return model_motion_trim(&job->m, t0, t1, job->report, err);
}

static lathe_result reverse_one(clip_job *job, lathe_error *err)
{
    return model_motion_reverse(&job->m, job->report, err);
}

static lathe_result resample_one(clip_job *job, lathe_error *err)
{
    double fps = 0;
    rec_arg_number(job->args, "fps", &fps);
    if (fps > 1000)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "fps is at most 1000, not %.9g",
                         fps);
    return model_motion_resample(&job->m, fps, job->report, err);
}

static lathe_result rename_one(clip_job *job, lathe_error *err)
{
    lathe_value from = {.kind = LATHE_KIND_NONE}, to = from;
    if (!rec_arg(job->args, "from", &from) || !rec_arg(job->args, "to", &to))
        return LATHE_OK;
    return model_motion_rename(&job->m, from.as.s.p, from.as.s.n, to.as.s.p, to.as.s.n, job->report,
                               err);
}

static lathe_result loop_one(clip_job *job, lathe_error *err)
{
    int64_t n = 0;
    rec_arg_integer(job->args, "frames", &n);
    return model_motion_loop(&job->m, n > 0 ? (uint64_t)n : 0, job->report, err);
}

/* ---- two animations ----------------------------------------------------------------------------------------- */

static lathe_result concat_one(clip_job *job, lathe_error *err)
{
    model_motion other;
    bool is;
    model_motion_init(&other, &job->doc->mem);
    lathe_result r = clip_other(job, "other", true, &other, &is, err);
    if (r == LATHE_OK && is)
        r = model_motion_concat(&job->m, &other, job->report, err);
    model_motion_free(&other);
    return r;
}

static lathe_result blend_one(clip_job *job, lathe_error *err)
{
    model_motion other;
    bool is;
    double weight = 0;
    rec_arg_number(job->args, "weight", &weight);
    model_motion_init(&other, &job->doc->mem);
    lathe_result r = clip_other(job, "other", false, &other, &is, err);
    if (r == LATHE_OK && is)
        r = model_motion_blend(&job->m, &other, weight, job->report, err);
    model_motion_free(&other);
    return r;
}

#define EACH(verb)                                                                                 \
    static lathe_result run_##verb(lathe_view self, const lathe_source *args,                      \
                                   lathe_report *report, lathe_error *err)                         \
    {                                                                                              \
        return clip_each(#verb, self, args, report, verb##_one, err);                              \
    }

EACH(trim)
EACH(reverse)
EACH(resample)
EACH(loop)
EACH(concat)
EACH(blend)

lathe_result scene_rename(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    return clip_each("rename", self, args, report, rename_one, err);
}

/* ---- options -------------------------------------------------------------------------------------------------- */

#define OPTION(id, ...) static const rec_param id = {__VA_ARGS__}

OPTION(t0, .name = "t0", .doc = "Start of the part to keep. Default: start of the animation.",
       .unit = "s", .kind = LATHE_PARAM_NUMBER, .positional = true);
OPTION(t1, .name = "t1", .doc = "End of the part to keep. Default: end of the animation.",
       .unit = "s", .kind = LATHE_PARAM_NUMBER, .positional = true);
OPTION(fps, .name = "fps", .doc = "New number of key frames per second, at most 1000.",
       .unit = "frames/s", .kind = LATHE_PARAM_NUMBER, .positional = true, .needed = true);
const rec_param scene_rename_from = {.name = "from",
                                     .doc = "Old name; the whole name must match.",
                                     .kind = LATHE_PARAM_TEXT,
                                     .positional = true,
                                     .needed = true};
const rec_param scene_rename_to = {
    .name = "to", .doc = "New name.", .kind = LATHE_PARAM_TEXT, .positional = true, .needed = true};
OPTION(frames, .name = "frames",
       .doc = "Number of frames before the last one over which the difference is spread.",
       .kind = LATHE_PARAM_INTEGER, .positional = true, .needed = true);
OPTION(follower, .name = "other", .doc = "Animation to append.", .kind = LATHE_PARAM_CLIP,
       .positional = true, .needed = true);
OPTION(blended, .name = "other", .doc = "Animation to blend with.", .kind = LATHE_PARAM_CLIP,
       .positional = true, .needed = true);
OPTION(weight, .name = "weight", .doc = "Share of the other animation, 0 to 1.",
       .kind = LATHE_PARAM_NUMBER, .positional = true, .needed = true);
OPTION(mirror_by, .name = "skeleton", .doc = "Skeleton that supplies bone pairs and the rest pose.",
       .kind = LATHE_PARAM_SKELETON);
OPTION(pairs, .name = "pairs",
       .doc = "Bone pairs: a list of {left =, right =}. They override the pairs of the skeleton "
              "and the naming rules of Skyrim, Fallout 4 and others.",
       .kind = LATHE_PARAM_ANY);
static const char *const axes[] = {"x", "y", "z", NULL};
OPTION(axis, .name = "axis",
       .doc = "Axis to mirror along. Default: the one perpendicular to up and forward.",
       .kind = LATHE_PARAM_TEXT, .values = axes);
OPTION(extract, .name = "extract", .doc = "Move the movement of the bone's track to root motion.",
       .kind = LATHE_PARAM_BOOLEAN);
OPTION(bake, .name = "bake", .doc = "Move root motion back into the bone's track.",
       .kind = LATHE_PARAM_BOOLEAN);
OPTION(root, .name = "bone",
       .doc = "Name or number of the bone that moves. Default: the first root bone.",
       .kind = LATHE_PARAM_ANY);
OPTION(vertical, .name = "vertical", .doc = "Include vertical movement. Default: false.",
       .kind = LATHE_PARAM_BOOLEAN);
OPTION(turn, .name = "turn", .doc = "Include rotation about the up axis. Default: false.",
       .kind = LATHE_PARAM_BOOLEAN);
OPTION(parents, .name = "skeleton", .doc = "Skeleton with the parents of the bone.",
       .kind = LATHE_PARAM_SKELETON);
static const char *const poses[] = {"rest", "first", NULL};
OPTION(against, .name = "against",
       .doc = "Reference pose: rest (of the skeleton) or first (frame). Default: rest.",
       .kind = LATHE_PARAM_TEXT, .values = poses);
OPTION(pose, .name = "pose", .doc = "Animation with the reference pose, in place of `against`.",
       .kind = LATHE_PARAM_CLIP);
OPTION(pose_frame, .name = "frame", .doc = "Frame of `pose`, from 0. Default: 0.",
       .kind = LATHE_PARAM_INTEGER);
OPTION(rest, .name = "skeleton", .doc = "Skeleton with the rest pose.",
       .kind = LATHE_PARAM_SKELETON);
OPTION(other_bones, .name = "to", .doc = "New skeleton.", .kind = LATHE_PARAM_SKELETON,
       .positional = true, .needed = true);
OPTION(map, .name = "map",
       .doc = "Bones whose names differ: {[\"old name\"] = \"new name\"}, or a list of "
              "{from =, to =}.",
       .kind = LATHE_PARAM_ANY, .positional = true);
OPTION(old_bones, .name = "from", .doc = "Old skeleton.", .kind = LATHE_PARAM_SKELETON);
OPTION(bone, .name = "bone", .doc = "Name or number of the bone.", .kind = LATHE_PARAM_ANY,
       .positional = true, .needed = true);
OPTION(offset_t, .name = "t", .doc = "Translation {x, y, z}. Default: none.",
       .kind = LATHE_PARAM_ANY, .positional = true);
OPTION(offset_q, .name = "q", .doc = "Rotation, a quaternion {x, y, z, w}. Default: none.",
       .kind = LATHE_PARAM_ANY, .positional = true);
static const char *const spaces[] = {"parent", "bone", NULL};
OPTION(space, .name = "space",
       .doc = "Axes of t and q: those of the parent or of the bone. Default: parent.",
       .kind = LATHE_PARAM_TEXT, .values = spaces);
OPTION(hanging, .name = "skeleton",
       .doc = "Skeleton: needed for bone names, and for animations in model space.",
       .kind = LATHE_PARAM_SKELETON);

#define OPTIONS(id, ...) static const rec_param *const id[] = {__VA_ARGS__, NULL}

OPTIONS(trim_params, &t0, &t1);
OPTIONS(resample_params, &fps);
const rec_param *const scene_rename_params[] = {&scene_rename_from, &scene_rename_to, NULL};
OPTIONS(loop_params, &frames);
OPTIONS(concat_params, &follower);
OPTIONS(blend_params, &blended, &weight);
OPTIONS(mirror_params, &mirror_by, &pairs, &axis);
OPTIONS(root_params, &extract, &bake, &root, &vertical, &turn, &parents);
OPTIONS(extract_params, &root, &vertical, &turn, &parents);
OPTIONS(bake_params, &root, &parents);
OPTIONS(pose_params, &against, &pose, &pose_frame, &rest);
OPTIONS(retarget_params, &other_bones, &map, &old_bones);
OPTIONS(offset_params, &bone, &offset_t, &offset_q, &space, &hanging);

/* ---- the list ------------------------------------------------------------------------------------------------- */

const rec_verb scene_clip_verbs[] = {
    {.name = "rename",
     .counts = "annotation",
     .doc = "Renames annotations whose whole text matches.",
     .params = scene_rename_params,
     .is = scene_is_clip,
     .run = scene_rename},
    {.name = "trim",
     .counts = "pose",
     .doc = "Keeps the part between two times, counted from the start, with a key frame at both "
            "ends. An animation that would be kept whole does not change.",
     .params = trim_params,
     .is = scene_is_clip,
     .run = run_trim},
    {.name = "reverse",
     .counts = "pose",
     .doc = "Plays the animation backwards; root motion starts at its old starting point.",
     .is = scene_is_clip,
     .run = run_reverse},
    {.name = "resample",
     .counts = "pose",
     .doc = "Makes evenly spaced key frames, as near to `fps` as the duration allows.",
     .params = resample_params,
     .is = scene_is_clip,
     .run = run_resample},
    {.name = "concat",
     .counts = "pose",
     .doc = "Appends another animation of the same bones and frame rate; its first frame replaces "
            "the last one.",
     .params = concat_params,
     .is = scene_is_clip,
     .run = run_concat},
    {.name = "mirror",
     .counts = "pose",
     .doc = "Swaps left and right in poses, root motion and annotations.",
     .params = mirror_params,
     .is = scene_is_clip,
     .run = clip_mirror},
    {.name = "root_motion",
     .counts = "pose",
     .doc = "Moves movement in the ground plane from a bone's track to root motion (extract), or "
            "back (bake). Animations have extract_root_motion and bake_root_motion instead.",
     .params = root_params,
     .is = scene_is_clip,
     .run = clip_root_motion},
    {.name = "extract_root_motion",
     .counts = "pose",
     .doc = "Moves movement in the ground plane from a bone's track to root motion.",
     .params = extract_params,
     .is = scene_is_clip,
     .run = clip_extract_root_motion},
    {.name = "bake_root_motion",
     .counts = "pose",
     .doc = "Moves root motion back into a bone's track and removes it.",
     .params = bake_params,
     .is = scene_is_clip,
     .run = clip_bake_root_motion},
    {.name = "additive",
     .counts = "pose",
     .doc = "Makes the animation additive: reference^-1 * pose, as Havok defines it.",
     .params = pose_params,
     .is = scene_is_clip,
     .run = clip_additive},
    {.name = "normal",
     .counts = "pose",
     .doc = "Makes an additive animation normal: reference * pose.",
     .params = pose_params,
     .is = scene_is_clip,
     .run = clip_normal},
    {.name = "retarget",
     .counts = "pose",
     .doc = "Converts to another skeleton, matching bones by name: rotations relative to the rest "
            "pose stay the same in model space, lengths are the new skeleton's. Tracks of bones "
            "that it lacks are dropped and listed.",
     .params = retarget_params,
     .is = scene_is_clip,
     .run = clip_retarget},
    {.name = "offset",
     .counts = "pose",
     .doc = "Moves and turns a bone in all frames, and with it the bones below.",
     .params = offset_params,
     .is = scene_is_clip,
     .run = clip_offset},
    {.name = "loop",
     .counts = "pose",
     .doc = "Makes the last frame equal the first one and spreads the difference over the frames "
            "before it.",
     .params = loop_params,
     .is = scene_is_clip,
     .run = run_loop},
    {.name = "blend",
     .counts = "pose",
     .doc = "Blends with another animation, which is stretched to the same duration.",
     .params = blend_params,
     .is = scene_is_clip,
     .run = run_blend},
    {.name = "encode",
     .counts = "frame",
     .doc = "Compresses all poses again. The report has the greatest errors "
            "(max_translation, max_rotation, "
            "max_scale) and the size of the data (bytes).",
     .params = scene_encode_params,
     .is = scene_is_clip,
     .only = true,
     .run = scene_verb_encode},
    {.name = "write",
     .counts = "frame",
     .doc = "Replaces the poses. Tracks whose poses do not change keep their bytes.",
     .params = scene_write_params,
     .is = scene_is_clip,
     .only = true,
     .run = scene_verb_write},
    {0},
};
