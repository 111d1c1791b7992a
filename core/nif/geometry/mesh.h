/* Geometry of shapes: finding it, editing it, and meshes. formats/nif.md#7 */
#ifndef LATHE_NIF_MESH_H
#define LATHE_NIF_MESH_H

#include "model/mesh.h"
#include "nif/container/scene.h"
#include "nif/geometry/vertices/vertices.h"

/* Geometry of shapes as tables of numbers (geometry.c). */
extern const rec_numbers nif_positions, nif_normals, nif_tangents, nif_bitangents, nif_uvs,
    nif_colors, nif_triangles, nif_skin_triangles, nif_shared_triangles;
/* Inside an edit: adds an attribute with default values to the shape's vertices, or removes it. */
lathe_result nif_turn_attribute(const rec_at *at, const rec_field *row, nif_attribute what,
                                bool there, lathe_error *err);
/* Adds the first vertices to a shape that has none: sets positions in its descriptor or flags. */
lathe_result nif_turn_positions(const rec_at *at, const rec_field *row, bool there,
                                lathe_error *err);
/* Inside an edit: sets the bounding sphere (and box, if there is one) of a shape from its vertices: centre of
 * the bounding box, and distance to the farthest vertex. Does nothing if a coordinate is NaN or infinite. */
lathe_result nif_rebound(lathe_doc *doc, uint32_t part, const nif_shape *shape, lathe_error *err);
/* Computes this sphere for n rows of positions: centre and radius. False: there are none, or one is not
 * finite. */
bool nif_sphere_of(const float *positions, uint64_t n, float sphere[4]);
/* Fails if an edit left triangles with an index that is not a vertex. */
lathe_result nif_settle_triangles(lathe_doc *doc, uint32_t part, lathe_error *err);
/* True if the sphere is not all zeros. A sphere of zeros is replaced only when all positions are assigned. */
bool nif_has_bounds(lathe_doc *doc, uint32_t part, const nif_shape *shape);

/* Finds the geometry of a block. False: it is no shape, cannot be parsed, or has no vertices of its own. */
bool nif_shape_find(lathe_doc *doc, uint32_t part, nif_shape *shape);
/* The same for a record: a shape's block, or an object of packed geometry. False for an object whose geometry
 * is in a geometry file. */
bool nif_geometry_find(const rec_at *at, nif_shape *shape);
bool nif_is_packed_object(const rec_at *at);
/* The same, but opens and reads a geometry file if needed. The result is borrowed until another object is
 * loaded (packed/shared.c). */
lathe_result nif_geometry_load(const rec_at *at, nif_shape *shape, lathe_error *err);
/* Describes the expected geometry without opening a file: shape->packed.p points to no bytes if the geometry
 * is in one. */
bool nif_geometry_expect(const rec_at *at, nif_shape *shape);
/* The same, starting from the data block of a shape. */
bool nif_data_find(lathe_doc *doc, uint32_t part, nif_shape *shape);

/* Writes three vertex indices for each triangle whose indices all exist; returns the number of triangles.
 * NULL: only counts. */
uint64_t nif_indices(const nif_shape *shape, uint32_t *out);

/* All blocks with geometry, in file order; cached, and updated after edits. */
typedef struct nif_shapes {
    rec_cached cached;
    uint64_t made, followed, seen; /* as in the nif_scene that it belongs to */
    uint64_t looked;               /* number of blocks inspected */
    uint32_t *blocks;
    uint64_t count;
    size_t room;
} nif_shapes;
/* The list, valid until the next write. NULL: out of memory. */
const nif_shapes *nif_shapes_of(lathe_doc *doc, uint32_t c, lathe_error *err);

/* ---- precombined geometry (packed/) ------------------------------------------------------------------ */

/* Layouts of a block of precombined geometry (packed/layout.c): bits of its layout's argument. */
enum { NIF_PACKED_INLINE = 1, NIF_PACKED_TABLE = 2, NIF_PACKED_HALF = 4 };
/* The triangles of an object are resized: adjusts the first band, if only that has triangles. */
lathe_result nif_fit_bands(const rec_at *at, const rec_field *row, uint64_t n, bool exists,
                           lathe_error *err);
lathe_result nif_part_arg(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                          lathe_error *err);
/* At the end of an edit: fails if a block of packed geometry would not be recognised when it is read again. */
lathe_result nif_settle_layout(lathe_doc *doc, uint32_t part, lathe_error *err);
/* The block with the packed geometry of a shape; REC_NO_PART if there is none that can be parsed. */
uint32_t nif_packed_of(const rec_at *shape);
lathe_result nif_packed_instances(lathe_doc *doc, uint64_t *n, lathe_error *err);
/* Instance i (from 0) of packed geometry as a mesh; LATHE_ERR_NAME past the last one (packed/mesh.c). */
lathe_result nif_packed_mesh(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);
/* Reduces the triangles to the first lod + 1 bands of detail of a shape or packed object; negative: all. */
void nif_take_bands(const rec_at *at, int lod, nif_shape *shape);
/* Allocates a mesh and fills it with a shape's vertices and triangles. with: MODEL_MESH_… in addition to the
 * attributes of the vertices. */
lathe_result nif_put_geometry(const rec_at *shape_block, const nif_shape *shape, unsigned with,
                              model_mesh *mesh, lathe_error *err);

/* ---- meshes ------------------------------------------------------------------------------------------ */

/* The bones of a shape, and where their weights are stored. Valid until the next write. */
typedef struct nif_skin {
    rec_at data; /* transforms, and mostly weights. doc NULL: none */
    uint32_t slot;
    nif_column bones; /* block numbers, as many as bones in `data` */
    rec_at partition; /* in Skyrim the weights by partition. doc NULL: none */
    uint32_t partition_slot;
} nif_skin;

/* False: the shape has no bones, or its skin is inconsistent. */
bool nif_skin_find(const rec_at *shape, const nif_shape *s, nif_skin *skin);
/* Fills the bones, joints and weights of a mesh, which must be allocated and have its transform. */
lathe_result nif_put_skin(const nif_scene *scene, const nif_skin *skin, const nif_shape *shape,
                          struct model_mesh *mesh, lathe_error *err);

/* Hooks of the format. */
lathe_result nif_mesh_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_mesh(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err);
/* At the end of an edit: updates what depends on changed geometry. */
lathe_result nif_settle(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Computes normals, tangents and bounding spheres from positions (recompute.c). */
extern const rec_param *const nif_recompute_params[];
lathe_result nif_recompute(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err);
extern const rec_param *const nif_precombine_params[];
lathe_result nif_precombine(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err); /* always fails: implemented in Lua */

#endif
