/* Which bones lie on the other side, as their names say: rules for the skeletons of games, as data. */
#ifndef LATHE_MODEL_MIRROR_RULES_H
#define LATHE_MODEL_MIRROR_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* Names of both sides. "*" is anything, "^" a capital letter or a digit; both have the same of them, in the same order. */
typedef struct mirror_rule {
    const char *left, *right;
} mirror_rule;

extern const size_t mirror_rule_count;

enum { MIRROR_NAME = 256 }; /* longest name, with its NUL, that rules look at */

/* The name on the other side as rule number i has it. False where it does not fit. */
bool mirror_name(size_t i, const char *name, char out[MIRROR_NAME]);

#endif
