#include "model/fit.h"

#include <math.h>

static vec3 point(fit_points p, size_t i)
{
    const float *v = p.xyz + 3 * i;
    return (vec3){(double)v[0], (double)v[1], (double)v[2]};
}

void fit_box(fit_points p, vec3 *low, vec3 *high)
{
    *low = *high = point(p, 0);
    for (size_t i = 1; i < p.count; i++) {
        vec3 v = point(p, i);
        *low = (vec3){fmin(low->x, v.x), fmin(low->y, v.y), fmin(low->z, v.z)};
        *high = (vec3){fmax(high->x, v.x), fmax(high->y, v.y), fmax(high->z, v.z)};
    }
}

/* ---- spheres ------------------------------------------------------------------------------------------------ */

static double farthest(fit_points p, vec3 from, vec3 *which)
{
    double most = 0;
    *which = point(p, 0);
    for (size_t i = 0; i < p.count; i++) {
        vec3 d = vec3_sub(point(p, i), from);
        double length = vec3_dot(d, d);
        if (length > most) {
            most = length;
            *which = point(p, i);
        }
    }
    return sqrt(most);
}

/* Starts at the middle of the box and moves towards the farthest point in decreasing steps: the core-set method of
 * Badoiu and Clarkson. */
void fit_sphere(fit_points p, vec3 *center, double *radius)
{
    enum { STEPS = 200 };
    vec3 low, high, far;
    fit_box(p, &low, &high);
    vec3 at = vec3_scale(vec3_add(low, high), 0.5);
    *center = at;
    *radius = farthest(p, at, &far);
    for (int i = 1; i <= STEPS; i++) {
        at = vec3_add(at, vec3_scale(vec3_sub(far, at), 1.0 / (i + 1)));
        double r = farthest(p, at, &far);
        if (r < *radius) {
            *center = at;
            *radius = r;
        }
    }
}

/* ---- capsules ----------------------------------------------------------------------------------------------- */

static double lane(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static int longest_side(vec3 size)
{
    int axis = size.y > size.x ? 1 : 0;
    return size.z > lane(size, axis) ? 2 : axis;
}

/* The squared distance of a point from the axis. */
static double off_axis(vec3 d, int axis)
{
    double t = lane(d, axis), square = vec3_dot(d, d) - t * t;
    return square > 0 ? square : 0;
}

void fit_capsule(fit_points p, vec3 *a, vec3 *b, double *radius)
{
    vec3 low, high;
    fit_box(p, &low, &high);
    vec3 center = vec3_scale(vec3_add(low, high), 0.5);
    int axis = longest_side(vec3_sub(high, low));
    double most = 0, from = INFINITY, to = -INFINITY;
    for (size_t i = 0; i < p.count; i++)
        most = fmax(most, off_axis(vec3_sub(point(p, i), center), axis));
    for (size_t i = 0; i < p.count; i++) {
        vec3 d = vec3_sub(point(p, i), center);
        double room = sqrt(most - off_axis(d, axis)), t = lane(d, axis);
        from = fmin(from, t + room);
        to = fmax(to, t - room);
    }
    if (from > to)
        from = to = (from + to) / 2;
    vec3 along = {axis == 0, axis == 1, axis == 2};
    *a = vec3_add(center, vec3_scale(along, from));
    *b = vec3_add(center, vec3_scale(along, to));
    *radius = sqrt(most);
}
