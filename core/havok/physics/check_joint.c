/* Joints: their bodies, pivots and limits. */
#include "havok/physics/joint.h"

#include <math.h>

#define WARN LATHE_LEVEL_WARNING

/* The distance between pivots that is a fault, in radii of the larger body. The games' files have less than 1e-5. */
static const double APART = 0.01;

/* ---- a joint ------------------------------------------------------------------------------------------- */

static double radius_of(const rec_at *body)
{
    rec_at state;
    return hk_within(body, "motion.motion_state", &state) ? hk_number(&state, "object_radius") : 0;
}

static void check_pivots(rec_report *report, const rec_at *joint, const uint32_t bodies[2])
{
    vec3 pivots[2];
    mat4 place;
    double radius = 0, reach = 0;
    if (!hk_joint_pivots(joint, pivots))
        return;
    for (int i = 0; i < 2; i++) {
        rec_at body = hk_object(joint->doc, bodies[i]);
        if (!hk_rigid_place(&body, &place))
            return;
        reach = fmax(reach, vec3_length(pivots[i]));
        pivots[i] = mat4_point(&place, pivots[i]);
        radius = fmax(radius, radius_of(&body));
    }
    double apart = vec3_length(vec3_sub(pivots[0], pivots[1]));
    if (!(apart <= APART * (radius > 0 ? radius : reach))) /* some bodies say no radius */
        HK_FINDING(report, WARN, joint, "data", REC_NO_ITEM,
                   "its pivots are %.6g apart, and the larger body has a radius of %.6g", apart,
                   radius);
}

void hk_check_joint(rec_report *report, const rec_at *joint)
{
    uint32_t bodies[2];
    hk_faults faults = {.tell = hk_fault_found, .report = report};
    hk_joint_faults(joint, &faults);
    for (unsigned i = 0; i < 2; i++)
        bodies[i] = hk_joint_body(joint, i);
    if (report->stopped || bodies[0] == REC_NO_PART)
        return;
    if (hk_target(joint, "entities", 1) == REC_NO_PART)
        HK_FINDING(report, WARN, joint, "entities", 1,
                   "no second body: the first is attached to the world");
    else if (bodies[0] == bodies[1])
        HK_FINDING(report, WARN, joint, "entities", 1, "the same body as entities[1]");
    else if (bodies[1] != REC_NO_PART)
        check_pivots(report, joint, bodies);
}

/* ---- limits ------------------------------------------------------------------------------------ */

static void check_limit(rec_report *report, const rec_at *atom, const char *low, const char *high,
                        const char *unit)
{
    uint32_t slot = rec_slot_find(atom->layout, low);
    if (slot == REC_NO_SLOT || rec_slot_find(atom->layout, high) == REC_NO_SLOT)
        return;
    double least = hk_number(atom, low), most = hk_number(atom, high);
    if (!(least <= most))
        HK_FINDING(report, LATHE_LEVEL_ERROR, atom, low, REC_NO_ITEM,
                   "from %.6g to %.6g%s: the minimum exceeds the maximum", least, most, unit);
}

static void check_atom(rec_report *report, const rec_at *atom)
{
    static const char *const stiff[] = {"max_friction_torque", "max_friction_force"};
    check_limit(report, atom, "min_angle", "max_angle", " radians");
    if (hk_is(atom, "hkpLinLimitConstraintAtom"))
        check_limit(report, atom, "min", "max", "");
    for (size_t i = 0; i < REC_COUNT_OF(stiff); i++)
        if (hk_number(atom, stiff[i]) < 0)
            HK_FINDING(report, WARN, atom, stiff[i], REC_NO_ITEM, "%.6g: negative friction",
                       hk_number(atom, stiff[i]));
}

void hk_check_joint_data(rec_report *report, const rec_at *data)
{
    rec_at atoms, atom;
    if (hk_is(data, "hkpLimitedForceConstraintMotor"))
        check_limit(report, data, "min_force", "max_force", " N");
    if (!hk_is(data, "hkpConstraintData") || !hk_within(data, "atoms", &atoms))
        return;
    for (uint32_t i = 0; i < atoms.layout->count && !report->stopped; i++) {
        const char *name = atoms.layout->slots[i].name;
        if (name && hk_record_at(&atoms, name, 0, &atom) && atom.layout)
            check_atom(report, &atom);
    }
}
