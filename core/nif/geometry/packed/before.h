/* The state of a part at the start of the open edit, for updates that depend on what changed. */
#ifndef LATHE_NIF_BEFORE_H
#define LATHE_NIF_BEFORE_H

#include "record/record.h"

/* A range of bytes that an edit did not split. */
typedef struct nif_stretch {
    uint64_t now, was, size; /* its offsets now and before */
} nif_stretch;

typedef struct nif_before {
    lathe_doc *doc;
    bool made;      /* the part was created by the edit: `image` has its first bytes */
    bool rewritten; /* all bytes were assigned at once, so nothing is derived from them */
    buf image;      /* the bytes before */
    /* The first value of each byte of today's part: from before the edit, or from when the edit inserted it.
     * A replacement of `whole` or more bytes at once counts as an insertion. */
    buf born;
    uint64_t whole;
    buf stretches; /* of nif_stretch, sorted by .now */
    buf spare;     /* temporary */
} nif_before;

/* False: out of memory. Call nif_before_free in any case. */
bool nif_before_read(lathe_doc *doc, uint32_t part, uint64_t whole, nif_before *out);
void nif_before_free(nif_before *b);
/* The former offset of the `size` bytes at `now`; NIF_NEW: the edit added some of them. */
#define NIF_NEW UINT64_MAX
uint64_t nif_before_place(const nif_before *b, uint64_t now, uint64_t size);
/* Copies the former bytes of a field of fixed size. False: the field is not there. */
bool nif_before_row(const rec_at *at, const char *row, uint8_t *out, uint64_t size);

#endif
