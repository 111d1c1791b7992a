/* Access to the levels of a saved game and to their elements. */
#include "wolfire/save.h"

lathe_result save_level_at(lathe_doc *doc, uint64_t i, rec_at *level, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    return rec_sub(&root, rec_slot_find(root.layout, "levels"), i, level, err);
}

uint64_t save_levels(lathe_doc *doc)
{
    rec_at root = rec_root(doc, 0);
    return (uint64_t)rec_int(&root, "level_count");
}

uint64_t save_count(const rec_at *level, uint32_t slot)
{
    rec_loc loc;
    return rec_find(level, slot, &loc, NULL) == LATHE_OK && loc.present ? loc.count : 0;
}

lathe_result save_element(const rec_at *level, uint32_t slot, uint64_t i, rec_at *element,
                          rec_key *key, lathe_error *err)
{
    lathe_value v;
    lathe_result r = rec_sub(level, slot, i, element, err);
    if (r == LATHE_OK)
        r = rec_get(element, level->layout->slots[slot].key, true, &v, err);
    if (r == LATHE_OK)
        *key = (rec_key){v.as.s.p, v.as.s.n};
    return r;
}
