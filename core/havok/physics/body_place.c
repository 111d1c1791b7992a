/* Where a body is. Its motion says its centre of mass and principal axes in the same space, so they go along:
 * formats/fo4-collision.md#2.4. */
#include "havok/physics/bodies.h"

#include "base/vec.h"

#include <float.h>
#include <math.h>

static lathe_result get_lanes(const rec_at *at, const char *row, uint32_t n, double *lanes,
                              lathe_error *err)
{
    hk_body_of body;
    lathe_result r = hk_body_at(at, &body, err);
    return r == LATHE_OK ? hk_get_lanes(&body.cinfo, row, n, lanes, err) : r;
}

/* Numbers that a float can hold. */
static lathe_result check(const rec_at *at, const double *lanes, uint32_t n, lathe_error *err)
{
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(lanes[i]) <= FLT_MAX))
            return rec_fail(at, i, at->off, err, LATHE_ERR_RANGE, "a finite number expected");
    return LATHE_OK;
}

lathe_result hk_body_load_position(const rec_at *at, double *lanes, lathe_error *err)
{
    return get_lanes(at, "position", 3, lanes, err);
}

lathe_result hk_body_store_position(const rec_at *at, const double *lanes, lathe_error *err)
{
    hk_body_of body;
    rec_at motion;
    double was[3], center[3];
    lathe_result r = check(at, lanes, 3, err);
    if (r == LATHE_OK)
        r = hk_body_at(at, &body, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(&body.cinfo, "position", 3, was, err);
    if (r == LATHE_OK)
        r = hk_set_lanes(&body.cinfo, "position", 3, lanes, err);
    if (r != LATHE_OK || !hk_body_side_of(&body, HK_SIDE_MOTION, &motion))
        return r;
    r = hk_get_lanes(&motion, "center_of_mass_world", 3, center, err);
    for (int i = 0; i < 3; i++)
        center[i] += lanes[i] - was[i];
    return r == LATHE_OK ? hk_set_lanes(&motion, "center_of_mass_world", 3, center, err) : r;
}

lathe_result hk_body_load_orientation(const rec_at *at, double *lanes, lathe_error *err)
{
    return get_lanes(at, "orientation", 4, lanes, err);
}

static quat quat_of(const double *q)
{
    return quat_normalize((quat){q[0], q[1], q[2], q[3]});
}

/* Of a motion, about the body's position. */
static lathe_result turn(const hk_body_of *body, const rec_at *motion, quat by, lathe_error *err)
{
    double p[3] = {0}, c[3] = {0}, axes[4] = {0};
    lathe_result r = hk_get_lanes(&body->cinfo, "position", 3, p, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(motion, "center_of_mass_world", 3, c, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(motion, "orientation", 4, axes, err);
    if (r != LATHE_OK)
        return r;
    vec3 center = quat_rotate(by, (vec3){c[0] - p[0], c[1] - p[1], c[2] - p[2]});
    quat turned = quat_normalize(quat_mul(by, quat_of(axes)));
    const double to[] = {p[0] + center.x, p[1] + center.y, p[2] + center.z};
    const double q[] = {turned.x, turned.y, turned.z, turned.w};
    r = hk_set_lanes(motion, "center_of_mass_world", 3, to, err);
    return r == LATHE_OK ? hk_set_lanes(motion, "orientation", 4, q, err) : r;
}

lathe_result hk_body_store_orientation(const rec_at *at, const double *lanes, lathe_error *err)
{
    hk_body_of body;
    rec_at motion;
    double was[4];
    lathe_result r = check(at, lanes, 4, err);
    if (r == LATHE_OK)
        r = hk_body_at(at, &body, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(&body.cinfo, "orientation", 4, was, err);
    if (r != LATHE_OK)
        return r;
    quat to = quat_of(lanes);
    const double unit[] = {to.x, to.y, to.z, to.w};
    r = hk_set_lanes(&body.cinfo, "orientation", 4, unit, err);
    if (r != LATHE_OK || !hk_body_side_of(&body, HK_SIDE_MOTION, &motion))
        return r;
    return turn(&body, &motion, quat_mul(to, quat_conjugate(quat_of(was))), err);
}
