/* Bodies, motions and joints, and all else that collides. Reference: formats/fo4-collision.md#2. */
#include "havok/physics/check.h"

#include "havok/physics/shapes.h"

#include <inttypes.h>
#include <math.h>

enum { DYNAMIC = 0x80 };

typedef struct counts {
    uint64_t materials, motions, properties, bodies;
    uint8_t *moved;  /* of each motion: whether a body has it */
    uint8_t *listed; /* of each part: whether it is among the referenced objects */
} counts;

/* ---- numbers of others -------------------------------------------------------------------------------------- */

/* A row that is the number of an element of another array, or `none`. */
static bool check_number(rec_report *report, const rec_at *at, const char *row, uint64_t n,
                         int64_t none, const char *what)
{
    int64_t i = rec_int(at, row);
    if (i == none || (i >= 0 && (uint64_t)i < n))
        return i != none;
    HK_FINDING(report, LATHE_LEVEL_ERROR, at, row, REC_NO_ITEM,
               "no %s %" PRId64 ": there are %" PRIu64, what, i, n);
    return false;
}

/* ---- bodies --------------------------------------------------------------------------------------------------- */

static void check_rotation(rec_report *report, const rec_at *at)
{
    lathe_level level;
    uint32_t slot = rec_slot_find(at->layout, "orientation");
    const uint8_t *p = at->doc->parts[at->part].data + at->off + at->layout->slots[slot].off;
    const char *wrong =
        hk_rotation_wrong(p, at->doc->containers[at->layout->container].big, &level);
    if (wrong)
        rec_finding(report, level, at, slot, REC_NO_ITEM, "%s", wrong);
}

static void check_motion(rec_report *report, const rec_at *motion, const counts *n)
{
    double inverse = hk_number(motion, "inverse_mass"), v[3] = {0};
    bool moves = inverse > 0;
    check_rotation(report, motion);
    if (!(inverse >= 0))
        HK_FINDING(report, LATHE_LEVEL_ERROR, motion, "inverse_mass", REC_NO_ITEM,
                   "%.6g 1/kg is no mass", inverse);
    check_number(report, motion, "motion_properties_id", n->properties,
                 moves ? -1 : HK_NO_PROPERTIES, "motion properties");
    if (hk_get_lanes(motion, "inverse_inertia_local", 3, v, NULL) == LATHE_OK && moves &&
        !(v[0] > 0 && v[1] > 0 && v[2] > 0))
        HK_FINDING(report, LATHE_LEVEL_WARNING, motion, "inverse_inertia_local", REC_NO_ITEM,
                   "%.6g, %.6g, %.6g: it has a mass, but does not turn about each axis", v[0], v[1],
                   v[2]);
}

static void check_moves(hk_looker *k, const hk_body_of *body, const counts *n)
{
    rec_at motion;
    const rec_at *at = &body->cinfo;
    int64_t id = rec_int(at, "motion_id"), flags = rec_int(at, "flags");
    bool has = check_number(k->report, at, "motion_id", n->motions, HK_NO_MOTION, "motion"), moves;
    if (has && n->moved[id])
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, at, "motion_id", REC_NO_ITEM,
                   "motion %" PRId64 " is another body's, too", id);
    if (has)
        n->moved[id] = 1;
    moves = has && hk_body_side_of(body, HK_SIDE_MOTION, &motion) &&
            hk_number(&motion, "inverse_mass") > 0;
    if (moves != !!(flags & DYNAMIC) && (!moves || k->root == body->system.part))
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, at, "flags", REC_NO_ITEM,
                   moves ? "not dynamic, but its motion has a mass"
                         : "dynamic, but nothing says its mass");
}

static void check_body(hk_looker *k, const hk_body_of *body, const counts *n)
{
    const rec_at *at = &body->cinfo;
    uint32_t shape = hk_target(at, "shape", 0);
    if (shape == REC_NO_PART)
        HK_FINDING(k->report, LATHE_LEVEL_ERROR, at, "shape", REC_NO_ITEM, "no shape");
    else if (!n->listed[shape])
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, at, "shape", REC_NO_ITEM,
                   "not among the system's referenced objects");
    check_rotation(k->report, at);
    check_number(k->report, at, "material_id", n->materials, -1, "material");
    check_moves(k, body, n);
    hk_check_motion_mass(k, body);
}

