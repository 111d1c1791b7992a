/* Names of materials, layers and user tags: those of the two games whose collections are known, or the user's own (option
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
    PHIVE_NAME = 63,        /* most bytes of a name */
    PHIVE_NAMES_MOST = 4096 /* most names of a set */
};

/* Rows in the order of their numbers (as unsigned ones), the last is {0}. The numbers of layers, sub-layers and user tags
 * are masks: of layers a bit each, of user tags one or several. */
typedef struct phive_names {
    const char *of; /* whose names: "Tears of the Kingdom" */
    rec_names sets[PHIVE_SETS];
    rec_names tag_bits; /* user tags that are one bit, for REC_FLAGS */
    uint32_t counts[PHIVE_SETS];
} phive_names;

/* Those that are built in. Games without any: V23, and whoever else uses Phive. Good for ever. */
const phive_names *phive_names_built_in(int64_t variant);
/* The option `names` of the document that is being opened or made, where it is given: what it gives replaces that set of
 * the variant. Kept in the document's arena. Without the option *out is what is built in. */
lathe_result phive_names_read(lathe_doc *doc, int64_t variant, phive_names *out, lathe_error *err);

/* The name of a number, NULL: it has none. */
const char *phive_name(const phive_names *names, phive_set set, uint64_t number);
/* The number of a name of n bytes: of the same letters, or else whatever their case. */
bool phive_name_find(const phive_names *names, phive_set set, const char *p, size_t n,
                     uint64_t *number);
/* The known name that is nearest to a text of n bytes; NULL: none is near. */
const char *phive_name_near(const phive_names *names, phive_set set, const char *p, size_t n);
/* Writes why a name is refused: "'Stoen' is no material of Tears of the Kingdom; did you mean 'Stone'?" */
void phive_name_refuse(const phive_names *names, phive_set set, const char *p, size_t n, char *to,
                       size_t cap);

#endif
