#include "havok/objects/fault.h"

#include <inttypes.h>
#include <stdio.h>

bool hk_fault_found(hk_faults *to, const rec_at *at, const char *member, uint64_t item,
                    const char *text)
{
    HK_FINDING(to->report, LATHE_LEVEL_ERROR, at, member, item, "%s", text);
    return !to->report->stopped;
}

bool hk_fault_refused(hk_faults *to, const rec_at *at, const char *member, uint64_t item,
                      const char *text)
{
    char number[32] = "";
    if (item != REC_NO_ITEM)
        snprintf(number, sizeof number, "[%" PRIu64 "]: ", item + 1);
    to->result = rec_fail(at, rec_slot_find(at->layout, member), at->off, to->err,
                          LATHE_ERR_INVALID, "%s%s", number, text);
    return false;
}

bool hk_fault_target(hk_faults *to, const rec_at *at, const char *member, uint64_t item,
                     const char *class_name, const char *what, uint32_t *part)
{
    char text[160];
    *part = hk_target(at, member, item == REC_NO_ITEM ? 0 : item);
    if (rec_slot_find(at->layout, member) == REC_NO_SLOT)
        return true; /* a class that a file describes itself may lack it */
    if (*part == REC_NO_PART) {
        snprintf(text, sizeof text, "points to no %s", what);
        return to->tell(to, at, member, item, text);
    }
    const rec_layout *root = rec_part_root(at->doc, *part);
    if (!root || hk_type_is(root->type, class_name))
        return true;
    const char *is = hk_object_class(at->doc, *part);
    snprintf(text, sizeof text, "points to no %s, but to %.80s", what, is ? is : "something else");
    *part = REC_NO_PART;
    return to->tell(to, at, member, item, text);
}
