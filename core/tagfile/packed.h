/* Packed unsigned integers of TYPE sections: big-endian; the first bits of the first byte give the number of
 * bytes that follow. Reference: formats/havok-tagfile.md#3. */
#ifndef LATHE_TAGFILE_PACKED_H
#define LATHE_TAGFILE_PACKED_H

#include "base/mem.h"

/* Reads the number at *at of `size` bytes and advances *at. False: no number starts with that byte, or it
 * extends past the end; *at is then unchanged. */
bool tag_packed_long(const uint8_t *bytes, uint64_t size, uint64_t *at, uint64_t *value);

/* The same, inlined for numbers of one or two bytes, which are nearly all. */
static inline bool tag_packed(const uint8_t *bytes, uint64_t size, uint64_t *at, uint64_t *value)
{
    if (*at < size && bytes[*at] < 0x80) {
        *value = bytes[(*at)++];
        return true;
    }
    if (*at < size && bytes[*at] < 0xC0 && size - *at >= 2) {
        *value = (uint64_t)(bytes[*at] & 0x3F) << 8 | bytes[*at + 1];
        *at += 2;
        return true;
    }
    return tag_packed_long(bytes, size, at, value);
}

/* Appends the shortest encoding. False: out of memory. */
bool tag_packed_put(buf *out, uint64_t value);

#endif
