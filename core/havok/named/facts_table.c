/* What is known of the members of classes that packfiles' rows do not describe, or describe in another way. Scaling by s
 * keeps densities: a mass goes by s^3, an inertia by s^5, and a joint's impulses and torques stay. */
#include "havok/named/facts_table.h"

/* clang-format off */
#define METRES(member, what) {member, "m", 1, what, 0, NULL}
#define PLAIN(member, what) {member, NULL, 0, what, 0, NULL}
#define IN(member, unit, what) {member, unit, 0, what, 0, NULL}
#define GAME(member) {member, NULL, 0, "Filled by the game.", 0, NULL}

/* ---- Havok's own structs ----------------------------------------------------------------------------------- */

static const hk_fact referenced_object[] = {
    PLAIN("memSizeAndFlags", "Filled by the game."),
    PLAIN("sizeAndFlags", "Filled by the game."),
    PLAIN("refCount", "Filled by the game."),
};
/* Lanes of vectors: what w is for, a member says that uses it. */
static const hk_fact vector4[] = {
    PLAIN("x", "First coordinate."), PLAIN("y", "Second coordinate."), PLAIN("z", "Third coordinate."),
    {"w", NULL, 0, "Often unused, and then anything.", REC_UNSCALED, NULL},
};
static const hk_fact quaternion[] = {
    PLAIN("vec", "A unit quaternion."), PLAIN("x", "First imaginary part."), PLAIN("y", "Second imaginary part."),
    PLAIN("z", "Third imaginary part."), PLAIN("w", "Real part."),
};
static const hk_fact qs_transform[] = {
    {"translation", "units", 1, "w is unused.", 0, NULL},
    PLAIN("rotation", "A unit quaternion."),
    PLAIN("scale", "Along each axis; w is unused."),
};
static const hk_fact transform[] = {
    PLAIN("rotation", "Three columns of a rotation; w is unused."), METRES("translation", "Where the origin goes; w is unused."),
};
static const hk_fact matrix4[] = {
    PLAIN("col0", "First column."), PLAIN("col1", "Second column."), PLAIN("col2", "Third column."), PLAIN("col3", "Fourth column."),
};
static const hk_fact aabb[] = {
    METRES("min", "The least corner; w means nothing."),
    METRES("max", "The greatest corner; w means nothing."),
};
static const hk_fact named_variant[] = {
    PLAIN("name", "\"Merged Animation Container\", \"Physics Data\" …"),
    PLAIN("className", "The object's class."),
    PLAIN("variant", "The object."),
};
static const hk_fact simple_property[] = {
    PLAIN("key", "What the property is."),
    PLAIN("value", "Its value, as the key says."),
};
static const hk_fact property_value[] = {PLAIN("data", "As the property's key says.")};
static const hk_fact ufloat8[] = {PLAIN("value", "A positive float in 8 bits.")};
static const hk_fact half16[] = {PLAIN("value", "The upper half of a float.")};

/* ---- animation --------------------------------------------------------------------------------------------- */

static const hk_fact animation_binding[] = {
    PLAIN("blendHint", "Whether it is added to another animation: 0 normal, 1 and 2 additive."),
};
static const hk_fact animation[] = {
    PLAIN("type", "How it is stored: 1 interleaved, 3 spline, 4 quantized. Games go by the class."),
};
static const hk_fact bone_attachment[] = {
    PLAIN("originalSkeletonName", "The skeleton that it was made for."),
    {"boneFromAttachment", "units", 1, "From the attachment's space to the bone's.", 0, NULL},
    PLAIN("attachment", "What is attached."), PLAIN("name", "What it is called."), PLAIN("boneIndex", "The bone, from 0."),
};
static const hk_fact mesh_binding[] = {
    PLAIN("mesh", "The mesh."), PLAIN("originalSkeletonName", "The skeleton that it was made for."),
    PLAIN("name", "What it is called."), PLAIN("skeleton", "The skeleton that moves it."), PLAIN("mappings", "Bones of each run of triangles."),
    {"boneFromSkinMeshTransforms", "units", 1, "From the mesh's space to each bone's.", 0, NULL},
};
static const hk_fact ragdoll_instance[] = {
    PLAIN("rigidBodies", "A body for each bone of the ragdoll."),
    PLAIN("constraints", "What holds them together."),
    PLAIN("boneToRigidBodyMap", "Body of each bone, from 0; -1: none."),
    PLAIN("skeleton", "The ragdoll's skeleton."),
};

