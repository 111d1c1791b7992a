/* Joints and what drives them. Reference: formats/fo4-collision.md#2.5. */
#include "havok/physics/types.h"

/* clang-format off */
static const rec_name atom_rows[] = {{"set_local_transforms", 2}, {"ball_socket", 5}, {"two_d_ang", 12}, {"ang_limit", 14},
                                     {"twist_limit", 15}, {"cone_limit", 16}, {"ang_friction", 17}, {"ang_motor", 18},
                                     {"ragdoll_motor", 19}, {"setup_stabilization", 23}, {0}};
static const rec_names atom_types = {"constraint atom", atom_rows};

/* Atoms begin with what they are, and fill whole 16s (8s) with bytes that nobody reads. */
#define ATOM(number) {.name = "type", .kind = REC_U16, .shown = REC_ENUM, .names = &atom_types, .init = number, .doc = "Which atom it is."}
#define ENABLED {.name = "is_enabled", .original = "isEnabled", .kind = REC_U8, .shown = REC_BOOL, .doc = "Whether it counts."}
#define PADDING(bytes) {.name = "padding", .kind = REC_BYTES, .n = bytes, .flags = REC_PAD, .doc = "Zeros."}
#define LIMITS                                                                                     \
    {.name = "min_angle", .original = "minAngle", .kind = REC_F32, .unit = "radians", .doc = "The least angle."},    \
    {.name = "max_angle", .original = "maxAngle", .kind = REC_F32, .unit = "radians", .doc = "The greatest angle."}, \
    {.name = "angular_limits_tau_factor", .original = "angularLimitsTauFactor", .kind = REC_F32, .doc = "How stiff the limits are."}

static const rec_field transforms_rows[] = {
    ATOM(2),
    {.name = "transform_a", .original = "transformA", .kind = REC_RECORD, .type = &hk_transform, .doc = "The joint in body A's space."},
    {.name = "transform_b", .original = "transformB", .kind = REC_RECORD, .type = &hk_transform, .doc = "The joint in body B's space."},
};
static const rec_type transforms = {.name = "hkpSetLocalTransformsConstraintAtom", .doc = "Where the joint is.",
                                    .flags = REC_ALIGNED, REC_ROWS(transforms_rows)};

static const rec_field stabilization_rows[] = {
    ATOM(23), ENABLED,
    {.name = "max_lin_impulse", .original = "maxLinImpulse", .kind = REC_F32, .unit = "N s", .doc = "Limit of the impulse."},
    {.name = "max_ang_impulse", .original = "maxAngImpulse", .kind = REC_F32, .unit = "N m s", .doc = "Limit of the turning impulse."},
    {.name = "max_angle", .original = "maxAngle", .kind = REC_F32, .unit = "radians", .doc = "Up to which it counts."},
};
static const rec_type stabilization = {.name = "hkpSetupStabilizationAtom", .doc = "What keeps the joint calm.",
                                       .flags = REC_ALIGNED, REC_ROWS(stabilization_rows)};

static const rec_field matrix_rows[] = {
    {.name = "column0", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .doc = "First column."},
    {.name = "column1", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .doc = "Second column."},
    {.name = "column2", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .doc = "Third column."},
};
static const rec_type matrix3 = {.name = "hkMatrix3", .doc = "Three columns; w is unused.", .flags = REC_ALIGNED, REC_ROWS(matrix_rows)};

#define MOTOR(name_, what) {.name = name_, HK_POINTER(hkp_position_constraint_motor), .doc = what}
static const rec_field ragdoll_motor_rows[] = {
    ATOM(19), ENABLED,
    {.name = "initialized_offset", .original = "initializedOffset", .kind = REC_I16, .doc = "For the game."},
    {.name = "previous_target_angles_offset", .original = "previousTargetAnglesOffset", .kind = REC_I16, .doc = "For the game."},
    {.name = "target_b_rca", .original = "target_bRca", .kind = REC_RECORD, .type = &matrix3, .doc = "What the motors turn to."},
    MOTOR("motor0", "The first motor."), MOTOR("motor1", "The second motor."), MOTOR("motor2", "The third motor."),
};
static const rec_type ragdoll_motors = {.name = "hkpRagdollMotorConstraintAtom", .doc = "What drives the joint.",
                                        .flags = REC_ALIGNED, REC_ROWS(ragdoll_motor_rows)};

static const rec_field friction_rows[] = {
    ATOM(17), ENABLED,
    {.name = "first_friction_axis", .original = "firstFrictionAxis", .kind = REC_U8, .doc = "From 0."},
    {.name = "num_friction_axes", .original = "numFrictionAxes", .kind = REC_U8, .doc = "How many axes have it."},
    {.name = "max_friction_torque", .original = "maxFrictionTorque", .kind = REC_F32, .unit = "N m", .doc = "How stiff the joint is."},
    PADDING(4),
};
static const rec_type friction = {.name = "hkpAngFrictionConstraintAtom", .doc = "Friction of turning.",
                                  .flags = REC_ALIGNED, REC_ROWS(friction_rows)};

