/* Makes a packfile the collision of a node: its blocks, and the flags of the root. */
#include "gen/nif_types.h"
#include "havok/physics/bodies.h"
#include "nif/collision/collide.h"
#include "nif/collision/collision.h"

enum { FOLLOWS = 0x80 }; /* flags of every bhkNPCollisionObject in the games' files */

/* Bits of BSXFlags. All files with collision have `havok`; of those with movable bodies all but one have
 * `dynamic`, and no others do. Files without the block get the usual value of the games' files. */
enum { BSX_HAVOK = 2, BSX_DYNAMIC = 0x40, BSX_STATIC = 0x82, BSX_MOVES = 0xC2 };

static lathe_result put(const rec_at *at, const char *row, uint64_t raw, lathe_error *err)
{
    return rec_put_raw(at, rec_slot_find(at->layout, row), 0, raw, err);
}

static lathe_result append(lathe_doc *doc, const char *type, rec_at *out, lathe_report *report,
                           lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    uint64_t n = nif_total(doc, 0);
    lathe_result r = rec_insert(&root, NIF_BLOCKS, n, 1, NULL, 0, err);
    if (r != LATHE_OK)
        return r;
    *out = nif_at(doc, nif_block(doc, 0, n));
    r = rec_retype(out, type, strlen(type), err);
    *out = nif_at(doc, nif_block(doc, 0, n));
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}

static lathe_result put_packfile(const rec_at *system, const buf *packfile, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_STRING};
    v.as.s.p = (const char *)packfile->data;
    v.as.s.n = packfile->size;
    return rec_embed_set(system, rec_slot_find(system->layout, "system"), NULL, &v, NULL, err);
}

/* ---- flags ------------------------------------------------------------------------------------------------ */

static lathe_result add_flags(const rec_at *root_block, bool moves, lathe_report *report,
                              lathe_error *err)
{
    lathe_doc *doc = root_block->doc;
    uint32_t list = rec_slot_find(root_block->layout, "extra_data_list");
    const lathe_value name = {.kind = LATHE_KIND_STRING, .as.s = {"BSX", 3}};
    rec_at flags;
    rec_loc loc;
    lathe_result r = append(doc, "BSXFlags", &flags, report, err);
    if (r == LATHE_OK)
        r = rec_set(&flags, rec_slot_find(flags.layout, "name"), &name, err);
    if (r == LATHE_OK)
        r = put(&flags, "value", moves ? BSX_MOVES : BSX_STATIC, err);
    if (r == LATHE_OK)
        r = rec_find_present(root_block, list, &loc, err);
    if (r == LATHE_OK)
        r = rec_insert(root_block, list, loc.count, 1, NULL, 0, err);
    return r == LATHE_OK
               ? rec_put_raw(root_block, list, loc.count, nif_number(doc, flags.part), err)
               : r;
}

static lathe_result tell_game(lathe_doc *doc, bool moves, lathe_report *report, lathe_error *err)
{
    rec_at root = nif_at(doc, nif_block(doc, 0, 0));
    rec_loc loc;
    uint32_t list = rec_slot_find(root.layout, "extra_data_list");
    if (!nif_block_is(doc, root.part, &nif_NiObjectNET) ||
        rec_find(&root, list, &loc, NULL) != LATHE_OK || !loc.present)
        return LATHE_OK;
    for (uint64_t i = 0; i < loc.count; i++) {
        uint32_t part = nif_target(&root, "extra_data_list", i);
        if (!nif_block_is(doc, part, &nif_BSXFlags))
            continue;
        rec_at flags = nif_at(doc, part);
        int64_t now = rec_int(&flags, "value"), to = now | BSX_HAVOK | (moves ? BSX_DYNAMIC : 0);
        if (now == to)
            return LATHE_OK;
        if (report)
            report->changed++;
        return put(&flags, "value", (uint64_t)to, err);
    }
    return add_flags(&root, moves, report, err);
}

lathe_result nif_body_moves(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    (void)c;
    return tell_game(doc, true, NULL, err);
}

/* ---- existing collision ----------------------------------------------------------------------------------- */

#define ALL_BODIES UINT32_MAX

