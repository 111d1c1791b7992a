/* Geometry of shapes, and where they are in the scene. formats/nif.md#7 */
#ifndef LATHE_NIF_MESH_H
#define LATHE_NIF_MESH_H

#include "model/mesh.h"
#include "nif/nif.h"

/* Numbers that lie in a file, one vertex after the other. NULL: there are none. */
typedef struct nif_column {
    const uint8_t *p;
    uint64_t count;
    uint64_t off; /* where p is in its part */
    uint32_t part;
} nif_column;

/* Where a shape's geometry lies, all of it inside its parts. Good until the next write. */
typedef struct nif_shape {
    uint64_t vertices;
    nif_column packed; /* vertices as `layout` says … */
    nif_vertex layout;
    nif_column dynamic;                         /* … with positions of four floats apart */
    nif_column positions, normals, uvs, colors; /* or columns of floats */
    nif_column tangents, bitangents;            /* both or none */
    uint32_t data;                              /* the block that they lie in */
    nif_column triangles;                       /* of three u16 each */
    nif_column strip_lengths, points;           /* u16 */
    rec_at partition;                           /* triangles are in its parts. doc NULL: not */
    uint32_t partition_slot;
} nif_shape;

/* What a shape's vertices have, and how a number of it is stored. */
typedef enum nif_attribute {
    NIF_POSITION,
    NIF_NORMAL,
    NIF_TANGENT,
    NIF_BITANGENT,
    NIF_UV,
    NIF_COLOR,
    NIF_ATTRIBUTES
} nif_attribute;
typedef enum nif_coding { NIF_F32, NIF_F16, NIF_SIGNED, NIF_PART } nif_coding;
/* Where an attribute is: `columns` numbers in each of the elements of a column, `stride` bytes apart. */
typedef struct nif_lanes {
    nif_column in;
    nif_column first; /* the first number is in another one. p NULL: it is not */
    uint32_t stride, first_stride, columns;
    uint32_t at[4];
    nif_coding coding[4];
} nif_lanes;

/* False: vertices have no such attribute. */
bool nif_lanes_find(const nif_shape *shape, nif_attribute what, nif_lanes *out);
/* All numbers of an attribute, vertex after vertex; and storing them, inside an edit. */
void nif_lanes_read(const nif_lanes *lanes, float *to);
lathe_result nif_lanes_store(const rec_at *at, uint32_t slot, const nif_lanes *lanes,
                             const float *from, uint8_t *to,
                             lathe_error *err); /* in a copy of the column */
lathe_result nif_lanes_write(const rec_at *at, uint32_t slot, const nif_lanes *lanes,
                             const float *from, lathe_error *err);
/* Inside an edit: the shape's vertices get an attribute (as defaults say), or lose it. */
lathe_result nif_turn_attribute(const rec_at *at, const rec_field *row, nif_attribute what,
                                bool there, lathe_error *err);
/* The first vertices of a shape that has none: its descriptor or flags say then that they have positions. */
lathe_result nif_turn_positions(const rec_at *at, const rec_field *row, bool there,
                                lathe_error *err);
/* Inside an edit: the sphere (and box, where there is one) of a shape become those of its vertices: the middle
 * of the smallest box, and the distance to the farthest vertex. Positions that are no numbers leave it alone. */
