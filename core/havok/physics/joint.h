/* Joints of rigid bodies: hkpConstraintInstance, and the ragdolls that they hold together. */
#ifndef LATHE_HAVOK_PHYSICS_JOINT_H
#define LATHE_HAVOK_PHYSICS_JOINT_H

#include "havok/objects/fault.h"
#include "havok/physics/rigid.h"

/* Missing bodies and missing data of a joint. */
void hk_joint_faults(const rec_at *joint, hk_faults *to);
/* The part of its first (0) or second (1) body; REC_NO_PART: none. */
uint32_t hk_joint_body(const rec_at *joint, unsigned i);
/* The pivots, each in the space of its body. False: a class without pivots, or one that lets them move apart. */
bool hk_joint_pivots(const rec_at *joint, vec3 out[2]);

/* ---- doc:check() --------------------------------------------------------------------------------------- */

/* A joint; the limits of its data or motor (check_joint.c). */
void hk_check_joint(rec_report *report, const rec_at *joint);
void hk_check_joint_data(rec_report *report, const rec_at *data);

/* Ragdolls: their bodies, joints and bones (check_ragdoll.c). Data that several share count each time; `left` bytes may
 * still be read. */
typedef struct hk_ragdolls {
    rec_report *report;
    uint32_t *of; /* of each part: the last ragdoll (its part) that has it as a body */
    size_t parts;
    uint64_t left;
    bool spent;
} hk_ragdolls;
void hk_check_ragdoll(hk_ragdolls *k, const rec_at *ragdoll);

#endif
