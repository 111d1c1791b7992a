#include "record/types.h"

/* clang-format off */
static const rec_field vec2_rows[] = {
    {.name = "x", .kind = REC_F32, .doc = "First coordinate."},
    {.name = "y", .kind = REC_F32, .doc = "Second coordinate."},
};
static const rec_field vec3_rows[] = {
    {.name = "x", .kind = REC_F32, .doc = "First coordinate."},
    {.name = "y", .kind = REC_F32, .doc = "Second coordinate."},
    {.name = "z", .kind = REC_F32, .doc = "Third coordinate."},
};
static const rec_field quat_rows[] = {
    {.name = "x", .kind = REC_F32, .doc = "First imaginary part."},
    {.name = "y", .kind = REC_F32, .doc = "Second imaginary part."},
    {.name = "z", .kind = REC_F32, .doc = "Third imaginary part."},
    {.name = "w", .kind = REC_F32, .doc = "Real part.", .init = 1},
};
static const rec_field quat_wxyz_rows[] = {
    {.name = "w", .kind = REC_F32, .doc = "Real part.", .init = 1},
    {.name = "x", .kind = REC_F32, .doc = "First imaginary part."},
    {.name = "y", .kind = REC_F32, .doc = "Second imaginary part."},
    {.name = "z", .kind = REC_F32, .doc = "Third imaginary part."},
};
/* clang-format on */

const rec_type rec_vec2 = {
    .name = "vec2", .doc = "Two numbers.", .flags = REC_VECTOR, REC_ROWS(vec2_rows)};
const rec_type rec_vec3 = {
    .name = "vec3", .doc = "Three numbers.", .flags = REC_VECTOR, REC_ROWS(vec3_rows)};
const rec_type rec_quat = {
    .name = "quat", .doc = "A rotation.", .flags = REC_VECTOR, REC_ROWS(quat_rows)};
const rec_type rec_quat_wxyz = {.name = "quat_wxyz",
                                .doc = "A rotation, stored with its real part first.",
                                .flags = REC_VECTOR,
                                REC_ROWS(quat_wxyz_rows)};
