/* The classes of mesh shapes. Those of variant 21 come from a real file of SDK 20210100. For 22 and 23,
 * members, offsets and sizes are known (from programs that read every file of the game, and from notes), but
 * no real section. So versions and hashes are those of 21, also if the class changed and the game has others.
 * A class that 21 lacks has a recognisable number in place of its hash (0x5141....). */
#include "phive/types_table.h"

#include "tagfile/types.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define MEMBERS(list) .members = list, .members_n = COUNT(list)
#define RECORD(bytes, align) .format = TAG_RECORD, .size = bytes, .alignment = align

enum { /* flags of members */
       PLAIN = 0x20,
       PROTECTED = 0x22,
       PRIVATE = 0x24,
       MEMORY_ONLY = TAG_NOT_SERIALISED
};

/* ---- members ----------------------------------------------------------------------------------------------- */

/* clang-format off */
static const phive_class_member mesh_shape[] = {
    {"vertexConversionUtil", "hknpMeshShapeVertexConversionUtil", 0x50, PLAIN, 0},
    {"shapeTagTable", "hkRelArrayView<hknpMeshShape::ShapeTagTableEntry, int>", 0x70, PLAIN, 0},
    {"topLevelTree", "hkcdSimdTree", 0x78, PLAIN, PHIVE_21 | PHIVE_22},
    {"topLevelTree", "hkcdSimdTreeNamespace::hkcdSimdTree<>", 0x78, PLAIN, PHIVE_23},
    {"geometrySections", "hkRelArrayView<hknpMeshShape::GeometrySection, int>", 0x90, PLAIN, 0},
    {"primitiveMapping", "hkRelPtr<hknpMeshShapePrimitiveMapping>", 0x98, PLAIN, PHIVE_22 | PHIVE_23},
};
static const phive_class_member composite_shape[] = {
    {"shapeTagCodecInfo", "hkUint32", 0x40, PLAIN, 0},
};
static const phive_class_member shape[] = {
    {"type", "hkEnum<hknpShapeType::Enum, hkUint8>", 0x18, PROTECTED, 0},
    {"dispatchType", "hkEnum<hknpCollisionDispatchType::Enum, hkUint8>", 0x19, PROTECTED, 0},
    {"flags", "hkFlags<hknpShape::FlagsEnum, hkUint16>", 0x1A, PROTECTED, 0},
    {"numShapeKeyBits", "hkUint8", 0x1C, PROTECTED, 0},
    {"convexRadius", "hkReal", 0x20, PROTECTED, 0},
    {"userData", "hkUint64", 0x28, PLAIN, 0},
    {"properties", "hknpShapeProperties", 0x30, PROTECTED, 0},
};
static const phive_class_member referenced_object[] = {
    {"sizeAndFlags", "hkUlong", 0x08, PRIVATE | MEMORY_ONLY, 0},
    {"refCount", "hkUlong", 0x10, PRIVATE | MEMORY_ONLY, 0},
};
static const phive_class_member shape_properties[] = {
    {"properties", "hkRelArray<hknpShapeProperties::Entry>", 0x00, PROTECTED, 0},
};
static const phive_class_member conversion[] = {
    {"bitScale16", "hkVector4", 0x00, PLAIN, 0},
    {"bitScale16Inv", "hkVector4", 0x10, PLAIN, 0},
};
static const phive_class_member tag_entry[] = {
    {"meshPrimitiveKey", "hkUint32", 0x00, PLAIN, 0},
    {"shapeTag", "hkUint16", 0x04, PLAIN, 0},
};
static const phive_class_member simd_tree[] = {
    {"nodes", "hkRelArray<hkcdSimdTree::Node>", 0x00, PLAIN, 0},
    {"isCompact", "bool", 0x10, PLAIN, 0},
};
static const phive_class_member simd_tree_23[] = {
    {"firstFreeIndex", "hkUint32", 0x10, PLAIN, 0},
    {"isCompact", "bool", 0x14, PLAIN, 0},
};
static const phive_class_member storage_23[] = {
    {"nodes", "hkRelArray<hkcdSimdTreeNamespace::Node>", 0x00, PLAIN, 0},
};
static const phive_class_member simd_node[] = {
    {"data", "T[N]<hkUint32, 4>", 0x60, PLAIN, 0},
    {"isLeaf", "bool", 0x70, PLAIN, PHIVE_21 | PHIVE_22},
    {"isActive", "bool", 0x71, PLAIN | MEMORY_ONLY, PHIVE_21 | PHIVE_22},
    {"filterMasks", "T[N]<hkUint8, 4>", 0x70, PLAIN, PHIVE_23},
    {"flags", "hkFlags<hkcdSimdTreeNamespace::Node::FlagsEnum, unsigned char>", 0x74, PLAIN, PHIVE_23},
    {"maxDepth", "hkUint8", 0x75, PLAIN, PHIVE_23},
    {"splittingAxisCache", "hkUint8", 0x76, PLAIN, PHIVE_23},
    {"numAddRemoveOperationsSinceLastRebalance", "hkUint8", 0x77, PLAIN, PHIVE_23},
    {"parent", "hkUint32", 0x78, PLAIN, PHIVE_23},
    {"numLeaves", "hkUint32", 0x7C, PLAIN, PHIVE_23},
};
static const phive_class_member four_aabb[] = {
    {"lx", "hkVector4", 0x00, PLAIN, 0}, {"hx", "hkVector4", 0x10, PLAIN, 0},
    {"ly", "hkVector4", 0x20, PLAIN, 0}, {"hy", "hkVector4", 0x30, PLAIN, 0},
    {"lz", "hkVector4", 0x40, PLAIN, 0}, {"hz", "hkVector4", 0x50, PLAIN, 0},
};
static const phive_class_member section[] = {
    {"sectionBvh", "hkRelArrayView<hknpAabb8TreeNode, int>", 0x00, PLAIN, 0},
    {"primitives", "hkRelArrayView<hknpMeshShape::GeometrySection::Primitive, int>", 0x08, PLAIN, 0},
    {"quantizedVertices", "hkRelArrayView<hknpMeshShape::GeometrySection::Vertex16_3, int>", 0x10, PLAIN, PHIVE_21},
    {"vertexBuffer", "hkRelArrayView<hkUint8, int>", 0x10, PLAIN, PHIVE_22 | PHIVE_23},
    {"interiorPrimitiveBitField", "hkRelArrayView<hkUint8, int>", 0x18, PLAIN, 0},
    {"sectionOffset", "T[N]<hkUint32, 3>", 0x20, PLAIN, 0},
    {"bitScale8Inv", "hkFloat3", 0x2C, PLAIN, 0},
    {"bitOffset", "T[N]<hkInt16, 3>", 0x38, PLAIN, 0},
};
static const phive_class_member aabb8_node[] = {
    {"data", "T[N]<hkUint8, 4>", 0x18, PLAIN, 0},
};
static const phive_class_member four_aabbs8[] = {
    {"lx", "hkUint32", 0x00, PLAIN, 0}, {"hx", "hkUint32", 0x04, PLAIN, 0},
    {"ly", "hkUint32", 0x08, PLAIN, 0}, {"hy", "hkUint32", 0x0C, PLAIN, 0},
    {"lz", "hkUint32", 0x10, PLAIN, 0}, {"hz", "hkUint32", 0x14, PLAIN, 0},
};
static const phive_class_member primitive[] = {
    {"aId", "hkUint8", 0, PLAIN, 0}, {"bId", "hkUint8", 1, PLAIN, 0},
    {"cId", "hkUint8", 2, PLAIN, 0}, {"dId", "hkUint8", 3, PLAIN, 0},
};
static const phive_class_member vertex16[] = {
    {"x", "hkUint16", 0, PLAIN, 0}, {"y", "hkUint16", 2, PLAIN, 0}, {"z", "hkUint16", 4, PLAIN, 0},
};
static const phive_class_member float3[] = {
    {"x", "float", 0, PLAIN, 0}, {"y", "float", 4, PLAIN, 0}, {"z", "float", 8, PLAIN, 0},
};
static const phive_class_member view_members[] = {
    {"offset", "int", 0, PROTECTED, 0}, {"size", "int", 4, PROTECTED, 0},
};
static const phive_class_member array_members[] = {
    {"offset", "hkInt64", 0, PROTECTED, 0}, {"size", "int", 8, PROTECTED, 0}, {"capacityAndFlags", "int", 12, PROTECTED, 0},
};
static const phive_class_member pointer_members[] = {{"offset", "hkInt64", 0, PROTECTED, 0}};
static const phive_class_member enum_members[] = {{"storage", "hkUint8", 0, PRIVATE, 0}};
static const phive_class_member flags16_members[] = {{"storage", "hkUint16", 0, PROTECTED, 0}};
static const phive_class_member flags8_members[] = {{"storage", "unsigned char", 0, PROTECTED, 0}};