/* ---- the system ----------------------------------------------------------------------------------------------- */

static void check_joint(hk_looker *k, const rec_at *joint, const counts *n)
{
    check_number(k->report, joint, "body_a", n->bodies, -1, "body");
    check_number(k->report, joint, "body_b", n->bodies, -1, "body");
    if (rec_int(joint, "body_a") == rec_int(joint, "body_b"))
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, joint, "body_b", REC_NO_ITEM,
                   "body_a, too: it joins body %" PRId64 " to itself", rec_int(joint, "body_a"));
    if (hk_target(joint, "constraint_data", 0) == REC_NO_PART)
        HK_FINDING(k->report, LATHE_LEVEL_ERROR, joint, "constraint_data", REC_NO_ITEM,
                   "nothing says what kind of joint it is");
}

static void check_ragdoll(hk_looker *k, const rec_at *system, const counts *n)
{
    bytes_array map;
    bool big = k->doc->containers[k->c].big;
    uint32_t part = hk_target(system, "skeleton", 0);
    if (part == REC_NO_PART) {
        HK_FINDING(k->report, LATHE_LEVEL_ERROR, system, "skeleton", REC_NO_ITEM, "no skeleton");
        return;
    }
    rec_at skeleton = hk_object(k->doc, part);
    if (!hk_object_is(k->doc, part, "hkaSkeleton") ||
        hk_array_of(system, "bone_to_body_map", &map, NULL) != LATHE_OK)
        return;
    if (map.count != hk_length(&skeleton, "bones"))
        HK_FINDING(k->report, LATHE_LEVEL_ERROR, system, "bone_to_body_map", REC_NO_ITEM,
                   "%" PRIu64 " of them for %" PRIu64 " bones", map.count,
                   hk_length(&skeleton, "bones"));
    for (uint64_t i = 0; i < map.count && !k->report->stopped; i++) {
        int32_t body = (int32_t)bytes_ld32(map.bytes + 4 * i, big);
        if (body < -1 || (body >= 0 && (uint64_t)body >= n->bodies))
            HK_FINDING(k->report, LATHE_LEVEL_ERROR, system, "bone_to_body_map", i,
                       "no body %" PRId32 ": there are %" PRIu64, body, n->bodies);
    }
}

static bool count_all(hk_looker *k, const rec_at *system, arena *room, counts *n)
{
    *n = (counts){.materials = hk_length(system, "materials"),
                  .motions = hk_length(system, "motion_cinfos"),
                  .properties = hk_length(system, "motion_properties"),
                  .bodies = hk_body_count(system)};
    n->moved = arena_zalloc(room, (size_t)n->motions + 1);
    n->listed = arena_zalloc(room, k->doc->parts_n);
    for (uint64_t i = 0, all = hk_length(system, "referenced_objects"); n->listed && i < all; i++) {
        uint32_t part = hk_target(system, "referenced_objects", i);
        if (part != REC_NO_PART)
            n->listed[part] = 1;
    }
    return n->moved && n->listed;
}

void hk_check_system(hk_looker *k, const rec_at *system)
{
    arena room;
    counts n;
    rec_at at;
    hk_body_of body;
    uint32_t motions = rec_slot_find(system->layout, "motion_cinfos"),
             joints = rec_slot_find(system->layout, "constraint_cinfos");
    uint64_t joint_count = hk_length(system, "constraint_cinfos");
    arena_init(&room, &k->doc->mem);
    if (hk_may_look(k, system, k->doc->parts_n) && count_all(k, system, &room, &n)) {
        for (uint64_t i = 0; i < n.motions && !k->report->stopped; i++)
            if (rec_sub(system, motions, i, &at, NULL) == LATHE_OK)
                check_motion(k->report, &at, &n);
        for (uint64_t i = 0; i < n.bodies && !k->report->stopped; i++)
            if (hk_body_in(system, i, &body, NULL) == LATHE_OK)
                check_body(k, &body, &n);
        for (uint64_t i = 0; i < joint_count && !k->report->stopped; i++)
            if (rec_sub(system, joints, i, &at, NULL) == LATHE_OK)
                check_joint(k, &at, &n);
        if (system->layout->type == &hknp_ragdoll_data)
            check_ragdoll(k, system, &n);
    }
    arena_free(&room);
}
