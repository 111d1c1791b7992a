/* What a part was like when the open edit began: what is to follow from a change needs to know. */
#ifndef LATHE_NIF_BEFORE_H
#define LATHE_NIF_BEFORE_H

#include "record/record.h"

/* Bytes that have been side by side all the time. */
typedef struct nif_stretch {
    uint64_t now, was, size; /* where they are, and were */
} nif_stretch;

typedef struct nif_before {
    lathe_doc *doc;
    bool made;      /* the part came with the edit: `image` is as it came */
    bool rewritten; /* it was replaced by as many bytes as a whole, which says all itself */
    buf image;      /* the bytes then */
    /* Each byte of the part as it came, with the edit or before: as long as the part is now. So many bytes that were
     * replaced at once came then. */
    buf born;
    uint64_t whole;
    buf stretches; /* of nif_stretch, by where they are now: what was there then */
    buf spare;     /* while they are worked out */
} nif_before;

/* False: no memory. To be freed either way. */
bool nif_before_read(lathe_doc *doc, uint32_t part, uint64_t whole, nif_before *out);
void nif_before_free(nif_before *b);
/* Where `size` bytes were that are at `now`; NIF_NEW: some of them came with the edit. */
#define NIF_NEW UINT64_MAX
uint64_t nif_before_place(const nif_before *b, uint64_t now, uint64_t size);
/* The bytes of a row of fixed size, which have been there all the time, as they were. False: the row is not there. */
bool nif_before_row(const rec_at *at, const char *row, uint8_t *out, uint64_t size);

#endif
