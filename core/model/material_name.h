/* Names of what collision is made of, which Skyrim and later store as numbers. */
#ifndef LATHE_MODEL_MATERIAL_NAME_H
#define LATHE_MODEL_MATERIAL_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a name of n bytes: CRC-32 of its lower-case letters. */
uint32_t model_material_hash(const char *p, size_t n);
/* The same of a text that may be a number itself, as lists and values show those without a name: 0x0123ABCD or
 * 19114957. */
uint32_t model_material_read(const char *p, size_t n);
/* A name or a number, decimal too, where it has none of * . / and \: those are of paths and patterns. *named is
 * set where it is a name. */
bool model_material_word(const char *p, size_t n, uint32_t *number, bool *named);
/* The name of a number; NULL: it is not known. */
const char *model_material_name(uint32_t hash);
/* Whether the games use the number, be its name known or not. */
bool model_material_used(uint32_t hash);
/* Known name number i, or NULL past the last; `user` is not used. As error_nearest takes it. */
const char *model_material_each(void *user, size_t i);

/* ---- unknown names (material_near.c) ----------------------------------------------------------------- */

enum { MODEL_MATERIAL_TEXT = 64 };

/* The known name nearest to a text of n bytes; NULL where none is near. */
const char *model_material_near(const char *p, size_t n);
/* The known name that one wrong, missing, additional or exchanged letter turns into a text with this number, which
 * goes to `text`, MODEL_MATERIAL_TEXT bytes. NULL: there is none. */
const char *model_material_misspelt(uint32_t hash, char *text);

#endif
