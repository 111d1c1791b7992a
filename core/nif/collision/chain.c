/* Removes blocks of collision together with all blocks that only they refer to: a bhkPhysicsSystem of Fallout 4, or the
 * body and shapes of Skyrim. */
#include "gen/nif_types.h"
#include "nif/collision/collide.h"

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

static lathe_result mark(chain *c, const uint32_t *parts, size_t n, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t k = 0; k < n; k++) {
        uint32_t number = (uint32_t)nif_number(c->doc, parts[k]);
        if (!c->goes[number])
            c->todo[c->count++] = number;
        c->goes[number] = 1;
    }
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

lathe_result nif_remove_chain(lathe_doc *doc, const uint32_t *parts, size_t n, lathe_report *report,
                              lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    chain c = {.doc = doc, .total = nif_total(doc, 0)};
    size_t total = (size_t)c.total;
    lathe_result r =
        nif_knows_all(&root, "nobody knows its references: the old collision cannot go", err);
    if (r != LATHE_OK)
        return r;
    c.goes = mem_zalloc(&doc->mem, total);
    c.todo = mem_alloc(&doc->mem, total * sizeof *c.todo);
    r = c.goes && c.todo ? mark(&c, parts, n, err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = remove_marked(&c, report, err);
    mem_free(&doc->mem, c.goes, total);
    mem_free(&doc->mem, c.todo, total * sizeof *c.todo);
    return r;
}
