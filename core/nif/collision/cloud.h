/* Collects the points, triangles and collision materials of a mesh that is passed to a verb of a NIF. */
#ifndef LATHE_NIF_CLOUD_H
#define LATHE_NIF_CLOUD_H

#include "nif/geometry/mesh.h"
#include "scene/soup.h"

/* A mesh in the space of a node, in metres. A view in the source is the block of a shape, or a NIF with all its
 * shapes. */
typedef struct nif_cloud {
    scene_soup soup; /* the caller sets .source, .place and .own */
    lathe_doc *doc;
    bool one_material; /* `material` replaces the materials of the meshes */
    uint32_t material; /* of triangles without a material of their own */
    bool unknown;      /* some mesh has a material that is not a collision material */
} nif_cloud;

/* Prepares an empty cloud. The struct must not move until its soup is closed. */
void nif_cloud_open(nif_cloud *cloud);

/* Reads a collision material given by name or number. *known is false if the name is not in the table of
 * names. */
lathe_result nif_read_material(const lathe_value *v, uint32_t *id, bool *known, lathe_error *err);

#endif
