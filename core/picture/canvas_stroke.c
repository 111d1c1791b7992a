/* Outlines of lines and discs. */
#include "picture/canvas_fill.h"

#include <math.h>

enum { TURN = 64 }; /* directions of the table */

/* Sines of a quarter turn. Constants, because sin() differs between C libraries. */
static const double sines[TURN / 4 + 1] = {
    0,
    0.098017140329560604,
    0.19509032201612825,
    0.29028467725446233,
    0.38268343236508978,
    0.47139673682599764,
    0.55557023301960218,
    0.63439328416364549,
    0.70710678118654746,
    0.77301045336273699,
    0.83146961230254524,
    0.88192126434835494,
    0.92387953251128674,
    0.95694033573220894,
    0.98078528040323043,
    0.99518472667219682,
    1,
};

static double sine(unsigned i)
{
    unsigned in = i % (TURN / 4);
    switch (i / (TURN / 4) % 4) {
    case 0: return sines[in];
    case 1: return sines[TURN / 4 - in];
    case 2: return -sines[in];
    default: return -sines[TURN / 4 - in];
    }
}

void stroke_polygon(fill_shape *shape, const double *xy, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
        fill_add(shape, a[0], a[1], b[0], b[1]);
    }
}

void stroke_disc(fill_shape *shape, double x, double y, double radius)
{
    unsigned corners = radius < 1 ? 8 : radius < 4 ? 16 : radius < 24 ? 32 : 64;
    double xy[2 * TURN];
    for (unsigned i = 0; i < corners; i++) {
        unsigned at = i * (TURN / corners);
        xy[2 * i] = x + radius * sine(at + TURN / 4);
        xy[2 * i + 1] = y + radius * sine(at);
    }
    stroke_polygon(shape, xy, corners);
}

/* Cuts a segment to [low, high] along one axis. False: nothing is left. */
static bool cut(double a[2], double b[2], unsigned axis, double low, double high)
{
    unsigned other = 1 - axis;
    for (unsigned side = 0; side < 2; side++) {
        double bound = side ? high : low;
        bool a_out = side ? a[axis] > bound : a[axis] < bound;
        bool b_out = side ? b[axis] > bound : b[axis] < bound;
        if (a_out && b_out)
            return false;
        if (!a_out && !b_out)
            continue;
        double share = (bound - a[axis]) / (b[axis] - a[axis]);
        double *out = a_out ? a : b;
        out[other] = a[other] + (b[other] - a[other]) * share;
        out[axis] = bound;
    }
    return true;
}

/* One segment without its ends. Cut at a distance from the picture, at which the ends are not seen. */
static void segment(fill_shape *shape, const double *from, const double *to, double half)
{
    double a[2] = {from[0], from[1]}, b[2] = {to[0], to[1]}, margin = half + 8;
    if (!cut(a, b, 0, -margin, shape->width + margin) ||
        !cut(a, b, 1, -margin, shape->height + margin))
        return;
    double dx = b[0] - a[0], dy = b[1] - a[1], length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return;
    double nx = -dy / length * half, ny = dx / length * half;
    const double xy[8] = {a[0] - nx, a[1] - ny, b[0] - nx, b[1] - ny,
                          b[0] + nx, b[1] + ny, a[0] + nx, a[1] + ny};
    stroke_polygon(shape, xy, 4);
}

/* Whether the gap between the outer corners of two segments at b can be seen. */
static bool turns(const double *a, const double *b, const double *c, double half)
{
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
    double dot = ux * vx + uy * vy, cross = ux * vy - uy * vx;
    return !(dot > 0 && (cross < 0 ? -cross : cross) * half < dot / 32);
}

static bool finite2(const double *p)
{
    return isfinite(p[0]) && isfinite(p[1]);
}

void stroke_line(fill_shape *shape, const double *xy, size_t n, double width)
{
    const double near = 1.0 / 16; /* points that are nearer than this are one */
    const double half = width / 2;
    const double *before = NULL, *last = NULL;
    for (size_t i = 0; i < n; i++) {
        const double *p = xy + 2 * i;
        if (!finite2(p)) {
            if (last)
                stroke_disc(shape, last[0], last[1], half);
            before = last = NULL;
            continue;
        }
        if (last) {
            double dx = p[0] - last[0], dy = p[1] - last[1];
            bool end = i + 1 == n || !finite2(p + 2);
            if (dx < near && -dx < near && dy < near && -dy < near && !end)
                continue;
            if (!before || turns(before, last, p, half))
                stroke_disc(shape, last[0], last[1], half);
            segment(shape, last, p, half);
        }
        before = last;
        last = p;
    }
    if (last)
        stroke_disc(shape, last[0], last[1], half);
}
