/* The classes of Fallout 4's collision. Reference: formats/fo4-collision.md.
 *
 * hknpPhysicsSystemData is the root: materials, motions and bodies by number, and each body's shape. Lengths
 * are Havok's metres (1 is 69.99125 units of the game), masses kilograms. */
#ifndef LATHE_HAVOK_PHYSICS_TYPES_H
#define LATHE_HAVOK_PHYSICS_TYPES_H

#include "havok/packfile/types.h"

/* material_row.c */
typedef lathe_result hk_row_get(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err);
typedef lathe_result hk_row_set(const rec_at *at, const rec_field *row, const lathe_value *value,
                                lathe_error *err);
hk_row_get hk_material_get, hk_material_kind, hk_material_source, hk_material_textures;
hk_row_set hk_material_set;
hk_row_get hk_run_material_get; /* of a run: surfaces.c */
hk_row_set hk_run_material_set;

/* clang-format off */
/* Behind `user_data` or `material_id`. What doc.materials lists has the rows behind the first. */
#define HK_MATERIAL                                                                                \
    {.name = "material", .shown = REC_TEXT, .get = hk_material_get, .set = hk_material_set,        \
     .doc = "The material by its name, or its number where nobody knows the name."},               \
    {.name = "kind", .shown = REC_TEXT, .flags = REC_INSIDE, .get = hk_material_kind,              \
     .doc = "What doc.materials says that it is: collision."},                                     \
    {.name = "name", .shown = REC_TEXT, .flags = REC_INSIDE, .get = hk_material_get,               \
     .set = hk_material_set, .doc = "The same as material, as all that doc.materials lists has it."}, \
    {.name = "source", .type = &hk_opaque, .flags = REC_INSIDE, .get = hk_material_source,         \
     .doc = "The object that it is in."},                                                          \
    {.name = "textures", .type = &hk_opaque, .flags = REC_INSIDE, .get = hk_material_textures,     \
     .doc = "None: only shaders have them."}

/* What all shapes begin with; padded to 0x30. The next row is REC_DERIVED. */
#define HK_SHAPE                                                                                   \
    HK_REFERENCED,                                                                                 \
    {.name = "flags", .kind = REC_U16, .flags = REC_DERIVED, .align = 16,                          \
     .doc = "What kind of shape it is: 0x143 polytope, 0x111 sphere, 0x1C3 capsule, 0x204 mesh, 4 compound. "   \
            "Its bits are not known."},                                                            \
    {.name = "num_shape_key_bits", .original = "numShapeKeyBits", .kind = REC_U8, .unit = "bits",  \
     .doc = "How long its shape keys are; 0 of convex ones."},                                     \
    {.name = "dispatch_type", .original = "dispatchType", .kind = REC_U8, .shown = REC_ENUM,       \
     .names = &hk_dispatch_types, .doc = "How collisions with it are found."},                     \
    {.name = "convex_radius", .original = "convexRadius", .kind = REC_F32, .unit = "m", .power = 1,\
     .doc = "A shell around convex shapes; of spheres and capsules their radius."},                \
    {.name = "user_data", .original = "userData", .kind = REC_U64, .shown_by = "material",         \
     .doc = "The material: CRC-32 of its lower-case name."},                                       \
    HK_MATERIAL,                                                                                   \
    {.name = "properties", HK_POINTER(hk_ref_counted_properties),                                  \
     .doc = "Mass properties or materials; spheres, capsules and compounds have none."}
/* clang-format on */

extern const rec_names hk_dispatch_types; /* shape.c */

/* Small structs of several classes (structs.c). */
extern const rec_type hk_tagged_vector; /* x y z, and a whole number in w's bits */
extern const rec_type hk_transform, hk_tagged_transform, hk_aabb, hk_bit_field;

/* bodies.c */
extern const rec_type hk_body_type;
/* packed.c: numbers that are worked out of `packed`, which they stand in front of */
extern const rec_type hk_packed_vector3, hk_packed_quaternion, hk_packed_vertex, hk_shared_vertex;
/* A bit field of a stored row, as `row` with a name, of 1 bit and more. */
#define HK_BITS(row, from, n) .bits_of = row, .low = from, .bits = n
/* The layer of `collision_filter_info` (layers.c). */
#define HK_LAYER                                                                                   \
    {                                                                                              \
        .name = "layer", .shown = REC_ENUM, .names = &hk_layers,                                   \
        HK_BITS("collision_filter_info", 0, 7),                                                    \
        .doc = "What kind of thing collides: its bits 0 to 6."                                     \
    }
extern const rec_names hk_layers;

/* system.c */
extern const rec_type hknp_physics_system_data, hknp_ragdoll_data, hknp_physics_scene_data,
    hknp_body_cinfo;
extern const rec_type hknp_motion_cinfo;
/* constraint.c */
extern const rec_type hkp_constraint_data, hkp_ragdoll_constraint_data,
    hkp_limited_hinge_constraint_data, hkp_position_constraint_motor,
    hknp_breakable_constraint_data;
/* shape.c */
extern const rec_type hknp_shape, hknp_compressed_mesh_shape, hknp_dynamic_compound_shape,
    hknp_dynamic_compound_shape_data;
/* mesh_data.c */
extern const rec_type hknp_compressed_mesh_shape_data, hk_simd_node;
/* properties.c */
extern const rec_type hk_ref_counted_properties, hknp_shape_mass_properties,
    hknp_bs_material_properties;

#endif
