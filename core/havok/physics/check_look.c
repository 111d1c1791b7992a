/* How much a check may look at: what objects share is looked at for each of them, but not without end. */
#include "havok/physics/check.h"

bool hk_may_look(hk_looker *k, const rec_at *at, uint64_t bytes)
{
    if (!k->spent && bytes >= k->left) {
        rec_finding(k->report, LATHE_LEVEL_WARNING, at, REC_NO_SLOT, REC_NO_ITEM,
                    "objects are shared so often that the rest of them is not looked at");
        k->spent = true;
    }
    if (!k->spent)
        k->left -= bytes + 1;
    return !k->spent;
}
