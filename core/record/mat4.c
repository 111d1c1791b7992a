/* Rows of the type mat4, a stored 4x4 matrix in column-major order: its translation, rotation and scale. */
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

/* Stores the upper three rows of the axes; the fourth row does not affect rotation and scale. */
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

typedef struct parts { /* components of a matrix */
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

lathe_result rec_mat4_load_rotation(const rec_at *at, double *lanes, lathe_error *err)
{
    parts p = {.q = quat_identity()};
    lathe_result r = take_apart(at, &p, err);
    const double q[] = {p.q.x, p.q.y, p.q.z, p.q.w};
    memcpy(lanes, q, sizeof q);
    return r;
}

lathe_result rec_mat4_store_rotation(const rec_at *at, const double *lanes, lathe_error *err)
{
    parts p;
    lathe_result r = take_apart(at, &p, err);
    p.q = quat_normalize((quat){lanes[0], lanes[1], lanes[2], lanes[3]});
    return r == LATHE_OK ? put_together(at, &p, err) : r;
}

lathe_result rec_mat4_load_scale(const rec_at *at, double *lanes, lathe_error *err)
{
    parts p = {.s = {1, 1, 1}};
    lathe_result r = take_apart(at, &p, err);
    const double s[] = {p.s.x, p.s.y, p.s.z};
    memcpy(lanes, s, sizeof s);
    return r;
}

lathe_result rec_mat4_store_scale(const rec_at *at, const double *lanes, lathe_error *err)
{
    parts p;
    lathe_result r = take_apart(at, &p, err);
    p.s = (vec3){lanes[0], lanes[1], lanes[2]};
    return r == LATHE_OK ? put_together(at, &p, err) : r;
}
