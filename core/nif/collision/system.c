/* Bodies of a bhkPhysicsSystem that several nodes share: added, removed and renumbered.
 * Reference: formats/fo4-collision.md#1. */
#include "gen/nif_types.h"
#include "havok/packfile/serialize.h"
#include "havok/physics/take_out.h"
#include "nif/collision/collide.h"
#include "nif/container/packfiles.h"

uint64_t nif_system_users(lathe_doc *doc, uint32_t system, uint64_t body)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < nif_total(doc, 0); i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (!nif_block_is(doc, part, &nif_bhkNPCollisionObject))
            continue;
        rec_at at = nif_at(doc, part);
        n += nif_target(&at, "data", 0) == system &&
             (body == NIF_ALL_BODIES || (uint64_t)rec_int(&at, "body_id") == body);
    }
    return n;
}

uint64_t nif_system_bodies(lathe_doc *doc, uint32_t system)
{
    uint32_t inside = nif_packfile_of(doc, system, NULL);
    return inside == REC_NO_PART ? 0 : hk_body_total(doc, doc->parts[inside].container);
}

lathe_result nif_system_open(lathe_doc *doc, uint32_t system, uint32_t *c, rec_at *at,
                             lathe_error *err)
{
    rec_at block = nif_at(doc, system);
    lathe_error why;
    if (!block.layout)
        return rec_no_memory(err);
    if (!nif_block_is(doc, system, &nif_bhkPhysicsSystem))
        return rec_fail(&block, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "a body of a ragdoll, which the others and its skeleton count on");
    uint32_t inside = nif_packfile_of(doc, system, &why);
    if (inside == REC_NO_PART && why.code == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    if (inside == REC_NO_PART)
        return rec_fail(&block, rec_slot_find(block.layout, "system"), 0, err,
                        LATHE_ERR_UNSUPPORTED, "it cannot be read, so its bodies stay: %.160s",
                        why.message);
    *c = doc->parts[inside].container;
    return hk_only_system(doc, *c, at, err);
}

/* Brings the packfile back to Havok's order if an edit of its bodies changed that. */
static lathe_result put_in_order(lathe_doc *doc, uint32_t system, uint32_t c, lathe_error *err)
{
    rec_at block = nif_at(doc, system);
    lathe_value v = {.kind = LATHE_KIND_STRING};
    bool is;
    buf bytes;
    buf_init(&bytes, &doc->mem);
    lathe_result r = hk_in_order(doc, c, &is, &bytes, err);
    v.as.s.p = (const char *)bytes.data;
    v.as.s.n = bytes.size;
    if (r == LATHE_OK && !is)
        r = rec_embed_set(&block, rec_slot_find(block.layout, "system"), NULL, &v, NULL, err);
    buf_free(&bytes);
    return r;
}

static lathe_result lower_numbers(lathe_doc *doc, uint32_t system, uint64_t number,
                                  lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < nif_total(doc, 0); i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (!nif_block_is(doc, part, &nif_bhkNPCollisionObject))
            continue;
        rec_at at = nif_at(doc, part);
        int64_t id = rec_int(&at, "body_id");
        if (nif_target(&at, "data", 0) == system && id > (int64_t)number)
            r = rec_put_raw(&at, rec_slot_find(at.layout, "body_id"), 0, (uint64_t)id - 1, err);
    }
    return r;
}

lathe_result nif_leave_system(lathe_doc *doc, uint32_t system, uint64_t number, const char *advice,
                              lathe_error *err)
{
    uint32_t c = 0;
    rec_at at;
    hk_body_of body;
    lathe_result r = nif_system_open(doc, system, &c, &at, err);
    if (r == LATHE_OK)
        r = hk_body_in(&at, number, &body, err);
    if (r == LATHE_OK)
        r = hk_take_out(&body, advice, err);
    if (r == LATHE_OK)
        r = put_in_order(doc, system, c, err);
    return r == LATHE_OK ? lower_numbers(doc, system, number, err) : r;
}

lathe_result nif_join_system(lathe_doc *doc, uint32_t system, const buf *packfile, uint64_t *number,
                             lathe_error *err)
{
    uint32_t c = 0;
    rec_at at;
    lathe_result r = nif_system_open(doc, system, &c, &at, err);
    if (r == LATHE_OK)
        r = hk_body_join(doc, c, packfile, number, err);
    return r == LATHE_OK ? put_in_order(doc, system, c, err) : r;
}