/* ---- classes ----------------------------------------------------------------------------------------------- */

#define ALIAS(alias, of) {.name = alias, .parent = of}
#define NUMBER(number, word, bytes) {.name = number, .format = word, .size = bytes, .alignment = bytes}
#define VIEW(of)                                                                                                       \
    .name = "hkRelArrayView<" of ", int>", .template = "hkRelArrayView", .args = {{"tT", of, 0}, {"tOFFSET_TYPE", "int", 0}}, \
    .format = TAG_ARRAY, .sub_type = of, .size = 8, .alignment = 4, .flags = TAG_RELATIVE, MEMBERS(view_members)
#define ARRAY(of)                                                                                                      \
    .name = "hkRelArray<" of ">", .template = "hkRelArray", .args = {{"tT", of, 0}}, .format = TAG_ARRAY, .sub_type = of,   \
    .size = 16, .alignment = 8, .flags = TAG_RELATIVE, MEMBERS(array_members)
#define IN_LINE(of, n, bytes, align)                                                                                   \
    {.name = "T[N]<" of ", " #n ">", .template = "T[N]", .args = {{"tT", of, 0}, {"vN", NULL, n}},                         \
     .format = n << 8 | TAG_INLINE | TAG_ARRAY, .sub_type = of, .size = bytes, .alignment = align}
