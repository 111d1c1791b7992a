/* Removes the former collision in doc:set_collision: a body of Fallout 4, or a chain of blocks of Skyrim. */
#include "gen/nif_types.h"
#include "havok/packfile/serialize.h"
#include "havok/physics/take_out.h"
#include "nif/collision/collide.h"

/* ---- chains of blocks ------------------------------------------------------------------------------------- */

/* Blocks to remove, by number, and those still to be visited. */
typedef struct chain {
    lathe_doc *doc;
    uint8_t *goes;
    uint64_t total;
    uint32_t *todo;
    size_t count;
} chain;

static bool may_go(const chain *c, uint32_t number)
{
    return !nif_block_is(c->doc, nif_block(c->doc, 0, number), &nif_NiAVObject);
}

/* Children of blocks in the chain are removed too. */
static lathe_result follow(void *user, const nif_link *link, lathe_error *err)
{
    chain *c = user;
    (void)err;
    if (link->text || link->back || link->value >= c->total || c->goes[link->value] ||
        !may_go(c, link->value))
        return LATHE_OK;
    c->goes[link->value] = 1;
    c->todo[c->count++] = link->value;
    return LATHE_OK;
}

/* Targets of references in blocks that stay, also of those to parents, are kept. */
static lathe_result keep(void *user, const nif_link *link, lathe_error *err)
{
    chain *c = user;
    (void)err;
    if (link->text || link->value >= c->total || !c->goes[link->value])
        return LATHE_OK;
    c->goes[link->value] = 0;
    c->todo[c->count++] = link->value;
    return LATHE_OK;
}

static lathe_result mark(chain *c, uint32_t first, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    c->goes[first] = 1;
    c->todo[c->count++] = first;
    while (r == LATHE_OK && c->count)
        r = nif_each_link(c->doc, nif_block(c->doc, 0, c->todo[--c->count]), follow, c, err);
    for (uint64_t i = 0; r == LATHE_OK && i < c->total; i++)
        if (!c->goes[i])
            r = nif_each_link(c->doc, nif_block(c->doc, 0, i), keep, c, err);
    while (r == LATHE_OK && c->count)
        r = nif_each_link(c->doc, nif_block(c->doc, 0, c->todo[--c->count]), keep, c, err);
    return r;
}

/* Removes the marked blocks from the end, one range at a time. */
static lathe_result remove_marked(const chain *c, lathe_report *report, lathe_error *err)
{
    rec_at root = rec_root(c->doc, 0);
    lathe_result r = LATHE_OK;
    for (uint64_t end = c->total; r == LATHE_OK && end; end--) {
        uint64_t from = end;
        while (from && c->goes[from - 1])
            from--;
        if (from == end)
            continue;
        r = rec_remove(&root, NIF_BLOCKS, from, end - from, err);
        if (report)
            report->changed += end - from;
        end = from + 1;
    }
    return r;
}

lathe_result nif_remove_chain(lathe_doc *doc, uint32_t part, lathe_report *report, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    chain c = {.doc = doc, .total = nif_total(doc, 0)};
    size_t n = (size_t)c.total;
    lathe_result r =
        nif_knows_all(&root, "nobody knows its references: the old collision cannot go", err);
    if (r != LATHE_OK)
        return r;
    c.goes = mem_zalloc(&doc->mem, n);
    c.todo = mem_alloc(&doc->mem, n * sizeof *c.todo);
    r = c.goes && c.todo ? mark(&c, (uint32_t)nif_number(doc, part), err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = remove_marked(&c, report, err);
    mem_free(&doc->mem, c.goes, n);
    mem_free(&doc->mem, c.todo, n * sizeof *c.todo);
    return r;
}

/* ---- bodies of a shared system ---------------------------------------------------------------------------- */

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

lathe_result nif_leave_system(lathe_doc *doc, uint32_t system, uint64_t number, lathe_error *err)
{
    rec_at block = nif_at(doc, system);
    uint32_t slot = rec_slot_find(block.layout, "system"), inside = rec_kid(doc, system, slot, 0);
    hk_body_of body;
    buf bytes;
    if (!nif_block_is(doc, system, &nif_bhkPhysicsSystem))
        return rec_fail(&block, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "a body of a ragdoll, which the others and its skeleton count on");
    if (inside == REC_NO_PART || !rec_part_root(doc, inside) || rec_opaque(doc, inside, NULL))
        return rec_fail(&block, slot, 0, err, LATHE_ERR_UNSUPPORTED,
                        "it cannot be read, so no body of it can go");
    uint32_t c = doc->parts[inside].container;
    lathe_result r = hk_body_number(doc, c, number, &body, err);
    if (r == LATHE_OK)
        r = hk_take_out(&body, err);
    if (r != LATHE_OK)
        return r;
    buf_init(&bytes, &doc->mem);
    r = hk_write_reached(doc, c, &bytes, err);
    if (r == LATHE_OK) {
        lathe_value v = {.kind = LATHE_KIND_STRING};
        v.as.s.p = (const char *)bytes.data;
        v.as.s.n = bytes.size;
        r = rec_embed_set(&block, slot, NULL, &v, NULL, err);
    }
    buf_free(&bytes);
    return r == LATHE_OK ? lower_numbers(doc, system, number, err) : r;
}
