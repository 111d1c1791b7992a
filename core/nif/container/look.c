/* Access to blocks: whether they can be parsed, targets of their references, and values of their fields. */
#include "gen/nif_types.h"
#include "nif/container/container.h"

/* ---- by number ------------------------------------------------------------------------------------------ */

uint32_t nif_block(lathe_doc *doc, uint32_t c, uint64_t i)
{
    return rec_kid(doc, doc->containers[c].root, NIF_BLOCKS, i);
}

uint64_t nif_total(lathe_doc *doc, uint32_t c)
{
    return rec_kids(doc, doc->containers[c].root, NIF_BLOCKS);
}

uint64_t nif_number(lathe_doc *doc, uint32_t part)
{
    return rec_kid_index(doc, part);
}

rec_at nif_at(lathe_doc *doc, uint32_t part)
{
    return (rec_at){
        .doc = doc, .layout = rec_part_root(doc, part), .part = part, .slot = REC_NO_SLOT};
}

uint32_t nif_block_around(const lathe_doc *doc, uint32_t root, uint32_t part)
{
    const rec_part *p = &doc->parts[part];
    while (p->owner != REC_NO_PART && p->owner != root) {
        part = p->owner;
        p = &doc->parts[part];
    }
    return p->owner == root && p->slot == NIF_BLOCKS && p->alive ? part : REC_NO_PART;
}

/* ---- values --------------------------------------------------------------------------------------------- */

bool nif_block_is(lathe_doc *doc, uint32_t part, const rec_type *type)
{
    const rec_layout *root = part == REC_NO_PART ? NULL : rec_part_root(doc, part);
    return root && rec_is_a(root->type, type) && !rec_opaque(doc, part, NULL);
}

bool nif_block_reads(lathe_doc *doc, uint32_t part, bool *ok)
{
    lathe_error why;
    const rec_layout *root = rec_part_root(doc, part);
    if (root && !rec_opaque(doc, part, &why))
        return true;
    if (!root || why.code == LATHE_ERR_MEMORY)
        *ok = false;
    return false;
}

uint32_t nif_target(const rec_at *at, const char *row, uint64_t i)
{
    uint32_t slot = rec_slot_find(at->layout, row), part;
    uint64_t raw;
    if (slot == REC_NO_SLOT || rec_raw(at, slot, i, &raw, NULL) != LATHE_OK)
        return REC_NO_PART;
    part = nif_block(at->doc, at->layout->container, raw & UINT32_MAX);
    return nif_block_is(at->doc, part, &nif_NiObject) ? part : REC_NO_PART;
}

bool nif_column_find(const rec_at *at, const char *row, uint64_t size, nif_column *out)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    *out = (nif_column){0};
    if (slot == REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    const rec_part *p = rec_part_of(at->doc, loc.data_part);
    if (!size || !loc.count || loc.data > p->size || loc.count > (p->size - loc.data) / size)
        return false; /* a size of 0 comes from a damaged vertex descriptor */
    *out = (nif_column){p->data + loc.data, loc.count, loc.data, loc.data_part};
    return true;
}

const uint8_t *nif_floats(const rec_at *at, const char *row, uint64_t n)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    if (slot == REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return NULL;
    const rec_part *p = rec_part_of(at->doc, loc.part);
    return loc.off <= p->size && 4 * n <= p->size - loc.off ? p->data + loc.off : NULL;
}
