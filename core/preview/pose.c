/* Skeletons at rest or in the pose of a clip, and skinned meshes in it. */
#include "preview/pose.h"

#include "scene/rigs.h"

#include <string.h>

void preview_rig_free(preview_rig *rig)
{
    mem_free(rig->mem, rig->worlds, rig->count * sizeof *rig->worlds);
    mem_free(rig->mem, rig->parents, rig->count * sizeof *rig->parents);
    rig->worlds = NULL;
    rig->parents = NULL;
    rig->count = 0;
}

/* Parents that are no bones, or lead in circles, become -1. */
static size_t sound_parents(const model_skeleton *skeleton, int32_t *parents)
{
    size_t cut = 0, n = skeleton->bone_count;
    for (size_t i = 0; i < n; i++) {
        int32_t parent = skeleton->bones[i].parent;
        bool fine = parent >= -1 && (parent < 0 || (size_t)parent < n);
        parents[i] = fine ? parent : -1;
        cut += !fine;
    }
    for (size_t i = 0; i < n; i++) {
        int32_t at = parents[i];
        size_t steps = 0;
        for (; at >= 0 && steps <= n && (size_t)at != i; steps++)
            at = parents[at];
        if (at < 0)
            continue;
        parents[i] = -1;
        cut++;
    }
    return cut;
}

static mat4 local_of(const double *row)
{
    return mat4_compose((vec3){row[0], row[1], row[2]},
                        quat_normalize((quat){row[3], row[4], row[5], row[6]}),
                        (vec3){row[7], row[8], row[9]});
}

/* Bone by bone up to one whose place is known; `done` says which are. */
static void place_bone(preview_rig *rig, bool *done, size_t bone)
{
    while (!done[bone]) {
        size_t at = bone;
        while (rig->parents[at] >= 0 && !done[rig->parents[at]])
            at = (size_t)rig->parents[at];
        if (rig->parents[at] >= 0)
            rig->worlds[at] = mat4_mul(&rig->worlds[rig->parents[at]], &rig->worlds[at]);
        done[at] = true;
    }
}

lathe_result preview_rig_of(const preview *p, lathe_doc *doc, uint64_t number, const float *rows,
                            preview_rig *rig, lathe_error *err)
{
    *rig = (preview_rig){.mem = &p->mem};
    lathe_result r = scene_rig(doc, number, &rig->skeleton, err);
    size_t n = r == LATHE_OK ? rig->skeleton->bone_count : 0;
    if (!n)
        return r;
    bool *done = mem_zalloc(&p->mem, n);
    rig->worlds = mem_alloc(&p->mem, n * sizeof *rig->worlds);
    rig->parents = mem_alloc(&p->mem, n * sizeof *rig->parents);
    rig->count = n;
    if (!done || !rig->worlds || !rig->parents) {
        mem_free(&p->mem, rig->worlds, rig->worlds ? n * sizeof *rig->worlds : 0);
        mem_free(&p->mem, rig->parents, rig->parents ? n * sizeof *rig->parents : 0);
        mem_free(&p->mem, done, done ? n : 0);
        *rig = (preview_rig){.mem = &p->mem};
        return rec_no_memory(err);
    }
    size_t cut = sound_parents(rig->skeleton, rig->parents);
    if (cut)
        preview_skip(p, NULL, "%zu parents of bones that do not exist or lead in circles", cut);
    for (size_t i = 0; i < n; i++) {
        double row[MODEL_POSE];
        for (size_t k = 0; k < MODEL_POSE; k++)
            row[k] = rows ? (double)rows[MODEL_POSE * i + k] : rig->skeleton->bones[i].pose[k];
        rig->worlds[i] = local_of(row);
    }
    for (size_t i = 0; i < n; i++)
        place_bone(rig, done, i);
    mem_free(&p->mem, done, n);
    return LATHE_OK;
}

/* ---- clips --------------------------------------------------------------------------------------- */

/* Where the skeleton of a clip is: given, in the clip's document, or what that was linked to. */
lathe_result preview_skeleton_for(const preview *p, lathe_doc *clip, lathe_doc **doc,
                                  uint64_t *number, lathe_error *err)
{
    uint64_t n = 0;
    *doc = p->options.skeleton ? p->options.skeleton : clip;
    *number = p->options.skeleton_index;
    lathe_result r = scene_count(*doc, LATHE_SKELETONS, &n, err);
    if (r != LATHE_OK || n)
        return r;
    if (!p->options.skeleton && scene_linked(clip)) {
        *number = SCENE_LINKED;
        return LATHE_OK;
    }
    return p->options.skeleton
               ? error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the document has no skeleton")
               : error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                           "the clip has no skeleton: give one");
}

