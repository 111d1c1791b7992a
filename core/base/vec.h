/* Vectors, quaternions and matrices of doubles: files store f32, but sums should not lose precision. Quaternions are
 * x, y, z, w whatever the order in a file. Matrices are column-major, for column vectors: m[column][row]; the
 * translation is m[3]. */
#ifndef LATHE_BASE_VEC_H
#define LATHE_BASE_VEC_H

#include <stdbool.h>

typedef struct vec3 {
    double x, y, z;
} vec3;
typedef struct quat {
    double x, y, z, w;
} quat;
typedef struct mat4 {
    double m[4][4];
} mat4;

vec3 vec3_add(vec3 a, vec3 b);
vec3 vec3_sub(vec3 a, vec3 b);
vec3 vec3_scale(vec3 a, double k);
double vec3_dot(vec3 a, vec3 b);
vec3 vec3_cross(vec3 a, vec3 b);
double vec3_length(vec3 a);
vec3 vec3_normalize(vec3 a); /* a zero vector stays zero */

quat quat_identity(void);
quat quat_mul(quat a, quat b); /* applies b first, then a */
quat quat_conjugate(quat q);
quat quat_normalize(quat q); /* a zero quaternion becomes the identity */
vec3 quat_rotate(quat q, vec3 v);
quat quat_from_mat4(const mat4 *m); /* the rotation; columns need not have unit length */

mat4 mat4_identity(void);
mat4 mat4_mul(const mat4 *a, const mat4 *b); /* applies b first, then a */
mat4 mat4_compose(vec3 t, quat q, vec3 s);
void mat4_decompose(const mat4 *m, vec3 *t, quat *q, vec3 *s); /* if m mirrors, s.x is negative */
/* false: singular, and *out is unchanged */
bool mat4_invert(const mat4 *m, mat4 *out);
vec3 mat4_point(const mat4 *m, vec3 p);
vec3 mat4_direction(const mat4 *m, vec3 d);

#endif
