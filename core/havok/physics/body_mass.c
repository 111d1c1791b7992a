/* What a body weighs: formats/fo4-collision.md#2.3, #4.5. */
#include "havok/physics/bodies.h"

#include <float.h>
#include <math.h>

static const double least = 1e-30; /* of a mass or density: what is 1 / it is a float, too */

bool hk_has_mass(const rec_at *motion, double *inverse)
{
    return hk_get_real(motion, "inverse_mass", inverse, NULL) == LATHE_OK && *inverse > 0;
}

/* Storing 1 / 30 loses a little: of the masses that have this inverse, the one of the fewest digits. */
double hk_mass_from(double inverse)
{
    double mass = 1 / inverse;
    for (int digits = 6; digits < 9; digits++) {
        double scale = pow(10, digits - 1 - floor(log10(mass)));
        float rounded = (float)(round(mass * scale) / scale);
        if ((float)(1 / (double)rounded) == (float)inverse)
            return (double)rounded;
    }
    return (double)(float)mass;
}

/* ---- mass and density ------------------------------------------------------------------------------------ */

/* The motion of a body that has a mass; *is false: it has none. */
static lathe_result motion_of(const rec_at *at, rec_at *motion, double *inverse, bool *is,
                              lathe_error *err)
{
    hk_body_of body;
    lathe_result r = hk_body_at(at, &body, err);
    *is = r == LATHE_OK && hk_body_side_of(&body, HK_SIDE_MOTION, motion) &&
          hk_has_mass(motion, inverse);
    return r;
}

lathe_result hk_get_mass(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    rec_at motion;
    double inverse;
    bool is;
    (void)row;
    lathe_result r = motion_of(at, &motion, &inverse, &is, err);
    out->kind = is ? LATHE_KIND_REAL : LATHE_KIND_NONE;
    if (is)
        out->as.f = hk_mass_from(inverse);
    return r;
}

lathe_result hk_get_density(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    rec_at motion;
    double inverse;
    bool is;
    (void)row;
    lathe_result r = motion_of(at, &motion, &inverse, &is, err);
    out->kind = is ? LATHE_KIND_REAL : LATHE_KIND_NONE;
    return is ? hk_get_real(&motion, "mass_factor", &out->as.f, err) : r;
}

/* `by` times as heavy as it is. */
static lathe_result weigh(const rec_at *motion, double inverse, double by, lathe_error *err)
{
    double factor, inertia[3];
    lathe_result r = hk_get_real(motion, "mass_factor", &factor, err);
    if (r == LATHE_OK)
        r = hk_get_lanes(motion, "inverse_inertia_local", 3, inertia, err);
    for (int i = 0; r == LATHE_OK && i < 3; i++)
        inertia[i] /= by;
    if (r == LATHE_OK)
        r = hk_set_real(motion, "inverse_mass", inverse / by, err);
    if (r == LATHE_OK)
        r = hk_set_real(motion, "mass_factor", factor * by, err);
    return r == LATHE_OK ? hk_set_lanes(motion, "inverse_inertia_local", 3, inertia, err) : r;
}

static lathe_result weighed(const rec_at *at, const rec_field *row, rec_at *motion, double *inverse,
                            lathe_error *err)
{
    hk_body_of body;
    lathe_result r = hk_body_needs(at, row, HK_SIDE_MOTION, &body, motion, err);
    if (r == LATHE_OK && !hk_has_mass(motion, inverse))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_UNSUPPORTED,
                        "a keyframed body has none: set motion to dynamic first");
    return r;
}

lathe_result hk_set_mass(const rec_at *at, const rec_field *row, const lathe_value *value,
                         lathe_error *err)
{
    rec_at motion;
    double inverse, mass;
    lathe_result r = weighed(at, row, &motion, &inverse, err);
    if (r == LATHE_OK)
        r = hk_body_value(at, row, value, least, 1 / least, &mass, err);
    if (r != LATHE_OK || mass == hk_mass_from(inverse))
        return r;
    return weigh(&motion, inverse, mass * inverse, err);
}

lathe_result hk_set_density(const rec_at *at, const rec_field *row, const lathe_value *value,
                            lathe_error *err)
{
    rec_at motion;
    double inverse, density, was;
    lathe_result r = weighed(at, row, &motion, &inverse, err);
    if (r == LATHE_OK)
        r = hk_body_value(at, row, value, least, 1 / least, &density, err);
    if (r == LATHE_OK)
        r = hk_get_real(&motion, "mass_factor", &was, err);
    if (r != LATHE_OK || density == was)
        return r;
    if (!(was > 0))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_UNSUPPORTED, "its mass_factor is %.9g: no density", was);
    return weigh(&motion, inverse, density / was, err);
}
