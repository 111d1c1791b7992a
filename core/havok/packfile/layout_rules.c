#include "havok/packfile/layout_rules.h"

static uint64_t aligned(uint64_t at, uint64_t to)
{
    return at + (to - at % to) % to;
}

hk_where hk_where_of(const rec_slot *slot, bool inside)
{
    bool bytes = slot->row->kind == REC_BYTES;
    return (hk_where){.array = slot->array || bytes,
                      .items = slot->array && slot->row->kind == REC_RECORD,
                      .inside = inside};
}

hk_where hk_where_item(void)
{
    return (hk_where){.item = true};
}

/* Rules 4 to 8: arrays always on 16; a text of the object itself too, one of an element right behind what is
 * there, and those of an array of texts on multiples of 2. */
uint64_t hk_data_start(const hk_where *w, uint64_t end)
{
    if (w->item)
        return aligned(end, 2);
    return w->inside && !w->array ? end : aligned(end, HK_ALIGN);
}

/* Rules 5 and 6: the data of elements follow at once, but for those of an array within an element. */
uint64_t hk_elements_end(const hk_where *w, uint64_t end)
{
    return w->inside && w->items ? aligned(end, HK_ALIGN) : end;
}

/* Rules 5 and 7: only the texts of an array of texts stand side by side. */
uint64_t hk_data_end(const hk_where *w, uint64_t end)
{
    return w->item ? end : aligned(end, HK_ALIGN);
}

uint64_t hk_struct_end(uint64_t size)
{
    return aligned(size, HK_ALIGN);
}
