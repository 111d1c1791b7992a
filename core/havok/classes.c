/* The classes that are described, and the signatures of those that files were seen with. */
#include "havok/physics/convex.h"
#include "havok/physics/types.h"

/* clang-format off */
const hk_class hk_classes[] = {
    {&hk_root_level_container, 0x2772C11E, 0x2772C11E, 0},
    {&hk_memory_resource_container, 0x4762F92A, 0x1DE13A73, 0},
    {&hka_animation_container, 0x8DC20333, 0x26859F4C, 0},
    {&hka_skeleton, 0x366E8220, 0xFEC1CEDB, 0},
    {&hka_skeleton_mapper, 0x12DF42A5, 0xACE9849C, 0},
    {&hka_spline_compressed_animation, 0x792EE0BB, 0x8C3B5F7E, 0},
    {&hka_interleaved_uncompressed_animation, 0x930AF031, 0xCD9801FB, 0},
    {&hka_lossless_compressed_animation, 0, 0, 0},
    {&hka_animation_binding, 0x66EAC971, 0x0FAF9150, 0},
    {&hka_default_animated_reference_frame, 0x6D85E445, 0x60F8E0B8, 0},
    {&hkp_ragdoll_constraint_data, 0x8FB5DD29, 0xB77D2036, HK_2014},
    {&hkp_limited_hinge_constraint_data, 0x7C15BB6B, 0x51EA603A, HK_2014},
    {&hkp_position_constraint_motor, 0x748FB303, 0x143DD400, HK_2014},
    {&hknp_physics_system_data, 0, 0xB857718B, HK_2014},
    {&hknp_physics_scene_data, 0, 0x701CE72C, HK_2014},
    {&hknp_ragdoll_data, 0, 0xDC8F20AB, HK_2014},
    {&hknp_compressed_mesh_shape, 0, 0x5F60D536, HK_2014},
    {&hknp_compressed_mesh_shape_data, 0, 0xA2BDFC59, HK_2014},
    {&hknp_dynamic_compound_shape, 0, 0x4620D11C, HK_2014},
    {&hknp_dynamic_compound_shape_data, 0, 0xF33DC3CC, HK_2014},
    {&hk_ref_counted_properties, 0, 0x7C574867, HK_2014},
    {&hknp_shape_mass_properties, 0, 0xE9191728, HK_2014},
    {&hknp_bs_material_properties, 0, 0xA3E47A9A, HK_2014},
    {&hknp_breakable_constraint_data, 0, 0xC40485C7, HK_2014},
    {&hknp_convex_polytope_shape, 0, 0x3CE9B3E3, HK_2014},
    {&hknp_sphere_shape, 0, 0x741E9012, HK_2014},
    {&hknp_capsule_shape, 0, 0x60A75F4C, HK_2014},
    {NULL, 0, 0, 0},
};

/* Any other class: its bytes, and what points out of them. */
static const rec_field opaque_rows[] = {
    {.name = "bytes", .kind = REC_BYTES, .flags = REC_REST,
     .doc = "The object and its data, as they are. Its class is not described."},
    {.name = "pointers", .shown = REC_TEXT, .flags = REC_PAD | REC_COPIED, .get = hk_get_pointers, .set = hk_set_pointers,
     .doc = "What points out of the bytes: 0x10=0x40 is a pointer to the object's own data, 0x58=#12 one to an object."},
};
const rec_type hk_opaque = {.name = "hkObject", .doc = "An object of a class that is not described.",
                            REC_ROWS(opaque_rows)};
/* clang-format on */

static const hk_class *find(const char *name)
{
    for (const hk_class *c = hk_classes; c->type; c++)
        if (strcmp(rec_type_name(c->type), name) == 0)
            return c;
    return NULL;
}

const hk_class *hk_class_find(const char *name, int64_t version)
{
    const hk_class *c = find(name);
    return c && version >= c->since ? c : NULL;
}

/* Of classes that are not described: what stands in front of every file's class names, and what tables that
 * are made by hand may name. */
static const struct {
    const char *name;
    uint32_t signature_2010, signature_2014;
} others[] = {
    {"hkClass", 0x75585EF6, 0x33D42383},       {"hkClassMember", 0x5C7EA4C2, 0xB0EFA719},
    {"hkClassEnum", 0x8A3609CF, 0x8A3609CF},   {"hkClassEnumItem", 0xCE6F8A6C, 0xCE6F8A6C},
    {"hkMemoryResourceHandle", 0xBFFAC086, 0}, {"hkaQuantizedAnimation", 0x3920F053, 0x0CB6F282},
    {"hkaRagdollInstance", 0x154948E8, 0},     {"hkpRigidBody", 0x75F8D805, 0},
    {"hkpCapsuleShape", 0xDD0B1FD3, 0},        {"hkpShapeInfo", 0xEA7F1D08, 0},
    {"hkpPhysicsData", 0xC2A461E4, 0},         {"hkpPhysicsSystem", 0xFF724C17, 0},
    {"hkpConstraintInstance", 0x034EBA5F, 0},  {"hkbProjectData", 0x13A39BA7, 0},
    {"hkbProjectStringData", 0x076AD60A, 0},
};

uint32_t hk_signature(const char *name, int64_t version)
{
    const hk_class *known = find(name);
    if (known)
        return version < HK_2014 ? known->signature_2010 : known->signature_2014;
    for (size_t i = 0; i < REC_COUNT_OF(others); i++)
        if (strcmp(others[i].name, name) == 0)
            return version < HK_2014 ? others[i].signature_2010 : others[i].signature_2014;
    return 0;
}

const rec_type *hk_type(size_t i)
{
    return i < REC_COUNT_OF(hk_classes) ? hk_classes[i].type : NULL;
}
