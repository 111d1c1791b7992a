/* How control points are packed: what all of a packing have in common. */
#include "havok/animation/maths/spline_part.h"

const hk_packing_facts hk_packings[HK_PACKING_COUNT] = {
    [HK_POLAR32] = {4, 4, "POLAR32"},         [HK_THREECOMP40] = {5, 1, "THREECOMP40"},
    [HK_THREECOMP48] = {6, 2, "THREECOMP48"}, [HK_THREECOMP24] = {0, 1, "THREECOMP24"},
    [HK_STRAIGHT16] = {0, 1, "STRAIGHT16"},   [HK_UNCOMPRESSED] = {16, 4, "UNCOMPRESSED"},
    [HK_SCALAR8] = {1, 1, "BITS8"},           [HK_SCALAR16] = {2, 2, "BITS16"},
};
