/* Constraints of the games before Fallout 4 that are removed with one of their bodies. */
#include "gen/nif_types.h"
#include "nif/collision/collide.h"

#include <stdio.h>

static bool is_constraint(lathe_doc *doc, uint32_t part)
{
    return nif_block_is(doc, part, &nif_bhkConstraint) ||
           nif_block_is(doc, part, &nif_bhkBallSocketConstraintChain);
}

/* Constraints that hold a body, by number. */
typedef struct holding {
    lathe_doc *doc;
    uint64_t total, count;
    uint8_t *holds; /* 1: a constraint that holds the body */
    uint32_t body;  /* its number */
    bool found;
} holding;

static lathe_result see_body(void *user, const nif_link *link, lathe_error *err)
{
    holding *h = user;
    (void)err;
    h->found |= !link->text && link->back && link->value == h->body;
    return LATHE_OK;
}

static lathe_result see_listed(void *user, const nif_link *link, lathe_error *err)
{
    holding *h = user;
    (void)err;
    if (!link->text && link->value < h->total &&
        is_constraint(h->doc, nif_block(h->doc, 0, link->value)))
        h->holds[link->value] = 1;
    return LATHE_OK;
}

/* Those that name the body, and those in its own list. */
static lathe_result find_constraints(holding *h, lathe_error *err)
{
    lathe_doc *doc = h->doc;
    lathe_result r = nif_each_link(doc, nif_block(doc, 0, h->body), see_listed, h, err);
    for (uint64_t i = 0; r == LATHE_OK && i < h->total; i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (!is_constraint(doc, part))
            continue;
        h->found = false;
        r = nif_each_link(doc, part, see_body, h, err);
        h->holds[i] |= h->found;
    }
    for (uint64_t i = 0; i < h->total; i++)
        h->count += h->holds[i];
    return r;
}

static lathe_result refuse(const holding *h, lathe_error *err)
{
    enum { LISTED = 8 };
    rec_at at = nif_at(h->doc, nif_block(h->doc, 0, h->body));
    char list[240] = "";
    size_t used = 0;
    uint64_t n = 0;
    for (uint64_t i = 0; i < h->total && n < LISTED; i++)
        if (h->holds[i])
            used += (size_t)snprintf(list + used, sizeof list - used, "%sblocks[%llu]",
                                     n++ ? ", " : "", (unsigned long long)i + 1);
    if (h->count > LISTED)
        snprintf(list + used, sizeof list - used, " and %llu more",
                 (unsigned long long)h->count - LISTED);
    return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                    "constraints hold the body that would go: %s%s", list, nif_constraints_advice);
}

/* The constraint leaves the lists of the bodies. */
static lathe_result unlist(const holding *h, uint32_t part, lathe_error *err)
{
    rec_at at = nif_at(h->doc, part);
    uint32_t slot = rec_slot_find(at.layout, "constraints");
    rec_loc loc;
    lathe_result r = rec_find_present(&at, slot, &loc, err);
    for (uint64_t end = r == LATHE_OK ? loc.count : 0; r == LATHE_OK && end; end--) {
        uint64_t from = end, raw = 0;
        while (from && rec_raw(&at, slot, from - 1, &raw, err) == LATHE_OK && raw < h->total &&
               h->holds[raw])
            from--;
        if (from < end)
            r = rec_remove(&at, slot, from, end - from, err);
        end = from < end ? from + 1 : end;
    }
    return r;
}

static void tell(nif_detaching *d, uint32_t part)
{
    char path[64];
    rec_at at = nif_at(d->doc, part);
    lathe_value v = {.kind = LATHE_KIND_STRING};
    if (!d->report || !d->report->result)
        return;
    rec_path(&at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    v.as.s.p = path;
    v.as.s.n = strlen(path);
    d->report->result(d->report->user, "constraints", &v);
}

static lathe_result remove_constraints(nif_detaching *d, const holding *h, lathe_error *err)
{
    lathe_doc *doc = d->doc;
    lathe_result r = LATHE_OK;
    d->bits |= NIF_BSX_RAGDOLL;
    for (uint64_t i = 0; r == LATHE_OK && i < h->total; i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (nif_block_is(doc, part, &nif_bhkRigidBody) && i != h->body)
            r = unlist(h, part, err);
        if (r != LATHE_OK || !h->holds[i])
            continue;
        tell(d, part);
        if (!buf_put(&d->blocks, &part, sizeof part))
            r = rec_no_memory(err);
    }
    return r;
}

/* True if a collision object that stays has the body, too: then it stays, with its constraints. */
static bool stays(const nif_detaching *d, uint32_t body)
{
    const uint32_t *blocks = (const void *)d->blocks.data;
    size_t n = d->blocks.size / sizeof *blocks;
    uint64_t users = 0, going = 0;
    for (uint64_t i = 0; i < nif_total(d->doc, 0); i++) {
        uint32_t part = nif_block(d->doc, 0, i);
        if (!nif_block_is(d->doc, part, &nif_bhkNiCollisionObject))
            continue;
        rec_at at = nif_at(d->doc, part);
        users += nif_target(&at, "body", 0) == body;
    }
    for (size_t k = 0; k < n; k++)
        going += nif_block_is(d->doc, blocks[k], &nif_bhkNiCollisionObject);
    return users > going;
}

lathe_result nif_release_constraints(nif_detaching *d, uint32_t body, lathe_error *err)
{
    lathe_doc *doc = d->doc;
    holding h = {.doc = doc, .total = nif_total(doc, 0)};
    d->bits |= NIF_BSX_HAVOK | NIF_BSX_DYNAMIC;
    if (!nif_block_is(doc, body, &nif_bhkWorldObject) || stays(d, body))
        return LATHE_OK;
    h.body = (uint32_t)nif_number(doc, body);
    h.holds = mem_zalloc(&doc->mem, (size_t)h.total);
    lathe_result r = h.holds ? find_constraints(&h, err) : rec_no_memory(err);
    if (r == LATHE_OK && h.count)
        r = d->constraints ? remove_constraints(d, &h, err) : refuse(&h, err);
    mem_free(&doc->mem, h.holds, (size_t)h.total);
    return r;
}
