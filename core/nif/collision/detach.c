/* Removes the collision of a node or of a body: collision objects, bodies of systems, and the flags of the root. */
#include "gen/nif_types.h"
#include "havok/physics/take_out.h"
#include "nif/collision/collide.h"
#include "nif/container/packfiles.h"

const char nif_constraints_advice[] = ": constraints = \"remove\" removes them, too";

static lathe_result put(const rec_at *at, const char *row, uint64_t raw, lathe_error *err)
{
    return rec_put_raw(at, rec_slot_find(at->layout, row), 0, raw, err);
}

/* ---- nodes and their collision objects ---------------------------------------------------------------------- */

uint32_t nif_other_node(lathe_doc *doc, uint32_t collision, uint32_t node)
{
    for (uint64_t i = 0; i < nif_total(doc, 0); i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (part == node || !nif_block_is(doc, part, &nif_NiAVObject))
            continue;
        rec_at at = nif_at(doc, part);
        if (nif_target(&at, "collision_object", 0) == collision)
            return part;
    }
    return REC_NO_PART;
}

lathe_result nif_hand_over(lathe_doc *doc, uint32_t collision, uint32_t node, uint32_t other,
                           lathe_error *err)
{
    rec_at at = nif_at(doc, collision);
    return nif_target(&at, "target", 0) == node ? put(&at, "target", nif_number(doc, other), err)
                                                : LATHE_OK;
}

/* Nodes no longer refer to the collision objects that are removed. */
static lathe_result release_nodes(const nif_detaching *d, lathe_error *err)
{
    lathe_doc *doc = d->doc;
    const uint32_t *blocks = (const void *)d->blocks.data;
    uint64_t total = nif_total(doc, 0);
    uint8_t *goes = mem_zalloc(&doc->mem, (size_t)total);
    lathe_result r = goes ? LATHE_OK : rec_no_memory(err);
    for (size_t k = 0; goes && k < d->blocks.size / sizeof *blocks; k++)
        goes[nif_number(doc, blocks[k])] = 1;
    for (uint64_t i = 0; r == LATHE_OK && i < total; i++) {
        uint32_t part = nif_block(doc, 0, i), collision;
        if (!nif_block_is(doc, part, &nif_NiAVObject))
            continue;
        rec_at at = nif_at(doc, part);
        collision = nif_target(&at, "collision_object", 0);
        if (collision != REC_NO_PART && goes[nif_number(doc, collision)])
            r = put(&at, "collision_object", UINT32_MAX, err);
    }
    mem_free(&doc->mem, goes, (size_t)total);
    return r;
}

/* ---- bodies of Fallout 4 -------------------------------------------------------------------------------------- */

static bool is_dynamic(const rec_at *system, uint64_t number)
{
    hk_body_of body;
    rec_at motion;
    double inverse;
    return hk_body_in(system, number, &body, NULL) == LATHE_OK &&
           hk_body_side_of(&body, HK_SIDE_MOTION, &motion) && hk_has_mass(&motion, &inverse);
}

/* Constraints of a body, or of all (HK_ALL_BODIES): refused, or told to the report. */
static lathe_result check_constraints(const nif_detaching *d, const rec_at *system, uint64_t body,
                                      lathe_error *err)
{
    if (!d->constraints)
        return hk_check_unheld(system, body, nif_constraints_advice, err);
    hk_tell_constraints(system, body, d->report);
    return LATHE_OK;
}

/* The whole system is removed with its last collision object. It may be one that cannot be read. */
static lathe_result leave_all(nif_detaching *d, uint32_t system, lathe_error *err)
{
    uint32_t c;
    rec_at at;
    lathe_error why;
    if (nif_packfile_of(d->doc, system, &why) == REC_NO_PART) {
        d->bits |= NIF_BSX_DYNAMIC;
        return why.code == LATHE_ERR_MEMORY ? rec_no_memory(err) : LATHE_OK;
    }
    lathe_result r = nif_system_open(d->doc, system, &c, &at, err);
    if (r == LATHE_OK)
        r = check_constraints(d, &at, HK_ALL_BODIES, err);
    for (uint64_t i = 0; r == LATHE_OK && i < hk_body_count(&at); i++)
        d->bits |= is_dynamic(&at, i) ? NIF_BSX_DYNAMIC : 0;
    return r;
}

static lathe_result leave_one(nif_detaching *d, uint32_t system, uint64_t number, lathe_error *err)
{
    uint32_t c;
    rec_at at;
    lathe_result r = nif_system_open(d->doc, system, &c, &at, err);
    if (r == LATHE_OK)
        r = check_constraints(d, &at, number, err);
    if (r != LATHE_OK)
        return r;
    d->bits |= is_dynamic(&at, number) ? NIF_BSX_DYNAMIC : 0;
    r = d->constraints ? hk_drop_constraints(&at, number, err) : LATHE_OK;
    if (r == LATHE_OK)
        r = nif_leave_system(d->doc, system, number, nif_constraints_advice, err);
    if (d->report)
        d->report->changed++;
    return r;
}

