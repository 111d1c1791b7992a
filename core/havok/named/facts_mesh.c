/* What is known of mesh shapes of SDK 20210000 and later, and of the shape that they derive from. Names of their values
 * are text: schema/mesh.schema.
 *
 * Powers scale such a shape where nothing else does: lengths are the steps of its grids and the tree's boxes. What is counted
 * in steps stays, and the number of steps in a metre goes by 1 / s: were it left, corners that come later would be rounded
 * to another grid than that of the others. Float sections keep their corners in bytes, which no power reaches. */
#include "gen/named_types.h"
#include "havok/named/facts_table.h"
#include "record/record.h"

enum { KNOWN_SINCE = 20210000, NEW_NUMBERS = 20230000 };

/* clang-format off */
#define METRES(member, what) {member, "m", 1, what, 0, NULL}
#define PLAIN(member, what) {member, NULL, 0, what, 0, NULL}
#define GAME(member) {member, NULL, 0, "Filled by the game.", 0, NULL}
/* A list that is not complete: what has no name in it is no fault. */
#define NAMED(member, values, what) {member, NULL, 0, what, REC_ANYTHING, values}
/* clang-format on */

static bool is_new(const rec_at *at)
{
    return at->doc->containers[at->layout->container].version >= NEW_NUMBERS;
}

static const rec_names *shape_types_in(const rec_at *at)
{
    return is_new(at) ? &hk_named_shape_types_2023 : &hk_named_shape_types;
}

static const rec_names *dispatch_types_in(const rec_at *at)
{
    return is_new(at) ? &hk_named_dispatch_types_2023 : &hk_named_dispatch_types;
}

static const rec_names *shape_flags_in(const rec_at *at)
{
    return is_new(at) ? &hk_named_shape_flags_2023 : &hk_named_shape_flags;
}

/* clang-format off */
static const hk_values types_of_shapes = {REC_ENUM, KNOWN_SINCE, &hk_named_shape_types, shape_types_in};
static const hk_values types_of_dispatch = {REC_ENUM, KNOWN_SINCE, &hk_named_dispatch_types, dispatch_types_in};
static const hk_values flags_of_shapes = {REC_FLAGS, KNOWN_SINCE, &hk_named_shape_flags, shape_flags_in};
static const hk_values flags_of_nodes = {REC_FLAGS, NEW_NUMBERS, &hk_named_node_flags, NULL};

/* ---- the shape --------------------------------------------------------------------------------------------- */

static const hk_fact shape[] = {
    NAMED("type", &types_of_shapes, "What kind of shape it is; the numbers changed with the SDK."),
    NAMED("dispatchType", &types_of_dispatch, "How collisions with it are found; the numbers changed with the SDK."),
    NAMED("flags", &flags_of_shapes, "What it can do; of a mesh is_composite_shape."),
    {"numShapeKeyBits", "bits", 0, "How long its shape keys are: those of a section's number, and of a triangle's in it.", 0, NULL},
    METRES("convexRadius", "A shell around the shape; 0 of meshes."),
    PLAIN("userData", "For the game, which stores a pointer here when it loads the shape."),
    PLAIN("properties", "What else is known of it; of meshes nothing."),
};
static const hk_fact shape_properties[] = {PLAIN("properties", "A list of them.")};
static const hk_fact shape_property[] = {PLAIN("propertyKey", "What the property is.")};
static const hk_fact composite[] = {PLAIN("shapeTagCodecInfo", "How shape tags are packed; 0xFFFFFFFF: not at all.")};
static const hk_fact mesh_shape[] = {
    PLAIN("vertexConversionUtil", "From steps of the corners' grid to metres, and back."),
    PLAIN("shapeTagTable", "Runs of triangles with the same shape tag, by their keys; the last one is an end mark."),
    PLAIN("topLevelTree", "A tree of boxes over the sections."),
    PLAIN("geometrySections", "Parts of the mesh, each with a grid and a tree of its own."),
    PLAIN("primitiveMapping", "Which triangle of its source each one was; none in files."),
};
static const hk_fact conversion[] = {
    {"bitScale16", "1/m", -1, "Steps in a metre along each axis; w is 0.", 0, NULL},
    METRES("bitScale16Inv", "The step of the corners' grid along each axis; w is 0."),
};
static const hk_fact tag_entry[] = {
    PLAIN("meshPrimitiveKey", "The first triangle: its section, then bits for the primitive and one for which half of it."),
    PLAIN("shapeTag", "What the triangles from there on are: a row of the material tables. 0xFFFF: the end."),
};
static const hk_fact mapping[] = {
    PLAIN("sectionStart", "Where each section begins."), PLAIN("bitString", "Numbers of triangles, packed."),
    {"bitsPerEntry", "bits", 0, "How long each of those is.", 0, NULL}, PLAIN("triangleIndexBitMask", "Which bits of it are the triangle's number."),
};

/* ---- sections ---------------------------------------------------------------------------------------------- */

