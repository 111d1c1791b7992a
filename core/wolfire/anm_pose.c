/* Calculations with poses as in the game. Reference: formats/wolfire.md#2.4, 2.5 and 6. */
#include "wolfire/anm_pose.h"

#include <math.h>

/* Below this distance quaternions are interpolated linearly: the game's own limit. */
#define NEARLY_SAME 0.01

anm_pose anm_pose_of(const mat4 *m)
{
    anm_pose pose;
    mat4_decompose(m, &pose.t, &pose.q, &pose.s);
    return pose;
}

mat4 anm_pose_matrix(const anm_pose *pose, const mat4 *base)
{
    mat4 m = mat4_compose(pose->t, quat_normalize(pose->q), pose->s);
    for (int c = 0; c < 4; c++)
        m.m[c][3] = base->m[c][3];
    return m;
}

anm_pose anm_pose_relative(const anm_pose *parent, const anm_pose *pose)
{
    quat back = quat_conjugate(parent->q);
    return (anm_pose){quat_rotate(back, vec3_sub(pose->t, parent->t)), quat_mul(back, pose->q),
                      pose->s};
}

anm_pose anm_pose_absolute(const anm_pose *parent, const anm_pose *pose)
{
    return (anm_pose){vec3_add(parent->t, quat_rotate(parent->q, pose->t)),
                      quat_mul(parent->q, pose->q), pose->s};
}

void anm_weights(double p, double w[4])
{
    double p2 = p * p, p3 = p2 * p;
    w[0] = (-p3 + 2 * p2 - p) / 2;
    w[1] = (3 * p3 - 5 * p2 + 2) / 2;
    w[2] = (-3 * p3 + 4 * p2 + p) / 2;
    w[3] = (p3 - p2) / 2;
}

static vec3 mix_vec3(vec3 a, vec3 b, double f)
{
    return vec3_add(vec3_scale(a, 1 - f), vec3_scale(b, f));
}

static quat mix_quat(quat a, quat b, double f)
{
    double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    double ka = 1 - f, kb = f;
    double sign = dot < 0 ? -1 : 1;
    if (1 - dot * sign > NEARLY_SAME) {
        double angle = acos(dot * sign);
        ka = sin(ka * angle) / sin(angle);
        kb = sin(kb * angle) / sin(angle);
    }
    kb *= sign;
    return (quat){a.x * ka + b.x * kb, a.y * ka + b.y * kb, a.z * ka + b.z * kb,
                  a.w * ka + b.w * kb};
}

anm_pose anm_blend(const anm_pose pose[4], const double w[4])
{
    anm_pose out = pose[0];
    double total = w[0];
    for (int i = 1; i < 4; i++) {
        total += w[i];
        if (!(total > 0)) /* the game skips this step */
            continue;
        double f = w[i] / total;
        out = (anm_pose){mix_vec3(out.t, pose[i].t, f), mix_quat(out.q, pose[i].q, f),
                         mix_vec3(out.s, pose[i].s, f)};
    }
    return out;
}

vec3 anm_turn(vec3 v, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (vec3){c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

mat4 anm_turn_matrix(const mat4 *m, double angle)
{
    mat4 out = *m;
    for (int c = 0; c < 4; c++) {
        vec3 v = anm_turn((vec3){m->m[c][0], m->m[c][1], m->m[c][2]}, angle);
        out.m[c][0] = v.x;
        out.m[c][1] = v.y;
        out.m[c][2] = v.z;
    }
    return out;
}

double anm_negated(double v)
{
    return v == 0 ? v : -v;
}

mat4 anm_reflect(const mat4 *m)
{
    mat4 out = *m;
    for (int i = 1; i < 4; i++) { /* row 0 or column 0, but not both */
        out.m[i][0] = anm_negated(m->m[i][0]);
        out.m[0][i] = anm_negated(m->m[0][i]);
    }
    return out;
}
