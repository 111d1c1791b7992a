/* The two of many points that lie farthest apart. */
#ifndef LATHE_MODEL_FARTHEST_H
#define LATHE_MODEL_FARTHEST_H

#include "base/mem.h"
#include "base/vec.h"

typedef struct model_pair {
    size_t a, b;    /* a < b; of pairs as far apart the first one. Both 0: no two points differ */
    double squared; /* of their distance */
} model_pair;

/* In n log n for the shapes that models have. Points that are not finite are left out. False: no memory. */
bool model_farthest(const mem *memory, const vec3 *points, size_t n, model_pair *out);

#endif
