/* Convex shapes of Fallout 4: hulls, spheres, capsules. Reference: formats/fo4-collision.md#3.2.
 *
 * Vertices come in fours: the last one is repeated, with its w, until they do. So do planes, with anything.
 * Spheres are four times their centre, capsules the box around their axis. */
#include "havok/physics/convex.h"

#include "havok/physics/types.h"

enum { TAG = 0x3F000000 };

/* 0x3F000000 and the vertex's number. */
static int64_t tag_of(const rec_at *at)
{
    return TAG | (int64_t)(at->index & UINT16_MAX);
}

static int64_t one(const rec_at *at)
{
    (void)at;
    return 1;
}

/* clang-format off */
#define LANE(letter, what) {.name = letter, .kind = REC_F32, .unit = "m", .power = 1, .doc = what " coordinate."}

static const rec_field vertex_rows[] = {
    LANE("x", "First"), LANE("y", "Second"), LANE("z", "Third"),
    {.name = "w", .kind = REC_U32, .init = TAG, .init_fn = tag_of,
     .doc = "0x3F000000 and the vertex's number, from 0; of a copy that fills up four, that of the last vertex."},
};
const rec_type hknp_convex_vertex = {.name = "hknpConvexVertex", .doc = "A corner of a hull.",
                                     .flags = REC_VECTOR, REC_ROWS(vertex_rows)};

#define NORMAL(letter, what) {.name = letter, .kind = REC_F32, .flags = REC_ANYTHING, .doc = what}

static const rec_field plane_rows[] = {
    NORMAL("x", "Of the normal, which points outwards."), NORMAL("y", "Of the normal."), NORMAL("z", "Of the normal."),
    {.name = "w", .kind = REC_F32, .flags = REC_ANYTHING, .unit = "m", .power = 1,
     .doc = "How far the origin is in front of it: normal * point + w = 0."},
};
const rec_type hknp_convex_plane = {.name = "hknpConvexPlane", .doc = "The plane of a face.",
                                    .flags = REC_VECTOR, REC_ROWS(plane_rows)};

static const rec_field face_rows[] = {
    {.name = "first_index", .original = "firstIndex", .kind = REC_U16, .doc = "Its first element of indices, from 0."},
    {.name = "num_indices", .original = "numIndices", .kind = REC_U8, .doc = "How many vertices it has."},
    {.name = "min_half_angle", .original = "minHalfAngle", .kind = REC_U8,
     .doc = "Half of the least angle to a neighbour, 0 to 255."},
};
const rec_type hknp_convex_face = {.name = "hknpConvexPolytopeShapeFace", .doc = "A face of a hull.",
                                   REC_ROWS(face_rows)};

#define VERTICES(what)                                                                             \
    HK_SHAPE, {.name = "vertices", .kind = REC_RECORD, .type = &hknp_convex_vertex, HK_REL_ARRAY,  \
               .flags = REC_DERIVED, .align = 16, .unit = "m", .doc = what}
#define FACES                                                                                      \
    {.name = "planes", .kind = REC_RECORD, .type = &hknp_convex_plane, HK_REL_ARRAY, .flags = REC_DERIVED, .align = 16, \
     .doc = "Of each face its plane; filled up to a multiple of four with anything."},            \
    {.name = "faces", .kind = REC_RECORD, .type = &hknp_convex_face, HK_REL_ARRAY, .doc = "Which vertices each face has."}, \
    {.name = "indices", .kind = REC_U8, HK_REL_ARRAY,                                              \
     .doc = "The faces' vertices, from 0: counter-clockwise as seen from outside."}

static const rec_field polytope_rows[] = {
    VERTICES("The corners; filled up to a multiple of four with the last one."), FACES,
};
const rec_type hknp_convex_polytope_shape = {.name = "hknpConvexPolytopeShape", .doc = "A convex hull.",
                                             .flags = REC_ALIGNED, REC_ROWS(polytope_rows)};

static const rec_field sphere_rows[] = {
    VERTICES("Its centre, four times. convex_radius is its radius."),
};
const rec_type hknp_sphere_shape = {.name = "hknpSphereShape", .doc = "A sphere.", .flags = REC_ALIGNED, REC_ROWS(sphere_rows)};

#define END(letter, what)                                                                          \
    {.name = letter, .kind = REC_RECORD, .type = &hknp_capsule_end, .align = 16, .unit = "m", .doc = what}

static const rec_field end_rows[] = {
    LANE("x", "First"), LANE("y", "Second"), LANE("z", "Third"), {.name = "w", .kind = REC_F32, .init_fn = one, .doc = "1."},
};
static const rec_type hknp_capsule_end = {.name = "hknpCapsuleEnd", .doc = "An end of a capsule's axis.",
                                          .flags = REC_VECTOR, REC_ROWS(end_rows)};

static const rec_field capsule_rows[] = {
    VERTICES("The box around its axis. convex_radius is its radius."), FACES,
    END("a", "Where its axis begins."), END("b", "Where its axis ends."),
};
const rec_type hknp_capsule_shape = {.name = "hknpCapsuleShape", .doc = "A cylinder with round ends.",
                                     .flags = REC_ALIGNED, REC_ROWS(capsule_rows)};
/* clang-format on */
