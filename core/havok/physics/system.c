/* The root of collision: what bodies are made of and how they move. Reference: formats/fo4-collision.md#2. */
#include "havok/animation/types.h"
#include "havok/physics/types.h"

/* clang-format off */
static const rec_name friction_rows[] = {{"geometric_mean", 0}, {"min", 1}, {"max", 2}, {"mean", 3}, {0}};
static const rec_names combine_policies = {"combine policy", friction_rows};

static const rec_name material_flag_rows[] = {{"trigger", 0x200000}, {0}};
static const rec_names material_flags = {"material flag", material_flag_rows};

static const rec_field material_rows[] = {
    {.name = "name", HK_STRING, .doc = "None in all games' files."},
    {.name = "is_exclusive", .original = "isExclusive", .kind = REC_U32, .doc = "0."},
    {.name = "flags", .kind = REC_I32, .shown = REC_FLAGS, .names = &material_flags, .doc = "Nothing, or that of trigger volumes."},
    {.name = "trigger_type", .original = "triggerType", .kind = REC_U8, .doc = "0; 2 of trigger volumes."},
    {.name = "trigger_manifold_tolerance", .original = "triggerManifoldTolerance", .kind = REC_U8, .init = 0xFF,
     .doc = "A hkUFloat8, as its byte."},
    {.name = "dynamic_friction", .original = "dynamicFriction", .kind = REC_F16_UPPER, .init = 0.5, .doc = "Friction of what slides."},
    {.name = "static_friction", .original = "staticFriction", .kind = REC_F16_UPPER, .init = 0.5, .doc = "Friction of what lies."},
    {.name = "restitution", .kind = REC_F16_UPPER, .init = 0.4, .doc = "How much it bounces: 0 not at all."},
    {.name = "friction_combine_policy", .original = "frictionCombinePolicy", .kind = REC_U8, .shown = REC_ENUM,
     .names = &combine_policies, .init = 1, .doc = "What two materials' frictions give."},
    {.name = "restitution_combine_policy", .original = "restitutionCombinePolicy", .kind = REC_U8, .shown = REC_ENUM,
     .names = &combine_policies, .init = 2, .doc = "What two materials' restitutions give."},
    {.name = "welding_tolerance", .original = "weldingTolerance", .kind = REC_F16_UPPER, .init = 0.0498046875, .unit = "m",
     .doc = "0.0498 in all games' files."},
    {.name = "max_contact_impulse", .original = "maxContactImpulse", .kind = REC_F32, .init = 0x1.FFFFDCp127, .unit = "N s",
     .doc = "As good as no limit."},
    {.name = "fraction_of_clipped_impulse_to_apply", .original = "fractionOfClippedImpulseToApply", .kind = REC_F32, .init = 1,
     .doc = "1."},
    {.name = "mass_changer_category", .original = "massChangerCategory", .kind = REC_U8, .doc = "0."},
    {.name = "mass_changer_heavy_object_factor", .original = "massChangerHeavyObjectFactor", .kind = REC_F16_UPPER, .init = 1, .doc = "1."},
    {.name = "soft_contact_force_factor", .original = "softContactForceFactor", .kind = REC_F16_UPPER, .doc = "0."},
    {.name = "soft_contact_damp_factor", .original = "softContactDampFactor", .kind = REC_F16_UPPER, .doc = "0."},
    {.name = "soft_contact_separation_velocity", .original = "softContactSeparationVelocity", .kind = REC_U8,
     .doc = "A hkUFloat8, as its byte."},
    {.name = "surface_velocity", .original = "surfaceVelocity", HK_POINTER(hk_opaque), .doc = "hknpSurfaceVelocity: none."},
    {.name = "disabling_collisions_between_cvx_cvx_dynamic_objects_distance",
     .original = "disablingCollisionsBetweenCvxCvxDynamicObjectsDistance", .kind = REC_F16_UPPER, .init = 5, .unit = "m", .doc = "5."},
    {.name = "user_data", .original = "userData", .kind = REC_U64, .doc = "0."},
    {.name = "is_shared", .original = "isShared", .kind = REC_U8, .shown = REC_BOOL, .doc = "No."},
};
static const rec_type material = {.name = "hknpMaterial", .doc = "How a body's surface feels. Bodies may share one.",
                                  .flags = REC_ALIGNED, REC_ROWS(material_rows)};

