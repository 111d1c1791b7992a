/* What shapes have besides: mass, materials. Reference: formats/fo4-collision.md#3.6. */
#include "havok/physics/types.h"

/* clang-format off */
static const rec_name key_rows[] = {{"mass_properties", 0xF100}, {"bs_material_properties", 0xF601}, {0}};
static const rec_names keys = {"property key", key_rows};

static const rec_field entry_rows[] = {
    {.name = "object", HK_POINTER(hk_opaque), .doc = "hknpShapeMassProperties or hknpBSMaterialProperties."},
    {.name = "key", .kind = REC_U16, .shown = REC_ENUM, .names = &keys, .doc = "What it is."},
    {.name = "flags", .kind = REC_U16, .doc = "0."},
};
static const rec_type entry = {.name = "hkRefCountedPropertiesEntry", .doc = "An object by what it is.",
                               .flags = REC_ALIGNED, REC_ROWS(entry_rows)};

static const rec_field properties_rows[] = {
    {.name = "entries", HK_STRUCTS(entry), .doc = "One for each property."},
};
const rec_type hk_ref_counted_properties = {.name = "hkRefCountedProperties", .doc = "What a shape has besides.",
                                            .flags = REC_ALIGNED, REC_ROWS(properties_rows)};

static const double unit[] = {0, 0, 0, 1};
static const rec_field mass_rows[] = {
    HK_REFERENCED,
    {.name = "center_of_mass", .original = "centerOfMass", .kind = REC_RECORD, .type = &hk_packed_vector3, .flags = REC_DERIVED,
     .unit = "m", .power = 1, .doc = "Where it would balance."},
    {.name = "inertia", .kind = REC_RECORD, .type = &hk_packed_vector3, .unit = "kg m^2", .power = 5, .doc = "About each principal axis."},
    {.name = "major_axis_space", .original = "majorAxisSpace", .kind = REC_RECORD, .type = &hk_packed_quaternion, .init_lanes = unit,
     .doc = "How the principal axes are turned."},
    {.name = "mass", .kind = REC_F32, .unit = "kg", .power = 3, .doc = "At a density of 1: the volume."},
    {.name = "volume", .kind = REC_F32, .unit = "m^3", .power = 3, .doc = "With the shell of convex_radius."},
};
const rec_type hknp_shape_mass_properties = {.name = "hknpShapeMassProperties", .doc = "Mass of a shape, were its density 1.",
                                             .flags = REC_ALIGNED, REC_ROWS(mass_rows)};

static const rec_field material_rows[] = {
    {.name = "unknown", .kind = REC_BYTES, .n = 16, .flags = REC_PAD, .doc = "Zeros in all games' files."},
    {.name = "collision_filter_info", .original = "collisionFilterInfo", .kind = REC_U32, .doc = "The body's."},
    HK_LAYER,
    {.name = "material_id", .kind = REC_U32, .shown_by = "material", .doc = "CRC-32 of the material's lower-case name."},
    HK_MATERIAL,
};
static const rec_type material = {.name = "hknpBSMaterial", .doc = "A material of a mesh.", .flags = REC_ALIGNED, REC_ROWS(material_rows)};

static const rec_field bs_rows[] = {
    HK_REFERENCED,
    {.name = "materials", HK_STRUCTS(material), .flags = REC_DERIVED, .doc = "What primitive_data_runs choose from, by number from 0."},
};
const rec_type hknp_bs_material_properties = {.name = "hknpBSMaterialProperties", .doc = "Materials of a mesh's triangles.",
                                              .flags = REC_ALIGNED, REC_ROWS(bs_rows)};
/* clang-format on */
