/* Names of what collision is made of, which Skyrim and later store as numbers. */
#ifndef LATHE_MODEL_MATERIAL_NAME_H
#define LATHE_MODEL_MATERIAL_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a name of n bytes, be its letters large or small. */
uint32_t model_material_hash(const char *p, size_t n);
/* The same of a text that may be a number itself, as lists and values show those without a name: 0x0123ABCD or
 * 19114957. */
uint32_t model_material_read(const char *p, size_t n);
/* A name or a number, decimal too, where it has none of * . / and \: those are of paths and patterns. *named is
 * set where it is a name. */
bool model_material_word(const char *p, size_t n, uint32_t *number, bool *named);
/* The name of a number; NULL: nobody knows it. */
const char *model_material_name(uint32_t hash);

#endif
