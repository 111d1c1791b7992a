/* Shapes but for convex ones. Reference: formats/fo4-collision.md#3. */
#include "havok/physics/types.h"

/* clang-format off */
static const rec_name dispatch_rows[] = {{"convex", 1}, {"composite", 2}, {0}};
const rec_names hk_dispatch_types = {"dispatch type", dispatch_rows};

static const rec_field shape_rows[] = {HK_SHAPE};
const rec_type hknp_shape = {.name = "hknpShape", .doc = "What all shapes have.", .flags = REC_ALIGNED, REC_ROWS(shape_rows)};

static const rec_field welding_rows[] = {
    {.name = "secondary_key_mask", .original = "secondaryKeyMask", .kind = REC_U32, .init = 0xFFFFFFFF, .doc = "0xFFFFFFFF."},
    {.name = "secondary_key_bits", .original = "secondaryKeyBits", .kind = REC_U32, .doc = "0."},
    {.name = "primary_key_to_index", .original = "primaryKeyToIndex", .kind = REC_U16, HK_ARRAY, .doc = "Empty."},
    {.name = "value_and_secondary_keys", .original = "valueAndSecondaryKeys", .kind = REC_U16, HK_ARRAY, .doc = "Empty."},
};
static const rec_type welding_map = {.name = "hknpSparseCompactMap", .doc = "Numbers by shape keys.",
                                     .flags = REC_ALIGNED, REC_ROWS(welding_rows)};

#define COMPOSITE                                                                                  \
    HK_SHAPE,                                                                                      \
    {.name = "edge_welding_map", .original = "edgeWeldingMap", .kind = REC_RECORD, .type = &welding_map, .flags = REC_DERIVED, \
     .doc = "Empty in all games' files."},                                                         \
    {.name = "shape_tag_codec_info", .original = "shapeTagCodecInfo", .kind = REC_U32, .init = 0xFFFFFFFF, .doc = "0xFFFFFFFF."}

static const rec_field mesh_rows[] = {
    COMPOSITE,
    {.name = "data", HK_POINTER(hknp_compressed_mesh_shape_data), .flags = REC_DERIVED, .doc = "The triangles."},
    {.name = "quad_is_flat", .original = "quadIsFlat", .kind = REC_RECORD, .type = &hk_bit_field,
     .doc = "Of each primitive, by shape key / 2: whether it is flat."},
    {.name = "triangle_is_interior", .original = "triangleIsInterior", .kind = REC_RECORD, .type = &hk_bit_field,
     .doc = "Of each triangle, by shape key: whether it is inside."},
};
const rec_type hknp_compressed_mesh_shape = {.name = "hknpCompressedMeshShape", .doc = "Triangles, packed.",
                                             .flags = REC_ALIGNED, REC_ROWS(mesh_rows)};

static const double ones[] = {1, 1, 1, 1};
static const rec_field instance_rows[] = {
    {.name = "transform", .kind = REC_RECORD, .type = &hk_tagged_transform,
     .doc = "Where it is. The last byte of w: of column0 0x40 at rest, 0x42 moved, 0x46 turned, too; of column2 the shape's size in "
            "bytes (a mesh: 0x90); of translation its leaf in the tree."},
    {.name = "scale", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .init_lanes = ones, .doc = "1 along each axis."},
    {.name = "shape", HK_POINTER(hknp_shape), .doc = "What is there. Instances may share one."},
    {.name = "shape_tag", .original = "shapeTag", .kind = REC_U16, .init = 0xFFFF, .doc = "0xFFFF: none."},
    {.name = "destruction_tag", .original = "destructionTag", .kind = REC_U16, .init = 0xFFFF, .doc = "0xFFFF: none."},
    {.name = "padding", .kind = REC_BYTES, .n = 30, .flags = REC_PAD, .doc = "Zeros."},
};
static const rec_type instance = {.name = "hknpShapeInstance", .doc = "A shape somewhere in a compound.",
                                  .flags = REC_ALIGNED, REC_ROWS(instance_rows)};

