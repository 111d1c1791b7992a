/* Skeletons and what maps one to another. Reference: formats/hkx-animation.md#2. */
#include "havok/animation/types.h"
#include "havok/packfile/types.h"

/* clang-format off */
static const rec_field bone_rows[] = {
    {.name = "name", HK_STRING, .doc = "What games and meshes know it by."},
    {.name = "lock_translation", .original = "lockTranslation", .kind = REC_U8, .shown = REC_BOOL,
     .doc = "Whether animations leave its translation alone."},
};
static const rec_type bone = {.name = "hkaBone", .doc = "A bone.", .flags = REC_ALIGNED, REC_ROWS(bone_rows)};

static const rec_field local_frame_rows[] = {
    {.name = "local_frame", .original = "localFrame", HK_POINTER(hk_opaque), .doc = "hkLocalFrame."},
    {.name = "bone_index", .original = "boneIndex", .kind = REC_I32, .doc = "The bone it is on, from 0."},
};
static const rec_type local_frame = {.name = "hkaSkeletonLocalFrameOnBone", .doc = "A frame on a bone.",
                                     .flags = REC_ALIGNED, REC_ROWS(local_frame_rows)};

static const rec_field partition_rows[] = {
    {.name = "name", HK_STRING, .doc = "What it is called."},
    {.name = "start_bone_index", .original = "startBoneIndex", .kind = REC_I16, .doc = "Its first bone, from 0."},
    {.name = "num_bones", .original = "numBones", .kind = REC_I16, .doc = "How many bones it has."},
};
static const rec_type partition = {.name = "hkaSkeletonPartition", .doc = "A run of bones.",
                                   .flags = REC_ALIGNED, REC_ROWS(partition_rows)};

static const rec_field skeleton_rows[] = {
    HK_REFERENCED,
    {.name = "name", HK_STRING, .flags = REC_DERIVED, .doc = "What bindings know it by."},
    {.name = "parent_indices", .original = "parentIndices", .kind = REC_I16, HK_ARRAY,
     .doc = "Of each bone its parent, from 0; -1: a root."},
    {.name = "bones", HK_STRUCTS(bone), .doc = "The bones. parent_indices and reference_pose have one for each."},
    {.name = "reference_pose", .original = "referencePose", HK_STRUCTS(hk_qs_transform),
     .doc = "Of each bone its transform at rest, relative to its parent."},
    {.name = "reference_floats", .original = "referenceFloats", .kind = REC_F32, HK_ARRAY,
     .doc = "Of each float slot its value at rest."},
    {.name = "float_slots", .original = "floatSlots", HK_STRING, HK_ARRAY, .doc = "Names of what float tracks drive."},
    {.name = "local_frames", .original = "localFrames", HK_STRUCTS(local_frame), .doc = "Frames on bones."},
    {.name = "partitions", HK_STRUCTS(partition), .since = HK_2014, .doc = "Runs of bones that can be animated apart."},
};
const rec_type hka_skeleton = {.name = "hkaSkeleton", .doc = "Bones, their parents and their rest pose.",
                               .flags = REC_ALIGNED, REC_ROWS(skeleton_rows)};

static const rec_field simple_rows[] = {
    {.name = "bone_a", .original = "boneA", .kind = REC_I16, .doc = "Bone of skeleton A, from 0."},
    {.name = "bone_b", .original = "boneB", .kind = REC_I16, .doc = "Bone of skeleton B, from 0."},
    {.name = "a_from_b_transform", .original = "aFromBTransform", .kind = REC_RECORD, .type = &hk_qs_transform,
     .doc = "From B's frame to A's."},
};
static const rec_type simple = {.name = "hkaSkeletonMapperDataSimpleMapping", .doc = "A bone for a bone.",
                                .flags = REC_ALIGNED, REC_ROWS(simple_rows)};

