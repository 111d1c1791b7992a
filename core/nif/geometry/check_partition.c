/* Checks the partitions of a NiSkinPartition: indices of vertices and bones, and weights.
 * formats/nif.md#73-skinning */
#include "nif/geometry/check.h"

#include "gen/nif_types.h"
#include "record/offset_cache.h"

#include <math.h>

/* A partition, and the limits of its indices. */
typedef struct part_look {
    rec_report *report;
    const rec_at *at;
    uint64_t vertices, bones; /* of the shape and of the skin */
    uint64_t own_vertices, own_bones;
    uint64_t each; /* weights per vertex */
} part_look;

static uint32_t slot_of(const part_look *p, const char *row)
{
    return rec_slot_find(p->at->layout, row);
}

/* Reports the first u16 of a field, `each` per element, that is not below the limit. */
static void check_numbers(const part_look *p, const char *row, unsigned each, uint64_t limit,
                          const char *what)
{
    nif_column c;
    if (!nif_column_find(p->at, row, 2 * (uint64_t)each, &c))
        return;
    for (uint64_t i = 0; i < each * c.count; i++) {
        unsigned number = bytes_ld16(c.p + 2 * i, false);
        if (number < limit)
            continue;
        rec_finding(p->report, LATHE_LEVEL_ERROR, p->at, slot_of(p, row), i / each,
                    "there is no %s %u (from 0) of %llu", what, number, (unsigned long long)limit);
        return;
    }
}

/* Reports bones that do not exist. One without a weight moves nothing, so it is only a warning. */
static void check_bone_indices(const part_look *p)
{
    nif_column numbers, weights;
    uint64_t wrong = UINT64_MAX;
    lathe_level level = LATHE_LEVEL_WARNING;
    bool weighted = nif_column_find(p->at, "weights", 4, &weights);
    if (!nif_column_find(p->at, "bone_indices", 1, &numbers))
        return;
    for (uint64_t i = 0; i < numbers.count && level == LATHE_LEVEL_WARNING; i++) {
        bool moves = !weighted || i >= weights.count || nif_float_at(weights.p + 4 * i) != 0;
        if (numbers.p[i] < p->own_bones || (!moves && wrong != UINT64_MAX))
            continue;
        wrong = i;
        level = moves ? LATHE_LEVEL_ERROR : LATHE_LEVEL_WARNING;
    }
    if (wrong != UINT64_MAX)
        rec_finding(p->report, level, p->at, slot_of(p, "bone_indices"), wrong,
                    "there is no bone %u (from 0) of %llu%s", numbers.p[wrong],
                    (unsigned long long)p->own_bones,
                    level == LATHE_LEVEL_ERROR ? "" : "; its weight is 0");
}

static void check_weights(const part_look *p)
{
    nif_column weights;
    if (!p->each || !nif_column_find(p->at, "weights", 4, &weights))
        return;
    for (uint64_t v = 0; v < weights.count / p->each; v++) {
        double sum = 0;
        for (uint64_t k = 0; k < p->each; k++)
            sum += (double)nif_float_at(weights.p + 4 * (p->each * v + k));
        if (!(fabs(sum - 1) > 0.01)) /* or NaN, which is reported elsewhere */
            continue;
        rec_finding(p->report, LATHE_LEVEL_WARNING, p->at, slot_of(p, "weights"), p->each * v,
                    "the weights of vertex %llu (from 0) add up to %.3g", (unsigned long long)v,
                    sum);
        return;
    }
}

/* Compares the two copies of the triangles in Skyrim SE. */
static void check_copy(const part_look *p)
{
    nif_column list, copy;
    if (!nif_column_find(p->at, "triangles", 6, &list) ||
        !nif_column_find(p->at, "triangles_copy", 6, &copy))
        return;
    for (uint64_t i = 0; i < list.count && i < copy.count; i++)
        if (memcmp(list.p + 6 * i, copy.p + 6 * i, 6) != 0) {
            rec_finding(p->report, LATHE_LEVEL_WARNING, p->at, slot_of(p, "triangles_copy"), i,
                        "not the same as in triangles");
            return;
        }
}

static void check_part(const part_look *p, bool se)
{
    check_numbers(p, "bones", 1, p->bones, "bone");
    check_numbers(p, "vertex_map", 1, p->vertices, "vertex");
    check_numbers(p, "triangles", 3, se ? p->vertices : p->own_vertices, "vertex");
    check_numbers(p, "triangles_copy", 3, p->vertices, "vertex");
    check_numbers(p, "strips", 1, p->own_vertices, "vertex");
    if (se && rec_int(p->at, "num_strips"))
        rec_finding(p->report, LATHE_LEVEL_ERROR, p->at, slot_of(p, "num_strips"), REC_NO_ITEM,
                    "strips: Skyrim SE draws single triangles only");
    check_bone_indices(p);
    check_weights(p);
    check_copy(p);
}

void nif_check_partition(rec_report *report, const rec_at *at, uint64_t vertices, uint64_t bones)
{
    rec_loc loc;
    rec_at part;
    nif_vertex layout;
    nif_column packed;
    bool se = NIF_AT_B(at) == NIF_SKYRIM_SE;
    uint32_t slot = rec_slot_find(at->layout, "partitions");
    uint64_t desc =
        se ? NIF_DESCRIPTOR((uint64_t)rec_int(at, "vertex_desc")) | NIF_FULL_POSITIONS : 0;
    if (se && nif_vertex_layout(desc, &layout) &&
        nif_column_find(at, "vertices", layout.stride, &packed))
        nif_check_lanes(report, at, &packed, &layout, bones);
    if (rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return;
    rec_offset_hold(at, slot, loc.data);
    for (uint64_t i = 0; i < loc.count && rec_sub(at, slot, i, &part, NULL) == LATHE_OK; i++) {
        const part_look p = {.report = report,
                             .at = &part,
                             .vertices = vertices,
                             .bones = bones,
                             .own_vertices = (uint64_t)rec_int(&part, "num_vertices"),
                             .own_bones = (uint64_t)rec_int(&part, "num_bones"),
                             .each = (uint64_t)rec_int(&part, "weights_per_vertex")};
        check_part(&p, se);
    }
    rec_offset_release(at, slot);
}
