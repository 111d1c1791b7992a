#include "havok/physics/joint.h"

static const char no_body[] = "body";

/* The second body may be absent: the first is then attached to the world. */
void hk_joint_faults(const rec_at *joint, hk_faults *to)
{
    uint32_t part;
    if (!hk_fault_target(to, joint, "entities", 0, "hkpEntity", no_body, &part))
        return;
    if (hk_target(joint, "entities", 1) != REC_NO_PART &&
        !hk_fault_target(to, joint, "entities", 1, "hkpEntity", no_body, &part))
        return;
    hk_fault_target(to, joint, "data", REC_NO_ITEM, "hkpConstraintData", "constraint data", &part);
}

uint32_t hk_joint_body(const rec_at *joint, unsigned i)
{
    uint32_t part = hk_target(joint, "entities", i);
    return part != REC_NO_PART && hk_object_is(joint->doc, part, "hkpRigidBody") ? part
                                                                                 : REC_NO_PART;
}

/* Whether a joint keeps its two pivots in one place. */
static bool is_held(const rec_at *data)
{
    static const char *const classes[] = {"hkpRagdollConstraintData",
                                          "hkpLimitedHingeConstraintData", "hkpHingeConstraintData",
                                          "hkpBallAndSocketConstraintData"};
    for (size_t i = 0; i < REC_COUNT_OF(classes); i++)
        if (hk_is(data, classes[i]))
            return true;
    return false;
}

static bool point_in(const rec_at *at, const char *name, vec3 *out)
{
    double v[4];
    if (!hk_floats(at, name, 4, v))
        return false;
    *out = (vec3){v[0], v[1], v[2]};
    return true;
}

bool hk_joint_pivots(const rec_at *joint, vec3 out[2])
{
    rec_at atom;
    mat4 m[2];
    uint32_t part = hk_target(joint, "data", 0);
    if (part == REC_NO_PART || !hk_object_opens(joint->doc, part))
        return false;
    rec_at data = hk_object(joint->doc, part);
    if (!is_held(&data))
        return false;
    if (hk_within(&data, "atoms.transforms", &atom)) {
        if (!hk_matrix(&atom, "transform_a", &m[0]) || !hk_matrix(&atom, "transform_b", &m[1]))
            return false;
        for (int i = 0; i < 2; i++)
            out[i] = hk_place_of(&m[i]);
        return true;
    }
    return hk_within(&data, "atoms.pivots", &atom) && point_in(&atom, "translation_a", &out[0]) &&
           point_in(&atom, "translation_b", &out[1]);
}
