/* The classes that are described: of packfiles, and by their names of files that describe theirs themselves. */
#include "havok/named/classes.h"

#include "gen/animation_types.h"
#include "gen/behavior_types.h"
#include "gen/cloth_types.h"
#include "gen/packfile_types.h"
#include "gen/physics_types.h"

enum { UNITS = 5 };

static const rec_unit *unit_of(size_t i)
{
    switch (i) {
    case 0: return &packfile_unit.head;
    case 1: return &animation_unit.head;
    case 2: return &physics_unit.head;
    case 3: return &behavior_unit.head;
    default: return &cloth_unit.head;
    }
}

/* Structs that are not classes of Havok have names, too, but no rec_stated. */
static bool is_class(const rec_type *type)
{
    return type && type->stated;
}

const rec_type *hk_type(size_t i)
{
    for (size_t u = 0; u < UNITS; u++) {
        const rec_unit *unit = unit_of(u);
        if (i < unit->by_name_n)
            return &unit->types[unit->by_name[i] - 1];
        i -= unit->by_name_n;
    }
    return NULL;
}

const rec_type *hk_type_in_version(const char *name, int64_t version)
{
    const rec_type *found = NULL;
    for (size_t u = 0; u < UNITS && !is_class(found); u++)
        found = rec_unit_named(unit_of(u), name, version);
    return is_class(found) ? found : NULL;
}

const rec_type *hk_type_any(const char *name)
{
    const rec_type *found = hk_type_in_version(name, HK_2014);
    found = found ? found : hk_type_in_version(name, HK_2010);
    for (size_t u = 0; u < UNITS && !found; u++)
        found = rec_unit_named(unit_of(u), name, HK_2014);
    return found;
}
