/* Search for the two most distant points of a set. */
#ifndef LATHE_MODEL_FARTHEST_H
#define LATHE_MODEL_FARTHEST_H

#include "base/mem.h"
#include "base/vec.h"

typedef struct model_far_pair {
    /* a < b; the first pair of those with the same distance. Both 0: all points are equal */
    size_t a, b;
    double squared; /* square of their distance */
} model_far_pair;

/* Takes O(n log n) time for typical models. Ignores points that are not finite. False: no memory. */
bool model_farthest(const mem *memory, const vec3 *points, size_t n, model_far_pair *out);

#endif