static const hk_fact section[] = {
    PLAIN("sectionBvh", "A tree of boxes over the primitives, in cells."),
    PLAIN("primitives", "Triangles, and pairs of them."),
    PLAIN("quantizedVertices", "Corners in steps of the grid from sectionOffset."),
    PLAIN("vertexBuffer", "Corners: three 16-bit steps of the grid from sectionOffset each, or three floats (m) where that is 0x7FFFFFFF."),
    PLAIN("interiorPrimitiveBitField", "Of each primitive or triangle a bit: no edge of it can be hit from outside."),
    PLAIN("sectionOffset", "Where its grid begins, in steps; as signed numbers. 0x7FFFFFFF: its corners are floats."),
    METRES("bitScale8Inv", "The size of a cell of the tree's boxes."),
    PLAIN("bitOffset", "Where the tree's cells begin, in cells."),
};
static const hk_fact primitive[] = {
    PLAIN("aId", "First corner."), PLAIN("bId", "Second corner; more than the fourth: the two triangles are a flat convex quad."),
    PLAIN("cId", "Third corner."), PLAIN("dId", "Fourth corner, of a second triangle a, c, d; the third again: there is none."),
};
static const hk_fact vertex16[] = {
    PLAIN("x", "Steps of the grid along x."), PLAIN("y", "Steps of the grid along y."), PLAIN("z", "Steps of the grid along z."),
};
static const hk_fact float3[] = {
    PLAIN("x", "First coordinate."), PLAIN("y", "Second coordinate."), PLAIN("z", "Third coordinate."),
};

/* ---- trees ------------------------------------------------------------------------------------------------- */

static const hk_fact simd_tree[] = {
    PLAIN("nodes", "Node 0 is unused, node 1 the root."), PLAIN("isCompact", "Whether it has no free nodes."),
    PLAIN("firstFreeIndex", "The first of the free nodes; 0: none."),
};
static const hk_fact storage[] = {PLAIN("nodes", "Node 0 is unused, node 1 the root.")};
static const hk_fact simd_node[] = {
    PLAIN("data", "Of a leaf four sections, 0xFFFFFFFF: none; else four nodes, 0: none."),
    PLAIN("isLeaf", "Whether it leads to sections."), GAME("isActive"),
    PLAIN("filterMasks", "A mask for each of the four boxes."),
    {"flags", NULL, 0, "Leaf or free; bits of the optimiser and of the user.", 0, &flags_of_nodes},
    PLAIN("maxDepth", "How many levels are below it."), PLAIN("splittingAxisCache", "Filled by the game."),
    PLAIN("numAddRemoveOperationsSinceLastRebalance", "Filled by the game."),
    PLAIN("parent", "The node above it."), PLAIN("numLeaves", "How many leaves are below it."),
};
static const hk_fact four_boxes[] = {
    METRES("lx", "Least x of four boxes; a box without limits is empty."), METRES("hx", "Greatest x of four boxes."),
    METRES("ly", "Least y of four boxes."), METRES("hy", "Greatest y of four boxes."),
    METRES("lz", "Least z of four boxes."), METRES("hz", "Greatest z of four boxes."),
};
static const hk_fact four_boxes8[] = {
    PLAIN("lx", "Least x of four boxes, a byte each, in cells; more than the greatest: none."), PLAIN("hx", "Greatest x of four boxes."),
    PLAIN("ly", "Least y of four boxes."), PLAIN("hy", "Greatest y of four boxes."),
    PLAIN("lz", "Least z of four boxes."), PLAIN("hz", "Greatest z of four boxes."),
};
static const hk_fact aabb8_node[] = {
    PLAIN("data", "Of a leaf four primitives, else four nodes. It is a leaf where the third is more than the fourth."),
};

#define OF(name, facts) {name, facts, REC_COUNT_OF(facts)}
const hk_facts_of hk_facts_mesh[] = {
    OF("hknpShape", shape), OF("hknpShapeProperties", shape_properties), OF("hknpShapePropertyBase", shape_property),
    OF("hknpCompositeShape", composite), OF("hknpMeshShape", mesh_shape),
    OF("hknpMeshShapeVertexConversionUtil", conversion), OF("hknpMeshShape::ShapeTagTableEntry", tag_entry),
    OF("hknpMeshShapePrimitiveMapping", mapping), OF("hknpMeshShape::GeometrySection", section),
    OF("hknpMeshShape::GeometrySection::Primitive", primitive), OF("hknpMeshShape::GeometrySection::Vertex16_3", vertex16),
    OF("hkFloat3", float3), OF("hkcdSimdTree", simd_tree), OF("hkcdSimdTreeNamespace::hkcdSimdTree", simd_tree),
    OF("hkcdSimdTreeNamespace::RelArrayStorage", storage), OF("hkcdSimdTree::Node", simd_node),
    OF("hkcdSimdTreeNamespace::Node", simd_node), OF("hkcdFourAabb", four_boxes), OF("hknpTransposedFourAabbs8", four_boxes8),
    OF("hknpAabb8TreeNode", aabb8_node),
    {NULL, NULL, 0},
};
/* clang-format on */
