/* Bounding box and bounding sphere of a shape's vertices. */
#ifndef LATHE_NIF_EXTENT_H
#define LATHE_NIF_EXTENT_H

#include "nif/geometry/mesh.h"

typedef struct nif_extent {
    float sphere
        [4]; /* around the middle of their box: centre, and a radius that reaches all of them */
    float half[3]; /* of the box's sides */
} nif_extent;

/* Of positions. LATHE_ERR_INVALID: there are none, or they are not all numbers; LATHE_ERR_MEMORY. */
lathe_result nif_extent_of(lathe_doc *doc, const nif_lanes *positions, nif_extent *out);

#endif
