/* What every format's geometry becomes: triangles over vertices, ready for a buffer or an exporter. */
#ifndef LATHE_MODEL_MESH_H
#define LATHE_MODEL_MESH_H

#include "base/mem.h"
#include "base/vec.h"

typedef struct model_mesh {
    mem mem;
    const char *name, *material; /* borrowed from the document, or constant; NULL: none */
    float *positions;            /* vertex_count rows of x, y, z in the format's own units */
    float *normals;              /* the same shape, unit length; or NULL */
    float *uvs;                  /* vertex_count rows of u, v; or NULL */
    float *colors;               /* vertex_count rows of r, g, b, a; or NULL */
    uint32_t *indices;           /* index_count, three a triangle, from 0 */
    size_t vertex_count, index_count;
    mat4 transform; /* from the mesh's space to the document's */
} model_mesh;

enum { MODEL_MESH_NORMALS = 1, MODEL_MESH_UVS = 2, MODEL_MESH_COLORS = 4 };

/* An empty mesh with the identity as its transform. */
void model_mesh_init(model_mesh *mesh, const mem *m);
/* Room for so many vertices and indices, zeroed, with the attributes named. */
lathe_result model_mesh_alloc(model_mesh *mesh, size_t vertices, size_t indices, unsigned with,
                              lathe_error *err);
void model_mesh_free(model_mesh *mesh);

#endif
