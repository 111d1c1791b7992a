#include "havok/objects/finding.h"

const char *hk_rotation_wrong(const uint8_t *p, bool big, lathe_level *level)
{
    double sum = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        double v = bytes_f32_widen(bytes_ld32(p + 4 * lane, big));
        sum += v * v;
    }
    *level = LATHE_LEVEL_ERROR;
    if (!(sum <= 0x1p1000))
        return "a rotation of what are no finite numbers";
    if (!(sum > 0))
        return "a rotation of length 0";
    *level = LATHE_LEVEL_WARNING;
    return sum < 0.99 || sum > 1.01 ? "a rotation whose length is not 1" : NULL;
}
