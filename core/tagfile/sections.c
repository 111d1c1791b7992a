/* Reads sections of a tagfile: see sections.h. */
#include "tagfile/sections.h"

enum { KIND_SHIFT = 30 };
static const uint32_t size_mask = 0x3FFFFFFFu;

/* Makes a section name printable for messages. */
static void printable(const uint8_t *p, char out[5])
{
    for (int i = 0; i < 4; i++)
        out[i] = p[i] > 0x20 && p[i] < 0x7F ? (char)p[i] : '?';
    out[4] = 0;
}

lathe_result tag_section_next(const uint8_t *bytes, uint64_t size, uint64_t start, uint64_t *at,
                              tag_section *out, lathe_error *err)
{
    char name[5];
    while (size - *at >= 4 && bytes_ld32(bytes + *at, true) == 0)
        *at += 4;
    uint64_t left = size - *at;
    *out = (tag_section){.at = *at};
    if (!left)
        return LATHE_OK;
    if (left < TAG_HEADER)
        return error_set(err, LATHE_ERR_BOUNDS, start + *at,
                         "the header of a section takes 8 bytes, %llu are left",
                         (unsigned long long)left);
    uint32_t word = bytes_ld32(bytes + *at, true);
    printable(bytes + *at + 4, name);
    out->branch = word >> KIND_SHIFT == 0;
    out->size = word & size_mask;
    memcpy(out->name, bytes + *at + 4, 4);
    if (out->size < TAG_HEADER || out->size > left)
        return error_set(err, LATHE_ERR_BOUNDS, start + *at,
                         "section %s: a size of %llu bytes, where 8 to %llu are possible", name,
                         (unsigned long long)out->size, (unsigned long long)left);
    *at += out->size;
    return LATHE_OK;
}

uint32_t tag_section_word(uint32_t word, uint64_t size)
{
    return (word & ~size_mask) | (uint32_t)size;
}
