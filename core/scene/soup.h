/* Collects points and triangles from the meshes that a verb is given: by a document, a C program or a script. */
#ifndef LATHE_SCENE_SOUP_H
#define LATHE_SCENE_SOUP_H

#include "model/mesh.h"
#include "record/record.h"

typedef struct scene_soup scene_soup;

struct scene_soup {
    const mem *mem;
    const lathe_source *source;
    mat4 place;  /* from mesh space to the target space … */
    double unit; /* … of which this many units make one unit of `positions` */
    bool own;    /* a mesh with a transform is in the target space, too */
    void *user;
    /* Gives the number that stands for a triangle's material. `said` is the material that the mesh gives (kind NONE:
     * none), which is item `number` of the mesh's list (REC_NO_ITEM: not from a list). */
    lathe_result (*material)(void *user, const lathe_value *said, uint64_t number, uint32_t *id,
                             lathe_error *err);
    /* Adds the mesh that a view shows, with scene_soup_add_mesh. */
    lathe_result (*view)(scene_soup *soup, lathe_view view, lathe_error *err);
    buf positions; /* float[3] each */
    buf triangles; /* uint32_t[3] each */
    buf of;        /* uint16_t each: for each triangle, an index into `materials` */
    buf materials; /* uint32_t each */
    size_t last;   /* index in `materials` of the last result, where the search starts */
};

/* Initializes the buffers. The members above them must be set before. */
void scene_soup_open(scene_soup *soup);
void scene_soup_close(scene_soup *soup);
static inline size_t scene_soup_points(const scene_soup *s)
{
    return s->positions.size / (3 * sizeof(float));
}
static inline size_t scene_soup_triangles(const scene_soup *s)
{
    return s->triangles.size / (3 * sizeof(uint32_t));
}

/* Adds a mesh, or a list of them, from the source:
 *   - a view, if .view accepts it;
 *   - a table with positions and, unless only points are needed, indices; optionally transform, material, and materials
 *     (of the triangles, or with triangle_materials, which count from 0);
 *   - a list or buffer of positions.
 * A mesh with a transform is in the document's space, except for collision meshes (`shape`). */
lathe_result scene_soup_add(scene_soup *soup, const lathe_value *leaf, const void *node,
                            lathe_error *err);
lathe_result scene_soup_add_mesh(scene_soup *soup, const model_mesh *mesh, lathe_error *err);

/* Reads a transform: 16 numbers in column-major order. False: it is none. */
bool scene_read_matrix(const lathe_source *source, const void *node, mat4 *out);

#endif