/* Rows of the skeleton's bones at rest, then those of the tracks over them. */
static lathe_result sample(const preview *p, lathe_doc *clip, lathe_doc *from, uint64_t number,
                           const model_skeleton *skeleton, const model_when *when, float *rows,
                           lathe_error *err)
{
    lathe_clip_info info = {.size = sizeof info};
    uint64_t at = p->options.clip_index, moved = 0;
    lathe_result r = lathe_clip_describe(clip, at, &info, err);
    if (r == LATHE_OK)
        r = lathe_clip_ready(clip, at, err);
    if (r != LATHE_OK)
        return r;
    for (size_t i = 0; i < skeleton->bone_count; i++)
        for (size_t k = 0; k < MODEL_POSE; k++)
            rows[MODEL_POSE * i + k] = (float)skeleton->bones[i].pose[k];
    lathe_sampling how = {.size = sizeof how,
                          .by_time = when->is_time,
                          .at = when->at,
                          .skeleton = from,
                          .skeleton_index = (uint32_t)number};
    for (uint64_t t = 0; r == LATHE_OK && t < info.tracks; t++) {
        const char *name = NULL;
        int64_t stored = -1;
        uint64_t bone = 0;
        float row[LATHE_POSE];
        r = lathe_clip_track(clip, at, LATHE_BONE_TRACKS, t, &name, &stored, err);
        bool found =
            name && scene_rig_bone(from, number, name, strlen(name), &bone, NULL) == LATHE_OK;
        if (r == LATHE_OK && !name && stored >= 0) {
            bone = (uint64_t)stored;
            found = bone < skeleton->bone_count;
        }
        if (r != LATHE_OK)
            return r;
        if (!found) {
            preview_skip(p, name, "the skeleton has no such bone");
            continue;
        }
        r = lathe_clip_sample(clip, at, &how, t, 1, row, LATHE_POSE, err);
        if (r == LATHE_OK)
            memcpy(rows + MODEL_POSE * bone, row, sizeof row);
        moved++;
    }
    if (r == LATHE_OK && info.tracks && !moved)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the clip moves no bone of the skeleton '%s': it is another one's",
                         skeleton->name ? skeleton->name : "");
    if (r == LATHE_OK && info.blend_hint && strcmp(info.blend_hint, "normal") != 0)
        preview_note(p, "the clip is %s: it is shown as it is stored, without what it is added to",
                     info.blend_hint);
    return r;
}

lathe_result preview_pose_of(const preview *p, lathe_doc *clip, const model_when *when,
                             preview_rig *rig, lathe_error *err)
{
    lathe_doc *from;
    uint64_t number;
    const model_skeleton *skeleton;
    *rig = (preview_rig){.mem = &p->mem};
    lathe_result r = preview_skeleton_for(p, clip, &from, &number, err);
    if (r == LATHE_OK)
        r = scene_rig(from, number, &skeleton, err);
    if (r != LATHE_OK)
        return r;
    size_t size = skeleton->bone_count * MODEL_POSE * sizeof(float);
    float *rows = mem_alloc(&p->mem, size ? size : 1);
    if (!rows)
        return rec_no_memory(err);
    r = sample(p, clip, from, number, skeleton, when, rows, err);
    if (r == LATHE_OK)
        r = preview_rig_of(p, from, number, rows, rig, err);
    mem_free(&p->mem, rows, size ? size : 1);
    return r;
}

/* ---- skinned meshes ------------------------------------------------------------------------------ */

static const mat4 *bone_named(const preview_rig *rig, const char *name)
{
    for (size_t i = 0; name && i < rig->count; i++)
        if (rig->skeleton->bones[i].name && strcmp(rig->skeleton->bones[i].name, name) == 0)
            return &rig->worlds[i];
    return NULL;
}

static lathe_result pose_part(const preview *p, const preview_rig *rig, preview_part *part,
                              lathe_error *err)
{
    size_t n = part->mesh->bone_count;
    mat4 *worlds = mem_alloc(&p->mem, n * sizeof *worlds);
    if (!worlds)
        return rec_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const model_mesh_bone *bone = &part->mesh->bones[i];
        const mat4 *there = bone_named(rig, bone->name);
        worlds[i] = there ? *there : bone->world;
        if (!there)
            preview_skip(p, bone->name, "the skeleton has no such bone: it stays at rest");
    }
    lathe_result r = preview_skin(p, part, worlds, err);
    mem_free(&p->mem, worlds, n * sizeof *worlds);
    return r;
}

lathe_result preview_pose_parts(const preview *p, const preview_rig *rig, preview_scene *scene,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < scene->count; i++)
        if (scene->parts[i].posed)
            r = pose_part(p, rig, &scene->parts[i], err);
    return r;
}