static const rec_field motion_properties_rows[] = {
    {.name = "is_exclusive", .original = "isExclusive", .kind = REC_U32, .doc = "0."},
    {.name = "flags", .kind = REC_U32, .doc = "0."},
    {.name = "gravity_factor", .original = "gravityFactor", .kind = REC_F32, .init = 1, .doc = "How much gravity counts."},
    {.name = "time_factor", .original = "timeFactor", .kind = REC_F32, .init = 1, .doc = "How fast its time goes."},
    {.name = "max_linear_speed", .original = "maxLinearSpeed", .kind = REC_F32, .init = 104.375, .unit = "m/s", .doc = "104.375."},
    {.name = "max_angular_speed", .original = "maxAngularSpeed", .kind = REC_F32, .init = 31.5703125, .unit = "radians/s", .doc = "31.57."},
    {.name = "linear_damping", .original = "linearDamping", .kind = REC_F32, .init = 0.10009765625, .unit = "1/s",
     .doc = "How fast it stops moving."},
    {.name = "angular_damping", .original = "angularDamping", .kind = REC_F32, .init = 0.050048828125, .unit = "1/s",
     .doc = "How fast it stops turning."},
    {.name = "solver_stabilization_speed_threshold", .original = "solverStabilizationSpeedThreshold", .kind = REC_F32, .init = 0x1.5C28F6p-3, .unit = "m/s",
     .doc = "0.17."},
    {.name = "solver_stabilization_speed_reduction", .original = "solverStabilizationSpeedReduction", .kind = REC_F32, .init = 0x1.F645A4p-2, .unit = "m/s",
     .doc = "0.4905."},
    {.name = "max_dist_sqrd", .original = "maxDistSqrd", .kind = REC_F32, .init = 0x1.47AE16p-9, .unit = "m^2", .doc = "0.0025."},
    {.name = "max_rot_sqrd", .original = "maxRotSqrd", .kind = REC_F32, .init = 0x1.47AE16p-9, .unit = "radians^2", .doc = "0.0025."},
    {.name = "inv_block_size", .original = "invBlockSize", .kind = REC_F32, .init = 1, .doc = "1."},
    {.name = "pathing_upper_threshold", .original = "pathingUpperThreshold", .kind = REC_I16, .init = 0x67FF, .doc = "0x67FF."},
    {.name = "pathing_lower_threshold", .original = "pathingLowerThreshold", .kind = REC_I16, .init = 0x999B - 0x10000, .doc = "0x999B."},
    {.name = "num_deactivation_frequency_passes", .original = "numDeactivationFrequencyPasses", .kind = REC_U8, .init = 4, .doc = "4."},
    {.name = "deactivation_velocity_scale_square", .original = "deactivationVelocityScaleSquare", .kind = REC_U8, .init = 0x73,
     .doc = "A hkUFloat8, as its byte: 0x73."},
    {.name = "minimum_pathing_velocity_scale_square", .original = "minimumPathingVelocityScaleSquare", .kind = REC_U8, .init = 0x75,
     .doc = "A hkUFloat8, as its byte: 0x75."},
    {.name = "spiking_velocity_scale_threshold_squared", .original = "spikingVelocityScaleThresholdSquared", .kind = REC_U8, .init = 6,
     .doc = "A hkUFloat8, as its byte: 6."},
    {.name = "minimum_spiking_velocity_scale_squared", .original = "minimumSpikingVelocityScaleSquared", .kind = REC_U8, .init = 0x73,
     .doc = "A hkUFloat8, as its byte: 0x73."},
};
static const rec_type motion_properties = {.name = "hknpMotionProperties", .doc = "What holds moving bodies back.",
                                           .flags = REC_ALIGNED, REC_ROWS(motion_properties_rows)};

