/* A mesh of any format: indexed triangles for buffers and exporters. Only name, counts, positions and indices are
 * always set; formats may leave all other members at their defaults. */
#ifndef LATHE_MODEL_MESH_H
#define LATHE_MODEL_MESH_H

#include "base/mem.h"
#include "base/vec.h"

/* A bone of a skin. A vertex at p is drawn at the sum over its bones of weight * world * bind * p. */
typedef struct model_mesh_bone {
    const char *name; /* NULL: none */
    int32_t parent;   /* index of a bone, from 0; -1: none in this list, or unknown */
    mat4 bind;        /* from the mesh's space to the bone's, in the bind pose */
    mat4 world;       /* from the bone's space to the document's, in the rest pose */
} model_mesh_bone;

typedef enum model_alpha {
    MODEL_ALPHA_OPAQUE,
    MODEL_ALPHA_MASK, /* pixels below the cutoff are not drawn */
    MODEL_ALPHA_BLEND,
    MODEL_ALPHA_COUNT
} model_alpha;

enum { MODEL_TEXTURES = 16 };

/* The look of the material, as far as exporters can use it. */
typedef struct model_surface {
    bool known;          /* false: all of it is unknown */
    float base_color[4]; /* r, g, b, a from 0 to 1; default 1 */
    float emissive[3];
    model_alpha alpha;
    float cutoff; /* default 0.5 */
    bool double_sided;
    struct {
        /* constant: base_color, normal, emissive; other roles have the format's own names */
        const char *role;
        const char *path; /* as in the file */
    } textures[MODEL_TEXTURES];
    size_t texture_count;
} model_surface;

/* A mesh. Its texts are constants or from model_mesh_text. */
typedef struct model_mesh {
    mem mem;
    const char *name, *material; /* NULL: none */
    float *positions;            /* vertex_count rows of x, y, z in the format's units */
    float *normals;              /* same shape, unit length; or NULL */
    /* x, y, z along u; normal x tangent * w (1, -1) points up in the image; or NULL */
    float *tangents;
    float *uvs;             /* rows of u, v; or NULL */
    float *colors;          /* rows of r, g, b, a; or NULL */
    uint16_t *joints;       /* rows of four bone indices; or NULL */
    float *weights;         /* of these, same shape; the sum of a row is 1 or 0 */
    uint32_t *indices;      /* index_count, three for each triangle, from 0 */
    uint32_t *material_of;  /* for each triangle, an index into materials; or NULL */
    const char **materials; /* names, not NULL; added by model_mesh_material */
    size_t material_count, material_room;
    const char *shape; /* of a collision mesh: "hull", "mesh" …; else NULL */
    /* of a collision mesh: from the space of the node that owns its body to the document's … */
    mat4 node_transform;
    /* … if known; the vertices are then in that space, whatever transform says */
    bool has_node;
    uint64_t body; /* of a collision mesh: number of its body, from 1; 0: none, or unknown */
    size_t vertex_count, index_count;
    /* from the mesh's space to the document's; with bones, these replace it */
    mat4 transform;
    model_mesh_bone *bones; /* NULL: none */
    size_t bone_count;
    model_surface surface;
    bool z_up;     /* up axis of the document's space: z, else y */
    bool v_up;     /* v is 0 at the bottom of an image, else at the top */
    double metres; /* metres in one unit; 0: unknown */
    vec3 front;    /* where the game's characters look to, in the document's space; zero: unknown */
    /* Input, set by the caller before the mesh is filled. */
    int lod; /* include the levels of detail 0 .. lod; negative (default): all */
    /* omit the vertices and triangles of objects with numbers up to this; default 0 */
    uint64_t known;
    /* For a geometry that is stored once and drawn in several places. */
    /* its number in the document, from 1, in the order of meshes; 0: it is drawn once */
    uint64_t object;
    bool has_source;        /* it is stored in a file that several documents share … */
    uint32_t source_hash;   /* … whose name has this hash … */
    uint32_t source_offset; /* … at this offset */
    const char *path;       /* of an object: path of the record that draws it */
    const char *left_out;   /* reason why the mesh is not drawn; NULL: it is drawn */
    arena texts;            /* contains the address of `mem`: the struct must not be moved */
} model_mesh;

enum {
    MODEL_MESH_NORMALS = 1,
    MODEL_MESH_UVS = 2,
    MODEL_MESH_COLORS = 4,
    MODEL_MESH_TANGENTS = 8,
    MODEL_MESH_SKIN = 16,     /* joints and weights */
    MODEL_MESH_MATERIALS = 32 /* material_of */
};

/* Makes an empty mesh with the identity as its transform. */
void model_mesh_init(model_mesh *mesh, const mem *m);
/* Allocates vertices and indices, zeroed, with the attributes in `with` (MODEL_MESH_*). */
lathe_result model_mesh_alloc(model_mesh *mesh, size_t vertices, size_t indices, unsigned with,
                              lathe_error *err);
/* Allocates bones without name and parent, with the identity as both matrices. */
lathe_result model_mesh_bones(model_mesh *mesh, size_t bones, lathe_error *err);
/* Adds a material to the list, and copies its name. Its index is the previous material_count. */
lathe_result model_mesh_material(model_mesh *mesh, const char *name, size_t n, lathe_error *err);
/* Copies a text into memory that is freed with the mesh, with a NUL; NULL: out of memory. */
const char *model_mesh_text(model_mesh *mesh, const char *p, size_t n);
/* Adds a texture, and copies its path. Ignores an empty path, a role that already exists, and textures beyond
 * MODEL_TEXTURES. */
lathe_result model_mesh_texture(model_mesh *mesh, const char *role, const char *path, size_t n,
                                lathe_error *err);
void model_mesh_free(model_mesh *mesh);

#endif
