/* Animations, what they are bound to, and root motion. Reference: formats/hkx-animation.md#3..5. */
#include "havok/animation/types.h"
#include "havok/packfile/types.h"

/* clang-format off */
static const rec_field annotation_rows[] = {
    {.name = "time", .kind = REC_F32, .unit = "s", .doc = "From the animation's start."},
    {.name = "text", HK_STRING, .init_bytes = "", .doc = "The event that the game gets."},
};
static const rec_type annotation = {.name = "hkaAnnotationTrackAnnotation", .doc = "An event.",
                                    .flags = REC_ALIGNED, REC_ROWS(annotation_rows)};

static const rec_field annotation_track_rows[] = {
    {.name = "track_name", .original = "trackName", HK_STRING, .init_bytes = "",
     .doc = "Empty in games' files; tools put the bone's name here."},
    {.name = "annotations", HK_STRUCTS(annotation), .doc = "Events, in the order of time."},
};
static const rec_type annotation_track = {.name = "hkaAnnotationTrack", .doc = "Events of one track.",
                                          .flags = REC_ALIGNED, REC_ROWS(annotation_track_rows)};

/* Numbered anew in 2014, so the names depend on the version. */
static const rec_name types_2010[] = {{"unknown", 0}, {"interleaved", 1}, {"delta", 2}, {"wavelet", 3},
                                      {"mirrored", 4}, {"spline_compressed", 5}, {"quantized", 6}, {0}};
static const rec_name types_2014[] = {{"unknown", 0}, {"interleaved", 1}, {"mirrored", 2}, {"spline_compressed", 3},
                                      {"quantized", 4}, {"predictive", 5}, {"reference_pose", 6}, {0}};
static const rec_names animation_types_2010 = {"animation type", types_2010}, animation_types = {"animation type", types_2014};
static const rec_name hints_2010[] = {{"normal", 0}, {"additive", 1}, {0}};
static const rec_name hints_2014[] = {{"normal", 0}, {"additive_deprecated", 1}, {"additive", 2}, {0}};
static const rec_names blend_hints_2010 = {"blend hint", hints_2010}, blend_hints = {"blend hint", hints_2014};
/* clang-format on */

static bool is_old(const rec_at *at)
{
    return at->doc->containers[at->layout->container].version < HK_2014;
}

static const rec_names *animation_types_in(const rec_at *at)
{
    return is_old(at) ? &animation_types_2010 : &animation_types;
}

static const rec_names *blend_hints_in(const rec_at *at)
{
    return is_old(at) ? &blend_hints_2010 : &blend_hints;
}

/* clang-format off */
#define ANIMATION                                                                                  \
    HK_REFERENCED,                                                                                 \
    {.name = "type", .kind = REC_I32, .shown = REC_ENUM, .names = &animation_types,                \
     .names_in = animation_types_in, .flags = REC_DERIVED,                                         \
     .doc = "How it is stored; the numbers changed with Fallout 4. Games go by the class."},       \
    {.name = "duration", .kind = REC_F32, .unit = "s", .doc = "From the first frame to the last."},\
    {.name = "number_of_transform_tracks", .original = "numberOfTransformTracks", .kind = REC_I32, \
     .doc = "Bones that it moves."},                                                               \
    {.name = "number_of_float_tracks", .original = "numberOfFloatTracks", .kind = REC_I32,         \
     .doc = "Float slots that it drives."},                                                        \
    {.name = "extracted_motion", .original = "extractedMotion",                                    \
     HK_POINTER(hka_animated_reference_frame), .doc = "Root motion, taken out of the tracks."},    \
    {.name = "annotation_tracks", .original = "annotationTracks", HK_STRUCTS(annotation_track),    \
     .doc = "Events, a list for each transform track."}

static const rec_field animation_rows[] = {ANIMATION};
const rec_type hka_animation = {.name = "hkaAnimation", .doc = "What all animations have.",
                                .flags = REC_ALIGNED, REC_ROWS(animation_rows)};

