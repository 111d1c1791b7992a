/* Makes a packfile the collision of a node: a bhkNPCollisionObject with a system of its own, or one more body of a system
 * that exists. */
#include "gen/nif_types.h"
#include "havok/physics/bodies.h"
#include "nif/collision/collide.h"
#include "nif/collision/collision.h"

enum { FOLLOWS = 0x80 }; /* flags of every bhkNPCollisionObject in the games' files */

static lathe_result put(const rec_at *at, const char *row, uint64_t raw, lathe_error *err)
{
    return rec_put_raw(at, rec_slot_find(at->layout, row), 0, raw, err);
}

static lathe_result put_packfile(const rec_at *system, const buf *packfile, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_STRING};
    v.as.s.p = (const char *)packfile->data;
    v.as.s.n = packfile->size;
    return rec_embed_set(system, rec_slot_find(system->layout, "system"), NULL, &v, NULL, err);
}

/* ---- existing collision ----------------------------------------------------------------------------------- */

/* False if the system has no body of that number; a system that cannot be read may have any. */
static bool has_body(lathe_doc *doc, uint32_t system, uint64_t number)
{
    uint64_t n = nif_system_bodies(doc, system);
    return !n || number < n;
}

static uint32_t system_of(const rec_at *collision)
{
    lathe_doc *doc = collision->doc;
    uint32_t system = nif_target(collision, "data", 0);
    bool known = nif_block_is(doc, system, &nif_bhkPhysicsSystem) ||
                 nif_block_is(doc, system, &nif_bhkRagdollSystem);
    return known ? system : REC_NO_PART;
}

/* True if a collision object belongs to this node: a reference may point to that of another node, which still
 * needs it. */
static bool is_of(lathe_doc *doc, uint32_t collision, uint32_t node)
{
    if (!nif_block_is(doc, collision, &nif_bhkNPCollisionObject))
        return false;
    rec_at at = nif_at(doc, collision);
    uint32_t target = nif_target(&at, "target", 0);
    return target == node || !nif_block_is(doc, target, &nif_NiAVObject);
}

/* True if only this node uses the physics system, and it has one body. Then the new packfile replaces the old
 * one in the same block. */
static bool is_own(lathe_doc *doc, uint32_t system)
{
    return nif_block_is(doc, system, &nif_bhkPhysicsSystem) &&
           nif_system_users(doc, system, NIF_ALL_BODIES) == 1 &&
           nif_system_bodies(doc, system) <= 1;
}

static lathe_result point_at(const rec_at *collision, uint32_t node, uint32_t system,
                             uint64_t number, lathe_error *err)
{
    lathe_doc *doc = collision->doc;
    lathe_result r = put(collision, "target", nif_number(doc, node), err);
    if (r == LATHE_OK)
        r = put(collision, "flags", FOLLOWS, err);
    if (r == LATHE_OK)
        r = put(collision, "data", nif_number(doc, system), err);
    return r == LATHE_OK ? put(collision, "body_id", number, err) : r;
}

/* The system that the former body has to leave, because other nodes use it: with the number of the body. REC_NO_PART:
 * the whole system is removed, or the body stays. */
static uint32_t shared_system(const nif_attaching *a, uint32_t old, uint32_t node, uint64_t *number)
{
    lathe_doc *doc = a->doc;
    if (!is_of(doc, old, node) || nif_other_node(doc, old, node) != REC_NO_PART)
        return REC_NO_PART;
    rec_at at = nif_at(doc, old);
    uint32_t shared = system_of(&at);
    *number = (uint64_t)rec_int(&at, "body_id");
    if (shared == REC_NO_PART)
        return shared;
    bool only_one =
        nif_system_bodies(doc, shared) <= 1 && nif_system_users(doc, shared, NIF_ALL_BODIES) == 1;
    if (only_one && shared != a->system)
        return REC_NO_PART;
    if (nif_system_users(doc, shared, *number) > 1 || !has_body(doc, shared, *number))
        return REC_NO_PART; /* the body is shared with another node and stays, or there is none */
    return shared;
}

/* Puts the body into its system: that of the caller, or a new block. */
static lathe_result put_body(const nif_attaching *a, uint32_t *system, uint64_t *number,
                             lathe_error *err)
{
    rec_at block;
    *number = 0;
    if (a->system != REC_NO_PART) {
        *system = a->system;
        if (a->report)
            a->report->changed++;
        return nif_join_system(a->doc, a->system, a->packfile, number, err);
    }
    lathe_result r = nif_append_block(a->doc, "bhkPhysicsSystem", &block, a->report, err);
    *system = block.part;
    return r == LATHE_OK ? put_packfile(&block, a->packfile, err) : r;
}

/* The former collision object is removed, unless another node refers to it. */
static lathe_result drop_old(const nif_attaching *a, uint32_t node, uint32_t old, lathe_error *err)
{
    uint32_t other = nif_other_node(a->doc, old, node);
    bool is = nif_block_is(a->doc, old, &nif_NiCollisionObject);
    lathe_result r =
        is && other != REC_NO_PART ? nif_hand_over(a->doc, old, node, other, err) : LATHE_OK;
    return r == LATHE_OK ? nif_remove_chain(a->doc, &old, 1, a->report, err) : r;
}

/* Adds new blocks and removes the old ones. */
static lathe_result replace(const nif_attaching *a, uint32_t node, uint32_t old, lathe_error *err)
{
    lathe_doc *doc = a->doc;
    rec_at at, collision;
    uint64_t was = 0, number;
    uint32_t shared = shared_system(a, old, node, &was), system = REC_NO_PART;
    lathe_result r = put_body(a, &system, &number, err);
    if (r == LATHE_OK)
        r = nif_append_block(doc, "bhkNPCollisionObject", &collision, a->report, err);
    if (r == LATHE_OK)
        r = point_at(&collision, node, system, number, err);
    at = nif_at(doc, node);
    if (r == LATHE_OK)
        r = put(&at, "collision_object", nif_number(doc, collision.part), err);
    if (r == LATHE_OK && shared != REC_NO_PART)
        r = nif_leave_system(doc, shared, was, "", err);
    return r == LATHE_OK && old != REC_NO_PART ? drop_old(a, node, old, err) : r;
}

lathe_result nif_attach(const nif_attaching *a, uint32_t node, lathe_error *err)
{
    lathe_doc *doc = a->doc;
    rec_at at = nif_at(doc, node), system;
    uint32_t old = nif_target(&at, "collision_object", 0), own = REC_NO_PART;
    lathe_result r;
    if (a->system == REC_NO_PART && is_of(doc, old, node) &&
        nif_other_node(doc, old, node) == REC_NO_PART) {
        at = nif_at(doc, old);
        own = system_of(&at);
    }
    if (own == REC_NO_PART || !is_own(doc, own)) {
        r = replace(a, node, old, err);
    } else {
        system = nif_at(doc, own);
        r = put_packfile(&system, a->packfile, err);
        if (r == LATHE_OK)
            r = point_at(&at, node, own, 0, err);
        if (a->report)
            a->report->changed++;
    }
    return r == LATHE_OK ? nif_add_flags(doc, a->moves, a->report, err) : r;
}