lathe_result nif_rebound(lathe_doc *doc, uint32_t part, const nif_shape *shape, lathe_error *err);
/* The same sphere of n rows of positions: centre and radius. False: there are none, or some are no numbers. */
bool nif_sphere_of(const float *positions, uint64_t n, float sphere[4]);
/* Of the triangles that a block has: tells the first that names no vertex; refuses an edit that made such. */
void nif_check_triangles(lathe_doc *doc, uint32_t part, rec_report *report);
lathe_result nif_settle_triangles(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Whether it has a sphere that is not all zeros, which only new positions as a whole make. */
bool nif_has_bounds(lathe_doc *doc, uint32_t part, const nif_shape *shape);

/* False: the block is no shape, does not parse, or has no vertices here. */
bool nif_shape_find(lathe_doc *doc, uint32_t part, nif_shape *shape);
/* The same for a record: a shape's block, or an object of packed geometry. Of an object whose geometry is in a geometry
 * file: false. */
bool nif_geometry_find(const rec_at *at, nif_shape *shape);
bool nif_is_packed_object(const rec_at *at);
/* The same, wherever the geometry is: it is opened and read, and borrowed until another object's is (packed/shared.c). */
lathe_result nif_geometry_load(const rec_at *at, nif_shape *shape, lathe_error *err);
/* What the geometry should be, without opening any file: shape->packed.p leads to no bytes where it is in one. */
bool nif_geometry_expect(const rec_at *at, nif_shape *shape);
/* The same from the block of data that a shape names. */
bool nif_data_find(lathe_doc *doc, uint32_t part, nif_shape *shape);

/* Three numbers of vertices for each triangle, all of vertices that are there; returns how many. NULL: counts. */
uint64_t nif_indices(const nif_shape *shape, uint32_t *out);

/* What is kept of a document: which blocks have geometry, and what hangs where. */
typedef struct nif_partners { /* of the same shape: blocks' numbers + 1; 0: none */
    uint32_t alpha, material;
} nif_partners;

/* A packfile in a block. */
typedef struct nif_system {
    uint32_t block, container;
    uint64_t first_body, bodies;
    uint64_t first_mesh, meshes; /* once .meshes_counted of what has them all */
} nif_system;

/* A bhkNPCollisionObject: numbers of the blocks that it names, of the body, and its own. */
typedef struct nif_tie {
    uint32_t data, body, target, block;
} nif_tie;

typedef struct nif_collisions {
    buf systems; /* of nif_system, in file order; those that do not open are left out */
    buf ties;    /* of nif_tie, by data and body */
    bool listed, meshes_counted;
} nif_collisions;

/* An object of packed geometry. */
typedef struct nif_packed_object {
    uint32_t shape,
        block;      /* parts: of the shape that has the material, and of the packed geometry */
    uint64_t index; /* of the object in `data`; REC_NO_ITEM: the block does not parse */
    uint64_t first; /* number of its first instance among those of the whole file */
    nif_column instances; /* 72 bytes each */
} nif_packed_object;

/* A block. Of `parent` and `node`: number among the nodes + 1; 0: none. */
typedef struct nif_place {
    uint32_t part, parent, node;
} nif_place;

typedef struct nif_node {
    mat4 world;
    size_t first_child, child_count; /* of the scene's .children */
    uint32_t block;
} nif_node;

typedef struct nif_scene {
    rec_cached cached;
    uint32_t container;
    uint64_t followed; /* number of the first change that it does not know: record/recent.h */
    nif_place *places; /* of each block */
    nif_node *nodes;
    uint64_t count, node_count;
    buf children;     /* numbers of blocks, 4 bytes each, as nodes have them stored */
    bool dangling;    /* one of those is not there */
    uint32_t *shapes; /* blocks that have geometry, in file order */
    uint64_t shape_count;
    size_t places_cap, nodes_cap, shapes_cap;
    nif_collisions collisions;
    /* What stands until anything changes, names of textures and bodies included. */
    uint64_t lists_at; /* doc->changes when they were begun */
    buf materials;     /* what doc.materials lists, of lathe_view, once that was asked for */
    bool listed;
    buf packed; /* of nif_packed_object, in file order, once they were asked for */
    uint64_t packed_instances;
    bool packed_listed;
    nif_partners *partners; /* of each block, once one was asked for: alpha.c */
} nif_scene;

/* The block with the packed geometry of a shape; REC_NO_PART where it has none that parses. */
uint32_t nif_packed_of(const rec_at *shape);
lathe_result nif_packed_instances(nif_scene *scene, lathe_doc *doc, uint64_t *n, lathe_error *err);
/* Instance number i (from 0) of packed geometry as a mesh; LATHE_ERR_NAME past the last (packed/mesh.c). */
lathe_result nif_packed_mesh(nif_scene *scene, lathe_doc *doc, uint64_t i, model_mesh *mesh,
                             lathe_error *err);
/* Leaves the triangles of the first lod + 1 bands of detail of a shape or packed object; negative: all. */
void nif_take_bands(const rec_at *at, int lod, nif_shape *shape);
/* Room in a mesh, and a shape's vertices and triangles in it. with: MODEL_MESH_… besides what vertices have. */
lathe_result nif_put_geometry(const rec_at *shape_block, const nif_shape *shape, unsigned with,
                              model_mesh *mesh, lathe_error *err);

/* Good until the next write. NULL: out of memory. It is kept between calls, and updated after edits that
 * move no node and change no list of children. */
nif_scene *nif_scene_of(lathe_doc *doc, uint32_t c, lathe_error *err);
nif_scene *nif_scene_kept(lathe_doc *doc, uint32_t c); /* NULL: there is none now */
/* From the space of a block, a NiAVObject, to that of the document. */
mat4 nif_world(const nif_scene *scene, lathe_doc *doc, uint32_t part);

/* What rotation, translation and scale of a record do: p' = rotation (scale p) + translation. Rows are stored,
 * columns are wanted. */
mat4 nif_transform(const rec_at *at);

/* The bones of a shape, and where it is said how much they move each vertex. Good until the next write. */
typedef struct nif_skin {
    rec_at data; /* transforms, and mostly weights. doc NULL: there are none */
    uint32_t slot;
    nif_column bones; /* numbers of blocks, as many as there are in `data` */
    rec_at partition; /* in Skyrim the same in parts. doc NULL: it is not there */
    uint32_t partition_slot;
} nif_skin;

/* False: the shape has no bones, or what should say so does not fit together. */
bool nif_skin_find(const rec_at *shape, const nif_shape *s, nif_skin *skin);
/* Bones, joints and weights of a mesh that has room for them and its transform. */
lathe_result nif_put_skin(const nif_scene *scene, const nif_skin *skin, const nif_shape *shape,
                          struct model_mesh *mesh, lathe_error *err);

/* A text of a block, copied. *out stays NULL where it is empty or no text. */
lathe_result nif_copy_text(const rec_at *at, const char *row, uint64_t i, model_mesh *mesh,
                           const char **out, lathe_error *err);

/* Material and looks of a mesh: what the properties of its shape say. Fallout 4's are often but those of the
 * material file that the shader names. */
lathe_result nif_put_surface(const rec_at *shape, model_mesh *mesh, lathe_error *err);
/* Bytes of a row that holds n floats, which all blocks of its type have, or of a record of that many. NULL: it is not
 * there. */
const uint8_t *nif_floats(const rec_at *at, const char *row, uint64_t n);

/* Numbers as they lie in a file. */
static inline float nif_float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline float nif_float_at(const uint8_t *p)
{
    return nif_float_of(bytes_ld32(p, false));
}

/* Exact: the exponent is moved by a product, which small numbers need no case of their own for. */
static inline float nif_half_at(const uint8_t *p)
{
    uint32_t h = bytes_ld16(p, false), sign = (h & 0x8000) << 16, rest = (h & 0x7FFF) << 13;
    if (rest >= 0x7C00U << 13)
        return nif_float_of(sign | 0x7F800000 | rest);
    return nif_float_of(rest | sign) * 0x1p112F;
}

/* The block that a row (its element i) leads to; REC_NO_PART: none, or it does not parse. */
uint32_t nif_target(const rec_at *at, const char *row, uint64_t i);
/* Whether a block parses and is of a type or of one that derives from it. */
bool nif_block_is(lathe_doc *doc, uint32_t part, const rec_type *type);
/* Whether a part parses; *ok becomes false where there was no memory to look. */
bool nif_block_reads(lathe_doc *doc, uint32_t part, bool *ok);
/* Elements of a row, of `size` bytes each; false where they are not there in full. */
bool nif_column_find(const rec_at *at, const char *row, uint64_t size, nif_column *out);

#endif