/* Number of collision objects that use a system, or a body of it. */
static uint64_t users_of(lathe_doc *doc, uint32_t system, uint64_t body)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < nif_total(doc, 0); i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (!nif_block_is(doc, part, &nif_bhkNPCollisionObject))
            continue;
        rec_at at = nif_at(doc, part);
        n += nif_target(&at, "data", 0) == system &&
             (body == ALL_BODIES || (uint64_t)rec_int(&at, "body_id") == body);
    }
    return n;
}

/* Number of bodies in a system, or 0 if unknown. */
static uint64_t bodies_of(lathe_doc *doc, uint32_t system)
{
    rec_at at = nif_at(doc, system);
    uint32_t inside = rec_kid(doc, system, rec_slot_find(at.layout, "system"), 0);
    hk_body_of body;
    uint64_t n = 0;
    if (inside == REC_NO_PART || !rec_part_root(doc, inside) || rec_opaque(doc, inside, NULL))
        return 0;
    while (hk_body_number(doc, doc->parts[inside].container, n, &body, NULL) == LATHE_OK)
        n++;
    return n;
}

/* False if the system has no body of that number; a system that cannot be read may have any. */
static bool has_body(lathe_doc *doc, uint32_t system, uint64_t number)
{
    uint64_t n = bodies_of(doc, system);
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
           users_of(doc, system, ALL_BODIES) == 1 && bodies_of(doc, system) <= 1;
}

static lathe_result point_at(const rec_at *collision, uint32_t node, uint32_t system,
                             lathe_error *err)
{
    lathe_doc *doc = collision->doc;
    lathe_result r = put(collision, "target", nif_number(doc, node), err);
    if (r == LATHE_OK)
        r = put(collision, "flags", FOLLOWS, err);
    if (r == LATHE_OK)
        r = put(collision, "data", nif_number(doc, system), err);
    return r == LATHE_OK ? put(collision, "body_id", 0, err) : r;
}

/* Adds new blocks and removes the old ones. */
static lathe_result replace(lathe_doc *doc, uint32_t node, uint32_t old, const buf *packfile,
                            lathe_report *report, lathe_error *err)
{
    rec_at at, collision, system;
    uint32_t shared = REC_NO_PART;
    uint64_t number = 0;
    if (is_of(doc, old, node)) {
        at = nif_at(doc, old);
        shared = system_of(&at);
        number = (uint64_t)rec_int(&at, "body_id");
    }
    if (shared != REC_NO_PART && bodies_of(doc, shared) <= 1 &&
        users_of(doc, shared, ALL_BODIES) == 1)
        shared = REC_NO_PART; /* the whole system is removed */
    if (shared != REC_NO_PART &&
        (users_of(doc, shared, number) > 1 || !has_body(doc, shared, number)))
        shared = REC_NO_PART; /* the body is shared with another node and stays, or there is none */
    lathe_result r = append(doc, "bhkPhysicsSystem", &system, report, err);
    if (r == LATHE_OK)
        r = put_packfile(&system, packfile, err);
    if (r == LATHE_OK)
        r = append(doc, "bhkNPCollisionObject", &collision, report, err);
    if (r == LATHE_OK)
        r = point_at(&collision, node, system.part, err);
    at = nif_at(doc, node);
    if (r == LATHE_OK)
        r = put(&at, "collision_object", nif_number(doc, collision.part), err);
    if (r == LATHE_OK && shared != REC_NO_PART)
        r = nif_leave_system(doc, shared, number, err);
    return r == LATHE_OK && old != REC_NO_PART ? nif_remove_chain(doc, old, report, err) : r;
}

lathe_result nif_attach_system(lathe_doc *doc, uint32_t node, const buf *packfile, bool moves,
                               lathe_report *report, lathe_error *err)
{
    rec_at at = nif_at(doc, node), system;
    uint32_t old = nif_target(&at, "collision_object", 0), own = REC_NO_PART;
    lathe_result r;
    if (is_of(doc, old, node)) {
        at = nif_at(doc, old);
        own = system_of(&at);
    }
    if (own == REC_NO_PART || !is_own(doc, own)) {
        r = replace(doc, node, old, packfile, report, err);
    } else {
        system = nif_at(doc, own);
        r = put_packfile(&system, packfile, err);
        if (r == LATHE_OK)
            r = point_at(&at, node, own, err);
        if (report)
            report->changed++;
    }
    return r == LATHE_OK ? tell_game(doc, moves, report, err) : r;
}
