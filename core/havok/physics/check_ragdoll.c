/* Ragdolls: hkaRagdollInstance with its bodies, joints and bones. */
#include "havok/physics/joint.h"

#include <inttypes.h>
#include <math.h>

#define WARN LATHE_LEVEL_WARNING

/* Distance and angle between a body and its bone at rest that are a fault; the distance in sizes of the skeleton. The
 * games' files have less than 1e-5 and 4e-6 radians. */
static const double FAR = 1e-3, TURNED = 0.02;

/* ---- bodies and joints ------------------------------------------------------------------------------------- */

typedef struct ragdoll {
    const rec_at *at;
    uint64_t bodies;
    uint32_t *of;
} ragdoll;

static void check_bodies(rec_report *report, const ragdoll *r)
{
    hk_faults faults = {.tell = hk_fault_found, .report = report};
    for (uint64_t i = 0; i < r->bodies && !report->stopped; i++) {
        uint32_t part;
        hk_fault_target(&faults, r->at, "rigid_bodies", i, "hkpRigidBody", "body", &part);
        if (part != REC_NO_PART)
            r->of[part] = r->at->part;
    }
}

static void check_joints(rec_report *report, const ragdoll *r)
{
    hk_faults faults = {.tell = hk_fault_found, .report = report};
    uint64_t n = hk_length(r->at, "constraints");
    for (uint64_t i = 0; i < n && !report->stopped; i++) {
        uint32_t part;
        if (!hk_fault_target(&faults, r->at, "constraints", i, "hkpConstraintInstance", "joint",
                             &part))
            return;
        if (part == REC_NO_PART || !hk_object_opens(r->at->doc, part))
            continue;
        rec_at joint = hk_object(r->at->doc, part);
        for (unsigned k = 0; k < 2; k++) {
            uint32_t body = hk_joint_body(&joint, k);
            if (body != REC_NO_PART && r->of[body] != r->at->part)
                HK_FINDING(report, WARN, r->at, "constraints", i,
                           "body %u of the joint is not in rigid_bodies", k + 1);
        }
    }
}

/* ---- bones ------------------------------------------------------------------------------------------------- */

typedef struct worst {
    uint64_t bone;
    double off, apart, turned; /* off: by which the worst one is chosen */
} worst;

static void look(const ragdoll *r, uint64_t bone, int32_t body, const mat4 *rest, double size,
                 worst *w)
{
    mat4 place;
    uint32_t part = hk_target(r->at, "rigid_bodies", (uint64_t)body);
    if (part == REC_NO_PART || !hk_object_is(r->at->doc, part, "hkpRigidBody"))
        return;
    rec_at object = hk_object(r->at->doc, part);
    if (!hk_rigid_place(&object, &place))
        return;
    double apart = vec3_length(vec3_sub(hk_place_of(&place), hk_place_of(rest)));
    double turned = hk_turned_by(&place, rest);
    double off = fmax(apart / (FAR * size), turned / TURNED);
    if (isnan(apart) || isnan(turned))
        off = INFINITY;
    if (off > w->off)
        *w = (worst){bone, off, apart, turned};
}

static double size_of(const hk_pose *pose)
{
    double most = 0;
    for (size_t i = 0; i < pose->count; i++)
        most = fmax(most, vec3_length(hk_place_of(&pose->places[i])));
    return most;
}

static void check_map(rec_report *report, const ragdoll *r, const hk_pose *pose)
{
    bytes_array map;
    worst w = {.off = 1};
    double size = size_of(pose);
    if (hk_elements(r->at, "bone_to_rigid_body_map", 4, &map, NULL) != LATHE_OK)
        return;
    if (pose->count && map.count != pose->count)
        HK_FINDING(report, WARN, r->at, "bone_to_rigid_body_map", REC_NO_ITEM,
                   "%" PRIu64 " of them for %zu bones", map.count, pose->count);
    for (uint64_t i = 0; i < map.count && !report->stopped; i++) {
        int32_t body = (int32_t)bytes_ld32(map.bytes + 4 * i, hk_is_big(r->at));
        if (body < -1 || body >= (int64_t)r->bodies)
            HK_FINDING(report, WARN, r->at, "bone_to_rigid_body_map", i, "body %d, of %llu",
                       (int)body, (unsigned long long)r->bodies);
        else if (body >= 0 && i < pose->count)
            look(r, i, body, &pose->places[i], size, &w);
    }
    if (w.off > 1)
        HK_FINDING(
            report, WARN, r->at, "bone_to_rigid_body_map", w.bone,
            "the body is %.6g away from its bone in the rest pose, and rotated by %.3g radians",
            w.apart, w.turned);
}

/* Before a ragdoll is looked at. False: no more of them. */
static bool may_look(hk_ragdolls *k, const rec_at *at, uint64_t bones)
{
    uint64_t n = hk_length(at, "rigid_bodies") + hk_length(at, "constraints") +
                 hk_length(at, "bone_to_rigid_body_map") + bones;
    if (!k->spent && n >= k->left / sizeof(mat4)) {
        rec_finding(k->report, WARN, at, REC_NO_SLOT, REC_NO_ITEM,
                    "ragdolls share too much data: the rest is not checked");
        k->spent = true;
    }
    if (!k->spent)
        k->left -= n * sizeof(mat4);
    return !k->spent && !k->report->stopped;
}

void hk_check_ragdoll(hk_ragdolls *k, const rec_at *at)
{
    hk_pose pose = {.memory = &at->doc->mem};
    lathe_error err;
    uint32_t part;
    hk_faults faults = {.tell = hk_fault_found, .report = k->report};
    const ragdoll r = {.at = at, .bodies = hk_length(at, "rigid_bodies"), .of = k->of};
    hk_fault_target(&faults, at, "skeleton", REC_NO_ITEM, "hkaSkeleton", "skeleton", &part);
    bool known = part != REC_NO_PART && hk_object_is(at->doc, part, "hkaSkeleton");
    rec_at skeleton = known ? hk_object(at->doc, part) : *at;
    if (!may_look(k, at, known ? hk_length(&skeleton, "bones") : 0))
        return;
    check_bodies(k->report, &r);
    check_joints(k->report, &r);
    if (known && hk_rest_pose(&skeleton, &pose, &err) != LATHE_OK)
        return;
    if (!k->report->stopped)
        check_map(k->report, &r, &pose);
    hk_pose_free(&pose);
}