#define ENUM(of)                                                                                                       \
    {.name = "hkEnum<" of ", hkUint8>", .template = "hkEnum", .args = {{"tENUM", of, 0}, {"tSTORAGE", "hkUint8", 0}},      \
     .format = 0x2004, .size = 1, .alignment = 1, MEMBERS(enum_members)}

const phive_class phive_classes[] = {
    /* the shape */
    {.name = "hknpMeshShape", .parent = "hknpCompositeShape", RECORD(160, 16), .version = 1, .hash = 0xEF99260B, MEMBERS(mesh_shape)},
    {.name = "hknpCompositeShape", .parent = "hknpShape", RECORD(72, 8), .version = 3, MEMBERS(composite_shape)},
    {.name = "hknpShape", .parent = "hkReferencedObject", RECORD(64, 8), .version = 7, MEMBERS(shape)},
    {.name = "hkReferencedObject", .parent = "hkBaseObject", RECORD(24, 8), .version = 4, MEMBERS(referenced_object)},
    {.name = "hkBaseObject", RECORD(8, 8), .flags = 0x90}, /* abstract, with a vtable */
    {.name = "hknpShapeProperties", RECORD(16, 8), MEMBERS(shape_properties)},
    {.name = "hknpShapeProperties::Entry"},
    {.name = "hknpMeshShapeVertexConversionUtil", RECORD(32, 16), MEMBERS(conversion)},
    {.name = "hknpMeshShape::ShapeTagTableEntry", RECORD(8, 4), .hash = 0x86242BCF, MEMBERS(tag_entry)},
    ENUM("hknpShapeType::Enum"),
    ENUM("hknpCollisionDispatchType::Enum"),
    {.name = "hknpShapeType::Enum"},
    {.name = "hknpCollisionDispatchType::Enum"},
    {.name = "hkFlags<hknpShape::FlagsEnum, hkUint16>", .template = "hkFlags",
     .args = {{"tBITS", "hknpShape::FlagsEnum", 0}, {"tSTORAGE", "hkUint16", 0}}, .format = 0x4004, .size = 2, .alignment = 2,
     MEMBERS(flags16_members)},
    {.name = "hknpShape::FlagsEnum"},
    {ARRAY("hknpShapeProperties::Entry")},
    {VIEW("hknpMeshShape::ShapeTagTableEntry")},
    {.name = "hkRelPtr<hknpMeshShapePrimitiveMapping>", .template = "hkRelPtr",
     .args = {{"tT", "hknpMeshShapePrimitiveMapping", 0}}, .format = TAG_POINTER, .sub_type = "hknpMeshShapePrimitiveMapping",
     .size = 8, .alignment = 8, .flags = TAG_RELATIVE, MEMBERS(pointer_members), .in = PHIVE_22 | PHIVE_23},
    {.name = "hknpMeshShapePrimitiveMapping", .in = PHIVE_22 | PHIVE_23},

    /* the tree over the sections */
    {.name = "hkcdSimdTree", RECORD(24, 8), .version = 3, MEMBERS(simd_tree), .in = PHIVE_21 | PHIVE_22},
    {.name = "hkcdSimdTree::Node", .parent = "hkcdFourAabb", RECORD(128, 16), .version = 2, .hash = 0xE4C7731E,
     MEMBERS(simd_node), .in = PHIVE_21 | PHIVE_22},
    {ARRAY("hkcdSimdTree::Node"), .in = PHIVE_21 | PHIVE_22},
    /* The names of these templates' arguments are unknown. */
    {.name = "hkcdSimdTreeNamespace::hkcdSimdTree<>", .template = "hkcdSimdTreeNamespace::hkcdSimdTree",
     .args = {{"tSTORAGE", "hkcdSimdTreeNamespace::RelArrayStorage<>", 0}},
     .parent = "hkcdSimdTreeNamespace::RelArrayStorage<>", RECORD(24, 8), MEMBERS(simd_tree_23), .in = PHIVE_23},
    {.name = "hkcdSimdTreeNamespace::RelArrayStorage<>", .template = "hkcdSimdTreeNamespace::RelArrayStorage",
     .args = {{"tNODE", "hkcdSimdTreeNamespace::Node", 0}}, RECORD(16, 8), MEMBERS(storage_23), .in = PHIVE_23},
    {.name = "hkcdSimdTreeNamespace::Node", .parent = "hkcdFourAabb", RECORD(128, 16), .version = 2, .hash = 0x51410009,
     MEMBERS(simd_node), .in = PHIVE_23},
    {ARRAY("hkcdSimdTreeNamespace::Node"), .in = PHIVE_23},
    {.name = "hkFlags<hkcdSimdTreeNamespace::Node::FlagsEnum, unsigned char>", .template = "hkFlags",
     .args = {{"tBITS", "hkcdSimdTreeNamespace::Node::FlagsEnum", 0}, {"tSTORAGE", "unsigned char", 0}}, .format = 0x2004,
     .size = 1, .alignment = 1, MEMBERS(flags8_members), .in = PHIVE_23},
    {.name = "hkcdSimdTreeNamespace::Node::FlagsEnum", .in = PHIVE_23},
    {.name = "hkcdFourAabb", RECORD(96, 16), MEMBERS(four_aabb)},

    /* sections */
    {.name = "hknpMeshShape::GeometrySection", RECORD(64, 4), .hash = 0xBC093FDD, MEMBERS(section)},
    {.name = "hknpAabb8TreeNode", .parent = "hknpTransposedFourAabbs8", RECORD(28, 4), .hash = 0xD075C85D, MEMBERS(aabb8_node)},
    {.name = "hknpTransposedFourAabbs8", RECORD(24, 4), MEMBERS(four_aabbs8)},
    {.name = "hknpMeshShape::GeometrySection::Primitive", RECORD(4, 1), .hash = 0x0DEE5974, MEMBERS(primitive)},
    {.name = "hknpMeshShape::GeometrySection::Vertex16_3", RECORD(6, 2), .hash = 0x27539477, MEMBERS(vertex16), .in = PHIVE_21},
    {VIEW("hknpMeshShape::GeometrySection")},
    {VIEW("hknpAabb8TreeNode")},
    {VIEW("hknpMeshShape::GeometrySection::Primitive")},
    {VIEW("hknpMeshShape::GeometrySection::Vertex16_3"), .in = PHIVE_21},
    {VIEW("hkUint8")},
    IN_LINE("hkUint32", 4, 16, 4),
    IN_LINE("hkUint32", 3, 12, 4),
    IN_LINE("hkInt16", 3, 6, 2),
    IN_LINE("hkUint8", 4, 4, 1),

    /* numbers */
    {.name = "hkUint8", .parent = "unsigned char", .hash = 0xDDD4337B},
    ALIAS("hkUint16", "unsigned short"), ALIAS("hkUint32", "unsigned int"), ALIAS("hkUint64", "unsigned long long"),
    ALIAS("hkUlong", "unsigned long long"), ALIAS("hkInt16", "short"), ALIAS("hkInt64", "long long"), ALIAS("hkReal", "float"),
    ALIAS("hkVector4", "hkVector4f"),
    {.name = "hkVector4f", .format = 4 << 8 | TAG_INLINE | TAG_ARRAY, .sub_type = "float", .size = 16, .alignment = 0x4010},
    {.name = "hkFloat3", RECORD(12, 4), MEMBERS(float3)},
    NUMBER("bool", 0x2002, 1), NUMBER("unsigned char", 0x2004, 1), NUMBER("short", 0x4204, 2),
    NUMBER("unsigned short", 0x4004, 2), NUMBER("int", 0x8204, 4), NUMBER("unsigned int", 0x8004, 4),
    NUMBER("long long", 0x10204, 8), NUMBER("unsigned long long", 0x10004, 8), NUMBER("float", 0x174605, 4),
    {0},
};

/* From 22 on vertices are bytes, as are the bits of interior edges behind them. */
const phive_root phive_roots[] = {
    {"hknpMeshShape", 0},
    {"hknpMeshShape::ShapeTagTableEntry", 0},
    {"hkcdSimdTree::Node", PHIVE_21 | PHIVE_22},
    {"hkcdSimdTreeNamespace::Node", PHIVE_23},
    {"hknpMeshShape::GeometrySection", 0},
    {"hknpAabb8TreeNode", 0},
    {"hknpMeshShape::GeometrySection::Primitive", 0},
    {"hknpMeshShape::GeometrySection::Vertex16_3", PHIVE_21},
    {"hkUint8", 0},
    {NULL, 0},
};
/* clang-format on */