/* ---- bodies ------------------------------------------------------------------------------------------------ */

static const hk_fact physics_data[] = {
    PLAIN("worldCinfo", "Settings of the world; mostly none."),
    PLAIN("systems", "Groups of bodies and constraints."),
};
static const hk_fact physics_system[] = {
    PLAIN("rigidBodies", "The bodies."), PLAIN("constraints", "What holds them together."),
    PLAIN("actions", "What acts on them."), PLAIN("phantoms", "What only notices them."),
    PLAIN("name", "What it is called."), PLAIN("userData", "For the game."), PLAIN("active", "Whether it is simulated."),
};
static const hk_fact world_cinfo[] = {
    IN("gravity", "m/s^2", "Down."), PLAIN("broadPhaseQuerySize", "For the game."),
    IN("contactRestingVelocity", "m/s", "Slower contacts do not bounce."),
    METRES("broadPhaseWorldAabb", "Bodies stay in it."), METRES("collisionTolerance", "Bodies nearer than this touch."),
    IN("expectedMaxLinearVelocity", "m/s", "For the game."), IN("expectedMinPsiDeltaTime", "s", "For the game."),
    PLAIN("solverTau", "How hard the solver pulls."), PLAIN("solverDamp", "How much it damps."),
    PLAIN("maxConstraintViolation", "What gives up beyond it."),
    PLAIN("snapCollisionToConvexEdgeThreshold", "For welding."), PLAIN("snapCollisionToConcaveEdgeThreshold", "For welding."),
    METRES("iterativeLinearCastEarlyOutDistance", "How near casts come."),
    METRES("deactivationReferenceDistance", "A body that moves less is deactivated."),
    PLAIN("toiCollisionResponseRotateNormal", "For the game."),
    PLAIN("numToisTillAllowedPenetrationSimplifiedToi", "For the game."), PLAIN("numToisTillAllowedPenetrationToi", "For the game."),
    PLAIN("numToisTillAllowedPenetrationToiHigher", "For the game."), PLAIN("numToisTillAllowedPenetrationToiForced", "For the game."),
    IN("frameMarkerPsiSnap", "s", "For the game."),
};
static const hk_fact world_object[] = {
    PLAIN("userData", "For the game."), PLAIN("collidable", "Its shape, and what it collides with."),
    PLAIN("multiThreadCheck", "Filled by the game."), PLAIN("name", "What it is called; of a ragdoll's body a bone."),
    PLAIN("properties", "Numbers for the game."),
};
static const hk_fact entity[] = {
    PLAIN("material", "How it slides and bounces."), PLAIN("damageMultiplier", "How much damage counts."),
    PLAIN("storageIndex", "Filled by the game."), PLAIN("contactPointCallbackDelay", "How often the game hears of contacts."),
    PLAIN("autoRemoveLevel", "For the game."), PLAIN("numShapeKeysInContactPointProperties", "For the game."),
    PLAIN("responseModifierFlags", "For the game."), PLAIN("uid", "Filled by the game."),
    PLAIN("spuCollisionCallback", "For the game."), PLAIN("motion", "How it moves: mass, velocities, where it is."),
    PLAIN("localFrame", "A frame on the body."),
};
static const hk_fact spu_callback[] = {PLAIN("eventFilter", "For the game."), PLAIN("userFilter", "For the game.")};
static const hk_fact material[] = {
    PLAIN("responseType", "How contacts are answered: 1 simple, 2 reporting, 3 none."),
    PLAIN("rollingFrictionMultiplier", "How much rolling is slowed; 0: not at all."),
    PLAIN("friction", "Coefficient of friction."), PLAIN("restitution", "Coefficient of restitution: 0 is no bounce."),
};
static const hk_fact cd_body[] = {
    PLAIN("shape", "What collides."), PLAIN("shapeKey", "Which child of its parent's shape; 0xFFFFFFFF: the shape as a whole."),
    PLAIN("parent", "The body that it is a child of."),
};
static const hk_fact collidable[] = {
    PLAIN("forceCollideOntoPpu", "For the game."), PLAIN("broadPhaseHandle", "What it collides with."),
    METRES("allowedPenetrationDepth", "How deep others may be in it."),
};
static const hk_fact broad_phase_handle[] = {
    PLAIN("type", "1: a body, 2: a phantom."), PLAIN("objectQualityType", "How exactly its collisions are found."),
    PLAIN("collisionFilterInfo", "What it collides with: layer, and groups."),
};
static const hk_fact bounding_volume[] = {GAME("min"), GAME("expansionMin"), GAME("expansionShift"), GAME("max"), GAME("expansionMax")};
static const hk_fact motion[] = {
    PLAIN("type", "1 dynamic, 2 as a sphere, 3 as a box, 4 keyframed, 5 fixed, 6 as a thin box, 7 a character."),
    PLAIN("deactivationIntegrateCounter", "Filled by the game."), PLAIN("deactivationNumInactiveFrames", "Filled by the game."),
    PLAIN("motionState", "Where it is, and how it is damped."),
    PLAIN("inertiaAndMassInv", "x, y, z: 1 / inertia about each axis; w: 1 / mass. 0 of what no force moves."),
    {"linearVelocity", "m/s", 1, "Linear velocity.", 0, NULL}, IN("angularVelocity", "radians/s", "Angular velocity."),
    METRES("deactivationRefPosition", "Filled by the game."), PLAIN("deactivationRefOrientation", "Filled by the game."),
    PLAIN("savedMotion", "The motion it had before."), PLAIN("savedQualityTypeIndex", "Filled by the game."),
    PLAIN("gravityFactor", "Factor of gravity for the body."),
};
static const hk_fact motion_state[] = {
    IN("transform", "m", "Where the body is: three columns of a rotation, then the translation."),
    PLAIN("sweptTransform", "Centre of mass before and now (m; w: time and its inverse), rotation before and now, local centre of mass."),
    IN("deltaAngle", "radians", "How far it turned."), METRES("objectRadius", "The farthest point from the centre of mass."),
    IN("linearDamping", "1/s", "Linear damping: share of the velocity lost in a second."), IN("angularDamping", "1/s", "Angular damping: share of the angular velocity lost in a second."),
    PLAIN("timeFactor", "Factor of time for the body."), IN("maxLinearVelocity", "m/s", "Limit of its velocity; a float in 8 bits."),
    IN("maxAngularVelocity", "radians/s", "Limit of its angular velocity; a float in 8 bits."), PLAIN("deactivationClass", "How soon it is deactivated."),
};

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static const hk_fact hkcd_shape[] = {
    PLAIN("type", "Filled by the game."), PLAIN("dispatchType", "How collisions with it are found."),
    PLAIN("bitsPerKey", "How long its shape keys are."), PLAIN("shapeInfoCodecType", "How its shape keys are packed."),
};
static const hk_fact shape[] = {PLAIN("userData", "For the game.")};
static const hk_fact convex_shape[] = {METRES("radius", "A shell around the shape; of spheres and capsules their radius.")};
static const hk_fact capsule[] = {
    METRES("vertexA", "One end of its axis; w is the radius or anything."), METRES("vertexB", "The other end of its axis."),
};
static const hk_fact sphere[] = {PLAIN("pad16", "Zeros.")};
static const hk_fact cylinder[] = {
    METRES("cylRadius", "Its radius, without the shell."), PLAIN("cylBaseRadiusFactorForHeightFieldCollisions", "For the game."),
    METRES("vertexA", "Centre of one end."), METRES("vertexB", "Centre of the other end."),
    PLAIN("perpendicular1", "A direction across the axis."), PLAIN("perpendicular2", "The other direction across the axis."),
};
static const hk_fact triangle[] = {
    METRES("vertexA", "First corner."), METRES("vertexB", "Second corner."), METRES("vertexC", "Third corner."),
    METRES("extrusion", "How thick it is."), PLAIN("weldingInfo", "For welding."), PLAIN("weldingType", "For welding."),
    PLAIN("isExtruded", "Whether it is thick."),
};
static const hk_fact box[] = {METRES("halfExtents", "Half of its size along each axis, without the shell.")};
static const hk_fact convex_vertices[] = {
    METRES("aabbHalfExtents", "Half of the size of the box around it."), METRES("aabbCenter", "Middle of the box around it."),
    METRES("rotatedVertices", "Corners, four at a time: their x, their y, their z."), PLAIN("numVertices", "How many corners count."),
    PLAIN("useSpuBuffer", "For the game."), PLAIN("planeEquations", "Sides: the normal, and (m) the distance from the origin."),
    PLAIN("connectivity", "Which corners make faces."),
};
static const hk_fact four_vectors[] = {
    PLAIN("x", "First coordinates of four vectors."), PLAIN("y", "Second coordinates of four vectors."), PLAIN("z", "Third coordinates of four vectors."),
};
static const hk_fact connectivity[] = {
    PLAIN("vertexIndices", "Corners of all faces."), PLAIN("numVerticesPerFace", "How many corners each face has."),
};
static const hk_fact convex_transform[] = {
    PLAIN("childShape", "The shape that is moved."), PLAIN("childShapeSizeForSpu", "Filled by the game."),
    IN("transform", "m", "From the child's space."), METRES("extraScale", "Zeros."),
};
static const hk_fact convex_translate[] = {
    PLAIN("childShape", "The shape that is moved."), PLAIN("childShapeSizeForSpu", "Filled by the game."), METRES("translation", "How far."),
};
static const hk_fact transform_shape[] = {
    PLAIN("childShape", "The shape that is moved."), PLAIN("childShapeSize", "Filled by the game."),
    PLAIN("rotation", "The turn of `transform`, as a quaternion."), IN("transform", "m", "From the child's space."),
};
static const hk_fact single_container[] = {PLAIN("childShape", "The shape inside.")};
static const hk_fact mopp_shape[] = {PLAIN("child", "The shape that the code is for.")};
static const hk_fact mopp_base[] = {PLAIN("code", "Finds triangles fast."), GAME("codeInfoCopy")};
static const hk_fact bv_tree[] = {PLAIN("bvTreeType", "Filled by the game.")};
static const hk_fact bv_shape[] = {PLAIN("boundingVolumeShape", "The shape that is asked first."), PLAIN("childShape", "The shape inside.")};
static const hk_fact mopp_code[] = {
    PLAIN("info", "From metres to the code's units."), PLAIN("data", "A program over a tree of boxes."), PLAIN("buildType", "How it was made."),
};
static const hk_fact mopp_info[] = {PLAIN("offset", "x, y, z: the least corner (m); w: units in a metre.")};
static const hk_fact shape_collection[] = {
    PLAIN("disableWelding", "Whether edges between triangles are left as they are."), PLAIN("collectionType", "Filled by the game."),
};
static const hk_fact list_shape[] = {
    PLAIN("childInfo", "The shapes inside."), PLAIN("flags", "For the game."), PLAIN("numDisabledChildren", "How many do not count."),
    METRES("aabbHalfExtents", "Half of the size of the box around it."), METRES("aabbCenter", "Middle of the box around it."),
    PLAIN("enabledChildren", "Which shapes count."),
};
static const hk_fact list_child[] = {
    PLAIN("shape", "The shape."), PLAIN("collisionFilterInfo", "What it collides with."), PLAIN("shapeInfo", "Filled by the game."),
    PLAIN("shapeSize", "Filled by the game."), PLAIN("numChildShapes", "Filled by the game."),
};
static const hk_fact extended_mesh[] = {
    PLAIN("embeddedTrianglesSubpart", "The first of the triangles' parts."), METRES("aabbHalfExtents", "Half of the size of the box around it."),
    METRES("aabbCenter", "Middle of the box around it."), PLAIN("numBitsForSubpartIndex", "Bits of a shape key that say which part."),
    PLAIN("trianglesSubparts", "Parts of triangles."), PLAIN("shapesSubparts", "Parts of convex shapes."), PLAIN("weldingInfo", "A number each triangle, for its edges."),
    PLAIN("weldingType", "For welding."), PLAIN("defaultCollisionFilterInfo", "What it collides with."), PLAIN("cachedNumChildShapes", "How many triangles and shapes."),
    METRES("triangleRadius", "A shell around triangles."),
};
static const hk_fact subpart[] = {
    PLAIN("typeAndFlags", "What kind of part it is."), PLAIN("shapeInfo", "For the game."), PLAIN("materialIndexStriding", "Filled by the game."), PLAIN("userData", "For the game."),
};
static const hk_fact triangles_subpart[] = {
    PLAIN("numTriangleShapes", "How many triangles."), PLAIN("numVertices", "How many corners."), PLAIN("vertexStriding", "Bytes of a corner in memory."),
    PLAIN("triangleOffset", "Its first triangle in an earlier numbering; -1: none."), PLAIN("indexStriding", "Bytes of a triangle in memory."),
    PLAIN("stridingType", "How wide corners' numbers are: 1 8 bits, 2 16 bits, 3 32 bits."), PLAIN("flipAlternateTriangles", "Whether every other one is turned round, as in a strip."),
    METRES("extrusion", "How thick triangles are."), IN("transform", "m", "Where its corners are in the shape."),
};
static const hk_fact shapes_subpart[] = {
    PLAIN("childShapes", "Convex shapes."), PLAIN("rotation", "How they are turned."), METRES("translation", "Where they are."),
};
static const hk_fact storage_mesh[] = {
    PLAIN("meshstorage", "Corners and triangles of each part of triangles."), PLAIN("shapestorage", "Materials of each part of shapes."),
};
static const hk_fact mesh_storage[] = {
    METRES("vertices", "Corners; w means nothing."), PLAIN("indices8", "Four numbers a triangle, the fourth unused."), PLAIN("indices16", "Four numbers a triangle, the fourth unused."),
    PLAIN("indices32", "Four numbers a triangle, the fourth unused."), PLAIN("materialIndices", "Of each triangle its material."), PLAIN("materials", "The materials."),
    PLAIN("namedMaterials", "Materials with names."), PLAIN("materialIndices16", "The same in 16 bits."),
};
static const hk_fact shape_storage[] = {
    PLAIN("materialIndices", "Of each shape its material."), PLAIN("materials", "The materials."), PLAIN("materialIndices16", "The same in 16 bits."),
};
static const hk_fact mesh_material[] = {PLAIN("filterInfo", "What it collides with.")};
static const hk_fact storage_material[] = {
    PLAIN("restitution", "Coefficient of restitution."), PLAIN("friction", "Coefficient of friction."), PLAIN("userData", "For the game."),
};
static const hk_fact named_material[] = {PLAIN("name", "What it is called.")};

