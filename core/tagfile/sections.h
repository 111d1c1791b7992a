/* Sections of a tagfile: a big-endian word of two bits (kind) and the size including 8 bytes of header, four
 * letters, the payload. Reference: formats/havok-tagfile.md#1. */
#ifndef LATHE_TAGFILE_SECTIONS_H
#define LATHE_TAGFILE_SECTIONS_H

#include "record/record.h"

enum { TAG_HEADER = 8 };

typedef struct tag_section {
    char name[4];
    bool branch;       /* its payload is sections */
    uint64_t at, size; /* of the whole section, relative to `bytes`; size 0: there is no more */
} tag_section;

/* Reads the section at *at of `size` bytes, which begin at `start` of the document, and advances *at. Skips
 * zero words in front of it, which some writers leave as padding. LATHE_ERR_BOUNDS: its size is impossible. */
lathe_result tag_section_next(const uint8_t *bytes, uint64_t size, uint64_t start, uint64_t *at,
                              tag_section *out, lathe_error *err);

static inline bool tag_section_is(const tag_section *s, const char *name)
{
    return memcmp(s->name, name, 4) == 0;
}

/* The size word of a header with another size and the same kind. */
uint32_t tag_section_word(uint32_t word, uint64_t size);

#endif
