/* Where a skeleton's bones are at rest. */
#include "havok/objects/objects.h"

#include <math.h>

static double lane(const uint8_t *p, unsigned i, bool big)
{
    return bytes_f32_widen(bytes_ld32(p + 4 * (uint64_t)i, big));
}

static mat4 transform_at(const uint8_t *p, bool big)
{
    const quat turn = {lane(p, 4, big), lane(p, 5, big), lane(p, 6, big), lane(p, 7, big)};
    return mat4_compose((vec3){lane(p, 0, big), lane(p, 1, big), lane(p, 2, big)},
                        quat_normalize(turn),
                        (vec3){lane(p, 8, big), lane(p, 9, big), lane(p, 10, big)});
}

lathe_result hk_rest_pose(const rec_at *skeleton, hk_pose *out, lathe_error *err)
{
    bytes_array poses, parents;
    bool big = hk_is_big(skeleton);
    *out = (hk_pose){.memory = &skeleton->doc->mem};
    if (hk_transforms(skeleton, "reference_pose", &poses, NULL) != LATHE_OK ||
        hk_elements(skeleton, "parent_indices", 2, &parents, NULL) != LATHE_OK ||
        parents.count < poses.count)
        return LATHE_OK;
    if (!poses.count)
        return LATHE_OK;
    out->places = mem_alloc(out->memory, (size_t)poses.count * sizeof *out->places);
    if (!out->places)
        return rec_no_memory(err);
    out->count = (size_t)poses.count;
    for (uint64_t i = 0; i < poses.count; i++) {
        int16_t parent = (int16_t)bytes_ld16(parents.bytes + 2 * i, big);
        mat4 local = transform_at(poses.bytes + HK_TRANSFORM_SIZE * i, big);
        bool below = parent >= 0 && (uint64_t)parent < i; /* others are told elsewhere */
        out->places[i] = below ? mat4_mul(&out->places[parent], &local) : local;
    }
    return LATHE_OK;
}

void hk_pose_free(hk_pose *pose)
{
    mem_free(pose->memory, pose->places, pose->count * sizeof *pose->places);
    *pose = (hk_pose){0};
}

/* The direction of a column, of length 1 where it has a length. */
static vec3 direction(const mat4 *m, unsigned column)
{
    return vec3_normalize((vec3){m->m[column][0], m->m[column][1], m->m[column][2]});
}

vec3 hk_place_of(const mat4 *m)
{
    return (vec3){m->m[3][0], m->m[3][1], m->m[3][2]};
}

double hk_turned_by(const mat4 *a, const mat4 *b)
{
    double most = 0;
    for (unsigned i = 0; i < 3; i++) {
        double d = vec3_length(vec3_sub(direction(a, i), direction(b, i)));
        if (isnan(d))
            return d;
        most = fmax(most, 2 * asin(fmin(1, d / 2)));
    }
    return most;
}