/* ---- constraints ------------------------------------------------------------------------------------------- */

static const hk_fact constraint_instance[] = {
    PLAIN("data", "The joint."), PLAIN("constraintModifiers", "What changes it."), PLAIN("entities", "The two bodies that it holds together."),
    PLAIN("priority", "How soon it is solved."), PLAIN("wantRuntime", "For the game."), PLAIN("destructionRemapInfo", "What becomes of it when a body breaks."),
    PLAIN("name", "What it is called."), PLAIN("userData", "For the game."),
};
static const hk_fact atom[] = {PLAIN("type", "Which atom it is.")};
static const hk_fact local_transforms[] = {
    IN("transformA", "m", "The joint in body A's space: three columns of a rotation, then the translation."),
    IN("transformB", "m", "The joint in body B's space."),
};
static const hk_fact local_translations[] = {
    METRES("translationA", "The joint in body A's space."), METRES("translationB", "The joint in body B's space."),
};
static const hk_fact stabilization[] = {PLAIN("enabled", "Whether it counts.")};
static const hk_fact ragdoll_motor[] = {
    PLAIN("target_bRca", "What the motors turn to: three columns of a rotation."), PLAIN("motors", "What drives each axis."),
};
static const hk_fact damp[] = {PLAIN("angularLimitsDampFactor", "How much the limits damp.")};
static const hk_fact lin_limit[] = {
    PLAIN("axisIndex", "The axis, from 0."), METRES("min", "The least way."), METRES("max", "The greatest way."),
};
static const hk_fact stiff_spring[] = {METRES("length", "The least length."), METRES("maxLength", "The greatest length.")};
static const hk_fact motor[] = {PLAIN("type", "Which kind of motor.")};
static const hk_fact limited_motor[] = {IN("minForce", "N", "The least force."), IN("maxForce", "N", "The greatest force.")};
static const hk_fact position_motor[] = {
    PLAIN("tau", "How stiff it is."), PLAIN("damping", "How much it damps."),
    PLAIN("proportionalRecoveryVelocity", "Recovery velocity in proportion to the error."), PLAIN("constantRecoveryVelocity", "Recovery velocity, whatever the error."),
};

