/* Small records that blocks are made of. */
#include "nif/nif.h"

/* clang-format off */
static const rec_field mat33_rows[] = {
    {.name = "row0_x", .kind = REC_F32, .init = 1, .doc = "First row."},
    {.name = "row0_y", .kind = REC_F32, .doc = "First row."},
    {.name = "row0_z", .kind = REC_F32, .doc = "First row."},
    {.name = "row1_x", .kind = REC_F32, .doc = "Second row."},
    {.name = "row1_y", .kind = REC_F32, .init = 1, .doc = "Second row."},
    {.name = "row1_z", .kind = REC_F32, .doc = "Second row."},
    {.name = "row2_x", .kind = REC_F32, .doc = "Third row."},
    {.name = "row2_y", .kind = REC_F32, .doc = "Third row."},
    {.name = "row2_z", .kind = REC_F32, .init = 1, .doc = "Third row."},
};
const rec_type nif_mat33 = {
    .name = "mat33", .flags = REC_VECTOR, REC_ROWS(mat33_rows),
    .doc = "A rotation in three rows: p' = M p, with p as a column."};

static const rec_field hvec3_rows[] = {
    {.name = "x", .kind = REC_F16, .doc = "First."},
    {.name = "y", .kind = REC_F16, .doc = "Second."},
    {.name = "z", .kind = REC_F16, .doc = "Third."},
};
const rec_type nif_hvec3 = {.name = "hvec3", .doc = "Three half floats.", .flags = REC_VECTOR,
                            REC_ROWS(hvec3_rows)};

static const rec_field tri_rows[] = {
    {.name = "a", .kind = REC_U16, .doc = "First corner: a vertex, from 0."},
    {.name = "b", .kind = REC_U16, .doc = "Second corner."},
    {.name = "c", .kind = REC_U16, .doc = "Third corner; counter-clockwise from outside."},
};
const rec_type nif_tri = {.name = "tri", .doc = "A triangle.", .flags = REC_VECTOR,
                          REC_ROWS(tri_rows)};

#define RGB                                                                                        \
    {.name = "r", .kind = REC_F32, .init = 1, .doc = "Red, 0 to 1; more glows."},                  \
    {.name = "g", .kind = REC_F32, .init = 1, .doc = "Green."},                                    \
    {.name = "b", .kind = REC_F32, .init = 1, .doc = "Blue."}
static const rec_field col3_rows[] = {RGB};
static const rec_field col4_rows[] = {
    RGB, {.name = "a", .kind = REC_F32, .init = 1, .doc = "Alpha: 0 clear, 1 opaque."}};
const rec_type nif_col3 = {.name = "col3", .doc = "A colour.", .flags = REC_VECTOR,
                           REC_ROWS(col3_rows)};
const rec_type nif_col4 = {.name = "col4", .doc = "A colour with alpha.", .flags = REC_VECTOR,
                           REC_ROWS(col4_rows)};

static const rec_field bound_rows[] = {
    {.name = "center", .kind = REC_RECORD, .type = &rec_vec3, .doc = "Of the sphere."},
    {.name = "radius", .kind = REC_F32, .doc = "Of the sphere."},
};
const rec_type nif_bound = {.name = "bound", .doc = "A bounding sphere.", REC_ROWS(bound_rows)};

static const rec_field xform_rows[] = {
    {.name = "rotation", .kind = REC_RECORD, .type = &nif_mat33, .doc = "Comes first here."},
    {.name = "translation", .kind = REC_RECORD, .type = &rec_vec3, .doc = "Behind rotation and scale."},
    {.name = "scale", .kind = REC_F32, .init = 1, .doc = "The same in all directions."},
};
const rec_type nif_xform = {.name = "xform", .doc = "A transform: p' = rotation (scale p) + translation.",
                            REC_ROWS(xform_rows)};
/* clang-format on */