static const rec_field spline_rows[] = {
    ANIMATION,
    {.name = "num_frames", .original = "numFrames", .kind = REC_I32, .flags = REC_DERIVED, .doc = "Frames, the first and the last counted."},
    {.name = "num_blocks", .original = "numBlocks", .kind = REC_I32, .doc = "Blocks; each shares a frame with the next."},
    {.name = "max_frames_per_block", .original = "maxFramesPerBlock", .kind = REC_I32, .init = 256, .doc = "256."},
    {.name = "mask_and_quantization_size", .original = "maskAndQuantizationSize", .kind = REC_I32, .unit = "bytes",
     .doc = "Masks in front of each block, padded to 4."},
    {.name = "block_duration", .original = "blockDuration", .kind = REC_F32, .unit = "s", .doc = "Of a full block."},
    {.name = "block_inverse_duration", .original = "blockInverseDuration", .kind = REC_F32, .unit = "1/s", .doc = "1 / block_duration."},
    {.name = "frame_duration", .original = "frameDuration", .kind = REC_F32, .unit = "s", .doc = "duration / (num_frames - 1)."},
    {.name = "block_offsets", .original = "blockOffsets", .kind = REC_U32, HK_ARRAY, .unit = "bytes", .doc = "Where each block begins in data."},
    {.name = "float_block_offsets", .original = "floatBlockOffsets", .kind = REC_U32, HK_ARRAY, .unit = "bytes",
     .doc = "Where the float tracks of each block begin, from the block's start."},
    {.name = "transform_offsets", .original = "transformOffsets", .kind = REC_U32, HK_ARRAY, .unit = "bytes", .doc = "Where single tracks begin. Always empty."},
    {.name = "float_offsets", .original = "floatOffsets", .kind = REC_U32, HK_ARRAY, .unit = "bytes", .doc = "Where single float tracks begin. Always empty."},
    {.name = "data", .kind = REC_BYTES, HK_ARRAY, .doc = "The blocks: masks, then the splines of each track."},
    {.name = "endian", .kind = REC_I32, .doc = "Byte order of data: 0 little."},
};
const rec_type hka_spline_compressed_animation = {.name = "hkaSplineCompressedAnimation", .doc = "An animation as splines, of few bits.",
                                                  .flags = REC_ALIGNED, REC_ROWS(spline_rows)};

static const rec_field interleaved_rows[] = {
    ANIMATION,
    {.name = "transforms", HK_STRUCTS(hk_qs_transform), .flags = REC_DERIVED, .doc = "Frame by frame, number_of_transform_tracks of each."},
    {.name = "floats", .kind = REC_F32, HK_ARRAY, .doc = "Frame by frame, number_of_float_tracks of each."},
};
const rec_type hka_interleaved_uncompressed_animation = {.name = "hkaInterleavedUncompressedAnimation",
    .doc = "An animation as it is.", .flags = REC_ALIGNED, REC_ROWS(interleaved_rows)};

static const rec_field codes_rows[] = {
    {.name = "x", .kind = REC_U16, .doc = "Low 2 bits: 0 identity, 1 static, 2 dynamic; the rest is an index."},
    {.name = "y", .kind = REC_U16, .doc = "The same."},
    {.name = "z", .kind = REC_U16, .doc = "The same."},
    {.name = "w", .kind = REC_U16, .doc = "Unused."},
};
static const rec_type codes = {.name = "hkaLosslessCompressedAnimationCodes", .doc = "Where each lane of a track is.",
                               .flags = REC_VECTOR | REC_ALIGNED, REC_ROWS(codes_rows)};

