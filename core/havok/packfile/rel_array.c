#include "havok/packfile/rel_array.h"

#include "havok/packfile/check.h"
#include "havok/packfile/layout_rules.h"

/* ---- those of an object -------------------------------------------------------------------------------- */

hk_rel hk_rel_at(lathe_doc *doc, const rec_part *p, const rec_slot *s, uint64_t site)
{
    bool big = doc->containers[p->container].big;
    hk_rel rel = {.site = site, .count = bytes_ld16(p->data + site, big)};
    rel.start = site + bytes_ld16(p->data + site + HK_REL_OFFSET, big);
    rel.end = rel.start + rel.count * s->elem;
    return rel;
}

bool hk_rel_next(lathe_doc *doc, uint32_t part, uint32_t *slot, hk_rel *out)
{
    const rec_part *p = rec_part_of(doc, part);
    const rec_layout *l = p->root;
    int64_t version = doc->containers[p->container].version;
    out->count = 0;
    for (; l && !out->count && *slot < l->count; ++*slot) {
        const rec_slot *s = &l->slots[*slot];
        if (rec_row_body(s->row) != &hk_rel_body || !rec_in_version(s->row, version) ||
            p->size < s->head || s->off > p->size - s->head)
            continue;
        *out = hk_rel_at(doc, p, s, s->off);
        out->slot = *slot;
    }
    return out->count > 0;
}

uint32_t hk_rels_within(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end)
{
    uint32_t n = 0;
    hk_rel rel;
    for (uint32_t slot = 0; hk_rel_next(doc, part, &slot, &rel);)
        n += rel.start < end && rel.end > off;
    return n;
}

uint64_t hk_rel_start(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t site, uint64_t most)
{
    hk_rel rel;
    for (uint32_t slot = 0; hk_rel_next(doc, part, &slot, &rel);)
        if (rel.site >= site && rel.start >= off && rel.start < most)
            most = rel.start;
    return most;
}

uint32_t hk_rel_before(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t *start)
{
    uint32_t n = 0;
    hk_rel rel;
    for (uint32_t slot = 0; hk_rel_next(doc, part, &slot, &rel);) {
        if (rel.start > off || (n && rel.start < *start))
            continue;
        n = n && rel.start == *start ? n + 1 : 1;
        *start = rel.start;
    }
    return n;
}

uint64_t hk_rel_site(lathe_doc *doc, uint32_t part, uint64_t start, uint32_t k)
{
    uint64_t site = 0;
    hk_rel rel;
    for (uint32_t slot = 0; hk_rel_next(doc, part, &slot, &rel);)
        if (rel.start == start && k-- == 0)
            site = rel.site;
    return site;
}

bool hk_rels_disjoint(lathe_doc *doc, uint32_t part)
{
    const rec_part *p = rec_part_of(doc, part);
    bool disjoint = true;
    hk_rel rel;
    for (uint32_t slot = 0; disjoint && hk_rel_next(doc, part, &slot, &rel);)
        disjoint = rel.start >= p->root->size && rel.end <= p->size &&
                   hk_rels_within(doc, part, rel.start, rel.end) == 1;
    return disjoint;
}

lathe_result hk_rel_refs(lathe_doc *doc, uint32_t part,
                         lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                         void *user, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    hk_rel rel;
    for (uint32_t slot = 0; r == LATHE_OK && hk_rel_next(doc, part, &slot, &rel);) {
        rec_refs run = {.site_part = part,
                        .target_part = part,
                        .site = rel.site + HK_REL_OFFSET,
                        .count = 1,
                        .width = 2,
                        .self = true,
                        .lead = HK_REL_OFFSET};
        r = emit(user, &run, err);
    }
    return r;
}
