/* The formats tiers (a tree of parts, each with a total of those below) and bush (a tree in one part,
 * whose fields lie behind what differs in size). */
#include "made_up.h"

uint64_t made_up_steps;

/* ---- tiers ----------------------------------------------------------------------------------------- */

enum { TIER = 6, KIDS_AT = 5 };

bool made_up_tier_total(const rec_at *at, int64_t *out)
{
    uint32_t slot = rec_slot_find(at->layout, "kids");
    uint64_t n = rec_kids(at->doc, at->part, slot);
    *out = 1;
    for (uint64_t i = 0; i < n; i++) {
        rec_at kid;
        if (rec_sub(at, slot, i, &kid, NULL) != LATHE_OK)
            return false;
        *out += rec_int(&kid, "total");
    }
    return true;
}

/* Where the tier at `off`, with all below it, ends; past the end where it is cut off. */
static uint64_t tier_end(const rec_part *p, uint64_t off)
{
    for (uint64_t open = 1; open > 0; off += TIER) {
        if (off > p->size || p->size - off < TIER)
            return UINT64_MAX;
        open += p->data[off + KIDS_AT];
        open--;
    }
    return off;
}

static lathe_result open_tier(lathe_doc *doc, uint32_t part, const rec_at *top, lathe_error *err)
{
    const rec_part *p = rec_part_of(doc, part);
    uint64_t starts[UINT8_MAX + 1], off = TIER;
    if (p->size < TIER)
        return rec_fail(top, REC_NO_SLOT, 0, err, LATHE_ERR_BOUNDS, "a tier is cut off");
    uint32_t kids = p->data[KIDS_AT];
    for (uint32_t i = 0; i < kids && off != UINT64_MAX; i++) {
        starts[i] = off;
        off = tier_end(p, off);
    }
    if (off != p->size)
        return rec_fail(top, REC_NO_SLOT, 0, err, LATHE_ERR_BOUNDS, "a tier of another length");
    lathe_result r = LATHE_OK;
    for (uint32_t i = kids; r == LATHE_OK && i-- > 0;) {
        uint32_t kid;
        r = rec_split(doc, part, starts[i], 3, &made_up_tier, &kid, err);
        if (r == LATHE_OK)
            r = open_tier(doc, kid, top, err);
    }
    return r;
}

static lathe_result open_tiers(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at top = rec_root(doc, c);
    return open_tier(doc, top.part, &top, err);
}

/* ---- bush ------------------------------------------------------------------------------------------ */

/* Asked each time that a record is walked from its start. */
bool made_up_has_leaf(const rec_at *at)
{
    made_up_steps++;
    return rec_int(at, "value") != 0;
}

static int sniff_no(const uint8_t *bytes, size_t n)
{
    (void)bytes;
    (void)n;
    return REC_SNIFF_NO;
}

static const char *const tiers_extensions[] = {"tiers", NULL};
static const char *const bush_extensions[] = {"bush", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_tiers = {
    .name = "tiers",
    .doc = "Parts over parts",
    .extensions = tiers_extensions,
    .games = games,
    .root = &made_up_tier,
    .derives = true,
    .sniff = sniff_no,
    .open = open_tiers,
};
const lathe_format made_up_bush = {
    .name = "bush",
    .doc = "Records in records of their own kind",
    .extensions = bush_extensions,
    .games = games,
    .root = &made_up_bush_root,
    .sniff = sniff_no,
};
