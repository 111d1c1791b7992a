/* Transforms relative to other transforms. */
#include "base/vec.h"
#include "model/motion.h"

static vec3 lanes3(const float *p)
{
    return (vec3){(double)p[0], (double)p[1], (double)p[2]};
}

static quat lanes4(const float *p)
{
    return (quat){(double)p[0], (double)p[1], (double)p[2], (double)p[3]};
}

static void put(float *out, vec3 t, quat q, vec3 s)
{
    const double numbers[MODEL_POSE] = {t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z};
    for (unsigned i = 0; i < MODEL_POSE; i++)
        out[i] = (float)numbers[i];
}

static vec3 each(vec3 a, vec3 b)
{
    return (vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

/* The inverse of a scale; zeros are replaced so that they have no effect. */
static vec3 each_inverse(vec3 a)
{
    return (vec3){a.x != 0 ? 1 / a.x : 1, a.y != 0 ? 1 / a.y : 1, a.z != 0 ? 1 / a.z : 1};
}

void model_pose_below(const float above[MODEL_POSE], const float pose[MODEL_POSE],
                      float out[MODEL_POSE])
{
    quat back = quat_conjugate(quat_normalize(lanes4(above + 3)));
    vec3 smaller = each_inverse(lanes3(above + 7));
    vec3 t = quat_rotate(back, vec3_sub(lanes3(pose), lanes3(above)));
    put(out, each(t, smaller), quat_mul(back, lanes4(pose + 3)), each(lanes3(pose + 7), smaller));
}

void model_pose_above(const float above[MODEL_POSE], const float pose[MODEL_POSE],
                      float out[MODEL_POSE])
{
    quat q = quat_normalize(lanes4(above + 3));
    vec3 larger = lanes3(above + 7);
    vec3 t = vec3_add(lanes3(above), quat_rotate(q, each(lanes3(pose), larger)));
    put(out, t, quat_mul(q, lanes4(pose + 3)), each(lanes3(pose + 7), larger));
}