static const rec_field box_rows[] = {
    {.name = "min", .kind = REC_RECORD, .type = &hk_tagged_vector, .align = 16, .unit = "m", .power = 1,
     .doc = "The least corner. What the number in w means is not known; it grows with the instances."},
    {.name = "max", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .unit = "m", .power = 1, .doc = "The greatest corner."},
};
static const rec_type tagged_box = {.name = "hkAabbTagged", .doc = "A box along the axes, and a number.",
                                    .flags = REC_ALIGNED, REC_ROWS(box_rows)};

static const rec_field compound_rows[] = {
    COMPOSITE,
    {.name = "instances", HK_STRUCTS(instance), .flags = REC_DERIVED, .doc = "The shapes it is made of."},
    {.name = "first_free", .original = "firstFree", .kind = REC_I32, .init = -1, .doc = "-1: every instance is in use."},
    {.name = "aabb", .kind = REC_RECORD, .type = &tagged_box, .doc = "Around all of it."},
    {.name = "is_mutable", .original = "isMutable", .kind = REC_U8, .shown = REC_BOOL, .init = 1, .doc = "Yes."},
    {.name = "padding", .kind = REC_BYTES, .n = 31, .flags = REC_PAD, .doc = "Zeros."},
    {.name = "data", HK_POINTER(hknp_dynamic_compound_shape_data), .flags = REC_DERIVED, .doc = "The tree over the instances."},
    {.name = "padding2", .kind = REC_BYTES, .n = 8, .flags = REC_PAD, .doc = "Zeros."},
};
const rec_type hknp_dynamic_compound_shape = {.name = "hknpDynamicCompoundShape", .doc = "Several shapes as one.",
                                              .flags = REC_ALIGNED, REC_ROWS(compound_rows)};

static const rec_field corner_rows[] = {
    {.name = "x", .kind = REC_F32, .doc = "First coordinate."},
    {.name = "y", .kind = REC_F32, .doc = "Second coordinate."},
    {.name = "z", .kind = REC_F32, .doc = "Third coordinate."},
};
static const rec_type corner = {.name = "hkFloat3", .doc = "Three numbers.", .flags = REC_ALIGNED | REC_VECTOR, REC_ROWS(corner_rows)};

static const rec_field node_rows[] = {
    {.name = "min", .kind = REC_RECORD, .type = &hk_tagged_vector, .align = 16, .unit = "m", .power = 1,
     .doc = "The least corner; in w the number of the parent."},
    {.name = "max", .kind = REC_RECORD, .type = &corner, .unit = "m", .power = 1, .doc = "The greatest corner."},
    {.name = "left", .kind = REC_U16, .doc = "The first child; 0: it is a leaf."},
    {.name = "right", .kind = REC_U16, .doc = "The second child; of a leaf the instance, from 0."},
};
static const rec_type node = {.name = "hkcdDynamicTreeNode", .doc = "A box around boxes, or around an instance.",
                              .flags = REC_ALIGNED, REC_ROWS(node_rows)};

static const rec_field data_rows[] = {
    HK_REFERENCED,
    {.name = "nodes", HK_STRUCTS(node), .flags = REC_DERIVED, .doc = "2 a leaf and 1: the first and the last are not used."},
    {.name = "first_free", .original = "firstFree", .kind = REC_U16, .doc = "The node that is not used at the end."},
    {.name = "num_leaves", .original = "numLeaves", .kind = REC_U32, .flags = REC_DERIVED, .doc = "Instances."},
    {.name = "path", .kind = REC_U32, .doc = "0."},
    {.name = "root", .kind = REC_U16, .init = 1, .doc = "The node around all of it: 1."},
};
const rec_type hknp_dynamic_compound_shape_data = {.name = "hknpDynamicCompoundShapeData", .doc = "A tree of boxes over a compound's instances.",
                                                   .flags = REC_ALIGNED, REC_ROWS(data_rows)};
/* clang-format on */
