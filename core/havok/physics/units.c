/* The unit of lengths of a packfile's collision. The packfiles in NIF files of Fallout 4 are in metres: there, collision 69.99125
 * times as large matches the meshes and the nodes. The skeleton.hkx of the same game is in units of the game, as those of
 * Skyrim are. What tells them apart is in the file: a mapper pairs the ragdoll's bones, each of which has a body, with the bones
 * that clips move, and these are in units of the game in all files. Where each body lies at its bone, both have one unit. The
 * ragdolls in NIF files (5 of 5 seen) have no mapper, and their own skeletons are in metres, too. */
#include "havok/physics/leaves.h"

#include "havok/objects/objects.h"

/* The least number of pairs, and the distance of bodies from their bones, as a share of their distance from the origin (of all
 * together): in metres it is nearly 1, in the game's file 1.2e-5. */
enum { LEAST_PAIRS = 3 };
static const double NEAR = 0.1;

/* A ragdoll, and the mapper between its skeleton and another one. */
typedef struct pairing {
    rec_at system, mapping;
    uint32_t bones; /* the part of the other skeleton */
    bool reversed;  /* that is A, else B */
} pairing;

/* The first object of a class that can be read, from *i on. */
static bool next_object(lathe_doc *doc, uint32_t c, uint64_t *i, const char *class_name,
                        rec_at *out)
{
    uint64_t n;
    const uint32_t *list = hk_object_list(doc, c, &n);
    for (; *i < n; ++*i)
        if (hk_object_is(doc, list[*i], class_name)) {
            *out = hk_object(doc, list[(*i)++]);
            return true;
        }
    return false;
}

static bool find_pairing(lathe_doc *doc, uint32_t c, pairing *out)
{
    rec_at mapper;
    uint64_t i = 0;
    if (!next_object(doc, c, &i, "hknpRagdollData", &out->system))
        return false;
    const uint32_t own = hk_target(&out->system, "skeleton", 0);
    for (i = 0; own != REC_NO_PART && next_object(doc, c, &i, "hkaSkeletonMapper", &mapper);) {
        if (!hk_record_at(&mapper, "mapping", 0, &out->mapping))
            continue;
        const uint32_t a = hk_target(&out->mapping, "skeleton_a", 0),
                       b = hk_target(&out->mapping, "skeleton_b", 0);
        out->reversed = b == own;
        out->bones = out->reversed ? a : b;
        if ((a == own) != (b == own) && out->bones != REC_NO_PART &&
            hk_object_is(doc, out->bones, "hkaSkeleton"))
            return true;
    }
    return false;
}

/* The places of a body and of its bone, of a pair of bones. False: one of them is not there. */
static bool pair_at(const pairing *p, const bytes_array *bodies, const hk_pose *pose, uint64_t i,
                    vec3 *body, vec3 *bone)
{
    rec_at one;
    hk_body_of owner;
    double at[3];
    if (!hk_record_at(&p->mapping, "simple_mappings", i, &one))
        return false;
    const double a = hk_number(&one, "bone_a"), b = hk_number(&one, "bone_b");
    const double mine = p->reversed ? b : a, other = p->reversed ? a : b;
    if (!(mine >= 0 && mine < (double)bodies->count && other >= 0 && other < (double)pose->count))
        return false;
    const uint32_t number = bytes_ld32(bodies->bytes + 4 * (uint64_t)mine, hk_is_big(&p->system));
    if (number >= hk_body_count(&p->system) ||
        hk_body_in(&p->system, number, &owner, NULL) != LATHE_OK ||
        hk_get_lanes(&owner.cinfo, "position", 3, at, NULL) != LATHE_OK)
        return false;
    *body = (vec3){at[0], at[1], at[2]};
    *bone = hk_place_of(&pose->places[(size_t)other]);
    return true;
}

static bool lie_at_bones(const pairing *p, const hk_pose *pose)
{
    double apart = 0, all = 0;
    uint64_t pairs = 0, n = hk_length(&p->mapping, "simple_mappings");
    bytes_array bodies;
    vec3 body, bone;
    if (hk_elements(&p->system, "bone_to_body_map", 4, &bodies, NULL) != LATHE_OK)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!pair_at(p, &bodies, pose, i, &body, &bone))
            continue;
        const vec3 way = vec3_sub(body, bone);
        apart += vec3_dot(way, way);
        all += vec3_dot(bone, bone);
        pairs++;
    }
    return pairs >= LEAST_PAIRS && all > 0 && apart <= NEAR * NEAR * all;
}

lathe_result hk_collision_unit(lathe_doc *doc, uint32_t c, double *out, lathe_error *err)
{
    pairing p;
    hk_pose pose;
    *out = HK_GAME_UNITS;
    if (!find_pairing(doc, c, &p))
        return LATHE_OK;
    const rec_at skeleton = hk_object(doc, p.bones);
    lathe_result r = hk_rest_pose(&skeleton, &pose, err);
    if (r == LATHE_OK && lie_at_bones(&p, &pose))
        *out = 1;
    hk_pose_free(&pose);
    return r;
}
