/* Bounding box and bounding sphere of a shape's vertices. */
#ifndef LATHE_NIF_EXTENT_H
#define LATHE_NIF_EXTENT_H

#include "nif/geometry/mesh.h"

typedef struct nif_extent {
    float sphere[4]; /* centre of their box, and a radius that reaches all of them */
    float half[3];   /* half extents of the box */
} nif_extent;

/* Computes both from positions. LATHE_ERR_INVALID: there are none, or a coordinate is not finite.
 * LATHE_ERR_MEMORY. */
lathe_result nif_extent_of(lathe_doc *doc, const nif_lanes *positions, nif_extent *out);

#endif
