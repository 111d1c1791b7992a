/* Points and triangles that a verb is given as a mesh: of a document, of a program, of a script. */
#ifndef LATHE_NIF_CLOUD_H
#define LATHE_NIF_CLOUD_H

#include "nif/mesh.h"

/* In a node's own space, in metres. */
typedef struct nif_cloud {
    lathe_doc *doc;
    const lathe_source *source;
    mat4 to_node;      /* from the document's space to the node's, in units of the game */
    bool own;          /* what has a transform is in the node's space, too */
    bool one_material; /* `material` is that of all, whatever the meshes say */
    uint32_t material; /* of what says none */
    bool unknown;      /* some mesh says one that is no collision material */
    buf positions;     /* float[3] each */
    buf triangles;     /* uint32_t[3] each */
    buf of;            /* uint16_t each: of a triangle its number among the materials */
    buf materials;     /* uint32_t each */
} nif_cloud;

void nif_cloud_open(nif_cloud *cloud);
void nif_cloud_close(nif_cloud *cloud);
static inline size_t nif_cloud_points(const nif_cloud *c)
{
    return c->positions.size / (3 * sizeof(float));
}
static inline size_t nif_cloud_triangles(const nif_cloud *c)
{
    return c->triangles.size / (3 * sizeof(uint32_t));
}

/* Adds a mesh, or a list of them, as the source gave it:
 *   - a shape's block of a NIF, or a NIF: all of its shapes;
 *   - a table with positions and, unless only points are wanted, indices; with transform, and material, materials
 *     (of the triangles, or with triangle_materials, which count from 0);
 *   - a list or buffer of positions.
 * What has a transform lies in the document's space, but for meshes of what collides (`shape`). */
lathe_result nif_cloud_add(nif_cloud *cloud, const lathe_value *leaf, const void *node,
                           lathe_error *err);
/* Whether it is a list of meshes, and not one. */
bool nif_cloud_is_list(const lathe_source *source, const lathe_value *leaf, const void *node);

/* Sixteen numbers, column after column: a transform. False: it is none. */
bool nif_read_matrix(const lathe_source *source, const void *node, mat4 *out);
/* A collision material: its name, or the number that stands for it. */
lathe_result nif_read_material(const lathe_value *v, uint32_t *id, bool *known, lathe_error *err);

#endif
