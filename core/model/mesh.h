/* What every format's geometry becomes: triangles over vertices, ready for a buffer or an exporter.
 * Only name, counts, positions and indices are always there; all else may be left as it is. */
#ifndef LATHE_MODEL_MESH_H
#define LATHE_MODEL_MESH_H

#include "base/mem.h"
#include "base/vec.h"

/* What moves vertices. A vertex at p is drawn at the sum over its bones of weight * world * bind * p. */
typedef struct model_mesh_bone {
    const char *name; /* NULL: none */
    int32_t parent;   /* bone number, from 0; -1: none of the list, or not known */
    mat4 bind;        /* from the mesh's space to the bone's, as the mesh was bound to it */
    mat4 world;       /* from the bone's space to the document's, at rest */
} model_mesh_bone;

typedef enum model_alpha {
    MODEL_ALPHA_OPAQUE,
    MODEL_ALPHA_MASK, /* what is below the cutoff is not drawn */
    MODEL_ALPHA_BLEND,
    MODEL_ALPHA_COUNT
} model_alpha;

enum { MODEL_TEXTURES = 16 };

/* How the material looks, as far as an exporter can use it. */
typedef struct model_surface {
    bool known;          /* false: nothing of it is */
    float base_color[4]; /* r, g, b, a from 0 to 1; 1 each at first */
    float emissive[3];
    model_alpha alpha;
    float cutoff; /* 0.5 at first */
    bool double_sided;
    struct {
        /* Constant: base_color, normal, emissive; others by the format's own names. */
        const char *role;
        const char *path; /* as in the file */
    } textures[MODEL_TEXTURES];
    size_t texture_count;
} model_surface;

/* Texts are constant, or from model_mesh_text. */
typedef struct model_mesh {
    mem mem;
    const char *name, *material; /* NULL: none */
    float *positions;            /* vertex_count rows of x, y, z in the format's own units */
    float *normals;              /* the same shape, unit length; or NULL */
    float *tangents;   /* x, y, z along u; normal x tangent * w (1, -1) is up the image; or NULL */
    float *uvs;        /* rows of u, v; or NULL */
    float *colors;     /* rows of r, g, b, a; or NULL */
    uint16_t *joints;  /* rows of four bone numbers; or NULL */
    float *weights;    /* of these, the same shape; in a row, the sum is 1, or 0 */
    uint32_t *indices; /* index_count, three a triangle, from 0 */
    uint32_t *material_of;  /* of each triangle its material in the list, from 0; or NULL */
    const char **materials; /* names, none of them NULL; model_mesh_material */
    size_t material_count, material_room;
    const char *shape;   /* of collision: "hull", "mesh" … ; NULL elsewhere */
    mat4 node_transform; /* of collision: from the space of what the body belongs to … */
    bool has_node;       /* … where that is known, which it is then in, whatever transform says */
    uint64_t body;       /* of collision: the number of its body, from 1; 0: none, or not known */
    size_t vertex_count, index_count;
    mat4 transform;         /* from the mesh's space to the document's; bones take its place */
    model_mesh_bone *bones; /* NULL: none */
    size_t bone_count;
    model_surface surface;
    bool z_up;     /* the document's space; else y is */
    bool v_up;     /* v is 0 at an image's bottom; else at its top */
    double metres; /* of a unit; 0: not known */
    /* What the caller asks for, before the mesh is filled. */
    int lod; /* triangles of the bands of detail 0 .. lod; negative, as at first: of all bands */
    /* no vertices and triangles of objects with numbers up to this one; 0 at first */
    uint64_t known;
    /* A geometry that the file has once and draws in several places. */
    uint64_t object; /* its number in the document, from 1, in that order; 0: it is drawn once */
    bool has_source; /* it also has a place in a file that documents share … */
    uint32_t source_hash;   /* … whose name has this hash … */
    uint32_t source_offset; /* … where it begins at this byte */
    const char *path;       /* of an object: the place in the document that draws it */
    const char *left_out;   /* why this mesh is not drawn; NULL: it is */
    arena texts;            /* knows where mem is: a mesh stays where it was made */
} model_mesh;

enum {
    MODEL_MESH_NORMALS = 1,
    MODEL_MESH_UVS = 2,
    MODEL_MESH_COLORS = 4,
    MODEL_MESH_TANGENTS = 8,
    MODEL_MESH_SKIN = 16,     /* joints and weights */
    MODEL_MESH_MATERIALS = 32 /* material_of */
};

/* An empty mesh with the identity as its transform. */
void model_mesh_init(model_mesh *mesh, const mem *m);
/* Room for so many vertices and indices, zeroed, with the attributes named. */
lathe_result model_mesh_alloc(model_mesh *mesh, size_t vertices, size_t indices, unsigned with,
                              lathe_error *err);
/* Room for so many bones: without name and parent, and with the identity as both matrices. */
lathe_result model_mesh_bones(model_mesh *mesh, size_t bones, lathe_error *err);
/* Adds a material to the list, its name copied; its number is what material_count was. */
lathe_result model_mesh_material(model_mesh *mesh, const char *name, size_t n, lathe_error *err);
/* A copy that lives as long as the mesh and ends in a NUL; NULL: out of memory. */
const char *model_mesh_text(model_mesh *mesh, const char *p, size_t n);
/* Adds a texture, its path copied. An empty path, a role that is there and more than MODEL_TEXTURES
 * are left out. */
lathe_result model_mesh_texture(model_mesh *mesh, const char *role, const char *path, size_t n,
                                lathe_error *err);
void model_mesh_free(model_mesh *mesh);

#endif
