/* Names of what collision is made of, which Skyrim and later store as numbers. */
#ifndef LATHE_MODEL_MATERIAL_NAME_H
#define LATHE_MODEL_MATERIAL_NAME_H

#include <stddef.h>
#include <stdint.h>

/* The number of a name of n bytes, be its letters large or small. */
uint32_t model_material_hash(const char *p, size_t n);
/* The name of a number; NULL: nobody knows it. */
const char *model_material_name(uint32_t hash);

#endif
