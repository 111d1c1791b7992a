/* Havok's own small structs. Reference: formats/havok-packfile.md#2.2. */
#include "havok/packfile/types.h"

/* clang-format off */
#define LANE(letter, what) {.name = letter, .kind = REC_F32, .align = 4, .doc = what}

static const rec_field vector4_rows[] = {
    LANE("x", ""), LANE("y", ""), LANE("z", ""),
    {.name = "w", .kind = REC_F32, .align = 4, .flags = REC_UNSCALED, .doc = "Often unused, and then anything."},
};
const rec_type hk_vector4 = {.name = "hkVector4", .doc = "Four numbers.", .flags = REC_VECTOR,
                             REC_ROWS(vector4_rows)};

static const rec_field quaternion_rows[] = {LANE("x", ""), LANE("y", ""), LANE("z", ""), LANE("w", "")};
const rec_type hk_quaternion = {.name = "hkQuaternion", .doc = "A rotation, w last.", .flags = REC_VECTOR,
                                REC_ROWS(quaternion_rows)};

static const double ones[] = {1, 1, 1, 0}, unit[] = {0, 0, 0, 1};
static const rec_field qs_transform_rows[] = {
    {.name = "translation", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .unit = "units", .power = 1,
     .doc = "w is unused."},
    {.name = "rotation", .kind = REC_RECORD, .type = &hk_quaternion, .align = 16, .init_lanes = unit,
     .doc = "A unit quaternion."},
    {.name = "scale", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .init_lanes = ones,
     .doc = "Along each axis; w is unused."},
};
const rec_type hk_qs_transform = {.name = "hkQsTransform", .doc = "Scale, then turn, then move.",
                                  .flags = REC_ALIGNED, REC_ROWS(qs_transform_rows)};
