#include "base/vec.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

vec3 vec3_scale(vec3 a, double k)
{
    return (vec3){a.x * k, a.y * k, a.z * k};
}

double vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double vec3_length(vec3 a)
{
    return sqrt(vec3_dot(a, a));
}

vec3 vec3_normalize(vec3 a)
{
    double length = vec3_length(a);
    if (length == 0)
        return a;
    return (vec3){a.x / length, a.y / length, a.z / length};
}

quat quat_identity(void)
{
    return (quat){0, 0, 0, 1};
}

quat quat_mul(quat a, quat b)
{
    return (quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

quat quat_conjugate(quat q)
{
    return (quat){-q.x, -q.y, -q.z, q.w};
}

quat quat_normalize(quat q)
{
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (length == 0)
        return quat_identity();
    return (quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* Uses q as it is, like mat4_compose. It has unit length within the precision of its file. */
vec3 quat_rotate(quat q, vec3 v)
{
    vec3 axis = {q.x, q.y, q.z};
    vec3 t = vec3_scale(vec3_cross(axis, v), 2);
    return vec3_add(vec3_add(v, vec3_scale(t, q.w)), vec3_cross(axis, t));
}

static vec3 column(const mat4 *m, size_t c)
{
    return (vec3){m->m[c][0], m->m[c][1], m->m[c][2]};
}

/* A unit vector perpendicular to a unit vector. */
static vec3 perpendicular(vec3 a)
{
    vec3 other = fabs(a.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    return vec3_normalize(vec3_cross(a, other));
}

/* Completes axes of zero length from the others, so that a bone with a scale of 0 in one axis still has a rotation. */
static void complete(vec3 axis[3], const double length[3])
{
    for (size_t i = 0; i < 3; i++) {
        size_t j = (i + 1) % 3, k = (i + 2) % 3;
        if (length[i] != 0 || length[j] == 0)
            continue;
        if (length[k] == 0)
            axis[k] = perpendicular(axis[j]);
        axis[i] = vec3_normalize(vec3_cross(axis[j], axis[k]));
        return;
    }
}

static quat quat_from_axes(vec3 x, vec3 y, vec3 z)
{
    /* Finds the largest of the four components first, and computes the others from it: dividing by a small one would
     * lose precision. */
    double trace = x.x + y.y + z.z;
    quat q;
    if (trace > 0) {
        q = (quat){y.z - z.y, z.x - x.z, x.y - y.x, trace + 1};
    } else if (x.x >= y.y && x.x >= z.z) {
        q = (quat){1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    } else if (y.y >= z.z) {
        q = (quat){x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
    } else {
        q = (quat){z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x};
    }
    return quat_normalize(q);
}

static quat rotation_and_scale(const mat4 *m, vec3 *scale)
{
    vec3 axis[3];
    double length[3];
    for (size_t i = 0; i < 3; i++) {
        axis[i] = column(m, i);
        length[i] = vec3_length(axis[i]);
        axis[i] = vec3_normalize(axis[i]);
    }
    *scale = (vec3){length[0], length[1], length[2]};
    if (length[0] == 0 && length[1] == 0 && length[2] == 0)
        return quat_identity();
    if (length[0] == 0 || length[1] == 0 || length[2] == 0) {
        complete(axis, length);
    } else if (vec3_dot(vec3_cross(axis[0], axis[1]), axis[2]) < 0) {
        /* a mirror is no rotation: it becomes a negative scale along x */
        axis[0] = vec3_scale(axis[0], -1);
        scale->x = -scale->x;
    }
    return quat_from_axes(axis[0], axis[1], axis[2]);
}

quat quat_from_mat4(const mat4 *m)
{
    vec3 scale;
    return rotation_and_scale(m, &scale);
}

mat4 mat4_identity(void)
{
    return (mat4){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

mat4 mat4_mul(const mat4 *a, const mat4 *b)
{
    mat4 out;
    for (size_t c = 0; c < 4; c++) {
        for (size_t r = 0; r < 4; r++) {
            double sum = 0;
            for (size_t k = 0; k < 4; k++)
                sum += a->m[k][r] * b->m[c][k];
            out.m[c][r] = sum;
        }
    }
    return out;
}

mat4 mat4_compose(vec3 t, quat q, vec3 s)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat4){{
        {(1 - 2 * (yy + zz)) * s.x, 2 * (xy + wz) * s.x, 2 * (xz - wy) * s.x, 0},
        {2 * (xy - wz) * s.y, (1 - 2 * (xx + zz)) * s.y, 2 * (yz + wx) * s.y, 0},
        {2 * (xz + wy) * s.z, 2 * (yz - wx) * s.z, (1 - 2 * (xx + yy)) * s.z, 0},
        {t.x, t.y, t.z, 1},
    }};
}

void mat4_decompose(const mat4 *m, vec3 *t, quat *q, vec3 *s)
{
    *t = column(m, 3);
    *q = rotation_and_scale(m, s);
}

/* Gauss-Jordan elimination of column i in all other rows. */
static void eliminate(double rows[4][8], size_t i)
{
    double pivot = rows[i][i];
    for (size_t k = 0; k < 8; k++)
        rows[i][k] /= pivot;
    for (size_t r = 0; r < 4; r++) {
        double share = rows[r][i];
        if (r == i || share == 0)
            continue;
        for (size_t k = 0; k < 8; k++)
            rows[r][k] -= share * rows[i][k];
    }
}

bool mat4_invert(const mat4 *m, mat4 *out)
{
    double rows[4][8] = {{0}};
    for (size_t r = 0; r < 4; r++) {
        for (size_t c = 0; c < 4; c++)
            rows[r][c] = m->m[c][r];
        rows[r][4 + r] = 1;
    }
    for (size_t i = 0; i < 4; i++) {
        size_t best = i;
        double size = 0;
        for (size_t r = 0; r < 4; r++)
            size = fmax(size, fabs(m->m[i][r]));
        for (size_t r = i + 1; r < 4; r++)
            if (fabs(rows[r][i]) > fabs(rows[best][i]))
                best = r;
        /* Relative to the column's size: small scales such as 1e-6 are accepted, but not rounding errors of two
         * parallel columns. NaN and infinity fail, too. */
        if (!(fabs(rows[best][i]) > size * 1e-14))
            return false;
        for (size_t k = 0; k < 8; k++) {
            double t = rows[i][k];
            rows[i][k] = rows[best][k];
            rows[best][k] = t;
        }
        eliminate(rows, i);
    }
    for (size_t i = 0; i < 16; i++)
        /* isfinite causes warnings on some systems */
        if (!(fabs(rows[i / 4][4 + i % 4]) <= DBL_MAX))
            return false;
    for (size_t i = 0; i < 16; i++)
        out->m[i % 4][i / 4] = rows[i / 4][4 + i % 4];
    return true;
}

vec3 mat4_point(const mat4 *m, vec3 p)
{
    return vec3_add(mat4_direction(m, p), column(m, 3));
}

vec3 mat4_direction(const mat4 *m, vec3 d)
{
    return vec3_add(vec3_add(vec3_scale(column(m, 0), d.x), vec3_scale(column(m, 1), d.y)),
                    vec3_scale(column(m, 2), d.z));
}
