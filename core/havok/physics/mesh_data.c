/* Triangles, packed into sections, with trees of boxes. Reference: formats/fo4-collision.md#3.4. */
#include "havok/physics/types.h"

/* clang-format off */
#define BOX                                                                                        \
    {.name = "x", .kind = REC_U8, .doc = "How its box is smaller than its parent's along x: min (high 4 bits), max (low 4)."}, \
    {.name = "y", .kind = REC_U8, .doc = "The same along y."},                                     \
    {.name = "z", .kind = REC_U8, .doc = "The same along z."}

/* Rows right behind each other: 5 bytes, and 4. */
static const rec_field top_rows[] = {
    BOX,
    {.name = "data", .kind = REC_U16, .flags = REC_BIG, .doc = "Highest bit: it has children, the rest is half the way to the right one; "
     "else a section, from 0."},
    {.name = "inner", .shown = REC_BOOL, HK_BITS("data", 15, 1), .doc = "Whether it has children."},
    {.name = "index", .shown = REC_INTEGER, HK_BITS("data", 0, 15), .doc = "Half the way to the right child, or the section, from 0."},
};
static const rec_type top_node = {.name = "hkcdStaticTreeNode5", .doc = "A box around boxes, or around a section.", REC_ROWS(top_rows)};

static const rec_field section_node_rows[] = {
    BOX,
    {.name = "data", .kind = REC_U8, .doc = "Lowest bit: it has children, the rest is the way to the right one; else twice a primitive, from 0."},
    {.name = "inner", .shown = REC_BOOL, HK_BITS("data", 0, 1), .doc = "Whether it has children."},
    {.name = "index", .shown = REC_INTEGER, HK_BITS("data", 1, 7), .doc = "Half the way to the right child, or the primitive, from 0."},
};
static const rec_type section_node = {.name = "hkcdStaticTreeNode4", .doc = "A box around boxes, or around a primitive.",
                                      REC_ROWS(section_node_rows)};

#define FIRST(name_, of, what) {.name = name_, .shown = REC_INTEGER, HK_BITS(of, 8, 24), .doc = what}
#define COUNT(name_, of, what) {.name = name_, .shown = REC_INTEGER, HK_BITS(of, 0, 8), .doc = what}
static const rec_field section_rows[] = {
    {.name = "nodes", HK_STRUCTS(section_node), .doc = "The tree over its primitives; the first is the root."},
    {.name = "domain", .kind = REC_RECORD, .type = &hk_aabb, .doc = "The box around its triangles."},
    {.name = "codec_parms", .original = "codecParms", .kind = REC_F32, .n = 6, .unit = "m", .power = 1,
     .doc = "Of its packed vertices: base x, y, z, and the steps along x, y, z."},
    {.name = "first_packed_vertex", .original = "firstPackedVertex", .kind = REC_U32, .doc = "Its first of packed_vertices, from 0."},
    {.name = "shared_vertices", .original = "sharedVertices", .kind = REC_U32, .doc = "256 * first_shared_index + packed_count."},
    {.name = "primitives", .kind = REC_U32, .doc = "256 * first_primitive + primitive_count."},
    {.name = "data_runs", .original = "dataRuns", .kind = REC_U32, .doc = "256 * first_data_run + data_run_count."},
    FIRST("first_shared_index", "shared_vertices", "Its first of shared_vertices_index, from 0."),
    COUNT("packed_count", "shared_vertices", "How many packed vertices it has."),
    FIRST("first_primitive", "primitives", "Its first of primitives, from 0."),
    COUNT("primitive_count", "primitives", "How many primitives it has."),
    FIRST("first_data_run", "data_runs", "Its first of primitive_data_runs, from 0."),
    COUNT("data_run_count", "data_runs", "How many data runs it has."),
    {.name = "num_packed_vertices", .original = "numPackedVertices", .kind = REC_U8, .doc = "Packed vertices, once more."},
    {.name = "num_shared_indices", .original = "numSharedIndices", .kind = REC_U8, .doc = "Shared vertices, which come behind its packed ones."},
    {.name = "leaf_index", .original = "leafIndex", .kind = REC_U16, .doc = "Its leaf in the tree over the sections."},
    {.name = "page", .kind = REC_U8, .doc = "0."},
    {.name = "flags", .kind = REC_U8, .doc = "0."},
    {.name = "layer_data", .original = "layerData", .kind = REC_U8, .doc = "0."},
    {.name = "unused_data", .original = "unusedData", .kind = REC_U8, .doc = "0."},
};
static const rec_type section = {.name = "hkcdStaticMeshTreeSection", .doc = "Up to 255 vertices and 128 primitives.",
                                 .flags = REC_ALIGNED, REC_ROWS(section_rows)};

static const rec_field primitive_rows[] = {
    {.name = "a", .kind = REC_U8, .doc = "First corner: a vertex of its section, from 0."},
    {.name = "b", .kind = REC_U8, .doc = "Second corner."},
    {.name = "c", .kind = REC_U8, .doc = "Third corner."},
    {.name = "d", .kind = REC_U8, .doc = "Fourth corner; the third again where it is one triangle."},
};
static const rec_type primitive = {.name = "hkcdStaticMeshTreePrimitive", .doc = "Triangles a b c and a c d, or only the first.",
                                   .flags = REC_ALIGNED | REC_VECTOR, REC_ROWS(primitive_rows)};