static const rec_field twist_rows[] = {
    ATOM(15), ENABLED,
    {.name = "twist_axis", .original = "twistAxis", .kind = REC_U8, .doc = "The axis that it turns about, from 0."},
    {.name = "ref_axis", .original = "refAxis", .kind = REC_U8, .doc = "The axis that angles count from."},
    LIMITS, PADDING(12),
};
static const rec_type twist = {.name = "hkpTwistLimitConstraintAtom", .doc = "How far it twists.",
                               .flags = REC_ALIGNED, REC_ROWS(twist_rows)};

static const rec_field cone_rows[] = {
    ATOM(16), ENABLED,
    {.name = "twist_axis_in_a", .original = "twistAxisInA", .kind = REC_U8, .doc = "Axis of body A, from 0."},
    {.name = "ref_axis_in_b", .original = "refAxisInB", .kind = REC_U8, .doc = "Axis of body B, from 0."},
    {.name = "angle_measurement_mode", .original = "angleMeasurementMode", .kind = REC_U8, .doc = "How the angle is measured."},
    {.name = "mem_offset_to_angle_offset", .original = "memOffsetToAngleOffset", .kind = REC_U8, .doc = "For the game."},
    LIMITS, PADDING(12),
};
static const rec_type cone = {.name = "hkpConeLimitConstraintAtom", .doc = "How far it swings.",
                              .flags = REC_ALIGNED, REC_ROWS(cone_rows)};

static const rec_field socket_rows[] = {
    ATOM(5),
    {.name = "solving_method", .original = "solvingMethod", .kind = REC_U8, .doc = "How the joint is held together."},
    {.name = "bodies_to_notify", .original = "bodiesToNotify", .kind = REC_U8, .doc = "Which bodies are told when it breaks."},
    {.name = "velocity_stabilization_factor", .original = "velocityStabilizationFactor", .kind = REC_U8, .doc = "A hkUFloat8, as its byte."},
    {.name = "enable_linear_impulse_limit", .original = "enableLinearImpulseLimit", .kind = REC_U8, .shown = REC_BOOL,
     .doc = "Whether it breaks."},
    {.name = "breach_impulse", .original = "breachImpulse", .kind = REC_F32, .unit = "N s", .doc = "What breaks it."},
    {.name = "inertia_stabilization_factor", .original = "inertiaStabilizationFactor", .kind = REC_F32, .doc = "How calm it is."},
};
static const rec_type socket = {.name = "hkpBallSocketConstraintAtom", .doc = "What holds the bodies together.",
                                .flags = REC_ALIGNED, REC_ROWS(socket_rows)};

static const rec_field ang_motor_rows[] = {
    ATOM(18), ENABLED,
    {.name = "motor_axis", .original = "motorAxis", .kind = REC_U8, .doc = "The axis that it turns about, from 0."},
    {.name = "initialized_offset", .original = "initializedOffset", .kind = REC_I16, .doc = "For the game."},
    {.name = "previous_target_angle_offset", .original = "previousTargetAngleOffset", .kind = REC_I16, .doc = "For the game."},
    {.name = "corresponding_ang_limit_solver_result_offset", .original = "correspondingAngLimitSolverResultOffset", .kind = REC_I16,
     .doc = "For the game."},
    {.name = "target_angle", .original = "targetAngle", .kind = REC_F32, .unit = "radians", .doc = "What the motor turns to."},
    MOTOR("motor", "The motor."), PADDING(16),
};
static const rec_type ang_motor = {.name = "hkpAngMotorConstraintAtom", .doc = "What drives the hinge.",
                                   .flags = REC_ALIGNED, REC_ROWS(ang_motor_rows)};

static const rec_field ang_limit_rows[] = {
    ATOM(14), ENABLED,
    {.name = "limit_axis", .original = "limitAxis", .kind = REC_U8, .doc = "The axis that it turns about, from 0."},
    LIMITS,
};
static const rec_type ang_limit = {.name = "hkpAngLimitConstraintAtom", .doc = "How far the hinge turns.",
                                   .flags = REC_ALIGNED, REC_ROWS(ang_limit_rows)};

static const rec_field ang_2d_rows[] = {
    ATOM(12),
    {.name = "free_rotation_axis", .original = "freeRotationAxis", .kind = REC_U8, .doc = "The axis that it turns about, from 0."},
    PADDING(13),
};
static const rec_type ang_2d = {.name = "hkp2dAngConstraintAtom", .doc = "That the hinge turns about one axis alone.",
                                .flags = REC_ALIGNED, REC_ROWS(ang_2d_rows)};

#define CONSTRAINT                                                                                 \
    HK_REFERENCED,                                                                                 \
    {.name = "user_data", .original = "userData", .kind = REC_U64, .flags = REC_DERIVED, .doc = "0."}
#define PART(name_, original_, type_, what) {.name = name_, .original = original_, .kind = REC_RECORD, .type = &(type_), .doc = what}

