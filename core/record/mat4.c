/* A stored 4x4 matrix, column after column, and what it means: translation, rotation, scale. */
#include "base/vec.h"
#include "record/types.h"

#include <float.h>
#include <math.h>

enum { NUMBERS = 16, BYTES = NUMBERS * 4 };

static lathe_result load_matrix(const rec_at *at, mat4 *m, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    bool big = at->doc->containers[at->layout->container].big;
    if (p->size < BYTES || at->off > p->size - BYTES)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_BOUNDS, "no room for a matrix");
    for (int i = 0; i < NUMBERS; i++)
        m->m[i / 4][i % 4] = bytes_f32_widen(bytes_ld32(p->data + at->off + 4 * i, big));
    return LATHE_OK;
}

/* Only the upper three rows of the three axes: the rest says nothing of rotation and scale. */
static lathe_result store_axes(const rec_at *at, const mat4 *m, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    bool big = at->doc->containers[at->layout->container].big;
    uint8_t bytes[BYTES];
    memcpy(bytes, p->data + at->off, BYTES);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) {
            double wide = m->m[c][r], stored = bytes_f32_widen(bytes_f32_narrow(wide));
            if (fabs(stored) > DBL_MAX && !(fabs(wide) > DBL_MAX))
                return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_RANGE,
                                "%.9g does not fit into f32", wide);
            bytes_st32(bytes + 4 * (4 * c + r), bytes_f32_narrow(wide), big);
        }
    return rec_splice(at->doc, at->part, at->off, BYTES, bytes, BYTES, err);
}

typedef struct parts { /* what a matrix is made of */
    vec3 t, s;
    quat q;
} parts;

static lathe_result take_apart(const rec_at *at, parts *out, lathe_error *err)
{
    mat4 m;
    lathe_result r = load_matrix(at, &m, err);
    if (r == LATHE_OK)
        mat4_decompose(&m, &out->t, &out->q, &out->s);
    return r;
}

static lathe_result put_together(const rec_at *at, const parts *in, lathe_error *err)
{
    mat4 m = mat4_compose(in->t, in->q, in->s);
    return store_axes(at, &m, err);
}

static lathe_result load_rotation(const rec_at *at, double *lanes, lathe_error *err)
{
    parts p = {.q = quat_identity()};
    lathe_result r = take_apart(at, &p, err);
    const double q[] = {p.q.x, p.q.y, p.q.z, p.q.w};
    memcpy(lanes, q, sizeof q);
    return r;
}

static lathe_result store_rotation(const rec_at *at, const double *lanes, lathe_error *err)
{
    parts p;
    lathe_result r = take_apart(at, &p, err);
    p.q = quat_normalize((quat){lanes[0], lanes[1], lanes[2], lanes[3]});
    return r == LATHE_OK ? put_together(at, &p, err) : r;
}

static lathe_result load_scale(const rec_at *at, double *lanes, lathe_error *err)
{
    parts p = {.s = {1, 1, 1}};
    lathe_result r = take_apart(at, &p, err);
    const double s[] = {p.s.x, p.s.y, p.s.z};
    memcpy(lanes, s, sizeof s);
    return r;
}

static lathe_result store_scale(const rec_at *at, const double *lanes, lathe_error *err)
{
    parts p;
    lathe_result r = take_apart(at, &p, err);
    p.s = (vec3){lanes[0], lanes[1], lanes[2]};
    return r == LATHE_OK ? put_together(at, &p, err) : r;
}

/* clang-format off */
static const rec_field vec4_rows[] = {
    {.name = "x", .kind = REC_F32, .doc = "First coordinate."},
    {.name = "y", .kind = REC_F32, .doc = "Second coordinate."},
    {.name = "z", .kind = REC_F32, .doc = "Third coordinate."},
    {.name = "w", .kind = REC_F32, .doc = "Fourth coordinate."},
};
const rec_type rec_vec4 = {
    .name = "vec4", .doc = "Four numbers.", .flags = REC_VECTOR, REC_ROWS(vec4_rows)};

static const rec_field rotation_rows[] = {
    {.name = "x", .shown = REC_NUMBER, .doc = "First imaginary part."},
    {.name = "y", .shown = REC_NUMBER, .doc = "Second imaginary part."},
    {.name = "z", .shown = REC_NUMBER, .doc = "Third imaginary part."},
    {.name = "w", .shown = REC_NUMBER, .doc = "Real part."},
};
static const rec_type rotation = {
    .name = "mat4_rotation", .doc = "The rotation in a matrix, as a unit quaternion.",
    .flags = REC_VECTOR, REC_ROWS(rotation_rows), .load = load_rotation, .store = store_rotation};

static const rec_field scale_rows[] = {
    {.name = "x", .shown = REC_NUMBER, .doc = "Length of the first column."},
    {.name = "y", .shown = REC_NUMBER, .doc = "Length of the second column."},
    {.name = "z", .shown = REC_NUMBER, .doc = "Length of the third column."},
};
static const rec_type scale = {
    .name = "mat4_scale", .doc = "The scale in a matrix; mirrored: x is negative.",
    .flags = REC_VECTOR, REC_ROWS(scale_rows), .load = load_scale, .store = store_scale};

#define COLUMN(n, x, y, z, w)                                                                      \
    {.name = "col" #n "_x", .kind = REC_F32, .init = x, .doc = "Column " #n ", row 0."},           \
    {.name = "col" #n "_y", .kind = REC_F32, .init = y, .doc = "Column " #n ", row 1."},           \
    {.name = "col" #n "_z", .kind = REC_F32, .init = z, .doc = "Column " #n ", row 2."},           \
    {.name = "col" #n "_w", .kind = REC_F32, .init = w, .doc = "Column " #n ", row 3."}

static const rec_field mat4_rows[] = {
    COLUMN(0, 1, 0, 0, 0), COLUMN(1, 0, 1, 0, 0), COLUMN(2, 0, 0, 1, 0), COLUMN(3, 0, 0, 0, 1),
    {.name = "col0", .kind = REC_RECORD, .type = &rec_vec4, .flags = REC_OVERLAY, .off = 0,
     .doc = "First column: the first axis."},
    {.name = "col1", .kind = REC_RECORD, .type = &rec_vec4, .flags = REC_OVERLAY, .off = 16,
     .doc = "Second column: the second axis."},
    {.name = "col2", .kind = REC_RECORD, .type = &rec_vec4, .flags = REC_OVERLAY, .off = 32,
     .doc = "Third column: the third axis."},
    {.name = "col3", .kind = REC_RECORD, .type = &rec_vec4, .flags = REC_OVERLAY, .off = 48,
     .doc = "Fourth column: the translation."},
    {.name = "translation", .kind = REC_RECORD, .type = &rec_vec3, .flags = REC_OVERLAY, .off = 48,
     .doc = "Where the origin goes."},
    {.name = "rotation", .kind = REC_RECORD, .type = &rotation, .flags = REC_OVERLAY,
     .doc = "As a quaternion; setting it keeps translation and scale."},
    {.name = "scale", .kind = REC_RECORD, .type = &scale, .flags = REC_OVERLAY,
     .doc = "Lengths of the axes; setting them keeps translation and rotation."},
};
/* clang-format on */

const rec_type rec_mat4 = {.name = "mat4",
                           .doc = "A 4x4 matrix, column after column, for column vectors.",
                           .flags = REC_VECTOR,
                           REC_ROWS(mat4_rows)};
