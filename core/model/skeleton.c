#include "model/skeleton.h"

#include "base/error.h"

#include <string.h>

void model_skeleton_init(model_skeleton *skeleton, const mem *m)
{
    *skeleton = (model_skeleton){.mem = *m};
    arena_init(&skeleton->texts, &skeleton->mem);
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

lathe_result model_skeleton_slots(model_skeleton *skeleton, size_t slots, lathe_error *err)
{
    if (slots < SIZE_MAX / sizeof *skeleton->slots)
        skeleton->slots = arena_zalloc(&skeleton->texts, (slots + 1) * sizeof *skeleton->slots);
    if (!skeleton->slots)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    skeleton->slot_count = slots;
    for (size_t i = 0; i < slots; i++)
        skeleton->slots[i] = "";
    return LATHE_OK;
}

const char *model_skeleton_text(model_skeleton *skeleton, const char *p, size_t n)
{
    char *text = n < SIZE_MAX ? arena_zalloc(&skeleton->texts, n + 1) : NULL;
    if (text && n)
        memcpy(text, p, n);
    return text;
}

/* Replaces a text by a copy. NULL stays NULL. False: out of memory. */
static bool own_text(model_skeleton *skeleton, const char **text)
{
    if (*text)
        *text = model_skeleton_text(skeleton, *text, strlen(*text));
    else
        return true;
    return *text != NULL;
}

lathe_result model_skeleton_copy(model_skeleton *to, const model_skeleton *from, lathe_error *err)
{
    lathe_result r = model_skeleton_alloc(to, from->bone_count, err);
    if (r == LATHE_OK && from->slots)
        r = model_skeleton_slots(to, from->slot_count, err);
    if (r != LATHE_OK)
        return r;
    to->name = from->name;
    to->z_up = from->z_up;
    to->metres = from->metres;
    to->front = from->front;
    bool room = own_text(to, &to->name);
    for (size_t i = 0; room && i < to->bone_count; i++) {
        to->bones[i] = from->bones[i];
        room = own_text(to, &to->bones[i].name);
    }
    for (size_t i = 0; room && i < to->slot_count; i++) {
        to->slots[i] = from->slots[i];
        room = own_text(to, &to->slots[i]);
    }
    return room ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

void model_skeleton_free(model_skeleton *skeleton)
{
    arena_free(&skeleton->texts);
    mem_free(&skeleton->mem, skeleton->bones, skeleton->bone_count * sizeof *skeleton->bones);
    skeleton->bones = NULL;
    skeleton->slots = NULL;
    skeleton->bone_count = skeleton->slot_count = 0;
    skeleton->name = NULL;
    skeleton->source.doc = NULL;
}

/* Marks the bones from i up to a root or a bone that is already marked. Returns the bone where it stopped; -1: a root
 * was marked. */
static int32_t mark_up(const model_skeleton *skeleton, uint8_t *marks, int32_t i, uint8_t unmarked,
                       uint8_t mark)
{
    while (i >= 0 && marks[i] == unmarked) {
        marks[i] = mark;
        i = skeleton->bones[i].parent;
    }
    return i;
}

lathe_result model_skeleton_check(const model_skeleton *skeleton, lathe_error *err)
{
    enum { UNSEEN, ON_THE_WAY, GOOD };
    size_t n = skeleton->bone_count;
    lathe_result r = LATHE_OK;
    for (size_t i = 0; i < n; i++)
        if (skeleton->bones[i].parent < -1 || skeleton->bones[i].parent >= (int64_t)n)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "bone %zu has bone %ld as its parent, of %zu", i,
                             (long)skeleton->bones[i].parent, n);
    uint8_t *marks = n ? mem_zalloc(&skeleton->mem, n) : NULL;
    if (n && !marks)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        int32_t end = mark_up(skeleton, marks, (int32_t)i, UNSEEN, ON_THE_WAY);
        if (end >= 0 && marks[end] == ON_THE_WAY)
            r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                          "bone %ld is among its own ancestors", (long)end);
        mark_up(skeleton, marks, (int32_t)i, ON_THE_WAY, GOOD);
    }
    mem_free(&skeleton->mem, marks, n);
    return r;
}