static const rec_field constraint_rows[] = {CONSTRAINT};
const rec_type hkp_constraint_data = {.name = "hkpConstraintData", .doc = "What all joints have.", .flags = REC_ALIGNED, REC_ROWS(constraint_rows)};

static const rec_field ragdoll_atoms_rows[] = {
    PART("transforms", NULL, transforms, "Where the joint is."),
    PART("setup_stabilization", "setupStabilization", stabilization, "What keeps it calm."),
    PART("ragdoll_motors", "ragdollMotors", ragdoll_motors, "What drives it."),
    PART("ang_friction", "angFriction", friction, "How stiff it is."),
    PART("twist_limit", "twistLimit", twist, "How far it twists."),
    PART("cone_limit", "coneLimit", cone, "How far it swings."),
    PART("planes_limit", "planesLimit", cone, "How far it swings to the sides."),
    PART("ball_socket", "ballSocket", socket, "What holds it together."),
};
static const rec_type ragdoll_atoms = {.name = "hkpRagdollConstraintDataAtoms", .doc = "What a ragdoll's joint is made of.",
                                       .flags = REC_ALIGNED, REC_ROWS(ragdoll_atoms_rows)};
static const rec_field ragdoll_rows[] = {
    CONSTRAINT,
    {.name = "atoms", .kind = REC_RECORD, .type = &ragdoll_atoms, .flags = REC_DERIVED, .doc = "What it is made of."},
};
const rec_type hkp_ragdoll_constraint_data = {.name = "hkpRagdollConstraintData", .doc = "A joint that twists and swings.",
                                              .flags = REC_ALIGNED, REC_ROWS(ragdoll_rows)};

static const rec_field hinge_atoms_rows[] = {
    PART("transforms", NULL, transforms, "Where the joint is."),
    PART("setup_stabilization", "setupStabilization", stabilization, "What keeps it calm."),
    PART("ang_motor", "angMotor", ang_motor, "What drives it."),
    PART("ang_friction", "angFriction", friction, "How stiff it is."),
    PART("ang_limit", "angLimit", ang_limit, "How far it turns."),
    PART("ang_2d", "2dAng", ang_2d, "That it turns about one axis alone."),
    PART("ball_socket", "ballSocket", socket, "What holds it together."),
};
static const rec_type hinge_atoms = {.name = "hkpLimitedHingeConstraintDataAtoms", .doc = "What a hinge is made of.",
                                     .flags = REC_ALIGNED, REC_ROWS(hinge_atoms_rows)};
static const rec_field hinge_rows[] = {
    CONSTRAINT,
    {.name = "atoms", .kind = REC_RECORD, .type = &hinge_atoms, .flags = REC_DERIVED, .doc = "What it is made of."},
};
const rec_type hkp_limited_hinge_constraint_data = {.name = "hkpLimitedHingeConstraintData", .doc = "A hinge.",
                                                    .flags = REC_ALIGNED, REC_ROWS(hinge_rows)};

static const rec_name motor_type_rows[] = {{"position", 1}, {0}};
static const rec_names motor_types = {"motor type", motor_type_rows};
static const rec_field motor_rows[] = {
    HK_REFERENCED,
    {.name = "type", .kind = REC_I8, .shown = REC_ENUM, .names = &motor_types, .init = 1, .flags = REC_DERIVED, .doc = "What kind of motor it is."},
    {.name = "min_force", .original = "minForce", .kind = REC_F32, .init = -1e6, .flags = REC_DERIVED, .unit = "N", .doc = "The least force."},
    {.name = "max_force", .original = "maxForce", .kind = REC_F32, .init = 100, .unit = "N", .doc = "The greatest force."},
    {.name = "tau", .kind = REC_F32, .flags = REC_DERIVED, .doc = "How stiff it is, 0 .. 1."},
    {.name = "damping", .kind = REC_F32, .doc = "How much it brakes."},
    {.name = "proportional_recovery_velocity", .original = "proportionalRecoveryVelocity", .kind = REC_F32, .doc = "How fast it comes back, by the way."},
    {.name = "constant_recovery_velocity", .original = "constantRecoveryVelocity", .kind = REC_F32, .doc = "How fast it comes back at least."},
};
const rec_type hkp_position_constraint_motor = {.name = "hkpPositionConstraintMotor", .doc = "A spring that drives a joint.",
                                                .flags = REC_ALIGNED, REC_ROWS(motor_rows)};

static const rec_field breakable_rows[] = {
    CONSTRAINT,
    {.name = "constraint_data", .original = "constraintData", HK_POINTER(hkp_constraint_data), .flags = REC_DERIVED, .doc = "The joint that breaks."},
    {.name = "threshold", .kind = REC_F32, .doc = "What breaks it."},
    {.name = "unknown", .kind = REC_BYTES, .n = 12, .flags = REC_PAD, .doc = "Zeros in the one file that has such."},
};
const rec_type hknp_breakable_constraint_data = {.name = "hknpBreakableConstraintData", .doc = "A joint that breaks.",
                                                 .flags = REC_ALIGNED, REC_ROWS(breakable_rows)};
/* clang-format on */
