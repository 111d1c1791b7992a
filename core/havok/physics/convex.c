/* Convex shapes of Fallout 4: hulls, spheres, capsules. Reference: formats/fo4-collision.md#3.2.
 *
 * Vertices come in fours: the last one is repeated, with its w, until they do. So do planes, with anything.
 * Spheres are four times their centre, capsules the box around their axis. */
#include "havok/physics/convex.h"

#include "havok/physics/types.h"

enum { TAG = 0x3F000000 };

/* 0x3F000000 and the vertex's number. */
int64_t hk_vertex_tag(const rec_at *at)
{
    return TAG | (int64_t)(at->index & UINT16_MAX);
}

int64_t hk_one(const rec_at *at)
{
    (void)at;
    return 1;
}
