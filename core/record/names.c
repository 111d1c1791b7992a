/* Search for types by name, and names of values as the public API lists them. */
#include "record/record.h"

/* ---- types ------------------------------------------------------------------------------------------- */

static const rec_type *indexed(const rec_unit *unit, uint32_t i)
{
    return &unit->types[unit->by_name[i] - 1];
}

const rec_type *rec_unit_named(const rec_unit *unit, const char *name, int64_t version)
{
    uint32_t lo = 0, hi = unit->by_name_n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (strcmp(rec_type_name(indexed(unit, mid)), name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    const rec_type *found = NULL;
    for (; lo < unit->by_name_n && strcmp(rec_type_name(indexed(unit, lo)), name) == 0; lo++)
        if (rec_type_in_version(indexed(unit, lo), version) && !(found && found->stated))
            found = found && !indexed(unit, lo)->stated ? found : indexed(unit, lo);
    return found;
}

/* ---- names of values ----------------------------------------------------------------------------------- */

enum { NOT_YET, IN_WORK, DONE };

/* Tables hold no pointers, but the API returns some: the first caller fills the array, which stays. */
const lathe_named *rec_names_listed(const rec_names *names)
{
    if (!names->back)
        return ((const rec_listed_names *)names)->rows;
    const rec_unit *unit = rec_unit_of_names(names);
    atomic_uchar *state = &unit->shown_state[names - unit->names];
    unsigned char was = NOT_YET;
    if (atomic_compare_exchange_strong(state, &was, IN_WORK)) {
        for (uint32_t i = 0; i < names->count; i++)
            unit->shown[names->first + i] = rec_names_item(names, i);
        atomic_store(state, DONE);
    }
    while (atomic_load(state) != DONE) /* another thread fills it, which takes microseconds */
        continue;
    return &unit->shown[names->first];
}
