/* The bones of packed vertices. formats/nif.md#73-skinning */
#include "nif/geometry/check.h"

/* A vertex and one of its four bones; NO_LANE: none. */
#define NO_LANE UINT64_MAX

/* Finds the first bone that does not exist; prefers one with a weight. */
static uint64_t wrong_lane(const nif_column *packed, const nif_vertex *layout, uint64_t bones,
                           bool *moves)
{
    const uint8_t *p = packed->p + layout->skin;
    uint64_t wrong = NO_LANE;
    for (uint64_t i = 0; i < packed->count; i++, p += layout->stride)
        for (unsigned lane = 0; lane < 4; lane++) {
            if (p[8 + lane] < bones)
                continue;
            *moves = bytes_ld16(p + 2 * lane, false) & 0x7FFF; /* not zero, as a half */
            wrong = *moves || wrong == NO_LANE ? 4 * i + lane : wrong;
            if (*moves)
                return wrong;
        }
    return wrong;
}

void nif_check_lanes(rec_report *report, const rec_at *at, const nif_column *packed,
                     const nif_vertex *layout, uint64_t bones)
{
    bool moves = false;
    rec_at vertex;
    if (layout->skin < 0 || bones > UINT8_MAX)
        return;
    uint64_t wrong = wrong_lane(packed, layout, bones, &moves), lane = wrong % 4;
    if (wrong == NO_LANE ||
        rec_sub(at, rec_slot_find(at->layout, "vertices"), wrong / 4, &vertex, NULL) != LATHE_OK)
        return;
    const uint8_t *bone =
        packed->p + layout->stride * (wrong / 4) + (unsigned)layout->skin + 8 + lane;
    rec_finding(report, moves ? LATHE_LEVEL_ERROR : LATHE_LEVEL_WARNING, &vertex,
                rec_slot_find(vertex.layout, "bones"), lane,
                "there is no bone %u (from 0) of %llu%s", *bone, (unsigned long long)bones,
                moves ? "" : "; its weight is 0");
}
