/* Finds the bone on the other side of the body by its name: rules for the skeletons of games. */
#ifndef LATHE_MODEL_MIRROR_RULES_H
#define LATHE_MODEL_MIRROR_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* A pair of patterns for names. "*" stands for any text, "^" for a capital letter or a digit. Both patterns have the
 * same of them in the same order. */
typedef struct mirror_rule {
    const char *left, *right;
} mirror_rule;

extern const size_t mirror_rule_count;

enum { MIRROR_NAME = 256 }; /* size of a name buffer, with the NUL; longer names do not match */

/* The name on the other side by rule number i. False: the name does not match. */
bool mirror_name(size_t i, const char *name, char out[MIRROR_NAME]);

#endif