/* Of classes that add no members to those of their bases, but are known. */
static const hk_fact nothing[] = {PLAIN("", "Nothing.")};

#define OF(name, facts) {name, facts, REC_COUNT_OF(facts)}
const hk_facts_of hk_facts_table[] = {
    OF("hkReferencedObject", referenced_object), OF("hkVector4f", vector4), OF("hkVector4", vector4), OF("hkQuaternionf", quaternion),
    OF("hkQuaternion", quaternion), OF("hkQsTransformf", qs_transform), OF("hkTransformf", transform), OF("hkMatrix4f", matrix4),
    OF("hkAabb", aabb),
    OF("hkRootLevelContainer::NamedVariant", named_variant), OF("hkSimpleProperty", simple_property),
    OF("hkSimplePropertyValue", property_value), OF("hkUFloat8", ufloat8), OF("hkHalf16", half16),
    OF("hkaAnimation", animation), OF("hkaAnimationBinding", animation_binding), OF("hkaBoneAttachment", bone_attachment),
    OF("hkaMeshBinding", mesh_binding), OF("hkaRagdollInstance", ragdoll_instance),
    OF("hkpPhysicsData", physics_data), OF("hkpPhysicsSystem", physics_system), OF("hkpWorldCinfo", world_cinfo),
    OF("hkpWorldObject", world_object), OF("hkpEntity", entity), OF("hkpEntity::SpuCollisionCallback", spu_callback),
    OF("hkpMaterial", material), OF("hkpCdBody", cd_body), OF("hkpCollidable", collidable),
    OF("hkpTypedBroadPhaseHandle", broad_phase_handle), OF("hkpCollidable::BoundingVolumeData", bounding_volume),
    OF("hkpMotion", motion), OF("hkMotionState", motion_state),
    OF("hkcdShape", hkcd_shape), OF("hkpShape", shape), OF("hkpConvexShape", convex_shape), OF("hkpCapsuleShape", capsule),
    OF("hkpSphereShape", sphere), OF("hkpCylinderShape", cylinder), OF("hkpTriangleShape", triangle), OF("hkpBoxShape", box),
    OF("hkpConvexVerticesShape", convex_vertices), OF("hkpConvexVerticesShape::FourVectors", four_vectors),
    OF("hkFourTransposedPoints", four_vectors), OF("hkFourTransposedPointsf", four_vectors), OF("hkpConvexVerticesConnectivity", connectivity),
    OF("hkpConvexTransformShape", convex_transform), OF("hkpConvexTransformShapeBase", single_container),
    OF("hkpConvexTranslateShape", convex_translate), OF("hkpTransformShape", transform_shape),
    OF("hkpSingleShapeContainer", single_container), OF("hkpMoppBvTreeShape", mopp_shape), OF("hkMoppBvTreeShapeBase", mopp_base),
    OF("hkpBvTreeShape", bv_tree), OF("hkpBvShape", bv_shape), OF("hkpMoppCode", mopp_code), OF("hkpMoppCode::CodeInfo", mopp_info),
    OF("hkpShapeCollection", shape_collection), OF("hkpListShape", list_shape), OF("hkpListShape::ChildInfo", list_child),
    OF("hkpExtendedMeshShape", extended_mesh), OF("hkpExtendedMeshShape::Subpart", subpart),
    OF("hkpExtendedMeshShape::TrianglesSubpart", triangles_subpart), OF("hkpExtendedMeshShape::ShapesSubpart", shapes_subpart),
    OF("hkpStorageExtendedMeshShape", storage_mesh), OF("hkpStorageExtendedMeshShape::MeshSubpartStorage", mesh_storage),
    OF("hkpStorageExtendedMeshShape::ShapeSubpartStorage", shape_storage), OF("hkpMeshMaterial", mesh_material),
    OF("hkpStorageExtendedMeshShape::Material", storage_material), OF("hkpNamedMeshMaterial", named_material),
    OF("hkpConstraintInstance", constraint_instance), OF("hkpConstraintAtom", atom),
    OF("hkpSetLocalTransformsConstraintAtom", local_transforms), OF("hkpSetLocalTranslationsConstraintAtom", local_translations),
    OF("hkpSetupStabilizationAtom", stabilization), OF("hkpRagdollMotorConstraintAtom", ragdoll_motor),
    OF("hkpTwistLimitConstraintAtom", damp), OF("hkpConeLimitConstraintAtom", damp), OF("hkpAngLimitConstraintAtom", damp),
    OF("hkpLinLimitConstraintAtom", lin_limit), OF("hkpStiffSpringConstraintAtom", stiff_spring), OF("hkpConstraintMotor", motor),
    OF("hkpLimitedForceConstraintMotor", limited_motor), OF("hkpPositionConstraintMotor", position_motor),
    {"hkpRigidBody", nothing, 0},
    {NULL, NULL, 0},
};
/* clang-format on */
