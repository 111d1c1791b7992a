/* Small structs that several classes of collision have. Reference: formats/fo4-collision.md. */
#include "havok/physics/types.h"

/* clang-format off */
static const rec_field tagged_rows[] = {
    {.name = "x", .kind = REC_F32, .doc = "First coordinate."},
    {.name = "y", .kind = REC_F32, .doc = "Second coordinate."},
    {.name = "z", .kind = REC_F32, .doc = "Third coordinate."},
    {.name = "w", .kind = REC_U32, .doc = "A whole number: 0x3F000000 (the bits of 0.5) and what is meant, or 0."},
};
const rec_type hk_tagged_vector = {.name = "hkVector4Tagged", .doc = "Three numbers, and a whole one in the bits of w.",
                                   .flags = REC_ALIGNED | REC_VECTOR, REC_ROWS(tagged_rows)};

static const double first[] = {1, 0, 0, 0x3F000040}, second[] = {0, 1, 0, 0}, third[] = {0, 0, 1, 0x3F000000},
                    nowhere[] = {0, 0, 0, 0x3F000000};
static const rec_field transform_rows[] = {
    {.name = "column0", .kind = REC_RECORD, .type = &hk_tagged_vector, .align = 16, .init_lanes = first,
     .doc = "Where the x axis goes."},
    {.name = "column1", .kind = REC_RECORD, .type = &hk_tagged_vector, .align = 16, .init_lanes = second,
     .doc = "Where the y axis goes."},
    {.name = "column2", .kind = REC_RECORD, .type = &hk_tagged_vector, .align = 16, .init_lanes = third,
     .doc = "Where the z axis goes."},
    {.name = "translation", .kind = REC_RECORD, .type = &hk_tagged_vector, .align = 16, .init_lanes = nowhere, .unit = "m",
     .power = 1, .doc = "Where the origin goes."},
};
const rec_type hk_tagged_transform = {.name = "hkTransformTagged", .doc = "Turn, then move; with whole numbers in each w.",
                                      .flags = REC_ALIGNED, REC_ROWS(transform_rows)};

static const double x_axis[] = {1, 0, 0, 0}, y_axis[] = {0, 1, 0, 0}, z_axis[] = {0, 0, 1, 0};
static const rec_field plain_rows[] = {
    {.name = "column0", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .init_lanes = x_axis, .doc = "Where the x axis goes."},
    {.name = "column1", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .init_lanes = y_axis, .doc = "Where the y axis goes."},
    {.name = "column2", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .init_lanes = z_axis, .doc = "Where the z axis goes."},
    {.name = "translation", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .unit = "m", .power = 1, .doc = "Where the origin goes."},
};
const rec_type hk_transform = {.name = "hkTransform", .doc = "Turn, then move.", .flags = REC_ALIGNED, REC_ROWS(plain_rows)};

static const rec_field aabb_rows[] = {
    {.name = "min", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .unit = "m", .power = 1, .doc = "The least corner; w means nothing."},
    {.name = "max", .kind = REC_RECORD, .type = &hk_vector4, .align = 16, .unit = "m", .power = 1, .doc = "The greatest corner; w means nothing."},
};
const rec_type hk_aabb = {.name = "hkAabb", .doc = "A box along the axes.", .flags = REC_ALIGNED, REC_ROWS(aabb_rows)};

static const rec_field bit_field_rows[] = {
    {.name = "words", .kind = REC_U32, HK_ARRAY, .doc = "32 bits each, the lowest first."},
    {.name = "num_bits", .original = "numBits", .kind = REC_I32, .unit = "bits", .doc = "How many count."},
};
const rec_type hk_bit_field = {.name = "hkBitField", .doc = "Bits by number.", .flags = REC_ALIGNED, REC_ROWS(bit_field_rows)};
/* clang-format on */