static const rec_field run_rows[] = {
    {.name = "value", .kind = REC_U16, .doc = "Their material: an entry of hknpBSMaterialProperties, from 0."},
    {.name = "index", .kind = REC_U8, .doc = "The first primitive of its section, from 0."},
    {.name = "count", .kind = REC_U8, .doc = "How many."},
    {.name = "material", .shown = REC_TEXT, .flags = REC_INSIDE, .get = hk_run_material_get, .set = hk_run_material_set,
     .doc = "The entry's, by name or number. Setting it points to an entry of that material, which is added where there is none."},
};
static const rec_type run = {.name = "hkcdStaticMeshTreeDataRun", .doc = "Primitives of one material.",
                             .flags = REC_ALIGNED, REC_ROWS(run_rows)};

#define NONE 0x1.FFFFDCp127
static const double far[] = {NONE, NONE, NONE, NONE}, back[] = {-NONE, -NONE, -NONE, -NONE};
#define FOURTH(letter, which) {.name = letter, .kind = REC_F32, .align = 4, .unit = "m", .power = 1, .doc = "Of the " which " box."}
static const rec_field four_rows[] = {FOURTH("x", "first"), FOURTH("y", "second"), FOURTH("z", "third"), FOURTH("w", "fourth")};
static const rec_type four = {.name = "hkVector4Lengths", .doc = "A number of each of four boxes.", .flags = REC_VECTOR, REC_ROWS(four_rows)};

#define SIMD(of, init) {.name = of, .kind = REC_RECORD, .type = &four, .align = 16, .init_lanes = init, .doc = "Of four boxes."}
static const rec_field simd_rows[] = {
    SIMD("lx", far), SIMD("hx", back), SIMD("ly", far), SIMD("hy", back), SIMD("lz", far), SIMD("hz", back),
    {.name = "data", .kind = REC_U32, .n = 4, .doc = "What is in them: 0."},
};
const rec_type hk_simd_node = {.name = "hkcdSimdTreeNode", .doc = "Four boxes; empty in all games' files.",
                                   .flags = REC_ALIGNED, REC_ROWS(simd_rows)};

static const rec_field simd_tree_rows[] = {
    {.name = "vtable", .kind = REC_POINTER, .ref = &hk_pointer_ref, .flags = REC_PAD, .doc = "Filled by the game."},
    {.name = "nodes", HK_STRUCTS(hk_simd_node), .doc = "Two empty ones."},
    {.name = "is_compact", .original = "isCompact", .kind = REC_U8, .flags = REC_PAD, .doc = "0."},
};
static const rec_type simd_tree = {.name = "hkcdSimdTree", .doc = "Another tree of boxes, not used.",
                                   .flags = REC_ALIGNED, REC_ROWS(simd_tree_rows)};

static const rec_field data_rows[] = {
    HK_REFERENCED,
    {.name = "nodes", HK_STRUCTS(top_node), .flags = REC_DERIVED, .doc = "The tree over the sections; the first is the root."},
    {.name = "domain", .kind = REC_RECORD, .type = &hk_aabb, .doc = "The box around all triangles."},
    {.name = "num_primitive_keys", .original = "numPrimitiveKeys", .kind = REC_I32, .doc = "Triangles."},
    {.name = "bits_per_key", .original = "bitsPerKey", .kind = REC_I32, .unit = "bits", .doc = "How long max_key_value + 1 is."},
    {.name = "max_key_value", .original = "maxKeyValue", .kind = REC_U32,
     .doc = "The last shape key: 256 a section, 2 a primitive, 1 for the second triangle."},
    {.name = "sections", HK_STRUCTS(section), .doc = "Where its triangles are."},
    {.name = "primitives", HK_STRUCTS(primitive), .doc = "Triangles, or two as one, section by section."},
    {.name = "shared_vertices_index", .original = "sharedVerticesIndex", .kind = REC_U16, HK_ARRAY,
     .doc = "Which of shared_vertices a section has, from 0, section by section."},
    {.name = "packed_vertices", .original = "packedVertices", HK_STRUCTS(hk_packed_vertex), .doc = "Vertices of one section alone."},
    {.name = "shared_vertices", .original = "sharedVertices", HK_STRUCTS(hk_shared_vertex), .doc = "Vertices of several sections."},
    {.name = "primitive_data_runs", .original = "primitiveDataRuns", HK_STRUCTS(run), .doc = "Materials, section by section."},
    {.name = "simd_tree", .original = "simdTree", .kind = REC_RECORD, .type = &simd_tree, .doc = "Empty in all games' files."},
};
const rec_type hknp_compressed_mesh_shape_data = {.name = "hknpCompressedMeshShapeData", .doc = "Triangles in sections, with trees of boxes.",
                                                  .flags = REC_ALIGNED, REC_ROWS(data_rows)};
/* clang-format on */