static const rec_field chain_rows[] = {
    {.name = "start_bone_a", .original = "startBoneA", .kind = REC_I16, .doc = "First bone of the chain in A, from 0."},
    {.name = "end_bone_a", .original = "endBoneA", .kind = REC_I16, .doc = "Its last bone."},
    {.name = "start_bone_b", .original = "startBoneB", .kind = REC_I16, .doc = "First bone of the chain in B, from 0."},
    {.name = "end_bone_b", .original = "endBoneB", .kind = REC_I16, .doc = "Its last bone."},
    {.name = "start_a_from_b_transform", .original = "startAFromBTransform", .kind = REC_RECORD, .type = &hk_qs_transform,
     .doc = "From B's frame to A's at the start."},
    {.name = "end_a_from_b_transform", .original = "endAFromBTransform", .kind = REC_RECORD, .type = &hk_qs_transform,
     .doc = "From B's frame to A's at the end."},
};
static const rec_type chain = {.name = "hkaSkeletonMapperDataChainMapping", .doc = "A chain of bones for a chain.",
                               .flags = REC_ALIGNED, REC_ROWS(chain_rows)};

static const rec_field range_rows[] = {
    {.name = "start_mapping_index", .original = "startMappingIndex", .kind = REC_I32, .doc = "Its first mapping, from 0."},
    {.name = "num_mappings", .original = "numMappings", .kind = REC_I32, .doc = "How many it has."},
};
static const rec_type range = {.name = "hkaSkeletonMapperDataPartitionMappingRange", .doc = "The mappings of a partition.",
                               .flags = REC_ALIGNED, REC_ROWS(range_rows)};

static const rec_name mapping_type_rows[] = {{"ragdoll", 0}, {"retargeting", 1}, {0}};
static const rec_names mapping_types = {"mapping type", mapping_type_rows};

static const rec_field mapping_rows[] = {
    {.name = "skeleton_a", .original = "skeletonA", HK_POINTER(hka_skeleton), .doc = "What is mapped from."},
    {.name = "skeleton_b", .original = "skeletonB", HK_POINTER(hka_skeleton), .doc = "What is mapped to."},
    {.name = "partition_map", .original = "partitionMap", .kind = REC_I16, HK_ARRAY, .since = HK_2014,
     .doc = "Partitions for partitions."},
    {.name = "simple_mapping_partition_ranges", .original = "simpleMappingPartitionRanges", HK_STRUCTS(range),
     .since = HK_2014, .doc = "Simple mappings of each partition."},
    {.name = "chain_mapping_partition_ranges", .original = "chainMappingPartitionRanges", HK_STRUCTS(range),
     .since = HK_2014, .doc = "Chain mappings of each partition."},
    {.name = "simple_mappings", .original = "simpleMappings", HK_STRUCTS(simple), .doc = "Bones for bones."},
    {.name = "chain_mappings", .original = "chainMappings", HK_STRUCTS(chain), .doc = "Chains for chains."},
    {.name = "unmapped_bones", .original = "unmappedBones", .kind = REC_I16, HK_ARRAY, .doc = "Bones of B without a mapping."},
    {.name = "extracted_motion_mapping", .original = "extractedMotionMapping", .kind = REC_RECORD, .type = &hk_qs_transform,
     .doc = "For root motion."},
    {.name = "keep_unmapped_local", .original = "keepUnmappedLocal", .kind = REC_U8, .shown = REC_BOOL,
     .doc = "Whether unmapped bones keep their local transforms."},
    {.name = "mapping_type", .original = "mappingType", .kind = REC_I32, .shown = REC_ENUM, .names = &mapping_types,
     .doc = "What it is for."},
};
static const rec_type mapping = {.name = "hkaSkeletonMapperData", .doc = "How bones correspond.",
                                 .flags = REC_ALIGNED, REC_ROWS(mapping_rows)};

static const rec_field mapper_rows[] = {
    HK_REFERENCED,
    {.name = "mapping", .kind = REC_RECORD, .type = &mapping, .flags = REC_DERIVED, .doc = "How bones correspond."},
};
const rec_type hka_skeleton_mapper = {.name = "hkaSkeletonMapper", .doc = "Carries poses from one skeleton to another.",
                                      .flags = REC_ALIGNED, REC_ROWS(mapper_rows)};
