/* Elements of such arrays in open documents: where they lie, come and go, and what checks say. */
#include "havok/packfile/check.h"
#include "havok/packfile/layout_rules.h"
#include "havok/packfile/rel_array.h"

static uint16_t word_at(lathe_doc *doc, uint32_t part, uint64_t off)
{
    const rec_part *p = &doc->parts[part];
    return bytes_ld16(p->data + off, doc->containers[p->container].big);
}

static uint32_t slot_of(const rec_at *at, const rec_field *row)
{
    return rec_slot_find(at->layout, rec_row_name(row));
}

static lathe_result locate(const rec_at *at, const rec_field *row, uint64_t site, uint64_t count,
                           uint32_t *part, uint64_t *off, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, *part);
    uint64_t start = site + word_at(at->doc, *part, site + HK_REL_OFFSET);
    uint32_t slot = slot_of(at, row);
    uint64_t elem = at->layout->slots[slot].elem, end = p->size;
    *off = start;
    if (!p->scratch && !hk_ready(at->doc, p->container))
        return rec_no_memory(err);
    if (start > p->size)
        return rec_fail(at, slot, site, err, LATHE_ERR_BOUNDS,
                        "points to 0x%llx, outside of the object's 0x%llx bytes",
                        (unsigned long long)start, (unsigned long long)p->size);
    if (count && p->root && p->root->size != REC_DYNAMIC && start < p->root->size)
        return rec_fail(at, slot, site, err, LATHE_ERR_INVALID,
                        "points to 0x%llx, into the object's own members",
                        (unsigned long long)start);
    if (!p->scratch)
        end = hk_reach(at->doc, *part, start);
    if (count > (end - start) / elem)
        return rec_fail(at, slot, site, err, LATHE_ERR_BOUNDS,
                        "%llu elements of %llu bytes do not fit into %llu bytes",
                        (unsigned long long)count, (unsigned long long)elem,
                        (unsigned long long)(end - start));
    return LATHE_OK;
}

static lathe_result put_word(const rec_at *at, uint64_t off, uint64_t n, lathe_error *err)
{
    uint8_t bytes[2];
    bytes_st16(bytes, (uint16_t)n, at->doc->containers[at->layout->container].big);
    return rec_splice(at->doc, at->part, off, 2, bytes, 2, err);
}

static lathe_result too_far(const rec_at *at, uint32_t slot, uint64_t site, uint64_t off,
                            lathe_error *err)
{
    return rec_fail(at, slot, site, err, LATHE_ERR_RANGE,
                    "its elements would begin %llu bytes behind it, at most %d",
                    (unsigned long long)(off - site), HK_REL_MOST);
}

static lathe_result point(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                          lathe_error *err)
{
    return off - site <= HK_REL_MOST ? put_word(at, site + HK_REL_OFFSET, off - site, err)
                                     : too_far(at, slot_of(at, row), site, off, err);
}

static lathe_result clear(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err)
{
    (void)row;
    return put_word(at, site + HK_REL_OFFSET, 0, err);
}

static lathe_result count(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                          lathe_error *err)
{
    (void)row;
    (void)err;
    *n = word_at(at->doc, at->part, site);
    return LATHE_OK;
}

static lathe_result recount(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                            lathe_error *err)
{
    (void)row;
    return put_word(at, site, n, err);
}

const rec_body hk_rel_body = {HK_DATA_BODY,   .width = 4,     .locate = locate,  .point = point,
                              .clear = clear, .count = count, .recount = recount};

lathe_result hk_rel_resizes(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err)
{
    uint32_t slot = slot_of(at, row);
    uint64_t elem = at->layout->slots[slot].elem, had, now;
    rec_loc loc;
    hk_rel rel;
    lathe_result r = rec_find(at, slot, &loc, err);
    (void)i;
    if (r != LATHE_OK || inserted <= removed)
        return r;
    if (!loc.count)
        loc.data =
            hk_rel_start(at->doc, at->part, 0, loc.off, rec_part_of(at->doc, at->part)->size);
    had = hk_struct_end(loc.data + loc.count * elem); /* data begin on multiples of 16 */
    now = hk_struct_end(loc.data + (loc.count + inserted - removed) * elem);
    if (loc.data - loc.off > HK_REL_MOST)
        return too_far(at, slot, loc.off, loc.data, err);
    for (uint32_t k = 0; r == LATHE_OK && hk_rel_next(at->doc, at->part, &k, &rel);)
        if (rel.site != loc.off && rel.start >= loc.data + loc.count * elem &&
            rel.start - rel.site + (now - had) > HK_REL_MOST)
            r = too_far(at, rel.slot, rel.site, rel.start + (now - had), err);
    return r;
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

void hk_check_rels(rec_report *report, const rec_at *at)
{
    hk_rel a, b;
    for (uint32_t i = 0; hk_rel_next(at->doc, at->part, &i, &a);)
        for (uint32_t k = i; hk_rel_next(at->doc, at->part, &k, &b);)
            if (a.start == b.start) /* else one of them has too little room, which is told */
                rec_finding(report, LATHE_LEVEL_ERROR, at, b.slot, REC_NO_ITEM,
                            "its elements are those of %s, too",
                            rec_row_name(at->layout->slots[a.slot].row));
}