static const rec_field lossless_rows[] = {
    ANIMATION,
    {.name = "dynamic_translations", .original = "dynamicTranslations", .kind = REC_F32, HK_ARRAY, .unit = "units", .power = 1, .flags = REC_DERIVED, .doc = "Frame by frame."},
    {.name = "static_translations", .original = "staticTranslations", .kind = REC_F32, HK_ARRAY, .unit = "units", .power = 1, .doc = "The same in all frames."},
    {.name = "translation_type_and_offsets", .original = "translationTypeAndOffsets", HK_STRUCTS(codes), .doc = "Of each track."},
    {.name = "dynamic_rotations", .original = "dynamicRotations", HK_STRUCTS(hk_quaternion), .doc = "Frame by frame."},
    {.name = "static_rotations", .original = "staticRotations", HK_STRUCTS(hk_quaternion), .doc = "The same in all frames."},
    {.name = "rotation_type_and_offsets", .original = "rotationTypeAndOffsets", .kind = REC_U16, HK_ARRAY, .doc = "Of each track."},
    {.name = "dynamic_scales", .original = "dynamicScales", .kind = REC_F32, HK_ARRAY, .doc = "Frame by frame."},
    {.name = "static_scales", .original = "staticScales", .kind = REC_F32, HK_ARRAY, .doc = "The same in all frames."},
    {.name = "scale_type_and_offsets", .original = "scaleTypeAndOffsets", HK_STRUCTS(codes), .doc = "Of each track."},
    {.name = "floats", .kind = REC_F32, HK_ARRAY, .doc = "Frame by frame."},
    {.name = "num_frames", .original = "numFrames", .kind = REC_I32, .doc = "Frames, the first and the last counted."},
};
const rec_type hka_lossless_compressed_animation = {.name = "hkaLosslessCompressedAnimation",
    .doc = "Fallout 4's own: only what moves is stored, and that as it is.", .flags = REC_ALIGNED, REC_ROWS(lossless_rows)};

static const rec_field binding_rows[] = {
    HK_REFERENCED,
    {.name = "original_skeleton_name", .original = "originalSkeletonName", HK_STRING, .flags = REC_DERIVED, .doc = "The skeleton that it was made for."},
    {.name = "animation", HK_POINTER(hka_animation), .doc = "What it binds."},
    {.name = "transform_track_to_bone_indices", .original = "transformTrackToBoneIndices", .kind = REC_I16, HK_ARRAY,
     .doc = "Of each track its bone, from 0; empty: track i moves bone i."},
    {.name = "float_track_to_float_slot_indices", .original = "floatTrackToFloatSlotIndices", .kind = REC_I16, HK_ARRAY,
     .doc = "Of each float track its slot, from 0."},
    {.name = "partition_indices", .original = "partitionIndices", .kind = REC_I16, HK_ARRAY, .since = HK_2014, .doc = "Partitions that it moves."},
    {.name = "blend_hint", .original = "blendHint", .kind = REC_I8, .shown = REC_ENUM, .names = &blend_hints, .names_in = blend_hints_in,
     .doc = "Whether it is added to another animation."},
};
const rec_type hka_animation_binding = {.name = "hkaAnimationBinding", .doc = "Which bones an animation moves.",
                                        .flags = REC_ALIGNED, REC_ROWS(binding_rows)};

#define REFERENCE_FRAME                                                                            \
    HK_REFERENCED,                                                                                 \
    {.name = "frame_type", .original = "frameType", .kind = REC_I8, .since = HK_2014,              \
     .flags = REC_DERIVED, .doc = "0."}

static const rec_field frame_rows[] = {REFERENCE_FRAME};
const rec_type hka_animated_reference_frame = {.name = "hkaAnimatedReferenceFrame", .doc = "Root motion of some kind.",
                                               .flags = REC_ALIGNED, REC_ROWS(frame_rows)};

static const double up[] = {0, 0, 1, 0}, forward[] = {0, 1, 0, 0};
static const rec_field motion_rows[] = {
    REFERENCE_FRAME,
    {.name = "up", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .flags = REC_DERIVED, .init_lanes = up, .doc = "The axis of its turns."},
    {.name = "forward", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .init_lanes = forward, .doc = "Where a character looks."},
    {.name = "duration", .kind = REC_F32, .unit = "s", .doc = "The animation's."},
    {.name = "reference_frame_samples", .original = "referenceFrameSamples", HK_STRUCTS(hk_vector4), .unit = "units, radians", .power = 1,
     .doc = "One a frame: x, y, z of the way from the start, and the angle about `up`."},
};
const rec_type hka_default_animated_reference_frame = {.name = "hkaDefaultAnimatedReferenceFrame", .doc = "Root motion.",
                                                       .flags = REC_ALIGNED, REC_ROWS(motion_rows)};
