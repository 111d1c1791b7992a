/* Names of collision materials, and their hashes. Reference: formats/fo4-collision.md#3.7. */
#ifndef LATHE_HAVOK_PHYSICS_MATERIALS_H
#define LATHE_HAVOK_PHYSICS_MATERIALS_H

#include <stddef.h>
#include <stdint.h>

/* Of a name, in whatever case, as Skyrim and later games store it. */
uint32_t hk_material_hash(const char *p, size_t n);
/* NULL: nobody knows a name for it. */
const char *hk_material_name(uint32_t hash);

#endif
