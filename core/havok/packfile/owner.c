/* Which head leads to a place of the data. */
#include "havok/packfile/rel_array.h"

bool hk_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
              uint64_t *site)
{
    uint32_t c = rec_part_of(doc, part)->container, first;
    hk_fixup f;
    uint64_t start;
    if (rec_part_of(doc, part)->slot != hk_row(HK_OBJECTS) || !hk_ready(doc, c))
        return false;
    uint32_t rels = hk_rel_before(doc, part, off, &start);
    bool any = hk_fixup_before(doc, c, hk_position(doc, part, off), &f);
    if (rels && (!any || f.target <= hk_position(doc, part, start))) {
        *from = part;
        *site = k < rels ? hk_rel_site(doc, part, start, k) : 0;
        if (k < rels)
            return true;
        any = any && f.target == hk_position(doc, part, start);
        k -= rels;
    }
    if (!any || k >= hk_fixup_targets(doc, c, HK_LOCAL, f.target, (uint64_t)f.target + 1, &first))
        return false;
    f = hk_fixup_by_target(doc, c, HK_LOCAL, first + k);
    return hk_place(doc, c, f.source, from, site);
}
