/* Points and triangles that a verb of a NIF is given as a mesh, with materials of collision. */
#ifndef LATHE_NIF_CLOUD_H
#define LATHE_NIF_CLOUD_H

#include "nif/geometry/mesh.h"
#include "scene/soup.h"

/* In a node's own space, in metres. Of what is given as views: a shape's block of a NIF, or a NIF, which is all of its
 * shapes. */
typedef struct nif_cloud {
    scene_soup soup; /* .source, .place and .own are the caller's */
    lathe_doc *doc;
    bool one_material; /* `material` is that of all, whatever the meshes say */
    uint32_t material; /* of what says none */
    bool unknown;      /* some mesh says one that is no collision material */
} nif_cloud;

/* Stays where it was opened until its soup is closed. */
void nif_cloud_open(nif_cloud *cloud);

/* A collision material: its name, or the number that stands for it. */
lathe_result nif_read_material(const lathe_value *v, uint32_t *id, bool *known, lathe_error *err);

#endif
