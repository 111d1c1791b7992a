/* What checks of objects have in common. */
#ifndef LATHE_HAVOK_OBJECTS_FINDING_H
#define LATHE_HAVOK_OBJECTS_FINDING_H

#include "havok/objects/objects.h"

/* Reports at a member. */
#define HK_FINDING(report, level, at, name, item, ...)                                             \
    rec_finding(report, level, at, rec_slot_find((at)->layout, name), item, __VA_ARGS__)

/* What is wrong with a rotation of four floats: *level and the words, or NULL where nothing is. */
const char *hk_rotation_wrong(const uint8_t *p, bool big, lathe_level *level);

#endif
