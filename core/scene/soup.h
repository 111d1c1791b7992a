/* Points and triangles that a verb is given as a mesh: of a document, of a program, of a script. */
#ifndef LATHE_SCENE_SOUP_H
#define LATHE_SCENE_SOUP_H

#include "model/mesh.h"
#include "record/record.h"

typedef struct scene_soup scene_soup;

struct scene_soup {
    const mem *mem;
    const lathe_source *source;
    mat4 place;  /* from the meshes' space to the wanted one … */
    double unit; /* … which has so many units to one of what is put here */
    bool own;    /* what has a transform is in the wanted space, too */
    void *user;
    /* The number that stands for the material of a triangle, from what its mesh says of it (kind NONE: nothing), which is
     * item `number` of the mesh's list (REC_NO_ITEM: of none). */
    lathe_result (*material)(void *user, const lathe_value *said, uint64_t number, uint32_t *id,
                             lathe_error *err);
    /* Adds what a view shows: scene_soup_add_mesh. */
    lathe_result (*view)(scene_soup *soup, lathe_view view, lathe_error *err);
    buf positions; /* float[3] each */
    buf triangles; /* uint32_t[3] each */
    buf of;        /* uint16_t each: of a triangle its number among the materials */
    buf materials; /* uint32_t each */
    size_t last;   /* of these: the one that was looked for last */
};

/* After all above the buffers was set. */
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

/* Adds a mesh, or a list of them, as the source gave it:
 *   - a view, where .view knows what to do with it;
 *   - a table with positions and, unless only points are wanted, indices; with transform, and material, materials
 *     (of the triangles, or with triangle_materials, which count from 0);
 *   - a list or buffer of positions.
 * What has a transform lies in the document's space, but for meshes of what collides (`shape`). */
lathe_result scene_soup_add(scene_soup *soup, const lathe_value *leaf, const void *node,
                            lathe_error *err);
lathe_result scene_soup_add_mesh(scene_soup *soup, const model_mesh *mesh, lathe_error *err);

/* Sixteen numbers, column after column: a transform. False: it is none. */
bool scene_read_matrix(const lathe_source *source, const void *node, mat4 *out);

#endif
