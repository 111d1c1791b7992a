#include "model/skeleton.h"

#include "base/error.h"

void model_skeleton_init(model_skeleton *skeleton, const mem *m)
{
    *skeleton = (model_skeleton){.mem = *m};
}

lathe_result model_skeleton_alloc(model_skeleton *skeleton, size_t bones, lathe_error *err)
{
    if (bones > SIZE_MAX / sizeof *skeleton->bones)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    skeleton->bones = bones ? mem_zalloc(&skeleton->mem, bones * sizeof *skeleton->bones) : NULL;
    if (bones && !skeleton->bones)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    skeleton->bone_count = bones;
    for (size_t i = 0; i < bones; i++)
        skeleton->bones[i] =
            (model_bone){.parent = -1, .mirror = -1, .pose = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}};
    return LATHE_OK;
}

void model_skeleton_free(model_skeleton *skeleton)
{
    mem_free(&skeleton->mem, skeleton->bones, skeleton->bone_count * sizeof *skeleton->bones);
    skeleton->bones = NULL;
    skeleton->bone_count = 0;
}

lathe_result model_skeleton_check(const model_skeleton *skeleton, lathe_error *err)
{
    size_t n = skeleton->bone_count;
    for (size_t i = 0; i < n; i++)
        if (skeleton->bones[i].parent < -1 || skeleton->bones[i].parent >= (int64_t)n)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "bone %zu has bone %ld as its parent, of %zu", i,
                             (long)skeleton->bones[i].parent, n);
    /* Two walkers, one twice as fast: they meet where there is no way up to a root. */
    for (size_t i = 0; i < n; i++) {
        int32_t slow = (int32_t)i, fast = (int32_t)i;
        do {
            for (int step = 0; step < 2 && fast >= 0; step++)
                fast = skeleton->bones[fast].parent;
            slow = skeleton->bones[slow].parent;
        } while (fast >= 0 && fast != slow);
        if (fast >= 0)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "bone %zu is among its own ancestors", i);
    }
    return LATHE_OK;
}
