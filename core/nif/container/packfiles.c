#include "nif/container/packfiles.h"

#include "gen/nif_types.h"

uint32_t nif_packfile_of(lathe_doc *doc, uint32_t block, lathe_error *why)
{
    lathe_error none;
    rec_at at = nif_at(doc, block), inside;
    uint32_t slot = at.layout ? rec_slot_find(at.layout, "system") : REC_NO_SLOT;
    why = why ? why : &none;
    error_set(why, at.layout ? LATHE_ERR_INVALID : LATHE_ERR_MEMORY, LATHE_NO_OFFSET,
              at.layout ? "it has no packfile" : "out of memory");
    if (slot == REC_NO_SLOT || rec_opaque(doc, block, why) ||
        rec_sub(&at, slot, 0, &inside, why) != LATHE_OK || rec_opaque(doc, inside.part, why) ||
        doc->parts[inside.part].container == at.layout->container)
        return REC_NO_PART;
    return inside.part;
}

bool nif_open_packfiles(lathe_doc *doc)
{
    lathe_error why;
    for (uint64_t i = 0, n = nif_total(doc, 0); i < n; i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (rec_is_a(nif_part_type(doc, part), &nif_bhkSystem) &&
            nif_packfile_of(doc, part, &why) == REC_NO_PART && why.code == LATHE_ERR_MEMORY)
            return false;
    }
    return true;
}
