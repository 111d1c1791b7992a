#include "model/mass.h"

#include "base/error.h"
#include "model/mass_sums.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- simple solids --------------------------------------------------------------------------------- */

mass_props mass_of_sphere(vec3 center, double radius)
{
    mass_props p = {.volume = 4 * PI / 3 * radius * radius * radius, .center = center};
    for (int k = 0; k < 3; k++)
        p.inertia[k][k] = 0.4 * p.volume * radius * radius;
    return p;
}

/* A cylinder and two hemispheres, whose centres of mass are 3/8 of the radius beyond its ends. */
mass_props mass_of_capsule(vec3 a, vec3 b, double radius)
{
    const vec3 axis = vec3_sub(b, a);
    const double length = vec3_length(axis), r2 = radius * radius;
    const double cylinder = PI * r2 * length, ball = 4 * PI / 3 * r2 * radius;
    const double along = cylinder * r2 / 2 + ball * 0.4 * r2;
    const double across = cylinder * (length * length / 12 + r2 / 4) +
                          ball * (0.4 * r2 + length * length / 4 + 3.0 / 8 * length * radius);
    const vec3 unit = vec3_normalize(axis);
    const double u[3] = {unit.x, unit.y, unit.z};
    mass_props p = {.volume = cylinder + ball, .center = vec3_scale(vec3_add(a, b), 0.5)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p.inertia[i][j] = (i == j ? across : 0) + (along - across) * u[i] * u[j];
    return p;
}

mass_props mass_of_box(vec3 low, vec3 high)
{
    const vec3 side = vec3_sub(high, low);
    const double s[3] = {side.x * side.x, side.y * side.y, side.z * side.z};
    mass_props p = {.volume = side.x * side.y * side.z,
                    .center = vec3_scale(vec3_add(low, high), 0.5)};
    for (int k = 0; k < 3; k++)
        p.inertia[k][k] = p.volume / 12 * (s[(k + 1) % 3] + s[(k + 2) % 3]);
    return p;
}

/* ---- any solid ------------------------------------------------------------------------------------- */

void mass_add_triangle(mass_sums *s, double p[3][3])
{
    double v[3][3], area[3], along = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            v[i][k] = p[i][k] - s->origin[k];
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        area[k] =
            (v[1][m] - v[0][m]) * (v[2][n] - v[0][n]) - (v[1][n] - v[0][n]) * (v[2][m] - v[0][m]);
        along += area[k] * v[0][k];
    }
    s->volume += along / 6;
    for (int i = 0; i < 3; i++) {
        const double sum = v[0][i] + v[1][i] + v[2][i];
        s->first[i] += along / 24 * sum;
        for (int j = 0; j < 3; j++)
            s->second[i][j] += along / 120 *
                               (sum * (v[0][j] + v[1][j] + v[2][j]) + v[0][i] * v[0][j] +
                                v[1][i] * v[1][j] + v[2][i] * v[2][j]);
    }
}

bool mass_finish(mass_props *out, const mass_sums *s)
{
    *out = (mass_props){0};
    if (!(s->volume > 0))
        return false;
    double center[3], spread[3][3];
    for (int k = 0; k < 3; k++)
        center[k] = s->first[k] / s->volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            spread[i][j] = s->second[i][j] - s->volume * center[i] * center[j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->inertia[i][j] =
                i == j ? spread[(i + 1) % 3][(i + 1) % 3] + spread[(i + 2) % 3][(i + 2) % 3]
                       : -spread[i][j];
    out->volume = s->volume;
    out->center =
        (vec3){center[0] + s->origin[0], center[1] + s->origin[1], center[2] + s->origin[2]};
    return true;
}

lathe_result mass_no_volume(lathe_error *err)
{
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                     "the surface holds no volume: no mass properties");
}

/* ---- scaling ---------------------------------------------------------------------------------------- */

mass_props mass_scaled(const mass_props *p, double scale)
{
    mass_props out = *p;
    out.volume *= scale * scale * scale;
    out.center = vec3_scale(p->center, scale);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.inertia[i][j] *= scale * scale * scale * scale * scale;
    return out;
}

/* ---- principal axes -------------------------------------------------------------------------------- */

/* A Jacobi rotation that makes a[p][q] 0, by at most 45 degrees. */
static void jacobi_turn(double a[3][3], double axes[3][3], int p, int q)
{
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        const double x = axes[k][p], y = axes[k][q];
        axes[k][p] = c * x - s * y;
        axes[k][q] = s * x + c * y;
    }
    a[p][q] = a[q][p] = 0;
}

void mass_principal(const mass_props *p, double moments[3], quat *axes)
{
    enum { SWEEPS = 32 }; /* five or six are usual */
    double a[3][3], r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(a, p->inertia, sizeof a);
    const double whole = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
    const double first = 1e-7 * whole, last = 1e-17 * whole;
    bool turned = false;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const double most = fmax(fabs(a[0][1]), fmax(fabs(a[0][2]), fabs(a[1][2])));
        if (!(most > (turned ? last : first)))
            break;
        turned = true;
        /* the largest element first, so that rotations stay small */
        if (most == fabs(a[0][1]))
            jacobi_turn(a, r, 0, 1);
        else if (most == fabs(a[0][2]))
            jacobi_turn(a, r, 0, 2);
        else
            jacobi_turn(a, r, 1, 2);
    }
    mat4 m = mat4_identity();
    for (int i = 0; i < 3; i++) {
        moments[i] = a[i][i];
        for (int j = 0; j < 3; j++)
            m.m[j][i] = r[i][j];
    }
    *axes = quat_normalize(quat_from_mat4(&m));
    if (axes->w < 0)
        *axes = (quat){-axes->x, -axes->y, -axes->z, -axes->w};
}
