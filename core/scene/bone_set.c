/* Setting members of bones, for any format: checks the values, and calls the hook. */
#include "scene/rigs.h"

#include <float.h>
#include <math.h>

static lathe_result refuse(uint64_t bone, lathe_error *err, const char *what)
{
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "bone %llu: %s",
                     (unsigned long long)bone, what);
}

/* Fails if the bone is among the new ancestors. The search is limited, because the parents in a damaged file may form
 * a cycle. */
static lathe_result check_parent(const model_skeleton *rig, uint64_t bone, int64_t parent,
                                 lathe_error *err)
{
    if (parent < -1 || parent >= (int64_t)rig->bone_count)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "bone %llu: a parent from -1 to %lld expected, got %lld",
                         (unsigned long long)bone, (long long)rig->bone_count - 1,
                         (long long)parent);
    size_t steps = 0;
    for (int64_t up = parent; up >= 0; up = rig->bones[up].parent) {
        if (up == (int64_t)bone || steps++ > rig->bone_count)
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "bone %llu: with bone %lld as its parent it would be among its own "
                             "ancestors",
                             (unsigned long long)bone, (long long)parent);
        if (rig->bones[up].parent >= (int64_t)rig->bone_count)
            break; /* a cycle in a damaged file */
    }
    return LATHE_OK;
}

static const struct {
    unsigned bit;
    int first, n;
} runs[] = {{MODEL_BONE_T, 0, 3}, {MODEL_BONE_Q, 3, 4}, {MODEL_BONE_S, 7, 3}};

static lathe_result check_pose(uint64_t bone, unsigned what, const double *pose, lathe_error *err)
{
    for (size_t k = 0; k < REC_COUNT_OF(runs); k++)
        for (int i = runs[k].first; what & runs[k].bit && i < runs[k].first + runs[k].n; i++)
            if (!(fabs(pose[i]) <= FLT_MAX))
                return refuse(bone, err, "a finite number expected, of single precision");
    bool turned = false;
    for (int i = 3; i < 7; i++)
        turned = turned || (float)pose[i] != 0;
    return what & MODEL_BONE_Q && !turned
               ? refuse(bone, err, "a rotation of zeros has no direction")
               : LATHE_OK;
}

static lathe_result check(const model_skeleton *rig, uint64_t bone, unsigned what,
                          const model_bone *values, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (what & MODEL_BONE_PARENT)
        r = check_parent(rig, bone, values->parent, err);
    if (r == LATHE_OK && what & MODEL_BONE_MIRROR &&
        (values->mirror < -1 || values->mirror >= (int64_t)rig->bone_count))
        r = refuse(bone, err, "its mirror is no bone");
    return r == LATHE_OK ? check_pose(bone, what, values->pose, err) : r;
}

static model_bone merged(const model_bone *was, unsigned what, const model_bone *values)
{
    model_bone now = *was;
    if (what & MODEL_BONE_NAME)
        now.name = values->name;
    if (what & MODEL_BONE_PARENT)
        now.parent = values->parent;
    if (what & MODEL_BONE_MIRROR)
        now.mirror = values->mirror;
    for (size_t k = 0; k < REC_COUNT_OF(runs); k++)
        if (what & runs[k].bit)
            memcpy(now.pose + runs[k].first, values->pose + runs[k].first,
                   (size_t)runs[k].n * sizeof *now.pose);
    return now;
}

lathe_result scene_bone_set(lathe_doc *doc, uint64_t i, uint64_t bone, unsigned what,
                            const model_bone *values, lathe_error *err)
{
    const model_skeleton *rig;
    const lathe_format *format = doc->containers[0].format;
    lathe_result r = scene_rig(doc, i, &rig, err);
    if (r == LATHE_OK && bone >= rig->bone_count)
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "bone %llu of %zu",
                      (unsigned long long)bone, rig->bone_count);
    if (r == LATHE_OK && (i == SCENE_LINKED || !scene_of(format)->skeleton_set))
        r = error_set(err, LATHE_ERR_READONLY, LATHE_NO_OFFSET, "it is a copy");
    if (r == LATHE_OK)
        r = check(rig, bone, what, values, err);
    if (r != LATHE_OK || (r = rec_begin(doc, err)) != LATHE_OK)
        return r;
    uint64_t before = doc->changes;
    model_bone now =
        merged(&rig->bones[bone], what, values); /* the rig may be read again meanwhile */
    r = rec_end(doc, scene_of(format)->skeleton_set(doc, i, bone, what, &now, err), err);
    if (r == LATHE_OK && !(what & MODEL_BONE_NAME))
        scene_rig_changed(doc, i, bone, &now, before);
    return r;
}
