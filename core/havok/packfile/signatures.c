/* Signatures of classes, by which games tell versions of them apart. */
#include "havok/packfile/packfile.h"

/* Classes that files were seen with. */
static const struct {
    const char *name;
    uint32_t signature_2010, signature_2014; /* in files of either version; 0: not known */
    int32_t since;                           /* what older files have as its members is not known */
} classes[] = {
    {"hkRootLevelContainer", 0x2772C11E, 0x2772C11E, 0},
    {"hkMemoryResourceContainer", 0x4762F92A, 0x1DE13A73, 0},
    {"hkaAnimationContainer", 0x8DC20333, 0x26859F4C, 0},
    {"hkaSkeleton", 0x366E8220, 0xFEC1CEDB, 0},
    {"hkaSkeletonMapper", 0x12DF42A5, 0xACE9849C, 0},
    {"hkaSplineCompressedAnimation", 0x792EE0BB, 0x8C3B5F7E, 0},
    {"hkaInterleavedUncompressedAnimation", 0x930AF031, 0xCD9801FB, 0},
    {"hkaLosslessCompressedAnimation", 0, 0, 0},
    {"hkaAnimationBinding", 0x66EAC971, 0x0FAF9150, 0},
    {"hkaDefaultAnimatedReferenceFrame", 0x6D85E445, 0x60F8E0B8, 0},
    {"hkpRagdollConstraintData", 0x8FB5DD29, 0xB77D2036, HK_2014},
    {"hkpLimitedHingeConstraintData", 0x7C15BB6B, 0x51EA603A, HK_2014},
    {"hkpPositionConstraintMotor", 0x748FB303, 0x143DD400, HK_2014},
    {"hknpPhysicsSystemData", 0, 0xB857718B, HK_2014},
    {"hknpPhysicsSceneData", 0, 0x701CE72C, HK_2014},
    {"hknpRagdollData", 0, 0xDC8F20AB, HK_2014},
    {"hknpCompressedMeshShape", 0, 0x5F60D536, HK_2014},
    {"hknpCompressedMeshShapeData", 0, 0xA2BDFC59, HK_2014},
    {"hknpDynamicCompoundShape", 0, 0x4620D11C, HK_2014},
    {"hknpDynamicCompoundShapeData", 0, 0xF33DC3CC, HK_2014},
    {"hkRefCountedProperties", 0, 0x7C574867, HK_2014},
    {"hknpShapeMassProperties", 0, 0xE9191728, HK_2014},
    {"hknpBSMaterialProperties", 0, 0xA3E47A9A, HK_2014},
    {"hknpBreakableConstraintData", 0, 0xC40485C7, HK_2014},
    {"hknpConvexPolytopeShape", 0, 0x3CE9B3E3, HK_2014},
    {"hknpSphereShape", 0, 0x741E9012, HK_2014},
    {"hknpCapsuleShape", 0, 0x60A75F4C, HK_2014},
    /* Of classes that are not described: what stands in front of every file's class names, and what tables that are
     * made by hand may name. */
    {"hkClass", 0x75585EF6, 0x33D42383, 0},
    {"hkClassMember", 0x5C7EA4C2, 0xB0EFA719, 0},
    {"hkClassEnum", 0x8A3609CF, 0x8A3609CF, 0},
    {"hkClassEnumItem", 0xCE6F8A6C, 0xCE6F8A6C, 0},
    {"hkMemoryResourceHandle", 0xBFFAC086, 0, 0},
    {"hkaQuantizedAnimation", 0x3920F053, 0x0CB6F282, 0},
    {"hkaRagdollInstance", 0x154948E8, 0, 0},
    {"hkpRigidBody", 0x75F8D805, 0, 0},
    {"hkpCapsuleShape", 0xDD0B1FD3, 0, 0},
    {"hkpShapeInfo", 0xEA7F1D08, 0, 0},
    {"hkpPhysicsData", 0xC2A461E4, 0, 0},
    {"hkpPhysicsSystem", 0xFF724C17, 0, 0},
    {"hkpConstraintInstance", 0x034EBA5F, 0, 0},
    {"hkbProjectData", 0x13A39BA7, 0, 0},
    {"hkbProjectStringData", 0x076AD60A, 0, 0},
};

/* Its number; REC_COUNT_OF(classes): no file was seen with it. */
static size_t find(const char *name)
{
    size_t i = 0;
    while (i < REC_COUNT_OF(classes) && strcmp(classes[i].name, name) != 0)
        i++;
    return i;
}

uint32_t hk_signature(const char *name, int64_t version)
{
    size_t i = find(name);
    if (i == REC_COUNT_OF(classes))
        return 0;
    return version < HK_2014 ? classes[i].signature_2010 : classes[i].signature_2014;
}

const rec_type *hk_described(const lathe_format *format, const char *name, int64_t version)
{
    const rec_type *type;
    for (size_t i = 0; (type = format->types(i)) != NULL; i++)
        if (strcmp(rec_type_name(type), name) == 0)
            break;
    if (!type || version >= HK_2014)
        return type;
    size_t i = find(name);
    return i < REC_COUNT_OF(classes) && version < classes[i].since ? NULL : type;
}
