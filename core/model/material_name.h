/* Names of collision materials, which Skyrim and later games store as hashes. */
#ifndef LATHE_MODEL_MATERIAL_NAME_H
#define LATHE_MODEL_MATERIAL_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The hash of a name of n bytes: CRC-32 of the name in lower case. */
uint32_t model_material_hash(const char *p, size_t n);
/* The same for a text that may also be a number, such as lists and values show for unknown names: 0x0123ABCD or
 * 19114957. */
uint32_t model_material_read(const char *p, size_t n);
/* Reads a name or a number, decimal or hexadecimal. False if the text contains one of * . / and \, which occur in
 * paths and patterns. *named: it is a name. */
bool model_material_word(const char *p, size_t n, uint32_t *number, bool *named);
/* The name with a hash; NULL: unknown. */
const char *model_material_name(uint32_t hash);
/* Whether the games use a hash, even if its name is unknown. */
bool model_material_used(uint32_t hash);
/* Known name number i; NULL past the last one. For error_nearest; `user` is not used. */
const char *model_material_each(void *user, size_t i);

/* ---- unknown names (material_near.c) ----------------------------------------------------------------- */

enum { MODEL_MATERIAL_TEXT = 64 };

/* The known name nearest to a text of n bytes; NULL if none is near. */
const char *model_material_near(const char *p, size_t n);
/* Finds a misspelt name by its hash: a known name from which one replaced, missing, additional or swapped letter
 * makes a text with this hash. That text goes to `text` (MODEL_MATERIAL_TEXT bytes). NULL: none. */
const char *model_material_misspelt(uint32_t hash, char *text);

#endif
