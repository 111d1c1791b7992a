#include "havok/physics/shape_mass.h"

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
