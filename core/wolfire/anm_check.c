/* What the game stumbles over in an animation that it opens. Reference: formats/wolfire.md#2.3. */
#include "wolfire/anm.h"

void anm_check(lathe_doc *doc, uint32_t c, rec_report *r)
{
    rec_at root = rec_root(doc, c);
    uint32_t tail = rec_slot_find(root.layout, "trailing");
    rec_loc loc;
    if (rec_find(&root, tail, &loc, NULL) == LATHE_OK && loc.count)
        rec_finding(r, LATHE_LEVEL_WARNING, &root, tail, REC_NO_ITEM,
                    "%llu trailing bytes, which the game ignores", (unsigned long long)loc.count);
}
