/* What a document's index holds: known.c. */
#ifndef LATHE_NIF_KNOWN_H
#define LATHE_NIF_KNOWN_H

#include "nif/geometry/mesh.h"

typedef struct nif_known {
    uint64_t changes;       /* doc->changes when it was found */
    const uint8_t *numbers; /* of each block's type; NULL: the header has none */
    uint64_t blocks;
    uint32_t shape_of; /* the block that was looked at last for its geometry, or REC_NO_PART */
    nif_shape shape;
    uint64_t kinds;
    const rec_type *types[]; /* by number; NULL: nobody asked yet */
} nif_known;

/* NULL: no memory. */
nif_known *nif_known_of(lathe_doc *doc, uint32_t container);
/* Where the type of a block is remembered; NULL: nowhere. */
const rec_type **nif_known_type(lathe_doc *doc, uint32_t part);

#endif