static const double unit[] = {0, 0, 0, 1};
static const rec_field motion_rows[] = {
    {.name = "motion_properties_id", .original = "motionPropertiesId", .kind = REC_U16, .init = 0xFFFF,
     .doc = "Which of motion_properties, from 0; 0xFFFF: none, of what only animations move."},
    {.name = "enable_deactivation", .original = "enableDeactivation", .kind = REC_U8, .shown = REC_BOOL, .init = 1,
     .doc = "Whether it falls asleep."},
    {.name = "inverse_mass", .original = "inverseMass", .kind = REC_F32, .unit = "1/kg", .power = -3,
     .doc = "0: nothing but animations move it."},
    {.name = "mass_factor", .original = "massFactor", .kind = REC_F32, .init = 1, .unit = "kg/m^3",
     .doc = "Mass / volume of the shape; 1 where inverse_mass is 0."},
    {.name = "max_linear_acceleration_distance_per_step", .original = "maxLinearAccelerationDistancePerStep", .kind = REC_F32,
     .init = 0x1.FFFFEp63, .unit = "m", .doc = "As good as no limit."},
    {.name = "max_rotation_to_prevent_tunneling", .original = "maxRotationToPreventTunneling", .kind = REC_F32,
     .init = 0x1.FFFFEp63, .unit = "radians", .doc = "As good as no limit."},
    {.name = "inverse_inertia_local", .original = "inverseInertiaLocal", .kind = REC_RECORD, .type = &hk_vector4, .align = 16,
     .unit = "1/(kg m^2)", .power = -5, .doc = "About each principal axis; w is 1 where it moves."},
    {.name = "center_of_mass_world", .original = "centerOfMassWorld", .kind = REC_RECORD, .type = &hk_vector4, .align = 16,
     .unit = "m", .power = 1, .doc = "The body's position and its shape's turned centre of mass; w means nothing."},
    {.name = "orientation", .kind = REC_RECORD, .type = &hk_quaternion, .align = 16, .init_lanes = unit,
     .doc = "The body's, times that of the principal axes."},
    {.name = "linear_velocity", .original = "linearVelocity", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .unit = "m/s",
     .power = 1, .doc = "0."},
    {.name = "angular_velocity", .original = "angularVelocity", .kind = REC_RECORD, .type = &hk_vector4, .align = 16,
     .unit = "radians/s", .doc = "0."},
};
const rec_type hknp_motion_cinfo = {.name = "hknpMotionCinfo", .doc = "Mass and inertia of what can move.",
                                      .flags = REC_ALIGNED, REC_ROWS(motion_rows)};

static const rec_name body_flag_rows[] = {{"trigger", 0x10}, {"dynamic", 0x80}, {"ragdoll", 0x10000}, {0}};
static const rec_names body_flags = {"body flag", body_flag_rows};

static const rec_field body_rows[] = {
    {.name = "shape", HK_POINTER(hknp_shape), .doc = "What collides."},
    {.name = "reserved_body_id", .original = "reservedBodyId", .kind = REC_U32, .init = 0x7FFFFFFF, .doc = "0x7FFFFFFF: none."},
    {.name = "motion_id", .original = "motionId", .kind = REC_U32, .init = 0x7FFFFFFF,
     .doc = "Which of motion_cinfos, from 0; 0x7FFFFFFF: none, it is static."},
    {.name = "quality_id", .original = "qualityId", .kind = REC_U8, .init = 0xFF, .doc = "0xFF."},
    {.name = "material_id", .original = "materialId", .kind = REC_U16, .doc = "Which of materials, from 0."},
    {.name = "collision_filter_info", .original = "collisionFilterInfo", .kind = REC_U32, .init = 1,
     .doc = "What it collides with: the layer, and groups from bit 7 on."},
    HK_LAYER,
    {.name = "flags", .kind = REC_I32, .shown = REC_FLAGS, .names = &body_flags,
     .doc = "0 of what is static or only animations move; ragdolls are dynamic, too. As seen in games' files."},
    {.name = "collision_look_ahead_distance", .original = "collisionLookAheadDistance", .kind = REC_F32, .unit = "m", .power = 1,
     .doc = "0."},
    {.name = "name", HK_STRING, .doc = "None in all games' files."},
    {.name = "user_data", .original = "userData", .kind = REC_U64, .doc = "0."},
    {.name = "position", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .unit = "m", .power = 1,
     .doc = "Of the shape; w means nothing."},
    {.name = "orientation", .kind = REC_RECORD, .type = &hk_quaternion, .align = 16, .init_lanes = unit, .doc = "Of the shape."},
    {.name = "spu_flags", .original = "spuFlags", .kind = REC_U8, .doc = "0."},
    {.name = "local_frame", .original = "localFrame", HK_POINTER(hk_opaque), .doc = "hkLocalFrame: none."},
    {.name = "body", .kind = REC_RECORD, .type = &hk_body_type, .flags = REC_OVERLAY | REC_INSIDE,
     .doc = "All that there is to know of it, as doc.bodies has it."},
};
const rec_type hknp_body_cinfo = {.name = "hknpBodyCinfo", .doc = "A body: a shape somewhere, of a material.",
                                    .flags = REC_ALIGNED, REC_ROWS(body_rows)};

