/* How a body moves, and its mass: formats/fo4-collision.md#2.3, #4.5. */
#include "havok/physics/bodies.h"

#include <float.h>
#include <math.h>

static const double least = 1e-30; /* of a mass or density: what is 1 / it is a float, too */

static bool mass_of(const rec_at *motion, double *inverse)
{
    return hk_get_real(motion, "inverse_mass", inverse, NULL) == LATHE_OK && *inverse > 0;
}

/* ---- mass and density ------------------------------------------------------------------------------------ */

lathe_result hk_get_mass(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    hk_body_of body;
    rec_at motion;
    double inverse;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    out->kind = LATHE_KIND_NONE;
    if (r == LATHE_OK && hk_body_side_of(&body, HK_SIDE_MOTION, &motion) &&
        mass_of(&motion, &inverse)) {
        out->kind = LATHE_KIND_REAL;
        out->as.f = (double)(float)(1 / inverse); /* without what storing its inverse lost */
    }
    return r;
}

lathe_result hk_get_density(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    hk_body_of body;
    rec_at motion;
    double inverse;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK || !hk_body_side_of(&body, HK_SIDE_MOTION, &motion) ||
        !mass_of(&motion, &inverse))
        return r;
    out->kind = LATHE_KIND_REAL;
    return hk_get_real(&motion, "mass_factor", &out->as.f, err);
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
    if (r == LATHE_OK && !mass_of(motion, inverse))
        return rec_fail(at, rec_slot_find(at->layout, row->name), at->off, err,
                        LATHE_ERR_UNSUPPORTED, "a keyframed body has none: set motion first");
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
    if (r != LATHE_OK || mass == (double)(float)(1 / inverse))
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
        return rec_fail(at, rec_slot_find(at->layout, row->name), at->off, err,
                        LATHE_ERR_UNSUPPORTED, "its mass_factor is %.9g: no density", was);
    return weigh(&motion, inverse, density / was, err);
}

/* ---- how it moves ------------------------------------------------------------------------------------------ */

typedef enum motion_kind { STATIC, KEYFRAMED, DYNAMIC, KINDS } motion_kind;
static const char *const words[] = {"static", "keyframed", "dynamic"};

static motion_kind kind_of(const hk_body_of *body)
{
    rec_at motion;
    double inverse;
    if (!hk_body_side_of(body, HK_SIDE_MOTION, &motion))
        return STATIC;
    return mass_of(&motion, &inverse) ? DYNAMIC : KEYFRAMED;
}

lathe_result hk_get_motion(const rec_at *at, const rec_field *row, lathe_value *out,
                           lathe_error *err)
{
    hk_body_of body;
    (void)row;
    lathe_result r = hk_body_at(at, &body, err);
    if (r != LATHE_OK)
        return r;
    const char *word = words[kind_of(&body)];
    return rec_text(at, word, strlen(word), out, err);
}

enum { DYNAMIC_FLAGS = 0x10080, STATIC_LAYER = 1 };

static lathe_result clear_flags(const hk_body_of *body, lathe_error *err)
{
    int64_t flags = rec_int(&body->cinfo, "flags");
    return hk_set_int(&body->cinfo, "flags", flags & ~(int64_t)DYNAMIC_FLAGS, err);
}

/* The motion stays, as others may have its number. */
static lathe_result make_static(const rec_at *at, const hk_body_of *body, lathe_error *err)
{
    const lathe_value layer = {.kind = LATHE_KIND_INT, .as.i = STATIC_LAYER};
    lathe_result r = hk_set_int(&body->cinfo, "motion_id", HK_NO_MOTION, err);
    if (r == LATHE_OK)
        r = clear_flags(body, err);
    return r == LATHE_OK ? rec_set(at, rec_slot_find(at->layout, "layer"), &layer, err) : r;
}

static lathe_result make_keyframed(const hk_body_of *body, lathe_error *err)
{
    static const double none[4] = {0};
    rec_at motion;
    lathe_result r = LATHE_OK;
    if (!hk_body_side_of(body, HK_SIDE_MOTION, &motion))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "a static body has no motion that could become keyframed");
    r = hk_set_real(&motion, "inverse_mass", 0, err);
    if (r == LATHE_OK)
        r = hk_set_real(&motion, "mass_factor", 1, err);
    if (r == LATHE_OK)
        r = hk_set_lanes(&motion, "inverse_inertia_local", 4, none, err);
    if (r == LATHE_OK)
        r = hk_set_int(&motion, "motion_properties_id", HK_NO_PROPERTIES, err);
    return r == LATHE_OK ? clear_flags(body, err) : r;
}

lathe_result hk_set_motion(const rec_at *at, const rec_field *row, const lathe_value *value,
                           lathe_error *err)
{
    hk_body_of body;
    uint32_t slot = rec_slot_find(at->layout, row->name);
    int to = 0;
    lathe_result r = hk_body_at(at, &body, err);
    if (r != LATHE_OK)
        return r;
    if (value->kind != LATHE_KIND_STRING)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a string expected");
    while (to < KINDS && !rec_text_is(value, words[to]))
        to++;
    if (to == KINDS)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "it is one of static, keyframed, dynamic");
    if (kind_of(&body) == (motion_kind)to)
        return LATHE_OK;
    if (to == STATIC)
        return make_static(at, &body, err);
    if (to == KEYFRAMED && kind_of(&body) == DYNAMIC)
        return make_keyframed(&body, err);
    return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "a %s body cannot become %s: it has no mass", words[kind_of(&body)], words[to]);
}
