/* Names of materials, layers and user tags: built-in ones of the two known games, or the user's own (option
 * `names`). Reference: formats/bphsh.md#10. */
#ifndef LATHE_PHIVE_NAMES_H
#define LATHE_PHIVE_NAMES_H

#include "phive/layout.h"
#include "record/record.h"

typedef enum phive_set {
    PHIVE_MATERIALS,
    PHIVE_SUB_MATERIALS,
    PHIVE_LAYERS,
    PHIVE_SUB_LAYERS,
    PHIVE_USER_TAGS,
    PHIVE_SETS
} phive_set;

enum {
    PHIVE_NAME = 63,        /* maximum length of a name in bytes */
    PHIVE_NAMES_MOST = 4096 /* maximum number of names in a set */
};

/* Rows in the order of their unsigned numbers; the last is {0}. Numbers of layers, sub-layers and user tags
 * are masks: one bit for a layer, one or more for a user tag. */
typedef struct phive_names {
    const char *of;                    /* of which game: "Tears of the Kingdom" */
    rec_listed_names sets[PHIVE_SETS]; /* .names.count is not used */
    rec_listed_names tag_bits;         /* user tags of a single bit */
    uint32_t counts[PHIVE_SETS];
} phive_names;

/* The built-in names; empty for V23 and other games. Valid forever. */
const phive_names *phive_names_built_in(int64_t variant);
/* Reads the option `names` of the document that is being opened or made. Each set that it contains replaces
 * the built-in one of the variant. The names live in the document's arena. Without the option *out is the
 * built-in set. */
lathe_result phive_names_read(lathe_doc *doc, int64_t variant, phive_names *out, lathe_error *err);

/* The name of a number; NULL: it has none. */
const char *phive_name(const phive_names *names, phive_set set, uint64_t number);
/* Finds the number of a name of n bytes: an exact match, or else one that ignores case. */
bool phive_name_find(const phive_names *names, phive_set set, const char *p, size_t n,
                     uint64_t *number);
/* The known name that is most similar to a text of n bytes; NULL: none is similar. */
const char *phive_name_near(const phive_names *names, phive_set set, const char *p, size_t n);
/* Writes the message for an unknown name: "'Stoen' is no material of Tears of the Kingdom; did you mean
 * 'Stone'?" */
void phive_name_refuse(const phive_names *names, phive_set set, const char *p, size_t n, char *to,
                       size_t cap);

#endif