static const rec_field constraint_rows[] = {
    {.name = "constraint_data", .original = "constraintData", HK_POINTER(hkp_constraint_data), .doc = "What kind of joint it is."},
    {.name = "body_a", .original = "bodyA", .kind = REC_U32, .doc = "Which of body_cinfos, from 0."},
    {.name = "body_b", .original = "bodyB", .kind = REC_U32, .doc = "Which of body_cinfos, from 0."},
    {.name = "flags", .kind = REC_U8, .doc = "0."},
};
static const rec_type constraint_cinfo = {.name = "hknpConstraintCinfo", .doc = "A joint of two bodies.",
                                          .flags = REC_ALIGNED, REC_ROWS(constraint_rows)};

#define SYSTEM                                                                                     \
    HK_REFERENCED,                                                                                 \
    {.name = "materials", HK_STRUCTS(material), .flags = REC_DERIVED, .doc = "Surfaces; as many as bodies."}, \
    {.name = "motion_properties", .original = "motionProperties", HK_STRUCTS(motion_properties),   \
     .doc = "Dampings; none where nothing moves."},                                                \
    {.name = "motion_cinfos", .original = "motionCinfos", HK_STRUCTS(hknp_motion_cinfo),                \
     .doc = "Masses; none where nothing moves."},                                                  \
    {.name = "body_cinfos", .original = "bodyCinfos", HK_STRUCTS(hknp_body_cinfo),                      \
     .doc = "The bodies: a bhkNPCollisionObject names one of them by its number, from 0."},        \
    {.name = "constraint_cinfos", .original = "constraintCinfos", HK_STRUCTS(constraint_cinfo), .doc = "Joints."}, \
    {.name = "referenced_objects", .original = "referencedObjects", HK_POINTERS(hk_opaque),        \
     .doc = "The bodies' shapes, one for each."},                                                  \
    {.name = "name", HK_STRING, .doc = "None in all games' files."}

static const rec_field system_rows[] = {SYSTEM};
const rec_type hknp_physics_system_data = {.name = "hknpPhysicsSystemData", .doc = "Collision of a file.",
                                           .flags = REC_ALIGNED, REC_ROWS(system_rows)};

static const rec_field ragdoll_rows[] = {
    SYSTEM,
    {.name = "skeleton", HK_POINTER(hka_skeleton), .flags = REC_DERIVED, .doc = "The ragdoll's bones."},
    {.name = "bone_to_body_map", .original = "boneToBodyMap", .kind = REC_I32, HK_ARRAY, .doc = "Of each bone its body, from 0."},
};
const rec_type hknp_ragdoll_data = {.name = "hknpRagdollData", .doc = "Collision of a body that goes limp.",
                                    .flags = REC_ALIGNED, REC_ROWS(ragdoll_rows)};

static const rec_field scene_rows[] = {
    HK_REFERENCED,
    {.name = "system_datas", .original = "systemDatas", HK_POINTERS(hknp_physics_system_data), .flags = REC_DERIVED,
     .doc = "Systems of bodies."},
    {.name = "world_cinfo", .original = "worldCinfo", HK_POINTER(hk_opaque), .doc = "hknpRefWorldCinfo: none."},
};
const rec_type hknp_physics_scene_data = {.name = "hknpPhysicsSceneData", .doc = "Systems of a scene.",
                                          .flags = REC_ALIGNED, REC_ROWS(scene_rows)};
/* clang-format on */
