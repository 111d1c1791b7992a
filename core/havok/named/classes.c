/* The classes that are described: of packfiles, and by their names of files that describe theirs themselves. */
#include "havok/named/classes.h"

#include "gen/animation_types.h"
#include "gen/behavior_types.h"
#include "gen/cloth_types.h"
#include "gen/packfile_types.h"
#include "gen/physics_types.h"

#include <stdatomic.h>
#include <string.h>

enum { UNITS = 5 };

static const rec_unit *unit_of(size_t i)
{
    switch (i) {
    case 0: return &packfile_unit.head;
    case 1: return &animation_unit.head;
    case 2: return &physics_unit.head;
    case 3: return &behavior_unit.head;
    default: return &cloth_unit.head;
    }
}

/* Structs that are not classes of Havok have names, too, but no rec_stated. */
static bool is_class(const rec_type *type)
{
    return type && type->stated;
}

const rec_type *hk_type(size_t i)
{
    for (size_t u = 0; u < UNITS; u++) {
        const rec_unit *unit = unit_of(u);
        if (i < unit->by_name_n)
            return &unit->types[unit->by_name[i] - 1];
        i -= unit->by_name_n;
    }
    return NULL;
}

const rec_type *hk_type_in_version(const char *name, int64_t version)
{
    const rec_type *found = NULL;
    for (size_t u = 0; u < UNITS && !is_class(found); u++)
        found = rec_unit_named(unit_of(u), name, version);
    return is_class(found) ? found : NULL;
}

const rec_type *hk_type_any(const char *name)
{
    const rec_type *found = hk_type_in_version(name, HK_2014);
    found = found ? found : hk_type_in_version(name, HK_2010);
    for (size_t u = 0; u < UNITS && !found; u++)
        found = rec_unit_named(unit_of(u), name, HK_2014);
    return found;
}

/* ---- lengths --------------------------------------------------------------------------------------------- */

/* Classes whose rows have complete scale exponents, and the first version for which that is so. */
static const struct {
    char name[48];
    int32_t since;
} marked[] = {
    {"hkRootLevelContainer", 0},
    {"hkMemoryResourceContainer", 0},
    {"hkaAnimationContainer", 0},
    {"hkaSkeleton", 0},
    {"hkaSkeletonMapper", 0},
    {"hkaSplineCompressedAnimation", 0},
    {"hkaInterleavedUncompressedAnimation", 0},
    {"hkaLosslessCompressedAnimation", 0},
    {"hkaAnimationBinding", 0},
    {"hkaDefaultAnimatedReferenceFrame", 0},
    {"hkpRagdollConstraintData", 0},
    {"hkpLimitedHingeConstraintData", 0},
    {"hkpPositionConstraintMotor", 0},
    {"hkMemoryResourceHandle", 0},
    {"hkaRagdollInstance", 0},
    {"hkpPhysicsData", 0},
    {"hkpPhysicsSystem", 0},
    {"hkpRigidBody", 0},
    {"hkpSimpleShapePhantom", 0},
    {"hkpAabbPhantom", 0},
    {"hkpShapeInfo", 0},
    {"hkpConstraintInstance", 0},
    {"hkpBallAndSocketConstraintData", 0},
    {"hkpHingeConstraintData", 0},
    {"hkpPrismaticConstraintData", 0},
    {"hkpStiffSpringConstraintData", 0},
    {"hkpPointToPlaneConstraintData", 0},
    {"hkpPulleyConstraintData", 0},
    {"hkpRackAndPinionConstraintData", 0},
    {"hkpRotationalConstraintData", 0},
    {"hkpHingeLimitsData", 0},
    {"hkpRagdollLimitsData", 0},
    {"hkpMalleableConstraintData", 0},
    {"hkpBreakableConstraintData", 0},
    {"hkpVelocityConstraintMotor", 0},
    {"hkpSpringDamperConstraintMotor", 0},
    {"hkpCapsuleShape", 0},
    {"hkpSphereShape", 0},
    {"hkpBoxShape", 0},
    {"hkpCylinderShape", 0},
    {"hkpTriangleShape", 0},
    {"hkpMultiSphereShape", 0},
    {"hkpConvexVerticesShape", 0},
    {"hkpConvexVerticesConnectivity", 0},
    {"hkpConvexListShape", 0},
    {"hkpListShape", 0},
    {"hkpConvexTransformShape", 0},
    {"hkpConvexTranslateShape", 0},
    {"hkpTransformShape", 0},
    {"hkpBvShape", 0},
    {"hkpMoppBvTreeShape", 0},
    {"hkpMoppCode", 0},
    {"hkpSimpleMeshShape", 0},
    {"hkpCompressedMeshShape", 0},
    {"hkpStorageExtendedMeshShape", 0},
    {"hkpStorageExtendedMeshShapeMeshSubpartStorage", 0},
    {"hkpStorageExtendedMeshShapeShapeSubpartStorage", 0},
    {"hkpNamedMeshMaterial", 0},
    {"hkpPlaneShape", 0},
    {"hknpPhysicsSystemData", HK_2014},
    {"hknpPhysicsSceneData", HK_2014},
    {"hknpRagdollData", HK_2014},
    {"hknpCompressedMeshShape", HK_2014},
    {"hknpCompressedMeshShapeData", HK_2014},
    {"hknpDynamicCompoundShape", HK_2014},
    {"hknpDynamicCompoundShapeData", HK_2014},
    {"hkRefCountedProperties", HK_2014},
    {"hknpShapeMassProperties", HK_2014},
    {"hknpBSMaterialProperties", HK_2014},
    {"hknpBreakableConstraintData", HK_2014},
    {"hknpConvexPolytopeShape", HK_2014},
    {"hknpSphereShape", HK_2014},
    {"hknpCapsuleShape", HK_2014},
};

bool hk_lengths_known(const char *name, int64_t version)
{
    for (size_t i = 0; i < REC_COUNT_OF(marked); i++)
        if (strcmp(marked[i].name, name) == 0)
            return version >= marked[i].since;
    return false;
}

/* Each is looked up once: every type of a tagfile asks for all of them. Threads at the same time find the same. */
const rec_type *hk_type_with_lengths(size_t i)
{
    static const rec_type *_Atomic found[REC_COUNT_OF(marked)];
    if (i >= REC_COUNT_OF(marked))
        return NULL;
    const rec_type *type = atomic_load(&found[i]);
    if (!type) {
        type = hk_type_any(marked[i].name);
        atomic_store(&found[i], type);
    }
    return type;
}
