/* Skeletons at rest or in the pose of a clip. */
#include "preview/pose.h"

#include "scene/rigs.h"

#include <math.h>
#include <string.h>

void preview_rig_free(preview_rig *rig)
{
    if (!rig->mem)
        return;
    mem_free(rig->mem, rig->worlds, rig->count * sizeof *rig->worlds);
    mem_free(rig->mem, rig->parents, rig->count * sizeof *rig->parents);
    mem_free(rig->mem, rig->marks, rig->marks ? rig->count : 0);
    rig->marks = NULL;
    rig->worlds = NULL;
    rig->parents = NULL;
    rig->count = 0;
}

/* Of a parent's number and the parents that are known: */
enum { UNKNOWN = -2, WALKED = -3 };

/* Goes from a bone up to one that has its place in the order, to a root, or to a link that must be left out; adds the bones on
 * the way. Returns whether the last one's parent is left out. */
static bool walk_up(const model_skeleton *skeleton, size_t at, int32_t *parents, uint32_t *order,
                    size_t *count)
{
    for (;;) {
        int32_t up = skeleton->bones[at].parent;
        parents[at] = WALKED;
        order[(*count)++] = (uint32_t)at;
        if (up == -1)
            return false;
        if (up < 0 || (size_t)up >= skeleton->bone_count)
            return true;
        if (parents[up] != UNKNOWN)
            return parents[up] == WALKED;
        at = (size_t)up;
    }
}

size_t preview_order_bones(const model_skeleton *skeleton, int32_t *parents, uint32_t *order)
{
    size_t cut = 0, count = 0;
    for (size_t i = 0; i < skeleton->bone_count; i++)
        parents[i] = UNKNOWN;
    for (size_t i = 0; i < skeleton->bone_count; i++) {
        if (parents[i] != UNKNOWN)
            continue;
        size_t first = count;
        bool left_out = walk_up(skeleton, i, parents, order, &count);
        for (size_t low = first, high = count - 1; low < high; low++, high--) {
            uint32_t other = order[high];
            order[high] = order[low];
            order[low] = other;
        }
        for (size_t k = first; k < count; k++)
            parents[order[k]] = skeleton->bones[order[k]].parent;
        if (left_out)
            parents[order[first]] = -1;
        cut += left_out;
    }
    return cut;
}

static mat4 local_of(const double *row)
{
    return mat4_compose((vec3){row[0], row[1], row[2]},
                        quat_normalize((quat){row[3], row[4], row[5], row[6]}),
                        (vec3){row[7], row[8], row[9]});
}

bool preview_rig_point(const preview_rig *rig, size_t i, vec3 *out)
{
    const mat4 *m = &rig->worlds[i];
    *out = (vec3){m->m[3][0], m->m[3][1], m->m[3][2]};
    return isfinite(out->x) && isfinite(out->y) && isfinite(out->z);
}

/* Bones relative to their parents become places in the skeleton's space. */
static void place_bones(preview_rig *rig, const float *rows, const uint32_t *order)
{
    for (size_t k = 0; k < rig->count; k++) {
        size_t i = order[k];
        double row[MODEL_POSE];
        for (size_t n = 0; n < MODEL_POSE; n++)
            row[n] = rows ? (double)rows[MODEL_POSE * i + n] : rig->skeleton->bones[i].pose[n];
        mat4 local = local_of(row);
        rig->worlds[i] =
            rig->parents[i] < 0 ? local : mat4_mul(&rig->worlds[rig->parents[i]], &local);
        vec3 at;
        rig->lost += !preview_rig_point(rig, i, &at);
    }
}

lathe_result preview_rig_of(const preview *p, lathe_doc *doc, uint64_t number, const float *rows,
                            preview_rig *rig, lathe_error *err)
{
    *rig = (preview_rig){.mem = &p->mem, .doc = doc, .number = number};
    lathe_result r = scene_rig(doc, number, &rig->skeleton, err);
    size_t n = r == LATHE_OK ? rig->skeleton->bone_count : 0;
    if (!n)
        return r;
    uint32_t *order = mem_alloc(&p->mem, n * sizeof *order);
    rig->worlds = mem_alloc(&p->mem, n * sizeof *rig->worlds);
    rig->parents = mem_alloc(&p->mem, n * sizeof *rig->parents);
    rig->count = n;
    if (order && rig->worlds && rig->parents) {
        rig->cut = preview_order_bones(rig->skeleton, rig->parents, order);
        place_bones(rig, rows, order);
    } else {
        r = rec_no_memory(err);
        preview_rig_free(rig);
    }
    mem_free(&p->mem, order, n * sizeof *order);
    return r;
}

size_t preview_side_count(const preview_frame *frame, const model_skeleton *skeleton)
{
    for (size_t i = 0; !frame->cell && i < skeleton->bone_count && i < PREVIEW_BONES; i++)
        if (preview_side_of(skeleton->bones[i].name) != PREVIEW_MIDDLE)
            return PREVIEW_SIDES;
    return 0;
}

void preview_rig_left_out(const preview *p, const preview_rig *rig, preview_rig_texts *texts)
{
    const struct {
        size_t n;
        const char *one, *many;
    } facts[PREVIEW_RIG_TEXTS] = {
        {rig->cut, " parent that is no bone or leads in a circle is left out",
         " parents that are no bones or lead in a circle are left out"},
        {rig->lost, " bone whose place is no number is not drawn",
         " bones whose place is no number are not drawn"},
        {rig->count > PREVIEW_BONES ? rig->count - PREVIEW_BONES : 0,
         " bone beyond the most that are drawn is left out",
         " bones beyond the most that are drawn are left out"},
    };
    for (size_t i = 0; i < PREVIEW_RIG_TEXTS; i++) {
        char *text = texts->text[i];
        text[0] = 0;
        if (!facts[i].n)
            continue;
        frame_append_count(text, sizeof texts->text[i], facts[i].n, facts[i].one, facts[i].many);
        preview_skip(p, NULL, "%s", text);
    }
}

void preview_rig_told(const preview *p, const preview_rig *rig, preview_frame *frame,
                      preview_rig_texts *texts)
{
    if (rig->number == LATHE_NODES) {
        preview_note(p, PREVIEW_NODES);
        frame_note(frame, PREVIEW_NODES);
    }
    preview_rig_left_out(p, rig, texts);
    for (size_t i = 0; i < PREVIEW_RIG_TEXTS; i++)
        if (texts->text[i][0])
            frame_note(frame, texts->text[i]);
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
