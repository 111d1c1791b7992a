/* Where bones are. */
#include "preview/bones.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

/* What is known of a bone while all are placed. */
enum { NEW, ENTERED, PLACED };

static void local_row(const preview_bones *b, const float *rows, size_t i, float out[MODEL_POSE])
{
    for (unsigned k = 0; k < MODEL_POSE; k++)
        out[k] = rows ? rows[i * MODEL_POSE + k] : (float)b->skeleton->bones[i].pose[k];
}

/* Places a bone, and before it the bones above it. path: room for all bones. */
static void place(preview_bones *b, const float *rows, size_t bone, uint8_t *states, size_t *path)
{
    size_t depth = 0;
    for (size_t at = bone; states[at] == NEW;) {
        states[at] = ENTERED;
        path[depth++] = at;
        int32_t parent = b->skeleton->bones[at].parent;
        bool known = parent >= 0 && (size_t)parent < b->count;
        if (parent == -1)
            break;
        if (!known || states[parent] == ENTERED) {
            b->cut++;
            break;
        }
        b->parents[at] = parent;
        at = (size_t)parent;
    }
    while (depth > 0) {
        size_t at = path[--depth];
        float local[MODEL_POSE], *world = b->worlds + at * MODEL_POSE;
        local_row(b, rows, at, local);
        if (b->parents[at] < 0)
            memcpy(world, local, sizeof local);
        else
            model_pose_above(b->worlds + (size_t)b->parents[at] * MODEL_POSE, local, world);
        states[at] = PLACED;
    }
}

lathe_result preview_bones_pose(const mem *m, const model_skeleton *skeleton, const float *rows,
                                preview_bones *out, lathe_error *err)
{
    size_t n = skeleton->bone_count;
    *out = (preview_bones){.mem = m, .skeleton = skeleton, .count = n};
    if (n == 0)
        return LATHE_OK;
    out->parents = mem_alloc(m, n * sizeof *out->parents);
    out->worlds = mem_alloc(m, n * MODEL_POSE * sizeof *out->worlds);
    uint8_t *states = mem_zalloc(m, n);
    size_t *path = mem_alloc(m, n * sizeof *path);
    bool ok = out->parents && out->worlds && states && path;
    for (size_t i = 0; ok && i < n; i++)
        out->parents[i] = -1;
    for (size_t i = 0; ok && i < n; i++)
        place(out, rows, i, states, path);
    vec3 point;
    for (size_t i = 0; ok && i < n; i++)
        out->not_finite += !preview_bones_point(out, i, &point);
    mem_free(m, states, n);
    mem_free(m, path, n * sizeof *path);
    return ok ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

void preview_bones_free(preview_bones *bones)
{
    if (!bones->mem)
        return;
    mem_free(bones->mem, bones->parents, bones->count * sizeof *bones->parents);
    mem_free(bones->mem, bones->worlds, bones->count * MODEL_POSE * sizeof *bones->worlds);
    bones->parents = NULL;
    bones->worlds = NULL;
    bones->count = 0;
}

bool preview_bones_point(const preview_bones *bones, size_t i, vec3 *out)
{
    const float *row = bones->worlds + i * MODEL_POSE;
    *out = (vec3){(double)row[0], (double)row[1], (double)row[2]};
    return isfinite(out->x) && isfinite(out->y) && isfinite(out->z);
}

/* ---- sides ---------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the name at p begins with a word in small letters, in any case. */
static bool begins(const char *p, const char *word)
{
    for (; *word; p++, word++)
        if ((*p | 0x20) != *word)
            return false;
    return true;
}

preview_side preview_side_of(const char *name)
{
    for (const char *p = name; p && *p; p++) {
        if (begins(p, "left"))
            return PREVIEW_LEFT;
        if (begins(p, "right"))
            return PREVIEW_RIGHT;
        bool single = (p == name || !is_letter(p[-1])) && !is_letter(p[1]);
        if (single && (*p == 'L' || *p == 'l'))
            return PREVIEW_LEFT;
        if (single && (*p == 'R' || *p == 'r'))
            return PREVIEW_RIGHT;
    }
    return PREVIEW_MIDDLE;
}

#define KEY(text, color)                                                                           \
    {                                                                                              \
        {text, sizeof text - 1}, color                                                             \
    }
const frame_key preview_side_keys[PREVIEW_SIDES] = {
    KEY("middle", 0x6b7484ff),
    KEY("left, by name", 0x2f6fdeff),
    KEY("right, by name", 0xd9642bff),
};
