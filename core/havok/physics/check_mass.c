/* Masses that no solid has, or not this one. Reference: formats/fo4-collision.md#2.3, #3.6. */
#include "havok/physics/check.h"

#include <inttypes.h>
#include <math.h>

/* Numbers of 16 bits are this exact, several times over; in all games' files all of this holds. */
static const double SHARE = 0.01, NEAR = 0.001, TURN = 2;

/* ---- by themselves ----------------------------------------------------------------------------------------- */

void hk_check_mass(hk_looker *k, const rec_at *mass)
{
    double kg = hk_number(mass, "mass"), volume = hk_number(mass, "volume"), m[3] = {0}, q[4] = {0};
    if (!(volume > 0))
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, mass, "volume", REC_NO_ITEM,
                   "a volume of %.6g m^3", volume);
    if (!(kg > 0))
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, mass, "mass", REC_NO_ITEM, "a mass of %.6g kg",
                   kg);
    if (hk_get_lanes(mass, "inertia", 3, m, NULL) == LATHE_OK) {
        double most = fmax(m[0], fmax(m[1], m[2])), sum = m[0] + m[1] + m[2];
        if (!(m[0] > 0 && m[1] > 0 && m[2] > 0 && 2 * most <= sum * (1 + SHARE)))
            HK_FINDING(k->report, LATHE_LEVEL_WARNING, mass, "inertia", REC_NO_ITEM,
                       "no solid has moments of %.6g, %.6g and %.6g kg m^2", m[0], m[1], m[2]);
    }
    if (hk_get_lanes(mass, "major_axis_space", 4, q, NULL) == LATHE_OK &&
        !(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) <= SHARE))
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, mass, "major_axis_space", REC_NO_ITEM,
                   "a rotation whose length is not 1");
}

/* ---- and their shapes --------------------------------------------------------------------------------------- */

static bool mass_of(hk_looker *k, const rec_at *shape, rec_at *out)
{
    rec_at entry;
    uint32_t part = hk_target(shape, "properties", 0);
    if (part == REC_NO_PART || !hk_may_look(k, shape, k->doc->parts[part].size))
        return false;
    rec_at properties = hk_object(k->doc, part);
    if (properties.layout->type != &hk_ref_counted_properties)
        return false;
    uint32_t slot = rec_slot_find(properties.layout, "entries");
    for (uint64_t i = 0, n = hk_length(&properties, "entries"); i < n; i++) {
        if (rec_sub(&properties, slot, i, &entry, NULL) != LATHE_OK)
            return false;
        part = hk_target(&entry, "object", 0);
        if (part == REC_NO_PART)
            continue;
        *out = hk_object(k->doc, part);
        if (out->layout->type == &hknp_shape_mass_properties)
            return true;
    }
    return false;
}

static double size_of(const hk_bounds *b)
{
    return fmax(b->max[0] - b->min[0], fmax(b->max[1] - b->min[1], b->max[2] - b->min[2]));
}

/* How far a point is outside of a box, but for what numbers of 16 bits lose. */
static double outside(const hk_bounds *b, const double p[3])
{
    double most = 0, slack = NEAR + SHARE * size_of(b);
    for (unsigned i = 0; i < 3; i++)
        most = fmax(most, fmax(b->min[i] - p[i], p[i] - b->max[i]));
    return most > slack ? most : 0;
}

void hk_check_shape_mass(hk_looker *k, const rec_at *shape)
{
    rec_at mass;
    hk_bounds box;
    double center[3] = {0}, room = 1;
    mat4 here = mat4_identity();
    if (!mass_of(k, shape, &mass) || !hk_shape_bounds(k, shape, &here, &box))
        return;
    double volume = hk_number(&mass, "volume");
    for (unsigned i = 0; i < 3; i++)
        room *= box.max[i] - box.min[i];
    if (hk_get_lanes(&mass, "center_of_mass", 3, center, NULL) == LATHE_OK &&
        outside(&box, center) > 0)
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, &mass, "center_of_mass", REC_NO_ITEM,
                   "%.3g m outside of the shape", outside(&box, center));
    if (volume > room * (1 + SHARE))
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, &mass, "volume", REC_NO_ITEM,
                   "%.6g m^3, but a box around the shape has %.6g", volume, room);
}

