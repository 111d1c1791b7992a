/* Packed unsigned integers: see packed.h. */
#include "tagfile/packed.h"

/* The encodings from short to long: the first bits of the first byte, and how many bits of it belong to the
 * number. */
static const struct {
    uint8_t mask, mark, bytes;
} forms[] = {
    {0x80, 0x00, 1}, {0xC0, 0x80, 2}, {0xE0, 0xC0, 3}, {0xF8, 0xE0, 4},
    {0xF8, 0xE8, 5}, {0xFF, 0xF8, 6}, {0xF8, 0xF0, 8}, {0xFF, 0xF9, 9},
};

enum { FORMS = sizeof forms / sizeof forms[0] };

bool tag_packed_long(const uint8_t *bytes, uint64_t size, uint64_t *at, uint64_t *value)
{
    if (*at >= size)
        return false;
    uint8_t first = bytes[*at];
    for (int i = 0; i < FORMS; i++) {
        if ((first & forms[i].mask) != forms[i].mark)
            continue;
        if (forms[i].bytes > size - *at)
            return false;
        uint64_t v = first & (uint8_t)~forms[i].mask;
        for (int k = 1; k < forms[i].bytes; k++)
            v = v << 8 | bytes[*at + (uint64_t)k];
        *at += forms[i].bytes;
        *value = v;
        return true;
    }
    return false;
}

/* Number of bits in that encoding. */
static int bits_of(int form)
{
    int bits = 8 * (forms[form].bytes - 1);
    for (uint8_t mask = forms[form].mask; mask != 0xFF; mask = (uint8_t)(mask | (mask >> 1)))
        bits++;
    return bits;
}

bool tag_packed_put(buf *out, uint64_t value)
{
    uint8_t bytes[9];
    int form = 0;
    while (form < FORMS - 1 && value >> bits_of(form))
        form++;
    int n = forms[form].bytes;
    for (int k = n - 1; k >= 0; k--, value >>= 8)
        bytes[k] = (uint8_t)value;
    bytes[0] = (uint8_t)(bytes[0] | forms[form].mark);
    return buf_put(out, bytes, (size_t)n);
}
