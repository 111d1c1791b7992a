/* Joints of rigid bodies: hkpConstraintInstance, and the ragdolls that they hold together. */
#ifndef LATHE_HAVOK_PHYSICS_JOINT_H
#define LATHE_HAVOK_PHYSICS_JOINT_H

#include "havok/objects/fault.h"
#include "havok/physics/rigid.h"

/* Bodies and data that are not there. */
void hk_joint_faults(const rec_at *joint, hk_faults *to);
/* The part of its first or second body; REC_NO_PART: it leads to none. */
uint32_t hk_joint_body(const rec_at *joint, unsigned i);
/* Where it is, in the space of each of its bodies. False: nothing says it, or it lets the bodies move apart. */
bool hk_joint_pivots(const rec_at *joint, vec3 out[2]);

/* ---- doc:check() --------------------------------------------------------------------------------------- */

/* A joint; what a joint is made of, and how far it turns (check_joint.c). */
void hk_check_joint(rec_report *report, const rec_at *joint);
void hk_check_joint_data(rec_report *report, const rec_at *data);

/* Ragdolls: their bodies, joints and bones (check_ragdoll.c). What they share is looked at each time, but not without end:
 * `left` bytes. */
typedef struct hk_ragdolls {
    rec_report *report;
    uint32_t *of; /* of each part: the last ragdoll, by its part, that has it as a body */
    size_t parts;
    uint64_t left;
    bool spent;
} hk_ragdolls;
void hk_check_ragdoll(hk_ragdolls *k, const rec_at *ragdoll);

#endif