/* Body `number` leaves its system, with the collision objects in d->blocks. */
static lathe_result leave(nif_detaching *d, uint32_t system, uint64_t number, lathe_error *err)
{
    uint64_t going = d->blocks.size / sizeof(uint32_t),
             users = nif_system_users(d->doc, system, NIF_ALL_BODIES),
             own = nif_system_users(d->doc, system, number),
             bodies = nif_system_bodies(d->doc, system);
    d->bits |= NIF_BSX_HAVOK;
    if (bodies && number >= bodies) {
        rec_at at = nif_at(d->doc, system);
        return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_BOUNDS,
                        "it has no body %llu: it has %llu", (unsigned long long)number,
                        (unsigned long long)bodies);
    }
    if (users == going && (going || bodies == 1))
        return leave_all(d, system, err);
    return own == going ? leave_one(d, system, number, err) : LATHE_OK;
}

/* ---- removing ------------------------------------------------------------------------------------------------- */

static lathe_result remove_blocks(nif_detaching *d, lathe_error *err)
{
    lathe_result r = release_nodes(d, err);
    if (r == LATHE_OK)
        r = nif_remove_chain(d->doc, (const void *)d->blocks.data,
                             d->blocks.size / sizeof(uint32_t), d->report, err);
    return r == LATHE_OK ? nif_drop_flags(d->doc, d->bits, d->report, err) : r;
}

static lathe_result add(nif_detaching *d, uint32_t part, lathe_error *err)
{
    return buf_put(&d->blocks, &part, sizeof part) ? LATHE_OK : rec_no_memory(err);
}

/* The collision object of a node; fails if there is none. */
static lathe_result find_collision(lathe_doc *doc, uint32_t node, uint32_t *out, lathe_error *err)
{
    rec_at at = nif_at(doc, node);
    uint32_t slot = rec_slot_find(at.layout, "collision_object");
    uint64_t raw = UINT32_MAX;
    lathe_result r = rec_raw(&at, slot, 0, &raw, err);
    *out = nif_target(&at, "collision_object", 0);
    if (r != LATHE_OK || nif_block_is(doc, *out, &nif_NiCollisionObject))
        return r;
    if ((uint32_t)raw == UINT32_MAX)
        return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED, "it has no collision");
    return rec_fail(&at, slot, 0, err, LATHE_ERR_UNSUPPORTED,
                    "blocks[%llu] is no collision object that can be read",
                    (unsigned long long)(uint32_t)raw + 1);
}

lathe_result nif_detach_node(nif_detaching *d, uint32_t node, lathe_error *err)
{
    lathe_doc *doc = d->doc;
    uint32_t collision;
    rec_at at = nif_at(doc, node);
    lathe_result r = find_collision(doc, node, &collision, err);
    if (r != LATHE_OK)
        return r;
    uint32_t other = nif_other_node(doc, collision, node);
    if (other != REC_NO_PART) { /* that one keeps it */
        r = put(&at, "collision_object", UINT32_MAX, err);
        if (d->report)
            d->report->changed++;
        return r == LATHE_OK ? nif_hand_over(doc, collision, node, other, err) : r;
    }
    at = nif_at(doc, collision);
    bool np = nif_block_is(doc, collision, &nif_bhkNPCollisionObject);
    uint32_t of = nif_target(&at, np ? "data" : "body", 0);
    r = add(d, collision, err);
    if (r == LATHE_OK && np && of != REC_NO_PART &&
        rec_is_a(nif_part_type(doc, of), &nif_bhkSystem))
        r = leave(d, of, (uint64_t)rec_int(&at, "body_id"), err);
    else if (r == LATHE_OK)
        r = nif_release_constraints(d, of, err);
    return r == LATHE_OK ? remove_blocks(d, err) : r;
}

lathe_result nif_detach_body(nif_detaching *d, uint32_t system, uint64_t number, lathe_error *err)
{
    lathe_doc *doc = d->doc;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < nif_total(doc, 0); i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (!nif_block_is(doc, part, &nif_bhkNPCollisionObject))
            continue;
        rec_at at = nif_at(doc, part);
        if (nif_target(&at, "data", 0) == system && (uint64_t)rec_int(&at, "body_id") == number)
            r = add(d, part, err);
    }
    bool last = !d->blocks.size && nif_system_bodies(doc, system) == 1;
    if (r == LATHE_OK)
        r = leave(d, system, number, err);
    if (r == LATHE_OK && last)
        r = add(d, system, err); /* no collision object has its last body */
    return r == LATHE_OK ? remove_blocks(d, err) : r;
}

lathe_result nif_detach_world_object(nif_detaching *d, uint32_t body, lathe_error *err)
{
    lathe_doc *doc = d->doc;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < nif_total(doc, 0); i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (!nif_block_is(doc, part, &nif_bhkNiCollisionObject))
            continue;
        rec_at at = nif_at(doc, part);
        if (nif_target(&at, "body", 0) == body)
            r = add(d, part, err);
    }
    if (r == LATHE_OK && !d->blocks.size)
        r = add(d, body, err); /* no collision object has it */
    if (r == LATHE_OK)
        r = nif_release_constraints(d, body, err);
    return r == LATHE_OK ? remove_blocks(d, err) : r;
}
