/* The classes that are described: of packfiles, and by their names of files that describe theirs themselves. */
#include "havok/named/classes.h"

#include "havok/animation/types.h"
#include "havok/physics/convex.h"
#include "havok/physics/types.h"

static const rec_type *const classes[] = {
    &hk_root_level_container,
    &hk_memory_resource_container,
    &hka_animation_container,
    &hka_skeleton,
    &hka_skeleton_mapper,
    &hka_spline_compressed_animation,
    &hka_interleaved_uncompressed_animation,
    &hka_lossless_compressed_animation,
    &hka_animation_binding,
    &hka_default_animated_reference_frame,
    &hkp_ragdoll_constraint_data,
    &hkp_limited_hinge_constraint_data,
    &hkp_position_constraint_motor,
    &hknp_physics_system_data,
    &hknp_physics_scene_data,
    &hknp_ragdoll_data,
    &hknp_compressed_mesh_shape,
    &hknp_compressed_mesh_shape_data,
    &hknp_dynamic_compound_shape,
    &hknp_dynamic_compound_shape_data,
    &hk_ref_counted_properties,
    &hknp_shape_mass_properties,
    &hknp_bs_material_properties,
    &hknp_breakable_constraint_data,
    &hknp_convex_polytope_shape,
    &hknp_sphere_shape,
    &hknp_capsule_shape,
};

const rec_type *hk_type(size_t i)
{
    return i < REC_COUNT_OF(classes) ? classes[i] : NULL;
}