/* ---- and motions ---------------------------------------------------------------------------------------------- */

typedef struct moving {
    hk_looker *k;
    rec_at motion, shape;
    uint32_t system;
    vec3 position, center; /* of the body; of its motion */
    quat turn, axes;
} moving;

static bool vector_of(const rec_at *at, const char *row, vec3 *out)
{
    double p[3] = {0};
    bool ok = hk_get_lanes(at, row, 3, p, NULL) == LATHE_OK;
    *out = (vec3){p[0], p[1], p[2]};
    return ok;
}

static bool turn_of(const rec_at *at, const char *row, quat *out)
{
    double q[4] = {0};
    bool ok = hk_get_lanes(at, row, 4, q, NULL) == LATHE_OK;
    *out = quat_normalize((quat){q[0], q[1], q[2], q[3]});
    return ok;
}

static void compare(const moving *m, const rec_at *mass)
{
    vec3 center;
    quat axes;
    double kg = 1 / hk_number(&m->motion, "inverse_mass"),
           factor = hk_number(&m->motion, "mass_factor"), volume = hk_number(mass, "volume");
    if (m->k->root == m->system && !(fabs(factor * volume - kg) <= SHARE * kg))
        HK_FINDING(m->k->report, LATHE_LEVEL_WARNING, &m->motion, "mass_factor", REC_NO_ITEM,
                   "%.6g kg/m^3, but %.6g kg in a shape of %.6g m^3 are %.6g", factor, kg, volume,
                   kg / volume);
    if (vector_of(mass, "center_of_mass", &center)) {
        vec3 should = vec3_add(m->position, quat_rotate(m->turn, center));
        double off = vec3_length(vec3_sub(should, m->center));
        if (!(off <= NEAR + NEAR * vec3_length(should)))
            HK_FINDING(m->k->report, LATHE_LEVEL_WARNING, &m->motion, "center_of_mass_world",
                       REC_NO_ITEM, "%.3g m away from the centre of the body's shape", off);
    }
    if (turn_of(mass, "major_axis_space", &axes)) {
        quat q = quat_mul(m->turn, axes), r = m->axes;
        double cosine = fabs(q.x * r.x + q.y * r.y + q.z * r.z + q.w * r.w);
        double degrees = 2 * acos(fmin(1, cosine)) * 57.29577951308232;
        if (degrees > TURN)
            HK_FINDING(m->k->report, LATHE_LEVEL_WARNING, &m->motion, "orientation", REC_NO_ITEM,
                       "turned by %.3g degrees from the axes of the body's shape", degrees);
    }
}

/* Of shapes that have no mass of their own. */
static void look_inside(const moving *m)
{
    hk_bounds box;
    mat4 place = mat4_compose(m->position, m->turn, (vec3){1, 1, 1});
    const double p[3] = {m->center.x, m->center.y, m->center.z};
    if (hk_shape_bounds(m->k, &m->shape, &place, &box) && outside(&box, p) > 0)
        HK_FINDING(m->k->report, LATHE_LEVEL_WARNING, &m->motion, "center_of_mass_world",
                   REC_NO_ITEM, "%.3g m outside of the body's shape", outside(&box, p));
}

void hk_check_motion_mass(hk_looker *k, const hk_body_of *body)
{
    rec_at mass;
    moving m = {.k = k, .system = body->system.part};
    if (!hk_body_side_of(body, HK_SIDE_MOTION, &m.motion) ||
        !hk_body_side_of(body, HK_SIDE_SHAPE, &m.shape) ||
        !(hk_number(&m.motion, "inverse_mass") > 0) ||
        !vector_of(&body->cinfo, "position", &m.position) ||
        !vector_of(&m.motion, "center_of_mass_world", &m.center) ||
        !turn_of(&body->cinfo, "orientation", &m.turn) ||
        !turn_of(&m.motion, "orientation", &m.axes))
        return;
    if (mass_of(k, &m.shape, &mass))
        compare(&m, &mass);
    else
        look_inside(&m);
}
