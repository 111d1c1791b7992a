#include "havok/physics/maths/shape_mass.h"

#include "base/error.h"

#include <float.h>
#include <math.h>

static hk_mass from_props(const mass_props *p)
{
    hk_mass out = {.volume = p->volume, .center = p->center};
    mass_principal(p, out.inertia, &out.axes);
    for (int k = 0; k < 3; k++)
        out.inertia[k] *= HK_INERTIA;
    return out;
}

lathe_result hk_mass_of_hull(hk_mass *out, const hull *h, double convex_radius, lathe_error *err)
{
    mass_props p;
    const lathe_result result = mass_of_hull(&p, h, convex_radius, err);
    *out = from_props(&p);
    return result;
}

hk_mass hk_mass_of_box(vec3 low, vec3 high, double convex_radius)
{
    const vec3 shell = {convex_radius, convex_radius, convex_radius};
    const mass_props p = mass_of_box(vec3_sub(low, shell), vec3_add(high, shell));
    return from_props(&p);
}

hk_mass hk_mass_of_sphere(vec3 center, double radius)
{
    const mass_props p = mass_of_sphere(center, radius);
    return from_props(&p);
}

hk_mass hk_mass_of_capsule(vec3 a, vec3 b, double radius)
{
    const mass_props p = mass_of_capsule(a, b, radius);
    return from_props(&p);
}

lathe_result hk_mass_check(const hk_mass *m, double mass, lathe_error *err)
{
    bool ok = m->volume >= (double)FLT_MIN && mass > 0 && isfinite((float)mass) &&
              isfinite((float)(1 / mass)) && isfinite((float)(mass / m->volume));
    for (int i = 0; ok && i < 3; i++)
        ok = m->inertia[i] > 0 && isfinite((float)(m->volume / (m->inertia[i] * mass)));
    return ok ? LATHE_OK
              : error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                          "a mass of %.9g kg in %.9g m^3: a dynamic body cannot have it", mass,
                          m->volume);
}
