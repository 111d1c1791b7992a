/* Geometry of shapes: finding it, edits of it, and meshes. formats/nif.md#7 */
#ifndef LATHE_NIF_MESH_H
#define LATHE_NIF_MESH_H

#include "model/mesh.h"
#include "nif/container/scene.h"
#include "nif/geometry/vertices/vertices.h"

/* Geometry of shapes as tables of numbers (geometry.c). */
extern const rec_numbers nif_positions, nif_normals, nif_tangents, nif_bitangents, nif_uvs,
    nif_colors, nif_triangles, nif_skin_triangles, nif_shared_triangles;
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
/* Refuses an edit that made triangles of a block that name no vertex. */
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

/* All blocks that have geometry, in file order; cached, and updated after edits. */
typedef struct nif_shapes {
    rec_cached cached;
    uint64_t made, followed, seen; /* of the scene that it goes with; as there */
    uint64_t looked;               /* so many blocks were looked at */
    uint32_t *blocks;
    uint64_t count;
    size_t room;
} nif_shapes;
/* Good until the next write. NULL: out of memory. */
const nif_shapes *nif_shapes_of(lathe_doc *doc, uint32_t c, lathe_error *err);

/* ---- precombined geometry (packed/) ------------------------------------------------------------------ */

/* Precombined geometry: how a block is laid out (packed/layout.c). Bits of its layout's argument. */
enum { NIF_PACKED_INLINE = 1, NIF_PACKED_TABLE = 2, NIF_PACKED_HALF = 4 };
/* Triangles of an object of another number: they are the first band's, where only that has any. */
lathe_result nif_fit_bands(const rec_at *at, const rec_field *row, uint64_t n, bool stands,
                           lathe_error *err);
lathe_result nif_part_arg(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                          lathe_error *err);
/* When an edit ends: refuses one after which a block of packed geometry would not be found to be one. */
lathe_result nif_settle_layout(lathe_doc *doc, uint32_t part, lathe_error *err);
/* The block with the packed geometry of a shape; REC_NO_PART where it has none that parses. */
uint32_t nif_packed_of(const rec_at *shape);
lathe_result nif_packed_instances(lathe_doc *doc, uint64_t *n, lathe_error *err);
/* Instance number i (from 0) of packed geometry as a mesh; LATHE_ERR_NAME past the last (packed/mesh.c). */
lathe_result nif_packed_mesh(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);
/* Leaves the triangles of the first lod + 1 bands of detail of a shape or packed object; negative: all. */
void nif_take_bands(const rec_at *at, int lod, nif_shape *shape);
/* Room in a mesh, and a shape's vertices and triangles in it. with: MODEL_MESH_… besides what vertices have. */
lathe_result nif_put_geometry(const rec_at *shape_block, const nif_shape *shape, unsigned with,
                              model_mesh *mesh, lathe_error *err);

/* ---- meshes ------------------------------------------------------------------------------------------ */

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

/* Hooks of the format. */
lathe_result nif_mesh_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_mesh(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err);
/* At the end of an edit: what follows from geometry that it changed. */
lathe_result nif_settle(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Normals, tangents and spheres from positions (recompute.c). */
extern const rec_param *const nif_recompute_params[];
lathe_result nif_recompute(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err);
extern const rec_param *const nif_precombine_params[];
lathe_result nif_precombine(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err); /* refuses: Lua does it */

#endif
